"""The methods that write a stored conversation in any dialect, without repairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, overload

from turnwire._core import Conversation, Rendered
from turnwire.names import BodyName, DialectName, ListName

__all__ = ["Written"]


class Written(ABC):
    """A class with a conversation that can be written in any dialect. The options are those of `options.py`."""

    @property
    @abstractmethod
    def conversation(self) -> Conversation:
        """The conversation to write."""

    @overload
    def render(
        self,
        dialect: BodyName,
        *,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
    ) -> Rendered[dict[str, Any]]: ...
    @overload
    def render(
        self,
        dialect: ListName,
        *,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
    ) -> Rendered[list[Any]]: ...
    @overload
    def render(
        self,
        dialect: DialectName,
        *,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
    ) -> Rendered[dict[str, Any]] | Rendered[list[Any]]: ...
    def render(
        self,
        dialect: DialectName,
        *,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
    ) -> Rendered[Any]:
        """The messages in a dialect. Nothing is repaired or cut.

        Args:
            dialect: The dialect to write, one of `dialects()`.
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
        """
        return self.conversation.render(
            dialect,
            strict=strict,
            reasoning=reasoning,
            blobs=blobs,
            assistant_role=assistant_role,
            cache=cache,
        )

    def render_json(
        self,
        dialect: DialectName,
        *,
        strict: bool = False,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
    ) -> Rendered[bytes]:
        """The same as `render`, as compact JSON bytes.

        Args:
            dialect: The dialect to write, one of `dialects()`.
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
        """
        return self.conversation.render_json(
            dialect,
            strict=strict,
            reasoning=reasoning,
            blobs=blobs,
            assistant_role=assistant_role,
            cache=cache,
        )
