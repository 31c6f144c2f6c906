"""The loop of every function of `turnwire.batch`: read blocks of lines, do the work, write files."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from turnwire._core import Change, __version__, _html, _Rows, error_codes
from turnwire._log import logger
from turnwire.errors import TurnwireError

from .blocks import BOM, Block, Failure, cores, in_order
from .compressed import packing
from .counts import Count, counts_of
from .documents import Document
from .partial_file import Beside, Counts, beside
from .tasks import Task

__all__ = [
    "Errors",
    "Made",
    "PathLike",
    "Progress",
    "Report",
    "RowError",
    "made_of",
    "run_blocks",
    "run_file",
    "run_lines",
    "write_rows",
]

PathLike: TypeAlias = str | os.PathLike[str]


class RowError(NamedTuple):
    """Why a line has no result."""

    line: int
    """The number of the line at which it begins, from 1."""
    code: str
    """One of `turnwire.error_codes()`."""
    path: str
    """The path in the line or document."""
    message: str
    """What was expected, and what came instead."""

    def _repr_html_(self) -> str:
        return _html(self, self._fields)


Errors: TypeAlias = PathLike | Callable[[RowError], object] | None
"""Where to report failing lines: a file of JSON Lines, a function that is called with each, or None to count them."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a run did with a file."""

    rows: int
    """The number of rows, failed ones included: lines that are not blank, or items of a list."""
    failed: int
    """The number of rows without a result."""
    changes: tuple[Count, ...]
    """How often each change was made, by kind and code, the most frequent first."""
    bytes_in: int
    """The size of the input file."""
    bytes_out: int
    """The size of the output file."""
    seconds: float
    """How long this run took."""
    left_keys: dict[str, int] = field(default_factory=dict)
    """The keys of bodies that were left out as the caller's own, each with the number of bodies that had it."""

    def _repr_html_(self) -> str:
        return _html(self, self.__match_args__)


# Users import them from here, so pickles survive a move of this file.
RowError.__module__ = Report.__module__ = "turnwire.batch"

Progress: TypeAlias = Callable[[Report], object] | None


def _raise(failure: Failure) -> None:
    line, code, path, dialect, text = failure
    kind: Any = error_codes()[code][0]
    where = "" if path == "$" else f" - at `{path}`"
    raise kind(f"line {line}: {text}{where}", code=code, path=path, dialect=dialect)


class _Failures:
    """Reports or raises the errors of failing lines."""

    def __init__(self, errors: Errors, stop: bool) -> None:
        self.call = errors if callable(errors) else None
        self.path = None if errors is None or callable(errors) else Path(os.path.realpath(errors))
        self.stop = stop

    def lines(self, failed: list[Failure]) -> bytes:
        """The lines of the error file for them."""
        if self.path is None:
            return b""
        said = ({"line": line, "code": code, "path": path, "message": text} for line, code, path, _, text in failed)
        return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in said).encode()

    def tell(self, failed: list[Failure]) -> None:
        """Reports them to the caller's function, if there is one."""
        for failure in failed:
            if self.stop:
                _raise(failure)
            if self.call is not None:
                line, code, path, _, text = failure
                self.call(RowError(line, code, path, text))


class Made(NamedTuple):
    """What became of a block."""

    data: memoryview
    """A line for each row that did not fail, or for each change that a check tells."""
    failed: list[Failure]
    counts: Counts
    """How far it goes, and what is counted in it."""
    told: list[tuple[int, list[Change]]]
    """The line of each row with changes, and each of them, if they were asked for."""


def made_of(block: Block, task: Task, tell: bool = False) -> Made:
    """Does a task for each row of a block."""
    if block.fault is not None:
        return Made(memoryview(b""), [block.fault], Counts(block.end, block.lines, 1, 1), [])
    data, count, (changes, failed, told, left) = task.rows.block(block.data, block.records, block.line, tell)
    block.done()
    counts = Counts(block.end, block.lines, count, len(failed), changes, left)
    return Made(data, failed, counts, told)


def run_blocks(task: Task, given: Iterator[Block], threads: int = 0, tell: bool = False) -> Generator[Made]:
    """Do a task for each row of blocks, in their order. With `tell`, each change is told."""
    with closing(in_order(partial(made_of, task=task, tell=tell), given, cores(threads))) as made:
        yield from made


def run_file(
    task: Task,
    path: PathLike,
    out: PathLike,
    threads: int,
    errors: Errors,
    resume: bool,
    stop: bool,
    progress: Callable[[Report], object] | None,
) -> Report:
    """Do a task for each row of a file. The arguments are those of `convert_file`."""
    source = Path(path)
    return write_rows(Document(os.fspath(path), source), task, out, threads, errors, resume, stop, progress)


