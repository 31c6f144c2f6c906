"""Errors: bodies of every shape, requests that are too long in every server's words, and what each client reads."""

import itertools
import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
import reply_makers
import turnwire as tw

Json = dict[str, Any]
CLIENTS = ("openai", "openai-responses", "anthropic", "gemini", "gemini-interactions", "bedrock", "mistral", "cohere")
WIRES = (*CLIENTS, "ollama", "ag-ui", "ai-sdk-ui")
PLACES = [{"loc": ["body", "messages", 0, "role"], "msg": "bad role", "type": "enum"}, {"loc": ["body"], "msg": "no"}]
SAID = "body.messages.0.role: bad role; body: no"
LONG = "x" * 10_000_000
# What a server or a proxy may send, and the message in it. Without one, the status is the message.
BODIES: list[tuple[Any, str | None]] = [
    ({"error": {"message": "m", "type": "t", "param": None, "code": None}}, "m"),
    ({"type": "error", "error": {"type": "t", "message": "m"}, "request_id": "r"}, "m"),
    ({"error": {"code": 400, "message": "m", "status": "FAILED_PRECONDITION", "details": [{"reason": "r"}]}}, "m"),
    ([{"error": {"code": 400, "message": "m", "status": "t"}}], "m"),
    ({"error": {"message": "m", "code": 402, "metadata": {"raw": "r", "provider_name": "p"}}}, "m"),
    ({"error": {"message": "Provider returned error", "code": 402, "metadata": {"raw": "r"}}}, "r"),
    ({"error": {"message": "Provider returned error", "metadata": {"raw": '{"error":{"message":"r"}}'}}}, "r"),
    ({"error": "m"}, "m"),
    ({"error": "m", "error_type": "t"}, "m"),
    ({"code": "t", "error": "m"}, "m"),
    ({"error": "Unauthorized", "message": "m"}, "m"),
    ({"message": "m"}, "m"),
    ({"message": "m", "code": "t"}, "m"),
    ({"Message": "m"}, "m"),
    ({"__type": "com.amazon#T", "message": "m"}, "m"),
    ({"object": "error", "message": "m", "type": "t", "param": None, "code": None}, "m"),
    ({"object": "error", "message": {"detail": PLACES}}, SAID),
    ({"detail": "m"}, "m"),
    ({"detail": PLACES}, SAID),
    ({"errors": [{"message": "m", "code": 10000}]}, "m"),
    ({"message": '{"detail": "{\\"error\\": {\\"message\\": \\"m\\"}}"}'}, "m"),
    ({"error": {"message": '{"error": {"message": "m", "code": "t"}}'}}, "m"),
    ({"error": None}, None),
    ({}, None),
    (b"null", None),
    (b"", None),
    (b" \n\t", None),
    (b"m", "m"),
    (b"Bad \xff Gateway", "Bad \ufffd Gateway"),
    (b"<html><head><TITLE> Too Many\n Requests</TITLE></head></html>", "Too Many Requests"),
    (b"<!DOCTYPE html><html><body>no title</body></html>", None),
    ({"error": {"message": LONG}}, LONG),
    (LONG.encode(), LONG[:2000]),
]
STATUSES = {400: 400, 429: 429, 502: 500, 200: 500}


def message(wire: str, body: Any) -> str:
    """The message where a client of the wire reads it."""
    if wire == "ollama":
        return str(body["error"])
    if wire == "ag-ui":
        return str(body[0]["message"])
    if wire == "ai-sdk-ui":
        return str(body["errorText"])
    return str((body if wire in ("bedrock", "mistral", "cohere") else body["error"])["message"])


def as_bytes(body: Any) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()


