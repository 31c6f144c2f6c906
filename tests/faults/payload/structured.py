"""Structured content (spec 004): parts with their text under `content`, results in entries of a tool."""

from collections.abc import Iterator
from typing import Any

from .view import Call, InnerCall, Json, Payload, Result, dicts

ROLES = {"gemini": "assistant", "chatgpt": "assistant"}


def part(words: Any) -> Json:
    return {"type": "text", "content": words}


def call(name: str, call_id: str | None = None, args: Any = None) -> Json:
    inner = {"name": name, "arguments": {"q": "x"} if args is None else args}
    return {"type": "tool_call", "content": inner if call_id is None else inner | {"tool_call_id": call_id}}


def got(name: str, content: Any, call_id: str | None = None) -> Json:
    made = {"type": "tool_result", "name": name, "content": content}
    return made if call_id is None else made | {"tool_call_id": call_id}


class Structured(Payload):
    GROUPS = ("messages",)
    RARE = True

    def roles(self) -> Iterator[tuple[str, Json]]:
        for role, turn in super().roles():
            yield ROLES.get(role, role), turn

    def message(self, role: str, content: Any) -> Json:
        return {"role": "gemini" if role == "assistant" else role, "content": content}

    def text(self, words: Any, turn: Json | None = None) -> Json:
        return part(words)

    def texts(self) -> list[tuple[Json, str]]:
        found: list[tuple[Json, str]] = []
        for role, turn in self.roles():
            blocks = [block for block in dicts(turn.get("content")) if self.is_text(block)]
            found += [(holder, "content") for holder in ([] if role == "tool" else [turn, *blocks])]
        return [(holder, key) for holder, key in found if isinstance(holder.get(key), str) and holder[key]]

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for node in dicts(turn.get("content")):
            if node.get("type") == "tool_call" and isinstance(node.get("content"), dict):
                yield InnerCall(turn, turn["content"], node, node["content"], "tool_call_id", "arguments")

    def _results_of(self, element: Json) -> Iterator[Result]:
        for node in dicts(element.get("content")):
            if node.get("type") == "tool_result":
                yield Result(element, element["content"], node, "tool_call_id")

    def result_element(self, node: Json) -> Json:
        return {"role": "tool", "content": [node]}

    def calling(self, node: Json) -> Json:
        return {"role": "gemini", "content": [node]}

    def made_result(self, call_id: Any) -> Json:
        called = [one.name for one in self.calls() if one.id == call_id]
        return got(called[0] if called else "look", f"said {self.word()}", call_id)
