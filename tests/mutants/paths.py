"""Reads paths as turnwire writes them: which value they name, and what is below it."""

import base64
import re
from collections.abc import Iterator
from typing import Any

Steps = tuple[int | str, ...]

# A key that a path quotes. Which key it is does not matter: no case has two.
ODD = '"'
_STEP = re.compile(r'\.([\w-]+)|\[(\d+)\]|(\["(?:[^"\\]|\\.)*"\])', re.ASCII | re.DOTALL)


def steps(path: str) -> Steps:
    """The steps of `$.messages[3].content`: `("messages", 3, "content")`."""
    found: list[int | str] = []
    rest = path.removeprefix("$")
    while rest:
        step = _STEP.match(rest)
        if step is None:
            raise ValueError(f"no path: {path!r}")
        found.append(int(step[2]) if step[2] else step[1] or ODD)
        rest = rest[step.end() :]
    return tuple(found)


def step_of(key: object) -> str:
    return key if isinstance(key, str) and re.fullmatch(r"[\w-]+", key, re.ASCII) else ODD


def is_place(payload: Any, path: str) -> bool:
    """Whether the path leads through the payload; its last step may be a key that is missing there."""
    at = steps(path)
    for number, step in enumerate(at):
        if isinstance(payload, dict) and isinstance(step, str):
            inside = {step_of(key): value for key, value in payload.items()}
            if step not in inside:
                return number == len(at) - 1
            payload = inside[step]
        elif isinstance(payload, list | tuple) and isinstance(step, int) and step < len(payload):
            payload = payload[step]
        else:
            return False
    return True


def value(payload: Any, path: str) -> Any:
    """The value at a path, or None."""
    for step in steps(path):
        try:
            payload = payload[step]
        except (IndexError, KeyError, TypeError):
            return None
    return payload


def decoded(value: Any) -> str:
    """The text of documents that are bytes."""
    if isinstance(value, dict | list):
        return "".join(decoded(item) for item in (value.values() if isinstance(value, dict) else value))
    if not isinstance(value, str) or len(value) % 4 or not re.fullmatch(r"[A-Za-z0-9+/]{8,}={0,2}", value):
        return ""
    return base64.b64decode(value).decode(errors="ignore")


def words(value: Any, at: Steps = ()) -> Iterator[tuple[Steps, str]]:
    """Every word that `Payload.word` made, with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from words(item, (*at, step_of(key)))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from words(item, (*at, index))
    elif isinstance(value, str):
        for word in re.findall(r"\bw\d+z", value):
            yield at, word
