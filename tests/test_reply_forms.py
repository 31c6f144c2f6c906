"""Forms of replies that few servers send: lists of chunks, choices without a message, no arguments, unreadable ones."""

import itertools
import json
import pickle
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


CALL: Json = {"functionCall": {"name": "f", "args": {}}, "thoughtSignature": "U0lH"}
NAMED: list[Json] = [
    {
        "candidates": [{"content": {"role": "model", "parts": [{"text": "Hel"}]}, "index": 0}],
        "responseId": "r",
        "modelVersion": "m",
        "odd": 1,
    },
    {
        "candidates": [
            {"content": {"parts": [{"text": "lo"}, CALL]}, "finishReason": "RECITATION", "index": 0, "odd": 2}
        ],
        "usageMetadata": {"promptTokenCount": 3, "odd": 4},
        "odd": 3,
    },
]


@pytest.mark.parametrize(
    "target", ["openai", "openai-responses", "anthropic", "gemini-interactions", "bedrock", "mistral"]
)
def test_a_list_of_chunks_has_the_head_of_its_stream_and_paths_of_its_elements(target: str) -> None:
    out = tw.replies.convert_reply(NAMED, target, source="gemini")
    head = ("id", "model")
    whole = tw.replies.convert_reply({**NAMED[0], "responseId": "r"}, target, source="gemini").payload
    assert [out.payload.get(key) for key in head] == [whole.get(key) for key in head]
    stand_in = [loss.reason for loss in out.receipt if loss.code == "stand_in"]
    assert not [reason for reason in stand_in if "model" in reason]
    paths = {str(loss.path) for loss in out.receipt} - {"$"}
    assert all(path.startswith(("$[0]", "$[1]")) for path in paths)
    assert {"$[1].odd", "$[1].candidates[0].odd", "$[1].usageMetadata.odd"} <= paths
    assert "$[0].odd" not in paths
    signed = [str(loss.path) for loss in out.receipt if loss.code == "signature"]
    assert signed in ([], ["$[1].candidates[0].content.parts[1]"])
    for again in (pickle.loads(pickle.dumps(tw.parse_reply(NAMED, "gemini"))), tw.parse_reply(NAMED, "gemini")):
        assert again.render(target) == out  # type: ignore[arg-type]
    converter = tw.replies.StreamConverter(source="gemini", target=target)
    events = json.dumps([*converter.feed(NAMED), *converter.finish()])  # type: ignore[arg-type]
    if target in ("openai", "mistral"):
        assert events.count('"model": "m"') == events.count('"id": "' + str(out.payload["id"]))


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


