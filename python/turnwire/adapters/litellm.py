"""A callback for LiteLLM, its router and its proxy, and a synchronous completion, which LiteLLM's callbacks miss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Unpack

from turnwire._core import Budget
from turnwire._log import logger
from turnwire._signature import spelled_out
from turnwire.errors import TurnwireError
from turnwire.types import AdapterOptions

from ._framework import missing, tested
from ._policy import Policy
from ._summaries import later

try:
    from litellm.integrations.custom_logger import CustomLogger

    from ._litellm_call import prepared
    from ._litellm_completion import SEEN, completing
except ImportError as error:
    raise missing("litellm", error) from error

__all__ = ["callback", "completion"]

tested("litellm", "1.83.0", "1.110.2")


_NO_REST: Final = "LiteLLM takes OpenAI's settings for every provider, and converts them itself"
_NO_LEARN: Final = "a callback cannot send a request again: turnwire.adapters.litellm.completion can"
_logger: Final = logger.getChild("adapters")


class _Callback(CustomLogger):
    """What `callback` returns."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy

    def log_pre_api_call(self, model: str, messages: list[Any], kwargs: dict[str, Any]) -> None:
        """Log an error for a synchronous call, which no callback can change. LiteLLM ignores what is raised here."""
        asynchronous = (kwargs.get("litellm_params") or {}).get("acompletion")
        if kwargs.get("call_type") == "completion" and not asynchronous and not SEEN.get():
            _logger.error(
                "LiteLLM asks no callback about its synchronous completion, and this request is sent as it is: "
                "litellm.completion = turnwire.adapters.litellm.completion(...) prepares those, too"
            )

    async def async_pre_call_deployment_hook(self, kwargs: dict[str, Any], call_type: Any) -> dict[str, Any]:
        """The arguments for the chosen deployment. Calls that are not chat completions do not change."""
        if getattr(call_type, "value", None) != "acompletion":
            return kwargs
        try:
            return await later(lambda: prepared(self._policy, kwargs))
        except TurnwireError as error:
            # The proxy answers with this status. The request itself is wrong, so sending it again does not help.
            error.status_code = 400  # type: ignore[attr-defined]
            raise


@spelled_out
def callback(budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]) -> CustomLogger:
    """Return a callback that makes each `acompletion`, also of a `Router` and the proxy, valid and within the budget.

        litellm.callbacks = [callback(300_000, on_receipt=print)]
        reply = await litellm.acompletion(model="claude-opus-4-5", messages=messages)

    LiteLLM calls no callback before the synchronous `completion`. Use the `completion` of this module for it: without
    it, each such call logs an error. Your own list of messages does not change, and messages that need no change are
    the same objects.

    Args:
        budget: The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit. The
            definitions of tools count.
        settings: The options of `prepare`, `on_receipt`, `on_error`, and `target`. The default target is
            `openai` for a model that LiteLLM calls OpenAI's, or the provider at its `api_base`. For others, only what
            every provider refuses is repaired, and LiteLLM writes the provider's format. `ledger`: a conversation is a
            `litellm_session_id`, or else the list.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and from each call for its messages.
    """
    return _Callback(Policy(budget, settings, takes_ledger=True, no_rest=_NO_REST, no_learn=_NO_LEARN))


@spelled_out
def completion(budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]) -> Callable[..., Any]:
    """Return a `litellm.completion` that makes each request valid and keeps it within the budget.

        complete = completion(300_000, on_receipt=print)
        reply = complete(model="gpt-5", messages=messages, stream=True)

    After `litellm.completion = completion(…)`, everything that calls it there uses this one: a `Router`, DSPy,
    smolagents. If you set it again, the new one replaces the old one.

    Args:
        budget: The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit. The
            definitions of tools count.
        settings: The options of `prepare`, `on_receipt`, `on_error`, and `target`, with the same defaults
            and the same `ledger` as those of `callback`, and `learn` for servers of OpenAI's format.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and from each call for its messages.
    """
    return completing(Policy(budget, settings, takes_ledger=True, awaits=False, no_rest=_NO_REST, no_learn=""))
