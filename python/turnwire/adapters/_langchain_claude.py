"""Turns LangChain's messages into Claude's and back: everything between two replies becomes one user message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from ._places import Element

__all__ = ["Run", "elements_of", "merged", "rebuilt", "runs"]

Run = tuple[BaseMessage, ...]
"""Messages that are sent as one."""

# The type of a block that only LangChain's own converters can read.
_OWN: Final = "langchain"
_MARK: Final = "cache_control"
# The keys of Claude's reasoning blocks. A streamed block has more.
_THOUGHTS: Final = {"thinking": ("thinking", "signature"), "redacted_thinking": ("data",)}


def runs(messages: Sequence[BaseMessage]) -> list[Run]:
    """The messages, grouped by those that are sent as one."""
    numbered = [*enumerate(messages)]
    is_users = [isinstance(message, HumanMessage | ToolMessage) for message in messages]
    groups = groupby(numbered, key=lambda pair: "users" if is_users[pair[0]] else str(pair[0]))
    return [tuple(message for _, message in group) for _, group in groups]


def merged(several: Sequence[Run]) -> Run:
    """The messages of several runs that one element was written from."""
    return tuple(message for run in several for message in run)


def elements_of(run: Run) -> list[Element] | None:
    """The element of a run; None for an unknown class."""
    first = run[0]
    if isinstance(first, AIMessage):
        return [{"role": "assistant", "content": [*_said(first)]}]
    if isinstance(first, SystemMessage):
        return [{"role": "system", "content": _told(first)}]
    if not isinstance(first, HumanMessage | ToolMessage):
        return None
    return [{"role": "user", "content": [block for message in run for block in _told(message)]}]


def rebuilt(run: Run | None, elements: list[Element]) -> list[Run]:
    """The runs for elements that were changed or made. Messages that did not change are the same objects."""
    left = [(message, _told(message)) for message in run or () if not isinstance(message, AIMessage)]
    said = next((message for message in run or () if isinstance(message, AIMessage)), None)
    return [(*_again(said, left, element),) for element in elements]


def _parts(content: Any) -> list[Element]:
    return [_part(block) for block in (content if isinstance(content, list) else [content])]


def _part(block: Any) -> Element:
    """A block as Claude's. LangChain converts a block that is neither plain text nor Claude's own."""
    if isinstance(block, str):
        return {"type": "text", "text": block}
    if block.get("type") == "text" and isinstance(block.get("text"), str):
        return _marked({"type": "text", "text": block["text"]}, block)
    return dict(block) if "source" in block else {"type": _OWN, "block": block}


def _marked(block: Element, of: Element) -> Element:
    """A block with the cache mark of another block."""
    return {**block, _MARK: of[_MARK]} if of.get(_MARK) else block


def _bare(block: Element) -> Element:
    """A block without its cache mark."""
    return {key: value for key, value in block.items() if key != _MARK} if _MARK in block else block


def _told(message: BaseMessage) -> list[Element]:
    if not isinstance(message, ToolMessage):
        return _parts(message.content)
    content: Any = message.content
    mark: Element = {}
    if isinstance(content, list):
        parts = _parts(content)
        # LangChain sends a mark inside a result as a mark on the result.
        mark = next((part for part in reversed(parts) if _MARK in part), mark)
        content = [*map(_bare, parts)]
    failed = {"is_error": True} if message.status == "error" else {}
    result = {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": content, **failed}
    return [_marked(result, mark)]


def _said(message: AIMessage) -> Iterator[Element]:
    calls = {call["id"]: call for call in message.tool_calls}
    content: Any = message.content
    for block in content if isinstance(content, list) else [content] if content else []:
        kind = block.get("type") if isinstance(block, dict) else None
        if kind in _THOUGHTS:
            yield {"type": kind, **{key: block[key] for key in _THOUGHTS[kind] if key in block}}
        elif kind == "tool_use" and (call := calls.pop(block.get("id"), None)):
            yield _call(call)
        elif kind != "tool_use":
            yield _part(block)
    for call in calls.values():
        yield _call(call)
    for broken in message.invalid_tool_calls:
        yield _call({**broken, "args": broken["args"] or ""})


def _call(call: Any) -> Element:
    return {"type": "tool_use", "id": call["id"] or "", "name": call["name"] or "", "input": call["args"]}


_Left = list[tuple[BaseMessage, list[Element]]]
"""Messages that no block was matched with yet, each with its blocks."""


def _again(said: AIMessage | None, left: _Left, element: Element) -> Iterator[BaseMessage]:
    content: Any = element["content"]
    blocks = _parts(content) if isinstance(content, str) else [*content]
    if element["role"] == "assistant":
        yield _reply(said, blocks)
        return
    if element["role"] == "system" and not left:
        yield SystemMessage(blocks)
        return
    while blocks:
        found = _whole(left, blocks) or _rest(left, blocks) or (_made(blocks[0]), 1)
        yield found[0]
        del blocks[: found[1]]


def _whole(left: _Left, blocks: list[Element]) -> tuple[BaseMessage, int] | None:
    """The message whose blocks all come next, and how many these are; a copy if a cache mark was added or removed."""
    for at, (message, own) in enumerate(left):
        new = blocks[: len(own)]
        if own and new == own:
            del left[at]
            return message, len(own)
        if own and [*map(_bare, new)] == [*map(_bare, own)]:
            del left[at]
            content = _result(message, new[0]) if isinstance(message, ToolMessage) else _blocks(message, new)
            return message.model_copy(update={"content": content}), len(own)
    return None


def _rest(left: _Left, blocks: list[Element]) -> tuple[BaseMessage, int] | None:
    """A copy of the message that the next blocks are left of, or whose result was cut; and how many blocks it takes."""
    first = blocks[0]
    for at, (message, own) in enumerate(left):
        if isinstance(message, ToolMessage) and first.get("tool_use_id") == message.tool_call_id:
            del left[at]
            status = "error" if first.get("is_error") else message.status
            return message.model_copy(update={"content": _result(message, first), "status": status}), 1
        bare = [*map(_bare, own)]
        if _bare(first) in bare and not isinstance(message, ToolMessage):
            del left[at]
            count = next((count for count, block in enumerate(blocks) if _bare(block) not in bare), len(blocks))
            return message.model_copy(update={"content": _blocks(message, blocks[:count])}), count
    return None


def _blocks(message: BaseMessage, new: list[Element]) -> list[Any]:
    return [_block(message.content, block) for block in new]


def _block(old: Any, block: Element) -> Any:
    """A block in the message's own form, with its current cache mark."""
    had = old if isinstance(old, list) else [old]
    for one in had:
        part = _part(one)
        if part == block:
            return one
        if _bare(part) == _bare(block):
            return _marked(_bare({"type": "text", "text": one} if isinstance(one, str) else one), block)
    return block


