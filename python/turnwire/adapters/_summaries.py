"""Keeps an adapter's summaries: asks for one at a cut, and finds it again by the messages that it covers."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from inspect import isawaitable, iscoroutine, iscoroutinefunction
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar

from turnwire._core import Receipt
from turnwire.errors import TurnwireError

from ._told import mark

__all__ = ["PendingError", "Question", "Summaries", "later"]

_T = TypeVar("_T")
_Function = Callable[[list[Any]], object]
_Own = Callable[[str | None, list[Any]], list[Any]]

_MOST: Final = 1024
"""The number of summaries that are kept. The least recently used are dropped first."""


class _Answer(NamedTuple):
    """What an asynchronous function returned for a question, or what it raised."""

    function: _Function
    gone: tuple[int, ...]
    text: object
    error: Exception | None = None


# The answers for the request that is being built; None in a synchronous call, which cannot await.
_answers: Final[ContextVar[tuple[_Answer, ...] | None]] = ContextVar("turnwire_summaries", default=None)


class PendingError(Exception):
    """Ends a build that needs an answer which must be awaited first. `later` awaits it and builds again."""

    def __init__(self, function: _Function, gone: tuple[int, ...], answer: Awaitable[object]) -> None:
        super().__init__()
        self.function, self.gone, self.answer = function, gone, answer


async def later(work: Callable[[], _T]) -> _T:
    """What `work` returns. Its functions for summaries may be asynchronous."""
    answers: tuple[_Answer, ...] = ()
    while True:
        token = _answers.set(answers)
        try:
            return work()
        except PendingError as pending:
            asked = pending
        finally:
            _answers.reset(token)
        try:
            answers += (_Answer(asked.function, asked.gone, await asked.answer),)
        except Exception as error:
            # The build raises it, so that `on_error` applies to it.
            answers += (_Answer(asked.function, asked.gone, None, error),)


class Summaries:
    """The summaries of one adapter. Any number of threads may share it.

    A framework sends the whole history with each request. So a summary is kept with the turns that it covers, and used
    for each list that begins with the same elements. System text before them may change.
    """

    def __init__(self, function: _Function, awaits: bool) -> None:
        """Check the function.

        Args:
            function: `summarise` of `prepare`, which may be asynchronous.
            awaits: Whether the adapter can await it.

        Raises:
            TurnwireError: `unknown_option` for an asynchronous function that the adapter cannot await.
        """
        called = getattr(function, "__call__", None)  # noqa: B004 - an object's own, which may be asynchronous
        if not awaits and (iscoroutinefunction(function) or iscoroutinefunction(called)):
            raise _not_awaited()
        self._function = function
        self._kept: OrderedDict[int, tuple[str, tuple[int, ...]]] = OrderedDict()
        self._lock = Lock()

    def question(self, elements: Sequence[Any], own: _Own) -> Question:
        """The summary that is known for a list, and the function to ask if more of the list is dropped.

        Args:
            elements: The list of the payload.
            own: Turns an earlier summary and dropped elements into the argument of the function.
        """
        begun = _Beginnings(elements)
        with self._lock:
            for key in reversed(begun.keys):
                if (kept := self._kept.get(key)) is not None:
                    self._kept.move_to_end(key)
                    text, indices = kept
                    return Question(self._function, own, text, [begun.start + at for at in indices], begun)
        return Question(self._function, own, None, [], begun)

    def keep(self, question: Question, receipt: Receipt) -> None:
        """Keep the answer for later requests that continue the list."""
        if question.answer is None:
            return
        begun = question.begun
        covered = {change.index for change in receipt if change.code == "compressed"}
        indices = sorted(index - begun.start for index in covered if index is not None)
        if not indices or indices[0] < 0:
            return
        with self._lock:
            key = begun.keys[indices[-1]]
            self._kept[key] = question.answer, tuple(indices)
            self._kept.move_to_end(key)
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)


class _Beginnings:
    """A key for each length of a list, not counting system text at its start."""

    def __init__(self, elements: Sequence[Any]) -> None:
        roles = (element.get("role") if isinstance(element, dict) else None for element in elements)
        self.start = next((at for at, role in enumerate(roles) if role not in ("system", "developer")), len(elements))
        self.keys: list[int] = []
        before = 0
        for element in elements[self.start :]:
            before = hash((before, mark(element, whole=True)))
            self.keys.append(before)


class Question:
    """The summary of one request: the known text, and the function to ask for more."""

    def __init__(
        self, function: _Function, own: _Own, text: str | None, indices: list[int], begun: _Beginnings
    ) -> None:
        self._function, self._own, self._text, self.begun = function, own, text, begun
        self.known = None if text is None else {"summary": text, "indices": indices}
        self.answer: str | None = None

    def ask(self, gone: list[Any]) -> str:
        """The summary of the elements that `prepare` drops.

        Raises:
            PendingError: The answer must be awaited first.
            TurnwireError: `unknown_option` for an answer that nothing can await.
            TypeError: The answer is not a str.
        """
        # `prepare` puts its own form of the earlier summary first.
        gone = gone if self._text is None else gone[1:]
        self.answer = self._asked(gone)
        return self.answer

    def _asked(self, gone: list[Any]) -> str:
        # Hashes, because the function may change the elements that it gets.
        marks = tuple(mark(element, whole=True) for element in gone)
        answers = _answers.get()
        for known in answers or ():
            if known.function is self._function and known.gone == marks:
                if known.error is not None:
                    raise known.error
                return _text(known.text)
        answer = self._function(self._own(self._text, gone))
        if not isawaitable(answer):
            return _text(answer)
        if answers is not None:
            raise PendingError(self._function, marks, answer)
        if iscoroutine(answer):
            # Python warns about a coroutine that is never awaited or closed.
            answer.close()
        raise _not_awaited()


def _text(answer: object) -> str:
    if not isinstance(answer, str):
        raise TypeError(f"summarise: expected a function that returns a str, got {type(answer).__name__}")
    return answer


def _not_awaited() -> TurnwireError:
    expected = "summarise: expected a function that returns a str: in a synchronous call, it is not awaited"
    return TurnwireError(expected, code="unknown_option")
