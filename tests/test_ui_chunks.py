"""UI message streams of the AI SDK: they are read as they were sent; a package and pairs judge what is written."""

import json
from pathlib import Path
from random import Random
from typing import Union

import pytest
import reply_makers
import stream_makers as makers
import stream_readers as readers
import turnwire as tw
from front_streams import calls_of, fed
from random_runs import tries
from test_stream_converter import PAIRS, RECORDED, client_notices_what_broke, client_reads_what_was_recorded

pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed (dependency group dev)")
types = pytest.importorskip(
    "pydantic_ai.ui.vercel_ai.response_types", reason="pydantic-ai is not installed: make adapters"
)
requests = pytest.importorskip(
    "pydantic_ai.ui.vercel_ai.request_types", reason="pydantic-ai is not installed: make adapters"
)

UI = "ai-sdk-ui"
CHUNK = pydantic.TypeAdapter(
    Union[tuple(kind for kind in vars(types).values() if isinstance(kind, type) and issubclass(kind, types.BaseChunk))]  # noqa: UP007
)
MESSAGE = pydantic.TypeAdapter(requests.UIMessage)
OTHERS = [wire for wire in makers.MAKERS if wire != UI]
SAMPLE = Path(__file__).parent / "samples/fronts/ui-11-stream.json"


def texts_of(told, sort):
    return "".join(event["content"] for event in told if event["type"] == sort)


def message_of(reply):
    """The message as the SDK's client holds it."""
    [message] = tw.Conversation(reply.turns).render(UI).payload
    return message


def sound(chunks):
    for chunk in chunks:
        CHUNK.validate_python(chunk)


def test_what_was_made_is_what_is_read():
    for seed in range(tries(300)):
        chunks, said = makers.drawn("ai-sdk-ui", Random(seed))
        sound(chunks)
        reply, told, wrong = fed(UI, chunks)
        assert not wrong
        assert (reply.text, calls_of(reply), reply.finish) == (said.text, said.calls, said.finish), seed
        assert (reply.tokens.input, reply.tokens.output) == said.usage
        assert texts_of(told, "reasoning") == said.reasoning
        assert texts_of(told, "text") == said.text
        called = [event["content"] for event in told if event["type"] == "tool_call"]
        told_calls = [(call["tool_call_id"], call["name"], call["arguments"]) for call in called]
        assert sorted(told_calls, key=str) == sorted(said.calls, key=str)
        assert message_of(reply).get("id") == chunks[0].get("messageId")
        assert not reply.receipt.changed
        assert tw.parse_reply(chunks, UI) == reply
        head = tw.replies.convert_reply(chunks, "openai", source=UI).payload
        assert head["model"] == "m"
        assert "messageId" not in chunks[0] or head["id"] == "chatcmpl-m7"
        # The same message, as the SDK's client holds it.
        again = tw.parse_reply(reply.render(UI).payload)
        assert (again.text, calls_of(again), again.finish) == (said.text, said.calls, said.finish)
        assert again.tokens == reply.tokens


def test_bytes_cut_anywhere_are_the_same_message():
    for seed in range(tries(60)):
        rng = Random(seed)
        chunks, _ = makers.drawn("ai-sdk-ui", rng)
        body = makers.as_bytes(UI, chunks, rng)
        assert body.endswith(b"data: [DONE]\n\n")
        expected, all_told, _ = fed(UI, chunks)
        pieces = [[body[at : at + 1] for at in range(len(body))]] if seed < 10 else []
        cuts = sorted(rng.randint(0, len(body)) for _ in range(20))
        pieces.append([body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)])
        for parts in pieces:
            stream, told = tw.StreamAssembler(UI), []
            for piece in parts:
                told += stream.feed_bytes(piece)
            reply = stream.finish()
            assert reply == expected
            assert [*told, *reply.events] == all_told


FAULTS = ["drop", "twice", "swap", "unknown", "key", "cut", "stray", "renamed", "again"]


