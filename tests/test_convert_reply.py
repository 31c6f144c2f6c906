"""Replies written for other clients: a plain reader finds the same content in each, or a loss says what is gone."""

import copy
import functools
import itertools
import json
import operator
import os
import pickle
import random
import re
from typing import Any

import pytest
import reply_makers as makers
import turnwire as tw

WIRES = tuple(makers.WRITE)
PAIRS = list(itertools.product(WIRES, WIRES))
DRAWS = int(os.environ.get("TURNWIRE_REPLIES", "60"))
# The counts that a wire has a key for, beside input and output.
COUNTS = {
    "openai": {"cached", "written", "reasoning"},
    "mistral": {"cached", "written", "reasoning"},
    "openai-responses": {"cached", "written", "reasoning"},
    "anthropic": {"cached", "written", "reasoning"},
    "gemini": {"cached", "reasoning"},
    "gemini-interactions": {"cached", "reasoning"},
    "bedrock": {"cached", "written"},
    "cohere": {"cached"},
    "ollama": set(),
    "ag-ui": {"cached", "written", "reasoning"},
    "ai-sdk-ui": {"cached", "written", "reasoning"},
}
# The path to the id, and the id that is written for one that ends with 7.
IDS = {
    "openai": (["id"], "chatcmpl-7"),
    "mistral": (["id"], "7"),
    "openai-responses": (["id"], "resp_7"),
    "anthropic": (["id"], "msg_7"),
    "gemini": (["responseId"], "7"),
    "gemini-interactions": (["id"], "v1_7"),
    "cohere": (["id"], "7"),
    "ag-ui": ([0, "runId"], "run_7"),
    "ai-sdk-ui": (["responseMessage", "id"], "msg_7"),
}


def codes(rendered):
    return {loss.code for loss in rendered.receipt}


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_a_plain_reader_takes_what_was_said(source, target):
    for seed in range(DRAWS):
        body, said = makers.drawn(random.Random(f"{source} {seed}"), source)
        before = copy.deepcopy(body)
        out = tw.replies.convert_reply(body, target, source=source)
        assert body == before
        by_json = tw.replies.convert_reply_json(json.dumps(body), target, source=source)
        assert (json.loads(by_json.payload), by_json.receipt, by_json.status) == (out.payload, out.receipt, out.status)
        if source == target:
            assert out == tw.replies.convert_reply(body, source, source=source)
            assert (out.payload, (*out.receipt,), out.status) == (body, (), None)
            continue
        if out.status:
            # No target can express what went wrong.
            assert said.finish == "error"
            assert out.status == 500
            continue
        told = makers.read(target, out.payload)
        assert told.calls == said.calls, seed
        # `test_reply_counts.py` tests which counts are losses.
        keys = [loss.path for loss in out.receipt if loss.code == "key"]
        tier = ["$.service_tier"] if source == "gemini-interactions" else []
        assert [path for path in keys if not re.search(r"[uU]sage|_duration", path)] == tier, (seed, out.receipt)
        if target in IDS and source not in ("bedrock", "ollama"):
            path, id = IDS[target]
            assert functools.reduce(operator.getitem, path, out.payload) == id
        if said.refusal and not told.refusal:
            assert "refusal" in codes(out)
            assert told.text in (said.text + said.refusal, f"{said.text}\n{said.refusal}")
        else:
            assert (told.text, told.refusal) == (said.text, said.refusal), seed
        if told.finish != said.finish:
            assert "finish" in codes(out) or (target == "mistral" and "refusal" in codes(out)), (
                seed,
                told.finish,
                said.finish,
            )
        wanted = {name: count for name, count in said.tokens.items() if name in {"input", "output", *COUNTS[target]}}
        if told.tokens != wanted:
            assert "stand_in" in codes(out), seed
            assert {name: count for name, count in told.tokens.items() if count} == {
                k: v for k, v in wanted.items() if v
            }
        if any(block in json.dumps(body) for block in makers.THOUGHTS):
            known = "reasoning" in codes(out) or "signature" in codes(out)
            assert known or {source, target} == {"anthropic", "bedrock"}


