"""Counts of a reply are read back from what the target wrote, or a loss names them; whole and streamed alike."""

import json
from random import Random
from typing import Any

import pytest
import stream_makers as makers
import turnwire as tw

Json = Any

# The usage of each format, and what a reader of it should learn. Counts that are 0 or null say nothing.
OPENAI = {
    "prompt_tokens": 50,
    "completion_tokens": 20,
    "total_tokens": 70,
    "prompt_tokens_details": {"cached_tokens": 12, "cache_write_tokens": 8, "audio_tokens": 3},
    "completion_tokens_details": {
        "reasoning_tokens": 6,
        "audio_tokens": 4,
        "accepted_prediction_tokens": 5,
        "rejected_prediction_tokens": 0,
    },
    "cost": 0.25,
    "prompt_cache_miss_tokens": 30,
    "is_byok": False,
    "cost_details": {"upstream": None},
}
USAGES: dict[str, Json] = {
    "openai": OPENAI,
    "mistral": {**OPENAI, "num_cached_tokens": 12},
    "openai-responses": {
        "input_tokens": 50,
        "input_tokens_details": {"cached_tokens": 12, "cache_write_tokens": 8, "text_tokens": 9},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 6},
        "total_tokens": 70,
        "cost_in_usd_ticks": 7,
        "num_sources_used": 0,
    },
    "anthropic": {
        "input_tokens": 30,
        "cache_read_input_tokens": 12,
        "cache_creation_input_tokens": 8,
        "cache_creation": {"ephemeral_5m_input_tokens": 8, "ephemeral_1h_input_tokens": 0},
        "output_tokens": 20,
        "output_tokens_details": {"thinking_tokens": 6},
        "server_tool_use": {"web_search_requests": 2},
        "service_tier": "standard",
    },
    "gemini": {
        "promptTokenCount": 40,
        "toolUsePromptTokenCount": 10,
        "candidatesTokenCount": 14,
        "thoughtsTokenCount": 6,
        "totalTokenCount": 70,
        "cachedContentTokenCount": 12,
        "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 40}],
        "cacheTokensDetails": [{"modality": "TEXT", "tokenCount": 0}],
        "trafficType": "ON_DEMAND",
    },
    "gemini-interactions": {
        "total_tokens": 70,
        "total_input_tokens": 50,
        "total_cached_tokens": 12,
        "total_output_tokens": 14,
        "total_thought_tokens": 6,
        "total_tool_use_tokens": 0,
        "input_tokens_by_modality": [{"modality": "audio", "tokens": 4}],
    },
    "bedrock": {
        "inputTokens": 30,
        "cacheReadInputTokens": 12,
        "cacheWriteInputTokens": 8,
        "cacheDetails": [{"ttl": "5m", "inputTokens": 8}],
        "outputTokens": 20,
        "totalTokens": 70,
    },
    "cohere": {
        "tokens": {"input_tokens": 50, "output_tokens": 20.0},
        "billed_units": {"input_tokens": 7, "output_tokens": 20, "search_units": 1},
        "cached_tokens": 12,
    },
    "ollama": {"prompt_eval_count": 50, "eval_count": 20, "total_duration": 5, "load_duration": 0},
    "ag-ui": [
        {
            "model": "m",
            "inputTokens": 50,
            "outputTokens": 20,
            "totalTokens": 70,
            "reasoningTokens": 6,
            "cachedInputTokens": 12,
            "cacheWriteInputTokens": 8,
            "seconds": 3,
        }
    ],
    "ai-sdk-ui": {
        "inputTokens": 50,
        "inputTokenDetails": {"cacheReadTokens": 12, "cacheWriteTokens": 8, "noCacheTokens": 31},
        "outputTokens": 20,
        "outputTokenDetails": {"reasoningTokens": 6},
        "totalTokens": 70,
        "cachedInputTokens": 12,
    },
}
KEYS = {"gemini": "usageMetadata"}
PLACES = {"gemini": "$.usageMetadata", "ollama": "$", "ai-sdk-ui": "$.responseMessage.metadata.usage"}
# What a count says, in the words of `Tokens`; all others are further counts.
MEANS = {
    "prompt_tokens": "input", "input_tokens": "input", "prompt_eval_count": "input", "inputTokens": "input",
    "promptTokenCount": "input", "total_input_tokens": "input", "prompt_cache_miss_tokens": "input",
    "toolUsePromptTokenCount": "input",
    "completion_tokens": "output", "output_tokens": "output", "eval_count": "output", "outputTokens": "output",
    "candidatesTokenCount": "output", "total_output_tokens": "output",
    "total_tokens": "output", "totalTokenCount": "output", "totalTokens": "output",
    "cached_tokens": "cached", "cache_read_input_tokens": "cached", "cachedContentTokenCount": "cached",
    "total_cached_tokens": "cached", "cacheReadInputTokens": "cached", "cachedInputTokens": "cached",
    "cacheReadTokens": "cached", "num_cached_tokens": "cached",
    "cache_write_tokens": "written", "cache_creation_input_tokens": "written", "cacheWriteInputTokens": "written",
    "cacheWriteTokens": "written",
    "reasoning_tokens": "reasoning", "thinking_tokens": "reasoning", "thoughtsTokenCount": "reasoning",
    "total_thought_tokens": "reasoning", "reasoningTokens": "reasoning",
}  # fmt: skip
TOKENS = {"input": 50, "output": 20, "cached": 12, "written": 8, "reasoning": 6}
SILENT = {"cached": ["ollama"], "written": ["gemini", "gemini-interactions", "cohere", "ollama"]}
SILENT["reasoning"] = ["bedrock", "cohere", "ollama"]
PAIRS = [(source, target) for source in USAGES for target in USAGES if source != target]


