"""A callback for smolagents. It edits the agent's own steps, because smolagents has no hook for just what is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from turnwire._core import Budget, Receipt, utf8_len
from turnwire._signature import spelled_out
from turnwire.types import AdapterOptions

from ._framework import missing, tested
from ._places import Element
from ._policy import Policy, unknown

try:
    from smolagents.memory import ActionStep

    from ._smolagents_steps import edited, elements_of, is_known, texts_of
except ImportError as error:
    raise missing("smolagents", error) from error

__all__ = ["step_callback"]

tested("smolagents", "1.20.0", "1.26.0")


@spelled_out
def step_callback(budget: int | Budget | None = None, **settings: Unpack[AdapterOptions]) -> Callable[..., None]:
    """Return a callback that keeps everything the next step sends, except for the system prompt, within the budget.

        agent = CodeAgent(tools, model, step_callbacks=[step_callback(300_000, on_receipt=print)])

    **It edits the agent's memory.** Texts of old steps are cut in place. A step that is dropped keeps its number, its
    timing and `model_output_message`, but sends nothing. Within the budget, nothing changes. The first request of a run
    is sent before there is a step, so it is not cut. Images do not count.

    Args:
        budget: UTF-8 bytes, or a `Budget`, of all texts that are sent, except for the system prompt.
        settings: `on_receipt`, `on_error`. Other options have no effect.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and `budget_too_small` at a step.
    """
    policy = Policy(
        budget,
        settings,
        no_summary="the agent's own steps are edited, and none could hold it",
        heeds_options=False,
    )

    def fit(memory_step: ActionStep, agent: Any) -> None:
        # The step that calls this callback is not in the memory yet.
        steps = [*(step for step in agent.memory.steps if step is not memory_step), memory_step]
        for step in steps:
            if not is_known(step):
                unknown(step)
        receipt = policy.tried(lambda: _fitted(policy, steps))
        if receipt is not None:
            policy.tell(receipt)

    return fit


def _fitted(policy: Policy, steps: list[Any]) -> Receipt:
    """Fit the steps to the budget. Text that smolagents adds around them counts, so it may take a few rounds."""
    count = policy.budget.count or utf8_len
    limit = policy.budget.max_tokens or policy.budget.max_bytes
    said = [texts_of(step) for step in steps]
    old = [elements_of(at, step) if said[at] else [] for at, step in enumerate(steps)]
    owner = [at for at, elements in enumerate(old) for _ in elements]
    flat = [element for elements in old for element in elements]
    extra = 0
    while True:
        built = policy.fitted(flat, "openai", extra)
        ready = built.render("openai")
        new: list[list[Element]] = [[] for _ in steps]
        for source, element in zip(ready.sources, ready.payload["messages"], strict=True):
            new[owner[source[0]]].append(element)
        left = [edited(*one) for one in zip(steps, old, new, strict=True)]
        now = (texts if new is old else texts_of(new) for texts, old, new in zip(said, steps, left, strict=True))
        over = sum(count(text) for texts in now for text in texts) - (limit or 0)
        if limit is None or over <= 0:
            break
        extra -= over
    for step, copy in zip(steps, left, strict=True):
        vars(step).update(vars(copy))
    return built.receipt
