"""Messages as the lines of a stored history: JSON, with extra keys for values that JSON cannot hold."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any, Final

from turnwire._core import Turn, _element_of, _element_turn, _restored_line, _stored_line
from turnwire.errors import ParseError, TurnwireError

from . import states

__all__ = ["CLEAR", "decoded", "encoded", "is_beginning", "is_later"]

CLEAR: Final = b'{"clear":true}\n'
"""The line that removes all messages so far."""

# The keys of this version's lines, and of a chat message, which is not a line of a history.
_KEYS: Final = frozenset({"dialect", "element", "clear", "ledger", "role"})

# How every line begins, to tell half a line from the end of some other file.
_BEGINNINGS: Final = (b'{"dialect":"', CLEAR, states.BEGINNING)


def encoded(turn: Turn) -> bytes:
    """The line of a turn, line end included. Raises if the line could not be read back.

    Lone surrogates are escapes. Bytes become base64 text. Their paths (keys and indices) are under the key `bytes`.
    """
    line = _stored_line(turn)
    if line is None:
        dialect, element, results = _element_of(turn)
        written: dict[str, Any] = {"dialect": dialect, "element": element}
        if results:
            written["tool_results"] = True
        if blobs := list(_blobs(element, [])):
            written["bytes"] = blobs
        try:
            line = json.dumps(written, separators=(",", ":"), default=_text, allow_nan=False).encode("ascii") + b"\n"
        except ValueError as failure:
            raise TurnwireError(f"a number that is not JSON: {failure}", code="not_json") from failure
    decoded(line, 0)
    return line


def decoded(line: bytes, index: int) -> Turn | None:
    """The turn in a line, for index `index` of the history; None if the line removes all turns so far."""
    turn = _restored_line(line, index)
    if turn is False:
        return None
    if turn is not None:
        return turn
    try:
        written = json.loads(line)
        element = written["element"]
        for *way, last in written["bytes"]:
            home = element
            for step in way:
                home = home[step]
            home[last] = base64.b64decode(home[last], validate=True)
    except (LookupError, TypeError, ValueError) as failure:
        text = f"expected places of base64 text that stands for bytes: {failure}"
        raise ParseError(text, code="bad_history", path="$.bytes") from failure
    return _element_turn(element, index, written["dialect"], None)


def is_beginning(piece: bytes) -> bool:
    """Whether a piece without a line end is left from an interrupted write: the beginning of a line, or zeros."""
    return not piece.strip(b"\0") or any(
        piece.startswith(beginning) or beginning.startswith(piece) for beginning in _BEGINNINGS
    )


def is_later(line: bytes) -> bool:
    """Whether a line may be from a later version of turnwire: an object with none of this version's keys."""
    try:
        written = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(written, dict) and bool(written) and _KEYS.isdisjoint(written)


def _blobs(value: object, way: list[str | int]) -> Iterator[list[str | int]]:
    """The paths of all bytes values."""
    if isinstance(value, bytes):
        yield way
    elif isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _blobs(inner, [*way, step])


def _text(blob: bytes) -> str:
    return base64.b64encode(blob).decode("ascii")
