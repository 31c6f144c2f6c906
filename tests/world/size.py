"""The words of a payload in bytes, counted by hand: text, arguments, data of media, definitions of tools.

Reasoning with a signature counts as its JSON, since nobody may cut it. Other reasoning counts as its text.
"""

import json
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

#: The formats that can be counted here.
FORMATS = ("openai", "anthropic", "gemini", "bedrock", "openai-responses")


def compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def size(payload: Json, *, media: bool = True) -> int:
    """`media`: whether their data count, which they do in bytes, and not in tokens."""
    return sum(len(word.lstrip("\0").encode()) for word in words(payload) if media or not word.startswith("\0"))


def words(payload: Json) -> Iterator[str]:
    """Every text that counts. Data of media begin with a NUL."""
    yield from _content(payload.get("system"))
    yield from _content(payload.get("instructions"))
    yield from _content(payload.get("systemInstruction", {}).get("parts"))
    for tool in (*payload.get("tools", ()), *payload.get("toolConfig", {}).get("tools", ())):
        for one in tool.get("functionDeclarations", [tool]):
            yield from _definition(one)
    for message in (*payload.get("messages", ()), *payload.get("contents", ()), *payload.get("input", ())):
        yield from _message(message)


def _definition(tool: Json) -> Iterator[str]:
    tool = tool.get("function") or tool.get("toolSpec") or tool
    if "name" not in tool:
        return
    yield tool["name"]
    yield tool.get("description") or ""
    for key in ("parameters", "input_schema", "parametersJsonSchema", "inputSchema"):
        if key in tool:
            yield compact(tool[key].get("json", tool[key]))


def _message(message: Json) -> Iterator[str]:
    if message.get("type") == "function_call":
        yield _arguments(message["arguments"])
        return
    if message.get("type") == "reasoning":
        texts = (one["text"] for one in message["summary"])
        yield compact(message) if message.get("encrypted_content") else "".join(texts)
        return
    for key in ("content", "parts", "output", "refusal", "reasoning_content"):
        yield from _content(message.get(key))
    for call in message.get("tool_calls") or ():
        yield _arguments(call["function"]["arguments"])


def _arguments(text: str) -> str:
    """Compact where they are an object, else as they are."""
    try:
        value = json.loads(text) if text.strip() else {}
    except ValueError:
        return text
    return compact(value) if isinstance(value, dict) else text


def _content(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        yield from _block(block)


def _block(block: Any) -> Iterator[str]:
    match block:
        case {"cachePoint": _}:
            return
        case {"cache_control": _, **rest}:
            yield from _block(rest)
        case {"type": "tool_use", "input": value} | {"toolUse": {"input": value}} | {"functionCall": {"args": value}}:
            yield compact(value)
        case {"functionCall": _}:
            return
        case {"type": "tool_result", **rest} | {"toolResult": rest}:
            yield from _content(rest.get("content"))
        case {"functionResponse": {"response": value, **rest}}:
            if len(value) == 1 and value.keys() & {"result", "output", "error"}:
                (value,) = value.values()
            yield "" if value == {} else value if isinstance(value, str) else compact(value)
            yield from _content(rest.get("parts"))
        case {"json": value}:
            yield compact(value)
        case {"reasoningContent": {"reasoningText": {"text": text, **rest}}} if not rest:
            yield text
        case {"thought": True, "thoughtSignature": _}:
            yield compact(block)
        case _ if (data := _data(block)) is not None:
            yield "\0" + data
        case {"type": "refusal", "refusal": text} | {"text": str(text)}:
            yield text
        case _:
            yield compact(block)


def _data(block: Any) -> str | None:
    """The data of a medium, or its address."""
    match block:
        case {"type": "image" | "document", "source": {"data": data} | {"url": data}}:
            return data
        case {"inlineData": {"data": data}} | {"input_audio": {"data": data}} | {"fileData": {"fileUri": data}}:
            return data
        case {"image": {"source": {"bytes": data}}} | {"audio": {"source": {"bytes": data}}}:
            return data
        case {"document": {"source": {"bytes": data} | {"text": data}}}:
            return data
        case (
            {"type": "image_url", "image_url": {"url": url}}
            | {"type": "input_image", "image_url": url}
            | {"type": "input_file", "file_data": url}
            | {"type": "file", "file": {"file_data": url}}
        ):
            return url.partition("base64,")[2] or url
    return None
