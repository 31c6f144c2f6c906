"""Interactions: a flat list of steps, or one text; each call and each result is a step, contents are typed."""

from collections.abc import Iterator
from typing import Any

from . import openai
from .openai_responses import Responses
from .view import PDF, PNG, Call, Json, Result, put, text

PICTURE = {"type": "image", "mime_type": "image/png", "data": PNG}
PAPER = {"type": "document", "mime_type": "application/pdf", "data": PDF}
SPEAKERS = {"user_input": "user", "model_output": "assistant"}


def said(kind: str, *contents: Any) -> Json:
    return {"type": kind, "content": [text(one) if isinstance(one, str) else one for one in contents]}


def user(*contents: Any) -> Json:
    return said("user_input", *contents)


def model(*contents: Any) -> Json:
    return said("model_output", *contents)


def fn(name: str, call_id: str, **arguments: Any) -> Json:
    return {"type": "function_call", "id": call_id, "name": name, "arguments": arguments}


def gave(call_id: str, result: Any, **more: Any) -> Json:
    return {"type": "function_result", "call_id": call_id, "result": result, **more}


def thought(words: str = "Let me see.") -> Json:
    return {"type": "thought", "signature": "c2ln", "summary": [text(words)]}


def tools(*names: str) -> list[Json]:
    return [
        {"type": "function", "name": name, "description": f"To {name}.", "parameters": openai.SCHEMA} for name in names
    ]


class GeminiInteractions(Responses):
    GROUPS = ()
    RARE = True
    SYSTEM = "system_instruction"
    CONTINUES = ("previous_interaction_id", "continuation_token")

    def roles(self) -> Iterator[tuple[str, Json]]:
        for element in self.elements:
            if isinstance(element, dict) and element.get("type") in SPEAKERS:
                yield SPEAKERS[element["type"]], element

    def text(self, words: Any, turn: Json | None = None) -> Json:
        return text(words)

    def is_text(self, block: Json) -> bool:
        return block.get("type") == "text"

    def message(self, role: str, content: Any) -> Json:
        kind = {speaker: kind for kind, speaker in SPEAKERS.items()}.get(role, role)
        return {"type": kind, "content": [text(content)] if isinstance(content, str) else content}

    def image(self, data: str = PNG, kind: str = "image/png") -> Json:
        return {"type": "image", "mime_type": kind, "data": data}

    def image_at(self, url: Any) -> Json:
        block: Json = {"type": "image"}
        put(block, "uri", url)
        return block

    def paper(self) -> Json:
        return PAPER

    def calls(self) -> list[Call]:
        return [Call(node, self.elements, node, node, "id", "arguments") for node in self.items("function_call")]

    def _results_of(self, element: Json) -> Iterator[Result]:
        if element.get("type") == "function_result":
            yield Result(element, self.elements, element, "call_id", "result")

    def made_result(self, call_id: Any) -> Json:
        return gave(call_id, f"said {self.word()}")

    def made_tools(self, *names: str) -> list[Json]:
        return tools(*names)

    def failed(self, result: Result) -> None:
        result.node["is_error"] = True
