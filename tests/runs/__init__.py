"""Runs of requests as scripts: one driver for every caller, provider and edit that a ledger meets.

`script.py` reads a script, `world.py` and `edits.py` do its events, `records.py` remembers them. `makers.py` has the
providers that answer, `formats.py` any format for any target. `promises.py` judges each request, and `expected.py` what
a script says of it. `draw.py` draws scripts at random, and `shrink.py` shortens one that fails. `cases/` has scripts
that somebody wrote, or that failed.
"""
