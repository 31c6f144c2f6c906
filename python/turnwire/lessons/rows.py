"""The table of the texts that teach: each with its pattern, and with the column of a row that it is about."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from .guards import Told

__all__ = ["Found", "Row", "causes", "elsewhere", "find", "request_of", "rows"]

Kind = Literal["shape", "setting", "meaning"]

_ONES: Final = re.compile(r"\w+")
_BREAKS: Final = re.compile(r"\\+[nrt]")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


@dataclass(frozen=True)
class Row:
    """One text that teaches, in the forms in which servers write it. `lessons.toml` says what each key means."""

    name: str
    by: str
    kind: Kind
    guard: str
    pattern: re.Pattern[str]
    wire: str | None = None
    column: str | None = None
    value: Any = None
    take: Literal["keys", "words", "without", "number"] | None = None
    word: str | None = None
    beside: Mapping[str, Any] | None = None
    rule: str | None = None
    leave: str | None = None
    rename: str | None = None
    one_tool: Kind | None = None
    raised: bool = False
    model: bool = False
    texts: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    source: str | None = None
    request: str | None = None

    def is_of(self, wire: str) -> bool:
        """Whether servers of this format say it."""
        return self.wire in (None, wire)


@dataclass(frozen=True)
class Found:
    """A row, and what the text of the server names.

    Attributes:
        row: The row.
        keys: The keys or words, in snake case.
        at: The index of a message.
        number: A number, as text.
    """

    row: Row
    keys: tuple[str, ...]
    at: int | None
    number: str | None

    def told(self, value: Any) -> Told:
        """The same for a guard, with the value that the column is to have."""
        return Told(self.keys, self.at, value)


@cache
def _table(name: str = "lessons") -> dict[str, Any]:
    return tomllib.loads(files("turnwire.answers").joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@cache
def elsewhere() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The texts that the tables of `explain` have, which no row repeats, each with who reported it."""
    tables = (one for name in ("providers", "unfixed") for one in _table(name).values())
    return tuple((row["text"], tuple(row.get("seen", ()))) for table in tables for row in table)


@cache
def rows() -> tuple[Row, ...]:
    """Every row."""
    read: dict[str, Any] = {
        "pattern": lambda text: re.compile(text, re.IGNORECASE | re.DOTALL),
        "texts": tuple,
        "seen": tuple,
    }
    return tuple(Row(**{key: read.get(key, _same)(value) for key, value in one.items()}) for one in _table()["lesson"])


def _same(value: Any) -> Any:
    return value


def causes() -> Mapping[str, str]:
    """What is wrong with a request, by the column that says it."""
    told: Mapping[str, str] = _table()["columns"]
    return told


def request_of(row: Row) -> str:
    """A request that is refused with the text, as JSON."""
    made: str = row.request or _table()["requests"][row.guard]
    return made


def find(texts: Iterable[str], wire: str | None = None) -> Found | None:
    """The one row that the innermost text with any matches; None if none or several do."""
    for text in texts:
        # A terminal breaks lines where it likes, and a printed body has its breaks escaped.
        text = " ".join(_BREAKS.sub(" ", text).split())
        found = [row for row in rows() if (wire is None or row.is_of(wire)) and row.pattern.search(text)]
        if found:
            return _found(found[0], text) if len(found) == 1 else None
    return None


def _found(row: Row, text: str) -> Found:
    named: dict[str, list[str]] = {}
    for match in row.pattern.finditer(text):
        for group, value in match.groupdict().items():
            if value is not None:
                named.setdefault(group.rstrip("0123456789"), []).append(value)
    groups = ("words",) if row.take == "words" else ("key", "words")
    whole = [value for group in groups for value in named.get(group, ())]
    ones = [_plain(one) for value in whole for one in _ONES.findall(value)]
    # Keys of the body are in snake case; those of messages are the caller's own.
    own = whole if row.guard == "key_in_message" else ones
    keys = tuple(dict.fromkeys([row.word] if row.word else own))
    at, number = (named.get(group, [None])[0] for group in ("at", "number"))
    return Found(row, keys, None if at is None else int(at), number)


def _plain(word: str) -> str:
    """A key in snake case. xAI writes keys in camel case, and Gemini words in capitals."""
    return _CAMEL.sub("_", word).lower()
