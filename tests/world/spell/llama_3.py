"""Spells the messages of Llama's chat template: one call in a message, and its result with a role of its own."""

from typing import Any

from .cannot import CannotError, one_text

Json = dict[str, Any]
TOOLS = None


def request(turns: list[Json]) -> list[Json]:
    return [message for turn in turns for message in _messages(turn["role"], turn["parts"])]


def _messages(role: str, parts: list[Json]) -> list[Json]:
    if role == "results":
        return [{"role": "ipython", "content": one_text(part["content"])} for part in parts]
    if any("call" in part for part in parts):
        if len(parts) > 1:
            raise CannotError("something beside a call")
        function = {"name": parts[0]["name"], "arguments": parts[0]["args"]}
        return [{"role": "assistant", "tool_calls": [{"type": "function", "function": function}]}]
    return [{"role": "assistant" if role == "model" else role, "content": one_text(parts)}]
