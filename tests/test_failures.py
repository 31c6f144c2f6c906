"""Errors: bodies of every shape, requests that are too long in the words of every server, and what each client reads."""

import itertools
import json
from typing import Any

import pytest
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
    ({"error": {"code": 400, "message": "m", "status": "FAILED_PRECONDITION", "details": [{"retryDelay": "1s"}]}}, "m"),
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
        named = {402, 400} if status == 200 else set()
        assert out.status in named | {usual} or out.status // 100 == usual // 100 == status // 100, (target, out.status)
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
                out = tw.replies.convert_reply({"error": {"message": "m", "code": code}}, target, source=source, status=status)
                assert out.status is not None and out.status // 100 == status // 100, (status, code, target)
    for status in (200, None):
        for code in (400, 401, 402, 403, 404, 409, 413, 429, 500, 503, 504):
            body = {"error": {"message": "m", "code": code, "metadata": {}}}
            assert failed(body, "ai-sdk-ui", source, status)[0] == code


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
    ("gemini", [{"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED"}}], "m", 429),
]


def streamed(source: str, feed: Any, target: str = "openai") -> tuple[Any, Any]:
    """What a client reads, and the same reply written whole."""
    converter = tw.replies.StreamConverter(source=source, target=target)
    whole = tw.StreamAssembler(source)
    written = b""
    for data in feed:
        both = [one.feed_bytes if isinstance(data, bytes) else one.feed for one in (converter, whole)]
        _ = [feed(data) for feed in both]
    return converter, whole.finish().render(target)


@pytest.mark.parametrize(("source", "chunks", "said", "status"), CHUNKS, ids=str)
def test_an_error_in_a_stream_is_that_of_a_whole_reply(source: str, chunks: list[Json], said: str, status: int) -> None:
    lines = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks]
    for feed in (lines, [b"".join(lines)]) if source != "bedrock" else ():
        converter = tw.replies.StreamConverter(source=source, target="openai")
        events = b"".join([*map(converter.feed_bytes, feed), converter.finish()]).split(b"\n\n")
        error = json.loads(events[-2].removeprefix(b"data: "))["error"]
        assert error["message"] == said and events[-1] == b""
    assembler = tw.StreamAssembler(source)
    _ = [assembler.feed(chunk) for chunk in chunks]
    out = assembler.finish().render("openai")
    assert (out.payload["error"]["message"], out.status) == (said, status)


@pytest.mark.parametrize("source", WIRES)
def test_a_text_in_place_of_a_stream_is_an_error(source: str) -> None:
    for body, said in ((b"Bad Gateway", "Bad Gateway"), (b"<html><title>No</title>", "No"), (b'{"detail":"m"}\n', "m")):
        if source == "bedrock":
            continue  # Its streams are binary.
        for pieces in ([body], [body[i : i + 1] for i in range(len(body))]):
            converter = tw.replies.StreamConverter(source=source, target="anthropic")
            _ = [converter.feed_bytes(piece) for piece in pieces]
            assert said in converter.finish().decode()
    for body in (b"", b"dat", b": ping\n\n", b"event: x\n\n", b"\n"):
        converter = tw.replies.StreamConverter(source=source, target="anthropic")
        _ = converter.feed_bytes(body)
        assert "the upstream closed the connection" in converter.finish().decode()


