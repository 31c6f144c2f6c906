"""Output for people: tables on stdout, everything else on stderr, progress bars on a terminal only."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

ERR: Final = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)
COLOURS: Final = {"error": "red", "warning": "yellow", "info": "cyan"}

_FOLDED, _PADDED = 10, 100
"""A column of text is at least so wide where it is folded, and padded to so much where it is not."""
_LONG: Final = 8 << 20
"""Files of fewer bytes are done before a bar is read."""


def problem(text: str) -> None:
    """Says on stderr what went wrong, as it is: nothing in it is markup."""
    ERR.print(text, style="red" if ERR.is_terminal else None, markup=False)


def said(error: BaseException, place: object = None) -> str:
    """What went wrong, and with which file, where the error itself does not know."""
    if not isinstance(error, OSError) or error.errno is None:
        return str(error)
    named = error.filename if error.filename is not None else place
    text = os.strerror(error.errno) if error.errno in errno.errorcode else str(error)
    return text if named is None else f"{named}: {text}"


def note(text: str) -> None:
    """Says something on stderr."""
    ERR.print(text, markup=False)


def note_dialects(names: Iterable[str]) -> None:
    """Says on stderr which dialects were found."""
    note(f"detected: {', '.join(sorted(names))}")


def write_json(value: Any) -> None:
    """A line of JSON on stdout. What its encoding does not hold is an escape."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value)
    sys.stdout.write(text + "\n")


def table(columns: Iterable[str], rows: Iterable[Iterable[object]], right: Iterable[str] = ()) -> None:
    """A table on stdout, with the columns in `right` for numbers."""
    names, texts = [*columns], [[_text(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(names, *texts, strict=True)]
    console = Console(highlight=False, emoji=False)
    needed = sum(width if name in right else min(width, _FOLDED) for name, width in zip(names, widths, strict=True))
    # What is piped is for programs: a row is a line, however long it is. A narrow terminal folds lines by itself.
    if not sys.stdout.isatty() or needed + 2 * (len(names) - 1) > console.width:
        _lines([names, *texts], widths, right)
        return
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        is_number = name in right
        shown.add_column(name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in texts:
        shown.add_row(*(Text(text, style=COLOURS.get(text, "")) for text in row))
    console.print(shown)


def _lines(rows: Sequence[Sequence[str]], widths: Sequence[int], right: Iterable[str]) -> None:
    ways = [
        f"{'>' if name in right else '<'}{min(width, _PADDED)}" for name, width in zip(rows[0], widths, strict=True)
    ]
    for row in rows:
        print("  ".join(f"{text:{way}}" for text, way in zip(row, ways, strict=True)).rstrip())


def _text(cell: object) -> str:
    """What a cell says, on one line: what would move the cursor of a terminal is an escape."""
    text = f"{cell:,}" if isinstance(cell, int) else str(cell)
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)


@contextmanager
def progress(path: Path | None, *, beside_output: bool = False) -> Iterator[Callable[[int], object]]:
    """A progress bar for a long run, on a terminal: call the result with the bytes read so far.

    With `beside_output`, rows are printed meanwhile, and there is no bar between them.
    """
    size = path.stat().st_size if path is not None and path.is_file() else 0
    if path is None or size < _LONG or not sys.stderr.isatty() or (beside_output and sys.stdout.isatty()):
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    # What is written to stdout stays there.
    with Progress(*columns, console=ERR, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(path.name, total=size)
        yield lambda read: bar.update(task, completed=read)
