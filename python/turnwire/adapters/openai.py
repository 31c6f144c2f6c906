"""OpenAI's client, whose every request is whole and within the budget."""

from __future__ import annotations

from typing import Any, Final, TypeVar, Unpack

from turnwire.names import DialectName

from ._client import prepared_body, profile, wrapped
from ._framework import missing, tested
from ._policy import Policy, Settings

try:
    from openai import AsyncOpenAI, NotGiven, Omit, OpenAI
except ImportError as error:
    raise missing("openai", error) from error

__all__ = ["wrap"]

tested("openai", "1.100.0", "3.54.0")

_C = TypeVar("_C", bound=OpenAI | AsyncOpenAI)
# What a path takes. `conversations` and sockets keep their history with the provider: they are left alone.
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
        settings: The options of `prepare`, `on_receipt`, `on_error`, and as `target` a profile of `openai`, such as
            `"openai:deepseek"`.

    Raises:
        TypeError: Another client.
        TurnwireError: As `prepare`, now for a wrong option, and from each request for its messages.
    """
    if not isinstance(client, OpenAI | AsyncOpenAI):
        raise TypeError(f"client: expected an OpenAI or AsyncOpenAI, got {type(client).__name__}")
    policy = Policy(max_bytes, settings)

    doors = {"/chat/completions": profile(policy, "openai"), **_RESPONSES}

    def prepared(path: str, body: Any) -> Any:
        return prepared_body(policy, body, doors[path], (NotGiven, Omit)) if path in doors else body

    return wrapped(client, prepared)
