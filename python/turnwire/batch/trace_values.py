"""Reads the values of OTLP as plain JSON, and says where in them each is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from .trace_places import Place, Places, Steps

__all__ = ["held_in", "pairs", "places_in", "places_of", "plain"]

_PLAIN: Final = frozenset(("stringValue", "boolValue", "doubleValue", "bytesValue", "intValue"))
"""The kinds of OTLP values with nothing in them."""


def plain(value: Any) -> Any:
    """An OTLP value as plain JSON. An empty one is null. Other values do not change."""
    if not isinstance(value, dict) or len(value) != 1:
        return None if value == {} else value
    ((kind, held),) = value.items()
    inside = held.get("values") if isinstance(held, dict) else None
    match kind:
        case "arrayValue":
            return [plain(one) for one in inside] if isinstance(inside, list) else []
        case "kvlistValue":
            return {key: plain(one) for key, one in pairs(inside)}
        case "intValue":
            # Protobuf's JSON writes integers as text.
            return int(held) if isinstance(held, str) and held.removeprefix("-").isdecimal() else held
    return held if kind in _PLAIN else value


def places_of(value: Any, at: Steps, names: Iterable[str]) -> Places:
    """The places of attributes with these names."""
    if isinstance(value, dict):
        return {(name,): Place((*at, name)) for name in names}
    found: Places = {}
    wanted = set(names)
    for index, (name, held) in _numbered_pairs(value):
        if name in wanted:
            _add(held, (name,), (*at, index, "value"), found)
    return found


def places_in(value: Any, at: Steps) -> Places:
    """The places of an OTLP value at this path, and of the values in it."""
    found: Places = {}
    _add(value, (), at, found)
    return found


def _add(value: Any, made: Steps, at: Steps, found: Places) -> None:
    """Adds the places of an OTLP value and of the values in it. `made`: its path as plain JSON."""
    kind, held = next(iter(value.items())) if isinstance(value, dict) and len(value) == 1 else ("", None)
    inside = held.get("values") if isinstance(held, dict) else None
    if kind in ("arrayValue", "kvlistValue") and isinstance(inside, list):
        at = (*at, kind, "values")
        found[made] = Place(at, False)
        for index, one in enumerate(inside):
            if kind == "arrayValue":
                _add(one, (*made, index), (*at, index), found)
            elif isinstance(one, dict) and isinstance(one.get("key"), str):
                _add(one.get("value"), (*made, one["key"]), (*at, index, "value"), found)
        return
    found[made] = Place((*at, kind) if kind in _PLAIN else at)


def held_in(value: Any) -> dict[str, Any]:
    """A list of keys with values as a map."""
    try:
        # Nearly all lists are sound.
        held = {one["key"]: one.get("value") for one in value}
    except (AttributeError, KeyError, TypeError):
        return dict(pairs(value))
    return held if set(map(type, held)) <= {str} else dict(pairs(value))


def pairs(value: Any) -> Iterator[tuple[str, Any]]:
    """The names and values of a list of attributes, without what is none."""
    return (pair for _, pair in _numbered_pairs(value))


def _numbered_pairs(value: Any) -> Iterator[tuple[int, tuple[str, Any]]]:
    for index, one in enumerate(value) if isinstance(value, list) else ():
        if isinstance(one, dict) and isinstance(one.get("key"), str):
            yield index, (one["key"], one.get("value"))
