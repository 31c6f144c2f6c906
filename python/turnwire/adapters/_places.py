"""A framework's own list of messages: what was not touched comes back as the framework's own objects, in its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import is_
from typing import Any, Final, TypeVar

from turnwire._log import logger
from turnwire.names import DialectName

from ._policy import Policy, unknown

__all__ = ["Element", "woven"]

Element = dict[str, Any]
"""One element of the list of a dialect's payload."""

_T = TypeVar("_T")
# The keys of an element that is nothing but its content; "at" is a place, of those adapters that need it.
_WORDS: Final = {"role", "content", "name", "at"}
_logger: Final = logger.getChild("adapters")


def woven(
    policy: Policy,
    given: Sequence[_T],
    elements: Callable[[_T], list[Element] | None],
    rebuilt: Callable[[_T | None, list[Element]], Iterable[_T]],
    dialect: DialectName,
    key: str,
    *,
    target: DialectName | None = None,
    before: Sequence[Element] = (),
    beside: Mapping[str, Any] | None = None,
    only_objects: bool = False,
) -> Sequence[_T]:
    """The messages that can be sent; `given` itself where nothing was to be changed.

    Args:
        policy: What the adapter was told.
        given: The framework's messages.
        elements: The elements of `dialect` that stand for one of them; None for a message of a class that nobody knows,
            which keeps its place and is not looked into.
        rebuilt: The framework's messages for elements that were changed, with the message that they were written from,
            or None for what was made.
        dialect: The dialect of `elements`.
        key: Where its payload keeps the list.
        target: For whom to build.
        before: What the model is told before `given`, such as its instructions: it counts, and never comes back.
        beside: The same in keys of the payload beside its list.
        only_objects: Whether the framework refuses or loses calls of `openai` whose arguments are no JSON object. Such
            a call goes without them; its result says why.
    """
    written: list[list[Element]] = []
    for message in given:
        told = elements(message)
        if told is None:
            unknown(message)
        written.append(told or [])
    owner = [index for index, told in enumerate(written) for _ in told]
    flat = [*before, *(element for told in written for element in told)]
    pinned = [len(before) + at for at, index in enumerate(owner) if index in policy.pinned]
    if not owner:
        return given
    target = target or policy.target
    ready = policy.prepared({**(beside or {}), key: flat}, dialect, dialect, target, pinned)
    if ready is None:
        return given
    says: list[Element] = ready.payload[key]
    if target is None or target.partition(":")[0] != dialect:
        # Whoever writes the provider's format writes blank texts, too, and not every provider takes them.
        last = len(says) - 1
        says = [element if at == last else _saying(element) for at, element in enumerate(says)]
    if only_objects:
        says = [_with_objects(element) for element in says]

    def owners(source: tuple[int, ...]) -> tuple[int, ...]:
        """The framework's messages that an element was written from; -1 for what stands before them."""
        return tuple(sorted({owner[at - len(before)] if at >= len(before) else -1 for at in source}))

    left: list[tuple[int, _T]] = []
    said = zip(ready.sources, says, strict=True)
    for whose, group in groupby(((owners(source), element) for source, element in said), key=lambda pair: pair[0]):
        new = [element for _, element in group if element]
        if whose == (-1,):
            continue
        first = next((index for index in whose if index >= 0), None)
        if first is not None and len(whose) == 1 and new == written[first]:
            left.append((first, given[first]))
        else:
            at = left[-1][0] if first is None and left else first or 0
            left += [(at, one) for one in rebuilt(None if first is None else given[first], new)]
    for index, message in enumerate(given):
        if not written[index]:
            behind = (at for at, (of, _) in enumerate(left) if of > index)
            left.insert(next(behind, len(left)), (index, message))
    out = [message for _, message in left]
    return given if len(out) == len(given) and all(map(is_, out, given)) else out


def _saying(element: Element) -> Element:
    """An element of `openai` without what is blank; empty where nothing else is in it."""
    content = element.get("content")
    if element["role"] == "tool":
        return element if content is not None else {**element, "content": ""}
    if isinstance(content, list):
        content = [block for block in content if block.get("type") != "text" or not _is_blank(block["text"])]
    if content and not _is_blank(content):
        return {**element, "content": content}
    if element.keys() - _WORDS:
        return {**element, "content": None} if element.get("content") else element
    _logger.debug("a text of %s is blank, and is not sent", element["role"])
    return {}


def _with_objects(element: Element) -> Element:
    """An element of `openai` whose calls all have an object as their arguments."""
    calls = element.get("tool_calls") or []
    new = [_with_object(call) for call in calls]
    return element if all(map(is_, new, calls)) else {**element, "tool_calls": new}


def _with_object(call: Element) -> Element:
    function = call.get("function")
    if not isinstance(function, dict):
        return call
    text: Any = function.get("arguments")
    try:
        is_object = isinstance(text, dict) or isinstance(json.loads(text), dict)
    except (TypeError, ValueError, RecursionError):
        is_object = False
    if is_object:
        return call
    _logger.warning("the arguments of the call %s are no JSON object, and are not sent: %r", call.get("id"), text)
    return {**call, "function": {**function, "arguments": "{}"}}


def _is_blank(text: Any) -> bool:
    return text is None or (isinstance(text, str) and not text.strip())
