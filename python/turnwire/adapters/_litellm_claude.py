"""Turns LiteLLM's messages into Claude's and back: everything between two replies becomes one user message."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from turnwire._adapt import to_plain

from ._places import Element

__all__ = ["Run", "elements_of", "merged", "rebuilt", "runs", "system_of", "tool_of"]

Run = tuple[Any, ...]
"""Messages that are sent as one."""

# The type of a block that only LiteLLM can write.
_OWN: Final = "litellm"


def runs(messages: Sequence[Any]) -> list[Run]:
    """The messages, grouped by those that are sent as one."""
    groups = groupby(enumerate(messages), key=lambda pair: "users" if _role(pair[1]) in _USERS else str(pair[0]))
    return [tuple(message for _, message in group) for _, group in groups]


_USERS: Final = ("user", "tool")


def _role(message: Any) -> Any:
    return message.get("role") if isinstance(message, Mapping) else getattr(message, "role", None)


def merged(several: Sequence[Run]) -> Run:
    """The messages of several runs that one element was written from."""
    return tuple(message for run in several for message in run)


def system_of(messages: Sequence[Any]) -> list[Element]:
    """The system text. LiteLLM moves it to the head from anywhere in the list."""
    return [part for message in messages if _role(message) == "system" for part in _parts(_plain(message)["content"])]


def tool_of(function: Mapping[str, Any]) -> Element:
    """A function's definition in Claude's format."""
    told = {"description": function["description"]} if function.get("description") else {}
    return {"name": function["name"], **told, "input_schema": function.get("parameters") or {}}


def elements_of(run: Run) -> list[Element] | None:
    """The element of a run; an empty list for system text, and None for an unknown class."""
    if any(not isinstance(_plain(message), Mapping) for message in run):
        return None
    first = _plain(run[0])
    if first.get("role") == "system":
        return []
    if first.get("role") == "assistant":
        return [{"role": "assistant", "content": [*_said(first)]}]
    return [{"role": "user", "content": [block for message in run for block in _told(_plain(message))]}]


def _plain(message: Any) -> Any:
    return message if isinstance(message, Mapping) else to_plain(message)


def _parts(content: Any) -> list[Element]:
    if not isinstance(content, list):
        return [{"type": "text", "text": content}] if content else []
    return [_part(part) for part in content]


def _part(part: Any) -> Element:
    is_text = isinstance(part, Mapping) and part.get("type") == "text" and isinstance(part.get("text"), str)
    return {"type": "text", "text": part["text"]} if is_text else {"type": _OWN, "part": part}


def _told(message: Any) -> list[Element]:
    if message.get("role") != "tool":
        return _parts(message.get("content"))
    content = message.get("content")
    if content is not None and not isinstance(content, str | list):
        content = json.dumps(content, ensure_ascii=False, default=str)
    said = _parts(content) if isinstance(content, list) else content or ""
    return [{"type": "tool_result", "tool_use_id": message.get("tool_call_id") or "", "content": said}]


def _said(message: Any) -> Iterator[Element]:
    yield from (dict(block) for block in message.get("thinking_blocks") or ())
    yield from _parts(message.get("content"))
    yield from (_call(call) for call in message.get("tool_calls") or ())


def _call(call: Any) -> Element:
    function = call["function"]
    try:
        args = json.loads(function.get("arguments") or "{}")
    except ValueError:
        args = function["arguments"]
    return {"type": "tool_use", "id": call.get("id") or "", "name": function.get("name") or "", "input": args}


def rebuilt(run: Run | None, elements: list[Element]) -> list[Run]:
    """The runs for elements that were changed or made. Messages that did not change are the same objects."""
    left = [(message, _told(_plain(message))) for message in run or () if _role(message) != "assistant"]
    said: Any = next((_plain(message) for message in run or () if _role(message) == "assistant"), {})
    return [(*_again(said, left, element),) for element in elements]


_Left = list[tuple[Any, list[Element]]]
"""Messages that no block was matched with yet, each with its blocks."""


def _again(said: Any, left: _Left, element: Element) -> Iterator[Any]:
    content: Any = element["content"]
    blocks = _parts(content) if isinstance(content, str) else [*content]
    if element["role"] == "assistant":
        yield _reply(said, blocks)
        return
    while blocks:
        at = next((at for at, (_, own) in enumerate(left) if own and blocks[: len(own)] == own), None)
        if at is not None:
            message, own = left.pop(at)
            yield message
            del blocks[: len(own)]
            continue
        block = blocks.pop(0)
        if block["type"] != "tool_result":
            yield {"role": "user", "content": _content([block])}
            continue
        ident = block["tool_use_id"]
        cut = next((at for at, (one, _) in enumerate(left) if _plain(one).get("tool_call_id") == ident), None)
        old = {} if cut is None else _plain(left.pop(cut)[0])
        yield {**old, "role": "tool", "tool_call_id": ident, "content": _content(block.get("content") or "")}


def _content(content: Any) -> Any:
    if isinstance(content, str):
        return content
    return [part["part"] if part["type"] == _OWN else part for part in content]


def _reply(message: Any, blocks: list[Element]) -> Element:
    """A reply with the blocks that are left of it."""
    thoughts = [block for block in blocks if block["type"] in ("thinking", "redacted_thinking")]
    calls = [block for block in blocks if block["type"] == "tool_use"]
    words = [block for block in blocks if block not in thoughts and block not in calls]
    kept = {key: value for key, value in message.items() if key not in ("thinking_blocks", "tool_calls", "content")}
    same = words == _parts(message.get("content"))
    made: Element = {
        **kept,
        "role": "assistant",
        "content": message.get("content") if same else _content(words) or None,
    }
    if thoughts:
        made["thinking_blocks"] = thoughts
    if calls:
        known = {call.get("id"): call for call in message.get("tool_calls") or ()}
        made["tool_calls"] = [_call_again(known.get(block["id"]), block) for block in calls]
    return made


def _call_again(call: Any, block: Element) -> Any:
    if call is not None and _call(call) == block:
        return call
    function = {"name": block["name"], "arguments": json.dumps(block["input"], ensure_ascii=False)}
    return {"id": block["id"], "type": "function", "function": function}
