"""The names of specifications 000, 001 and 003. `from turnwire import UserMessage` gives the same objects."""

from typing import TYPE_CHECKING

from ._core import (
    CANCELLED_RESULT,
    CONTEXT_ENTRY_END_HEADER,
    CONTEXT_ENTRY_START_HEADER,
    MAX_CURRENT_WORKING_DIRECTORY_LEN,
    MAX_USER_MESSAGE_SIZE,
    REDACTED_RESULT,
    TRUNCATED_SUFFIX,
    USER_ENTRY_END_HEADER,
    USER_ENTRY_START_HEADER,
    AssistantMessage,
    AssistantToolUse,
    EnvState,
    ImageBlock,
    ToolResultStatus,
    ToolUseResult,
    ToolUseResultBlock,
    UserEnvContext,
    UserMessage,
    UserMessageContent,
    truncate,
    truncate_safe,
    truncate_tool_results,
)

if TYPE_CHECKING:
    from .builder import MessageBuilder
    from .history import MessageHistory

__all__ = [
    "CANCELLED_RESULT",
    "CONTEXT_ENTRY_END_HEADER",
    "CONTEXT_ENTRY_START_HEADER",
    "MAX_CURRENT_WORKING_DIRECTORY_LEN",
    "MAX_USER_MESSAGE_SIZE",
    "REDACTED_RESULT",
    "TRUNCATED_SUFFIX",
    "USER_ENTRY_END_HEADER",
    "USER_ENTRY_START_HEADER",
    "AssistantMessage",
    "AssistantToolUse",
    "EnvState",
    "ImageBlock",
    "MessageBuilder",
    "MessageHistory",
    "ToolResultStatus",
    "ToolUseResult",
    "ToolUseResultBlock",
    "UserEnvContext",
    "UserMessage",
    "UserMessageContent",
    "truncate",
    "truncate_safe",
    "truncate_tool_results",
]


# These need `logging`, which a program that only makes messages need not load.
_LATER = {"MessageBuilder": "builder", "MessageHistory": "history"}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_LATER[name]}", __package__), name)
