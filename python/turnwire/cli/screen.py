"""What a person sees: tables on stdout, all else on stderr, progress only where somebody watches."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

ERR: Final = Console(stderr=True, highlight=False, soft_wrap=True)
COLOURS: Final = {"error": "red", "warning": "yellow", "info": "cyan"}

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
    """A line of JSON on stdout."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def table(columns: Iterable[str], rows: Iterable[Iterable[object]], right: Iterable[str] = ()) -> None:
    """A table on stdout, with the columns in `right` for numbers."""
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        is_number = column in right
        shown.add_column(column, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in rows:
        shown.add_row(*(_cell(cell) for cell in row))
    # What is piped is for programs: no line is folded there.
    Console(highlight=False, width=None if sys.stdout.isatty() else 10_000).print(shown)


def _cell(cell: object) -> Any:
    from rich.text import Text

    text = f"{cell:,}" if isinstance(cell, int) else str(cell)
    return Text(text, style=COLOURS.get(text, ""))


@contextmanager
def progress(path: Path | None, *, beside_output: bool = False) -> Iterator[Callable[[int], object]]:
    """What a long run tells how many bytes of a file it has read, where somebody watches.

    With `beside_output`, something is written to stdout meanwhile: no bar stands in between.
    """
    size = path.stat().st_size if path is not None and path.is_file() else 0
    if path is None or size < _LONG or not ERR.is_terminal or (beside_output and sys.stdout.isatty()):
        yield lambda _: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    # What is written to stdout stays there.
    with Progress(*columns, console=ERR, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(path.name, total=size)
        yield lambda read: bar.update(task, completed=read)
