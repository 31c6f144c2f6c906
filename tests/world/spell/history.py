"""Spells a stored history: blocks of Anthropic's, with the tool's name in a result."""

from typing import Any

from . import anthropic
from .cannot import CannotError, text_of

Json = dict[str, Any]
TOOLS = None


def request(turns: list[Json]) -> list[Json]:
    return [_message(turn["role"], turn["parts"]) for turn in turns]


def _message(role: str, parts: list[Json]) -> Json:
    if role == "system":
        return {"role": "system", "content": text_of(parts)}
    return {"role": "assistant" if role == "model" else "user", "content": [_block(part) for part in parts]}


def _block(part: Json) -> Json:
    match part:
        case {"thought": _} | {"plain": _}:
            raise CannotError(part)
        case {"result": name, "name": tool, "content": content, "error": False}:
            said = [_block(one) for one in content]
            return {"type": "tool_result", "tool_use_id": name, "tool_name": tool, "content": said}
        case {"result": _}:
            raise CannotError("a result that failed")
    return anthropic.block(part)
