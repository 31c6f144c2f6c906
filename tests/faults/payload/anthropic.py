"""Messages of Anthropic: calls and results are blocks, system text is outside the list."""

from typing import Any

from . import openai
from .view import PDF, PNG, Json, Payload, Result

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
DOCUMENT = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": PDF}}
THOUGHT = {"type": "thinking", "thinking": "Let me see.", "signature": "c2lnbmF0dXJl"}


def use(name: str, call_id: str, args: Any = None) -> Json:
    return {"type": "tool_use", "id": call_id, "name": name, "input": args if args is not None else {"q": "x"}}


def got(call_id: str, content: Any, **more: Any) -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def tools(*names: str) -> list[Json]:
    return [{"name": name, "description": f"To {name}.", "input_schema": openai.SCHEMA} for name in names]


class Anthropic(Payload):
    GROUPS = ("messages", "chat", "choosing", "blocks")
    SYSTEM = "system"
    SCHEMA = "input_schema"

    def paper(self) -> Json:
        return DOCUMENT

    def made_tools(self, *names: str) -> list[Json]:
        return tools(*names)

    def foreign_tools(self, *names: str) -> list[Json]:
        return openai.tools(*names)

    def rewrapped_tools(self) -> list[Json]:
        """In the form of Chat Completions."""
        return openai.tools(*[tool["name"] for tool in self.tools()])

    def failed(self, result: Result) -> None:
        result.node["is_error"] = True
