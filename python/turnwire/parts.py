"""What turns are made of: text, reasoning, media, calls, results."""

from ._core import (
    AssistantToolUse,
    ImageBlock,
    Media,
    Opaque,
    Reasoning,
    Text,
    ToolResultStatus,
    ToolUseResult,
    ToolUseResultBlock,
    Turn,
)

__all__ = [
    "AssistantToolUse",
    "ImageBlock",
    "Media",
    "Opaque",
    "Reasoning",
    "Text",
    "ToolResultStatus",
    "ToolUseResult",
    "ToolUseResultBlock",
    "Turn",
]
