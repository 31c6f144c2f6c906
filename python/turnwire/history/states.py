"""States of ledgers as the lines of a stored history: first a whole state, then what each next one changes."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from turnwire.errors import ParseError

__all__ = ["BEGINNING", "folded", "is_state", "line_of"]

BEGINNING: Final = b'{"ledger":"'
"""How the line of a state begins."""

_STATE: Final = re.compile(rb'\s*\{\s*"ledger"\s*:')
# Numbers keep their spelling, because the state has text that is sent again byte for byte.
_DECODER: Final = json.JSONDecoder(parse_int=str, parse_float=str, strict=False)


def is_state(line: bytes) -> bool:
    """Whether a line is the state of a ledger."""
    return _STATE.match(line) is not None


def line_of(target: str, before: bytes | None, after: bytes) -> bytes:
    """The line for a new state, line end included.

    A state grows with its conversation, and each request writes one. So a line has for each member only how many
    characters of its text stay, and the text after them. The file grows only by new text.
    """
    old, new = _members(before.decode()) if before is not None else {}, _members(after.decode())
    named = json.dumps(target)
    if before is None or list(old) != list(new):
        return b'{"ledger":%b,"state":%b}\n' % (named.encode(), after)
    changed = {}
    for name, text in new.items():
        if text != old[name]:
            same = _same(old[name], text)
            changed[name] = [same, text[same:]]
    return b'{"ledger":%b,"changed":%b}\n' % (named.encode(), json.dumps(changed, separators=(",", ":")).encode())


def folded(line: bytes, known: dict[str, bytes]) -> None:
    """Reads a line into the newest state of each target.

    Raises:
        ParseError: `bad_history` for a line that does not continue the known state.
    """
    try:
        members = _members(line.decode().strip())
        target = json.loads(members["ledger"])
        if not isinstance(target, str):
            raise TypeError("ledger: expected a str")
        if "state" in members:
            state = members["state"]
            _members(state)
        else:
            texts = _members(known[target].decode())
            for name, (same, rest) in json.loads(members["changed"]).items():
                if not 0 <= same <= len(texts[name]):
                    raise ValueError(f"{name}: {same} of {len(texts[name])} characters cannot stay")
                texts[name] = texts[name][:same] + rest
            state = "{" + ",".join(f"{json.dumps(name)}:{text}" for name, text in texts.items()) + "}"
        known[target] = state.encode()
    except (LookupError, RecursionError, TypeError, ValueError) as failure:
        text = f"expected the state of a ledger that goes on with the one before it: {failure!r}"
        raise ParseError(text, code="bad_history", path="$.ledger") from failure


def _same(one: str, other: str) -> int:
    """The number of characters at the start that two texts share."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _members(text: str) -> dict[str, str]:
    """The members of a JSON object, each as JSON text."""
    members: dict[str, str] = {}
    at = _space(text, 0)
    if text[at : at + 1] != "{":
        raise ValueError("expected an object")
    at += 1
    while text[_space(text, at)] != "}":
        first = _space(text, at)
        name, at = _value(text, first)
        at = _space(text, at)
        if text[first] != '"' or text[at : at + 1] != ":":
            raise ValueError("expected a member")
        begin = _space(text, at + 1)
        _, end = _value(text, begin)
        members[name] = text[begin:end]
        at = _space(text, end)
        if text[at : at + 1] not in (",", "}"):
            raise ValueError("expected the end of an object")
        at += text[at] == ","
    return members


def _value(text: str, at: int) -> tuple[Any, int]:
    return _DECODER.raw_decode(text, at)


def _space(text: str, at: int) -> int:
    while text[at : at + 1].isspace():
        at += 1
    return at
