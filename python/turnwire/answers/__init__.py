"""An answer for every code: what happened, an example before and after, and what to do."""

from __future__ import annotations

import difflib
import html
import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal, TypeAlias

from turnwire import _core
from turnwire.errors import TurnwireError, address

from .said import PAGE, Said, Taught, Unfixed, find

__all__ = ["Answer", "Explanation", "answers", "explain"]

Kind: TypeAlias = Literal["error", "change", "diff"]
Language: TypeAlias = Literal["py", "json"]

_MEANINGS: Final[dict[Kind, Callable[[], dict[str, str]]]] = {
    "error": lambda: {code: meaning for code, (_, meaning) in _core.error_codes().items()},
    "change": lambda: {code: meaning for code, (_, meaning) in _core._change_codes().items()},
    "diff": lambda: {code: meaning for code, (_, meaning) in _core.diff_codes().items()},
}
_FILES: Final[dict[Kind, str]] = {
    "error": "errors",
    "change": "changes",
    "diff": "diffs",
}
_WIDEST: Final = 120
"""The most characters of a line of code."""
_LONGEST: Final = 60
"""The number of characters that are shown of a text in an example."""


@dataclass(frozen=True)
class Answer:
    """What one code means, and what to do about it.

    Attributes:
        code: The code.
        kind: `"error"`, `"change"` or `"diff"`. A code may be in several of these lists.
        meaning: What happened, in a sentence or two.
        do: What to do.
        before: An example that leads to the code: Python, or a payload as JSON. Empty if there is no example.
        after: The example without the problem: the code that works, or the payload that turnwire makes.
        language: The language of the example, "py" or "json".
        page: The address of this answer in the documentation.
        call: The line of code that makes `after` of `before`. Empty if these are code themselves.
    """

    code: str
    kind: Kind
    meaning: str
    do: str
    before: str
    after: str
    language: Language
    page: str
    call: str = ""

    def __str__(self) -> str:
        """The answer as text for a terminal."""
        said = [f"{self.code} ({self.kind})", "", self.meaning, "", f"What to do: {self.do}"]
        for title, example in (("Before", self.before), ("Call", self.call), ("After", self.after)):
            if example:
                said += ["", f"{title}:", *(f"    {line}".rstrip() for line in example.splitlines())]
        return "\n".join([*said, "", self.page])

    def _repr_html_(self) -> str:
        """The answer for a notebook."""
        return f"<pre>{html.escape(str(self))}</pre>"


