"""The error messages of providers and frameworks for refused requests, each with the line of code that fixes it."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

__all__ = ["PAGE", "Said", "find", "said"]

PAGE: Final = "https://github.com/turnwire/turnwire/blob/main/docs/troubleshooting.md"
_ENOUGH: Final = 0.6
"""The share of the rare words that a text has to have in common with a message."""
_FEWEST: Final = 4
"""The words that it has to have in common at least."""


@dataclass(frozen=True)
class Said:
    """One message of a provider or a framework.

    Attributes:
        by: Who says it.
        text: Its words.
        cause: What is wrong with the request, and how that comes about.
        line: The line of code that makes a request of `messages` which is accepted.
        code: The code that `check` reports for such a request.
        target: The dialect that the request is for.
        dialect: The dialect that the request is in.
        messages: Such a request.
        seen: Where people met it.
    """

    by: str
    text: str
    cause: str
    line: str
    code: str
    target: str
    dialect: str
    messages: Any
    seen: tuple[str, ...]

    @property
    def page(self) -> str:
        """Where the documentation says the same. GitHub makes the anchor from the words of the heading."""
        anchor = re.sub(r"[^\w\- ]", "", self.text.lower()).replace(" ", "-")
        return f"{PAGE}#{anchor}"


@cache
def said() -> tuple[Said, ...]:
    """Every message that is known."""
    rows = tomllib.loads(files(__package__).joinpath("providers.toml").read_text(encoding="utf-8"))["said"]
    read: dict[str, Callable[[Any], Any]] = {"messages": json.loads, "seen": tuple}
    return tuple(
        Said(**{"dialect": row["target"]} | {key: read.get(key, str)(value) for key, value in row.items()})
        for row in rows
    )


def find(text: str) -> Said | None:
    """The message that a text quotes, with other ids, indices and names; None where it quotes none that is known."""
    asked, rarity = _words(text), _rarity()

    def weight(words: frozenset[str]) -> float:
        # The order of a set is random; the sum must not be.
        return math.fsum(1 / rarity.get(word, 1) for word in words)

    best, most = None, (0.0, 0.0, 0.0)
    for one in said():
        words = _words(one.text)
        if len(words & asked) < _FEWEST:
            continue
        common = weight(words & asked)
        # Of two that have the same in common, the one that says less beside it.
        score = (common / min(weight(words), weight(asked)), common, -weight(words))
        if score > most:
            best, most = one, score
    return best if most[0] >= _ENOUGH else None


@cache
def _rarity() -> dict[str, int]:
    """In how many messages each word is."""
    counts: dict[str, int] = {}
    for one in said():
        for word in _words(one.text):
            counts[word] = counts.get(word, 0) + 1
    return counts


@cache
def _words(text: str) -> frozenset[str]:
    """The words of a text that are no numbers; what has a digit in it is an id or an index."""
    # Clients print a body as Python's `repr` does: a line break in it is a backslash and an `n`.
    words = re.findall(r"[^\W_]+(?:_[^\W\d_]+)*", re.sub(r"\\[nrt]", " ", text.lower()))
    return frozenset(word for word in words if not re.search(r"\d", word))
