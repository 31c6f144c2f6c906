"""Every key beside a reply's message is kept, told as a loss, or on a closed list, whole and streamed.

The keys are those of the official SDKs' own types, and those that servers add. Each holds a word that no other key has.
"""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import cohere
import ollama
import pytest
import turnwire as tw
from anthropic.types import Message
from google.genai import types as genai
from google.genai._gaos.types.interactions.interaction import Interaction
from mistralai.client import models as mistral
from openai.types.chat.chat_completion import ChatCompletion, Choice
from openai.types.responses import Response

Json = Any
CLIENTS = (
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "gemini-interactions",
    "bedrock",
    "mistral",
    "cohere",
    "ollama",
)
KEYS = {"aws_access_key_id": "x", "aws_secret_access_key": "x", "region_name": "us-east-1"}


def names(model: Any) -> list[str]:
    return [field.alias or field.serialization_alias or name for name, field in model.model_fields.items()]


def of_bedrock() -> list[str]:
    service = boto3.client("bedrock-runtime", **KEYS).meta.service_model
    return [*service.operation_model("Converse").output_shape.members, "ResponseMetadata"]


# The keys of a reply, and those of its choice.
OF_SDKS: dict[str, tuple[list[str], list[str]]] = {
    "openai": (
        [*names(ChatCompletion), "provider", "x_groq", "citations", "prompt_filter_results", "error"],
        [*names(Choice), "native_finish_reason", "content_filter_results", "stop_reason"],
    ),
    "openai-responses": ([*names(Response), "billing", "content_filters", "cost_in_usd_ticks"], []),
    "anthropic": ([*names(Message), "context_management"], []),
    "gemini": (names(genai.GenerateContentResponse), names(genai.Candidate)),
    "gemini-interactions": ([*names(Interaction), "object", "role"], []),
    "bedrock": (of_bedrock(), []),
    "mistral": ([*names(mistral.ChatCompletionResponse), "system_fingerprint"], names(mistral.ChatCompletionChoice)),
    "cohere": (list(cohere.V2ChatResponse.model_fields), []),
    "ollama": ([*names(ollama.ChatResponse), "remote_host"], []),
}

# What a conversion reads. Other tests say what becomes of it.
CHAT = "id created model choices usage error index message finish_reason"
READ = {
    "openai": CHAT,
    "openai-responses": "id created_at model output status error incomplete_details usage",
    "anthropic": "id role model content stop_reason usage",
    "gemini": "candidates usageMetadata modelVersion responseId createTime content finishReason index promptFeedback",
    "gemini-interactions": "id status steps usage model created",
    "bedrock": "output stopReason usage",
    "mistral": CHAT,
    "cohere": "id finish_reason message usage",
    "ollama": "model created_at message done done_reason prompt_eval_count eval_count total_duration load_duration "
    "prompt_eval_duration eval_duration",
}

# What is neither kept nor told, and why.
KIND, TIME, SDK = "the kind of object", "when or how long the server worked", "what the SDK adds to the response"
REPEATED = "what another key says"
ECHO = "what the request asked for"
NEEDLESS: dict[str, dict[str, str]] = {
    "openai": {KIND: "object"},
    "openai-responses": {
        KIND: "object",
        TIME: "completed_at",
        ECHO: "background conversation frequency_penalty instructions max_output_tokens max_tool_calls metadata "
        "parallel_tool_calls presence_penalty previous_response_id prompt prompt_cache_key prompt_cache_options "
        "prompt_cache_retention reasoning safety_identifier store temperature text tool_choice tools top_logprobs "
        "top_p truncation user",
    },
    "anthropic": {KIND: "type"},
    "gemini": {REPEATED: "tokenCount", SDK: "sdkHttpResponse"},
    "gemini-interactions": {
        KIND: "object role",
        TIME: "updated",
        REPEATED: "output_audio output_image output_text output_video",
        ECHO: "agent agent_config cached_content environment generation_config input labels previous_interaction_id "
        "response_format response_mime_type response_modalities safety_settings store system_instruction tools "
        "webhook_config",
    },
    "bedrock": {TIME: "metrics", ECHO: "performanceConfig", SDK: "ResponseMetadata"},
    "mistral": {KIND: "object"},
    "cohere": {},
    "ollama": {},
}
WORDS = {"role": "model", "type": "message", "object": "chat.completion"}


