"""What a command says on stdout: tables for people, and lines of JSON for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from typing import Any, Final

from .screen import Bar, painted

__all__ = ["COLOURS", "printable", "table", "write_json"]

COLOURS: Final = {"error": "red", "warning": "yellow", "info": "cyan"}
_PADDED: Final = 100
"""The most characters that a column is padded to."""


def write_json(value: Any) -> None:
    """Prints a line of JSON on stdout. Characters that the encoding cannot write are escaped."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value)
    sys.stdout.write(text + "\n")


def table(
    columns: Iterable[str], rows: Iterable[Iterable[object]], right: Iterable[str] = (), aside: bool = False
) -> None:
    """Prints a table on stdout, or on stderr with `aside`. The columns in `right` are aligned to the right.

    Each row is one line of any length: a narrow terminal folds lines by itself.
    """
    file = sys.stderr if aside else sys.stdout
    if file is None:
        return
    Bar.erase()
    names, texts = [*columns], [[printable(cell) for cell in row] for row in rows]
    widths = [min(max(map(len, column)), _PADDED) for column in zip(names, *texts, strict=True)]
    ways = [f"{'>' if name in right else '<'}{width}" for name, width in zip(names, widths, strict=True)]
    for row in (names, *texts):
        cells = [f"{text:{way}}" for text, way in zip(row, ways, strict=True)]
        cells[-1] = cells[-1].rstrip()
        print("  ".join(painted(cell, COLOURS.get(cell.rstrip()), file) for cell in cells).rstrip(), file=file)


def printable(cell: object) -> str:
    """A cell on one line. Characters that would move a terminal's cursor are escaped."""
    text = f"{cell:,}" if isinstance(cell, int) else str(cell)
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
