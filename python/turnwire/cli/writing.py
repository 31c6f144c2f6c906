"""Writes what becomes of each input of a command, to files or to stdout, and then reports on it."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from turnwire import batch
from turnwire.batch.blocks import Block
from turnwire.batch.counts import counts_of
from turnwire.batch.engine import Made, run_blocks, write_rows
from turnwire.batch.partial_file import Counts, beside
from turnwire.batch.tasks import Task

from . import inputs, outputs
from .exit_codes import UNREADABLE
from .json_list import as_list, is_list
from .progress import progress
from .reports import Reports
from .screen import note_dialects, note_left
from .summary import Summary
from .usage_error import UsageError


def rewrite(given: Namespace, task: Task) -> int:
    """Writes what becomes of each input, and then reports on it.

    The counts are on stdout, or on stderr where stdout has the rows. Each change is written to `--changes`.
    """
    if given.format == "json" and given.out is None:
        raise UsageError(f"turnwire {given.command}: --format json needs --out, because the rows go to stdout")
    files = inputs.find(given.paths, given.column)
    places = outputs.places(files, given.out) if given.out is not None else [None] * len(files)
    taken = [one.path for one in files if one.path is not None] + [place for place in places if place is not None]
    named: set[str] = set()
    unread, summary = inputs.Unread(), Summary(given)
    with Reports(given.errors, given.changes, taken) as reports:
        for one, place in zip(files, places, strict=True):
            with unread.told(one):
                if given.source == "auto" and not given.quiet:
                    named.update(one.dialects(given.at))
                making = partial(_made, one.name, given, task, reports)
                report = _written(one, place, task, making, reports)
                summary.add(one.name, report)
                if not given.quiet:
                    note_left(one.name, report.left_keys, "; --settings keep copies such keys")
            if one.has_nothing:
                unread.count += 1
    if not given.quiet:
        if named:
            note_dialects(named)
        summary.show()
    return UNREADABLE if unread.count else int(summary.failed > 0)


def _made(name: str, given: Namespace, task: Task, reports: Reports, blocks: Iterator[Block]) -> Iterator[Made]:
    """What becomes of the rows in blocks of an input. Each change is told where it is wanted."""
    for made in run_blocks(task, blocks, given.threads, reports.changes is not None):
        for line, changes in made.told:
            reports.change(name, line, changes)
        yield made


def _written(
    one: inputs.Input,
    place: Path | None,
    task: Task,
    making: Callable[[Iterator[Block]], Iterator[Made]],
    reports: Reports,
) -> batch.Report:
    """Writes the rows of an input to its place, or to stdout."""
    if place is not None:
        place.parent.mkdir(parents=True, exist_ok=True)
        lists = is_list(place)
        return _to_file(one, place, task, lambda blocks: as_list(making(blocks)) if lists else making(blocks), reports)
    tell, counts = reports.error(one.name), Counts()
    for made in making(one.blocks(task.rows)):
        for line, code, path, _, text in made.failed:
            tell(batch.RowError(line, code, path, text))
        counts = counts.and_then(made.counts)
        sys.stdout.buffer.write(made.data)
    sys.stdout.buffer.flush()
    return batch.Report(counts.rows, counts.failed, counts_of(counts.changes), 0, 0, 0.0, dict(counts.left))


def _to_file(
    one: inputs.Input,
    place: Path,
    task: Task,
    making: Callable[[Iterator[Block]], Iterator[Made]],
    reports: Reports,
) -> batch.Report:
    is_plain = one.is_file and not one.is_parquet and one.traces is None
    try:
        with progress(one.path if is_plain else None) as read:
            return write_rows(one, task, place, errors=reports.error(one.name), read=read, making=making)
    except OSError as error:
        hidden = [None, *(os.path.realpath(beside(place, suffix)) for suffix in (".part", ".part.log"))]
        if error.filename in hidden:
            error.filename = str(place)
        raise
