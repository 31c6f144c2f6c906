"""Spells a request of Mistral's chat."""

import json
from typing import Any

from . import chat, openai
from .cannot import CannotError, text_of

Json = dict[str, Any]
TOOLS = openai.TOOLS


def request(turns: list[Json]) -> Json:
    return chat.request(turns, lambda parts: chat.content(parts, _block), _result, _assistant)


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
    said = {"role": "tool", "name": part["name"], "tool_call_id": _id(part["result"])}
    return said | {"content": text_of(chat.without_media(part))}


def _assistant(parts: list[Json]) -> Json:
    parts = chat.without_signatures(parts)
    blocks = [_block(part) for part in parts if "call" not in part]
    is_text = len(blocks) == 1 and blocks[0]["type"] == "text"
    message: Json = {"role": "assistant", "content": blocks[0]["text"] if is_text else blocks or ""}
    calls = [
        {"id": _id(part["call"]), "function": {"name": part["name"], "arguments": json.dumps(part["args"])}}
        for part in parts
        if "call" in part
    ]
    return message | ({"tool_calls": calls} if calls else {})
