"""Wraps OpenAI's client so that each request is valid and within the budget."""

from __future__ import annotations

from typing import Any, Final, TypeVar, Unpack

from turnwire.names import DialectName

from ._client import Sent, prepared_body, profile, wrapped
from ._framework import missing, tested
from ._hosts import target_at
from ._policy import Policy, Settings

try:
    from openai import AsyncOpenAI, NotGiven, Omit, OpenAI
except ImportError as error:
    raise missing("openai", error) from error

__all__ = ["wrap"]

tested("openai", "1.100.0", "3.54.0")

_C = TypeVar("_C", bound=OpenAI | AsyncOpenAI)
_CHAT: Final = "/chat/completions"
_ABSENT: Final = (NotGiven, Omit)
# What another path takes. `conversations` and sockets keep their history with the provider: they are left alone.
_RESPONSES: Final[dict[str, DialectName]] = {
    "/responses": "openai-responses",
    "/responses/input_tokens": "openai-responses",
}


def wrap(client: _C, max_bytes: int | None = None, **settings: Unpack[Settings]) -> _C:
    """The same client, synchronous or not, Azure's too, whose Chat Completions and Responses are prepared.

        client = wrap(OpenAI(), max_bytes=300_000, on_receipt=print)

    `create`, `parse`, `stream`, raw responses and `with_options` all send in this way; every other attribute is the
    client's own. The client that you hand in stays as it is, and both share their connections.

    Args:
        client: An `OpenAI` or `AsyncOpenAI`.
        max_bytes: As in `prepare`. The definitions of tools count.
        settings: The options of `prepare`, `on_receipt`, `on_losses`, `on_error`, `ledger` (with
            True, each request of a conversation goes on where the one before it ended), and as `target` a profile of
            `openai`, such as `"openai:deepseek"`. Without one, the address says whose servers they are; of an address
            that is unknown, `openai:compatible`, which keeps keys that its servers may know beyond OpenAI.

    Raises:
        TypeError: Another client.
        TurnwireError: As `prepare`, now for a wrong option, and from each request for its messages.
    """
    if not isinstance(client, OpenAI | AsyncOpenAI):
        raise TypeError(f"client: expected an OpenAI or AsyncOpenAI, got {type(client).__name__}")
    awaits = isinstance(client, AsyncOpenAI)
    policy = Policy(max_bytes, settings, takes_ledger=True, awaits=awaits, no_rest="", no_cache="")
    chat = profile(policy, "openai")

    def prepared(sender: Any, path: str, body: Any) -> Sent:
        if path == _CHAT:
            return prepared_body(policy, body, target_at(sender.base_url) if policy.target is None else chat, _ABSENT)
        return prepared_body(policy, body, _RESPONSES[path], _ABSENT) if path in _RESPONSES else (body, ())

    return wrapped(client, prepared, awaits and policy.sums_up)