def unread() -> Iterator[tuple[str, str, bool]]:
    """Each key that a conversion does not read: of a format, and whether it is in the choice."""
    for source, (around, inside) in OF_SDKS.items():
        for in_choice, keys in enumerate((around, inside)):
            for key in keys:
                if key not in READ[source].split():
                    yield source, key, bool(in_choice)


def needless(source: str, key: str) -> bool:
    return any(key in keys.split() for keys in NEEDLESS[source].values())


SAID = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "hi"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
EVENTS: list[Json] = [
    {"type": "message_start", "message": {**SAID, "content": [], "stop_reason": None}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "hi"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
    {"type": "message_stop"},
]


def streamed(chunks: list[Json], source: Json, target: Json) -> tuple[list[Json], Any]:
    converter = tw.replies.StreamConverter(source=source, target=target)
    events = [event for chunk in chunks for event in converter.feed(chunk)]
    return [*events, *converter.finish()], converter.receipt


def whole_of(source: Json) -> Json:
    made = SAID if source == "anthropic" else tw.replies.convert_reply(SAID, source, source="anthropic").payload
    return json.loads(json.dumps(made))


def stream_of(source: Json) -> list[Json]:
    chunks = EVENTS if source == "anthropic" else streamed(EVENTS, "anthropic", source)[0]
    return json.loads(json.dumps(chunks))


def choice_of(source: str, reply: Json) -> Json:
    listed = {"openai": "choices", "mistral": "choices", "gemini": "candidates"}.get(source)
    return next(iter(reply.get(listed) or [None])) if listed else reply


# Where an event of each format has the keys that are beside the message of its whole reply.
HOLDERS = {
    "openai-responses": lambda events: events[-1]["response"],
    "anthropic": lambda events: events[0]["message"],
    "gemini-interactions": lambda events: events[-1]["interaction"],
    "cohere": lambda events: events[-1]["delta"],
    "bedrock": lambda events: next(event for event in events if "metadata" in event)["metadata"],
}


def with_key(source: str, key: str, in_choice: bool, word: Json) -> tuple[Json, list[Json]]:
    """A reply with a key more, and its stream."""
    whole, chunks = whole_of(source), stream_of(source)
    (choice_of(source, whole) if in_choice else whole)[key] = word
    if source in HOLDERS:
        holder = HOLDERS[source](chunks)
    else:
        holder = [chunk for chunk in chunks if not in_choice or choice_of(source, chunk)][-1]
        holder = choice_of(source, holder) if in_choice else holder
    holder[key] = word
    return whole, chunks


def fate(word: str, key: str, payload: Json, receipt: Any) -> str:
    told = [change for change in receipt if change.kind == "lost" and change.path.rpartition(".")[2] == key]
    return "told" if told else "kept" if word in json.dumps(payload) else "gone"


@pytest.mark.parametrize(("source", "key", "in_choice"), list(unread()))
def test_a_key_is_kept_or_told_or_needless(source: Any, key: str, in_choice: bool) -> None:
    word = "flex" if key == "service_tier" else f"zq-{key}"
    value: Json = WORDS.get(key, word)
    if key in ("stop_details", "x_groq", "tool_usage", "modelStatus", "serviceTier"):
        value = {"more": word}
    for target in CLIENTS:
        if target == source:
            continue
        whole, chunks = with_key(source, key, in_choice, value)
        made = tw.replies.convert_reply(whole, target, source=source)  # type: ignore[arg-type]
        events, receipt = streamed(chunks, source, target)
        last = "more" if key in ("stop_details", "x_groq") else key
        fates = [fate(word, last, made.payload, made.receipt), fate(word, last, events, receipt)]
        assert fates[0] == fates[1], target
        assert fates[0] != "gone" or needless(source, key), target
        assert fates[0] == "gone" or not needless(source, key), target


def test_counts_of_tools_that_ran_are_told_if_there_are_any() -> None:
    for counts, told in (({"web_search": {"num_requests": 0}}, False), ({"web_search": {"num_requests": 2}}, True)):
        made = tw.replies.convert_reply(
            {**whole_of("openai-responses"), "tool_usage": counts}, "anthropic", source="openai-responses"
        )
        assert [change.path for change in made.receipt.only("lost")] == ["$.tool_usage"] * told
