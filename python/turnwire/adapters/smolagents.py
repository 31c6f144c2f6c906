"""A callback for smolagents. It edits the agent's own steps, because smolagents has no hook for just what is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Unpack

from turnwire._core import Receipt, utf8_len
from turnwire._signature import spelled_out

from ._framework import missing, tested
from ._idle import OF_RESULTS
from ._places import Element
from ._policy import Policy, Settings, unknown

try:
    from smolagents.memory import ActionStep

    from ._smolagents_steps import edited, elements_of, is_known, texts_of
except ImportError as error:
    raise missing("smolagents", error) from error

__all__ = ["step_callback"]

tested("smolagents", "1.20.0", "1.26.0")


@spelled_out
def step_callback(max_bytes: int | None = None, **settings: Unpack[Settings]) -> Callable[..., None]:
    """Return a callback that keeps everything the next step sends, except for the system prompt, within the budget.

        agent = CodeAgent(tools, model, step_callbacks=[step_callback(max_bytes=300_000, on_receipt=print)])

    **It edits the agent's memory.** Texts of old steps are cut in place. A step that is dropped keeps its number, its
    timing and `model_output_message`, but sends nothing. Within the budget, nothing changes. The first request of a run
    is sent before there is a step, so it is not cut. Images do not count.

    Args:
        max_bytes: UTF-8 bytes of all texts that are sent, except for the system prompt.
        settings: `max_tokens` with `count`, `reserve`, `max_result_bytes`, `max_result_tokens`, `on_cut`, `on_receipt`,
            `on_error`. Other options have no effect.

    Raises:
        TurnwireError: What `prepare` raises: here for a wrong option, and `budget_too_small` at a step.
    """
    policy = Policy(
        max_bytes,
        settings,
        no_summary="the agent's own steps are edited, and none could hold it",
        heeds=OF_RESULTS | {"reserve"},
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
    count = policy.options.get("count") or utf8_len
    limit = policy.options.get("max_tokens") or policy.max_bytes
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
