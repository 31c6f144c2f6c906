"""Any list of LLM messages in; the list that the provider accepts out, under a byte budget, with a receipt."""

from ._core import (
    CANCELLED_RESULT,
    CONTEXT_ENTRY_END_HEADER,
    CONTEXT_ENTRY_START_HEADER,
    ERROR_PREFIX,
    MAX_CURRENT_WORKING_DIRECTORY_LEN,
    MAX_DEPTH,
    MAX_USER_MESSAGE_SIZE,
    MISSING_RESULT,
    REDACTED_RESULT,
    TRUNCATED_SUFFIX,
    USER_ENTRY_END_HEADER,
    USER_ENTRY_START_HEADER,
    AssistantMessage,
    AssistantToolUse,
    Conversation,
    EnvState,
    Finding,
    ImageBlock,
    Loss,
    Media,
    Opaque,
    Reasoning,
    Receipt,
    ReceiptEntry,
    Rendered,
    Reply,
    StreamAssembler,
    Text,
    Tokens,
    ToolResultStatus,
    ToolUseResult,
    ToolUseResultBlock,
    Turn,
    UserEnvContext,
    UserMessage,
    UserMessageContent,
    __version__,
    change_codes,
    convert,
    convert_json,
    detect,
    dialects,
    error_codes,
    loss_codes,
    parse_reply,
    split_budget,
    truncate,
    truncate_safe,
    truncate_tool_results,
    utf8_len,
)
from .errors import BuildError, ParseError, RenderError, TurnwireError, UnknownDialectError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .builder import MessageBuilder, check
    from .front import prepare, prepare_json
    from .history import MessageHistory
    from .names import DialectName
del TYPE_CHECKING

__all__ = [
    "CANCELLED_RESULT",
    "CONTEXT_ENTRY_END_HEADER",
    "CONTEXT_ENTRY_START_HEADER",
    "ERROR_PREFIX",
    "MAX_CURRENT_WORKING_DIRECTORY_LEN",
    "MAX_DEPTH",
    "MAX_USER_MESSAGE_SIZE",
    "MISSING_RESULT",
    "REDACTED_RESULT",
    "TRUNCATED_SUFFIX",
    "USER_ENTRY_END_HEADER",
    "USER_ENTRY_START_HEADER",
    "AssistantMessage",
    "AssistantToolUse",
    "BuildError",
    "Conversation",
    "DialectName",
    "EnvState",
    "Finding",
    "ImageBlock",
    "Loss",
    "Media",
    "MessageBuilder",
    "MessageHistory",
    "Opaque",
    "ParseError",
    "Reasoning",
    "Receipt",
    "ReceiptEntry",
    "RenderError",
    "Rendered",
    "Reply",
    "StreamAssembler",
    "Text",
    "Tokens",
    "ToolResultStatus",
    "ToolUseResult",
    "ToolUseResultBlock",
    "Turn",
    "TurnwireError",
    "UnknownDialectError",
    "UserEnvContext",
    "UserMessage",
    "UserMessageContent",
    "__version__",
    "change_codes",
    "check",
    "convert",
    "convert_json",
    "detect",
    "dialects",
    "error_codes",
    "loss_codes",
    "parse_reply",
    "prepare",
    "prepare_json",
    "split_budget",
    "truncate",
    "truncate_safe",
    "truncate_tool_results",
    "utf8_len",
]

# Modules that need `logging` or `typing` load when one of their names is first used: importing those takes longer than
# all the rest.
_LATER = {
    "DialectName": "names",
    "MessageBuilder": "builder",
    "MessageHistory": "history",
    "check": "builder",
    "prepare": "front",
    "prepare_json": "front",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value: object = getattr(import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
