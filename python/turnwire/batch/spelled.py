"""Reads and writes JSON in which numbers keep their spelling: `1.10` stays `1.10`."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import dataclass
from typing import Any, Final

__all__ = ["DECODER", "Spelled", "dumped", "loads"]

_MARK: Final = secrets.token_hex(16)
"""Stands before a number in the text that Python's encoder writes. No text of a file has it."""
_MARKED: Final = re.compile(f'"{_MARK}([^"]*)"')
_MOST_DIGITS: Final = 4300
"""Python reads no longer numbers."""


@dataclass(frozen=True, slots=True)
class Spelled:
    """A number that Python would write in another way."""

    text: str

    def __bool__(self) -> bool:
        return any(digit in "123456789" for digit in re.split("[eE]", self.text)[0])


def _whole(text: str) -> int | Spelled:
    # Python reads -0 as 0.
    return int(text) if len(text) < _MOST_DIGITS and text != "-0" else Spelled(text)


DECODER: Final = json.JSONDecoder(parse_float=Spelled, parse_int=_whole)


def loads(text: str | bytes) -> Any:
    """The value of JSON."""
    return DECODER.decode(text if isinstance(text, str) else text.decode(json.detect_encoding(text), "surrogatepass"))


def dumped(value: Any, *, sort_keys: bool = False) -> str:
    """A value as JSON. A lone surrogate stays an escape."""
    text = json.dumps(value, ensure_ascii=False, default=_marked, sort_keys=sort_keys)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(value, default=_marked, sort_keys=sort_keys)
    return _MARKED.sub(r"\1", text) if _MARK in text else text


def _marked(value: Any) -> str:
    if isinstance(value, Spelled):
        return _MARK + value.text
    raise TypeError(f"expected a value of JSON, got {type(value).__name__}")
