"""Interactions: recorded steps and streams come back, histories convert there and back, broken ones are repaired."""

import json
import random
import re
from pathlib import Path

import pytest
import reply_makers
import stream_makers
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st
from judges import fronts
from judges import gemini_interactions as checker
from random_runs import tries

NAME = "gemini-interactions"
SOURCES = ("openai", "anthropic", "gemini", "openai-responses", "bedrock")
SAMPLES = sorted((Path(__file__).parent / "samples/fronts").glob("interactions-*.json"))
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def words_of(value):
    """Every word of a payload, in strings and in JSON text inside them."""
    return set(re.findall(r"w0\w+", json.dumps(value)))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_come_back_unchanged_through_both_functions(path):
    payload = json.loads(path.read_text(encoding="utf-8"))
    if path.stem.endswith("stream"):
        replayed(payload)
        return
    payload = payload if isinstance(payload, dict) else {"input": payload}
    made = tw.convert(payload, NAME, source=NAME)
    assert not made.receipt.changed
    assert made.payload == {key: payload[key] for key in made.payload}
    assert made.payload["input"] == payload["input"]
    text = tw.convert_json(json.dumps(payload), NAME, source=NAME)
    assert json.loads(text.payload) == made.payload


def replayed(chunks):
    """A stream that comes back unchanged, through both functions, as does its reply."""
    converter = tw.replies.StreamConverter(source=NAME, target=NAME)
    assert [event for chunk in chunks for event in converter.feed(chunk)] + converter.finish() == chunks
    body = b"".join(f"event: {chunk['event_type']}\ndata: {json.dumps(chunk)}\n\n".encode() for chunk in chunks)
    converter = tw.replies.StreamConverter(source=NAME, target=NAME)
    assert converter.feed_bytes(body) + converter.finish() == body
    reply = assembled(chunks)
    whole = plain_assembly(chunks)
    assert reply == tw.parse_reply(whole, NAME) == tw.parse_reply(json.dumps(whole), NAME)
    assert tw.replies.convert_reply(whole, NAME, source=NAME).payload == whole


# The SDK's own types have deprecated fields, which pydantic reads.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("source", SOURCES)
def test_the_sdk_takes_what_is_written(source):
    for seed in range(tries(100)):
        first = tw.convert(history(random.Random(seed)), source, source="openai", blobs="base64").payload
        made = {"model": "m", **tw.convert(first, NAME, source=source).payload}
        assert [*fronts.check("interactions", made)] == []


def assembled(chunks):
    stream = tw.StreamAssembler(NAME)
    for chunk in chunks:
        stream.feed(chunk)
    return stream.finish()


def plain_assembly(chunks):
    """The whole interaction, put together slowly and plainly: steps by their index, texts joined."""
    whole, steps, args = {}, {}, {}
    for event in chunks:
        step = steps.get(event.get("index"))
        match event["event_type"]:
            case "interaction.created" | "interaction.completed":
                whole |= event["interaction"]
            case "step.start":
                steps[event["index"]] = dict(event["step"])
            case "step.delta":
                delta = dict(event["delta"])
                kind = delta.pop("type")
                if kind == "arguments_delta":
                    args[event["index"]] = args.get(event["index"], "") + delta["arguments"]
                elif kind == "thought_signature":
                    step["signature"] = delta["signature"]
                elif kind in ("text", "text_annotation_delta", "thought_summary"):
                    said = step.setdefault("summary" if kind == "thought_summary" else "content", [])
                    content = delta.get("content", delta)
                    if not said or "text" not in said[-1]:
                        said.append({"type": "text", "text": ""})
                    said[-1]["text"] += content.get("text", "")
                    if kind == "text_annotation_delta":
                        said[-1]["annotations"] = [*said[-1].get("annotations", []), *delta["annotations"]]
                elif step["type"] == "model_output":
                    step.setdefault("content", []).append(event["delta"])
                else:
                    step |= delta
    for index, text in args.items():
        if text:
            steps[index]["arguments"] = json.loads(text)
    for step in steps.values():
        if step["type"] == "model_output":
            step.setdefault("content", [])
    return {**whole, "steps": [steps[index] for index in sorted(steps)]}


def server_steps(dice):
    """Events of steps that only Google runs, with images and thoughts between them."""
    out, index = [], 0
    for _ in range(dice.randrange(1, 6)):
        kind = dice.choice(["google_search", "code_execution", "url_context", "file_search", "later_kind", "image"])
        if kind == "image":
            starts = [({"type": "model_output"}, {"type": "image", "mime_type": "image/png", "data": PNG})]
        else:
            call = ({"type": f"{kind}_call", "id": f"s{index}", "signature": ""}, {"arguments": {"q": index}})
            result = ({"type": f"{kind}_result", "call_id": f"s{index}"}, {"result": [{"n": index}], "is_error": True})
            starts = [(start, {"type": start["type"], **more}) for start, more in (call, result)]
        for start, delta in starts:
            at = {"index": index}
            out += [
                {"event_type": "step.start", **at, "step": start},
                {"event_type": "step.delta", **at, "delta": delta},
                {"event_type": "step.stop", **at},
            ]
            index += 1
    return out


