"""The front door: any list of messages in, what the provider takes out, in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypedDict, Unpack, overload

from ._core import Conversation, Rendered
from .builder import MessageBuilder, Messages
from .names import BodyName, DialectName, ListName, SourceName

__all__ = ["BudgetOptions", "BuildOptions", "Options", "Prepared", "RenderOptions", "prepare", "prepare_json"]


class BudgetOptions(TypedDict, total=False):
    """What `prepare` hands on to `MessageBuilder.set_budget`; each as there."""

    max_tokens: int | None
    count: Callable[[str], int] | None
    reserve: float


class BuildOptions(TypedDict, total=False):
    """What `prepare` hands on to `MessageBuilder.build`; each as there."""

    keep_open: bool
    thinking: Literal["keep", "strip_after_change"]
    opening: str | None


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


class Prepared(Options, total=False):
    """Everything that `prepare` takes beside the messages, the target and a budget in bytes."""

    system: str | Iterable[str] | None
    tools: Iterable[object] | None


_ALL: Final = Options.__annotations__.keys()


@overload
def prepare(
    messages: Messages,
    target: BodyName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> Rendered[dict[str, Any]]: ...
@overload
def prepare(
    messages: Messages,
    target: ListName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> Rendered[list[Any]]: ...
@overload
def prepare(
    messages: Messages,
    target: DialectName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> Rendered[dict[str, Any]] | Rendered[list[Any]]: ...
def prepare(
    messages: Messages,
    target: DialectName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> Rendered[Any]:
    """Any list of messages as the target takes it: read, repaired, fitted, written.

        ready = prepare(messages, "anthropic", 300_000)
        client.messages.create(model=MODEL, max_tokens=4096, **ready.payload)

    `ready.receipt` lists what was repaired and cut, `ready.losses` what the target cannot hold as it was.

    Args:
        messages: A list of messages in any dialect, or in several: dicts, SDK objects, `UserMessage`,
            `AssistantMessage`, `ToolUseResult`, `Turn`, and str for what the user says. Also a whole request body, JSON
            of these as bytes or str, entities `{"id": …, "body": …}`, or a `Conversation`. Never changed.
        target: Who is to take it, one of `dialects()`.
        max_bytes: At most so many UTF-8 bytes of words, as `MessageBuilder.set_budget` counts them.
        source: The dialect of `messages`. `"auto"` reads each message as what it looks like, and as the target's where
            it could be.
        tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result, as `convert` does.
        system: System text to go before that of `messages`.
        tools: Tool definitions to go before those of `messages`, in the target's form or any other. Of two with one
            name, these stand.
        options: Those of `MessageBuilder.build`: `keep_open`, `thinking`, `opening`; those of `set_budget`:
            `max_tokens` with `count`, `reserve`; those of `Conversation.render`: `strict`, `reasoning`, `blobs`,
            `assistant_role`; `pinned`, as `set_messages` takes it; and `summary`, as `set_compression_summary` does.

    Raises:
        ParseError: The messages cannot be read.
        UnknownDialectError: `unknown_dialect`; with `source="auto"` as `Conversation.parse`.
        BuildError: As `MessageBuilder.build`.
        RenderError: As `Conversation.render`.
        TurnwireError: As `MessageBuilder.set_budget`; `unknown_option`; `out_of_range` for a pin that no message has.
        TypeError: An argument of another type.
    """
    built, rendering = _built("prepare", messages, target, max_bytes, source, tool_results, system, tools, options)
    return built.render(target, **rendering)


def prepare_json(
    messages: Messages,
    target: DialectName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    **options: Unpack[Options],
) -> Rendered[bytes]:
    """The same as `prepare`, with the payload as compact JSON bytes, ready to send."""
    built, rendering = _built("prepare_json", messages, target, max_bytes, source, tool_results, system, tools, options)
    return built.render_json(target, **rendering)


def _built(
    caller: str,
    messages: Messages,
    target: DialectName | None,
    max_bytes: int | None,
    source: SourceName,
    tool_results: bool,
    system: str | Iterable[str] | None,
    tools: Iterable[object] | None,
    options: Options,
    relay: tuple[bool, bool] = (False, False),
) -> tuple[Conversation, dict[str, Any]]:
    """The conversation that can be sent, and the options that are left for its rendering."""
    for name in options:
        if name not in _ALL:
            raise TypeError(f"{caller}() got an unexpected keyword argument {name!r}")
    budget: Any
    building: Any
    rendering: Any
    budget, building, rendering = (
        {name: value for name, value in options.items() if name in kind.__annotations__}
        for kind in (BudgetOptions, BuildOptions, RenderOptions)
    )
    builder = MessageBuilder().set_compression_summary(options.get("summary")).set_budget(max_bytes, **budget)
    builder._read(messages, source, target, options.get("pinned", ()), tool_results)._front(system, tools, target)
    return builder._built(target, **building, relay=relay), rendering