# What servers say of a request that is too long: the numbers of the prompt, of the answer, and the most.
PHRASES: list[tuple[str, tuple[int | None, int | None, int | None]]] = [
    ("prompt is too long: 9000 tokens > 8192 maximum", (9000, None, 8192)),
    ("input length and `max_tokens` exceed context limit: 8000 + 1000 > 8192, decrease input length or `max_tokens` and try again", (8000, 1000, 8192)),
    ("Input is too long for requested model.", (None, None, None)),
    ("The model returned the following errors: prompt is too long", (None, None, None)),
    ("This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", (9000, None, 8192)),
    ("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion). Please reduce the length.", (8000, 1000, 8192)),
    ("Your input exceeds the context window of this model. Please adjust your input and try again.", (None, None, None)),
    ("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 9 tokens.", (None, None, 272000)),
    ("Please reduce the length of the messages or completion.", (None, None, None)),
    ("The input token count (9000) exceeds the maximum number of tokens allowed (8192).", (9000, None, 8192)),
    ("The input token count exceeds the limit of 8192", (None, None, 8192)),
    ("Prompt contains 9000 tokens and 0 draft tokens, too large for model with 8192 maximum context length", (9000, None, 8192)),
    ("too many tokens: total number of tokens in the prompt cannot exceed 8192 - received 9000", (None, None, 8192)),
    ("This model's maximum prompt length is 8192 but the request contains 9000 tokens.", (9000, None, 8192)),
    ("Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192", (9000, None, 8192)),
    ("The input is longer than the model's context length", (None, None, None)),
    ("Input validation error: `inputs` tokens + max_new_tokens must be <= 8192", (None, None, 8192)),
    ("prompt token count of 9000 exceeds the limit of 8192", (9000, None, 8192)),
    ("Range of input length should be [1, 8192]", (None, None, 8192)),
    ("Prompt exceeds max length", (None, None, None)),
    ("输入超长", (None, None, None)),
    ("Your request exceeded model token limit: 8192 (requested: 9000)", (9000, None, 8192)),
    ("invalid params, context window exceeds limit (2013)", (None, None, None)),
    ("the request exceeds the available context size. try increasing the context size", (None, None, None)),
    ("request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it", (9000, None, 8192)),
    ("Trying to keep the first 9 tokens, greater than the context length", (None, None, None)),
    ("The number of tokens to keep from the initial prompt is greater", (None, None, None)),
    ("the model's context length is only 8192 tokens", (None, None, 8192)),
    ("prompt too long; exceeded max context length by 808 tokens", (None, None, None)),
    ("the input length exceeds the context length", (None, None, None)),
    ("'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 8192 tokens and your request has 8000 input tokens (1000 > 8192 - 8000).", (8000, 1000, 8192)),
    ("The decoder prompt (length 9000) is longer than the maximum model length of 8192.", (9000, None, 8192)),
    ("Input prompt (9000 tokens) is too long and exceeds limit of 8192", (9000, None, 8192)),
    ("Sampled tokens exceed max_model_len", (None, None, None)),
    ("Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 8000 tokens from the input messages and 1000 tokens for the completion.", (8000, 1000, 8192)),
    ("`inputs` must have less than 8192 tokens. Given: 9000", (None, None, 8192)),
    ("`inputs` tokens + `max_new_tokens` must be <= 8192. Given: 8000 `inputs` tokens and 1000 `max_new_tokens`", (8000, 1000, 8192)),
    ("Input length exceeds the maximum allowed input length of 8,192 tokens", (None, None, 8192)),
    ("Input too long: 9000 input tokens, limit is 8192", (9000, None, 8192)),
    ("This endpoint's maximum context length is 8192 tokens. However, you requested about 9000 tokens (9000 of text input).", (9000, None, 8192)),
    ("input tokens [9000] exceed context window [8192]", (9000, None, 8192)),
    ("Context length exceeded", (None, None, None)),
    ("It exceeds the maximum context", (None, None, None)),
    ("The context window is exceeded", (None, None, None)),
    ("too many tokens", (None, None, None)),
    ("maximum input length is 8192 tokens", (None, None, 8192)),
    # A prompt that alone is too long needs to be cut, whatever the answer takes.
    ("input length and `max_tokens` exceed context limit: 9000 + 1000 > 8192", (9000, None, 8192)),
]
OTHERS = [
    "Rate limit reached for tokens per min (TPM): prompt is too long",
    "too many tokens per minute",
    "Too many tokens per day",
    "quota: too many tokens",
    "ThrottlingException: too many tokens",
    "Too many tokens, please wait before trying again.",
    "Invalid 'input[0].id': string too long. Expected a string with maximum length 64. The prompt is too long",
    "Invalid 'tools': array too long. too many tokens",
    "max_tokens must be at least 1: too many tokens",
    "max_tokens: 9000 > 8192, which is the maximum allowed number of output tokens for too many tokens",
    "no",
]


