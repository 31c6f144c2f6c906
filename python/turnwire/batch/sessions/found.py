"""Decides whether a document is a session of an agent, and reads it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from turnwire.batch.spelled import loads

from . import claude_code, codex, gemini_cli
from .session import TORN, Entry, Session

__all__ = ["is_session", "read_session"]

_PEEKED: Final = 20
_MAY_BE: Final = (b'"sessionId"', b'"session_id"', b'"session_meta"', b'"response_item"')
"""Words of which a session has at least one in its first lines."""
_READERS: Final[tuple[tuple[Callable[[Any], bool], Callable[[list[Entry], Session], None], str], ...]] = (
    (claude_code.is_entry, claude_code.read, "Claude Code"),
    (codex.is_entry, codex.read, "Codex"),
    (gemini_cli.is_entry, gemini_cli.read, "Gemini CLI"),
)


def is_session(head: bytes) -> bool:
    """Whether a document that begins like this is a session."""
    return any(word in head for word in _MAY_BE) and _reader(head) is not None


def read_session(text: bytes) -> Session:
    """Reads a session."""
    entries, torn = _entries(text)
    read, program = _reader(text) or (_nothing, "")
    session = Session(program)
    read(entries, session)
    session.left[TORN] += torn
    return session


def _reader(head: bytes) -> tuple[Callable[[list[Entry], Session], None], str] | None:
    begun, _ = _entries(head, _PEEKED)
    found = (one for one in _READERS if any(one[0](entry.value) for entry in begun))
    return next((one[1:] for one in found), None)


def _nothing(entries: list[Entry], session: Session) -> None:
    """Reads nothing."""


def _entries(text: bytes, most: int | None = None) -> tuple[list[Entry], int]:
    """The objects of a document, and how many lines are no JSON."""
    with suppress(ValueError, RecursionError):
        # One object over many lines.
        value = loads(text)
        return ([Entry(1, value)], 0) if isinstance(value, dict) else ([], 0)
    found: list[Entry] = []
    torn = 0
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = loads(line)
        except (ValueError, RecursionError):
            torn += 1
            continue
        if isinstance(value, dict):
            found.append(Entry(number, value))
        if most is not None and len(found) >= most:
            break
    return found, torn
