"""Reads the elements of a batch file one at a time: its lines, or the items of the list in its JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple

from turnwire.errors import ParseError

from .blocks import BOM
from .compressed import GZIP, ZSTD

__all__ = ["MOST_BYTES", "Element", "elements", "open_list"]

MOST_BYTES: Final = 256_000_000
"""A longer element is not read. No provider takes a request of this size."""
_CHUNK: Final = 1 << 18
_TOKEN: Final = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}\[\]]', re.DOTALL)
_GAP: Final = re.compile(r"[ \t\r\n]*(,?)[ \t\r\n]*")
_LISTS: Final = {b'"requests"', b'"inlinedResponses"', b'"inlined_responses"'}
_AROUND: Final = {*_LISTS, b'"batch"', b'"inputConfig"', b'"input_config"', b'"response"', b'"output"', b'"dest"'}
"""Keys of objects around the list: Gemini's operations have several."""
_LINES: Final = {b'"custom_id"', b'"key"', b'"recordId"'}
"""Keys of a line that no object around a list has."""
_CUT: Final = 16
"""A JSON error this near to the end of what was read, in characters, may be a word or number that was cut in two."""
_DECODER: Final = json.JSONDecoder()


class Element(NamedTuple):
    """One request or result, unread."""

    number: int
    """The number of its line, or in the list, from 1."""
    start: int
    """The byte in the file at which it begins."""
    data: bytes
    fault: ParseError | None = None
    """Why it could not be read from the file, if it could not."""

    def read(self) -> dict[str, Any]:
        """The element as a JSON object.

        Raises:
            ParseError: `invalid_json`, `too_deep`, `too_large`, `wrong_type`.
        """
        if self.fault is not None:
            raise self.fault
        try:
            value = json.loads(self.data.decode(), parse_constant=_constant)
        except RecursionError:
            raise ParseError("expected JSON that is nested less deeply", code="too_deep") from None
        except ValueError as error:
            text = f"expected JSON, got {self.data[:40]!r}: {_why(error)}"
            raise ParseError(text, code="invalid_json") from None
        if not isinstance(value, dict):
            raise ParseError(f"expected an object, got {type(value).__name__}", code="wrong_type")
        return value


def _why(error: ValueError) -> str:
    return f"{error.msg} at character {error.pos}" if isinstance(error, json.JSONDecodeError) else str(error)


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def elements(path: Path) -> Iterator[Element]:
    """Each element of a file, in order. Memory grows with the longest one.

    After a JSON error in a list, the next element cannot be found: the element with the error is the last one.

    Raises:
        ParseError: `invalid_json` for a compressed file.
    """
    with path.open("rb") as file:
        head = file.read(_CHUNK)
        if head.startswith((GZIP, ZSTD)):
            raise ParseError(f"expected JSON, got the compressed file {path}: unpack it first", code="invalid_json")
        opened = open_list(head)
        file.seek(0 if opened is None else opened[0])
        yield from _lines(file) if opened is None else _listed(file, *opened)


def open_list(head: bytes) -> tuple[int, int] | None:
    """The byte at which the list of a JSON object begins, and the number of open objects around it; None for lines."""
    around: list[bytes] = []
    key = b""
    for token in _TOKEN.finditer(head):
        said = token[0]
        if token[1] is not None:
            key = token[1] if token[2] else b""
            if key in _LINES and len(around) == 1:
                return None
        elif said in (b"{", b"["):
            if said == b"[" and (not around or key in _LISTS) and _AROUND.issuperset(around[1:]):
                return token.end(), len(around)
            around.append(key)
        elif around:
            around.pop()
            if not around:
                return None
    return None


def _lines(file: BinaryIO) -> Iterator[Element]:
    number = start = 0
    while line := file.readline(MOST_BYTES + 1):
        number, begin, start = number + 1, start, start + len(line)
        if number == 1 and line.startswith(BOM):
            line, begin = line.removeprefix(BOM), begin + len(BOM)
        if len(line) > MOST_BYTES:
            while not line.endswith(b"\n") and (line := file.readline(_CHUNK)):
                start += len(line)
            yield Element(number, begin, b"", _too_large())
        elif line.strip():
            yield Element(number, begin, line)


def _listed(file: BinaryIO, start: int, around: int) -> Iterator[Element]:
    # In Latin-1, each character is one byte, and JSON's punctuation is the same as in UTF-8.
    held, at, number = "", 0, 0
    while True:
        gap = _GAP.match(held, at)
        begin = at if gap is None else gap.end()
        comma = gap is not None and bool(gap[1])
        fault = None
        if begin == len(held):
            fault = _broken("the file ends in the middle of the list")
        elif held[begin] == "]" and not comma:
            break
        elif comma != (number > 0):
            yield Element(number + 1, start + begin, b"", _broken("the list has a comma too many, or none"))
            return
        else:
            try:
                _, end = _DECODER.raw_decode(held, begin)
                if end < len(held):
                    number, at = number + 1, end
                    yield Element(number, start + begin, held[begin:end].encode("latin-1"))
                    continue
                fault = _broken("the file ends in the middle of the list")
            except json.JSONDecodeError as error:
                fault = _broken(error.msg)
                if error.pos < len(held) - _CUT and not error.msg.startswith("Unterminated"):
                    yield Element(number + 1, start + begin, b"", fault)
                    return
            except RecursionError:
                fault = ParseError("expected JSON that is nested less deeply", code="too_deep")
                yield Element(number + 1, start + begin, b"", fault)
                return
        # It reads twice as much each time, so that it parses no more again than is new.
        more = file.read(max(_CHUNK, len(held) - at))
        if len(held) - at > MOST_BYTES or not more:
            yield Element(number + 1, start + begin, b"", _too_large() if more else fault)
            return
        held, start, at = held[at:] + more.decode("latin-1"), start + at, 0
    rest = held[begin + 1 :] + file.read(_CHUNK).decode("latin-1")
    try:
        json.loads('{"":' * around + "[]" + rest)
    except ValueError:
        yield Element(number + 1, start + begin, b"", _broken("something wrong is behind the list"))


def _broken(why: str) -> ParseError:
    return ParseError(f"expected JSON, and what follows cannot be read: {why}", code="invalid_json")


def _too_large() -> ParseError:
    return ParseError(f"expected at most {MOST_BYTES} bytes for one request or result", code="too_large")
