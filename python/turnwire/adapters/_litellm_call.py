"""A call of LiteLLM: whose rules hold for it, and its messages, which are those of Chat Completions whoever answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import litellm

from turnwire._adapt import to_plain
from turnwire.names import DialectName

from ._foreign import domestic
from ._hosts import target_at
from ._places import Element, woven
from ._policy import Policy

__all__ = ["prepared"]


def prepared(policy: Policy, asked: dict[str, Any]) -> dict[str, Any]:
    """What a call is asked with, its messages prepared for the model that it names."""
    beside = {key: asked[key] for key in ("model", "tools", "tool_choice") if asked.get(key)}
    given, target = asked.get("messages") or [], policy.target or _target(asked)
    own, lost = domestic(given)
    messages = woven(
        policy,
        own,
        _elements,
        _rebuilt,
        "openai",
        "messages",
        target=target,
        beside=beside,
        # It parses them for other providers, and refuses the whole request.
        only_objects=target is None or not target.startswith("openai"),
        own_keys=True,
        lost=lost,
    )
    return {**asked} if messages is given else {**asked, "messages": [*messages]}


def _target(asked: dict[str, Any]) -> DialectName | None:
    try:
        provider = litellm.get_llm_provider(asked["model"], custom_llm_provider=asked.get("custom_llm_provider"))[1]
    except Exception:  # a name that LiteLLM does not know either, which it says itself
        return None
    if provider not in ("openai", "azure", "custom_openai", "openai_like"):
        return None
    url = asked.get("api_base") or asked.get("base_url")
    return target_at(url) if url else "openai"


def _elements(message: Any) -> list[Element] | None:
    plain = message if isinstance(message, Mapping) else to_plain(message)
    return [dict(plain)] if isinstance(plain, Mapping) else None


def _rebuilt(message: Any, elements: list[Element]) -> list[Any]:
    return [*elements]
