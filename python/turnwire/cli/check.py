"""`turnwire check`: what is wrong with conversations, for people, programs and CI."""

from __future__ import annotations

import heapq
import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from turnwire import change_codes
from turnwire.batch import RowError
from turnwire.batch.engine import run_blocks
from turnwire.batch.tasks import Task, check_task

from . import inputs
from .exit_codes import UNREADABLE
from .inputs import Unread
from .progress import progress
from .screen import note_dialects, problem
from .tables import table, write_json

ORDER: Final = ["info", "warning", "error"]
GITHUB: Final = {"info": "notice", "warning": "warning", "error": "error"}


@dataclass(frozen=True)
class Found:
    """One finding, or why a line could not be read."""

    file: str
    line: int
    severity: str
    code: str
    path: str
    message: str
    would: str = ""


def check(given: Namespace) -> int:
    """Lists what is wrong with each conversation, and what `repair` or `prepare` would do about it.

    The exit code is 1 if something is wrong: a finding of the severity, or a line that cannot be read.
    """
    as_json, github, at = given.json, given.github, given.at
    counts: Counter[str] = Counter()
    rows: list[Found] = []
    files = inputs.find(given.paths, given.column)
    names: set[str] = set()
    unread, nothing = Unread(), False
    for one in files:
        with unread.told(one):
            if given.source == "auto":
                names.update(one.dialects(at))
            with progress(one.path, beside_output=as_json or github) as read:
                for found in findings(one, given.source, given.target, at, given.tool_results, given.row, read):
                    counts[found.severity] += 1
                    if as_json:
                        write_json(vars(found))
                    elif github:
                        print(_annotation(found))
                    else:
                        rows.append(found)
            nothing |= one.has_nothing
    if names:
        note_dialects(names)
    if rows:
        shown = ((f"{one.file}:{one.line}", one.severity, one.code, one.path, one.message) for one in rows)
        table(("line", "severity", "code", "path", "what is wrong"), shown)
    if not as_json and not github and not (unread.count and not counts):
        _sum_up(counts, len(files) - unread.count)
    is_wrong = any(counts[name] for name in ORDER[ORDER.index(given.severity) :])
    return (unread.count and UNREADABLE) or int(nothing or is_wrong)


def _sum_up(counts: Counter[str], files: int) -> None:
    """Prints a summary for people, after the table."""
    where = f"in {files} {'file' if files == 1 else 'files'}"
    if not counts:
        print(f"nothing is wrong {where}")
    elif sys.stdout.isatty():
        told = (f"{counts[name]:,} of severity {name}" for name in reversed(ORDER) if counts[name])
        print(f"\n{', '.join(told)}, {where}")


def findings(
    one: inputs.Input,
    dialect: str,
    target: str | None,
    at: str | None,
    tool_results: bool,
    row: bool | None = None,
    read: Callable[[int], object] = bool,
) -> Iterator[Found]:
    """Every finding in one input, in the order of its lines. An unreadable line is a finding of severity error."""
    # Without a target, the findings are those of a repair, which builds each row for its own dialect.
    return _findings(one, check_task(dialect, tool_results, target, at, row, own=target is None), read)


def _findings(one: inputs.Input, task: Task, read: Callable[[int], object] = bool) -> Iterator[Found]:
    for made in run_blocks(task, one.blocks(task.rows, read)):
        failed = (Found(one.name, line, "error", code, path, text) for line, code, path, _, text in made.failed)
        yield from heapq.merge(failed, found_in(one.name, made.data), key=lambda found: found.line)


def found_in(name: str, lines: memoryview) -> Iterator[Found]:
    """The findings in lines of JSON. `name`: the input that they are about."""
    for line in bytes(lines).splitlines():
        finding: dict[str, Any] = json.loads(line)
        finding.pop("id", None)
        yield Found(name, **finding)


def repairs(
    one: inputs.Input, dialect: str, at: str | None, tool_results: bool, row: bool | None = None
) -> Iterator[Found]:
    """What a repair of one input changes, each row in its own dialect."""
    found = _findings(one, check_task(dialect, tool_results, None, at, row, own=True))
    return (one for one in found if is_repaired(one.code, one.would))


def is_repaired(code: str, would: str) -> bool:
    """Whether a repair changes what a finding is about."""
    return bool(would) and code in change_codes()


def _annotation(found: Found) -> str:
    """A line that GitHub shows beside the file. GitHub's format escapes percent signs and line ends."""
    text = f"{found.code} at {found.path}: {found.message}"
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    name = found.file.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    name = name.replace(",", "%2C").replace(":", "%3A")
    return f"::{GITHUB[found.severity]} file={name},line={found.line}::{text}"


def tell(name: str) -> Callable[[RowError], None]:
    """Returns a function that prints on stderr which line of an input failed, and why."""

    def say(error: RowError) -> None:
        problem(f"{name}:{error.line}: {error.code} at {error.path}: {error.message}")

    return say
