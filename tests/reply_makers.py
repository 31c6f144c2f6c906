"""Random replies of each wire, with their content, and plain readers for replies that another program wrote.

Nothing here knows how turnwire writes: the readers take what a client would show.
"""

import json
import random
from typing import Any, NamedTuple

import stream_readers

Json = Any

# Each wire's words by their meaning; the last word is an unknown one.
ENDS = {
    "openai": {"stop": ["stop"], "length": ["length"], "filtered": ["content_filter"], "other": ["odd"]},
    "mistral": {"stop": ["stop"], "length": ["length", "model_length"], "error": ["error"], "other": ["odd"]},
    "openai-responses": {"stop": ["completed"], "length": ["max_output_tokens"], "filtered": ["content_filter"]},
    "anthropic": {
        "stop": ["end_turn", "stop_sequence"],
        "length": ["max_tokens", "model_context_window_exceeded"],
        "paused": ["pause_turn"],
        "refusal": ["refusal"],
        "other": ["odd"],
    },
    "gemini": {
        "stop": ["STOP"],
        "length": ["MAX_TOKENS"],
        "filtered": ["SAFETY", "RECITATION", "BLOCKLIST"],
        "error": ["MALFORMED_FUNCTION_CALL"],
        "other": ["ODD"],
    },
    "gemini-interactions": {
        "stop": ["completed"],
        "length": ["incomplete", "budget_exceeded"],
        "paused": ["requires_continuation"],
        "error": ["failed", "cancelled"],
        "other": ["odd"],
    },
    "bedrock": {
        "stop": ["end_turn", "stop_sequence"],
        "length": ["max_tokens"],
        "filtered": ["content_filtered", "guardrail_intervened"],
        "error": ["malformed_model_output"],
        "other": ["odd"],
    },
    "cohere": {"stop": ["COMPLETE", "STOP_SEQUENCE"], "length": ["MAX_TOKENS"], "error": ["ERROR"], "other": ["ODD"]},
    "ollama": {"stop": ["stop"], "length": ["length"], "other": ["load"]},
    "ag-ui": {"stop": ["success"], "paused": ["interrupt"], "error": ["cancelled"], "other": ["odd"]},
    "ai-sdk-ui": {
        "stop": ["stop"],
        "length": ["length"],
        "filtered": ["content-filter"],
        "error": ["error"],
        "other": ["other", "odd"],
    },
}
CALL_WORD = {
    "openai": "tool_calls",
    "mistral": "tool_calls",
    "anthropic": "tool_use",
    "gemini-interactions": "requires_action",
    "bedrock": "tool_use",
    "cohere": "TOOL_CALL",
    "ai-sdk-ui": "tool-calls",
}
MEANS = {wire: {word: name for name, words in ends.items() for word in words} for wire, ends in ENDS.items()}
for _wire, _word in CALL_WORD.items():
    MEANS[_wire][_word] = "tool_calls"
MEANS["gemini"]["CONTINUATION"] = "paused"
MEANS["gemini"]["MALFORMED_RESPONSE"] = "error"
MEANS["openai-responses"] |= {"in_progress": "paused", "failed": "error"}
# What shows that a reply has a thought.
THOUGHTS = (
    '"type": "thinking"',
    '"thinking": "',
    '"reasoning_content"',
    '"thought": true',
    '"reasoningText"',
    '"summary_text"',
    '"type": "thought"',
    '"type": "REASONING_MESSAGE_START"',
    '"type": "reasoning"',
)


class Said(NamedTuple):
    """The content of a reply: its text, its calls, its refusal, why it ended, and its usage."""

    text: str
    calls: list[tuple[str, Json]]
    refusal: str
    finish: str
    tokens: dict[str, int]


def words(chance: random.Random) -> str:
    return "".join(
        chance.choice(["a", "é", "\U0001f600", "日", " ", "\n", '"', "\\", "\x00", "{}"])
        for _ in range(chance.randint(1, 8))
    )


