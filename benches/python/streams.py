"""Streams of any length, half text and half the arguments of a call, and hand-written readers for them.

The hand-written readers keep no unknown key, check nothing and know none of the shapes that servers send.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import orjson

Json = dict[str, Any]
WORDS = ["The ", "weather ", "in ", "東京 ", "is ", "rainy, ", "3 °C", ".\n"]


def words(count: int) -> list[str]:
    return [WORDS[at % len(WORDS)] for at in range(count // 2)]


def pieces(count: int) -> list[str]:
    """The arguments of a call that writes the words."""
    return ['{"text":"', *(json.dumps(word, ensure_ascii=False)[1:-1] for word in words(count)), '"}']


def openai(count: int) -> list[Json]:
    def chunk(delta: Json, reason: str | None = None) -> Json:
        choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]
        head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        return {**head, "service_tier": "default", "choices": choices}

    made = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": word}) for word in words(count))]
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "write", "arguments": ""}}
    made.append(chunk({"tool_calls": [call]}))
    made += [chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}) for piece in pieces(count)]
    return [*made, chunk({}, "tool_calls")]


def openai_by_hand(chunks: Iterable[Json]) -> Json:
    """Texts joined, calls by their index."""
    texts: list[str] = []
    events: list[Json] = []
    calls: dict[int, tuple[Json, list[str]]] = {}
    for chunk in chunks:
        for choice in chunk["choices"]:
            delta = choice["delta"]
            if text := delta.get("content"):
                texts.append(text)
                events.append({"type": "text", "content": text})
            for call in delta.get("tool_calls") or []:
                _, pieces = calls.setdefault(call["index"], (call, []))
                pieces.append(call["function"]["arguments"])
    made = [{**call, "function": {**call["function"], "arguments": "".join(all)}} for call, all in calls.values()]
    return {"role": "assistant", "content": "".join(texts), "tool_calls": made, "events": events}


def openai_to_anthropic_by_hand(chunks: Iterable[Json]) -> Iterator[Json]:
    """What a gateway for these two wires alone would do."""
    index, kind, ended = -1, None, "end_turn"
    for chunk in chunks:
        if index < 0:
            shell = {"id": chunk["id"], "type": "message", "role": "assistant", "model": chunk["model"], "content": []}
            usage = {"input_tokens": 0, "output_tokens": 0}
            shell |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
            yield {"type": "message_start", "message": shell}
            index = 0
        for choice in chunk["choices"]:
            delta = choice["delta"]
            for call in delta.get("tool_calls") or []:
                if call.get("id"):
                    if kind:
                        yield {"type": "content_block_stop", "index": index}
                        index += 1
                    kind = "tool_use"
                    block = {"type": kind, "id": call["id"], "name": call["function"]["name"], "input": {}}
                    yield {"type": "content_block_start", "index": index, "content_block": block}
                if piece := call["function"]["arguments"]:
                    piece_of = {"type": "input_json_delta", "partial_json": piece}
                    yield {"type": "content_block_delta", "index": index, "delta": piece_of}
            if text := delta.get("content"):
                if kind != "text":
                    if kind:
                        yield {"type": "content_block_stop", "index": index}
                        index += 1
                    kind = "text"
                    block = {"type": "text", "text": ""}
                    yield {"type": "content_block_start", "index": index, "content_block": block}
                yield {"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}}
            if reason := choice["finish_reason"]:
                ended = {"tool_calls": "tool_use", "length": "max_tokens"}.get(reason, "end_turn")
    if kind:
        yield {"type": "content_block_stop", "index": index}
    delta = {"stop_reason": ended, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"input_tokens": 0, "output_tokens": 0}}
    yield {"type": "message_stop"}


def openai_responses(count: int) -> list[Json]:
    whole = {"type": "output_text", "text": "".join(words(count)), "annotations": [], "logprobs": []}
    message = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [whole]}
    call = {"id": "fc_1", "type": "function_call", "status": "completed", "call_id": "call_1", "name": "write"}
    call |= {"arguments": "".join(pieces(count))}
    response: Json = {"id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "in_progress"}
    response |= {"output": [], "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    text = {"item_id": "msg_1", "output_index": 0, "content_index": 0, "logprobs": []}
    args = {"item_id": "fc_1", "output_index": 1}
    made: list[Json] = [{"type": "response.created", "response": response}]
    made.append({"type": "response.output_item.added", "output_index": 0, "item": {**message, "content": []}})
    made.append({"type": "response.content_part.added", **text, "part": {**whole, "text": ""}})
    made += [{"type": "response.output_text.delta", **text, "delta": word, "obfuscation": "x"} for word in words(count)]
    made.append({"type": "response.output_text.done", **text, "text": whole["text"]})
    made.append({"type": "response.output_item.done", "output_index": 0, "item": message})
    made.append({"type": "response.output_item.added", "output_index": 1, "item": {**call, "arguments": ""}})
    made += [{"type": "response.function_call_arguments.delta", **args, "delta": piece} for piece in pieces(count)]
    made.append({"type": "response.function_call_arguments.done", **args, "arguments": call["arguments"]})
    made.append({"type": "response.output_item.done", "output_index": 1, "item": call})
    usage = {"input_tokens": 1, "output_tokens": 9, "total_tokens": 10}
    usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    ended = {**response, "status": "completed", "output": [message, call], "usage": usage}
    made.append({"type": "response.completed", "response": ended})
    return [{**event, "sequence_number": number} for number, event in enumerate(made)]


def openai_responses_by_hand(events: Iterable[Json]) -> Json:
    """Items by their index; the response at the end is not read."""
    items: dict[int, tuple[Json, list[str]]] = {}
    told: list[Json] = []
    for event in events:
        match event["type"]:
            case "response.output_text.delta":
                told.append({"type": "text", "content": event["delta"]})
                items[event["output_index"]][1].append(event["delta"])
            case "response.function_call_arguments.delta":
                items[event["output_index"]][1].append(event["delta"])
            case "response.output_item.added":
                items[event["output_index"]] = (event["item"], [])
    made = []
    for item, pieces in items.values():
        whole = "".join(pieces)
        text = {"type": "output_text", "text": whole}
        made.append({**item, "content": [text]} if item["type"] == "message" else {**item, "arguments": whole})
    return {"output": made, "events": told}


def anthropic(count: int) -> list[Json]:
    def deltas(index: int, kind: str, key: str, pieces: Iterable[str]) -> list[Json]:
        found = [{"type": kind, key: piece} for piece in pieces]
        return [{"type": "content_block_delta", "index": index, "delta": delta} for delta in found]

    head: Json = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    head |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    made: list[Json] = [{"type": "message_start", "message": head}]
    made.append({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
    made += [*deltas(0, "text_delta", "text", words(count)), {"type": "content_block_stop", "index": 0}]
    block = {"type": "tool_use", "id": "toolu_1", "name": "write", "input": {}}
    made.append({"type": "content_block_start", "index": 1, "content_block": block})
    made += deltas(1, "input_json_delta", "partial_json", pieces(count))
    made.append({"type": "content_block_stop", "index": 1})
    reason = {"stop_reason": "tool_use", "stop_sequence": None}
    return [*made, {"type": "message_delta", "delta": reason, "usage": {"output_tokens": 9}}, {"type": "message_stop"}]


def anthropic_by_hand(events: Iterable[Json]) -> Json:
    """Blocks by their index."""
    blocks: list[tuple[Json, list[str]]] = []
    told: list[Json] = []
    for event in events:
        match event["type"]:
            case "content_block_start":
                blocks.append((event["content_block"], []))
            case "content_block_delta":
                delta = event["delta"]
                if text := delta.get("text"):
                    told.append({"type": "text", "content": text})
                blocks[event["index"]][1].append(text or delta.get("partial_json"))
    made = []
    for block, pieces in blocks:
        whole = "".join(pieces)
        made.append({**block, "text": whole} if block["type"] == "text" else {**block, "input": orjson.loads(whole)})
    return {"role": "assistant", "content": made, "events": told}


def gemini(count: int) -> list[Json]:
    """All of it text except one call: arguments come whole."""

    def chunk(*parts: Json, **more: Any) -> Json:
        usage = {"promptTokenCount": 1, "candidatesTokenCount": 9, "totalTokenCount": 10}
        candidate = {"index": 0, "content": {"role": "model", "parts": [*parts]}, **more}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m", "responseId": "r"}

    made = [chunk({"text": word}) for word in words(2 * count)]
    call = {"functionCall": {"id": "c", "name": "write", "args": {"text": "".join(words(count))}}}
    return [*made, chunk(call, finishReason="STOP")]


def gemini_by_hand(chunks: Iterable[Json]) -> Json:
    """Texts joined, then the calls."""
    texts: list[str] = []
    calls: list[Json] = []
    told: list[Json] = []
    for chunk in chunks:
        for part in chunk["candidates"][0]["content"]["parts"]:
            if text := part.get("text"):
                texts.append(text)
                told.append({"type": "text", "content": text})
            elif call := part.get("functionCall"):
                calls.append(part)
                told.append({"type": "tool_call", "content": {"name": call["name"], "arguments": call["args"]}})
    return {"role": "model", "parts": [{"text": "".join(texts)}, *calls], "events": told}


def bedrock(count: int) -> list[Json]:
    def deltas(index: int, found: list[Json]) -> list[Json]:
        return [{"contentBlockDelta": {"delta": delta, "contentBlockIndex": index}} for delta in found]

    use = {"toolUseId": "tooluse_1", "name": "write"}
    made: list[Json] = [{"messageStart": {"role": "assistant"}}, *deltas(0, [{"text": word} for word in words(count)])]
    made.append({"contentBlockStop": {"contentBlockIndex": 0}})
    made.append({"contentBlockStart": {"start": {"toolUse": use}, "contentBlockIndex": 1}})
    made += deltas(1, [{"toolUse": {"input": piece}} for piece in pieces(count)])
    made += [{"contentBlockStop": {"contentBlockIndex": 1}}, {"messageStop": {"stopReason": "tool_use"}}]
    usage = {"inputTokens": 1, "outputTokens": 9, "totalTokens": 10}
    return [*made, {"metadata": {"usage": usage, "metrics": {"latencyMs": 1}}}]


def bedrock_by_hand(events: Iterable[Json]) -> Json:
    """Blocks by their index."""
    blocks: dict[int, Json] = {}
    pieces: dict[int, list[str]] = {}
    told: list[Json] = []
    for event in events:
        if found := event.get("contentBlockDelta"):
            delta = found["delta"]
            if text := delta.get("text"):
                told.append({"type": "text", "content": text})
            pieces.setdefault(found["contentBlockIndex"], []).append(text or delta["toolUse"]["input"])
        elif started := event.get("contentBlockStart"):
            blocks[started["contentBlockIndex"]] = started["start"]["toolUse"]
    made = []
    for index, all in pieces.items():
        use, whole = blocks.get(index), "".join(all)
        made.append({"toolUse": {**use, "input": orjson.loads(whole)}} if use else {"text": whole})
    return {"role": "assistant", "content": made, "events": told}
