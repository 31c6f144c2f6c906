"""Wraps Anthropic's client so that each request is valid and within the budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions

from ._client import learned_body, profile, wrapped
from ._framework import missing, tested
from ._hosts import messages_at
from ._learning import Attempt, Learner
from ._policy import Policy
from ._way import Sent, Step

try:
    import anthropic
    from anthropic import (
        Anthropic,
        AnthropicBedrock,
        AnthropicVertex,
        AsyncAnthropic,
        AsyncAnthropicBedrock,
        AsyncAnthropicVertex,
        NotGiven,
        Omit,
    )
except ImportError as error:
    raise missing("anthropic", error) from error

if TYPE_CHECKING:
    from anthropic import AnthropicBedrockMantle, AsyncAnthropicBedrockMantle

    _Client = (
        Anthropic
        | AsyncAnthropic
        | AnthropicBedrock
        | AsyncAnthropicBedrock
        | AnthropicBedrockMantle
        | AsyncAnthropicBedrockMantle
        | AnthropicVertex
        | AsyncAnthropicVertex
    )

__all__ = ["wrap"]

tested("anthropic", "0.75.0", "2.14.0")

# Older versions have no client for Bedrock's newer endpoint. All others are of these classes, or of their subclasses.
_ASYNCHRONOUS: Final[tuple[type, ...]] = (
    AsyncAnthropic,
    AsyncAnthropicBedrock,
    AsyncAnthropicVertex,
    getattr(anthropic, "AsyncAnthropicBedrockMantle", AsyncAnthropic),
)
_CLIENTS: Final[tuple[type, ...]] = (
    Anthropic,
    AnthropicBedrock,
    AnthropicVertex,
    getattr(anthropic, "AnthropicBedrockMantle", Anthropic),
    *_ASYNCHRONOUS,
)
_C = TypeVar("_C", bound="_Client")
# The paths whose bodies are prepared. Tokens are counted of what would be sent.
_DOORS: Final = {"/v1/messages", "/v1/messages/count_tokens"}


@spelled_out
def wrap(client: _C, budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]) -> _C:
    """Return a copy of an Anthropic client that prepares each Messages request before it is sent.

        client = wrap(Anthropic(), 300_000, on_receipt=print)

    `create`, `parse`, `stream`, `count_tokens`, raw responses, `beta.messages` with its tool runner, and `with_options`
    all send in this way. Every other attribute is the client's own. Your client does not change, and both share their
    connections. A request that continues a thread on the server is not changed, because the server has the history:
    `tool_runner(thread=False)` sends its own. Batches are not changed either.

    Args:
        client: An `Anthropic` or `AsyncAnthropic`, or one of the SDK's classes for a cloud, such as `AnthropicBedrock`.
        budget: The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit. The
            definitions of tools count.
        settings: The options of `prepare`, `on_receipt`, `on_error`, and `ledger`: with
            True, each request of a conversation continues the one before it, and has the beta headers that it needs. By
            default, the address decides whether the server is Anthropic's or one that is compatible with it; `target`
            names its row, such as `"anthropic:deepseek"`.

    Raises:
        TypeError: `client` is of another class.
        TurnwireError: What `prepare` raises: here for a wrong option, and from each request for its messages.
    """
    if not isinstance(client, _CLIENTS):
        raise TypeError(f"client: expected an Anthropic or AsyncAnthropic, got {type(client).__name__}")
    awaits = isinstance(client, _ASYNCHRONOUS)
    policy = Policy(budget, settings, takes_ledger=True, awaits=awaits, no_rest="", no_cache="", no_learn="")
    rows, learner = profile(policy, "anthropic"), Learner(policy)

    def targets(sender: Any) -> dict[str, str]:
        return {"anthropic": rows.get("anthropic") or messages_at(getattr(sender, "base_url", None))}

    def target(sender: Any, path: str, body: Any) -> str | None:
        return None if path not in _DOORS or _goes_on(body) else targets(sender)["anthropic"]

    def prepared(attempt: Attempt) -> Sent:
        return learned_body(policy, learner, attempt, (NotGiven, Omit))

    return wrapped(client, Step(target, prepared, learner, targets), awaits)


def _goes_on(body: Any) -> bool:
    """Whether a request has only what is new since the last one."""
    thread = body.get("thread") if isinstance(body, Mapping) else None
    return isinstance(thread, Mapping) and thread.get("type") != "create"
