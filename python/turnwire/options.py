"""The options of `prepare` as types, for everything that hands them on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypedDict

__all__ = ["BudgetOptions", "BuildOptions", "Options", "Prepared", "RenderOptions"]


class BudgetOptions(TypedDict, total=False):
    """What `prepare` hands on to `MessageBuilder.set_budget`; each as there."""

    max_tokens: int | None
    count: Callable[[str], int] | None
    reserve: float
    max_result_bytes: int | None
    max_result_tokens: int | None


class BuildOptions(TypedDict, total=False):
    """What `prepare` hands on to `MessageBuilder.build`; each as there."""

    keep_open: bool
    thinking: Literal["valid", "keep", "strip_after_change"]
    model: str | None
    prefill: bool
    opening: str | None
    omitted: str | None
    missing_result: str | None


class RenderOptions(TypedDict, total=False):
    """What `prepare` hands on to `Conversation.render`; each as there."""

    strict: bool
    reasoning: Literal["drop", "text"]
    blobs: Literal["base64", "raw"]
    assistant_role: Literal["gemini", "chatgpt"] | None


class Options(BudgetOptions, BuildOptions, RenderOptions, total=False):
    """All options of `prepare`; these as the builder's `set_messages` and `set_compression_summary` take them."""

    pinned: Iterable[int]
    summary: Mapping[str, Any] | None
    on_cut: Callable[[str, str, str], object] | None


class Prepared(Options, total=False):
    """Everything that `prepare` takes beside the messages, the target and a budget in bytes."""

    system: str | Iterable[str] | None
    tools: Iterable[object] | None
