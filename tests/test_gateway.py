"""The example's gateway: the official clients in front of a server of every wire."""

import itertools
import json
import re
import subprocess
import sys
import time
from http.client import HTTPConnection
from random import Random
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import gateway_runs as runs
import pytest
import reply_makers
import sdk_clients
import stream_faults as faults
import stream_makers as makers
import stream_readers as readers
import turnwire as tw
from judges.wire import refused
from random_runs import some
from stream_readers import WORD

WHY = "the clients and the server are not installed (dependency group dev)"
for module in ("aiohttp", "uvicorn", "google.genai", "boto3"):
    pytest.importorskip(module, reason=WHY)
anthropic = pytest.importorskip("anthropic", reason=WHY)
applications = pytest.importorskip("starlette.applications", reason=WHY)
openai = pytest.importorskip("openai", reason=WHY)

SERVERS = [
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "gemini-interactions",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
]
PATHS = {
    "openai": "/v1/chat/completions",
    "openai-responses": "/v1/responses",
    "anthropic": "/v1/messages",
    "gemini": "/v1beta/models/m:generateContent",
    "gemini-interactions": "/v1beta/interactions",
    "bedrock": "/model/m/converse",
    "mistral": "/v1/chat/completions",
    "cohere": "/v2/chat",
    "ollama": "/api/chat",
}
STREAM_PATHS = PATHS | {
    "gemini": "/v1beta/models/m:streamGenerateContent?alt=sse",
    "bedrock": "/model/m/converse-stream",
}


@pytest.fixture(scope="module")
def upstream():
    server = runs.Upstream()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def url(upstream):
    url, stop = runs.serve(upstream, SERVERS)
    yield url
    stop()


@pytest.fixture(scope="module")
def clients(url):
    """The client of a wire in front of a server of a wire, each made once."""
    made = {}

    def client(wire, server):
        if (wire, server) not in made:
            made[wire, server] = runs.client(wire, f"{url}/{server}")
        return made[wire, server]

    yield client
    for one in made.values():
        runs.close(one)


@pytest.fixture
def reads(clients, monkeypatch):
    """What the client of one wire reads through a gateway to a server of another one."""

    def reads(wire, server, *, stream):
        monkeypatch.setattr(sdk_clients, "client", lambda name: clients(name, server))
        return runs.read(wire, stream)

    return reads


PAIRS = [(wire, server) for wire in runs.STREAMS for server in SERVERS if wire != server]


def meant(got):
    """The meaning of a client's word for the end."""
    word = {"COMPLETE": "stop", "MAX_TOKENS": "length", "TOOL_CALL": "tool_calls"}.get(got.stop) or WORD.get(got.stop)
    return "tool_calls" if got.calls and word == "stop" else word


def pieces(rng, body):
    """The body, cut anywhere."""
    cuts = sorted(rng.randint(0, len(body)) for _ in range(rng.randint(0, 12)))
    return [body[start:end] for start, end in zip([0, *cuts], [*cuts, len(body)], strict=True)]


def streamed(server, seed):
    """A stream of the server's, and its content: for wires without a maker, the loopback example's."""
    if server in makers.MAKERS:
        rng = Random(seed)
        chunks, said = makers.MAKERS[server](rng)
        return makers.as_bytes(server, chunks, rng), said
    loopback = runs.example("loopback")
    calls = [("call_1abcd", "look", {"at": "東京"}), ("call_2abcd", "look", {})][: seed % 3]
    step = loopback.Step("Let me look.", calls)
    finish = "tool_calls" if calls else "stop"
    said = makers.Said(text=step.text, calls=calls, finish=finish, usage=(1, 2))
    return getattr(loopback, server)(step), said


@pytest.mark.parametrize(("wire", "server"), PAIRS)
def test_a_stream_is_what_was_said(wire, server, upstream, reads):
    for seed in range(4):
        body, said = streamed(server, seed)
        upstream.says(pieces(Random(seed), body), kind="application/x-ndjson" if server == "ollama" else "text/plain")
        got = reads(wire, server, stream=True)
        # OpenAI's helper raises at an end by length, although it has read everything.
        assert got.error is None or (said.finish == "length" and got.error.startswith("LengthFinishReason")), seed
        assert got.text == said.text, seed
        nameless = "ollama" in (wire, server)
        assert [call[nameless:] for call in got.calls] == [call[nameless:] for call in said.calls], seed
        without = ("cohere", "ollama", "gemini-interactions")
        told = "stop" if said.finish == "refusal" and wire in without else said.finish
        assert (meant(got), got.usage) == (told, said.usage), seed
        ((path, head, asked),) = upstream.asked
        assert path == STREAM_PATHS[server]
        key = head["x-goog-api-key" if server.startswith("gemini") else "authorization"]
        # A signature is not a key that another server accepts.
        assert key.removeprefix("Bearer").strip() == ("" if wire == "bedrock" else "the-key")
        assert asked.get("stream", server in ("gemini", "bedrock")) is True


