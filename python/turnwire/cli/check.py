"""`turnwire check`: what is wrong with conversations, for people, programs and CI."""

from __future__ import annotations

import json
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from turnwire import change_codes
from turnwire.batch import RowError
from turnwire.batch.engine import run_lines
from turnwire.batch.tasks import Task, check_task
from turnwire.errors import TurnwireError

from . import inputs
from .exit_codes import UNREADABLE
from .inputs import Unread
from .options import At, Column, Dialect, For, Json, Paths, Results, Severity
from .screen import note_dialects, problem, progress, table, write_json

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


def check(
    paths: Paths,
    dialect: Dialect = "auto",
    target: For = None,
    tool_results: Results = False,
    severity: Annotated[
        Severity, typer.Option("--severity", help="The least severity for which the exit code is 1.")
    ] = Severity.ERROR,
    at: At = None,
    column: Column = None,
    github: Annotated[bool, typer.Option("--github", help="Annotations of GitHub Actions.")] = False,
    as_json: Json = False,
) -> int:
    """List what is wrong with each conversation, and what `repair` or `prepare` would do about it.

    Exit code 1 if something is wrong: a finding of the severity, or a line that cannot be read.
    """
    counts: Counter[str] = Counter()
    rows: list[Found] = []
    files = inputs.find(paths, column)
    names: set[str] = set()
    unread = Unread()
    for one in files:
        with unread.told(one):
            if dialect == "auto":
                names.update(one.dialects(at) or ["an unknown format"])
            with progress(one.path, beside_output=as_json or github) as read:
                for found in findings(one, dialect, target, at, tool_results, read):
                    counts[found.severity] += 1
                    if as_json:
                        write_json(vars(found))
                    elif github:
                        print(_annotation(found))
                    else:
                        rows.append(found)
    if names:
        note_dialects(names)
    if rows:
        shown = ((f"{one.file}:{one.line}", one.severity, one.code, one.path, one.message) for one in rows)
        table(("line", "severity", "code", "path", "what is wrong"), shown)
    if not as_json and not github and not (unread.count and not counts):
        _sum_up(counts, len(files) - unread.count)
    return (unread.count and UNREADABLE) or int(any(counts[name] for name in ORDER[ORDER.index(severity) :]))


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
    read: Callable[[int], object] = bool,
) -> Iterator[Found]:
    """Every finding in one input, in the order of its lines. An unreadable line is a finding of severity error."""
    # Without a target, the findings are those of a repair, which builds each row for its own dialect.
    return _findings(one, check_task(dialect, tool_results, target, at, own=target is None), read)


def _findings(one: inputs.Input, task: Task, read: Callable[[int], object] = bool) -> Iterator[Found]:
    numbers: deque[int] = deque()
    failed: deque[RowError] = deque()

    damage: list[TurnwireError] = []

    def counted() -> Iterator[bytes]:
        try:
            for number, row in enumerate(one.rows(read), 1):
                if row.strip(inputs.BLANK):
                    numbers.append(number)
                yield row
        except TurnwireError as error:
            # The lines before the damage are checked first.
            damage.append(error)

    def before(number: int | None) -> Iterator[Found]:
        while failed and (number is None or failed[0].line < number):
            error = failed.popleft()
            yield Found(one.name, one.line(error.line), "error", error.code, error.path, error.message)

    for said in run_lines(task, counted(), 0, failed.append, False):
        bad = {error.line for error in failed}
        number = numbers.popleft()
        while number in bad:
            number = numbers.popleft()
        yield from before(number)
        listed: list[dict[str, Any]] = json.loads(said)
        for finding in listed:
            finding.pop("id", None)
            yield Found(one.name, one.line(number), **finding)
    yield from before(None)
    for error in damage:
        raise error


def repairs(one: inputs.Input, dialect: str, at: str | None, tool_results: bool) -> Iterator[Found]:
    """What a repair of one input changes, each row in its own dialect."""
    found = _findings(one, check_task(dialect, tool_results, None, at, own=True))
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


def tell(name: str, line: Callable[[int], int] = int) -> Callable[[RowError], None]:
    """Returns a function that prints on stderr which line of an input failed, and why. `line`: the line of a row."""

    def say(error: RowError) -> None:
        problem(f"{name}:{line(error.line)}: {error.code} at {error.path}: {error.message}")

    return say
