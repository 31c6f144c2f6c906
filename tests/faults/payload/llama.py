"""Llama's text-only messages: a call and a result are JSON text, by their order."""

from collections.abc import Iterator
from typing import Any, ClassVar

from .json_text import Listed, Ordered, Said, listed, said
from .view import Call, Json, Result, dicts


def told(name: str, result: Any) -> Said:
    return Said(tool_result={"name": name, "result": result})


class Llama(Ordered):
    GROUPS = ("messages",)
    RESULTS_ALONE = True
    READ: ClassVar[dict[str, Any]] = {"tool_results": True}

    def read(self) -> None:
        for turn in dicts(self.list_of(self.body)):
            value, role = said(turn.get("content")), turn.get("role")
            if role == "assistant" and (calls := listed(turn.get("content"), "parameters")):
                turn["content"] = calls
            elif role == "user" and isinstance(value, dict) and list(value) == ["tool_result"]:
                turn["content"] = Said(value)

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        calls = turn.get("content")
        for node in calls if isinstance(calls, Listed) else []:
            yield Call(turn, calls, node, node, "id", "parameters")

    def _results_of(self, element: Json) -> Iterator[Result]:
        if isinstance(element.get("content"), Said):
            yield Result(element, self.elements, element, "id")

    def parallel(self) -> list[Call]:
        return self.some(
            [calls for calls in (list(self._calls_of(turn)) for _, turn in self.roles()) if len(calls) > 1]
        )

    def result_element(self, node: Json) -> Json:
        return node

    def calling(self, node: Json) -> Json:
        return {"role": "assistant", "content": Listed([node])}

    def made_result(self, call_id: Any) -> Json:
        return {"role": "user", "content": told("look", f"said {self.word()}")}

    def give(self, result: Result, content: Any) -> None:
        result.node["content"]["tool_result"]["result"] = content

    def _mark_content(self, result: Result, marked: list[int]) -> None:
        inner = result.node["content"]["tool_result"]
        if isinstance(inner.get("result"), str):
            inner["result"] += f" {self.word()}"
