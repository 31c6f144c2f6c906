"""Finds what a server said in an error: in an SDK's exception, in the body of a reply, in a text around one."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["status_of", "texts_of"]

_DEPTH: Final = 3
"""How often a message may hold a body as text: each gateway in between wraps it once."""
_LONGEST: Final = 1 << 16
"""The most characters of an error that are read."""
_INNER: Final = ("error", "message", "detail", "msg")
"""The keys of a body under which its message is, the outer ones first."""


def status_of(error: object) -> int | None:
    """The status with which a server refused a request, if an exception says it."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) and isinstance(error, BaseException) else None


def texts_of(error: object) -> list[str]:
    """The texts in which a server's words may be, the innermost first."""
    texts = [text for text in _texts(_given(error), _DEPTH) if text.strip()]
    return [text for text in dict.fromkeys(texts) if len(text) <= _LONGEST]


def _given(error: object) -> Any:
    """The body of an exception, or what it says. What a client prints of a body has escapes in it."""
    if not isinstance(error, BaseException):
        return error
    body = getattr(error, "body", None)
    if isinstance(body, str | bytes | Mapping | list) and body:
        return body
    message = getattr(error, "message", None)
    return message if isinstance(message, str) and message else str(error)


def _texts(value: Any, depth: int) -> Iterator[str]:
    match value:
        case bytes() | bytearray():
            yield from _texts(bytes(value).decode("utf-8", "replace"), depth)
        case str():
            inner = _opened(value) if depth and len(value) <= _LONGEST else None
            if inner is not None:
                yield from _texts(inner, depth - 1)
            yield value
        case Mapping():
            for key in _INNER:
                if isinstance(held := value.get(key), str | Mapping | list):
                    yield from _texts(held, depth)
            # As Python writes it, like the servers that print their own objects.
            yield repr(dict(value))
        case list() | tuple() if value:
            # One fault, or Google's list of one error. Several have no one text.
            if len(value) == 1:
                yield from _texts(value[0], depth)
            yield repr([*value])


def _opened(text: str) -> Any:
    """The body that a text holds, as JSON or as Python writes it; None if there is none."""
    begins = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    for begin in sorted(begins):
        end = max(text.rfind("}"), text.rfind("]")) + 1
        for read in (json.loads, ast.literal_eval):
            try:
                held = read(text[begin:end])
            except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
                continue
            if isinstance(held, Mapping | list) and held:
                return held
    return None
