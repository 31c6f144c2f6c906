"""What a command says on stderr: errors, notes and a progress bar; and the colours of a terminal."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from typing import IO, Final

_COLOURS: Final = {"red": 31, "green": 32, "yellow": 33, "cyan": 36}
_ERASE: Final = "\r\x1b[2K"


class Bar:
    """The line of progress on a terminal, which is erased before anything else is said."""

    shown = False

    @classmethod
    def erase(cls) -> None:
        """Removes it."""
        if cls.shown and sys.stderr is not None:
            cls.shown = False
            print(_ERASE, end="", file=sys.stderr, flush=True)

    @classmethod
    def show(cls, text: str) -> None:
        """Writes it, or writes over it."""
        cls.shown = True
        print(_ERASE + text, end="", file=sys.stderr, flush=True)


def painted(text: str, colour: str | None, file: IO[str] | None) -> str:
    """A text in a colour, if it goes to a terminal that shows colours and `NO_COLOR` is not set."""
    if colour is None or file is None or not file.isatty() or os.environ.get("NO_COLOR"):
        return text
    shows = "WT_SESSION" in os.environ if os.name == "nt" else os.environ.get("TERM", "dumb") != "dumb"
    return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if shows else text


def problem(text: str) -> None:
    """Prints an error on stderr."""
    note(painted(text, "red", sys.stderr))


def note(text: str) -> None:
    """Prints a note on stderr."""
    Bar.erase()
    if sys.stderr is not None:
        print(text, file=sys.stderr)


def said(error: BaseException, place: object = None) -> str:
    """The text of an error, with the file if the error does not name it."""
    if not isinstance(error, OSError) or error.errno is None:
        return str(error)
    named = error.filename if error.filename is not None else place
    text = os.strerror(error.errno) if error.errno in errno.errorcode else str(error)
    return text if named is None else f"{named}: {text}"


def note_terminal() -> None:
    """Says that stdin is read, if it is a terminal: nothing else would show that the command waits."""
    # A program that calls `main` may have replaced stdin.
    if getattr(sys.stdin, "isatty", bool)():
        note("reading stdin, Ctrl-D ends it")


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
