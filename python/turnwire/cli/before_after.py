"""Shows each conversation before and after, line by line, in colours on a terminal: `turnwire prepare --diff`."""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterator
from typing import Any, Final

from turnwire import batch
from turnwire.batch.blocks import Block
from turnwire.batch.engine import made_of
from turnwire.batch.tasks import Task

from . import inputs
from .exit_codes import UNREADABLE
from .reports import tell
from .screen import painted
from .tables import write_json

_STYLES: Final = {"+": "green", "-": "red", "@": "cyan"}
_LISTS: Final = ("messages", "contents", "input", "conversations")
"""The keys that payloads have their list under."""
_ABOUT: Final = 3
"""The number of lines that are shown around a change."""


def lines(payload: Any, listed: str) -> list[str]:
    """A payload with a line for each message and each other key. A bare list is shown under the key `listed`."""
    body = {listed: payload} if isinstance(payload, list) else payload
    several = {key: value if isinstance(value, list) else [value] for key, value in body.items()}
    return [f"{key}: {json.dumps(one, ensure_ascii=False)}" for key, values in several.items() for one in values]


def compared(name: str, before: bytes, after: bytes) -> Iterator[str]:
    """The difference of two payloads, as `diff -u` writes it; nothing if they are equal."""
    new = json.loads(after)
    listed = next((key for key in _LISTS if key in new), _LISTS[0])
    old_lines, new_lines = lines(json.loads(before), listed), lines(new, listed)
    yield from difflib.unified_diff(old_lines, new_lines, name, f"{name} (prepared)", n=_ABOUT, lineterm="")


def show(difference: Iterator[str]) -> bool:
    """Print a difference, in colours on a terminal unless `NO_COLOR` is set. Returns whether there was one."""
    some = False
    for line in difference:
        some = True
        print(painted(line, _STYLES.get(line[:1]), sys.stdout))
    return some


def differences(files: list[inputs.Input], task: Task, as_json: bool) -> int:
    """Shows the changes of each row, and writes nothing."""
    differs, unread = False, inputs.Unread()
    for one in files:
        with unread.told(one):
            for row in one.rows(task.rows):
                block = Block(memoryview(row.data), row.alone, row.line, 0, 0, lambda: None, row.fault)
                made = made_of(block, task)
                place = f"{one.name}:{row.line}"
                for line in bytes(made.data).splitlines():
                    difference = compared(place, row.data, line)
                    differs |= _written(one.name, row.line, list(difference)) if as_json else show(difference)
                for number, code, path, _, text in made.failed:
                    differs = True
                    tell(one.name)(batch.RowError(number, code, path, text))
    return UNREADABLE if unread.count else int(differs)


def _written(name: str, line: int, difference: list[str]) -> bool:
    """Writes a difference as JSON. Returns whether there was one."""
    if difference:
        write_json({"file": name, "row": line, "diff": difference})
    return bool(difference)
