"""What the official SDKs read of a stream that another program wrote, through a transport in memory.

`read(wire, writes)` gives a `Reading`; `cut=True` drops the connection after the last write, like a broken server.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import httpx

ASK: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "x"}]}


@dataclass
class Reading:
    text: str = ""
    calls: list[tuple[str | None, str, Any]] = field(default_factory=list)
    """Id, name and arguments; arguments that are not JSON stay text."""
    stop: str | None = None
    """The wire's own word."""
    usage: tuple[int, int] | None = None
    """All tokens that were read, cached ones included; all that were written, reasoning included."""
    reasoning: str = ""
    error: str | None = None


class Answer:
    """The answer to the next request."""

    writes: list[bytes]
    cut: bool
    kind: str


def transport(http: Any) -> Any:
    """A transport in memory, for clients with `httpx` or its successor."""

    class Body(http.SyncByteStream):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            yield from Answer.writes
            if Answer.cut:
                raise http.RemoteProtocolError("peer closed connection without sending complete message body")

    class Transport(http.BaseTransport):  # type: ignore[misc]
        def handle_request(self, request: Any) -> Any:
            return http.Response(200, headers={"content-type": Answer.kind}, stream=Body())

    return Transport()


@cache
def client(wire: str) -> Any:
    http = httpx.Client(transport=transport(httpx))
    match wire:
        case "openai" | "openai-responses":
            import openai

            return openai.OpenAI(api_key="none", base_url="http://x/v1", max_retries=0, http_client=http)
        case "anthropic":
            import anthropic

            newer = importlib.import_module(anthropic.DefaultHttpxClient.__mro__[1].__module__.partition(".")[0])
            http = newer.Client(transport=transport(newer))
            return anthropic.Anthropic(api_key="none", base_url="http://x", max_retries=0, http_client=http)
        case "gemini" | "gemini-interactions":
            from google import genai

            options = genai.types.HttpOptions(base_url="http://x", httpx_client=http)
            return genai.Client(api_key="none", http_options=options)
        case "mistral":
            from mistralai.client import Mistral

            return Mistral(api_key="none", server_url="http://x", client=http)
        case "cohere":
            import cohere

            return cohere.ClientV2(api_key="none", base_url="http://x", httpx_client=http)
        case "ollama":
            import ollama

            return ollama.Client(host="http://x", transport=transport(httpx))
        case _:
            import boto3
            from botocore.parsers import EventStreamJSONParser

            keys = {"aws_access_key_id": "x", "aws_secret_access_key": "x"}
            made = boto3.client("bedrock-runtime", region_name="us-east-1", **keys)
            return EventStreamJSONParser(), made.meta.service_model.operation_model("ConverseStream")


def arguments(text: Any) -> Any:
    try:
        return json.loads(text or "{}") if isinstance(text, str) else text or {}
    except ValueError:
        return text


def total(*counts: int | None) -> int:
    return sum(count or 0 for count in counts)


def read_openai(out: Reading) -> None:
    with client("openai").chat.completions.stream(**ASK, stream_options={"include_usage": True}) as stream:
        for event in stream:
            if event.type == "chunk":
                completion(event.snapshot, out)
        completion(stream.get_final_completion(), out)


def completion(done: Any, out: Reading) -> None:
    out.usage = (done.usage.prompt_tokens, done.usage.completion_tokens) if done.usage else None
    for choice in done.choices[:1]:
        message = choice.message
        out.text, out.stop = (message.content or "") + (message.refusal or ""), choice.finish_reason
        out.reasoning = getattr(message, "reasoning_content", None) or ""
        out.calls = [
            (call.id, call.function.name, arguments(call.function.arguments))
            if call.type != "custom"
            else (call.id, call.custom["name"], call.custom["input"])
            for call in message.tool_calls or []
        ]


