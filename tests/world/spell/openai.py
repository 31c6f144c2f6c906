"""Spells a request of Chat Completions."""

import json
from typing import Any

from . import chat
from .cannot import SCHEMA, TOOL, CannotError, text_of

Json = dict[str, Any]
TOOLS = {"tools": [{"type": "function", "function": TOOL | {"parameters": SCHEMA}}]}


def request(turns: list[Json]) -> Json:
    return chat.request(turns, lambda parts: chat.content(parts, _block), _result, _assistant)


def _block(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "text": text}
        case {"url": url}:
            return {"type": "image_url", "image_url": {"url": url}}
        case {"class": "image", "data": data, "mime": mime}:
            return {"type": "image_url", "image_url": {"url": f"data:{mime};base64,{data}"}}
        case {"class": "audio", "data": data}:
            return {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}}
        case {"class": "document", "data": data, "mime": mime, "name": name}:
            # A file of another type is what callers send, though OpenAI refuses it.
            return {"type": "file", "file": {"filename": f"{name}.pdf", "file_data": f"data:{mime};base64,{data}"}}
    raise CannotError(part)


def _result(part: Json) -> Json:
    content = chat.without_media(part)
    said = text_of(content) if len(content) < 2 else [_block(one) for one in content]
    return {"role": "tool", "tool_call_id": part["result"], "content": said}


def _assistant(parts: list[Json]) -> Json:
    message: Json = {"role": "assistant", "content": None}
    texts = [part["text"] for part in parts if "text" in part]
    if texts:
        message["content"] = texts[0] if len(texts) == 1 else [{"type": "text", "text": text} for text in texts]
    calls = []
    for part in parts:
        match part:
            case {"redacted": _}:
                raise CannotError("reasoning that cannot be read")
            case {"thought": text, "signature": signature}:
                if signature:
                    raise CannotError("signed reasoning")
                message["reasoning_content"] = text
            case {"refusal": text}:
                message["refusal"] = text
            case {"call": name, "name": tool, "args": args}:
                function = {"name": tool, "arguments": json.dumps(args)}
                calls.append({"id": name, "type": "function", "function": function})
    return message | ({"tool_calls": calls} if calls else {})