def replaced(value: Json, key: str, usage: Json) -> Json:
    match value:
        case dict():
            return {name: usage if name == key else replaced(item, key, usage) for name, item in value.items()}
        case list():
            return [replaced(item, key, usage) for item in value]
    return value


def with_usage(source: str, value: Json, usage: Json) -> Json:
    if source == "ollama":
        return {**{key: item for key, item in value.items() if key not in USAGES["ollama"]}, **usage}
    return replaced(value, KEYS.get(source, "usage"), usage)


PLAIN = {
    "id": "c",
    "object": "chat.completion",
    "created": 1,
    "model": "m",
    "choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
}


def whole(source: str, usage: Json) -> Json:
    made = PLAIN if source == "openai" else tw.replies.convert_reply(PLAIN, source, source="openai").payload
    if source == "bedrock":
        made = {key: value for key, value in made.items() if key != "metrics"}
    return with_usage(source, made, usage)


def streamed(source: str) -> list[Json]:
    if source in makers.MAKERS:
        return makers.MAKERS[source](Random(4))[0]
    converter = tw.replies.StreamConverter(source="openai", target=source)
    made = [event for chunk in makers.MAKERS["openai"](Random(4))[0] for event in converter.feed(chunk)]
    return [*made, *converter.finish()]


def chunks(source: str, usage: Json) -> list[Json]:
    made = streamed(source)
    if source == "ollama":
        return [*made[:-1], with_usage(source, made[-1], usage)]
    return [with_usage(source, chunk, usage) for chunk in made]


def leaves(usage: Json, path: str = ""):
    """Each count that says something, with its path; a list of details is one count."""
    for key, value in usage.items():
        place = f"{path}.{key}"
        if key == "model" or not says(value):
            continue
        if isinstance(value, dict):
            yield from leaves(value, place)
        else:
            yield place, key, value


def says(value: Json) -> bool:
    if isinstance(value, list):
        return any(entry.get("tokenCount", entry.get("tokens", entry.get("inputTokens"))) for entry in value)
    return any(map(says, value.values())) if isinstance(value, dict) else bool(value)


def all_leaves(source: str, usage: Json):
    if isinstance(usage, list):
        for index, one in enumerate(usage):
            yield from leaves(one, f"$.usage[{index}]")
    else:
        yield from leaves(usage, PLACES.get(source, "$.usage"))


def check(source: str, target: str, usage: Json, losses: list[str], tokens: tw.replies.Tokens | None) -> None:
    """Each count is read back or named. A count of the same thing that says another number is no reading back."""
    for place, key, value in all_leaves(source, usage):
        named = any(place == path or place.startswith((f"{path}.", f"{path}[")) for path in losses)
        amount = MEANS.get(key)
        alike = "billed" not in place or value == TOKENS.get(amount or "")
        kept = tokens is not None and amount and alike and getattr(tokens, amount) == TOKENS[amount]
        assert named or kept, (place, losses)
        if amount and alike and tokens is not None and key != "toolUsePromptTokenCount":
            assert named == (target in SILENT.get(amount, ())), (place, losses)


def counted(losses: Json, source: str) -> list[str]:
    place = PLACES.get(source, "$.usage")
    return sorted(loss.path for loss in losses if loss.code == "key" and loss.path.startswith(place))


