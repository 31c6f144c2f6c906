"""The newest whole exchanges of a history, and a summary of those before them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any, Generic, TypeVar, overload

from turnwire._core import Conversation, Receipt, Turn, _Budget

__all__ = ["Bounded"]

_Message = dict[str, Any]
_H = TypeVar("_H")
"""The history that is made: the one that inherits from this."""


class Bounded(ABC, Generic[_H]):
    """What can be made shorter: a new history comes of it, and this one stays as it is."""

    @property
    @abstractmethod
    def conversation(self) -> Conversation:
        """All of it."""

    @abstractmethod
    def __iter__(self) -> Iterator[_Message]:
        """Its messages."""

    @abstractmethod
    def _shorter(self, turns: Iterable[Turn], receipt: Receipt) -> _H:
        """A history in memory of these turns, which something has changed."""

    def window(
        self,
        *,
        turns: int | None = None,
        max_bytes: int | None = None,
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        pinned: Iterable[int] | Callable[[_Message], object] = (),
    ) -> _H:
        """A new history in memory of the newest whole exchanges, no more than there is room for.

        An exchange is what the assistant says in a row with the results that answer its calls; what the user said
        goes with the last exchange that it led to. Exchanges go whole, the oldest first, by the rule of
        `MessageBuilder.set_budget`: system messages, the first thing that the user said, pins with their exchanges and
        the newest exchange stay. By bytes or tokens old results are cut before exchanges go, and a reserve is freed; by
        turns nothing is cut. Results are put behind their calls first. Its `receipt` says what changed.

        Args:
            turns: At most so many messages.
            max_bytes: At most so many UTF-8 bytes of words.
            max_tokens: At most so many tokens, as `count` counts them.
            count: Gives the tokens of a text.
            pinned: Indices of messages that stay, or a function that says so of a message.

        Raises:
            BuildError: `budget_too_small` where more must stay; the error says how much.
            TurnwireError: `negative_budget`; `conflicting_options` for two bounds, or for one of `max_tokens` and
                `count` without the other; `bad_count`; `out_of_range` for a pin that no message has.
            TypeError: No bound, or an argument of another type.
        """
        if turns is None and max_bytes is None and max_tokens is None and count is None:
            raise TypeError("expected one of turns, max_bytes and max_tokens")
        budget = _Budget(max_bytes, max_tokens=max_tokens, count=count)
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
        """A new history in memory of the newest whole exchanges, and a summary of all before them.

        System messages stay where they are. An earlier summary goes, and is among what is summed up. Where there is
        nothing to sum up, the function is not called.

        Args:
            function_or_text: The summary, or a function that makes one of a history of all that goes. Where the
                function is `async`, this is to be awaited, too.
            turns: At most so many messages stay beside the system messages and the summary.

        Raises:
            BuildError: `budget_too_small` where the newest exchange has more messages.
            TurnwireError: `negative_budget`.
            TypeError: The summary is no str, or an argument of another type.
        """
        if not isinstance(function_or_text, str) and not callable(function_or_text):
            raise TypeError(f"function_or_text: expected a function or a str, got {type(function_or_text).__name__}")
        if turns is None:
            raise TypeError("turns: expected an int, got None")
        whole = self.conversation
        left, gone = whole._window(turns, _Budget(), (), True)

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
    """Whether a function is one that is awaited, without calling it."""
    from inspect import iscoroutinefunction

    return iscoroutinefunction(function) or iscoroutinefunction(type(function).__call__)
