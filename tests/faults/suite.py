"""Which cases are judged for which targets: the same for the tests and for the table."""

import logging
from functools import cache

from .generate import several, singles
from .verdict import Verdict, judge

# Source and target: how many recorded requests and how many own conversations for each variant of a fault, and how many
# cases of several faults.
PAIRS = {
    ("openai", "openai"): (2, 1, 400),
    ("anthropic", "anthropic"): (2, 1, 400),
    ("openai", "anthropic"): (1, 1, 200),
    ("anthropic", "openai"): (1, 1, 200),
    ("amazon-q", "amazon-q"): (0, 1, 100),
    ("history", "history"): (0, 1, 100),
    ("openai", "amazon-q"): (0, 1, 60),
    ("anthropic", "amazon-q"): (0, 1, 60),
    ("history", "openai"): (0, 1, 60),
    ("history", "anthropic"): (0, 1, 60),
    ("amazon-q", "openai"): (0, 1, 60),
    ("amazon-q", "anthropic"): (0, 1, 60),
    ("openai", "history"): (0, 1, 60),
    ("anthropic", "history"): (0, 1, 60),
    ("history", "amazon-q"): (0, 1, 60),
    ("amazon-q", "history"): (0, 1, 60),
}


@cache
def verdicts(source: str, target: str, times: int = 1) -> list[Verdict]:
    """The verdicts on all cases of a pair. Without the recordings there are fewer."""
    recorded, own, many = (count * times for count in PAIRS[source, target])
    logging.disable(logging.CRITICAL)
    try:
        return [judge(case, target) for case in (*singles(source, recorded, own), *several(source, many))]
    finally:
        logging.disable(logging.NOTSET)
