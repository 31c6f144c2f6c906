"""Results of batches under the caller's ids: every provider's form, any order, failures, missing ones, both ways."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import reply_makers
import turnwire as tw
from batch_makers import ODD_IDS, TARGETS, asked, body, line, target_of, write
from turnwire import batch

Json = Any
WIRE = {"bedrock-claude": "anthropic"}
TOOL = {"type": "function", "function": {"name": "my tool!", "parameters": {"type": "object", "properties": {}}}}


def result(given: str, target: str, reply: Json) -> Json:
    """What a provider writes about a request that it answered."""
    match target:
        case "anthropic":
            return {"custom_id": given, "result": {"type": "succeeded", "message": reply}}
        case "gemini":
            return {"key": given, "response": reply}
        case "bedrock" | "bedrock-claude":
            return {"recordId": given, "modelInput": {"x": 1}, "modelOutput": reply}
        case _:
            answer = {"status_code": 200, "request_id": "r", "body": reply}
            return {"id": "batch_req_1", "custom_id": given, "response": answer, "error": None}


FAILURES: dict[str, list[tuple[Json, str, str | None]]] = {
    "openai": [
        ({"response": None, "error": {"code": "batch_expired", "message": "late"}}, "expired", "batch_expired"),
        ({"response": None, "error": {"code": "batch_cancelled", "message": "x"}}, "cancelled", "batch_cancelled"),
        (
            {"response": {"status_code": 400, "body": {"error": {"type": "invalid_request_error", "message": "m"}}}},
            "error",
            "invalid_request_error",
        ),
        ({"response": {"status_code": 500, "body": None}, "error": None}, "error", "500"),
        ({"response": None, "error": None}, "error", None),
        ({"response": {"status_code": "odd", "body": {"object": "chat.completion"}}}, "unreadable", "missing_key"),
        ({"response": {"status_code": 200, "body": []}}, "unreadable", "wrong_type"),
    ],
    "anthropic": [
        ({"result": {"type": "expired"}}, "expired", None),
        ({"result": {"type": "canceled"}}, "cancelled", None),
        (
            {"result": {"type": "errored", "error": {"type": "error", "error": {"type": "api_error", "message": "m"}}}},
            "error",
            "api_error",
        ),
        ({"result": {"type": "errored", "error": 5}}, "error", None),
        ({"result": 5}, "error", None),
        ({"result": {"type": []}}, "error", None),
        ({"result": {"type": "succeeded"}}, "unreadable", "wrong_type"),
    ],
    "gemini": [
        ({"error": {"code": 4, "message": "late"}}, "expired", "4"),
        ({"error": {"code": 1, "status": "CANCELLED"}}, "cancelled", "CANCELLED"),
        ({"error": {"code": 3, "message": "m"}}, "error", "3"),
        ({"error": {"code": [], "message": {}}}, "error", "[]"),
        ({"response": 5}, "unreadable", "wrong_type"),
    ],
    "bedrock": [
        ({"error": {"errorCode": 400, "errorMessage": "m"}}, "error", "400"),
        ({"modelInput": {}}, "error", None),
        ({"modelOutput": {"generation": "x"}}, "unreadable", "missing_key"),
        ({"modelOutput": []}, "unreadable", "wrong_type"),
    ],
}


def jsonl(path: Path, rows: list[Json]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def submitted(tmp_path: Path, target: str, ids: list[str], source: str = "openai", **more: Any) -> list[str]:
    """The ids in the target's file of requests, which is `in`."""
    rng = random.Random(target)
    made = [body(asked(rng, tools=False), source) | more for _ in ids]
    write(tmp_path / "in", [line(*pair, source) for pair in zip(ids, made, strict=True)], source)
    name, options = target_of(target)
    report = batch.convert_batch(tmp_path / "in", tmp_path / "out", name, model="m", **options)
    assert report.failed == 0
    key = {"gemini": "key", "bedrock": "recordId", "bedrock-claude": "recordId"}.get(target, "custom_id")
    (file,) = report.files
    text = file.path.read_text(encoding="utf-8")
    rows = json.loads(text)["requests"] if target == "anthropic" else map(json.loads, text.splitlines())
    return [row[key] for row in rows]


