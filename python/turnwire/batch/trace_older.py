"""Reads messages as older instrumentations record them: in attributes with numbers, or each in an event of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from .spelled import loads
from .trace_names import INPUT, OUTPUT, TOOLS
from .trace_places import PLACES, Place, Places, Steps

__all__ = ["MESSAGE_EVENTS", "NUMBERED", "Event", "from_events", "from_numbers", "message_event"]

_NUMBERED: Final = {
    "gen_ai.prompt.": (INPUT, "user"),
    "gen_ai.completion.": (OUTPUT, "assistant"),
    "llm.request.functions.": (TOOLS, ""),
}
"""The beginnings of numbered attributes, as in `gen_ai.prompt.0.role`; what they hold, and the role by default."""
NUMBERED: Final = tuple(_NUMBERED)
"""The beginnings of attributes that hold a piece of a numbered message or tool."""
_PLACE: Final = re.compile(r"(\d{1,9})\.(.+)")
_CALL: Final = re.compile(r"tool_calls\.(\d{1,9})\.(.+)")

MESSAGE_EVENTS: Final = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    "gen_ai.choice": "assistant",
}
"""The events of the semantic conventions up to 1.36, each with the role of its message."""
_CHOICE: Final = "gen_ai.choice"
_CONTENT: Final = "gen_ai.event.content"


class Event(NamedTuple):
    """A message of a span, in the form of Chat Completions."""

    span: str
    """The id of its span, or of its trace if it names no span; empty if it names neither."""
    is_answer: bool
    message: dict[str, Any]
    places: Places
    """Where in its record the message is, and later where in the document."""

    @property
    def says(self) -> bool:
        """Whether the message was recorded with what it says."""
        return self.message["content"] is not None or bool(self.message.get("tool_calls"))


def from_numbers(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Numbered messages and tools as lists, under the names of today, and their places."""
    found: dict[str, dict[int, dict[str, Any]]] = {}
    roles: dict[str, str] = {}
    names: dict[tuple[str, int], str] = {}
    for name, value in attributes.items():
        for begins, (holds, role) in _NUMBERED.items():
            if name.startswith(begins) and (place := _PLACE.fullmatch(name, len(begins))):
                found.setdefault(holds, {}).setdefault(int(place[1]), {})[place[2]] = value
                names.setdefault((holds, int(place[1])), name)
                roles[holds] = role
    made: dict[str, Any] = {}
    places: Places = {}
    for holds, numbered in found.items():
        made[holds] = []
        for index, (number, pieces) in enumerate(sorted(numbered.items())):
            first = names[holds, number]
            begins = first[: -len(next(iter(pieces)))]
            one, inner = _message(pieces, roles[holds]) if roles[holds] else (_tool(pieces), _own(pieces))
            made[holds].append(one)
            # Values with dots have no object around them: the first of them says where they are.
            places[holds, index] = Place((first,), False)
            places |= {
                (holds, index, *path): Place((f"{begins}{key}",), not isinstance(path[-1], int))
                for path, key in inner.items()
            }
    return made | {PLACES: places} if made else {}


def _own(pieces: Mapping[str, Any]) -> dict[Steps, str]:
    return {(key,): key for key in pieces}


def _message(pieces: Mapping[str, Any], role: str) -> tuple[dict[str, Any], dict[Steps, str]]:
    """A message in the form of Chat Completions, and the names of its pieces."""
    calls: dict[int, dict[str, Any]] = {}
    names: dict[Steps, str] = {(key,): key for key in ("role", "content", "tool_call_id") if key in pieces}
    for name, value in pieces.items():
        if place := _CALL.fullmatch(name):
            calls.setdefault(int(place[1]), {})[place[2]] = value
    message: dict[str, Any] = {"role": pieces.get("role") or role, "content": _content(pieces.get("content"))}
    if calls:
        message["tool_calls"] = [_call(one) for _, one in sorted(calls.items())]
    for index, number in enumerate(sorted(calls)):
        begins = f"tool_calls.{number}."
        names["tool_calls", index] = begins + next(iter(calls[number]))
        for key in calls[number].keys() & {"id", "name", "arguments"}:
            way = (key,) if key == "id" else ("function", key)
            names["tool_calls", index, *way] = begins + key
    if "tool_call_id" in pieces:
        message["tool_call_id"] = pieces["tool_call_id"]
    return message, names


def _call(pieces: Mapping[str, Any]) -> dict[str, Any]:
    function = {"name": pieces.get("name"), "arguments": pieces.get("arguments", "{}")}
    return {"id": pieces.get("id"), "type": "function", "function": function}


def _tool(pieces: Mapping[str, Any]) -> dict[str, Any]:
    tool = {"type": "function", **pieces}
    if isinstance(parameters := pieces.get("parameters"), str):
        with suppress(ValueError, RecursionError):
            tool["parameters"] = loads(parameters)
    return tool


def _content(value: Any) -> Any:
    """Content; a list of parts may be JSON text."""
    if isinstance(value, str) and value.startswith("[{"):
        with suppress(ValueError, RecursionError):
            parts = loads(value)
            if all(isinstance(part, dict) and isinstance(part.get("type"), str) for part in parts):
                return parts
    return value


def message_event(name: str, span: str, body: Any) -> Event:
    """The message of an event with this name. `body`: its body, or the attributes of an event that has none."""
    at: Steps = ()
    said = body
    for key in (_CONTENT, "message"):
        if isinstance(said, dict) and key in said:
            said, at = said[key], (*at, key)
        said = _parsed(said)
    places: Places = {(): Place(at, isinstance(said, dict))}
    if not isinstance(said, dict):
        places[("content",)] = Place(at)
        said = {"content": said}
    role = MESSAGE_EVENTS[name]
    message = {"role": role, "content": None, **{key: said[key] for key in _KEYS & said.keys()}}
    message["content"] = _content(message["content"])
    if role == "tool" and "id" in message:
        message["tool_call_id"] = message.pop("id")
        places[("tool_call_id",)] = Place((*at, "id"))
    if "role" not in said:
        places[("role",)] = Place(at, False)
    return Event(span, name == _CHOICE, message, places)


def _parsed(value: Any) -> Any:
    """A value that may be the JSON text of an object."""
    if isinstance(value, str) and value.startswith("{"):
        with suppress(ValueError, RecursionError):
            return loads(value)
    return value


_KEYS: Final = frozenset(("role", "content", "tool_calls", "tool_call_id", "id", "name"))
"""The keys of a message in an event's body or attributes."""


def from_events(events: Iterable[Event]) -> dict[str, Any]:
    """The messages of one span, under the names of today, and their places."""
    given: dict[str, Any] = {}
    places: Places = {}
    for event in events:
        if event.says:
            listed = given.setdefault(OUTPUT if event.is_answer else INPUT, [])
            path = (OUTPUT if event.is_answer else INPUT, len(listed))
            places |= {path + way: place for way, place in event.places.items()}
            listed.append(event.message)
    return given | {PLACES: places} if given else {}
