"""`turnwire repair`, `convert`, `prepare` and `truncate`: the commands that rewrite each conversation."""

from __future__ import annotations

import itertools
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Optional, cast

import typer

from turnwire import batch, convert_json, loss_codes, prepare_json
from turnwire.batch.compressed import packing
from turnwire.batch.partial_file import Beside, Counts, beside
from turnwire.batch.tasks import check_task

from . import batches, changed, check, inputs, outputs
from .before_after import compared, show
from .exit_codes import UNREADABLE
from .once import Once, Seen
from .options import At, Bytes, Column, Defaults, Dialect, From, Json, Model, Out, Paths, Rest, Results, Threads, To
from .screen import note, note_dialects, progress, table, write_json
from .way import Way

_ONE: Final = {"losses": "loss", "cuts": "cut"}
_MOST: Final = 1 << 20
"""The bytes that are written at a time."""


def repair(
    paths: Paths,
    dialect: Dialect = "auto",
    tool_results: Results = False,
    out: Out = None,
    at: At = None,
    column: Column = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> int:
    """Repair each conversation in its own dialect, without a budget, and list the changes."""
    files = inputs.find(paths, column)
    way = Way(
        batch.repair_file, batch.repair_lines, (dialect,), {"at": at, "threads": threads, "tool_results": tool_results}
    )
    read: Any = {"dialect": dialect, "at": at, "tool_results": tool_results}
    after, counted = partial(changed.listed, **read), partial(changed.repaired, **read)
    return _rewrite(files, dialect, out, way, as_json, after, counted)


def convert(
    paths: Paths,
    target: To,
    source: From = "auto",
    tool_results: Results = False,
    out: Out = None,
    strict: Annotated[bool, typer.Option("--strict", help="Lines that lose something fail.")] = False,
    reasoning: Annotated[str, typer.Option("--reasoning", help="`drop` it or make it `text` elsewhere.")] = "drop",
    rest: Rest = "caller",
    defaults: Defaults = None,
    model: Model = None,
    at: At = None,
    column: Column = None,
    threads: Threads = 0,
    as_json: Json = False,
    batch_file: Annotated[
        bool, typer.Option("--batch", help="A provider's batch file, to files that the target's batches take.")
    ] = False,
    invoke_model: Annotated[
        bool, typer.Option("--invoke-model", help="With `--batch --to bedrock`: Claude's own body, which takes tools.")
    ] = False,
) -> int:
    """Convert each conversation to another dialect, and count what it cannot express as losses."""
    if batch_file:
        others: tuple[object, ...] = (
            source != "auto",
            tool_results,
            at,
            column,
            threads,
            rest not in ("caller", "convert"),
        )
        names = ("--from", "--tool-results", "--at", "--column", "--threads", "--rest")
        refused = dict(zip(names, others, strict=True))
        given: dict[str, Any] = {"strict": strict, "reasoning": reasoning, "invoke_model": invoke_model}
        given |= {"defaults": _object(defaults), "model": model}
        return batches.convert_requests(paths, target, out, as_json=as_json, refused=refused, **given)
    if invoke_model:
        raise typer.BadParameter("it goes with --batch", param_hint="--invoke-model")
    options: dict[str, Any] = {"at": at, "threads": threads, "strict": strict, "reasoning": reasoning, "rest": rest}
    options |= {"tool_results": tool_results, "defaults": _object(defaults), "model": model}
    codes: Counter[str] = Counter()

    def begin(one: inputs.Input) -> Seen | None:
        # A converted body lists its own losses. The rows of traces exist nowhere else, so theirs are counted here.
        if one.traces is None or out is None or as_json:
            return None
        return lambda made: codes.update(loss.code for each in made for loss in each.losses)

    once = Once(convert_json, partial(check_task, source, tool_results, target, at), begin)
    way = Way(batch.convert_file, batch.convert_lines, (source, target), options, once=once)

    def after(one: inputs.Input) -> None:
        if rest == "caller":
            _left_keys(one, way)
        for code, count in codes.most_common():
            note(f"{one.name}: {count:,} {'loss' if count == 1 else 'losses'} {code}: {loss_codes()[code]}")
        codes.clear()

    return _rewrite(inputs.find(paths, column), source, out, way, as_json, after)


def prepare(
    paths: Paths,
    target: To,
    max_bytes: Annotated[
        Optional[int],  # noqa: UP045 typer reads it so on every Python
        typer.Option("--max-bytes", "-b", help="The budget, in bytes of UTF-8; none without it."),
    ] = None,
    source: From = "auto",
    tool_results: Results = False,
    max_result_bytes: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--max-result-bytes", help="What each tool result may say, in bytes of UTF-8."),
    ] = None,
    opening: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--opening", help="The user's words before an assistant that speaks first."),
    ] = None,
    difference: Annotated[
        bool, typer.Option("--diff", help="Show each conversation before and after, and write nothing.")
    ] = False,
    rest: Rest = "caller",
    defaults: Defaults = None,
    model: Model = None,
    out: Out = None,
    at: At = None,
    column: Column = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> int:
    """Repair each conversation, fit it to a budget, and write the request for a target.

    With `--diff`, the exit code is 1 if any conversation changes.
    """
    options: dict[str, Any] = {
        "source": source,
        "at": at,
        "threads": threads,
        "opening": opening,
        "tool_results": tool_results,
    }
    options |= {"max_result_bytes": max_result_bytes, "rest": rest, "defaults": _object(defaults), "model": model}
    changes: changed.Changes | None = None

    def begin(one: inputs.Input) -> Seen | None:
        nonlocal changes
        changes = changed.Changes(budget=True) if one.is_read_twice else None
        return changes.see if changes else None

    once = Once(prepare_json, partial(check_task, source, tool_results, target, at), begin)
    way = Way(batch.prepare_file, batch.prepare_lines, (target, max_bytes), options, once=once)
    if difference:
        return _differences(inputs.find(paths, column), way, as_json)

    def after(one: inputs.Input) -> None:
        if changes:
            changes.show()

    return _rewrite(inputs.find(paths, column), source, out, way, as_json, after, lambda _: changes)


