"""`turnwire repair`, `convert`, `prepare` and `truncate`: the commands that rewrite each conversation."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, Annotated, Any, Final, Literal, Optional, cast

import typer

from turnwire import batch, loss_codes, prepare_json
from turnwire._core import Rendered
from turnwire.batch.blocks import Block
from turnwire.batch.engine import made_of, write_rows
from turnwire.batch.partial_file import Counts, beside
from turnwire.batch.tasks import Rest as RestOption
from turnwire.batch.tasks import convert_task, prepare_task, repair_task, truncate_task
from turnwire.errors import TurnwireError
from turnwire.names import DialectName, SourceName

from . import batches, changed, check, inputs, outputs
from .before_after import compared, show
from .exit_codes import UNREADABLE
from .once import Once
from .options import (
    At,
    Bytes,
    Column,
    Defaults,
    Dialect,
    From,
    Json,
    Model,
    Out,
    Paths,
    Rest,
    Results,
    Row,
    Threads,
    To,
)
from .screen import by_code, note, note_dialects, note_left, progress, table, write_json
from .way import Way

_ONE: Final = {"losses": "loss", "cuts": "cut"}
Losses = Annotated[
    Optional[str],  # noqa: UP045 typer reads it so on every Python
    typer.Option("--losses", help="A file for each loss: its line, path, code and reason, as JSON Lines."),
]


def repair(
    paths: Paths,
    dialect: Dialect = "auto",
    tool_results: Results = False,
    row: Row = None,
    out: Out = None,
    at: At = None,
    column: Column = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> int:
    """Repair each conversation in its own dialect, without a budget, and list the changes."""
    files = inputs.find(paths, column)
    way = Way(repair_task("repair", dialect, tool_results, at, "keep", row, {}), threads)
    read: Any = {"dialect": dialect, "at": at, "tool_results": tool_results, "row": row}
    counted = partial(changed.repaired, **read)

    def after(one: inputs.Input, _: batch.Report) -> None:
        changed.listed(one, **read)

    return _rewrite(files, dialect, at, out, way, as_json, after, counted)


def convert(
    paths: Paths,
    target: To,
    source: From = "auto",
    tool_results: Results = False,
    out: Out = None,
    losses: Losses = None,
    strict: Annotated[bool, typer.Option("--strict", help="Lines that lose something fail.")] = False,
    reasoning: Annotated[str, typer.Option("--reasoning", help="`drop` it or make it `text` elsewhere.")] = "drop",
    rest: Rest = None,
    row: Row = None,
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
            rest not in (None, "caller", "convert"),
            row is not None,
            losses,
        )
        names = ("--from", "--tool-results", "--at", "--column", "--threads", "--rest", "--row", "--losses")
        refused = dict(zip(names, others, strict=True))
        given: dict[str, Any] = {"strict": strict, "reasoning": reasoning, "invoke_model": invoke_model}
        given |= {"defaults": _object(defaults), "model": model}
        return batches.convert_requests(paths, target, out, as_json=as_json, refused=refused, **given)
    if invoke_model:
        raise typer.BadParameter("it goes with --batch", param_hint="--invoke-model")
    options: dict[str, Any] = {"strict": strict, "reasoning": reasoning, "tool_results": tool_results}
    options |= {"defaults": _object(defaults), "model": model}
    asked: Any = {key: value for key, value in options.items() if value is not None}
    way = Way(convert_task("convert", source, target, at, cast("RestOption | None", rest), row, asked), threads)

    def after(one: inputs.Input, report: batch.Report) -> None:
        # A converted body lists its own losses. The rows of traces exist nowhere else.
        for code, count in report.codes.items() if one.traces is not None else ():
            note(f"{one.name}: {count:,} {'loss' if count == 1 else 'losses'} {code}: {loss_codes()[code]}")

    files = inputs.find(paths, column)
    with ExitStack() as stack:
        file = None
        if losses is not None:
            _is_another(losses, files, out)
            file = stack.enter_context(Path(losses).open("w", encoding="utf-8"))
        return _rewrite(files, source, at, out, way, as_json, after, losses=file, tells_left=True)


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
    rest: Rest = None,
    row: Row = None,
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
    options: dict[str, Any] = {"opening": opening, "max_result_bytes": max_result_bytes}
    options |= {"defaults": _object(defaults), "model": model}
    given: Any = {key: value for key, value in options.items() if value is not None}
    kept = cast("RestOption | None", rest)
    task = prepare_task("prepare", source, tool_results, target, at, max_bytes, None, None, kept, row, given)
    files = inputs.find(paths, column)
    if difference:
        return _differences(files, Way(task, threads), as_json)
    changes: dict[str, changed.Changes] = {}
    alone: Any = {"tool_results": tool_results, **given}

    def payload(inside: bytes, source: str, is_row: bool) -> Rendered[bytes]:
        own: Any = rest or ("keep" if is_row else "caller")
        name = cast("DialectName", target)
        read = cast("SourceName", source)
        return prepare_json(inside, target=name, max_bytes=max_bytes, source=read, rest=own, row=is_row, **alone)

    def way(one: inputs.Input) -> Way:
        if not one.is_read_twice:
            return Way(task, threads)
        changes[one.name] = changed.Changes(budget=True)
        return Way(task, threads, once=Once(payload, task, changes[one.name].see))

    def after(one: inputs.Input, _: batch.Report) -> None:
        if one.name in changes:
            changes[one.name].show()

    return _rewrite(files, source, at, out, way, as_json, after, lambda one: changes.get(one.name), tells_left=True)


def _differences(files: list[inputs.Input], way: Way, as_json: bool) -> int:
    """Shows the changes of each row, and writes nothing."""
    differs, unread = False, inputs.Unread()
    for one in files:
        with unread.told(one):
            for row in one.rows(way.task.rows):
                block = Block(memoryview(row.data), row.alone, row.line, 0, 0, lambda: None, row.fault)
                made = made_of(block, way.task)
                place = f"{one.name}:{row.line}"
                for line in bytes(made.data).splitlines():
                    difference = compared(place, row.data, line)
                    differs |= _written(one.name, row.line, list(difference)) if as_json else show(difference)
                for number, code, path, _, text in made.failed:
                    differs = True
                    check.tell(one.name)(batch.RowError(number, code, path, text))
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
    row: Row = None,
    out: Out = None,
    at: At = None,
    column: Column = None,
    threads: Threads = 0,
    as_json: Json = False,
) -> int:
    """Cut the tool results of each conversation to a budget for all of its results together."""
    shares = cast("Literal['even', 'fair']", split)
    way = Way(truncate_task(dialect, tool_results, at, max_bytes, None, shares, "keep", row), threads, counts="cuts")
    return _rewrite(inputs.find(paths, column), dialect, at, out, way, as_json)


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
    at: str | None,
    out: str | None,
    way: Way | Callable[[inputs.Input], Way],
    as_json: bool,
    after: Callable[[inputs.Input, batch.Report], None] | None = None,
    counted: Callable[[inputs.Input], changed.Changes | None] | None = None,
    losses: IO[str] | None = None,
    *,
    tells_left: bool = False,
) -> int:
    """Writes what becomes of each input, and then reports on it.

    `after` prints a report on stdout. If stdout has the rows or JSON, what `counted` counts is printed instead. Each
    loss is written to `losses`.
    """
    if as_json and out is None:
        raise typer.BadParameter("--json needs --out, because the converted lines go to stdout")
    places = outputs.places(files, out) if out is not None else [None] * len(files)
    failed, counts = False, "losses"
    named: set[str] = set()
    unread = inputs.Unread()
    reports: list[tuple[str, batch.Report, dict[str, Any]]] = []
    for one, place in zip(files, places, strict=True):
        with unread.told(one):
            if source == "auto":
                named.update(one.dialects(at))
            one_way = way(one) if callable(way) else way
            counts = one_way.counts
            if losses is not None:
                one_way.losses = partial(_write_loss, losses, one.name)
            if place is None:
                report = _to_stdout(one, one_way)
                if many := report.losses:
                    note(f"{one.name}: {many:,} {counts if many > 1 else _ONE[counts]}{_by_code(report, counts, ': ')}")
                if counted is not None and (changes := counted(one)):
                    changes.show(aside=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                report = _to_file(one, place, one_way)
                more: dict[str, Any] = {}
                if as_json and counted is not None:
                    more = {"changes": changes.fields() if (changes := counted(one)) else None}
                reports.append((one.name, report, more))
                if after is not None and not as_json:
                    after(one, report)
            if tells_left:
                note_left(one.name, report.left_keys, "; --rest keep copies such keys")
            failed |= report.failed > 0 or one.has_nothing
    if named:
        note_dialects(named)
    _show(reports, as_json, counts, tells_left=tells_left)
    return UNREADABLE if unread.count else int(failed)


def _to_stdout(one: inputs.Input, way: Way) -> batch.Report:
    """Writes the rows to stdout."""
    tell, counts = check.tell(one.name), Counts()
    for made in way.made(one.blocks(way.task.rows)):
        for line, code, path, _, text in made.failed:
            tell(batch.RowError(line, code, path, text))
        counts = counts.and_then(made.counts)
        sys.stdout.buffer.write(made.data)
    sys.stdout.buffer.flush()
    return batch.Report(counts.rows, counts.failed, counts.losses, 0, 0, 0.0, dict(counts.codes), dict(counts.left))


def _to_file(one: inputs.Input, place: Path, way: Way) -> batch.Report:
    is_plain = one.is_file and not one.is_parquet and one.traces is None
    try:
        with progress(one.path if is_plain else None) as read:
            making = None if way.once is None and way.losses is None else way.made
            return write_rows(one, way.task, place, way.threads, check.tell(one.name), read=read, making=making)
    except OSError as error:
        hidden = [None, *(os.path.realpath(beside(place, suffix)) for suffix in (".part", ".part.log"))]
        if error.filename in hidden:
            error.filename = str(place)
        raise


def _is_another(losses: str, files: list[inputs.Input], out: str | None) -> None:
    """Refuses to write losses to what is read or written otherwise."""
    others = [one.path for one in files if one.path is not None]
    others += [] if out is None else outputs.places(files, out)
    if os.path.realpath(losses) in map(os.path.realpath, others):
        text = f"expected another file for the losses, got {losses}, which this run reads or writes"
        raise TurnwireError(text, code="conflicting_options")


def _write_loss(file: IO[str], name: str, loss: tuple[int, str, str, str]) -> None:
    line, path, code, reason = loss
    said = {"file": name, "line": line, "path": path, "code": code, "reason": reason}
    file.write(json.dumps(said, ensure_ascii=False) + "\n")


def _by_code(report: batch.Report, counts: str, before: str = "") -> str:
    """How many losses there are of each code. Cuts have only one."""
    said = by_code(report.codes) if counts == "losses" else ""
    return before + said if said else ""


def _show(
    reports: list[tuple[str, batch.Report, dict[str, Any]]], as_json: bool, counts: str, *, tells_left: bool
) -> None:
    """Shows the report of each input. `counts` names what the report counts as losses."""
    keys = ("rows", "failed", "losses", "bytes_in", "bytes_out", "seconds")
    for name, report, more in reports:
        if as_json:
            fields = {counts if key == "losses" else key: getattr(report, key) for key in keys}
            told: dict[str, Any] = {"loss_codes": report.codes} if counts == "losses" else {}
            told |= {"left_keys": report.left_keys} if tells_left else {}
            write_json({"file": name} | fields | told | more)
    if reports and not as_json:
        columns = keys[:-1]
        shown = ([name, *(getattr(report, key) for key in columns)] for name, report, _ in reports)
        names = [counts if column == "losses" else column.replace("_", " ") for column in columns]
        table(("file", *names), shown, right=names)
        for name, report, _ in reports:
            if said := _by_code(report, counts):
                print(said if len(reports) == 1 else f"{name}: {said}")