@pytest.mark.parametrize("source", WIRES)
@pytest.mark.parametrize(("body", "said"), BODIES, ids=lambda value: repr(value)[:60])
def test_any_body_is_an_error(body: Any, said: str | None, source: str) -> None:
    for number, (status, usual) in enumerate(STATUSES.items()):
        target = WIRES[(WIRES.index(source) + number + 1) % len(WIRES)]
        out = tw.replies.convert_reply_json(as_bytes(body), target, source=source, status=status)
        assert out.status is not None
        # The status wins over the body, but 200 is no status of an error.
        named = status == 200 and b'"code": 40' in as_bytes(body)
        assert out.status // 100 == (4 if named else usual // 100), target
        text = message(target, json.loads(out.payload))
        if said is None:
            assert text in (f"HTTP {status}", "an error without a message")
        else:
            assert text == said
        if not isinstance(body, bytes):
            assert tw.replies.convert_reply(body, target, source=source, status=status).status == out.status


def failed(body: Any, target: str, source: str = "openai", status: int | None = 400) -> tuple[int | None, Any]:
    out = tw.replies.convert_reply(body, target, source=source, status=status)
    return out.status, out.payload


@pytest.mark.parametrize("source", CLIENTS)
def test_the_status_wins(source: str) -> None:
    for status in (400, 404, 418, 422, 429, 499, 500, 503, 529):
        for code in (400, 401, 429, 500, 503):
            for target in WIRES:
                out = tw.replies.convert_reply(
                    {"error": {"message": "m", "code": code}}, target, source=source, status=status
                )
                assert out.status is not None and out.status // 100 == status // 100, (status, code, target)
    for status in (200, None):
        for code in (400, 401, 402, 403, 404, 409, 413, 429, 500, 503, 504):
            body = {"error": {"message": "m", "code": code, "metadata": {}}}
            assert failed(body, "ai-sdk-ui", source, status)[0] == code


@pytest.mark.parametrize("source", CLIENTS)
def test_the_status_of_an_error_makes_a_reply_one(source: str) -> None:
    """A body that looks like an answer is none, and what it says is told as lost."""
    body, said = reply_makers.drawn(random.Random(1), source)
    out = tw.replies.convert_reply(body, "anthropic" if source != "anthropic" else "openai", source=source, status=503)
    assert out.status in (503, 529)
    assert "empty_turn" in {loss.code for loss in out.receipt} or not said.text


def test_what_is_no_error_is_still_refused() -> None:
    """Without a status, a body must name an error. With 200, one may say nothing, or be no JSON."""
    for body in (b"", b"null", b"m", b"<html>", b"{}", b"[]", b"3", b'{"choices": 3}', b'{"choices": ['):
        with pytest.raises(tw.TurnwireError):
            tw.replies.convert_reply(body, "anthropic", source="openai")
    for body in (b"3", b'{"choices": 3}', b'{"choices": ['):
        with pytest.raises(tw.TurnwireError):
            tw.replies.convert_reply(body, "anthropic", source="openai", status=200)
        assert tw.replies.convert_reply(body, "anthropic", source="openai", status=502).status == 500
    assert tw.parse_reply({"detail": "m"}, "anthropic").error == {"detail": "m"}


# Errors as servers stream them, and the message and status that clients get.
CHUNKS: list[tuple[str, list[Json], str, int]] = [
    (
        "openai:openrouter",
        [
            {"id": "1", "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
            {
                "id": "1",
                "error": {"code": 429, "message": "Provider returned error", "metadata": {"raw": "slow down"}},
                "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": "error"}],
            },
        ],
        "slow down",
        429,
    ),
    (
        "openai-responses",
        [
            {"type": "response.created", "response": {"id": "r", "output": []}},
            {"type": "response.failed", "response": {"id": "r", "status": "failed", "error": None, "output": []}},
            {"type": "error", "error": {"type": "rate_limit_error", "code": "rate_limit_exceeded", "message": "m"}},
        ],
        "m",
        429,
    ),
    (
        "openai-responses",
        [{"type": "error", "status": 402, "headers": {"a": 1}, "error": {"type": "usage", "message": "m"}}],
        "m",
        429,
    ),
    ("openai-responses", [{"detail": "m"}], "m", 500),
    ("anthropic", [{"message": "m"}], "m", 500),
    ("bedrock", [{"error": {"code": 402, "message": "m"}}], "m", 429),
    ("cohere", [{"error": "m"}], "m", 500),
    ("ag-ui", [{"type": "RUN_STARTED"}, {"type": "RUN_ERROR", "message": "m", "code": "rate_limited"}], "m", 429),
    ("gemini", [{"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED"}}], "m", 429),
]


