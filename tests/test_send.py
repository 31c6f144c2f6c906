"""Each call of the page `send.md` sends what `prepare` wrote: the real clients, to a server that records."""

import base64
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw

PAGE = Path(__file__).parent.parent / "docs/send.md"
PICTURE = base64.b64encode(b"\x89PNG\r\n\x1a\n").decode()
CALL = {"id": "call_12345", "type": "function", "function": {"name": "look", "arguments": '{"at": "Oslo"}'}}
TOOL = {
    "type": "function",
    "function": {
        "name": "look",
        "description": "Looks.",
        "parameters": {"type": "object", "properties": {"at": {"type": "string"}}},
    },
}
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "What is this? 東京"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
        ],
    },
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "user", "content": "Hurry!"},
    {"role": "tool", "tool_call_id": "call_12345", "content": "A tree."},
]


class Recorder(ThreadingHTTPServer):
    """Keeps each body, and refuses it, which every client takes for an answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Refusal)
        self.bodies: list[Any] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Refusal(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Recorder)
        self.server.bodies.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        said = b'{"error": {"message": "no", "code": 400, "status": "INVALID_ARGUMENT"}}'
        self.send_response(400)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *args: object) -> None:
        pass


def openai(url: str) -> Any:
    return pytest.importorskip("openai").OpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)


def azure(url: str) -> Any:
    kind = pytest.importorskip("openai").AzureOpenAI
    return kind(api_key="none", azure_endpoint=url, api_version="2025-01-01", max_retries=0)


def anthropic(url: str) -> Any:
    return pytest.importorskip("anthropic").Anthropic(api_key="none", base_url=url, max_retries=0)


def anthropic_bedrock(url: str) -> Any:
    kind = pytest.importorskip("anthropic").AnthropicBedrock
    return kind(aws_access_key="none", aws_secret_key="none", aws_region="us-east-1", base_url=url, max_retries=0)


def google(url: str) -> Any:
    return pytest.importorskip("google.genai").Client(api_key="none", http_options={"base_url": url})


def bedrock(url: str) -> Any:
    keys = {"aws_access_key_id": "none", "aws_secret_access_key": "none", "region_name": "us-east-1"}
    return pytest.importorskip("boto3").client("bedrock-runtime", endpoint_url=url, **keys)


def mistral(url: str) -> Any:
    return pytest.importorskip("mistralai.client").Mistral(api_key="none", server_url=url)


def cohere(url: str) -> Any:
    return pytest.importorskip("cohere").ClientV2(api_key="none", base_url=url)


def ollama(url: str) -> Any:
    return pytest.importorskip("ollama").Client(host=url)


def groq(url: str) -> Any:
    return pytest.importorskip("groq").Groq(api_key="none", base_url=url, max_retries=0)


CLIENTS: dict[str, Callable[[str], Any]] = {
    "openai.OpenAI": openai,
    "openai.AzureOpenAI": azure,
    "openai.OpenAI(base_url=…)": openai,
    "anthropic.Anthropic": anthropic,
    "anthropic.AnthropicBedrock": anthropic_bedrock,
    "google.genai.Client": google,
    'boto3.client("bedrock-runtime")': bedrock,
    "mistralai.client.Mistral": mistral,
    "cohere.ClientV2": cohere,
    "ollama.Client": ollama,
    "groq.Groq": groq,
    "httpx": lambda url: None,
}


def rows() -> Iterator[tuple[str, str, str]]:
    """Client, target and call of each row, once for each target."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `"):
            client, targets, call = re.split(r" \| ", line.strip("| "))
            for target in re.findall(r'`"([^"`]+)"`', targets):
                name, code = re.findall(r"`([^`]+)`", client)[0], re.findall(r"`([^`]+)`", call)[0]
                yield name, target, code


ROWS = list(rows())


@pytest.fixture
def server() -> Iterator[Recorder]:
    with Recorder() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


def spelled(key: str) -> str:
    """A key in no client's spelling."""
    return key.replace("_", "").lower()


def missing(ours: Any, sent: Any, path: str = "$") -> Iterator[str]:
    """The places of what was prepared that did not arrive. A client may add keys, and spell keys as its API does."""
    match ours:
        case dict():
            theirs = {spelled(key): value for key, value in sent.items()} if isinstance(sent, dict) else {}
            for key, value in ours.items():
                if spelled(key) not in theirs:
                    yield f"{path}.{key}"
                else:
                    yield from missing(value, theirs[spelled(key)], f"{path}.{key}")
        case list():
            if not isinstance(sent, list) or len(sent) != len(ours):
                yield f"{path}: {sent}"
            else:
                for at, (value, other) in enumerate(zip(ours, sent, strict=True)):
                    yield from missing(value, other, f"{path}[{at}]")
        case bytes():
            if base64.b64encode(ours).decode() != sent:
                yield f"{path}: {sent}"
        case _:
            if sent != ours:
                yield f"{path}: {sent}"


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize(("client", "target", "call"), ROWS, ids=[f"{name} {target}" for name, target, _ in ROWS])
def test_the_call_sends_what_was_prepared(client: str, target: str, call: str, server: Recorder) -> None:
    ready = tw.prepare(MESSAGES, target, tools=[TOOL])  # type: ignore[arg-type]
    names = {
        "tw": tw, "client": CLIENTS[client](server.url), "ready": ready, "messages": [*MESSAGES], "target": target,
        "MODEL": "m", "DEPLOYMENT": "m", "URL": server.url, "HEADERS": {},
    }  # fmt: skip
    if client == "httpx":
        names["httpx"] = pytest.importorskip("httpx")
        ready = tw.prepare(MESSAGES, target)  # type: ignore[arg-type]
    with suppress(Exception):  # the refusal, in the client's own words
        eval(call, names)
    assert len(server.bodies) == 1
    (body,) = server.bodies
    if client.startswith("google.genai") and "interactions" not in target:
        # The client puts what is beside the contents where the API takes it, and fills the role of system text in.
        assert list(missing({"contents": ready.messages}, body)) == []
        assert body["systemInstruction"]["parts"] == [{"text": "Be brief."}] and body["tools"]
    else:
        # Ollama's client has no ids and types of calls, and leaves out an empty text.
        dropped = r"\.(content|id|type|tool_call_id)$" if client == "ollama.Client" else "^$"
        assert [place for place in missing(ready.payload, body) if not re.search(dropped, place)] == []
    if not client.startswith(("boto3", "google", "anthropic.AnthropicBedrock")):
        assert body["model"] == "m"


def test_every_client_of_the_page_is_run() -> None:
    assert {name for name, _, _ in ROWS} == set(CLIENTS)
    assert len(ROWS) >= 18
    assert {target for _, target, _ in ROWS} <= set(tw.dialects())


def test_the_check_sees_what_does_not_arrive() -> None:
    assert list(missing({"a": [1, {"b_c": b"x"}]}, {"a": [1, {"bC": "eA=="}], "more": 1})) == []
    assert list(missing({"a": [1, {"b": 2}], "c": 1}, {"a": [1, {"b": 3}]})) == ["$.a[1].b: 3", "$.c"]