@pytest.mark.parametrize(("said", "numbers"), PHRASES, ids=lambda value: str(value)[:50])
def test_what_servers_say_of_long_requests(said: str, numbers: tuple[int | None, int | None, int | None]) -> None:
    prompt, answer, most = numbers
    for source, status in itertools.product(("openai", "bedrock", "ollama"), (400, 413, 422, 200, None)):
        body = {"error": said} if source == "ollama" else {"message": said}
        code, out = failed(body, "openai", source, status)
        assert (out["error"]["code"], code) == ("context_length_exceeded", 413 if status == 413 else 400)
        _, out = failed(body, "anthropic", source, status)
        text = out["error"]["message"]
        wanted = f"prompt is too long: {prompt} tokens > {most} maximum" if prompt and most else "prompt is too long"
        if answer:
            wanted = f"input length and `max_tokens` exceed context limit: {prompt} + {answer} > {most}"
        assert wanted in text
    for status in (402, 429, 500):
        assert failed({"message": said}, "openai", "bedrock", status)[1]["error"]["code"] != "context_length_exceeded"


@pytest.mark.parametrize("said", OTHERS)
def test_what_is_not_too_long(said: str) -> None:
    for source, status in itertools.product(("openai", "anthropic", "bedrock"), (400, 422, 200, None)):
        _, out = failed({"message": said}, "openai", source, status)
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
    for source, status in itertools.product(("openai", "anthropic", "cohere"), (400, 429, 500, 502, None)):
        out = failed({"error": {"message": "m", **code}}, "anthropic", source, status)
        assert out == (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "prompt is too long: m"}})


# What each client reads: with the prompt's tokens and the most, with all three, and without any.
A = "input length and `max_tokens` exceed context limit: 8000 + 1000 > 8192, decrease input length or `max_tokens` and try again"
O1 = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."
O2 = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8000 in the messages, 1000 in the completion)."
G = "The input token count ({}) exceeds the maximum number of tokens allowed (8192)."
M = "Prompt contains {} tokens, too large for model with 8192 maximum context length"
C = "too many tokens: total number of tokens in the prompt cannot exceed 8192 - received {}"
SOURCE = "Current length is 9000 while limit is 8192"
TWO = "'max_tokens' is too large: 1000. This model's maximum context length is 8192 tokens and your request has 8000 input tokens"
BARE = "Prompt exceeds max length"
WRITTEN: dict[str, tuple[str, str, str]] = {
    "anthropic": ("prompt is too long: 9000 tokens > 8192 maximum", A, f"prompt is too long: {BARE}"),
    "openai": (O1, TWO, f"The input exceeds the maximum context length. {BARE}"),
    "openai-responses": (O1, TWO, f"The input exceeds the maximum context length. {BARE}"),
    "gemini": (G.format(9000), f"The input token count exceeds the maximum number of tokens allowed. {TWO}", f"The input token count exceeds the maximum number of tokens allowed. {BARE}"),
    "bedrock": (f"Input is too long for requested model. {SOURCE}", A, f"Input is too long for requested model. {BARE}"),
    "mistral": (M.format(9000), f"Prompt is too large for model with its maximum context length: {TWO}", f"Prompt is too large for model with its maximum context length: {BARE}"),
    "cohere": (C.format(9000), f"too many tokens: {TWO}", f"too many tokens: {BARE}"),
    "ollama": ("prompt too long; exceeded max context length by 808 tokens", f"prompt too long; exceeded max context length: {TWO}", f"prompt too long; exceeded max context length: {BARE}"),
}
WRITTEN["gemini-interactions"] = WRITTEN["gemini"]


@pytest.mark.parametrize("target", WRITTEN)
def test_every_client_reads_its_own_words(target: str) -> None:
    for said, wanted in zip((SOURCE, TWO, BARE), WRITTEN[target], strict=True):
        status, out = failed({"message": said}, target, "bedrock")
        assert (status, message(target, out)) == (400, wanted)
        # The target's own words stay alone.
        assert message(target, failed({"error": {"message": wanted}}, target, "cohere")[1]) == wanted
    assert "(request id a1)" in message(target, failed({"message": f"{SOURCE} (request id a1)"}, target, "bedrock")[1])
