"""Chat Completions: calls beside the content, each result a message, media by address."""

from collections.abc import Iterator
from typing import Any

from .view import PDF, PNG, Call, Json, Payload, Result, dicts, put

SCHEMA = {"type": "object", "properties": {"q": {"type": "string"}}}
PICTURE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}", "detail": "low"}}
LINK = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
PAPER = {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}}


def fn(name: str, call_id: str, args: str = '{"q": "x"}') -> Json:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": args}}


def free(name: str, call_id: str) -> Json:
    """A call of a tool that takes free text."""
    return {"id": call_id, "type": "custom", "custom": {"name": name, "input": "roses are red"}}


def said(call_id: str, content: Any) -> Json:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def tools(*names: str) -> list[Json]:
    return [
        {"type": "function", "function": {"name": name, "description": f"To {name}.", "parameters": SCHEMA}}
        for name in names
    ]


class OpenAI(Payload):
    GROUPS = ("messages", "chat", "choosing", "family")
    RESULTS_ALONE = True

    def image(self, data: str = PNG, kind: str = "image/png") -> Json:
        return {"type": "image_url", "image_url": {"url": f"data:{kind};base64,{data}"}}

    def image_at(self, url: Any) -> Json:
        block: Json = {"type": "image_url", "image_url": {}}
        put(block["image_url"], "url", url)
        return block

    def image_source(self, block: Json) -> Json:
        inner: Json = block["image_url"]
        return inner

    def paper(self) -> Json:
        return PAPER

    def _calls_of(self, turn: Json) -> Iterator[Call]:
        for node in dicts(turn.get("tool_calls")):
            kind = "custom" if node.get("type") == "custom" else "function"
            inner = node[kind] if isinstance(node.get(kind), dict) else node
            yield Call(turn, turn["tool_calls"], node, inner, "id", "input" if kind == "custom" else "arguments")

    def _results_of(self, element: Json) -> Iterator[Result]:
        if element.get("role") == "tool":
            yield Result(element, self.elements, element, "tool_call_id")

    def result_element(self, node: Json) -> Json:
        return node

    def calling(self, node: Json) -> Json:
        return {"role": "assistant", "content": None, "tool_calls": [node]}

    def made_result(self, call_id: Any) -> Json:
        return {"role": "tool", "tool_call_id": call_id, "content": f"said {self.word()}"}

    def made_tools(self, *names: str) -> list[Json]:
        return tools(*names)

    def foreign_tools(self, *names: str) -> list[Json]:
        return [{"name": name, "description": f"To {name}.", "input_schema": SCHEMA} for name in names]

    def rewrapped_tools(self) -> list[Json]:
        """In the form of Responses."""
        return [{"type": "function", **tool} for tool in self.tools()]

    def choice(self, mode: str) -> Any:
        return mode

    def chosen(self, name: str) -> Any:
        return {"type": "function", "function": {"name": name}}
