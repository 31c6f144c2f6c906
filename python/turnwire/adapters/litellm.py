"""A callback for LiteLLM, its router and its proxy; and, because no callback sees it, a synchronous completion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Unpack

from turnwire._adapt import to_plain
from turnwire.errors import TurnwireError
from turnwire.names import DialectName

from ._framework import missing, tested
from ._places import Element, woven
from ._policy import Policy, Settings

try:
    import litellm
    from litellm.integrations.custom_logger import CustomLogger
except ImportError as error:
    raise missing("litellm", error) from error

__all__ = ["callback", "completion"]

tested("litellm", "1.83.0", "1.110.2")


class _Callback(CustomLogger):
    """What `callback` gives."""

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        self._policy = policy

    async def async_pre_call_deployment_hook(self, kwargs: dict[str, Any], call_type: Any) -> dict[str, Any]:
        """What is sent to the deployment that was chosen; of calls that are no chat completion, what came."""
        if getattr(call_type, "value", None) != "acompletion":
            return kwargs
        try:
            return _prepared(self._policy, kwargs)
        except TurnwireError as error:
            # The proxy answers with it: what is wrong is the request, and sending it again does not help.
            error.status_code = 400  # type: ignore[attr-defined]
            raise


def callback(max_bytes: int | None = None, **settings: Unpack[Settings]) -> CustomLogger:
    """A callback by which every `acompletion`, of a `Router` and the proxy, too, is whole and within the budget.

        litellm.callbacks = [callback(max_bytes=300_000, on_receipt=print)]
        reply = await litellm.acompletion(model="claude-opus-4-5", messages=messages)

    LiteLLM asks no callback about the synchronous `completion`: there is `completion` for it. The list of messages that
    you keep is not changed, and messages that nothing was wrong with are the same objects.

    Args:
        max_bytes: As in `prepare`. The definitions of tools count.
        settings: The options of `prepare`, `on_receipt`, `on_error`, and `target`: without one, `openai` where LiteLLM
            says that the model is OpenAI's, and elsewhere what is wrong everywhere; it writes the provider's format.

    Raises:
        TurnwireError: As `prepare`, now for a wrong option, and from each call for its messages.
    """
    return _Callback(Policy(max_bytes, settings))


def completion(max_bytes: int | None = None, **settings: Unpack[Settings]) -> Callable[..., Any]:
    """`litellm.completion`, whose messages are whole and within the budget.

        complete = completion(max_bytes=300_000, on_receipt=print)
        reply = complete(model="gpt-5", messages=messages, stream=True)

    Args:
        max_bytes: As in `callback`.
        settings: As in `callback`.

    Raises:
        TurnwireError: As `callback`.
    """
    policy = Policy(max_bytes, settings)

    def complete(model: str, messages: list[Any], **more: Any) -> Any:
        return litellm.completion(**_prepared(policy, {"model": model, "messages": messages, **more}))

    return complete


def _prepared(policy: Policy, asked: dict[str, Any]) -> dict[str, Any]:
    beside = {key: asked[key] for key in ("model", "tools", "tool_choice") if asked.get(key)}
    given, target = asked.get("messages") or [], policy.target or _target(asked)
    messages = woven(
        policy,
        given,
        _elements,
        _rebuilt,
        "openai",
        "messages",
        target=target,
        beside=beside,
        # It parses them for other providers, and refuses the whole request.
        only_objects=target is None or not target.startswith("openai"),
        own_keys=True,
    )
    return asked if messages is given else {**asked, "messages": [*messages]}


def _target(asked: dict[str, Any]) -> DialectName | None:
    try:
        provider = litellm.get_llm_provider(asked["model"], custom_llm_provider=asked.get("custom_llm_provider"))[1]
    except Exception:  # a name that LiteLLM does not know either, which it says itself
        return None
    return "openai" if provider in ("openai", "azure") else None


def _elements(message: Any) -> list[Element] | None:
    plain = message if isinstance(message, Mapping) else to_plain(message)
    return [dict(plain)] if isinstance(plain, Mapping) else None


def _rebuilt(message: Any, elements: list[Element]) -> list[Any]:
    return [*elements]
