"""The functions of `turnwire.batch`: one for files and one for streams of lines, for each job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import DialectName, End, HistoryOptions, SettingsChoice, SourceName, TargetName

from .engine import Errors, PathLike, Progress, Report, run_file, run_lines
from .tasks import ConvertOptions, build_task, check_task, convert_task, truncate_task

__all__ = [
    "check_file",
    "check_lines",
    "convert_file",
    "convert_lines",
    "prepare_file",
    "prepare_lines",
    "truncate_file",
    "truncate_lines",
]


@spelled_out
def convert_file(
    path: PathLike,
    out: PathLike,
    target: DialectName,
    *,
    source: SourceName = "auto",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Progress = None,
    **options: Unpack[ConvertOptions],
) -> Report:
    """Convert each row of a file, as `convert_json` does, and write the results as lines of another file.

    The rows keep their order. Rows that fail are left out and do not stop the run. Blank lines are skipped. The
    output has a temporary name until it is complete, so no reader sees half of it. Memory grows with the number of
    threads and the longest row, not with the file.

    Args:
        path: The file to read: JSON Lines with LF or CRLF, with or without a byte order mark, plain or packed by gzip
            or (with the extra `zstd`) zstd. The first bytes tell which. Other documents are read by their rows: each
            item of a list of bodies, rows or lists of messages, also under a key such as `samples`; a message a line,
            or a stored history, as one conversation; cells of Parquet (extra `arrow`); the conversations of traces.
        out: The file to write. It is packed if its name ends in `.gz` or `.zst`. A pipe or a device is written to
            directly, and such a run cannot be resumed.
        target: The dialect to write.
        source: The dialect of each line, or `"auto"`.
        threads: The number of threads; 0 for one on each core.
        at: The key of the conversation in a row, or several keys with dots between (`"response.body"`); `"$"` is the
            line itself. A step into a list goes into each item, which is a row of its own. JSON in a text is read, and
            written as text again. Everything around it is written unchanged, byte for byte. None finds it: `body` or
            `params` beside a `custom_id` (batch requests, also in a list of `requests`), `conversation` or `traj` (data
            sets), a prompt with its completions (training rows, which are written in the target's layout), each element
            of a list of such rows, or else the line itself.
        errors: Where to report failing rows: a file of JSON Lines (`line`, `code`, `path`, `message`), or a function
            that is called with a `RowError`.
        resume: Continue an interrupted run of the same job. If this run is interrupted, keep what the next one needs.
            The file is the same as that of an uninterrupted run, byte for byte.
        stop: Raise at the first row that fails.
        progress: A function that is called with a `Report` of what is done so far.
        options: Those of `convert_json`. Without `settings`, the settings of a request are converted, and a row keeps
            its other keys. Without `end`, each line decides whether it is a row of training data. A row may end with
            calls or with the assistant's text, and gets nothing that only a server needs. A line with a label of its
            own (`completion`, `chosen`, `preferred_output`) is a row, and one in a dialect that is only stored, or for
            a target that is. So is a body that ends with the assistant and has no key that only requests have, such as
            `model`; but not for `prepare` and `check`, if they name a provider as the target.

    Raises:
        TurnwireError: `unknown_option`; `conflicting_options` for an output that is an input, or that another run
            writes; `damaged_file` for a packed file that cannot be unpacked, after the lines before the damage;
            `out_of_range` for `threads` below 0; with `stop`, the error of the line.
        UnknownDialectError: `unknown_dialect`.
        OSError: A file cannot be read or written.
        ImportError: The file is packed by zstd, and the extra is not installed.
    """
    task = convert_task("convert_file", source, target, at, options)
    return run_file(task, path, out, threads, errors, resume, stop, progress)


@spelled_out
def convert_lines(
    lines: Iterable[bytes],
    target: DialectName,
    *,
    source: SourceName = "auto",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    stop: bool = False,
    **options: Unpack[ConvertOptions],
) -> Iterator[bytes]:
    """The same for any iterable of lines, lazily: yields bytes without a line end for each line that did not fail.

    It takes enough lines at a time to keep the threads busy. Without `errors`, the number of failed lines is logged as
    a warning at the end. The other arguments are those of `convert_file`.

    Raises:
        TurnwireError: `unknown_option`; `out_of_range` for `threads` below 0; with `stop`, the error of the line.
        UnknownDialectError: `unknown_dialect`.
    """
    task = convert_task("convert_lines", source, target, at, options)
    return run_lines(task, lines, threads, errors, stop)


@spelled_out
def check_file(
    path: PathLike,
    out: PathLike,
    target: TargetName = "same",
    budget: int | Budget | None = None,
    *,
    source: SourceName = "auto",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Progress = None,
    **options: Unpack[HistoryOptions],
) -> Report:
    """Check each line of a file, as `check` does, and write one JSON object in a line for each change.

    Each object has `kind`, `code`, `severity`, `path`, `reason` and `action` of the change, `id` if there is one, and
    the number of the `line`. A line that cannot be read has failed.

    The options are those of `check`, the same for each line. The other arguments and the errors are those of
    `convert_file`; `Budget` is as in `prepare_file`.
    """
    task = check_task("check_file", source, target, at, budget, options)
    return run_file(task, path, out, threads, errors, resume, stop, progress)


@spelled_out
def check_lines(
    lines: Iterable[bytes],
    target: TargetName = "same",
    budget: int | Budget | None = None,
    *,
    source: SourceName = "auto",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    stop: bool = False,
    **options: Unpack[HistoryOptions],
) -> Iterator[bytes]:
    """The same for any iterable of lines, lazily: yields a JSON list of changes for each line that can be read."""
    task = check_task("check_lines", source, target, at, budget, options)
    return run_lines(task, lines, threads, errors, stop)


@spelled_out
def prepare_file(
    path: PathLike,
    out: PathLike,
    target: TargetName = "same",
    budget: int | Budget | None = None,
    *,
    source: SourceName = "auto",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Progress = None,
    **options: Unpack[HistoryOptions],
) -> Report:
    """Prepare each line of a file, as `prepare_json` does: repair it, fit it to the budget, and write it for `target`.

    With the target `"same"`, each line is repaired in its own dialect, which is the one that `detect` finds. A line
    that needs no repair is written unchanged, the body's other keys included.

    The options are those of `prepare_json`, the same for each line. The other arguments are those of `convert_file`.
    `Budget.count` is called from several threads; an exception of it ends the run. `on_cut` is not called in files.
    """
    task = build_task("prepare_file", source, target, at, budget, options)
    return run_file(task, path, out, threads, errors, resume, stop, progress)


@spelled_out
def prepare_lines(
    lines: Iterable[bytes],
    target: TargetName = "same",
    budget: int | Budget | None = None,
    *,
    source: SourceName = "auto",
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    stop: bool = False,
    **options: Unpack[HistoryOptions],
) -> Iterator[bytes]:
    """The same for any iterable of lines, lazily: one bytes for each that did not fail."""
    task = build_task("prepare_lines", source, target, at, budget, options)
    return run_lines(task, lines, threads, errors, stop)


def truncate_file(
    path: PathLike,
    out: PathLike,
    max_bytes: int,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    suffix: str | None = None,
    split: Literal["even", "fair"] = "even",
    settings: SettingsChoice = "keep",
    end: End | None = None,
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    resume: bool = False,
    stop: bool = False,
    progress: Progress = None,
) -> Report:
    """Cut the tool results of each line of a file, as `truncate_tool_results` does, to `max_bytes` for all of a line.

    Everything else is written unchanged, and so is a line whose results fit (with `settings="omit"`, without the
    body's other keys). Each cut is counted with the code `cut_result`. With `"auto"`, each line is in the dialect that
    `detect` finds. The other arguments are those of `convert_file`.
    """
    task = truncate_task(source, tool_results, at, max_bytes, suffix, split, settings, end)
    return run_file(task, path, out, threads, errors, resume, stop, progress)


def truncate_lines(
    lines: Iterable[bytes],
    max_bytes: int,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    suffix: str | None = None,
    split: Literal["even", "fair"] = "even",
    settings: SettingsChoice = "keep",
    end: End | None = None,
    threads: int = 0,
    at: str | None = None,
    errors: Errors = None,
    stop: bool = False,
) -> Iterator[bytes]:
    """The same for any iterable of lines, lazily: one bytes for each that did not fail."""
    task = truncate_task(source, tool_results, at, max_bytes, suffix, split, settings, end)
    return run_lines(task, lines, threads, errors, stop)
