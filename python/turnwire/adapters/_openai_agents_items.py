"""Turns items of the OpenAI Agents SDK into Responses items and back, and keeps the SDK's own keys apart."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import Any

from agents.models.fake_id import FAKE_RESPONSES_ID

from ._places import Element

__all__ = ["elements_of", "rebuilt", "texts_first"]


def elements_of(item: Any) -> list[Element] | None:
    """The element of an item, without the keys that the SDK added for itself."""
    if not isinstance(item, dict):
        return None
    if (said := _said(item)) is not None:
        return [{"role": "assistant", "content": said}]
    own = _own(item)
    return [{key: value for key, value in item.items() if key not in own} if own else item]


def _said(item: Element) -> str | None:
    """The text of a chat model's message, which the SDK holds as a list with a made-up id. No server made that list."""
    blocks = item.get("content")
    if item.get("id") != FAKE_RESPONSES_ID or item.get("role") != "assistant" or not isinstance(blocks, list):
        return None
    is_text = [block.get("type") == "output_text" and not block.get("annotations") for block in blocks]
    return "\n".join(block["text"] for block in blocks) if is_text and all(is_text) else None


def _own(item: Element) -> Element:
    """The keys that the SDK added to an item. It removes them again if the model's server would refuse them."""
    made_up = item.get("id") == FAKE_RESPONSES_ID
    return {key: item[key] for key in ("id", "provider_data") if key in item and (key != "id" or made_up)}


def rebuilt(item: Any, elements: list[Element]) -> list[Any]:
    """The items for elements that were changed or made, in a form that the SDK can send to any model."""
    return [_again(item, element) for element in elements]


def _again(item: Any, element: Element) -> Element:
    if (kind := element.get("type", "message")) != "message" or element.get("role") != "assistant":
        return {**_own(item), **element} if item is not None and item.get("type", "message") == kind else element
    content = element["content"]
    own = {} if item is None else _own(item)
    if isinstance(content, str) and item is not None and _said(item) is not None:
        # In this form, the SDK writes the text and the calls behind it as one message.
        return {**item, "content": [{"type": "output_text", "text": content, "annotations": []}]}
    if isinstance(content, list) and ("id" in element or "id" in own):
        return {"type": "message", **own, **element}
    # Without its id, the server does not recognise the model's message.
    if isinstance(content, list) and all(block.get("type") == "output_text" for block in content):
        content = "\n".join(block["text"] for block in content)
    return {"role": "assistant", "content": content}


def texts_first(items: Sequence[Any]) -> Sequence[Any]:
    """Items with the model's text before its calls. The same list if they already have this order.

    In Chat Completions one message has both. The SDK makes two messages if a text follows a call, and then the results
    do not follow the calls.
    """
    out: list[Any] = []
    first = None
    for item in items:
        kind = item.get("type", "message") if isinstance(item, dict) else None
        says = kind == "message" and item.get("role") == "assistant"
        if first is not None and says:
            out.insert(first, item)
            first += 1
            continue
        if kind == "function_call":
            first = len(out) if first is None else first
        elif kind != "reasoning":
            first = None
        out.append(item)
    return items if all(map(is_, out, items)) else out
