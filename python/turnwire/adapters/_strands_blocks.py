"""Content blocks that Strands' model of another provider would lose or refuse, as blocks that it writes."""

from __future__ import annotations

from collections.abc import Sequence
from operator import is_
from typing import Any, Final

from turnwire._core import Loss

from ._losses import lost

__all__ = ["native"]

Block = dict[str, Any]

# Strands' own models of other providers than Bedrock: in modules of these names.
_MODELS: Final = ("openai", "openai_responses", "anthropic")
_PACKAGE: Final = "strands.models."
_WHY: Final = {
    "reasoning": "Strands does not write it for this model",
    "key": "Strands writes only its text for this model",
    "media": "Strands does not write it for this model",
}


def native(messages: Sequence[Any], model: Any, as_text: bool) -> tuple[Sequence[Any], list[Loss]]:
    """The messages with blocks that the model's own writer takes, and what is lost; the very list where all are.

    Strands' messages do not say who made them: reasoning with a signature goes to all models that can take one.
    """
    name = _name_of(type(model))
    if name not in _MODELS:
        return messages, []
    losses: list[Loss] = []
    out: list[Any] = []
    for at, message in enumerate(messages):
        content = message.get("content") if isinstance(message, dict) else None
        made = [_block(block, name, as_text) for block in content] if isinstance(content, list) else []
        if not any(code for _, code in made):
            out.append(message)
            continue
        told = [(place, code) for place, (_, code) in enumerate(made) if code]
        losses += [lost(code, ("messages", at, "content", place), _WHY[code]) for place, code in told if code in _WHY]
        # A message that has nothing left goes as any empty one.
        out.append({**message, "content": [block for blocks, _ in made for block in blocks]})
    return (messages if all(map(is_, out, messages)) else out), losses


def _name_of(kind: type) -> str:
    """The module of Strands' class that a model is of."""
    modules = (one.__module__ for one in kind.__mro__)
    return next((module[len(_PACKAGE) :] for module in modules if module.startswith(_PACKAGE)), "")


def _block(block: Any, model: str, as_text: bool) -> tuple[list[Any], str]:
    """What stands for a block, and the code of what is lost of it; "text" where it is another, and nothing is lost."""
    if not isinstance(block, dict):
        return [block], ""
    if (cited := block.get("citationsContent")) is not None:
        return [{"text": part["text"]} for part in cited.get("content") or () if part.get("text")], "key"
    if (thought := block.get("reasoningContent")) is not None:
        text = thought.get("reasoningText") or {}
        if model == "anthropic" and ("redactedContent" in thought or text.get("signature")):
            return [block], ""
        return ([{"text": text["text"]}], "text") if as_text and text.get("text") else ([], "reasoning")
    if (guarded := block.get("guardContent")) is not None:
        if said := (guarded.get("text") or {}).get("text"):
            return [{"text": said}], "key"
        return ([{"image": guarded["image"]}], "key") if "image" in guarded else ([], "key")
    media: Any = block.get("image") or block.get("document") or {}
    if "video" in block or "location" in (media.get("source") or {}):
        return [], "media"
    return [block], ""
