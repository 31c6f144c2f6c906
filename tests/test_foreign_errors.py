"""Errors in shapes, places and frames that a stream's format does not have.

Every client hears of them, and no end looks like that of a complete reply.
"""

import json
import random
import re
from typing import Any

import pytest
import reply_makers
import stream_readers as readers
import turnwire as tw

Json = Any


def frame(chunk: Json, name: str = "") -> bytes:
    named = f"event: {name}\n" if name else ""
    return f"{named}data: {chunk if isinstance(chunk, str) else json.dumps(chunk)}\n\n".encode()


def chunk(delta: Json, reason: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return frame({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})


HALF = chunk({"role": "assistant", "content": "The answer is "})
DONE = b"data: [DONE]\n\n"
WHOLE = chunk({}, "stop") + DONE


def written(source: Any, target: Any, *pieces: bytes) -> tuple[readers.Said, bytes, bool]:
    """What a client reads, the bytes that it got, and whether its connection is dropped."""
    stream = tw.replies.StreamConverter(source=source, target=target)
    out = b""
    for piece in pieces:
        try:
            out += stream.feed_bytes(piece)
        except tw.TurnwireError:
            continue
    out += stream.finish()
    return readers.read(target, readers.events_of(target, out)), out, stream.abort


ERRORS = {
    "a list of an error": (frame([{"error": {"code": 503, "message": "busy"}}]), "busy"),
    "an error by its name": (frame({"message": "busy"}, "error"), "busy"),
    "a text by its name": (frame("busy", "error"), "busy"),
    "a detail": (frame({"detail": "busy"}), "busy"),
    "several errors": (frame({"errors": ["busy", "late"]}), "busy; late"),
    "an object that is marked": (frame({"object": "error", "message": "busy"}), "busy"),
    "an object of this type": (frame({"type": "error", "message": "busy"}), "busy"),
    "a line without a field": (b'{"error": {"message": "busy"}}\n', "busy"),
}


@pytest.mark.parametrize("target", [name for name in readers.READERS if name != "openai"])
@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_in_a_stream_is_an_error_whatever_follows(kind: str, target: str) -> None:
    error, message = ERRORS[kind]
    for before in (HALF, HALF * 5):
        for after in (b"", DONE, WHOLE):
            got, out, abort = written("openai", target, before, error, after)
            assert (got.failed or abort) and not got.finish, (after, out)
            assert message in out.decode(errors="replace")
            at_once, _, _ = written("openai", target, before + error + after)
            assert at_once == got


@pytest.mark.parametrize("source", ["anthropic", "openai-responses", "cohere", "gemini-interactions"])
def test_so_is_one_in_a_stream_of_events_with_types(source: str) -> None:
    begun = {
        "anthropic": {
            "type": "message_start",
            "message": {"id": "m", "role": "assistant", "content": [], "model": "x"},
        },
        "openai-responses": {"type": "response.created", "response": {"id": "r", "model": "m", "output": []}},
        "cohere": {"type": "message-start", "id": "x", "delta": {"message": {"role": "assistant"}}},
        "gemini-interactions": {"event_type": "interaction.created", "interaction": {"id": "v", "model": "m"}},
    }
    for kind in ERRORS:
        got, out, abort = written(source, "openai", frame(begun[source]), ERRORS[kind][0], DONE)
        assert got.failed or abort, kind
        assert ERRORS[kind][1] in out.decode(), kind


@pytest.mark.parametrize("nothing", [None, "", {}, [], False])
def test_an_empty_error_is_none(nothing: Json) -> None:
    for key in ("errors", "detail"):
        got, _, _ = written("openai", "anthropic", HALF * 4, frame({"id": "c", key: nothing}), WHOLE)
        assert (got.finish, got.failed) == ("stop", False), key


@pytest.mark.parametrize("nothing", [None, "", {}, [], False])
def test_an_empty_error_beside_an_answer_is_none(nothing: Json) -> None:
    for wire in reply_makers.WRITE:
        if wire == "ag-ui":  # It has no whole replies: an error is an event.
            continue
        body, _ = reply_makers.drawn(random.Random(1), wire)
        key = "errorText" if wire == "ai-sdk-ui" else "error"
        for target in {"anthropic", "openai", "openai-responses"} - {wire}:  # To its own client it goes as it came.
            plain = tw.replies.convert_reply({**body, key: None}, target, source=wire)
            made = tw.replies.convert_reply({**body, key: nothing}, target, source=wire)
            # An id that is made up comes from the whole body.
            same = [re.sub(r"[_-][0-9a-f]{32}", "", json.dumps(one.payload)) for one in (plain, made)]
            assert same[0] == same[1] and plain.status == made.status, (wire, target)


@pytest.mark.parametrize("nothing", [None, "", {}, [], False])
def test_an_empty_error_in_a_chunk_is_none(nothing: Json) -> None:
    choice = {"index": 0, "delta": {"content": "42."}, "finish_reason": None}
    part = {"content": {"role": "model", "parts": [{"text": "42."}]}, "finishReason": "STOP"}
    words: list[tuple[str, list[Json]]] = [
        ("openai", [{"id": "c", "error": nothing, "choices": [choice]}]),
        ("openai", [{"id": "c", "choices": [{**choice, "error": nothing}]}]),
        ("gemini", [{"error": nothing, "candidates": [part]}]),
        ("ollama", [{"message": {"role": "assistant", "content": "42."}, "error": nothing, "done": False}]),
    ]
    ends = {
        "openai": WHOLE,
        "gemini": b"",
        "ollama": b'{"message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop"}\n',
    }
    for source, chunks in words:
        frames = [json.dumps(said).encode() + b"\n" if source == "ollama" else frame(said) for said in chunks]
        for target in {"anthropic", "gemini", "openai-responses"} - {source}:
            got, out, abort = written(source, target, *frames, ends[source])
            assert (got.text, got.finish, got.failed, abort) == ("42.", "stop", False, False), (source, target, out)


def test_an_end_with_an_error_is_not_mended_by_a_later_end() -> None:
    got, _, _ = written("openai", "anthropic", HALF, chunk({}, "error"), WHOLE)
    assert got.failed and not got.finish


def test_a_damaged_event_is_missing_although_the_program_reads_on() -> None:
    for pieces in ((HALF, b'data: {"id":"c","cho\n\n', WHOLE), (HALF + b'data: {"id":"c","cho\n\n' + WHOLE,)):
        got, out, _ = written("openai", "anthropic", *pieces)
        assert b"The answer is " in out
        assert got.failed and not got.finish


BODIES = {
    "an error": b'{"error":{"code":402,"message":"no credits"}}',
    "a list of an error": b'[{"error":{"code":503,"message":"no credits"}}]',
    "an error with space around it": b'\r\n {"error":{"message":"no credits"}}\n',
    "an error on several lines": b'{\n  "error": {\n    "type": "a } b",\r\n    "message": "no credits"\n  }\n}\n',
}


@pytest.mark.parametrize("wire", ["openai", "openai:openrouter", "openai-responses", "mistral", "anthropic", "cohere"])
@pytest.mark.parametrize("body", BODIES)
def test_a_body_without_events_becomes_the_events_that_its_own_client_reads(body: str, wire: str) -> None:
    for pieces in ((BODIES[body],), tuple(bytes([byte]) for byte in BODIES[body])):
        got, out, abort = written(wire, wire.partition(":")[0], *pieces)
        assert got.failed or abort
        assert b"no credits" in out


def test_a_whole_reply_in_place_of_a_stream_is_streamed_to_its_own_client() -> None:
    message = {"role": "assistant", "content": "hi there"}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m"}
    body["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
    got, _, abort = written("openai", "openai", json.dumps(body).encode())
    assert (got.text, got.finish, got.failed, abort) == ("hi there", "stop", False, False)


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_without_a_field_in_a_replayed_stream_is_told_in_a_field(end: bytes) -> None:
    got, out, abort = written("openai", "openai", HALF, b'{"error":{"message":"no credits"}}' + end)
    assert got.failed and not got.finish and not abort
    assert out.startswith(HALF)


def test_googles_list_stays_a_list_for_googles_client() -> None:
    body = b'[{"error":{"code":503,"message":"busy"}}]'
    stream = tw.replies.StreamConverter(source="gemini", target="gemini")
    assert stream.feed_bytes(body) + stream.finish() == body


def test_a_broken_response_is_not_begun_again() -> None:
    created = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "output": [],
        "status": "in_progress",
    }
    begun = [{"type": f"response.{kind}", "response": created} for kind in ("created", "in_progress")]
    stream = tw.replies.StreamConverter(source="openai-responses", target="openai-responses")
    events = [event for one in begun for event in stream.feed(one)] + stream.finish()
    assert [event["type"] for event in events] == ["response.created", "response.in_progress", "response.failed"]
    assert (events[-1]["response"]["id"], events[-1]["response"]["model"]) == ("resp_1", "m")
    assert events[-1]["sequence_number"] == 2


USAGE = {"input_tokens": 3, "output_tokens": 1}
REFUSAL = {"type": "refusal", "category": "cyber", "explanation": "Because X"}


@pytest.mark.parametrize("target", [name for name in readers.READERS if name != "anthropic"])
def test_the_words_of_a_refusal_come_at_the_end_of_a_stream(target: Any) -> None:
    begun = {"id": "m", "type": "message", "role": "assistant", "model": "x", "content": [], "usage": USAGE}
    delta = {"stop_reason": "refusal", "stop_details": REFUSAL}
    stream = tw.replies.StreamConverter(source="anthropic", target=target)
    events = [
        *stream.feed({"type": "message_start", "message": begun}),
        *stream.feed({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 2}}),
        *stream.feed({"type": "message_stop"}),
        *stream.finish(),
    ]
    assert "Because X" in readers.read(target, events).text


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("throttlingException", "rate_limit_error"),
        ("validationException", "invalid_request_error"),
        ("serviceUnavailableException", "overloaded_error"),
        ("internalServerException", "api_error"),
        ("InternalFailure", "api_error"),
    ],
)
def test_an_exception_of_bedrocks_stream_keeps_its_kind_and_its_words(name: str, kind: str) -> None:
    stream = tw.replies.StreamConverter(source="bedrock", target="anthropic")
    stream.feed({"messageStart": {"role": "assistant"}})
    *_, last = [*stream.feed({name: {"message": "Too many"}}), *stream.finish()]
    assert last["error"] == {"type": kind, "message": "Too many"}


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        ({"type": "usage_limit_reached"}, "usage_limit_reached", 429),
        ({"code": "usage_not_included"}, "usage_not_included", 429),
        ({"code": "cyber_policy"}, "cyber_policy", 400),
        ({"code": "slow_down"}, "slow_down", 503),
        ({"code": "invalid_prompt"}, "invalid_prompt", 400),
        # A client that sends a request again looks at the code only.
        ({"type": "invalid_request_error"}, "invalid_prompt", 400),
        ({"type": "permission_error"}, "invalid_prompt", 403),
        ({"type": "server_error"}, "server_error", 500),
    ],
)
def test_the_code_of_a_failed_response_says_whether_to_ask_again(error: Json, code: str, status: int) -> None:
    chunk = {"error": {"message": "m", **error}}
    for target in ("openai-responses", "gemini"):
        stream = tw.replies.StreamConverter(source="openai", target=target)  # type: ignore[arg-type]
        *_, last = [*stream.feed(chunk), *stream.finish()]
        if target == "gemini":
            assert last["error"]["code"] == status
        else:
            assert last["response"]["error"] == {"code": code, "message": "m"}