@pytest.mark.parametrize("target", TARGETS)
def test_replies_come_back_under_the_callers_ids_in_any_order(tmp_path: Path, target: str) -> None:
    ids = [*ODD_IDS, *(f"r{n}" for n in range(30))]
    theirs = submitted(tmp_path, target, ids)
    rng = random.Random(target)
    said = {own: reply_makers.drawn(rng, WIRE.get(target, target)) for own in ids}
    rows = [result(given, target, said[own][0]) for own, given in zip(ids, theirs, strict=True)]
    rng.shuffle(rows)
    jsonl(tmp_path / "results", rows)
    failed: list[batch.RowError] = []
    made = list(batch.read_batch_results(tmp_path / "results", tmp_path / "in", errors=failed.append))
    assert failed == []
    assert sorted(one.id for one in made) == sorted(ids)
    assert [theirs[ids.index(one.id)] for one in made] == [next(v for k, v in row.items() if k in KEYS) for row in rows]
    for one in made:
        assert (one.status, one.code, one.message) == ("succeeded", None, None)
        assert one.reply is not None
        assert one.reply.text == said[one.id][1].text


KEYS = ("custom_id", "key", "recordId")


def plain(rng: random.Random, wire: str) -> tuple[Json, reply_makers.Said]:
    """A reply that every provider can express."""
    while True:
        reply, said = reply_makers.drawn(rng, wire)
        if said.finish in ("stop", "length", "tool_calls") and not said.refusal:
            return reply, said


@pytest.mark.parametrize("source", TARGETS)
@pytest.mark.parametrize("target", TARGETS)
def test_results_are_written_as_the_callers_provider_would(tmp_path: Path, source: str, target: str) -> None:
    ids = ["a b", "plain", "é"]
    theirs = submitted(tmp_path, target, ids, source)
    rng = random.Random(f"{source} {target}")
    said = [plain(rng, WIRE.get(target, target)) for _ in ids]
    rows = [result(given, target, reply) for given, (reply, _) in zip(theirs, said, strict=True)]
    jsonl(tmp_path / "results", rows)
    report = batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / "back", stop=True)
    assert (report.rows, report.failed) == (3, 0)
    assert report.renamed == sum(own != given for own, given in zip(ids, theirs, strict=True))
    for text, own, (_, expected) in zip((tmp_path / "back").read_text().splitlines(), ids, said, strict=True):
        made = json.loads(text)
        match source:
            case "openai" | "openai-responses" | "mistral":
                assert list(made) == ["id", "custom_id", "response", "error"]
                assert made["error"] is None
                assert made["response"]["status_code"] == 200
                given, inner = made["custom_id"], made["response"]["body"]
            case "anthropic":
                from anthropic.types.messages import MessageBatchIndividualResponse

                if WIRE.get(target, target) != "anthropic":  # Anthropic's own replies stay as they came
                    MessageBatchIndividualResponse.model_validate(made)
                given, inner = made["custom_id"], made["result"]["message"]
            case "gemini":
                assert list(made) == ["key", "response"]
                given, inner = made["key"], made["response"]
            case _:
                assert list(made) == ["recordId", "modelInput", "modelOutput"]
                assert ("anthropic_version" in made["modelInput"]) == (source == "bedrock-claude")
                given, inner = made["recordId"], made["modelOutput"]
        assert given == own
        if "usage" not in inner and WIRE.get(source, source) == "anthropic":
            inner["usage"] = {"input_tokens": 0, "output_tokens": 0}
        assert reply_makers.read(WIRE.get(source, source), inner).text == expected.text


