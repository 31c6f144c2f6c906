"""How often each change was made: the table that a command which rewrites prints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from turnwire.batch.counts import Count

from .tables import table

__all__ = ["fields", "show"]


def fields(name: str, counts: Iterable[Count]) -> list[dict[str, Any]]:
    """An object for each count of an input."""
    return [one._asdict() | {"example": _place(name, one)} for one in counts]


def _place(name: str, one: Count) -> str:
    line, _, path = one.example.partition(":")
    return f"{name}:{line} {path}"


def show(inputs: Iterable[tuple[str, tuple[Count, ...]]], aside: bool) -> None:
    """Prints the sums of all inputs, unless there are none: on stderr with `aside`, because stdout has the rows."""
    sums: dict[tuple[str, str], list[Any]] = {}
    for name, counts in inputs:
        for one in counts:
            known = sums.setdefault((one.kind, one.code), [0, 0, 0, _place(name, one)])
            known[:3] = known[0] + one.times, known[1] + one.rows, known[2] + one.bytes_freed
    if not sums:
        return
    frees = any(freed for _, _, freed, _ in sums.values())
    names = ("times", "rows", "kind", "code", *(("bytes freed",) if frees else ()), "first")
    rows = (
        (times, rows, kind, code, *((freed or "",) if frees else ()), first)
        for (kind, code), (times, rows, freed, first) in sorted(sums.items(), key=lambda one: -one[1][0])
    )
    table(names, rows, right=("times", "rows", "bytes freed"), aside=aside)
