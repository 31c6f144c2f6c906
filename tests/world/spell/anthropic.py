"""Spells a request of Anthropic Messages."""

from typing import Any

from .cannot import SCHEMA, TOOL, CannotError, only_first, text_of

Json = dict[str, Any]
TOOLS = {"tools": [TOOL | {"input_schema": SCHEMA}]}


def request(turns: list[Json]) -> Json:
    body: Json = {}
    messages: list[Json] = []
    for turn in turns:
        if turn["role"] == "system":
            only_first(turn, messages)
            body["system"] = text_of(turn["parts"])
        else:
            role = "assistant" if turn["role"] == "model" else "user"
            messages.append({"role": role, "content": [block(part) for part in turn["parts"]]})
    return body | {"messages": messages}


def block(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "text": text}
        case {"url": url}:
            return {"type": "image", "source": {"type": "url", "url": url}}
        case {"plain": text}:
            return {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": text}}
        case {"class": "image" | "document" as kind, "data": data, "mime": mime}:
            return {"type": kind, "source": {"type": "base64", "media_type": mime, "data": data}}
        case {"thought": text, "signature": signature}:
            return {"type": "thinking", "thinking": text, "signature": signature or ""}
        case {"redacted": data}:
            return {"type": "redacted_thinking", "data": data}
        case {"call": name, "name": tool, "args": args}:
            return {"type": "tool_use", "id": name, "name": tool, "input": args}
        case {"result": name, "content": content, "error": error}:
            said = {"type": "tool_result", "tool_use_id": name, "content": [block(one) for one in content]}
            return said | ({"is_error": True} if error else {})
    raise CannotError(part)
