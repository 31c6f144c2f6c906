"""All events of an assembler, for writers of streams; and Bedrock's binary body, which it reads."""

from random import Random

import plain_replies as plain
import pytest
import stream_makers as makers
import turnwire as tw
from test_replies import records
from test_streams import SOUND


def all_events(dialect, chunks, events):
    stream = tw.StreamAssembler(dialect, events=events)
    told = [event for chunk in chunks for event in stream.feed(chunk)]
    reply = stream.finish()
    return [*told, *reply.events], reply


@pytest.mark.parametrize("vector", [param for param in SOUND if "chunks" in param.values[0]])
def test_all_events_agree_with_the_other_events(vector):
    check_all(vector["dialect"], vector["chunks"])


@pytest.mark.parametrize("wire", makers.MAKERS)
def test_all_events_of_streams_that_were_made(wire):
    for seed in range(30):
        chunks, said = makers.MAKERS[wire](Random(seed))
        told = check_all(wire, chunks)
        refusals = "".join(event["content"] for event in told if event["type"] == "refusal")
        texts = "".join(event["content"] for event in told if event["type"] == "text")
        assert sorted(texts + refusals) == sorted(said.text)


def check_all(dialect, chunks):
    """Pieces are inside parts that begin and end, calls grow until they end, and the last events give the end."""
    told, reply = all_events(dialect, chunks, "full")
    few, plain_reply = all_events(dialect, chunks, "plain")
    assert [event for event in told if event["type"] in ("text", "reasoning", "tool_call")] == few
    assert (reply.text, reply.finish, reply.tokens) == (plain_reply.text, plain_reply.finish, plain_reply.tokens)
    assert [event["type"] for event in told].count("begin") == 1
    assert told[0]["type"] == "begin"
    part, calls = None, {}
    for event in told[1:]:
        kind, content = event["type"], event["content"]
        if kind == "part_begin":
            assert part is None
            part = content
        elif kind == "part_end":
            assert part == content
            part = None
        elif kind in ("text", "reasoning", "refusal"):
            assert part == kind
        elif kind == "call_begin":
            assert part is None
            assert content["call"] == len(calls)
            calls[content["call"]] = [content, "", False]
        elif kind == "call_piece":
            assert not calls[content["call"]][2]
            calls[content["call"]][1] += content["arguments"]
        elif kind == "call_whole":
            calls[content["call"]][1] = content["arguments"]
        elif kind == "call_end":
            calls[content["call"]][2] = True
    assert part is None
    assert all(ended for *_, ended in calls.values())
    # Items may end in another order than they begin.
    assert sorted(call["name"] for call, *_ in calls.values()) == sorted(use.name for use in reply.tool_uses)
    last = {event["type"]: event["content"] for event in reply.events[-3:]}
    assert last["finish"] == reply.finish
    assert last["usage"].get("input") == reply.tokens.input
    return told


def test_the_word_for_events_is_one_of_two():
    with pytest.raises(ValueError, match="plain"):
        tw.StreamAssembler("openai", events="all")


def test_frames_are_read_as_clients_decode_them():
    found = 0
    for record in records("bedrock"):
        if record["stream"]:
            chunks = plain.chunks(record["stream"])
            by_event, by_bytes = tw.StreamAssembler("bedrock"), tw.StreamAssembler("bedrock")
            body = makers.as_bytes("bedrock", chunks)
            told = [event for at in range(len(body)) for event in by_bytes.feed_bytes(body[at : at + 1])]
            assert told == [event for chunk in chunks for event in by_event.feed(chunk)]
            one, other = by_bytes.finish(), by_event.finish()
            assert (one.text, one.finish, one.tokens, one.tool_uses) == (
                other.text,
                other.finish,
                other.tokens,
                other.tool_uses,
            )
            found += 1
    assert found


def test_a_frame_without_its_checksum():
    chunks, _ = makers.MAKERS["bedrock"](Random(5))
    body = makers.as_bytes("bedrock", chunks)
    for at in range(0, len(body), 7):
        broken = bytearray(body)
        broken[at] ^= 0x10
        converter, errors = tw.replies.StreamConverter(source="bedrock", target="anthropic"), []
        written = b""
        for start in range(0, len(broken), 11):
            try:
                written += converter.feed_bytes(bytes(broken[start : start + 11]))
            except tw.TurnwireError as error:
                errors.append(error)
                if error.code == "finished":
                    break
        assert errors
        assert (errors[0].code, errors[0].dialect) == ("unexpected_chunk", "bedrock")
        assert "frame" in str(errors[0])


@pytest.mark.parametrize("wire", makers.MAKERS)
def test_a_stream_that_breaks_off_leaves_no_call_to_run_without_its_arguments(wire):
    for seed in range(40):
        chunks, _ = makers.MAKERS[wire](Random(seed))
        whole = {call.id: call for call in all_events(wire, chunks, "plain")[1].tool_uses}
        for end in range(len(chunks)):
            for call in all_events(wire, chunks[:end], "plain")[1].tool_uses:
                assert call.args is None or call.args == whole[call.id].args
