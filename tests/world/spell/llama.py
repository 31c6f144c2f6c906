"""Spells the messages of Llama's endpoints without tools: calls and results are JSON text."""

import json
from typing import Any

from .cannot import one_text, text_of

Json = dict[str, Any]
TOOLS = None
#: The user's text is a result only where the caller says so.
READ = {"tool_results": True}


def request(turns: list[Json]) -> list[Json]:
    return [message for turn in turns for message in _messages(turn["role"], turn["parts"])]


def _messages(role: str, parts: list[Json]) -> list[Json]:
    if role == "results":
        return [{"role": "user", "content": _result(part)} for part in parts]
    calls = [{"name": part["name"], "parameters": part["args"]} for part in parts if "call" in part]
    if len(calls) == len(parts):
        return [{"role": "assistant", "content": json.dumps(calls[0] if len(calls) == 1 else calls)}]
    return [{"role": "assistant" if role == "model" else role, "content": one_text(parts)}]


def _result(part: Json) -> str:
    said = one_text(part["content"]) if part["content"] else text_of([])
    return json.dumps({"tool_result": {"name": part["name"], "result": said}}, ensure_ascii=False)
