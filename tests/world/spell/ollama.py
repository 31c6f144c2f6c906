"""Spells a request of Ollama's chat, in which results follow their calls in order."""

from typing import Any

from . import chat, openai
from .cannot import CannotError

Json = dict[str, Any]
TOOLS = openai.TOOLS


def request(turns: list[Json]) -> Json:
    return chat.request(turns, _user, _result, _assistant)


def _user(parts: list[Json]) -> Json:
    return {"content": _one_text(parts)} | _images(parts)


def _one_text(parts: list[Json]) -> str:
    """A message has one text."""
    texts = [part["text"] for part in parts if "text" in part]
    if len(texts) > 1:
        raise CannotError("several texts")
    return texts[0] if texts else ""


def _images(parts: list[Json]) -> Json:
    media = [part for part in parts if not part.keys() & {"text", "thought", "call"}]
    if any(part.get("class") != "image" or "data" not in part for part in media):
        raise CannotError("media that are no image")
    return {"images": [part["data"] for part in media]} if media else {}


def _result(part: Json) -> Json:
    return {"role": "tool", "tool_name": part["name"], "content": _one_text(part["content"])} | _images(part["content"])


def _assistant(parts: list[Json]) -> Json:
    parts = chat.without_signatures(parts)
    message: Json = {"role": "assistant", "content": _one_text(parts)}
    thoughts = [part["thought"] for part in parts if "thought" in part]
    message |= {"thinking": thoughts[0]} if thoughts else {}
    calls = [{"function": {"name": part["name"], "arguments": part["args"]}} for part in parts if "call" in part]
    return message | ({"tool_calls": calls} if calls else {})
