"""How often each change was made in the rows of a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from turnwire._core import Change, _html

__all__ = ["Count", "Counted", "counts_of", "joined", "tallied"]

Counted: TypeAlias = Mapping[str, Sequence[Any]]
"""By kind and code with a space between: times, rows, bytes freed, and the first place."""


class Count(NamedTuple):
    """How often a change was made."""

    kind: str
    """What happened: see `Change.kind`."""
    code: str
    """What it was about: see `Change.code`."""
    times: int
    """How often it was made."""
    rows: int
    """In how many rows."""
    bytes_freed: int
    """The UTF-8 bytes that it freed."""
    example: str
    """The first place, its line and path: `12:$.messages[3].name`."""

    def _repr_html_(self) -> str:
        return _html(self, self._fields)


# Users import it from there, so pickles survive a move of this file.
Count.__module__ = "turnwire.batch"


def counts_of(counted: Counted) -> tuple[Count, ...]:
    """One for each kind and code, the most frequent first."""
    named = ((*name.split(" "), *count) for name, count in counted.items())
    return tuple(sorted(map(Count._make, named), key=lambda one: -one.times))


def joined(one: Counted, other: Counted) -> Counted:
    """The sums of two. The first place is that of the first one."""
    if not one:
        return other
    both = dict(one)
    for name, (times, rows, freed, example) in other.items():
        before = both.get(name)
        both[name] = (
            (times, rows, freed, example)
            if before is None
            else (before[0] + times, before[1] + rows, before[2] + freed, before[3])
        )
    return both


def tallied(line: int, changes: Iterable[Change]) -> Counted:
    """The counts of one row. `line`: where it begins."""
    found: dict[str, tuple[int, int, int, str]] = {}
    for change in changes:
        name = f"{change.kind} {change.code}"
        times, _, freed, example = found.get(name, (0, 0, 0, f"{line}:{change.path}"))
        freed += max((change.bytes_before or 0) - (change.bytes_after or 0), 0)
        found[name] = (times + 1, 1, freed, example)
    return found
