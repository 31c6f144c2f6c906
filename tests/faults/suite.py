"""Which cases are judged for which targets; tests and the table use the same ones."""

import itertools
import logging
from collections.abc import Iterator
from functools import cache

from random_runs import CI

from . import bases
from .fault import EVERY, FAULTS
from .generate import Case, several, singles
from .payload import PROFILES, VIEWS
from .verdict import Verdict, judge

# Each dialect to itself, then each to every other, then each profile to itself and from every dialect.
PAIRS = [*((dialect, dialect) for dialect in EVERY), *itertools.permutations(EVERY, 2)]
PAIRS += [*((profile, profile) for profile in PROFILES), *itertools.product(EVERY, PROFILES)]
# CI judges all cases. A run by hand judges some of them, the same ones each time.
ALL = CI
# For each variant of a fault: how many recorded requests and how many of our own conversations within the dialect, and
# how many other dialects it is converted to. Then how many cases of several faults within the dialect, and to each
# other one.
RECORDED, OWN, ABROAD = (2, 1, 3) if ALL else (1, 1, 1)
SEVERAL_RECORDED, SEVERAL_OWN, SEVERAL_ABROAD = (400, 100, 40) if ALL else (100, 50, 10)
# A dialect has one in `OF_OWN` variants. A profile has fewer, one in `SHARE`, because its dialect covers them already.
# One in `EACH_RARE` variants is converted to one of these or of the rare dialects, or from one of them to another. They
# have few cases of several faults.
RARE = [name for name in VIEWS if VIEWS[name].RARE or name in PROFILES]
OF_OWN, SHARE, EACH_RARE, SEVERAL_RARE = (1, 3, 2, 3) if ALL else (2, 6, 4, 1)


def _cases(source: str, target: str, times: int) -> Iterator[Case]:
    known = [fault.name for fault in FAULTS.values() if source in fault.dialects]
    if source == target:
        names, share = (PROFILES, SHARE) if source in PROFILES else (EVERY, OF_OWN)
        here = names.index(source)
        wanted = {name for at, name in enumerate(known) if (here - at) % share < times}
        yield from singles(source, RECORDED * times, OWN * times, wanted)
        count = SEVERAL_RECORDED if bases.recorded(source) else SEVERAL_OWN
        yield from several(source, times * (count // 4 if source in RARE else count))
        return
    # The variants are spread over the others, so that the number of pairs does not multiply the work.
    is_rare = target in RARE
    others = [one for one in VIEWS if one != source and (one in RARE) == is_rare]
    few = is_rare or source in RARE
    abroad, around = (1, len(others) * EACH_RARE) if few else (ABROAD, len(others))
    here = others.index(target)
    wanted = {name for at, name in enumerate(known) if (here - at) % around < abroad * times}
    yield from singles(source, 0 if few else times, times, wanted)
    yield from several(source, times * (SEVERAL_RARE if few else SEVERAL_ABROAD))


@cache
def verdicts(source: str, target: str, times: int = 1) -> list[Verdict]:
    """The verdicts on all cases of a pair. There are fewer without the recordings."""
    logging.disable(logging.CRITICAL)
    try:
        return [judge(case, target) for case in _cases(source, target, times)]
    finally:
        logging.disable(logging.NOTSET)
