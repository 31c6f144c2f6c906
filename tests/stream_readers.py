"""What a stream of each wire means, read slowly and plainly; events must come in their documented order."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import plain_replies

Json = Any


@dataclass
class Said:
    text: str = ""
    """The text of the answer and of refusals."""
    reasoning: str = ""
    calls: list[tuple[str | None, str, Json]] = field(default_factory=list)
    finish: str | None = None
    usage: tuple[int, int] | None = None
    """All tokens that were read; all that were written."""
    failed: bool = False


def events_of(wire: str, body: bytes) -> list[Json]:
    """The events of a body, as the wire's clients see them."""
    if wire == "bedrock":
        return plain_replies.frames(body)
    if wire == "ollama":
        return [json.loads(line) for line in body.decode().splitlines()]
    return plain_replies.sse(body.decode())


def read(wire: str, events: list[Json]) -> Said:
    """The content of a stream's events."""
    out = Said()
    READERS[wire](events, out)
    if out.calls and out.finish == "stop":
        out.finish = "tool_calls"
    return out


FINISH = {
    "stop": "stop STOP end_turn COMPLETE completed success",
    "tool_calls": "tool_calls tool_use TOOL_CALL requires_action tool-calls",
    "length": "length MAX_TOKENS max_tokens max_output_tokens incomplete",
    "refusal": "refusal content_filtered SAFETY content-filter content_filter",
    "paused": "pause_turn CONTINUATION requires_continuation",
}
WORD = {word: name for name, all_of in FINISH.items() for word in all_of.split()}


def args_of(text: str) -> Json:
    return json.loads(text)


def read_openai(events: list[Json], out: Said) -> None:
    calls: dict[int, list[str]] = {}
    refused = False
    for event in events:
        if "error" in event:
            out.failed = True
            return
        for choice in event["choices"]:
            delta = choice["delta"]
            content = delta.get("content") or ""
            for part in [content] if isinstance(content, str) else content:
                if isinstance(part, str):
                    out.text += part
                else:
                    out.reasoning += part["thinking"][0]["text"]
            refused |= "refusal" in delta
            out.text += delta.get("refusal") or ""
            out.reasoning += delta.get("reasoning_content") or ""
            for call in delta.get("tool_calls", []):
                at = calls.setdefault(call["index"], ["", "", ""])
                at[0] += call.get("id", "")
                at[1] += call["function"].get("name", "")
                at[2] += call["function"].get("arguments", "")
            assert out.finish is None
            out.finish = WORD.get(choice["finish_reason"])
        if event.get("usage"):
            out.usage = (event["usage"]["prompt_tokens"], event["usage"]["completion_tokens"])
    if refused and out.finish == "stop" and not calls:
        out.finish = "refusal"
    assert list(calls) == list(range(len(calls)))
    out.calls = [(id, name, args_of(args)) for id, name, args in calls.values()]


def read_anthropic(events: list[Json], out: Said) -> None:
    blocks: list[Json] = []
    open_block = ended = False
    start: Json = {}
    assert next(event["type"] for event in events) in ("message_start", "error")
    for event in events:
        assert not ended
        match event["type"]:
            case "message_start":
                start = event["message"]["usage"]
            case "content_block_start":
                assert not open_block
                assert event["index"] == len(blocks)
                blocks.append({**event["content_block"], "json": ""})
                open_block = True
            case "content_block_delta":
                assert open_block
                assert event["index"] == len(blocks) - 1
                delta, block = event["delta"], blocks[-1]
                if delta["type"] == "signature_delta":
                    assert not block["signature"]
                    block["signature"] = delta["signature"]
                    continue
                key = {"text_delta": "text", "thinking_delta": "thinking", "input_json_delta": "partial_json"}[
                    delta["type"]
                ]
                block["json" if key == "partial_json" else key] += delta[key]
            case "content_block_stop":
                assert open_block
                open_block = False
            case "message_delta":
                usage = {**start, **event["usage"]}
                out.finish = WORD[event["delta"]["stop_reason"]]
                cached = usage.get("cache_read_input_tokens", 0) + usage.get("cache_creation_input_tokens", 0)
                out.usage = (usage["input_tokens"] + cached, usage["output_tokens"])
            case "message_stop":
                ended = True
            case "error":
                out.failed = True
                return
    assert ended
    assert not open_block
    for block in blocks:
        out.text += block.get("text", "")
        out.reasoning += block.get("thinking", "")
        if block["type"] == "tool_use":
            out.calls.append((block["id"], block["name"], args_of(block["json"] or "{}")))


