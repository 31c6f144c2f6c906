"""ShareGPT: elements with a speaker and one text; sides alternate; a call is JSON text, parallel ones are a list."""

from collections.abc import Iterator
from typing import Any

from .json_text import Listed, Ordered, listed
from .view import Call, Json, Result, dicts

ROLES = {"human": "user", "gpt": "assistant", "function_call": "assistant", "observation": "tool", "system": "system"}


class ShareGpt(Ordered):
    LIST = "conversations"
    CONTENT = "value"
    SYSTEM = "system"
    RESULTS_ALONE = True
    MERGES = True

    def read(self) -> None:
        for element in dicts(self.list_of(self.body)):
            if element.get("from") == "function_call" and (calls := listed(element.get("value"), "arguments")):
                element["value"] = calls

    def roles(self) -> Iterator[tuple[str, Json]]:
        for element in self.elements:
            if isinstance(element, dict):
                yield ROLES.get(str(element.get("from")), ""), element

    def message(self, role: str, content: Any) -> Json:
        return {"from": {"user": "human", "assistant": "gpt"}.get(role, role), "value": content}

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        calls = turn.get("value")
        for node in calls if isinstance(calls, Listed) else []:
            yield Call(turn, calls, node, node, "id", "arguments")

    def _results_of(self, element: Json) -> Iterator[Result]:
        if element.get("from") == "observation":
            yield Result(element, self.elements, element, "id", "value")

    def result_element(self, node: Json) -> Json:
        return node

    def calling(self, node: Json) -> Json:
        return {"from": "function_call", "value": Listed([node])}

    def made_result(self, call_id: Any) -> Json:
        return {"from": "observation", "value": f"said {self.word()}"}
