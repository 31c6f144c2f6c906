# Every public name for type checkers and editors, including names that load on first use. tests/test_completion.py
# compares it with the package. `as` is there because Jedi accepts a re-exported name only in this form.

from ._core import (
    CANCELLED_RESULT as CANCELLED_RESULT,
)
from ._core import (
    CONTEXT_ENTRY_END_HEADER as CONTEXT_ENTRY_END_HEADER,
)
from ._core import (
    CONTEXT_ENTRY_START_HEADER as CONTEXT_ENTRY_START_HEADER,
)
from ._core import (
    ERROR_PREFIX as ERROR_PREFIX,
)
from ._core import (
    MAX_CURRENT_WORKING_DIRECTORY_LEN as MAX_CURRENT_WORKING_DIRECTORY_LEN,
)
from ._core import (
    MAX_DEPTH as MAX_DEPTH,
)
from ._core import (
    MAX_USER_MESSAGE_SIZE as MAX_USER_MESSAGE_SIZE,
)
from ._core import (
    MISSING_RESULT as MISSING_RESULT,
)
from ._core import (
    REDACTED_RESULT as REDACTED_RESULT,
)
from ._core import (
    TRUNCATED_SUFFIX as TRUNCATED_SUFFIX,
)
from ._core import (
    USER_ENTRY_END_HEADER as USER_ENTRY_END_HEADER,
)
from ._core import (
    USER_ENTRY_START_HEADER as USER_ENTRY_START_HEADER,
)
from ._core import (
    AssistantMessage as AssistantMessage,
)
from ._core import (
    AssistantToolUse as AssistantToolUse,
)
from ._core import (
    Conversation as Conversation,
)
from ._core import (
    Diff as Diff,
)
from ._core import (
    EnvState as EnvState,
)
from ._core import (
    Finding as Finding,
)
from ._core import (
    ImageBlock as ImageBlock,
)
from ._core import (
    Loss as Loss,
)
from ._core import (
    Media as Media,
)
from ._core import (
    Opaque as Opaque,
)
from ._core import (
    Reasoning as Reasoning,
)
from ._core import (
    Receipt as Receipt,
)
from ._core import (
    ReceiptEntry as ReceiptEntry,
)
from ._core import (
    Rendered as Rendered,
)
from ._core import (
    RenderedReply as RenderedReply,
)
from ._core import (
    Reply as Reply,
)
from ._core import (
    StreamAssembler as StreamAssembler,
)
from ._core import (
    StreamConverter as StreamConverter,
)
from ._core import (
    Text as Text,
)
from ._core import (
    Tokens as Tokens,
)
from ._core import (
    ToolResultStatus as ToolResultStatus,
)
from ._core import (
    ToolUseResult as ToolUseResult,
)
from ._core import (
    ToolUseResultBlock as ToolUseResultBlock,
)
from ._core import (
    Turn as Turn,
)
from ._core import (
    UserEnvContext as UserEnvContext,
)
from ._core import (
    UserMessage as UserMessage,
)
from ._core import (
    UserMessageContent as UserMessageContent,
)
from ._core import (
    __version__ as __version__,
)
from ._core import (
    change_codes as change_codes,
)
from ._core import (
    convert as convert,
)
from ._core import (
    convert_json as convert_json,
)
from ._core import (
    convert_reply as convert_reply,
)
from ._core import (
    convert_reply_json as convert_reply_json,
)
from ._core import (
    detect as detect,
)
from ._core import (
    dialects as dialects,
)
from ._core import (
    diff as diff,
)
from ._core import (
    diff_codes as diff_codes,
)
from ._core import (
    error_codes as error_codes,
)
from ._core import (
    finding_codes as finding_codes,
)
from ._core import (
    loss_codes as loss_codes,
)
from ._core import (
    parse_reply as parse_reply,
)
from ._core import (
    prepare as prepare,
)
from ._core import (
    prepare_json as prepare_json,
)
from ._core import (
    settings as settings,
)
from ._core import (
    split_budget as split_budget,
)
from ._core import (
    truncate as truncate,
)
from ._core import (
    truncate_safe as truncate_safe,
)
from ._core import (
    truncate_tool_results as truncate_tool_results,
)
from ._core import (
    utf8_len as utf8_len,
)
from .answers import (
    Answer as Answer,
)
from .answers import (
    Explanation as Explanation,
)
from .answers import (
    explain as explain,
)
from .builder import MessageBuilder as MessageBuilder
from .builder import check as check
from .errors import (
    BuildError as BuildError,
)
from .errors import (
    ParseError as ParseError,
)
from .errors import (
    RenderError as RenderError,
)
from .errors import (
    TurnwireError as TurnwireError,
)
from .errors import (
    UnknownDialectError as UnknownDialectError,
)
from .history import MessageHistory as MessageHistory
from .ledger import Ledger as Ledger
from .names import DialectName as DialectName

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
    "Answer",
    "AssistantMessage",
    "AssistantToolUse",
    "BuildError",
    "Conversation",
    "DialectName",
    "Diff",
    "EnvState",
    "Explanation",
    "Finding",
    "ImageBlock",
    "Ledger",
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
    "RenderedReply",
    "Reply",
    "StreamAssembler",
    "StreamConverter",
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
    "convert_reply",
    "convert_reply_json",
    "detect",
    "dialects",
    "diff",
    "diff_codes",
    "error_codes",
    "explain",
    "finding_codes",
    "loss_codes",
    "parse_reply",
    "prepare",
    "prepare_json",
    "settings",
    "split_budget",
    "truncate",
    "truncate_safe",
    "truncate_tool_results",
    "utf8_len",
]