@pytest.mark.parametrize(("wire", "server"), [pair for pair in PAIRS if pair[0] in runs.WHOLE])
def test_a_reply_is_what_was_said(wire, server, upstream, reads):
    rng, seen = Random(f"{wire} {server}"), 0
    for _ in range(8):
        body, said = reply_makers.drawn(rng, server)
        if said.finish not in ("stop", "length", "tool_calls"):
            continue
        upstream.says(body)
        got = reads(wire, server, stream=False)
        seen += 1
        assert got.error is None
        assert got.text.strip() == (said.text + said.refusal).strip()
        assert [call[1:] for call in got.calls] == said.calls
        assert meant(got) == said.finish
        if said.tokens:
            assert got.usage == (said.tokens["input"], said.tokens["output"])
        ((path, _, asked),) = upstream.asked
        assert path == PATHS[server]
        assert asked.get("stream", False) is False
    assert seen


FRONT_ENDS = {
    "ag-ui": {"threadId": "t", "runId": "r1", "messages": [{"id": "u", "role": "user", "content": "x"}]},
    "ai-sdk-ui": {"id": "c", "messages": [{"id": "u", "role": "user", "parts": [{"type": "text", "text": "x"}]}]},
}


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("front", FRONT_ENDS)
def test_a_front_end_reads_what_was_said(front, server, url, upstream):
    """Front ends always stream, and have no official client in Python: a plain reader reads what they get."""
    body = {**FRONT_ENDS[front], "model": "m"}
    for seed in range(4):
        written, said = streamed(server, seed)
        upstream.says(pieces(Random(seed), written))
        status, head, answer = ask(f"{url}/{server}", f"/{front}", body)
        assert (status, head["content-type"]) == (200, "text/event-stream; charset=utf-8")
        # The SDK's client recognises its own kind of stream by this header.
        assert head["x-vercel-ai-ui-message-stream"] == ("v1" if front == "ai-sdk-ui" else None)
        got = readers.read(front, readers.events_of(front, answer))
        assert got.text == said.text, seed
        assert [call[server == "ollama" :] for call in got.calls] == [call[server == "ollama" :] for call in said.calls]
        assert got.usage == said.usage
        assert got.finish == (said.finish if front == "ai-sdk-ui" or said.calls else "stop")
        ((path, _, asked),) = upstream.asked
        assert path == STREAM_PATHS[server]
        assert "runId" not in asked
        assert "x" in json.dumps(asked)
        # One that breaks in the middle is an error.
        upstream.says([written[: len(written) // 2]], cut=True)
        _, _, answer = ask(f"{url}/{server}", f"/{front}", body)
        assert readers.read(front, readers.events_of(front, answer)).failed
    upstream.says(ERRORS[server], status=429)
    status, _, answer = ask(f"{url}/{server}", f"/{front}", body)
    assert status == 429
    assert b"Too much" in answer
    assert ask(f"{url}/{server}", f"/{front}", {"id": "c"})[0] == 400


#: The smallest request.
LEAST = dict.fromkeys(SERVERS, sdk_clients.ASK) | {
    "openai-responses": {"model": "m", "input": "x"},
    "gemini": {"contents": [{"role": "user", "parts": [{"text": "x"}]}]},
    "gemini-interactions": {"model": "m", "input": "x"},
    "bedrock": {"messages": [{"role": "user", "content": [{"text": "x"}]}]},
}


@pytest.mark.parametrize("wire", [wire for wire in SERVERS if wire != "mistral"])
def test_its_own_wire_is_replayed(wire, url, upstream):
    body, _ = streamed(wire, 4)
    upstream.says(pieces(Random(4), body))
    status, _, said = ask(f"{url}/{wire}", STREAM_PATHS[wire], {**LEAST[wire], "stream": True})
    assert (status, said) == (200, body)
    whole, _ = reply_makers.drawn(Random(4), wire)
    upstream.says(whole)
    status, _, said = ask(f"{url}/{wire}", PATHS[wire], {**LEAST[wire], "stream": False})
    assert (status, json.loads(said)) == (200, whole)


# --- Errors and broken streams ---


@pytest.mark.parametrize(("wire", "server"), [pair for pair in PAIRS if pair[1] in makers.MAKERS])
def test_a_stream_that_breaks_is_an_error(wire, server, upstream, reads):
    """Before each event, in the middle of one, and in the middle of a character."""
    chunks, _ = makers.MAKERS[server](Random(11))
    rng = Random(12)
    for at in some(range(len(chunks)), list(PATHS).index(wire)):
        assembler = tw.StreamAssembler(server)
        for chunk in chunks[:at]:
            assembler.feed(chunk)
        if assembler.finish().finish != "error":
            continue
        whole = makers.as_bytes(server, chunks[:at], mark=False)
        half = makers.as_bytes(server, chunks[at : at + 1])
        for body in (whole, whole + half[: rng.randint(1, max(1, len(half) // 2))]):
            upstream.says([body], cut=rng.random() < 0.5)
            got = reads(wire, server, stream=True)
            assert got.error, (at, body[-80:])


ERRORS = {
    "openai": {"error": {"message": "Too much", "type": "x", "code": None, "param": None}},
    "openai-responses": {"error": {"message": "Too much", "type": "x", "code": None, "param": None}},
    "anthropic": {"type": "error", "error": {"type": "x", "message": "Too much"}},
    "gemini": {"error": {"code": 0, "message": "Too much", "status": "X"}},
    "gemini-interactions": {"error": {"message": "Too much", "code": "x"}},
    "bedrock": {"message": "Too much"},
    "mistral": {"object": "error", "message": "Too much", "type": "x", "param": None, "code": None},
    "cohere": {"message": "Too much"},
    "ollama": {"error": "Too much"},
}
KINDS = {400: ("BadRequest", "Validation", "ClientError"), 429: ("RateLimit", "Throttling", "ClientError")}


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("wire", runs.WHOLE)
def test_an_error_is_the_clients_own(wire, server, upstream, reads):
    for stream in (False, True):
        for status in (400, 429, 529):
            types = {400: "ValidationException", 429: "ThrottlingException", 529: "ServiceUnavailableException"}
            head = {"x-amzn-errortype": types[status]} if server == "bedrock" else {}
            upstream.says(ERRORS[server], status=status, head=head)
            got = reads(wire, server, stream=stream)
            assert "Too much" in (got.error or "")
            kinds = KINDS.get(
                status, ("InternalServer", "Overloaded", "ServerError", "ServiceUnavailable", "APIStatus")
            )
            assert any(kind in got.error for kind in kinds), got.error


@pytest.mark.parametrize(("wire", "server"), PAIRS)
def test_a_stream_that_misbehaves_is_an_error_to_the_official_client(wire, server, upstream, reads):
    """Cut, damaged, with an error in it, with the mark of an end and no more, and of another wire."""
    rng = Random(f"{wire} {server}")
    one = faults.stream(server, 100 + rng.randrange(4))
    at = rng.randrange(one.last + 1)
    other = "anthropic" if server != "anthropic" else "gemini"
    broken = [
        one.body[: rng.randrange(1, one.end)],
        faults.damaged(one, at, rng.choice(list(faults.DAMAGES))).body,
        faults.with_error(one, at).body,
        b"".join(one.events[:at][: server not in ("openai", "openai-responses", "mistral")]) + faults.MARK,
        faults.stream(other, 101).body,
    ]
    for body in broken:
        upstream.says(pieces(rng, body))
        assert reads(wire, server, stream=True).error, body
    upstream.says(pieces(rng, one.body))
    got = reads(wire, server, stream=True)
    limited = wire == "openai" and one.said.finish == "length"
    assert "LengthFinishReasonError" in str(got.error) if limited else got.error is None
    # An event that begins a call and comes twice begins it once.
    upstream.says(pieces(rng, faults.doubled(one, at).body))
    calls = [call for call in reads(wire, server, stream=True).calls if isinstance(call[2], dict)]
    assert len(calls) <= len(one.said.calls)


@pytest.mark.parametrize("stream", [False, True])
def test_a_body_of_responses_on_the_path_of_chat_is_answered_as_chat(stream, url, upstream):
    """Cursor sends such bodies."""
    asked = {"model": "m", "instructions": "Be brief.", "input": [{"role": "user", "content": "q"}], "stream": stream}
    asked["tools"] = [{"type": "function", "name": "look", "parameters": {"type": "object", "properties": {}}}]
    whole = reply_makers.drawn(Random(3), "anthropic")[0]
    upstream.says([faults.stream("anthropic", 101).body] if stream else whole)
    status, _, data = ask(f"{url}/anthropic", PATHS["openai"], asked)
    [(_, _, got)] = upstream.asked
    assert (status, got["system"], got["messages"][0]["role"]) == (200, "Be brief.", "user")
    assert [tool["name"] for tool in got["tools"]] == ["look"]
    if stream:
        assert readers.read("openai", readers.events_of("openai", data)).finish
        assert data.endswith(b"data: [DONE]\n\n")
    else:
        assert json.loads(data)["object"] == "chat.completion"


@pytest.mark.parametrize("wire", runs.WHOLE)
def test_an_error_that_came_with_200_has_its_own_status(wire, upstream, reads):
    """OpenRouter sends such bodies."""
    for code, kinds in KINDS.items():
        for stream in (False, True):
            upstream.says({"error": {"code": code, "message": "Too much", "metadata": {"provider_name": "x"}}})
            got = reads(wire, "openai", stream=stream)
            # In a stream, the client has seen a status by then.
            assert got.error
            assert stream or ("Too much" in got.error and any(kind in got.error for kind in kinds)), got.error


def ask(url, path, body, **head):
    """A plain request: the status, the headers and the body."""
    where = urlsplit(url)
    connection = HTTPConnection(where.hostname, where.port)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", where.path + path, data, {"content-type": "application/json", **head})
    answer = connection.getresponse()
    said = answer.status, answer.headers, answer.read()
    connection.close()
    return said


def test_a_request_that_is_too_long_is_told_as_clients_read_it(url, upstream):
    said = "prompt is too long: 9000 tokens > 8192 maximum"
    long = {"type": "error", "error": {"type": "invalid_request_error", "message": said}}
    for stream, path in itertools.product((True, False), ("openai-responses", "openai")):
        asked = {"model": "m", "input": "x"} if path == "openai-responses" else {"model": "m", **sdk_clients.ASK}
        upstream.says(long, status=400)
        status, _, data = ask(f"{url}/anthropic", PATHS[path], asked | {"stream": stream})
        assert b"context_length_exceeded" in data
        # Codex reads it only in a stream.
        if stream and path == "openai-responses":
            assert status == 200
            assert [event["type"] for event in events_of(data)][-1] == "response.failed"
        else:
            assert (status, json.loads(data)["error"]["code"]) == (400, "context_length_exceeded")


def test_a_proxy_in_between_may_say_anything(url, upstream):
    for body, said in ((b"<html><title>Bad Gateway</title></html>", "Bad Gateway"), (b"", "HTTP 502"), (b"no", "no")):
        upstream.says(body, status=502)
        status, _, data = ask(f"{url}/anthropic", PATHS["openai"], {"model": "m", **sdk_clients.ASK})
        assert (status, json.loads(data)["error"]["message"]) == (500, said)


def test_what_can_be_tried_again_says_when(url, upstream):
    upstream.says(ERRORS["anthropic"], status=429, head={"retry-after": "7"})
    status, head, _ = ask(f"{url}/anthropic", PATHS["openai"], {"model": "m", "messages": []} | sdk_clients.ASK)
    assert (status, head["retry-after"]) == (429, "7")


def test_bad_requests_go_no_further(url, upstream):
    upstream.says([])
    bad = [
        b"{",
        b"[]",
        b"7",
        {"model": 7, "messages": [{"role": "user", "content": "x"}]},
        {"model": "m", "messages": 7},
    ]
    for body in bad:
        status, _, said = ask(f"{url}/anthropic", PATHS["openai"], body)
        assert status == 400
        assert json.loads(said)["error"]["message"]
    assert upstream.asked == []


@pytest.mark.parametrize("held", [{"previous_response_id": "resp_1"}, {"conversation": "conv_1"}])
def test_what_only_the_other_server_holds_is_refused(held, clients, url, upstream):
    upstream.says([])
    for server in SERVERS:
        if server != "openai-responses":
            with pytest.raises(openai.BadRequestError, match=next(iter(held))) as refused:
                clients("openai-responses", server).responses.create(model="m", input="x", **held)
            assert refused.value.type == "invalid_request_error"
    assert upstream.asked == []
    upstream.says(ERRORS["openai"], status=400)
    ask(f"{url}/openai-responses", PATHS["openai-responses"], {"model": "m", "input": "x", **held})
    assert upstream.asked[0][2] == {"model": "m", "input": "x", "stream": False, **held}


def test_tokens_are_counted_where_the_page_is_followed(clients):
    """Claude Code asks for a count; without an answer it counts by itself."""
    with pytest.raises(anthropic.NotFoundError):
        clients("anthropic", "openai").messages.count_tokens(**sdk_clients.ASK)
    page = (runs.EXAMPLES.parent / "docs" / "gateway.md").read_text(encoding="utf-8")
    (recipe,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    made = {}
    exec(compile(recipe, "docs/gateway.md", "exec"), made)
    url, stop = runs.serve_app(applications.Starlette(routes=[made["counting"]]))
    client = runs.client("anthropic", url)
    few, many = ({**sdk_clients.ASK, "system": "x" * length} for length in (400, 4000))
    counts = [client.messages.count_tokens(**asked).input_tokens for asked in (few, many)]
    runs.close(client)
    stop()
    assert 100 < counts[0] < 200 and counts[1] - counts[0] == 900


@pytest.mark.parametrize("wire", runs.WHOLE)
def test_what_is_no_reply_is_an_error(wire, upstream, reads):
    for status in (200, 502):
        for body in (b"<html>Bad gateway</html>", b"", b"{}", b'{"choices": []}'):
            for stream in (False, True):
                upstream.says(body, status=status)
                assert reads(wire, "anthropic", stream=stream).error


def test_an_upstream_that_is_away_is_an_error():
    away = runs.Upstream()
    url, stop = runs.serve(away, ["anthropic"])
    away.shutdown()
    away.server_close()
    status, _, said = ask(f"{url}/anthropic", PATHS["openai"], sdk_clients.ASK)
    stop()
    assert status == 502
    assert "upstream" in json.loads(said)["error"]["message"]


@pytest.mark.parametrize("begun", [False, True])
def test_a_client_that_leaves_ends_what_it_asked_for(begun, url, upstream):
    """Before its reply has begun, and in the middle of it."""
    chunks, _ = makers.MAKERS["anthropic"](Random(1))
    upstream.says([makers.as_bytes("anthropic", chunks[:1])] if begun else [b" "], waits=True)
    where = urlsplit(url)
    connection = HTTPConnection(where.hostname, where.port)
    body = json.dumps({**sdk_clients.ASK, "stream": begun})
    connection.request("POST", "/anthropic/v1/chat/completions", body, {"content-type": "application/json"})
    if begun:
        answer = connection.getresponse()
        assert answer.read1().startswith(b"data: ")
        answer.close()
    else:
        while not upstream.asked:
            time.sleep(0.01)
    connection.close()
    assert upstream.left.wait(10)


# --- What agents send ---


def events_of(said):
    return [json.loads(line[6:]) for line in said.decode().split("\n") if line.startswith("data: {")]


CODEX = {
    "model": "gpt-5",
    "instructions": "You are a coding agent.",
    "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Mend it."}]}],
    "tools": [
        {"type": "function", "name": "shell", "strict": False, "parameters": {"type": "object", "properties": {}}},
        {"type": "custom", "name": "apply_patch", "description": "Applies.", "format": {"type": "text"}},
        {"type": "web_search"},
    ],
    "tool_choice": "auto",
    "parallel_tool_calls": True,
    "reasoning": {"effort": "medium", "summary": "auto"},
    "store": False,
    "stream": True,
    "include": ["reasoning.encrypted_content"],
    "prompt_cache_key": "k",
}
PATCH = '*** Begin Patch\n+ "é"\n'


def turn_of(server):
    """A thought, a text, a call of a function, and one of a tool with free text, in a stream of the server's."""
    patch = json.dumps({"input": PATCH})
    if server == "anthropic":
        blocks = [
            ({"type": "thinking", "thinking": "", "signature": ""}, {"type": "thinking_delta", "thinking": "Hm."}),
            ({"type": "text", "text": ""}, {"type": "text_delta", "text": "Done."}),
            (
                {"type": "tool_use", "id": "c1", "name": "shell", "input": {}},
                {"type": "input_json_delta", "partial_json": ""},
            ),
            ({"type": "tool_use", "id": "c2", "name": "apply_patch", "input": {}}, None),
        ]
        usage = {"input_tokens": 3, "output_tokens": 1}
        shell = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "usage": usage}
        chunks = [{"type": "message_start", "message": shell}, {"type": "ping"}]
        for index, (block, delta) in enumerate(blocks):
            halves = [{"type": "input_json_delta", "partial_json": half} for half in (patch[:12], patch[12:])]
            chunks.append({"type": "content_block_start", "index": index, "content_block": block})
            pieces = [delta] if delta else halves
            chunks += [{"type": "content_block_delta", "index": index, "delta": piece} for piece in pieces]
            chunks.append({"type": "content_block_stop", "index": index})
        end = {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}
        return [*chunks, end, {"type": "message_stop"}]
    if server == "gemini":
        calls = [("shell", {}), ("apply_patch", {"input": PATCH})]
        parts = [{"text": "Hm.", "thought": True}, {"text": "Done."}]
        parts += [
            {"functionCall": {"id": f"c{at}", "name": name, "args": args}} for at, (name, args) in enumerate(calls, 1)
        ]
        content = {"role": "model", "parts": parts}
        counts = {"promptTokenCount": 3, "candidatesTokenCount": 9, "totalTokenCount": 12}
        return [{"candidates": [{"content": content, "finishReason": "STOP"}], "usageMetadata": counts}]
    deltas = [{"role": "assistant", "content": ""}, {"content": "Done."}]
    for at, (name, args) in enumerate([("shell", "{}"), ("apply_patch", patch)]):
        function = {"name": name, "arguments": ""}
        deltas.append({"tool_calls": [{"index": at, "id": f"c{at + 1}", "type": "function", "function": function}]})
        deltas.append({"tool_calls": [{"index": at, "function": {"arguments": args}}]})
    chunks = [{"id": "c", "model": "m", "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    end = {"id": "c", "model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}
    usage = {"prompt_tokens": 3, "completion_tokens": 9, "total_tokens": 12}
    return [*chunks, end, {"id": "c", "model": "m", "choices": [], "usage": usage}]


@pytest.mark.parametrize("server", ["anthropic", "gemini", "openai"])
def test_codex_gets_its_own_tools_and_continues(server, url, upstream):
    upstream.says([makers.as_bytes(server, turn_of(server))])
    status, head, said = ask(f"{url}/{server}", PATHS["openai-responses"], CODEX)
    assert (status, head["content-type"].partition(";")[0]) == (200, "text/event-stream")
    events = events_of(said)
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert events[0]["type"] == "response.created"
    assert events[0]["response"]["id"] == events[-1]["response"]["id"]
    # Codex reads its items from their end events only.
    items = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    kinds = ["message", "function_call", "custom_tool_call"]
    assert [item["type"] for item in items] == [*(["reasoning"] if server != "openai" else []), *kinds]
    function, custom = items[-2:]
    assert (function["call_id"], function["name"], json.loads(function["arguments"])) == ("c1", "shell", {})
    assert (custom["call_id"], custom["name"], custom["input"]) == ("c2", "apply_patch", PATCH)
    last = events[-1]
    assert last["type"] == "response.completed"
    assert [item["id"] for item in last["response"]["output"]] == [item["id"] for item in items]
    assert (last["response"]["usage"]["input_tokens"], last["response"]["usage"]["output_tokens"]) == (3, 9)
    assert last["response"]["store"] is False
    # The next request holds it all again, with the results.
    results = [
        {"type": "function_call_output", "call_id": "c1", "output": "fine"},
        {"type": "custom_tool_call_output", "call_id": "c2", "output": "patched"},
    ]
    upstream.says([makers.as_bytes(server, turn_of(server))])
    status, _, _ = ask(
        f"{url}/{server}", PATHS["openai-responses"], {**CODEX, "input": [*CODEX["input"], *items, *results]}
    )
    assert status == 200
    ((_, _, asked),) = upstream.asked
    sent = json.dumps(asked, ensure_ascii=False)
    assert sent.count("patched") == sent.count("fine") == 1
    assert {"anthropic": "system", "gemini": "systemInstruction", "openai": "messages"}[server] in asked
    assert tw.check(asked, server, source=server) == () or all(
        f.severity != "error" for f in tw.check(asked, server, source=server)
    )


#: What Codex declares of its own beside functions: an old shell, a group of tools, a tool with free text.
OF_CODEX = {
    **CODEX,
    "tools": [
        {"type": "local_shell"},
        {
            "type": "namespace",
            "name": "mcp__files",
            "description": "Files.",
            "tools": [{"type": "function", "name": "read", "parameters": {"type": "object", "properties": {}}}],
        },
        {"type": "custom", "name": "apply_patch", "description": "Applies.", "format": {"type": "text"}},
    ],
}
ASKED = [
    ("call_1abcd", "local_shell", {"command": ["ls", "é"]}),
    ("call_2abcd", "mcp__files__read", {}),
    ("call_3abcd", "apply_patch", {"input": PATCH}),
]


#: The example's own provider does not speak the wire of Interactions.
FOREIGN = [server for server in SERVERS if server not in ("openai-responses", "gemini-interactions")]


@pytest.mark.parametrize("server", FOREIGN)
def test_codex_runs_its_shell_and_its_groups_and_continues(server, url, upstream):
    """Forty steps: its own calls come back as its own items, and every request has all of them with their results."""
    loopback = runs.example("loopback")
    history = list(OF_CODEX["input"])
    for step in range(40):
        made = [(f"call_{step:02}{at}ab", *call[1:]) for at, call in enumerate(ASKED)]
        body = getattr(loopback, server)(loopback.Step("Let me look.", made))
        upstream.says([body], kind="application/x-ndjson" if server == "ollama" else "text/plain")
        status, _, said = ask(f"{url}/{server}", PATHS["openai-responses"], {**OF_CODEX, "input": history})
        assert status == 200
        items = [event["item"] for event in events_of(said) if event["type"] == "response.output_item.done"]
        shell, read, patch = (item for item in items if item["type"] not in ("message", "reasoning"))
        assert (shell["type"], shell["action"]["command"]) == ("local_shell_call", ["ls", "é"])
        assert (read["type"], read["namespace"], read["name"]) == ("function_call", "mcp__files", "read")
        assert (patch["type"], patch["name"], patch["input"]) == ("custom_tool_call", "apply_patch", PATCH)
        ((_, _, asked),) = upstream.asked
        sent = json.dumps(asked, ensure_ascii=False)
        assert all(sent.count(f"{word} {at}.") == 1 for word in ("listed", "read", "patched") for at in range(step))
        assert refused(server, asked) == []
        outputs = [("function_call_output", shell, "listed"), ("function_call_output", read, "read")]
        outputs.append(("custom_tool_call_output", patch, "patched"))
        history += items
        history += [
            {"type": kind, "call_id": call["call_id"], "output": f"{word} {step}."} for kind, call, word in outputs
        ]


#: Reasoning that only its maker can read: what a client returns of an earlier turn.
SIGNED = {
    "anthropic": {
        "model": "m",
        "max_tokens": 99,
        "messages": [
            {"role": "user", "content": "x"},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk"},
                    {"type": "redacted_thinking", "data": "c2VjcmV0"},
                    {"type": "text", "text": "Done."},
                ],
            },
            {"role": "user", "content": "y"},
        ],
    },
    "openai-responses": {
        "model": "m",
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "input": [
            {"role": "user", "content": "x"},
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2lnbmVk"},
            {"type": "reasoning", "id": "rs_2", "summary": [], "encrypted_content": "c2VjcmV0"},
            {
                "type": "message",
                "id": "msg_1",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "Done.", "annotations": []}],
            },
            {"role": "user", "content": "y"},
        ],
    },
}


