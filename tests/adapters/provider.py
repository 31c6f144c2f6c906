"""The example's providers; these also answer whole where no stream was asked for, and know Responses, too."""

from __future__ import annotations

import base64
import json
from typing import Any

import loopback
import turnwire as tw
from loopback import Provider, Step

__all__ = ["Provider", "Step", "provider", "within"]

USAGE = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}


def responses(step: Step) -> dict[str, Any]:
    said: list[dict[str, Any]] = []
    if step.text:
        text = {"type": "output_text", "text": step.text, "annotations": []}
        said.append(
            {
                "type": "message",
                "id": loopback.message_id(step),
                "role": "assistant",
                "status": "completed",
                "content": [text],
            }
        )
    for ident, name, args in step.calls:
        call = {"type": "function_call", "id": f"fc_{ident}", "call_id": ident, "name": name, "status": "completed"}
        said.append({**call, "arguments": json.dumps(args)})
    base = {
        "id": loopback.message_id(step).replace("msg", "resp"),
        "object": "response",
        "created_at": 1,
        "model": "m",
        "status": "completed",
        "output": said,
    }
    details = {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
    return base | {"parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "usage": USAGE | details}


def chat(step: Step) -> dict[str, Any]:
    calls = [
        {"id": ident, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for ident, name, args in step.calls
    ]
    message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
    choice = {"index": 0, "finish_reason": "stop", "message": message | ({"tool_calls": calls} if calls else {})}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}


def messages(step: Step) -> dict[str, Any]:
    said: list[dict[str, Any]] = [{"type": "text", "text": step.text}] if step.text else []
    said += [{"type": "tool_use", "id": ident, "name": name, "input": args} for ident, name, args in step.calls]
    told = {"id": loopback.message_id(step), "type": "message", "role": "assistant", "model": "m", "content": said}
    reason = "tool_use" if step.calls else "end_turn"
    return told | {"stop_reason": reason, "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}


def gemini(step: Step) -> dict[str, Any]:
    made = ({"id": ident, "name": name, "args": args} for ident, name, args in step.calls)
    calls = [{"functionCall": call, "thoughtSignature": "c2ln"} for call in made]
    content = {"role": "model", "parts": [*([{"text": step.text}] if step.text else []), *calls]}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return {"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": usage}


def gemini_streamed(step: Step) -> bytes:
    """Each call in a chunk of its own, and a text in two."""
    whole = gemini(step)
    content = whole["candidates"][0]["content"]
    parts = [{"text": piece} for piece in loopback.halves(step.text) if piece]
    parts += [part for part in content["parts"] if "text" not in part]
    chunks = [{"candidates": [{"content": {**content, "parts": [part]}}]} for part in parts]
    chunks[-1]["candidates"][0]["finishReason"] = "STOP"
    return loopback.sse([*chunks[:-1], {**chunks[-1], "usageMetadata": whole["usageMetadata"]}])


def invoked(step: Step) -> bytes:
    """Anthropic's events in the frames of Bedrock's older API."""
    lines = loopback.anthropic(step).decode().splitlines()
    events = [line.removeprefix("data: ").encode() for line in lines if line.startswith("data: ")]
    return b"".join(loopback.frame("chunk", {"bytes": base64.b64encode(event).decode()}) for event in events)


def converse(step: Step) -> dict[str, Any]:
    said: list[dict[str, Any]] = [{"text": step.text}] if step.text else []
    said += [{"toolUse": {"toolUseId": ident, "name": name, "input": args}} for ident, name, args in step.calls]
    counts = {"inputTokens": 1, "outputTokens": 1, "totalTokens": 2}
    told = {"output": {"message": {"role": "assistant", "content": said}}, "metrics": {"latencyMs": 1}}
    return told | {"stopReason": "tool_use" if step.calls else "end_turn", "usage": counts}


WHOLE = {
    "/converse": converse,
    ":generateContent": gemini,
    "/chat/completions": chat,
    "/messages": messages,
    "/responses": responses,
    # Claude at Vertex AI and at Bedrock.
    ":rawPredict": messages,
    "/invoke": messages,
}
STREAMED = {
    "/chat/completions": loopback.openai,
    "/messages": loopback.anthropic,
    "/responses": loopback.openai_responses,
    ":streamGenerateContent": gemini_streamed,
    "/converse-stream": loopback.bedrock,
    ":streamRawPredict": loopback.anthropic,
    "/invoke-with-response-stream": invoked,
}


class Handler(loopback._Handler):
    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.bodies.append(body)
        path = self.path.partition("?")[0]
        part = max((part for part in (*WHOLE, *STREAMED) if part in path), key=len, default="")
        if path.endswith(("count_tokens", "count-tokens:rawPredict", "input_tokens")):
            kind, data = "application/json", json.dumps({"input_tokens": 7, "object": "x"}).encode()
        elif part in ("/converse-stream", "/invoke-with-response-stream"):
            kind, data = "application/vnd.amazon.eventstream", STREAMED[part](self.server.script.pop(0))
        elif body.get("stream") or part not in WHOLE:
            kind, data = "text/event-stream", STREAMED[part](self.server.script.pop(0))
        else:
            kind, data = "application/json", json.dumps(WHOLE[part](self.server.script.pop(0))).encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def provider(*script: Step | str) -> Provider:
    """A provider that gives all of these replies, and then always "done"."""
    steps = [step if isinstance(step, Step) else Step(step) for step in script]
    running = Provider([*steps, *[Step("done")] * 200])
    running.RequestHandlerClass, running.wrong, running.conversations = Handler, [], []
    return running


def within(body: dict[str, Any], dialect: Any, max_bytes: int) -> None:
    """Whether what was sent is whole and within the budget."""
    found = [finding for finding in tw.check(body, dialect, source=dialect) if finding.severity != "info"]
    assert [finding for finding in found if finding.code != "undefined_tool"] == []
    totals = tw.spec.MessageBuilder().set_messages(body, dialect).set_budget(10**9).build(dialect).receipt.totals
    assert totals is not None
    assert totals["after"] <= max_bytes