@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_is_lost_silently_in_a_faulty_stream(fault):
    met = 0
    for seed in range(tries(150)):
        rng = Random(f"{fault} {seed}")
        chunks, _ = makers.drawn("ai-sdk-ui", rng)
        at = rng.randrange(2, len(chunks) - 2) if len(chunks) > 4 else 2
        inputs = [place for place, chunk in enumerate(chunks) if chunk["type"] == "tool-input-available"]
        match fault:
            case "drop":
                del chunks[at]
            case "twice":
                chunks.insert(at, chunks[at])
            case "swap":
                other = rng.randrange(len(chunks))
                chunks[at], chunks[other] = chunks[other], chunks[at]
            case "unknown":
                chunks.insert(at, {"type": rng.choice(["later", "tool-later", "step"]), "id": "n"})
            case "key":
                chunks[at] = {**chunks[at], "later": 1}
            case "cut":
                del chunks[at:]
            case "stray":
                chunks.insert(at, {"type": rng.choice(["text-delta", "reasoning-delta"]), "id": "none", "delta": "x"})
            case "renamed" | "again" if inputs:
                at = rng.choice(inputs)
                begun = any(chunk.get("toolCallId") == chunks[at]["toolCallId"] for chunk in chunks[:at])
                if fault == "again":
                    chunks.insert(at + 1, {**chunks[at], "input": {"other": 1}})
                    at += 1
                elif begun:
                    chunks[at] = {**chunks[at], "toolName": "another"}
                else:
                    continue
            case _:
                continue
        met += 1
        reply, told, wrong = fed(UI, chunks)
        taken = [chunk for place, chunk in enumerate(chunks) if place not in wrong]
        assert {error.code for error in wrong.values()} <= {"unexpected_chunk"}
        for sort in ("text", "reasoning"):
            said = "".join(chunk["delta"] for chunk in taken if chunk["type"] == f"{sort}-delta")
            assert texts_of(told, sort) == said
        # Only calls whose arguments came as a whole are run.
        ready = [chunk["toolCallId"] for chunk in taken if chunk["type"] == "tool-input-available"]
        named = [event["content"]["tool_call_id"] for event in told if event["type"] == "tool_call"]
        assert sorted(named) == sorted(ready)
        whole = [use.id for use in reply.tool_uses if use.args_state != "incomplete"]
        assert sorted(whole) == sorted(ready)
        if fault == "unknown":
            assert [(loss.code, loss.path) for loss in reply.receipt] == [("opaque", f"$.chunks[{at}]")]
        if fault == "key":
            assert [(loss.code, loss.path) for loss in reply.receipt] == [("key", f"$.chunks[{at}].later")]
        if fault in ("stray", "renamed", "again"):
            assert list(wrong) == [at]
        if not any(chunk["type"] == "finish" for chunk in taken):
            assert reply.finish == "error"
        elif not wrong:
            starts = [chunk for chunk in taken if chunk["type"] in ("text-start", "reasoning-start")]
            ends = [chunk for chunk in taken if chunk["type"] in ("text-end", "reasoning-end")]
            assert len(starts) == len(ends) or "stand_in" in {loss.code for loss in reply.receipt}
    assert met > tries(50)


def test_the_sample():
    chunks = json.loads(SAMPLE.read_text(encoding="utf-8"))
    reply, _, wrong = fed(UI, chunks)
    assert not wrong
    assert not reply.receipt.changed
    # Both calls have their results already.
    assert calls_of(reply) == []
    assert (reply.text, message_of(reply)["id"], reply.finish) == ("Look", "m", "stop")
    message = message_of(reply)
    MESSAGE.validate_python(message)
    assert message["parts"] == [
        {"type": "step-start"},
        {"type": "reasoning", "text": "hm", "providerMetadata": {"anthropic": {"signature": "c2ln"}}},
        {"type": "text", "text": "Look"},
        {"type": "tool-f", "toolCallId": "c1", "state": "output-available", "input": {"x": 1}, "output": {"ok": True}},
        {
            "type": "dynamic-tool",
            "toolName": "g",
            "toolCallId": "c2",
            "state": "output-error",
            "input": "{tru",
            "errorText": "bad",
        },
    ]
    for target in OTHERS:
        out = tw.replies.convert_reply(chunks, target, source=UI)
        assert "c2ln" not in json.dumps(out.payload)
        assert "opaque" in {loss.code for loss in out.receipt}
        converter = tw.replies.StreamConverter(source=UI, target=target)
        written = [event for chunk in chunks for event in converter.feed(chunk)] + converter.finish()
        assert "c2ln" not in json.dumps(written, default=str)
        assert "opaque" in {loss.code for loss in converter.receipt}


START = [{"type": "start", "messageId": "m"}, {"type": "start-step"}]
END = [{"type": "finish-step"}, {"type": "finish", "finishReason": "stop"}]


def told_of(*chunks):
    """The reports about these chunks, inside a sound message."""
    reply, _, wrong = fed(UI, [*START, *chunks, *END])
    losses = [(loss.kind, loss.code, loss.path) for loss in reply.receipt]
    return [(error.code, at - 2) for at, error in wrong.items()] + losses


def call(kind, **more):
    return {"type": f"tool-{kind}", "toolCallId": "c", **more}


