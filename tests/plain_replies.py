"""The slow, plain meaning of replies and streams as providers send them: what the tests compare ours with.

Nothing here knows what servers do wrong; the vectors do.
"""

import json
from typing import Any, NamedTuple

Json = Any


class Plain(NamedTuple):
    """What a reply says."""

    text: str
    calls: list[tuple[str | None, str, object]]
    stop_reason: str | None
    usage: Json
    tokens: tuple[int | None, int | None, int | None, int | None]


def at(value: Json, *keys: str | int) -> Json:
    """What stands under the keys, or None."""
    for key in keys:
        try:
            value = value[key]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def total(*counts: int | None) -> int | None:
    """The sum; None where the first is."""
    return None if counts[0] is None else sum(count or 0 for count in counts)


def sse(text: str) -> list[Json]:
    """The events of a stream as JSON, without the mark at its end."""
    data = [line.removeprefix("data:") for line in text.splitlines() if line.startswith("data:")]
    return [json.loads(line) for line in data if line.strip() != "[DONE]"]


def openai(body: Json) -> Plain:
    choice = body["choices"][0]
    message, usage = choice["message"], body.get("usage")
    content = message.get("content") or ""
    parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
    calls = []
    for call in message.get("tool_calls") or []:
        if call.get("type") == "custom":
            calls.append((call["id"], call["custom"]["name"], call["custom"]["input"]))
        else:
            calls.append((call["id"], call["function"]["name"], json.loads(call["function"].get("arguments") or "{}")))
    cached = at(usage, "prompt_tokens_details", "cached_tokens")
    tokens = (
        at(usage, "prompt_tokens"),
        at(usage, "completion_tokens"),
        at(usage, "cached_tokens") if cached is None else cached,
        at(usage, "completion_tokens_details", "reasoning_tokens"),
    )
    text = "".join(part["text"] for part in parts if part["type"] == "text")
    return Plain(text, calls, choice.get("finish_reason"), usage, tokens)


def anthropic(body: Json) -> Plain:
    blocks, usage = body["content"], body["usage"]
    calls = [(block["id"], block["name"], block["input"]) for block in blocks if block["type"] == "tool_use"]
    cached = usage.get("cache_read_input_tokens")
    tokens = (
        total(usage["input_tokens"], cached, usage.get("cache_creation_input_tokens")),
        usage["output_tokens"],
        cached,
        at(usage, "output_tokens_details", "thinking_tokens"),
    )
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    return Plain(text, calls, body["stop_reason"], usage, tokens)


def gemini(body: Json) -> Plain:
    candidate, usage = body["candidates"][0], body["usageMetadata"]
    parts = at(candidate, "content", "parts") or []
    calls = [part["functionCall"] for part in parts if "functionCall" in part]
    thoughts = usage.get("thoughtsTokenCount")
    tokens = (
        total(usage["promptTokenCount"], usage.get("toolUsePromptTokenCount")),
        total(usage.get("candidatesTokenCount", 0), thoughts),
        usage.get("cachedContentTokenCount"),
        thoughts,
    )
    text = "".join(part.get("text", "") for part in parts if not part.get("thought"))
    told: list[tuple[str | None, str, object]] = []
    for call in calls:
        same = sum(name == call["name"] for _, name, _ in told)
        made_up = f"function_{call['name']}" + (f"_{same + 1}" if same else "")
        told.append((call.get("id", made_up), call["name"], call.get("args", {})))
    return Plain(text, told, candidate["finishReason"], usage, tokens)


READ = {"openai": openai, "anthropic": anthropic, "gemini": gemini}


def openai_stream(chunks: list[Json]) -> Json:
    """The whole reply: texts behind each other, calls by their index."""
    message: Json = {"role": "assistant", "content": None}
    calls: dict[int, Json] = {}
    whole: Json = {"choices": [{"message": message, "finish_reason": None}], "usage": None}
    for chunk in chunks:
        whole["usage"] = chunk.get("usage") or at(chunk, "x_groq", "usage") or whole["usage"]
        for choice in chunk.get("choices", []):
            delta = choice["delta"]
            whole["choices"][0]["finish_reason"] = choice.get("finish_reason") or whole["choices"][0]["finish_reason"]
            for key in ("content", "reasoning", "reasoning_content"):
                piece = delta.get(key)
                if isinstance(piece, str):
                    message[key] = (message.get(key) or "") + piece
                elif piece:
                    thoughts = "".join(thought["text"] for part in piece for thought in part["thinking"])
                    message["thinking"] = message.get("thinking", "") + thoughts
            for call in delta.get("tool_calls") or []:
                known = calls.setdefault(call["index"], {"id": "", "function": {"name": "", "arguments": ""}})
                known["id"] += call.get("id") or ""
                for key in ("name", "arguments"):
                    known["function"][key] += call["function"].get(key) or ""
            for detail in delta.get("reasoning_details") or []:
                known = message.setdefault("reasoning_details", {}).setdefault(detail["index"], {})
                for key, value in detail.items():
                    grows = key in ("text", "signature", "data")
                    known[key] = known.get(key, "") + value if grows else value
    if "reasoning_details" in message:
        message["reasoning_details"] = list(message["reasoning_details"].values())
    if calls:
        message["tool_calls"] = list(calls.values())
    return whole


def anthropic_stream(chunks: list[Json]) -> Json:
    """The whole message: blocks by their index, their pieces behind each other."""
    whole: Json = {}
    inputs: dict[int, str] = {}
    for event in chunks:
        delta = event.get("delta", {})
        match event["type"]:
            case "message_start":
                whole = event["message"]
            case "content_block_start":
                assert event["index"] == len(whole["content"])
                whole["content"].append(event["content_block"])
            case "content_block_delta":
                block = whole["content"][event["index"]]
                match delta.pop("type"):
                    case "input_json_delta":
                        inputs[event["index"]] = inputs.get(event["index"], "") + delta["partial_json"]
                    case "citations_delta":
                        block["citations"] = [*(block.get("citations") or []), delta["citation"]]
                    case _:
                        for key, value in delta.items():
                            block[key] = (block[key] or "") + value
            case "message_delta":
                whole |= {key: value for key, value in delta.items() if value is not None}
                whole["usage"] |= {key: value for key, value in event["usage"].items() if value is not None}
    for index, text in inputs.items():
        if text:
            whole["content"][index]["input"] = json.loads(text)
    return whole


def gemini_stream(chunks: list[Json]) -> Json:
    """The whole reply: text behind text, all other parts in their order."""
    whole: Json = {}
    parts: list[Json] = []
    for chunk in chunks:
        candidate = chunk["candidates"][0]
        for part in candidate["content"]["parts"]:
            if part == {"text": ""}:
                continue
            if part.keys() == {"text"} and parts and parts[-1].keys() == {"text"}:
                parts[-1]["text"] += part["text"]
            else:
                parts.append(part)
        whole |= {**chunk, "candidates": [{**candidate, "content": {"role": "model", "parts": parts}}]}
    return whole


ASSEMBLE = {"openai": openai_stream, "anthropic": anthropic_stream, "gemini": gemini_stream}


def said(value: Json) -> Json:
    """A wire value without what says nothing: None, empty text, empty lists and objects."""
    if isinstance(value, dict):
        return {key: said(item) for key, item in value.items() if item not in (None, "", [], {})}
    if isinstance(value, list):
        return [said(item) for item in value]
    return value
