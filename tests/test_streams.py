"""Streamed replies: the vectors through Python's functions, recorded ones in any split, the SDKs' own events."""

import json
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import plain_replies as plain
import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import tries
from test_replies import check, elements, records, tokens_of

VECTORS = [
    pytest.param(vector, id=f"{vector['dialect']}-{vector['name']}")
    for vector in json.loads((Path(__file__).parent / "vectors/streams.json").read_text(encoding="utf-8"))
    if "reply" not in vector
]
SOUND = [param for param in VECTORS if "fails" not in param.values[0]]


def assemble(dialect, chunks):
    stream = tw.StreamAssembler(dialect)
    events = [event for chunk in chunks for event in stream.feed(chunk)]
    return events, stream.finish()


def by_bytes(dialect, pieces):
    stream = tw.StreamAssembler(dialect)
    events = [event for piece in pieces for event in stream.feed_bytes(piece)]
    return events, stream.finish()


def takes_bytes(dialect):
    """Whether the body of a response is text: that of Converse is binary, and its clients decode it."""
    return dialect != "bedrock"


@pytest.mark.parametrize("vector", SOUND)
def test_vectors(vector):
    dialect = vector["dialect"]
    if "sse" in vector:
        data = vector["sse"].encode()
        runs = [by_bytes(dialect, [data]), by_bytes(dialect, [data[at : at + 1] for at in range(len(data))])]
    else:
        whole = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in vector["chunks"]).encode()
        texts = [json.dumps(chunk) for chunk in vector["chunks"]]
        runs = [
            assemble(dialect, vector["chunks"]),
            assemble(dialect, texts),
            assemble(dialect, [text.encode() for text in texts]),
            *([by_bytes(dialect, [whole])] if takes_bytes(dialect) else []),
        ]
    for events, reply in runs:
        check(vector, reply)
        assert events == vector["events"]
        # Where the last piece shows which text was first, or the first piece is missing.
        if vector.get("joined", True):
            assert "".join(event["content"] for event in events if event["type"] == "text") == reply.text
        assert pickle.loads(pickle.dumps(reply)) == reply
        calls = [event["content"] for event in [*events, *reply.events] if event["type"] == "tool_call"]
        told = Counter(call["tool_call_id"] for call in calls if "tool_call_id" in call)
        assert told <= Counter(use.id for use in reply.tool_uses)


@pytest.mark.parametrize("vector", [param for param in VECTORS if "fails" in param.values[0]])
def test_a_chunk_that_cannot_be_read(vector):
    stream = tw.StreamAssembler(vector["dialect"])
    for at, chunk in enumerate(vector["chunks"]):
        if at == vector["fails"]["chunk"]:
            with pytest.raises(tw.ParseError) as caught:
                stream.feed(chunk)
            assert {"code": caught.value.code, "path": caught.value.path} == {
                key: vector["fails"][key] for key in ("code", "path")
            }
            assert caught.value.dialect == vector["dialect"]
        else:
            stream.feed(chunk)
    stream.finish()


def streams(dialect):
    found = [record for record in records(dialect) if record["stream"]]
    assert found
    return found


# The compared keys of an assembled element: all that the plain assembly knows.
CHAT = ("role", "content", "parts", "tool_calls", "reasoning", "reasoning_content")
KEYS = (*CHAT, "type", "id", "summary", "encrypted_content", "call_id", "name", "arguments", "action", "results")


@pytest.mark.parametrize("dialect", plain.ASSEMBLE)
def test_recorded_streams_are_what_a_plain_assembly_gives(dialect):
    errors = 0
    for record in streams(dialect):
        events, reply = assemble(dialect, plain.chunks(record["stream"]))
        expected = plain.ASSEMBLE[dialect](plain.chunks(record["stream"]))
        read = plain.READ[dialect](expected)
        assert reply.text == read.text == "".join(event["content"] for event in events if event["type"] == "text")
        assert [(use.id, use.name, use.args) for use in reply.tool_uses] == read.calls
        assert (reply.stop_reason, reply.usage) == (read.stop_reason, read.usage)
        assert tuple(tokens_of(reply)) == read.tokens
        calls = [event["content"] for event in [*events, *reply.events] if event["type"] == "tool_call"]
        assert [(call["name"], call["arguments"]) for call in calls] == [call[1:] for call in read.calls]
        assert [call.get("tool_call_id", use.id) for call, use in zip(calls, reply.tool_uses, strict=True)] == [
            use.id for use in reply.tool_uses
        ]
        if takes_bytes(dialect):
            assert by_bytes(dialect, [record["stream"].encode()]) == (events, reply)
        errors += reply.finish == "error"
        if reply.finish != "error":
            # One reader for both: the turn is that of the whole message, where the message has no key of its own for
            # its several pieces.
            whole = tw.parse_reply(expected, dialect)
            assert whole.finish == reply.finish
            for mine, theirs in zip(elements(reply, dialect), elements(whole, dialect), strict=True):
                for key in KEYS:
                    if "thinking" not in theirs:
                        assert plain.said(mine).get(key) == plain.said(without_type(theirs)).get(key), key
    assert errors == (3 if dialect == "openai" else 0)


