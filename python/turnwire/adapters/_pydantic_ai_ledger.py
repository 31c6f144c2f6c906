"""Prepares Pydantic AI's requests to Claude under a ledger, with the system text and tools that bind reasoning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from operator import is_
from typing import Any

from turnwire._core import Change

from . import _pydantic_ai_claude as claude
from ._ledgers import Carrier
from ._places import woven
from ._policy import Policy

__all__ = ["for_claude"]


def for_claude(
    policy: Policy, asked: Any, given: Sequence[Any], losses: Sequence[Change], conversation: str | None
) -> Sequence[Any]:
    """The messages to send; `given` itself if nothing changed."""
    runs, parameters = claude.runs(given), asked.model_request_parameters
    starts = [at for at, run in enumerate(runs) for _ in run]
    tools = [
        {"name": tool.name, "description": tool.description or "", "input_schema": tool.parameters_json_schema}
        for tool in (*parameters.function_tools, *parameters.output_tools)
    ]
    beside = {"model": asked.model.model_name, "system": claude.system_of(given), "tools": tools}
    made = woven(
        policy,
        runs,
        claude.elements_of,
        partial(claude.rebuilt, claude.names_of(given)),
        "anthropic",
        "messages",
        beside={key: value for key, value in beside.items() if value},
        own_keys=True,
        lost=losses,
        pinned=[starts[at] for at in policy.pinned if at < len(starts)],
        merged=claude.merged,
        carrier=Carrier(conversation, holds=False),
    )
    left = claude.merged(made.messages)
    return given if len(left) == len(given) and all(map(is_, left, given)) else [*left]
