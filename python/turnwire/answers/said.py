"""The error messages of providers, frameworks and servers for refused requests, each with what fixes it."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from itertools import chain, pairwise
from typing import Any, Final

from turnwire.errors import SITE
from turnwire.lessons.lines import line
from turnwire.lessons.rows import Found, Row, causes, rows
from turnwire.lessons.rows import find as taught_by
from turnwire.lessons.said_texts import texts_of

__all__ = [
    "OTHERS", "PAGE", "SERVERS", "UNFIXED", "Said", "Taught", "Unfixed", "anchor", "find", "known", "pages", "said",
    "taught", "unfixed",
]  # fmt: skip

PAGE: Final = f"{SITE}troubleshooting/"
UNFIXED: Final = "not-fixed"
"""The page of the messages that `prepare` alone does not fix."""
SERVERS: Final = "servers"
"""The page of the messages about a server's row."""
OTHERS: Final = "others"
"""The page of those who have few messages."""
_FEW: Final = 5
_ENOUGH: Final = 0.7
"""The share of the rare words that a text must have in common with a message."""
_FEWEST: Final = 4
"""The least number of words that it must have in common, or all words of a shorter message."""
_IN_ORDER: Final = 0.4
"""The share of the pairs of neighbouring words, of the shorter of the two texts, that they must have in common."""
_LONGEST: Final = 200
"""The most words of a message. A longer text is a traceback or a log, whose words would match anything."""


