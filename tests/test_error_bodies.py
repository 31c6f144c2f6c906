"""What an error keeps: its status, the form of its client, the id of its request, the time to wait, its tier."""

import json
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
CLIENTS = ("openai", "openai-responses", "anthropic", "gemini", "gemini-interactions", "bedrock", "mistral", "cohere")
TARGETS = (*CLIENTS, "ollama")


def message(wire: str, body: Any) -> str:
    """The message where a client of the wire reads it."""
    if wire == "ollama":
        return str(body["error"])
    return str((body if wire in ("bedrock", "mistral", "cohere") else body["error"])["message"])


def failed(body: Any, target: str, source: str, status: int | None) -> tuple[int | None, Any]:
    out = tw.replies.convert_reply(body, target, source=source, status=status)
    return out.status, out.payload


# Bodies whose words are those of another status.
WORDS: list[tuple[str, Json]] = [
    ("openai", {"type": "error", "error": {"type": "invalid_request_error", "message": "m"}}),
    ("openai", {"error": {"type": "rate_limit_error", "message": "m"}}),
    ("openai", {"error": {"type": "server_error", "code": "server_error", "message": "m"}}),
    ("openai", {"error": {"type": "invalid_request_error", "code": "model_not_found", "message": "m"}}),
    ("anthropic", {"type": "error", "error": {"type": "invalid_request_error", "message": "m"}}),
    ("anthropic", {"type": "error", "error": {"type": "api_error", "message": "m"}}),
    ("gemini", {"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "m"}}),
    ("gemini", {"error": {"code": 500, "status": "INTERNAL", "message": "m"}}),
    ("bedrock", {"__type": "ValidationException", "message": "m"}),
    ("bedrock", {"__type": "InternalServerException", "message": "m"}),
    ("gemini-interactions", {"error": {"code": "invalid_request", "message": "m"}}),
    ("mistral", {"object": "error", "type": "invalid_request_error", "message": "m"}),
]
# What a status means to Anthropic's clients, which have a word for each.
MEANS = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    409: "conflict_error",
    413: "request_too_large",
    422: "invalid_request_error",
    429: "rate_limit_error",
    500: "api_error",
    502: "api_error",
    503: "overloaded_error",
    504: "timeout_error",
    529: "overloaded_error",
}


@pytest.mark.parametrize(("source", "body"), WORDS, ids=str)
def test_the_status_says_more_than_the_words(source: str, body: Json) -> None:
    for status, kind in MEANS.items():
        target = "anthropic" if source != "anthropic" else "openai"
        code, out = failed(body, target, source, status)
        assert code is not None and code // 100 == status // 100
        if target == "anthropic":
            assert out["error"]["type"] == kind, status
        plain = failed({"error": {"message": "m"}}, target, "mistral", status)
        if (source, status) != ("openai", 404):
            assert (code, out["error"]["type"]) == (plain[0], plain[1]["error"]["type"]), status
    for target in ("bedrock", "gemini"):
        if source != target:
            assert failed(body, target, source, 429)[0] == 429
    # At the status of a code, the code says more.
    quota = {"error": {"type": "insufficient_quota", "code": "insufficient_quota", "message": "m"}}
    assert failed(quota, "anthropic", "openai", 429)[0] == 402


@pytest.mark.parametrize(
    "said", ["prompt is too long: 9 tokens > 8 maximum", "too many tokens", "Prompt exceeds max length"]
)
def test_too_long_is_said_with_the_status_of_a_bad_request(said: str) -> None:
    for source, status in (("openai", 429), ("openai", 402), ("bedrock", 403), ("mistral", 503)):
        body = {"error": {"type": "invalid_request_error", "message": said}}
        code, out = failed(body, "anthropic", source, status)
        assert code == (529 if status == 503 else status)
        assert out["error"] == {"type": MEANS[status], "message": said}


FOREIGN: list[tuple[str, Any]] = [
    ("anthropic", {"error": "bad"}),
    ("anthropic", {"error": {"message": "bad"}}),
    ("anthropic", {"message": "bad"}),
    ("anthropic", {"type": "error", "error": {"message": "bad"}}),
    ("openai", {"error": "bad"}),
    ("openai", {"message": "bad"}),
    ("openai-responses", {"error": "bad"}),
    ("openai-responses", {"detail": "bad"}),
    ("ollama", {"message": "bad"}),
    ("ollama", {"error": {"message": "bad"}}),
    ("gemini", {"error": "bad"}),
    ("gemini", [{"error": "bad"}]),
    ("gemini-interactions", {"error": "bad"}),
    ("bedrock", {"error": {"message": "bad"}}),
    ("bedrock", {"detail": "bad"}),
    ("mistral", {"error": {"message": "bad"}}),
    ("cohere", {"error": {"message": "bad"}}),
    ("cohere", {"detail": "bad"}),
]


@pytest.mark.parametrize(("wire", "body"), FOREIGN, ids=str)
def test_a_body_in_another_form_is_written_in_that_of_its_own_client(wire: str, body: Any) -> None:
    other = "mistral" if wire != "mistral" else "openai"
    for made in (
        tw.replies.convert_reply(body, wire, source=wire, status=400),
        tw.parse_reply(body, wire, status=400).render(wire),  # type: ignore[arg-type]
    ):
        assert made.status == 400
        assert made.payload == failed({"message": "bad"}, wire, other, 400)[1]
    text = json.dumps(body).encode()
    assert json.loads(tw.replies.convert_reply_json(text, wire, source=wire, status=400).payload) == made.payload


OWN: list[tuple[str, Any]] = [
    ("anthropic", {"type": "error", "error": {"type": "x_error", "message": "m"}, "request_id": "r"}),
    ("openai", {"error": {"message": "m", "type": "x", "param": None, "code": "y"}}),
    ("openai-responses", {"error": {"message": "m", "type": "x", "param": None, "code": None}}),
    ("gemini", {"error": {"code": 400, "message": "m", "status": "X", "details": [{"reason": "r"}]}}),
    ("gemini", [{"error": {"code": 400, "message": "m", "status": "X"}}]),
    ("gemini-interactions", {"error": {"message": "m", "code": "x"}}),
    ("bedrock", {"__type": "X", "message": "m"}),
    ("bedrock", {"Message": "m"}),
    ("mistral", {"object": "error", "message": {"detail": [{"loc": ["body"], "msg": "m"}]}}),
    ("mistral", {"detail": [{"loc": ["body"], "msg": "m"}]}),
    ("mistral", {"message": "m", "request_id": "r"}),
    ("cohere", {"message": "m", "id": "x"}),
    ("ollama", {"error": "m", "signin_url": "u"}),
]


@pytest.mark.parametrize(("wire", "body"), OWN, ids=str)
def test_an_own_body_replays(wire: str, body: Any) -> None:
    out = tw.replies.convert_reply(body, wire, source=wire, status=400)
    assert (out.payload, out.status, list(out.receipt)) == (body, 400, [])


def test_too_long_has_the_words_of_another_servers_client() -> None:
    long = "request (9000 tokens) exceeds the available context size (8192 tokens)"
    said = {"code": 400, "message": long, "type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 8192}
    status, out = failed({"error": said}, "openai", "openai:compatible", 400)
    assert (status, out["error"]["code"]) == (400, "context_length_exceeded")
    assert failed({"error": said}, "openai:compatible", "openai:compatible", 400)[1] == {"error": said}
    known = {"message": "m", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}
    assert failed({"error": known}, "openai", "openai:compatible", 400)[1] == {"error": known}


def streamed(body: bytes, source: str, target: str, size: int = 7) -> bytes:
    converter = tw.replies.StreamConverter(source=source, target=target)
    pieces = [converter.feed_bytes(body[at : at + size]) for at in range(0, len(body), size)]
    return b"".join([*pieces, converter.finish()])


def test_a_stream_of_the_same_format_ends_with_an_error_of_its_form() -> None:
    own = b'data: {"error": {"code": 400, "message": "m", "status": "INVALID_ARGUMENT"}}\n\n'
    assert streamed(own, "gemini", "gemini") == own
    out = streamed(b'data: {"error": "bad"}\n\n', "gemini", "gemini")
    assert json.loads(out.splitlines()[2].removeprefix(b"data: "))["error"]["message"] == "bad"


@pytest.mark.parametrize(
    "body", [b'{"message":"slow"}', b'{"Message": "slow"}\n', b"slow", b"<html><title>slow</title>"]
)
@pytest.mark.parametrize("target", TARGETS)
def test_an_error_in_place_of_a_binary_stream_ends_it(body: bytes, target: str) -> None:
    for size in (1, 100):
        assert b"slow" in streamed(body, "bedrock", target, size)
    stream = tw.StreamAssembler("bedrock")
    stream.feed_bytes(body)
    reply = stream.finish()
    assert reply.finish == "error"
    assert message("openai", reply.render("openai").payload) == "slow"


def test_damaged_frames_are_still_an_error() -> None:
    stream = tw.StreamAssembler("bedrock")
    with pytest.raises(tw.ParseError):
        stream.feed_bytes(b"\x00" * 40)


def test_the_id_of_a_request_goes_to_clients_whose_errors_have_it() -> None:
    error = {"type": "rate_limit_error", "message": "m"}
    for source, body in (
        ("mistral", {"object": "error", **error, "request_id": "r1"}),
        ("openai", {"error": error, "request_id": "r1"}),
        ("openai", {"error": {**error, "request_id": "r1"}}),
        ("anthropic", {"error": error, "request_id": "r1"}),
    ):
        out = tw.replies.convert_reply(body, "anthropic", source=source, status=429)
        assert out.payload == {"type": "error", "error": error, "request_id": "r1"}
        assert not [loss for loss in out.receipt if "request_id" in str(loss.path)]
        if source != "openai":
            lost = tw.replies.convert_reply(body, "openai", source=source, status=429).receipt
            assert [loss.code for loss in lost if "request_id" in str(loss.path)] == ["key"]
    body = {"type": "error", "error": error, "request_id": "r1"}
    line = b"event: error\ndata: " + json.dumps(body).encode() + b"\n\n"
    assert b"r1" in streamed(line, "anthropic", "anthropic")


INFO = "type.googleapis.com/google.rpc.RetryInfo"


@pytest.mark.parametrize("target", [one for one in TARGETS if one != "gemini"])
def test_the_time_to_wait_is_said_where_clients_look(target: str) -> None:
    def body(said: str, *details: Json) -> Json:
        return {"error": {"code": 429, "message": said, "status": "RESOURCE_EXHAUSTED", "details": list(details)}}

    wait = {"@type": INFO, "retryDelay": "5s"}
    out = tw.replies.convert_reply(body("Quota exceeded.", wait), target, source="gemini", status=429)
    assert message(target, out.payload) == "Quota exceeded. Please try again in 5s."
    assert list(out.receipt) == []
    for said in ("Please retry in 5.1s.", "Try again in 3 seconds", "Retry after 20 s"):
        out = tw.replies.convert_reply(body(said, wait), target, source="gemini", status=429)
        assert message(target, out.payload) == said
    out = tw.replies.convert_reply(body("m", wait, {"@type": "x", "reason": "r"}), target, source="gemini", status=429)
    assert message(target, out.payload) == "m. Please try again in 5s."
    assert [str(loss.path) for loss in out.receipt] == ["$.error.details"]
    for odd in ({"retryDelay": "soon"}, {"retryDelay": 5}, {"retryDelay": "-5s"}, {"x": 1}):
        out = tw.replies.convert_reply(body("m", odd), target, source="gemini", status=429)
        assert message(target, out.payload) == "m"
    # Only for errors after which a client waits.
    assert message(target, failed(body("m", wait), target, "gemini", 400)[1]) == "m"
    chunk = b"data: " + json.dumps(body("slow", wait)).encode() + b"\n\n"
    assert b"try again in 5s" in streamed(chunk, "gemini", target)


TIERED = ("openai", "openai-responses")


def tiered(source: str, tier: Any) -> tuple[Json, list[Json]]:
    """A whole reply with a tier, and its stream."""
    if source == "openai":
        head = {"id": "x", "created": 1, "model": "m", "service_tier": tier}
        choice = {"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}
        whole = {**head, "object": "chat.completion", "choices": [choice]}
        deltas: list[Json] = [{"delta": {"content": "hi"}}, {"delta": {}, "finish_reason": "stop"}]
        return whole, [{**head, "choices": [{"index": 0, **delta}]} for delta in deltas]
    if source == "openai-responses":
        item = {"id": "i", "type": "message", "role": "assistant", "status": "completed"}
        item["content"] = [{"type": "output_text", "text": "hi", "annotations": []}]  # type: ignore[assignment]
        whole = {
            "id": "x",
            "object": "response",
            "created_at": 1,
            "model": "m",
            "status": "completed",
            "output": [item],
        }
        whole["service_tier"] = tier
        return whole, [
            {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        ]
    output = {"message": {"role": "assistant", "content": [{"text": "hi"}]}}
    return {"output": output, "stopReason": "end_turn", "usage": {}, "serviceTier": {"type": tier}}, []


@pytest.mark.parametrize("source", [*TIERED, "bedrock"])
@pytest.mark.parametrize("target", TARGETS)
def test_the_tier_of_a_reply_is_kept_or_told(source: str, target: str) -> None:
    whole, chunks = tiered(source, "priority")
    if source == target:
        return
    out = tw.replies.convert_reply(whole, target, source=source)
    told = [("$.serviceTier" if source == "bedrock" else "$.service_tier", "lost", "key")]

    def tiers(receipt: Any) -> list[Any]:
        return [(str(loss.path), loss.kind, loss.code) for loss in receipt if "ier" in str(loss.path)]

    if target in TIERED and source in TIERED:
        assert out.payload["service_tier"] == "priority"
        told = []
    else:
        assert "service_tier" not in out.payload
    assert tiers(out.receipt) == told
    if chunks:
        converter = tw.replies.StreamConverter(source=source, target=target)
        events = [event for chunk in chunks for event in converter.feed(chunk)] + converter.finish()
        assert tiers(converter.receipt) == told
        last = events[-1].get("response", events[-1])
        assert last.get("service_tier") == (None if told else "priority")
    # The SDK of OpenAI knows no other words.
    if chunks:
        whole, chunks = tiered(source, "on_demand")
        out = tw.replies.convert_reply(whole, target, source=source)
        assert "service_tier" not in out.payload
        converter = tw.replies.StreamConverter(source=source, target=target)
        events = [event for chunk in chunks for event in converter.feed(chunk)] + converter.finish()
        assert "on_demand" not in json.dumps(events)
        for receipt in (out.receipt, converter.receipt):
            assert tiers(receipt) == [("$.service_tier", "lost", "key")]
    # Without a word there is nothing to tell.
    for nothing in (None, "") if chunks else ():
        assert tiers(tw.replies.convert_reply(tiered(source, nothing)[0], target, source=source).receipt) == []


def test_small_things_of_bodies() -> None:
    for said in (
        "exceeded your TPM limit: too many tokens",
        "TPD: prompt is too long",
        "10 tokens/min: too many tokens",
    ):
        assert failed({"message": said}, "openai", "bedrock", 400)[1]["error"]["code"] is None
    long = "input length and `max_tokens` exceed context limit"
    assert failed({"message": long}, "openai", "bedrock", 400)[1]["error"]["code"] == "context_length_exceeded"
    given = "`inputs` must have less than 4096 tokens. Given: 5000"
    assert failed({"error": given}, "anthropic", "ollama", 422)[1]["error"]["message"] == (
        "prompt is too long: 5000 tokens > 4096 maximum"
    )
    for page, said in (
        ("<html><title>Q&amp;A &lt;b&gt; &#39;x&#x27; &quot;&nbsp;&foo; & b</title>", "Q&A <b> 'x' \" &foo; & b"),
        ("<title>&#xD800;&#0;</title>", "&#xD800;&#0;"),
    ):
        assert failed(page, "openai", "openai", 502)[1]["error"]["message"] == said
    for body in ("a\ud800b", "a\udc00"):
        wanted = body.replace("\ud800", "\ufffd").replace("\udc00", "\ufffd")
        assert failed(body, "anthropic", "openai", 502)[1]["error"]["message"] == wanted


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.", False),
        ("request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it", False),
        ("Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192", False),
        ("Current length is 9000 while limit is 8192. Please see docs at X.", True),
        ("Bob: current length is 9000 while limit is 8192", True),
        ("Maximum context length is 8192 tokens. See docs at X. Your messages resulted in 9000 tokens", True),
    ],
)
def test_a_rest_of_the_message_stays(said: str, rest: bool) -> None:
    out = failed({"message": said}, "anthropic", "bedrock", 400)[1]["error"]["message"]
    assert out == "prompt is too long: 9000 tokens > 8192 maximum" + (f" ({said})" if rest else "")