def write_rows(
    document: Document,
    task: Task,
    out: PathLike,
    threads: int = 0,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Callable[[Report], object] | None = None,
    read: Callable[[int], object] = bool,
    making: Callable[[Iterator[Block]], Iterator[Made]] | None = None,
) -> Report:
    """Do a task for each row of a document. `making` does it instead, if it is given."""
    started = time.perf_counter()
    threads, failures = cores(threads), _Failures(errors, stop)
    target = Path(os.path.realpath(out))
    places = [target] if failures.path is None else [target, failures.path]
    _are_others(document.path, places)
    pack, consumed = packing(target), 0

    def packed(block: Block) -> tuple[Any, Made]:
        made = made_of(block, task)
        return pack(made.data) if len(made.data) else b"", made

    def seen(size: int) -> None:
        nonlocal consumed
        consumed = size
        read(size)

    status = document.path.stat() if document.path is not None else None
    size, changed = (status.st_size, status.st_mtime_ns) if status else (0, 0)
    name = os.fspath(document.path.resolve()) if document.path is not None else document.name
    told = (task.told, name, size, changed, places, __version__)
    with Beside(places, _digest(told), resume=resume) as files:
        counts = files.counts
        given = iter(()) if files.done else _after(document.blocks(task.rows, seen), counts.read)
        if making is None:
            each = in_order(packed, given, threads)
        else:
            each = ((pack(made.data) if len(made.data) else b"", made) for made in making(given))
        with closing(each):
            for data, made in each:
                failures.tell(made.failed)
                counts = counts.and_then(made.counts)
                files.write([data, failures.lines(made.failed)][: len(places)], counts)
                if progress is not None:
                    progress(_report(counts, consumed, files.size, started))
        if files.size == 0 and not files.done:
            # A packed empty file is not empty.
            files.write([pack(b""), b""][: len(places)], counts)
    return _report(counts, size or counts.read, files.size, started)


def _are_others(source: Path | None, places: list[Path]) -> None:
    """Refuses to write to what is read, or twice to one file."""
    known = set() if source is None else {Path(os.path.realpath(source))}
    for name in [*places, *map(beside, places), beside(places[0], ".part.log")]:
        place = Path(os.path.realpath(name))
        if place in known:
            text = f"expected another file to write to, got {place}, which this run reads or writes already"
            raise TurnwireError(text, code="conflicting_options")
        known.add(place)


def _after(given: Iterator[Block], done: int) -> Iterator[Block]:
    """The blocks that an earlier run has not done. A run always makes the same blocks."""
    for block in given:
        if block.end > done or not done:
            yield block
        else:
            block.done()


def _digest(told: object) -> str:
    return hashlib.sha256(repr(told).encode(errors="backslashreplace")).hexdigest()


def _report(counts: Counts, bytes_in: int, bytes_out: int, started: float) -> Report:
    seconds = time.perf_counter() - started
    changes, left = counts_of(counts.changes), dict(counts.left)
    return Report(counts.rows, counts.failed, changes, bytes_in, bytes_out, seconds, left)


_BATCH: Final = 1 << 20
"""The most bytes of lines, and the most lines, that are taken at a time for each thread."""
_MOST: Final = 1 << 13
_WAIT: Final = 0.02
"""For how many seconds lines are collected, so that the rows of a slow source do not wait for those behind them."""


def run_lines(
    task: Task, lines: Iterable[bytes], threads: int, errors: Errors, stop: bool
) -> Generator[bytes, None, int]:
    """Do a task for each line, lazily. The generator returns the number of changes."""
    if isinstance(lines, bytes | bytearray | str):
        raise TypeError(f"lines: expected an iterable of bytes, got {type(lines).__name__}")
    return _each(task.rows, iter(lines), cores(threads), _Failures(errors, stop))


def _each(rows: _Rows, lines: Iterator[bytes], threads: int, failures: _Failures) -> Generator[bytes, None, int]:
    """The results. The generator returns the number of their changes."""
    done, lost, changes = 0, 0, 0
    with nullcontext() if failures.path is None else failures.path.open("wb") as file:
        fault: Exception | None = None
        while fault is None:
            batch, fault = _batch(lines, _BATCH * threads)
            if not batch:
                break
            if done == 0:
                batch[0] = batch[0].removeprefix(BOM)
            payloads, (counted, failed, *_) = rows.each(batch, done + 1, threads)
            failure = {one[0]: one for one in failed}
            for number, payload in enumerate(payloads, done + 1):
                if payload is not None:
                    yield payload
                elif number in failure:
                    if file is not None:
                        file.write(failures.lines([failure[number]]))
                    failures.tell([failure[number]])
            done, lost = done + len(batch), lost + len(failed)
            changes += sum(times for times, *_ in counted.values())
    if fault is not None:
        raise fault
    if lost and failures.call is None and failures.path is None:
        logger.getChild("batch").warning("%d of %d lines failed, and errors= was not given to say why", lost, done)
    return changes


def _batch(lines: Iterator[bytes], size: int) -> tuple[list[bytes], Exception | None]:
    """Enough lines for a thread, and the error that they ended with, if any. It is raised after their results."""
    batch: list[bytes] = []
    until = time.monotonic() + _WAIT
    try:
        for line in lines:
            if not isinstance(line, bytes | bytearray):
                raise TypeError(f"lines: expected an iterable of bytes, got one with a {type(line).__name__}")
            batch.append(bytes(line))
            size -= len(line)
            if size <= 0 or len(batch) == _MOST or time.monotonic() > until:
                break
    except Exception as fault:
        return batch, fault
    return batch, None
