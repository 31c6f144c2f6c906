"""Streams of every source with faults: bytes that end early, and events that are damaged, doubled or errors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

import chat_streams
import stream_makers as makers
from stream_readers import Said

Json = Any
MAKERS = makers.MAKERS | chat_streams.MAKERS
ERRORS = makers.ERRORS | chat_streams.ERRORS
SOURCES = list(MAKERS)
MARK = b"data: [DONE]\n\n"


@dataclass
class Stream:
    """A body in its events, and what it says."""

    source: str
    events: list[bytes]
    said: Said
    #: The event that says why the reply ended.
    last: int
    #: What follows the last event.
    mark: bytes = b""

    @property
    def body(self) -> bytes:
        return b"".join(self.events) + self.mark

    @property
    def end(self) -> int:
        """How many bytes the reply has, up to the end of what says why it ended."""
        upto = b"".join(self.events[: self.last + 1])
        return len(upto if self.source == "bedrock" else upto.rstrip())


def as_event(source: str, chunk: Json) -> bytes:
    if source in chat_streams.MAKERS:
        return chat_streams.as_event(source, chunk)
    return makers.as_bytes(source, [chunk], mark=False)


def ends(source: str, chunk: Json) -> bool:
    """Whether a chunk says why the reply ended."""
    match source:
        case "openai" | "mistral":
            return any(choice["index"] == 0 and choice["finish_reason"] for choice in chunk["choices"])
        case "openai-responses":
            return chunk["type"] in ("response.completed", "response.incomplete")
        case "anthropic":
            return chunk["type"] == "message_delta"
        case "gemini":
            return "finishReason" in chunk["candidates"][0]
        case "gemini-interactions":
            return chunk["event_type"] == "interaction.completed"
        case "bedrock":
            return "messageStop" in chunk
        case "cohere":
            return chunk["type"] == "message-end"
        case "ollama":
            return chunk["done"]
        case "ag-ui":
            return chunk["type"] == "RUN_FINISHED"
        case _:
            return chunk["type"] == "finish"


def stream(source: str, seed: int) -> Stream:
    """A stream of the source."""
    chunks, said = MAKERS[source](Random(seed))
    last = next(at for at, chunk in enumerate(chunks) if ends(source, chunk))
    mark = MARK if source in ("openai", "mistral") or source in makers.MARKS else b""
    return Stream(source, [as_event(source, chunk) for chunk in chunks], said, last, mark)


def halved(event: bytes, source: str) -> bytes:
    """The beginning of an event, to which the next one sticks."""
    return event[: len(event) * 2 // 3]


def scrambled(event: bytes, source: str) -> bytes:
    """An event whose data is no JSON."""
    if source == "bedrock":
        return event[:-1] + bytes([event[-1] ^ 0xFF])
    return b"data: {damaged\n\n" if source != "ollama" else b"{damaged\n"


def unclosed(event: bytes, source: str) -> bytes:
    """An event whose data lacks its end."""
    if source == "bedrock":
        at = len(event) // 2
        return event[:at] + bytes([event[at] ^ 1]) + event[at + 1 :]
    return event.rstrip()[:-1] + event[len(event.rstrip()) :]


def of_wrong_type(event: bytes, source: str) -> bytes:
    """An event whose data is another JSON value."""
    return makers.frame("contentBlockDelta", [7]) if source == "bedrock" else as_event(source, [7])


DAMAGES: dict[str, Callable[[bytes, str], bytes]] = {
    "halved": halved,
    "scrambled": scrambled,
    "unclosed": unclosed,
    "of wrong type": of_wrong_type,
}


def damaged(one: Stream, at: int, how: str) -> Stream:
    """The stream with a damaged event."""
    event = DAMAGES[how](one.events[at], one.source)
    return Stream(one.source, [*one.events[:at], event, *one.events[at + 1 :]], one.said, one.last, one.mark)


def doubled(one: Stream, at: int) -> Stream:
    """The stream with an event twice."""
    last = one.last + (at < one.last)
    return Stream(one.source, [*one.events[: at + 1], *one.events[at:]], one.said, last, one.mark)


def with_error(one: Stream, at: int) -> Stream:
    """The stream with an error of its server before an event, after which it goes on."""
    event = as_event(one.source, ERRORS[one.source])
    return Stream(one.source, [*one.events[:at], event, *one.events[at:]], one.said, one.last + 1, one.mark)
