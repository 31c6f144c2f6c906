"""Responses: a flat list of items, or one text; each call and each output is an item, texts have a side."""

from collections.abc import Iterator
from typing import Any

from . import openai
from .view import PDF, PNG, Call, Json, Payload, Result, dicts, put

CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
OUTPUTS = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
PICTURE = {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "low"}
PAPER = {"type": "input_file", "filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}


def heard(words: Any) -> Json:
    """A block of text that the model gets."""
    return {"type": "input_text", "text": words}


def spoken(words: Any) -> Json:
    """A block of text that the model wrote."""
    return {"type": "output_text", "text": words, "annotations": []}


def fn(name: str, call_id: str, args: str = '{"q": "x"}', **more: Any) -> Json:
    return {"type": "function_call", "call_id": call_id, "name": name, "arguments": args, **more}


def free(name: str, call_id: str) -> Json:
    """A call of a tool that takes free text."""
    return {"type": "custom_tool_call", "call_id": call_id, "name": name, "input": "roses are red"}


def gave(call_id: str, output: Any, kind: str = "function_call") -> Json:
    return {"type": OUTPUTS[kind], "call_id": call_id, "output": output}


def thought(item_id: str, words: str = "Let me see.") -> Json:
    summary = [{"type": "summary_text", "text": words}]
    return {"type": "reasoning", "id": item_id, "summary": summary, "encrypted_content": "gAAAAA=="}


def tools(*names: str) -> list[Json]:
    about = {"parameters": openai.SCHEMA, "strict": False}
    return [{"type": "function", "name": name, "description": f"To {name}.", **about} for name in names]


class Responses(Payload):
    GROUPS = ("messages", "chat", "choosing")
    LIST = "input"
    SYSTEM = "instructions"
    CONTINUES = ("previous_response_id", "conversation")
    RESULTS_ALONE = True

    @classmethod
    def list_of(cls, body: Any) -> Any:
        """A single text is the user's."""
        found = super().list_of(body)
        return [found] if isinstance(found, str) else found

    def roles(self) -> Iterator[tuple[str, Json]]:
        """Only the messages: few of the other items have a role, and none has content."""
        for element in self.elements:
            if isinstance(element, dict) and element.get("type", "message") == "message" and "call_id" not in element:
                yield str(element.get("role")), element

    def items(self, *kinds: str) -> list[Json]:
        """The items of these types."""
        return [one for one in dicts(self.elements) if one.get("type") in kinds]

    def text(self, words: Any, turn: Json | None = None) -> Json:
        return spoken(words) if turn is not None and turn.get("role") == "assistant" else heard(words)

    def is_text(self, block: Json) -> bool:
        return block.get("type") in ("input_text", "output_text")

    def image(self, data: str = PNG, kind: str = "image/png") -> Json:
        return {"type": "input_image", "image_url": f"data:{kind};base64,{data}", "detail": "auto"}

    def image_at(self, url: Any) -> Json:
        block: Json = {"type": "input_image", "detail": "auto"}
        put(block, "image_url", url)
        return block

    def image_source(self, block: Json) -> Json:
        return block

    def paper(self) -> Json:
        return PAPER

    def calls(self) -> list[Call]:
        return [Call(node, self.elements, node, node, "call_id", CALLS[node["type"]]) for node in self.items(*CALLS)]

    def _results_of(self, element: Json) -> Iterator[Result]:
        if element.get("type") in OUTPUTS.values():
            yield Result(element, self.elements, element, "call_id", "output")

    def result_element(self, node: Json) -> Json:
        return node

    def calling(self, node: Json) -> Json:
        return node

    def made_result(self, call_id: Any) -> Json:
        return gave(call_id, f"said {self.word()}")

    def parallel(self) -> list[Call]:
        """The calls of one run of items."""
        runs: list[list[Call]] = [[]]
        calls = {id(call.node): call for call in self.calls()}
        for element in self.elements:
            if id(element) in calls:
                runs[-1].append(calls[id(element)])
            elif runs[-1]:
                runs.append([])
        return self.some([run for run in runs if len(run) > 1])

    def tools(self) -> list[Json]:
        """The caller's own ones: the provider's tools are left out."""
        return [tool for tool in super().tools() if tool.get("type", "function") in ("function", "custom")]

    def made_tools(self, *names: str) -> list[Json]:
        return tools(*names)

    def foreign_tools(self, *names: str) -> list[Json]:
        return [{"name": name, "description": f"To {name}.", "input_schema": openai.SCHEMA} for name in names]

    def rewrapped_tools(self) -> list[Json]:
        """In the form of Chat Completions."""
        return openai.tools(*[tool["name"] for tool in self.tools()])

    def choice(self, mode: str) -> Any:
        return mode

    def chosen(self, name: str) -> Any:
        return {"type": "function", "name": name}

    def mark(self) -> None:
        if isinstance(self.body, dict) and isinstance(said := self.body.get(self.LIST), str):
            self.body[self.LIST] = f"{said} {self.word()}"
        super().mark()
