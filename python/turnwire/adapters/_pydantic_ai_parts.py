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

from turnwire._core import Loss

from ._losses import lost

__all__ = ["native"]

_OPAQUE: Final = (NativeToolCallPart, NativeToolReturnPart, CompactionPart)
_WHY: Final = {
    "opaque": "only its own provider knows this part",
    "reasoning": "only the provider that made it can replay reasoning",
    "media": "only its own provider can fetch this",
}


def native(messages: Sequence[Any], model: Any) -> tuple[Sequence[Any], list[Loss]]:
    """The messages without parts of other providers, and the losses. Returns the same list if there are none.

    Thoughts with a text stay: Pydantic AI writes those of other providers as texts.
    """
    whose = getattr(model, "system", None)
    if not isinstance(whose, str) or not whose.replace("-", "").isalnum() or whose in ("function", "test"):
        # The model is of several providers, such as a fallback, or of none.
        return messages, []
    losses: list[Loss] = []
    out = [_native(at, message, whose, losses) for at, message in enumerate(messages)]
    return (messages if all(map(is_, out, messages)) else out), losses


def _native(at: int, message: Any, whose: str, losses: list[Loss]) -> Any:
    """One message without parts of other providers. If no part is left, it is dropped as an empty message."""
    if not isinstance(message, ModelRequest | ModelResponse):
        return message
    parts: list[Any] = []
    for place, part in enumerate(message.parts):
        path = ("messages", at, "parts", place)
        maker = getattr(part, "provider_name", None) or getattr(message, "provider_name", None)
        if isinstance(part, UserPromptPart):
            parts.append(_asked(part, whose, path, losses))
        elif maker in (None, whose) or not (code := _code(part)):
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


def _asked(part: UserPromptPart, whose: str, path: tuple[str | int, ...], losses: list[Loss]) -> UserPromptPart:
    """A user's prompt without files that another provider stores."""
    if isinstance(part.content, str):
        return part
    kept: list[Any] = []
    for place, item in enumerate(part.content):
        if isinstance(item, UploadedFile) and item.provider_name != whose:
            losses.append(lost("media", (*path, "content", place), _WHY["media"]))
        else:
            kept.append(item)
    return part if len(kept) == len(part.content) else replace(part, content=kept)
