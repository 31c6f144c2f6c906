"""Whole replies: recorded ones against a plain reading, the vectors, and what a Reply is in Python."""

import copy
import json
import pickle
from collections import Counter, defaultdict
from pathlib import Path

import plain_replies as plain
import pytest
import recordings
import turnwire as tw
from judges.problem import Problem
from mutants.judged import is_narrower
from test_wire_traffic import BODY as REQUEST
from test_wire_traffic import errors

__all__ = ["errors"]  # A fixture.

VECTORS = [
    pytest.param(vector, id=f"{vector['dialect']}-{vector['name']}")
    for vector in json.loads((Path(__file__).parent / "vectors/streams.json").read_text(encoding="utf-8"))
    if "reply" in vector
]


def records(dialect):
    found = recordings.records(dialect)
    for record in found:
        # A reply that was recorded as text.
        if (record["stream"] or "").startswith("{"):
            record["response"], record["stream"] = json.loads(record["stream"]), None
    return found


def elements(reply, dialect):
    """The reply's turns as their own dialect writes them."""
    return wire_list(tw.Conversation(reply).render(dialect).payload)


def wire_list(payload):
    return (
        payload
        if isinstance(payload, list)
        else next(payload[key] for key in ("messages", "contents", "input") if key in payload)
    )


def losses_of(reply):
    return [{"kind": loss.kind, "code": loss.code, "path": loss.path} for loss in reply.receipt]


def tokens_of(reply):
    tokens = reply.tokens
    return [tokens.input, tokens.output, tokens.cached, tokens.reasoning, tokens.written]


def check(vector, reply):
    assert elements(reply, vector["dialect"]) == vector["turns"]
    assert (reply.finish, reply.stop_reason, reply.error) == (
        vector["finish"],
        vector["stop_reason"],
        vector.get("error"),
    )
    assert losses_of(reply) == vector.get("losses", [])
    assert list(reply.events) == vector.get("late", [])
    assert tokens_of(reply)[: len(vector.get("tokens", ()))] == vector.get("tokens", [])


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
        if not body or "pathname" in body:  # The endpoint is only a stand-in for a provider.
            continue
        reply = tw.parse_reply(body)
        expected = plain.READ[dialect](body)
        calls = [(use.id, use.name, use.args_text if use.custom else use.args) for use in reply.tool_uses]
        assert (reply.text, calls) == (expected.text, expected.calls), record["cassette"]
        assert (reply.stop_reason, reply.usage) == (expected.stop_reason, expected.usage)
        assert tuple(tokens_of(reply)) == expected.tokens
        assert reply == tw.parse_reply(json.dumps(body).encode(), dialect)
        assert pickle.loads(pickle.dumps(reply)) == reply
        assert not reply.receipt.changed
        if expected.calls:
            assert reply.finish == ("error" if reply.stop_reason == "UNEXPECTED_TOOL_CALL" else "tool_calls")
        met[reply.finish] += 1
    assert met["stop"] > 50
    assert met["tool_calls"] > 30


# Why a client sent back something else than it had received. It wrote the reasoning into the text, made a separate
# message of an error, or left out empty objects. For Responses: it made ids of calls unique (mantle), named the
# arguments of tool searches differently, sent an empty message where a call was to give the answer, left out ids of
# items or the output of hosted tools, or wrote other quotes. For Converse: other dashes, too.
MATRIX = "test_multimodal_tool_return_matrix"
CHANGED = {
    "openai": {
        "test_groq/test_groq_model_thinking_part": 1,
        "test_groq/test_tool_use_failed_error_streaming": 2,
        "test_groq/test_tool_use_failed_error_streaming_with_text": 1,
        "test_huggingface/test_hf_model_thinking_part": 1,
        "test_snowflake/test_snowflake_tool_calling": 1,
    },
    "openai-responses": {
        "test_tool_search/test_live_tool_search_handoff_openai_to_anthropic": 1,
        "test_tool_search/test_openai_hosted_tool_search_stateless_continuation_without_item_ids": 2,
        "test_tool_search/test_openai_native_tool_search_round_trip": 1,
        "test_tool_search/test_openai_native_tool_search_with_deferred_capability": 1,
        "test_bedrock_mantle/test_reused_tool_call_ids[request]": 2,
        "test_bedrock_mantle/test_reused_tool_call_ids[stream]": 2,
        f"test_multimodal_tool_returns/{MATRIX}[direct-uploaded_file-image-openai_responses]": 1,
        "test_openai_responses/test_native_output": 1,
        "test_openai_responses/test_openai_responses_code_execution_return_image": 1,
        "test_openai_responses/test_openai_responses_image_generation_tool_without_image_output": 1,
        "test_openai_responses/test_openai_responses_model_simple_response_with_tool_call": 1,
        "test_openai_responses/test_openai_responses_non_reasoning_model_no_item_ids": 1,
        "test_openai_responses/test_openai_responses_phase_streamed_on_part_start": 1,
        "test_openai_responses/test_openai_responses_thinking_with_code_execution_tool": 1,
        "test_openai_responses/test_prompted_output": 1,
        "test_openai_responses/test_prompted_output_multiple": 1,
        "test_openai_responses/test_tool_output": 1,
    },
    "anthropic": {},
    "gemini": {},
    "bedrock": {
        "test_bedrock/test_bedrock_model_thinking_part_anthropic_legacy": 1,
        "test_bedrock/test_bedrock_model_thinking_part_deepseek": 1,
        "test_bedrock/test_bedrock_thinking_high_qwen_variant": 1,
    },
}
# This many recordings continue with the reply, as far as their messages show.
GO_ON = {"openai": 58, "openai-responses": 48, "anthropic": 59, "gemini": 0, "bedrock": 21}


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
            before, after = (history(cassette[at]["request"]) for at in (n, n + 1))
            if len(after) <= len(before) or not continues(after[len(before)]):
                continue  # Another conversation, or one that the server keeps.
            seen += 1
            reply = read_record(record, dialect)
            mine = elements(reply, dialect)
            raw = after[len(before) : len(before) + len(mine)]
            if tw.Conversation(reply) != tw.Conversation.parse(raw, dialect) and plain.said(mine) != plain.said(raw):
                changed["/".join(name.removesuffix(".yaml").split("/")[-2:])] += 1
    assert (seen, dict(changed)) == (GO_ON[dialect], CHANGED[dialect])


