"""What a refused request has to have so that a text is believed: the guards of `lessons.toml`, by their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from . import body as of
from .body import Element

__all__ = ["GUARDS", "Told", "holds"]


@dataclass(frozen=True)
class Told:
    """What the text of a server names.

    Attributes:
        keys: The keys.
        at: The index of a message.
        value: The value that the column is to have.
    """

    keys: tuple[str, ...]
    at: int | None
    value: Any


_Guard = Callable[[Element, Told], bool]


def holds(name: str, body: Element, told: Told) -> bool:
    """Whether the guard with this name holds for a body."""
    return GUARDS[name](body, told)


def _roles(body: Element) -> list[str]:
    return [str(message.get("role")) for message in of.messages(body)]


def _spoken(body: Element) -> list[str]:
    """The roles without system text, which stands between sides and has none."""
    return [role for role in _roles(body) if role not in ("system", "developer")]


def _system_at(body: Element) -> list[int]:
    return [at for at, role in enumerate(_roles(body)) if role in ("system", "developer")]


def _replies(body: Element) -> list[Element]:
    return [message for message in of.messages(body) if message.get("role") == "assistant"]


def _calls(body: Element) -> list[Element]:
    return [call for message in of.messages(body) for call in of.calls(message)]


def _ids(body: Element) -> list[str]:
    return [str(call.get("call_id", call.get("id", ""))) for call in _calls(body)]


def _has_list(body: Element, roles: tuple[str, ...]) -> bool:
    return any(isinstance(one.get("content"), list) and one.get("role") in roles for one in of.messages(body))


def _list_named(body: Element, told: Told) -> bool:
    every = of.messages(body)
    named = every if told.at is None else every[told.at : told.at + 1]
    return any(isinstance(message.get("content"), list) for message in named)


def _silent(body: Element) -> list[Element]:
    return [one for one in _replies(body) if one.get("tool_calls") and one.get("content") is None]


def _functions(body: Element) -> list[Element]:
    return [held for tool in of.tools(body) if isinstance(held := tool.get("function"), Mapping)]


def _type_of(tool: Element) -> Any:
    held = tool.get("parameters")
    return held.get("type") if isinstance(held, Mapping) else None


def _items(body: Element, kind: str) -> list[Element]:
    """Items and parts of one type."""
    every = of.messages(body)
    return [
        one for one in (*every, *(part for message in every for part in of.content(message))) if of.kind_of(one) == kind
    ]


def _signature(call: Element) -> Any:
    extra = call.get("extra_content")
    google = extra.get("google") if isinstance(extra, Mapping) else None
    return google.get("thought_signature") if isinstance(google, Mapping) else None


def _type(body: Element, key: str) -> Any:
    held = body.get(key)
    return held.get("type") if isinstance(held, Mapping) else None


def _keys(value: Any, depth: int = 0) -> Iterator[str]:
    """The keys of a value and of everything in it, except in schemas and arguments, which are the caller's."""
    if isinstance(value, Mapping):
        for key, held in value.items():
            yield str(key)
            if key not in ("parameters", "input_schema", "arguments", "input") and depth < 9:
                yield from _keys(held, depth + 1)
    elif isinstance(value, list | tuple) and depth < 9:
        for one in value:
            yield from _keys(one, depth + 1)


def _forced(body: Element) -> bool:
    return of.choice(body) in ("required", "named")


def _effort_left(body: Element, told: Told) -> bool:
    word = of.effort(body)
    return word is not None and word not in told.value


