"""What the official SDKs read from a reply or a stream that somebody wrote.

    read("anthropic", {...})                     a whole reply (a dict, str or bytes)
    read("openai", [b"data: ...", ...])          a stream: each entry is one write; `cut=True` drops the connection

Every reading goes through the official client and a server on this machine. The counts of `usage` have one meaning for
all wires: input includes what was read from a cache or written to one, output includes reasoning.
"""

import json
import os
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from judges.sdks import imported

_WORDS = {  # one word <- the words of all wires
    "stop": "stop completed end_turn stop_sequence STOP",
    "tool_calls": "tool_calls function_call tool_use",
    "length": "length max_output_tokens max_messages max_tokens model_context_window_exceeded MAX_TOKENS",
    "filtered": "content_filter guardrail_intervened content_filtered SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT "
    "SPII MODEL_ARMOR",
    "refusal": "refusal",
    "paused": "pause_turn CONTINUATION queued in_progress",
    "error": "failed cancelled malformed_model_output malformed_tool_use MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL",
}
ASK: dict = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
FINISH = {word: name for name, words in _WORDS.items() for word in words.split()}


@dataclass
class Reading:
    text: str = ""
    calls: list[tuple] = field(default_factory=list)  # (id, name, args)
    stop: str | None = None  # the wire's own word
    usage: tuple | None = None  # input, output
    reasoning: str = ""
    error: str | None = None

    @property
    def finish(self) -> str | None:
        if self.calls and self.stop in ("STOP", "completed"):
            return "tool_calls"
        return FINISH.get(self.stop or "", self.stop)

    def same(self, other: "Reading", ids: bool = True) -> list[str]:
        """Names of what differs, across wires too."""

        def view(r: Reading) -> dict:
            return {
                "text": r.text,
                "calls": [(i if ids else None, n, a) for i, n, a in r.calls],
                "finish": r.finish,
                "usage": r.usage,
                "error": bool(r.error),
            }

        mine, theirs = view(self), view(other)
        return [name for name in mine if mine[name] != theirs[name]]


class Handler(BaseHTTPRequestHandler):
    """Answers every POST with what was queued last."""

    answer: tuple[int, str, list[bytes], bool]
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, kind, writes, cut = Handler.answer
        self.send_response(status)
        for name, value in (("Content-Type", kind), ("Transfer-Encoding", "chunked"), ("Connection", "close")):
            self.send_header(name, value)
        self.end_headers()
        with suppress(BrokenPipeError, ConnectionResetError):  # a client may leave at an error
            for data in filter(None, writes):
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
            self.wfile.write(b"" if cut else b"0\r\n\r\n")

    def log_message(self, *args: Any) -> None: ...


def _args(text: Any) -> Any:
    """Arguments as a value; text that is no JSON stays text, and none are an empty object."""
    try:
        return json.loads(text or "{}") if isinstance(text, str) else text or {}
    except ValueError:
        return text


def _sum(*counts: int | None) -> int:
    return sum(count or 0 for count in counts)


@cache
def clients() -> Any:
    """The official clients, made once, all pointed at one server."""
    anthropic = imported("anthropic")
    boto3 = imported("boto3")
    openai = imported("openai")
    config = imported("botocore.config").Config(retries={"max_attempts": 0})
    genai = imported("google.genai")

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    aws = {"region_name": "us-east-1", "aws_access_key_id": "x", "aws_secret_access_key": "x"}
    # Without proxies, which clients look for when they are made.
    direct = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    with patch.dict(os.environ, direct | {"AWS_EC2_METADATA_DISABLED": "true"}, clear=True):
        return SimpleNamespace(
            openai=openai.OpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0),
            anthropic=anthropic.Anthropic(api_key="none", base_url=url, max_retries=0),
            gemini=genai.Client(api_key="none", http_options={"base_url": url}),
            bedrock=boto3.client("bedrock-runtime", endpoint_url=url, config=config, **aws),
        )


def _openai(c: Any, stream: bool, out: Reading) -> None:
    if not stream:
        _chat(c.openai.chat.completions.create(**ASK), out)
        return
    with c.openai.chat.completions.stream(**ASK, stream_options={"include_usage": True}) as s:
        for event in s:
            if event.type == "chunk":
                _chat(event.snapshot, out)  # what was read before an error counts
        _chat(s.get_final_completion(), out)


def _chat(done: Any, out: Reading) -> None:
    out.usage = (done.usage.prompt_tokens, done.usage.completion_tokens) if done.usage else None
    for choice in (done.choices or [])[:1]:
        m = choice.message
        out.text, out.stop = (m.content or "") + (m.refusal or ""), choice.finish_reason
        out.reasoning = getattr(m, "reasoning_content", None) or getattr(m, "reasoning", None) or ""
        out.calls = [
            (t.id, t.function.name, _args(t.function.arguments))
            if t.type != "custom"
            else (t.id, t.custom.name, t.custom.input)
            for t in m.tool_calls or []
        ]


def _responses(c: Any, stream: bool, out: Reading) -> None:
    if not stream:
        _response(c.openai.responses.create(model="m", input="x"), out)
        return
    with c.openai.responses.stream(model="m", input="x") as s:
        for event in s:
            if event.type in ("response.completed", "response.incomplete", "response.failed"):
                _response(event.response, out)  # get_final_response() would raise for the last two
                return
            if event.type == "error":
                out.error = f"error event: {event.code} {event.message}"
    if not out.error:
        s.get_final_response()  # raises what a program would see


