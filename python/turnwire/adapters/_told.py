"""The changes of a conversation that were reported before, so that each is reported once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import Any, Final

from turnwire._core import Loss, Receipt, _fingerprint

__all__ = ["News", "Told", "mark"]

News = tuple[Receipt, tuple[Loss, ...]]
"""What a request changed and what it lost."""

_Key = tuple[int, ...]

_MOST: Final = 256
"""Of so many lengths, and of so many lists of one length, the newest are remembered."""
_SAMPLES: Final = 8
"""So many elements of a list are compared at most: agents send the same list again, and more behind it."""


class Told:
    """The last receipts and losses, each under the list that it was of. Threads may share one.

    It holds no messages. A list that begins with one of these lists goes on with it: what is then changed in the same
    way again was told.
    """

    def __init__(self) -> None:
        # By the length and the first element, because these are found without a look at the rest.
        self._known: OrderedDict[tuple[int, int], dict[_Key, News]] = OrderedDict()
        self._lock = Lock()

    def news(self, elements: Sequence[Any], receipt: Receipt, losses: tuple[Loss, ...]) -> News:
        """What of a receipt and of losses was not told of a shorter list that `elements` goes on with."""
        if not elements or not (receipt or receipt.warnings or losses):
            return receipt, losses
        first, key = mark(elements[0]), _key(elements, len(elements))
        with self._lock:
            lengths = (count for count in range(len(elements) - 1, 0, -1) if (count, first) in self._known)
            found = (self._known[count, first].get(_key(elements, count)) for count in lengths)
            before = next((one for one in found if one is not None), None)
            same = self._known.setdefault((len(elements), first), {})
            same[key] = receipt, losses
            if len(same) > _MOST:
                del same[next(iter(same))]
            self._known.move_to_end((len(elements), first))
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        if before is None:
            return receipt, losses
        known = {repr(loss) for loss in before[1]}
        return receipt.since(before[0]), tuple(loss for loss in losses if repr(loss) not in known)


def _key(elements: Sequence[Any], count: int) -> _Key:
    """A list of the first `count` elements in a few numbers: its length, its first element, and some of the others."""
    places = sorted({0, count - 1, *(count * part // _SAMPLES for part in range(1, _SAMPLES))})
    return (count, *(mark(elements[at]) for at in places))


def mark(value: Any, whole: bool = False) -> int:
    """A number for an element, the same wherever a cache mark was moved to, which makes a text a block.

    With `whole`, all of each text counts; without it, the ends and the length of a long one.
    """
    return _fingerprint(value, whole)
