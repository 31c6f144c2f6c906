"""Random streams of the chat formats that send calls whole, or each kind of content in events of its own."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from random import Random
from typing import Any

from stream_makers import Parts, cut, story
from stream_readers import Said

Json = Any
WORDS = {
    "mistral": {"stop": "stop", "tool_calls": "tool_calls", "length": "length"},
    "cohere": {"stop": "COMPLETE", "tool_calls": "TOOL_CALL", "length": "MAX_TOKENS"},
    "ollama": {"stop": "stop", "tool_calls": "stop", "length": "length"},
}


def mistral(rng: Random, parts: Parts, said: Said) -> list[Json]:
    """Thoughts are chunks of content. All calls come whole, at the end."""

    def chunk(delta: Json, finish: str | None = None) -> Json:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}

    out, calls = [chunk({"role": "assistant", "content": ""})], []
    for sort, *what in parts:
        if sort == "call":
            function = {"name": what[1], "arguments": what[2] or "{}"}
            calls.append({"id": what[0][-9:], "index": len(calls), "type": "function", "function": function})
        elif sort == "reasoning":
            thoughts = [[{"type": "text", "text": piece}] for piece in cut(rng, what[0])]
            out += [chunk({"content": [{"type": "thinking", "thinking": thought}]}) for thought in thoughts]
        else:
            out += [chunk({"content": piece}) for piece in cut(rng, what[0])]
    end = chunk({"content": "", "tool_calls": calls} if calls else {"content": ""}, WORDS["mistral"][str(said.finish)])
    assert said.usage
    usage = {"prompt_tokens": said.usage[0], "completion_tokens": said.usage[1], "total_tokens": sum(said.usage)}
    return [*out, {**end, "usage": usage}]


def cohere(rng: Random, parts: Parts, said: Said) -> list[Json]:
    """Contents by their index, and calls by theirs."""

    def event(kind: str, index: int | None = None, **message: Any) -> Json:
        return {"type": kind, **({} if index is None else {"index": index}), "delta": {"message": message}}

    out: list[Json] = [{**event("message-start", role="assistant", content=[], tool_calls=[]), "id": "x"}]
    contents = calls = 0
    for sort, *what in parts:
        if sort == "call":
            call = {"id": what[0], "type": "function", "function": {"name": what[1], "arguments": ""}}
            out.append(event("tool-call-start", calls, tool_calls=call))
            pieces = [{"function": {"arguments": piece}} for piece in cut(rng, what[2] or "{}")]
            out += [event("tool-call-delta", calls, tool_calls=piece) for piece in pieces]
            out.append({"type": "tool-call-end", "index": calls})
            calls += 1
            continue
        key = "thinking" if sort == "reasoning" else "text"
        out.append(event("content-start", contents, content={"type": key, key: ""}))
        out += [event("content-delta", contents, content={key: piece}) for piece in cut(rng, what[0])]
        out.append({"type": "content-end", "index": contents})
        contents += 1
    assert said.usage
    tokens = {"input_tokens": said.usage[0], "output_tokens": said.usage[1]}
    end = {"finish_reason": WORDS["cohere"][str(said.finish)], "usage": {"tokens": tokens}}
    return [*out, {"type": "message-end", "delta": end}]


def ollama(rng: Random, parts: Parts, said: Said) -> list[Json]:
    """Lines, each with a piece or with a whole call."""
    messages: list[Json] = []
    for sort, *what in parts:
        if sort == "call":
            call = {"id": what[0], "function": {"name": what[1], "arguments": json.loads(what[2] or "{}")}}
            messages.append({"content": "", "tool_calls": [call]})
        elif sort == "reasoning":
            messages += [{"content": "", "thinking": piece} for piece in cut(rng, what[0])]
        else:
            messages += [{"content": piece} for piece in cut(rng, what[0])]
    line: Json = {"model": "m", "created_at": "2026-01-01T00:00:00Z", "done": False}
    lines = [{**line, "message": {"role": "assistant", **message}} for message in messages]
    assert said.usage
    end = {"done": True, "done_reason": WORDS["ollama"][str(said.finish)]}
    end |= {"prompt_eval_count": said.usage[0], "eval_count": said.usage[1]}
    return [*lines, {**line, "message": {"role": "assistant", "content": ""}, **end}]


SPELL: dict[str, Callable[[Random, Parts, Said], list[Json]]] = {"mistral": mistral, "cohere": cohere, "ollama": ollama}


def drawn(wire: str, rng: Random) -> tuple[list[Json], Said]:
    """A stream of the wire, and its content."""
    parts, said = story(rng, refusals=False)
    return SPELL[wire](rng, parts, said), said


MAKERS = {wire: functools.partial(drawn, wire) for wire in SPELL}
ERRORS: dict[str, Json] = {
    "mistral": {"object": "error", "message": "Overloaded", "type": "server_error", "code": None},
    "cohere": {"type": "message-end", "delta": {"finish_reason": "ERROR", "error": "Overloaded"}},
    "ollama": {"error": "Overloaded"},
}


def as_event(wire: str, chunk: Json) -> bytes:
    """The bytes of one event."""
    data = json.dumps(chunk)
    return (f"{data}\n" if wire == "ollama" else f"data: {data}\n\n").encode()