def drawn(chance: random.Random, wire: str) -> tuple[Json, Said]:
    """A reply of the wire, and its content."""
    items: list[tuple[str, Json]] = []
    for _ in range(chance.randint(0, 4)):
        kind = chance.choice(["text", "text", "call", "thought"])
        if kind == "call":
            items.append(
                (
                    "call",
                    (
                        f"call_{chance.randint(0, 3)}{len(items)}",
                        chance.choice(["f", "g_h"]),
                        chance.choice([{}, {"a": 1}, {"x": ["é"]}]),
                    ),
                )
            )
        else:
            items.append((kind, words(chance)))
    if wire in ("openai", "mistral", "cohere", "ollama"):
        # One text and one thought, before all calls.
        texts = [item for item in items if item[0] == "text"][:1]
        items = [
            *[item for item in items if item[0] == "thought"][:1],
            *texts,
            *[item for item in items if item[0] == "call"],
        ]
    calls = [item for item in items if item[0] == "call"]
    finish = chance.choice(list(ENDS[wire]))
    word = chance.choice(ENDS[wire][finish])
    refusal = ""
    if wire in ("openai", "openai-responses") and finish == "stop" and not calls and chance.random() < 0.3:
        refusal, finish = words(chance), "refusal"
        if wire == "openai":
            items = [item for item in items if item[0] == "thought"]
    if wire == "anthropic" and finish == "refusal" and chance.random() < 0.5:
        refusal = words(chance)
    if calls and finish in ("stop", "other"):
        finish, word = "tool_calls", CALL_WORD.get(wire, word) if finish == "stop" else word
    tokens = usage_of(chance, wire)
    body = WRITE[wire](items, word, refusal, tokens)
    text = "".join(said for kind, said in items if kind == "text")
    return body, Said(text, [(name, args) for _, (_, name, args) in calls], refusal, finish, tokens)


def usage_of(chance: random.Random, wire: str) -> dict[str, int]:
    """Counts by turnwire's names; sometimes none at all."""
    if chance.random() < 0.15:
        return {}
    counts = {"input": chance.randint(50, 99), "output": chance.randint(20, 49)}
    may = {"openai": "cached written reasoning", "mistral": "cached", "openai-responses": "cached written reasoning"}
    may |= {
        "anthropic": "cached written reasoning",
        "gemini": "cached reasoning",
        "gemini-interactions": "cached reasoning",
        "bedrock": "cached written",
        "cohere": "cached",
        "ag-ui": "cached written reasoning",
        "ai-sdk-ui": "cached written reasoning",
    }
    for name in may.get(wire, "").split():
        if wire == "openai-responses" or chance.random() < 0.5:
            counts[name] = chance.randint(0, 20)
    return counts


def some(**entries: Json) -> Json:
    """An object without the keys that are None."""
    return {key: value for key, value in entries.items() if value is not None}


def openai_usage(tokens: dict[str, int]) -> Json:
    if not tokens:
        return None
    details = some(cached_tokens=tokens.get("cached"), cache_write_tokens=tokens.get("written"))
    output = some(reasoning_tokens=tokens.get("reasoning"))
    return some(
        prompt_tokens=tokens["input"],
        completion_tokens=tokens["output"],
        total_tokens=tokens["input"] + tokens["output"],
        prompt_tokens_details=details or None,
        completion_tokens_details=output or None,
    )


def function(call: Json, args: Json) -> Json:
    return {"id": call[0], "type": "function", "function": {"name": call[1], "arguments": args}}


