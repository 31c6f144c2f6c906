"""Wraps OpenAI's client so that each request is valid and within the budget."""

from __future__ import annotations

from typing import Any, Final, TypeVar, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions

from ._client import learned_body, profile, wrapped
from ._framework import missing, tested
from ._hosts import responses_at, target_at
from ._learning import Attempt, Learner
from ._policy import Policy
from ._way import Sent, Step

try:
    from openai import AsyncOpenAI, NotGiven, Omit, OpenAI
except ImportError as error:
    raise missing("openai", error) from error

__all__ = ["wrap"]

tested("openai", "1.100.0", "3.57.0")

_C = TypeVar("_C", bound=OpenAI | AsyncOpenAI)
_CHAT: Final = "/chat/completions"
_ABSENT: Final = (NotGiven, Omit)
# The paths of Responses. `conversations` and sockets are not prepared, because the provider keeps their history.
_RESPONSES: Final = ("/responses", "/responses/input_tokens")


@spelled_out
def wrap(client: _C, budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]) -> _C:
    """Return a copy of an OpenAI client that prepares each Chat Completions and Responses request before it is sent.

        client = wrap(OpenAI(), 300_000, on_receipt=print)

    `create`, `parse`, `stream`, raw responses and `with_options` all send in this way. Every other attribute is the
    client's own. Your client does not change, and both share their connections.

    Args:
        client: An `OpenAI` or `AsyncOpenAI`, or Azure's.
        budget: The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit. The
            definitions of tools count.
        settings: The options of `prepare`, `on_receipt`, `on_error`, `ledger` (with
            True, each request of a conversation continues the one before it), and as `target` a row of `openai` or of
            `openai-responses`, such as `"openai:deepseek"`. By default, the address decides. For an unknown address it
            is `openai:compatible`, which keeps keys that OpenAI does not know but other servers may, and for the usual
            port of a server on your own machine or network `openai:local`.

    Raises:
        TypeError: `client` is of another class.
        TurnwireError: What `prepare` raises: here for a wrong option, and from each request for its messages.
    """
    if not isinstance(client, OpenAI | AsyncOpenAI):
        raise TypeError(f"client: expected an OpenAI or AsyncOpenAI, got {type(client).__name__}")
    awaits = isinstance(client, AsyncOpenAI)
    policy = Policy(budget, settings, takes_ledger=True, awaits=awaits, no_rest="", no_cache="", no_learn="")
    rows, learner = profile(policy, "openai", "openai-responses"), Learner(policy)

    def targets(sender: Any) -> dict[str, str]:
        chat, responses = target_at(sender.base_url), responses_at(sender.base_url)
        return {"openai": rows.get("openai") or chat, "openai-responses": rows.get("openai-responses") or responses}

    def target(sender: Any, path: str, _: Any) -> str | None:
        if path == _CHAT:
            return targets(sender)["openai"]
        return targets(sender)["openai-responses"] if path in _RESPONSES else None

    def prepared(attempt: Attempt) -> Sent:
        return learned_body(policy, learner, attempt, _ABSENT)

    return wrapped(client, Step(target, prepared, learner, targets), awaits)