@dataclass(frozen=True)
class Said:
    """One message of a provider or a framework.

    Attributes:
        by: The provider or framework.
        text: The text of the message.
        cause: What is wrong with the request, and how it came to be.
        line: The line of code that makes a valid request from `messages`.
        code: The code that `check` reports for the request.
        target: The dialect that the request is for.
        dialect: The dialect that the request is in.
        messages: A request that is refused with this message.
        seen: Issues in which people reported the message.
        server: The line of code that states the rule of the server, if a row can say it. Empty otherwise.
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
    server: str = field(default="", compare=False)

    @property
    def page(self) -> str:
        """The address of this answer in the documentation."""
        return f"{PAGE}{pages()[self.by]}/#{anchor(self.text)}"

    def __str__(self) -> str:
        """The answer as text for a terminal."""
        return _shown(self, self.cause, f"What to do:\n    {self.line}", *_stated(self.server))


@dataclass(frozen=True)
class Unfixed:
    """One message about a request that `prepare(messages, target)` alone does not fix.

    Attributes:
        by: The provider.
        text: The text of the message.
        do: What is wrong, and what to do, as Markdown.
        seen: Issues in which people reported the message.
        server: As in `Said`.
    """

    by: str
    text: str
    do: str
    seen: tuple[str, ...]
    server: str = field(default="", compare=False)

    @property
    def page(self) -> str:
        """The address of this answer in the documentation."""
        return f"{PAGE}{UNFIXED}/#{anchor(self.text)}"

    def __str__(self) -> str:
        """The answer as text for a terminal."""
        return _shown(self, re.sub(r"\[(.*?)\]\([\w.#-]+\)", r"\1", self.do), *_stated(self.server))


@dataclass(frozen=True)
class Taught:
    """One message of a server that its row does not fit.

    Attributes:
        by: The server.
        text: The text of the message.
        cause: What is wrong with the request for this server.
        seen: Issues in which people reported the message.
        server: As in `Said`.
    """

    by: str
    text: str
    cause: str
    seen: tuple[str, ...]
    server: str = field(default="", compare=False)

    @property
    def page(self) -> str:
        """The address of this answer in the documentation."""
        return f"{PAGE}{SERVERS}/#{anchor(self.text)}"

    def __str__(self) -> str:
        """The answer as text for a terminal."""
        return _shown(self, self.cause, *_stated(self.server))


def _stated(server: str) -> list[str]:
    return [f"State it for this server, and pass that as target:\n    {server}"] if server else []


def anchor(text: str) -> str:
    """The anchor of a message on its page: its words."""
    return "-".join(re.findall(r"\w+", text.lower()))


@cache
def pages() -> dict[str, str]:
    """The name of the page with the messages of each provider or framework."""
    counts = Counter(one.by for one in said())
    return {by: anchor(by) if count > _FEW else OTHERS for by, count in counts.items()}


def _shown(one: Said | Unfixed | Taught, *answer: str) -> str:
    return "\n\n".join([f'{one.by} says: "{one.text}"', *answer, one.page])


def _rows(name: str) -> list[dict[str, Any]]:
    rows: dict[str, list[dict[str, Any]]]
    rows = tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text(encoding="utf-8"))
    (table,) = rows.values()
    return table


@cache
def said() -> tuple[Said, ...]:
    """Every known message about a request that turnwire fixes."""
    read: dict[str, Callable[[Any], Any]] = {"messages": json.loads, "seen": tuple}
    return tuple(
        Said(**{"dialect": row["target"]} | {key: read.get(key, str)(value) for key, value in row.items()})
        for row in _rows("providers")
    )


@cache
def unfixed() -> tuple[Unfixed, ...]:
    """Every known message about a request that `prepare(messages, target)` alone does not fix."""
    return tuple(Unfixed(**row | {"seen": tuple(row.get("seen", ()))}) for row in _rows("unfixed"))


def known() -> Iterator[Said | Unfixed]:
    """Every known message."""
    yield from said()
    yield from unfixed()


@cache
def taught() -> tuple[Taught, ...]:
    """Every text of a server that no other table has, with the line that its own words teach."""
    return tuple(
        Taught(row.by, text, _cause(row), row.seen, line(found))
        for row in rows()
        for text in row.texts
        if (found := taught_by(texts_of(text))) is not None
    )


def _cause(row: Row) -> str:
    return row.rule or causes()[row.column or ""]


def find(text: str, error: object = None) -> Said | Unfixed | Taught | None:
    """The known message that a text quotes, perhaps with other ids, indices and names; None if there is none.

    Of a traceback or a log, it is the last line with a known message. `error` is what the text was made of.
    """
    if len(_in_order(text)) <= _LONGEST:
        return _known_as(text, texts_of(text if error is None else error))
    lines = (_known_as(one, texts_of(one)) for one in reversed(text.splitlines()))
    return next((found for found in lines if found is not None), None)


def _known_as(text: str, inner: list[str]) -> Said | Unfixed | Taught | None:
    """The message of a text, with the line for its server. A pattern knows better than words what a server says."""
    best, found = _find(text), taught_by(inner)
    if found is None:
        return best
    row = found.row
    if best is None or not row.pattern.search(best.text):
        best = None if row.texts else next(one for one in known() if row.pattern.search(one.text))
    return _taught(found) if best is None else replace(best, server=line(found))


def _taught(found: Found) -> Taught:
    row = found.row
    return Taught(row.by, row.texts[0], _cause(row), row.seen, line(found))


def _find(text: str) -> Said | Unfixed | None:
    """The same for a text that is one message."""
    asked, together, rarity = _words(text), _pairs(text), _rarity()
    quoted = _spaced(text)

    def weight(words: frozenset[str]) -> float:
        # `fsum` does not depend on the order, which is random in a set.
        return math.fsum(1 / rarity.get(word, 1) for word in words)

    best: Said | Unfixed | None = None
    most = (0.0, 0.0, 0, 0.0, False)
    messages = _messages()
    counts = Counter(chain.from_iterable(_places().get(word, ()) for word in asked))
    # In the order of the tables: the first of several that fit alike is the one.
    for at in sorted(counts):
        one, words = messages[at]
        if counts[at] < min(_FEWEST, len(words)):
            continue
        pairs, ordered = _order(at)
        alike = len(pairs & together)
        # The same common words in another order say something else.
        if alike < _IN_ORDER * min(len(pairs), len(together)):
            continue
        common = weight(words & asked)
        # If two have the same words in common, the one with more of their pairs wins, then the one with fewer other
        # words, then the one with the same order.
        in_order = ordered in quoted
        score = (common / min(weight(words), weight(asked)), common, alike, -weight(words), in_order)
        if score > most:
            best, most = one, score
    return best if most[0] >= _ENOUGH else None


@cache
def _messages() -> tuple[tuple[Said | Unfixed, frozenset[str]], ...]:
    """Every known message with its words."""
    return tuple((one, _words(one.text)) for one in known())


@cache
def _places() -> dict[str, list[int]]:
    """For each word, the numbers of the messages that have it."""
    places: dict[str, list[int]] = {}
    for at, (_, words) in enumerate(_messages()):
        for word in words:
            places.setdefault(word, []).append(at)
    return places


@cache
def _rarity() -> dict[str, int]:
    """The number of messages that have each word."""
    return {word: len(places) for word, places in _places().items()}


@cache
def _order(at: int) -> tuple[frozenset[tuple[str, str]], str]:
    """The pairs of a known message, by its number, and its words in order."""
    text = _messages()[at][0].text
    return _pairs(text), _spaced(text)


# None of these remembers what it read: a program may explain errors for months.
def _words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(_in_order(text))


def _pairs(text: str) -> frozenset[tuple[str, str]]:
    """Each word of a text with the next one."""
    return frozenset(pairwise(_in_order(text)))


def _spaced(text: str) -> str:
    """The words of a text, with a space around each."""
    return f" {' '.join(_in_order(text))} "


def _in_order(text: str) -> tuple[str, ...]:
    """The words of a text without those that have a digit, because these are numbers, ids or indices."""
    # Clients print a body like Python's `repr`: a line break in it is a backslash and an `n`.
    plain = re.sub(r"\\[nrt]", " ", text.lower())
    # What a client puts before the message, and the keys of the body, are not words of it.
    plain = re.sub(r"\berror code: \d+\b", " ", plain)
    plain = re.sub(r"\b[\w.]*(?:error|exception)(?::|\b - )|\binternalerror\.algo\.invalidparameter:", " ", plain)
    plain = re.sub(r"(['\"])(?:code|detail|details|error|message|param|request_id|status|type)\1:", " ", plain)
    # The beginning of such an id says that the provider ran the call.
    plain = re.sub(r"\bsrvtoolu_\w+", "srvtoolu", plain)
    words = (word.strip("_") for word in re.findall(r"\w+", plain))
    return tuple(word for word in words if word and not re.search(r"\d", word))
