"""What `bench_gateway.py` needs beside ours: a server with Anthropic's wire, and two other gateways.

`python gateways.py server PORT`, `python gateways.py by-hand PORT UPSTREAM` and `python gateways.py pass-through PORT
UPSTREAM` run them.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import aiohttp
import bench_convert
import orjson
import uvicorn
from starlette import applications, requests, responses, routing

Json = dict[str, Any]

USAGE = {"input_tokens": 20, "output_tokens": 60, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 0}
CALL = {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Oslo"}}
REPLY: Json = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-4-6",
    "content": [{"type": "text", "text": "word " * 40}, CALL],
    "stop_reason": "tool_use",
    "stop_sequence": None,
    "usage": USAGE,
}


def events() -> list[Json]:
    """The reply as 51 events: 40 pieces of text, 3 of the call's arguments."""
    delta = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "word "}}
    start = {**REPLY, "content": [], "stop_reason": None}
    arguments = [
        {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": piece}}
        for piece in ("", '{"city": "Os', 'lo"}')
    ]
    end = {"stop_reason": "tool_use", "stop_sequence": None}
    return [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "ping"},
        *[delta] * 40,
        {"type": "content_block_stop", "index": 0},
        {"type": "content_block_start", "index": 1, "content_block": {**CALL, "input": {}}},
        *arguments,
        {"type": "content_block_stop", "index": 1},
        {"type": "message_delta", "delta": end, "usage": {"output_tokens": 60}},
        {"type": "message_stop"},
    ]