# What each wire writes for an end, and whether that is less exact: the ends of a source that has a word for each.
ASKED_FOR_MORE = ("anthropic", makers.anthropic([("text", "Hm")], "pause_turn", "", {}))
REFUSED = ("anthropic", makers.anthropic([("text", "Hm")], "refusal", "", {}))
REFUSED_IN_WORDS = ("anthropic", makers.anthropic([("text", "Hm")], "refusal", "No.", {}))
HELD_BACK = ("gemini", makers.gemini([("text", "Hm")], "SAFETY", "", {}))
BROKEN = ("bedrock", makers.bedrock([("text", "Hm")], "malformed_model_output", "", {}))
UNKNOWN = ("bedrock", makers.bedrock([("text", "Hm")], "odd", "", {}))
LONG = ("ollama", makers.ollama([("text", "Hm")], "length", "", {}))
DONE = ("ollama", makers.ollama([("text", "Hm")], "stop", "", {}))
CALLS = ("ollama", makers.ollama([("call", ("c", "f", {}))], "stop", "", {}))
WRITTEN = {
    "openai": "stop tool_calls length content_filter- stop content_filter stop- 500 stop-",
    "mistral": "stop tool_calls length stop- stop- stop- stop- error stop-",
    "openai-responses": "completed completed max_output_tokens content_filter- completed content_filter "
    "in_progress failed completed-",
    "anthropic": "end_turn tool_use max_tokens refusal refusal refusal- pause_turn 500 end_turn-",
    "gemini": "STOP STOP MAX_TOKENS SAFETY- SAFETY- SAFETY CONTINUATION MALFORMED_RESPONSE STOP-",
    "gemini-interactions": "completed requires_action incomplete completed- completed- incomplete- "
    "requires_continuation failed completed-",
    "bedrock": "end_turn tool_use max_tokens content_filtered- content_filtered- content_filtered end_turn- "
    "malformed_model_output end_turn-",
    "cohere": "COMPLETE TOOL_CALL MAX_TOKENS COMPLETE- COMPLETE- ERROR- COMPLETE- ERROR COMPLETE-",
    "ollama": "stop stop length stop- stop- stop- stop- 500 stop-",
    "ag-ui": "success success success- success- success- success- success- 500 success-",
    "ai-sdk-ui": "stop tool-calls length content-filter- content-filter- content-filter other- 500 stop-",
}
SOURCES = (DONE, CALLS, LONG, REFUSED, REFUSED_IN_WORDS, HELD_BACK, ASKED_FOR_MORE, BROKEN, UNKNOWN)
WORD = {
    "openai": lambda body: body["choices"][0]["finish_reason"],
    "openai-responses": lambda body: (body["incomplete_details"] or {}).get("reason") or body["status"],
    "anthropic": lambda body: body["stop_reason"],
    "gemini": lambda body: body["candidates"][0]["finishReason"],
    "gemini-interactions": lambda body: body["status"],
    "bedrock": lambda body: body["stopReason"],
    "cohere": lambda body: body["finish_reason"],
    "ollama": lambda body: body["done_reason"],
    "ag-ui": lambda body: body[-1]["outcome"]["type"],
    "ai-sdk-ui": lambda body: body["finishReason"],
}
WORD["mistral"] = WORD["openai"]


@pytest.mark.parametrize("target", WIRES)
def test_why_it_ended_is_a_closed_map(target):
    words = WRITTEN[target].split()
    for (source, body), word in zip(SOURCES, words, strict=True):
        if source == target:
            continue
        out = tw.replies.convert_reply(body, target, source=source)
        written = str(out.status) if out.status else WORD[target](out.payload)
        assert written + ("-" if "finish" in codes(out) else "") == word, source


@pytest.mark.parametrize("wire", WIRES)
def test_the_same_wire_replays(wire):
    for seed in range(DRAWS):
        body, _ = makers.drawn(random.Random(seed), wire)
        (body[-1] if isinstance(body, list) else body)["of_a_later_version"] = {"x": [1.50, None]}
        out = tw.parse_reply(body, wire).render(wire)
        assert (out.payload, (*out.receipt,), out.status) == (body, (), None)
        assert out.payload is not body


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_nothing_depends_on_a_clock(source, target):
    body, _ = makers.drawn(random.Random(7), source)
    one, two = (tw.replies.convert_reply(copy.deepcopy(body), target, source=source) for _ in range(2))
    assert one == two
    assert json.dumps(one.payload) == json.dumps(two.payload)
    assert pickle.loads(pickle.dumps(one)) == one
    stored = pickle.loads(pickle.dumps(tw.parse_reply(body, source)))
    assert stored.render(target) == one


