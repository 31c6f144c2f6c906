"""The methods that send a stored conversation: they prepare it for a target."""

from __future__ import annotations

from typing import Any, Unpack

from turnwire._core import Budget, Rendered, prepare, prepare_json
from turnwire._signature import spelled_out
from turnwire.types import HistoryOptions, TargetName

from .write import Written

__all__ = ["Sent"]


class Sent(Written):
    """A class with a conversation that can be prepared for any target."""

    @spelled_out
    def prepare(
        self, target: TargetName, budget: int | Budget | None = None, **options: Unpack[HistoryOptions]
    ) -> Rendered[Any]:
        """The request for the target: the messages are repaired, fitted to a budget, and written.

        Args:
            target: The API that you call, one of `dialects()`; `"same"` for the dialect of the messages.
            budget: The most UTF-8 bytes of text, tool arguments, media data and tool definitions, or a `Budget`.
            options: The keyword arguments of `turnwire.prepare`.
        """
        return prepare(self.conversation, target, budget, **options)

    @spelled_out
    def prepare_json(
        self, target: TargetName, budget: int | Budget | None = None, **options: Unpack[HistoryOptions]
    ) -> Rendered[bytes]:
        """The same as `prepare`, with the payload as compact JSON bytes, ready to post."""
        return prepare_json(self.conversation, target, budget, **options)
