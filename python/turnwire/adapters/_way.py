"""A request of a wrapped client on its way: what each wrapper makes of it, and whether it goes a second time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, TypeVar

from turnwire.errors import TurnwireError

from ._learning import Attempt, Learner
from ._summaries import later

__all__ = ["Sent", "Step", "Way"]

_T = TypeVar("_T")

Sent = tuple[Any, Mapping[str, str]]
"""A body, and the headers that it needs. Several values of one are joined by commas."""


class Step(NamedTuple):
    """What one wrapper does with a request.

    Attributes:
        target: From the client that posts, the path and the body to the row for the request; None for one that goes
            as it is.
        prepared: From an attempt to what is sent instead of its body.
        learner: What was learned about the server.
        targets: From the client that posts to its rows, by their formats.
        shows: From what is sent to the body that arrives, for a framework that writes it.
    """

    target: Callable[[Any, str, Any], str | None]
    prepared: Callable[[Attempt], Sent]
    learner: Learner
    targets: Callable[[Any], dict[str, str]]
    shows: Callable[[Any], Mapping[str, Any]] = dict


class Way:
    """One request.

    Attributes:
        body: What is sent.
        needs: The headers that each wrapper needs.
        is_whole: Whether the body holds what the caller adds to it, because a rule of the server may concern that.
    """

    is_whole = False

    def __init__(self, sender: Any, steps: tuple[Step, ...], path: str, body: Any, more: Mapping[str, Any]) -> None:
        self._steps, self._given = steps, body
        self._attempts: list[Attempt | None] = []
        for step in steps:
            target = step.target(sender, path, body)
            self._attempts.append(
                None if target is None or not isinstance(body, Mapping) else Attempt(target, body, step.shows)
            )
        self._is_named = _is_named(more, getattr(sender, "default_headers", {}))
        self._error: BaseException | None = None
        # What a caller adds to the body beside it: the SDK puts both together.
        self._extra: Mapping[str, Any] = (more.get("options") or {}).get("extra_json") or {}
        self.body: Any = body
        self.needs: list[Mapping[str, str]] = []

    def build(self) -> None:
        """Make what is sent, with what is known of the server now."""
        body, needs = self._whole(), list[Mapping[str, str]]()
        for step, attempt in zip(self._steps, self._attempts, strict=True):
            body, wanted = self._built(step, attempt, body)
            needs.append(wanted)
        self.body, self.needs = body, [one for one in needs if one]

    async def build_later(self) -> None:
        """The same where summaries are awaited."""
        body, needs = self._whole(), list[Mapping[str, str]]()
        for step, attempt in zip(self._steps, self._attempts, strict=True):
            # Each on its own: the first one reports once, though the second one waits for a summary and runs again.
            body, wanted = await later(partial(self._built, step, attempt, body))
            needs.append(wanted)
        self.body, self.needs = body, [one for one in needs if one]

    def go(self, send: Callable[[], _T]) -> _T:
        """Build the request, send it, and once more if the server's words teach something. At most twice."""
        self.build()
        try:
            reply = send()
        except Exception as error:
            if not self._goes_again(error):
                raise
            try:
                reply = send()
            except Exception as second:
                raise self._failed(second) from None
        self._replied()
        return reply

    async def go_later(self, send: Callable[[], Awaitable[_T]]) -> _T:
        """The same for an asynchronous client."""
        await self.build_later()
        try:
            reply = await send()
        except Exception as error:
            if not await self._goes_again_later(error):
                raise
            try:
                reply = await send()
            except Exception as second:
                raise self._failed(second) from None
        self._replied()
        return reply

    def _goes_again(self, error: BaseException) -> bool:
        """Whether the server is asked once more, with another body than before."""
        while self._learns(error):
            before = self._all()
            try:
                self.build()
            except Exception as fault:
                return self._cannot(error, fault)
            if self._differs(before):
                return True
        return False

    async def _goes_again_later(self, error: BaseException) -> bool:
        """The same where summaries are awaited."""
        while self._learns(error):
            before = self._all()
            try:
                await self.build_later()
            except Exception as fault:
                return self._cannot(error, fault)
            if self._differs(before):
                return True
        return False

    def _failed(self, second: BaseException) -> BaseException:
        """What the caller is told: the first error, which says what the second one was."""
        for step, attempt in self._known():
            step.learner.failed(attempt, second)
        return self._error or second

    def _replied(self) -> None:
        """Keep what was learned."""
        for step, attempt in self._known():
            step.learner.replied(attempt)

    def _all(self) -> Any:
        """The whole body that arrives at the server."""
        return {**self.body, **self._extra} if self._extra and not self.is_whole else self.body

    def _whole(self) -> Any:
        self.is_whole = bool(self._extra) and any(step.learner.knows(attempt) for step, attempt in self._known())
        return {**self._given, **self._extra} if self.is_whole else self._given

    def _built(self, step: Step, attempt: Attempt | None, body: Any) -> Sent:
        if attempt is None:
            return body, {}
        attempt.asked = body
        made = step.prepared(attempt)
        attempt.sent = {**made[0], **self._extra} if self._extra and not self.is_whole else made[0]
        return made

    def _known(self) -> list[tuple[Step, Attempt]]:
        pairs = zip(self._steps, self._attempts, strict=True)
        return [(step, attempt) for step, attempt in pairs if attempt is not None]

    def _learns(self, error: BaseException) -> bool:
        self._error = error
        # The wrapper that was put on last knows what was sent.
        return any(step.learner.after(attempt, error, self._is_named) for step, attempt in reversed(self._known()))

    def _differs(self, before: Any) -> bool:
        if self._all() != before:
            return True
        for step, attempt in self._known():
            step.learner.unchanged(attempt)
        return False

    def _cannot(self, error: BaseException, fault: Exception) -> bool:
        for step, attempt in self._known():
            step.learner.unchanged(attempt)
        if not isinstance(fault, TurnwireError):
            raise fault
        error.add_note(f"turnwire learned a rule from it, but cannot write this request by it: {fault}")
        return False


def _is_named(more: Mapping[str, Any], defaults: Mapping[str, Any]) -> bool:
    """Whether a request has an idempotency key: with another body, many servers refuse it."""
    options = more.get("options") or {}
    headers = options.get("headers") or {}
    names = {str(name).lower() for held in (headers, defaults) for name in held}
    return bool(options.get("idempotency_key")) or "idempotency-key" in names
