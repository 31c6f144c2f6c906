"""Turns Pydantic AI's messages into Claude's and back: the requests between two responses become one user message."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from pydantic_ai import messages
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

__all__ = ["Run", "elements_of", "merged", "names_of", "rebuilt", "runs", "system_of"]

Run = tuple[Any, ...]
"""Messages that are sent as one."""

# The type of a block that only Pydantic AI can write.
_OWN: Final = "pydantic_ai"
# The text of a result that Pydantic AI made up.
_INTERRUPTED: Final = getattr(messages, "INTERRUPTED_TOOL_RETURN_CONTENT", "")
# Pydantic AI's name for reasoning without readable text.
_REDACTED: Final = "redacted_thinking"


def runs(given: Sequence[Any]) -> list[Run]:
    """The messages, grouped by those that are sent as one.

    Pydantic AI makes up a missing result only when a later response exists, and puts it into a request that was already
    sent without it. A ledger has made one up there before. So Pydantic AI's is dropped, unless its message has nothing
    else.
    """
    groups = groupby(enumerate(given), key=lambda pair: "asks" if isinstance(pair[1], ModelRequest) else str(pair[0]))
    return [tuple(_without_made_up(message) for _, message in group) for _, group in groups]


def _without_made_up(message: Any) -> Any:
    if not isinstance(message, ModelRequest):
        return message
    parts = [part for part in message.parts if not _is_made_up(part)]
    return message if len(parts) in (0, len(message.parts)) else replace(message, parts=parts)


def merged(several: Sequence[Run]) -> Run:
    """The messages of several runs that one element was written from."""
    return tuple(message for run in several for message in run)


def system_of(given: Sequence[Any]) -> list[Element]:
    """The system text at the head: the prompts at the start of the first request, and the newest instructions."""
    requests = [message for message in given if isinstance(message, ModelRequest)]
    texts = [part.content for part in _standing(requests[0])] if requests else []
    told = next((one.instructions for one in reversed(requests) if one.instructions), None)
    return [{"type": "text", "text": text} for text in [*texts, *([told] if told else [])] if text]


def _standing(request: Any) -> list[Any]:
    found = []
    for part in request.parts:
        if not isinstance(part, SystemPromptPart):
            break
        found.append(part)
    return found


def elements_of(run: Run) -> list[Element] | None:
    """The element of a run; None for an unknown class, and for a run without content."""
    if isinstance(run[0], ModelResponse):
        return [{"role": "assistant", "content": [block for part in run[0].parts for block in _said(part)]}]
    if not isinstance(run[0], ModelRequest):
        return None
    content = [block for _, blocks in _parts(run) for block in blocks]
    return [{"role": "user", "content": content}] if content else None


def names_of(given: Sequence[Any]) -> dict[str, str]:
    """The name of each call's tool, by the call's id."""
    parts = (part for message in given if isinstance(message, ModelResponse) for part in message.parts)
    return {part.tool_call_id: part.tool_name for part in parts if isinstance(part, ToolCallPart)}


def rebuilt(names: dict[str, str], run: Run | None, elements: list[Element]) -> list[Run]:
    """The runs for elements that were changed or made. Parts that did not change are the same objects.

    `names` has the tool's name for each call, because Pydantic AI's results have it, too.
    """
    said = next((message for message in run or () if isinstance(message, ModelResponse)), None)
    asked = tuple(message for message in run or () if isinstance(message, ModelRequest))
    left = _parts(asked)
    out: list[Run] = []
    for element in elements:
        content: Any = element["content"]
        blocks = [_text(content)] if isinstance(content, str) else [*content]
        if element["role"] == "assistant":
            out.append((_response(said, blocks),))
            continue
        parts = [*_found(left, blocks, names)]
        # Pydantic AI sends the instructions of the newest request.
        out.append((replace(asked[-1], parts=parts) if asked else ModelRequest(parts=parts),))
    return out


_Left = list[tuple[Any, list[Element]]]
"""Parts that no block was matched with yet, each with its blocks."""


def _parts(run: Run) -> _Left:
    """The parts of requests with their blocks. System prompts have no blocks, because they are sent at the head."""
    return [(part, [] if isinstance(part, SystemPromptPart) else _asked(part)) for one in run for part in one.parts]


def _is_made_up(part: Any) -> bool:
    return getattr(part, "outcome", None) == "interrupted" and part.content == _INTERRUPTED


def _text(text: str) -> Element:
    return {"type": "text", "text": text}


def _own(value: Any) -> Element:
    return {"type": _OWN, "is": hashlib.sha256(repr(value).encode()).hexdigest()[:16]}


def _asked(part: Any) -> list[Element]:
    if isinstance(part, UserPromptPart):
        content = [part.content] if isinstance(part.content, str) else part.content
        return [_text(item) if isinstance(item, str) else _own(item) for item in content]
    if isinstance(part, ToolReturnPart):
        said = part.content if isinstance(part.content, str) else part.model_response_str()
        return [{"type": "tool_result", "tool_use_id": part.tool_call_id, "content": said}]
    if part.part_kind in ("retry-prompt", "retry-feedback"):
        if getattr(part, "tool_name", None) is None:
            return [_text(part.model_response())]
        result = {"type": "tool_result", "tool_use_id": part.tool_call_id, "content": part.model_response()}
        return [{**result, "is_error": True}]
    return [_own(part)]


def _said(part: Any) -> Iterator[Element]:
    if isinstance(part, TextPart):
        yield _text(part.content)
    elif isinstance(part, ToolCallPart):
        yield {"type": "tool_use", "id": part.tool_call_id, "name": part.tool_name, "input": part.args_as_dict()}
    elif isinstance(part, ThinkingPart):
        if part.id == _REDACTED:
            yield {"type": _REDACTED, "data": part.signature}
        else:
            yield {"type": "thinking", "thinking": part.content, "signature": part.signature or ""}
    else:
        yield _own(part)


def _found(left: _Left, blocks: list[Element], names: dict[str, str]) -> Iterator[Any]:
    """The parts that the blocks were made from."""
    yield from (part for part, own in left if not own)
    left[:] = [pair for pair in left if pair[1]]
    while blocks:
        at = next((at for at, (_, own) in enumerate(left) if blocks[: len(own)] == own), None)
        if at is not None:
            part, own = left.pop(at)
            yield part
            del blocks[: len(own)]
            continue
        block = blocks.pop(0)
        ident = block.get("tool_use_id")
        cut = next((at for at, (_, own) in enumerate(left) if ident and own[0].get("tool_use_id") == ident), None)
        if cut is None:
            yield _made(block, names)
        else:
            yield replace(left.pop(cut)[0], content=block["content"])


def _made(block: Element, names: dict[str, str]) -> Any:
    if block["type"] == "tool_result":
        ident = block["tool_use_id"]
        return ToolReturnPart(names.get(ident, "unknown_tool"), block.get("content") or "", ident)
    return UserPromptPart(block["text"])


def _response(message: Any, blocks: list[Element]) -> Any:
    """A response with the parts that are left of it."""
    parts = []
    old = [] if message is None else [*message.parts]
    for block in blocks:
        part = next((one for one in old if block in _said(one)), None)
        if part is not None:
            old.remove(part)
        elif block["type"] == "tool_use":
            part = ToolCallPart(block["name"], block["input"], block["id"])
        else:
            part = TextPart(block.get("text", ""))
        parts.append(part)
    return ModelResponse(parts=parts) if message is None else replace(message, parts=parts)
