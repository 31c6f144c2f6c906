"""Random streams of every recorded wire: chunks, and their content."""

from __future__ import annotations

import base64
import binascii
import functools
import json
import struct
from collections.abc import Callable
from random import Random
from typing import Any

from stream_readers import Said

Json = Any
#: What a reply says, in order: its kind, and its text or call.
Parts = list[tuple[str, ...]]
WORDS = ["Paris", " is", "\n", "東京", "😀", " \\ ", '"', "é", "<a>", "data: ", "\t", "\x00", "."]


def cut(rng: Random, text: str) -> list[str]:
    """The text in pieces, some of them empty."""
    at = sorted(rng.randint(0, len(text)) for _ in range(rng.randint(0, 4)))
    return [text[start:end] for start, end in zip([0, *at], [*at, len(text)], strict=True)]


def words(rng: Random) -> str:
    return "".join(rng.choice(WORDS) for _ in range(rng.randint(1, 6)))


def story(rng: Random, *, refusals: bool) -> tuple[Parts, Said]:
    """Parts in their order, and their content: `("text", words)`, …, `("call", id, name, arguments)`."""
    parts: Parts = []
    said = Said()
    for number in range(rng.randint(0, 5)):
        sort = rng.choice(["text", "text", "reasoning", "call", "call", *(["refusal"] if refusals else [])])
        if sort == "call":
            args: Json = {words(rng): rng.choice([1, words(rng), [None, 2.5], {}]) for _ in range(rng.randint(0, 2))}
            # Some servers give no arguments at all.
            text = json.dumps(args, ensure_ascii=False) if args or rng.random() < 0.5 else ""
            parts.append((sort, f"call_{number}abcde", f"tool_{rng.randint(0, 2)}", text))
            said.calls.append((f"call_{number}abcde", parts[-1][2], args))
        else:
            parts.append((sort, words(rng)))
            if sort == "reasoning":
                said.reasoning += parts[-1][1]
            else:
                said.text += parts[-1][1]
    said.usage = (rng.randint(0, 999), rng.randint(0, 99))
    said.finish = "tool_calls" if said.calls else rng.choice(["stop", "length"])
    if any(sort == "refusal" for sort, *_ in parts) and not said.calls:
        said.finish = "refusal"
    return parts, said


def mixed(rng: Random, queues: list[list[Json]]) -> list[Json]:
    """Queues whose entries keep their order, mixed at random."""
    out = []
    queues = [queue for queue in queues if queue]
    while queues:
        queue = rng.choice(queues)
        out.append(queue.pop(0))
        queues = [queue for queue in queues if queue]
    return out


def openai(rng: Random, parts: Parts, said: Said) -> list[Json]:
    said.reasoning = ""
    parts = [part for part in parts if part[0] != "reasoning"]

    def chunk(delta: Json, finish: str | None = None) -> Json:
        return {"id": "c1", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}

    out = [chunk({"role": "assistant", "content": ""})]
    calls: list[list[Json]] = []
    for sort, *what in parts:
        if sort == "call":
            id, name, args = what
            begin = {"index": len(calls), "id": id, "type": "function", "function": {"name": name, "arguments": ""}}
            queue = [{"index": len(calls), "function": {"arguments": piece}} for piece in cut(rng, args)]
            calls.append([chunk({"tool_calls": [call]}) for call in [begin, *queue]])
    side_by_side = rng.random() < 0.3
    for sort, *what in parts:
        if sort == "call":
            if not side_by_side:
                out += calls.pop(0)
        else:
            out += [chunk({"content" if sort == "text" else "refusal": piece}) for piece in cut(rng, what[0])]
    out += [call.pop(0) for call in calls]
    out += mixed(rng, calls)
    if rng.random() < 0.2:
        out.insert(1, {"id": "c1", "choices": [{"index": 1, "delta": {"content": "another"}, "finish_reason": None}]})
    words = {"stop": "stop", "tool_calls": "tool_calls", "length": "length", "refusal": "stop"}
    out.append(chunk({}, words[said.finish]))
    usage = {"prompt_tokens": said.usage[0], "completion_tokens": said.usage[1]}
    out.append({"id": "c1", "model": "m", "choices": [], "usage": usage})
    return out


