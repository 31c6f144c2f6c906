"""The slow, plain meaning of replies and streams as providers send them, for the tests to compare ours with.

Nothing here knows the mistakes of servers; the vectors cover those.
"""

import base64
import binascii
import json
import struct
from typing import Any, NamedTuple

Json = Any


class Plain(NamedTuple):
    """The content of a reply."""

    text: str
    calls: list[tuple[str | None, str, object]]
    stop_reason: str | None
    usage: Json
    tokens: tuple[int | None, int | None, int | None, int | None, int | None]


def at(value: Json, *keys: str | int) -> Json:
    """The value under the keys, or None."""
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


def frames(data: bytes) -> list[Json]:
    """The events of an AWS event stream: lengths and a checksum, headers, the payload, a checksum."""
    events = []
    while data:
        length, head, checksum = struct.unpack_from("!III", data)
        assert checksum == binascii.crc32(data[:8])
        assert struct.unpack_from("!I", data, length - 4)[0] == binascii.crc32(data[: length - 4])
        headers, at = {}, 12
        while at < 12 + head:
            (size,) = struct.unpack_from("!B", data, at)
            name, kind = data[at + 1 : at + 1 + size], data[at + 1 + size]
            assert kind == 7, "a text"
            (long,) = struct.unpack_from("!H", data, at + 2 + size)
            headers[name.decode()] = data[at + 4 + size : at + 4 + size + long].decode()
            at += 4 + size + long
        payload = json.loads(data[12 + head : length - 4])
        payload.pop("p", None)  # Padding, which the clients do not show.
        events.append({headers.get(":event-type") or headers[":exception-type"]: payload})
        data = data[length:]
    return events


def chunks(stream: str) -> list[Json]:
    """The chunks of a recorded stream."""
    return frames(base64.b64decode(stream[7:])) if stream.startswith("base64:") else sse(stream)


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
        next(
            (
                count
                for count in (cached, at(usage, "cached_tokens"), at(usage, "num_cached_tokens"))
                if count is not None
            ),
            None,
        ),
        at(usage, "completion_tokens_details", "reasoning_tokens"),
        at(usage, "prompt_tokens_details", "cache_write_tokens"),
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
        usage.get("cache_creation_input_tokens"),
    )
    text = "".join(block["text"] for block in blocks if block["type"] == "text")
    return Plain(text, calls, body["stop_reason"], usage, tokens)


def responses(body: Json) -> Plain:
    usage, text = body.get("usage"), ""
    calls: list[tuple[str | None, str, object]] = []
    for item in body["output"]:
        match item["type"]:
            case "message":
                text += "".join(part["text"] for part in item["content"] if part["type"] == "output_text")
            case "function_call":
                group = item.get("namespace") or item["name"]
                # A tool that was found by a search is in a group of its own name.
                name = item["name"] if group == item["name"] else f"{group}__{item['name']}"
                calls.append((item["call_id"], name, json.loads(item["arguments"] or "{}")))
            case "tool_search_call" if item["execution"] == "client":
                calls.append((item["call_id"], "tool_search", item["arguments"]))
    tokens = (
        at(usage, "input_tokens"),
        at(usage, "output_tokens"),
        at(usage, "input_tokens_details", "cached_tokens"),
        at(usage, "output_tokens_details", "reasoning_tokens"),
        at(usage, "input_tokens_details", "cache_write_tokens"),
    )
    return Plain(text, calls, at(body, "incomplete_details", "reason") or body["status"], usage, tokens)


def bedrock(body: Json) -> Plain:
    blocks, usage = body["output"]["message"]["content"], body["usage"]
    uses = [block["toolUse"] for block in blocks if "toolUse" in block]
    mine = [use for use in uses if use.get("type") != "server_tool_use"]
    tokens = (
        total(usage["inputTokens"], usage.get("cacheReadInputTokens"), usage.get("cacheWriteInputTokens")),
        usage["outputTokens"],
        usage.get("cacheReadInputTokens"),
        None,
        usage.get("cacheWriteInputTokens"),
    )
    calls = [(use["toolUseId"], use["name"], use["input"]) for use in mine]
    return Plain("".join(block.get("text", "") for block in blocks), calls, body["stopReason"], usage, tokens)


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
        None,
    )
    text = "".join(part.get("text", "") for part in parts if not part.get("thought"))
    told: list[tuple[str | None, str, object]] = []
    for call in calls:
        same = sum(name == call["name"] for _, name, _ in told)
        made_up = f"function_{call['name']}" + (f"_{same + 1}" if same else "")
        told.append((call.get("id", made_up), call["name"], call.get("args", {})))
    return Plain(text, told, candidate["finishReason"], usage, tokens)