@pytest.mark.parametrize("wire", FAILURES)
def test_failures_are_named_and_go_back(tmp_path: Path, wire: str) -> None:
    ids = [f"id-{n}" for n in range(len(FAILURES[wire]))]
    theirs = submitted(tmp_path, wire, ids)
    key = {"gemini": "key", "bedrock": "recordId"}.get(wire, "custom_id")
    jsonl(
        tmp_path / "results", [{key: given, **row} for given, (row, _, _) in zip(theirs, FAILURES[wire], strict=True)]
    )
    made = list(batch.read_batch_results(tmp_path / "results", tmp_path / "in"))
    assert [(one.status, one.code) for one in made] == [(status, code) for _, status, code in FAILURES[wire]]
    assert [one.id for one in made] == ids
    assert [one.reply for one in made] == [None] * len(ids)
    # Each provider's form of the same failures is read back as the same failures.
    good = [one for one in made if one.status != "unreadable"]
    for other in FAILURES:
        own = submitted(tmp_path, wire, ids, other)
        jsonl(
            tmp_path / "results", [{key: given, **row} for given, (row, _, _) in zip(own, FAILURES[wire], strict=True)]
        )
        failed: list[batch.RowError] = []
        report = batch.convert_batch_results(
            tmp_path / "results", tmp_path / "in", tmp_path / "back", errors=failed.append
        )
        assert len(failed) == report.failed == len(made) - len(good)
        assert {one.code for one in failed} <= {"wrong_type", "missing_key"}
        again = list(batch.read_batch_results(tmp_path / "back", tmp_path / "in"))
        assert [one.id for one in again if one.status != "missing"] == [one.id for one in good]
        for one, before in zip(again, good, strict=False):
            assert one.status == (before.status if other != "bedrock" else "error")
            silent = other == "anthropic" and one.status != "error"  # its results have no key for a sentence
            assert silent or before.message is None or before.message in str(one.message)


KINDS: list[tuple[str, dict[str, Any], int]] = [
    ("anthropic", {"type": "invalid_request_error"}, 400),
    ("anthropic", {"type": "authentication_error"}, 401),
    ("anthropic", {"type": "permission_error"}, 403),
    ("anthropic", {"type": "not_found_error"}, 404),
    ("anthropic", {"type": "rate_limit_error"}, 429),
    ("anthropic", {"type": "api_error"}, 500),
    ("anthropic", {"type": "conflict_error"}, 409),
    ("anthropic", {"type": "request_too_large"}, 413),
    ("anthropic", {"type": "overloaded_error"}, 503),
    ("anthropic", {"type": "timeout_error"}, 504),
    ("gemini", {"code": 10}, 409),
    ("gemini", {"code": 14}, 503),
    ("openai", {"type": "invalid_request_error", "code": None}, 400),
    ("openai", {"type": "rate_limit_error", "code": "rate_limit_exceeded"}, 429),
    ("openai", {"type": "invalid_request_error", "code": "string_above_max_length"}, 400),
    ("openai", {"code": "word of nobody"}, 404),
    ("gemini", {"code": 3}, 400),
    ("gemini", {"code": 8, "status": "RESOURCE_EXHAUSTED"}, 429),
    ("gemini", {"code": 13}, 500),
    ("bedrock", {"errorCode": 400}, 400),
    ("bedrock", {"errorCode": 429}, 429),
]
ANTHROPIC = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error", 404: "not_found_error"}
ANTHROPIC |= {429: "rate_limit_error", 500: "api_error", 409: "conflict_error", 413: "request_too_large"}
ANTHROPIC |= {503: "overloaded_error", 504: "timeout_error"}
GRPC = {400: 3, 401: 16, 403: 7, 404: 5, 409: 10, 413: 3, 429: 8, 500: 13, 503: 14, 504: 4}


