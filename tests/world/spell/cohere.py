"""Spells a request of Cohere's chat, version 2."""

import json
from typing import Any

from . import chat, openai
from .cannot import CannotError

Json = dict[str, Any]
TOOLS = openai.TOOLS


def request(turns: list[Json]) -> Json:
    return chat.request(turns, lambda parts: chat.content(parts, _block), _result, _assistant)


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
    said = [{"type": "document", "document": {"data": one["text"]}} for one in chat.without_media(part)]
    return {"role": "tool", "tool_call_id": part["result"], "content": said or ""}


def _assistant(parts: list[Json]) -> Json:
    parts = chat.without_signatures(parts)
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
