"""Forms of replies that few servers send: lists of chunks, choices without a message, no arguments, unreadable ones."""

import itertools
import json
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
CHUNKS: list[Json] = [
    {"candidates": [{"content": {"role": "model", "parts": [{"text": "Hel"}]}, "index": 0}], "modelVersion": "g"},
    {
        "candidates": [{"content": {"role": "model", "parts": [{"text": "lo]"}]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5},
    },
]


def told(reply: tw.Reply) -> tuple[str, str, int | None]:
    return reply.text, reply.finish, reply.tokens.input


def test_a_whole_reply_may_be_a_list_of_chunks() -> None:
    whole = tw.parse_reply(CHUNKS, "gemini")
    assert told(whole) == ("Hello]", "stop", 3)
    data = json.dumps(CHUNKS, indent=1).encode()
    assert tw.replies.convert_reply_json(data, "openai", source="gemini").payload == whole.render_json("openai").payload
    assert tw.replies.convert_reply(CHUNKS, "gemini", source="gemini").payload == CHUNKS
    assert tw.parse_reply(CHUNKS[:1], "gemini").finish == "error"
    for at in range(len(data)):
        stream = tw.StreamAssembler("gemini")
        stream.feed_bytes(data[:at])
        stream.feed_bytes(data[at:])
        assert told(stream.finish()) == told(whole)
    with pytest.raises(tw.ParseError):
        tw.parse_reply([{"type": "RUN_STARTED"}], "gemini")


@pytest.mark.parametrize("source", ["openai", "openai:openrouter", "mistral"])
def test_a_choice_may_have_no_message(source: str) -> None:
    for message in ({}, {"message": None}):
        body = {"id": "x", "model": "m", "choices": [{"index": 0, "finish_reason": "length", **message}]}
        assert told(tw.parse_reply(body, source)) == ("", "length", None)
        out = tw.replies.convert_reply(body, "anthropic", source=source)
        assert (out.status, out.payload["content"], out.payload["stop_reason"]) == (None, [], "max_tokens")
    with pytest.raises(tw.ParseError):
        tw.parse_reply({"choices": [{"index": 0}]}, source)


def called(source: str, *args: Any) -> tuple[Json, list[Json]]:
    """A whole reply with a call, and its stream."""
    function = {"name": "f"} | ({"arguments": args[0]} if args else {})
    call = {"id": "c1", "type": "function", "function": function}
    if source == "cohere":
        message = {"role": "assistant", "tool_calls": [call]}
        start = {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": call}}}
        ends = [{"type": "tool-call-end", "index": 0}]
        ends.append({"type": "message-end", "delta": {"finish_reason": "TOOL_CALL"}})
        return {"id": "x", "finish_reason": "TOOL_CALL", "message": message}, [start, *ends]
    head = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    message = {"role": "assistant", "content": None, "tool_calls": [call]}
    whole = {**head, "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    delta = {"role": "assistant", "tool_calls": [{**call, "index": 0}]}
    chunks = [{"delta": delta}, {"delta": {}, "finish_reason": "tool_calls"}]
    return whole, [{**head, "choices": [{"index": 0, **chunk}]} for chunk in chunks]


def streamed(chunks: list[Json], source: str, target: str) -> tuple[tw.Reply, tuple[Any, ...]]:
    converter = tw.replies.StreamConverter(source=source, target=target)
    reader = tw.StreamAssembler(target)
    for event in [*itertools.chain.from_iterable(map(converter.feed, chunks)), *converter.finish()]:
        reader.feed(event)
    return reader.finish(), converter.receipt


@pytest.mark.parametrize("args", [("null",), (" null\n",), ("",), (None,), ()], ids=repr)
@pytest.mark.parametrize("source", ["openai", "mistral", "cohere"])
def test_no_arguments_are_an_empty_object(source: str, args: tuple[Any, ...]) -> None:
    whole, chunks = called(source, *args)
    assert tw.replies.convert_reply(whole, source, source=source).payload == whole
    stream = tw.StreamAssembler(source)
    events = [event for chunk in chunks for event in stream.feed(chunk)]
    reply = stream.finish()
    assert [event["content"]["arguments"] for event in (*events, *reply.events)] == [{}]
    for read in (tw.parse_reply(whole, source), reply):
        assert (read.finish, len(read.tool_uses)) == ("tool_calls", 1)
    for target in ("openai", "anthropic", "gemini", "bedrock", "ollama", "cohere", "gemini-interactions"):
        if target == source:
            continue
        out = tw.replies.convert_reply(whole, target, source=source)
        read, losses = streamed(chunks, source, target)
        assert not [loss for loss in (*out.receipt, *losses) if loss.code == "arguments"]
        for made in (tw.parse_reply(out.payload, target), read):
            assert [use.args for use in made.tool_uses] == [{}]


BAD = '{"path": oops}'
# What each client gets of it, whole and streamed: the arguments, or why the reply without the call ended.
UNREADABLE = {
    "openai": (BAD, BAD),
    "openai-responses": (BAD, BAD),
    "mistral": (BAD, BAD),
    "cohere": (BAD, BAD),
    "anthropic": ("end_turn", BAD),
    "bedrock": ("end_turn", BAD),
    "gemini": ("MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL"),
    "ollama": ("stop", "stop"),
    "gemini-interactions": ("completed", BAD),
}


@pytest.mark.parametrize("target", UNREADABLE)
def test_unreadable_arguments_are_never_an_empty_object(target: str) -> None:
    source = "mistral" if target == "openai" else "openai"
    whole, chunks = called(source, BAD)
    out = tw.replies.convert_reply(whole, target, source=source)
    read, losses = streamed(chunks, source, target)
    both = (tw.parse_reply(out.payload, target), out.receipt), (read, losses)
    for (reply, lost), wanted in zip(both, UNREADABLE[target], strict=True):
        if wanted == BAD:
            assert [use.args_text for use in reply.tool_uses] == [BAD]
            continue
        assert (reply.tool_uses, reply.stop_reason) == ((), wanted)
        assert ("lost", "arguments") in {(loss.kind, loss.code) for loss in lost}


def test_a_summary_is_no_answer() -> None:
    content = [{"type": "compaction", "content": "SUM"}, {"type": "text", "text": "Hi"}]
    usage = {"input_tokens": 1, "output_tokens": 1}
    body = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content, "usage": usage}
    body["stop_reason"] = "end_turn"
    for target in (*UNREADABLE.keys() - {"anthropic"}, "ag-ui"):
        out = tw.replies.convert_reply(body, target, source="anthropic")
        assert "SUM" not in json.dumps(out.payload)
        assert tw.parse_reply(out.payload, target).text == "Hi"
        assert [loss.path for loss in out.receipt if "not part of the answer" in loss.reason] == ["$.content[0]"]
    assert tw.replies.convert_reply(body, "anthropic", source="anthropic").payload == body
