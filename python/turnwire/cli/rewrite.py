"""`turnwire repair`, `convert`, `prepare` and `truncate`: the commands that rewrite each conversation."""

from __future__ import annotations

from argparse import Namespace
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, cast

from turnwire import batch, loss_codes, prepare_json
from turnwire._core import Rendered
from turnwire.batch.tasks import convert_task, prepare_task, repair_task, truncate_task
from turnwire.names import DialectName, SourceName

from . import batches, changed, inputs
from .before_after import differences
from .losses import is_another
from .once import Once
from .screen import note
from .usage_error import UsageError
from .way import Way
from .writing import rewrite


def repair(given: Namespace) -> int:
    """Repairs each conversation in its own dialect, without a budget, and lists the changes."""
    files = inputs.find(given.paths, given.column)
    task = repair_task("repair", given.source, given.tool_results, given.at, "keep", given.row, {})
    read: Any = {"dialect": given.source, "at": given.at, "tool_results": given.tool_results, "row": given.row}
    counted = partial(changed.repaired, **read)

    def after(one: inputs.Input, _: batch.Report) -> None:
        changed.listed(one, **read)

    return rewrite(files, given.source, given.at, given.out, Way(task, given.threads), given.json, after, counted)


def convert(given: Namespace) -> int:
    """Converts each conversation to another dialect, and counts what it cannot express as losses."""
    if given.batch:
        return batches.convert_requests(given)
    if given.invoke_model:
        raise UsageError("--invoke-model goes with --batch")
    options = {name: getattr(given, name) for name in ("strict", "reasoning", "tool_results", "defaults", "model")}
    asked: Any = {key: value for key, value in options.items() if value is not None}
    task = convert_task("convert", given.source, given.target, given.at, given.rest, given.row, asked)

    def after(one: inputs.Input, report: batch.Report) -> None:
        # A converted body lists its own losses. The rows of traces exist nowhere else.
        for code, count in report.codes.items() if one.traces is not None else ():
            note(f"{one.name}: {count:,} {'loss' if count == 1 else 'losses'} {code}: {loss_codes()[code]}")

    files = inputs.find(given.paths, given.column)
    way = Way(task, given.threads)
    with ExitStack() as stack:
        file = None
        if given.losses is not None:
            is_another(given.losses, files, given.out)
            file = stack.enter_context(Path(given.losses).open("w", encoding="utf-8"))
        return rewrite(files, given.source, given.at, given.out, way, given.json, after, losses=file, tells_left=True)


def prepare(given: Namespace) -> int:
    """Repairs each conversation, fits it to a budget, and writes the request for a target.

    With `--diff`, the exit code is 1 if any conversation changes.
    """
    options = {name: getattr(given, name) for name in ("opening", "max_result_bytes", "defaults", "model")}
    asked: Any = {key: value for key, value in options.items() if value is not None}
    most, rest = given.max_bytes, given.rest
    task = prepare_task(
        *("prepare", given.source, given.tool_results, given.target, given.at),
        *(most, None, None, rest, given.row, asked),
    )
    files = inputs.find(given.paths, given.column)
    if given.diff:
        return differences(files, task, given.json)
    changes: dict[str, changed.Changes] = {}
    alone: Any = {"tool_results": given.tool_results, **asked}

    def payload(inside: bytes, source: str, is_row: bool) -> Rendered[bytes]:
        own: Any = rest or ("keep" if is_row else "caller")
        name = cast("DialectName", given.target)
        read = cast("SourceName", source)
        return prepare_json(inside, target=name, max_bytes=most, source=read, rest=own, row=is_row, **alone)

    def way(one: inputs.Input) -> Way:
        if not one.is_read_twice:
            return Way(task, given.threads)
        changes[one.name] = changed.Changes(budget=True)
        return Way(task, given.threads, once=Once(payload, task, changes[one.name].see))

    def after(one: inputs.Input, _: batch.Report) -> None:
        if one.name in changes:
            changes[one.name].show()

    def counted(one: inputs.Input) -> changed.Changes | None:
        return changes.get(one.name)

    return rewrite(files, given.source, given.at, given.out, way, given.json, after, counted, tells_left=True)


def truncate(given: Namespace) -> int:
    """Cuts the tool results of each conversation to a budget for all of its results together."""
    task = truncate_task(
        *(given.source, given.tool_results, given.at, given.max_bytes, None, given.split, "keep", given.row)
    )
    way = Way(task, given.threads, counts="cuts")
    return rewrite(inputs.find(given.paths, given.column), given.source, given.at, given.out, way, given.json)
