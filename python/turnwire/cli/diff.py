"""`turnwire diff`: where each request first differs from the one before it, and what that costs."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator
from typing import Final, cast

from turnwire import diff as compared
from turnwire.batch import RowError
from turnwire.batch.documents import Row
from turnwire.batch.read import found_in
from turnwire.batch.tasks import look_task
from turnwire.errors import TurnwireError
from turnwire.types import SourceName

from . import inputs
from .exit_codes import UNREADABLE
from .reports import tell
from .screen import problem
from .tables import write_json

QUIET: Final = ("equal", "append", "rewound")
"""Ordinary differences of two requests: printed for a single pair, only counted for more."""


class Requests:
    """The requests of all inputs, each with its place, and the count of those that could not be read."""

    def __init__(self, paths: list[str], dialect: str, at: str | None, column: str | None) -> None:
        # Each path is searched by itself, so that a file that is named twice is compared with itself.
        self.files = [one for path in paths for one in inputs.find([path], column)]
        self.looked = look_task(dialect, at).rows
        self.unread = inputs.Unread()
        self.failed = 0

    @property
    def count(self) -> int:
        """The number of files and lines that could not be read."""
        return self.failed + self.unread.count

    def __iter__(self) -> Iterator[tuple[inputs.Input, int, bytes]]:
        for one in self.files:
            with self.unread.told(one):
                for row in one.rows(self.looked):
                    yield from ((one, row.line, body) for body in self._bodies(one, row))

    def _bodies(self, one: inputs.Input, row: Row) -> list[bytes]:
        try:
            return [found.payload for found in found_in(self.looked, row)]
        except TurnwireError as error:
            self.bad(one, row.line, error)
            return []

    def bad(self, one: inputs.Input, number: int, error: TurnwireError) -> None:
        """Reports a line that failed."""
        self.failed += 1
        text = error.args[0].removesuffix(f" - at `{error.path}`")
        tell(one.name)(RowError(number, error.code, error.path, text))


def diff(given: Namespace) -> int:
    """Compares each request with the one before it: two files with one request each, or a file with a line for each.

    The exit code is 1 if something that was already sent has changed, 2 if a request cannot be read.
    """
    requests = Requests(given.paths, given.source, given.at, given.column)
    source = cast("SourceName", given.source)
    counts: Counter[str] = Counter()
    before: tuple[str, bytes] | None = None
    plain = ""
    for one, number, body in requests:
        place = f"{one.name}:{number}"
        try:
            # The first request is compared with itself, so that it is reported if it cannot be read.
            found = compared(before[1] if before else body, body, source=source, model=given.model)
        except TurnwireError as error:
            requests.bad(one, number, error)
            # If this request only has another dialect than the one before, the next is compared with this one.
            before = (place, body) if error.code == "mixed_dialects" else before
            continue
        if before:
            counts["edits" if found else found.code] += 1
            said = f"{before[0]} → {place}\n{found}"
            if given.format == "json":
                write_json({"a": before[0], "b": place} | found.to_dict())
            elif found or found.code not in QUIET:
                print(said)
            else:
                plain = said
        before = (place, body)
    if not counts and not requests.count:
        problem(f"expected two requests or more, got {'one' if before else 'none'}")
        return UNREADABLE
    if given.format != "json":
        # A single result is printed even if it is an ordinary one.
        print(_summary(counts) if counts.total() > 1 else plain, end="\n" if counts.total() > 1 or plain else "")
    return UNREADABLE if requests.count else int(bool(counts["edits"]))


def _summary(counts: Counter[str]) -> str:
    others = ", ".join(f"{count:,} {code}" for code, count in counts.most_common() if code != "edits")
    edits = f"{counts['edits']:,} {'edit' if counts['edits'] == 1 else 'edits'} in {counts.total():,} pairs"
    return f"{edits}; {others}" if others else edits