def read_responses(out: Reading) -> None:
    with client("openai-responses").responses.stream(model="m", input="x") as stream:
        for event in stream:
            if event.type in ("response.completed", "response.incomplete", "response.failed"):
                response(event.response, out)
                return
        stream.get_final_response()


def response(done: Any, out: Reading) -> None:
    for item in done.output:
        if item.type == "message":
            out.text += "".join(part.text if part.type == "output_text" else part.refusal for part in item.content)
        elif item.type == "function_call":
            out.calls.append((item.call_id, item.name, arguments(item.arguments)))
        elif item.type == "custom_tool_call":
            out.calls.append((item.call_id, item.name, item.input))
        elif item.type == "reasoning":
            out.reasoning += "".join(part.text for part in [*item.summary, *(item.content or [])])
    out.stop = done.incomplete_details.reason if done.incomplete_details else done.status
    out.usage = (done.usage.input_tokens, done.usage.output_tokens) if done.usage else None
    out.error = f"{done.error.code}: {done.error.message}" if done.error else None


def read_anthropic(out: Reading) -> None:
    with client("anthropic").messages.stream(**ASK, max_tokens=9) as stream:
        for event in stream:
            if event.type == "message_stop":
                message(stream.current_message_snapshot, out)
        message(stream.get_final_message(), out)
    # The client itself does not notice.
    out.error = None if out.stop else "no stop_reason"


def message(done: Any, out: Reading) -> None:
    usage = done.usage
    read = total(usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens)
    out.usage, out.stop = (read, usage.output_tokens), done.stop_reason
    out.text = "".join(block.text for block in done.content if block.type == "text")
    out.reasoning = "".join(block.thinking for block in done.content if block.type == "thinking")
    out.calls = [(block.id, block.name, block.input) for block in done.content if block.type == "tool_use"]


def read_gemini(out: Reading) -> None:
    for chunk in client("gemini").models.generate_content_stream(model="m", contents="x"):
        generated(chunk, out)


def generated(chunk: Any, out: Reading) -> None:
    for candidate in (chunk.candidates or [])[:1]:
        for part in (candidate.content.parts if candidate.content else None) or []:
            if part.text and part.thought:
                out.reasoning += part.text
            elif part.text:
                out.text += part.text
            elif call := part.function_call:
                out.calls.append((call.id, call.name, call.args or {}))
        out.stop = candidate.finish_reason.value if candidate.finish_reason else out.stop
    if usage := chunk.usage_metadata:
        read = total(usage.prompt_token_count, usage.tool_use_prompt_token_count)
        out.usage = (read, total(usage.candidates_token_count, usage.thoughts_token_count))


def read_interactions(out: Reading) -> None:
    calls: dict[int, list[str]] = {}
    for event in client("gemini-interactions").interactions.create(model="m", input="x", stream=True):
        match event.event_type:
            case "step.start" if event.step.type == "function_call":
                calls[event.index] = [event.step.id, event.step.name, ""]
            case "step.delta":
                delta = event.delta
                if delta.type == "text":
                    out.text += delta.text
                elif delta.type == "thought_summary":
                    out.reasoning += delta.content.text
                elif delta.type == "arguments_delta":
                    calls[event.index][2] += delta.arguments
            case "interaction.completed":
                interacted(event.interaction, out)
            case "error":
                out.error = event.error.message
    out.calls = [(id, name, arguments(args)) for id, name, args in calls.values()]


def interacted(done: Any, out: Reading) -> None:
    for step in done.steps or []:
        if step.type == "model_output":
            out.text += "".join(part.text for part in step.content if part.type == "text")
        elif step.type == "function_call":
            out.calls.append((step.id, step.name, step.arguments))
    out.stop, usage = done.status, done.usage
    if usage:
        written = total(usage.total_output_tokens, usage.total_thought_tokens)
        out.usage = (total(usage.total_input_tokens, usage.total_tool_use_tokens), written)


