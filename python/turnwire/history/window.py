"""The newest whole exchanges of a history, and a summary of those before them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any, Generic, TypeVar, overload

from turnwire._core import Budget, Conversation, Receipt, Turn

__all__ = ["Bounded"]

_Message = dict[str, Any]
_H = TypeVar("_H")
"""The class of the new history: the subclass of `Bounded`."""


class Bounded(ABC, Generic[_H]):
    """A history that can make a shorter copy of itself. It does not change itself."""

    @property
    @abstractmethod
    def conversation(self) -> Conversation:
        """The whole history as a conversation."""

    @abstractmethod
    def __iter__(self) -> Iterator[_Message]:
        """The messages."""

    @abstractmethod
    def _shorter(self, turns: Iterable[Turn], receipt: Receipt) -> _H:
        """A new history in memory with these turns, and the receipt of what changed."""

    def window(
        self,
        *,
        turns: int | None = None,
        budget: int | Budget | None = None,
        pinned: Iterable[int] | Callable[[_Message], object] = (),
    ) -> _H:
        """A new history in memory with the newest whole exchanges that fit.

        An exchange is one or more assistant messages in a row with the results of their calls. A user message is
        dropped with the last exchange that follows it. Whole exchanges are dropped, the oldest first, as in
        `MessageBuilder.set_budget`: system messages, the first user message, pinned messages with their exchanges, and
        the newest exchange stay. With a budget, old results are cut first, and a reserve is freed. With `turns`,
        nothing is cut. Results are first moved behind their calls. The new history's `receipt` lists what changed.

        Args:
            turns: The most messages.
            budget: The most UTF-8 bytes, as `MessageBuilder.set_budget` counts them, or a `Budget`.
            pinned: Indices of messages that stay, or a function that returns whether a message stays.

        Raises:
            BuildError: `budget_too_small` if more must stay. The error says how much.
            TurnwireError: `negative_budget`; `conflicting_options` for two limits; `bad_count`; `out_of_range` for a
                pinned index that no message has.
            TypeError: There is no limit, or an argument has the wrong type.
        """
        if turns is None and budget is None:
            raise TypeError("expected turns or budget, got neither")
        if callable(pinned):
            pinned = [index for index, message in enumerate(self) if pinned(message)]
        left, _ = self.conversation._window(turns, budget, pinned, False)
        return self._shorter(left.turns, left.receipt)

    @overload
    def summarise(
        self, function_or_text: Callable[[_H], Coroutine[Any, Any, str]], *, turns: int
    ) -> Coroutine[Any, Any, _H]: ...
    @overload
    def summarise(self, function_or_text: Callable[[_H], str] | str, *, turns: int) -> _H: ...
    def summarise(self, function_or_text: Callable[[_H], Any] | str, *, turns: int) -> Any:
        """A new history in memory with a summary of the older messages, and the newest whole exchanges.

        System messages stay in their places. An earlier summary is replaced, and is part of what is summarised. If
        nothing is left out, the function is not called.

        Args:
            function_or_text: The summary, or a function that gets a history of the messages to leave out and returns
                their summary. If the function is `async`, await this method, too.
            turns: The most messages that stay, not counting system messages and the summary.

        Raises:
            BuildError: `budget_too_small` if the newest exchange has more messages.
            TurnwireError: `negative_budget`.
            TypeError: The summary is not a str, or an argument has the wrong type.
        """
        if not isinstance(function_or_text, str) and not callable(function_or_text):
            raise TypeError(f"function_or_text: expected a function or a str, got {type(function_or_text).__name__}")
        if turns is None:
            raise TypeError("turns: expected an int, got None")
        whole = self.conversation
        left, gone = whole._window(turns, None, (), True)

        def summed(text: object) -> _H:
            if not isinstance(text, str):
                raise TypeError(f"expected a summary that is a str, got {type(text).__name__}")
            made = left._summed(len(gone), text) if gone else left
            return self._shorter(made.turns, made.receipt)

        async def awaited(answer: Any) -> _H:
            return summed(await answer if gone else "")

        if isinstance(function_or_text, str):
            return summed(function_or_text)
        if not gone:
            return awaited(None) if _is_async(function_or_text) else summed("")
        answer = function_or_text(self._shorter((whole[index] for index in gone), Receipt()))
        return awaited(answer) if hasattr(answer, "__await__") else summed(answer)


def _is_async(function: Callable[..., object]) -> bool:
    """Whether a function is asynchronous, found out without a call."""
    from inspect import iscoroutinefunction

    return iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)
