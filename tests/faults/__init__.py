"""Requests with faults, and checkers that are not turnwire; `python -m tests.faults` prints what is left."""
