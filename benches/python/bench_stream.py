"""Putting a streamed reply of 10,000 chunks together: as the SDKs' objects, as dicts, as bytes.

The rivals for objects are the SDKs' own accumulators, without their HTTP: the stream helpers of `openai` for both of
its APIs, and `anthropic`'s `MessageStream`. `google-genai` and `boto3` have none. The rival for dicts and bytes is
hand-written Python (`streams.py`), with orjson for bytes: a lower bound for Python, not a product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import orjson
import side_by_side
import streams
import turnwire as tw
from anthropic import _models
from anthropic.lib.streaming import _messages
from anthropic.types import RawMessageStreamEvent
from openai import omit
from openai._models import construct_type
from openai.lib.streaming.chat._completions import ChatCompletionStreamState
from openai.lib.streaming.responses._responses import ResponseStreamState
from openai.types.chat import ChatCompletionChunk
from openai.types.responses import ResponseStreamEvent

Json = dict[str, Any]


class Case(NamedTuple):
    """One dialect: its chunks, its hand-written reader, and the SDK's helper with what it takes."""

    dialect: Any
    chunks: Callable[[int], list[Json]]
    by_hand: Callable[[Iterable[Json]], object]
    helper: tuple[str, Callable[[Any], object], Callable[[Json], object]] | None = None
    bytes: bool = True


def ours(dialect: Any, chunks: Iterable[object]) -> tw.Reply:
    """Through `feed`."""
    stream = tw.StreamAssembler(dialect)
    for chunk in chunks:
        stream.feed(chunk)
    return stream.finish()


def ours_by_bytes(dialect: Any, body: bytes) -> tw.Reply:
    """Through `feed_bytes`, in pieces as they come from a network."""
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


def responses_helper(events: Iterable[Any]) -> object:
    """`client.responses.stream`."""
    state: Any = ResponseStreamState(input_tools=omit, text_format=omit)
    for event in events:
        state.handle_event(event)
    return state


def anthropic_helper(events: Iterable[Any]) -> object:
    """`client.messages.stream`."""
    snapshot, buffers = None, {}
    for event in events:
        snapshot = _messages.accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)
        _messages.build_events(event=event, message_snapshot=snapshot)
    return snapshot


def lines(body: bytes) -> Iterable[Json]:
    """The events of server-sent bytes, as orjson reads them."""
    for line in body.split(b"\n"):
        if line.startswith(b"data: ") and line != b"data: [DONE]":
            yield orjson.loads(line[6:])


def _event(kind: Any, construct: Any) -> Callable[[Json], object]:
    return lambda value: construct(type_=kind, value=value)


CASES = [
    Case(
        "openai",
        streams.openai,
        streams.openai_by_hand,
        ("openai's stream helper", openai_helper, ChatCompletionChunk.model_validate),
    ),
    Case(
        "openai-responses",
        streams.openai_responses,
        streams.openai_responses_by_hand,
        ("openai's stream helper", responses_helper, _event(ResponseStreamEvent, construct_type)),
    ),
    Case(
        "anthropic",
        streams.anthropic,
        streams.anthropic_by_hand,
        ("anthropic's MessageStream", anthropic_helper, _event(RawMessageStreamEvent, _models.construct_type)),
    ),
    Case("gemini", streams.gemini, streams.gemini_by_hand),
    Case("bedrock", streams.bedrock, streams.bedrock_by_hand, bytes=False),
]


def bench(table: side_by_side.Table, rounds: int, count: int, case: Case) -> None:
    """The rows of one dialect."""
    dialect, chunks = case.dialect, case.chunks(count)
    body = b"".join(b"data: " + orjson.dumps(chunk) + b"\n\n" for chunk in chunks)
    work: dict[str, Callable[[], object]] = {
        "dicts": lambda: ours(dialect, chunks),
        "dicts by hand": lambda: case.by_hand(chunks),
    }
    if helper := case.helper:
        objects = [helper[2](chunk) for chunk in chunks]
        work["objects"] = lambda: ours(dialect, objects)
        work["helper"] = lambda: helper[1](objects)
    if case.bytes:
        work["bytes"] = lambda: ours_by_bytes(dialect, body)
        work["bytes by hand"] = lambda: case.by_hand(lines(body))
    times = side_by_side.medians(work, rounds=rounds)
    if case.helper:
        table.row(f"{dialect}, the SDK's objects", times["objects"], case.helper[0], times["helper"])
    table.row(f"{dialect}, dicts", times["dicts"], "hand-written", times["dicts by hand"])
    if case.bytes:
        table.row(f"{dialect}, bytes", times["bytes"], "hand-written, orjson", times["bytes by hand"])


def growth(table: side_by_side.Table, rounds: int, count: int) -> None:
    """A hundred times as many chunks of one character: the time of each must not grow."""

    def chunks(many: int) -> list[Json]:
        return [{"choices": [{"index": 0, "delta": {"content": "x"}}]}] * many

    few, many = chunks(count), chunks(100 * count)
    once = side_by_side.medians({"few": lambda: ours("openai", few)}, rounds=rounds)["few"]
    all = side_by_side.medians({"many": lambda: ours("openai", many)}, rounds=1)["many"]
    table.row(f"openai, {100 * count:,} chunks of one character", all, f"100 × {count:,}", 100 * once)


def main() -> None:
    """Print the table."""
    options = side_by_side.options("Putting streamed replies together")
    rounds, count = (3, 2_000) if options.quick else (15, 10_000)
    table = side_by_side.Table(f"A stream of {count:,} chunks")
    for case in CASES:
        bench(table, rounds, count, case)
    growth(table, rounds, count)
    table.print()


if __name__ == "__main__":
    main()
