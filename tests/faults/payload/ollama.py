"""Ollama's chat: content is one text, images have a key beside it, and results are paired by order and name."""

import itertools
from collections.abc import Sequence
from typing import Any

from .openai import OpenAI
from .view import Call, Json, Result


def fn(name: str, args: Json, call_id: str | None = None) -> Json:
    made: Json = {} if call_id is None else {"id": call_id}
    return made | {"function": {"name": name, "arguments": args}}


def said(name: str, content: Any, call_id: str | None = None) -> Json:
    made = {"role": "tool", "tool_name": name, "content": content}
    return made if call_id is None else made | {"tool_call_id": call_id}


class Ollama(OpenAI):
    GROUPS = ("messages", "chat", "family")
    RARE = True

    def message(self, role: str, content: Any) -> Json:
        return {"role": role, "content": content}

    def calling(self, node: Json) -> Json:
        return {"role": "assistant", "content": "", "tool_calls": [node]}

    def results_of(self, calls: Sequence[Call]) -> list[Result]:
        """By id where there is one, by their position after the turn where there is none."""
        found = [one for one in self.results() if one.id is not None and one.id in [call.id for call in calls]]
        for call in calls:
            behind = itertools.takewhile(lambda one: one.get("role") == "tool", self.elements[self.at(call.turn) + 1 :])
            nth = next(at for at, one in enumerate(self._calls_of(call.turn)) if one.node is call.node)
            told = list(behind)[nth : nth + 1] if call.id is None else []
            found += [result for element in told for result in self._results_of(element) if result.id is None]
        return found

    def made_result(self, call_id: Any) -> Json:
        called = [one.name for one in self.calls() if one.id == call_id]
        return said(called[0] if called else "look", f"said {self.word()}", call_id)