@pytest.mark.parametrize(("source", "chunks", "said", "status"), CHUNKS, ids=str)
def test_an_error_in_a_stream_is_that_of_a_whole_reply(source: str, chunks: list[Json], said: str, status: int) -> None:
    events = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks]
    for feed in (events, [b"".join(events)]) if source != "bedrock" else ():
        converter = tw.replies.StreamConverter(source=source, target="ollama")
        lines = b"".join([*map(converter.feed_bytes, feed), converter.finish()]).splitlines()
        assert json.loads(lines[-1]) == {"error": said}
    assembler = tw.StreamAssembler(source)
    _ = [assembler.feed(chunk) for chunk in chunks]
    out = assembler.finish().render("openai")
    assert (out.payload["error"]["message"], out.status) == (said, status)


@pytest.mark.parametrize("source", WIRES)
def test_a_text_in_place_of_a_stream_is_an_error(source: str) -> None:
    target = "anthropic" if source != "anthropic" else "openai"
    for body, said in ((b"Bad Gateway", "Bad Gateway"), (b"<html><title>No</title>", "No"), (b'{"detail":"m"}\n', "m")):
        for pieces in ([body], [body[i : i + 1] for i in range(len(body))]):
            converter = tw.replies.StreamConverter(source=source, target=target)
            _ = [converter.feed_bytes(piece) for piece in pieces]
            assert said in converter.finish().decode()
    for body in (b"", b"dat", b": ping\n\n", b"event: x\n\n", b"\n"):
        converter = tw.replies.StreamConverter(source=source, target=target)
        _ = converter.feed_bytes(body)
        assert "the upstream closed the connection" in converter.finish().decode()


