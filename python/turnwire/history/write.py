"""The methods that write a stored conversation in any dialect, without repairs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, Unpack

from turnwire._core import Conversation, Rendered
from turnwire._signature import spelled_out
from turnwire.types import ReasoningChoice, RenderOptions, RowName

__all__ = ["Written"]


class Written(ABC):
    """A class with a conversation that can be written in any dialect."""

    @property
    @abstractmethod
    def conversation(self) -> Conversation:
        """The conversation to write."""

    @spelled_out
    def render(
        self,
        target: RowName,
        *,
        reasoning: ReasoningChoice = "valid",
        cache: Literal["auto"] | None = None,
        strict: bool = False,
        **options: Unpack[RenderOptions],
    ) -> Rendered[Any]:
        """Write the messages in a dialect. Nothing is repaired and nothing is cut.

        Args:
            target: The dialect to write, one of `dialects()`.
            reasoning: As in `turnwire.convert`.
            cache: `"auto"` adds marks for the provider's prompt cache, where the target has them.
            strict: Raise at the first thing that would be lost.
            options: `server_tools`, and options of single dialects: `blobs`, `assistant_role`.
        """
        return self.conversation.render(target, reasoning=reasoning, cache=cache, strict=strict, **options)

    @spelled_out
    def render_json(
        self,
        target: RowName,
        *,
        reasoning: ReasoningChoice = "valid",
        cache: Literal["auto"] | None = None,
        strict: bool = False,
        **options: Unpack[RenderOptions],
    ) -> Rendered[bytes]:
        """The same as `render`, with the payload as compact JSON bytes."""
        return self.conversation.render_json(target, reasoning=reasoning, cache=cache, strict=strict, **options)