def anthropic(rng: Random, parts: Parts, said: Said) -> list[Json]:
    cached = rng.randint(0, said.usage[0])
    usage = {"input_tokens": said.usage[0] - cached, "cache_read_input_tokens": cached, "output_tokens": 1}
    shell = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
    out: list[Json] = [{"type": "message_start", "message": shell}]
    index = 0

    def block(start: Json, deltas: list[Json]) -> None:
        nonlocal index
        out.append({"type": "content_block_start", "index": index, "content_block": start})
        if rng.random() < 0.3:
            out.append({"type": "ping"})
        out.extend({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas)
        out.append({"type": "content_block_stop", "index": index})
        index += 1

    for sort, *what in parts:
        if sort == "call":
            deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in cut(rng, what[2])]
            block({"type": "tool_use", "id": what[0], "name": what[1], "input": {}}, deltas)
        elif sort == "reasoning":
            deltas = [{"type": "thinking_delta", "thinking": piece} for piece in cut(rng, what[0])]
            deltas.append({"type": "signature_delta", "signature": "c2ln"})
            block({"type": "thinking", "thinking": "", "signature": ""}, deltas)
        else:
            deltas = [{"type": "text_delta", "text": piece} for piece in cut(rng, what[0])]
            if rng.random() < 0.2:
                cited = {"type": "web_search_result_location", "url": "https://a.b", "title": "t", "cited_text": "c"}
                deltas.append({"type": "citations_delta", "citation": cited})
            block({"type": "text", "text": ""}, deltas)
        if rng.random() < 0.2:
            block({"type": "server_tool_use", "id": f"srv_{index}", "name": "web_search", "input": {}}, [])
            block({"type": "web_search_tool_result", "tool_use_id": f"srv_{index - 1}", "content": []}, [])
    word = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}[said.finish]
    end = {"stop_reason": word, "stop_sequence": None}
    out.append({"type": "message_delta", "delta": end, "usage": {"output_tokens": said.usage[1]}})
    return [*out, {"type": "message_stop"}]


def responses(rng: Random, parts: Parts, said: Said) -> list[Json]:
    queues: list[list[Json]] = []
    output: list[Json] = []
    for index, (sort, *what) in enumerate(parts):
        at = {"output_index": index, "item_id": f"i{index}"}
        if sort == "call":
            item = {"type": "function_call", "id": f"i{index}", "call_id": what[0], "name": what[1]}
            whole = {**item, "arguments": what[2] or "{}"}
            kind, pieces = "response.function_call_arguments", cut(rng, what[2] or "{}")
            middle: list[Json] = [{"type": f"{kind}.delta", **at, "delta": piece} for piece in pieces]
            middle.append({"type": f"{kind}.done", **at, "arguments": whole["arguments"]})
            begun = {**item, "arguments": ""}
        elif sort == "reasoning":
            begun = {"type": "reasoning", "id": f"i{index}", "summary": []}
            whole = {**begun, "summary": [{"type": "summary_text", "text": what[0]}], "encrypted_content": "eA=="}
            kind = "response.reasoning_summary_text.delta"
            middle = [{"type": kind, **at, "summary_index": 0, "delta": piece} for piece in cut(rng, what[0])]
        else:
            begun = {"type": "message", "id": f"i{index}", "role": "assistant", "content": []}
            key, name = ("text", "output_text") if sort == "text" else ("refusal", "refusal")
            part = {"type": name, key: what[0], **({"annotations": []} if sort == "text" else {})}
            whole = {**begun, "content": [part]}
            kind = f"response.{name}"
            middle = [
                {"type": f"{kind}.delta", **at, "content_index": 0, "delta": piece} for piece in cut(rng, what[0])
            ]
            middle.append({"type": f"{kind}.done", **at, "content_index": 0, key: what[0]})
        add = {"type": "response.output_item.added", "output_index": index, "item": begun}
        queues.append([add, *middle, {"type": "response.output_item.done", "output_index": index, "item": whole}])
        output.append(whole)
    response = {"id": "resp_1", "model": "m", "object": "response", "output": [], "status": "in_progress"}
    out: list[Json] = [{"type": "response.created", "response": response}]
    # Items end one after the other, but calls may grow side by side.
    if rng.random() < 0.3 and all(sort == "call" for sort, *_ in parts):
        out += [queue.pop(0) for queue in queues]
        queues = [mixed(rng, queues)]
    out += [event for queue in queues for event in queue]
    usage = {"input_tokens": said.usage[0], "output_tokens": said.usage[1]}
    cut_off = said.finish == "length"
    status = "incomplete" if cut_off else "completed"
    last = {**response, "output": output, "status": status, "usage": usage}
    if cut_off:
        last["incomplete_details"] = {"reason": "max_output_tokens"}
    return [*out, {"type": f"response.{status}", "response": last}]


