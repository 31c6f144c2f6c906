"""Messages of AG-UI: like Chat Completions, with ids of their own, camelCase keys, and media by their source."""

from collections.abc import Iterator
from typing import Any

from .openai import OpenAI
from .view import PNG, Call, Json, Result, dicts


def fn(name: str, call_id: str, args: str = '{"q": "x"}') -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": args}}


def said(message_id: str, call_id: str, content: Any, **more: Any) -> Json:
    return {"id": message_id, "role": "tool", "toolCallId": call_id, "content": content, **more}


class AgUi(OpenAI):
    GROUPS = ("messages",)
    RARE = True

    def _id(self) -> str:
        """An id that no message has."""
        return f"new-{self.dice.randrange(10**9)}"

    def message(self, role: str, content: Any) -> Json:
        return {"id": self._id(), "role": role, "content": content}

    def image(self, data: str = PNG, kind: str = "image/png") -> Json:
        return {"type": "image", "source": {"type": "data", "value": data, "mimeType": kind}}

    def image_at(self, url: Any) -> Json:
        return {"type": "image", "source": {"type": "url", "value": url}}

    def image_source(self, block: Json) -> Json:
        inner: Json = block["source"]
        return inner

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for node in dicts(turn.get("toolCalls")):
            inner = node["function"] if isinstance(node.get("function"), dict) else node
            yield Call(turn, turn["toolCalls"], node, inner, "id", "arguments")

    def _results_of(self, element: Json) -> Iterator[Result]:
        if element.get("role") == "tool":
            yield Result(element, self.elements, element, "toolCallId")

    def calling(self, node: Json) -> Json:
        return {"id": self._id(), "role": "assistant", "toolCalls": [node]}

    def made_result(self, call_id: Any) -> Json:
        return said(self._id(), call_id, f"said {self.word()}")

    def failed(self, result: Result) -> None:
        result.node["error"] = "failed"
