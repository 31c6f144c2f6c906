"""AG-UI's events: runs are read as they were sent; the protocol's package and pairs judge what is written."""

import json
from pathlib import Path
from random import Random

import pytest
import reply_makers
import stream_makers as makers
import stream_readers as readers
import turnwire as tw
from front_streams import calls_of, fed
from random_runs import tries

core = pytest.importorskip("ag_ui.core", reason="ag-ui-protocol is not installed (dependency group dev)")
pydantic = pytest.importorskip("pydantic", reason="pydantic is not installed (dependency group dev)")

UI = "ag-ui"
EVENT = pydantic.TypeAdapter(core.Event)
OTHERS = [wire for wire in makers.MAKERS if wire != UI]
SAMPLE = Path(__file__).parent / "samples/fronts/agui-09-events.json"


def sound(events):
    for event in events:
        EVENT.validate_python(event)


def test_what_was_made_is_what_is_read():
    for seed in range(tries(300)):
        events, said = makers.drawn("ag-ui", Random(seed))
        sound(events)
        reply, told, wrong = fed(UI, events)
        assert not wrong
        assert (reply.text, calls_of(reply), reply.finish) == (said.text, said.calls, said.finish), seed
        assert (reply.tokens.input, reply.tokens.output) == said.usage
        assert "".join(event["content"] for event in told if event["type"] == "reasoning") == said.reasoning
        whole = tw.parse_reply(events)
        assert (whole.text, calls_of(whole), whole.finish) == (said.text, said.calls, said.finish)
        assert {loss.code for loss in reply.receipt} <= {"opaque"}
        assert len(reply.receipt) == sum(event["type"] == "STATE_DELTA" for event in events) == len(whole.receipt)


@pytest.mark.parametrize("source", OTHERS)
def test_streams_become_runs_and_come_back(source):
    for seed in range(tries(60)):
        chunks, said = makers.MAKERS[source](Random(seed))
        there = tw.replies.StreamConverter(source=source, target=UI)
        events = [event for chunk in chunks for event in there.feed(chunk)] + there.finish()
        sound(events)
        got = readers.read(UI, events)
        assert (got.text, got.reasoning, got.calls) == (said.text, said.reasoning, said.calls)
        reply, _, wrong = fed(UI, events)
        assert not wrong
        assert not reply.receipt.changed
        assert (reply.text, calls_of(reply)) == (said.text, said.calls)
        back = tw.replies.StreamConverter(source=UI, target=source)
        again = [event for chunk in events for event in back.feed(chunk)] + back.finish()
        got = readers.read(source, again)
        assert (got.text, got.calls, got.usage) == (said.text, said.calls, said.usage), seed


def in_order(events):
    """The texts and calls of a run in their order: pieces joined, and adjacent texts joined."""
    said, calls = [], {}
    for event in events:
        kind, _, step = event["type"].rpartition("_")
        if step == "START" and kind == "TOOL_CALL":
            calls[event["toolCallId"]] = [kind, event["toolCallName"], ""]
            said.append(calls[event["toolCallId"]])
        elif step == "ARGS":
            calls[event["toolCallId"]][2] += event["delta"]
        elif step == "CONTENT" and said and said[-1][0] == kind:
            said[-1][1] += event["delta"]
        elif step == "CONTENT":
            said.append([kind, event["delta"]])
    # A whole reply reports a blank message, and leaves it out.
    return [(*one, json.loads(args)) for *one, args in calls.values()], [one[:2] for one in said if one[1].strip()]


# A reply of Chat Completions has its text before its calls, whatever came first. Gemini's calls come at the end,
# and so do those of a server that may answer them itself.
@pytest.mark.parametrize("source", [wire for wire in OTHERS if wire not in ("openai", "gemini", "ai-sdk-ui")])
def test_a_whole_reply_has_the_order_of_its_stream(source):
    for seed in range(tries(60)):
        chunks, _ = makers.MAKERS[source](Random(seed))
        converter, stream = tw.replies.StreamConverter(source=source, target=UI), tw.StreamAssembler(source)
        events = [event for chunk in chunks for event in converter.feed(chunk)] + converter.finish()
        for chunk in chunks:
            stream.feed(chunk)
        reply = stream.finish()
        out = reply.render(UI).payload
        sound(out)
        assert in_order(out) == in_order(events), seed
        last, streamed = out[-1], events[-1]
        if source == "bedrock":
            # A stream's id is not made from its later content where the source has no id.
            last, streamed = ({**one, "runId": "", "threadId": ""} for one in (last, streamed))
        assert last == streamed


@pytest.mark.parametrize("source", [wire for wire in reply_makers.WRITE if wire != UI])
def test_whole_replies_become_runs_and_come_back(source):
    for seed in range(tries(60)):
        body, said = reply_makers.drawn(Random(f"{source} {seed}"), source)
        out = tw.replies.convert_reply(body, UI, source=source)
        by_json = tw.replies.convert_reply_json(json.dumps(body), UI, source=source)
        assert (json.loads(by_json.payload), by_json.receipt, by_json.status) == (out.payload, out.receipt, out.status)
        events = out.payload
        sound(events)
        got = readers.read(UI, events)
        if out.status:
            assert got.failed
            continue
        assert [call[1:] for call in got.calls] == said.calls, seed
        assert got.text == said.text + said.refusal, seed
        assert bool(got.reasoning) == any(sort in json.dumps(body) for sort in reply_makers.THOUGHTS)
        assert not fed(UI, events)[2]
        back = tw.replies.convert_reply(events, source, source=UI)
        told = reply_makers.read(source, back.payload)
        assert told.calls == said.calls
        assert told.text == got.text