def gemini(rng: Random, parts: Parts, said: Said) -> list[Json]:

    def chunk(part: Json) -> Json:
        content = {"role": "model", "parts": [part]}
        return {"candidates": [{"index": 0, "content": content}], "responseId": "r", "modelVersion": "m"}

    out = []
    for sort, *what in parts:
        if sort == "call":
            args = json.loads(what[2] or "{}")
            out.append(
                chunk({"functionCall": {"id": what[0], "name": what[1], "args": args}, "thoughtSignature": "eA=="})
            )
        else:
            flag = {"thought": True} if sort == "reasoning" else {}
            out += [chunk({"text": piece, **flag}) for piece in cut(rng, what[0]) if piece]
    thoughts = rng.randint(0, said.usage[1])
    usage = {
        "promptTokenCount": said.usage[0],
        "candidatesTokenCount": said.usage[1] - thoughts,
        "thoughtsTokenCount": thoughts,
        "totalTokenCount": sum(said.usage),
    }
    word = {"stop": "STOP", "tool_calls": "STOP", "length": "MAX_TOKENS"}[said.finish]
    return [*out, {"candidates": [{"index": 0, "finishReason": word}], "usageMetadata": usage}]


def interactions(rng: Random, parts: Parts, said: Said) -> list[Json]:
    queues: list[list[Json]] = []

    def step(start: Json, deltas: list[Json]) -> None:
        at = {"index": len(queues)}
        events: list[Json] = [{"event_type": "step.start", **at, "step": start}]
        events += [{"event_type": "step.delta", **at, "delta": delta} for delta in deltas]
        queues.append([*events, {"event_type": "step.stop", **at}])

    for sort, *what in parts:
        if sort == "call":
            deltas = [{"type": "arguments_delta", "arguments": piece} for piece in cut(rng, what[2])]
            step({"type": "function_call", "id": what[0], "name": what[1], "arguments": {}, "signature": ""}, deltas)
        elif sort == "reasoning":
            contents = [{"type": "text", "text": piece} for piece in cut(rng, what[0])]
            deltas = [{"type": "thought_summary", "content": content} for content in contents]
            step({"type": "thought"}, [*deltas, {"type": "thought_signature", "signature": "c2ln"}])
        else:
            deltas = [{"type": "text", "text": piece} for piece in cut(rng, what[0])]
            if rng.random() < 0.2:
                notes = [{"type": "url_citation", "url": "https://a.b", "start_index": 0, "end_index": 1}]
                deltas.append({"type": "text_annotation_delta", "annotations": notes})
            step({"type": "model_output"}, deltas)
        if rng.random() < 0.2:
            call, number = {"queries": ["q"]}, f"s{len(queues)}"
            step({"type": "google_search_call", "id": number}, [{"type": "google_search_call", "arguments": call}])
            step({"type": "google_search_result", "call_id": number}, [{"type": "google_search_result", "result": []}])
    shell = {"id": "v1_1", "object": "interaction", "model": "m"}
    out: list[Json] = [{"event_type": "interaction.created", "interaction": {**shell, "status": "in_progress"}}]
    out.append({"event_type": "interaction.status_update", "interaction_id": "v1_1", "status": "in_progress"})
    # Steps end one after the other, but calls may grow side by side.
    if rng.random() < 0.3 and all(sort == "call" for sort, *_ in parts):
        out += [queue.pop(0) for queue in queues]
        queues = [mixed(rng, queues)]
    out += [event for queue in queues for event in queue]
    thoughts = rng.randint(0, said.usage[1])
    usage = {
        "total_tokens": sum(said.usage),
        "total_input_tokens": said.usage[0],
        "total_output_tokens": said.usage[1] - thoughts,
        "total_thought_tokens": thoughts,
    }
    status = {"stop": "completed", "tool_calls": "requires_action", "length": "incomplete"}[said.finish]
    last = {**shell, "status": status, "usage": usage, "service_tier": "standard"}
    return [*out, {"event_type": "interaction.completed", "interaction": last}]


def bedrock(rng: Random, parts: Parts, said: Said) -> list[Json]:
    out: list[Json] = [{"messageStart": {"role": "assistant"}}]
    for index, (sort, *what) in enumerate(parts):
        at = {"contentBlockIndex": index}
        if sort == "call":
            use = {"toolUse": {"toolUseId": what[0], "name": what[1]}}
            out.append({"contentBlockStart": {**at, "start": use}})
            deltas: list[Json] = [{"toolUse": {"input": piece}} for piece in cut(rng, what[2])]
        elif sort == "reasoning":
            deltas = [{"reasoningContent": {"text": piece}} for piece in cut(rng, what[0])]
            deltas.append({"reasoningContent": {"signature": "c2ln"}})
        else:
            deltas = [{"text": piece} for piece in cut(rng, what[0])]
        out += [{"contentBlockDelta": {**at, "delta": delta}} for delta in deltas]
        out.append({"contentBlockStop": at})
    word = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}[said.finish]
    out.append({"messageStop": {"stopReason": word}})
    usage = {"inputTokens": said.usage[0], "outputTokens": said.usage[1], "totalTokens": sum(said.usage)}
    return [*out, {"metadata": {"usage": usage, "metrics": {"latencyMs": 1}}}]


