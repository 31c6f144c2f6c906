"""Replies: one story, spelled whole and as a stream by hand, and what a program sees of it on each of four ways.

The ways are the whole reply, the assembled stream, the converted reply and the converted stream.
"""

import json
from random import Random
from typing import Any

import reply_makers
import stream_makers
import turnwire as tw

Json = dict[str, Any]

#: Each wire whose streams are spelled.
SOURCES = tuple(stream_makers.SPELL)
#: Their messages have one text and one thought, which come before the calls.
CHATS = ("openai",)
#: Their pieces say not where one thought ends and the next begins.
JOINED = ("gemini",)
#: Targets with one text: text and the words of a refusal have a line break between them in a whole reply, and nothing
#: in a stream.
KNOWN = ("ollama", "cohere")


def targets() -> list[str]:
    """The formats in which replies are written, with their profiles."""
    reply = {"choices": [{"index": 0, "message": {"role": "assistant", "content": "a"}, "finish_reason": "stop"}]}
    found = []
    for name in tw.dialects():
        try:
            tw.replies.convert_reply({"id": "c", "model": "m", **reply}, name, source="openai")
        except tw.TurnwireError:
            continue
        found.append(name)
    return found


def told(wire: str, seed: int) -> tuple[Any, list[Any]]:
    """The same reply whole and as a stream."""
    rng = Random(f"{wire} {seed}")
    parts, said = stream_makers.story(rng, refusals=wire in stream_makers.REFUSING and rng.random() < 0.2)
    if wire in CHATS:
        parts = _as_chat(parts)
    # A whole reply of Responses is spelled with its refusal at the end.
    parts = sorted(parts, key=lambda part: part[0] == "refusal")
    if wire in JOINED:
        parts = _joined(parts)
    chunks = stream_makers.SPELL[wire](rng, parts, said)
    calls = {part[1]: part for part in parts if part[0] == "call"}
    # Calls that grow side by side stand in the order in which they began.
    order = iter([calls[name] for name, *_ in said.calls])
    items: list[tuple[str, Any]] = []
    refusal = ""
    for kind, *what in parts:
        if kind == "call":
            _, name, tool, args = next(order)
            items.append(("call", (name, tool, json.loads(args or "{}"))))
        elif kind == "refusal":
            refusal += what[0]
        else:
            items.append(("thought" if kind == "reasoning" else kind, what[0]))
    ends = reply_makers.ENDS[wire]
    finish = str(said.finish)
    word = ends.get(finish, ends["stop"])[0]
    if finish == "tool_calls":
        word = reply_makers.CALL_WORD.get(wire, word)
    tokens = dict(zip(("input", "output"), said.usage or (), strict=False))
    if wire == "openai-responses":
        tokens |= {"cached": 0, "written": 0, "reasoning": 0}
    return reply_makers.WRITE[wire](items, word, refusal, tokens), chunks


def _as_chat(parts: stream_makers.Parts) -> stream_makers.Parts:
    """One text or refusal, and then the calls."""
    texts = {kind: "".join(part[1] for part in parts if part[0] == kind) for kind in ("text", "refusal")}
    return [*((kind, text) for kind, text in texts.items() if text), *(part for part in parts if part[0] == "call")]


def _joined(parts: stream_makers.Parts) -> stream_makers.Parts:
    """Adjacent texts of a kind as one."""
    made: stream_makers.Parts = []
    for part in parts:
        if made and part[0] != "call" and made[-1][0] == part[0]:
            made[-1] = (part[0], made[-1][1] + part[1])
        else:
            made.append(part)
    return made


def assembled(chunks: list[Any], wire: str) -> tw.Reply:
    stream = tw.StreamAssembler(wire)
    for chunk in chunks:
        stream.feed(chunk)
    return stream.finish()


def streamed(chunks: list[Any], source: str, target: str) -> tuple[list[Any], Any]:
    """The events of the converted stream, and its losses."""
    converter = tw.replies.StreamConverter(source=source, target=target)
    out = [made for chunk in chunks for made in converter.feed(chunk)]
    return [*out, *converter.finish()], converter.receipt


def seen(reply: tw.Reply) -> Json:
    """What a program sees of a reply."""
    thoughts = [part.text or "" for turn in reply for part in turn.parts if isinstance(part, tw.parts.Reasoning)]
    tokens = reply.tokens
    return {
        "text": reply.text,
        "reasoning": "".join(thoughts),
        "calls": [(use.id, use.name, use.args) for use in reply.tool_uses],
        "finish": reply.finish,
        "tokens": (tokens.input, tokens.output) if tokens else None,
    }


def refuses_behind_text(whole: Json) -> bool:
    """Whether a reply has text and a refusal."""
    reply = json.dumps(whole)
    return '"refusal": "' in reply and ('"output_text"' in reply or '"content": "' in reply)


def same_reply(source: str, target: str, seed: int) -> str | None:
    """The four ways say the same, and what a target cannot say is told on both."""
    whole, chunks = told(source, seed)
    first = seen(tw.parse_reply(whole, source))
    if (other := seen(assembled(chunks, source))) != first:
        return f"whole {first}, and streamed {other}"
    made = tw.replies.convert_reply(whole, target, source=source)
    events, losses = streamed(chunks, source, target)
    here, there = seen(tw.parse_reply(made.payload, target)), seen(assembled(events, target))
    if here != there and not (target in KNOWN and refuses_behind_text(whole)):
        return f"converted whole {here}, and streamed {there}"
    # A stream has signatures and server tools that the whole reply lacks.
    kinds = [{loss.code for loss in found if loss.kind == "lost"} for found in (made.receipt, losses)]
    if kinds[0] - kinds[1]:
        return f"lost whole {kinds[0]}, and streamed {kinds[1]}"
    # Some targets want ids of their own.
    said = [{**one, "calls": [(name, args) for _, name, args in one["calls"]]} for one in (first, here)]
    gone = {name: [one[name] for one in said] for name in ("text", "calls") if said[0][name] != said[1][name]}
    return f"vanished without a word: {gone}" if gone and not made.receipt.changed else None
