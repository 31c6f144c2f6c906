"""What was changed in each row, and how often: the entries of `--changes`, and the table of counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, NamedTuple

from turnwire._core import Rendered, _edit_kinds

from .tables import table

__all__ = ["Change", "Count", "Counts", "kind_of", "of_losses", "of_rendered"]

_FREES: Final = ("cut", "dropped")
"""The kinds that free bytes."""


class Change(NamedTuple):
    """One thing that was done to a row, or that was only noticed (kind `warning`)."""

    kind: str
    code: str
    severity: str
    path: str
    reason: str
    id: str | None = None
    new_id: str | None = None
    bytes_before: int | None = None
    bytes_after: int | None = None

    @property
    def freed(self) -> int:
        """The bytes that it freed."""
        return max((self.bytes_before or 0) - (self.bytes_after or 0), 0)


@cache
def _kinds() -> Mapping[str, list[str]]:
    return _edit_kinds()


def kind_of(code: str, lost: bool | None = None) -> str:
    """What happened to the content, by a code. `lost`: whether it is gone, if that is known."""
    kinds = _kinds().get(code, ["warning"])
    if lost is None:
        return kinds[0]
    return next((kind for kind in kinds if (kind == "lost") == lost), kinds[0])


def of_losses(losses: Iterable[tuple[str, str, str, str]]) -> list[Change]:
    """The changes in the path, code, reason and kind of each loss of a row."""
    return [Change(kind_of(code, kind == "lost"), code, "info", path, text) for path, code, text, kind in losses]


def of_rendered(made: Rendered[bytes], around: str) -> list[Change]:
    """The changes of a payload. `around`: its path in the row."""

    def path(inside: str) -> str:
        return around + inside.removeprefix("$")

    found = []
    for one in made.receipt:
        kind = kind_of(one.code, False)
        sizes = (one.before, one.after) if kind in _FREES else (None, None)
        found.append(Change(kind, one.code, one.severity, path(one.path), one.text, one.id, one.new_id, *sizes))
    found += of_losses((path(one.path), one.code, one.reason, one.kind) for one in made.losses)
    for code, text in made.receipt._warned:
        at, colon, reason = text.partition(": ")
        is_placed = bool(colon) and at.startswith("$")
        found.append(Change("warning", code, "warning", path(at if is_placed else "$"), reason if is_placed else text))
    return found


@dataclass(slots=True)
class Count:
    """How often a change was made."""

    times: int
    rows: int
    freed: int
    first: str
    """The place of the first one."""


class Counts(dict[tuple[str, str], Count]):
    """How often each kind of each code was made, in how many rows, and where first."""

    def see(self, place: str, row: list[Change]) -> None:
        """Counts the changes of a row."""
        seen = set()
        for one in row:
            key = (one.kind, one.code)
            if (count := self.get(key)) is None:
                count = self[key] = Count(0, 0, 0, f"{place} {one.path}")
            count.times += 1
            count.freed += one.freed
            count.rows += key not in seen
            seen.add(key)

    def add(self, others: Counts) -> None:
        """Adds those of another input."""
        for key, other in others.items():
            if (count := self.get(key)) is None:
                self[key] = Count(other.times, other.rows, other.freed, other.first)
            else:
                count.times += other.times
                count.rows += other.rows
                count.freed += other.freed

    def fields(self) -> list[dict[str, Any]]:
        """An object for each, the most frequent first."""
        most = sorted(self.items(), key=lambda one: -one[1].times)
        return [
            {
                "kind": kind,
                "code": code,
                "times": of.times,
                "rows": of.rows,
                "bytes_freed": of.freed,
                "example": of.first,
            }
            for (kind, code), of in most
        ]

    def show(self, aside: bool) -> None:
        """Prints the table, unless it is empty: on stderr with `aside`, because stdout has the rows."""
        if not self:
            return
        frees = any(of.freed for of in self.values())
        names = ("times", "rows", "kind", "code", *(("bytes freed",) if frees else ()), "first")
        rows = (
            (
                *(one["times"], one["rows"], one["kind"], one["code"]),
                *((one["bytes_freed"] or "",) if frees else ()),
                one["example"],
            )
            for one in self.fields()
        )
        table(names, rows, right=("times", "rows", "bytes freed"), aside=aside)
