"""Spells the input of an AG-UI run: like Chat Completions, with ids, camelCase keys, and media by their source."""

import json
from typing import Any

from .cannot import SCHEMA, TOOL, CannotError, one_text, text_of

Json = dict[str, Any]
TOOLS = {"tools": [TOOL | {"parameters": SCHEMA}]}


def request(turns: list[Json]) -> Json:
    said = [message for turn in turns for message in _messages(turn["role"], turn["parts"])]
    return {"messages": [{"id": f"m{at}"} | message for at, message in enumerate(said)]}


def _messages(role: str, parts: list[Json]) -> list[Json]:
    match role:
        case "user":
            return [{"role": "user", "content": _content(parts)}]
        case "results":
            return [_result(part) for part in parts]
        case "system":
            return [{"role": "system", "content": text_of(parts)}]
    thoughts = [_thought(part) for part in parts if "thought" in part]
    texts = [part for part in parts if "text" in part]
    calls = [_call(part) for part in parts if "call" in part]
    if len(thoughts) + len(texts) + len(calls) < len(parts):
        raise CannotError(parts)
    said = {"content": one_text(texts)} if texts else {}
    return [*thoughts, {"role": "assistant"} | said | ({"toolCalls": calls} if calls else {})]


def _content(parts: list[Json]) -> Any:
    return text_of(parts) if len(parts) < 2 and all("text" in part for part in parts) else [*map(_part, parts)]


def _part(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "text": text}
        case {"url": url, "class": kind, "mime": mime}:
            return {"type": kind, "source": {"type": "url", "value": url, "mimeType": mime}}
        case {"data": data, "class": kind, "mime": mime}:
            return {"type": kind, "source": {"type": "data", "value": data, "mimeType": mime}}
    raise CannotError(part)


def _thought(part: Json) -> Json:
    signed = {"encryptedValue": part["signature"]} if part["signature"] else {}
    return {"role": "reasoning", "content": part["thought"]} | signed


def _call(part: Json) -> Json:
    function = {"name": part["name"], "arguments": json.dumps(part["args"])}
    return {"id": part["call"], "type": "function", "function": function}


def _result(part: Json) -> Json:
    said = {"role": "tool", "toolCallId": part["result"], "content": _content(part["content"])}
    return said | ({"error": text_of(part["content"])} if part["error"] else {})
