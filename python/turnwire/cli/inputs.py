"""Reads the input of a command: files, globs, folders and stdin; JSON Lines, single documents, columns of Parquet."""

from __future__ import annotations

import base64
import itertools
import json
import math
import os
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import date, time
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from turnwire._core import _Rows
from turnwire.batch.blocks import blocks
from turnwire.batch.compressed import PACKED, Stream, unpacked
from turnwire.batch.tasks import check_task
from turnwire.batch.traces import Traces, are_traces
from turnwire.errors import TurnwireError

from .screen import note, problem, said

STDIN: Final = "-"
SUFFIXES: Final = (".jsonl", ".ndjson", ".json", ".parquet")
COLUMNS: Final = ("messages", "conversations", "conversation", "payload", "body", "request")
"""Columns of Parquet that may have conversations. Without `--column`, the first that exists is used."""


BLANK: Final = b" \t\r\n\f"
"""The characters of a blank line."""
PEEKED: Final = 20
"""The number of rows that are read to detect dialects."""


@dataclass(frozen=True)
class Input:
    """One input: a file, a column or stdin."""

    name: str
    """The name that the user gave."""
    path: Path | None = None
    """None for stdin."""
    column: str | None = None
    """The column of a Parquet file to read."""
    inside: Path = Path("stdin.jsonl")
    """The path inside the folder that the user gave, or the name if it was not a folder."""
    once: list[Iterator[bytes]] = field(default_factory=list)
    """The unread rest of stdin or of a pipe, which can be read only once."""
    looked: list[Traces | None] = field(default_factory=list)
    """Its traces, or None if it has none; empty until that was checked."""

    @property
    def is_parquet(self) -> bool:
        """Whether its rows are in a column."""
        return self.path is not None and self.path.suffix == ".parquet"

    @property
    def is_lines(self) -> bool:
        """Whether the file itself is JSON Lines: not a column, not stdin, not one document over many lines."""
        if self.path is None or self.is_parquet or self.once or not self.path.is_file():
            return False
        if self.traces is not None:
            return False
        with _named(self.path), self.path.open("rb") as file:
            return not isinstance(_rows_of(unpacked(file, self.path)), list)

    @property
    def is_read_twice(self) -> bool:
        """Whether `rows` gives all rows again. Those of stdin or a pipe are not kept, except for traces."""
        return self.traces is not None or (self.path is not None and self.path.is_file())

    @property
    def traces(self) -> Traces | None:
        """The conversations in it, if it has OpenTelemetry traces."""
        if not self.looked:
            self.looked.append(self._traces())
        return self.looked[0]

    def _traces(self) -> Traces | None:
        if self.is_parquet:
            return None
        if self.path is not None and self.path.is_file():
            lines = partial(_lines_of, self.path)
            return Traces(lines) if are_traces(lines()) else None
        head = list(itertools.islice(self._once(), 1))
        self.once[0] = itertools.chain(head, self.once[0])
        if not are_traces(head):
            return None
        # An input that can be read only once is copied for the second pass.
        kept = tempfile.TemporaryFile()  # noqa: SIM115 it lives as long as the input
        weakref.finalize(self, kept.close)
        kept.writelines(row + b"\n" for row in self._once())
        return Traces(partial(_again, kept))

    def rows(self, read: Callable[[int], object] = bool) -> Iterator[bytes]:
        """Each line, or row of the column, or the whole document. `read` is called with the bytes read so far."""
        if (traces := self.traces) is not None:
            yield from traces.rows()
            self._note(traces)
        elif self.is_parquet:
            yield from self._column()
        elif self.path is not None and self.path.is_file():
            yield from self._file(self.path, read)
        else:
            yield from self._once()

    def line(self, row: int) -> int:
        """The line of a row, from 1: in traces, the first line of the document that has the row."""
        return row if self.traces is None else self.traces.lines[row - 1]

    def _note(self, traces: Traces) -> None:
        """Prints once what was left out of the conversations of traces."""
        if len(self.looked) == 1:
            self.looked.append(None)
            said = f"{traces.count:,} {'conversation' if traces.count == 1 else 'conversations'}"
            if traces.unanswered:
                whose = f", {traces.unanswered:,} of them" if traces.count > 1 else ""
                said += f"{whose} without an answer"
            left = f"; left out: {traces.left_out}" if str(traces.left_out) else ""
            note(f"{self.name}: {said}{left}")

    def _file(self, path: Path, read: Callable[[int], object] = bool) -> Iterator[bytes]:
        with _named(path), path.open("rb") as file:
            told, where = 0, file.tell if file.seekable() else int
            for row in _rows_of(unpacked(file, path)):
                if (at := where()) != told:
                    read(told := at)
                yield row

    def _once(self) -> Iterator[bytes]:
        if not self.once:
            # `chain` keeps the iterator open when its reader stops after the first rows.
            self.once.append(itertools.chain(self._stdin() if self.path is None else self._file(self.path)))
        yield from self.once[0]

    def _stdin(self) -> Iterator[bytes]:
        if sys.stdin is None:
            raise FileNotFoundError(f"{self.name}: it is closed")
        yield from _rows_of(unpacked(sys.stdin.buffer, Path(self.name)))

    def dialects(self, at: str | None = None) -> list[str]:
        """The dialects of the first rows, in order. Rows whose dialect cannot be detected are skipped."""
        head: list[bytes] = []
        try:
            head.extend(itertools.islice(self.rows(), PEEKED))
        except TurnwireError as damage:
            if not head:
                raise
            # The reader of the rest gets the error.
            self.once[:] = [_until([], damage) for _ in self.once]
        if self.once:
            self.once[0] = itertools.chain(head, self.once[0])
        rows = check_task("auto", False, None, at).rows
        found = list(dict.fromkeys(name for row in head for name in _dialects_in(rows, row)))
        # Older traces hold messages in a provider's own form.
        return found if found or self.traces is None else ["otel"]

    def _column(self) -> Iterator[bytes]:
        try:
            import pyarrow
            import pyarrow.parquet as parquet
        except ModuleNotFoundError:
            raise ImportError("Parquet needs an extra: pip install 'turnwire[arrow]'") from None
        try:
            yield from self._cells(parquet)
        except pyarrow.ArrowInvalid as error:
            raise TurnwireError(
                f"{self.name} is not a Parquet file, or it is damaged: {error}", code="damaged_file"
            ) from error

    def _cells(self, parquet: Any) -> Iterator[bytes]:
        with parquet.ParquetFile(self.path) as file:
            names = file.schema_arrow.names
            column = self.column or next((name for name in COLUMNS if name in names), None)
            if column not in names:
                known = ", ".join(names)
                wanted = f"no column {column!r}" if column else "no column that is known to hold conversations"
                text = f"{self.name}: {wanted} among {known}: name one with --column"
                raise TurnwireError(text, code="missing_key", path="$")
            for batch in file.iter_batches(columns=[column], batch_size=1024):
                for value in batch.column(0).to_pylist():
                    # A null counts as a blank line.
                    yield b"" if value is None else _json(value)


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Adds the file's name to an error from reading it, because the system's error has none."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


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


