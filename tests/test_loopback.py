"""The official clients send our payloads to a server on this machine, and their replies are read as they come."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import turnwire as tw

openai = pytest.importorskip("openai", reason="the official SDKs are not installed (dependency group wire)")
anthropic = pytest.importorskip("anthropic", reason="the official SDKs are not installed (dependency group wire)")

TOOLS = [
    {
        "name": "look",
        "description": "Looks.",
        "parameters": {"type": "object", "properties": {"at": {"type": "string"}}},
    }
]
REPLIES = {
    "/v1/chat/completions": {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "tool_calls",
                "message": {
                    "role": "assistant",
                    "content": None,
                    "refusal": None,
                    "tool_calls": [
                        {
                            "id": "call_9",
                            "type": "function",
                            "function": {"name": "look", "arguments": '{"at": "東京"}'},
                        }
                    ],
                },
            }
        ],
    },
    "/v1/messages": {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
        "content": [
            {"type": "thinking", "thinking": "Where?", "signature": "c2ln"},
            {"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "toolu_9", "name": "look", "input": {"at": "東京"}},
        ],
    },
}


class Server(ThreadingHTTPServer):
    """Keeps every body it gets, and answers like the provider."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.bodies: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Server)
        body = self.rfile.read(int(self.headers["content-length"]))
        self.server.bodies.append(json.loads(body))
        reply = json.dumps(REPLIES[self.path]).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        thread = threading.Thread(target=running.serve_forever)
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def history() -> tw.Conversation:
    """Half of it from Anthropic's wire, half made by hand: text, a call, its result, an image."""
    use = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"at": "x"}}
    wire = {
        "system": "Be brief.",
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "見て 🙂"}]},
            {"role": "assistant", "content": [use]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "a lake"}]},
        ],
    }
    parsed = tw.Conversation.parse(wire, "anthropic")
    image = tw.Media(b"\x89PNG\r\n\x1a\n", media_type="image/png")
    made = tw.Conversation(system="Be brief.", tools=TOOLS).extended(parsed)
    return made.extended([tw.Turn("assistant", "Nice."), tw.Turn("user", ["And this?", image])])


def test_openai_client(server: Server) -> None:
    conversation = history()
    payload = conversation.render("openai", strict=True).payload
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0) as client:
        reply = client.chat.completions.create(model="m", **payload)
    assert server.bodies == [{"model": "m", **payload}]
    assert json.loads(conversation.render_json("openai").payload) == payload

    # The SDK's own objects go straight back in.
    read = tw.Conversation.parse([reply.choices[0].message], "openai")
    more = conversation.extended(read).extended(tw.ToolUseResult("call_9", "a tower"))
    assert [use.args for use in read.pending_tool_uses] == [{"at": "東京"}]
    assert more.pending_tool_uses == ()
    with anthropic.Anthropic(base_url=server.url, api_key="none", max_retries=0) as client:
        client.messages.create(model="m", max_tokens=9, **more.render("anthropic").payload)
    assert server.bodies[1]["messages"][-2]["content"][-1]["input"] == {"at": "東京"}


def test_anthropic_client(server: Server) -> None:
    conversation = history()
    payload = conversation.render("anthropic", strict=True).payload
    with anthropic.Anthropic(base_url=server.url, api_key="none", max_retries=0) as client:
        reply = client.messages.create(model="m", max_tokens=9, **payload)
    assert server.bodies == [{"model": "m", "max_tokens": 9, **payload}]
    assert json.loads(conversation.render_json("anthropic").payload) == payload

    read = tw.Conversation.parse([{"role": reply.role, "content": reply.content}], "anthropic")
    more = conversation.extended(read).extended(tw.ToolUseResult("toolu_9", "a tower"))
    replayed = more.render("anthropic").payload["messages"][-2]["content"]
    assert replayed == REPLIES["/v1/messages"]["content"]  # type: ignore[index]
    away = more.render("openai")
    assert [(loss.kind, loss.code) for loss in away.receipt] == [("lost", "reasoning")]
    with openai.OpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0) as client:
        client.chat.completions.create(model="m", **away.payload)
    assert json.loads(server.bodies[1]["messages"][-2]["tool_calls"][0]["function"]["arguments"]) == {"at": "東京"}
