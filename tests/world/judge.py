"""What the target would refuse, by the judge of requests, with the options that this target is."""

import re
from typing import Any

from judges import wire
from judges.problem import Problem

Json = dict[str, Any]

#: The judge's name of a target, and its options.
JUDGES: dict[str, tuple[str, Json]] = {
    f"openai{':' if profile else ''}{profile}": ("openai_chat", {"profile": profile or "openai"})
    for profile in ("", "deepseek", "kimi", "qwen", "openrouter", "groq", "compatible")
}
JUDGES |= {
    "openai-responses": ("openai_responses", {"server": "openai"}),
    "anthropic": ("anthropic", {"version": "2026-10-21"}),
    "anthropic:2023-06-01": ("anthropic", {"version": "2023-06-01"}),
    "bedrock": ("bedrock", {}),
    "bedrock:nova": ("bedrock", {"model": "amazon.nova-pro-v1:0"}),
    "gemini": ("gemini", {"generation": 3}),
    "gemini:2": ("gemini", {"generation": 2}),
    "mistral": ("mistral", {"tokenizer": "v13"}),
    "mistral:v3": ("mistral", {"tokenizer": "v3"}),
    "mistral:v11": ("mistral", {"tokenizer": "v11"}),
    "cohere": ("cohere", {}),
    "ollama": ("ollama", {}),
}
#: The definitions of tools may come from the caller.
CALLERS = ("tools.missing", "toolConfig.missing", "tools.absent")
#: OpenAI serves a result with the tool's name, which its SDK's type does not have.
SERVED = re.compile(r"messages\[\d+\]\.name")


def problems(target: str, payload: Json, model: str | None = None) -> list[Problem]:
    """What is wrong with the payload and the settings that every request has."""
    name, options = JUDGES[target]
    head: Json = {} if name == "gemini" else {"model": model or "m"}
    if name == "bedrock":
        head = {"modelId": options.get("model") or "anthropic.claude-sonnet-4-5-20250929-v1:0"}
    if name == "anthropic":
        head["max_tokens"] = 4096
    found = wire.errors(wire.check(name, head | payload, **options))
    return [one for one in found if not one.code.endswith(CALLERS) and not SERVED.fullmatch(one.path)]
