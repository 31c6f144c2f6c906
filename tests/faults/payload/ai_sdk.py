"""ModelMessages of the AI SDK: calls and results are parts, and a result names the type of its output."""

from collections.abc import Iterator
from typing import Any

from .view import PNG, Call, Json, Payload, Result, dicts, put


def call(name: str, call_id: str, args: Any = None) -> Json:
    given = {"q": "x"} if args is None else args
    return {"type": "tool-call", "toolCallId": call_id, "toolName": name, "input": given}


def got(name: str, call_id: str, output: Any) -> Json:
    made = {"type": "text", "value": output} if isinstance(output, str) else output
    return {"type": "tool-result", "toolCallId": call_id, "toolName": name, "output": made}


class AiSdk(Payload):
    GROUPS = ("messages",)
    RARE = True

    def texts(self) -> list[tuple[Json, str]]:
        return [(holder, key) for holder, key in super().texts() if holder.get("role") != "tool"]

    def image(self, data: str = PNG, kind: str = "image/png") -> Json:
        return {"type": "image", "image": data, "mediaType": kind}

    def image_at(self, url: Any) -> Json:
        block: Json = {"type": "image"}
        put(block, "image", url)
        return block

    def image_source(self, block: Json) -> Json:
        return block

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for node in dicts(turn.get("content")):
            if node.get("type") == "tool-call" and not node.get("providerExecuted"):
                yield Call(turn, turn["content"], node, node, "toolCallId", "input", "toolName")

    def _results_of(self, element: Json) -> Iterator[Result]:
        for node in dicts(element.get("content")):
            if node.get("type") == "tool-result" and element.get("role") != "assistant":
                yield Result(element, element["content"], node, "toolCallId", "output")

    def result_element(self, node: Json) -> Json:
        return {"role": "tool", "content": [node]}

    def made_result(self, call_id: Any) -> Json:
        called = [one.name for one in self.calls() if one.id == call_id]
        return got(called[0] if called else "look", call_id, f"said {self.word()}")

    def give(self, result: Result, content: Any) -> None:
        kinds = {str: "text", list: "content"}
        kind = kinds.get(type(content))
        put(result.node, "output", {"type": kind, "value": content} if kind else content)

    def failed(self, result: Result) -> None:
        output = result.node.get("output")
        if isinstance(output, dict) and output.get("type") in ("text", "json"):
            output["type"] = f"error-{output['type']}"

    def _mark_content(self, result: Result, marked: list[int]) -> None:
        output = result.node["output"]
        if isinstance(output.get("value"), str):
            output["value"] += f" {self.word()}"
        for block in dicts(output.get("value")):
            if isinstance(block.get("text"), str):
                block["text"] += f" {self.word()}"