def read_bedrock(out: Reading) -> None:
    from botocore.eventstream import EventStream

    class Raw:
        """The body in urllib3's form: it ends at a cut."""

        def stream(self) -> Iterator[bytes]:
            yield from Answer.writes

        def close(self) -> None: ...

    parser, operation = client("bedrock")
    shape = operation.output_shape.members["stream"]
    conversed(EventStream(Raw(), shape, parser, "ConverseStream"), out)


def conversed(events: Any, out: Reading) -> None:
    calls: dict[int, dict[str, Any]] = {}
    for event in events:
        ((kind, said),) = event.items()
        if kind == "contentBlockStart" and "toolUse" in said["start"]:
            calls[said["contentBlockIndex"]] = {**said["start"]["toolUse"], "input": ""}
        elif kind == "contentBlockDelta":
            delta = said["delta"]
            out.text += delta.get("text", "")
            out.reasoning += delta.get("reasoningContent", {}).get("text", "")
            if "toolUse" in delta:
                calls[said["contentBlockIndex"]]["input"] += delta["toolUse"]["input"]
        elif kind == "messageStop":
            out.stop = said["stopReason"]
        elif kind == "metadata":
            out.usage = converse_usage(said["usage"])
    out.calls = [(call["toolUseId"], call["name"], arguments(call["input"])) for _, call in sorted(calls.items())]


def converse_usage(usage: Any) -> tuple[int, int]:
    cached = total(usage.get("cacheReadInputTokens"), usage.get("cacheWriteInputTokens"))
    return usage["inputTokens"] + cached, usage["outputTokens"]


def read_mistral(out: Reading) -> None:
    for event in client("mistral").chat.stream(**ASK):
        chunk = event.data
        for choice in chunk.choices[:1]:
            content = choice.delta.content
            for part in [content] if isinstance(content, str) else content or []:
                if isinstance(part, str):
                    out.text += part
                elif part.type == "thinking":
                    out.reasoning += "".join(piece.text for piece in part.thinking)
            for call in choice.delta.tool_calls or []:
                out.calls.append((call.id, call.function.name, arguments(call.function.arguments)))
            out.stop = choice.finish_reason or out.stop
        if chunk.usage:
            out.usage = (chunk.usage.prompt_tokens or 0, chunk.usage.completion_tokens or 0)


def read_cohere(out: Reading) -> None:
    calls: dict[int, list[str]] = {}
    for event in client("cohere").chat_stream(**ASK):
        delta = getattr(event, "delta", None)
        if event.type == "content-delta":
            out.text += delta.message.content.text or ""
            out.reasoning += getattr(delta.message.content, "thinking", None) or ""
        elif event.type == "tool-call-start":
            call = delta.message.tool_calls
            calls[event.index] = [call.id, call.function.name, call.function.arguments or ""]
        elif event.type == "tool-call-delta":
            calls[event.index][2] += delta.message.tool_calls.function.arguments
        elif event.type == "message-end":
            out.stop, out.error = delta.finish_reason, delta.error
            if delta.usage and delta.usage.tokens:
                out.usage = (int(delta.usage.tokens.input_tokens or 0), int(delta.usage.tokens.output_tokens or 0))
    out.calls = [(id, name, arguments(args)) for id, name, args in calls.values()]


def read_ollama(out: Reading) -> None:
    for chunk in client("ollama").chat(**ASK, stream=True):
        out.text += chunk.message.content or ""
        out.reasoning += chunk.message.thinking or ""
        for call in chunk.message.tool_calls or []:
            out.calls.append((None, call.function.name, dict(call.function.arguments)))
        if chunk.done:
            out.stop, out.usage = chunk.done_reason, (chunk.prompt_eval_count or 0, chunk.eval_count or 0)


@cache
def ag_ui_event() -> Any:
    from ag_ui.core import Event
    from pydantic import TypeAdapter

    return TypeAdapter(Event)


