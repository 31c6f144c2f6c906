"""Maps results back to a framework's list: unchanged messages stay the framework's own objects, in place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import is_
from typing import Any, Final, Generic, NamedTuple, TypeVar

from turnwire._core import Change, Rendered
from turnwire._families import family
from turnwire.types import DialectName

from ._ledgers import Carrier
from ._policy import Policy, Relay, message, unknown

__all__ = ["Element", "Woven", "woven"]

Element = dict[str, Any]
"""One element of the list of a dialect's payload."""

_T = TypeVar("_T")
_CARRIER: Final = Carrier()


class Woven(NamedTuple, Generic[_T]):
    """The messages to send.

    Attributes:
        messages: The framework's messages. The same list if nothing changed.
        ready: The result that they were made from. None if there was nothing to build, or the build failed and the
            original messages are sent.
    """

    messages: Sequence[_T]
    ready: Rendered[Any] | None = None

    def head(self, key: str, given: Any) -> Any:
        """The value to send under a key beside the list: `given` itself if it did not change."""
        left = given if self.ready is None else self.ready.payload.get(key)
        return given if left == given else left


def woven(
    policy: Policy,
    given: Sequence[_T],
    elements: Callable[[_T], list[Element] | None],
    rebuilt: Callable[[_T | None, list[Element]], Iterable[_T]],
    dialect: DialectName,
    key: str,
    *,
    target: DialectName | None = None,
    before: str = "",
    beside: Mapping[str, Any] | None = None,
    only_objects: bool = False,
    own_keys: bool = False,
    lost: Sequence[Change] = (),
    pinned: Iterable[int] | None = None,
    merged: Callable[[Sequence[_T]], _T] | None = None,
    carrier: Carrier = _CARRIER,
    original: Sequence[_T] | None = None,
) -> Woven[_T]:
    """The messages to send; `given` itself if nothing changed.

    Args:
        policy: The settings of the adapter.
        given: The framework's messages.
        elements: Returns the elements of `dialect` for one message; None for a message of an unknown class, which
            stays in its place unread.
        rebuilt: Returns the framework's messages for changed elements. It also gets the message that they were written
            from, or None for new elements.
        dialect: The dialect of `elements`.
        key: The key of its payload that has the list.
        target: The dialect to build for.
        before: System text before `given`, as `openai`'s first message. It counts, and is not returned.
        beside: The same in keys of the payload beside its list.
        only_objects: Whether the framework refuses or loses calls whose arguments are not a JSON object. Such a call is
            sent without arguments, and its result says why.
        own_keys: Whether the framework itself writes keys and the definitions of tools.
        lost: What the elements do not say of the messages, and the target would not take.
        pinned: Indices of `given`, instead of the caller's.
        merged: Joins several messages into one for `rebuilt`. Without it, `rebuilt` gets the first.
        carrier: What a ledger has to know about the framework.
        original: The framework's messages before `lost` was taken out, if they differ. For another model other parts
            are lost, and it is still the same conversation.
    """
    head: list[Element] = [{"role": "system", "content": before}] if before.strip() else []
    written: list[list[Element]] = []
    flat = [*head]
    for one in given:
        told = elements(one)
        if told is None:
            unknown(one)
            told = []
        written.append(told)
        flat += told
    if len(flat) == len(head):
        return Woven(given)
    spared = policy.pinned if pinned is None else frozenset(pinned)
    places = [len(head) + at for at, index in enumerate(_owners(written)) if index in spared] if spared else []
    target = target or policy.target
    # Frameworks also send blank texts, which not every provider takes.
    relay = Relay(target is None or family(target) != dialect, only_objects, own_keys)

    def own(earlier: str | None, gone: list[Any]) -> list[Any]:
        """The framework's messages for dropped elements: the same objects if a whole message is dropped."""
        owner, position = _owners(written), {id(element): at for at, element in enumerate(flat)}
        heard = [] if earlier is None else [*rebuilt(None, [message(earlier, dialect)])]
        for whose, group in groupby(gone, key=lambda element: owner[position[id(element)] - len(head)]):
            part = [*group]
            heard += [given[whose]] if len(part) == len(written[whose]) else rebuilt(given[whose], part)
        return heard

    payload = {**(beside or {}), key: flat}
    whole = original if original is not None and original is not given else ()
    heard = [*head, *(element for one in whole for element in elements(one) or ())] if whole else None
    ready = policy.prepared(payload, dialect, dialect, target, places, relay, lost, carrier, own, heard)
    if ready is None:
        return Woven(given if original is None else original)
    if ready.payload[key] == flat:
        # This returns early because most lists need no change, and each step sends the whole list again.
        return Woven(given, ready)

    owner = _owners(written)

    def owners(source: tuple[int, ...]) -> tuple[int, ...]:
        """The indices of the messages that an element was written from; -1 is system text and tools before them."""
        return tuple(sorted({owner[at - len(head)] if at >= len(head) else -1 for at in source}))

    left: list[tuple[int, _T]] = []
    said = zip(ready.sources, ready.payload[key], strict=True)
    for whose, group in groupby(((owners(source), element) for source, element in said), key=lambda pair: pair[0]):
        new = [element for _, element in group]
        if whose == (-1,):
            continue
        first = next((index for index in whose if index >= 0), None)
        if first is not None and len(whose) == 1 and new == written[first]:
            left.append((first, given[first]))
        else:
            at = left[-1][0] if first is None and left else first or 0
            whole = [given[index] for index in whose if index >= 0]
            of = None if first is None else merged(whole) if merged and len(whole) > 1 else given[first]
            left += [(at, one) for one in rebuilt(of, new)]
    for index, one in enumerate(given):
        if not written[index]:
            behind = (at for at, (of, _) in enumerate(left) if of > index)
            left.insert(next(behind, len(left)), (index, one))
    out = [one for _, one in left]
    return Woven(given if len(out) == len(given) and all(map(is_, out, given)) else out, ready)


def _owners(written: Sequence[list[Element]]) -> list[int]:
    """The index of the message of each element. Most requests change nothing, and do without."""
    return [index for index, told in enumerate(written) for _ in told]
