"""How many problems `turnwire check` found: the last line for people, and the table of `--statistics`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from .findings import Found
from .summary import counted
from .tables import table, write_json

__all__ = ["SEVERITIES", "Sums"]

SEVERITIES: Final = ("info", "warning", "error")


@dataclass(slots=True)
class _Count:
    """How often a problem was found."""

    times: int
    rows: int
    first: str
    last: tuple[str, int, str]
    """The row in which it was last found."""


class Sums:
    """The sums of all inputs."""

    def __init__(self) -> None:
        self.rows = self.files = 0
        self._counts: dict[tuple[str, str, str], _Count] = {}
        self._bad: set[tuple[str, int, str]] = set()
        """The rows with a warning or an error."""

    def see(self, one: Found, inside: str) -> None:
        """Counts a problem. `inside`: its row in a list of rows."""
        row = (one.file, one.row, inside)
        if one.severity != "info":
            self._bad.add(row)
        key = (one.severity, one.kind, one.code)
        if (count := self._counts.get(key)) is None:
            self._counts[key] = _Count(1, 1, f"{one.file}:{one.row} {one.path}", row)
        else:
            count.times += 1
            count.rows += count.last != row
            count.last = row

    def has(self, severity: str) -> bool:
        """Whether there is a problem of at least this severity."""
        least = SEVERITIES.index(severity)
        return any(SEVERITIES.index(one) >= least for one, *_ in self._counts)

    def _times(self, severity: str, mended: bool | None = None) -> int:
        """How many problems there are of a severity, and which `prepare` puts right or does not."""
        return sum(
            count.times
            for (one, kind, _), count in self._counts.items()
            if one == severity and mended in (None, kind not in ("refused", "warning"))
        )

    def say(self, *, lists_all: bool) -> None:
        """Prints the last line for people. `lists_all`: whether notes were listed, too."""
        where = f"{counted(self.rows, 'row')}, {counted(self.files, 'file')}"
        notes = self._times("info")
        more = f"; {counted(notes, 'note')}: --severity info" if notes and not lists_all else ""
        shown = [counted(times, name) for name in ("error", "warning") if (times := self._times(name))]
        if not shown:
            print(f"nothing is wrong in {where}{more}")
            return
        mended, left = self._times("error", True), self._times("error", False)
        told = [f"prepare puts {mended:,} right"] if mended else []
        told += [f"{left:,} {'needs' if left == 1 else 'need'} you"] if left else []
        does = f". {', '.join(told)}" if told else ""
        print(f"{', '.join(shown)} in {len(self._bad):,} of {where}{does}{more}")

    def show(self, least: str, *, as_json: bool) -> None:
        """Prints a line for each code, the most frequent first, from a severity on."""
        fields: list[dict[str, Any]] = [
            {"times": of.times, "rows": of.rows, "severity": severity, "kind": kind, "code": code, "first": of.first}
            for (severity, kind, code), of in sorted(self._counts.items(), key=lambda one: -one[1].times)
            if as_json or SEVERITIES.index(severity) >= SEVERITIES.index(least)
        ]
        if as_json:
            for one in fields:
                write_json(one)
        elif fields:
            table(fields[0], (one.values() for one in fields), right=("times", "rows"))
