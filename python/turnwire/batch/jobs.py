"""The functions of `turnwire.batch`: for files and for streams of lines, one pair for each job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Unpack

from turnwire.names import DialectName, SourceName
from turnwire.options import Options

from .engine import Errors, PathLike, Progress, Report, run_file, run_lines
from .tasks import ConvertOptions, RepairOptions, check_task, convert_task, prepare_task, repair_task, truncate_task

__all__ = [
    "check_file",
    "check_lines",
    "convert_file",
    "convert_lines",
    "prepare_file",
    "prepare_lines",
    "repair_file",
    "repair_lines",
    "truncate_file",
    "truncate_lines",
]


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
    progress: Progress = None,
    **options: Unpack[ConvertOptions],
) -> Report:
    """Convert each line of a file, as `convert_json` does, and write what comes of it as a line of another file.

    The lines keep their order; those that fail are left out and do not stop the run. A blank line is not a row. The
    file is written beside its place and renamed when it is complete, so no reader sees half of it. Memory does not grow
    with the file, but with the number of threads and the longest line.

    Args:
        path: JSON Lines, each ending in LF or CRLF, with or without a byte order mark, packed by gzip or (with the
            extra `zstd`) by zstd: its first bytes tell.
        out: Where to write. A name that ends in `.gz` or `.zst` is packed. What is no plain file, such as a pipe, is
            written to as it is, and cannot be resumed.
        source: The dialect of each line, or `"auto"`.
        target: The dialect to write.
        threads: How many; 0 for as many as there are cores to use.
        at: Where in a line the conversation is: a key, or several with dots between (`"response.body"`), `"$"` for the
            line itself. What is around it is written unchanged, byte for byte. None finds it by itself: `body` or
            `params` beside a `custom_id` (requests of a batch, also in a list of `requests`), `conversation` or `traj`
            (data sets), a prompt with its completions (training rows, which are written in the target's layout), each
            of a list of such rows, else the line itself.
        errors: Where lines go that fail: a file of JSON Lines (`line`, `code`, `path`, `message`), or a function that
            is called with a `RowError`.
        resume: Go on where a run of the same job was broken off, and if this one is, leave what the next needs. The
            file is the same as that of an unbroken run, byte for byte.
        stop: Raise at the first line that fails.
        progress: A function that is called with a `Report` of what is done so far.
        options: Those of `convert_json`; `rest="keep"` keeps the other keys of a body, which cannot be joined again
            once they are gone from the file.

    Raises:
        TurnwireError: `unknown_option`; `conflicting_options` for an output that is an input, or that another run
            writes; `damaged_file` for a packed file that cannot be unpacked, once the lines before the damage have
            been looked at; `out_of_range` for `threads` below 0; with `stop`, what a line fails
            with.
        UnknownDialectError: `unknown_dialect`.
        OSError: A file that cannot be read or written, as Python raises it.
        ImportError: zstd without its extra.
    """
    task = convert_task("convert_file", source, target, at, options)
    return run_file(task, path, out, threads, errors, resume, stop, progress)


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
    return run_lines(convert_task("convert_lines", source, target, at, options), lines, threads, errors, stop)


def check_file(
    path: PathLike,
    out: PathLike,
    dialect: SourceName = "auto",
    target: DialectName | None = None,
    *,
    tool_results: bool = False,
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Progress = None,
) -> Report:
    """Check each line of a file, as `check` does, and write what is found: a JSON object a line for each finding.

    It has the finding's own attributes: `code`, `severity`, `path`, `message`, `would`, and `id` where there is one;
    and `line`. The report counts findings as losses; lines that cannot be read at all have failed.

    Args and errors are those of `convert_file`.
    """
    return run_file(check_task(dialect, tool_results, target, at), path, out, threads, errors, resume, stop, progress)


def check_lines(
    lines: Iterable[bytes],
    dialect: SourceName = "auto",
    target: DialectName | None = None,
    *,
    tool_results: bool = False,
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    stop: bool = False,
) -> Iterator[bytes]:
    """The same for any iterable of lines, lazily: for each that can be read, a JSON list of its findings."""
    return run_lines(check_task(dialect, tool_results, target, at), lines, threads, errors, stop)


def repair_file(
    path: PathLike,
    out: PathLike,
    dialect: SourceName = "auto",
    *,
    tool_results: bool = False,
    rest: Literal["caller", "keep", "convert"] = "keep",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Progress = None,
    **options: Unpack[RepairOptions],
) -> Report:
    """Repair each line of a file: built without a budget for the dialect that it is in, and written in it again.

    A line that needs no repair is written unchanged, and the body's other keys always are, unless `rest` says
    `"caller"`. With `"auto"` each line is in the dialect that `detect` finds. Options are those of
    `MessageBuilder.build`; all else is as in `convert_file`.
    """
    task = repair_task("repair_file", dialect, tool_results, at, rest, options)
    return run_file(task, path, out, threads, errors, resume, stop, progress)


def repair_lines(
    lines: Iterable[bytes],
    dialect: SourceName = "auto",
    *,
    tool_results: bool = False,
    rest: Literal["caller", "keep", "convert"] = "keep",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    stop: bool = False,
    **options: Unpack[RepairOptions],
) -> Iterator[bytes]:
    """The same for any iterable of lines, lazily: one bytes for each that did not fail."""
    task = repair_task("repair_lines", dialect, tool_results, at, rest, options)
    return run_lines(task, lines, threads, errors, stop)


def prepare_file(
    path: PathLike,
    out: PathLike,
    target: DialectName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    rest: Literal["caller", "keep", "convert"] = "caller",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Progress = None,
    **options: Unpack[Options],
) -> Report:
    """Prepare each line of a file, as `prepare_json` does: read, repaired, fitted to the budget, written for `target`.

    Options are those of `prepare_json`, the same for each line, and `rest`; all else is as in `convert_file`. A counter
    of tokens is asked from several threads; what it raises ends the run.
    """
    task = prepare_task("prepare_file", source, tool_results, target, at, max_bytes, system, tools, rest, options)
    return run_file(task, path, out, threads, errors, resume, stop, progress)


def prepare_lines(
    lines: Iterable[bytes],
    target: DialectName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    rest: Literal["caller", "keep", "convert"] = "caller",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    stop: bool = False,
    **options: Unpack[Options],
) -> Iterator[bytes]:
    """The same for any iterable of lines, lazily: one bytes for each that did not fail."""
    task = prepare_task("prepare_lines", source, tool_results, target, at, max_bytes, system, tools, rest, options)
    return run_lines(task, lines, threads, errors, stop)


def truncate_file(
    path: PathLike,
    out: PathLike,
    max_bytes: int,
    *,
    dialect: SourceName = "auto",
    tool_results: bool = False,
    suffix: str | None = None,
    split: Literal["even", "fair"] = "even",
    rest: Literal["caller", "keep", "convert"] = "keep",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Progress = None,
) -> Report:
    """Cut the tool results of each line of a file, as `truncate_tool_results` does, to `max_bytes` for all of a line.

    Everything else is written unchanged, and so is a line whose results fit (with `rest="caller"` without the body's
    other keys). What was cut is counted as a loss of code `cut`. With `"auto"` each line is in the dialect that
    `detect` finds. All else is as in `convert_file`.
    """
    task = truncate_task(dialect, tool_results, at, max_bytes, suffix, split, rest)
    return run_file(task, path, out, threads, errors, resume, stop, progress)


def truncate_lines(
    lines: Iterable[bytes],
    max_bytes: int,
    *,
    dialect: SourceName = "auto",
    tool_results: bool = False,
    suffix: str | None = None,
    split: Literal["even", "fair"] = "even",
    rest: Literal["caller", "keep", "convert"] = "keep",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    stop: bool = False,
) -> Iterator[bytes]:
    """The same for any iterable of lines, lazily: one bytes for each that did not fail."""
    return run_lines(
        truncate_task(dialect, tool_results, at, max_bytes, suffix, split, rest), lines, threads, errors, stop
    )
