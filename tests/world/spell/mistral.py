"""Spells a request of Mistral's chat."""

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


def _id(name: str) -> str:
    """Nine letters and digits, as Mistral makes them."""
    return name.replace("call_", "c")


def _block(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "text": text}
        case {"url": url}:
            return {"type": "image_url", "image_url": url}
        case {"class": "image", "data": data, "mime": mime}:
            return {"type": "image_url", "image_url": f"data:{mime};base64,{data}"}
        case {"class": "document", "data": data, "mime": "application/pdf", "name": name}:
            address = f"data:application/pdf;base64,{data}"
            return {"type": "document_url", "document_url": address, "document_name": f"{name}.pdf"}
        case {"thought": text}:
            return {"type": "thinking", "thinking": [{"type": "text", "text": text}], "closed": True}
    raise CannotError(part)


def _result(part: Json) -> Json:
    if any("data" in one for one in part["content"]):
        raise CannotError("media in a result")
    said = {"role": "tool", "name": part["name"], "tool_call_id": _id(part["result"])}
    return said | {"content": text_of(part["content"])}


def _assistant(parts: list[Json]) -> Json:
    if any("redacted" in part or "refusal" in part or part.get("signature") for part in parts):
        raise CannotError("refusals, and reasoning with a signature")
    blocks = [_block(part) for part in parts if "call" not in part]
    is_text = len(blocks) == 1 and blocks[0]["type"] == "text"
    message: Json = {"role": "assistant", "content": blocks[0]["text"] if is_text else blocks or ""}
    calls = [
        {"id": _id(part["call"]), "function": {"name": part["name"], "arguments": json.dumps(part["args"])}}
        for part in parts
        if "call" in part
    ]
    return message | ({"tool_calls": calls} if calls else {})
