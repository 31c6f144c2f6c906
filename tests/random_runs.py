"""How many random runs the tests of ledgers and caches make, and from which seed on: a few by hand, more in CI.

`make runs` makes many more.
"""

import os

# GitHub and `.ci/run` set `CI`.
RUNS = int(os.environ.get("TURNWIRE_RUNS", "40" if os.environ.get("CI") else "12"))
FIRST = int(os.environ.get("TURNWIRE_FIRST_SEED", "0"))


def seeds(share: float = 1) -> range:
    """The seeds of a test that makes this share of the runs."""
    return range(FIRST, FIRST + int(RUNS * share))
