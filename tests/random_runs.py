"""How many random cases the tests try: all of them in CI, a fifth of them by hand.

The tests of ledgers and caches make runs of many requests: `make runs` makes many more of those.
"""

import os
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")

# GitHub and `.ci/run` set `CI`.
CI = bool(os.environ.get("CI"))
# By hand, one case of so many is tried.
OF = 5
RUNS = int(os.environ.get("TURNWIRE_RUNS", "40" if CI else "8"))
FIRST = int(os.environ.get("TURNWIRE_FIRST_SEED", "0"))


def seeds(share: float = 1) -> range:
    """The seeds of a test that makes this share of the runs."""
    return range(FIRST, FIRST + int(RUNS * share))


def tries(count: int) -> int:
    """How many of this number of random cases are tried."""
    return count if CI else max(1, count // OF)


def some(cases: Sequence[Case], first: int = 0) -> Sequence[Case]:
    """All cases, or each fifth one by hand. Tests of the same cases begin with different ones."""
    return cases if CI else (cases[first % OF :: OF] or cases[:1])