def _result(message: ToolMessage, block: Element) -> Any:
    """A result's content. A result with a mark stays a block, because a ToolMessage has no key for a mark."""
    content = _content(block)
    if _MARK not in block:
        return content
    failed = bool(block.get("is_error")) or message.status == "error"
    whole = {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": content, "is_error": failed}
    return [_marked(whole, block)]


def _content(block: Element) -> Any:
    content = block.get("content") or ""
    if isinstance(content, list):
        return [part["block"] if part["type"] == _OWN else part for part in content]
    return content


def _made(block: Element) -> BaseMessage:
    if block["type"] == "tool_result":
        status: Any = "error" if block.get("is_error") else "success"
        made = ToolMessage(_content(block), tool_call_id=block["tool_use_id"], status=status)
        return made.model_copy(update={"content": _result(made, block)})
    return HumanMessage([block["block"] if block["type"] == _OWN else block])


def _reply(message: AIMessage | None, blocks: list[Element]) -> AIMessage:
    calls = [
        {"type": "tool_call", "id": block["id"], "name": block["name"], "args": block["input"]}
        for block in blocks
        if block["type"] == "tool_use"
    ]
    old: Any = [] if message is None else message.content
    thoughts = {sign: block for block in old if isinstance(block, dict) and (sign := _sign(block))}
    signs = ((_sign(block), block) for block in blocks)
    content: list[Any] = [thoughts[sign] if sign in thoughts else _block(old, block) for sign, block in signs]
    update: dict[str, Any] = {"content": content or "", "tool_calls": calls, "invalid_tool_calls": []}
    return AIMessage(**update) if message is None else message.model_copy(update=update)


def _sign(block: Element) -> str | None:
    return block.get("signature") or block.get("data") if block.get("type") in _THOUGHTS else None