READ = {
    "openai": openai,
    "openai-responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "bedrock": bedrock,
}


def openai_stream(chunks: list[Json]) -> Json:
    """The whole reply: texts joined, calls by their index."""
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
    """The whole message: blocks by their index, their pieces joined."""
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
    """The whole reply: text joined to text, all other parts in their order."""
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


# Where an item's pieces belong: the key of its list of parts, of the part's number, and of the text.
PIECES = {
    "response.output_text.delta": ("content", "content_index", "text"),
    "response.refusal.delta": ("content", "content_index", "refusal"),
    "response.reasoning_summary_text.delta": ("summary", "summary_index", "text"),
    "response.function_call_arguments.delta": (None, None, "arguments"),
}


def responses_stream(chunks: list[Json]) -> Json:
    """The whole response: messages, summaries and calls from their pieces only, all else as the response has it."""
    whole: Json = {}
    items: dict[int, Json] = {}
    for event in chunks:
        kind = event["type"]
        if kind == "response.output_item.added":
            items[event["output_index"]] = event["item"]
        elif kind.endswith("_part.added"):
            items[event["output_index"]]["summary" if "summary" in kind else "content"].append(event["part"])
        elif kind == "response.output_text.annotation.added":
            part = items[event["output_index"]]["content"][event["content_index"]]
            part["annotations"].append(event["annotation"])
        elif kind in PIECES:
            parts, number, key = PIECES[kind]
            item = items[event["output_index"]]
            place = item[parts][event[number]] if parts else item
            place[key] += event["delta"]
        elif "response" in event:
            whole = event["response"]
    assert sorted(items) == list(range(len(whole["output"])))
    for index, item in items.items():
        last = whole["output"][index]
        for part, known in zip(item.get("content", []), last.get("content", []), strict=True):
            part |= {"logprobs": known.get("logprobs")}  # The pieces have less of them.
        if item["type"] in ("message", "function_call", "reasoning"):
            for key in ("content", "summary", "arguments"):
                if key in item:
                    last[key] = item[key]
    return whole


def bedrock_stream(chunks: list[Json]) -> Json:
    """The whole reply: blocks by their numbers, their pieces joined."""
    blocks: dict[int, Json] = {}
    whole: Json = {"output": {"message": {"role": None, "content": []}}, "stopReason": None, "usage": None}
    inputs: dict[int, str] = {}
    for chunk in chunks:
        ((kind, event),) = chunk.items()
        index = event.get("contentBlockIndex")
        match kind:
            case "messageStart":
                whole["output"]["message"]["role"] = event["role"]
            case "contentBlockStart":
                blocks[index] = {key: dict(value) for key, value in event["start"].items()}
            case "contentBlockDelta":
                ((what, piece),) = event["delta"].items()
                block = blocks.setdefault(index, {})
                if what == "text":
                    block["text"] = block.get("text", "") + piece
                elif what == "toolUse":
                    inputs[index] = inputs.get(index, "") + piece["input"]
                elif what == "toolResult":
                    block["toolResult"]["content"] = [*block["toolResult"].get("content", []), *piece]
                elif "redactedContent" in piece:
                    assert "reasoningContent" not in block
                    block["reasoningContent"] = piece
                else:
                    thought = block.setdefault("reasoningContent", {"reasoningText": {"text": ""}})["reasoningText"]
                    for key, text in piece.items():
                        thought[key] = thought.get(key, "") + text
            case "messageStop":
                whole["stopReason"] = event["stopReason"]
            case "metadata":
                whole["usage"] = event["usage"]
    for index, block in blocks.items():
        if "toolUse" in block:
            block["toolUse"]["input"] = json.loads(inputs.get(index) or "{}")
    whole["output"]["message"]["content"] = [blocks[index] for index in sorted(blocks)]
    return whole


ASSEMBLE = {
    "openai": openai_stream,
    "openai-responses": responses_stream,
    "anthropic": anthropic_stream,
    "gemini": gemini_stream,
    "bedrock": bedrock_stream,
}


def said(value: Json) -> Json:
    """A wire value without its empty parts: None, empty text, empty lists and objects."""
    if isinstance(value, dict):
        return {key: said(item) for key, item in value.items() if item not in (None, "", [], {})}
    if isinstance(value, list):
        return [said(item) for item in value]
    return value
