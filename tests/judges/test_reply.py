"""The reader of replies: each official client reads what was written, and says what is wrong with it."""

import json

import pytest

from judges.reply import FINISH, read
from judges.reply_types import strict

USAGE = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"x": 1}'}}
CHAT = {
    "id": "r",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "logprobs": None,
            "message": {"role": "assistant", "content": "hi", "refusal": None, "tool_calls": [CALL]},
        }
    ],
    "usage": USAGE,
}
TEXT = {"type": "output_text", "text": "hi", "annotations": []}
RESPONSE = {
    "id": "r",
    "object": "response",
    "created_at": 1,
    "model": "m",
    "status": "completed",
    "output": [
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [TEXT]},
        {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": '{"x": 1}'},
    ],
    "parallel_tool_calls": True,
    "tool_choice": "auto",
    "tools": [],
    "usage": {
        "input_tokens": 3,
        "output_tokens": 2,
        "total_tokens": 5,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    },
}
MESSAGE = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "hi"}, {"type": "tool_use", "id": "c1", "name": "f", "input": {"x": 1}}],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 2, "cache_read_input_tokens": 2},
}
PARTS = [{"text": "hi"}, {"functionCall": {"id": "c1", "name": "f", "args": {"x": 1}}}]
GENERATED = {
    "candidates": [{"content": {"role": "model", "parts": PARTS}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 2},
}
BLOCKS = [{"text": "hi"}, {"toolUse": {"toolUseId": "c1", "name": "f", "input": {"x": 1}}}]
CONVERSE = {
    "output": {"message": {"role": "assistant", "content": BLOCKS}},
    "stopReason": "tool_use",
    "usage": {"inputTokens": 3, "outputTokens": 2, "totalTokens": 5},
    "metrics": {"latencyMs": 1},
}
WHOLE = {"openai": CHAT, "openai-responses": RESPONSE, "anthropic": MESSAGE, "gemini": GENERATED, "bedrock": CONVERSE}


@pytest.mark.parametrize("wire", WHOLE)
def test_every_client_reads_the_same(wire):
    seen = read(wire, WHOLE[wire])
    assert seen.error is None
    assert (seen.text, seen.calls, seen.finish, seen.usage) == ("hi", [("c1", "f", {"x": 1})], "tool_calls", (3, 2))
    assert seen.same(read("anthropic", MESSAGE)) == []


@pytest.mark.parametrize("wire", WHOLE)
def test_a_difference_is_named(wire):
    other = json.loads(json.dumps(WHOLE[wire]).replace("hi", "ho"))
    assert read(wire, other).same(read(wire, WHOLE[wire])) == ["text"]


def events(*chunks):
    return [f"data: {json.dumps(chunk)}\n\n".encode() for chunk in chunks]


def chunk(delta, finish=None, **more):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice], **more}


def test_a_stream_is_read_as_its_reply():
    call = {"index": 0, **CALL}
    last = chunk({}, "tool_calls") | {"usage": None}
    usage = {**chunk({}), "choices": [], "usage": USAGE}
    said = events(
        chunk({"role": "assistant", "content": "h"}), chunk({"content": "i", "tool_calls": [call]}), last, usage
    )
    assert read("openai", [*said, b"data: [DONE]\n\n"]).same(read("openai", CHAT)) == []


def test_a_connection_that_is_cut_is_an_error():
    said = events(chunk({"role": "assistant", "content": "h"}))
    seen = read("openai", said, cut=True)
    assert seen.text == "h"
    assert seen.error


def test_a_refusal_of_the_server_is_an_error():
    assert "400" in read("openai", {"error": {"message": "no"}}, status=400).error


@pytest.mark.parametrize("wire", WHOLE)
def test_the_types_take_a_sound_reply_and_name_what_is_missing(wire):
    assert strict(wire, WHOLE[wire]) == []
    broken = {**WHOLE[wire]}
    key = {"gemini": "candidates", "bedrock": "stopReason", "openai-responses": "output"}.get(wire, "model")
    broken[key] = 5
    assert strict(wire, broken) != []


def test_a_word_for_the_end_has_one_meaning():
    assert FINISH["end_turn"] == FINISH["stop"] == FINISH["STOP"] == "stop"
