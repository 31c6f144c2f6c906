"""Putting a streamed reply of 10,000 chunks together: as the SDKs' objects, as dicts, as bytes.

The SDKs' own accumulators are the rivals for objects: `openai`'s stream helper and `anthropic`'s `MessageStream`,
without their HTTP. For dicts and bytes it is hand-written Python with orjson, which keeps no unknown key, checks
nothing and knows none of the shapes that servers send: a lower bound for Python, not a product.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import anthropic.types
import orjson
import side_by_side
import turnwire as tw
from anthropic import _models
from anthropic.lib.streaming import _messages
from openai.lib.streaming.chat._completions import ChatCompletionStreamState
from openai.types.chat import ChatCompletionChunk

Json = dict[str, Any]


class Rival(NamedTuple):
    """What an SDK offers, and what one writes without."""

    name: str
    made: Callable[[Json], object]
    helper: Callable[[Any], object]
    by_hand: Callable[[Iterable[Json]], object]


WORDS = ["The ", "weather ", "in ", "東京 ", "is ", "rainy, ", "3 °C", ".\n"]


def openai_chunks(count: int) -> list[Json]:
    """Half of them text, half the arguments of a call."""

    def chunk(delta: Json, reason: str | None = None) -> Json:
        choices = [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}]
        head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        return {**head, "service_tier": "default", "choices": choices}

    made = [chunk({"role": "assistant", "content": ""})]
    made += [chunk({"content": WORDS[at % len(WORDS)]}) for at in range(count // 2)]
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "write", "arguments": '{"text":"'}}
    made.append(chunk({"tool_calls": [call]}))
    pieces = [json.dumps(WORDS[at % len(WORDS)], ensure_ascii=False)[1:-1] for at in range(count // 2)]
    made += [chunk({"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}) for piece in [*pieces, '"}']]
    return [*made, chunk({}, "tool_calls")]


def anthropic_events(count: int) -> list[Json]:
    """Half of them text, half the input of a call."""

    def deltas(index: int, kind: str, key: str, pieces: Iterable[str]) -> list[Json]:
        found = [{"type": kind, key: piece} for piece in pieces]
        return [{"type": "content_block_delta", "index": index, "delta": delta} for delta in found]

    head: Json = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    head |= {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
    words = [WORDS[at % len(WORDS)] for at in range(count // 2)]
    made: list[Json] = [{"type": "message_start", "message": head}]
    made.append({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
    made += [*deltas(0, "text_delta", "text", words), {"type": "content_block_stop", "index": 0}]
    block = {"type": "tool_use", "id": "toolu_1", "name": "write", "input": {}}
    made.append({"type": "content_block_start", "index": 1, "content_block": block})
    pieces = ['{"text":"', *(json.dumps(word, ensure_ascii=False)[1:-1] for word in words), '"}']
    made += [*deltas(1, "input_json_delta", "partial_json", pieces), {"type": "content_block_stop", "index": 1}]
    reason = {"stop_reason": "tool_use", "stop_sequence": None}
    return [*made, {"type": "message_delta", "delta": reason, "usage": {"output_tokens": 9}}, {"type": "message_stop"}]


def ours(dialect: Any, chunks: Iterable[object]) -> tw.Reply:
    """Through `feed`."""
    stream = tw.StreamAssembler(dialect)
    for chunk in chunks:
        stream.feed(chunk)
    return stream.finish()


def ours_by_bytes(dialect: Any, body: bytes) -> tw.Reply:
    """Through `feed_bytes`, in pieces as a network has them."""
    stream = tw.StreamAssembler(dialect)
    for at in range(0, len(body), 4096):
        stream.feed_bytes(body[at : at + 4096])
    return stream.finish()


def openai_helper(chunks: Iterable[ChatCompletionChunk]) -> object:
    """`client.chat.completions.stream`."""
    state = ChatCompletionStreamState()
    for chunk in chunks:
        for _ in state.handle_chunk(chunk):
            pass
    return state.get_final_completion()


def anthropic_helper(events: Iterable[Any]) -> object:
    """`client.messages.stream`."""
    snapshot, buffers = None, {}
    for event in events:
        snapshot = _messages.accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)
        _messages.build_events(event=event, message_snapshot=snapshot)
    return snapshot


def openai_by_hand(chunks: Iterable[Json]) -> Json:
    """Texts behind each other, calls by their index."""
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


def lines(body: bytes) -> Iterable[Json]:
    """The events of server-sent bytes, as orjson reads them."""
    for line in body.split(b"\n"):
        if line.startswith(b"data: ") and line != b"data: [DONE]":
            yield orjson.loads(line[6:])


def bench(table: side_by_side.Table, rounds: int, dialect: Any, chunks: list[Json], rival: Rival) -> None:
    """The three rows of one dialect."""
    objects = [rival.made(chunk) for chunk in chunks]
    body = b"".join(b"data: " + orjson.dumps(chunk) + b"\n\n" for chunk in chunks)
    times = side_by_side.medians(
        {
            "objects": lambda: ours(dialect, objects),
            "helper": lambda: rival.helper(objects),
            "dicts": lambda: ours(dialect, chunks),
            "dicts by hand": lambda: rival.by_hand(chunks),
            "bytes": lambda: ours_by_bytes(dialect, body),
            "bytes by hand": lambda: rival.by_hand(lines(body)),
        },
        rounds=rounds,
    )
    table.row(f"{dialect}, the SDK's objects", times["objects"], rival.name, times["helper"])
    table.row(f"{dialect}, dicts", times["dicts"], "hand-written", times["dicts by hand"])
    table.row(f"{dialect}, bytes", times["bytes"], "hand-written, orjson", times["bytes by hand"])


def main() -> None:
    """Print the table."""
    options = side_by_side.options("Putting streamed replies together")
    rounds, count = (3, 2_000) if options.quick else (15, 10_000)
    table = side_by_side.Table(f"A stream of {count:,} chunks")
    chat = Rival("openai's stream helper", ChatCompletionChunk.model_validate, openai_helper, openai_by_hand)
    bench(table, rounds, "openai", openai_chunks(count), chat)
    events: Any = anthropic.types.RawMessageStreamEvent
    made = functools.partial(_construct, events)
    messages = Rival("anthropic's MessageStream", made, anthropic_helper, anthropic_by_hand)
    bench(table, rounds, "anthropic", anthropic_events(count), messages)
    table.print()


def _construct(kind: Any, value: Json) -> object:
    return _models.construct_type(type_=kind, value=value)


if __name__ == "__main__":
    main()