@pytest.mark.parametrize("server", SERVERS)
@pytest.mark.parametrize("wire", SIGNED)
def test_signed_reasoning_is_sent_back_only_to_its_maker(wire, server, url, upstream):
    upstream.says(ERRORS[server], status=400)
    ask(f"{url}/{server}", PATHS[wire], SIGNED[wire])
    ((_, _, asked),) = upstream.asked
    if server == wire:
        assert asked == {**SIGNED[wire], "stream": False}
        return
    sent = json.dumps(asked)
    assert "Done." in sent
    # Both wires have Claude's reasoning.
    signatures = [] if (wire, server) == ("anthropic", "bedrock") else ["c2lnbmVk", "c2VjcmV0"]
    assert not any(signature in sent for signature in signatures)
    losses = tw.prepare_json(json.dumps(SIGNED[wire]), server, source=wire, settings="convert").receipt
    assert [(loss.kind, loss.code) for loss in losses].count(("lost", "reasoning")) == len(signatures)


CLAUDE_CODE = {
    "model": "claude-sonnet-5",
    "max_tokens": 32000,
    "stream": True,
    "system": [{"type": "text", "text": "You are Claude Code.", "cache_control": {"type": "ephemeral"}}],
    "messages": [
        {"role": "user", "content": [{"type": "text", "text": "Mend it.", "cache_control": {"type": "ephemeral"}}]}
    ],
    "tools": [{"name": "Bash", "description": "Runs.", "input_schema": {"type": "object", "properties": {}}}],
    "thinking": {"type": "adaptive"},
    "metadata": {"user_id": "u"},
}


