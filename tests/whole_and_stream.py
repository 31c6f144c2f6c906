"""Compares a converted whole reply with the converted stream of the same reply, for all formats.

    python tests/whole_and_stream.py [--verbose]

Turnwire reads both back. It prints every difference in what a program sees (text, reasoning, calls with their ids, the
reason of the end, the tokens), and every loss that only one of both reports. It exits with 1 if there is any.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import turnwire as tw

THOUGHT, TEXT, ARGS = "Look it up.", "It rains.", '{"city": "Kyoto"}'
WHOLE = {
    "id": "msg_01",
    "type": "message",
    "role": "assistant",
    "model": "claude-x",
    "content": [
        {"type": "thinking", "thinking": THOUGHT, "signature": "c2ln"},
        {"type": "text", "text": TEXT},
        {"type": "tool_use", "id": "toolu_01", "name": "weather", "input": {"city": "Kyoto"}},
    ],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 7, "output_tokens": 5},
}
CHUNKS = [
    {
        "type": "message_start",
        "message": {**WHOLE, "content": [], "stop_reason": None, "usage": {"input_tokens": 7, "output_tokens": 1}},
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": THOUGHT}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "c2ln"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": TEXT}},
    {"type": "content_block_stop", "index": 1},
    {
        "type": "content_block_start",
        "index": 2,
        "content_block": {"type": "tool_use", "id": "toolu_01", "name": "weather", "input": {}},
    },
    {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": ARGS}},
    {"type": "content_block_stop", "index": 2},
    {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": None},
        "usage": {"output_tokens": 5},
    },
    {"type": "message_stop"},
]


def streamed(chunks: list[Any], source: str, target: str) -> tuple[list[Any], Any]:
    converter = tw.StreamConverter(source, target)
    out = [made for chunk in chunks for made in converter.feed(chunk)]
    return out + list(converter.finish()), converter.losses


def assembled(chunks: list[Any], dialect: str) -> tw.Reply:
    assembler = tw.StreamAssembler(dialect)
    for chunk in chunks:
        assembler.feed(chunk)
    return assembler.finish()


def seen(reply: tw.Reply) -> dict[str, Any]:
    """What a program sees of a reply."""
    thoughts = [part.text or "" for turn in reply for part in turn.parts if isinstance(part, tw.Reasoning)]
    return {
        "text": reply.text,
        "reasoning": "".join(thoughts),
        "calls": [(use.id, use.name, use.args) for use in reply.tool_uses],
        "finish": reply.finish,
        "tokens": repr(reply.tokens),
    }


def targets() -> Iterator[str]:
    """The formats in which replies are written."""
    for name in tw.dialects():
        try:
            tw.convert_reply(WHOLE, "anthropic", name)
        except tw.TurnwireError:
            continue
        yield name


def differences(source: str, target: str) -> Iterator[str]:
    whole, chunks = WHOLE, CHUNKS
    if source != "anthropic":
        whole = tw.convert_reply(WHOLE, "anthropic", source).payload
        chunks, _ = streamed(CHUNKS, "anthropic", source)
    one = tw.convert_reply(whole, source, target)
    stream, streamed_losses = streamed(chunks, source, target)
    sides = [seen(tw.parse_reply(one.payload, target)), seen(assembled(stream, target))]
    for what, value in sides[0].items():
        if value != sides[1][what]:
            yield what
            if "--verbose" in sys.argv:
                print(f"{source} -> {target}: {what}: whole {value!r}, stream {sides[1][what]!r}")
    losses = [{(loss.kind, loss.code) for loss in side} for side in (one.losses, streamed_losses)]
    for only, side, other in (("whole", *losses), ("stream", *reversed(losses))):
        for kind, code in sorted(side - other):
            yield f"loss {kind} {code} of the {only} only"


def main() -> int:
    found = Counter[tuple[str, str]]()
    names = list(targets())
    sources = [name for name in names if ":" not in name]
    for source in sources:
        for target in names:
            if target.split(":")[0] != source:
                found.update((target, what) for what in differences(source, target))
    print(f"{len(sources)} sources, {len(names)} targets")
    for (target, what), count in sorted(found.items()):
        print(f"  {target:20} {what}: from {count} sources")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