def test_what_cannot_be_kept_is_reported():
    ready = call("input-available", toolName="f", input={})
    data = {"type": "data-x", "id": "1", "data": 1}
    assert told_of({"type": "data-x", "data": 1, "transient": True}) == [("lost", "opaque", "$.chunks[2]")]
    assert told_of(data, {**data, "data": 2}) == [("restated", "opaque", "$.chunks[3]")]
    assert told_of(data, {**data, "id": "2"}) == []
    early = call("output-available", output=1, preliminary=True)
    assert told_of(ready, early, call("output-available", output=2)) == [("restated", "opaque", "$.chunks[4]")]
    assert told_of(ready, call("output-available", output=None)) == []
    assert told_of(call("output-available", output=1)) == [("lost", "opaque", "$.chunks[2]")]
    assert told_of(call("input-start", toolName="f"), call("output-available", output=1))[0] == ("unexpected_chunk", 1)
    pieces = [call("input-start", toolName="f"), call("input-delta", inputTextDelta='{"a":1}')]
    assert told_of(*pieces, call("input-available", toolName="f", input={"a": 2})) == [
        ("restated", "arguments", "$.chunks[4]")
    ]
    assert told_of(*pieces, call("input-available", toolName="f", input={"a": 1})) == []
    assert told_of({"type": "abort", "reason": "no"}) == [("lost", "key", "$.chunks[2].reason")]
    assert told_of({"type": "start"}) == [("restated", "order", "$.chunks[2]")]


def test_no_client_runs_what_was_cut_or_wrong():
    pieces = [call("input-start", toolName="f"), call("input-delta", inputTextDelta='{"a":1}')]
    for some in (pieces[:1], pieces):
        for chunks in ([*START, *some], [*START, *some, *END]):
            reply, told, _ = fed(UI, chunks)
            assert [use.args_state for use in reply.tool_uses] == ["incomplete"]
            assert not [event for event in told if event["type"] == "tool_call"]
            assert reply.finish == ("length" if chunks[-1] == END[-1] else "error")
            [part] = message_of(reply)["parts"][1:]
            assert part["state"] == "input-streaming"
    for args, finish, state in (('{"a":', "length", "input-streaming"), ("[1]", "tool_calls", "output-error")):
        function = {"name": "f", "arguments": args}
        message = {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c", "type": "function", "function": function}],
        }
        body = {
            "id": "chatcmpl-7",
            "model": "m",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        }
        out = tw.replies.convert_reply(body, UI, source="openai")
        MESSAGE.validate_python(out.payload["responseMessage"])
        [part] = out.payload["responseMessage"]["parts"][1:]
        assert (part["state"], part.get("input", part.get("rawInput"))) == (state, args)
        delta = {**message, "tool_calls": [{"index": 0, **message["tool_calls"][0]}]}
        there = tw.replies.StreamConverter(source="openai", target=UI)
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunks = [*there.feed({"id": "chatcmpl-7", "model": "m", "choices": [choice]}), *there.finish()]
        sound(chunks)
        kinds = [chunk["type"] for chunk in chunks if chunk["type"].startswith("tool")]
        assert kinds == ["tool-input-start", "tool-input-delta", *(["tool-input-error"] if args == "[1]" else [])]
        reply, _, wrong = fed(UI, chunks)
        assert not wrong
        assert [part["state"]] == [one["state"] for one in message_of(reply)["parts"][1:]]


def test_the_providers_own_tools_are_no_calls_of_the_client():
    server = {"toolName": "web", "providerExecuted": True}
    chunks = [
        call("input-start", **server),
        call("input-available", **server, input={"q": 1}),
        call("output-available", output=1),
    ]
    reply, told, wrong = fed(UI, [*START, *chunks, *END])
    assert (calls_of(reply), reply.finish, told, wrong) == ([], "stop", [], {})
    begun = [{**chunks[0], "providerExecuted": False}, chunks[1]]
    assert told_of(*begun)[0] == ("unexpected_chunk", 1)


@pytest.mark.parametrize("source", OTHERS)
def test_streams_become_messages_and_come_back(source):
    for seed in range(tries(60)):
        chunks, said = makers.MAKERS[source](Random(seed))
        there = tw.replies.StreamConverter(source=source, target=UI)
        written = [one for chunk in chunks for one in there.feed(chunk)] + there.finish()
        sound(written)
        got = readers.read(UI, written)
        assert (got.text, got.reasoning, got.calls) == (said.text, said.reasoning, said.calls), seed
        by_bytes = tw.replies.StreamConverter(source=source, target=UI)
        body = by_bytes.feed_bytes(makers.as_bytes(source, chunks)) + by_bytes.finish()
        assert readers.events_of(UI, body) == written
        assert body.endswith(b"data: [DONE]\n\n")
        reply, _, wrong = fed(UI, written)
        assert not wrong
        assert not reply.receipt.changed
        assert (reply.text, calls_of(reply)) == (said.text, said.calls)
        MESSAGE.validate_python({"id": "m", **message_of(reply)})
        back = tw.replies.StreamConverter(source=UI, target=source)
        again = [one for chunk in written for one in back.feed(chunk)] + back.finish()
        got = readers.read(source, again)
        assert (got.text, got.calls, got.usage) == (said.text, said.calls, said.usage), seed


