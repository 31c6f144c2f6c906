"""Spells a request of OpenAI's Responses."""

import json
from typing import Any

from .cannot import SCHEMA, TOOL, CannotError, text_of

Json = dict[str, Any]
TOOLS = {"tools": [{"type": "function", "strict": False, "parameters": SCHEMA} | TOOL]}


def request(turns: list[Json]) -> Json:
    body: Json = {}
    items: list[Json] = []
    for turn in turns:
        match turn["role"]:
            case "system" if turn.get("beside"):
                body["instructions"] = text_of(turn["parts"])
            case "system":
                items.append({"role": "system", "content": text_of(turn["parts"])})
            case "user":
                items.append({"role": "user", "content": [_block(part) for part in turn["parts"]]})
            case _:
                for part in turn["parts"]:
                    items.append(_item(part, len(items)))
    return body | {"input": items}


def _block(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "input_text", "text": text}
        case {"url": url}:
            return {"type": "input_image", "image_url": url, "detail": "auto"}
        case {"class": "image", "data": data, "mime": mime}:
            return {"type": "input_image", "image_url": f"data:{mime};base64,{data}", "detail": "auto"}
        case {"class": "document", "data": data, "mime": mime, "name": name}:
            return {"type": "input_file", "filename": f"{name}.pdf", "file_data": f"data:{mime};base64,{data}"}
    raise CannotError(part)


def _item(part: Json, at: int) -> Json:
    match part:
        case {"text": text}:
            return _message({"type": "output_text", "text": text, "annotations": []}, at)
        case {"refusal": text}:
            return _message({"type": "refusal", "refusal": text}, at)
        case {"thought": text, "signature": signature}:
            said = {"type": "reasoning", "id": f"rs_{at}", "summary": [{"type": "summary_text", "text": text}]}
            return said | ({"encrypted_content": signature} if signature else {})
        case {"call": name, "name": tool, "args": args}:
            return {"type": "function_call", "call_id": name, "name": tool, "arguments": json.dumps(args)}
        case {"result": name, "content": content}:
            is_text = len(content) < 2 and all("text" in one for one in content)
            output = text_of(content) if is_text else [_block(one) for one in content]
            return {"type": "function_call_output", "call_id": name, "output": output}
    raise CannotError(part)


def _message(block: Json, at: int) -> Json:
    return {"type": "message", "id": f"msg_{at}", "role": "assistant", "status": "completed", "content": [block]}
