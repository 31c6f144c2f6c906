"""Runs of requests as scripts: one driver for every caller, provider and edit that a ledger meets.

`script.py` reads a script, `world.py` does its events, `makers.py` has the providers that answer, `promises.py` judges
each request, `draw.py` draws scripts at random. `cases/` holds the scripts that somebody wrote, and what failed once.
"""