# A reply with everything that only one wire has.
ODD = {
    "anthropic": {
        "id": "msg_9",
        "type": "message",
        "role": "assistant",
        "model": "claude",
        "content": [
            {"type": "thinking", "thinking": "", "signature": "c2ln"},
            {"type": "redacted_thinking", "data": "eA=="},
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
            {
                "type": "text",
                "text": "See",
                "citations": [
                    {
                        "type": "web_search_result_location",
                        "url": "https://a",
                        "title": "A",
                        "cited_text": "a",
                        "encrypted_index": "e",
                    }
                ],
            },
            {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}},
            {"type": "text", "text": " you"},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 2},
        "container": {"id": "c"},
    },
    "openai": {
        "id": "chatcmpl-9",
        "object": "chat.completion",
        "created": 5,
        "model": "gpt",
        "choices": [
            {
                "index": 0,
                "message": {
                    "role": "assistant",
                    "content": "See you",
                    "refusal": None,
                    "annotations": [
                        {
                            "type": "url_citation",
                            "url_citation": {"url": "https://a", "title": "A", "start_index": 0, "end_index": 3},
                        }
                    ],
                },
                "logprobs": {"content": [{"token": "See", "logprob": -0.5, "bytes": None, "top_logprobs": []}]},
                "finish_reason": "stop",
            },
            {"index": 1, "message": {"role": "assistant", "content": "Or"}, "finish_reason": "stop"},
        ],
        "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3},
    },
    "gemini": {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": "See you"}]},
                "finishReason": "STOP",
                "groundingMetadata": {"webSearchQueries": ["x"]},
            }
        ],
        "usageMetadata": {"promptTokenCount": 1, "totalTokenCount": 1},
    },
    "cohere": {
        "id": "9",
        "finish_reason": "COMPLETE",
        "message": {
            "role": "assistant",
            "content": [{"type": "text", "text": "See you"}],
            "citations": [{"start": 0, "end": 3, "text": "See", "sources": []}],
        },
    },
}
TOLD = {
    "anthropic": {
        "$.content[0]",
        "$.content[1]",
        "$.content[2]",
        "$.content[3]",
        "$.content[4].citations",
        "$.container",
    },
    "openai": {"$.choices[1]", "$.choices[0].logprobs", "$.choices[0].message.annotations"},
    "gemini": {"$.candidates[0].groundingMetadata"},
    "cohere": {"$.message.citations"},
}


@pytest.mark.parametrize(
    ("source", "target"), [(source, target) for source in ODD for target in WIRES if source != target]
)
def test_what_only_one_wire_has_is_reported(source, target):
    out = tw.replies.convert_reply(ODD[source], target, source=source)
    lost = {loss.path for loss in out.receipt if loss.kind == "lost"}
    # Bedrock and Anthropic share a family of models: each accepts what the other has signed or hidden.
    assert TOLD[source] - lost <= ({"$.content[0]", "$.content[1]"} if target == "bedrock" else set())
    assert makers.read(target, out.payload).text == "See you"


TRICKY = {"name": "server.search", "description": "d", "parameters": {"type": "object", "properties": {}}}
ASKED = {
    "model": "alias",
    "input": "hi",
    "instructions": "be kind",
    "tools": [{"type": "function", "strict": False, **TRICKY}],
    "tool_choice": "required",
    "parallel_tool_calls": False,
    "temperature": 0.5,
    "max_output_tokens": 64,
}