def fed(source: str, target: str, events: list[Json]):
    converter = tw.replies.StreamConverter(source=source, target=target)
    out = [event for chunk in events for event in converter.feed(chunk)]
    return [*out, *converter.finish()], converter


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_each_count_is_read_back_or_named(source, target):
    usage = USAGES[source]
    written = tw.replies.convert_reply(whole(source, usage), target, source=source)
    check(source, target, usage, counted(written.receipt, source), tw.parse_reply(written.payload, target).tokens)
    events, converter = fed(source, target, chunks(source, usage))
    back = tw.StreamAssembler(target)
    for event in events:
        back.feed(event)
    check(source, target, usage, counted(converter.receipt, source), back.finish().tokens)
    assert counted(converter.receipt, source) == counted(written.receipt, source)


@pytest.mark.parametrize("source", USAGES)
def test_counts_of_zero_are_no_losses(source):
    def zero(value):
        match value:
            case dict():
                return {key: zero(item) for key, item in value.items()}
            case list():
                return [zero(item) for item in value]
            case str() | None:
                return None
        return 0

    usage = zero(USAGES[source])
    for target in USAGES:
        if target != source:
            written = tw.replies.convert_reply(whole(source, usage), target, source=source)
            assert not counted(written.receipt, source)
            _, converter = fed(source, target, chunks(source, usage))
            assert not counted(converter.receipt, source)


FAILED = {
    "candidates": [
        {
            "content": {},
            "finishReason": "UNEXPECTED_TOOL_CALL",
            "finishMessage": "Model tried to call an undeclared function: f",
            "index": 0,
        }
    ],
    "usageMetadata": {"promptTokenCount": 5, "totalTokenCount": 7, "thoughtsTokenCount": 2},
    "modelVersion": "m",
}


@pytest.mark.parametrize("target", [target for target in USAGES if target != "gemini"])
@pytest.mark.parametrize("reason", ["UNEXPECTED_TOOL_CALL", "MALFORMED_FUNCTION_CALL", "TOO_MANY_TOOL_CALLS"])
def test_a_failed_reply_keeps_its_message_and_names_its_counts(target, reason):
    failed = json.loads(json.dumps(FAILED).replace("UNEXPECTED_TOOL_CALL", reason))
    written = tw.replies.convert_reply(failed, target, source="gemini")
    events, converter = fed("gemini", target, [failed])
    message = "Model tried to call an undeclared function: f"
    words = {"mistral", "cohere", "bedrock"}  # Their replies may end with an error, without a message.
    paths = {loss.path for loss in written.receipt}
    if target not in words:
        assert message in json.dumps(written.payload) and message in json.dumps(events)
    else:
        assert "$.candidates[0].finishMessage" in paths
    for key in ("promptTokenCount", "thoughtsTokenCount"):
        number = failed["usageMetadata"][key]
        assert f"$.usageMetadata.{key}" in paths or str(number) in json.dumps(written.payload)
    assert not {path for path in paths if path.startswith("$.usageMetadata")} - {
        loss.path for loss in converter.receipt
    }


@pytest.mark.parametrize(
    ("source", "target", "error", "paths"),
    [
        (
            "openai-responses",
            "openai",
            {"error": {"message": "m", "type": "invalid_request_error", "param": "model", "code": None}},
            ["$.error.param"],
        ),
        ("openai", "anthropic", {"error": {"message": "m", "type": "odd", "param": None}}, ["$.error.type"]),
        (
            "anthropic",
            "openai",
            {"type": "error", "error": {"type": "api_error", "message": "m"}, "request_id": "r"},
            ["$.request_id"],
        ),
        (
            "gemini",
            "openai",
            {"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED", "details": [{"reason": "QUOTA"}]}},
            ["$.error.details"],
        ),
        (
            # The message says how long to wait.
            "gemini",
            "openai",
            {"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED", "details": [{"retryDelay": "9s"}]}},
            [],
        ),
        ("bedrock", "openai", {"message": "m", "originalStatusCode": 500}, ["$.originalStatusCode"]),
        ("cohere", "openai", {"id": "x", "message": "m"}, []),
        ("ollama", "openai", {"error": "words"}, []),
    ],
)
def test_what_an_error_says_besides_is_named(source, target, error, paths):
    written = tw.replies.convert_reply(error, target, source=source)
    assert [loss.path for loss in written.receipt] == paths
    _, converter = fed(source, target, [error])
    if source not in ("bedrock", "cohere"):
        assert [loss.path for loss in converter.receipt] == paths
