"""Says where in a trace a message was read, so that errors and losses have the paths of the user's own record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias

__all__ = ["PLACES", "Origin", "Place", "Places", "Steps", "below", "merged", "moved", "origin_of", "placed", "told_by"]

Steps: TypeAlias = tuple[str | int, ...]
"""A path: keys and indices."""


class Place(NamedTuple):
    """From where a value is."""

    steps: Steps
    is_same: bool = True
    """Whether it is the record's own value, so that deeper paths go on in it."""


Places: TypeAlias = dict[Steps, Place]
"""The places of values by their paths in what was made of them. What has none is where the value around it is."""

Origin: TypeAlias = tuple[Steps, list[tuple[Steps, Steps, bool]]]
"""The path of a record in its document, and the places below it of what is in the row."""

PLACES: Final = "places"
"""The key of the places among the attributes of a record."""


def placed(places: Places, path: Steps) -> Place:
    """The place of a value: that of the smallest known value around it."""
    for size in range(len(path), -1, -1):
        if (place := places.get(path[:size])) is not None:
            return Place(place.steps + path[size:]) if place.is_same else place
    return Place((), False)


def told_by(places: Places, inner: Places) -> Places:
    """Places in a value that was made itself, as places in what it was made of. `places`: of the made value."""
    found: Places = {}
    for path, place in inner.items():
        outer = placed(places, place.steps)
        found[path] = Place(outer.steps, outer.is_same and place.is_same)
        if place.is_same and not outer.is_same:
            # It is elsewhere than the values in it.
            size = len(place.steps)
            inside = ((one[size:], held) for one, held in places.items() if one[:size] == place.steps)
            found |= {path + rest: held for rest, held in inside if rest and path + rest not in inner}
    return found


def below(steps: Steps, places: Places) -> Places:
    """Places below a path of the document."""
    return {path: Place(steps + place.steps, place.is_same) for path, place in places.items()}


def moved(places: Places, path: Steps, to: Steps) -> Places:
    """The places of a value that stands at another path in what is made."""
    size = len(path)
    found = {to + one[size:]: place for one, place in places.items() if one[:size] == path}
    return found if to in found else {to: placed(places, path), **found}


def merged(*given: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes of several records as one, with their places. The later ones count."""
    found: dict[str, Any] = {}
    for one in given:
        if PLACES in found:
            places = {path: place for path, place in found[PLACES].items() if path[0] not in one}
            one = {**one, PLACES: places | one.get(PLACES, {})}
        found |= one
    return found


def origin_of(at: Steps, places: Places) -> Origin:
    """Where a row is, from the path of its record and the places in the document. What is elsewhere widens it."""
    for place in places.values():
        at = _common(at, place.steps)
    size = len(at)
    return at, [(path, place.steps[size:], place.is_same) for path, place in places.items()]


def _common(one: Steps, other: Steps) -> Steps:
    pairs: Iterable[tuple[Any, Any]] = zip(one, other, strict=False)
    size = 0
    for mine, theirs in pairs:
        if mine != theirs:
            break
        size += 1
    return one[:size]
