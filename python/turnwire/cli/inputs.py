"""What a command reads: files, globs, folders and stdin; JSON Lines, single JSON documents, and columns of Parquet."""

from __future__ import annotations

import itertools
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from turnwire import UnknownDialectError, detect
from turnwire._blocks import BOM, blocks
from turnwire._packed import Stream, unpacked
from turnwire.errors import TurnwireError

from .screen import problem, said

STDIN: Final = "-"
SUFFIXES: Final = (".jsonl", ".ndjson", ".json", ".parquet")
PACKED: Final = (".gz", ".zst")
COLUMNS: Final = ("messages", "conversations", "conversation", "payload", "body", "request")
"""Columns of Parquet that hold conversations where nobody names another, the first that is there."""


PEEKED: Final = 20
"""So many rows are asked which dialect they are in."""


@dataclass(frozen=True)
class Input:
    """One thing to read."""

    name: str
    """What the user called it."""
    path: Path | None = None
    """None for stdin."""
    column: str | None = None
    """The column of a Parquet file to read."""
    inside: Path = Path("stdin.jsonl")
    """Where it stands in the folder that the user gave; its name where that was no folder."""
    once: list[Iterator[bytes]] = field(default_factory=list)
    """What is left to read of stdin, or of a pipe: nobody can read these twice."""

    @property
    def is_parquet(self) -> bool:
        """Whether its rows stand in a column."""
        return self.path is not None and self.path.suffix == ".parquet"

    @property
    def is_lines(self) -> bool:
        """Whether it can be read as JSON Lines where it lies: no column, no stdin, no document over many lines."""
        if self.path is None or self.is_parquet or self.once or not self.path.is_file():
            return False
        with self.path.open("rb") as file:
            return not isinstance(_rows_of(unpacked(file, self.path)), list)

    def rows(self, read: Callable[[int], object] = bool) -> Iterator[bytes]:
        """Each line, or row of the column, or the whole document. `read` is told how far the file has been read."""
        if self.is_parquet:
            yield from self._column()
        elif self.path is not None and self.path.is_file():
            yield from self._file(self.path, read)
        else:
            yield from self._once()

    def _file(self, path: Path, read: Callable[[int], object] = bool) -> Iterator[bytes]:
        with path.open("rb") as file:
            told, where = 0, file.tell if file.seekable() else int
            for row in _rows_of(unpacked(file, path)):
                if (at := where()) != told:
                    read(told := at)
                yield row

    def _once(self) -> Iterator[bytes]:
        if not self.once:
            self.once.append(
                iter(_rows_of(cast("Stream", sys.stdin.buffer))) if self.path is None else self._file(self.path)
            )
        yield from self.once[0]

    def dialects(self) -> list[str]:
        """The dialects of the first rows, in the order in which they come; those that cannot be told have none."""
        rows = self.rows()
        head = list(itertools.islice(rows, PEEKED))
        if self.once:
            self.once[0] = itertools.chain(head, self.once[0])
        return list(dict.fromkeys(filter(None, map(dialect_of, head))))

    def dialect(self) -> str | None:
        """The dialect of the first row that can be told."""
        return next(iter(self.dialects()), None)

    def _column(self) -> Iterator[bytes]:
        try:
            import pyarrow
            import pyarrow.parquet as parquet
        except ModuleNotFoundError:
            raise ImportError("Parquet needs an extra: pip install 'turnwire[arrow]'") from None
        try:
            yield from self._cells(parquet)
        except pyarrow.ArrowInvalid as error:
            raise TurnwireError(f"{self.name} is no Parquet, or damaged: {error}", code="damaged_file") from error

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
                    yield _json(value)


class Unread:
    """The inputs that could not be read, or not to their ends: they are named, and stop none of the others."""

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def told(self, one: Input) -> Iterator[None]:
        """What becomes of one input's errors; those of others, such as a full disk, are raised."""
        try:
            yield
        except TurnwireError as error:
            if error.code != "damaged_file":
                raise
            problem(str(error))
            self.count += 1
        except OSError as error:
            if error.filename is None or one.path is None or Path(error.filename) != one.path:
                raise
            problem(said(error))
            self.count += 1


def _json(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(_said(value), ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass")


def _said(value: Any) -> Any:
    """What a struct says: Parquet writes a null where a row has no such key."""
    if isinstance(value, dict):
        return {key: _said(one) for key, one in value.items() if one is not None}
    return [_said(one) for one in value] if isinstance(value, list) else value


def _rows_of(stream: Stream) -> Iterable[bytes]:
    """The lines; the whole as a list of one where it is a document over many lines."""
    lines = _lines(stream)
    head: list[bytes] = []
    for line in lines:
        head.append(line)
        if sum(map(bool, map(bytes.strip, head))) == 2:
            break
    # One bad line is a bad line; where the next one is none either, both may be parts of a document.
    said = [line for line in head if line.strip()]
    if len(said) == 2 and not any(map(_is_json, said)):
        # In JSON a line end is white space, or it would be escaped.
        return [b" ".join([*head, *lines])]
    return itertools.chain(head, lines)


def _lines(stream: Stream) -> Iterator[bytes]:
    for block in blocks(stream):
        lines = bytes(block.data).split(b"\n")
        block.done()
        yield from lines if lines[-1] else lines[:-1]


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line.removeprefix(BOM))
    except RecursionError:
        return True
    except ValueError:
        return False
    return True


def find(paths: Iterable[str], column: str | None = None) -> list[Input]:
    """What is meant by paths, globs, folders and `-`, each file once, folders in the order of their names."""
    found: dict[str, Input] = {}
    for given in paths:
        if given == STDIN:
            found.setdefault(given, Input("<stdin>"))
            continue
        path = Path(given)
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


# Where a conversation is in a line that is more than one; the batch functions look there, too.
_INSIDE: Final = ("body", "params", "conversation", "traj", "input", "prompt")


def dialect_of(row: bytes) -> str | None:
    """The dialect of a row, where it can be told."""
    with suppress(ValueError, RecursionError):
        value = json.loads(row.removeprefix(BOM))
        for one in (value, *(value.get(key) for key in _INSIDE if isinstance(value, dict))):
            with suppress(UnknownDialectError, TurnwireError, TypeError):
                return str(detect(one))
    return None
