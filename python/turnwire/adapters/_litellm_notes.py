"""LiteLLM's notes: the keys that it adds to messages and calls for providers other than OpenAI."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ._places import Element

__all__ = ["OF_CALLS", "OF_MESSAGES", "restored", "without"]

OF_MESSAGES: Final = frozenset({"annotations", "images", "provider_specific_fields"})
"""Keys that LiteLLM adds to a reply. It sends them to OpenAI, which refuses them."""
OF_CALLS: Final = frozenset({"index", "provider_specific_fields"})
"""The same for a call of a reply."""


def without(element: Element) -> Element:
    """An element without notes. Of reasoning that LiteLLM has twice, the blocks stay, which have the signature."""
    bare = {key: element[key] for key in element if key not in _of(element)}
    if isinstance(calls := bare.get("tool_calls"), list):
        bare["tool_calls"] = [_call(call) if isinstance(call, Mapping) else call for call in calls]
    return bare


def _of(element: Element) -> frozenset[str]:
    return OF_MESSAGES | {"reasoning_content"} if element.get("thinking_blocks") else OF_MESSAGES


def _call(call: Mapping[str, Any]) -> Element:
    bare = {key: call[key] for key in call if key not in OF_CALLS}
    if isinstance(function := bare.get("function"), Mapping):
        bare["function"] = {key: function[key] for key in function if key not in OF_CALLS}
    return bare


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