def _json(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(_said(value), ensure_ascii=False, default=_other)
    return text.encode("utf-8", "surrogatepass")


def _said(value: Any) -> Any:
    """A value without nulls in its structs, because Parquet writes a null for a key that a row does not have."""
    if isinstance(value, dict):
        return {key: _said(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        # pyarrow returns a map as pairs.
        pairs = value and all(isinstance(one, tuple) and isinstance(one[0], str) for one in value)
        return {key: _said(one) for key, one in value} if pairs else [_said(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _other(value: object) -> str:
    """A value that JSON has no type for: blobs as base64, times in ISO 8601."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def _rows_of(stream: Stream) -> Iterable[bytes]:
    """The lines, or a list with the whole text if it is one document over many lines."""
    lines = _lines(stream)
    head: list[bytes] = []
    first = b""
    try:
        for line in lines:
            head.append(line)
            begins = not first
            first = first or line.strip()
            # A document over many lines begins with an incomplete line, and its lines are not rows, except in a list.
            if first and (
                first[:1] not in (b"{", b"[") or (first not in (b"{", b"[") and _is_row(first if begins else line))
            ):
                return itertools.chain(head, lines)
    except TurnwireError as damage:
        return _until(head, damage)
    # Line ends may become spaces, because inside JSON strings they are escaped.
    whole = b" ".join(line.removesuffix(b"\r") for line in head)
    said = [line for line in head if line.strip()]
    return [whole] if len(said) > 1 and (said[1][:1].isspace() or _is_json(whole)) else iter(head)


def _until(rows: Iterable[bytes], damage: TurnwireError) -> Iterator[bytes]:
    """Yields the rows, and then raises the error that they ended with."""
    yield from rows
    raise damage


def _lines_of(path: Path) -> Iterator[bytes]:
    with _named(path), path.open("rb") as file:
        yield from _lines(unpacked(file, path))


def _again(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    return iter(file)


def _lines(stream: Stream) -> Iterator[bytes]:
    for block in blocks(stream):
        lines = bytes(block.data).split(b"\n")
        block.done()
        yield from lines if lines[-1] else lines[:-1]


def _is_row(line: bytes) -> bool:
    """Whether a line is complete JSON and not empty. In a document over many lines, such a line is indented."""
    return line[:1] in (b"{", b"[") and len(line.strip()) > 2 and _is_json(line)


def _is_json(text: bytes) -> bool:
    try:
        check_task("auto", False, None, "$").rows.places(text)
    except TurnwireError as error:
        return error.code != "invalid_json"
    return True


def find(paths: Iterable[str], column: str | None = None) -> list[Input]:
    """The inputs for paths, globs, folders and `-`. Each file comes once, the files of a folder in order of name."""
    found: dict[str, Input] = {}
    for given in paths:
        if given == STDIN:
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


def _dialects_in(rows: _Rows, row: bytes) -> list[str]:
    """The dialects of the conversations in a row, if they can be detected."""
    with suppress(TurnwireError):
        return [dialect for _, _, dialect in rows.places(row) if dialect is not None]
    return []
