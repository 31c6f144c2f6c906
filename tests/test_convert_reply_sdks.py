"""Recorded replies, written for other clients: the real SDKs read from them what they read from the recording."""

import json
import os
from collections import Counter

import pytest
import recordings
import turnwire as tw
from judges.reply import read
from judges.reply_types import strict

WIRES = ("openai", "openai-responses", "anthropic", "gemini", "bedrock")
# All of them in runs by hand with TURNWIRE_EVERY=1. In CI each wire has the same number.
MOST = 10_000 if os.environ.get("TURNWIRE_EVERY") else 25


@pytest.fixture(scope="module")
def sdks():
    """What the SDKs read, and what their types refuse."""
    return read, strict


def records(wire, wanted):
    all_of_it = recordings.exchanges(wire) or pytest.skip(recordings.MISSING)
    found = [one for one in all_of_it if wanted(one) and isinstance(one["response"], dict)]
    return found[:: max(1, len(found) // MOST)]


# Losses that explain why something is read differently.
TELLS = {
    "text": {"refusal", "joined", "opaque"},
    "calls": {"opaque", "id", "arguments"},
    # A reply that waits for the client may end with a call that only its own wire has.
    "finish": {"finish", "refusal", "opaque"},
    "usage": {"stand_in"},
}


@pytest.mark.parametrize("target", WIRES)
@pytest.mark.parametrize("source", WIRES)
def test_the_sdk_reads_what_was_said(source, target, sdks, record_property):
    read, strict = sdks
    seen: Counter[str] = Counter()
    for record in records(source, lambda record: record["status"] == 200):
        body = record["response"]
        mine = read(source, body)
        if mine.error or not mine.stop:
            seen["unread by its own SDK"] += 1
            continue
        out = tw.replies.convert_reply(body, target, source=source, request=record["request"])
        if out.status:
            seen["error"] += 1
            assert read(target, out.payload, status=out.status).error
            continue
        theirs = read(target, out.payload)
        if source != target:
            assert strict(target, out.payload) == [], record["cassette"]
        different = set(mine.same(theirs, ids=False))
        if mine.finish == theirs.finish == "error":
            # Its own end is an error; Responses has a key for what went wrong, too.
            different.discard("error")
        # Some servers report no usage, where others must.
        codes = {loss.code for loss in out.receipt}
        for name in different:
            assert codes & TELLS.get(name, set()), (record["cassette"], record["n"], name, mine, theirs, out.receipt)
            seen[f"{name} told"] += 1
        seen["same" if not different else "told"] += 1
    record_property("seen", dict(seen))
    assert seen["same"] > 0.9 * (seen["told"] + seen["error"])


@pytest.mark.parametrize("target", WIRES)
@pytest.mark.parametrize("source", WIRES)
def test_the_sdk_raises_what_went_wrong(source, target, sdks):
    read, _ = sdks
    for record in records(source, lambda record: record["status"] != 200):
        body, status = record["response"], record["status"]
        out = tw.replies.convert_reply(body, target, source=source, status=status)
        error = read(target, out.payload, status=out.status).error
        assert error is not None
        assert out.status // 100 == status // 100
        said = body if source == "bedrock" else body["error"]
        # A gateway without words of its own has those of the provider.
        generic = said["message"] == "Provider returned error" and source != target
        assert (said["metadata"]["raw"] if generic else said["message"])[:60] in error
        if target == "bedrock" and source != target:
            assert out.payload["__type"] in error


def family(wire, body):
    """A reply as the wire's SDK returns it: in its types, filled by its client's own decoder."""
    if wire == "mistral":
        models = pytest.importorskip("mistralai.client.models")
        done = models.ChatCompletionResponse.model_validate(body)
        choice = done.choices[0]
        content = choice.message.content or ""
        text = content if isinstance(content, str) else "".join(part.text for part in content if part.type == "text")
        calls = [(call.function.name, args(call.function.arguments)) for call in choice.message.tool_calls or []]
        return text, calls, choice.finish_reason, (done.usage.prompt_tokens, done.usage.completion_tokens)
    if wire == "cohere":
        done = pytest.importorskip("cohere").V2ChatResponse.model_validate(body)
        message, usage = done.message, done.usage.tokens if done.usage else None
        text = "".join(part.text for part in message.content or [] if part.type == "text") + (message.tool_plan or "")
        calls = [(call.function.name, args(call.function.arguments)) for call in message.tool_calls or []]
        return text, calls, done.finish_reason, (usage.input_tokens, usage.output_tokens) if usage else None
    done = pytest.importorskip("ollama").ChatResponse.model_validate(body)
    calls = [(call.function.name, dict(call.function.arguments)) for call in done.message.tool_calls or []]
    usage = (done.prompt_eval_count, done.eval_count) if done.eval_count is not None else None
    return done.message.content or "", calls, done.done_reason, usage


def args(text):
    return json.loads(text or "{}") if isinstance(text, str) else text


MEANT = {
    "mistral": {"stop": "stop", "length": "length", "tool_calls": "tool_calls", "error": "error"},
    "cohere": {"COMPLETE": "stop", "MAX_TOKENS": "length", "TOOL_CALL": "tool_calls", "ERROR": "error"},
    "ollama": {"stop": "stop", "length": "length"},
}


@pytest.mark.parametrize("target", MEANT)
@pytest.mark.parametrize("source", WIRES)
def test_the_types_of_the_chat_family_take_it(source, target, sdks):
    read, _ = sdks
    same = 0
    for record in records(source, lambda record: record["status"] == 200):
        mine = read(source, record["response"])
        out = tw.replies.convert_reply(record["response"], target, source=source, request=record["request"])
        if mine.error or not mine.stop or out.status:
            continue
        text, calls, word, usage = family(target, out.payload)
        codes = {loss.code for loss in out.receipt}
        assert text == mine.text or codes & TELLS["text"], (record["cassette"], record["n"])
        assert calls == [(name, value) for _, name, value in mine.calls] or codes & TELLS["calls"]
        finish = MEANT[target][word]
        meant = "tool_calls" if calls and finish == "stop" else finish
        assert meant == mine.finish or codes & TELLS["finish"], (record["cassette"], record["n"], meant, mine.finish)
        assert (
            usage == mine.usage or "stand_in" in codes or mine.usage == (0, 0) or (target == "cohere" and usage is None)
        )
        same += 1
    assert same
