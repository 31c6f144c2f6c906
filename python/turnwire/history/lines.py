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
"""The line that says that all messages so far are gone."""

# What a line of this version says, or a chat's message, which is none.
_KEYS: Final = frozenset({"dialect", "element", "clear", "ledger", "role"})

# How every line begins, for telling half of one from the end of some other file.
_BEGINNINGS: Final = (b'{"dialect":"', CLEAR, states.BEGINNING)


def encoded(turn: Turn) -> bytes:
    """The line of a turn, its end included. It can be read back: what cannot is an error here.

    Lone surrogates are escapes. Bytes become base64 text; their places (keys and indices) are under the key `bytes`.
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
    """The turn in a line, which is to stand at `index`; None where it says that all turns so far are gone."""
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
    """Whether a piece without an end is what a write that was cut off leaves: the beginning of a line, or zeros."""
    return not piece.strip(b"\0") or any(
        piece.startswith(beginning) or beginning.startswith(piece) for beginning in _BEGINNINGS
    )


def is_later(line: bytes) -> bool:
    """Whether a line may be what a later version of turnwire says: an object with none of the keys of this one."""
    try:
        written = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(written, dict) and bool(written) and _KEYS.isdisjoint(written)


def _blobs(value: object, way: list[str | int]) -> Iterator[list[str | int]]:
    """Where bytes are."""
    if isinstance(value, bytes):
        yield way
    elif isinstance(value, dict | list):
        for step, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _blobs(inner, [*way, step])


def _text(blob: bytes) -> str:
    return base64.b64encode(blob).decode("ascii")
