"""The summaries of an adapter: asked for at a cut, and found again by the messages that they sum up."""

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
"""So many summaries are kept; those that were not used for longest go first."""


class _Answer(NamedTuple):
    """What an asynchronous function gave for a question, or what it raised."""

    function: _Function
    gone: tuple[int, ...]
    text: object
    error: Exception | None = None


# Those of the request that is being built; None where nothing can be awaited.
_answers: Final[ContextVar[tuple[_Answer, ...] | None]] = ContextVar("turnwire_summaries", default=None)


class PendingError(Exception):
    """Ends a build that needs an answer which has to be awaited first: `later` awaits it and builds again."""

    def __init__(self, function: _Function, gone: tuple[int, ...], answer: Awaitable[object]) -> None:
        super().__init__()
        self.function, self.gone, self.answer = function, gone, answer


async def later(work: Callable[[], _T]) -> _T:
    """What `work` gives, where functions for summaries may be asynchronous."""
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
            # The build raises it, so that `on_error` holds for it.
            answers += (_Answer(asked.function, asked.gone, None, error),)


class Summaries:
    """For one adapter; any number of threads may share it.

    A framework gives the whole history with each request. So a summary is kept with the turns that it covers, and
    serves each list that begins with the same elements; system text before them may change.
    """

    def __init__(self, function: _Function, awaits: bool) -> None:
        """Look at the function.

        Args:
            function: `summarise` of `prepare`, which may be asynchronous.
            awaits: Whether the adapter can await it.

        Raises:
            TurnwireError: `unknown_option` for an asynchronous function that nothing could await.
        """
        called = getattr(function, "__call__", None)  # noqa: B004 - an object's own, which may be asynchronous
        if not awaits and (iscoroutinefunction(function) or iscoroutinefunction(called)):
            raise _not_awaited()
        self._function = function
        self._kept: OrderedDict[int, tuple[str, tuple[int, ...]]] = OrderedDict()
        self._lock = Lock()

    def question(self, elements: Sequence[Any], own: _Own) -> Question:
        """What is known of a list, and what to ask where more of it goes.

        Args:
            elements: The list of the payload.
            own: Gives an earlier summary, and elements that go, as what the function is called with.
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
        """Keep what was answered, for requests that go on with the list."""
        if question.answer is None:
            return
        begun = question.begun
        indices = sorted({change.index - begun.start for change in receipt if change.code == "compressed"})
        if not indices or indices[0] < 0:
            return
        with self._lock:
            key = begun.keys[indices[-1]]
            self._kept[key] = question.answer, tuple(indices)
            self._kept.move_to_end(key)
            if len(self._kept) > _MOST:
                self._kept.popitem(last=False)


class _Beginnings:
    """A key for each length of a list, without the system text that it begins with."""

    def __init__(self, elements: Sequence[Any]) -> None:
        roles = (element.get("role") if isinstance(element, dict) else None for element in elements)
        self.start = next((at for at, role in enumerate(roles) if role not in ("system", "developer")), len(elements))
        self.keys: list[int] = []
        before = 0
        for element in elements[self.start :]:
            before = hash((before, mark(element, whole=True)))
            self.keys.append(before)


class Question:
    """The summary of one request: what is known, and the function that is asked for more."""

    def __init__(
        self, function: _Function, own: _Own, text: str | None, indices: list[int], begun: _Beginnings
    ) -> None:
        self._function, self._own, self._text, self.begun = function, own, text, begun
        self.known = None if text is None else {"summary": text, "indices": indices}
        self.answer: str | None = None

    def ask(self, gone: list[Any]) -> str:
        """The answer to what `prepare` asks with.

        Raises:
            PendingError: It has to be awaited.
            TurnwireError: `unknown_option` where nothing can await it.
            TypeError: It is no str.
        """
        # `prepare` puts the earlier summary first, in a form of its own.
        gone = gone if self._text is None else gone[1:]
        self.answer = self._asked(gone)
        return self.answer

    def _asked(self, gone: list[Any]) -> str:
        # By marks, because the function may change what it is given.
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
            # Python warns of one that is left alone.
            answer.close()
        raise _not_awaited()


def _text(answer: object) -> str:
    if not isinstance(answer, str):
        raise TypeError(f"summarise: expected a function that returns a str, got {type(answer).__name__}")
    return answer


def _not_awaited() -> TurnwireError:
    expected = "summarise: expected a function that returns a str: in a synchronous call nothing awaits another one"
    return TurnwireError(expected, code="unknown_option")