@pytest.mark.parametrize(("wire", "error", "status"), KINDS, ids=str)
@pytest.mark.parametrize("source", ["openai", "openai-responses", "anthropic", "gemini", "bedrock"])
def test_a_refusal_keeps_its_kind(tmp_path: Path, source: str, wire: str, error: dict[str, Any], status: int) -> None:
    """A client mends a request that was refused, and repeats one that failed."""
    (given,) = submitted(tmp_path, wire, ["a"], source)
    said = {**error, "errorMessage" if wire == "bedrock" else "message": "no"}
    row: dict[str, Any] = {
        "anthropic": {"custom_id": given, "result": {"type": "errored", "error": {"type": "error", "error": said}}},
        "openai": {
            "custom_id": given,
            "response": {"status_code": status, "request_id": "r", "body": {"error": said}},
            "error": None,
        },
        "gemini": {"key": given, "error": said},
        "bedrock": {"recordId": given, "error": said},
    }[wire]
    jsonl(tmp_path / "results", [row])
    batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / "back", stop=True)
    made = json.loads((tmp_path / "back").read_text())
    match source:
        case "anthropic":
            assert made["result"]["type"] == "errored"
            assert made["result"]["error"]["error"] == {"type": ANTHROPIC[status], "message": "no"}
        case "gemini":
            assert made["error"]["code"] == GRPC[status] and "no" in made["error"]["message"]
        case "bedrock":
            assert made["error"] == {"errorCode": status, "errorMessage": "no"}
        case _:
            assert made["error"] is None and made["response"]["status_code"] == status
            assert made["response"]["body"]["error"]["message"] == "no"


def test_a_refusal_that_is_too_long_has_the_words_of_its_client(tmp_path: Path) -> None:
    (given,) = submitted(tmp_path, "openai", ["a"], "anthropic")
    said = {"message": "request (9000 tokens) exceeds the available context size (8192 tokens)", "code": None}
    answer = {"status_code": 400, "request_id": "r", "body": {"error": said}}
    jsonl(tmp_path / "results", [{"custom_id": given, "response": answer, "error": None}])
    batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / "back", stop=True)
    error = json.loads((tmp_path / "back").read_text())["result"]["error"]["error"]
    assert error == {"type": "invalid_request_error", "message": "prompt is too long: 9000 tokens > 8192 maximum"}


# What OpenAI's clients read of a refusal: its type and its code.
CHAT = {400: ("invalid_request_error", None), 401: ("authentication_error", "invalid_api_key")}
CHAT |= {403: ("permission_error", None), 404: ("invalid_request_error", "model_not_found")}
CHAT |= {409: ("conflict_error", None), 413: ("invalid_request_error", "request_too_large")}
CHAT |= {429: ("rate_limit_error", "rate_limit_exceeded"), 500: ("server_error", "server_error")}
CHAT |= {503: ("server_error", "server_is_overloaded"), 504: ("timeout_error", None)}


@pytest.mark.parametrize("source", ["openai", "openai-responses"])
@pytest.mark.parametrize("wire", ["anthropic", "gemini", "bedrock"])
def test_a_refusal_has_the_words_of_openai(tmp_path: Path, wire: str, source: str) -> None:
    for theirs, error, status in KINDS:
        if theirs != wire:
            continue
        for message in ("no", "prompt is too long: 9 tokens > 8 maximum"):
            (given,) = submitted(tmp_path, wire, ["a"], source)
            said = {**error, "errorMessage" if wire == "bedrock" else "message": message}
            row: dict[str, Any] = {
                "anthropic": {"custom_id": given, "result": {"type": "errored", "error": {"error": said}}},
                "gemini": {"key": given, "error": said},
                "bedrock": {"recordId": given, "error": said},
            }[wire]
            jsonl(tmp_path / "results", [row])
            batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / "back", stop=True)
            body = json.loads((tmp_path / "back").read_text())["response"]["body"]
            kind, code = CHAT[status]
            if message != "no" and status == 400:
                code = "context_length_exceeded"
            assert (body["error"]["type"], body["error"]["code"]) == (kind, code)
            assert list(body["error"]) == ["message", "type", "param", "code"]


