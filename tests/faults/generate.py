"""Cases: a sound payload and the same with one fault, or with two or three at once. Every run has the same cases."""

import contextlib
import random
from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Any

from . import bases, kinds
from .fault import FAULTS, Fault
from .payload import NoPlaceError, Payload, payload

__all__ = ["Case", "kinds", "several", "singles"]

# The words that faults write start at this number; the payloads to spoil hold smaller ones.
FIRST_WORD = 9001


@dataclass(frozen=True)
class Case:
    """A payload with its faults, and the sound one."""

    kind: str
    name: str
    dialect: str
    original: Any
    faulty: Any


def singles(dialect: str, recorded: int, own: int, wanted: Container[str] | None = None) -> Iterator[Case]:
    """One fault each: of every wanted variant, this many cases from recorded requests and that many from our own."""
    for fault in FAULTS.values():
        if dialect in fault.dialects and (wanted is None or fault.name in wanted):
            for where, count in (("recorded", recorded), ("own", own)):
                yield from _of(fault, dialect, where, count)


def _of(fault: Fault, dialect: str, where: str, count: int) -> Iterator[Case]:
    dice = random.Random(f"{fault.name} {dialect} {where}")
    originals = list(getattr(bases, where)(dialect))
    dice.shuffle(originals)
    for original in originals:
        if count == 0:
            return
        # The random choice may hit the one element with nothing to spoil.
        for _ in range(3):
            spoilt = payload(dialect, original, dice, FIRST_WORD)
            if _spoil(spoilt, fault):
                count -= 1
                yield Case(fault.kind, fault.name, dialect, original, spoilt.made())
                break


def several(dialect: str, count: int) -> Iterator[Case]:
    """Two or three faults at once, of kinds that are chosen at random."""
    faults = [fault for fault in FAULTS.values() if dialect in fault.dialects]
    for number in range(count):
        dice = random.Random(f"several {dialect} {number}")
        originals = bases.recorded(dialect) if number % 2 else []
        original = dice.choice(originals or bases.own(dialect))
        spoilt = payload(dialect, original, dice, FIRST_WORD)
        wanted, done = dice.choice([2, 2, 3]), []
        for fault in dice.sample(faults, min(40, len(faults))):
            if len(done) < wanted and _spoil_further(spoilt, fault):
                done.append(fault.name)
        yield Case(f"several: {len(done)} faults", " + ".join(done), dialect, original, spoilt.made())


def _spoil(payload: Payload, fault: Fault) -> bool:
    """Whether the fault could be made, and changed something."""
    before = repr(payload.body)
    try:
        fault.spoil(payload)
    except NoPlaceError:
        return False
    return repr(payload.body) != before


def _spoil_further(payload: Payload, fault: Fault) -> bool:
    """The same where an earlier fault may have broken what this one needs: a half-made fault counts too."""
    before = repr(payload.body)
    with contextlib.suppress(NoPlaceError, AttributeError, IndexError, KeyError, TypeError, ValueError, StopIteration):
        fault.spoil(payload)
    return repr(payload.body) != before
