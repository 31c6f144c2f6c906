"""Reads documents: JSON Lines, lists, a message a line, columns of Parquet, traces; packed or not."""

from __future__ import annotations

import itertools
import re
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Final, NamedTuple

from turnwire._core import _Items, _Records, _Rows
from turnwire.errors import ParseError, TurnwireError

from .blocks import BOM, SIZE, Block, Failure, block_of, blocks, items
from .columns import cells
from .compressed import Begun, Stream, unpacked
from .sessions import is_session, read_session
from .trace_places import Origin
from .trace_records import documents
from .traces import MAY_BE_TRACES, Traces, are_traces

__all__ = ["Document", "Row", "named"]

_PARQUET: Final = b"PAR1"
_NEXT: Final = re.compile(rb"^[}\]][ \t\r]*\n\s*[{\[]", re.MULTILINE)
"""Where a value over several lines ends, and another one begins: inside of JSON, a comma would be between."""
_ROWS: Final = 1 << 10
"""The most rows of a block of cells or traces."""


class Row(NamedTuple):
    """A row of a document."""

    data: bytes
    line: int
    """The number of the line at which it begins, from 1."""
    path: str
    """Its path in the document."""
    alone: _Records
    """The row for a call with only this one."""
    fault: Failure | None = None
    """Why there is no row: it is not a document that can be read."""

    def whole(self) -> bytes:
        """The row, or the error that says why there is none."""
        if self.fault is not None:
            _, code, path, dialect, text = self.fault
            raise ParseError(text, code=code, path=path, dialect=dialect)
        return self.data


class Document:
    """A file, or a stream that can be read only once."""

    def __init__(self, name: str, path: Path | None, column: str | None = None) -> None:
        """`name`: what messages call it. `path`: None for stdin."""
        self.name, self.path, self.column = name, path, column
        self.told: list[str] = []
        """How it is read, if not as what its lines are. Complete once a block has been read."""
        self._traces: list[Traces | None] = []
        self._once: Stream | None = None
        self.is_list = False
        """Whether its rows are the items of a list. That is known when its first block has been read."""
        self._held: Iterator[Block] | None = None

    @property
    def is_file(self) -> bool:
        """Whether it can be read twice: it is not stdin or a pipe."""
        return self.path is not None and self.path.is_file()

    @property
    def is_parquet(self) -> bool:
        """Whether its rows are in a column."""
        if self.path is None or not self.is_file:
            return False
        if self.path.suffix == ".parquet":
            return True
        with named(self.path), self.path.open("rb") as file:
            return file.read(len(_PARQUET)) == _PARQUET

    @property
    def traces(self) -> Traces | None:
        """The conversations in it, if it has OpenTelemetry traces."""
        if not self._traces:
            self._traces.append(self._find_traces())
        return self._traces[0]

    def blocks(self, rows: _Rows, read: Callable[[int], object] = bool) -> Iterator[Block]:
        """Its rows in blocks. `rows` tells where in a row the conversation is. `read` is called with the bytes read."""
        if (traces := self.traces) is not None:
            yield from _grouped((row, traces.lines[-1], traces.origin) for row in traces.rows())
        elif self.is_parquet and self.path is not None:
            yield from _grouped((cell, line, None) for cell, line in cells(self.path, self.column))
        elif self.is_file and self.path is not None:
            with named(self.path), self.path.open("rb") as file:
                told, where = 0, file.tell if file.seekable() else int
                for block in self._read(unpacked(file, self.path), rows):
                    yield block
                    if (at := where()) != told:
                        read(told := at)
        else:
            # `chain` keeps the iterator open when its reader stops after the first rows.
            self._held = self._held or itertools.chain(self._read(self._stream(), rows))
            yield from self._held

    def head(self, rows: _Rows, most: int) -> list[Row]:
        """Its first rows. What can be read only once can be read from its beginning afterwards."""
        if self.is_file or self.traces is not None:
            return list(itertools.islice(self.rows(rows), most))
        taken: list[Block] = []
        found: list[Row] = []
        damage: list[TurnwireError] = []
        try:
            for block in self.blocks(rows):
                taken.append(block)
                found += rows_of(block, rows)
                if len(found) >= most:
                    break
        except TurnwireError as error:
            if not taken:
                raise
            damage.append(error)
        self._held = itertools.chain(taken, _raising(damage), self._held or ())
        return found[:most]

    def rows(self, rows: _Rows, read: Callable[[int], object] = bool) -> Iterator[Row]:
        """Its rows, one by one."""
        for block in self.blocks(rows, read):
            given = rows_of(block, rows)
            block.done()
            yield from given

    def _read(self, stream: Stream, rows: _Rows) -> Iterator[Block]:
        head, kind, more = _kind(stream, rows)
        stream = Begun(stream, head)
        self.told.clear()
        if rows.searches and is_session(head):
            text = _all(stream)
            session = read_session(text)
            self.told.append(str(session))
            yield block_of([(row, line, None) for row, line in session.rows], len(text))
            return
        match kind:
            case "lines":
                yield from blocks(stream)
            case "items":
                self.is_list = True
                reader = _Items(rows, more)
                yield from items(stream, reader)
                if around := reader.around():
                    self.told.append(f"not read: the keys around the list: {', '.join(around)}")
            case "other":
                yield block_of(
                    [], len(head), (1, "invalid_json", "$", None, f"expected JSON or JSON Lines: this is {more[0]}")
                )
            case _:
                yield from self._whole(stream, kind)

    def _whole(self, stream: Stream, kind: str) -> Iterator[Block]:
        """The document as one row."""
        damage: list[TurnwireError] = []
        text, end = bytearray(), False
        try:
            while not end:
                end = not _more(stream, text)
        except TurnwireError as error:
            damage.append(error)
        size = len(text)
        if text.startswith(BOM):
            del text[: len(BOM)]
        begun = len(text) - len(text.lstrip())
        row, line = bytes(text).strip(), 1 + text.count(b"\n", 0, begun)
        if kind == "whole" and _NEXT.search(text):
            yield block_of([(one, number, None) for number, one in documents(bytes(text).split(b"\n"))], size)
            yield from _raising(damage)
            return
        if kind != "whole":
            row, left = _Rows.conversation(memoryview(text), kind == "history")
            what = "a stored history" if kind == "history" else "one conversation, a message a line"
            self.told.append(f"read as {what}; --at $ makes each line a record")
            if left:
                self.told.append(f"left out: {left:,} {'line' if left == 1 else 'lines'} torn or of a later version")
        yield block_of([(row, line, None)], size)
        yield from _raising(damage)

    def _stream(self) -> Stream:
        if self._once is None:
            if self.path is not None:
                with named(self.path):
                    file = self.path.open("rb")
                    weakref.finalize(self, file.close)
                    self._once = unpacked(file, self.path)
            elif sys.stdin is None:
                raise FileNotFoundError(f"{self.name}: it is closed")
            else:
                self._once = unpacked(sys.stdin.buffer, Path(self.name))
        return self._once

    def _find_traces(self) -> Traces | None:
        if self.is_parquet:
            return None
        if self.is_file and self.path is not None:
            lines = partial(_lines_of, self.path)
            with named(self.path), self.path.open("rb") as file:
                head = _beginning(unpacked(file, self.path))
            return Traces(lines) if _may_be(head) and are_traces(lines()) else None
        stream = self._stream()
        head = _beginning(stream)
        self._once = stream = Begun(stream, head)
        if not _may_be(head) or not are_traces(head.split(b"\n")):
            return None
        # An input that can be read only once is copied for the second pass.
        kept = tempfile.TemporaryFile()  # noqa: SIM115 it lives as long as the document
        weakref.finalize(self, kept.close)
        for block in blocks(stream):
            kept.write(block.data)
            block.done()
        return Traces(partial(_again, kept))