def test_the_request_gives_calls_their_callers_names_and_is_repeated():
    ready = tw.prepare(ASKED, "anthropic", 100_000)
    (wire_name,) = ready.names
    body = copy.deepcopy(ODD["anthropic"])
    body["content"][5]["name"] = wire_name
    for request in (ASKED, json.dumps(ASKED), ready):
        out = tw.replies.convert_reply(body, "openai-responses", source="anthropic", request=request)
        (call,) = [item for item in out.payload["output"] if item["type"] == "function_call"]
        assert call["name"] == "server.search"
    out = tw.replies.convert_reply(body, "openai-responses", source="anthropic", request=ASKED)
    echoed = {key: out.payload[key] for key in ASKED if key not in ("model", "input")}
    assert echoed == {key: value for key, value in ASKED.items() if key not in ("model", "input")}
    assert out.payload["model"] == "claude"
    plain = tw.replies.convert_reply(body, "openai-responses", source="anthropic").payload
    assert (plain["tools"], plain["tool_choice"], plain["parallel_tool_calls"]) == ([], "auto", True)
    # The reply replays, except for the name.
    same = tw.replies.convert_reply(body, "anthropic", source="anthropic", request=ASKED)
    body["content"][5]["name"] = "server.search"
    assert same.payload == body


def test_a_reply_without_an_id_gets_one_from_its_request():
    body, other = (makers.bedrock([("text", text)], "end_turn", "", {}) for text in ("hi", "ho"))
    ids = [
        tw.replies.convert_reply(body, "openai", source="bedrock", request=request).payload["id"]
        for request in (None, ASKED, {**ASKED, "input": "ho"})
    ]
    assert len(set(ids)) == 3
    assert all(one.startswith("chatcmpl-") for one in ids)
    assert tw.replies.convert_reply(other, "openai", source="bedrock", request=ASKED).payload["id"] == ids[1]
    assert tw.replies.convert_reply(body, "openai", source="bedrock", request=ASKED).payload["model"] == "alias"


@pytest.mark.parametrize("target", WIRES)
def test_a_stream_is_written_as_a_whole_reply(target):
    stream = tw.StreamAssembler("anthropic")
    stream.feed(
        {
            "type": "message_start",
            "message": {
                "id": "msg_9",
                "type": "message",
                "role": "assistant",
                "model": "claude",
                "content": [],
                "stop_reason": None,
                "stop_sequence": None,
                "usage": {"input_tokens": 3, "output_tokens": 1},
            },
        }
    )
    stream.feed({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
    stream.feed({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "See you"}})
    stream.feed({"type": "content_block_stop", "index": 0})
    stream.feed(
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": {"output_tokens": 4},
        }
    )
    stream.feed({"type": "message_stop"})
    out = stream.finish().render(target)
    told = makers.read(target, out.payload)
    assert (told.text, told.finish, told.tokens["input"], told.tokens["output"]) == ("See you", "stop", 3, 4)
    assert "claude" in json.dumps(out.payload) or target in ("bedrock", "cohere")