def test_what_comes_behind_the_end_is_told_however_it_is_split() -> None:
    behind = frame({"id": "c", "choices": []}) + b": ping\n\n"
    for more, told in ((behind, 0), (HALF, 1), (behind + HALF + WHOLE, 1)):
        for pieces in ((HALF + WHOLE + more,), (HALF + WHOLE, more), (HALF, WHOLE, more[:9], more[9:])):
            stream = tw.replies.StreamConverter(source="openai", target="anthropic")
            got = readers.read("anthropic", readers.events_of("anthropic", b"".join(map(stream.feed_bytes, pieces))))
            assert (got.text, got.finish) == ("The answer is ", "stop")
            assert stream.finish() == b""
            assert [change.code for change in stream.receipt].count("late_text") == told


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"finish_reason": "ERROR", "message": {"role": "assistant", "content": "half"}, "error": "boom"}, "boom"),
        ({"error": True, "message": "boom"}, "boom"),
        ({"error": "invalid_grant", "error_description": "boom"}, "boom"),
    ],
)
def test_the_error_is_the_message_and_not_the_answer(body: Json, message: str) -> None:
    made = tw.replies.convert_reply(body, "anthropic", source="cohere", status=400)
    assert made.payload["error"]["message"] == message


@pytest.mark.parametrize(
    "error",
    [
        {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": {"seconds": 36}}]},
        {"metadata": {"headers": {"Retry-After": "36"}}},
        {"resets_in_seconds": 36},
        {"retry_after": 36},
    ],
)
def test_every_form_of_the_time_to_wait_is_read(error: Json) -> None:
    body = {"error": {"message": "Slow down", "code": 429, **error}}
    made = tw.replies.convert_reply(body, "openai", source="gemini", status=429)
    assert made.payload["error"]["message"] == "Slow down. Please try again in 36s."


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 409, 413, 422, 429, 500, 503, 529])
def test_the_status_of_an_error_stays_for_a_client_of_its_own_format(status: int) -> None:
    body = {"error": {"message": "pay"}}
    made = tw.replies.convert_reply(body, "openai", source="openai", status=status)
    assert (made.payload, made.status) == (body, status)
