"""What a server's refusal says about its row: `learn` finds the column in the text of the error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from turnwire._core import _html
from turnwire._families import family
from turnwire._servers import Server
from turnwire.errors import ParseError

from .body import tools
from .guards import Told, holds
from .narrow import narrowed
from .rows import Found, Row, elsewhere, find
from .said_texts import status_of, texts_of

__all__ = ["Lesson", "learn", "lesson_of"]

_REFUSED: Final = (400, 404, 422)
_RAISED: Final = 500
"""A server that raises in a chat template answers with it, before the model runs."""


@dataclass(frozen=True)
class Lesson:
    """What the text of a refusal says about a server's row. `print(lesson)` is the line to paste.

    Attributes:
        server: The row with the lesson in it.
        column: The column that changes; None for a rule that no column has.
        value: Its new value.
        was: The value that it had.
        setting: The keys of the body that are refused, joined by commas, if that is the lesson.
        rule: What no column says: a key that does not go beside another, or reasoning that the server does not take.
        kind: `"shape"` if nothing that the caller asked for is lost, `"setting"` if a key of the body is left out or
            renamed, `"meaning"` if the reply may differ.
        model: The model, if the text is about one model.
        text: The words of the provider, as they are known.
        seen: Issues in which people reported them.
        certain: Whether the request was there and has what the text is about.
    """

    server: Server
    column: str | None
    value: Any
    was: Any
    setting: str | None
    rule: str | None
    kind: Literal["shape", "setting", "meaning"]
    model: str | None
    text: str
    seen: tuple[str, ...]
    certain: bool
    _row: Row = field(repr=False, compare=False)
    _name: str = field(repr=False, compare=False)
    _told: Told = field(repr=False, compare=False)

    def __str__(self) -> str:
        """The line of code that states it."""
        return f"{self._line()}  # {json.dumps(self.text, ensure_ascii=False)}"

    def _repr_html_(self) -> str:
        """A table of what it says."""
        return _html(self, ("column", "value", "was", "setting", "rule", "kind", "model", "text", "server"))

    def _line(self) -> str:
        if self.column is None:
            return f"# {self.rule}"
        row = self.server
        columns = row.columns
        if self.model is None:
            said = "".join(f", {name}={_python(value)}" for name, value in columns.items())
        else:
            each = ", ".join(f"{_python(name)}: {_python(value)}" for name, value in columns.items())
            said = f", models={{{_python(self.model)}: {{{each}}}}}"
        return f"server({_python(self._name)}, base={_python(row.base)}{said})"


def learn(target: str, error: object, request: Mapping[str, Any] | None = None) -> Lesson | None:
    """Find what a server's refusal says about its row; None if the text is not known, or teaches nothing here.

        try:
            client.chat.completions.create(**body)
        except openai.BadRequestError as error:
            print(tw.learn("openai:compatible", error, body))

    It sends nothing and keeps nothing. A text teaches only if one known text matches it, if the request has what the
    text is about, and if the row is not already as narrow. Texts of several meanings teach nothing.

    Args:
        target: The row for which the request was written: a dialect's name or a `Server`.
        error: What came back: the exception of an SDK, the body of the reply, or its text.
        request: The body that was refused. Without it, the lesson is not `certain`.

    Raises:
        UnknownDialectError: No row has this name, or it is of a format whose rows have no columns.
        ParseError: `wrong_type` for a request whose list is none.
        TypeError: An argument is of another type.
    """
    if not isinstance(target, str):
        raise TypeError(f"target: expected a str, got {type(target).__name__}")
    if not isinstance(error, str | bytes | bytearray | Mapping | list | BaseException):
        kinds = "an exception, the body of an error or its text"
        raise TypeError(f"error: expected {kinds}, got {type(error).__name__}")
    _checked(request)
    row = Server(target)
    model = request.get("model") if request is not None else None
    if isinstance(target, Server) and isinstance(model, str):
        row = target.for_model(model)
    found = find(texts_of(error), family(row.but().base))
    if found is None or not _is_refusal(status_of(error), found.row):
        return None
    return lesson_of(row, found, request)


def lesson_of(row: Server, found: Found, request: Mapping[str, Any] | None) -> Lesson | None:
    """What a known text teaches about a row; None if it teaches nothing here."""
    of = found.row
    changed = narrowed(row, found, request)
    if of.rule is None and not changed:
        return None
    value = next(reversed(changed.values()), None)
    told = found.told(value)
    if request is not None and not holds(of.guard, request, told):
        return None
    column = next(reversed(changed), None)
    server = row.but(**changed)
    named = request.get("model") if of.model and request is not None else None
    kind = of.kind
    if of.one_tool is not None and request is not None and len(tools(request)) == 1:
        kind = of.one_tool
    text, seen = _words_of(of)
    return Lesson(
        server=server,
        column=column,
        value=None if column is None else server.row[column],
        was=None if column is None else row.row[column],
        setting=", ".join(_new(value, row.row["refuses"])) if column == "refuses" else None,
        rule=of.rule,
        kind=kind,
        model=named if isinstance(named, str) else None,
        text=text,
        seen=seen,
        certain=request is not None,
        _row=of,
        _told=told,
        # A shipped row may have got a short name by a server that differs for some models only.
        _name=row.name if row.base != str(row) and row.name != str(row) else "…",
    )


def _words_of(row: Row) -> tuple[str, tuple[str, ...]]:
    """What the provider says and who reported it: the row's own, or those of another table that its pattern matches."""
    if row.texts:
        return row.texts[0], row.seen
    text, seen = next(one for one in elsewhere() if row.pattern.search(one[0]))
    return text, row.seen or seen


def _python(value: Any) -> str:
    """A column's value as Python code."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_python, value))}{',' if len(value) == 1 else ''})"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _new(value: Any, known: Any) -> list[str]:
    return [key for key in value if key not in known]


def _is_refusal(status: int | None, row: Row) -> bool:
    return status is None or status in _REFUSED or (status == _RAISED and row.raised)


def _checked(request: object) -> None:
    """Raise for what is no body, before a guard looks into it."""
    if request is None:
        return
    if not isinstance(request, Mapping):
        raise TypeError(f"request: expected the body as a dict, got {type(request).__name__}")
    for key in ("messages", "input"):
        held = request.get(key)
        if held is None or (key == "input" and isinstance(held, str)):
            continue
        if not isinstance(held, list | tuple):
            text = f"$.{key}: expected a list, got {type(held).__name__}"
            raise ParseError(text, code="wrong_type", path=f"$.{key}")
        for at, one in enumerate(held):
            if not isinstance(one, Mapping):
                text = f"$.{key}[{at}]: expected an object, got {type(one).__name__}"
                raise ParseError(text, code="wrong_type", path=f"$.{key}[{at}]")