def test_bytes_cut_anywhere_are_the_same_run():
    for seed in range(tries(60)):
        rng = Random(seed)
        events, _ = makers.drawn("ag-ui", rng)
        body = makers.as_bytes(UI, events, rng)
        stream, told = tw.StreamAssembler(UI), []
        cuts = sorted(rng.randint(0, len(body)) for _ in range(20))
        for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True):
            told += stream.feed_bytes(body[start:end])
        reply = stream.finish()
        expected, all_told, _ = fed(UI, events)
        assert reply == expected
        assert [*told, *reply.events] == all_told


FAULTS = ["drop", "twice", "swap", "unknown", "cut", "stray"]


@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_is_lost_silently_in_a_faulty_run(fault):
    for seed in range(tries(150)):
        rng = Random(f"{fault} {seed}")
        events, _ = makers.drawn("ag-ui", rng)
        events = [event for event in events if event["type"] != "STATE_DELTA"]
        at = rng.randrange(1, len(events)) if len(events) > 1 else 0
        match fault:
            case "drop":
                del events[at]
            case "twice":
                events.insert(at, events[at])
            case "swap":
                other = rng.randrange(len(events))
                events[at], events[other] = events[other], events[at]
            case "unknown":
                events.insert(at, {"type": rng.choice(["LATER", "CUSTOM", "STEP_STARTED"]), "name": "n", "value": 1})
            case "cut":
                del events[at:]
            case "stray":
                kind = rng.choice(["TEXT_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT"])
                events.insert(at, {"type": kind, "messageId": "none", "delta": "x"})
        reply, told, wrong = fed(UI, events)
        taken = [event for place, event in enumerate(events) if place not in wrong]
        assert all(error.code == "unexpected_chunk" or error.code == "missing_key" for error in wrong.values())
        for kind, sort in (("TEXT_MESSAGE", "text"), ("REASONING_MESSAGE", "reasoning")):
            said = "".join(event.get("delta", "") for event in taken if event["type"].startswith(kind))
            assert "".join(event["content"] for event in told if event["type"] == sort) == said
        named = [event["toolCallId"] for event in taken if "toolCallName" in event]
        assert sorted(use.id for use in reply.tool_uses) == sorted(set(named))
        if fault == "unknown":
            assert [loss.code for loss in reply.receipt] == ["opaque"]
        if fault == "stray" and at < len(events) - 1:
            assert list(wrong) == [at]
        if not any(event["type"] == "RUN_FINISHED" for event in taken):
            assert reply.finish == "error"
        elif fault == "drop" and not wrong:
            # A missing end is reported.
            starts = [event for event in taken if event["type"].endswith("_START") and "CALL" in event["type"]]
            ends = [event for event in taken if event["type"] == "TOOL_CALL_END"]
            assert len(starts) == len(ends) or "stand_in" in {loss.code for loss in reply.receipt}


def test_the_runs_own_tools_and_secrets():
    events = json.loads(SAMPLE.read_text(encoding="utf-8"))
    reply, _, wrong = fed(UI, events)
    assert not wrong
    assert not reply.receipt.changed
    # One of two calls has its result already.
    assert calls_of(reply) == [("c2", "g", {})]
    assert reply.finish == "tool_calls"
    for target in OTHERS:
        out = tw.replies.convert_reply(events, target, source=UI)
        assert "c2ln" not in json.dumps(out.payload)
        assert {"opaque", "signature"} & {loss.code for loss in out.receipt}
        converter = tw.replies.StreamConverter(source=UI, target=target)
        written = [event for chunk in events for event in converter.feed(chunk)] + converter.finish()
        assert "c2ln" not in json.dumps(written, default=str)
        assert "opaque" in {loss.code for loss in converter.receipt}


@pytest.mark.parametrize("bad", [{}, [1], 3, None, True])
def test_ids_of_a_request_are_texts(bad):
    """A run has ids of its own where the request has none that a run can have."""
    reply = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "hi"}], "id": "msg_1"}
    reply |= {"stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}}
    out = tw.replies.convert_reply(
        reply, "ag-ui", source="anthropic", request={"messages": [], "threadId": bad, "runId": bad}
    )
    ends = [event for event in out.payload if event["type"] in ("RUN_STARTED", "RUN_FINISHED")]
    assert [type(event[key]) for event in ends for key in ("threadId", "runId")] == [str] * 4
    assert tw.parse_reply(out.payload, "ag-ui").text == "hi"


def answered(ids):
    """A run that calls three tools side by side, says something, and gives the results of these."""
    events = [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}]
    for number in range(3):
        call = {"toolCallId": f"call_{number}", "parentMessageId": "m"}
        events.append({"type": "TOOL_CALL_START", "toolCallName": f"f{number}", **call})
        events.append({"type": "TOOL_CALL_ARGS", "toolCallId": f"call_{number}", "delta": f'{{"n":{number}}}'})
        events.append({"type": "TOOL_CALL_END", "toolCallId": f"call_{number}"})
    for number in ids:
        result = {"messageId": f"r{number}", "toolCallId": f"call_{number}", "content": "ok", "role": "tool"}
        events.append({"type": "TOOL_CALL_RESULT", **result})
    events += [{"type": "TEXT_MESSAGE_CHUNK", "messageId": "n", "delta": "Done"}]
    return [*events, {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}]


