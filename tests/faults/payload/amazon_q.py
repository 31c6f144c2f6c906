"""Amazon Q: an object named by its role, calls and results in lists of their own."""

from collections.abc import Iterator
from typing import Any

from .view import PNG, Call, Json, Payload, Result, dicts

KEYS = {"user": "userInputMessage", "assistant": "assistantResponseMessage"}


class AmazonQ(Payload):
    MERGES = True

    def roles(self) -> Iterator[tuple[str, Json]]:
        for element in self.elements:
            for role, key in KEYS.items():
                if isinstance(element, dict) and isinstance(element.get(key), dict):
                    yield role, element[key]

    def unwrapped(self, element: Json) -> Json:
        return element.get("userInputMessage") or element.get("assistantResponseMessage") or element

    def message(self, role: str, content: Any) -> Json:
        return {KEYS["user" if role == "user" else "assistant"]: {"content": content}}

    def image(self, data: str = PNG, kind: str = "image/png") -> Json:
        return {"format": kind.removeprefix("image/"), "source": {"bytes": data}}

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for node in dicts(turn.get("toolUses")):
            yield Call(turn, turn["toolUses"], node, node, "toolUseId", "input")

    def _results_of(self, element: Json) -> Iterator[Result]:
        context = self.unwrapped(element).get("userInputMessageContext")
        context = context if isinstance(context, dict) else {}
        for node in dicts(context.get("toolResults")):
            yield Result(element, context["toolResults"], node, "toolUseId")

    def result_element(self, node: Json) -> Json:
        return {"userInputMessage": {"content": "", "userInputMessageContext": {"toolResults": [node]}}}

    def calling(self, node: Json) -> Json:
        return {"assistantResponseMessage": {"content": "", "toolUses": [node]}}

    def made_result(self, call_id: Any) -> Json:
        return {"toolUseId": call_id, "content": [{"text": f"said {self.word()}"}], "status": "success"}

    def _says(self, element: Json) -> bool:
        turn = self.unwrapped(element)
        return bool(turn.get("content") or turn.get("images"))
