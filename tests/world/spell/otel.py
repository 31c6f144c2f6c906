"""Spells the GenAI messages of a trace, by OpenTelemetry's semantic conventions."""

from typing import Any

from .cannot import SCHEMA, TOOL, CannotError, one_text, text_of

Json = dict[str, Any]
TOOLS = {"gen_ai.tool.definitions": [{"type": "function"} | TOOL | {"parameters": SCHEMA}]}
ROLES = {"user": "user", "model": "assistant", "results": "tool", "system": "system"}


def request(turns: list[Json]) -> Json:
    body: Json = {}
    messages: list[Json] = []
    for turn in turns:
        if turn.get("beside"):
            body["gen_ai.system_instructions"] = [{"type": "text", "content": text_of(turn["parts"])}]
        else:
            messages.append({"role": ROLES[turn["role"]], "parts": [_part(part) for part in turn["parts"]]})
    return body | {"gen_ai.input.messages": messages}


def _part(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "content": text}
        case {"url": url, "class": kind, "mime": mime}:
            return {"type": "uri", "modality": kind, "mime_type": mime, "uri": url}
        case {"data": data, "class": kind, "mime": mime}:
            return {"type": "blob", "modality": kind, "mime_type": mime, "content": data}
        case {"thought": text, "signature": None}:
            return {"type": "reasoning", "content": text}
        case {"call": name, "name": tool, "args": args}:
            return {"type": "tool_call", "id": name, "name": tool, "arguments": args}
        case {"result": name, "content": content, "error": False}:
            return {"type": "tool_call_response", "id": name, "response": one_text(content) if content else ""}
    raise CannotError(part)
