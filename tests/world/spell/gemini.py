"""Spells a request of Gemini's `generateContent`."""

import base64
from typing import Any

from .cannot import SCHEMA, TOOL, CannotError, only_first, text_of

Json = dict[str, Any]
TOOLS = {"tools": [{"functionDeclarations": [TOOL | {"parameters": SCHEMA}]}]}


def request(turns: list[Json]) -> Json:
    body: Json = {}
    contents: list[Json] = []
    for turn in turns:
        if turn["role"] == "system":
            only_first(turn, contents)
            body["systemInstruction"] = {"parts": [{"text": text_of(turn["parts"])}]}
        else:
            role = "model" if turn["role"] == "model" else "user"
            contents.append({"role": role, "parts": [_part(part) for part in turn["parts"]]})
    return body | {"contents": contents}


def _part(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"text": text}
        case {"url": url, "mime": mime}:
            return {"fileData": {"fileUri": url, "mimeType": mime}}
        case {"plain": text}:
            return {"inlineData": {"mimeType": "text/plain", "data": base64.b64encode(text.encode()).decode()}}
        case {"data": data, "mime": mime}:
            return {"inlineData": {"mimeType": mime, "data": data}}
        case {"thought": text, "signature": signature}:
            return {"text": text, "thought": True} | ({"thoughtSignature": signature} if signature else {})
        case {"call": name, "name": tool, "args": args}:
            return {"functionCall": {"id": name, "name": tool, "args": args}}
        case {"result": name, "name": tool, "content": content, "error": error}:
            if any("data" in one for one in content):
                raise CannotError("media in a result")
            said = {"error" if error else "output": text_of(content)}
            return {"functionResponse": {"id": name, "name": tool, "response": said}}
    raise CannotError(part)
