"""The changes of a conversation that were reported before, so that each is reported once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from itertools import islice
from threading import Lock
from typing import Any, Final

from turnwire._core import Receipt, _fingerprint

__all__ = ["Told", "begins", "mark"]

_Key = tuple[int, ...]

_MOST: Final = 256
"""The number of lengths that are remembered, and of lists for each length. The oldest are forgotten first."""
_BEFORE: Final = 4
"""The number of lists before it that a list is compared with."""
_SAMPLES: Final = 8
"""About so many elements of a list are compared, because agents send the same list again with more behind it."""


class Told:
    """The last receipts, each stored under its list. Any number of threads may share it.

    It keeps no messages. A list that begins with a shorter stored list continues it: a change that is in the stored
    receipt was already reported. The last few of such lists count, as each may have gone to another provider. System
    text at the beginning does not count, because it may change at each step.
    """

    def __init__(self) -> None:
        # Lists are found by length and first element, so that the other elements need not be read.
        self._known: OrderedDict[tuple[int, int], dict[_Key, Receipt]] = OrderedDict()
        self._lock = Lock()

    def news(self, elements: Sequence[Any], receipt: Receipt) -> Receipt:
        """The changes that were not reported for shorter lists that `elements` continues."""
        if not elements or not receipt:
            return receipt
        elements = elements[begins(elements) :]
        first, key = mark(elements[0]), _key(elements, len(elements))
        with self._lock:
            lengths = (count for count in range(len(elements) - 1, 0, -1) if (count, first) in self._known)
            found = (self._known[count, first].get(_key(elements, count)) for count in lengths)
            before = list(islice((one for one in found if one is not None), _BEFORE))
            same = self._known.setdefault((len(elements), first), {})
            same[key] = receipt
            if len(same) > _MOST:
                del same[next(iter(same))]
            self._known.move_to_end((len(elements), first))
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        for told in before:
            receipt = receipt.since(told)
        return receipt


def begins(elements: Sequence[Any]) -> int:
    """The index of the first element that is no system text; 0 if there is nothing else."""
    roles = (one.get("role") if isinstance(one, dict) else getattr(one, "role", None) for one in elements)
    return next((at for at, role in enumerate(roles) if role not in ("system", "developer")), 0)


def _key(elements: Sequence[Any], count: int) -> _Key:
    """A key for the first `count` elements: their number, and hashes of the first, the last and some between."""
    places = sorted({0, count - 1, *(count * part // _SAMPLES for part in range(1, _SAMPLES))})
    return (count, *(mark(elements[at]) for at in places))


def mark(value: Any, whole: bool = False) -> int:
    """A hash of an element. Cache marks do not change it, nor does a text that became a block to carry one.

    With `whole`, it covers all of each text; without, only the ends and the length of a long text.
    """
    return _fingerprint(value, whole)
