"""Whole replies: recorded ones as a plain reading has them, the vectors, and what a Reply is in Python."""

import copy
import json
import pickle
from collections import Counter, defaultdict
from pathlib import Path

import plain_replies as plain
import pytest
import turnwire as tw

VECTORS = [
    pytest.param(vector, id=f"{vector['dialect']}-{vector['name']}")
    for vector in json.loads((Path(__file__).parent / "vectors/streams.json").read_text(encoding="utf-8"))
    if "reply" in vector
]
WIRE = Path(__file__).resolve().parents[2] / "shared/data/wire"


def records(dialect):
    path = WIRE / f"{dialect}.jsonl"
    if not path.exists():
        pytest.skip("the recorded traffic is not here (../shared/data/wire)")
    with path.open(encoding="utf-8") as lines:
        return [record for record in map(json.loads, lines) if record["status"] == 200]


def elements(reply, dialect):
    """The reply's turns as their own dialect writes them."""
    return wire_list(tw.Conversation(reply).render(dialect).payload)


def wire_list(payload):
    return (
        payload
        if isinstance(payload, list)
        else next(payload[key] for key in ("messages", "contents") if key in payload)
    )


def losses_of(reply):
    return [{"kind": loss.kind, "code": loss.code, "path": loss.path} for loss in reply.losses]


def tokens_of(reply):
    tokens = reply.tokens
    return [tokens.input, tokens.output, tokens.cached, tokens.reasoning]


def check(vector, reply):
    assert elements(reply, vector["dialect"]) == vector["turns"]
    assert (reply.finish, reply.stop_reason, reply.error) == (
        vector["finish"],
        vector["stop_reason"],
        vector.get("error"),
    )
    assert losses_of(reply) == vector.get("losses", [])
    assert list(reply.events) == vector.get("late", [])
    assert tokens_of(reply) == vector.get("tokens", tokens_of(reply))


@pytest.mark.parametrize("vector", VECTORS)
def test_vectors(vector):
    payload = vector["reply"]
    before = copy.deepcopy(payload)
    reply = tw.parse_reply(payload, vector["dialect"])
    check(vector, reply)
    assert payload == before, "the input is untouched"
    for text in (json.dumps(payload), json.dumps(payload).encode()):
        assert tw.parse_reply(text, vector["dialect"]) == reply


@pytest.mark.parametrize("dialect", plain.READ)
def test_recorded_replies_say_what_a_plain_reading_says(dialect):
    met = Counter()
    for record in records(dialect):
        body = record["response"]
        if not body or "pathname" in body:  # An endpoint that only plays a provider.
            continue
        reply = tw.parse_reply(body)
        expected = plain.READ[dialect](body)
        calls = [(use.id, use.name, use.args_text if use.custom else use.args) for use in reply.tool_uses]
        assert (reply.text, calls) == (expected.text, expected.calls), record["cassette"]
        assert (reply.stop_reason, reply.usage) == (expected.stop_reason, expected.usage)
        assert tuple(tokens_of(reply)) == expected.tokens
        assert reply == tw.parse_reply(json.dumps(body).encode(), dialect)
        assert pickle.loads(pickle.dumps(reply)) == reply
        assert reply.losses == ()
        if expected.calls:
            assert reply.finish == ("error" if reply.stop_reason == "UNEXPECTED_TOOL_CALL" else "tool_calls")
        met[reply.finish] += 1
    assert met["stop"] > 50
    assert met["tool_calls"] > 30


# Why a client sent back something else than what it had got: it wrote the reasoning into the text, made a message of
# its own out of an error, or left out objects in which nothing stood.
CHANGED = {
    "openai": {
        "test_groq/test_groq_model_thinking_part": 1,
        "test_groq/test_tool_use_failed_error_streaming": 2,
        "test_groq/test_tool_use_failed_error_streaming_with_text": 1,
        "test_huggingface/test_hf_model_thinking_part": 1,
        "test_snowflake/test_snowflake_tool_calling": 1,
    },
    "anthropic": {},
    "gemini": {},
}
# So many recordings go on with the reply, as far as their messages say so.
GO_ON = {"openai": 58, "anthropic": 59, "gemini": 0}


@pytest.mark.parametrize("dialect", plain.READ)
def test_the_next_request_of_a_recording_holds_the_reply_as_it_is(dialect):
    cassettes = defaultdict(dict)
    for record in records(dialect):
        cassettes[record["cassette"]][record["n"]] = record
    seen, changed = 0, Counter()
    for name, cassette in cassettes.items():
        for n, record in cassette.items():
            if n + 1 not in cassette:
                continue
            before, after = (wire_list(cassette[at]["request"]) for at in (n, n + 1))
            if len(after) <= len(before) or after[len(before)].get("role") != "assistant":
                continue  # Another conversation.
            seen += 1
            reply = read_record(record, dialect)
            sent = tw.Conversation.parse([after[len(before)]], dialect)
            mine = elements(reply, dialect)
            if tw.Conversation(reply) != sent and plain.said(mine) != plain.said([after[len(before)]]):
                changed["/".join(name.removesuffix(".yaml").split("/")[-2:])] += 1
    assert (seen, dict(changed)) == (GO_ON[dialect], CHANGED[dialect])