GUARDS: Final[dict[str, _Guard]] = {
    "developer": lambda body, _: "developer" in _roles(body),
    "system_in_list": lambda body, _: bool(_system_at(body)),
    "system_inside": lambda body, _: _system_at(body) not in ([], [0]),
    "systems": lambda body, _: len(_system_at(body)) > 1,
    "neighbours": lambda body, _: any(one == other != "tool" for one, other in pairwise(_spoken(body))),
    "replies_at_end": lambda body, _: _roles(body)[-2:] == ["assistant", "assistant"],
    "user_after_result": lambda body, _: ("tool", "user") in pairwise(_roles(body)),
    "no_user": lambda body, _: "user" not in _roles(body),
    "list_of_replies": lambda body, _: _has_list(body, ("assistant", "tool")),
    "list_but_user": lambda body, _: _has_list(body, ("system", "developer", "assistant", "tool")),
    "list_named": _list_named,
    "list_anywhere": lambda body, _: any(isinstance(one.get("content"), list) for one in of.messages(body)),
    "list_of_results": lambda body, _: _has_list(body, ("tool",)),
    "silent_calls": lambda body, _: bool(_silent(body)),
    "null_calls": lambda body, _: any("content" in one for one in _silent(body)),
    "blank": lambda body, _: any(
        not str(part.get("text") or "").strip()
        for message in of.messages(body)
        for part in of.content(message)
        if of.kind_of(part) == "text"
    ),
    "empty_message": lambda body, _: any(of.is_blank(one) for one in of.messages(body) if one.get("role")),
    "nothing_said": lambda body, _: any(map(of.is_blank, _replies(body))),
    "other_ids": lambda body, _: any(not re.fullmatch("[a-zA-Z0-9]{9}", one) for one in _ids(body)),
    "longer_ids": lambda body, told: any(len(one) > int(str(told.value).rpartition("_")[2]) for one in _ids(body)),
    "two_calls": lambda body, _: any(len(of.calls(message)) > 1 for message in of.messages(body)),
    "arguments_no_object": lambda body, _: any(not isinstance(of.object_of(one), dict) for one in _calls(body)),
    "arguments_no_json": lambda body, _: any(of.object_of(one) is None for one in _calls(body)),
    "no_parameters": lambda body, _: any(not one.get("parameters") for one in _functions(body)),
    "no_type": lambda body, _: any(_type_of(one) != "object" for one in _functions(body)),
    "strict_differs": lambda body, _: len({bool(one.get("strict")) for one in _functions(body)}) > 1,
    "strict_on": lambda body, _: any(one.get("strict") for one in _functions(body)),
    "strict_there": lambda body, _: any("strict" in one for one in _functions(body)),
    "tools": lambda body, _: bool(of.tools(body)),
    "custom": lambda body, _: any(
        one.get("type", "function") != "function" for one in (*of.tools(body), *_calls(body))
    ),
    "choice_forced": lambda body, _: _forced(body),
    "choice_there": lambda body, _: of.choice(body) is not None,
    "choice_named": lambda body, _: of.choice(body) == "named",
    "forced_while_thinking": lambda body, _: _forced(body) and _type(body, "thinking") == "enabled",
    "no_reasoning": lambda body, _: any(not one.get("reasoning_content") for one in _replies(body)),
    "no_thinking": lambda body, _: any(
        all(part.get("type") != "thinking" for part in of.content(one)) for one in _replies(body)
    ),
    "encrypted": lambda body, _: any(one.get("encrypted_content") for one in _items(body, "reasoning")),
    "reasoning_without_content": lambda body, _: any(not one.get("content") for one in _items(body, "reasoning")),
    "reasoning_with_content": lambda body, _: any(one.get("content") for one in _items(body, "reasoning")),
    "redacted": lambda body, _: bool(_items(body, "redacted_thinking")),
    "signed": lambda body, _: any(one.get("signature") for one in _items(body, "thinking")),
    "unsigned_call": lambda body, _: any(not _signature(one) for one in _calls(body)),
    "untyped": lambda body, _: any("type" not in one for one in of.messages(body)),
    "output_text": lambda body, _: any(
        _items({"messages": [one]}, "output_text") and not (one.get("id") and one.get("status"))
        for one in _replies(body)
    ),
    "image_in_result": lambda body, _: any(
        of.kind_of(part) in ("image", "image_url", "input_image")
        for message in of.messages(body)
        for held in of.results(message)
        for part in of.content({"content": held})
    ),
    "part": lambda body, told: not of.classes(body) <= {*told.value},
    "key_in_body": lambda body, told: any(body.get(key) is not None for key in told.keys),
    "key_in_message": lambda body, told: any(key in told.keys for key in _keys(of.messages(body))),
    "key_anywhere": lambda body, told: any(key in told.keys for key in _keys(body)),
    "effort_and_thinking": lambda body, _: "thinking" in body and "reasoning_effort" in body,
    "options_without_stream": lambda body, _: "stream_options" in body and not body.get("stream"),
    "effort": _effort_left,
    "effort_and_tools": lambda body, _: bool(of.tools(body)) and of.effort(body) not in (None, "none"),
    "mode": lambda body, told: _type(body, "thinking") not in (None, *told.value),
    "format": lambda body, told: _type(body, "response_format") not in (None, *told.value),
    "format_and_tools": lambda body, _: bool(of.tools(body)) and _type(body, "response_format") not in (None, "text"),
}
"""Whether what a text says is so in the body that it was said of."""
