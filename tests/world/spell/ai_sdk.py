"""Spells ModelMessages of the AI SDK: calls and results are parts, and a result names the type of its output."""

from typing import Any

from .cannot import CannotError, text_of

Json = dict[str, Any]
TOOLS = None
ROLES = {"user": "user", "model": "assistant", "results": "tool"}


def request(turns: list[Json]) -> list[Json]:
    return [_message(turn["role"], turn["parts"]) for turn in turns]


def _message(role: str, parts: list[Json]) -> Json:
    if role == "system":
        return {"role": "system", "content": text_of(parts)}
    return {"role": ROLES[role], "content": [_part(part) for part in parts]}


def _part(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"type": "text", "text": text}
        case {"class": "image", "url": data, "mime": mime} | {"class": "image", "data": data, "mime": mime}:
            return {"type": "image", "image": data, "mediaType": mime}
        case {"data": data, "mime": mime, "name": name}:
            return {"type": "file", "data": data, "mediaType": mime, "filename": name}
        case {"thought": text, "signature": signature}:
            signed = {"providerOptions": {"anthropic": {"signature": signature}}}
            return {"type": "reasoning", "text": text} | (signed if signature else {})
        case {"call": name, "name": tool, "args": args}:
            return {"type": "tool-call", "toolCallId": name, "toolName": tool, "input": args}
        case {"result": name, "name": tool, "content": content, "error": error}:
            output = _output(content, error)
            return {"type": "tool-result", "toolCallId": name, "toolName": tool, "output": output}
    raise CannotError(part)


def _output(content: list[Json], error: bool) -> Json:
    if len(content) < 2 and all("text" in one for one in content):
        return {"type": "error-text" if error else "text", "value": text_of(content)}
    said = [
        {"type": "text", "text": one["text"]}
        if "text" in one
        else {"type": "image-data", "data": one["data"], "mediaType": one["mime"]}
        for one in content
    ]
    return {"type": "content", "value": said}
