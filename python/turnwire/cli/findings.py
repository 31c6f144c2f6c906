"""The problems of each row of an input, as `turnwire check` lists them."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from turnwire.batch.engine import run_blocks
from turnwire.batch.tasks import Task

from . import inputs

__all__ = ["Found", "findings"]


class Found(NamedTuple):
    """One problem, or why a row could not be read."""

    file: str
    row: int
    kind: str
    code: str
    severity: str
    path: str
    reason: str
    action: str


def findings(
    one: inputs.Input, task: Task, rows: Callable[[int], object], read: Callable[[int], object] = bool
) -> Iterator[Found]:
    """Every problem in one input, in the order of its rows. `rows` is called with the numbers of rows of its blocks.

    A row that cannot be read is a problem of severity error.
    """
    for made in run_blocks(task, one.blocks(task.rows, read)):
        rows(made.counts.rows)
        failed = (
            Found(one.name, line, "refused", code, "error", path, text, "") for line, code, path, _, text in made.failed
        )
        yield from heapq.merge(failed, _found_in(one.name, made.data), key=lambda found: found.row)


def _found_in(name: str, lines: memoryview) -> Iterator[Found]:
    """The problems in lines of JSON. `name`: the input that they are about."""
    for line in bytes(lines).splitlines():
        said: dict[str, Any] = json.loads(line)
        what = (said[key] for key in ("kind", "code", "severity", "path", "reason", "action"))
        yield Found(name, said["line"], *what)