@pytest.mark.parametrize("target", [wire for wire in OTHERS if wire in reply_makers.WRITE])
@pytest.mark.parametrize("ids", [(), (0,), (1,), (2, 0), (0, 1, 2)], ids=str)
def test_a_call_that_the_server_has_run_is_not_run_again(target, ids):
    """A client of another wire would run each call that it reads."""
    events = answered(ids)
    sound(events)
    left = [(f"f{number}", {"n": number}) for number in range(3) if number not in ids]
    converter = tw.replies.StreamConverter(source=UI, target=target)
    written = [event for chunk in events for event in converter.feed(chunk)] + converter.finish()
    got = readers.read(target, written)
    assert (got.text, [call[1:] for call in got.calls]) == ("Done", left)
    assert got.finish == ("tool_calls" if left else "stop")
    out = tw.replies.convert_reply(events, target, source=UI)
    told = reply_makers.read(target, out.payload)
    assert (told.text, told.calls) == ("Done", left)
    for losses in (converter.receipt, out.receipt):
        lost = [loss.path for loss in losses if loss.code == "opaque"]
        # Each call, and each result.
        assert len(lost) == 2 * len(ids)


def test_an_error_ends_the_run():
    start = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    failed = {"type": "RUN_ERROR", "message": "Slow down", "code": "rate_limited"}
    reply, _, wrong = fed(UI, [start, failed])
    assert (reply.finish, reply.error, wrong) == ("error", {"message": "Slow down", "code": "rate_limited"}, {})
    out = tw.replies.convert_reply([start, failed], "anthropic", source=UI)
    assert (out.status, out.payload["error"]["type"]) == (429, "rate_limit_error")
    out = tw.replies.convert_reply(out.payload, UI, source="anthropic")
    assert out.payload == [failed]
    _, _, wrong = fed(UI, [start, failed, {"type": "TEXT_MESSAGE_START", "messageId": "m"}])
    assert list(wrong) == [2]


def test_a_large_snapshot_is_read_in_time_that_grows_with_it():
    """Each result is looked up among the known ones: a linear search would take minutes for 60,000 of them."""
    messages = [{"id": "u", "role": "user", "content": "q"}]
    for at in range(60_000):
        function = {"name": "f", "arguments": "{}"}
        call = {"id": f"c{at}", "type": "function", "function": function}
        messages.append({"id": f"a{at}", "role": "assistant", "toolCalls": [call]})
        messages.append({"id": f"r{at}", "role": "tool", "toolCallId": f"c{at}", "content": "ok"})
    ids = {"threadId": "t", "runId": "r"}
    # The same results again, with other ids.
    again = [{**one, "id": f"other {one['id']}"} if one["role"] == "tool" else one for one in messages]
    snapshots = [{"type": "MESSAGES_SNAPSHOT", "messages": one} for one in (messages, again)]
    reply = tw.parse_reply([{"type": "RUN_STARTED", **ids}, *snapshots, {"type": "RUN_FINISHED", **ids}], UI)
    assert len(reply.turns) == 120_000
    assert reply.tool_uses == () and not reply.receipt.changed


@pytest.mark.parametrize("target", OTHERS)
def test_a_run_that_fails_reports_what_was_not_written(target):
    """Calls wait for the end of the run, and a snapshot may be all of a text. An error has a place for neither."""
    call = [
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "look"},
        {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{}"},
        {"type": "TOOL_CALL_END", "toolCallId": "c"},
    ]
    snapshot = [{"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "m", "role": "assistant", "content": "said"}]}]
    text = [{"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "said"}]
    start, end = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, {"type": "RUN_ERROR", "message": "broken"}
    for said, losses in ((call, ["empty_turn"]), (snapshot, ["empty_turn"]), (text, [])):
        for events in ([start, *said, end], [start, *said]):
            converter = tw.replies.StreamConverter(source=UI, target=target)
            made = [chunk for event in events for chunk in converter.feed(event)] + converter.finish()
            assert "broken" in str(made) or "closed" in str(made)
            assert [loss.code for loss in converter.receipt] == losses


def test_a_text_with_the_role_of_reasoning_is_the_assistants():
    events = [
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "reasoning"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Look"},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": {"type": "success"}},
    ]
    reply, told, _ = fed(UI, events)
    assert [event["type"] for event in told] == ["text"]
    assert reply.text == "Look"