SENTENCES = json.loads((Path(__file__).parent / "samples" / "too_long.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("said", "prompt", "answer", "most"), SENTENCES["long"])
def test_what_servers_say_of_long_requests(said: str, prompt: int | None, answer: int | None, most: int | None) -> None:
    for source, status in itertools.product(("openai", "bedrock", "ollama"), (400, 413, 422, 200, None)):
        body = {"error": said} if source == "ollama" else {"message": said}
        code, out = failed(body, "openai-responses", source, status)
        assert (out["error"]["code"], code) == ("context_length_exceeded", 413 if status == 413 else 400)
        _, out = failed(body, "anthropic", source, status)
        text = out["error"]["message"]
        wanted = f"prompt is too long: {prompt} tokens > {most} maximum" if prompt and most else "prompt is too long"
        if answer:
            wanted = f"input length and `max_tokens` exceed context limit: {prompt} + {answer} > {most}"
        assert wanted in text
    for status in (402, 429, 500):
        assert failed({"message": said}, "openai", "bedrock", status)[1]["error"]["code"] != "context_length_exceeded"


@pytest.mark.parametrize("said", SENTENCES["others"])
def test_what_is_not_too_long(said: str) -> None:
    for source, status in itertools.product(("openai", "anthropic", "bedrock"), (400, 422, 200, None)):
        _, out = failed({"message": said}, "openai-responses", source, status)
        assert out["error"]["code"] != "context_length_exceeded"
        assert out["error"]["message"] == said


@pytest.mark.parametrize(
    "code",
    [
        {"code": "context_length_exceeded"},
        {"type": "context_window_exceeded"},
        {"code": "model_context_window_exceeded"},
        {"type": "exceed_context_size_error"},
        {"type": "prompt_too_long"},
        {"code": "1261"},
        {"code": 1261},
    ],
    ids=str,
)
def test_a_code_says_it_at_any_status(code: Json) -> None:
    for source, status in itertools.product(("openai", "gemini", "cohere"), (400, 429, 500, 502, None)):
        out = failed({"error": {"message": "m", **code}}, "anthropic", source, status)
        assert out == (
            400,
            {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: m"}},
        )


# What each client reads: with the prompt's tokens and the most, with all three, and without any.
A = (
    "input length and `max_tokens` exceed context limit: 8000 + 1000 > 8192, "
    "decrease input length or `max_tokens` and try again"
)
O1 = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
G = "The input token count ({}) exceeds the maximum number of tokens allowed (8192)."
M = "Prompt contains {} tokens, too large for model with 8192 maximum context length"
C = "too many tokens: total number of tokens in the prompt cannot exceed 8192 - received {}"
SOURCE = "Current length is 9000 while limit is 8192"
TWO = (
    "'max_tokens' is too large: 1000. This model's maximum context length is 8192 tokens "
    "and your request has 8000 input tokens"
)
BARE = "Prompt exceeds max length"
WRITTEN: dict[str, tuple[str, str, str]] = {
    "anthropic": ("prompt is too long: 9000 tokens > 8192 maximum", A, f"prompt is too long: {BARE}"),
    "openai": (O1, TWO, f"The input exceeds the maximum context length. {BARE}"),
    "openai-responses": (O1, TWO, f"The input exceeds the maximum context length. {BARE}"),
    "gemini": (
        G.format(9000),
        f"The input token count exceeds the maximum number of tokens allowed. {TWO}",
        f"The input token count exceeds the maximum number of tokens allowed. {BARE}",
    ),
    "bedrock": (
        f"Input is too long for requested model. {SOURCE}",
        A,
        f"Input is too long for requested model. {BARE}",
    ),
    "mistral": (
        M.format(9000),
        f"Prompt is too large for model with its maximum context length: {TWO}",
        f"Prompt is too large for model with its maximum context length: {BARE}",
    ),
    "cohere": (C.format(9000), f"too many tokens: {TWO}", f"too many tokens: {BARE}"),
    "ollama": (
        "prompt too long; exceeded max context length by 808 tokens",
        f"prompt too long; exceeded max context length: {TWO}",
        f"prompt too long; exceeded max context length: {BARE}",
    ),
}
WRITTEN["gemini-interactions"] = WRITTEN["gemini"]


@pytest.mark.parametrize("target", WRITTEN)
def test_every_client_reads_its_own_words(target: str) -> None:
    other = "cohere" if target == "bedrock" else "bedrock"
    for said, wanted in zip((SOURCE, TWO, BARE), WRITTEN[target], strict=True):
        status, out = failed({"message": said}, target, other)
        assert (status, message(target, out)) == (400, wanted)
        # The target's own words stay alone.
        assert message(target, failed({"message": wanted}, target, other)[1]) == wanted
    assert "(request id a1)" in message(target, failed({"message": f"{SOURCE} (request id a1)"}, target, other)[1])


@pytest.mark.parametrize("source", CLIENTS)
@pytest.mark.parametrize("body", [b"<html><title>Too Many Requests</title></html>", b"", b'{"detail": "slow"}'])
def test_a_reply_knows_the_status_of_its_response(source: str, body: bytes) -> None:
    reply = tw.parse_reply(body, source, status=429)  # type: ignore[arg-type]
    assert reply.finish == "error"
    for again in (reply, pickle.loads(pickle.dumps(reply))):
        out = again.render("anthropic" if source != "anthropic" else "openai")
        assert out.status == 429
        whole = tw.replies.convert_reply(body, "openai", source=source, status=429)
        assert again.render("openai") == whole
    assert reply.render("openai", status=500).status == 500
    with pytest.raises(tw.TurnwireError, match="status"):
        tw.parse_reply(body, source, status=99)  # type: ignore[arg-type]