@given(st.integers(0, 2**32))
def test_streams_are_what_a_plain_assembly_gives(seed):
    dice = random.Random(seed)
    chunks, _ = stream_makers.MAKERS[NAME](dice)
    if dice.random() < 0.5:
        chunks = [*chunks[:2], *server_steps(dice), chunks[-1]]
    whole, reply = plain_assembly(chunks), assembled(chunks)
    assert reply == tw.parse_reply(whole, NAME)
    for target in SOURCES:
        by_whole = tw.replies.convert_reply(whole, target, source=NAME)
        by_stream = reply.render(target)
        assert (by_stream.status, by_stream.receipt) == (by_whole.status, by_whole.receipt)
        told = reply_makers.read(target, by_whole.payload)
        assert told.text == reply.text
        assert told.calls == [(use.name, use.args) for use in reply.tool_uses]
        lost = {loss.code for loss in by_whole.receipt if loss.kind == "lost"}
        assert PNG not in json.dumps(whole) or PNG in json.dumps(by_whole.payload) or "media" in lost
        assert not any(step["type"].endswith("_result") for step in whole["steps"]) or "opaque" in lost


def problems(written):
    """What the judge finds, without the key that is on the wire and not in the SDK's types."""
    return [found for found in fronts.check("interactions", written) if not found[1].endswith(".object")]


# The SDK's own types have deprecated fields, which pydantic reads.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("source", [wire for wire in reply_makers.WRITE if wire != NAME])
def test_the_sdk_takes_replies_and_streams_that_are_written(source):
    for seed in range(tries(60)):
        body, _ = reply_makers.drawn(random.Random(seed), source)
        made = tw.replies.convert_reply(body, NAME, source=source)
        assert made.status == 500 or problems(made.payload) == []
        if source in stream_makers.MAKERS:
            converter = tw.replies.StreamConverter(source=source, target=NAME)
            chunks, _ = stream_makers.MAKERS[source](random.Random(seed))
            events = [event for chunk in chunks for event in converter.feed(chunk)] + converter.finish()
            assert problems(events) == []


def is_form(loss):
    """Whether a loss concerns what only the source has: a stand-in for a signature, or the detail level of an image."""
    return loss.code == "signature" or loss.path.endswith(".detail")


def history(dice):
    """Messages of Chat Completions: each word is there once."""
    count = iter(range(10**6))

    def word():
        return f"w0{next(count)}z"

    def user():
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
        return {"role": "user", "content": dice.choice([word(), [{"type": "text", "text": word()}, image]])}

    messages = [{"role": "system", "content": word()}, user()]
    for _ in range(dice.randrange(1, 5)):
        calls = [
            {"id": word(), "type": "function", "function": {"name": word(), "arguments": json.dumps({"q": word()})}}
            for _ in range(dice.randrange(4))
        ]
        said = {"role": "assistant", "content": word()}
        messages.append(said | ({"tool_calls": calls} if calls else {}))
        results = [{"role": "tool", "tool_call_id": call["id"], "content": word()} for call in calls]
        dice.shuffle(results)
        for result in results:
            result["content"] = dice.choice(["", "[tool error] "]) + result["content"]
        messages += [*results, user()]
    return {"messages": messages}


@given(st.integers(0, 2**32), st.sampled_from(SOURCES))
def test_there_and_back_nothing_is_lost(seed, source):
    first = tw.convert(history(random.Random(seed)), source, source="openai", blobs="base64").payload
    there = tw.convert(first, NAME, source=source)
    assert [*checker.check(there.payload)] == []
    assert [loss for loss in there.receipt if loss.kind == "lost" and not is_form(loss)] == []
    back = tw.convert(there.payload, source, source=NAME, blobs="base64")
    assert words_of(back.payload) == words_of(there.payload) == words_of(first)
    for made in (there.payload, back.payload):
        assert json.dumps(made).count(PNG) == json.dumps(first).count(PNG)


def drop_result(steps, dice):
    steps.remove(dice.choice([step for step in steps if step["type"] == "function_result"]))


def drop_call(steps, dice):
    steps.remove(dice.choice([step for step in steps if step["type"] == "function_call"]))


def repeat_result(steps, dice):
    found = dice.choice([step for step in steps if step["type"] == "function_result"])
    steps.insert(dice.randrange(steps.index(found) + 1, len(steps) + 1), dict(found))


def late_result(steps, dice):
    found = dice.choice([step for step in steps if step["type"] == "function_result"])
    steps.remove(found)
    steps.append(found)


def same_id(steps, dice):
    calls = [step for step in steps if step["type"] == "function_call"]
    first, second = dice.choice(calls), dice.choice(calls)
    for step in steps:
        if step.get("call_id") == second["id"]:
            step["call_id"] = first["id"]
    second["id"] = first["id"]


def no_id(steps, dice):
    dice.choice([step for step in steps if step["type"] == "function_call"]).pop("id")


def arguments_as_text(steps, dice):
    found = dice.choice([step for step in steps if step["type"] == "function_call"])
    found["arguments"] = json.dumps(found["arguments"])


