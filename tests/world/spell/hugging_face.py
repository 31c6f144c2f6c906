"""Spells rows of training sets of Hugging Face: Chat Completions with objects as arguments, results by tools."""

from typing import Any

from . import chat, openai
from .cannot import CannotError, one_text

Json = dict[str, Any]
TOOLS = openai.TOOLS


def request(turns: list[Json]) -> Json:
    return chat.request(turns, lambda parts: chat.content(parts, _block), _result, _assistant)


def _block(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "text": text}
        case {"class": "image", "data": data}:
            return {"type": "image", "base64": data}
        case {"class": "image", "url": url}:
            return {"type": "image", "url": url}
    raise CannotError(part)


def _result(part: Json) -> Json:
    said = one_text(part["content"]) if part["content"] else ""
    return {"role": "tool", "name": part["name"], "tool_call_id": part["result"], "content": said}


def _assistant(parts: list[Json]) -> Json:
    parts = chat.without_signatures(parts)
    calls = [
        {"id": part["call"], "type": "function", "function": {"name": part["name"], "arguments": part["args"]}}
        for part in parts
        if "call" in part
    ]
    thoughts = [part["thought"] for part in parts if "thought" in part]
    texts = [part for part in parts if "text" in part]
    message: Json = {"role": "assistant", "content": one_text(texts) if len(texts) < 2 else [*map(_block, texts)]}
    message |= {"thinking": thoughts[0]} if thoughts else {}
    return message | ({"tool_calls": calls} if calls else {})
