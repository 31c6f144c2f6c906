"""Servers of one vendor each, on this machine, that refuse what their vendor does, in its words, and count requests.

A server's rules are written here by hand, from what vendors and reports say. They do not use the package's own rules.
"""

from __future__ import annotations

import importlib
import inspect
import json
import re
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from threading import Thread
from typing import Any

import httpx

Json = dict[str, Any]


@dataclass(frozen=True)
class Rule:
    """What a server refuses, and how it says so."""

    text: str
    refuses: Callable[[Json], object]
    status: int = 400


@dataclass(frozen=True)
class Family:
    """The servers of one vendor: the row that fits them, the row for an unknown server, and what they refuse."""

    wire: str
    row: str
    unknown: str
    rules: tuple[Rule, ...]


def _list(body: Json) -> list[Json]:
    held = body.get("messages", body.get("input"))
    return [one for one in held if isinstance(one, dict)] if isinstance(held, list) else []


def _roles(body: Json) -> list[Any]:
    return [message.get("role") for message in _list(body)]


def _of(body: Json, *roles: str) -> list[Json]:
    return [message for message in _list(body) if message.get("role") in roles]


def _calls(body: Json) -> list[Json]:
    return [call for message in _list(body) for call in message.get("tool_calls") or ()]


def _parts(body: Json) -> Iterator[Json]:
    for message in _list(body):
        yield from (part for part in message.get("content") or () if isinstance(part, dict))


def _items(body: Json, kind: str) -> list[Json]:
    return [item for item in _list(body) if item.get("type") == kind]


def _is_object(text: Any) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (TypeError, ValueError):
        return False


DEVELOPER = {
    "minimax": "role param error",
    "glm": "[1214] Incorrect role information",
    "template": "Unexpected message role.",
    "deepseek": "Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant "
    "`developer`, expected one of `system`, `user`, `assistant`, `tool`",
    "cloudflare": "400 'developer' is not one of ['system', 'assistant', 'user', 'tool', 'function'] - "
    "'messages.0.role'",
}


def _has(body: Json, key: str) -> bool:
    return any(key in one for one in _list(body))


def _developer(who: str) -> Rule:
    return Rule(DEVELOPER[who], lambda body: "developer" in _roles(body))


def _lists(*roles: str) -> Callable[[Json], object]:
    return lambda body: any(isinstance(message.get("content"), list) for message in _of(body, *roles))


def _system_after_first(body: Json) -> bool:
    return any(role in ("system", "developer") for role in _roles(body)[1:])


def _neighbours(body: Json) -> bool:
    sides = [role for role in _roles(body) if role in ("user", "assistant", "tool")]
    return any(one == other != "tool" for one, other in pairwise(sides))


