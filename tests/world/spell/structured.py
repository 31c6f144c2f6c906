"""Spells structured content: parts with their text under `content`, and results in entries of a tool."""

from typing import Any

from .cannot import CannotError, one_text

Json = dict[str, Any]
TOOLS = None
ROLES = {"user": "user", "model": "chatgpt", "results": "tool", "system": "system"}


def request(turns: list[Json]) -> list[Json]:
    return [{"role": ROLES[turn["role"]], "content": [_part(part) for part in turn["parts"]]} for turn in turns]


def _part(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "content": text}
        case {"thought": text, "signature": None}:
            return {"type": "reasoning", "content": text}
        case {"call": name, "name": tool, "args": args}:
            return {"type": "tool_call", "content": {"name": tool, "arguments": args, "tool_call_id": name}}
        case {"result": name, "name": tool, "content": content, "error": False}:
            said = one_text(content) if content else ""
            return {"type": "tool_result", "name": tool, "content": said, "tool_call_id": name}
    raise CannotError(part)
