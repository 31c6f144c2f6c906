"""Converts blocks that a switch of provider left in Chat Completions messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from turnwire import convert, detect
from turnwire._adapt import to_plain
from turnwire._core import Change
from turnwire._families import family
from turnwire.errors import TurnwireError
from turnwire.types import DialectName

__all__ = ["domestic"]

Json = dict[str, Any]

# Blocks that Chat Completions has, and those of compatible servers.
_OWN: Final = {"text", "image_url", "input_audio", "file", "refusal", "video_url", "audio_url"}
_BEHIND: Final = "behind"
_PART: Final = {"type": "text", "text": _BEHIND}


def domestic(messages: Sequence[Any], as_text: bool) -> tuple[Sequence[Any], list[Change]]:
    """Messages with blocks of Chat Completions only, and what those cannot express, as losses.

    Returns the same list if no block is foreign. A block that only repeats a call from its message's `tool_calls` is
    dropped without a loss. A block that belongs to no known provider stays, and the parser refuses it. With `as_text`,
    another provider's reasoning becomes text.
    """
    # Each step sends the whole list again, and most lists have texts only.
    if all(map(_is_text, messages)):
        return messages, []
    out: list[Any] = []
    losses: list[Change] = []
    foreign = False
    for at, given in enumerate(messages):
        if _is_text(given):
            out.append(given)
            continue
        message: Any = given if isinstance(given, Mapping) else to_plain(given)
        content = message.get("content") if isinstance(message, Mapping) else None
        found = [_source(message, block) for block in content] if isinstance(content, list) else []
        if not any(found):
            out.append(given)
            continue
        foreign = True
        out += _translated({**message}, at, found, losses, "text" if as_text else "valid")
    return (out if foreign else messages), losses


def _is_text(message: Any) -> bool:
    """Whether a message has no blocks. It does not dump the message, because each step has hundreds of them."""
    # This compares the exact class, because a check for Mapping takes longer than everything else here.
    content = message.get("content") if type(message) is dict else getattr(message, "content", message)
    return content is None or isinstance(content, str)


def _source(message: Any, block: Any) -> DialectName | None:
    """The dialect of a foreign block."""
    if not isinstance(block, Mapping) or not isinstance(kind := block.get("type"), str) or kind in _OWN:
        return None
    role = "assistant" if message.get("role") == "assistant" else "user"
    try:
        dialect: Any = detect([{"role": role, "content": [block]}])
    except TurnwireError:
        return None
    return None if family(dialect) == "openai" else dialect


def _translated(
    message: Json,
    at: int,
    found: list[DialectName | None],
    losses: list[Change],
    reasoning: Literal["valid", "keep", "drop", "text"],
) -> list[Json]:
    """The messages that one message becomes: each tool result gets a message of its own, in its place."""
    is_assistant = message.get("role") == "assistant"
    calls = [*(message.get("tool_calls") or ())]
    known = {call.get("id") for call in calls if isinstance(call, Mapping)}
    content: list[Any] = []
    results: list[Json] = []
    for place, (block, source) in enumerate(zip(message["content"], found, strict=True)):
        if source is None:
            content.append(block)
            continue
        # A text follows the block, because the provider refuses a message without other content.
        behind = {"text": _BEHIND} if source == "bedrock" else {"type": "text", "text": _BEHIND}
        alone = [{"role": "assistant" if is_assistant else "user", "content": [block, behind]}]
        ready = convert(alone, "openai", source=source, reasoning=reasoning)
        front = ("messages", at, "content", place)
        losses += [change._moved(front, 3) for change in ready.receipt if change.code not in ("joined", "order")]
        for made in ready.payload["messages"]:
            said = made.get("content")
            parts = [part for part in _parts(said) if part != _PART]
            if made["role"] == "tool" and message.get("role") != "tool":
                if content:
                    # The pair stage then reports that something stood between a call and its result.
                    results.append({**message, "content": content})
                    content = []
                results.append(made)
            else:
                content += parts
            calls += [call for call in made.get("tool_calls") or () if call["id"] not in known]
    if is_assistant:
        made = {**message, "content": content or None}
        made |= {"tool_calls": calls} if calls else {}
        return [made] if content or calls or len(made) > 2 else []
    if not content and (results or message.get("role") != "tool"):
        return results
    return [*results, {**message, "content": content or ""}]


def _parts(content: Any) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content or []
