"""Providers that play themselves: a server on this machine that streams what a script says, as each of them would."""

from __future__ import annotations

import binascii
import json
import struct
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Self

Json = dict[str, Any]


class Step(NamedTuple):
    """What the model answers to one request: text, then calls by id, name and arguments."""

    text: str = ""
    calls: Sequence[tuple[str, str, Json]] = ()


class Provider(ThreadingHTTPServer):
    """Keeps every body it gets, and answers with the next step of its script, in the format of the path."""

    daemon_threads = True
    # Many clients may connect at once.
    request_queue_size = 128

    def __init__(self, script: Sequence[Step]) -> None:
        """A server that is not yet running: use it in a `with` block."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = list(script)
        self.bodies: list[Json] = []
        self.thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_address[1]}"

    def __enter__(self) -> Self:
        """Run."""
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop."""
        self.shutdown()
        self.thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.bodies.append(json.loads(body))
        kind, write = next(answer for part, answer in ANSWERS.items() if part in self.path)
        data = write(self.server.script.pop(0))
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        # In pieces that end anywhere, as a network has them.
        for at in range(0, len(data), 97):
            self.wfile.write(data[at : at + 97])
            self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        pass


def halves(text: str) -> tuple[str, str]:
    """A text in two pieces."""
    return text[: len(text) // 2], text[len(text) // 2 :]


def sse(events: Sequence[Json], *, named: bool = False, done: bool = False) -> bytes:
    """Server-sent events."""
    out = ""
    for event in events:
        out += (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n"
    return (out + ("data: [DONE]\n\n" if done else "")).encode()


def openai(step: Step) -> bytes:
    """Chat Completions: pieces of text, then of calls by their index, then the reason and the counts."""

    def chunk(delta: Json, reason: str | None = None) -> Json:
        choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
        return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}

    chunks = [chunk({"role": "assistant", "content": None})]
    chunks += [chunk({"content": piece}) for piece in halves(step.text) if piece]
    for index, (ident, name, args) in enumerate(step.calls):
        head = {"index": index, "id": ident, "type": "function", "function": {"name": name, "arguments": ""}}
        chunks.append(chunk({"tool_calls": [head]}))
        for piece in halves(json.dumps(args)):
            chunks.append(chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}))
    chunks.append(chunk({}, "tool_calls" if step.calls else "stop"))
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    return sse([*chunks, {**chunk({}), "choices": [], "usage": usage}], done=True)


def message_id(step: Step) -> str:
    """An id as providers give one to each message."""
    return f"msg_{_number(step)}"


def _number(step: Step) -> str:
    return f"{binascii.crc32(json.dumps(step).encode()):08x}"


def openai_responses(step: Step) -> bytes:
    """Responses: items, each with a beginning, pieces and an end, and the whole response at last."""
    output: list[Json] = []
    events: list[Json] = []

    def stream(begun: Json, done: Json, kind: str, key: str, whole: str, **part: int) -> None:
        index = len(output)
        place = {"output_index": index, "item_id": done["id"], **part}
        events.append({"type": "response.output_item.added", "output_index": index, "item": begun})
        if part:
            events.append({"type": "response.content_part.added", **place, "part": {**done["content"][0], "text": ""}})
        extra: Json = {"logprobs": []} if part else {}
        events.extend({"type": f"{kind}.delta", **place, "delta": piece, **extra} for piece in halves(whole))
        events.append({"type": f"{kind}.done", **place, key: whole, **extra})
        events.append({"type": "response.output_item.done", "output_index": index, "item": done})
        output.append(done)

    if step.text:
        text = {"type": "output_text", "text": step.text, "annotations": []}
        done: Json = {"id": message_id(step), "type": "message", "role": "assistant"}
        done |= {"status": "completed", "content": [text]}
        begun = {**done, "status": "in_progress", "content": []}
        stream(begun, done, "response.output_text", "text", step.text, content_index=0)
    for ident, name, args in step.calls:
        done = {"id": f"fc_{ident}", "type": "function_call", "call_id": ident, "name": name, "status": "completed"}
        done["arguments"] = json.dumps(args)
        begun = {**done, "status": "in_progress", "arguments": ""}
        stream(begun, done, "response.function_call_arguments", "arguments", done["arguments"])
    response: Json = {
        "id": f"resp_{_number(step)}",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "in_progress",
    }
    response |= {"output": [], "parallel_tool_calls": True, "tool_choice": "auto", "tools": []}
    counts: Json = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
    counts |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    ended = {**response, "status": "completed", "output": output, "usage": counts}
    events.insert(0, {"type": "response.created", "response": response})
    events.append({"type": "response.completed", "response": ended})
    return sse([{**event, "sequence_number": number} for number, event in enumerate(events)], named=True)


