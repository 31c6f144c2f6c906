"""Mutants: a sound request of each format with one fault woven in, judged by the promises of the world.

What can be wrong is data. `sound.jsonl` holds requests that their servers accept. `pieces.jsonl` holds blocks, messages
and tools that occur in the wrong place. `odd.json` holds values and keys. `formats.json` says what a judge must know of
a format. `weave.py` puts one of them where it does not belong, or moves what is there.
"""
