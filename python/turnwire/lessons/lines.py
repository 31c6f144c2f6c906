"""The line of code that states what a text teaches, for whom only the text is known."""

from __future__ import annotations

from collections.abc import Iterator

from turnwire._core import dialects
from turnwire._families import family
from turnwire._servers import Server

from . import lesson_of
from .rows import Found, Row

__all__ = ["bases", "line"]

_FIRST = ("openai:compatible", "openai-responses:compatible", "anthropic:compatible")
"""The rows for servers that are not known."""


def bases(row: Row) -> Iterator[str]:
    """The shipped rows of the formats whose servers say it: those for unknown servers first, then the formats."""
    wires = [family(name) for name in _FIRST if row.is_of(family(name))]
    for wire in wires:
        first = f"{wire}:compatible"
        yield from (first, wire)
        yield from (
            name for name in dialects() if family(name) == wire and name not in (first, wire) and ":hf" not in name
        )


def line(found: Found) -> str:
    """The line that states it, with the first row that does not have it yet; empty if none says it."""
    for base in bases(found.row):
        lesson = lesson_of(Server(base), found, None)
        if lesson is not None and lesson.column is not None:
            return str(lesson).partition("  # ")[0]
    return ""
