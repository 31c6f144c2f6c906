"""The words of a payload, counted by hand: those that count against a budget, in one format or another."""

import json
from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]

#: The formats that can be counted here.
FORMATS = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "amazon-q", "history")


def compact(value: object) -> str:
    """JSON as short as it can be written."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def arguments(text: str) -> str:
    """Arguments that came as text: compact where they are an object, else as they are."""
    try:
        value = json.loads(text) if text.strip() else {}
    except ValueError:
        return text
    return compact(value) if isinstance(value, dict) else text


def words(payload: Json | list[Json]) -> Iterator[str]:
    """Every text of a payload that a budget counts; base64 data begin with a NUL."""
    if isinstance(payload, list):
        payload = {"messages": payload}
    yield from content(payload.get("system"))
    for part in payload.get("systemInstruction", {}).get("parts", ()):
        yield from of_part(part)
    for message in payload.get("contents", ()):
        for part in message["parts"]:
            yield from of_part(part)
    for tool in (*payload.get("tools", ()), *payload.get("toolConfig", {}).get("tools", ())):
        yield from definition(tool)
    yield payload.get("instructions") or ""
    for message in (*payload.get("messages", ()), *payload.get("input", ())):
        yield from of_message(message)


def of_message(message: Json) -> Iterator[str]:
    """The words of one message."""
    match message:
        case {"userInputMessage": inner} | {"assistantResponseMessage": inner}:
            yield inner["content"]
            for result in inner.get("userInputMessageContext", {}).get("toolResults", ()):
                yield from (block["text"] if "text" in block else compact(block["json"]) for block in result["content"])
            yield from ("\0" + image["source"]["bytes"] for image in inner.get("images", ()))
            yield from (compact(call["input"]) for call in inner.get("toolUses", ()))
            return
        case {"type": "function_call", "arguments": given}:
            yield arguments(given)
        case {"type": "custom_tool_call", "input": given}:
            yield given
        case {"output": given}:
            yield from content(given)
    yield from content(message.get("content"))
    yield message.get("refusal") or ""
    yield message.get("reasoning_content") or ""
    for call in message.get("tool_calls") or message.get("toolCalls") or ():
        given = call["custom"]["input"] if "custom" in call else call["function"]["arguments"]
        yield given if "custom" in call else arguments(given) if isinstance(given, str) else compact(given)


#: The keys of a tool that are counted by themselves, or say nothing.
KEYS = {"name", "description", "parameters", "input_schema", "inputSchema", "parametersJsonSchema"}
KEYS |= {"strict", "type", "cache_control"}


def definition(tool: Json) -> Iterator[str]:
    """The words of a tool: its name, its description, its schema, and its other keys."""
    if "cachePoint" in tool:
        return
    if "functionDeclarations" in tool:
        for one in tool["functionDeclarations"]:
            yield from definition(one)
        return
    tool = tool.get("function") or tool.get("custom") or tool.get("toolSpec") or tool
    yield tool["name"]
    yield tool.get("description", "")
    schema = tool.get("parameters") or tool.get("input_schema") or tool.get("parametersJsonSchema")
    schema = schema or tool.get("inputSchema", {}).get("json")
    yield "" if schema is None else compact(schema)
    yield from (compact(value) for key, value in tool.items() if key not in KEYS)


def content(given: object) -> Iterator[str]:
    """The words of a content: a str, or blocks."""
    if isinstance(given, str):
        yield given
    elif isinstance(given, list):
        for block in given:
            yield from of_block(block)
    elif given is not None:
        yield compact(given)


def of_block(block: Json) -> Iterator[str]:
    """The words of one block."""
    match block:
        case {"text": text}:
            yield text
        case {"type": "image", "source": {"type": "base64", "data": data}}:
            yield "\0" + data
        case {"type": "image_url", "image_url": {"url": url}} | {"type": "input_image", "image_url": url}:
            yield "\0" + url.partition("base64,")[2]
        case (
            {"image": {"source": {"bytes": data}}}
            | {"document": {"source": {"bytes": data}}}
            | {"audio": {"source": {"bytes": data}}}
        ):
            yield "\0" + data
        case {"type": "file", "file": {"file_data": url}}:
            yield "\0" + url.partition("base64,")[2]
        case {"type": "input_audio", "input_audio": {"data": data}}:
            yield "\0" + data
        case {"type": "document", "source": {"type": kind, "data": data}}:
            yield "\0" + data if kind == "base64" else data
        case {"document": {"source": {"text": text}}}:
            yield text
        case {"toolUse": {"input": value}}:
            yield compact(value)
        case {"toolResult": {"content": inner}}:
            yield from content(inner)
        case {"json": value}:
            yield compact(value)
        case {"type": "tool_use", "input": value}:
            yield value if isinstance(value, str) else compact(value)
        case {"type": "tool_result"}:
            yield from content(block.get("content"))
        case _:  # reasoning with its signature, and what only its own dialect knows
            yield compact(block)


def of_part(part: Json) -> Iterator[str]:
    """The words of one part of a Gemini content."""
    match part:
        case {"text": text}:
            yield text
        case {"inlineData": {"data": data}}:
            yield "\0" + data
        case {"functionCall": {"args": args}}:
            yield compact(args)
        case {"functionResponse": {"response": response, **rest}}:
            if len(response) == 1 and response.keys() & {"result", "output", "error"}:
                (response,) = response.values()
            if response != {}:
                yield response if isinstance(response, str) else compact(response)
            for inner in rest.get("parts", ()):
                yield from of_part(inner)


def size(payload: Json | list[Json], count: Callable[[str], int] | None = None) -> int:
    """Its size in UTF-8 bytes, or by `count`, which is not called for media."""
    if count is None:
        return sum(len(word.lstrip("\0").encode()) for word in words(payload))
    return sum(count(word) for word in words(payload) if word and word[0] != "\0")
