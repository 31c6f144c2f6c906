"""The methods that send a stored conversation: they prepare it for a target."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, overload

from turnwire._core import Rendered, prepare, prepare_json
from turnwire.names import BodyName, DialectName, ListName

from .write import Written

__all__ = ["Sent"]


class _NotGiven:
    """The default of `after`, because None has another meaning there."""

    def __repr__(self) -> str:
        return "NOT_GIVEN"


_NOT_GIVEN: Final[Any] = _NotGiven()


def _given(after: object) -> dict[str, Any]:
    return {} if after is _NOT_GIVEN else {"after": after}


class Sent(Written):
    """A class with a conversation that can be prepared for any target. The options are those of `options.py`."""

    @overload
    def prepare(
        self,
        target: BodyName,
        max_bytes: int | None = None,
        *,
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        reserve: float = 0.25,
        max_result_bytes: int | None = None,
        max_result_tokens: int | None = None,
        keep_open: bool = False,
        model: str | None = None,
        prefill: bool = False,
        opening: str | None = None,
        omitted: str | None = None,
        missing_result: str | None = None,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
        defaults: dict[str, Any] | None = None,
        effort_budgets: Mapping[str, int] | None = None,
        pinned: Iterable[int] = (),
        summary: Mapping[str, Any] | None = None,
        summarise: Callable[[list[Any]], object] | None = None,
        on_cut: Callable[[str, str, str], object] | None = None,
        after: Rendered[Any] | bytes | None = None,
        row: bool = False,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
    ) -> Rendered[dict[str, Any]]: ...
    @overload
    def prepare(
        self,
        target: ListName,
        max_bytes: int | None = None,
        *,
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        reserve: float = 0.25,
        max_result_bytes: int | None = None,
        max_result_tokens: int | None = None,
        keep_open: bool = False,
        model: str | None = None,
        prefill: bool = False,
        opening: str | None = None,
        omitted: str | None = None,
        missing_result: str | None = None,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
        defaults: dict[str, Any] | None = None,
        effort_budgets: Mapping[str, int] | None = None,
        pinned: Iterable[int] = (),
        summary: Mapping[str, Any] | None = None,
        summarise: Callable[[list[Any]], object] | None = None,
        on_cut: Callable[[str, str, str], object] | None = None,
        after: Rendered[Any] | bytes | None = None,
        row: bool = False,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
    ) -> Rendered[list[Any]]: ...
    @overload
    def prepare(
        self,
        target: DialectName,
        max_bytes: int | None = None,
        *,
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        reserve: float = 0.25,
        max_result_bytes: int | None = None,
        max_result_tokens: int | None = None,
        keep_open: bool = False,
        model: str | None = None,
        prefill: bool = False,
        opening: str | None = None,
        omitted: str | None = None,
        missing_result: str | None = None,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
        defaults: dict[str, Any] | None = None,
        effort_budgets: Mapping[str, int] | None = None,
        pinned: Iterable[int] = (),
        summary: Mapping[str, Any] | None = None,
        summarise: Callable[[list[Any]], object] | None = None,
        on_cut: Callable[[str, str, str], object] | None = None,
        after: Rendered[Any] | bytes | None = None,
        row: bool = False,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
    ) -> Rendered[dict[str, Any]] | Rendered[list[Any]]: ...
    def prepare(
        self,
        target: DialectName,
        max_bytes: int | None = None,
        *,
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        reserve: float = 0.25,
        max_result_bytes: int | None = None,
        max_result_tokens: int | None = None,
        keep_open: bool = False,
        model: str | None = None,
        prefill: bool = False,
        opening: str | None = None,
        omitted: str | None = None,
        missing_result: str | None = None,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
        defaults: dict[str, Any] | None = None,
        effort_budgets: Mapping[str, int] | None = None,
        pinned: Iterable[int] = (),
        summary: Mapping[str, Any] | None = None,
        summarise: Callable[[list[Any]], object] | None = None,
        on_cut: Callable[[str, str, str], object] | None = None,
        after: Rendered[Any] | bytes | None = _NOT_GIVEN,
        row: bool = False,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
    ) -> Rendered[Any]:
        """The request for the target: the messages are repaired, fitted to a budget, and written.

        Args:
            target: The dialect to write, one of `dialects()`.
            max_bytes: The most UTF-8 bytes of text, tool arguments, media data and tool definitions.
            max_tokens: The most tokens, as `count` counts them, instead of `max_bytes`. Media count 0, with a warning.
            count: Your tokenizer: returns the number of tokens of a text. It is called once for each text, and again
                for each text that is cut.
            reserve: The share of the budget, from 0 to 1, that is freed at once when the budget is full, so that the
                prefix stays the same for several requests. 0 frees no more than needed and changes the prefix each
                time.
            max_result_bytes: The most UTF-8 bytes of each tool result, marker included. A larger result is cut once,
                whatever the budget.
            max_result_tokens: The most tokens of each tool result, as `count` counts them, instead of
                `max_result_bytes`.
            keep_open: Leave the calls of the last turn unanswered: you run them next.
            model: The model's name, needed if the messages come without a body that names it. Some models check signed
                reasoning, and some refuse certain settings. With `rest="convert"`, the name is also written to the
                body.
            prefill: The last assistant turn is the beginning of the reply. Not all models accept that.
            opening: The user text to put first if the target requires the user to begin. With None, that raises
                `BuildError`.
            omitted: A note in the user's name, put once where the budget left messages out. It counts for the budget.
            missing_result: The text of the result for a call without one. `MISSING_RESULT` if None.
            strict: Raise `RenderError` at the first thing that the target cannot express.
            reasoning: Which reasoning is sent: `"valid"` sends what the provider that made it still accepts, `"keep"`
                all of the target's own, although something before it has changed, `"drop"` none, for a provider that
                refuses it. `"text"` is `"valid"`, and readable reasoning of other providers becomes text.
            blobs: How to write new media data: as base64 text, or as raw bytes for clients that take bytes (boto3).
            assistant_role: For `structured`: the role to write for the assistant of another dialect. None writes
                `chatgpt` for OpenAI's dialects, and `gemini` for others.
            cache: `"auto"` adds marks for the provider's prompt cache if the target has them (`anthropic`, `bedrock`):
                at the end, before the newest reply, and at the end of the system text and the tools. There are at most
                four, yours included. Each is a loss `cache_mark` of the kind `changed`. None adds none.
            defaults: With `rest="convert"`: keys of the target to add if the body lacks them.
            effort_budgets: With `rest="convert"`: the number of tokens for an effort such as `"high"`, if the target
                counts tokens.
            pinned: Indices of messages that a budget neither cuts nor drops.
            summary: A summary that replaces older messages: `summary`, `startMessageId` and `messageIds`, or the same
                in snake_case; or `Rendered.summary` of the previous request, for a list that continues that request's.
            summarise: Called at most once, with the messages that the budget leaves out: your own objects, or `Turn`
                objects if you did not pass a list. The text that it returns replaces them as a summary. An earlier
                summary is the first message that it gets. Its exceptions pass through unchanged.
            on_cut: Called with the call's id, the SHA-256 of the full text and the full text, for each result that is
                cut.
            after: The previous request (a `Rendered`, or its `state`), which this one continues: what was sent stays
                byte for byte. Pass None for the first request of a run. If you leave this argument out, the result has
                no `state`.
            row: The messages are a row of training data. It may end with the assistant's text, or with calls that stay
                open, and nothing stands in for missing reasoning.
            system: System text to put before that of the messages.
            tools: Tool definitions to put before those of the messages, in any form: dicts, tools of an MCP server,
                tools of agent frameworks. Of two with one name, these are used.
        """
        return prepare(
            self.conversation,
            target,
            max_bytes,
            max_tokens=max_tokens,
            count=count,
            reserve=reserve,
            max_result_bytes=max_result_bytes,
            max_result_tokens=max_result_tokens,
            keep_open=keep_open,
            model=model,
            prefill=prefill,
            opening=opening,
            omitted=omitted,
            missing_result=missing_result,
            strict=strict,
            reasoning=reasoning,
            blobs=blobs,
            assistant_role=assistant_role,
            cache=cache,
            defaults=defaults,
            effort_budgets=effort_budgets,
            pinned=pinned,
            summary=summary,
            summarise=summarise,
            on_cut=on_cut,
            **_given(after),
            row=row,
            system=system,
            tools=tools,
        )

    def prepare_json(
        self,
        target: DialectName,
        max_bytes: int | None = None,
        *,
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        reserve: float = 0.25,
        max_result_bytes: int | None = None,
        max_result_tokens: int | None = None,
        keep_open: bool = False,
        model: str | None = None,
        prefill: bool = False,
        opening: str | None = None,
        omitted: str | None = None,
        missing_result: str | None = None,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
        defaults: dict[str, Any] | None = None,
        effort_budgets: Mapping[str, int] | None = None,
        pinned: Iterable[int] = (),
        summary: Mapping[str, Any] | None = None,
        summarise: Callable[[list[Any]], object] | None = None,
        on_cut: Callable[[str, str, str], object] | None = None,
        after: Rendered[Any] | bytes | None = _NOT_GIVEN,
        row: bool = False,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
    ) -> Rendered[bytes]:
        """The same as `prepare`, with the payload as compact JSON bytes, ready to send.

        Args:
            target: The dialect to write, one of `dialects()`.
            max_bytes: The most UTF-8 bytes of text, tool arguments, media data and tool definitions.
            max_tokens: The most tokens, as `count` counts them, instead of `max_bytes`. Media count 0, with a warning.
            count: Your tokenizer: returns the number of tokens of a text. It is called once for each text, and again
                for each text that is cut.
            reserve: The share of the budget, from 0 to 1, that is freed at once when the budget is full, so that the
                prefix stays the same for several requests. 0 frees no more than needed and changes the prefix each
                time.
            max_result_bytes: The most UTF-8 bytes of each tool result, marker included. A larger result is cut once,
                whatever the budget.
            max_result_tokens: The most tokens of each tool result, as `count` counts them, instead of
                `max_result_bytes`.
            keep_open: Leave the calls of the last turn unanswered: you run them next.
            model: The model's name, needed if the messages come without a body that names it. Some models check signed
                reasoning, and some refuse certain settings. With `rest="convert"`, the name is also written to the
                body.
            prefill: The last assistant turn is the beginning of the reply. Not all models accept that.
            opening: The user text to put first if the target requires the user to begin. With None, that raises
                `BuildError`.
            omitted: A note in the user's name, put once where the budget left messages out. It counts for the budget.
            missing_result: The text of the result for a call without one. `MISSING_RESULT` if None.
            strict: Raise `RenderError` at the first thing that the target cannot express.
            reasoning: Which reasoning is sent: `"valid"` sends what the provider that made it still accepts, `"keep"`
                all of the target's own, although something before it has changed, `"drop"` none, for a provider that
                refuses it. `"text"` is `"valid"`, and readable reasoning of other providers becomes text.
            blobs: How to write new media data: as base64 text, or as raw bytes for clients that take bytes (boto3).
            assistant_role: For `structured`: the role to write for the assistant of another dialect. None writes
                `chatgpt` for OpenAI's dialects, and `gemini` for others.
            cache: `"auto"` adds marks for the provider's prompt cache if the target has them (`anthropic`, `bedrock`):
                at the end, before the newest reply, and at the end of the system text and the tools. There are at most
                four, yours included. Each is a loss `cache_mark` of the kind `changed`. None adds none.
            defaults: With `rest="convert"`: keys of the target to add if the body lacks them.
            effort_budgets: With `rest="convert"`: the number of tokens for an effort such as `"high"`, if the target
                counts tokens.
            pinned: Indices of messages that a budget neither cuts nor drops.
            summary: A summary that replaces older messages: `summary`, `startMessageId` and `messageIds`, or the same
                in snake_case; or `Rendered.summary` of the previous request, for a list that continues that request's.
            summarise: Called at most once, with the messages that the budget leaves out: your own objects, or `Turn`
                objects if you did not pass a list. The text that it returns replaces them as a summary. An earlier
                summary is the first message that it gets. Its exceptions pass through unchanged.
            on_cut: Called with the call's id, the SHA-256 of the full text and the full text, for each result that is
                cut.
            after: The previous request (a `Rendered`, or its `state`), which this one continues: what was sent stays
                byte for byte. Pass None for the first request of a run. If you leave this argument out, the result has
                no `state`.
            row: The messages are a row of training data. It may end with the assistant's text, or with calls that stay
                open, and nothing stands in for missing reasoning.
            system: System text to put before that of the messages.
            tools: Tool definitions to put before those of the messages, in any form: dicts, tools of an MCP server,
                tools of agent frameworks. Of two with one name, these are used.
        """
        return prepare_json(
            self.conversation,
            target,
            max_bytes,
            max_tokens=max_tokens,
            count=count,
            reserve=reserve,
            max_result_bytes=max_result_bytes,
            max_result_tokens=max_result_tokens,
            keep_open=keep_open,
            model=model,
            prefill=prefill,
            opening=opening,
            omitted=omitted,
            missing_result=missing_result,
            strict=strict,
            reasoning=reasoning,
            blobs=blobs,
            assistant_role=assistant_role,
            cache=cache,
            defaults=defaults,
            effort_budgets=effort_budgets,
            pinned=pinned,
            summary=summary,
            summarise=summarise,
            on_cut=on_cut,
            **_given(after),
            row=row,
            system=system,
            tools=tools,
        )
