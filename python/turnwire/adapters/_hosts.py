"""Finds the provider behind an address, so that its rules apply instead of OpenAI's."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from turnwire.types import DialectName

__all__ = ["COMPATIBLE", "of_litellm", "target_at"]

COMPATIBLE: Final[DialectName] = "openai:compatible"
"""For unknown servers: a request keeps keys that OpenAI does not know but they may."""

# Each host is from the provider's page on its OpenAI-compatible endpoint.
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


# LiteLLM's names for OpenAI and for servers that are compatible with it.
_LITELLM: Final = ("openai", "azure", "custom_openai", "openai_like")


def of_litellm(provider: str, url: object) -> DialectName | None:
    """The target for a provider by LiteLLM's name; None if LiteLLM does not use OpenAI's format for it."""
    if provider not in _LITELLM:
        return None
    return target_at(url) if url else "openai"


def target_at(url: object) -> DialectName:
    """The target for requests to an address."""
    host = urlsplit(str(url)).hostname or ""
    return next((name for known, name in _HOSTS.items() if host == known or host.endswith(f".{known}")), COMPATIBLE)