def _response(r: Any, out: Reading) -> None:
    for item in r.output:
        if item.type == "message":
            out.text += "".join(part.text if part.type == "output_text" else part.refusal for part in item.content)
        elif item.type in ("function_call", "custom_tool_call"):
            out.calls.append(
                (item.call_id, item.name, _args(item.arguments) if item.type == "function_call" else item.input)
            )
        elif item.type == "reasoning":
            out.reasoning += "".join(part.text for part in [*item.summary, *(item.content or [])])
    out.stop = r.incomplete_details.reason if r.incomplete_details else r.status
    out.usage = (r.usage.input_tokens, r.usage.output_tokens) if r.usage else None
    out.error = f"{r.error.code}: {r.error.message}" if r.error else None


def _anthropic(c: Any, stream: bool, out: Reading) -> None:
    if not stream:
        _message(c.anthropic.messages.create(**ASK, max_tokens=9), out)
        return
    with c.anthropic.messages.stream(**ASK, max_tokens=9) as s:
        for event in s:
            if event.type not in ("message_start", "ping"):
                _message(s.current_message_snapshot, out)
        _message(s.get_final_message(), out)
    if not out.stop:
        out.error = "ended without a stop_reason: the client does not notice"


def _message(m: Any, out: Reading) -> None:
    u = m.usage
    out.usage = (
        (_sum(u.input_tokens, u.cache_read_input_tokens, u.cache_creation_input_tokens), u.output_tokens) if u else None
    )
    out.stop = m.stop_reason
    out.text = "".join(b.text or "" for b in m.content if b.type == "text")
    out.reasoning = "".join(b.thinking for b in m.content if b.type == "thinking")
    out.calls = [(b.id, b.name, b.input) for b in m.content if b.type == "tool_use"]


def _gemini(c: Any, stream: bool, out: Reading) -> None:
    create = c.gemini.models.generate_content_stream if stream else c.gemini.models.generate_content
    for r in create(model="m", contents="x") if stream else [create(model="m", contents="x")]:
        for candidate in (r.candidates or [])[:1]:
            for part in (candidate.content.parts if candidate.content else None) or []:
                if part.text and part.thought:
                    out.reasoning += part.text
                elif part.text:
                    out.text += part.text
                elif f := part.function_call:
                    out.calls.append((f.id, f.name, f.args or {}))
            out.stop = candidate.finish_reason.value if candidate.finish_reason else out.stop
        if u := r.usage_metadata:
            out.usage = (
                _sum(u.prompt_token_count, u.tool_use_prompt_token_count),
                _sum(u.candidates_token_count, u.thoughts_token_count),
            )
        if not out.stop and r.prompt_feedback and r.prompt_feedback.block_reason:
            out.stop = r.prompt_feedback.block_reason.value


def _bedrock(c: Any, stream: bool, out: Reading) -> None:
    ask = {"modelId": "m", "messages": [{"role": "user", "content": [{"text": "x"}]}]}
    if not stream:
        r = c.bedrock.converse(**ask)
        out.stop, out.usage = r["stopReason"], _converse_usage(r["usage"])
        for block in r["output"]["message"]["content"]:
            thought = block.get("reasoningContent", {}).get("reasoningText", {})
            _block(out, block.get("text", ""), thought.get("text", ""), block.get("toolUse"))
        return
    uses: dict[int, dict] = {}
    for event in c.bedrock.converse_stream(**ask)["stream"]:
        ((kind, e),) = event.items()
        if kind == "contentBlockStart" and "toolUse" in e["start"]:
            uses[e["contentBlockIndex"]] = {**e["start"]["toolUse"], "input": ""}
        elif kind == "contentBlockDelta":
            d = e["delta"]
            _block(out, d.get("text", ""), d.get("reasoningContent", {}).get("text", ""), None)
            if "toolUse" in d:
                uses[e["contentBlockIndex"]]["input"] += d["toolUse"]["input"]
        elif kind == "messageStop":
            out.stop = e["stopReason"]
        elif kind == "metadata":
            out.usage = _converse_usage(e["usage"])
    for _, use in sorted(uses.items()):
        _block(out, "", "", use)


def _block(out: Reading, text: str, thought: str, use: dict | None) -> None:
    out.text, out.reasoning = out.text + text, out.reasoning + thought
    if use and use.get("type") != "server_tool_use":  # those are the provider's own
        out.calls.append((use["toolUseId"], use["name"], _args(use["input"])))


def _converse_usage(u: dict) -> tuple:
    return _sum(u["inputTokens"], u.get("cacheReadInputTokens"), u.get("cacheWriteInputTokens")), u["outputTokens"]


READERS = {
    "openai": _openai,
    "openai-responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "bedrock": _bedrock,
}


def read(wire: str, said: Any, *, status: int = 200, cut: bool = False) -> Reading:
    """What the SDK of the wire reads. A list is a stream; anything else a whole body."""
    stream = isinstance(said, list)
    whole = json.dumps(said).encode() if isinstance(said, dict) else said.encode() if isinstance(said, str) else said
    kind = (
        "application/json"
        if not stream or status != 200
        else ("application/vnd.amazon.eventstream" if wire == "bedrock" else "text/event-stream")
    )
    Handler.answer = (status, kind, said if stream else [whole], cut)
    out = Reading()
    try:
        READERS[wire](clients(), stream, out)
    except Exception as error:  # whatever the client throws is what is asked for
        out.error = f"{type(error).__name__}: {error}"[:300]
    return out
