"""Finds the inputs of a command: files, globs, folders and stdin."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from turnwire._core import _Rows
from turnwire.batch.blocks import Block
from turnwire.batch.compressed import PACKED
from turnwire.batch.documents import Document, Row
from turnwire.batch.read import AUTO, found_in
from turnwire.batch.tasks import look_task
from turnwire.errors import TurnwireError

from .screen import note, note_terminal, problem, said

STDIN: Final = "-"
SUFFIXES: Final = (".jsonl", ".ndjson", ".json", ".parquet")


UNKNOWN: Final = "an unknown format"
PEEKED: Final = 20
"""The number of rows that are read to detect dialects."""


class Input(Document):
    """One input: a file, a column or stdin."""

    def __init__(
        self, name: str, path: Path | None = None, column: str | None = None, inside: Path | None = None
    ) -> None:
        """`inside`: the path inside the folder that the user gave, or the name if it was not a folder."""
        super().__init__(name, path, column)
        self.inside = inside or Path("stdin.jsonl")
        self._noted = self._is_other = False

    @property
    def has_nothing(self) -> bool:
        """Whether no row was found in it, once it has been read: it is no JSON, or traces without a conversation."""
        return self._is_other or (self.traces is not None and self._noted and not self.traces.count)

    def blocks(self, rows: _Rows, read: Callable[[int], object] = bool) -> Iterator[Block]:
        """Its rows in blocks. Afterwards it is noted once how they were found."""
        for block in super().blocks(rows, read):
            self._is_other |= block.fault is not None
            yield block
        if self._noted:
            return
        self._noted = True
        for told in self.told:
            note(f"{self.name}: {told}")
        if (traces := self.traces) is None:
            return
        said = f"{traces.count:,} {'conversation' if traces.count == 1 else 'conversations'}"
        if traces.unanswered:
            whose = f", {traces.unanswered:,} of them" if traces.count > 1 else ""
            said += f"{whose} without an answer"
        left = f"; left out: {traces.left_out}" if str(traces.left_out) else ""
        note(f"{self.name}: {said}{left}")
        if not traces.count:
            unread = traces.unread()
            if unread:
                note(f"{self.name}: these attributes may hold messages, and are not read: {', '.join(unread)}")

    def dialects(self, at: str | None = None) -> list[str]:
        """The dialects of the first rows, in order. Rows whose dialect cannot be detected are skipped."""
        rows = look_task("auto", at).rows
        head = self.head(rows, PEEKED)
        found = list(dict.fromkeys(name for row in head for name in _dialects_in(rows, row)))
        if found or self.traces is None:
            return found or ([UNKNOWN] if head else [])
        # Older traces hold messages in a provider's own form.
        return ["otel"] if head else []


_OF_A_FILE: Final = ("damaged_file", "missing_key")
"""Codes of errors that concern only one file: it is damaged, or has no such column."""


class Unread:
    """The inputs that could not be read to the end. They are named, and do not stop the others."""

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def told(self, one: Input) -> Iterator[None]:
        """Reports errors of this input. Other errors, such as a full disk, are raised."""
        try:
            yield
        except TurnwireError as error:
            if error.code not in _OF_A_FILE:
                raise
            problem(str(error))
            self.count += 1
        except ImportError as missing:
            problem(f"{one.name}: {missing}")
            self.count += 1
        except OSError as error:
            if error.filename is None or one.path is None or Path(error.filename) != one.path:
                raise
            problem(said(error))
            self.count += 1


def find(paths: Iterable[str], column: str | None = None) -> list[Input]:
    """The inputs for paths, globs, folders and `-`. Each file comes once, the files of a folder in order of name."""
    found: dict[str, Input] = {}
    for given in paths:
        if given == STDIN:
            note_terminal()
            found.setdefault(given, Input("<stdin>"))
            continue
        path = Path(given)
        if not given:
            raise FileNotFoundError("expected the name of a file, got an empty one")
        if path.is_dir():
            inside = sorted(one for one in path.rglob("*") if one.is_file() and _is_known(one))
        elif path.exists():
            inside = [path]
        else:
            inside = sorted(one for one in _matching(given) if one.is_file())
        if not inside:
            why = f"no file in it ends in {', '.join(SUFFIXES)}" if path.is_dir() else "no such file"
            raise FileNotFoundError(f"{given}: {why}")
        for one in inside:
            place = one.relative_to(path) if path.is_dir() else Path(one.name)
            found.setdefault(os.path.realpath(one), Input(str(one), one, column, place))
    return list(found.values())


def _matching(pattern: str) -> Iterator[Path]:
    path = Path(pattern)
    try:
        yield from Path(path.anchor).glob(str(path.relative_to(path.anchor)))
    except ValueError:
        return


def _is_known(path: Path) -> bool:
    plain = path.with_suffix("") if path.suffix in PACKED else path
    return plain.suffix in SUFFIXES


def _dialects_in(rows: _Rows, row: Row) -> list[str]:
    """The dialects of the conversations in a row, if they can be detected, or the layout that cannot read it."""
    try:
        return [found.kind for found in found_in(rows, row) if found.kind != AUTO]
    except TurnwireError as error:
        return [error.dialect] if error.dialect else []
