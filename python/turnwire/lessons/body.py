"""Looks into the body of a request in any of the formats that servers speak: its messages, calls, tools and parts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = [
    "CLASSES",
    "calls",
    "choice",
    "classes",
    "content",
    "effort",
    "is_blank",
    "kind_of",
    "messages",
    "object_of",
    "results",
    "tools",
]

Element = Mapping[str, Any]

CLASSES: Final = {
    "audio": "audio",
    "image": "image",
    "image_url": "image",
    "input_image": "image",
    "audio_url": "audio",
    "input_audio": "audio",
    "video": "video",
    "video_url": "video",
    "input_video": "video",
    "document": "document",
    "file": "document",
    "file_url": "document",
    "input_file": "document",
}
"""The kind of media of each type of part."""
_CALLS: Final = ("function_call", "custom_tool_call", "tool_use")
_RESULTS: Final = ("function_call_output", "custom_tool_call_output", "tool_result")


def kind_of(element: Element) -> str:
    """The type of an element."""
    kind = element.get("type")
    return kind if isinstance(kind, str) else ""


def _elements(value: Any) -> list[Element]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list | tuple) else []


def messages(body: Element) -> list[Element]:
    """The elements of the body's list."""
    return _elements(body.get("messages") or body.get("input"))


def content(message: Element) -> list[Element]:
    """The parts of a message. A text is one part."""
    held = message.get("content")
    return [{"type": "text", "text": held}] if isinstance(held, str) else _elements(held)


def calls(message: Element) -> list[Element]:
    """The calls that a message has, or is."""
    inside = (one for one in (message, *content(message)) if kind_of(one) in _CALLS)
    return [*_elements(message.get("tool_calls")), *inside]


def object_of(call: Element) -> Any:
    """The value of a call's arguments; None if they are no JSON."""
    held = call.get("function")
    named = held if isinstance(held, Mapping) else call
    value = named.get("arguments", named.get("input"))
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def results(message: Element) -> Iterator[Any]:
    """The contents of the results that a message has, or is."""
    if message.get("role") == "tool":
        yield message.get("content")
    for one in (message, *content(message)):
        if kind_of(one) in _RESULTS:
            yield one.get("output", one.get("content"))


def tools(body: Element) -> list[Element]:
    """The definitions of tools."""
    return _elements(body.get("tools"))


def choice(body: Element) -> str | None:
    """The kind of the body's choice of tools: a word of the column, or None."""
    match body.get("tool_choice"):
        case "auto" | "none" | "required" as word:
            return str(word)
        case {"type": "auto" | "none" as word}:
            return str(word)
        case {"type": "any"}:
            return "required"
        case {}:
            return "named"
    return None


def effort(body: Element) -> str | None:
    """The word for how much the model shall think."""
    held = (body.get("reasoning_effort"), *(_within(body, key) for key in ("reasoning", "output_config")))
    return next((word for word in held if isinstance(word, str)), None)


def _within(body: Element, key: str) -> Any:
    held = body.get(key)
    return held.get("effort") if isinstance(held, Mapping) else None


def classes(body: Element) -> set[str]:
    """The kinds of media in the body."""
    found = set()
    for message in messages(body):
        lists = [content(message), *(_elements(held) for held in results(message))]
        found |= {CLASSES[kind_of(one)] for parts in lists for one in parts if kind_of(one) in CLASSES}
    return found


def is_blank(message: Element) -> bool:
    """Whether a message has no text and nothing else."""
    return not calls(message) and all(
        kind_of(one) in ("text", "input_text", "output_text") and not str(one.get("text") or "").strip()
        for one in content(message)
    )
