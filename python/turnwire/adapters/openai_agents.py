"""A filter for the OpenAI Agents SDK: it changes the input of each call of the model, never the session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Unpack

from turnwire._core import Budget
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions

from ._framework import missing, tested
from ._ledgers import Carrier
from ._places import woven
from ._policy import Policy
from ._summaries import later

try:
    from agents.models._openai_shared import get_use_responses_by_default
    from agents.models.interface import Model
    from agents.models.openai_responses import OpenAIResponsesModel
    from agents.run import CallModelData, ModelInputData
    from agents.tracing import get_current_trace

    from ._openai_agents_items import elements_of, rebuilt, texts_first
except ImportError as error:
    raise missing("openai-agents", error) from error

__all__ = ["input_filter"]

tested("openai-agents", "0.6.0", "0.24.0")

_HELD: Final = {"previous_response_id": "what the server holds"}


@spelled_out
def input_filter(
    budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]
) -> Callable[[CallModelData[Any]], ModelInputData | Awaitable[ModelInputData]]:
    """Return a filter that makes the input of each model call valid and keeps it within the budget.

        config = RunConfig(call_model_input_filter=input_filter(300_000, on_receipt=print))
        result = await Runner.run(agent, "Hello", session=session, run_config=config)

    Items that need no change are the same objects. The session and `result.to_input_list()` keep all items unchanged.
    If the server keeps the conversation, an input has only new items: results may come without their calls, and are
    only cut.

    Args:
        budget: The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit. The
            instructions count, the definitions of tools do not.
        settings: The options of `prepare`, `on_receipt`, `on_error`, `target` for other rules than `openai-responses`,
            and `ledger`, whose conversation is the `group_id` of the `RunConfig`, or else the list.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and from each call of the model for its input.
    """
    policy = Policy(budget, settings, takes_ledger=True)

    def filtered(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        beside = {} if _begun(given.input) else {**_HELD}
        if given.instructions:
            beside["instructions"] = given.instructions
        model = getattr(data.agent, "model", None)
        if isinstance(name := getattr(model, "model", model), str):
            beside["model"] = name
        target = policy.target or "openai-responses"
        items, ready = made = woven(
            policy,
            given.input,
            elements_of,
            rebuilt,
            "openai-responses",
            "input",
            target=target,
            beside=beside,
            carrier=_carrier(data),
        )
        told = made.head("instructions", given.instructions) if ready else given.instructions
        if _writes_chat(model):
            items = texts_first(items)
        same = items is given.input and told is given.instructions
        return given if same else ModelInputData(input=[*items], instructions=told)

    def filtered_later(data: CallModelData[Any]) -> Awaitable[ModelInputData]:
        return later(lambda: filtered(data))

    return filtered_later if policy.sums_up else filtered


def _carrier(data: CallModelData[Any]) -> Carrier:
    """The run's trace group, which is the SDK's name for a conversation, and the agent, because each has its list."""
    group = getattr(get_current_trace(), "group_id", None)
    return Carrier(group, getattr(data.agent, "name", None), system=True)


def _begun(items: list[Any]) -> bool:
    """Whether an input is a whole conversation: it has items of the model, or no results of its calls."""
    types = [str(item.get("type", "")) for item in items if isinstance(item, dict)]
    answers = [kind.endswith("_output") for kind in types]
    of_model = (item.get("role") == "assistant" for item in items if isinstance(item, dict))
    return not any(answers) or any(of_model) or any(kind.endswith("_call") or kind == "reasoning" for kind in types)


def _writes_chat(model: Any) -> bool:
    """Whether the SDK uses Chat Completions for an agent's model."""
    if isinstance(model, str) and "/" in model:
        return not model.startswith("openai/")
    if isinstance(model, Model):
        return not isinstance(model, OpenAIResponsesModel)
    return not get_use_responses_by_default()