ERRORS = {
    "openai": lambda word, code, message, status: {
        "error": {"message": message, "type": word, "param": None, "code": code}
    },
    "anthropic": lambda word, code, message, status: {"type": "error", "error": {"type": word, "message": message}},
    "gemini": lambda word, code, message, status: {"error": {"code": status, "message": message, "status": word}},
    "gemini-interactions": lambda word, code, message, status: {"error": {"message": message, "code": word}},
    "bedrock": lambda word, code, message, status: {"__type": word, "message": message},
    "ollama": lambda word, code, message, status: {"error": message},
    "mistral": lambda word, code, message, status: {
        "object": "error",
        "message": message,
        "type": word,
        "param": None,
        "code": code,
    },
    "cohere": lambda word, code, message, status: {"message": message},
    "ag-ui": lambda word, code, message, status: [{"type": "RUN_ERROR", "message": message, "code": word}],
    "ai-sdk-ui": lambda word, code, message, status: {"finishReason": "error", "errorText": message},
}
ERRORS["openai-responses"] = ERRORS["openai"]
# One problem in a row: status, type and code for each wire that names them.
TROUBLES = [
    {
        "openai": (400, "invalid_request_error", None),
        "anthropic": (400, "invalid_request_error"),
        "ag-ui": (400, "invalid_request"),
        "ai-sdk-ui": (400, None),
        "gemini": (400, "INVALID_ARGUMENT"),
        "gemini-interactions": (400, "invalid_request"),
        "bedrock": (400, "ValidationException"),
    },
    {
        "openai": (401, "authentication_error", "invalid_api_key"),
        "anthropic": (401, "authentication_error"),
        "ag-ui": (401, "unauthorized"),
        "ai-sdk-ui": (401, None),
        "gemini": (401, "UNAUTHENTICATED"),
        "gemini-interactions": (401, "unauthorized"),
        "bedrock": (403, "UnrecognizedClientException"),
    },
    {
        "openai": (403, "permission_error", None),
        "anthropic": (403, "permission_error"),
        "ag-ui": (403, "forbidden"),
        "ai-sdk-ui": (403, None),
        "gemini": (403, "PERMISSION_DENIED"),
        "gemini-interactions": (403, "forbidden"),
        "bedrock": (403, "AccessDeniedException"),
    },
    {
        "openai": (404, "invalid_request_error", "model_not_found"),
        "anthropic": (404, "not_found_error"),
        "ag-ui": (404, "not_found"),
        "ai-sdk-ui": (404, None),
        "gemini": (404, "NOT_FOUND"),
        "gemini-interactions": (404, "not_found"),
        "bedrock": (404, "ResourceNotFoundException"),
    },
    {
        "openai": (429, "rate_limit_error", "rate_limit_exceeded"),
        "anthropic": (429, "rate_limit_error"),
        "ag-ui": (429, "rate_limited"),
        "ai-sdk-ui": (429, None),
        "gemini": (429, "RESOURCE_EXHAUSTED"),
        "gemini-interactions": (429, "too_many_requests"),
        "bedrock": (429, "ThrottlingException"),
    },
    {
        "openai": (503, "server_error", "server_is_overloaded"),
        "anthropic": (529, "overloaded_error"),
        "ag-ui": (503, "overloaded"),
        "ai-sdk-ui": (503, None),
        "gemini": (503, "UNAVAILABLE"),
        "gemini-interactions": (503, "service_unavailable"),
        "bedrock": (503, "ServiceUnavailableException"),
    },
    {
        "openai": (500, "server_error", "server_error"),
        "anthropic": (500, "api_error"),
        "ag-ui": (500, "server_error"),
        "ai-sdk-ui": (500, None),
        "gemini": (500, "INTERNAL"),
        "gemini-interactions": (500, "internal_server_error"),
        "bedrock": (500, "InternalServerException"),
    },
]
# Those for which a wire has the same words as another.
TROUBLES += [
    {
        "openai": (409, "conflict_error", None),
        "anthropic": (409, "conflict_error"),
        "ag-ui": (409, "conflict"),
        "ai-sdk-ui": (409, None),
        "gemini": (409, "ABORTED"),
        "gemini-interactions": (409, "conflict"),
        "bedrock": (400, "ConflictException"),
    },
    {
        "openai": (413, "invalid_request_error", "request_too_large"),
        "anthropic": (413, "request_too_large"),
        "ag-ui": (413, "too_large"),
        "ai-sdk-ui": (413, None),
        "gemini": (413, "INVALID_ARGUMENT"),
        "gemini-interactions": (413, "content_too_large"),
        "bedrock": (413, "ValidationException"),
    },
    {
        "openai": (429, "insufficient_quota", "insufficient_quota"),
        "anthropic": (402, "billing_error"),
        "ag-ui": (402, "insufficient_quota"),
        "ai-sdk-ui": (402, None),
        "bedrock": (400, "ServiceQuotaExceededException"),
    },
    {
        "openai": (504, "timeout_error", None),
        "anthropic": (504, "timeout_error"),
        "ag-ui": (504, "timeout"),
        "ai-sdk-ui": (504, None),
        "gemini": (504, "DEADLINE_EXCEEDED"),
        "gemini-interactions": (504, "gateway_timeout"),
    },
]
NAMED = ("openai", "anthropic", "gemini", "gemini-interactions", "bedrock", "ag-ui", "ai-sdk-ui")