class Explanation(tuple[Answer, ...]):
    """The answers for one code, one for each list that has the code. `str()` is all of them, one below the other.

    For a message, `str()` is the answer for the message, which names its code.

    Attributes:
        said: The provider's message that was explained; None if a code was explained. An `Unfixed` is a message about
            a request that `prepare(messages, target)` alone does not fix, and a `Taught` one about a server that its
            row does not fit. These have no codes.
    """

    said: Said | Unfixed | Taught | None = None

    def __str__(self) -> str:
        """All answers, or the one for the message, as text for a terminal."""
        if self.said is None:
            return "\n\n".join(map(str, self))
        codes = dict.fromkeys(answer.code for answer in self)
        # The answers of a code are general, and may say something else than the one for the message.
        return "\n\n".join([str(self.said), *(f"See also: turnwire explain {code}" for code in codes)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """The answers for a notebook."""
        return f"<pre>{html.escape(str(self))}</pre>"


def explain(code: object) -> Explanation:
    """What a code means: what happened, an example before and after, and what to do.

        print(explain("budget_too_small"))

    It also takes a provider's error message for a refused request, and finds the line of code that fixes it.

        print(explain("messages.1: `tool_use` ids were found without `tool_result` blocks immediately after"))

    Args:
        code: A code of an error, a change or a diff; an object with such a `.code`, such as a
            caught `TurnwireError` or a `Change`; or the error message of a provider or a framework, as a
            str or as the exception that you caught.

    Raises:
        TurnwireError: `unknown_option` for a code that is in no list, with the closest one, and for a message that is
            not known.
        TypeError: `code` is not a str, and has no `.code` that is one.
    """
    foreign = isinstance(code, BaseException) and not isinstance(code, TurnwireError)
    name = str(code) if foreign else getattr(code, "code", code)
    if not isinstance(name, str):
        raise TypeError(f"code: expected a str or an object with a code, got {type(code).__name__}")
    found = Explanation(answers(kind)[name] for kind in _MEANINGS if name in answers(kind))
    if not found and " " in name.strip():
        said = find(name, code if foreign else None)
        if said is None:
            text = "no known message of a provider matches; `check` reports what is wrong with the request itself, and"
            raise TurnwireError(f"{text} {PAGE} lists the known messages", code="unknown_option")
        found = Explanation(
            answers(kind)[said.code] for kind in _MEANINGS if isinstance(said, Said) and said.code in answers(kind)
        )
        found.said = said
    elif not found:
        known = {one for kind in _MEANINGS for one in _MEANINGS[kind]()}
        close = difflib.get_close_matches(name, sorted(known), 1)
        hint = f": did you mean {json.dumps(close[0])}?" if close else ""
        raise TurnwireError(f"{json.dumps(name)} is not a code of turnwire{hint}", code="unknown_option")
    return found


@cache
def answers(kind: Kind) -> dict[str, Answer]:
    """Every answer of one list, by its code."""
    table, meanings = rows(kind), _MEANINGS[kind]()
    return {code: _answer(code, kind, meanings[code], table[code]) for code in meanings}


def rows(kind: Kind) -> dict[str, dict[str, Any]]:
    """The table of one list, as it is in its file."""
    return tomllib.loads(files(__name__).joinpath(f"{_FILES[kind]}.toml").read_text(encoding="utf-8"))


def _answer(code: str, kind: Kind, meaning: str, row: dict[str, Any]) -> Answer:
    before, after, language = _example(kind, row)
    return Answer(code, kind, meaning, row["do"], before, after, language, address(code), _call(row))


def _example(kind: Kind, row: dict[str, Any]) -> tuple[str, str, Language]:
    if kind == "diff":
        return shown(json.loads(row["first"])), shown(json.loads(row["second"])), "json"
    given = row.get("messages") or row.get("payload")
    if given is None:
        return row.get("before", "").strip("\n"), row.get("after", "").strip("\n"), "py"
    made = run(row).payload
    return shown(json.loads(given)), shown(json.loads(made) if isinstance(made, bytes) else made), "json"


def run(row: dict[str, Any]) -> _core.Rendered[Any]:
    """The result of turnwire for the payload of an example."""
    if "messages" in row:
        return _core._tried(json.loads(row["messages"]), row["target"], **_options(row))
    write = _core.convert_json if row.get("json") else _core.convert
    return write(json.loads(row["payload"]), row["target"], source=row["source"])


def _options(row: dict[str, Any]) -> dict[str, Any]:
    """The options of an example. A budget that is more than a number is a dict there."""
    options: dict[str, Any] = json.loads(row.get("options", "{}"))
    budget = options.get("budget")
    return {**options, "budget": _core.Budget(**budget)} if isinstance(budget, dict) else options


def _call(row: dict[str, Any]) -> str:
    """The call of `run`, as Python."""
    given = row.get("messages") or row.get("payload")
    if given is None or "first" in row:
        return ""
    args: list[tuple[str, Any]] = [("messages" if isinstance(json.loads(given), list) else "body", None)]
    if "messages" in row:
        args += [
            ("", row["target"]),
            *((f"{key}=", value) for key, value in _options(row).items()),
        ]
        function = "tw.prepare"
    else:
        args += [("", row["target"]), ("source=", row["source"])]
        function = "tw.convert_json" if row.get("json") else "tw.convert"
    line = f"{function}({', '.join(head + ('' if value is None else _python(value)) for head, value in args)})"
    return line if len(line) <= _WIDEST else "\n".join([f"{function}(", *(_lines(*arg, 4) for arg in args), ")"])


def _lines(head: str, value: Any, indent: int) -> str:
    """An argument or an item as a formatter writes it: on one line if it fits, else with a line for each item."""
    start, text = " " * indent + head, "" if value is None else _python(value)
    if len(start) + len(text) < _WIDEST or not isinstance(value, list | dict):
        return f"{start}{text},"
    if isinstance(value, list):
        return "\n".join([f"{start}[", *(_lines("", one, indent + 4) for one in value), " " * indent + "],"])
    items = (_lines(f"{_python(key)}: ", one, indent + 4) for key, one in value.items())
    return "\n".join([f"{start}{{", *items, " " * indent + "},"])


def _python(value: Any) -> str:
    """A JSON value, or a budget, as Python code on one line."""
    match value:
        case _core.Budget():
            return f"tw.{value!r}"
        case dict():
            return "{" + ", ".join(f"{_python(key)}: {_python(one)}" for key, one in value.items()) + "}"
        case list():
            return f"[{', '.join(map(_python, value))}]"
        case str():
            return json.dumps(value, ensure_ascii=False)
    return repr(value)


def shown(value: Any) -> str:
    """A payload with a line for each message, and long texts shortened."""
    if isinstance(value, list):
        return "[\n" + ",\n".join(f"  {_line(one)}" for one in value) + "\n]" if value else "[]"
    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {_values(one)}" for key, one in value.items()) + "\n}"


def _values(value: Any) -> str:
    if not isinstance(value, list) or not value:
        return _line(value)
    return "[\n" + ",\n".join(f"    {_line(one)}" for one in value) + "\n  ]"


def _line(value: Any) -> str:
    text = json.dumps(_short(value), ensure_ascii=False, default=repr)
    # A lone surrogate cannot be printed, so it is escaped.
    return text if text.isprintable() else json.dumps(_short(value), default=repr)


def _short(value: Any) -> Any:
    match value:
        case dict():
            return {key: _short(one) for key, one in value.items()}
        case list():
            return [_short(one) for one in value]
        case str() if len(value) > _LONGEST:
            return f"{value[: _LONGEST - 20]} … {value[-16:]}"
        case bytes():
            return f"<{len(value)} bytes>"
    return value