def history(request):
    found = wire_list(request) if "input" in request or "messages" in request or "contents" in request else []
    return [found] if isinstance(found, str) else found


def continues(element):
    """Whether an element is the assistant's: a message, or an item that is not a call's output."""
    return element.get("role", "assistant") == "assistant" and not element.get("type", "").endswith("_output")


def read_record(record, dialect):
    if record["response"]:
        return tw.parse_reply(record["response"], dialect)
    stream = tw.StreamAssembler(dialect)
    for chunk in plain.chunks(record["stream"]):
        stream.feed(chunk)
    return stream.finish()


# The user's first content was a video or a file on the provider's server, or nothing (the request had only
# instructions, or the server keeps the earlier messages); a result that is a document without text; calls, without a
# tool in the body.
OPENING = "starts_with_assistant"
REFUSED = {
    ("openai", "bedrock"): {"unsendable": 2},
    ("openai-responses", "anthropic"): {OPENING: 2},
    ("openai-responses", "gemini"): {OPENING: 2},
    ("openai-responses", "bedrock"): {OPENING: 2, "unsendable": 1},
    ("anthropic", "bedrock"): {"unsendable": 1},
    ("gemini", "anthropic"): {OPENING: 5},
    ("gemini", "bedrock"): {OPENING: 5, "unsendable": 3},
}


# Servers with their own replies, which accept what OpenAI would not.
OTHERS = {"openai": "api.openai.com", "openai-responses": "api.openai.com"}
# What the SDK's request types lack of its own servers' answers: why a tool of theirs was aborted, and where a file was
# found.
STRANGE = {
    ("anthropic", "anthropic"): {"anthropic.type": 5},
    ("openai-responses", "openai-responses"): {"openai_responses.type": 1},
}


def is_served(dialect, problem):
    """Whether the dialect's servers take what its SDK's types refuse, as the keys of their own replies."""
    return is_narrower(dialect, Problem(problem.code.partition(".")[2], problem.path, problem.message))


@pytest.mark.parametrize("dialect", plain.READ)
@pytest.mark.parametrize("target", plain.READ)
def test_a_conversation_continues_with_the_reply_and_the_results_of_its_calls(dialect, target, errors):
    refused, strange, findings = Counter(), Counter(), []
    for record in records(dialect):
        # OpenAI does not know Mistral's own blocks.
        if "pathname" in (record["response"] or {}) or record["host"] == "api.mistral.ai":
            continue
        if not record["response"] and not record["stream"]:
            continue
        conversation = tw.Conversation.parse(record["request"], dialect)
        reply = read_record(record, dialect)
        conversation = conversation.extended(reply)
        assert [use.id for use in conversation.pending_tool_uses] == [use.id for use in reply.tool_uses]
        conversation = conversation.extended(tw.ToolUseResult(use.id, "done") for use in reply.tool_uses)
        assert conversation.pending_tool_uses == ()
        if not reply.tool_uses:
            conversation = conversation.extended("go on")
        try:
            ready = tw.prepare(conversation, target, blobs="base64")
        except tw.BuildError as error:
            refused[error.code] += 1
            continue
        unpaired = [entry for entry in ready.receipt or () if entry.code in ("missing_result", "orphan_result")]
        assert unpaired == []
        original = {problem.code.split(".", 1)[1] for problem in errors(dialect, record["request"])}
        found = errors(target, {**REQUEST[target], **ready.payload})
        if dialect == target and record["host"] != OTHERS.get(dialect, record["host"]):
            continue
        problems = [problem for problem in found if problem.code.split(".", 1)[1] not in original]
        problems = [problem for problem in problems if not is_served(target, problem)]
        findings += [f"{record['cassette']} {record['n']}: {problem}" for problem in problems]
        strange.update(problem.code for problem in problems)
    assert strange == STRANGE.get((dialect, target), {}), findings
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
    assert reply.tool_uses == (tw.parts.AssistantToolUse("c1", "f", {"a": 1}),)
    assert reply.usage == USAGE
    assert reply.usage is not reply.usage
    assert reply.tokens == tw.replies.Tokens(3, 4)
    assert hash(reply.tokens) == hash(tw.replies.Tokens(3, 4))
    assert repr(reply.tokens) == "Tokens(input=3, output=4, cached=None, reasoning=None, written=None)"
    assert repr(reply) == f'<Reply "tool_calls": {"x" * 20!r}, 1 calls>'
    again = pickle.loads(pickle.dumps(reply))
    assert again == reply
    assert hash(again) == hash(reply)
    assert ((*again.receipt,), again.tokens, again.error, again.events) == ((*reply.receipt,), reply.tokens, None, ())
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
