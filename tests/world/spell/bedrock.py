"""Spells a request of Bedrock's Converse."""

from typing import Any

from .cannot import SCHEMA, TOOL, CannotError, only_first, text_of

Json = dict[str, Any]
TOOLS = {"toolConfig": {"tools": [{"toolSpec": TOOL | {"inputSchema": {"json": SCHEMA}}}]}}
IMAGES = {"image/png": "png", "image/jpeg": "jpeg"}
DOCUMENTS = {"application/pdf": "pdf", "text/csv": "csv", "text/plain": "txt"}


def request(turns: list[Json]) -> Json:
    body: Json = {}
    messages: list[Json] = []
    for turn in turns:
        if turn["role"] == "system":
            only_first(turn, messages)
            body["system"] = [{"text": text_of(turn["parts"])}]
        else:
            role = "assistant" if turn["role"] == "model" else "user"
            messages.append({"role": role, "content": [_block(part) for part in turn["parts"]]})
    return body | {"messages": messages}


def _block(part: Json) -> Json:
    match part:
        case {"text": text}:
            return {"text": text}
        case {"plain": text, "name": name}:
            return {"document": {"name": name, "format": "txt", "source": {"text": text}}}
        case {"class": "image", "data": data, "mime": mime} if mime in IMAGES:
            return {"image": {"format": IMAGES[mime], "source": {"bytes": data}}}
        case {"class": "document", "data": data, "mime": mime, "name": name}:
            return {"document": {"name": name, "format": DOCUMENTS[mime], "source": {"bytes": data}}}
        case {"thought": text, "signature": signature}:
            said = {"text": text} | ({"signature": signature} if signature else {})
            return {"reasoningContent": {"reasoningText": said}}
        case {"redacted": data}:
            return {"reasoningContent": {"redactedContent": data}}
        case {"call": name, "name": tool, "args": args}:
            return {"toolUse": {"toolUseId": name, "name": tool, "input": args}}
        case {"result": name, "content": content, "error": error}:
            said = [_block(one) for one in content]
            return {"toolResult": {"toolUseId": name, "content": said, "status": "error" if error else "success"}}
    raise CannotError(part)