def anthropic(step: Step) -> bytes:
    """Messages: blocks, each with a start, pieces and a stop."""
    start: Json = {"id": message_id(step), "type": "message", "role": "assistant", "model": "m", "content": []}
    start |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    events: list[Json] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    blocks: list[tuple[Json, str, str, str]] = []
    if step.text:
        blocks.append(({"type": "text", "text": ""}, "text_delta", "text", step.text))
    for ident, name, args in step.calls:
        block = {"type": "tool_use", "id": ident, "name": name, "input": {}}
        blocks.append((block, "input_json_delta", "partial_json", json.dumps(args)))
    for index, (block, kind, key, whole) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        deltas = [{"type": kind, key: piece} for piece in halves(whole)]
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    reason = {"stop_reason": "tool_use" if step.calls else "end_turn", "stop_sequence": None}
    events.append({"type": "message_delta", "delta": reason, "usage": {"output_tokens": 9}})
    return sse([*events, {"type": "message_stop"}], named=True)


def gemini(step: Step) -> bytes:
    """GenerateContent: a reply with more parts in each chunk, calls whole."""
    parts: list[Json] = [{"text": piece} for piece in halves(step.text)]
    parts += [{"functionCall": {"id": ident, "name": name, "args": args}} for ident, name, args in step.calls]
    chunks: list[Json] = [{"candidates": [{"content": {"role": "model", "parts": [part]}}]} for part in parts]
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    chunks[-1]["usageMetadata"] = {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3}
    return sse(chunks)