def bare_content(steps, dice):
    steps.append({"type": "text", "text": "w0bare"})


def result_in_user_input(steps, dice):
    found = dice.choice([step for step in steps if step["type"] == "function_result"])
    steps[steps.index(found)] = {"type": "user_input", "content": [found]}


def text_as_content(steps, dice):
    dice.choice([step for step in steps if "content" in step])["content"] = "w0text"


FAULTS = [
    drop_result,
    drop_call,
    repeat_result,
    late_result,
    same_id,
    no_id,
    arguments_as_text,
    bare_content,
    result_in_user_input,
    text_as_content,
]


@pytest.mark.parametrize("spoil", FAULTS, ids=lambda spoil: spoil.__name__)
@pytest.mark.parametrize("seed", range(40))
def test_broken_steps_are_repaired(spoil, seed):
    dice = random.Random(seed)
    messages = history(dice)
    while not any("tool_calls" in message for message in messages["messages"]):
        messages = history(dice)
    payload = tw.convert(messages, NAME, source="openai").payload
    spoil(payload["input"], dice)
    built = tw.prepare(payload, NAME, source=NAME)
    assert [*checker.check(built.payload)] == []
    if spoil not in (drop_call, repeat_result, late_result, same_id, no_id):
        assert words_of(payload) <= words_of(built.payload)


# --- The API before May 2026 ---

OLD = {
    "input": [
        {"role": "user", "content": "w01"},
        {
            "role": "model",
            "content": [
                {"type": "thought", "signature": "c2ln", "summary": [{"type": "text", "text": "w02"}]},
                {"type": "text", "text": "w03"},
                {"type": "function_call", "id": "c1", "name": "w04", "arguments": {"q": "w05"}},
            ],
        },
        {"role": "user", "content": [{"type": "function_result", "call_id": "c1", "name": "w04", "result": "w06"}]},
        {
            "role": "model",
            "content": [{"type": "text", "text": "w07"}, {"type": "google_search_call", "id": "s", "arguments": {}}],
        },
        {"role": "user", "content": [{"type": "text", "text": "w08"}]},
    ]
}


def test_turns_of_the_older_api_become_steps():
    assert tw.convert(OLD, NAME, source=NAME).payload == OLD
    for made in (tw.prepare(OLD, NAME, source=NAME), tw.prepare_json(json.dumps(OLD), NAME, source=NAME)):
        payload = made.payload if isinstance(made.payload, dict) else json.loads(made.payload)
        kinds = [step["type"] for step in payload["input"]]
        assert kinds == [
            *("user_input", "thought", "model_output", "function_call", "function_result", "model_output"),
            *("google_search_call", "user_input"),
        ]
        assert payload["input"][1] == OLD["input"][1]["content"][0]
        assert list(checker.check(payload)) == []
        assert words_of(payload) == words_of(OLD)
        assert tw.prepare(payload, NAME, source=NAME).receipt.first_changed_index is None
    assert {finding.code for finding in tw.check(OLD, NAME, source=NAME)} == {"reshaped"}
    for target in SOURCES:
        made = tw.convert(OLD, target, source=NAME)
        assert words_of(OLD) - {"w02"} <= words_of(made.payload), target
        roles = [turn.role for turn in tw.Conversation.parse(made.payload, target).turns]
        assert "assistant" in roles


@pytest.mark.parametrize("role", ["assistant", "", None, 3])
def test_another_role_is_no_turn_of_the_older_api(role):
    with pytest.raises(tw.ParseError) as error:
        tw.convert({"input": [{"role": role, "content": "q"}]}, "openai", source=NAME)
    assert (error.value.code, error.value.path) in [("missing_key", "$.input[0]"), ("wrong_dialect", "$.input[0]")]


def test_a_reply_of_the_older_api_is_read():
    outputs = [*OLD["input"][1]["content"], {"type": "image", "mime_type": "image/png", "data": PNG}]
    usage = {"total_input_tokens": 1, "total_output_tokens": 2}
    body = {"id": "v1", "object": "interaction", "status": "requires_action", "outputs": outputs, "usage": usage}
    for reply in (tw.parse_reply(body), tw.parse_reply(json.dumps(body), NAME)):
        assert (reply.text, reply.finish, reply.tokens.output) == ("w03", "tool_calls", 2)
        assert [(use.id, use.name, use.args) for use in reply.tool_uses] == [("c1", "w04", {"q": "w05"})]
    out = tw.replies.convert_reply(body, "anthropic", source=NAME)
    assert [block["type"] for block in out.payload["content"]][:3] == ["thinking", "text", "tool_use"]
    assert "key" not in {loss.code for loss in out.receipt}


def test_a_stream_of_the_older_api_is_refused():
    for kind in ("interaction.start", "content.start", "content.delta", "content.stop", "interaction.complete"):
        with pytest.raises(tw.ParseError) as error:
            tw.StreamAssembler(NAME).feed({"event_type": kind, "index": 0})
        assert (error.value.code, error.value.path) == ("unexpected_chunk", "$.event_type")
        assert "May 2026" in str(error.value)
