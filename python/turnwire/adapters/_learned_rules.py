"""What a client has learned about a server: the columns of its row, and the rules that no column has."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final, cast

from turnwire import prepare
from turnwire._core import Change
from turnwire._families import family
from turnwire._servers import Server
from turnwire.errors import TurnwireError
from turnwire.lessons import Lesson
from turnwire.lessons.guards import holds

from ._changes import changed, lost

__all__ = ["Rules", "of_model"]

_SETTINGS: Final = {
    "refuses": (),
    "max_tokens": ("max_tokens", "max_completion_tokens"),
    "effort": ("reasoning_effort", "reasoning", "output_config"),
    "effort_with_tools": ("reasoning_effort",),
    "thinking": ("thinking",),
    "formats": ("response_format", "text"),
    "format_with_tools": ("response_format", "text"),
}
"""The columns about settings, and the keys of a body that they concern."""
_KEPT: Final = ("model", "stream", "tools")
_MOST: Final = 1024
"""The most blocks of refused reasoning that are known. The least recently used are forgotten first."""
_SECRETS: Final = ("encrypted_content", "signature", "data")
_REASONING: Final = ("reasoning", "thinking", "redacted_thinking")


def of_model(target: str, model: object) -> str:
    """The row for a model, of a server whose rules differ for some."""
    return target.for_model(model) if isinstance(target, Server) and isinstance(model, str) else target


class Rules:
    """The lessons of one format of a client, which add up. The caller holds the lock."""

    def __init__(self) -> None:
        self.lessons: tuple[Lesson, ...] = ()
        self.blocks: OrderedDict[str, None] = OrderedDict()

    def row(self, target: str, model: object) -> str:
        """The row for a request: that of the client, with what was learned about it."""
        lessons = [one for one in self.lessons if one.column is not None and one.model in (None, model)]
        stated = of_model(target, model)
        if not lessons:
            return stated
        row = Server(stated)
        for lesson in lessons:
            now = row.row
            said = {name: _together(name, now[name], lesson.server.row[name]) for name in _columns(lesson)}
            try:
                row = row.but(**said)
            except TurnwireError:
                # Two lessons that do not go together: a request must not fail by what was learned.
                continue
        return row

    def without_blocks(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The body without the reasoning that the server has refused."""
        if not self.blocks:
            return body
        for key in ("messages", "input"):
            if isinstance(body.get(key), list):
                return {**body, key: [one for each in body[key] for one in self._left(each)]}
        return body

    def _left(self, element: Any) -> list[Any]:
        if not isinstance(element, Mapping):
            return [element]
        if self._is_refused(element):
            return []
        content = element.get("content")
        if not isinstance(content, list):
            return [element]
        left = [part for part in content if not self._is_refused(part)]
        return [element if len(left) == len(content) else {**element, "content": left}]

    def _is_refused(self, block: Any) -> bool:
        secret = _secret(block)
        if secret not in self.blocks:
            return False
        self.blocks.move_to_end(secret)
        return True

    def refuse_blocks(self, body: Mapping[str, Any]) -> None:
        """Remember the reasoning that the server could not read."""
        for element in body.get("messages") or body.get("input") or ():
            content = element.get("content") if isinstance(element, Mapping) else None
            for block in (element, *(content if isinstance(content, list) else ())):
                if secret := _secret(block):
                    self.blocks[secret] = None
        while len(self.blocks) > _MOST:
            self.blocks.popitem(last=False)

    def settings(
        self, body: Mapping[str, Any], target: str, row: str, payload: frozenset[str]
    ) -> tuple[dict[str, Any], list[Change]]:
        """The settings of a body as the row takes them, and the changes. `payload` has the keys of the conversation."""
        made, told = dict(body), list[Change]()
        model = body.get("model")
        lessons = [one for one in self.lessons if one.model in (None, model)]
        columns = {name for one in lessons for name in _columns(one)} & _SETTINGS.keys()
        if columns and row != target:
            wire = family(row)
            key = "input" if wire == "openai-responses" else "messages"
            concerned = {name for column in columns for name in _SETTINGS[column]}
            if "refuses" in columns:
                concerned |= {*Server(row).row["refuses"]}  # type: ignore[misc]
            plain = {name: value for name, value in body.items() if name in (*concerned, *_KEPT)}
            asked = {**plain, key: [{"role": "user", "content": "x"}]}
            try:
                ready = prepare(asked, cast("Any", row), source=cast("Any", target), settings="convert")
            except TurnwireError:
                # The build of the whole body says what is wrong with it.
                return made, told
            for name in concerned - payload:
                made.pop(name, None)
                if name in ready.payload:
                    made[name] = ready.payload[name]
            told += [one for one in ready.receipt if one.code == "setting"]
        for lesson in lessons:
            of = lesson._row
            if of.leave in made and lesson.rule and holds(of.guard, body, lesson._told):
                value = made.pop(of.leave)
                path = (of.leave,)
                if of.rename is not None and of.rename not in made:
                    made[of.rename] = value
                    told.append(changed("setting", path, lesson.rule.rstrip(".")))
                else:
                    told.append(lost("setting", path, lesson.rule.rstrip(".")))
        return made, told


def _columns(lesson: Lesson) -> list[str]:
    of = lesson._row
    return [*(of.beside or ()), *([lesson.column] if lesson.column else ())]


def _together(column: str, now: Any, learned: Any) -> Any:
    """The value of a column after another lesson about it."""
    if not isinstance(now, tuple) or not isinstance(learned, tuple):
        return learned
    if column == "refuses":
        return [*now, *(key for key in learned if key not in now)]
    return [word for word in now if word in learned] or learned


def _secret(block: Any) -> str:
    if not isinstance(block, Mapping) or block.get("type") not in _REASONING:
        return ""
    return next((json.dumps(block[key]) for key in _SECRETS if block.get(key)), "")
