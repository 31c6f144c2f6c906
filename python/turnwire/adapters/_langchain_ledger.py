"""Prepares LangChain's requests to Claude under a ledger, with the system text and tools that reasoning is bound to."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import Any

from langchain_core.messages import BaseMessage, SystemMessage
from langchain_core.runnables.config import ensure_config

from . import _langchain_claude as claude
from ._langchain_blocks import native
from ._ledgers import Carrier
from ._places import Woven, woven
from ._policy import Policy

__all__ = ["carrier", "changes", "for_claude"]


def carrier(system: bool = False, tools: bool = False, holds: bool = False) -> Carrier:
    """The carrier, with LangGraph's thread, if any, and the subgraph that runs in it."""
    told = ensure_config().get("configurable") or {}
    part = str(told.get("checkpoint_ns") or "").rpartition("|")[0]
    return Carrier(told.get("thread_id"), part, system, tools, holds)


def changes(policy: Policy, request: Any) -> dict[str, Any]:
    """The fields of an agent's request to replace."""
    model = request.model
    system = None if request.system_message is None else request.system_message.content or None
    tools = _definitions(request.tools)
    # LangChain's profile of the model says what it accepts behind the first message.
    knows = getattr(model, "profile", None) or {}
    takes = [bool(knows.get(f"mid_conversation_{what}")) for what in ("system_messages", "tools")]
    given = {"model": getattr(model, "model", None), "system": system, "tools": tools}
    beside = {key: value for key, value in given.items() if value}
    messages, made = for_claude(policy, request.messages, beside, *takes)
    change: dict[str, Any] = {} if messages is request.messages else {"messages": messages}
    if (said := made.head("system", system)) is not system:
        change["system_message"] = SystemMessage(said) if said else None
    if (left := made.head("tools", tools)) is not tools:
        own = {tool["name"]: (tool, one) for tool, one in zip(tools, request.tools, strict=True)}
        pairs = ((tool, *own.get(tool["name"], (None, None))) for tool in left)
        change["tools"] = [one if tool == same else tool for tool, same, one in pairs]
    return change


def for_claude(
    policy: Policy,
    messages: Sequence[BaseMessage],
    beside: dict[str, Any] | None = None,
    system: bool = False,
    tools: bool = False,
) -> tuple[Sequence[BaseMessage], Woven[claude.Run]]:
    """The messages to send, the same list if nothing changed, and how they were made."""
    given, lost = native(messages, "anthropic", policy.rendering.get("reasoning") == "text")
    runs = claude.runs(given)
    starts = [at for at, run in enumerate(runs) for _ in run]
    made = woven(
        policy,
        runs,
        claude.elements_of,
        claude.rebuilt,
        "anthropic",
        "messages",
        beside=beside,
        own_keys=True,
        lost=lost,
        pinned=[starts[at] for at in policy.pinned if at < len(starts)],
        merged=claude.merged,
        carrier=carrier(system, tools, holds=True),
    )
    left = claude.merged(made.messages)
    return (messages if len(left) == len(messages) and all(map(is_, left, messages)) else [*left]), made


def _definitions(tools: Sequence[Any]) -> list[Any]:
    """Definitions of tools in Claude's format."""
    from langchain_anthropic.chat_models import convert_to_anthropic_tool

    return [{**(convert_to_anthropic_tool(tool) if _is_ours(tool) else tool)} for tool in tools]


def _is_ours(tool: Any) -> bool:
    """Whether a tool is the caller's. A tool of the provider has a type and a name already."""
    return not (isinstance(tool, dict) and "name" in tool and tool.get("type", "function") != "function")
