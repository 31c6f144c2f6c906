"""A gateway: python examples/gateway.py --upstream https://api.anthropic.com --to anthropic --port 8000."""

import argparse
import asyncio
import contextlib
import json
import os
from typing import Any

import turnwire as tw
import uvicorn
from aiohttp import ClientError, ClientResponse, ClientSession, ClientTimeout, TCPConnector
from starlette import applications, requests, responses, routing

PATHS = {"openai": "/v1/chat/completions", "openai-responses": "/v1/responses", "anthropic": "/v1/messages",
    "gemini": "/{v}/models/{model}:generateContent", "bedrock": "/model/{model}/converse", "cohere": "/v2/chat",
    "ollama": "/api/chat", "mistral": "/v1/chat/completions", "gemini-interactions": "/{v}/interactions"}  # fmt: skip
STREAMED = PATHS | {"bedrock": PATHS["bedrock"] + "-stream", "ag-ui": "/ag-ui", "ai-sdk-ui": "/ai-sdk-ui",
    "gemini": "/{v}/models/{model}:streamGenerateContent?alt=sse"}  # fmt: skip
STREAM_TYPES = {"bedrock": "application/vnd.amazon.eventstream", "ollama": "application/x-ndjson"}
BROKEN = (ClientError, OSError, tw.TurnwireError)  # The upstream is away, or what it says is no reply.


def gateway(upstream: str, to: Any, model: str | None = None) -> applications.Starlette:
    """Put clients in front of `upstream`, which speaks the wire `to`. `model` replaces the one that clients ask for."""
    wire, upstream = to.partition(":")[0], upstream.rstrip("/")

    @contextlib.asynccontextmanager
    async def lifespan(_: applications.Starlette) -> Any:
        async with ClientSession(connector=TCPConnector(limit=0), timeout=ClientTimeout(sock_connect=10)) as session:
            yield {"post": session.post}

    async def answer(request: requests.Request, client: Any, path: str, data: bytes) -> responses.Response:
        try:
            stream = (body := dict(json.loads(data))).get("stream", client == "ollama") or path != PATHS.get(client)
            name = model or request.path_params.get("model") or body.get("model") or ""
            own = {"stream": stream} if STREAMED[wire] == PATHS[wire] else {}
            asks: Any = "openai-responses" if client == "openai" and "input" in body else client  # Cursor asks so.
            ready = tw.prepare_json(data, to, source=asks, settings={"defaults": own}, model=name)
        except (ValueError, TypeError) as bad:
            return whole({"error": {"message": str(bad)}}, "openai", client, 400)
        url = upstream + (STREAMED if stream else PATHS)[wire].format(v="v1beta", model=name.replace("/", "%2F"))
        try:
            said = await request.state.post(url, data=ready.payload, headers=_headers(request.headers, client, wire))
            if not stream or said.status != 200:
                return whole(await said.read(), to, client, said.status, data, said.headers)
        except BROKEN as broken:
            return whole({"error": {"message": f"upstream: {broken}"}}, "openai", client, 502)
        kind, mark = STREAM_TYPES.get(client, "text/event-stream"), {"x-vercel-ai-ui-message-stream": "v1"}
        made = converted(said, tw.replies.StreamConverter(source=to, target=client, request=data))
        return responses.StreamingResponse(made, 200, mark if client == "ai-sdk-ui" else {}, kind)

    def route(client: str, path: str) -> routing.Route:
        async def endpoint(request: requests.Request) -> responses.Response:
            work = asyncio.ensure_future(answer(request, client, path, await request.body()))
            left = asyncio.ensure_future(request.receive())  # Behind the body comes nothing but the client's end.
            await asyncio.wait((work, left), return_when=asyncio.FIRST_COMPLETED)
            _ = left.cancel(), work.cancel()
            return responses.Response(status_code=499) if work.cancelling() else work.result()

        return routing.Route(path.partition("?")[0].replace("}", ":path}"), endpoint, methods=["POST"])

    return applications.Starlette(routes=[route(*at) for at in (*PATHS.items(), *STREAMED.items())], lifespan=lifespan)


def _headers(head: Any, client: str, wire: str) -> dict[str, str]:  # The client's key, and more for its own server.
    key = head.get("x-api-key") or head.get("x-goog-api-key") or head.get("authorization", "").partition("Bearer ")[2]
    own = {"x-goog-api-key": key} if wire.startswith("gemini") else {"authorization": f"Bearer {key}"}
    own |= {"content-type": "application/json", "accept-encoding": "identity", "anthropic-version": "2026-10-21"}
    return own | {name: head[name] for name in head if client == wire and name.startswith(("anthropic-", "openai-"))}


def whole(said: Any, source: Any, client: Any, status: int, asked: Any = None, head: Any = ()) -> responses.Response:
    """A whole reply, or an error, as the client's own provider would say it. Codex reads one error only in a stream."""
    out = tw.replies.convert_reply_json(said, client, source=source, status=status, request=asked)
    if client == "openai-responses" and b"_length_exceeded" in out.payload and json.loads(asked or "{}").get("stream"):
        failed = tw.replies.StreamConverter(source="openai", target=client)
        return responses.Response(failed.feed_bytes(out.payload) + failed.finish(), 200, {}, "text/event-stream")
    kept = {"x-amzn-errortype": json.loads(out.payload).get("__type", "")} if out.status and client == "bedrock" else {}
    kept |= {name: head[name] for name in ("retry-after", "retry-after-ms", "x-amzn-errortype") if name in head}
    return responses.Response(out.payload, out.status or 200, kept, "application/json")


async def converted(said: ClientResponse, converter: tw.replies.StreamConverter) -> Any:
    """A stream in the client's words. One that breaks ends in an error, or the connection is dropped."""
    async with said:
        with contextlib.suppress(*BROKEN):  # `finish` tells the client.
            async for data in said.content.iter_any():
                yield converter.feed_bytes(data)
        yield converter.finish()
    if converter.abort:
        raise ConnectionAbortedError


app = gateway(os.environ.get("UPSTREAM", "https://api.anthropic.com"), os.environ.get("TO", "anthropic"))
if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    _ = [parser.add_argument(f"--{name}") for name in ("upstream", "to", "model", "port")]
    given = parser.parse_args()
    uvicorn.run(gateway(given.upstream, given.to, given.model), port=int(given.port or 8000))