def rows_of(block: Block, rows: _Rows) -> list[Row]:
    """The rows of a block, one by one."""
    if block.fault is not None:
        return [Row(b"", block.fault[0], block.fault[2], block.records, block.fault)]
    return [Row(*one) for one in rows.split(block.data, block.records, block.line)]


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Adds the file's name to an error from reading it, because the system's error has none."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(path)
        raise


def _kind(stream: Stream, rows: _Rows) -> tuple[bytes, str, list[str]]:
    """The beginning of a document, and what it is: a word, and the keys of its list or what it is instead of JSON."""
    head, is_end, wanted = bytearray(), False, 0
    while True:
        try:
            is_end = not _more(stream, head)
        except TurnwireError:
            # The lines before the damage are read first, and then it is reported.
            if not head:
                raise
            is_end = True
        # Each time there is twice as much of it.
        if is_end or len(head) >= wanted:
            if (known := rows.kind(bytes(head), is_end)) is not None:
                return bytes(head), *known
            wanted = 2 * len(head)


def _more(stream: Stream, text: bytearray) -> int:
    """Appends what comes next in a stream. Returns how many bytes."""
    room = bytearray(SIZE)
    read = stream.readinto(memoryview(room)) or 0
    text += memoryview(room)[:read]
    return read


def _all(stream: Stream) -> bytes:
    """What is left of a stream."""
    text = bytearray()
    while _more(stream, text):
        pass
    return bytes(text)


def _raising(damage: list[TurnwireError]) -> Iterator[Block]:
    yield from ()
    for error in damage:
        raise error


def _grouped(rows: Iterator[tuple[bytes, int, Origin | None]]) -> Iterator[Block]:
    """Blocks of rows that are read one by one, as `block_of` takes them."""
    held: list[tuple[bytes, int, Origin | None]] = []
    size = end = 0
    damage: list[Exception] = []
    while True:
        row = None
        try:
            row = next(rows, None)
        except Exception as error:
            damage.append(error)
        if row is not None and row[0].strip():
            held.append(row)
            size += len(row[0]) + 1
        if held and (row is None or size >= SIZE or len(held) == _ROWS):
            end += size
            yield block_of(held, end)
            held, size = [], 0
        if row is None:
            break
    for one in damage:
        raise one


def _beginning(stream: Stream) -> bytes:
    """Enough of a document to see whether it may be traces."""
    head = bytearray()
    try:
        while len(head) < 2 * SIZE and _more(stream, head):
            pass
    except TurnwireError:
        # The reader of the rest gets the error.
        pass
    return bytes(head)


def _may_be(head: bytes) -> bool:
    return any(word in head for word in MAY_BE_TRACES)


def _lines_of(path: Path) -> Iterator[bytes]:
    with named(path), path.open("rb") as file:
        for block in blocks(unpacked(file, path)):
            lines = bytes(block.data).split(b"\n")
            block.done()
            yield from lines if lines[-1] else lines[:-1]


def _again(file: IO[bytes]) -> Iterator[bytes]:
    file.seek(0)
    return iter(file)