def read_responses(events: list[Json], out: Said) -> None:
    pieces: dict[str, str] = {}
    items: dict[int, Json] = {}
    for number, event in enumerate(events):
        assert event["sequence_number"] == number
        kind = event["type"]
        if kind == "response.output_item.added":
            assert event["output_index"] not in items
            items[event["output_index"]] = None
            pieces[event["item"]["id"]] = ""
        elif kind.endswith(".delta"):
            assert items[event["output_index"]] is None
            pieces[event["item_id"]] += event["delta"]
        elif kind == "response.output_item.done":
            items[event["output_index"]] = event["item"]
        elif kind == "response.failed":
            out.failed = True
            return
    last = events[-1]["response"]
    assert last["output"] == [items[index] for index in sorted(items)]
    refused = False
    for item in last["output"]:
        if item["type"] == "function_call":
            said = item["arguments"]
            out.calls.append((item["call_id"], item["name"], args_of(said)))
        elif item["type"] == "reasoning":
            (part,) = item["summary"]
            said = part["text"]
            out.reasoning += said
        else:
            (part,) = item["content"]
            said = part.get("text", part.get("refusal"))
            refused |= part["type"] == "refusal"
            out.text += said
        assert pieces[item["id"]] == said
    out.finish = WORD[last["incomplete_details"]["reason"] if last["incomplete_details"] else last["status"]]
    if refused and out.finish == "stop" and not out.calls:
        out.finish = "refusal"
    if usage := last["usage"]:
        out.usage = (usage["input_tokens"], usage["output_tokens"])


def read_gemini(events: list[Json], out: Said) -> None:
    for event in events:
        if "error" in event:
            assert next(iter(event)) == "error"
            out.failed = True
            return
        assert out.finish is None
        (candidate,) = event["candidates"]
        for part in candidate.get("content", {}).get("parts", []):
            if call := part.get("functionCall"):
                out.calls.append((call.get("id"), call["name"], call["args"]))
            elif part.get("thought"):
                out.reasoning += part["text"]
            else:
                out.text += part["text"]
        out.finish = WORD.get(candidate.get("finishReason"))
        if usage := event.get("usageMetadata"):
            written = usage["candidatesTokenCount"] + usage.get("thoughtsTokenCount", 0)
            out.usage = (usage["promptTokenCount"], written)


def read_interactions(events: list[Json], out: Said) -> None:
    steps: list[Json] = []
    open_step = False
    kinds = [event["event_type"] for event in events]
    assert kinds[0] == "error" or kinds[:2] == ["interaction.created", "interaction.status_update"]
    for event in events:
        assert out.finish is None
        match event["event_type"]:
            case "step.start":
                assert not open_step
                assert event["index"] == len(steps)
                steps.append({**event["step"], "said": ""})
                open_step = True
            case "step.delta":
                assert open_step
                assert event["index"] == len(steps) - 1
                delta, step = event["delta"], steps[-1]
                wanted = {"model_output": "text", "thought": "thought_summary", "function_call": "arguments_delta"}
                assert delta["type"] == wanted[step["type"]]
                step["said"] += delta.get("text") or delta.get("arguments") or delta["content"]["text"]
            case "step.stop":
                assert open_step
                assert event["index"] == len(steps) - 1
                open_step = False
            case "interaction.completed":
                assert not open_step
                done = event["interaction"]
                assert done["id"] == events[0]["interaction"]["id"]
                out.finish = WORD[done["status"]]
                if usage := done.get("usage"):
                    written = usage["total_output_tokens"] + usage.get("total_thought_tokens", 0)
                    out.usage = (usage["total_input_tokens"], written)
            case "error":
                out.failed = True
                return
    for step in steps:
        if step["type"] == "function_call":
            assert step["arguments"] == {}
            out.calls.append((step["id"], step["name"], args_of(step["said"])))
        elif step["type"] == "thought":
            out.reasoning += step["said"]
        else:
            out.text += step["said"]


