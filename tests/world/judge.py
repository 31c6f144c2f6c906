"""What the target would refuse, by the judge of requests, with the options that this target is."""

import copy
import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from judges import ag_ui, ai_sdk, ai_sdk_ui, amazon_q, fronts, gemini_interactions, stored, training, wire
from judges.problem import Problem

Json = dict[str, Any]

#: The judge's name of a target, and its options.
JUDGES: dict[str, tuple[str, Json]] = {
    f"openai{':' if profile else ''}{profile}": ("openai_chat", {"profile": profile or "openai"})
    for profile in ("", "deepseek", "kimi", "qwen", "openrouter", "groq", "gemini", "litellm", "compatible")
}
#: Servers of whose parts the judge has no row of its own.
JUDGES |= {
    f"openai:{profile}": ("openai_chat", {"profile": "compatible"})
    for profile in ("local", "plain", "xai", "glm", "minimax", "cerebras", "fireworks", "perplexity")
}
JUDGES |= {
    "openai-responses": ("openai_responses", {"server": "openai"}),
    "openai-responses:compatible": ("openai_responses", {"server": "compatible"}),
    "anthropic": ("anthropic", {"version": "2026-10-21"}),
    "anthropic:2023-06-01": ("anthropic", {"version": "2023-06-01"}),
    "anthropic:compatible": ("anthropic", {"version": "2023-06-01"}),
    "anthropic:deepseek": ("anthropic", {"version": "2023-06-01"}),
    "bedrock": ("bedrock", {}),
    "bedrock:nova": ("bedrock", {"model": "amazon.nova-pro-v1:0"}),
    "gemini": ("gemini", {"generation": 3}),
    "gemini:2": ("gemini", {"generation": 2}),
    "mistral": ("mistral", {"tokenizer": "v13"}),
    **{f"mistral:{tokenizer}": ("mistral", {"tokenizer": tokenizer}) for tokenizer in ("v3", "v7", "v11", "v15")},
    "cohere": ("cohere", {}),
    "ollama": ("ollama", {}),
}

#: The templates of Hugging Face's models.
HF = ("-llama", "-gpt-oss", "-mistral", "-vision")


def _otel(payload: Any) -> Iterable[Problem]:
    return [Problem(level, at, what) for level, at, what in fronts.check("otel", payload) if level != "unknown"]


def _with_text(payload: Any) -> Iterable[Problem]:
    """DeepSeek's template puts arguments as text into its own: each must be the text of an object."""
    read = copy.deepcopy(payload)
    for call in (call for message in read["messages"] for call in message.get("tool_calls") or ()):
        given = call["function"]["arguments"]
        call["function"]["arguments"] = json.loads(given) if isinstance(given, str) else given
        if not isinstance(given, str):
            yield Problem("arguments", "", "an object")
    yield from training.hugging_face(read)


#: Judges of what is stored or sent by front ends.
CHECKS: dict[str, Callable[[Any], Iterable[Problem]]] = {
    "amazon-q": amazon_q.check,
    "history": stored.check,
    "llama": training.llama,
    "llama:3": training.llama_3,
    "sharegpt": training.sharegpt,
    "structured": training.structured,
    "ai-sdk": ai_sdk.check,
    "ai-sdk-ui": ai_sdk_ui.check,
    "ag-ui": ag_ui.check,
    "gemini-interactions": gemini_interactions.check,
    "otel": _otel,
}
CHECKS |= {"openai:hf-deepseek": _with_text}
CHECKS |= {f"openai:hf{end}": training.hugging_face for end in ("", *HF)}
#: The definitions of tools may come from the caller.
CALLERS = ("tools.missing", "toolConfig.missing", "tools.absent")
#: OpenAI serves a result with the tool's name, which its SDK's type does not have.
SERVED = re.compile(r"messages\[\d+\]\.name")


#: Servers of Claude's form that take thinking without a signature.
UNSIGNED = ("anthropic:compatible", "anthropic:deepseek")


def signed(target: str, payload: Any) -> Any:
    """The same with a signature for each thinking block, which the type requires, if the target needs none."""
    if target not in UNSIGNED:
        return payload
    read = copy.deepcopy(payload)
    contents = (message["content"] for message in read["messages"] if isinstance(message["content"], list))
    for block in (block for content in contents for block in content if block.get("type") == "thinking"):
        block.setdefault("signature", "c2ln")
    return read


def problems(target: str, payload: Any, model: str | None = None) -> list[Problem]:
    """What is wrong with the payload and the settings that every request has."""
    if target in CHECKS:
        return list(CHECKS[target](payload))
    payload = signed(target, payload)
    name, options = JUDGES[target]
    head: Json = {} if name == "gemini" else {"model": model or "m"}
    if name == "bedrock":
        head = {"modelId": options.get("model") or "anthropic.claude-sonnet-4-5-20250929-v1:0"}
    if name == "anthropic":
        head["max_tokens"] = 4096
    found = wire.errors(wire.check(name, head | payload, **options))
    return [one for one in found if not one.code.endswith(CALLERS) and not SERVED.fullmatch(one.path)]