def without_type(message):
    """The plain assembly writes no type into calls: it is always the same."""
    calls = [
        {"id": call["id"], "type": "function", "function": call["function"]} for call in message.get("tool_calls", [])
    ]
    return {**message, "tool_calls": calls}


@pytest.mark.parametrize("dialect", [*filter(takes_bytes, plain.ASSEMBLE)])
@given(data=st.data())
@settings(max_examples=tries(60), deadline=None)
def test_any_split_of_the_bytes_gives_the_same(dialect, data):
    short = [record["stream"].encode() for record in streams(dialect) if len(record["stream"]) < 9500]
    body = data.draw(st.sampled_from(short))
    if data.draw(st.booleans()):
        body = body.replace(b"\n", b"\r\n")
    cuts = sorted(data.draw(st.sets(st.integers(0, len(body)), max_size=30)))
    pieces = [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    assert by_bytes(dialect, pieces) == by_bytes(dialect, [body])


STREAMS = {}
for param in SOUND:
    if "chunks" in param.values[0]:
        STREAMS.setdefault(param.values[0]["dialect"], []).append(param.values[0]["chunks"])


def taken(dialect, chunks):
    """The events, and the reply, if there is one: each chunk that cannot be read is a separate error."""
    stream, events = tw.StreamAssembler(dialect), []
    for chunk in chunks:
        try:
            events += stream.feed(chunk)
        except tw.TurnwireError:
            continue
    try:
        reply = stream.finish()
    except tw.TurnwireError:
        return events, None
    return [*events, *reply.events], reply


@pytest.mark.parametrize("dialect", STREAMS)
@given(data=st.data())
@settings(max_examples=tries(40), deadline=None)
def test_events_are_in_the_reply_however_the_chunks_come(dialect, data):
    """Chunks doubled, missing, in another order, or from another stream."""
    chunks = list(data.draw(st.sampled_from(STREAMS[dialect])))
    others = [chunk for stream in STREAMS[dialect] for chunk in stream]
    for _ in range(data.draw(st.integers(1, 5))):
        at, to = (data.draw(st.integers(0, max(len(chunks) - 1, 0))) for _ in range(2))
        match data.draw(st.sampled_from(["drop", "repeat", "move", "other"])):
            case "other":
                chunks.insert(at, data.draw(st.sampled_from(others)))
            case "repeat" if chunks:
                chunks.insert(to, chunks[at])
            case "move" if chunks:
                chunks.insert(to, chunks.pop(at))
            case "drop" if chunks:
                del chunks[at]
    events, reply = taken(dialect, chunks)
    assert taken(dialect, map(json.dumps, chunks)) == (events, reply)
    if reply is not None:
        assert sum(len(event["content"]) for event in events if event["type"] == "text") <= len(reply.text)
        told = [event["content"] for event in events if event["type"] == "tool_call"]
        left = [(use.name, use.args) for use in reply.tool_uses]
        for call in told:
            left.remove((call["name"], call["arguments"]))


@given(pieces=st.lists(st.text(max_size=4), max_size=12), cut=st.booleans())
def test_arguments_in_pieces_are_whole_exactly_when_they_are_an_object(pieces, cut):
    text = "".join(pieces)
    args = json.dumps({"said": text, "list": [{"}": "{"}]}, ensure_ascii=not cut)
    if cut:
        args = args[: len(args) // 2]
    chunks, at = [], 0
    for piece in [*pieces, args]:
        chunks.append(args[at : at + len(piece)])
        at += len(piece)
    chunks.append(args[at:])
    deltas = [{"index": 0, "id": "c", "function": {"name": "f", "arguments": ""}}]
    deltas += [{"index": 0, "function": {"arguments": chunk}} for chunk in chunks]
    done = [{"choices": [{"delta": {"tool_calls": [delta]}}]} for delta in deltas]
    events, reply = assemble("openai", [*done, {"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}])
    (use,) = reply.tool_uses
    assert use.args_text == args
    assert [event["content"]["arguments"] for event in events] == ([] if cut else [json.loads(args)])
    assert (use.args_state, reply.finish) == (("incomplete", "length") if cut else ("object", "tool_calls"))


def openai_chunk(**delta):
    return {"choices": [{"index": 0, "delta": delta}]}


def test_halves_of_one_character_become_whole():
    chunks = [openai_chunk(content=half) for half in ("a\ud83d", "\ude00")]
    for run in (assemble("openai", chunks), assemble("openai", map(json.dumps, chunks))):
        events, reply = run
        assert [event["content"] for event in events] == ["a\ud83d", "\ude00"]
        assert reply.text == "a😀"


def test_one_piece_stays_the_same_object():
    text = "word " * 9
    events, reply = assemble("openai", [openai_chunk(content=text)])
    assert events[0]["content"] is text
    assert reply.text is text


def test_bytes_in_pieces_are_bytes():
    """As boto3 decodes them; a single piece stays the same object."""

    def thought(index, piece):
        delta = {"reasoningContent": {"redactedContent": piece}}
        return {"contentBlockDelta": {"contentBlockIndex": index, "delta": delta}}

    alone = b"\x00\xff" * 9
    chunks = [thought(0, alone), thought(1, b"ab"), thought(1, b"\xffc"), {"messageStop": {"stopReason": "end_turn"}}]
    _, reply = assemble("bedrock", chunks)
    ((first, second),) = (turn["content"] for turn in elements(reply, "bedrock"))
    assert first["reasoningContent"]["redactedContent"] is alone
    assert second["reasoningContent"]["redactedContent"] == b"ab\xffc"
    assert pickle.loads(pickle.dumps(reply)) == reply


def test_a_binary_body_whose_lengths_are_wrong():
    stream = tw.StreamAssembler("bedrock")
    with pytest.raises(tw.ParseError, match="checksum") as caught:
        stream.feed_bytes(b"\x00\x00\x00\x8e" * 3)
    assert (caught.value.code, caught.value.dialect) == ("unexpected_chunk", "bedrock")
    # The start of the next frame is unknown.
    assert stream.feed_bytes(b"\x00" * 99) == []
    assert stream.finish().finish == "error"


def test_feeding_after_the_end_is_an_error():
    stream = tw.StreamAssembler("openai")
    stream.finish()
    for after in (lambda: stream.feed({}), lambda: stream.feed("{}"), lambda: stream.feed_bytes(b""), stream.finish):
        with pytest.raises(tw.TurnwireError, match="finished") as caught:
            after()
        assert (caught.value.code, caught.value.path) == ("finished", "$")


def test_wrong_arguments():
    for name in ("nobody", "history", "amazon-q"):
        with pytest.raises(tw.UnknownDialectError) as unknown:
            tw.StreamAssembler(name)
        assert unknown.value.code == "unknown_dialect"
    stream = tw.StreamAssembler("openai")
    assert repr(stream) == 'StreamAssembler("openai")'
    for chunk, code in [(5, "wrong_type"), (object(), "not_json"), ("{", "invalid_json"), ("[" * 300, "too_deep")]:
        with pytest.raises(tw.TurnwireError) as caught:
            stream.feed(chunk)
        assert caught.value.code == code
    with pytest.raises(TypeError):
        stream.feed_bytes("data: {}")  # type: ignore[arg-type]
    assert stream.feed("[DONE]") == stream.feed(b" ") == []
    assert stream.finish().finish == "error"


def test_events_before_an_error_come_with_the_next_call():
    stream = tw.StreamAssembler("openai")
    good = [f"data: {json.dumps(openai_chunk(content=text))}\n\n" for text in "ab"]
    with pytest.raises(tw.ParseError) as caught:
        stream.feed_bytes((good[0] + "data: {]\n\n" + good[1]).encode())
    assert caught.value.code == "invalid_json"
    assert [event["content"] for event in stream.feed_bytes(b"")] == ["a", "b"]
    assert stream.finish().text == "ab"


class Interrupted:
    """An event whose export is interrupted."""

    def model_dump(self, **options):
        raise KeyboardInterrupt


def test_an_interrupt_is_passed_on():
    with pytest.raises(KeyboardInterrupt):
        tw.StreamAssembler("openai").feed(Interrupted())


def sdk_events(dialect, chunks):
    """The same chunks as the official SDK's objects, and as its helper gives them, with its derived events."""
    if dialect == "openai":
        module = pytest.importorskip("openai.types.chat", reason="the official SDKs are not installed (group wire)")
        helper = pytest.importorskip("openai.lib.streaming.chat._completions")
        objects = [module.ChatCompletionChunk.model_validate(chunk) for chunk in chunks]
        state = helper.ChatCompletionStreamState()
        return objects, [event for chunk in objects for event in state.handle_chunk(chunk)]
    if dialect == "openai-responses":
        module = pytest.importorskip(
            "openai.types.responses", reason="the official SDKs are not installed (group wire)"
        )
        models, sdk = pytest.importorskip("openai._models"), pytest.importorskip("openai")
        helper = pytest.importorskip("openai.lib.streaming.responses._responses")
        objects = [models.construct_type(type_=module.ResponseStreamEvent, value=chunk) for chunk in chunks]
        state = helper.ResponseStreamState(input_tools=sdk.omit, text_format=sdk.omit)
        return objects, [event for chunk in objects for event in state.handle_event(chunk)]
    types = pytest.importorskip("anthropic.types", reason="the official SDKs are not installed (group wire)")
    models = pytest.importorskip("anthropic._models")
    helper = pytest.importorskip("anthropic.lib.streaming._messages")
    objects = [models.construct_type(type_=types.RawMessageStreamEvent, value=chunk) for chunk in chunks]
    snapshot, buffers, derived = None, {}, []
    for event in objects:
        snapshot = helper.accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)
        derived += helper.build_events(event=event, message_snapshot=snapshot)
    return objects, derived


@pytest.mark.parametrize("dialect", ["openai", "openai-responses", "anthropic"])
def test_sdk_objects_are_chunks(dialect):
    tried = 0
    for record in streams(dialect):
        chunks = [chunk for chunk in plain.sse(record["stream"]) if "error" not in chunk]
        if any(choice["delta"].get("executed_tools") for chunk in chunks for choice in chunk.get("choices", [])):
            continue
        # The helper of Responses copies everything so far for each event.
        if record["host"] not in ("api.openai.com", "api.anthropic.com") or len(record["stream"]) > 50_000:
            continue
        plain_events, plain_reply = assemble(dialect, chunks)
        for objects in sdk_events(dialect, chunks):
            events, reply = assemble(dialect, objects)
            assert events == plain_events
            assert reply == plain_reply or plain.said(reply.usage) == plain.said(plain_reply.usage)
            assert plain.said(elements(reply, dialect)) == plain.said(elements(plain_reply, dialect))
            tried += 1
    assert tried > 10


def sse(*events: dict[str, Any]) -> bytes:
    return b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)


FUNCTION = {"name": "f", "arguments": ""}
CUT_AT_ARGUMENTS: dict[Any, bytes] = {
    "openai": sse(
        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "c", "function": FUNCTION}]}}]},
    ),
    "openai-responses": sse(
        {
            "type": "response.output_item.added",
            "output_index": 0,
            "item": {"type": "function_call", "id": "fc_1", "call_id": "c", **FUNCTION},
        },
    ),
    "anthropic": sse(
        {"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "c", "name": "f", "input": {}},
        },
    ),
    "cohere": sse(
        {"type": "message-start", "id": "m"},
        {
            "type": "tool-call-start",
            "index": 0,
            "delta": {"message": {"tool_calls": {"id": "c", "function": FUNCTION}}},
        },
    ),
}


@pytest.mark.parametrize("dialect", CUT_AT_ARGUMENTS)
def test_a_call_that_is_cut_before_its_arguments_is_incomplete(dialect: Any) -> None:
    stream = tw.StreamAssembler(dialect)
    assert stream.feed_bytes(CUT_AT_ARGUMENTS[dialect]) == []
    reply = stream.finish()
    assert (reply.finish, reply.events) == ("error", ())
    (call,) = reply.tool_uses
    assert (call.name, call.args, call.args_state) == ("f", None, "incomplete")
    assert not tw.Conversation(["q"]).extended(reply).pending_tool_uses


def test_a_call_without_arguments_is_complete_where_its_provider_sends_calls_whole() -> None:
    stream = tw.StreamAssembler("gemini")
    stream.feed_bytes(
        sse({"candidates": [{"content": {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}}]})
    )
    (call,) = stream.finish().tool_uses
    assert (call.args, call.args_state) == ({}, "object")
