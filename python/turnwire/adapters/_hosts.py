"""Knows which provider serves an address, so that its rules apply instead of OpenAI's."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from turnwire.names import DialectName

__all__ = ["COMPATIBLE", "of_litellm", "target_at"]

COMPATIBLE: Final[DialectName] = "openai:compatible"
"""For unknown servers: a request keeps keys that they may know beyond OpenAI."""

# From each provider's page on its OpenAI-compatible endpoint.
_HOSTS: Final[dict[str, DialectName]] = {
    "openai.com": "openai",
    "openai.azure.com": "openai",
    "services.ai.azure.com": "openai",
    "cognitiveservices.azure.com": "openai",
    "deepseek.com": "openai:deepseek",
    "moonshot.ai": "openai:kimi",
    "moonshot.cn": "openai:kimi",
    "aliyuncs.com": "openai:qwen",
    "openrouter.ai": "openai:openrouter",
    "groq.com": "openai:groq",
    "mistral.ai": "mistral",
}


# What LiteLLM calls OpenAI, and servers that speak as it does.
_LITELLM: Final = ("openai", "azure", "custom_openai", "openai_like")


def of_litellm(provider: str, url: object) -> DialectName | None:
    """The target for what LiteLLM sends to a provider of its own names; None where that is not in OpenAI's format."""
    if provider not in _LITELLM:
        return None
    return target_at(url) if url else "openai"


def target_at(url: object) -> DialectName:
    """The target for what is sent to an address."""
    host = urlsplit(str(url)).hostname or ""
    return next((name for known, name in _HOSTS.items() if host == known or host.endswith(f".{known}")), COMPATIBLE)
