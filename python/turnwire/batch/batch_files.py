"""The files that a conversion of batches writes: numbered within a provider's limits, named when all are complete."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from io import BufferedWriter
from pathlib import Path
from typing import Final, NamedTuple, Self

from turnwire._core import _html
from turnwire.errors import RenderError, TurnwireError

from .compressed import PACKED
from .engine import Errors, PathLike, RowError
from .partial_file import beside, held, move, sync

__all__ = ["BatchFile", "Limits", "Numbered", "Parts", "Told"]


class BatchFile(NamedTuple):
    """One of the files that a conversion wrote."""

    path: Path
    """The file."""
    rows: int
    """The number of requests or results in it."""
    model: str | None = None
    """The model of all its requests: Gemini, Bedrock and Mistral need it with the job. None if nothing names one, and
    for Anthropic, whose requests each name their own."""

    def _repr_html_(self) -> str:
        return _html(self, self._fields)


# Users import it from here, so pickles survive a move of this file.
BatchFile.__module__ = "turnwire.batch"


class Parts:
    """Temporary files that are moved to their final names when all are complete, and removed otherwise."""

    def __init__(self, out: Path, *read: PathLike) -> None:
        """`out` is the first file. The files in `read` cannot be written."""
        self._out = Path(os.path.realpath(out))
        self._read = {os.path.realpath(path) for path in read}
        self._places: list[Path] = []
        self._open = ExitStack()

    def __enter__(self) -> Self:
        """Locks the first file, so that no other run can write it."""
        self._check(self._out)
        self._log = beside(self._out, ".part.log")
        self._open.enter_context(held(self._log, self._out))
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Moves the files, or removes them."""
        places, self._places = self._places, []
        with self._open:
            if sys.platform == "win32":
                self._open.close()  # Windows cannot move an open file
            try:
                for place in places if kind is None else ():
                    with beside(place).open("rb+") as file:
                        sync(file)
                    move(beside(place), place)
            finally:
                for path in (*map(beside, places), self._log):
                    with suppress(OSError):
                        path.unlink()

    def _check(self, place: Path) -> None:
        name = os.path.realpath(place)
        if self._read & {name, os.path.realpath(beside(place)), os.path.realpath(beside(place, ".part.log"))}:
            text = f"expected another file to write to, got {place}, which this run reads"
            raise TurnwireError(text, code="conflicting_options")
        if place in self._places:
            text = f"expected another file to write to, got {place}, which this run writes already"
            raise TurnwireError(text, code="conflicting_options")
        if place.suffix in PACKED or (place.exists() and not place.is_file()):
            text = f"expected the name of a plain file, which providers take, got {place}"
            raise TurnwireError(text, code="conflicting_options")

    def add(self, place: Path) -> Path:
        """A new empty file that will be moved to `place`.

        Raises:
            TurnwireError: `conflicting_options` for a file that this run reads or writes, and for a device or a pipe.
        """
        place = Path(os.path.realpath(place))
        self._check(place)
        part = beside(place)
        part.unlink(missing_ok=True)  # a file of that name may be a link to another file
        part.touch()
        self._places.append(place)
        return part


class Told:
    """Counts each failure, and reports it to a function or a file, or raises it."""

    def __init__(self, errors: Errors, parts: Parts | None, *, stop: bool = False) -> None:
        self.count = 0
        self._stop = stop
        self._call: Callable[[RowError], object] | None = errors if callable(errors) else None
        self._file: BufferedWriter | None = None
        if parts is not None and errors is not None and not callable(errors):
            self._file = parts.add(Path(errors)).open("wb")

    def __enter__(self) -> Self:
        """Nothing more to be done."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()

    def tell(self, number: int, error: TurnwireError, body: str = "") -> None:
        """Reports the error of a line, from 1, or of no line, 0. The error's path begins at `body` in the line."""
        self.count += 1
        path = body + error.path[1:] if body else error.path
        text = str(error.args[0]).partition(f" - at `{error.path}`")[0]
        if self._stop:
            where = "" if path == "$" else f" - at `{path}`"
            line = f"line {number}: " if number else ""
            raise type(error)(f"{line}{text}{where}", code=error.code, path=path, dialect=error.dialect)
        row = RowError(number, error.code, path, text)
        if self._call is not None:
            self._call(row)
        if self._file is not None:
            self._file.write(json.dumps(row._asdict()).encode() + b"\n")


class Limits(NamedTuple):
    """The limits of one file."""

    most_requests: int
    most_bytes: int
    container: bool
    """Whether it is one JSON object with a list of `requests`, instead of JSON Lines."""


_OBJECT: Final = (b'{"requests":[\n', b",\n", b"\n]}\n")


class Numbered:
    """Files of lines, each for one model: `out.jsonl`, `out-2.jsonl`, and so on.

    Only one file is open at a time, also for a batch with many models.
    """

    def __init__(self, parts: Parts, out: Path, limits: Limits) -> None:
        self._parts, self._out, self._limits = parts, out, limits
        self._head, self._between, self._tail = _OBJECT if limits.container else (b"", b"\n", b"\n")
        self._made: list[_File] = []
        self._of: dict[str | None, _File] = {}
        self._open: tuple[_File, BufferedWriter] | None = None

    def __enter__(self) -> Self:
        """Nothing more to be done."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes the open file."""
        self._close()

    def write(self, line: bytes, model: str | None) -> None:
        """Adds a request to the file of its model, or to a new one if that is full.

        Raises:
            RenderError: `refused` for a request that is too large for any file.
        """
        most, need = self._limits.most_bytes, len(line) + len(self._tail)
        if len(self._head) + need > most:
            text = f"expected a request that fits into a file of {most} bytes, got one of {len(line)}"
            raise RenderError(text, code="refused")
        file = self._of.get(model)
        full = file is not None and (
            file.rows == self._limits.most_requests or file.size + len(self._between) + need > most
        )
        if file is None or full:
            file = self._next(model)
        file.size += self._to(file).write((self._between if file.rows else b"") + line)
        file.rows += 1

    def close(self) -> tuple[BatchFile, ...]:
        """Completes the files. If nothing was written, there is one empty file."""
        if not self._made:
            self._next(None)
        for file in self._made:
            if file.rows or self._limits.container:
                self._to(file).write(self._tail)
        self._close()
        return tuple(BatchFile(file.place, file.rows, file.model) for file in self._made)

    def _next(self, model: str | None) -> _File:
        number = len(self._made) + 1
        place = self._out if number == 1 else self._out.with_name(f"{self._out.stem}-{number}{self._out.suffix}")
        file = _File(place, self._parts.add(place), model)
        self._made.append(file)
        self._of[model] = file
        file.size = self._to(file).write(self._head)
        return file

    def _to(self, file: _File) -> BufferedWriter:
        if self._open is None or self._open[0] is not file:
            self._close()
            self._open = file, file.part.open("ab")
        return self._open[1]

    def _close(self) -> None:
        if self._open is not None:
            file, self._open = self._open[1], None
            file.close()


class _File:
    def __init__(self, place: Path, part: Path, model: str | None) -> None:
        self.place, self.part, self.model = place, part, model
        self.rows = self.size = 0