def read_bedrock(events: list[Json], out: Said) -> None:
    calls: dict[int, list[str]] = {}
    open_block = 0
    for event in events:
        ((kind, said),) = event.items()
        if kind.endswith("Exception"):
            out.failed = True
            return
        if "contentBlockIndex" in said:
            assert said["contentBlockIndex"] == open_block
        if kind == "contentBlockStart":
            use = said["start"]["toolUse"]
            calls[open_block] = [use["toolUseId"], use["name"], ""]
        elif kind == "contentBlockDelta":
            delta = said["delta"]
            out.text += delta.get("text", "")
            out.reasoning += delta.get("reasoningContent", {}).get("text", "")
            if "toolUse" in delta:
                calls[open_block][2] += delta["toolUse"]["input"]
        elif kind == "contentBlockStop":
            open_block += 1
        elif kind == "messageStop":
            out.finish = WORD[said["stopReason"]]
        elif kind == "metadata":
            usage = said["usage"]
            cached = usage.get("cacheReadInputTokens", 0) + usage.get("cacheWriteInputTokens", 0)
            out.usage = (usage["inputTokens"] + cached, usage["outputTokens"])
    out.calls = [(id, name, args_of(args)) for id, name, args in calls.values()]


def read_cohere(events: list[Json], out: Said) -> None:
    calls: list[list[str]] = []
    for event in events:
        delta = event.get("delta", {})
        match event["type"]:
            case "content-delta":
                content = delta["message"]["content"]
                out.text += content.get("text", "")
                out.reasoning += content.get("thinking", "")
            case "tool-call-start":
                assert event["index"] == len(calls)
                call = delta["message"]["tool_calls"]
                calls.append([call["id"], call["function"]["name"], call["function"]["arguments"]])
            case "tool-call-delta":
                assert event["index"] == len(calls) - 1
                calls[-1][2] += delta["message"]["tool_calls"]["function"]["arguments"]
            case "message-end":
                out.failed = delta["finish_reason"] == "ERROR"
                out.finish = WORD.get(delta["finish_reason"])
                if tokens := delta.get("usage", {}).get("tokens"):
                    out.usage = (tokens["input_tokens"], tokens["output_tokens"])
    out.calls = [(id, name, args_of(args)) for id, name, args in calls] if not out.failed else []


def read_ollama(events: list[Json], out: Said) -> None:
    for event in events:
        if "error" in event:
            out.failed = True
            return
        out.text += event["message"]["content"]
        out.reasoning += event["message"].get("thinking", "")
        for call in event["message"].get("tool_calls", []):
            out.calls.append((call.get("id"), call["function"]["name"], call["function"]["arguments"]))
        assert out.finish is None
        if event["done"]:
            out.finish = WORD[event["done_reason"]]
            if "eval_count" in event:
                out.usage = (event["prompt_eval_count"], event["eval_count"])