@pytest.mark.parametrize("row", TROUBLES, ids=lambda row: row["anthropic"][1])
@pytest.mark.parametrize(("source", "target"), list(itertools.permutations(NAMED, 2)))
def test_an_error_is_the_targets_own(row, source, target):
    if source not in row or target not in row:
        return
    status, word, *code = row[source]
    body = ERRORS[source](word, code[0] if code else None, "no: 不行", status)
    out = tw.replies.convert_reply(body, target, source=source, status=status)
    wanted, word, *code = row[target]
    assert out.status == wanted
    assert out.payload == ERRORS[target](word, code[0] if code else None, "no: 不行", wanted)
    assert tw.replies.convert_reply(body, source, source=source, status=status) == tw.parse_reply(body, source).render(
        source, status=status
    )
    assert tw.replies.convert_reply(body, source, source=source, status=status).payload == body
    assert tw.replies.convert_reply(body, source, source=source, status=status).status == status


@pytest.mark.parametrize("target", WIRES)
@pytest.mark.parametrize("source", WIRES)
def test_the_message_of_an_error_stays(source, target):
    body = ERRORS[source]("odd_error", None, "no", 418)
    out = tw.replies.convert_reply(body, target, source=source, status=418)
    assert 400 <= out.status < 500
    assert "no" in json.dumps(out.payload)
    assert makers_message(target, out.payload) == "no"
    assert (
        json.loads(tw.replies.convert_reply_json(json.dumps(body), target, source=source, status=418).payload)
        == out.payload
    )


def makers_message(wire, body):
    if wire == "ollama":
        return body["error"]
    if wire == "ag-ui":
        (event,) = body
        return event["message"]
    if wire == "ai-sdk-ui":
        return body["errorText"]
    return body["message"] if wire in ("bedrock", "mistral", "cohere") else body["error"]["message"]


def test_an_error_never_invites_a_wrong_retry():
    timeout = {"__type": "ModelTimeoutException", "message": "slow"}
    assert tw.replies.convert_reply(timeout, "openai", source="bedrock", status=408).status == 408
    slow = {"error": {"code": 504, "message": "slow", "status": "DEADLINE_EXCEEDED"}}
    out = tw.replies.convert_reply(slow, "bedrock", source="gemini", status=504)
    assert (out.status, out.payload["__type"]) == (504, "ModelTimeoutException")
    long = {
        "type": "error",
        "error": {"type": "invalid_request_error", "message": "prompt is too long: 9 tokens > 8 maximum"},
    }
    out = tw.replies.convert_reply(long, "openai", source="anthropic", status=400)
    assert (out.status, out.payload["error"]["code"]) == (400, "context_length_exceeded")


def test_an_error_in_a_reply_that_came_with_200_is_one():
    body = {"error": {"code": 429, "message": "slow down", "metadata": {}}}
    out = tw.replies.convert_reply(body, "anthropic", source="openai:openrouter")
    assert (out.status, out.payload["error"]["type"]) == (429, "rate_limit_error")
    failed = makers.responses([("text", "Half")], "completed", "", {}) | {
        "status": "failed",
        "error": {"code": "server_error", "message": "broke"},
    }
    out = tw.replies.convert_reply(failed, "anthropic", source="openai-responses")
    assert (out.status, out.payload["error"]) == (500, {"type": "api_error", "message": "broke"})
    assert "empty_turn" in codes(out)
    assert tw.replies.convert_reply(failed, "openai-responses", source="openai-responses").payload == failed


def test_a_reply_that_broke_off_is_an_error():
    stream = tw.StreamAssembler("openai")
    stream.feed(
        {
            "id": "c",
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": {"role": "assistant", "content": "Ha"}}],
        }
    )
    reply = stream.finish()
    assert reply.finish == "error"
    out = reply.render("anthropic")
    assert (out.status, out.payload["error"]["type"]) == (500, "api_error")
    assert reply.render("openai-responses").payload["status"] == "failed"


