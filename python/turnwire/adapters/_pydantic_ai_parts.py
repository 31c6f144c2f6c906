"""Takes parts of other providers that the model cannot read out of Pydantic AI's messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from operator import is_
from typing import Any, Final

from pydantic_ai.messages import (
    CompactionPart,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    ThinkingPart,
    UploadedFile,
    UserPromptPart,
)

from turnwire._core import Change

from ._changes import lost
from ._places import Element
from ._pydantic_ai_messages import elements_of

__all__ = ["lost_later", "native", "systems_of"]

_OPAQUE: Final = (NativeToolCallPart, NativeToolReturnPart, CompactionPart)
_WHY: Final = {
    "opaque": "only its own provider knows this part",
    "reasoning": "only the provider that made it can replay reasoning",
    "media": "only its own provider can fetch this",
}


def systems_of(model: Any) -> frozenset[str]:
    """The providers that a model may call; empty if they are not known. A `FallbackModel` has several."""
    chain = getattr(model, "models", None) or getattr(getattr(model, "wrapped", None), "models", None)
    if isinstance(chain, list | tuple):
        each = [systems_of(one) for one in chain]
        return frozenset().union(*each) if all(each) else frozenset()
    whose = getattr(model, "system", None)
    if not isinstance(whose, str) or not whose.replace("-", "").isalnum() or whose in ("function", "test"):
        return frozenset()
    return frozenset([whose])


def native(messages: Sequence[Any], systems: frozenset[str]) -> tuple[Sequence[Any], list[Change]]:
    """The messages without parts that none of these providers reads, and the losses.

    Returns the same list if there are none. Thoughts with a text stay: Pydantic AI writes those of other providers as
    texts.
    """
    if not systems:
        return messages, []
    losses: list[Change] = []
    out = [_native(at, message, systems, losses) for at, message in enumerate(messages)]
    return (messages if all(map(is_, out, messages)) else out), losses


def lost_later(asked: Any, response: Any) -> tuple[list[Element], list[Change]]:
    """The elements of a request to a model of several providers, and its losses, once one of them has answered."""
    called = getattr(response, "provider_name", None)
    if not called or len(systems_of(asked.model)) < 2:
        return [], []
    elements = [element for message in asked.messages for element in elements_of(message) or ()]
    return elements, native(asked.messages, frozenset([called]))[1]


def _native(at: int, message: Any, systems: frozenset[str], losses: list[Change]) -> Any:
    """One message without parts of other providers. If no part is left, it is dropped as an empty message."""
    if not isinstance(message, ModelRequest | ModelResponse):
        return message
    parts: list[Any] = []
    for place, part in enumerate(message.parts):
        path = ("messages", at, "parts", place)
        maker = getattr(part, "provider_name", None) or getattr(message, "provider_name", None)
        if isinstance(part, UserPromptPart):
            parts.append(_asked(part, systems, path, losses))
        elif maker is None or maker in systems or not (code := _code(part)):
            parts.append(part)
        else:
            losses.append(lost(code, path, _WHY[code]))
    if len(parts) == len(message.parts) and all(map(is_, parts, message.parts)):
        return message
    either: Any = message
    return replace(either, parts=parts)


def _code(part: Any) -> str:
    """The code of the loss for a part of another provider; empty if nothing is lost."""
    if isinstance(part, _OPAQUE):
        return "opaque"
    return "reasoning" if isinstance(part, ThinkingPart) and not part.content.strip() else ""


def _asked(
    part: UserPromptPart, systems: frozenset[str], path: tuple[str | int, ...], losses: list[Change]
) -> UserPromptPart:
    """A user's prompt without files that another provider stores."""
    if isinstance(part.content, str):
        return part
    kept: list[Any] = []
    for place, item in enumerate(part.content):
        if isinstance(item, UploadedFile) and item.provider_name not in systems:
            losses.append(lost("media", (*path, "content", place), _WHY["media"]))
        else:
            kept.append(item)
    return part if len(kept) == len(part.content) else replace(part, content=kept)
