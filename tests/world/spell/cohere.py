"""Spells a request of Cohere's chat, version 2."""

import json
from typing import Any

from . import openai
from .cannot import CannotError, text_of

Json = dict[str, Any]
TOOLS = openai.TOOLS


def request(turns: list[Json]) -> Json:
    return {"messages": [message for turn in turns for message in _messages(turn)]}


def _messages(turn: Json) -> list[Json]:
    parts = turn["parts"]
    match turn["role"]:
        case "system":
            return [{"role": "system", "content": text_of(parts)}]
        case "user":
            content = parts[0]["text"] if len(parts) == 1 else [_block(part) for part in parts]
            return [{"role": "user", "content": content}]
        case "results":
            return [_result(part) for part in parts]
    return [_assistant(parts)]


def _block(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "text": text}
        case {"class": "image", "data": data, "mime": "image/png" | "image/jpeg" as mime}:
            return {"type": "image_url", "image_url": {"url": f"data:{mime};base64,{data}"}}
        case {"thought": text}:
            return {"type": "thinking", "thinking": text}
    raise CannotError(part)


def _result(part: Json) -> Json:
    if any("data" in one for one in part["content"]):
        raise CannotError("media in a result")
    said = [{"type": "document", "document": {"data": one["text"]}} for one in part["content"]]
    return {"role": "tool", "tool_call_id": part["result"], "content": said or ""}


def _assistant(parts: list[Json]) -> Json:
    if any("redacted" in part or "refusal" in part or part.get("signature") for part in parts):
        raise CannotError("refusals, and reasoning with a signature")
    calls = [
        {
            "id": part["call"],
            "type": "function",
            "function": {"name": part["name"], "arguments": json.dumps(part["args"])},
        }
        for part in parts
        if "call" in part
    ]
    blocks = [_block(part) for part in parts if "call" not in part]
    if not calls:
        return {"role": "assistant", "content": blocks}
    plan = "".join(block.get("text", "") for block in blocks)
    thoughts = [block for block in blocks if block["type"] == "thinking"]
    message: Json = {"role": "assistant", "tool_calls": calls}
    return message | ({"tool_plan": plan} if plan else {}) | ({"content": thoughts} if thoughts else {})
