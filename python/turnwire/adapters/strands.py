"""A middleware for Strands' agents, for the input of the model and nothing that the agent keeps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Unpack

from ._framework import missing, tested
from ._places import Element, woven
from ._policy import Policy, Settings

try:
    from strands.middleware import InvokeModelContext
except ImportError as error:
    raise missing("strands-agents", error) from error

__all__ = ["middleware"]

tested("strands-agents", "1.62.0", "1.62.0")


def middleware(
    max_bytes: int | None = None, **settings: Unpack[Settings]
) -> Callable[[InvokeModelContext], InvokeModelContext]:
    """A middleware: what an agent's model gets is whole and within the budget, and `agent.messages` is all of it.

        agent.add_middleware(InvokeModelStage.Input, middleware(max_bytes=300_000, on_receipt=print))

    A conversation manager is not needed for this, and acts too late: when the model has refused. Strands' messages are
    those of `bedrock`, for any model. Messages that were not changed are the same objects.

    Args:
        max_bytes: As in `prepare`. The system prompt and the definitions of tools count.
        settings: The options of `prepare`, `on_receipt`, `on_error`.

    Raises:
        TurnwireError: As `prepare`, now for a wrong option, and from each call of the model for its messages.
    """
    policy = Policy(max_bytes, settings)

    def prepared(context: InvokeModelContext) -> InvokeModelContext:
        system = context.system_prompt
        beside: dict[str, Any] = {}
        if context.tool_specs:
            beside["toolConfig"] = {"tools": [{"toolSpec": {**spec}} for spec in context.tool_specs]}
        if system:
            beside["system"] = [{"text": system}] if isinstance(system, str) else system
        if name := _model_id(context.model):
            beside["model"] = name
        target = policy.target or "bedrock"
        given = context.messages
        messages = woven(
            policy, given, _elements, _rebuilt, "bedrock", "messages", target=target, beside=beside
        ).messages
        return context if messages is given else context.replace(messages=[*messages])

    return prepared


def _model_id(model: Any) -> str | None:
    """The name of the model that is asked: it decides whose reasoning is checked."""
    config = model.get_config() if hasattr(model, "get_config") else {}
    name = config.get("model_id") if isinstance(config, Mapping) else None
    return name if isinstance(name, str) else None


def _elements(message: Any) -> list[Element] | None:
    # What else it holds is Strands' own and is not sent.
    return [{key: message[key] for key in ("role", "content")}] if isinstance(message, dict) else None


def _rebuilt(message: Any, elements: list[Element]) -> list[Any]:
    return [{**(message or {}), **element} for element in elements]
