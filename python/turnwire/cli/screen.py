"""Output for people: tables on stdout, unless it has rows; all else on stderr; progress bars on a terminal only."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

ERR: Final = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)
COLOURS: Final = {"error": "red", "warning": "yellow", "info": "cyan"}

_FOLDED, _PADDED = 10, 100
"""The least width of a text column that is folded, and the width that a column is padded to if it is not."""
_LONG: Final = 8 << 20
"""Files with fewer bytes show no progress bar, because they take too little time."""


def problem(text: str) -> None:
    """Prints an error on stderr, unchanged: nothing in it is markup."""
    ERR.print(text, style="red" if ERR.is_terminal else None, markup=False)


def said(error: BaseException, place: object = None) -> str:
    """The text of an error, with the file if the error does not name it."""
    if not isinstance(error, OSError) or error.errno is None:
        return str(error)
    named = error.filename if error.filename is not None else place
    text = os.strerror(error.errno) if error.errno in errno.errorcode else str(error)
    return text if named is None else f"{named}: {text}"


def note(text: str) -> None:
    """Prints a note on stderr."""
    ERR.print(text, markup=False)


def note_dialects(names: Iterable[str]) -> None:
    """Prints the detected dialects on stderr."""
    note(f"detected: {', '.join(sorted(names))}")


def note_left(name: str, keys: dict[str, int], way_out: str = "") -> None:
    """Says on stderr which keys beside the conversations were left out, such as a grader's answer."""
    if keys:
        first, *others = keys.items()
        unit = "record" if first[1] == 1 else "records"
        said = [f"{first[0]} ({first[1]:,} {unit})", *(f"{key} ({count:,})" for key, count in others)]
        note(f"{name}: left out: {', '.join(said)}{way_out}")


def by_code(codes: dict[str, int]) -> str:
    """How many losses there are of each code, the most first."""
    return ", ".join(f"{count:,} {code}" for code, count in sorted(codes.items(), key=lambda one: -one[1]))


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
    """Prints a table on stdout, or on stderr with `aside`. The columns in `right` are aligned to the right."""
    names, texts = [*columns], [[_text(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(names, *texts, strict=True)]
    console = Console(stderr=aside, highlight=False, emoji=False)
    needed = sum(width if name in right else min(width, _FOLDED) for name, width in zip(names, widths, strict=True))
    # Piped output is for programs, so each row is one line of any length. A narrow terminal folds lines by itself.
    if not console.file.isatty() or needed + 2 * (len(names) - 1) > console.width:
        _lines([names, *texts], widths, right, console.file)
        return
    shown = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        is_number = name in right
        shown.add_column(name, justify="right" if is_number else "left", no_wrap=is_number, overflow="fold")
    for row in texts:
        shown.add_row(*(Text(text, style=COLOURS.get(text, "")) for text in row))
    console.print(shown)


def _lines(rows: Sequence[Sequence[str]], widths: Sequence[int], right: Iterable[str], file: IO[str]) -> None:
    ways = [
        f"{'>' if name in right else '<'}{min(width, _PADDED)}" for name, width in zip(rows[0], widths, strict=True)
    ]
    for row in rows:
        print("  ".join(f"{text:{way}}" for text, way in zip(row, ways, strict=True)).rstrip(), file=file)


def _text(cell: object) -> str:
    """A cell on one line. Characters that would move a terminal's cursor are escaped."""
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
    # The bar must not redirect what is written to stdout.
    with Progress(*columns, console=ERR, transient=True, redirect_stdout=False, redirect_stderr=False) as bar:
        task = bar.add_task(path.name, total=size)
        yield lambda read: bar.update(task, completed=read)
