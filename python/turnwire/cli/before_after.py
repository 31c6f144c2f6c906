"""Shows each conversation before and after, line by line, in colours on a terminal: `turnwire prepare --diff`."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from typing import Any, Final

from rich.console import Console
from rich.text import Text

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
    console, some = Console(highlight=False, emoji=False, soft_wrap=True), False
    for line in difference:
        some = True
        console.print(Text(line, style=_STYLES.get(line[:1], "")))
    return some