def read_record(record, dialect):
    if record["response"]:
        return tw.parse_reply(record["response"], dialect)
    stream = tw.StreamAssembler(dialect)
    stream.feed_bytes(record["stream"].encode())
    return stream.finish()


# What the user said first was a film or a file on the provider's server, and nothing else.
REFUSED = {("gemini", "anthropic"): {"starts_with_assistant": 5}}


@pytest.mark.parametrize("dialect", plain.READ)
@pytest.mark.parametrize("target", plain.READ)
def test_a_conversation_goes_on_with_the_reply_and_the_results_of_its_calls(dialect, target):
    refused = Counter()
    for record in records(dialect):
        # Mistral's own blocks are no blocks of OpenAI's.
        if not record["response"] or "pathname" in record["response"] or record["host"] == "api.mistral.ai":
            continue
        conversation = tw.Conversation.parse(record["request"], dialect)
        reply = tw.parse_reply(record["response"], dialect)
        conversation = conversation.extended(reply)
        assert [use.id for use in conversation.pending_tool_uses] == [use.id for use in reply.tool_uses]
        conversation = conversation.extended(tw.ToolUseResult(use.id, "done") for use in reply.tool_uses)
        assert conversation.pending_tool_uses == ()
        if not reply.tool_uses:
            conversation = conversation.extended("go on")
        try:
            ready = tw.MessageBuilder().set_messages(conversation).build(target)
        except tw.BuildError as error:
            refused[error.code] += 1
            continue
        assert not [entry for entry in ready.receipt or () if entry.code in ("missing_result", "orphan_result")]
        ready.render(target)
    assert refused == REFUSED.get((dialect, target), {})


USAGE = {"prompt_tokens": 3, "completion_tokens": 4}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}
BODY = {
    "choices": [
        {"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": "x" * 20}},
        {"index": 1, "finish_reason": "stop", "message": {"role": "assistant", "content": "y"}},
    ],
    "usage": USAGE,
}
BODY["choices"][0]["message"]["tool_calls"] = [CALL]


def test_a_reply_is_a_value():
    reply = tw.parse_reply(BODY)
    assert list(reply) == list(reply.turns)
    assert len(reply) == 1
    assert reply.text is BODY["choices"][0]["message"]["content"]
    assert reply.tool_uses == (tw.AssistantToolUse("c1", "f", {"a": 1}),)
    assert reply.usage == USAGE
    assert reply.usage is not reply.usage
    assert reply.tokens == tw.Tokens(3, 4)
    assert hash(reply.tokens) == hash(tw.Tokens(3, 4))
    assert repr(reply.tokens) == "Tokens(input=3, output=4, cached=None, reasoning=None)"
    assert repr(reply) == f'<Reply "tool_calls": {"x" * 20!r}, 1 calls>'
    again = pickle.loads(pickle.dumps(reply))
    assert again == reply
    assert hash(again) == hash(reply)
    assert (again.losses, again.tokens, again.error, again.events) == (reply.losses, reply.tokens, None, ())
    assert elements(again, "openai") == elements(reply, "openai")
    assert reply != tw.parse_reply({**BODY, "usage": None})
    assert reply != "x"
    match reply:
        case tw.Reply("tool_calls", (turn,)):
            assert turn.role == "assistant"
        case _:
            pytest.fail("a reply matches by finish and turns")


def test_a_lone_surrogate_survives():
    text = json.dumps({"choices": [{"message": {"role": "assistant", "content": "a\ud83d"}, "finish_reason": "stop"}]})
    assert tw.parse_reply(text).text == tw.parse_reply(json.loads(text)).text == "a\ud83d"


def test_wrong_payloads():
    cyclic = []
    cyclic.append(cyclic)
    for payload, code, path in [
        ({}, "no_dialect", "$"),
        ([], "no_dialect", "$"),
        (b"[", "invalid_json", "$[0]"),
        (b"[" * 300, "too_deep", "$" + "[0]" * 256),
        ({"choices": cyclic}, "too_deep", None),
        ({"choices": [{}]}, "missing_key", "$.choices[0]"),
        ({"choices": [{"message": {"role": "assistant", "content": 5}}]}, "wrong_type", "$.choices[0].message.content"),
        ({"choices": 5}, "wrong_type", "$.choices"),
        ({"role": "assistant", "content": [{"type": "text"}], "stop_reason": "x"}, "missing_key", "$.content[0]"),
    ]:
        with pytest.raises(tw.TurnwireError) as caught:
            tw.parse_reply(payload)
        assert caught.value.code == code
        assert path is None or caught.value.path == path
    for dialect, code in [("history", "unknown_dialect"), ("nobody", "unknown_dialect")]:
        with pytest.raises(tw.UnknownDialectError) as unknown:
            tw.parse_reply(BODY, dialect)
        assert unknown.value.code == code
