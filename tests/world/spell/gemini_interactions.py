"""Spells a request of Gemini's Interactions: a list of steps."""

from typing import Any

from .cannot import SCHEMA, TOOL, CannotError, only_first, text_of

Json = dict[str, Any]
TOOLS = {"tools": [{"type": "function"} | TOOL | {"parameters": SCHEMA}]}


def request(turns: list[Json]) -> Json:
    body: Json = {}
    steps: list[Json] = []
    for turn in turns:
        match turn["role"]:
            case "system":
                only_first(turn, steps)
                body["system_instruction"] = text_of(turn["parts"])
            case "user":
                steps.append({"type": "user_input", "content": [_content(part) for part in turn["parts"]]})
            case _:
                steps += [_step(part) for part in turn["parts"]]
    return body | {"input": steps}


def _content(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "text": text}
        case {"url": url, "class": kind, "mime": mime}:
            return {"type": kind, "mime_type": mime, "uri": url}
        case {"data": data, "class": kind, "mime": mime}:
            return {"type": kind, "mime_type": mime, "data": data}
    raise CannotError(part)


def _step(part: Json) -> Json:
    match part:
        case {"text": _}:
            return {"type": "model_output", "content": [_content(part)]}
        case {"thought": text, "signature": signature}:
            said = {"type": "thought", "summary": [{"type": "text", "text": text}]}
            return said | ({"signature": signature} if signature else {})
        case {"call": name, "name": tool, "args": args}:
            return {"type": "function_call", "id": name, "name": tool, "arguments": args}
        case {"result": name, "name": tool, "content": content, "error": error}:
            is_text = len(content) < 2 and all("text" in one for one in content)
            result = text_of(content) if is_text else [_content(one) for one in content]
            said = {"type": "function_result", "call_id": name, "name": tool, "result": result}
            return said | ({"is_error": True} if error else {})
    raise CannotError(part)