def gemini_interactions(step: Step) -> bytes:
    """Interactions: steps, each with a start, pieces and a stop; the last event has no steps."""
    interaction: Json = {"id": "", "object": "interaction", "model": "m", "status": "in_progress"}
    events: list[Json] = [{"event_type": "interaction.created", "interaction": interaction}]
    steps: list[tuple[Json, list[Json]]] = []
    if step.text:
        steps.append(({"type": "model_output"}, [{"type": "text", "text": piece} for piece in halves(step.text)]))
    for ident, name, args in step.calls:
        call = {"type": "function_call", "id": ident, "name": name, "arguments": {}}
        steps.append((call, [{"type": "arguments_delta", "arguments": piece} for piece in halves(json.dumps(args))]))
    for index, (begun, deltas) in enumerate(steps):
        events.append({"event_type": "step.start", "index": index, "step": begun})
        events += [{"event_type": "step.delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"event_type": "step.stop", "index": index})
    counts = {"total_input_tokens": 1, "total_output_tokens": 2, "total_tokens": 3}
    ended = {**interaction, "status": "requires_action" if step.calls else "completed", "usage": counts}
    return sse([*events, {"event_type": "interaction.completed", "interaction": ended}])


def bedrock(step: Step) -> bytes:
    """ConverseStream: blocks, of which only calls say that they begin, in frames of an AWS event stream."""
    frames = [frame("messageStart", {"role": "assistant"})]
    if step.text:
        frames += [frame("contentBlockDelta", {"delta": {"text": piece}}, 0) for piece in halves(step.text)]
        frames.append(frame("contentBlockStop", {}, 0))
    for index, (ident, name, args) in enumerate(step.calls, start=1):
        frames.append(frame("contentBlockStart", {"start": {"toolUse": {"toolUseId": ident, "name": name}}}, index))
        for piece in halves(json.dumps(args)):
            frames.append(frame("contentBlockDelta", {"delta": {"toolUse": {"input": piece}}}, index))
        frames.append(frame("contentBlockStop", {}, index))
    frames.append(frame("messageStop", {"stopReason": "tool_use" if step.calls else "end_turn"}))
    usage = {"inputTokens": 1, "outputTokens": 2, "totalTokens": 3}
    return b"".join([*frames, frame("metadata", {"usage": usage, "metrics": {"latencyMs": 1}})])


def frame(event: str, payload: Json, index: int | None = None) -> bytes:
    """One frame: both lengths, a checksum, the headers, the payload, a checksum."""
    if index is not None:
        payload = {**payload, "contentBlockIndex": index}
    head = b""
    for name, value in (":event-type", event), (":content-type", "application/json"), (":message-type", "event"):
        head += struct.pack("!B", len(name)) + name.encode() + b"\x07" + struct.pack("!H", len(value)) + value.encode()
    data = json.dumps(payload).encode()
    lengths = struct.pack("!II", 16 + len(head) + len(data), len(head))
    body = lengths + struct.pack("!I", binascii.crc32(lengths)) + head + data
    return body + struct.pack("!I", binascii.crc32(body))


def ollama(step: Step) -> bytes:
    """Lines of JSON: pieces of text, then each call whole and without an id, then why it ended and what it cost."""
    messages: list[Json] = [{"role": "assistant", "content": piece} for piece in halves(step.text)]
    for index, (_, name, args) in enumerate(step.calls):
        call = {"function": {"index": index, "name": name, "arguments": args}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
    lines: list[Json] = [{"model": "m", "created_at": "2026-01-01T00:00:00Z", "done": False} for _ in messages]
    lines = [{**line, "message": message} for line, message in zip(lines, messages, strict=True)]
    end: Json = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "message": {"role": "assistant", "content": ""}}
    end |= {"done": True, "done_reason": "stop", "prompt_eval_count": 1, "eval_count": 2}
    return "".join(f"{json.dumps(line)}\n" for line in [*lines, end]).encode()


def mistral(step: Step) -> bytes:
    """Chunks like those of Chat Completions, with the calls whole in the last."""

    def chunk(delta: Json, reason: str | None = None) -> Json:
        choices = [{"index": 0, "delta": delta, "finish_reason": reason}]
        return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices}

    calls = [
        {"id": ident, "index": index, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for index, (ident, name, args) in enumerate(step.calls)
    ]
    chunks = [chunk({"role": "assistant", "content": ""}), *(chunk({"content": piece}) for piece in halves(step.text))]
    last = chunk({"content": "", "tool_calls": calls}, "tool_calls") if calls else chunk({"content": ""}, "stop")
    usage = {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    return sse([*chunks, {**last, "usage": usage}], done=True)


def cohere(step: Step) -> bytes:
    """Events of several types: text is a plan where calls follow it, and content where none do."""

    def event(kind: str, index: int | None = None, **message: Any) -> Json:
        place = {} if index is None else {"index": index}
        return {"type": kind, **place, "delta": {"message": message}}

    events = [event("message-start", role="assistant", content=[], tool_plan="", tool_calls=[], citations=[])]
    if step.calls:
        events += [event("tool-plan-delta", tool_plan=piece) for piece in halves(step.text)]
    else:
        events.append(event("content-start", 0, content={"type": "text", "text": ""}))
        events += [event("content-delta", 0, content={"text": piece}) for piece in halves(step.text)]
        events.append({"type": "content-end", "index": 0})
    for index, (ident, name, args) in enumerate(step.calls):
        call = {"id": ident, "type": "function", "function": {"name": name, "arguments": ""}}
        events.append(event("tool-call-start", index, tool_calls=call))
        for piece in halves(json.dumps(args)):
            events.append(event("tool-call-delta", index, tool_calls={"function": {"arguments": piece}}))
        events.append({"type": "tool-call-end", "index": index})
    counts = {"input_tokens": 1, "output_tokens": 2}
    end = {"finish_reason": "TOOL_CALL" if step.calls else "COMPLETE", "usage": {"tokens": counts}}
    return sse([*events, {"type": "message-end", "delta": end}], named=True)


#: By what a path holds: the type of the answer, and who writes it.
ANSWERS: dict[str, tuple[str, Callable[[Step], bytes]]] = {
    "/mistral/v1/chat/completions": ("text/event-stream", mistral),
    "/chat/completions": ("text/event-stream", openai),
    "/responses": ("text/event-stream", openai_responses),
    "/messages": ("text/event-stream", anthropic),
    "/models/m:streamGenerateContent": ("text/event-stream", gemini),
    "/interactions": ("text/event-stream", gemini_interactions),
    "/converse-stream": ("application/vnd.amazon.eventstream", bedrock),
    "/api/chat": ("application/x-ndjson", ollama),
    "/v2/chat": ("text/event-stream", cohere),
}