@pytest.mark.parametrize("server", ["openai", "openai-responses", "gemini", "bedrock"])
def test_claude_code_gets_its_events_and_continues(server, url, upstream):
    chunks, said = makers.MAKERS[server](Random(3))
    assert said.calls
    upstream.says([makers.as_bytes(server, chunks)])
    status, _, data = ask(f"{url}/{server}", "/v1/messages?beta=true", CLAUDE_CODE, **{"x-api-key": "k"})
    assert status == 200
    events = events_of(data)
    assert data.decode().count("event: ") == len(events)
    assert {"input_tokens", "output_tokens"} <= set(events[0]["message"]["usage"])
    open_block, blocks = None, []
    for event in events[1:-2]:
        if event["type"] == "content_block_start":
            assert (open_block, event["index"]) == (None, len(blocks))
            open_block = event["index"]
            blocks.append({**event["content_block"], "json": ""})
        elif event["type"] == "content_block_delta":
            assert event["index"] == open_block
            blocks[-1]["json"] += event["delta"].get("partial_json", "")
        elif event["type"] == "content_block_stop":
            assert event["index"] == open_block
            open_block = None
    uses = [block for block in blocks if block["type"] == "tool_use"]
    assert [(use["name"], json.loads(use["json"] or "{}")) for use in uses] == [call[1:] for call in said.calls]
    assert events[-2]["delta"]["stop_reason"] == "tool_use"
    assert events[-2]["usage"]["output_tokens"] == said.usage[1]
    assert events[-1] == {"type": "message_stop"}
    # The next request: its own blocks again, and the results.
    content = [
        {"type": "tool_use", "id": use["id"], "name": use["name"], "input": json.loads(use["json"] or "{}")}
        for use in uses
    ]
    results = [{"type": "tool_result", "tool_use_id": use["id"], "content": f"result {use['id']}"} for use in uses]
    more = [{"role": "assistant", "content": content}, {"role": "user", "content": results}]
    upstream.says([makers.as_bytes(server, chunks)])
    status, _, _ = ask(
        f"{url}/{server}", "/v1/messages", {**CLAUDE_CODE, "messages": [*CLAUDE_CODE["messages"], *more]}
    )
    assert status == 200
    ((_, _, asked),) = upstream.asked
    assert json.dumps(asked).count("result ") == len(uses)
    assert all(finding.severity != "error" for finding in tw.check(asked, server, source=server))