def ag_ui(rng: Random, parts: Parts, said: Said) -> list[Json]:
    if said.finish == "length":
        said.finish = "stop"
    out: list[Json] = [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}]
    calls: list[list[Json]] = []
    for number, (sort, *what) in enumerate(parts):
        at = {"messageId": f"m{number}"}
        if sort == "call":
            at = {"toolCallId": what[0]}
            parent = rng.choice([{}, {"parentMessageId": f"m{number}"}])
            begin = {"toolCallName": what[1], **parent}
            queue: list[Json] = [{"type": "TOOL_CALL_START", **at, **begin}]
            # A chunk begins a call, and the next ones continue it.
            if rng.random() < 0.2:
                pieces = cut(rng, what[2])
                queue = [{"type": "TOOL_CALL_CHUNK", **at, **begin, "delta": pieces[0]}]
                out += queue + [{"type": "TOOL_CALL_CHUNK", "delta": piece} for piece in pieces[1:]]
                continue
            queue += [{"type": "TOOL_CALL_ARGS", **at, "delta": piece} for piece in cut(rng, what[2])]
            calls.append([*queue, {"type": "TOOL_CALL_END", **at}])
            if number + 1 < len(parts) and parts[number + 1][0] == "call":
                continue
            out += mixed(rng, calls) if rng.random() < 0.5 else [event for call in calls for event in call]
            calls = []
            continue
        out += [event for call in calls for event in call]
        calls = []
        thought = sort == "reasoning"
        kind = "REASONING_MESSAGE" if thought else "TEXT_MESSAGE"
        pieces = cut(rng, what[0])
        if rng.random() < 0.2:
            out.append({"type": f"{kind}_CHUNK", **at, "delta": pieces[0]})
            out += [{"type": f"{kind}_CHUNK", "delta": piece} for piece in pieces[1:]]
            continue
        out += [{"type": "REASONING_START", **at}] * thought
        out.append({"type": f"{kind}_START", **at, "role": "reasoning" if thought else "assistant"})
        out += [{"type": f"{kind}_CONTENT", **at, "delta": piece} for piece in pieces]
        out.append({"type": f"{kind}_END", **at})
        if thought and rng.random() < 0.5:
            secret = {"subtype": "message", "entityId": at["messageId"], "encryptedValue": "c2ln"}
            out.append({"type": "REASONING_ENCRYPTED_VALUE", **secret})
        out += [{"type": "REASONING_END", **at}] * thought
    out += [event for call in calls for event in call]
    if rng.random() < 0.3:
        out.insert(rng.randint(1, len(out)), {"type": "STATE_DELTA", "delta": []})
    order = [event["toolCallId"] for event in out if "toolCallName" in event]
    said.calls.sort(key=lambda call: order.index(str(call[0])))
    assert said.usage
    usage = [{"model": "m", "inputTokens": said.usage[0]}, {"outputTokens": said.usage[1]}]
    last = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "usage": usage}
    return [*out, {**last, "outcome": {"type": "success"}} if rng.random() < 0.5 else last]