@pytest.mark.parametrize("target", WIRES)
@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("openai", {"choices": []}),
        ("openai", {"choices": [{"message": {"role": "assistant", "content": None}, "finish_reason": None}]}),
        ("openai-responses", {"output": []}),
        ("anthropic", {"role": "assistant", "content": []}),
        ("gemini", {"candidates": []}),
        ("gemini", {"promptFeedback": {"blockReason": "SAFETY"}}),
        ("bedrock", {"output": {"message": {"role": "assistant", "content": []}}}),
        ("cohere", {"message": {"role": "assistant"}}),
        ("ollama", {"message": {"role": "assistant", "content": ""}}),
        ("ag-ui", [{"type": "RUN_STARTED"}, {"type": "RUN_FINISHED", "outcome": {}}]),
        ("ai-sdk-ui", {"responseMessage": {"id": "", "role": "assistant", "parts": []}}),
    ],
)
def test_a_reply_that_says_nothing_is_one(source, body, target):
    out = tw.replies.convert_reply(body, target, source=source)
    if source == target:
        assert out.payload == body
        return
    told = makers.read(target, out.payload)
    assert (told.text, told.calls) == ("", [])
    assert "finish" in codes(out) or "promptFeedback" in body


@pytest.mark.parametrize("wire", WIRES)
def test_another_wires_reply_is_an_error_with_a_place(wire):
    for other in WIRES:
        body, _ = makers.drawn(random.Random(1), other)
        try:
            out = tw.replies.convert_reply(body, "openai", source=wire)
        except tw.ParseError as error:
            assert error.code in ("missing_key", "wrong_type")
            assert error.dialect == wire
        else:
            if (wire, other) == ("ai-sdk-ui", "ag-ui"):
                # A list stands for its chunks: it has nothing beyond them, and each one is reported.
                assert {loss.code for loss in out.receipt} == {"opaque"}
                assert len(out.receipt) == len(body)
                continue
            assert {wire, other} <= {"openai", "mistral", "cohere", "ollama"} or wire == other, (wire, other)
            assert out.payload


@pytest.mark.parametrize(
    "bad", [None, 3, [], "x", b"{", {"choices": 3}, {"choices": [3]}, {"choices": [{"message": 3}]}]
)
def test_what_is_no_reply_is_refused(bad):
    with pytest.raises(tw.TurnwireError):
        tw.replies.convert_reply(bad, "anthropic", source="openai")


def test_wrong_arguments_are_named():
    body, _ = makers.drawn(random.Random(1), "openai")
    with pytest.raises(tw.UnknownDialectError):
        tw.replies.convert_reply(body, "llama", source="openai")
    with pytest.raises(tw.UnknownDialectError):
        tw.replies.convert_reply(body, "anthropic", source="opnai")
    with pytest.raises(tw.UnknownDialectError):
        tw.parse_reply(body, "openai").render("openai:hf")
    with pytest.raises(TypeError, match="target"):
        tw.replies.convert_reply(body, 3, source="openai")
    with pytest.raises(TypeError, match="status"):
        tw.replies.convert_reply(body, "anthropic", source="openai", status="400")
    with pytest.raises(TypeError, match="source"):
        tw.replies.convert_reply(body, "anthropic", source=3)


def test_lone_surrogates_and_nul_survive():
    body, _ = makers.drawn(random.Random(1), "openai")
    body["choices"][0]["message"] = {"role": "assistant", "content": "a\x00\ud800"}
    assert tw.replies.convert_reply(body, "anthropic", source="openai").payload["content"][0]["text"] == "a\x00\ud800"
    written = tw.replies.convert_reply_json(body, "anthropic", source="openai").payload
    assert json.loads(written)["content"][0]["text"] == "a\x00�"


def test_a_string_that_did_not_change_is_not_copied():
    body, _ = makers.drawn(random.Random(1), "openai")
    text = "".join(["a long text ", "that is one object"])
    body["choices"][0]["message"] = {"role": "assistant", "content": text}
    assert tw.replies.convert_reply(body, "anthropic", source="openai").payload["content"][0]["text"] is text


def places(value, path=()):
    yield path
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in entries:
        yield from places(inner, (*path, key))


def changed(value, path, new):
    if not path:
        return new
    copied = copy.copy(value)
    copied[path[0]] = changed(value[path[0]], path[1:], new)
    return copied


@pytest.mark.parametrize("source", WIRES)
def test_no_mutation_panics(source):
    chance = random.Random(source)
    body, _ = makers.drawn(random.Random(5), source)
    body = ODD.get(source, body)
    spots = list(places(body))
    for path in spots:
        for new in (None, 3, "x", [], {}, [None], {"type": "x"}, True):
            mutated = changed(body, path, new)
            target = chance.choice(WIRES)
            try:
                out = tw.replies.convert_reply(mutated, target, source=source)
            except tw.TurnwireError as error:
                assert error.code
                continue
            json.dumps(out.payload)
            assert out == tw.replies.convert_reply(mutated, target, source=source)


