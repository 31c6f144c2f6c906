"""Finds the provider behind an address, so that its rules apply instead of OpenAI's or Anthropic's."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any, Final, cast
from urllib.parse import SplitResult, urlsplit

from turnwire._servers import server_at
from turnwire.types import DialectName

__all__ = ["COMPATIBLE", "messages_at", "of_litellm", "responses_at", "target_at"]

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
    "x.ai": "openai:xai",
    "z.ai": "openai:glm",
    "bigmodel.cn": "openai:glm",
    "minimax.io": "openai:minimax",
    "minimaxi.com": "openai:minimax",
    "minimax.chat": "openai:minimax",
    "cerebras.ai": "openai:cerebras",
    "fireworks.ai": "openai:fireworks",
    "perplexity.ai": "openai:perplexity",
    "api.cloudflare.com": "openai:plain",
}
# Google has an endpoint of OpenAI's format at some paths of these hosts.
_GOOGLE: Final = ("generativelanguage.googleapis.com", "aiplatform.googleapis.com")
_GOOGLE_PATHS: Final = ("/openai", "/openapi")
# The same for Anthropic's format.
_MESSAGES: Final[dict[str, DialectName]] = {
    "deepseek.com": "anthropic:deepseek",
    **dict.fromkeys(
        ("minimax.io", "minimaxi.com", "z.ai", "bigmodel.cn", "moonshot.ai", "moonshot.cn"), "anthropic:compatible"
    ),
}
# The ports on which Ollama, LM Studio, vLLM, llama.cpp and MLX, and SGLang listen.
_PORTS: Final = (11434, 1234, 8000, 8080, 30000)
# Names of one's own machine.
_MACHINES: Final = ("localhost", "host.docker.internal")


# LiteLLM's names for OpenAI and for servers that are compatible with it.
_LITELLM: Final = ("openai", "azure", "custom_openai", "openai_like")


def of_litellm(provider: str, url: object) -> DialectName | None:
    """The target for a provider by LiteLLM's name; None if LiteLLM does not use OpenAI's format for it."""
    if provider not in _LITELLM:
        return None
    return target_at(url) if url else "openai"


def target_at(url: object) -> DialectName:
    """The target for Chat Completions at an address."""
    address = urlsplit(str(url))
    known = _stated(address, "openai") or _known(address, _HOSTS)
    if known is not None:
        return known
    if _is_at(address, *_GOOGLE) and any(path in address.path for path in _GOOGLE_PATHS):
        return "openai:gemini"
    return "openai:local" if _is_local(address) else COMPATIBLE


def responses_at(url: object) -> DialectName:
    """The target for Responses at an address. Behind an unknown one is often a gateway to OpenAI."""
    address = urlsplit(str(url))
    stated = _stated(address, "openai-responses")
    return stated or ("openai-responses:compatible" if _is_local(address) else "openai-responses")


def messages_at(url: object) -> DialectName:
    """The target for Anthropic's Messages at an address. Behind an unknown one is often a gateway to Claude."""
    address = urlsplit(str(url))
    known = _stated(address, "anthropic") or _known(address, _MESSAGES)
    return known or ("anthropic:compatible" if _is_local(address) else "anthropic")


def _stated(address: SplitResult, wire: str) -> DialectName | None:
    """The row that the program itself has stated for an address. It stands wherever a dialect's name does."""
    stated: Any = server_at(address.hostname or "", wire)
    return cast("DialectName | None", stated)


def _is_at(address: SplitResult, *hosts: str) -> bool:
    name = address.hostname or ""
    return any(name == host or name.endswith((f".{host}", f"-{host}")) for host in hosts)


def _known(address: SplitResult, hosts: dict[str, DialectName]) -> DialectName | None:
    """The longest host that an address is at decides."""
    name = address.hostname or ""
    found = [host for host in hosts if name == host or name.endswith(f".{host}")]
    return hosts[max(found, key=len)] if found else None


def _is_local(address: SplitResult) -> bool:
    """Whether a model's server on one's own machine or network listens at an address, by its usual port."""
    try:
        port, name = address.port, address.hostname or ""
    except ValueError:
        # It is no number.
        return False
    if port not in _PORTS:
        return False
    try:
        return name in _MACHINES or ip_address(name).is_private
    except ValueError:
        return False
