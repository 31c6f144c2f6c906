"""Which cases are judged for which targets: the same for the tests and for the table."""

import itertools
import logging
from collections.abc import Iterator
from functools import cache

from . import bases
from .fault import EVERY, FAULTS
from .generate import Case, several, singles
from .verdict import Verdict, judge

# Each dialect for itself, then each for every other.
PAIRS = [*((dialect, dialect) for dialect in EVERY), *itertools.permutations(EVERY, 2)]
# Of each variant of a fault: how many recorded requests and how many of our own conversations at home, and how many
# other dialects it is converted to. Cases of several faults at home, and in each other dialect.
RECORDED, OWN, ABROAD = 2, 1, 3
SEVERAL_RECORDED, SEVERAL_OWN, SEVERAL_ABROAD = 400, 100, 40


def _cases(source: str, target: str, times: int) -> Iterator[Case]:
    is_recorded = bool(bases.recorded(source))
    if source == target:
        yield from singles(source, RECORDED * times, OWN * times)
        yield from several(source, times * (SEVERAL_RECORDED if is_recorded else SEVERAL_OWN))
        return
    # The variants go round among the others, so that the number of pairs does not multiply the work.
    others = [dialect for dialect in EVERY if dialect != source]
    here, known = others.index(target), [fault for fault in FAULTS.values() if source in fault.dialects]
    wanted = {one.name for at, one in enumerate(known) if (here - at) % len(others) < ABROAD * times}
    yield from singles(source, times, times, wanted)
    yield from several(source, times * SEVERAL_ABROAD)


@cache
def verdicts(source: str, target: str, times: int = 1) -> list[Verdict]:
    """The verdicts on all cases of a pair. Without the recordings there are fewer."""
    logging.disable(logging.CRITICAL)
    try:
        return [judge(case, target) for case in _cases(source, target, times)]
    finally:
        logging.disable(logging.NOTSET)
