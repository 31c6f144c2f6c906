"""How a column narrows: a server's refusal may only take away from what its row allows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from turnwire._families import family
from turnwire._servers import Server

from .body import CLASSES
from .rows import Found

__all__ = ["narrowed"]

_ORDERS: Final[dict[str, tuple[tuple[Any, ...], ...]]] = {
    "system": (("anywhere",), ("first",), ("one", "top"), ("user",)),
    "developer": ((True,), (False,)),
    "alternates": ((False,), (True,)),
    "user_after_result": ((True,), (False,)),
    "needs_user": ((False,), (True,)),
    "one_text": (("none",), ("replies",), ("all_but_user",), ("all",)),
    "beside_calls": (("null", "empty", "absent"),),
    "blank_text": ((True,), (False,)),
    "results": (("each",), ("behind_call",)),
    "arguments": (("text",), ("json",), ("object",)),
    "tool_parameters": (("optional",), ("always",)),
    "strict": (("kept",), ("alike",), ("left_out",)),
    "schema": (("any",), ("openai", "moonshot", "draft7", "gemini")),
    "custom_tools": ((True,), (False,)),
    "reasoning": (
        ("kept", "signed", "encrypted", "text", "unsigned"),
        ("reasoning", "reasoning_content"),
        ("refused",),
    ),
    "reasoning_needed": ((False,), (True,)),
    "signatures": (("none",), ("google",)),
    "reasoning_ids": ((False,), (True,)),
    "items": (("free",), ("typed",)),
    "images_in_results": ((True,), (False,)),
    "unknown_keys": (("kept",), ("left_out",)),
    "beta_keys": ((True,), (False,)),
    "max_tokens": (("max_completion_tokens", "max_tokens"),),
    "effort_with_tools": (("any",), ("none",)),
    "format_with_tools": ((True,), (False,)),
}
"""The values of a column, the widest first. Those in one group are beside each other: none is wider."""
_NEVER: Final = frozenset(
    (
        "model",
        "messages",
        "input",
        "system",
        "instructions",
        "tools",
        "tool_choice",
        "stream",
        "response_format",
        "text",
    )
)
"""Keys that a request cannot go without, or whose loss changes what is asked."""
_NEWER: Final = "max_completion_tokens"
"""The limit of a reply's length, which older servers call `max_tokens`."""


def narrowed(row: Server, found: Found, request: Mapping[str, Any] | None) -> dict[str, Any]:
    """The columns that a text changes, the one that it is about last; empty if the row has nothing to learn from it."""
    of, values = found.row, row.row
    column, value = of.column, of.value
    if isinstance(value, Mapping):
        value = value.get(family(row.base))
    if column is None or (of.take is None and value is None):
        return {}
    if of.take == "keys":
        column, value = _refused(row, found, request)
    elif of.take == "number":
        value = f"up_to_{found.number}"
    elif of.take is not None:
        words = [CLASSES.get(one, one) for one in found.keys] if column == "media" else [*found.keys]
        now = values.get(column, ())
        taken = [one for one in now if (one in words) == (of.take == "words")] if isinstance(now, tuple) else []
        # An empty list says of `thinking` that the format has no such key, though the caller may write it.
        value = words if now == () and column == "thinking" else taken
    if column not in values or not _is_narrower(column, values[column], value):
        return {}
    # A key for reasoning that is needed has to be there, although the row had none.
    beside = (of.beside or {}).items()
    also = {name: one for name, one in beside if name == "reasoning" or _is_narrower(name, values[name], one)}
    return {name: one for name, one in also.items() if values[name] != one} | {column: value}


def _refused(row: Server, found: Found, request: Mapping[str, Any] | None) -> tuple[str, Any]:
    """The keys that are refused from now on. The limit of a reply's length has another name instead."""
    keys = [key for key in found.keys if request is None or request.get(key) is not None]
    if keys == [_NEWER] and "max_tokens" in row.row:
        return "max_tokens", "max_tokens"
    known = row.row["refuses"]
    new = [key for key in keys if key not in _NEVER]
    return "refuses", [*(known if isinstance(known, tuple) else ()), *new]


def _is_narrower(column: str, now: Any, new: Any) -> bool:
    """Whether a value is narrower than the one that the row has, or stands beside it."""
    if column == "ids":
        return _width(new) < _width(now)
    if column == "refuses":
        return bool({*new} - {*now})
    if isinstance(now, tuple):
        # A list that is empty leaves nothing to write.
        return bool(new or column == "media") and (not now or {*new} < {*now})
    order = {value: place for place, group in enumerate(_ORDERS[column]) for value in group}
    return now != new and order.get(new, -1) >= order.get(now, -1)


def _width(ids: Any) -> float:
    """The longest id that may be written. An exact length is narrower than any longest one."""
    kind, _, count = str(ids).rpartition("_")
    return float("inf") if not kind else int(count) - (1 << 20 if kind == "exactly" else 0)