FAMILIES: dict[str, Family] = {
    "minimax": Family("openai", "openai:minimax", "openai", (
        _developer("minimax"),
        Rule("invalid params, invalid chat setting (2013)", lambda body: len(_of(body, "system", "developer")) > 1),
        Rule("invalid params, function parameters is empty (2013)", lambda body: any(
            not tool["function"].get("parameters") for tool in body.get("tools", ()) if "function" in tool)),
        Rule("invalid params, invalid function arguments json string, tool_call_id: call_1 (2013)", lambda body: any(
            not _is_object(call["function"]["arguments"]) for call in _calls(body))),
    )),
    "template": Family("openai", "openai:local+alternates=yes+needs_user=yes", "openai:compatible", (
        _developer("template"),
        Rule("System message must be at the beginning.", _system_after_first, 500),
        Rule("After the optional system message, conversation roles must alternate user and assistant roles except for "
             "tool calls and results.", _neighbours, 500),
        Rule("Can only get item pairs from a mapping.", lambda body: any(
            not _is_object(call["function"]["arguments"]) for call in _calls(body)), 500),
    )),
    "gemma": Family("openai", "openai:local+system=user+alternates=yes+needs_user=yes", "openai:compatible", (
        Rule("System role not supported", lambda body: bool(_of(body, "system", "developer")), 500),
        Rule("Conversation roles must alternate user/assistant/user/assistant/...", _neighbours, 500),
    )),
    "deepseek": Family("openai", "openai:deepseek", "openai", (
        _developer("deepseek"),
        Rule("Failed to deserialize the JSON body into the target type: messages[2]: invalid type: sequence, expected "
             "a string", _lists("assistant", "tool")),
        Rule("The `reasoning_content` in the thinking mode must be passed back to the API.", lambda body: any(
            not message.get("reasoning_content") for message in _of(body, "assistant"))),
    )),
    "groq": Family("openai", "openai:groq", "openai:compatible", (
        Rule("'messages.0' : for 'role:system' the following must be satisfied[('messages.0.content' : value must be a "
             "string)]", _lists("system", "developer", "assistant", "tool")),
        Rule("'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property "
             "'reasoning_content' is unsupported)]", lambda body: _has(body, "reasoning_content")),
        Rule("'messages.1' : for 'role:user' the following must be satisfied[('messages.1' : property 'kind' is "
             "unsupported)]", lambda body: _has(body, "kind")),
    )),
    "cloudflare": Family("openai", "openai:plain", "openai", (
        _developer("cloudflare"),
        Rule("AiError: Bad input: Error: oneOf at '/' not met, 0 matches: required properties at '/' are 'prompt', "
             "Type mismatch of '/messages/0/content', 'array' not in 'string'",
             _lists("system", "user", "assistant", "tool")),
        Rule("AiError: Bad input: Error: oneOf at '/' not met: required properties at '/messages/11' are "
             "'role,content'",
             lambda body: any(message.get("content") is None for message in _list(body))),
    )),
    "perplexity": Family("openai", "openai:perplexity", "openai:compatible", (
        Rule("After the (optional) system message(s), user or tool message(s) should alternate with assistant "
             "message(s).",
             _neighbours),
    )),
    "mistral-ids": Family("openai", "openai:compatible+ids=exactly_9", "openai:compatible", (
        Rule("Tool call id was call_abc123 but must be a-z, A-Z, 0-9, with a length of 9.", lambda body: any(
            not re.fullmatch("[a-zA-Z0-9]{9}", call["id"]) for call in _calls(body))),
    )),
    "mistral-roles": Family("openai", "openai:compatible+user_after_result=no", "openai:compatible", (
        Rule("Unexpected role 'user' after role 'tool'", lambda body: ("tool", "user") in pairwise(_roles(body))),
    )),
    "llama": Family("openai", "openai:compatible+results=behind_call", "openai:compatible", (
        Rule("This model only supports single tool-calls at once!", lambda body: any(
            len(message.get("tool_calls") or ()) > 1 for message in _of(body, "assistant")), 500),
    )),
    "vllm-responses": Family("openai-responses", "openai-responses:compatible", "openai-responses", (
        Rule("Encrypted content is not supported.", lambda body: any(
            item.get("encrypted_content") for item in _items(body, "reasoning"))),
    )),
    "llamacpp-responses": Family("openai-responses", "openai-responses:compatible", "openai-responses", (
        Rule("Cannot determine type of 'item'", lambda body: any(
            "type" not in item for item in _of(body, "assistant"))),
    )),
    "deepseek-messages": Family("anthropic", "anthropic:deepseek", "anthropic", (
        Rule("messages[7].role: unknown variant `system`, expected `user` or `assistant`",
             lambda body: "system" in _roles(body)),
        Rule("The `content[].thinking` in the thinking mode must be passed back to the API.", lambda body: any(
            not any(part.get("type") == "thinking" for part in _parts({"messages": [message]}))
            for message in _of(body, "assistant"))),
    )),
    "sglang-messages": Family("anthropic", "anthropic:compatible", "anthropic", (
        Rule("Anthropic redacted_thinking history is not supported", lambda body: any(
            part.get("type") == "redacted_thinking" for part in _parts(body))),
    )),
}  # fmt: skip


@dataclass(eq=False)
class Server:
    """One server, and what it got."""

    rules: tuple[Rule, ...]
    bodies: list[Json] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def answer(self, path: str, content: bytes) -> tuple[int, str, bytes]:
        """What it answers to one request: a status, a type and a body."""
        body = json.loads(content)
        self.bodies.append(body)
        for rule in self.rules:
            if rule.refuses(body):
                self.refusals.append(rule.text)
                error = {"error": {"message": rule.text, "type": "invalid_request_error"}}
                return rule.status, "application/json", json.dumps(error).encode()
        last = path.partition("?")[0].rpartition("/")[2]
        wire = {"messages": "anthropic", "responses": "openai-responses"}.get(last, "openai")
        if body.get("stream"):
            return 200, "text/event-stream", STREAMS[wire]
        return 200, "application/json", json.dumps(REPLIES[wire]).encode()


