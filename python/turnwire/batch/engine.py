"""The loop of every function of `turnwire.batch`: read blocks of lines, do the work, write files."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from turnwire._core import __version__, _html, _Rows, error_codes
from turnwire._log import logger
from turnwire.errors import TurnwireError

from .blocks import BOM, Block, blocks, cores, in_order
from .compressed import packing, unpacked
from .partial_file import Beside, Counts, beside
from .tasks import Task

__all__ = ["Errors", "PathLike", "Progress", "Report", "RowError", "run_file", "run_lines"]

PathLike: TypeAlias = str | os.PathLike[str]


class RowError(NamedTuple):
    """Why a line has no result."""

    line: int
    """The number of the line, from 1."""
    code: str
    """One of `turnwire.error_codes()`."""
    path: str
    """The path in the line."""
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
    """The number of lines that are not blank, failed ones included."""
    failed: int
    """The number of lines without a result."""
    losses: int
    """The number of losses in all results together; for `check_file`, of findings."""
    bytes_in: int
    """The size of the input file."""
    bytes_out: int
    """The size of the output file."""
    seconds: float
    """How long this run took."""

    def _repr_html_(self) -> str:
        return _html(self, self.__match_args__)


# Users import them from here, so pickles survive a move of this file.
RowError.__module__ = Report.__module__ = "turnwire.batch"

Progress: TypeAlias = Callable[[Report], object] | None


_Failure: TypeAlias = tuple[int, str, str, str | None, str]


def _raise(failure: _Failure) -> None:
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

    def lines(self, failed: list[_Failure]) -> bytes:
        """The lines of the error file for them."""
        if self.path is None:
            return b""
        said = ({"line": line, "code": code, "path": path, "message": text} for line, code, path, _, text in failed)
        return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in said).encode()

    def tell(self, failed: list[_Failure]) -> None:
        """Reports them to the caller's function, if there is one."""
        for failure in failed:
            if self.stop:
                _raise(failure)
            if self.call is not None:
                line, code, path, _, text = failure
                self.call(RowError(line, code, path, text))


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
    """Do a task for each line of a file. The arguments are those of `convert_file`."""
    started = time.perf_counter()
    threads, rows, failures = cores(threads), task.rows, _Failures(errors, stop)
    source, target = Path(path), Path(os.path.realpath(out))
    places = [target] if failures.path is None else [target, failures.path]
    known = {Path(os.path.realpath(source))}
    for name in [*places, *map(beside, places), beside(target, ".part.log")]:
        place = Path(os.path.realpath(name))
        if place in known:
            text = f"expected another file to write to, got {place}, which this run reads or writes already"
            raise TurnwireError(text, code="conflicting_options")
        known.add(place)
    pack = packing(target)

    def work(block: Block) -> tuple[list[Any], list[_Failure], Counts]:
        data, count, (losses, failed) = rows.block(block.data, block.ends, block.line)
        block.done()
        packed = pack(data) if len(data) else b""
        return [packed, failures.lines(failed)], failed, Counts(block.end, block.lines, count, len(failed), losses)

    with source.open("rb") as file:
        status = os.fstat(file.fileno())
        stream = unpacked(file, source)
        told = (task.told, os.fspath(source.resolve()), status.st_size, status.st_mtime_ns, places, __version__)
        with Beside(places, _digest(told), resume=resume) as files:
            counts = files.counts
            given_blocks = iter(()) if files.done else blocks(stream, counts.read, counts.lines)
            with closing(in_order(work, given_blocks, threads)) as made:
                for pieces, failed, new in made:
                    failures.tell(failed)
                    counts = Counts(new.read, new.lines, *(a + b for a, b in zip(counts[2:], new[2:], strict=True)))
                    files.write(pieces[: len(places)], counts)
                    if progress is not None:
                        progress(_report(counts, file.tell(), files.size, started))
            if files.size == 0 and not files.done:
                # A packed empty file is not empty.
                files.write([pack(b""), b""][: len(places)], counts)
    return _report(counts, status.st_size or counts.read, files.size, started)


def _digest(told: object) -> str:
    return hashlib.sha256(repr(told).encode(errors="backslashreplace")).hexdigest()


def _report(counts: Counts, bytes_in: int, bytes_out: int, started: float) -> Report:
    return Report(counts.rows, counts.failed, counts.losses, bytes_in, bytes_out, time.perf_counter() - started)


_BATCH: Final = 1 << 20
"""The most bytes of lines, and the most lines, that are taken at a time for each thread."""
_MOST: Final = 1 << 13
_WAIT: Final = 0.02
"""For how many seconds lines are collected, so that the rows of a slow source do not wait for those behind them."""


def run_lines(
    task: Task, lines: Iterable[bytes], threads: int, errors: Errors, stop: bool
) -> Generator[bytes, None, int]:
    """Do a task for each line, lazily. The generator returns the number of losses."""
    if isinstance(lines, bytes | bytearray | str):
        raise TypeError(f"lines: expected an iterable of bytes, got {type(lines).__name__}")
    return _each(task.rows, iter(lines), cores(threads), _Failures(errors, stop))


def _each(rows: _Rows, lines: Iterator[bytes], threads: int, failures: _Failures) -> Generator[bytes, None, int]:
    """The results. The generator returns the number of their losses."""
    done, lost, losses = 0, 0, 0
    with nullcontext() if failures.path is None else failures.path.open("wb") as file:
        fault: Exception | None = None
        while fault is None:
            batch, fault = _batch(lines, _BATCH * threads)
            if not batch:
                break
            if done == 0:
                batch[0] = batch[0].removeprefix(BOM)
            payloads, (new, failed) = rows.each(batch, done + 1, threads)
            failure = {one[0]: one for one in failed}
            for number, payload in enumerate(payloads, done + 1):
                if payload is not None:
                    yield payload
                elif number in failure:
                    if file is not None:
                        file.write(failures.lines([failure[number]]))
                    failures.tell([failure[number]])
            done, lost, losses = done + len(batch), lost + len(failed), losses + new
    if fault is not None:
        raise fault
    if lost and failures.call is None and failures.path is None:
        logger.getChild("batch").warning("%d of %d lines failed, and errors= was not given to say why", lost, done)
    return losses


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