@pytest.mark.parametrize("status", [-1, 0, 99, 600, 10**30, -(10**30)])
def test_a_status_is_one_of_http(status: int) -> None:
    refused = {"error": {"message": "no"}}
    reply = tw.parse_reply(refused, "openai")
    for call in (
        lambda: tw.replies.convert_reply(refused, "anthropic", source="openai", status=status),
        lambda: tw.replies.convert_reply_json(
            json.dumps(refused).encode(), "anthropic", source="openai", status=status
        ),
        lambda: reply.render("anthropic", status=status),
        lambda: reply.render_json("anthropic", status=status),
    ):
        with pytest.raises(tw.TurnwireError) as raised:
            call()
        assert raised.value.code == "out_of_range"


@pytest.mark.parametrize("status", ["400", 4.0, True])
def test_a_status_is_an_int(status: Any) -> None:
    with pytest.raises(TypeError, match="status"):
        tw.replies.convert_reply({"error": {"message": "no"}}, "anthropic", source="openai", status=status)


def test_counts_of_tokens_are_not_negative() -> None:
    with pytest.raises(tw.TurnwireError) as raised:
        tw.replies.Tokens(-1)
    assert raised.value.code == "out_of_range"


FREE = {"model": "m", "input": "x", "tools": [{"type": "custom", "name": "patch"}]}
FREE_CHAT = {
    "model": "m",
    "messages": [{"role": "user", "content": "x"}],
    "tools": [{"type": "custom", "custom": {"name": "patch"}}],
}


def test_calls_of_tools_that_take_free_text_are_free_text_again():
    """Anthropic has no such tools: `prepare` writes the text under a key, and here it is read from that key."""
    for args, text in [
        ({"input": "*** é\n"}, "*** é\n"),
        ({"input": ""}, ""),
        # Anything else that the model made up becomes text, too.
        ({"patch": 1}, '{"patch":1}'),
        ({"input": "a", "b": 2}, '{"input":"a","b":2}'),
        ({"input": 7}, '{"input":7}'),
    ]:
        blocks = [
            {"type": "tool_use", "id": "c1", "name": "patch", "input": args},
            {"type": "tool_use", "id": "c2", "name": "look", "input": {"input": "x"}},
        ]
        usage = {"input_tokens": 1, "output_tokens": 1}
        said = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": blocks}
        said |= {"stop_reason": "tool_use", "stop_sequence": None, "usage": usage}
        for asked in (FREE, json.dumps(FREE).encode()):
            custom, function = tw.replies.convert_reply(
                said, "openai-responses", source="anthropic", request=asked
            ).payload["output"]
            assert (custom["type"], custom["call_id"], custom["input"]) == ("custom_tool_call", "c1", text)
            assert (function["type"], json.loads(function["arguments"])) == ("function_call", {"input": "x"})
        message = tw.replies.convert_reply(said, "openai", source="anthropic", request=FREE_CHAT).payload["choices"][0][
            "message"
        ]
        custom, function = message["tool_calls"]
        assert (custom["type"], custom["custom"]) == ("custom", {"name": "patch", "input": text})
        assert function["type"] == "function"
        # A client without such tools cannot have asked for them.
        (block, _) = tw.replies.convert_reply(said, "bedrock", source="anthropic", request=FREE).payload["output"][
            "message"
        ]["content"]
        assert block["toolUse"]["input"] == args


@pytest.mark.parametrize("target", ["gemini", "openai", "bedrock"])
def test_a_block_without_a_type_is_a_loss(target):
    content = [{"type": "", "more": 1}, {"type": "text", "text": "hi"}]
    reply = {"id": "m", "type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"}
    losses = tw.replies.convert_reply(reply, target, source="anthropic").receipt
    assert [(loss.kind, loss.code, loss.path) for loss in losses if loss.code == "opaque"] == [
        ("lost", "opaque", "$.content[0]")
    ]
