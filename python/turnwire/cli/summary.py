"""What a run that rewrites tells at its end: how often each change was made, and how many rows were written."""

from __future__ import annotations

import sys
from argparse import Namespace

from turnwire.batch import Count, Report

from .changes import fields, show
from .screen import Bar
from .sizes import written
from .tables import printable, write_json

__all__ = ["Summary", "counted"]


def counted(number: int, one: str) -> str:
    """A number with its noun: `1 row`, `1,204 rows`."""
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"


class Summary:
    """The sums of all inputs."""

    def __init__(self, given: Namespace) -> None:
        self._given = given
        self._counts: list[tuple[str, tuple[Count, ...]]] = []
        self._left: dict[str, int] = {}
        self.rows = self.failed = self.bytes_in = self.bytes_out = 0
        self.seconds = 0.0

    def add(self, name: str, report: Report) -> None:
        """Adds an input."""
        self._counts.append((name, report.changes))
        self.rows += report.rows
        self.failed += report.failed
        self.bytes_in += report.bytes_in
        self.bytes_out += report.bytes_out
        self.seconds += report.seconds
        for key, count in report.left_keys.items():
            self._left[key] = self._left.get(key, 0) + count

    def show(self) -> None:
        """Prints it. A run without `--out` and without failures only tells its changes."""
        if self._given.format == "json":
            self._write()
            return
        aside = self._given.out is None
        show(self._counts, aside)
        if self._counts and (self.failed or not aside) and (file := sys.stderr if aside else sys.stdout) is not None:
            Bar.erase()
            print(self._line(), file=file)

    def _line(self) -> str:
        """The last line for people."""
        given, out = self._given, ""
        if given.out is not None:
            files = counted(len(self._counts), "file")
            sizes = written(self.bytes_in, self.bytes_out)
            out = f" in {printable(given.out)} ({files}, {sizes}, {self.seconds:.1f} s)"
        where = f": {printable(given.errors)}" if given.errors is not None else ""
        failed = f"; {self.failed:,} failed{where}" if self.failed else ""
        return f"{self.rows - self.failed:,} of {counted(self.rows, 'row')}{out}{failed}"

    def _write(self) -> None:
        """Prints a line of JSON for each change of each file, and a last one with the sums."""
        for name, counts in self._counts:
            for one in fields(name, counts):
                write_json({"file": name} | one)
        sums = {"rows": self.rows, "failed": self.failed, "files": len(self._counts)}
        sizes = {"bytes_in": self.bytes_in, "bytes_out": self.bytes_out, "seconds": self.seconds}
        write_json(sums | sizes | {"left_keys": self._left})
