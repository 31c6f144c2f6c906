"""Stored histories: bare or in an entity, calls in the content or beside it, results with the tool's name."""

from collections.abc import Iterator
from typing import Any

from .view import Call, Json, Payload, Result, dicts


class History(Payload):
    GROUPS = ("messages", "blocks")

    def unwrapped(self, element: Json) -> Json:
        inner = element.get("body")
        return inner if isinstance(inner, dict) else element

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for key in ("tool_calls", "toolCalls"):
            for node in dicts(turn.get(key)):
                inner = node["function"] if isinstance(node.get("function"), dict) else node
                yield Call(turn, turn[key], node, inner, "id", "arguments")
        yield from super()._calls_of(turn)

    def _results_of(self, element: Json) -> Iterator[Result]:
        turn = self.unwrapped(element)
        for node in dicts(turn.get("content")):
            if node.get("type") == "tool_result" or (turn.get("role") == "tool" and "tool_use_id" in node):
                yield Result(element, turn["content"], node, "tool_use_id")

    def result_element(self, node: Json) -> Json:
        return {"role": "user" if "type" in node else "tool", "content": [node]}

    def made_result(self, call_id: Any) -> Json:
        return {**super().made_result(call_id), "tool_name": "look"}
