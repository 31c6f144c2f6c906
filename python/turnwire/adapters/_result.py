"""Cuts the result of one tool to a budget, and keeps JSON valid."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from turnwire._core import (
    AssistantToolUse,
    Conversation,
    ToolUseResult,
    ToolUseResultBlock,
    Turn,
    split_budget,
    truncate,
    utf8_len,
)

from ._policy import Policy

__all__ = ["compact", "fitted", "shortened"]

# A text keeps at least so many bytes while something else can be cut, as in the builder.
_LEAST: Final = 64


def fitted(
    policy: Policy, tool: str, texts: Sequence[str], value: Any = None, *, call_id: str = "result"
) -> tuple[list[str], Any] | None:
    """The texts and the JSON value of one result, together within the budget; None if they need no change.

    The builder divides the budget, asks `on_cut` for its marker and writes the receipt. It cuts a value as text;
    `shortened` then makes a JSON value of the same size, which has no such marker.
    """
    blocks: list[ToolUseResultBlock] = [ToolUseResultBlock.Text(text) for text in texts if text]
    if value is not None:
        blocks.append(ToolUseResultBlock.Json(value))
    if not blocks:
        return None
    arguments = "{}"
    call = Turn("assistant", [AssistantToolUse(call_id, tool, arguments)])
    built = policy.built(
        Conversation([call, ToolUseResult(call_id, blocks)]),
        extra=0 if policy.budget.unit == "tokens" else len(arguments),
    )
    if built is None or not built.receipt:
        return None
    result = built[1].parts[0]
    assert isinstance(result, ToolUseResult)
    content: Sequence[ToolUseResultBlock] = result.content
    if len(content) < len(blocks):
        # Nothing but a marker is left. The first text has it.
        empty = [ToolUseResultBlock.Text("")] * (len(blocks) - len(content))
        content = [*content, *empty]
    left = iter(content)
    said = [next(left).text if text else text for text in texts]  # type: ignore[attr-defined]
    if value is None:
        return said, None
    share = next(left)
    return said, shortened(value, utf8_len(share.text)) if isinstance(share, ToolUseResultBlock.Text) else value


def shortened(value: Any, max_bytes: int) -> Any:
    """A JSON value with the same keys whose compact text is at most `max_bytes` long.

    Long strings are cut, all to the same length. If that would leave less than `_LEAST` bytes of each, lists first lose
    their last elements. A value whose keys and numbers alone are longer comes back as short as possible.
    """
    if _size(value) <= max_bytes:
        return value
    left = _mapped(value, lambda text: text)
    while True:
        written = [_size(text) for text in _strings(left)]
        room = max_bytes - _size(left) + sum(written)
        shares = split_budget(written, max(room, 0), split="fair")
        lists = [*_lists(left)]
        enough = room >= 0 and all(map(lambda share, size: share >= min(size, _LEAST), shares, written))
        if enough or not lists:
            break
        # One round cuts all the long ones, so that it halves the longest.
        most = max(map(len, lists))
        for one in lists:
            if 2 * len(one) > most:
                del one[len(one) // 2 :]
    share = iter(shares)
    return _mapped(left, lambda text: _cut(text, next(share)))


def compact(value: Any) -> str:
    """A JSON value as the compact text that the budget counts."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _size(value: Any) -> int:
    return utf8_len(compact(value))


def _cut(text: str, share: int) -> str:
    """The text cut so that its JSON string, with quotes and escapes, has at most `share` bytes; else the empty text."""
    room = share - len('""')
    while room > 0 and _size(short := truncate(text, room)) > share:
        room -= max(_size(short) - share, 1)
    return truncate(text, max(room, 0))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)


def _lists(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list) and value:
        yield value
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _lists(item)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    """The same value in new containers, with each string changed, in the order of `_strings`."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _mapped(item, change) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_mapped(item, change) for item in value]
    return value