@pytest.mark.parametrize("source", [wire for wire in reply_makers.WRITE if wire != UI])
def test_whole_replies_become_messages_and_come_back(source):
    for seed in range(tries(60)):
        body, said = reply_makers.drawn(Random(f"{source} {seed}"), source)
        out = tw.replies.convert_reply(body, UI, source=source)
        by_json = tw.replies.convert_reply_json(json.dumps(body), UI, source=source)
        assert (json.loads(by_json.payload), by_json.receipt, by_json.status) == (out.payload, out.receipt, out.status)
        if out.status:
            assert out.payload["finishReason"] == "error"
            assert out.payload["errorText"]
            continue
        message = out.payload["responseMessage"]
        MESSAGE.validate_python(message)
        parts = message["parts"]
        words = "".join(part["text"] for part in parts if part["type"] == "text")
        tools = [part for part in parts if part["type"].startswith("tool-")]
        assert [(part["type"][5:], part["input"]) for part in tools] == said.calls
        assert {part["state"] for part in tools} <= {"input-available"}
        assert words.startswith(said.text), seed
        # The ids of the reply are its own, and not reported.
        assert not [
            loss
            for loss in out.receipt
            if loss.code == "renamed_id" and loss.path.count("[") < 2 and "message" in loss.reason
        ]
        back = tw.replies.convert_reply(out.payload, source, source=UI)
        told = reply_makers.read(source, back.payload)
        assert told.calls == said.calls
        assert told.text.replace("\n", "") == words.replace("\n", "")
        assert not {loss.code for loss in back.receipt} & {"key", "opaque"}
        reply = tw.parse_reply(out.payload)
        counts = {name: getattr(reply.tokens, name) for name in said.tokens}
        assert counts == said.tokens


def test_an_error_ends_the_reply():
    failed = {"type": "error", "errorText": "Slow down"}
    reply, _, wrong = fed(UI, [*START, failed])
    assert (reply.finish, reply.error, wrong) == ("error", "Slow down", {})
    out = tw.replies.convert_reply([*START, failed], "anthropic", source=UI)
    assert (out.status, out.payload["error"]) == (500, {"type": "api_error", "message": "Slow down"})
    out = tw.replies.convert_reply(out.payload, UI, source="anthropic")
    assert out.payload == {"finishReason": "error", "errorText": "Slow down"}
    reply, _, _ = fed(UI, [*START, {"type": "abort"}])
    assert reply.finish == "error"


def test_other_data_of_a_server_is_passed_on_or_reported():
    more = {"usage": {"inputTokens": 1, "outputTokens": 2}, "rating": 5}
    chunks = [*START, {"type": "text-start", "id": "0"}, {"type": "text-delta", "id": "0", "delta": "x"}]
    chunks += [{"type": "text-end", "id": "0"}, END[0], {**END[1], "messageMetadata": more}]
    late = {"type": "data-x", "data": 1}
    reply, _, wrong = fed(UI, [*chunks, late])
    assert (wrong, (*reply.receipt,)) == ({}, ())
    for target in OTHERS:
        for rating in (True, False):
            if not rating:
                chunks[-1] = {**END[1], "messageMetadata": {"usage": more["usage"]}}
            told = [
                loss.path for loss in tw.replies.convert_reply(chunks, target, source=UI).receipt if loss.code == "key"
            ]
            converter = tw.replies.StreamConverter(source=UI, target=target)
            for chunk in chunks:
                converter.feed(chunk)
            converter.finish()
            streamed = [loss.path for loss in converter.receipt if loss.code == "key"]
            assert bool(told) == bool(streamed) == rating, (target, told, streamed)
        chunks[-1] = {**END[1], "messageMetadata": more}


@pytest.mark.parametrize("source", [source for source, target in RECORDED if target == UI])
def test_a_client_reads_what_was_recorded(source):
    client_reads_what_was_recorded(source, UI)


@pytest.mark.parametrize("source", [source for source, target in PAIRS if target == UI])
def test_a_client_notices_what_broke(source):
    client_notices_what_broke(source, UI)
