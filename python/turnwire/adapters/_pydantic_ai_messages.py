"""Turns Pydantic AI's messages into elements of `openai` and back. Each part of a request is an element."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import eq
from typing import Any, Final

from pydantic_ai.messages import (
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from ._places import Element

__all__ = ["elements_of", "joined", "named", "rebuilt"]

# The type of a block that only Pydantic AI can read, and the key for its index, or that of the part behind a block.
_OWN: Final = "pydantic_ai"
_AT: Final = "at"
_UNKNOWN: Final = "unknown_tool"


def elements_of(message: Any) -> list[Element] | None:
    """The elements of a message; None for an unknown class, and if no part is known."""
    if isinstance(message, ModelResponse):
        return [_said(message)]
    if not isinstance(message, ModelRequest):
        return None
    # An element has no index of its part: Pydantic AI may join two requests later, and that changes nothing of them.
    return [element for element in map(_asked, message.parts) if element is not None] or None


def rebuilt(message: Any, elements: list[Element]) -> Iterable[Any]:
    """The messages for elements that were changed or made. They copy from `message` what the elements do not have."""
    if isinstance(message, ModelResponse):
        return [replace(message, parts=_parts_said(message, element)) for element in elements]
    made: dict[bool, list[Any]] = {True: [], False: []}
    for element, at in zip(elements, _places(message, elements), strict=True):
        parts = made[element["role"] == "assistant"]
        if at is None:
            parts.append(_made(element))
            continue
        parts.append(_part_asked(message.parts[at], element))
        # A part without an element stays with the part before it.
        parts += message.parts[at + 1 : next(_known(message, at + 1), None)]
        if at == next(_known(message, 0)):
            parts[:0] = message.parts[:at]
    asked = [replace(message, parts=made[False]) if message else ModelRequest(parts=made[False])] if made[False] else []
    return [*([ModelResponse(parts=made[True])] if made[True] else []), *asked]


def _places(message: Any, elements: list[Element]) -> list[int | None]:
    """The index of the part that each element was written from; None for a new element.

    It looks from the end, because what a cut drops is older than what it shortens.
    """
    parts = () if message is None else message.parts
    left = {at: asked for at, part in enumerate(parts) if (asked := _asked(part)) is not None}
    found: list[int | None] = [None] * len(elements)
    for fits in (eq, _answers_the_same, _has_the_same_media):
        for place in (place for place in range(len(elements) - 1, -1, -1) if found[place] is None):
            at = next((at for at in reversed(left) if fits(left[at], elements[place])), None)
            if at is not None:
                found[place] = at
                del left[at]
    return found


def _answers_the_same(old: Element, new: Element) -> bool:
    return old.get("tool_call_id") == new.get("tool_call_id") and _has_the_same_media(old, new)


def _has_the_same_media(old: Element, new: Element) -> bool:
    return old["role"] == new["role"] and _media(new) <= _media(old)


def _media(element: Element) -> set[int]:
    content = element.get("content")
    return {block[_AT] for block in content if block["type"] == _OWN} if isinstance(content, list) else set()


def joined(messages: Sequence[Any]) -> Sequence[Any]:
    """The messages with all results of one response in one request, because media are written behind each request.

    Returns the same list if they already are.
    """
    out: list[Any] = []
    for message in messages:
        if out and isinstance(message, ModelRequest) and isinstance(out[-1], ModelRequest) and _answers(message):
            out[-1] = replace(message, parts=[*out[-1].parts, *message.parts])
        else:
            out.append(message)
    return messages if len(out) == len(messages) else out


def named(messages: Sequence[Any]) -> Sequence[Any]:
    """The messages with the names of the tools on results that a build made: it knows only the ids of their calls."""
    names: dict[str, str] = {}
    out: list[Any] = []
    for message in messages:
        if isinstance(message, ModelResponse):
            names |= {part.tool_call_id: part.tool_name for part in message.parts if isinstance(part, ToolCallPart)}
            out.append(message)
        elif isinstance(message, ModelRequest) and any(map(_is_made, message.parts)):
            parts = [
                replace(part, tool_name=names.get(part.tool_call_id, _UNKNOWN)) if _is_made(part) else part
                for part in message.parts
            ]
            out.append(replace(message, parts=parts))
        else:
            out.append(message)
    return out


def _is_made(part: Any) -> bool:
    return isinstance(part, ToolReturnPart) and part.tool_name == _UNKNOWN


def _answers(message: ModelRequest) -> bool:
    return any(getattr(part, "tool_call_id", None) and getattr(part, "tool_name", None) for part in message.parts)


def _known(message: ModelRequest, start: int) -> Iterator[int]:
    return (at for at in range(start, len(message.parts)) if _asked(message.parts[at]) is not None)


def _asked(part: Any) -> Element | None:
    if isinstance(part, SystemPromptPart):
        return {"role": "system", "content": part.content}
    if isinstance(part, UserPromptPart):
        if isinstance(part.content, str):
            return {"role": "user", "content": part.content}
        return {"role": "user", "content": [_block(at, item) for at, item in enumerate(part.content)]}
    if isinstance(part, ToolReturnPart):
        text = part.content if isinstance(part.content, str) else part.model_response_str()
        return {"role": "tool", "tool_call_id": part.tool_call_id, "content": text}
    if part.part_kind in ("retry-prompt", "retry-feedback"):  # version 3 removes retry-prompt
        if getattr(part, "tool_name", None) is None:
            return {"role": "user", "content": part.model_response()}
        return {"role": "tool", "tool_call_id": part.tool_call_id, "content": part.model_response()}
    return None


def _part_asked(part: Any, element: Element) -> Any:
    asked = _asked(part)
    if element == asked:
        return part
    content = element["content"]
    if isinstance(content, list):
        content = [block["text"] if block["type"] == "text" else part.content[block[_AT]] for block in content]
    elif asked is not None and content == asked["content"]:
        # An element has only the text of a result that is no text, or that has pictures.
        content = part.content
    elif files := getattr(part, "files", None):
        content = [content, *files]
    if "tool_call_id" in element:
        return replace(part, content=content, tool_call_id=element["tool_call_id"])
    return replace(part, content=content)


def _said(message: ModelResponse) -> Element:
    blocks: list[Element] = []
    calls: list[Element] = []
    for at, part in enumerate(message.parts):
        if isinstance(part, TextPart):
            blocks.append({"type": "text", "text": part.content, _AT: at})
        elif isinstance(part, ToolCallPart):
            function = {"name": part.tool_name, "arguments": part.args_as_json_str()}
            calls.append({"id": part.tool_call_id, "type": "function", "function": function})
        else:
            text = part.content if isinstance(part, ThinkingPart) else ""
            blocks.append({"type": _OWN, "text": text, _AT: at})
    element: Element = {"role": "assistant", "content": blocks or (None if calls else "")}
    return {**element, "tool_calls": calls} if calls else element


def _parts_said(message: ModelResponse, element: Element) -> list[Any]:
    content = element.get("content") or []
    texts = {block[_AT]: block["text"] for block in content if isinstance(block, dict)}
    calls = iter(element.get("tool_calls") or [])
    parts: list[Any] = []
    for at, part in enumerate(message.parts):
        if isinstance(part, ToolCallPart):
            if (call := next(calls, None)) is not None:
                parts.append(_call(part, call))
        elif at in texts:
            parts.append(replace(part, content=texts[at]) if isinstance(part, TextPart) else part)
    return parts


def _call(part: ToolCallPart, call: Element) -> ToolCallPart:
    text = call["function"]["arguments"]
    if text == part.args_as_json_str():
        return part if call["id"] == part.tool_call_id else replace(part, tool_call_id=call["id"])
    args = text if isinstance(part.args, str) else json.loads(text)
    return replace(part, args=args, tool_call_id=call["id"])


def _block(at: int, item: Any) -> Element:
    return {"type": "text", "text": item} if isinstance(item, str) else {"type": _OWN, _AT: at}


def _made(element: Element) -> Any:
    content = element.get("content") or ""
    if element["role"] == "tool":
        return ToolReturnPart(tool_name=_UNKNOWN, content=content, tool_call_id=element["tool_call_id"])
    if element["role"] == "assistant":
        return TextPart(content)
    return (SystemPromptPart if element["role"] == "system" else UserPromptPart)(content)
