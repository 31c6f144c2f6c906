"""Counts the changes of each row by code, for `repair` and `prepare`, and lists those of a repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from turnwire._core import Rendered
from turnwire.batch.tasks import check_task

from . import check, inputs
from .tables import table

__all__ = ["Changes", "listed", "repaired"]


class Changes:
    """How often each change was made, in how many rows, and for a budget the bytes that it freed."""

    def __init__(self, budget: bool) -> None:
        self._times: Counter[str] = Counter()
        self._rows: Counter[str] = Counter()
        self._freed: Counter[str] | None = Counter() if budget else None

    def add(self, row: Iterable[tuple[str, int]]) -> None:
        """Counts the changes of a row: the code of each, and the bytes that it freed."""
        codes = set()
        for code, freed in row:
            self._times[code] += 1
            codes.add(code)
            if self._freed is not None:
                self._freed[code] += freed
        self._rows.update(codes)

    def see(self, made: list[Rendered[bytes]]) -> None:
        """Counts the changes of a row's payloads."""
        self.add((change.code, change.before - change.after) for one in made for change in one.receipt)

    def fields(self) -> list[dict[str, Any]]:
        """A row of the table for each code, the most frequent first."""
        rows: list[dict[str, Any]] = []
        for code, times in self._times.most_common():
            freed = {} if self._freed is None else {"bytes_freed": max(self._freed[code], 0)}
            rows.append({"change": code, "times": times, "rows": self._rows[code], **freed})
        return rows

    def show(self, aside: bool = False) -> None:
        """Prints the table, unless it is empty: on stderr with `aside`, because stdout has the rows."""
        if rows := self.fields():
            names = [name.replace("_", " ") for name in rows[0]]
            table(names, (row.values() for row in rows), right=names[1:], aside=aside)


def repaired(one: inputs.Input, dialect: str, at: str | None, tool_results: bool, row: bool | None) -> Changes | None:
    """What `repair` changes in all rows of an input, which is what a check of it finds.

    Rows that fail were reported before. None for an input that cannot be read twice.
    """
    if not one.is_read_twice:
        return None
    counted = Changes(budget=False)
    task = check_task(dialect, tool_results, None, at, row, own=True)
    for each in one.rows(task.rows):
        if each.fault is None:
            said, *_ = task.rows.block(each.data, each.alone, each.line, False)
            found = check.found_in(one.name, said)
            counted.add((finding.code, 0) for finding in found if check.is_repaired(finding.code, finding.would))
    return counted


def listed(one: inputs.Input, dialect: str, at: str | None, tool_results: bool, row: bool | None) -> None:
    """Prints each change of a repair with its place."""
    if not one.is_read_twice:
        return
    rows = [
        (f"{one.name}:{found.line}", found.code, found.path, found.would)
        for found in check.repairs(one, dialect, at, tool_results, row)
    ]
    if rows:
        table(("line", "change", "path", "what was done"), rows)
