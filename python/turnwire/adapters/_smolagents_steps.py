"""Turns smolagents' steps into exchanges of `openai` and back: the model's output and calls, then the observations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from smolagents.memory import ActionStep, MemoryStep, PlanningStep, SystemPromptStep, TaskStep

from ._places import Element

__all__ = ["edited", "elements_of", "is_known", "texts_of"]

# The key for the name of the step's field that a block is from.
_FIELD: Final = "field"


def texts_of(step: Any) -> list[str]:
    """The texts that a step sends, by its own `to_messages`."""
    if isinstance(step, SystemPromptStep) or not isinstance(step, MemoryStep):
        return []
    contents = (message.content or [] for message in step.to_messages())
    blocks = (block for said in contents for block in ([_text(said)] if isinstance(said, str) else said))
    return [block["text"] for block in blocks if block["type"] == "text"]


def _text(text: str) -> Element:
    return {"type": "text", "text": text}


def is_known(step: Any) -> bool:
    """Whether the texts of a step can be cut. The texts of other classes only count."""
    return isinstance(step, ActionStep | PlanningStep | TaskStep | SystemPromptStep)


def elements_of(at: int, step: Any) -> list[Element]:
    """The elements for the step at index `at`, which has some text; an empty list for another class."""
    if isinstance(step, TaskStep):
        return [{"role": "user", "content": step.task}]
    if isinstance(step, PlanningStep):
        return [{"role": "assistant", "content": step.plan}]
    if not isinstance(step, ActionStep):
        return []
    arguments = json.dumps([call.arguments for call in step.tool_calls or ()], ensure_ascii=False, default=str)
    function = {"name": "step", "arguments": f'{{"calls":{arguments}}}'}
    said = {"role": "assistant", "content": step.model_output or None}
    seen = {"observations": step.observations, "error": step.error and str(step.error)}
    texts = [{"type": "text", "text": text, _FIELD: field} for field, text in seen.items() if text]
    return [
        {**said, "tool_calls": [{"id": str(at), "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": str(at), "content": texts or ""},
    ]


def edited(step: Any, old: Sequence[Element], new: Sequence[Element]) -> Any:
    """A copy of a step with what is left of its elements; the step itself if nothing changed."""
    if [*old] == [*new]:
        return step
    said: Any = new[0]["content"] if new else None
    if isinstance(step, TaskStep):
        return replace(step, task=said or "")
    if isinstance(step, PlanningStep):
        return replace(step, plan=said or "")
    if not new:
        return replace(step, model_output=None, tool_calls=None, observations=None, error=None)
    call, result = new[0]["tool_calls"][0], new[1]
    arguments = json.loads(call["function"]["arguments"])["calls"]
    calls = [replace(one, arguments=args) for one, args in zip(step.tool_calls or (), arguments, strict=True)]
    # `openai` writes a result with a single text as a string.
    content = result["content"]
    blocks = content if isinstance(content, list) else [{**block, "text": content} for block in old[1]["content"][:1]]
    seen = {block[_FIELD]: block["text"] for block in blocks}
    return replace(
        step,
        model_output=said,
        tool_calls=step.tool_calls and calls,
        observations=seen.get("observations"),
        error=_with_text(step.error, seen.get("error")),
    )


def _with_text(error: Any, text: str | None) -> Any:
    """An error of the same class with another message. It skips the constructor, which would log the error again."""
    if error is None or text is None or text == str(error):
        return error if text is not None else None
    new: Any = Exception.__new__(type(error))
    new.args, new.message = (text,), text
    return new
