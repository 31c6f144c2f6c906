"""LiteLLM's notes: the keys that it adds to messages and calls for providers other than OpenAI."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ._places import Element

__all__ = ["OF_CALLS", "OF_MESSAGES", "restored", "signed", "signed_ids", "without"]

OF_MESSAGES: Final = frozenset({"annotations", "images", "provider_specific_fields"})
"""Keys that LiteLLM adds to a reply. It sends them to OpenAI, which refuses them."""
OF_CALLS: Final = frozenset({"index", "provider_specific_fields"})
"""The same for a call of a reply."""
_SIGNED: Final = "__thought__"
"""What LiteLLM may write between a call's id and Gemini's signature. The rules for ids would cut the signature off."""


def without(element: Element) -> Element:
    """An element without notes. Of reasoning that LiteLLM has twice, the blocks stay, which have the signature."""
    bare = {key: element[key] for key in element if key not in _of(element)}
    if isinstance(calls := bare.get("tool_calls"), list):
        bare["tool_calls"] = [_call(call) if isinstance(call, Mapping) else call for call in calls]
    return _with_id(bare, "tool_call_id", _bare_id)


def _of(element: Element) -> frozenset[str]:
    return OF_MESSAGES | {"reasoning_content"} if element.get("thinking_blocks") else OF_MESSAGES


def _call(call: Mapping[str, Any]) -> Element:
    bare = {key: call[key] for key in call if key not in OF_CALLS}
    if isinstance(function := bare.get("function"), Mapping):
        bare["function"] = {key: function[key] for key in function if key not in OF_CALLS}
    return _with_id(bare, "id", _bare_id)


def _bare_id(ident: str) -> str:
    return ident.partition(_SIGNED)[0] or ident


def _with_id(element: Element, key: str, change: Callable[[str], str]) -> Element:
    """An element or a call with another id. The same object if the id does not change."""
    ident = element.get(key)
    if not isinstance(ident, str) or (made := change(ident)) == ident:
        return element
    return {**element, key: made}


def signed_ids(messages: Sequence[Any]) -> dict[str, str]:
    """The ids that have a signature behind them, each under what is left without it."""
    calls = (call for one in messages for call in one.get("tool_calls") or () if isinstance(call, Mapping))
    idents = (call.get("id") for call in calls)
    return {_bare_id(ident): ident for ident in idents if isinstance(ident, str) and _SIGNED in ident}


def signed(element: Element, idents: Mapping[str, str]) -> Element:
    """An element with the signatures behind its ids, also if it is new and answers a signed call."""

    def whole(ident: str) -> str:
        return idents.get(ident, ident)

    made = _with_id(element, "tool_call_id", whole)
    calls = made.get("tool_calls")
    return {**made, "tool_calls": [_with_id(call, "id", whole) for call in calls]} if calls else made


def restored(whole: Element, element: Element) -> Element:
    """A changed element with the notes of the message that it was written from, which may have another role."""
    if element["role"] != whole.get("role"):
        return element
    made = {**{key: whole[key] for key in whole if key in _of(whole)}, **element}
    calls, said = whole.get("tool_calls") or (), element.get("tool_calls") or ()
    if calls and len(calls) == len(said):
        # An id may have changed, the order never does.
        made["tool_calls"] = [_noted(*pair) for pair in zip(calls, said, strict=True)]
    return made


def _noted(whole: Any, call: Element) -> Element:
    function = {**whole.get("function", {}), **call.get("function", {})}
    return {**whole, **call, "function": function} if function else {**whole, **call}