def _differences(files: list[inputs.Input], way: Way, as_json: bool) -> int:
    """Shows the changes of each row, and writes nothing."""
    differs, unread = False, inputs.Unread()
    for one in files:
        with unread.told(one):
            for number, row in enumerate(one.rows(), 1):
                if not row.strip(inputs.BLANK):
                    continue
                failed: list[batch.RowError] = []
                place = f"{one.name}:{number}"
                for made in way.lines([row], *way.given, errors=failed.append, **way.options):
                    difference = compared(place, row, made)
                    differs |= _written(one.name, number, list(difference)) if as_json else show(difference)
                for error in failed:
                    differs = True
                    check.tell(one.name, one.line)(error._replace(line=number))
    return UNREADABLE if unread.count else int(differs)


def _written(name: str, line: int, difference: list[str]) -> bool:
    """Writes a difference as JSON. Returns whether there was one."""
    if difference:
        write_json({"file": name, "line": line, "diff": difference})
    return bool(difference)


def truncate(
    paths: Paths,
    max_bytes: Bytes,
    dialect: Dialect = "auto",
    tool_results: Results = False,
    split: Annotated[
        str, typer.Option("--split", help="`even` shares, or `fair`: large results get what small leave.")
    ] = "even",
    out: Out = None,
    at: At = None,
    column: Column = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> int:
    """Cut the tool results of each conversation to a budget for all of its results together."""
    options = {"dialect": dialect, "at": at, "threads": threads, "split": cast("Literal['even', 'fair']", split)}
    options["tool_results"] = tool_results
    way = Way(batch.truncate_file, batch.truncate_lines, (max_bytes,), options, counts="cuts")
    return _rewrite(inputs.find(paths, column), dialect, out, way, as_json)


def _object(text: str | None) -> dict[str, Any] | None:
    """The JSON object in an option."""
    if text is None:
        return None
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise typer.BadParameter(f"expected JSON, got {text!r}: {error}", param_hint="--defaults") from None
    if not isinstance(value, dict):
        raise typer.BadParameter(f"expected a JSON object, got {text!r}", param_hint="--defaults")
    return value


def _rewrite(
    files: list[inputs.Input],
    source: str,
    out: str | None,
    way: Way,
    as_json: bool,
    after: Callable[[inputs.Input], None] | None = None,
    counted: Callable[[inputs.Input], changed.Changes | None] | None = None,
) -> int:
    """Writes what becomes of each input, and then reports on it.

    `after` prints a report on stdout. If stdout has the rows or JSON, what `counted` counts is printed instead.
    """
    if as_json and out is None:
        raise TypeError("--json needs --out, because the converted lines go to stdout")
    places = outputs.places(files, out) if out is not None else [None] * len(files)
    failed = False
    named: set[str] = set()
    unread = inputs.Unread()
    reports: list[tuple[str, batch.Report, dict[str, Any]]] = []
    for one, place in zip(files, places, strict=True):
        count: Counter[str] = Counter()
        with unread.told(one):
            if source == "auto":
                named.update(one.dialects(way.options.get("at")) or ["an unknown format"])
            errors = _counted(check.tell(one.name, one.line), count)
            if place is None:
                if many := _to_stdout(one, way, errors):
                    note(f"{one.name}: {many:,} {way.counts if many > 1 else _ONE[way.counts]}")
                if counted is not None and (changes := counted(one)):
                    changes.show(aside=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                report = _to_file(one, place, way, errors, count)
                more: dict[str, Any] = {}
                if as_json and counted is not None:
                    more = {"changes": changes.fields() if (changes := counted(one)) else None}
                reports.append((one.name, report, more))
                if after is not None and not as_json:
                    after(one)
        failed |= count["failed"] > 0
    if named:
        note_dialects(named)
    _show(reports, as_json, way.counts)
    return UNREADABLE if unread.count else int(failed)


def _to_stdout(one: inputs.Input, way: Way, errors: Any) -> int:
    """Writes the rows to stdout. Returns how many losses or cuts they had."""
    made = way.made(one.rows(), errors, way.once and way.once.begin(one))
    while True:
        try:
            line = next(made)
        except StopIteration as end:
            sys.stdout.buffer.flush()
            return cast("int", end.value)
        sys.stdout.buffer.write(_on_one_line(line))


def _to_file(one: inputs.Input, place: Path, way: Way, errors: Any, count: Counter[str]) -> batch.Report:
    try:
        seen, is_lines = way.once and way.once.begin(one), one.is_lines
        with progress(one.path if is_lines else None) as read:
            if is_lines and seen is None:
                options = {"errors": errors, "progress": lambda report: read(report.bytes_in), **way.options}
                return way.file(one.path, place, *way.given, **options)
            return _rows_to_file(one, place, way, errors, count, seen, read)
    except OSError as error:
        hidden = [None, *(os.path.realpath(beside(place, suffix)) for suffix in (".part", ".part.log"))]
        if error.filename in hidden:
            error.filename = str(place)
        raise


def _rows_to_file(
    one: inputs.Input,
    place: Path,
    way: Way,
    errors: Any,
    count: Counter[str],
    seen: Seen | None,
    read: Callable[[int], object],
) -> batch.Report:
    started = time.perf_counter()
    rows = bytes_in = 0
    pack = packing(place)

    def given() -> Iterator[bytes]:
        nonlocal bytes_in
        for row in one.rows(read):
            bytes_in += len(row) + 1
            yield row

    with Beside([Path(os.path.realpath(place))], "", resume=False) as file:
        made, held, losses = way.made(given(), errors, seen), bytearray(), 0
        while True:
            try:
                held += _on_one_line(next(made))
                rows += 1
            except StopIteration as end:
                losses = end.value
                file.write([pack(bytes(held))], Counts())
                break
            if len(held) > _MOST:
                file.write([pack(bytes(held))], Counts())
                held.clear()
    if one.path is not None and one.path.is_file():
        bytes_in = one.path.stat().st_size
    seconds = time.perf_counter() - started
    return batch.Report(rows + count["failed"], count["failed"], losses, bytes_in, file.size, seconds)


def _on_one_line(row: bytes) -> bytes:
    """A row as one line. A cell of a column may have line ends, which are white space in JSON."""
    return (b" ".join(row.splitlines()) if b"\n" in row or b"\r" in row else row) + b"\n"


def _counted(tell: Callable[[batch.RowError], None], count: Counter[str]) -> Callable[[batch.RowError], None]:
    def say(error: batch.RowError) -> None:
        count["failed"] += 1
        tell(error)

    return say


def _show(reports: list[tuple[str, batch.Report, dict[str, Any]]], as_json: bool, counts: str) -> None:
    """Shows the report of each input. `counts` names what the report counts as losses."""
    for name, report, more in reports:
        if as_json:
            fields = {counts if key == "losses" else key: getattr(report, key) for key in report.__dataclass_fields__}
            write_json({"file": name} | fields | more)
    if reports and not as_json:
        columns = ("rows", "failed", "losses", "bytes_in", "bytes_out")
        shown = ([name, *(getattr(report, key) for key in columns)] for name, report, _ in reports)
        names = [counts if column == "losses" else column.replace("_", " ") for column in columns]
        table(("file", *names), shown, right=names)


def _left_keys(one: inputs.Input, way: Way) -> None:
    """Says which other keys of the first body were left out, such as a grader's answer."""
    if not one.is_read_twice or one.traces is not None:
        return
    rows = [*itertools.islice(one.rows(), 1)]
    options = {**way.options, "errors": lambda _: None}
    kept, left = ([*way.lines(rows, *way.given, **{**options, "rest": rest})] for rest in ("keep", "caller"))
    if kept and left:
        made = json.loads(left[0])
        keys = [key for key in json.loads(kept[0]) if key not in made]
        if keys:
            note(f"{one.name}: left out of the first body: {', '.join(keys)}; --rest keep copies such keys")