def _head(kind: str, how: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\n{how}\r\n\r\n".encode()


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


WHOLE = orjson.dumps(REPLY)
WHOLE = _head("application/json", f"content-length: {len(WHOLE)}") + WHOLE
FRAMES = [_chunk(b"event: %s\ndata: %s\n\n" % (event["type"].encode(), orjson.dumps(event))) for event in events()]
STREAMED = [_head("text/event-stream", "transfer-encoding: chunked"), *FRAMES, b"0\r\n\r\n"]


class Server(asyncio.Protocol):
    """Answers at once, with a stream where the request asks for it: its own work is next to nothing."""

    transport: asyncio.Transport
    held = b""

    def connection_made(self, transport: Any) -> None:
        """Keep the connection to answer on."""
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        """Answer as soon as the request is whole."""
        self.held += data
        head, blank, body = self.held.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length:")[2].split(b"\r\n")[0]
        if not blank or len(body) < int(length or 0):
            return
        self.held = b""
        for piece in STREAMED if b'"stream":true' in body.replace(b" ", b"") else [WHOLE]:
            self.transport.write(piece)


async def serve(port: int) -> None:
    """Serve until the process ends."""
    server = await asyncio.get_running_loop().create_server(Server, "127.0.0.1", port)
    await server.serve_forever()


STOPS = {"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length"}


def request_by_hand(body: Json) -> Json:
    """OpenAI's request as Anthropic's."""
    tools = [tool["function"] for tool in body.get("tools", [])]
    return {
        **bench_convert.by_hand(body["messages"]),
        "model": body["model"],
        "max_tokens": body.get("max_tokens", 4096),
        "tools": [{"name": each["name"], "input_schema": each["parameters"]} for each in tools],
        "stop_sequences": body.get("stop", []),
        "stream": bool(body.get("stream")),
    }


def usage_by_hand(usage: Json) -> Json:
    """Anthropic's counts leave out what was cached."""
    asked = usage["input_tokens"] + usage["cache_read_input_tokens"] + usage["cache_creation_input_tokens"]
    return {
        "prompt_tokens": asked,
        "completion_tokens": usage["output_tokens"],
        "total_tokens": asked + usage["output_tokens"],
    }


def reply_by_hand(said: Json) -> Json:
    """Anthropic's reply as OpenAI's."""
    text = "".join(block["text"] for block in said["content"] if block["type"] == "text")
    calls = [
        {
            "id": block["id"],
            "type": "function",
            "function": {"name": block["name"], "arguments": orjson.dumps(block["input"]).decode()},
        }
        for block in said["content"]
        if block["type"] == "tool_use"
    ]
    message = {"role": "assistant", "content": text, "tool_calls": calls}
    choice = {"index": 0, "message": message, "finish_reason": STOPS[said["stop_reason"]]}
    shell = {"id": said["id"], "object": "chat.completion", "created": 0, "model": said["model"]}
    return {**shell, "choices": [choice], "usage": usage_by_hand(said["usage"])}


async def stream_by_hand(said: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """Anthropic's events as OpenAI's chunks."""
    shell: Json = {"object": "chat.completion.chunk", "created": 0}
    usage: Json = {}
    calls = -1
    async for line in said.content:
        if not line.startswith(b"data: "):
            continue
        event = orjson.loads(line[6:])
        delta: Json = {}
        stop = None
        match event["type"]:
            case "message_start":
                shell |= {"id": event["message"]["id"], "model": event["message"]["model"]}
                usage = event["message"]["usage"]
                delta = {"role": "assistant", "content": ""}
            case "content_block_start" if event["content_block"]["type"] == "tool_use":
                block = event["content_block"]
                calls += 1
                function = {"name": block["name"], "arguments": ""}
                delta = {"tool_calls": [{"index": calls, "id": block["id"], "type": "function", "function": function}]}
            case "content_block_delta" if event["delta"]["type"] == "text_delta":
                delta = {"content": event["delta"]["text"]}
            case "content_block_delta":
                function = {"arguments": event["delta"]["partial_json"]}
                delta = {"tool_calls": [{"index": calls, "function": function}]}
            case "message_delta":
                stop = STOPS[event["delta"]["stop_reason"]]
                usage = usage | event["usage"]
            case _:
                continue
        chunk = {**shell, "choices": [{"index": 0, "delta": delta, "finish_reason": stop}]}
        yield b"data: " + orjson.dumps(chunk) + b"\n\n"
    yield b"data: " + orjson.dumps({**shell, "choices": [], "usage": usage_by_hand(usage)}) + b"\n\ndata: [DONE]\n\n"


Answering = Callable[[Any, bytes], Awaitable[responses.Response]]


def serving(answering: Answering) -> applications.Starlette:
    """A server whose answers are made with a function that sends a request, and the body."""

    @contextlib.asynccontextmanager
    async def lifespan(_: applications.Starlette) -> AsyncIterator[dict[str, Any]]:
        async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
            yield {"post": session.post}

    async def answer(request: requests.Request) -> responses.Response:
        return await answering(request.state.post, await request.body())

    return applications.Starlette(
        routes=[routing.Route("/v1/chat/completions", answer, methods=["POST"])], lifespan=lifespan
    )


def by_hand(upstream: str) -> applications.Starlette:
    """The shortest gateway for these two wires: no errors, only three settings, no content but texts and calls."""

    async def answer(post: Any, body: bytes) -> responses.Response:
        asked = request_by_hand(orjson.loads(body))
        said = await post(f"{upstream}/v1/messages", data=orjson.dumps(asked))
        if asked["stream"]:
            return responses.StreamingResponse(stream_by_hand(said), media_type="text/event-stream")
        whole = orjson.dumps(reply_by_hand(orjson.loads(await said.read())))
        return responses.Response(whole, media_type="application/json")

    return serving(answer)


def pass_through(upstream: str) -> applications.Starlette:
    """A gateway that reads nothing: what is left is the cost of two connections in Python."""

    async def answer(post: Any, body: bytes) -> responses.Response:
        said = await post(f"{upstream}/v1/messages", data=body)
        kind = said.headers["content-type"]
        if kind.startswith("text/event-stream"):
            return responses.StreamingResponse(said.content.iter_any(), media_type=kind)
        return responses.Response(await said.read(), media_type=kind)

    return serving(answer)


if __name__ == "__main__":
    if sys.argv[1] == "server":
        asyncio.run(serve(int(sys.argv[2])))
    else:
        made = pass_through if sys.argv[1] == "pass-through" else by_hand
        uvicorn.run(made(sys.argv[3]), port=int(sys.argv[2]))
