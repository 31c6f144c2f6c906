"""UIMessages of the AI SDK: a part that holds a call and its result is split in two while faults change them."""

from collections.abc import Iterator
from typing import Any

from .ui_parts import Asked, Told, halves, joined
from .view import PNG, Call, Json, Payload, Result, dicts


def said(message_id: str, role: str, *parts: Json, **more: Any) -> Json:
    return {"id": message_id, "role": role, "parts": list(parts), **more}


def tool(name: str, call_id: str, output: Any, **more: Any) -> Json:
    part = {"type": f"tool-{name}", "toolCallId": call_id, "state": "output-available", "input": {"q": "x"}}
    return {**part, **({} if output is None else {"output": output}), **more}


class AiSdkUi(Payload):
    GROUPS = ("messages",)
    RARE = True
    CONTENT = "parts"

    def read(self) -> None:
        for parts in self._lists():
            parts[:] = [half for part in parts for half in halves(part)]

    def made(self) -> Any:
        # A fault may have put an object of an SDK, or a list of another kind, into the payload.
        if not isinstance(self.body, list):
            return self.body
        return [
            {**one, "parts": joined(one["parts"])} if isinstance(one, dict) and type(one.get("parts")) is list else one
            for one in self.body
        ]

    def _lists(self) -> Iterator[list[Any]]:
        for element in self.body if isinstance(self.body, list) else ():
            if isinstance(element, dict) and isinstance(element.get("parts"), list):
                yield element["parts"]

    def _id(self) -> str:
        """An id that no message has."""
        return f"new-{self.dice.randrange(10**9)}"

    def message(self, role: str, content: Any) -> Json:
        return said(self._id(), role, *([self.text(content)] if isinstance(content, str) else content))

    def say(self, turn: Json, content: Any) -> None:
        turn["parts"] = [self.text(content)] if isinstance(content, str) else content

    def image(self, data: str = PNG, kind: str = "image/png") -> Json:
        return {"type": "file", "mediaType": kind, "url": f"data:{kind};base64,{data}"}

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for node in dicts(turn.get("parts")):
            if isinstance(node, Asked):
                yield Call(turn, turn["parts"], node, node, "toolCallId", "input")

    def _results_of(self, element: Json) -> Iterator[Result]:
        for node in dicts(element.get("parts")):
            if isinstance(node, Told):
                key = "errorText" if node.get("state") == "output-error" else "output"
                yield Result(element, element["parts"], node, "toolCallId", key)

    def result_element(self, node: Json) -> Json:
        return said(self._id(), "assistant", node)

    def calling(self, node: Json) -> Json:
        return said(self._id(), "assistant", node)

    def made_result(self, call_id: Any) -> Json:
        called = [one.name for one in self.calls() if one.id == call_id]
        name = called[0] if called else "look"
        return Told(toolCallId=call_id, state="output-available", output=f"said {self.word()}", name=name)

    def failed(self, result: Result) -> None:
        if isinstance(words := result.node.pop("output", None), str):
            result.node.update(state="output-error", errorText=words)
