"""`turnwire check`: what is wrong with conversations, for people, programs and CI."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Any, Final

from turnwire.batch.tasks import check_task

from . import inputs
from .exit_codes import UNREADABLE
from .findings import Found, findings
from .progress import progress
from .rewrite import budget, end
from .screen import Bar, note_dialects, painted
from .sums import SEVERITIES, Sums
from .tables import COLOURS, printable, write_json

__all__ = ["check"]

_GITHUB: Final = {"info": "notice", "warning": "warning", "error": "error"}


def check(given: Namespace) -> int:
    """Lists what is wrong with each conversation, and what `prepare` would do about it, as soon as it is found."""
    asked: Any = {name: getattr(given, name) for name in ("model", "tools", "tool_results") if getattr(given, name)}
    if words := {name: getattr(given, name) for name in ("opening", "bridge") if getattr(given, name) is not None}:
        asked["wording"] = words
    task = check_task("check", given.source, given.target, given.at, budget(given), asked | end(given))
    least = "info" if given.severity == "info" else "warning"
    sums, unread, names = Sums(), inputs.Unread(), set[str]()

    def rows(count: int) -> None:
        sums.rows += count

    for one in inputs.find(given.paths, given.column):
        with unread.told(one):
            if given.source == "auto":
                names.update(one.dialects(given.at))
            sums.files += 1
            with progress(one.path) as read:
                for found in findings(one, task, rows, read):
                    sums.see(found, found.path.partition("]")[0] if one.is_list else "")
                    if not given.statistics:
                        _say(found, given.format, least)
        unread.count += one.has_nothing
    if names:
        note_dialects(names)
    if given.statistics:
        sums.show(least, as_json=given.format == "json")
    if given.format == "text" and (sums.rows or not unread.count):
        sums.say(lists_all=given.severity == "info")
    return UNREADABLE if unread.count else int(sums.has(given.severity))


def _say(found: Found, form: str, least: str) -> None:
    """Prints a problem. People see those from a severity on."""
    Bar.erase()
    if form == "json":
        write_json(found._asdict())
    elif form == "github":
        print(_annotation(found))
    elif SEVERITIES.index(found.severity) >= SEVERITIES.index(least):
        severity = painted(found.severity, COLOURS[found.severity], sys.stdout)
        place = printable(f"{found.file}:{found.row}")
        said = printable(f"{found.reason}; {found.action}" if found.action else found.reason)
        print(f"{place}: {severity} {found.code} at {printable(found.path)}: {said}")


def _annotation(found: Found) -> str:
    """A line that GitHub shows beside the file. GitHub's format escapes percent signs and line ends."""
    said = f"{found.reason}; {found.action}" if found.action else found.reason
    text = f"{found.code} at {found.path}: {said}"
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    name = found.file.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    name = name.replace(",", "%2C").replace(":", "%3A")
    return f"::{_GITHUB[found.severity]} file={name},line={found.row}::{text}"