def openai(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    message: Json = {"role": "assistant", "content": next((said for kind, said in items if kind == "text"), None)}
    message["refusal"] = refusal or None
    for kind, said in items:
        if kind == "thought":
            message["reasoning_content"] = said
    if calls := [function(call, json.dumps(call[2])) for kind, call in items if kind == "call"]:
        message["tool_calls"] = calls
    choice = {"index": 0, "message": message, "finish_reason": word, "logprobs": None}
    return some(
        id="chatcmpl-7",
        object="chat.completion",
        created=1_700_000_000,
        model="m",
        choices=[choice],
        usage=openai_usage(tokens),
    )


def mistral(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    body = openai([item for item in items if item[0] != "thought"], word, refusal, tokens)
    del body["choices"][0]["message"]["refusal"]
    thoughts = [said for kind, said in items if kind == "thought"]
    message = body["choices"][0]["message"]
    if thoughts:
        text = [] if message["content"] is None else [{"type": "text", "text": message["content"]}]
        message["content"] = [{"type": "thinking", "thinking": [{"type": "text", "text": thoughts[0]}]}, *text]
    return body


def responses(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    output: list[Json] = []
    for at, (kind, said) in enumerate(items):
        if kind == "text":
            part = {"type": "output_text", "text": said, "annotations": []}
            output.append(
                {"type": "message", "id": f"msg_{at}", "status": "completed", "role": "assistant", "content": [part]}
            )
        elif kind == "thought":
            output.append({"type": "reasoning", "id": f"rs_{at}", "summary": [{"type": "summary_text", "text": said}]})
        else:
            args = json.dumps(said[2])
            output.append(
                {
                    "type": "function_call",
                    "id": f"fc_{at}",
                    "call_id": said[0],
                    "name": said[1],
                    "arguments": args,
                    "status": "completed",
                }
            )
    if refusal:
        part = {"type": "refusal", "refusal": refusal}
        output.append({"type": "message", "id": "msg_r", "status": "completed", "role": "assistant", "content": [part]})
    usage = None
    if tokens:
        usage = {
            "input_tokens": tokens["input"],
            "input_tokens_details": {"cached_tokens": tokens["cached"], "cache_write_tokens": tokens["written"]},
            "output_tokens": tokens["output"],
            "output_tokens_details": {"reasoning_tokens": tokens["reasoning"]},
            "total_tokens": tokens["input"] + tokens["output"],
        }
    cut = word != "completed"
    return {
        "id": "resp_7",
        "object": "response",
        "created_at": 1_700_000_000,
        "status": "incomplete" if cut else word,
        "incomplete_details": {"reason": word} if cut else None,
        "error": None,
        "model": "m",
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage,
    }


def anthropic(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    blocks = [
        {"type": "tool_use", "id": said[0], "name": said[1], "input": said[2]}
        if kind == "call"
        else {"type": "thinking", "thinking": said, "signature": "c2ln"}
        if kind == "thought"
        else {"type": "text", "text": said}
        for kind, said in items
    ]
    body = {
        "id": "msg_7",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": blocks,
        "stop_reason": word,
        "stop_sequence": None,
    }
    if refusal:
        body["stop_details"] = {"type": "refusal", "category": None, "explanation": refusal}
    if tokens:
        fresh = tokens["input"] - tokens.get("cached", 0) - tokens.get("written", 0)
        body["usage"] = some(
            input_tokens=fresh,
            cache_read_input_tokens=tokens.get("cached"),
            cache_creation_input_tokens=tokens.get("written"),
            output_tokens=tokens["output"],
            output_tokens_details={"thinking_tokens": tokens["reasoning"]} if "reasoning" in tokens else None,
        )
    return body


def gemini(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    parts = [
        {"functionCall": {"id": said[0], "name": said[1], "args": said[2]}}
        if kind == "call"
        else {"text": said, "thought": True}
        if kind == "thought"
        else {"text": said}
        for kind, said in items
    ]
    usage = None
    if tokens:
        usage = some(
            promptTokenCount=tokens["input"],
            candidatesTokenCount=tokens["output"] - tokens.get("reasoning", 0),
            thoughtsTokenCount=tokens.get("reasoning"),
            cachedContentTokenCount=tokens.get("cached"),
            totalTokenCount=tokens["input"] + tokens["output"],
        )
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": word, "index": 0}
    return some(candidates=[candidate], usageMetadata=usage, modelVersion="m", responseId="7")


def interactions(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    steps: list[Json] = []
    for kind, said in items:
        if kind == "call":
            steps.append({"type": "function_call", "id": said[0], "name": said[1], "arguments": said[2]})
        elif kind == "thought":
            steps.append({"type": "thought", "signature": "c2ln", "summary": [{"type": "text", "text": said}]})
        else:
            steps.append({"type": "model_output", "content": [{"type": "text", "text": said}]})
    usage = None
    if tokens:
        usage = some(
            total_tokens=tokens["input"] + tokens["output"],
            total_input_tokens=tokens["input"],
            total_cached_tokens=tokens.get("cached"),
            total_output_tokens=tokens["output"] - tokens.get("reasoning", 0),
            total_tool_use_tokens=0,
            total_thought_tokens=tokens.get("reasoning"),
        )
    when = "2023-11-14T22:13:20Z"
    made = some(id="v1_7", status=word, usage=usage, created=when, updated=when, steps=steps)
    return {**made, "service_tier": "standard", "object": "interaction", "model": "m"}


def bedrock(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    blocks = [
        {"toolUse": {"toolUseId": said[0], "name": said[1], "input": said[2]}}
        if kind == "call"
        else {"reasoningContent": {"reasoningText": {"text": said, "signature": "c2ln"}}}
        if kind == "thought"
        else {"text": said}
        for kind, said in items
    ]
    body: Json = {
        "output": {"message": {"role": "assistant", "content": blocks}},
        "stopReason": word,
        "metrics": {"latencyMs": 3},
    }
    if tokens:
        body["usage"] = some(
            inputTokens=tokens["input"] - tokens.get("cached", 0) - tokens.get("written", 0),
            outputTokens=tokens["output"],
            totalTokens=tokens["input"] + tokens["output"],
            cacheReadInputTokens=tokens.get("cached"),
            cacheWriteInputTokens=tokens.get("written"),
        )
    return body


def cohere(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    calls = [function(call, json.dumps(call[2])) for kind, call in items if kind == "call"]
    thoughts = [{"type": "thinking", "thinking": said} for kind, said in items if kind == "thought"]
    texts = [said for kind, said in items if kind == "text"]
    message: Json = {
        "role": "assistant",
        "content": [*thoughts, *([] if calls else [{"type": "text", "text": said} for said in texts])],
    }
    if calls:
        message["tool_calls"] = calls
        if texts:
            message["tool_plan"] = texts[0]
    usage = None
    if tokens:
        usage = some(
            tokens={"input_tokens": tokens["input"], "output_tokens": tokens["output"]},
            cached_tokens=tokens.get("cached"),
        )
    return some(id="7", finish_reason=word, message=message, usage=usage)


def ollama(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    message: Json = {"role": "assistant", "content": next((said for kind, said in items if kind == "text"), "")}
    for kind, said in items:
        if kind == "thought":
            message["thinking"] = said
    if calls := [{"function": {"name": call[1], "arguments": call[2]}} for kind, call in items if kind == "call"]:
        message["tool_calls"] = calls
    counts = some(prompt_eval_count=tokens.get("input"), eval_count=tokens.get("output"))
    return {
        "model": "m",
        "created_at": "2023-11-14T22:13:20Z",
        "message": message,
        "done": True,
        "done_reason": word,
        **counts,
    }


def ag_ui(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    run = {"threadId": "thread_7", "runId": "run_7"}
    events: list[Json] = [{"type": "RUN_STARTED", **run}]
    parent = {}
    for at, (kind, said) in enumerate(items):
        if kind == "call":
            call = {"toolCallId": said[0]}
            events.append({"type": "TOOL_CALL_START", **call, "toolCallName": said[1], **parent})
            events.append({"type": "TOOL_CALL_ARGS", **call, "delta": json.dumps(said[2])})
            events.append({"type": "TOOL_CALL_END", **call})
            continue
        name, role = ("REASONING_MESSAGE", "reasoning") if kind == "thought" else ("TEXT_MESSAGE", "assistant")
        message = {"messageId": f"m{at}"}
        parent = {} if kind == "thought" else {"parentMessageId": f"m{at}"}
        events.append({"type": f"{name}_START", **message, "role": role})
        events.append({"type": f"{name}_CONTENT", **message, "delta": said})
        events.append({"type": f"{name}_END", **message})
    usage = some(
        model="m",
        inputTokens=tokens.get("input"),
        outputTokens=tokens.get("output"),
        cachedInputTokens=tokens.get("cached"),
        cacheWriteInputTokens=tokens.get("written"),
        reasoningTokens=tokens.get("reasoning"),
    )
    last = some(type="RUN_FINISHED", **run, outcome={"type": word}, usage=[usage] if tokens else None)
    return [*events, last]


def ai_sdk_ui(items: list, word: str, refusal: str, tokens: dict[str, int]) -> Json:
    parts: list[Json] = [{"type": "step-start"}]
    for kind, said in items:
        if kind == "call":
            call = {"toolCallId": said[0], "state": "input-available", "input": said[2]}
            parts.append({"type": f"tool-{said[1]}", **call})
        else:
            parts.append({"type": "reasoning" if kind == "thought" else "text", "text": said, "state": "done"})
    metadata: Json = {"model": "m"}
    if tokens:
        metadata["usage"] = some(
            inputTokens=tokens["input"],
            inputTokenDetails=some(cacheReadTokens=tokens.get("cached"), cacheWriteTokens=tokens.get("written")),
            outputTokens=tokens["output"],
            outputTokenDetails=some(reasoningTokens=tokens.get("reasoning")),
            totalTokens=tokens["input"] + tokens["output"],
        )
    message = {"id": "msg_7", "role": "assistant", "metadata": metadata, "parts": parts}
    return {"responseMessage": message, "isAborted": False, "finishReason": word}


WRITE = {
    "openai": openai,
    "mistral": mistral,
    "openai-responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "gemini-interactions": interactions,
    "bedrock": bedrock,
    "cohere": cohere,
    "ollama": ollama,
    "ag-ui": ag_ui,
    "ai-sdk-ui": ai_sdk_ui,
}


def args_of(text: Json) -> Json:
    return json.loads(text) if isinstance(text, str) else text


def read(wire: str, body: Json) -> Said:
    """What a client of the wire shows."""
    return READ[wire](body)


def finish_of(wire: str, word: str, calls: list, refusal: str) -> str:
    meant = MEANS[wire].get(word, "other")
    if calls and meant in ("stop", "other"):
        return "tool_calls"
    return "refusal" if refusal and meant == "stop" else meant


def counted(**counts: int | None) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count is not None}


def read_openai(body: Json, wire: str = "openai") -> Said:
    (choice,) = body["choices"]
    message = choice["message"]
    content = message["content"] or ""
    if wire == "openai":
        assert isinstance(content, str)
    if not isinstance(content, str):
        content = "".join(part["text"] for part in content if part["type"] == "text")
    calls = [
        (call["function"]["name"], args_of(call["function"]["arguments"])) for call in message.get("tool_calls", [])
    ]
    refusal = message.get("refusal") or ""
    usage = body.get("usage") or {}
    details, output = usage.get("prompt_tokens_details", {}), usage.get("completion_tokens_details", {})
    tokens = counted(
        input=usage.get("prompt_tokens"),
        output=usage.get("completion_tokens"),
        cached=details.get("cached_tokens"),
        written=details.get("cache_write_tokens"),
        reasoning=output.get("reasoning_tokens"),
    )
    return Said(content, calls, refusal, finish_of(wire, choice["finish_reason"], calls, refusal), tokens)


def read_responses(body: Json) -> Said:
    text, refusal = "", ""
    calls = []
    for item in body["output"]:
        if item["type"] == "message":
            text += "".join(part.get("text", "") for part in item["content"])
            refusal += "".join(part.get("refusal", "") for part in item["content"])
        elif item["type"] == "function_call":
            calls.append((item["name"], json.loads(item["arguments"])))
    word = body["incomplete_details"]["reason"] if body["incomplete_details"] else body["status"]
    usage = body.get("usage")
    tokens = {}
    if usage:
        details = usage["input_tokens_details"]
        tokens = counted(
            input=usage["input_tokens"],
            output=usage["output_tokens"],
            cached=details["cached_tokens"],
            written=details["cache_write_tokens"],
            reasoning=usage["output_tokens_details"]["reasoning_tokens"],
        )
    return Said(text, calls, refusal, finish_of("openai-responses", word, calls, refusal), tokens)


def read_anthropic(body: Json) -> Said:
    text = "".join(block["text"] for block in body["content"] if block["type"] == "text")
    calls = [(block["name"], block["input"]) for block in body["content"] if block["type"] == "tool_use"]
    refusal = (body.get("stop_details") or {}).get("explanation") or ""
    usage = body["usage"]
    cached, written = usage.get("cache_read_input_tokens"), usage.get("cache_creation_input_tokens")
    tokens = counted(
        input=usage["input_tokens"] + (cached or 0) + (written or 0),
        output=usage["output_tokens"],
        cached=cached,
        written=written,
        reasoning=usage.get("output_tokens_details", {}).get("thinking_tokens"),
    )
    return Said(text, calls, refusal, finish_of("anthropic", body["stop_reason"], calls, ""), tokens)


def read_gemini(body: Json) -> Said:
    (candidate,) = body["candidates"]
    parts = candidate["content"]["parts"]
    text = "".join(part.get("text", "") for part in parts if not part.get("thought"))
    calls = [(part["functionCall"]["name"], part["functionCall"]["args"]) for part in parts if "functionCall" in part]
    usage = body.get("usageMetadata", {})
    thoughts = usage.get("thoughtsTokenCount")
    output = usage.get("candidatesTokenCount")
    tokens = counted(
        input=usage.get("promptTokenCount"),
        output=None if output is None else output + (thoughts or 0),
        cached=usage.get("cachedContentTokenCount"),
        reasoning=thoughts,
    )
    return Said(text, calls, "", finish_of("gemini", candidate["finishReason"], calls, ""), tokens)


def read_interactions(body: Json) -> Said:
    text, calls = "", []
    for step in body["steps"]:
        if step["type"] == "model_output":
            text += "".join(part["text"] for part in step["content"] if part["type"] == "text")
        elif step["type"] == "function_call":
            calls.append((step["name"], step["arguments"]))
    usage = body.get("usage", {})
    thoughts, output = usage.get("total_thought_tokens"), usage.get("total_output_tokens")
    tokens = counted(
        input=usage.get("total_input_tokens"),
        output=None if output is None else output + (thoughts or 0),
        cached=usage.get("total_cached_tokens"),
        reasoning=thoughts,
    )
    return Said(text, calls, "", finish_of("gemini-interactions", body["status"], calls, ""), tokens)


def read_bedrock(body: Json) -> Said:
    blocks, usage = body["output"]["message"]["content"], body["usage"]
    calls = [(block["toolUse"]["name"], block["toolUse"]["input"]) for block in blocks if "toolUse" in block]
    cached, written = usage.get("cacheReadInputTokens"), usage.get("cacheWriteInputTokens")
    tokens = counted(
        input=usage["inputTokens"] + (cached or 0) + (written or 0),
        output=usage["outputTokens"],
        cached=cached,
        written=written,
    )
    assert usage["totalTokens"] == tokens["input"] + tokens["output"]
    cited = [block.get("citationsContent", {"content": [block]})["content"] for block in blocks]
    text = "".join(one.get("text", "") for content in cited for one in content)
    return Said(text, calls, "", finish_of("bedrock", body["stopReason"], calls, ""), tokens)


def read_cohere(body: Json) -> Said:
    message = body["message"]
    text = "".join(part["text"] for part in message["content"] if part["type"] == "text") + (
        message.get("tool_plan") or ""
    )
    calls = [
        (call["function"]["name"], json.loads(call["function"]["arguments"])) for call in message.get("tool_calls", [])
    ]
    usage = body.get("usage", {})
    tokens = counted(
        input=usage.get("tokens", {}).get("input_tokens"),
        output=usage.get("tokens", {}).get("output_tokens"),
        cached=usage.get("cached_tokens"),
    )
    return Said(text, calls, "", finish_of("cohere", body["finish_reason"], calls, ""), tokens)


def read_ollama(body: Json) -> Said:
    message = body["message"]
    assert isinstance(message["content"], str)
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls", [])]
    tokens = counted(input=body.get("prompt_eval_count"), output=body.get("eval_count"))
    return Said(message["content"] or "", calls, "", finish_of("ollama", body["done_reason"], calls, ""), tokens)


def read_ag_ui(body: Json) -> Said:
    # A whole reply is a list of the events of its stream.
    told = stream_readers.read("ag-ui", body)
    last = body[-1]
    (usage,) = last.get("usage", [{}])
    tokens = counted(
        input=usage.get("inputTokens"),
        output=usage.get("outputTokens"),
        cached=usage.get("cachedInputTokens"),
        written=usage.get("cacheWriteInputTokens"),
        reasoning=usage.get("reasoningTokens"),
    )
    calls = [(name, args) for _, name, args in told.calls]
    return Said(told.text, calls, "", finish_of("ag-ui", last["outcome"]["type"], calls, ""), tokens)


def read_ai_sdk_ui(body: Json) -> Said:
    message = body["responseMessage"]
    text, calls = "", []
    for part in message["parts"]:
        if part["type"] == "text":
            text += part["text"]
        elif part["type"].startswith("tool-") or part["type"] == "dynamic-tool":
            assert part["state"] == "input-available"
            calls.append((part.get("toolName") or part["type"].removeprefix("tool-"), part["input"]))
    usage = message.get("metadata", {}).get("usage", {})
    details, output = usage.get("inputTokenDetails", {}), usage.get("outputTokenDetails", {})
    tokens = counted(
        input=usage.get("inputTokens"),
        output=usage.get("outputTokens"),
        cached=details.get("cacheReadTokens"),
        written=details.get("cacheWriteTokens"),
        reasoning=output.get("reasoningTokens"),
    )
    return Said(text, calls, "", finish_of("ai-sdk-ui", body["finishReason"], calls, ""), tokens)


READ = {
    "openai": read_openai,
    "mistral": lambda body: read_openai(body, "mistral"),
    "openai-responses": read_responses,
    "anthropic": read_anthropic,
    "gemini": read_gemini,
    "gemini-interactions": read_interactions,
    "bedrock": read_bedrock,
    "cohere": read_cohere,
    "ollama": read_ollama,
    "ag-ui": read_ag_ui,
    "ai-sdk-ui": read_ai_sdk_ui,
}