@pytest.mark.parametrize("cut", range(5))
@pytest.mark.parametrize("source", ["openai", "mistral", "cohere"])
def test_the_text_null_may_come_in_pieces(source: str, cut: int) -> None:
    _, chunks = called(source, "null"[:cut])
    call: Json = {"index": 0, "function": {"arguments": "null"[cut:]}}
    if source == "cohere":
        pieces: list[Json] = [{"type": "tool-call-delta", "index": 0, "delta": {"message": {"tool_calls": call}}}]
    else:
        pieces = [{"id": "x", "choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}]
    chunks[1:1] = pieces
    for target in ("openai", "openai-responses", "anthropic", "gemini", "bedrock", "ollama", "cohere"):
        if target != source:
            read, losses = streamed(chunks, source, target)
            assert [use.args for use in read.tool_uses] == [{}]
            assert not [loss for loss in losses if loss.code == "arguments"]
    stream = tw.StreamAssembler(source)
    events = [event for chunk in chunks for event in stream.feed(chunk)]
    assert [event["content"]["arguments"] for event in (*events, *stream.finish().events)] == [{}]


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


# The word for the end of a reply whose only call cannot be run, and of one with another call.
ENDS = {
    "openai": ("tool_calls", "tool_calls"),
    "openai-responses": ("completed", "completed"),
    "mistral": ("tool_calls", "tool_calls"),
    "cohere": ("TOOL_CALL", "TOOL_CALL"),
    "anthropic": ("end_turn", "tool_use"),
    "bedrock": ("end_turn", "tool_use"),
    "gemini": ("MALFORMED_FUNCTION_CALL", "MALFORMED_FUNCTION_CALL"),
    "ollama": ("stop", "stop"),
    "gemini-interactions": ("completed", "requires_action"),
}


@pytest.mark.parametrize("args", [BAD, '{"a":', "[1]", "5", '"x"', "{"])
@pytest.mark.parametrize("target", ENDS)
def test_nobody_is_asked_to_run_a_call_that_cannot_be_read(target: str, args: str) -> None:
    source = "mistral" if target == "openai" else "openai"
    whole, chunks = called(source, args)
    out = tw.replies.convert_reply(whole, target, source=source)
    read, losses = streamed(chunks, source, target)
    carries = UNREADABLE[target][0] == BAD
    for reply, told in ((tw.parse_reply(out.payload, target), out.receipt), (read, losses)):
        assert reply.stop_reason == ENDS[target][0]
        raw = [use.args_text for use in reply.tool_uses]
        kinds = [loss.kind for loss in told if loss.code == "arguments"]
        if carries:
            assert (raw, kinds) == ([args], [])
        elif raw:
            assert (raw, kinds) == ([args], ["restated"])
        else:
            assert kinds == ["lost"]
        ends = [loss for loss in told if loss.code == "finish"]
        assert bool(ends) == (ENDS[target][0] in ("end_turn", "completed", "stop") and not carries)
    # A call that can be run is asked for.
    second = {"id": "c2", "type": "function", "function": {"name": "g", "arguments": "{}"}}
    whole["choices"][0]["message"]["tool_calls"].append(second)
    out = tw.replies.convert_reply(whole, target, source=source)
    assert tw.parse_reply(out.payload, target).stop_reason == ENDS[target][1]


def test_a_limit_and_a_broken_stream_stay_what_they_are() -> None:
    whole, chunks = called("openai", '{"a":')
    whole["choices"][0]["finish_reason"] = "length"
    for target, word in (("anthropic", "max_tokens"), ("gemini", "MAX_TOKENS"), ("mistral", "length")):
        out = tw.replies.convert_reply(whole, target, source="openai")
        assert tw.parse_reply(out.payload, target).stop_reason == word
    for target in ("anthropic", "mistral", "openai-responses"):
        read, _ = streamed(chunks[:1], "openai", target)
        assert read.finish == "error"
    stream = tw.StreamAssembler("openai")
    stream.feed(chunks[0])
    (use,) = stream.finish().tool_uses
    assert (use.args_text, use.args_state) == ('{"a":', "incomplete")
    assert tw.parse_reply({**whole, "choices": [{**whole["choices"][0], "finish_reason": "stop"}]}).finish == "length"


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


def of(message: Json) -> Json:
    choice = {"index": 0, "message": {"role": "assistant", "content": "hi", **message}, "finish_reason": "stop"}
    return {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}


THOUGHT: Json = {"type": "thinking", "thinking": [{"type": "text", "text": "T"}]}
THINKING: list[tuple[str, Json]] = [
    ("mistral", {"reasoning": "T"}),
    ("mistral", {"reasoning_content": "T"}),
    ("mistral", {"reasoning": "T", "reasoning_content": "T"}),
    ("mistral", {"content": [THOUGHT, {"type": "text", "text": "hi"}]}),
    ("openai", {"content": [THOUGHT, {"type": "text", "text": "hi"}]}),
    ("openai", {"reasoning": "T"}),
    ("openai", {"reasoning": "T", "reasoning_content": "T"}),
    ("openai", {"reasoning": "T", "reasoning_details": [{"type": "reasoning.text", "text": "T"}]}),
    ("openai", {"reasoning_details": [{"type": "reasoning.text", "text": "T"}], "reasoning_content": "T"}),
]


@pytest.mark.parametrize(("source", "message"), THINKING)
@pytest.mark.parametrize("target", ["anthropic", "gemini", "openai-responses", "ollama", "bedrock", "openai:deepseek"])
def test_what_was_thought_is_read_under_each_key_and_once(source: str, message: Json, target: str) -> None:
    body = of(message)
    whole = tw.replies.convert_reply(body, target, source=source)  # type: ignore[arg-type]
    delta = {key: value for key, value in body["choices"][0]["message"].items() if value is not None}
    pieces = [{"index": 0, "delta": delta}, {"index": 0, "delta": {}, "finish_reason": "stop"}]
    chunks = [{"id": "x", "created": 1, "model": "m", "choices": [one]} for one in pieces]
    streamed_reply, _ = streamed(chunks, source, target)
    for reply in (tw.parse_reply(whole.payload, target), streamed_reply):  # type: ignore[arg-type]
        thoughts = [part.text for turn in reply for part in turn.parts if isinstance(part, tw.parts.Reasoning)]
        if not (source == "openai" and target == "openai:deepseek"):
            assert (thoughts, reply.text) == (["T"], "hi")
    # Nothing of it is lost but the proof of a signed chunk.
    assert not [loss for loss in whole.receipt.only("lost") if loss.code != "signature"]


def test_a_sum_is_that_of_the_counts_that_are_known() -> None:
    body = {"model": "m", "message": {"role": "assistant", "content": "a"}, "done": True, "done_reason": "stop"}
    for key, count in (("prompt_eval_count", 10), ("eval_count", 4)):
        for target in ("openai", "openai-responses", "mistral", "bedrock"):
            made = tw.replies.convert_reply({**body, key: count}, target, source="ollama").payload  # type: ignore[arg-type]
            usage = made["usage"]
            assert usage.get("total_tokens", usage.get("totalTokens")) == count
