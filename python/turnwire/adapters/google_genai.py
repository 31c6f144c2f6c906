"""Wraps Google's client so that each request for content is valid and within the budget."""

from __future__ import annotations

from typing import Any, Final, TypeVar, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions, DialectName

from ._client import prepared_body, profile
from ._framework import missing, tested
from ._gemini import target_of
from ._google_genai_client import wrapped
from ._policy import Policy

try:
    from google.genai import Client
except ImportError as error:
    raise missing("google-genai", error) from error

__all__ = ["wrap"]

tested("google-genai", "1.45.0", "3.6.1")

_C = TypeVar("_C", bound=Client)
_NO_LEARN: Final = "only rows of OpenAI's and Anthropic's formats are learned about"
_DOORS: Final = ("generateContent", "streamGenerateContent")


@spelled_out
def wrap(client: _C, budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]) -> _C:
    """Return a copy of Google's client that prepares the contents of each request, also under `aio`.

        client = wrap(Client(), 300_000, on_receipt=print)

    `models.generate_content` and `generate_content_stream`, `chats`, the SDK's automatic calls of Python functions, and
    all of these under `aio` send in this way, with Vertex AI, too. Every other attribute is the client's own. Your
    client does not change, and both share their connections.

    Args:
        client: A `Client` of `google.genai`.
        budget: The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit. The
            declarations of tools count.
        settings: The options of `prepare`, `on_receipt`, `on_error`, `ledger` (with
            True, each request of a conversation continues the one before it), and `target`: by default `gemini` for
            models of the third generation and later, which require the signatures of their calls, and `gemini:2` for
            all others. `summarise` may be asynchronous if the request is.

    Raises:
        TypeError: `client` is of another class.
        TurnwireError: What `prepare` raises: here for a wrong option, and from each request for its contents.
    """
    if not isinstance(client, Client):
        raise TypeError(f"client: expected a Client of google.genai, got {type(client).__name__}")
    policy = Policy(
        budget, settings, takes_ledger=True, no_cache="Gemini has no marks of a prompt cache", no_learn=_NO_LEARN
    )
    if policy.target is not None:
        profile(policy, "gemini")

    def prepared(path: str, body: Any) -> Any:
        model, _, door = path.partition("?")[0].rpartition(":")
        if door not in _DOORS or not isinstance(body, dict):
            return body
        # Keys that the SDK adds for its own use.
        notes = {key: value for key, value in body.items() if key.startswith("_")}
        asked = {key: value for key, value in body.items() if key not in notes}
        target: DialectName = policy.target or target_of(model)
        # No body of Gemini's needs a header.
        return {**notes, **prepared_body(policy, asked, target, ())[0]}

    return wrapped(client, prepared)
