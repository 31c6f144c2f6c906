"""The words of a payload in bytes, counted by hand: text, arguments, data of media, definitions of tools.

Reasoning with a signature counts as its JSON, since nobody may cut it. Other reasoning counts as its text.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import turnwire as tw

Json = dict[str, Any]

#: The formats that can be counted here.
FORMATS = ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "amazon-q", "history")
#: The targets that can be counted here: their profiles, too, except those whose media are in keys of their own.
TARGETS = tuple(
    name
    for name in tw.dialects()
    if name.partition(":")[0] in (*FORMATS, "mistral", "ollama", "cohere") and not name.startswith("openai:hf")
)


def compact(value: Any) -> str:
    """JSON as short as it can be written."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def size(payload: Any, count: Callable[[str], int] | None = None, *, media: bool = True) -> int:
    """In bytes, or by `count`. `media`: whether their data count, which they do in bytes, and not by `count`."""
    count, media = (count, False) if count else (lambda word: len(word.encode()), media)
    return sum(count(word.lstrip("\0")) for word in words(payload) if word and (media or word[0] != "\0"))


def words(payload: Any) -> Iterator[str]:
    """Every text that counts. Data of media begin with a NUL."""
    if isinstance(payload, list):
        payload = {"messages": payload}
    yield from _content(payload.get("system"))
    yield from _content(payload.get("instructions"))
    yield from _content(payload.get("systemInstruction", {}).get("parts"))
    for tool in (*payload.get("tools", ()), *payload.get("toolConfig", {}).get("tools", ())):
        for one in tool.get("functionDeclarations", [tool]):
            yield from _definition(one)
    for message in (*payload.get("messages", ()), *payload.get("contents", ()), *payload.get("input", ())):
        yield from _message(message)


#: The keys of a tool that are counted by themselves, or say nothing.
SCHEMAS = ("parameters", "input_schema", "parametersJsonSchema", "inputSchema")
KEYS = {"name", "description", "strict", "type", "cache_control", *SCHEMAS}


def _definition(tool: Json) -> Iterator[str]:
    if "function" in tool and tool.get("type", "function") != "function":
        # A tool of a type that is not the caller's own stays as it is.
        yield compact(tool)
        return
    tool = tool.get("function") or tool.get("custom") or tool.get("toolSpec") or tool
    if "name" not in tool:
        return
    yield tool["name"]
    yield tool.get("description") or ""
    for key in SCHEMAS:
        if key in tool:
            yield compact(tool[key].get("json", tool[key]))
    yield from (compact(value) for key, value in tool.items() if key not in KEYS)


def _message(message: Json) -> Iterator[str]:
    match message:
        case {"userInputMessage": inner} | {"assistantResponseMessage": inner}:
            yield inner["content"]
            for result in inner.get("userInputMessageContext", {}).get("toolResults", ()):
                yield from _content(result["content"])
            yield from ("\0" + image["source"]["bytes"] for image in inner.get("images", ()))
            yield from (compact(call["input"]) for call in inner.get("toolUses", ()))
            return
        case {"body": {"role": _} as inner}:
            yield from _message(inner)
            return
        case {"type": "function_call", "arguments": given}:
            yield _arguments(given)
            return
        case {"type": "custom_tool_call", "input": given}:
            yield given
            return
        case {"type": "reasoning", "summary": summary}:
            texts = (one["text"] for one in [*summary, *message.get("content", ())])
            yield compact(message) if message.get("encrypted_content") else "".join(texts)
            return
    for key in ("content", "parts", "output", "refusal", "tool_plan"):
        yield from _content(message.get(key))
    for key in ("reasoning_content", "reasoning", "thinking"):
        # A space stands for reasoning that is not there.
        yield from _content((message.get(key) or "").strip(" "))
    # A gateway's details, blocks and items hold reasoning with its proof.
    for key in ("reasoning_details", "thinking_blocks", "reasoning_items"):
        yield from (compact(detail) for detail in message.get(key, ()))
    yield from ("\0" + data for data in message.get("images", ()))
    for call in message.get("tool_calls") or message.get("toolCalls") or ():
        if "custom" in call:
            yield call["custom"]["input"]
        else:
            given = call["function"]["arguments"]
            yield _arguments(given) if isinstance(given, str) else compact(given)


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
    elif isinstance(content, list):
        for block in content:
            yield from _block(block)
    elif content is not None:
        yield compact(content)


def _block(block: Any) -> Iterator[str]:
    match block:
        case {"cachePoint": _}:
            return
        case {"cache_control": _, **rest}:
            yield from _block(rest)
        case {"type": "tool_use", "input": value} | {"toolUse": {"input": value}} | {"functionCall": {"args": value}}:
            yield value if isinstance(value, str) else compact(value)
        case {"functionCall": _}:
            return
        case {"type": "tool_result", **rest} | {"toolResult": rest}:
            yield from _content(rest.get("content"))
        case {"functionResponse": {"response": value, **rest}}:
            if len(value) == 1 and value.keys() & {"result", "output", "error"}:
                (value,) = value.values()
            yield "" if value == {} else value if isinstance(value, str) else compact(value)
            yield from _content(rest.get("parts"))
        case {"json": value} | {"type": "document", "document": {"data": dict(value)}}:
            yield compact(value)
        case {"type": "document", "document": {"data": str(text)}}:
            yield text
        case {"type": "thinking", "thinking": said, **rest} if "signature" not in rest:
            yield from _content(said.strip(" ") if isinstance(said, str) else said)
        case {"reasoningContent": {"reasoningText": {"text": text, **rest}}} if "signature" not in rest:
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
            | {"type": "input_image" | "image_url", "image_url": str(url)}
            | {"type": "document_url", "document_url": url}
            | {"type": "input_audio", "input_audio": str(url)}
            | {"type": "input_file", "file_data": url}
            | {"type": "file", "file": {"file_data": url}}
        ):
            return url.partition("base64,")[2] or url
    return None
