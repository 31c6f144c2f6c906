"""Files and streams of JSON Lines: each line a conversation, converted on all cores, lines that fail beside.

report = convert_file("in.jsonl", "out.jsonl", "openai", "anthropic", errors="failed.jsonl")
for line in convert_lines(open("in.jsonl", "rb"), "auto", "gemini"):
...
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, Unpack

from ._beside import Beside, Counts
from ._blocks import BOM, Block, blocks, cores, in_order, packing, unpacked
from ._core import __version__, _Rows, error_codes
from ._log import logger
from .errors import TurnwireError
from .front import RenderOptions
from .names import DialectName, SourceName

__all__ = ["Report", "RowError", "convert_file", "convert_lines"]

PathLike: TypeAlias = str | os.PathLike[str]


class RowError(NamedTuple):
    """Why a line has no result."""

    line: int
    """Its number, from 1."""
    code: str
    """One of `turnwire.error_codes()`."""
    path: str
    """Where in the line."""
    message: str
    """What was expected, and what came."""


Errors: TypeAlias = PathLike | Callable[[RowError], object] | None
"""Where lines go that fail: a file of JSON Lines, a function that is called with each, or only into the count."""


@dataclass(frozen=True, slots=True)
class Report:
    """What has become of a file."""

    rows: int
    """Lines that say something, those that failed included."""
    failed: int
    """Lines that have no result."""
    losses: int
    """What the results do not hold as it was, all together; of `check_file`, the findings."""
    bytes_in: int
    """The size of the input file."""
    bytes_out: int
    """The size of the output file."""
    seconds: float
    """How long this run took."""


class ConvertOptions(RenderOptions, total=False):
    """The options of `convert_json`; each as there."""

    tool_results: bool


def convert_file(
    path: PathLike,
    out: PathLike,
    source: SourceName,
    target: DialectName,
    *,
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Callable[[Report], object] | None = None,
    **options: Unpack[ConvertOptions],
) -> Report:
    """Convert each line of a file, as `convert_json` does, and write what comes of it as a line of another file.

    The lines keep their order; those that fail are left out. A line that says nothing is none. The file is written
    beside its place and renamed when it is whole, so nobody ever sees half of one. Memory does not grow with the file,
    but with the number of threads and the longest line.

    Args:
        path: JSON Lines, with any line ends, with or without a byte order mark, packed by gzip or (with the extra
            `zstd`) by zstd: its first bytes tell.
        out: Where to write. A name that ends in `.gz` or `.zst` is packed.
        source: The dialect of each line, or `"auto"`.
        target: The dialect to write.
        threads: How many; 0 for as many as there are cores to use.
        at: Where in a line the conversation is: a key, or several with dots between (`"response.body"`), `"$"` for the
            line itself. What is around it is written as it came, byte for byte. None finds it by itself: `body` or
            `params` beside a `custom_id` (requests of a batch), `conversation` or `traj` (data sets), `input` and its
            outputs (preferences), `prompt` and what completes it, else the line itself.
        errors: Where lines go that fail: a file of JSON Lines (`line`, `code`, `path`, `message`), or a function that
            is called with a `RowError`.
        resume: Go on where a run of the same job was broken off, and leave behind what the next one needs for it. The
            file is the same as that of an unbroken run, byte for byte.
        stop: Raise at the first line that fails.
        progress: A function that is called with a `Report` of what is done so far.
        options: Those of `convert_json`.

    Raises:
        TurnwireError: `unknown_option`; `conflicting_options` for an output that is an input; `damaged_file` for a
            packed file that cannot be unpacked; `out_of_range` for `threads` below 0; with `stop`, what a line fails
            with.
        UnknownDialectError: `unknown_dialect`.
        OSError: A file that cannot be read or written, as Python raises it.
        ImportError: zstd without its extra.
    """
    given = {"source": source, "target": target, "at": at, **_rendering("convert_file", options)}
    return _file("convert", given, path, out, threads, errors, resume, stop, progress)


def convert_lines(
    lines: Iterable[bytes],
    source: SourceName,
    target: DialectName,
    *,
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    stop: bool = False,
    **options: Unpack[ConvertOptions],
) -> Iterator[bytes]:
    """The same for any iterable of lines, lazily: one bytes for each that did not fail, without a line end.

    As many lines are taken at a time as keep the threads busy. Without `errors`, a warning in the log says at the end
    how many failed.
    """
    given = {"source": source, "target": target, "at": at, **_rendering("convert_lines", options)}
    return _lines("convert", given, lines, threads, errors, stop)


_RENDERING: dict[str, object] = {
    "strict": False,
    "reasoning": "drop",
    "blobs": "base64",
    "assistant_role": None,
    "tool_results": False,
}


def _rendering(caller: str, options: Any) -> dict[str, object]:
    for name in options:
        if name not in _RENDERING:
            raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}")
    return {**_RENDERING, **options}


_Failure: TypeAlias = tuple[int, str, str, str | None, str]


def _raise(failure: _Failure) -> None:
    line, code, path, dialect, text = failure
    kind: Any = error_codes()[code][0]
    where = "" if path == "$" else f" - at `{path}`"
    raise kind(f"line {line}: {text}{where}", code=code, path=path, dialect=dialect)


class _Failures:
    """What is done about lines that fail."""

    def __init__(self, errors: Errors, stop: bool) -> None:
        self.call = errors if callable(errors) else None
        self.path = None if errors is None or callable(errors) else Path(os.path.realpath(errors))
        self.stop = stop

    def lines(self, failed: list[_Failure]) -> bytes:
        """What the file of errors says of them."""
        if self.path is None:
            return b""
        said = ({"line": line, "code": code, "path": path, "message": text} for line, code, path, _, text in failed)
        return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in said).encode()

    def tell(self, failed: list[_Failure]) -> None:
        """Tells whoever listens."""
        for failure in failed:
            if self.stop:
                _raise(failure)
            if self.call is not None:
                line, code, path, _, text = failure
                self.call(RowError(line, code, path, text))


def _file(
    task: str,
    given: dict[str, object],
    path: PathLike,
    out: PathLike,
    threads: int,
    errors: Errors,
    resume: bool,
    stop: bool,
    progress: Callable[[Report], object] | None,
) -> Report:
    started = time.perf_counter()
    threads, rows, failures = cores(threads), _Rows(task, given), _Failures(errors, stop)
    source, target = Path(path), Path(os.path.realpath(out))
    places = [target] if failures.path is None else [target, failures.path]
    for at, place in enumerate(places):
        if place in [Path(os.path.realpath(source)), *places[:at]]:
            text = f"expected another file to write to, got {place}, which this run reads or writes already"
            raise TurnwireError(text, code="conflicting_options")
    pack = packing(target)

    def work(block: Block) -> tuple[list[Any], list[_Failure], Counts]:
        data, count, (losses, failed) = rows.block(block.data, block.line)
        packed = pack(data) if len(data) else b""
        return [packed, failures.lines(failed)], failed, Counts(block.end, block.lines, count, len(failed), losses)

    with source.open("rb") as file:
        status = os.fstat(file.fileno())
        stream = unpacked(file, source)
        told = (task, given, os.fspath(source.resolve()), status.st_size, status.st_mtime_ns, places, __version__)
        with Beside(places, _digest(told), resume=resume) as files:
            counts = files.counts
            given_blocks = iter(()) if files.done else blocks(stream, counts.read, counts.lines)
            for pieces, failed, new in in_order(work, given_blocks, threads):
                failures.tell(failed)
                counts = Counts(new.read, new.lines, *(a + b for a, b in zip(counts[2:], new[2:], strict=True)))
                files.write(pieces[: len(places)], counts)
                if progress is not None:
                    progress(_report(counts, file.tell(), files.size, started))
            if files.size == 0 and not files.done:
                # Packed nothing is something.
                files.write([pack(b""), b""][: len(places)], counts)
    return _report(counts, status.st_size or counts.read, files.size, started)


def _digest(told: object) -> str:
    return hashlib.sha256(repr(told).encode(errors="backslashreplace")).hexdigest()


def _report(counts: Counts, bytes_in: int, bytes_out: int, started: float) -> Report:
    return Report(counts.rows, counts.failed, counts.losses, bytes_in, bytes_out, time.perf_counter() - started)


_BATCH: Final = 1 << 20
"""So many bytes of lines are taken at a time for each thread, or so many lines."""
_MOST: Final = 1 << 13


def _lines(
    task: str, given: dict[str, object], lines: Iterable[bytes], threads: int, errors: Errors, stop: bool
) -> Iterator[bytes]:
    if isinstance(lines, bytes | bytearray | str):
        raise TypeError(f"expected an iterable of bytes, got {type(lines).__name__}")
    return _each(_Rows(task, given), iter(lines), cores(threads), _Failures(errors, stop))


def _each(rows: _Rows, lines: Iterator[bytes], threads: int, failures: _Failures) -> Iterator[bytes]:
    done, lost = 0, 0
    with nullcontext() if failures.path is None else failures.path.open("wb") as file:
        while batch := list(_batch(lines, _BATCH * threads)):
            if done == 0:
                batch[0] = batch[0].removeprefix(BOM)
            payloads, (_, failed) = rows.each(batch, done + 1, threads)
            failure = {one[0]: one for one in failed}
            for number, payload in enumerate(payloads, done + 1):
                if payload is not None:
                    yield payload
                elif number in failure:
                    if file is not None:
                        file.write(failures.lines([failure[number]]))
                    failures.tell([failure[number]])
            done, lost = done + len(batch), lost + len(failed)
    if lost and failures.call is None and failures.path is None:
        logger.getChild("batch").warning("%d of %d lines failed, and errors= was not given to say why", lost, done)


def _batch(lines: Iterator[bytes], size: int) -> Iterator[bytes]:
    for taken, line in enumerate(lines, 1):
        if not isinstance(line, bytes | bytearray):
            raise TypeError(f"expected an iterable of bytes, got one with a {type(line).__name__}")
        yield line
        size -= len(line)
        if size <= 0 or taken == _MOST:
            return