@pytest.mark.parametrize("source", TARGETS)
def test_a_refusal_may_name_places_in_place_of_a_sentence(tmp_path: Path, source: str) -> None:
    places = [{"loc": ["body", "x"], "msg": "bad", "type": "t"}]
    for said in ({"object": "error", "message": {"detail": places}}, {"detail": places}, {"message": places}):
        (given,) = submitted(tmp_path, "mistral", ["a"], source)
        row = {"custom_id": given, "response": {"status_code": 422, "body": said}, "error": None}
        jsonl(tmp_path / "results", [row])
        (made,) = batch.read_batch_results(tmp_path / "results", tmp_path / "in")
        assert (made.status, made.message, made.http_status) == ("error", "body.x: bad", 422)
        batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / "back", stop=True)
        assert "body.x: bad" in (tmp_path / "back").read_text()


@pytest.mark.parametrize("source", ["anthropic", "gemini", "bedrock", "openai"])
def test_a_request_that_ended_with_its_batch_stays_one(tmp_path: Path, source: str) -> None:
    (given,) = submitted(tmp_path, "openai", ["a"], source)
    forms: dict[str, dict[str, Any]] = {
        "batch_cancelled": {
            "anthropic": {"type": "canceled"},
            "gemini": 1,
            "bedrock": 499,
            "openai": "batch_cancelled",
        },
        "batch_expired": {"anthropic": {"type": "expired"}, "gemini": 4, "bedrock": 504, "openai": "batch_expired"},
    }
    for code, wanted in forms.items():
        jsonl(tmp_path / "results", [{"custom_id": given, "response": None, "error": {"code": code, "message": "m"}}])
        batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / "back", stop=True)
        made = json.loads((tmp_path / "back").read_text())
        error = made.get("error") or {}
        assert made.get("result", error.get("code", error.get("errorCode"))) == wanted[source]


@pytest.mark.parametrize("source", TARGETS)
def test_a_reply_that_ended_in_an_error_is_a_failure(tmp_path: Path, source: str) -> None:
    (given,) = submitted(tmp_path, "mistral", ["a"], source)
    message = {"role": "assistant", "content": "half"}
    reply = {"id": "x", "object": "chat.completion", "model": "m", "created": 1}
    reply |= {"choices": [{"index": 0, "message": message, "finish_reason": "error"}]}
    jsonl(tmp_path / "results", [result(given, "mistral", reply)])
    batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / "back", stop=True)
    (made,) = batch.read_batch_results(tmp_path / "back", tmp_path / "in", stop=True)
    if source in ("mistral", "openai-responses", "gemini", "bedrock"):  # these can express it in a reply
        assert made.reply is not None
        assert made.reply.finish == "error"
    else:
        assert made.status == "error"
        assert "error" in str(made.message)


