"""Llama's chat template: one call in a message, its result with a role of its own, by their order."""

from collections.abc import Iterator
from typing import Any

from .json_text import Ordered
from .view import Call, Json, Result, dicts


def calls(name: str, args: Json) -> Json:
    return {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": name, "arguments": args}}]}


class Llama3(Ordered):
    NAME = "llama:3"
    GROUPS = ("messages",)
    RESULTS_ALONE = True

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for node in dicts(turn.get("tool_calls")):
            inner = node["function"] if isinstance(node.get("function"), dict) else node
            yield Call(turn, turn["tool_calls"], node, inner, "id", "arguments")

    def _results_of(self, element: Json) -> Iterator[Result]:
        if element.get("role") in ("ipython", "tool"):
            yield Result(element, self.elements, element, "tool_call_id")

    def result_element(self, node: Json) -> Json:
        return node

    def calling(self, node: Json) -> Json:
        return {"role": "assistant", "tool_calls": [node]}

    def made_result(self, call_id: Any) -> Json:
        return {"role": "ipython", "content": f"said {self.word()}"}
