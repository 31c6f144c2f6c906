"""Makes a `litellm.completion` that prepares each request, and sends it again where its server teaches a rule."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

import litellm

from turnwire._core import Receipt

from ._learning import Attempt, Learner
from ._litellm_call import prepared, target_of
from ._policy import Policy
from ._way import Sent, Step, Way

__all__ = ["SEEN", "completing"]

SEEN: Final = ContextVar("turnwire_litellm", default=False)
"""Whether the call that is being made went through `completing`'s function."""


def completing(policy: Policy) -> Callable[..., Any]:
    """A `litellm.completion` of a policy. It replaces one that another policy made."""
    learner = Learner(policy)

    def target(_: Any, __: str, asked: Any) -> str:
        return policy.target or target_of(asked) or ""

    def built(attempt: Attempt) -> Sent:
        asked = dict(attempt.asked)
        if not learner.learns(attempt):
            return prepared(policy, asked), {}
        row, said = learner.built(attempt, asked)
        made, told = learner.settings(attempt, said, row, frozenset(("messages", "tools", "tool_choice")))
        policy.tell(Receipt()._with(told))
        return prepared(policy, dict(made), row), {}

    step = Step(target, built, learner, lambda _: {})
    plain = getattr(litellm.completion, "_turnwire", litellm.completion)

    @functools.wraps(plain)
    def complete(model: str, messages: Any = (), **more: Any) -> Any:
        headers = {**(more.get("headers") or {}), **(more.get("extra_headers") or {})}
        asked = {"model": model, "messages": messages, **more}
        way = Way(None, (step,), "", asked, {"options": {"headers": headers}})
        mark = SEEN.set(True)
        try:
            return way.go(lambda: plain(**way.body))
        finally:
            SEEN.reset(mark)

    complete._turnwire = plain  # type: ignore[attr-defined]
    return complete
