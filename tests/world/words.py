"""Words that occur once: where they are in a request, and which of them are neither written nor told."""

import base64
import contextlib
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

WORDS = re.compile(r"w\d+z")
KEY = re.compile(r"\w+")


def leaves(value: Any, path: str = "$") -> Iterator[tuple[str, str]]:
    """Every text with its path, keys among them, and what base64 data say."""
    if isinstance(value, dict):
        for key, inner in value.items():
            here = f"{path}.{key}" if KEY.fullmatch(key) else f'{path}["{key}"]'
            yield here, key
            yield from leaves(inner, here)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from leaves(inner, f"{path}[{at}]")
    elif isinstance(value, str):
        yield path, value
        data = value.partition(";base64,")[2] or value
        if len(data) % 4 == 0 and len(data) < 4000:
            with contextlib.suppress(ValueError):
                yield path, base64.b64decode(data, validate=True).decode("utf-8", "ignore")


def words_of(value: Any) -> set[str]:
    said = " ".join(text for _, text in leaves(value))
    return set(WORDS.findall(said)) | set(WORDS.findall(json.dumps(value)))


def told(body: Any, payload: Any, paths: Iterable[str]) -> list[str]:
    """The words that are gone, and that none of the paths covers: `word at path`."""
    there, known = words_of(payload), set(paths)
    return [
        f"{word} at {path}"
        for path, text in leaves(body)
        for word in WORDS.findall(text)
        if word not in there and not is_under(path, known)
    ]


def is_under(path: str, known: set[str]) -> bool:
    """Whether one of these paths is the path, or above it.

    Where several objects of a part have unknown keys, each is told at the part.
    """
    if any(path.startswith(one) and path[len(one) : len(one) + 1] in ("", ".", "[") for one in known):
        return True
    outer = [one.rpartition(".") for one in known if ".x_" in one]
    return any(path.startswith(part) and f".{key}" in path[len(part) :] for part, _, key in outer)
