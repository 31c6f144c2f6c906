"""A converted reply says the same whole and streamed, from every format to every format and profile.

Turnwire reads both back. What a program sees of them is equal: text, reasoning, calls with their ids, the reason of the
end, the tokens. So are the losses.
"""

import json
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


def streamed(chunks: list[Any], source: str, target: str, **more: Any) -> tuple[list[Any], Any]:
    converter = tw.replies.StreamConverter(source=source, target=target, **more)
    out = [made for chunk in chunks for made in converter.feed(chunk)]
    return out + list(converter.finish()), converter.receipt


def assembled(chunks: list[Any], dialect: str) -> tw.Reply:
    assembler = tw.StreamAssembler(dialect)
    for chunk in chunks:
        assembler.feed(chunk)
    return assembler.finish()


def seen(reply: tw.Reply) -> dict[str, Any]:
    """What a program sees of a reply."""
    thoughts = [part.text or "" for turn in reply for part in turn.parts if isinstance(part, tw.parts.Reasoning)]
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
            tw.replies.convert_reply(WHOLE, name, source="anthropic")
        except tw.TurnwireError:
            continue
        yield name


NAMES = list(targets())
# A run of AG-UI names its model at its end.
SOURCES = [name for name in NAMES if ":" not in name and name not in ("openai-responses", "ag-ui")]
PAIRS = [
    (source, target) for source in NAMES if ":" not in source for target in NAMES if target.split(":")[0] != source
]


def both(source: str, target: str, **more: Any) -> tuple[Any, list[Any], Any]:
    """The converted reply, and the events and the losses of its converted stream."""
    whole, chunks = WHOLE, CHUNKS
    if source != "anthropic":
        whole = tw.replies.convert_reply(WHOLE, source, source="anthropic").payload
        chunks, _ = streamed(CHUNKS, "anthropic", source)
    return tw.replies.convert_reply(whole, target, source=source, **more), *streamed(chunks, source, target, **more)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_reply_says_the_same_whole_and_streamed(source: str, target: str) -> None:
    one, stream, losses = both(source, target)
    assert seen(tw.parse_reply(one.payload, target)) == seen(assembled(stream, target))
    told = [{(loss.kind, loss.code) for loss in found} for found in (one.receipt, losses)]
    if source == "ag-ui":
        # A run names its model at its end. A stream has begun by then.
        told = [kinds - {("added", "stand_in")} for kinds in told]
    assert told[0] == told[1]


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(
    "request_",
    [
        {
            "model": "q",
            "input": "q",
            "truncation": "auto",
            "instructions": "i",
            "metadata": None,
            "tools": [{"type": "custom", "name": "f"}],
        },
        {"model": "q", "messages": [{"role": "user", "content": "q"}], "truncation": "auto", "temperature": 1},
    ],
)
def test_the_last_event_of_responses_is_the_whole_response(source: str, request_: Any) -> None:
    one, stream, _ = both(source, "openai-responses", request=request_)
    last = stream[-1]["response"]
    # The pieces of arguments are those of the source.
    for item in [*last["output"], *one.payload["output"]]:
        if "arguments" in item:
            item["arguments"] = json.loads(item["arguments"])
    assert last == one.payload
    is_own = "input" in request_
    assert ("truncation" in last, last["tools"]) == (is_own, [{"type": "custom", "name": "f"}] if is_own else [])


@pytest.mark.parametrize("source", [name for name in SOURCES if name != "ag-ui"])
def test_a_whole_run_is_the_list_of_its_events(source: str) -> None:
    request = {"threadId": "t", "runId": "r", "messages": [{"id": "1", "role": "user", "content": "q"}]}
    one, stream, _ = both(source, "ag-ui", request=request)
    for event in [*stream, *one.payload]:
        if event["type"] == "TOOL_CALL_ARGS":
            event["delta"] = json.loads(event["delta"])
    assert stream == one.payload
    assert (stream[0]["threadId"], stream[-1]["runId"]) == ("t", "r")


@pytest.mark.parametrize("target", ["openai:deepseek", "ollama"])
def test_two_thoughts_are_apart_where_one_key_holds_both(target: str) -> None:
    whole = {**WHOLE, "content": [{"type": "thinking", "thinking": said, "signature": "c2ln"} for said in ("a", "b")]}
    blocks = [
        event
        for at, said in enumerate(("a", "b"))
        for event in (
            {**CHUNKS[1], "index": at},
            {"type": "content_block_delta", "index": at, "delta": {"type": "thinking_delta", "thinking": said}},
            {"type": "content_block_stop", "index": at},
        )
    ]
    stream, _ = streamed([CHUNKS[0], *blocks, *CHUNKS[-2:]], "anthropic", target)
    made = tw.replies.convert_reply(whole, target, source="anthropic").payload
    told = [seen(tw.parse_reply(made, target)), seen(assembled(stream, target))]
    assert [one["reasoning"] for one in told] == ["a\n\nb", "a\n\nb"]


# Where each format has its time, in a whole reply and in an event: formats with a required time, or none.
TIMES = {
    "openai": (["created"], ["created"]),
    "mistral": (["created"], ["created"]),
    "ollama": (["created_at"], ["created_at"]),
    "openai-responses": (["created_at"], ["response", "created_at"]),
    "gemini-interactions": (["created"], ["interaction", "created"]),
}


@pytest.mark.parametrize("time", [1_700_000_000, None])
@pytest.mark.parametrize("target", [name for name in TIMES if name != "openai"])
def test_the_time_of_a_reply_is_that_of_its_stream(target: str, time: int | None) -> None:
    head = {"id": "chatcmpl-1", "object": "chat.completion", "model": "m", **({"created": time} if time else {})}
    whole = {
        **head,
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "a"}, "finish_reason": "stop"}],
    }
    chunks = [
        {**head, "choices": [{"index": 0, "delta": {"role": "assistant", "content": "a"}}]},
        {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ]
    one = tw.replies.convert_reply(whole, target, source="openai")
    stream, losses = streamed(chunks, "openai", target)
    in_whole, in_event = TIMES[target]
    assert at(one.payload, in_whole) == at(stream[0], in_event)
    assert [loss.reason for loss in one.receipt] == [loss.reason for loss in losses]
    assert any("created" in loss.reason for loss in losses) == (time is None and target != "gemini-interactions")


def at(value: Any, path: list[str]) -> Any:
    for key in path:
        value = value.get(key, {})
    return value
