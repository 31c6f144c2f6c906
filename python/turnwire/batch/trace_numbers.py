"""Reads the messages of OpenInference: attributes with numbers and dots, or nested as they say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, TypeAlias

from .spelled import dumped, loads
from .trace_places import Place, Places, Steps, below

__all__ = ["nested", "spoken"]

_MEDIA: Final = ("image", "audio", "video")

_Entry: TypeAlias = tuple[str, Any, Steps]
"""A name, what it names, and where that is."""
_Part: TypeAlias = tuple[dict[str, Any], Places]
"""A part of a message, and the places of its values in what was given."""
_ROLES: Final = {"model": "assistant", "human": "user", "ai": "assistant"}
_ITSELF: Final[Places] = {(): Place(())}
_OF_RESULTS: Final = frozenset(("role", "content", "contents", "tool_call_id", "name"))
_OF_OTHERS: Final = frozenset(("role", "content", "contents", "tool_calls"))
"""Keys of a message that are read, of a result and of another one."""


def nested(value: Any, places: Places | None = None) -> Any:
    """A value in which keys with dots become objects in each other, and objects with numbers for keys become lists.

    `places` gets where its values were.
    """
    return _nested(value, (), (), places)


def _nested(value: Any, made: Steps, steps: Steps, places: Places | None) -> Any:
    if places is not None:
        places[made] = Place(steps)
    if isinstance(value, list):
        return [_nested(one, (*made, at), (*steps, at), places) for at, one in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    return _grouped([(name, held, (*steps, name)) for name, held in value.items()], made, places)


def _grouped(entries: list[_Entry], made: Steps, places: Places | None) -> Any:
    """The object, or the list, of entries by their first words."""
    groups: dict[str, list[_Entry]] = {}
    for name, held, steps in entries:
        word, _, rest = name.partition(".")
        if word in groups:
            groups[word].append((rest, held, steps))
        else:
            groups[word] = [(rest, held, steps)]
    is_list = bool(groups) and all(map(str.isdecimal, groups))
    found: dict[str, Any] = {}
    for word in sorted(groups, key=int) if is_list else groups:
        inner: list[_Entry] = []
        whole: Steps | None = None
        for rest, held, steps in groups[word]:
            if rest:
                inner.append((rest, held, steps))
            elif isinstance(held, Mapping):
                whole = steps
                inner += [(name, one, (*steps, name)) for name, one in held.items()]
            else:
                found[word] = _nested(held, (*made, len(found) if is_list else word), steps, places)
        if inner or whole is not None:
            # `input` may be a value, and `input.value` another one beside it.
            name = f"{word}." if word in found else word
            path = (*made, len(found) if is_list else name)
            if places is not None:
                # Values with dots have no object around them: the first of them says where they are.
                places[path] = Place(whole) if whole is not None else Place(inner[0][2], False)
            found[name] = _grouped(inner, path, places)
    return list(found.values()) if is_list else found


def spoken(message: Mapping[str, Any]) -> tuple[dict[str, Any], Places]:
    """A message in the form of OpenTelemetry, and the places of what it says. Keys that are not read stay."""
    role = message.get("role") or "assistant"
    is_result = role in ("tool", "function")
    parts = [_result(message)] if is_result else list(_parts(message))
    read = _OF_RESULTS if is_result else _OF_OTHERS
    rest = {key: one for key, one in message.items() if key not in read and one not in (None, "", [])}
    if (calls := message.get("tool_calls")) and not isinstance(calls, list):
        rest["tool_calls"] = calls
    places: Places = {(): Place((), False)}
    places |= {(key,): Place((key,)) for key in ("role", *rest) if key in message}
    for index, (_, inner) in enumerate(parts):
        places |= {("parts", index, *path): place for path, place in inner.items()}
    role = "tool" if is_result else _ROLES.get(role, role) if isinstance(role, str) else role
    return rest | {"role": role, "parts": [part for part, _ in parts]}, places


def _result(message: Mapping[str, Any]) -> _Part:
    said, at = message.get("content"), "content"
    if said is None:
        texts = (part.get("content") for part, _ in _contents(message))
        said, at = "".join(text for text in texts if isinstance(text, str)), "contents"
    ways = {"id": "tool_call_id", "name": "name"}
    part = {key: message[way] for key, way in ways.items() if message.get(way)}
    places: Places = {(): Place((at,), False)}
    places |= {(key,): Place((ways[key],)) for key in part}
    return {"type": "tool_call_response", **part, "response": said}, places


def _parts(message: Mapping[str, Any]) -> Iterator[_Part]:
    parts = list(_contents(message))
    yield from parts
    kinds = {part.get("type") for part, _ in parts}
    if "text" not in kinds and (content := message.get("content")):
        yield _text(content), {(): Place(("content",), False)}
    calls = message.get("tool_calls")
    if "tool_call" not in kinds and isinstance(calls, list):
        for index, one in enumerate(calls):
            if isinstance(one, dict):
                inner = one.get("tool_call", one)
                at = ("tool_calls", index, "tool_call") if "tool_call" in one else ("tool_calls", index)
                part, places = _call(inner) if isinstance(inner, dict) else (inner, _ITSELF)
                yield part, below(at, places)


def _contents(message: Mapping[str, Any]) -> Iterator[_Part]:
    contents = message.get("contents")
    for index, one in enumerate(contents) if isinstance(contents, list) else ():
        part = one.get("message_content") if isinstance(one, dict) else None
        if not isinstance(part, dict):
            continue
        kind, at = part.get("type"), ("contents", index, "message_content")
        whole: Places = {(): Place(at, False)}
        if kind == "tool_use":
            made, inner = _call(part)
            yield made, below(at, inner)
        elif kind in ("reasoning", "thinking"):
            yield {"type": "reasoning", "content": part.get("text") or ""}, whole
        elif kind in _MEDIA and isinstance(held := part.get(kind), dict):
            held = held.get(kind, held)
            yield {"type": "uri", "modality": kind, "uri": held.get("url") or ""}, whole
        elif isinstance(part.get("text"), str):
            yield _text(part["text"]), whole
        else:
            yield part, {(): Place(at)}


def _text(content: Any) -> dict[str, Any]:
    return {"type": "text", "content": content if isinstance(content, str) else dumped(content)}


def _call(call: Mapping[str, Any]) -> _Part:
    inner = call.get("function")
    function, around = (inner, ("function",)) if isinstance(inner, dict) else (call, ())
    key = next((key for key in ("arguments", "input") if function.get(key) is not None), None)
    args = function[key] if key else "{}"
    with suppress(ValueError, RecursionError):
        args = loads(args) if isinstance(args, str) else args
    found = {"type": "tool_call", "id": call.get("id"), "name": function.get("name") or "", "arguments": args}
    own = {"id": ("id",), "name": (*around, "name"), "arguments": (*around, key) if key else ()}
    places: Places = {(): Place((), False)}
    places |= {(one,): Place(way) for one, way in own.items() if way and (one != "id" or "id" in call)}
    return {key: one for key, one in found.items() if one is not None}, places