def read_ag_ui(out: Reading) -> None:
    """The protocol's package owns the events; its client is in JavaScript."""
    calls: dict[str, list[str]] = {}
    for data in b"".join(Answer.writes).split(b"\n\n")[:-1]:
        event = ag_ui_event().validate_json(data.removeprefix(b"data: "))
        match event.type.value:
            case "TEXT_MESSAGE_CONTENT":
                out.text += event.delta
            case "REASONING_MESSAGE_CONTENT":
                out.reasoning += event.delta
            case "TOOL_CALL_START":
                calls[event.tool_call_id] = [event.tool_call_id, event.tool_call_name, ""]
            case "TOOL_CALL_ARGS":
                calls[event.tool_call_id][2] += event.delta
            case "RUN_ERROR":
                out.error = event.message
            case "RUN_FINISHED":
                out.stop = event.outcome.type
                for usage in event.usage or []:
                    out.usage = (usage.input_tokens, usage.output_tokens)
    out.calls = [(id, name, arguments(args)) for id, name, args in calls.values()]
    if Answer.cut or not (out.stop or out.error):
        out.error = out.error or "the run has no end"


def has_client(target: str) -> bool:
    """Whether the reader of a target's wire is installed."""
    return target != "ai-sdk-ui" or importlib.util.find_spec("pydantic_ai") is not None


@cache
def ai_sdk_chunk() -> Any:
    from typing import Union

    from pydantic import TypeAdapter
    from pydantic_ai.ui.vercel_ai import response_types as types

    kinds = [kind for kind in vars(types).values() if isinstance(kind, type) and issubclass(kind, types.BaseChunk)]
    return TypeAdapter(Union[tuple(kinds)])  # noqa: UP007


def read_ai_sdk_ui(out: Reading) -> None:
    """A package owns the chunks; the SDK's client is in JavaScript."""
    calls: dict[str, tuple[str, str, Any]] = {}
    events = [data.removeprefix(b"data: ") for data in b"".join(Answer.writes).split(b"\n\n")[:-1]]
    for data in [event for event in events if event != b"[DONE]"]:
        chunk = ai_sdk_chunk().validate_json(data)
        match chunk.type:
            case "text-delta":
                out.text += chunk.delta
            case "reasoning-delta":
                out.reasoning += chunk.delta
            case "tool-input-start":
                calls[chunk.tool_call_id] = (chunk.tool_call_id, chunk.tool_name, None)
            case "tool-input-available":
                calls[chunk.tool_call_id] = (chunk.tool_call_id, chunk.tool_name, chunk.input)
            case "error":
                out.error = chunk.error_text
            case "finish":
                out.stop = chunk.finish_reason
                if usage := (chunk.message_metadata or {}).get("usage"):
                    out.usage = (usage["inputTokens"], usage["outputTokens"])
    out.calls = list(calls.values())
    if Answer.cut or not (out.stop or out.error):
        out.error = out.error or "the message has no end"


READERS = {
    "ag-ui": read_ag_ui,
    "ai-sdk-ui": read_ai_sdk_ui,
    "openai": read_openai,
    "openai-responses": read_responses,
    "anthropic": read_anthropic,
    "gemini": read_gemini,
    "gemini-interactions": read_interactions,
    "bedrock": read_bedrock,
    "mistral": read_mistral,
    "cohere": read_cohere,
    "ollama": read_ollama,
}


def read(wire: str, writes: list[bytes], *, cut: bool = False) -> Reading:
    """What the SDK of the wire reads; an exception of it is the reading's `error`."""
    Answer.writes, Answer.cut = [data for data in writes if data], cut
    Answer.kind = "application/x-ndjson" if wire == "ollama" else "text/event-stream"
    out = Reading()
    try:
        READERS[wire](out)
    except Exception as error:  # any exception of the client is a result here
        out.error = f"{type(error).__name__}: {error}"
    return out
