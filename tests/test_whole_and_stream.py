"""A converted reply says the same whole and streamed, from every format to every format and profile.

Turnwire reads both back. What a program sees of them is equal: text, reasoning, calls with their ids, the reason of the
end, the tokens. So are the losses.
"""

from collections.abc import Iterator
from typing import Any

import pytest
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


NAMES = list(targets())
PAIRS = [
    (source, target) for source in NAMES if ":" not in source for target in NAMES if target.split(":")[0] != source
]


def losses(found: Any) -> set[tuple[str, str]]:
    return {(loss.kind, loss.code) for loss in found if loss.code != "stand_in"}


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_reply_says_the_same_whole_and_streamed(source: str, target: str) -> None:
    whole, chunks = WHOLE, CHUNKS
    if source != "anthropic":
        whole = tw.convert_reply(WHOLE, "anthropic", source).payload
        chunks, _ = streamed(CHUNKS, "anthropic", source)
    one = tw.convert_reply(whole, source, target)
    stream, told = streamed(chunks, source, target)
    assert seen(tw.parse_reply(one.payload, target)) == seen(assembled(stream, target))
    assert losses(one.losses) == losses(told)