def read_ag_ui(events: list[Json], out: Said) -> None:
    """Each message and each call begins once and ends once, and everything is inside the run."""
    open_now: dict[tuple[str, str], list[str]] = {}
    seen: set[tuple[str, str]] = set()
    calls: dict[str, Json] = {}
    assert events[0]["type"] in ("RUN_STARTED", "RUN_ERROR")
    for number, event in enumerate(events):
        kind, _, step = event["type"].rpartition("_")
        key = (kind, event.get("messageId") or event.get("toolCallId") or "")
        if kind == "RUN":
            assert number == (0 if step == "STARTED" else len(events) - 1) or len(events) == 1
            if step == "ERROR":
                out.failed = True
                return
            assert (event["threadId"], event["runId"]) == (events[0]["threadId"], events[0]["runId"])
            assert all(event[key] for key in ("threadId", "runId"))
            assert step == "STARTED" or not open_now
            continue
        assert key[1]
        if step == "START":
            assert key not in seen
            seen.add(key)
            open_now[key] = []
            if kind == "TOOL_CALL":
                calls[key[1]] = [key[1], event["toolCallName"], event["parentMessageId"]]
            elif kind != "REASONING":
                assert event["role"] == ("reasoning" if kind == "REASONING_MESSAGE" else "assistant")
        elif step == "END":
            said = "".join(open_now.pop(key))
            if kind == "TOOL_CALL":
                calls[key[1]][2] = args_of(said)
        else:
            assert event["delta"]
            open_now[key].append(event["delta"])
            out.text += event["delta"] if kind == "TEXT_MESSAGE" else ""
            out.reasoning += event["delta"] if kind == "REASONING_MESSAGE" else ""
    last = events[-1]
    if last["type"] != "RUN_FINISHED":
        return
    out.calls = [tuple(call) for call in calls.values()]
    out.finish = WORD[last["outcome"]["type"]]
    usage = last.get("usage")
    # It may hold nothing but the model's name.
    if usage and "inputTokens" in usage[0]:
        out.usage = (usage[0]["inputTokens"], usage[0]["outputTokens"])


def read_ai_sdk_ui(events: list[Json], out: Said) -> None:
    """One message of one step; each text begins and ends once, and a call is whole once its input is there."""
    if events[-1]["type"] == "error":
        assert events[-1]["errorText"]
        out.failed = True
        return
    assert [event["type"] for event in events[:2]] == ["start", "start-step"]
    texts: dict[str, str] = {}
    seen: set[str] = set()
    calls: dict[str, Json] = {}
    done: set[str] = set()
    for event in events[2:]:
        match event["type"]:
            case "text-start" | "reasoning-start":
                assert event["id"] not in seen
                seen.add(event["id"])
                texts[event["id"]] = event["type"].split("-")[0]
            case "text-delta" | "reasoning-delta":
                sort = event["type"].split("-")[0]
                assert texts[event["id"]] == sort
                assert event["delta"]
                setattr(out, sort, getattr(out, sort) + event["delta"])
            case "text-end" | "reasoning-end":
                assert texts.pop(event["id"]) == event["type"].split("-")[0]
            case "tool-input-start":
                assert event["toolCallId"] not in calls
                calls[event["toolCallId"]] = [event["toolCallId"], event["toolName"], ""]
            case "tool-input-delta":
                assert event["toolCallId"] not in done
                calls[event["toolCallId"]][2] += event["inputTextDelta"]
            case "tool-input-available" | "tool-input-error":
                assert event["toolCallId"] not in done
                done.add(event["toolCallId"])
                call = calls[event["toolCallId"]]
                assert call[1] == event["toolName"]
                whole = event["type"] == "tool-input-available"
                assert isinstance(event["input"], dict) == whole
                assert call[2] == event["input"] or json.loads(call[2]) == event["input"]
                call[2] = event["input"]
            case "finish-step":
                assert event is events[-2]
                assert not texts
            case "finish":
                assert event is events[-1]
                out.finish = WORD[event["finishReason"]]
                if usage := event.get("messageMetadata", {}).get("usage"):
                    out.usage = (usage["inputTokens"], usage["outputTokens"])
            case _:
                raise AssertionError(event)
    out.calls = [(id, name, args) for id, name, args in calls.values() if id in done]


READERS = {
    "ag-ui": read_ag_ui,
    "ai-sdk-ui": read_ai_sdk_ui,
    "openai": read_openai,
    "openai-responses": read_responses,
    "anthropic": read_anthropic,
    "gemini": read_gemini,
    "gemini-interactions": read_interactions,
    "bedrock": read_bedrock,
    "mistral": read_openai,
    "cohere": read_cohere,
    "ollama": read_ollama,
}