REPLIES: dict[str, Json] = {
    "openai": {
        "id": "x", "object": "chat.completion", "created": 1, "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "done"}}],
    },
    "openai-responses": {
        "id": "resp_1", "object": "response", "created_at": 1, "model": "m", "status": "completed", "tools": [],
        "parallel_tool_calls": True, "tool_choice": "auto",
        "output": [{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
                    "content": [{"type": "output_text", "text": "done", "annotations": []}]}],
    },
    "anthropic": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "stop_sequence": None, "content": [{"type": "text", "text": "done"}],
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
}  # fmt: skip
_CHUNK = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "m"}
_EVENTS: dict[str, list[Json]] = {
    "openai": [
        {**_CHUNK, "choices": [{"index": 0, "delta": {"role": "assistant", "content": "done"}, "finish_reason": None}]},
        {**_CHUNK, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    ],
    "openai-responses": [
        {"type": "response.completed", "sequence_number": 0, "response": REPLIES["openai-responses"]},
    ],
    "anthropic": [
        {"type": "message_start", "message": {**REPLIES["anthropic"], "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "done"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None},
         "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ],
}  # fmt: skip


def _stream(wire: str) -> bytes:
    events = _EVENTS[wire]
    named = "".join(
        (f"event: {one['type']}\n" if wire != "openai" else "") + f"data: {json.dumps(one)}\n\n" for one in events
    )
    return (named + ("data: [DONE]\n\n" if wire == "openai" else "")).encode()


STREAMS = {wire: _stream(wire) for wire in _EVENTS}


class _Handler(BaseHTTPRequestHandler):
    """Takes a request to the server whose number its path begins with. Each request has a connection of its own."""

    def do_POST(self) -> None:
        number = int(self.path.split("/")[1])
        content = self.rfile.read(int(self.headers["content-length"]))
        status, kind, body = _SERVERS[number].answer(self.path, content)
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


class _Socket(ThreadingHTTPServer):
    """Takes many connections at once."""

    daemon_threads, request_queue_size = True, 256


_SERVERS: list[Server] = []


@cache
def _port() -> int:
    """The port of the one socket of this process, behind which all servers are."""
    listens = _Socket(("127.0.0.1", 0), _Handler)
    Thread(target=listens.serve_forever, daemon=True).start()
    return int(listens.server_address[1])


def client(wire: str, server: Server, *, awaits: bool = False, retries: int = 0) -> Any:
    """An official client that talks to the server, through a socket of this machine."""
    if server not in _SERVERS:
        _SERVERS.append(server)
    address = f"http://127.0.0.1:{_port()}/{_SERVERS.index(server)}"
    if wire == "anthropic":
        import anthropic

        http: Any = importlib.import_module(anthropic.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0])
        kind: Any = anthropic.AsyncAnthropic if awaits else anthropic.Anthropic
    else:
        import openai

        http, kind, address = httpx, openai.AsyncOpenAI if awaits else openai.OpenAI, f"{address}/v1"
    # A proxy of this machine is not asked.
    alone: Json = {"trust_env": False, "verify": _without_certificates()}
    carrier = http.AsyncClient(**alone) if awaits else _closing(http)(**alone)
    return kind(api_key="none", base_url=address, max_retries=retries, http_client=carrier)


@cache
def _without_certificates() -> ssl.SSLContext:
    """For servers without TLS: each client would take 15 ms to read all certificates of this machine."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@cache
def _closing(http: Any) -> Any:
    """A carrier that closes its sockets when nobody has it any more: a stream that is not read to its end keeps one."""
    return type("Closing", (http.Client,), {"__del__": lambda self: self.close()})


def send(made: Any, wire: str, body: Json, *, stream: bool = False) -> Any:
    """The call of the client for a body. For an asynchronous client it is to be awaited."""
    call = {
        "openai": lambda: made.chat.completions.create,
        "openai-responses": lambda: made.responses.create,
        "anthropic": lambda: made.beta.messages.create,
    }[wire]()
    known = inspect.signature(call).parameters
    given: Json = {"model": "m"} | ({"max_tokens": 99} if wire == "anthropic" else {}) | body
    more: Json = {"stream": True} if stream else {}
    # What the SDK has no parameter for goes beside the body.
    if extra := {key: value for key, value in given.items() if key not in known}:
        more["extra_body"] = extra
    return call(**{key: value for key, value in given.items() if key in known}, **more)