def ai_sdk_ui(rng: Random, parts: Parts, said: Said) -> list[Json]:
    queues: list[list[Json]] = []
    order: list[str] = []
    for number, (sort, *what) in enumerate(parts):
        if sort != "call":
            # The SDK counts the texts of each step from 0, so an id may come again.
            at = {"id": rng.choice([str(number), "0"])}
            queue: list[Json] = [{"type": f"{sort}-start", **at}]
            queue += [{"type": f"{sort}-delta", **at, "delta": piece} for piece in cut(rng, what[0])]
            proof = {"providerMetadata": {"anthropic": {"signature": "c2ln"}}}
            queue.append({"type": f"{sort}-end", **at, **(proof if sort == "reasoning" and rng.random() < 0.5 else {})})
            queues.append(queue)
            continue
        id, name, args = what
        at = {"toolCallId": id}
        kind = rng.choice([{}, {"dynamic": True}])
        named = {**at, "toolName": name, **kind}
        queue = []
        # Some tools get no pieces.
        if rng.random() < 0.7:
            queue = [{"type": "tool-input-start", **named}]
            queue += [{"type": "tool-input-delta", **at, "inputTextDelta": piece} for piece in cut(rng, args)]
        queue.append({"type": "tool-input-available", **named, "input": json.loads(args or "{}")})
        queues.append(queue)
        order.append(id)
    out: list[Json] = []
    while queues:
        # Calls side by side, where there are several in a row.
        calls = 0
        while calls < len(queues) and "toolCallId" in queues[calls][0] and rng.random() < 0.7:
            calls += 1
        take = max(calls, 1)
        out += mixed(rng, queues[:take])
        queues = queues[take:]
        if queues and rng.random() < 0.3:
            out += [{"type": "finish-step"}, {"type": "start-step"}]
    begun = [chunk["toolCallId"] for chunk in out if "toolName" in chunk]
    said.calls.sort(key=lambda call: begun.index(str(call[0])))
    assert said.usage
    usage = {"inputTokens": said.usage[0], "outputTokens": said.usage[1], "totalTokens": sum(said.usage)}
    word = {"tool_calls": "tool-calls"}.get(str(said.finish), said.finish)
    last = [{"type": "finish", "finishReason": word, "messageMetadata": {"usage": usage}}]
    if rng.random() < 0.3:
        last.insert(0, {"type": "message-metadata", "messageMetadata": last[0].pop("messageMetadata")})
    start = {"type": "start", **rng.choice([{}, {"messageId": "m7"}]), "messageMetadata": {"model": "m"}}
    return [start, {"type": "start-step"}, *out, {"type": "finish-step"}, *last]


SPELL: dict[str, Callable[[Random, Parts, Said], list[Json]]] = {
    "ag-ui": ag_ui,
    "ai-sdk-ui": ai_sdk_ui,
    "openai": openai,
    "openai-responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "gemini-interactions": interactions,
    "bedrock": bedrock,
}
REFUSING = ("openai", "openai-responses")


def drawn(wire: str, rng: Random) -> tuple[list[Json], Said]:
    """A stream of the wire, and its content."""
    parts, said = story(rng, refusals=wire in REFUSING and rng.random() < 0.2)
    return SPELL[wire](rng, parts, said), said


MAKERS = {wire: functools.partial(drawn, wire) for wire in SPELL}
ERRORS: dict[str, Json] = {
    "openai": {"error": {"message": "Overloaded", "type": "server_error", "code": None}},
    "openai-responses": {"type": "error", "code": "server_error", "message": "Overloaded", "param": None},
    "anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}},
    "gemini": {"error": {"code": 503, "message": "Overloaded", "status": "UNAVAILABLE"}},
    "gemini-interactions": {
        "event_type": "error",
        "error": {"code": "service_unavailable", "message": "Overloaded"},
    },
    "bedrock": {"throttlingException": {"message": "Overloaded"}},
    "ag-ui": {"type": "RUN_ERROR", "message": "Overloaded", "code": "overloaded"},
    "ai-sdk-ui": {"type": "error", "errorText": "Overloaded"},
}


# How a body ends after its last event.
MARKS = {
    "openai": ["data: [DONE]\n\n"],
    "ai-sdk-ui": ["data: [DONE]\n\n"],
    "gemini-interactions": ["event: done\ndata: [DONE]\n\n"],
}


def as_bytes(wire: str, chunks: list[Json], rng: Random | None = None, *, mark: bool = True) -> bytes:
    """The body of a response; with comments and blank lines between the events, where there is a generator."""
    if wire == "bedrock":
        return b"".join(frame(*next(iter(chunk.items()))) for chunk in chunks)
    noise = ["", ": ping\n\n", "event: x\n", "\n", "id: 7\n"] if rng else [""]
    events = ((rng or Random()).choice(noise) + f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    return "".join([*events, *(MARKS.get(wire, []) if mark else [])]).encode()


def frame(name: str, payload: Json) -> bytes:
    """A frame of AWS's binary event stream."""
    sort = "exception" if name.endswith("Exception") else "event"
    head = b""
    for key, value in ((f":{sort}-type", name), (":content-type", "application/json"), (":message-type", sort)):
        head += struct.pack("!B", len(key)) + key.encode() + b"\x07" + struct.pack("!H", len(value)) + value.encode()
    data = json.dumps(payload, default=lambda blob: base64.b64encode(blob).decode()).encode()
    lengths = struct.pack("!II", 16 + len(head) + len(data), len(head))
    said = lengths + struct.pack("!I", binascii.crc32(lengths)) + head + data
    return said + struct.pack("!I", binascii.crc32(said))
