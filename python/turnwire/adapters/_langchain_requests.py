"""Prepares the requests of LangChain's agents, and lists of messages that come without a request."""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import ModelRequest

from turnwire.types import DialectName

from ._langchain_blocks import family_of, native, with_media, writes_chat
from ._langchain_ledger import carrier, changes, for_claude
from ._langchain_messages import elements_of, rebuilt
from ._places import woven
from ._policy import Policy

__all__ = ["chat_of", "name_of", "of_messages", "of_request"]


def of_request(policy: Policy, request: ModelRequest, row: DialectName | None = None) -> ModelRequest:
    """The request, with its messages prepared for its model. `row`: that of the model's server."""
    family = _family(request.model)
    if policy.has_ledger and family == "anthropic":
        return request.override(**changes(policy, request))
    told = "" if request.system_message is None else str(request.system_message.text)
    messages = of_messages(policy, request.messages, told, family, writes_chat(request.model), row)
    return request if messages is request.messages else request.override(messages=messages)


def of_messages(
    policy: Policy,
    messages: Any,
    before: str = "",
    family: str | None = None,
    is_chat: bool = False,
    row: DialectName | None = None,
) -> Any:
    """The messages, prepared for a model of a family. `before`: the system text in front of them."""
    family = family or family_of(policy.target)
    if policy.has_ledger and family == "anthropic":
        return for_claude(policy, messages)[0]
    own, lost = native(messages, family, policy.as_text)
    # Chat Completions takes no media in results, so they follow in a user message.
    given = with_media(own) if is_chat or policy.target == "openai" else own
    # Some models of LangChain drop calls whose arguments are not an object, and still send the results.
    return woven(
        policy,
        given,
        elements_of,
        rebuilt,
        "openai",
        "messages",
        target=row or policy.target or (None if given is own else "openai"),
        before=before,
        only_objects=True,
        own_keys=True,
        lost=lost,
        carrier=carrier(),
        original=messages,
    ).messages


def chat_of(body: Any) -> dict[str, Any]:
    """What a model of Chat Completions sends for a request, as far as its messages go."""
    request: ModelRequest = body["request"]
    first = [] if request.system_message is None else [request.system_message]
    messages = [element for one in (*first, *request.messages) for element in elements_of(one) or ()]
    return {"model": name_of(request.model), "messages": messages}


def name_of(model: Any) -> str:
    """The name that a model has at its provider; empty for a model that does not say it."""
    return str(getattr(model, "model_name", "") or getattr(model, "model", "") or "")


def _family(model: Any) -> str | None:
    """The family of blocks that a model reads, by the provider's name in LangChain's traces."""
    try:
        return family_of(model._get_ls_params().get("ls_provider"))
    except Exception:  # a third-party model may not support this
        return None