def test_its_own_headers_go_on_to_its_own_wire(url, upstream):
    upstream.says(ERRORS["anthropic"], status=400)
    own = {"x-api-key": "k", "anthropic-version": "2023-06-01", "anthropic-beta": "b"}
    ask(f"{url}/anthropic", PATHS["anthropic"], CLAUDE_CODE, **own)
    ((_, head, asked),) = upstream.asked
    assert (head["authorization"], head["anthropic-version"], head["anthropic-beta"]) == ("Bearer k", "2023-06-01", "b")
    assert asked == CLAUDE_CODE
    upstream.says(ERRORS["openai"], status=400)
    ask(f"{url}/openai", PATHS["anthropic"], CLAUDE_CODE, **own)
    assert "anthropic-beta" not in upstream.asked[0][1]


# --- The program itself ---


def test_it_runs_as_a_program_and_fits_on_a_page(upstream):
    source = runs.EXAMPLES / "gateway.py"
    assert len(source.read_text(encoding="utf-8").splitlines()) <= 100
    with runs.socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, str(source), "--upstream", upstream.url, "--to", "anthropic", "--port", str(port)]
    body, _ = reply_makers.drawn(Random(1), "anthropic")
    with subprocess.Popen([*command, "--model", "other"], stderr=subprocess.DEVNULL) as program:
        try:
            for _ in range(300):
                upstream.says(body)
                request = Request(f"http://127.0.0.1:{port}/v1/chat/completions", json.dumps(sdk_clients.ASK).encode())
                try:
                    with urlopen(request) as answer:
                        assert json.load(answer)["object"] == "chat.completion"
                    break
                except OSError:
                    time.sleep(0.1)
            assert upstream.asked[0][2]["model"] == "other"
        finally:
            program.terminate()
