"""Streams that come as one JSON list, as Gemini sends them unless the client asks for events."""

import json
from itertools import pairwise
from random import Random

import plain_replies as plain
import pytest
import stream_makers as makers
import turnwire as tw
from test_replies import records

OTHERS = [dialect for dialect in makers.MAKERS if dialect != "gemini"]


def as_lists(chunks):
    """The list as servers and proxies write it."""
    yield json.dumps(chunks).encode()
    yield json.dumps(chunks, indent=2, ensure_ascii=False).encode() + b"\n"
    yield b"\xef\xbb\xbf\r\n[" + b"\r\n,\r\n".join(json.dumps(chunk).encode() for chunk in chunks) + b"\r\n]\r\n"


def cut(body, seed):
    """The bytes whole, one by one, and in random pieces."""
    yield [body]
    if len(body) < 3000:
        yield [body[at : at + 1] for at in range(len(body))]
    at = [0, *sorted(Random(seed).choices(range(len(body)), k=5)), len(body)]
    yield [body[start:end] for start, end in pairwise(at)]


def assembled(pieces):
    stream = tw.StreamAssembler("gemini")
    events = [event for piece in pieces for event in stream.feed_bytes(piece)]
    return events, stream.finish()


def fed(chunks):
    stream = tw.StreamAssembler("gemini")
    events = [event for chunk in chunks for event in stream.feed(chunk)]
    return events, stream.finish()


def streams():
    made = [makers.MAKERS["gemini"](Random(seed))[0] for seed in range(8)]
    return made + [plain.chunks(record["stream"]) for record in records("gemini") if record["stream"]]


def test_a_list_is_read_as_its_chunks():
    for seed, chunks in enumerate(streams()):
        expected = fed(chunks)
        for body in as_lists(chunks):
            for pieces in cut(body, seed):
                assert assembled(pieces) == expected


@pytest.mark.parametrize("target", OTHERS)
def test_a_list_is_converted_as_its_chunks(target):
    for seed, chunks in enumerate(streams()):
        for body in as_lists(chunks):
            whole = tw.replies.StreamConverter(source="gemini", target=target)
            events = [whole.feed_bytes(b"data: " + json.dumps(chunk).encode() + b"\n\n") for chunk in chunks]
            expected = b"".join([*events, whole.finish()])
            for pieces in cut(body, seed):
                converter = tw.replies.StreamConverter(source="gemini", target=target)
                got = [converter.feed_bytes(piece) for piece in pieces]
                assert b"".join([*got, converter.finish()]) == expected
                assert converter.receipt == whole.receipt
                assert not converter.abort


CHUNKS = [
    {"candidates": [{"content": {"parts": [{"text": "[{"}], "role": "model"}}]},
    {"candidates": [{"content": {"parts": [{"text": '"}]'}], "role": "model"}, "finishReason": "STOP"}]},
]


def test_a_list_that_ends_early_is_a_broken_stream():
    for body in as_lists(CHUNKS):
        body = body.rstrip()
        for end in range(len(body)):
            _, reply = assembled([body[:end]])
            assert reply.finish == "error", end
            assert "[{".startswith(reply.text) or reply.text == '[{"}]'
            converter = tw.replies.StreamConverter(source="gemini", target="openai")
            out = converter.feed_bytes(body[:end]) + converter.finish()
            assert b'"error"' in out and b"[DONE]" not in out


@pytest.mark.parametrize("between", [";", ",,", "", " 7,", ",null,", "]", "]["])
def test_a_damaged_list_is_told(between):
    one, other = map(json.dumps, CHUNKS)
    stream = tw.StreamAssembler("gemini")
    with pytest.raises(tw.ParseError):
        stream.feed_bytes(f"[{one}{between}{other}]".encode())
    assert stream.feed_bytes(b",") == [{"type": "text", "content": "[{"}]
    reply = stream.finish()
    assert (reply.text, reply.finish) == ("[{", "error")


def test_an_error_in_a_list_is_the_error():
    error = {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}
    _, reply = assembled([json.dumps([error], indent=1).encode()])
    assert (reply.finish, reply.error) == ("error", error["error"])


def test_a_list_is_replayed_with_the_callers_names():
    names = tw.prepare(
        {"messages": [{"role": "user", "content": "q"}], "tools": [{"type": "function", "function": {"name": "a b"}}]},
        "gemini",
    )
    (wire,) = names.names
    part = {"functionCall": {"name": wire, "args": {"name": wire}}}
    chunk = {"candidates": [{"content": {"parts": [part], "role": "model"}, "finishReason": "STOP"}]}
    for body in as_lists([chunk, chunk]):
        for pieces in cut(body, 1):
            converter = tw.replies.StreamConverter(source="gemini", target="gemini", request=names)
            got = b"".join([*map(converter.feed_bytes, pieces), converter.finish()])
            assert got.count(b'"a b"') == 2 and got.replace(b'"a b"', json.dumps(wire).encode()) == body
            assert not converter.abort


def test_nothing_is_written_behind_a_list_that_breaks_off():
    (body, *_) = as_lists(CHUNKS)
    converter = tw.replies.StreamConverter(source="gemini", target="gemini")
    assert converter.feed_bytes(body[:-3]) == body[:-3]
    assert converter.finish() == b""
    assert converter.abort