def test_what_is_no_result_of_a_request(tmp_path: Path) -> None:
    theirs = submitted(tmp_path, "anthropic", ["a", "b b", "c", "d"])
    good = result(theirs[1], "anthropic", reply_makers.drawn(random.Random(1), "anthropic")[0])
    expired = {"custom_id": "a", "result": {"type": "expired"}}
    rows = [
        good,
        good,
        {"custom_id": "unknown", "result": {"type": "expired"}},
        {"custom_id": "b b", "result": {"type": "expired"}},  # the caller's own id, which the provider never saw
        {"key": "c", "error": {"code": 4}},
        {"custom_id": "c", "error": {"code": "batch_expired"}},
        {"custom_id": 5, "result": {"type": "expired"}},
        {"result": {"type": "expired"}},
        {"x": 1},
        [],
        expired,
    ]
    jsonl(tmp_path / "results", rows)
    with (tmp_path / "results").open("ab") as file:
        file.write(b"{\n")
    expected = [
        (2, "wrong_id", "$.custom_id"),
        (3, "wrong_id", "$.custom_id"),
        (4, "wrong_id", "$.custom_id"),
        (5, "wrong_dialect", "$"),
        (6, "wrong_dialect", "$"),
        (7, "missing_key", "$.custom_id"),
        (8, "missing_key", "$.custom_id"),
        (9, "wrong_dialect", "$"),
        (10, "wrong_type", "$"),
        (12, "invalid_json", "$"),
    ]
    failed: list[batch.RowError] = []
    made = list(batch.read_batch_results(tmp_path / "results", tmp_path / "in", errors=failed.append))
    assert [tuple(one)[:3] for one in failed] == expected
    assert [(one.id, one.status) for one in made] == [
        ("b b", "succeeded"),
        ("a", "expired"),
        ("c", "missing"),
        ("d", "missing"),
    ]
    assert {one.code for one in made[2:]} == {"no_result"}
    report = batch.convert_batch_results(
        tmp_path / "results", tmp_path / "in", tmp_path / "back", errors=tmp_path / "failed"
    )
    told = [json.loads(text) for text in (tmp_path / "failed").read_text().splitlines()]
    assert [(one["line"], one["code"], one["path"]) for one in told] == [
        *expected,
        (0, "no_result", "$"),
        (0, "no_result", "$"),
    ]
    assert (report.rows, report.failed, report.files[0].rows) == (14, 12, 2)
    assert [json.loads(text)["custom_id"] for text in (tmp_path / "back").read_text().splitlines()] == ["b b", "a"]
    with pytest.raises(tw.ParseError, match=r"^line 2: expected each id once"):
        list(batch.read_batch_results(tmp_path / "results", tmp_path / "in", stop=True))
    jsonl(tmp_path / "results", [expired])
    with pytest.raises(tw.ParseError, match=r"^expected a result for 'b b', got none \[no_result\]"):
        list(batch.read_batch_results(tmp_path / "results", tmp_path / "in", stop=True))


def test_several_files_are_read_as_one(tmp_path: Path) -> None:
    theirs = submitted(tmp_path, "openai", ["a", "b", "c"])
    expired = {"error": {"code": "batch_expired"}}
    files = [jsonl(tmp_path / f"results-{given}", [{"custom_id": given, **expired}]) for given in theirs]
    made = list(batch.read_batch_results(files, tmp_path / "in", stop=True))
    assert [(one.id, one.status) for one in made] == [("a", "expired"), ("b", "expired"), ("c", "expired")]
    made = list(batch.read_batch_results([], tmp_path / "in"))
    assert [one.status for one in made] == ["missing"] * 3


def test_geminis_inline_responses(tmp_path: Path) -> None:
    (given,) = submitted(tmp_path, "gemini", ["a"])
    reply, said = reply_makers.drawn(random.Random(2), "gemini")
    rows = [{"response": reply, "metadata": {"key": given}}]
    for whole in (
        {"inlinedResponses": rows},
        {
            "name": "batches/x",
            "metadata": {"@type": "y", "z": {}},
            "done": True,
            "response": {"@type": "t", "inlinedResponses": {"inlinedResponses": rows}},
        },
        {"dest": {"inlined_responses": rows}},
    ):
        (tmp_path / "results").write_text(json.dumps(whole, indent=1))
        (made,) = batch.read_batch_results(tmp_path / "results", tmp_path / "in", stop=True)
        assert made.reply is not None
        assert (made.id, made.reply.text) == ("a", said.text)


