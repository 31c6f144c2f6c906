"""Writes what becomes of each input of a command, to files or to stdout, and then reports on it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, Any, Final

from turnwire import batch
from turnwire.batch.engine import write_rows
from turnwire.batch.partial_file import Counts, beside

from . import changed, check, inputs, outputs
from .exit_codes import UNREADABLE
from .losses import write_loss
from .progress import progress
from .screen import note, note_dialects, note_left
from .tables import by_code, table, write_json
from .usage_error import UsageError
from .way import Way

_ONE: Final = {"losses": "loss", "cuts": "cut"}


def rewrite(
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
        raise UsageError("--json needs --out, because the converted lines go to stdout")
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
                one_way.losses = partial(write_loss, losses, one.name)
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
