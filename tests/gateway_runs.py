"""The example's gateway between the official clients and a server whose answers a test sets."""

from __future__ import annotations

import importlib
import json
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import sdk_clients
from sdk_clients import ASK, Reading

EXAMPLES = Path(__file__).parent.parent / "examples"


class Upstream(ThreadingHTTPServer):
    """Answers every request with what was set last, and keeps the requests."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        self.left = threading.Event()
        self.says([])
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def says(
        self,
        writes: list[bytes] | Any,
        *,
        status: int = 200,
        kind: str = "text/event-stream",
        cut: bool = False,
        head: dict[str, str] | None = None,
        waits: bool = False,
    ) -> None:
        """Set the answer: pieces of a stream, or a whole body. It can break off, or wait for the client to leave."""
        if not isinstance(writes, list):
            writes, kind = [writes if isinstance(writes, bytes) else json.dumps(writes).encode()], "application/json"
        self.answer = ([data for data in writes if data], status, {"content-type": kind, **(head or {})}, cut, waits)
        self.asked.clear()
        self.left.clear()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Upstream
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # Nagle's algorithm holds each piece back until the last one is acknowledged.

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        writes, status, head, cut, waits = self.server.answer
        self.send_response(status)
        for name, value in {**head, "transfer-encoding": "chunked", "connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):
            for data in writes:
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            if waits:
                self.wait_for_the_end()
            if not cut:
                self.wfile.write(b"0\r\n\r\n")

    def wait_for_the_end(self) -> None:
        self.connection.settimeout(20)
        with suppress(OSError):
            if self.connection.recv(1) == b"":
                self.server.left.set()

    def log_message(self, format: str, *args: Any) -> None: ...


def example(name: str = "gateway") -> Any:
    """The module of an example."""
    sys.path.insert(0, str(EXAMPLES))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.pop(0)


def serve(upstream: Upstream, wires: list[str]) -> tuple[str, Callable[[], None]]:
    """A server with a gateway to each wire, under its name; and a function that stops it."""
    from starlette.applications import Starlette
    from starlette.routing import Mount

    gateways = {wire: example().gateway(upstream.url, wire) for wire in wires}

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[Any]:
        """Starlette runs no lifespan of a mounted application: here one lifespan serves all of them."""
        first = next(iter(gateways.values()))
        async with first.router.lifespan_context(first) as state:
            yield state

    made = Starlette(routes=[Mount(f"/{wire}", gateway) for wire, gateway in gateways.items()], lifespan=lifespan)
    return serve_app(made)


def serve_app(made: Any) -> tuple[str, Callable[[], None]]:
    """A server with an application; and a function that stops it."""
    import uvicorn

    config = uvicorn.Config(made, port=0, log_level="critical", lifespan="on", ws="none", http="h11")
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    # asyncio does it only for sockets that it opens. Without it, a second write waits 40 ms for an acknowledgement.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)

    def stop() -> None:
        server.should_exit = server.force_exit = True
        thread.join()

    return f"http://127.0.0.1:{listening.getsockname()[1]}", stop


def client(wire: str, url: str) -> Any:
    """The official client of a wire, pointed at a gateway."""
    match wire:
        case "openai" | "openai-responses":
            import openai

            return openai.OpenAI(api_key="the-key", base_url=f"{url}/v1", max_retries=0)
        case "anthropic":
            import anthropic

            return anthropic.Anthropic(api_key="the-key", base_url=url, max_retries=0)
        case "gemini" | "gemini-interactions":
            from google import genai

            once = genai.types.HttpRetryOptions(attempts=1)
            return genai.Client(
                api_key="the-key", http_options=genai.types.HttpOptions(base_url=url, retry_options=once)
            )
        case "cohere":
            import cohere

            return cohere.ClientV2(api_key="the-key", base_url=url)
        case "ollama":
            import ollama

            return ollama.Client(host=url, headers={"authorization": "Bearer the-key"})
        case _:
            import boto3
            from botocore.config import Config

            # Bedrock's own kind of keys needs TLS.
            keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}
            return boto3.client("bedrock-runtime", endpoint_url=url, config=Config(retries={"max_attempts": 0}), **keys)


def close(made: Any) -> None:
    """Close the connections of a client, also of clients without a method for it."""
    match type(made).__module__.partition(".")[0]:
        case "cohere":
            made._client_wrapper.httpx_client.httpx_client.close()
        case "ollama":
            made._client.close()
        case _:
            made.close()


CONVERSE: dict[str, Any] = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "x"}]}]}


def read_bedrock(out: Reading) -> None:
    # boto3 leaves the socket open when a stream breaks.
    with closing(sdk_clients.client("bedrock").converse_stream(**CONVERSE)["stream"]) as stream:
        sdk_clients.conversed(stream, out)


STREAMS: dict[str, Callable[[Reading], None]] = {**sdk_clients.READERS, "bedrock": read_bedrock}
del STREAMS["mistral"], STREAMS["ag-ui"], STREAMS["ai-sdk-ui"]


def whole(wire: str, out: Reading) -> None:
    made = sdk_clients.client(wire)
    match wire:
        case "openai":
            sdk_clients.completion(made.chat.completions.create(**ASK), out)
        case "openai-responses":
            sdk_clients.response(made.responses.create(model="m", input="x"), out)
        case "anthropic":
            sdk_clients.message(made.messages.create(**ASK, max_tokens=9), out)
        case "gemini":
            sdk_clients.generated(made.models.generate_content(model="m", contents="x"), out)
        case "gemini-interactions":
            sdk_clients.interacted(made.interactions.create(model="m", input="x"), out)
        case "bedrock":
            said = made.converse(**CONVERSE)
            out.stop, out.usage = said["stopReason"], sdk_clients.converse_usage(said["usage"])
            for block in said["output"]["message"]["content"]:
                out.text += block.get("text", "")
                if use := block.get("toolUse"):
                    out.calls.append((use["toolUseId"], use["name"], use["input"]))


WHOLE = ["openai", "openai-responses", "anthropic", "gemini", "gemini-interactions", "bedrock"]


def read(wire: str, stream: bool) -> Reading:
    """What the current client reads; an exception of it is the reading's `error`."""
    out = Reading()
    try:
        STREAMS[wire](out) if stream else whole(wire, out)
    except Exception as error:  # any exception of the client is a result here
        out.error = f"{type(error).__name__}: {error}"
    return out