def test_calls_have_the_callers_names(tmp_path: Path) -> None:
    (given,) = submitted(tmp_path, "anthropic", ["a"], tools=[TOOL])
    name = json.loads((tmp_path / "out").read_text())["requests"][0]["params"]["tools"][0]["name"]
    assert name != "my tool!"
    reply = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "tool_use", "id": "c", "name": name, "input": {}}],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    jsonl(tmp_path / "results", [result(given, "anthropic", reply)])
    (made,) = batch.read_batch_results(tmp_path / "results", tmp_path / "in")
    assert made.reply is not None
    assert [call.name for call in made.reply.tool_uses] == ["my tool!"]
    batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / "back")
    message = json.loads((tmp_path / "back").read_text())["response"]["body"]["choices"][0]["message"]
    assert [call["function"]["name"] for call in message["tool_calls"]] == ["my tool!"]


def test_requests_that_were_not_converted_have_no_result(tmp_path: Path) -> None:
    taken = batch.batch_id("a b", "anthropic")
    rows = [
        line(given, body(asked(random.Random(1), tools=False), "openai"), "openai")
        for given in ("a b", taken, "a b", "c")
    ]
    jsonl(tmp_path / "in", rows)
    batch.convert_batch(tmp_path / "in", tmp_path / "out", "anthropic")
    jsonl(tmp_path / "results", [{"custom_id": one, "result": {"type": "expired"}} for one in (taken, "c")])
    made = list(batch.read_batch_results(tmp_path / "results", tmp_path / "in", stop=True))
    assert [(one.id, one.status) for one in made] == [("a b", "expired"), ("c", "expired")]


def test_what_breaks_off_leaves_what_was_there(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    submitted(tmp_path, "anthropic", ["a"])
    jsonl(tmp_path / "results", [{"custom_id": "b", "result": {"type": "expired"}}])
    (tmp_path / "back").write_text("before")

    def stop(error: batch.RowError) -> None:
        raise KeyboardInterrupt

    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    with pytest.raises(KeyboardInterrupt):
        batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / "back", errors=stop)
    for out in ("in", "results"):
        with pytest.raises(tw.TurnwireError, match="conflicting_options"):
            batch.convert_batch_results(tmp_path / "results", tmp_path / "in", tmp_path / out)
    with pytest.raises(FileNotFoundError):
        batch.convert_batch_results(tmp_path / "results", tmp_path / "none", tmp_path / "back")
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
    list(batch.read_batch_results(tmp_path / "results", tmp_path / "in"))
    assert "1 lines of results failed" in caplog.text


MEASURED = """
import sys
from turnwire import batch

requests, out, results, back = sys.argv[1:]
report = batch.convert_batch(requests, out, "anthropic", model="m")
assert report.failed == 0, report
report = batch.convert_batch_results(results, requests, back)
assert report.failed == 0, report
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells how much memory a process had")
def test_many_lines_there_and_back_take_little_memory(tmp_path: Path) -> None:
    rows, rng, peaks = int(os.environ.get("TURNWIRE_ROWS", "10000")), random.Random(5), []
    replies = [plain(rng, "anthropic") for _ in range(100)]
    for count in (1000, rows):
        ids = [f"row {n}" for n in range(count)]
        write(tmp_path / "in", [line(one, body(asked(rng), "openai"), "openai") for one in ids], "openai")
        order = rng.sample(ids, count)
        said = {one: rng.choice(replies) for one in ids}
        given = {one: batch.batch_id(one, "anthropic") for one in ids}
        jsonl(tmp_path / "results", [result(given[one], "anthropic", said[one][0]) for one in order])
        places = [str(tmp_path / name) for name in ("in", "out", "results", "back")]
        done = subprocess.run([sys.executable, "-c", MEASURED, *places], capture_output=True, check=True, text=True)
        peaks.append(int(done.stdout))
        back = [json.loads(text) for text in (tmp_path / "back").read_text(encoding="utf-8").splitlines()]
        assert [one["custom_id"] for one in back] == order
        for one in back:
            text = one["response"]["body"]["choices"][0]["message"]["content"] or ""
            assert text == said[one["custom_id"]][1].text
    assert peaks[1] - peaks[0] < 3000 + rows  # KiB: some hundred bytes are held for a request
