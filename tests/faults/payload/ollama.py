"""Ollama's chat: content is one text, images stand beside it, and results are paired by order and name."""

from typing import Any

from .openai import OpenAI
from .view import Json


def fn(name: str, args: Json, call_id: str | None = None) -> Json:
    made: Json = {} if call_id is None else {"id": call_id}
    return made | {"function": {"name": name, "arguments": args}}


def said(name: str, content: Any, call_id: str | None = None) -> Json:
    made = {"role": "tool", "tool_name": name, "content": content}
    return made if call_id is None else made | {"tool_call_id": call_id}


class Ollama(OpenAI):
    WHOLE = False
