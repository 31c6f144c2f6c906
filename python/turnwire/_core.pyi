"""The types and documentation of every name that the Rust extension provides."""

from collections.abc import Callable, Iterable, Iterator, KeysView, Mapping, Sequence
from datetime import datetime
from types import GenericAlias
from typing import (
    Any,
    ClassVar,
    Final,
    Generic,
    Literal,
    Self,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    Unpack,
    final,
    overload,
)

from typing_extensions import disjoint_base

from .types import (
    Body,
    BuildOptions,
    ChangeCode,
    DialectName,
    DialectOptions,
    DiffCode,
    End,
    ErrorCode,
    Kind,
    Messages,
    PrepareOptions,
    ReasoningChoice,
    RenderOptions,
    ReplyName,
    RowName,
    SettingOptions,
    SettingsChoice,
    Severity,
    SourceName,
    TargetName,
    Totals,
    Wording,
)

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
    "Budget",
    "Change",
    "Conversation",
    "Cut",
    "Diff",
    "EnvState",
    "ImageBlock",
    "Media",
    "Opaque",
    "Reasoning",
    "Receipt",
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
    "UserEnvContext",
    "UserMessage",
    "UserMessageContent",
    "_Items",
    "_LedgerState",
    "_Records",
    "_Rows",
    "_Summary",
    "__version__",
    "_change",
    "_change_codes",
    "_check_doors",
    "_dialect_of",
    "_dialect_table",
    "_element_of",
    "_element_turn",
    "_failure_status",
    "_fingerprint",
    "_held",
    "_html",
    "_layout_table",
    "_ledger_prepared",
    "_linked",
    "_prepared",
    "_restored_line",
    "_server",
    "_server_row",
    "_settings_column",
    "_settings_table",
    "_settled",
    "_stored_line",
    "_to_send",
    "_tried",
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
    "parse_reply",
    "prepare",
    "prepare_json",
    "split_budget",
    "truncate",
    "truncate_safe",
    "truncate_tool_results",
    "utf8_len",
]

__version__: Final[str]
"""The version of the package, such as `0.1.0`."""
MAX_USER_MESSAGE_SIZE: Final[int]
"""The budget of a user message, in UTF-8 bytes: 400,000."""
TRUNCATED_SUFFIX: Final[str]
"""The marker for text that was cut away: `...content truncated due to length`."""

# --- Text ---

def truncate(
    text: str,
    max_bytes: SupportsIndex = ...,
    *,
    suffix: str = ...,
    keep: Literal["head", "tail", "middle"] = "head",
) -> str:
    """Cut a text to at most `max_bytes` bytes of UTF-8, suffix included, without splitting a character.

    Text that fits comes back as the same object, and so does a result that is truncated again. Only the text that is
    kept is read, and none where the length alone decides. The text is never encoded to UTF-8.

    Args:
        text: Any str. Lone surrogates are kept and count three bytes. Of a subclass, text that fits comes back as the
            same object; cut text is a plain str.
        max_bytes: The budget in bytes; `MAX_USER_MESSAGE_SIZE` if not given. 0 gives "". Takes anything with
            `__index__` except a bool; a number beyond the address space means no limit.
        suffix: The marker for text that was cut away; `TRUNCATED_SUFFIX` if not given. A suffix larger than `max_bytes`
            is left out.
        keep: `"head"` keeps the start and ends with the suffix; `"tail"` begins with the suffix and keeps the end;
            `"middle"` keeps half of each with the suffix between them.

    Raises:
        TurnwireError: `negative_budget` when `max_bytes` is below 0; `unknown_option` for another value of `keep`.
        TypeError: An argument has the wrong type.
        MemoryError: There is no memory for the result.
    """

def truncate_safe(text: str, max_bytes: SupportsIndex) -> str:
    """The longest prefix of whole characters that fits in `max_bytes` bytes of UTF-8, without a suffix.

    Like `truncate` with `suffix=""`: text that fits comes back as the same object.

    Args:
        text: Any str.
        max_bytes: The budget in bytes.

    Raises:
        TurnwireError: `negative_budget` when `max_bytes` is below 0.
        TypeError: An argument has the wrong type.
    """

def utf8_len(text: str) -> int:
    """The size of a text in bytes of UTF-8; a lone surrogate counts three.

    O(1) for ASCII text, one pass over any other. The text is never encoded to UTF-8.

    Args:
        text: Any str.

    Raises:
        TypeError: `text` is not a str.
    """

# --- Budgets ---

def split_budget(
    sizes: Iterable[SupportsIndex],
    max_bytes: SupportsIndex,
    *,
    split: Literal["even", "fair"] = "even",
) -> list[int]:
    """Divide a budget between texts: the share of each in bytes, in the order of `sizes`.

    The shares sum to at most `max_bytes`. No sizes give no shares.

    Args:
        sizes: The size of each text in bytes.
        max_bytes: The budget in bytes.
        split: `"even"` gives each text `max_bytes // n`, whatever its size. `"fair"` gives no text more than its size
            and divides the rest evenly between the larger texts; odd bytes go to the first of those.

    Raises:
        TurnwireError: `negative_budget`; `negative_size`; `unknown_option` for another value of `split`.
        TypeError: An argument has the wrong type; a bool is not a size.
    """

# --- Messages ---

USER_ENTRY_START_HEADER: Final[str]
"""The marker line before a prompt that has context."""
USER_ENTRY_END_HEADER: Final[str]
"""The marker line after a prompt that has context."""
CONTEXT_ENTRY_START_HEADER: Final[str]
"""The marker line before an entry of context."""
CONTEXT_ENTRY_END_HEADER: Final[str]
"""The marker line after an entry of context."""
MAX_CURRENT_WORKING_DIRECTORY_LEN: Final[int]
"""The most UTF-8 bytes that are kept of a working directory: 256."""
REDACTED_RESULT: Final[str]
"""The text of an empty list of results, in every conversion: `<tool result redacted>`."""
CANCELLED_RESULT: Final[str]
"""The text of the result of a tool that the user cancelled."""

_JsonValue = Mapping[str, Any] | Sequence[Any] | str | int | float | bool | None
_Split = Literal["even", "fair"]
_Timestamp = datetime | str

@final
class ImageBlock:
    """An image by its format and bytes.

    Args:
        format: The part after `image/` of the media type: `png`, `jpeg`, `gif`, `webp`. Not checked.
        data: The bytes, or their base64 text.

    Raises:
        TypeError: An argument has the wrong type.
    """

    __match_args__ = ("format", "data")
    def __new__(cls, format: str, data: bytes | bytearray | str) -> Self: ...
    @property
    def format(self) -> str:
        """The format, as given."""
    @property
    def data(self) -> bytes | str:
        """The bytes or the base64 text, as given."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Media:
    """An image, document, audio or video. Takes exactly one of `data`, `url` and `file_id`.

    Args:
        data: The bytes, or their base64 text. Bytes stay the same object until a target needs text; a bytearray is
            copied.
        url: A URL that the provider fetches, or a `data:` URL.
        file_id: A file that the provider holds.
        media_type: The media type, such as `image/png`. It also decides `kind`.
        name: The file name.

    Raises:
        TypeError: None or several of the three are given, or an argument has another type.
    """

    def __new__(
        cls,
        data: bytes | bytearray | str | None = None,
        *,
        url: str | None = None,
        file_id: str | None = None,
        media_type: str | None = None,
        name: str | None = None,
    ) -> Self: ...
    @property
    def kind(self) -> Literal["image", "audio", "video", "document"]:
        """The kind of media."""
    @property
    def data(self) -> str | None:
        """The bytes as base64 text, or None where only a URL or a file id is known."""
    @property
    def url(self) -> str | None:
        """The URL, or None."""
    @property
    def file_id(self) -> str | None:
        """The id of a file that the provider holds, or None."""
    @property
    def media_type(self) -> str | None:
        """The media type, or None if it is unknown."""
    @property
    def name(self) -> str | None:
        """The file name, or None."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Media = Media

@final
class ToolResultStatus:
    """Whether a tool succeeded. Equal to its value, `"success"` or `"error"`; each is one object."""

    Success: Final[ToolResultStatus]
    """The tool succeeded."""
    Error: Final[ToolResultStatus]
    """The tool failed or did not run."""
    @property
    def name(self) -> Literal["Success", "Error"]:
        """Its name."""
    @property
    def value(self) -> Literal["success", "error"]:
        """Its value on the wire; `str()` gives the same."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class ToolUseResultBlock:
    """One block of a tool's result: `Text`, `Json` or `Media`.

    Blocks are equal when their content is equal. JSON values are compared by value, whatever the order of their keys.
    """

    @final
    class Text(ToolUseResultBlock):
        """A block of text."""

        __match_args__ = ("text",)
        def __new__(cls, text: str) -> Self: ...
        @property
        def text(self) -> str:
            """The text, as the same str object."""

    @final
    class Json(ToolUseResultBlock):
        """A block that is a JSON value.

        Args:
            value: dicts with str keys, lists, tuples, str, int, float, bool and None. The containers are copied, so
                later changes to them have no effect here.

        Raises:
            TurnwireError: `not_json` for NaN, infinity, bytes and other objects, with the path inside the value;
                `too_deep` beyond 256 levels or for a container that contains itself; `changed_while_read`.
        """

        __match_args__ = ("value",)
        def __new__(cls, value: _JsonValue) -> Self: ...
        @property
        def value(self) -> Any:
            """The value, in new containers at each call."""

    @final
    class Media(ToolUseResultBlock):
        """A block that is an image or other media."""

        __match_args__ = ("media",)
        def __new__(cls, media: _Media | ImageBlock) -> Self: ...
        @property
        def media(self) -> _Media:
            """The media. An `ImageBlock` that was given is returned as `Media`."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Block = str | Mapping[str, _JsonValue] | ToolUseResultBlock | Media | ImageBlock

@final
class ToolUseResult:
    """The result of a tool call, for every dialect.

    Results are equal when their id, content and status are. The tool's name does not count; only some formats have it.

    Args:
        tool_use_id: The id of the call.
        content: The output of the tool: a str; a dict, number or bool as one JSON value; a block; or a list of blocks,
            in which a str is text and a dict is JSON. Wrap a JSON value that is a list in `ToolUseResultBlock.Json`.
            Do the same with a dict that looks like a provider's content block, such as `{"type": "text", "text": …}`:
            unwrapped, it is an error.
        status: Whether the tool succeeded.
        name: The tool's name, for formats that pair calls and results by name.

    Raises:
        TurnwireError: `not_json`, `too_deep` or `changed_while_read` for a JSON value, with its path;
            `unknown_option` for another value of `status`.
        TypeError: An argument has the wrong type.
    """

    __match_args__ = ("tool_use_id", "content", "status")
    def __new__(
        cls,
        tool_use_id: str,
        content: _Block | int | float | Sequence[_Block],
        status: ToolResultStatus | Literal["success", "error"] = "success",
        name: str | None = None,
    ) -> Self: ...
    @property
    def tool_use_id(self) -> str:
        """The id of the call, as the same str object."""
    @property
    def content(self) -> tuple[ToolUseResultBlock, ...]:
        """The blocks in order, in whatever form they were given."""
    @property
    def status(self) -> ToolResultStatus:
        """Whether the tool succeeded."""
    @property
    def name(self) -> str | None:
        """The tool's name, where it is known."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def truncate_tool_results(
    results: Iterable[ToolUseResult],
    max_bytes: SupportsIndex = ...,
    *,
    suffix: str = ...,
    split: _Split = "even",
) -> list[ToolUseResult]:
    """Cut the texts of several results to one budget.

    Results that fit together stay as they are. Otherwise each result gets a share, which covers all of its blocks:
    small blocks stay whole, large ones divide the rest. A result that fits its share comes back as the same object. A
    JSON block counts as its compact JSON text; a block that is too large becomes that text, cut. Media are neither
    counted nor cut: they have no shorter form.

    Args:
        results: The results. They are not changed; no results give an empty list.
        max_bytes: The budget in UTF-8 bytes; `MAX_USER_MESSAGE_SIZE` if not given. 0 empties every text.
        suffix: The marker for text that was cut away; `TRUNCATED_SUFFIX` if not given. It is left out of a text whose
            share is smaller than the suffix.
        split: `"even"` gives each result `max_bytes // n`; `"fair"` gives large results what small ones leave.

    Raises:
        TurnwireError: `negative_budget`; `unknown_option` for another value of `split`.
        TypeError: An argument has the wrong type.
    """

@final
class AssistantToolUse:
    """A request by the model to run a tool, for every dialect.

    Calls are equal when their id, name and arguments are. Arguments are compared by value, those of a custom tool
    character by character. The spelling of a number does not count; of a repeated key, the last value counts.

    Args:
        id: The id that pairs the call with its result.
        name: The tool's name, as the model knows it.
        args: The arguments. A str is JSON text and is kept as given, valid or not; anything else is a JSON value.
        orig_name: The name before the program changed it for the model; `name` if not given.
        orig_args: The arguments before that change; `args` if not given.
        custom: Whether the arguments are free text for a custom tool, not JSON.

    Raises:
        TurnwireError: `not_json`, `too_deep` or `changed_while_read` for arguments that are a value.
        TypeError: An argument has the wrong type.
    """

    __match_args__ = ("id", "name", "args")
    def __new__(
        cls,
        id: str,
        name: str,
        args: _JsonValue,
        orig_name: str | None = None,
        orig_args: _JsonValue = None,
        custom: bool = False,
    ) -> Self: ...
    @property
    def id(self) -> str:
        """The id that pairs the call with its result."""
    @property
    def name(self) -> str:
        """The tool's name, as the model knows it."""
    @property
    def args(self) -> dict[str, Any] | None:
        """The arguments as a dict, new at each call; None where they are not a JSON object.

        A whole number too large for a float, such as `1e400`, is an int. None also where a number has more digits than
        `sys.get_int_max_str_digits()` allows; `args_text` has it unchanged.
        """
    @property
    def args_text(self) -> str:
        """The arguments as JSON text: the text that was given, or compact JSON of the value."""
    @property
    def args_state(self) -> Literal["object", "invalid", "incomplete"]:
        """`"object"`: `args` is a dict, also for no text. `"incomplete"`: the start of one. Else `"invalid"`."""
    @property
    def orig_name(self) -> str:
        """The name before the program changed it for the model."""
    @property
    def orig_args(self) -> dict[str, Any] | None:
        """The arguments before the program changed them for the model, in the form of `args`."""
    @property
    def custom(self) -> bool:
        """Whether the arguments are free text for a custom tool."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class EnvState:
    """The environment in which a message was written.

    The working directory is cut to 256 bytes of UTF-8 (spec 000).
    """

    __match_args__ = ("operating_system", "current_working_directory")
    def __new__(cls, operating_system: str | None = None, current_working_directory: str | None = None) -> Self: ...
    @property
    def operating_system(self) -> str | None:
        """The operating system: `linux`, `macos`, `windows`."""
    @property
    def current_working_directory(self) -> str | None:
        """The working directory."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class UserEnvContext:
    """The environment of a user message."""

    __match_args__ = ("env_state",)
    def __new__(cls, env_state: EnvState | None = None) -> Self: ...
    @staticmethod
    def generate_new() -> UserEnvContext:
        """The environment of this process: the operating system, and the working directory cut to 256 bytes of UTF-8.

        If the working directory cannot be found, it is None and the logger `turnwire` warns.
        """
    @property
    def env_state(self) -> EnvState | None:
        """The environment, or None if it is unknown."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class UserMessageContent:
    """The content of a user message: `Prompt`, `CancelledToolUses` or `ToolUseResults`."""

    @final
    class Prompt(UserMessageContent):
        """The text that the user typed."""

        __match_args__ = ("prompt",)
        def __new__(cls, prompt: str) -> Self: ...
        @property
        def prompt(self) -> str:
            """The text, as the same str object."""

    @final
    class CancelledToolUses(UserMessageContent):
        """The cancelled results of tools that the user did not allow, and the text that they typed instead."""

        __match_args__ = ("prompt", "tool_use_results")
        def __new__(cls, prompt: str | None, tool_use_results: Iterable[ToolUseResult]) -> Self: ...
        @property
        def prompt(self) -> str | None:
            """The text that the user typed instead, or None."""
        @property
        def tool_use_results(self) -> tuple[ToolUseResult, ...]:
            """A failed result for each cancelled call."""

    @final
    class ToolUseResults(UserMessageContent):
        """The results of tools."""

        __match_args__ = ("tool_use_results",)
        def __new__(cls, tool_use_results: Iterable[ToolUseResult]) -> Self: ...
        @property
        def tool_use_results(self) -> tuple[ToolUseResult, ...]:
            """One result for each call."""

    def truncate_safe(self, max_bytes: SupportsIndex, *, split: _Split = "even") -> UserMessageContent:
        """The content with its texts cut to `max_bytes` UTF-8 bytes in total; the same object if nothing changes.

        A prompt is cut as by `truncate`, results as by `truncate_tool_results`. Where a prompt and cancelled results do
        not fit together, each gets one half; with `split="fair"`, either can use what the other leaves.

        Args:
            max_bytes: The budget in UTF-8 bytes.
            split: How results share the budget: `"even"` gives each the same share, `"fair"` gives large ones what
                small ones leave.

        Raises:
            TurnwireError: `negative_budget`; `unknown_option` for another value of `split`.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class UserMessage:
    """A message of the user, or of the program in the user's name.

    Make one with the `new_*` functions, which record the environment. The class itself takes every field.

    Args:
        content: The content.
        additional_context: Context added by hooks and the like.
        env_context: The environment that it was written in; unknown if not given.
        timestamp: When it was written: an aware datetime, or RFC 3339 text with its offset. Kept to the microsecond.
        images: Images that came with it.

    Raises:
        TurnwireError: `bad_timestamp` for a naive datetime, an offset that is not a whole number of minutes, or text
            that is not RFC 3339.
        TypeError: An argument has the wrong type.
    """

    __match_args__ = ("content",)
    def __new__(
        cls,
        content: UserMessageContent,
        *,
        additional_context: str = "",
        env_context: UserEnvContext | None = None,
        timestamp: _Timestamp | None = None,
        images: Iterable[ImageBlock] | None = None,
    ) -> Self: ...
    @staticmethod
    def new_prompt(prompt: str, timestamp: _Timestamp | None = None) -> UserMessage:
        """A message of the text that the user typed.

        Args:
            prompt: The text that the user typed.
            timestamp: When it was written: an aware datetime, or RFC 3339 text with its offset; None if unknown.
        """
    @staticmethod
    def new_cancelled_tool_uses(
        prompt: str | None, tool_use_ids: Iterable[str], timestamp: _Timestamp | None = None
    ) -> UserMessage:
        """Tools that the user did not allow: each id gets a failed result with the text `CANCELLED_RESULT`.

        Args:
            prompt: The text that the user typed instead, or None.
            tool_use_ids: The ids of the calls.
            timestamp: When it was written: an aware datetime, or RFC 3339 text with its offset; None if unknown.
        """
    @staticmethod
    def new_tool_use_results(results: Iterable[ToolUseResult]) -> UserMessage:
        """The results of tools.

        Args:
            results: One result for each call.
        """
    @staticmethod
    def new_tool_use_results_with_images(
        results: Iterable[ToolUseResult], images: Iterable[ImageBlock], timestamp: _Timestamp | None = None
    ) -> UserMessage:
        """The results of tools, and images that the tools produced.

        Args:
            results: One result for each call.
            images: The images that the tools produced.
            timestamp: When it was written: an aware datetime, or RFC 3339 text with its offset; None if unknown.
        """
    @property
    def additional_context(self) -> str:
        """Context added by hooks and the like; may be empty."""
    @property
    def env_context(self) -> UserEnvContext:
        """The environment that it was written in."""
    @property
    def content(self) -> UserMessageContent:
        """The content."""
    @property
    def timestamp(self) -> datetime | None:
        """When it was written, with the offset that was given; or None."""
    @property
    def images(self) -> tuple[ImageBlock, ...] | None:
        """The images of the message, or None."""
    @property
    def prompt(self) -> str | None:
        """The text that the user typed, or None."""
    @property
    def tool_use_results(self) -> tuple[ToolUseResult, ...] | None:
        """The results; None for a plain prompt."""
    @property
    def has_tool_use_results(self) -> bool:
        """Whether the message has results, cancelled ones included."""
    def with_additional_context(self, text: str) -> UserMessage:
        """A copy of the message with this additional context.

        Args:
            text: The context; it replaces what the message has.
        """
    def content_with_context(self) -> str:
        """The message as the model reads it.

        An entry with weekday and time, the additional context, and the prompt between its markers, with white space
        trimmed at both ends. Without time and additional context it is the prompt alone: the same str object if there
        is nothing to trim. An empty list of results without a prompt gives `REDACTED_RESULT`.
        """
    def truncate_safe(self, max_bytes: SupportsIndex, *, split: _Split = "even") -> UserMessage:
        """The message, cut to a budget that counts all text it sends; the same object when nothing changes.

        `content_with_context` and the texts of the results take at most `max_bytes` UTF-8 bytes together.
        Additional context and content divide the bytes that the markers leave; either can use what the other does not
        need. Where not even the entry of the time fits, the message loses its time. Images, the environment and the
        text `REDACTED_RESULT` of an empty list of results are not counted.

        Args:
            max_bytes: The budget in UTF-8 bytes.
            split: How results share the budget: `"even"` gives each the same share, `"fair"` gives large ones what
                small ones leave.

        Raises:
            TurnwireError: `negative_budget`; `unknown_option` for another value of `split`.
        """
    def replace_content_with_tool_use_results(self) -> UserMessage:
        """The message with its results as the prompt: their blocks joined by spaces and cut to `MAX_USER_MESSAGE_SIZE`.

        Blocks without a text form, such as images, are left out; where no text is left, the prompt is
        `REDACTED_RESULT`. A message without results is returned unchanged.
        """
    def into_history_entry(self) -> dict[str, Any]:
        """The message as its backend stores it: `{"userInputMessage": …}` in camelCase, without tools and model.

        It is cut to `MAX_USER_MESSAGE_SIZE` as by `truncate_safe`. Absent fields have no key. An image inside a result
        joins the message's images; an empty result has the text `REDACTED_RESULT`.

        Raises:
            RenderError: `refused` for media that are not images in a format the backend accepts, for images without
                bytes, and for an id that the backend does not accept.
        """
    def into_user_input_message(
        self,
        model_id: str | None = None,
        tools: Sequence[Mapping[str, Any]] | Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    ) -> dict[str, Any]:
        """The message as its backend receives it: like `into_history_entry`, with the tools and the model.

        Args:
            model_id: The id of the model.
            tools: Tool definitions in that backend's form: a list, or a dict of lists by origin, which are joined.

        Raises:
            RenderError: `refused` for media and ids that the backend does not accept.
            TurnwireError: `not_json` or `too_deep` for tools.
            TypeError: An argument has the wrong type.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class AssistantMessage:
    """A message of the assistant: `Response` or `ToolUse`."""

    @final
    class Response(AssistantMessage):
        """A message of text alone."""

        __match_args__ = ("message_id", "content")
        def __new__(cls, message_id: str | None, content: str) -> Self: ...

    @final
    class ToolUse(AssistantMessage):
        """A message of text and requests to run tools."""

        __match_args__ = ("message_id", "content", "tool_uses")
        def __new__(cls, message_id: str | None, content: str, tool_uses: Iterable[AssistantToolUse]) -> Self: ...
        @property
        def tool_uses(self) -> tuple[AssistantToolUse, ...]:
            """The requests."""

    @staticmethod
    def new_response(message_id: str | None, content: str) -> AssistantMessage.Response:
        """A message of text alone.

        Args:
            message_id: The backend's id of the message, or None.
            content: The text.
        """
    @staticmethod
    def new_tool_use(
        message_id: str | None, content: str, tool_uses: Iterable[AssistantToolUse]
    ) -> AssistantMessage.ToolUse:
        """A message of text and requests to run tools.

        Args:
            message_id: The backend's id of the message, or None.
            content: The text; may be empty.
            tool_uses: The requests to run tools, in order.
        """
    @property
    def message_id(self) -> str | None:
        """The backend's id of the message."""
    @property
    def content(self) -> str:
        """The text."""
    @property
    def tool_uses(self) -> tuple[AssistantToolUse, ...] | None:
        """The requests to run tools; None for a plain response."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

# --- Conversion ---

MAX_DEPTH: Final[int]
"""The most levels of nested containers in a payload, for Python objects and for JSON: 256."""
ERROR_PREFIX: Final[str]
"""The prefix of a failed result's text in a dialect without an error flag. Parsing reads it back."""

_Payload = Mapping[str, object] | Sequence[object] | bytes | bytearray | str
_Json = dict[str, Any] | list[Any]

_P = TypeVar("_P", covariant=True)

@final
class Rendered(Generic[_P]):
    """A payload in its target's dialect, with a report of how it was made.

    It acts like the dict that it holds:

        client.chat.completions.create(model=MODEL, **ready)
        ready["messages"], ready.messages, ready.receipt
    """

    __match_args__ = ("payload", "receipt")
    @property
    def payload(self) -> _P:
        """The payload: a dict or list that you may edit, or JSON as bytes."""
    @property
    def receipt(self) -> Receipt:
        """Everything that was changed, left out or added, and what deserves a look."""
    @property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """For each element of the payload's list, the indices of your messages that it was written from.

        The indices count the list that you gave. `()` marks an element that was added. Media that were moved out of a
        result have the index of that result's message.
        """
    @property
    def hoisted(self) -> tuple[int, ...]:
        """The indices of your messages that were written to keys beside the list: system text."""
    @property
    def names(self) -> dict[str, str]:
        """The tools that were renamed because the target refuses their names: your name by the name on the wire.

        `{"server_search_1f0c2d3e": "server.search"}`. A model calls tools by the names on the wire. Pass this object as
        `request` to `parse_reply` or `StreamAssembler`, and its calls have your names again.
        """
    @property
    def stable(self) -> int | None:
        """The index of the last element in the payload's list that the next request will repeat unchanged.

        This is the place for a cache mark of your own. None if no ledger made the payload, or if its list is empty.
        """
    @property
    def summary(self) -> dict[str, Any] | None:
        """The summary in this payload, for `summary=` of the next request, whose list continues this one's.

        Its `indices` are those of the messages that it covers. None if there is no summary.
        """
    @property
    def headers(self) -> dict[str, str]:
        """The headers that the payload needs, for `extra_headers=`; empty where it needs none.

            client.messages.create(model=MODEL, max_tokens=4096, extra_headers=ready.headers, **ready)

        Anthropic offers some features only with a beta header, such as tools that are added in the middle of a
        conversation. Several values are joined by commas. They are read from the payload at each call, so they cover
        what you added to it. Source: the types of beta requests in Anthropic's SDK.
        """
    @property
    def messages(self) -> list[Any]:
        """The list of the payload, whatever its key: `messages`, `contents`, `input`. TypeError where it is bytes."""
    @property
    def config(self) -> dict[str, Any]:
        """The keys beside that list: system text, tools, choice of tools; what google-genai takes as `config`."""
    def keys(self) -> KeysView[str]:
        """The keys of the payload, so that `**ready` and `dict(ready)` work. TypeError where it is a list or bytes."""
    def get(self, key: str, default: Any = None, /) -> Any:
        """The value under a key of the payload, or the default."""
    def __getitem__(self, key: str, /) -> Any: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    @property
    def _ledger(self) -> _LedgerState | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @classmethod
    def __class_getitem__(cls, item: Any) -> GenericAlias: ...

def convert(
    messages: Messages,
    target: RowName,
    *,
    source: SourceName = "auto",
    model: str | None = None,
    end: Literal["request", "row"] = "request",
    reasoning: ReasoningChoice = "valid",
    strict: bool = False,
    settings: SettingsChoice | SettingOptions = "omit",
    **options: Unpack[DialectOptions],
) -> Rendered[Any]:
    """Write messages in another dialect, in new containers around the same strings. Repairs nothing: see `prepare`.

        made = convert(messages, "anthropic")

    Args:
        messages: A request body, or the part of it that holds the conversation, or its bare list: dicts and lists, with
            SDK objects anywhere inside, or JSON as bytes or str. Never changed.
        target: The dialect to write. Turns that are in this dialect already are written back unchanged.
        source: The dialect of `messages`, one of `dialects()`, or `"auto"` to detect it. Messages that could be in the
            target's dialect are read as that.
        model: With `settings="convert"`: the model that the request is for, instead of the one that the body names. It
            decides which settings are accepted, such as a budget for thinking, or no temperature.
        end: `"row"` for a row of training data, which no server reads: nothing stands in for missing reasoning.
        reasoning: `"drop"` leaves out all reasoning. `"text"` writes the readable part of another dialect's as text.
            Otherwise that of another dialect is a loss, and the target's own stays.
        strict: Raise `RenderError` at the first thing that would be lost.
        settings: The body's other keys, such as the model and the temperature. `"omit"` leaves them to you. `"keep"`
            copies them unchanged: in the same dialect each in its place, otherwise after the payload's keys; a key that
            the payload itself has is a loss, and a key that the target does not have is reported. `"convert"`, or its
            options as a dict, writes the whole body with the target's own keys, by the table `settings.table()`: a
            setting without a counterpart is a loss, one out of range is changed, and a required one is added, each with
            the code `setting`. In the same dialect they stay unchanged.
        options: `server_tools`, and options of single dialects: `blobs`, `assistant_role`, `tool_results`.

    Raises:
        ParseError: The payload cannot be read: `wrong_type`, `missing_key`, `unknown_role`, `invalid_json`, `too_deep`
            (256 levels), `too_large` (4 GiB), `changed_while_read`.
        RenderError: `loss` with `strict=True`; `refused` for content that the target refuses.
        UnknownDialectError: `unknown_dialect`; with `"auto"` also the errors of `Conversation.parse`.
        TurnwireError: `not_json` for a value that JSON cannot hold, for an SDK object that fails to give its fields
            (its exception is the cause), and for JSON with a number that Python cannot hold (`1e9999` is not infinity;
            in arguments that are text it is a loss); `unknown_option`.
        TypeError: An argument has the wrong type or does not exist; the message names the argument that does.
    """

def convert_json(
    messages: Messages,
    target: RowName,
    *,
    source: SourceName = "auto",
    model: str | None = None,
    end: Literal["request", "row"] = "request",
    reasoning: ReasoningChoice = "valid",
    strict: bool = False,
    settings: SettingsChoice | SettingOptions = "omit",
    **options: Unpack[DialectOptions],
) -> Rendered[bytes]:
    """The same as `convert`, with the payload as compact JSON bytes, ready to post.

    From JSON to JSON it runs without the GIL. Values that do not change keep their number spelling, escapes and white
    space. A lone surrogate becomes U+FFFD, and the change `lone_surrogate` says where and how many. NaN, which JSON
    cannot hold, is `not_json`.
    """

def detect(payload: Messages) -> str:
    """Detect the dialect of a body, of a list of messages, or of one message; else the layout of a record.

    Each key, role and block type belongs to some dialects; the result is the dialect that has all of them. Where
    several do, it is `"openai"` if that is among them, else the first of `dialects()`: all of them read it alike.

    Args:
        payload: Dicts and lists, with SDK objects anywhere inside, or JSON as bytes or str.

    Raises:
        UnknownDialectError: `no_dialect` where nothing identifies a dialect, or only one that cannot be read yet;
            `conflicting_signs` for two signs in one place that no dialect has both; `mixed_dialects` for a list of
            several dialects, with the path of the first message that does not match those before it.
        ParseError: The payload is neither list nor object, or not valid JSON.
        TypeError: An argument has the wrong type.
    """

def dialects() -> tuple[DialectName, ...]:
    """The names of all dialects, profiles such as `openai:deepseek` included."""

def _settings_column(dialect: str, model: str | None) -> dict[str, Any]: ...
def _settings_table() -> dict[str, Any]: ...

@final
class Cut:
    """One tool result that does not fit, as `Budget.on_cut` gets it. A str that this returns is the marker in the text.

    def keep(cut: Cut) -> str:
        return f"[{len(cut.text):,} characters in {store(cut.sha256, cut.text)}]"
    """

    __match_args__ = ("id", "tool", "index", "text")
    def __new__(cls, id: str, tool: str | None, index: int, text: str, *, room: int) -> Self: ...
    @property
    def id(self) -> str:
        """The id of the call."""
    @property
    def tool(self) -> str | None:
        """The name of the tool, or None if it is not known."""
    @property
    def index(self) -> int:
        """The index of your message."""
    @property
    def text(self) -> str:
        """The full text: texts and JSON values, each on its own line, and a word for each of the media."""
    @property
    def sha256(self) -> str:
        """The SHA-256 of the text in UTF-8, in hexadecimal: the same text always has the same name."""
    @property
    def room(self) -> int:
        """What the budget leaves for the result with its marker, in the budget's unit."""
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Budget:
    """How much may be sent, and what happens to what does not fit.

    Budget(300_000, per_result=20_000)
    Budget(max_tokens=100_000, count=lambda text: len(encoding.encode(text)))
    """

    __match_args__ = ("max_bytes", "max_tokens", "per_result")
    @overload
    def __new__(
        cls,
        max_bytes: int | None = None,
        *,
        max_tokens: None = None,
        count: None = None,
        per_result: int | None = None,
        reserve: float | None = None,
        on_cut: Callable[[Cut], str | None] | None = None,
        summarise: Callable[[list[Any]], object] | None = None,
    ) -> Self:
        """Make a budget.

        Args:
            max_bytes: The most UTF-8 bytes of text, tool arguments, media data and tool definitions. None is no limit.
            max_tokens: The most tokens, as `count` counts them, instead of `max_bytes`. Media count 0, with a warning.
            count: Your tokenizer: returns the number of tokens of a text. It is called once for each text, and again
                for each text that is cut.
            per_result: The most of each tool result, marker included, in the budget's unit. A larger result is cut
                once, whatever the budget.
            reserve: The share of the budget, from 0 to 1, that is freed at once when the budget is full, so that the
                prefix stays the same for several requests. 0 frees no more than needed and changes the prefix each
                time. None is 0.25, in a ledger 0.5.
            on_cut: Called once for each result that is cut, with a `turnwire.types.Cut`, before the size is decided.
                A str that it returns is the marker where the result was cut, and is never cut itself; None leaves the
                usual one. Its exceptions pass through unchanged, and nothing is sent.
            summarise: Called at most once, with the messages that the budget leaves out: your own objects, or `Turn`
                objects if you did not pass a list. The text that it returns replaces them as a summary. An earlier
                summary is the first message that it gets. Its exceptions pass through unchanged. Not in a ledger.

        Raises:
            TurnwireError: `negative_budget`; `out_of_range` for another `reserve`; `conflicting_options` for tokens
                without `count`, and for `count` beside bytes.
            TypeError: An argument has the wrong type.
        """
    @overload
    def __new__(
        cls,
        *,
        count: Callable[[str], int],
        max_tokens: int | None = None,
        per_result: int | None = None,
        reserve: float | None = None,
        on_cut: Callable[[Cut], str | None] | None = None,
        summarise: Callable[[list[Any]], object] | None = None,
    ) -> Self: ...
    @property
    def max_bytes(self) -> int | None:
        """The most bytes, or None."""
    @property
    def max_tokens(self) -> int | None:
        """The most tokens, or None."""
    @property
    def count(self) -> Callable[[str], int] | None:
        """Your tokenizer, or None."""
    @property
    def per_result(self) -> int | None:
        """The most of each tool result, in the budget's unit, or None."""
    @property
    def reserve(self) -> float | None:
        """The share that is freed at once, or None for the default."""
    @property
    def on_cut(self) -> Callable[[Cut], str | None] | None:
        """Your function for each result that is cut, or None."""
    @property
    def summarise(self) -> Callable[[list[Any]], object] | None:
        """Your function that sums up what is left out, or None."""
    @property
    def unit(self) -> Literal["bytes", "tokens"]:
        """What the numbers count."""
    @property
    def _given(self) -> dict[str, Any]: ...
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def prepare(
    messages: Messages,
    target: TargetName,
    budget: int | Budget | None = None,
    *,
    source: SourceName = "auto",
    model: str | None = None,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    pinned: Iterable[int] | Callable[[Any], object] = (),
    end: End = "request",
    reasoning: ReasoningChoice = "valid",
    summary: Mapping[str, Any] | None = None,
    wording: Wording | None = None,
    cache: Literal["auto"] | None = None,
    strict: bool = False,
    settings: SettingsChoice | SettingOptions = "omit",
    share: bool = False,
    **options: Unpack[DialectOptions],
) -> Rendered[Any]:
    """Make a valid request of any list of messages: read, repair, fit to a budget, write.

        ready = prepare(messages, "anthropic", 300_000)
        client.messages.create(model=MODEL, max_tokens=4096, **ready)

    Args:
        messages: A list of messages in any dialect, or in several; a request body, JSON, or a conversation. Never
            changed.
        target: The API that you call, one of `dialects()`; `"same"` for the dialect of the messages.
        budget: The most UTF-8 bytes of text, tool arguments, media data and tool definitions, or a `Budget`. None for
            no limit.
        source: The dialect of `messages`; `"auto"` detects it for each message.
        model: The model that you ask, needed if the body does not name it. Some models check signed reasoning, and some
            refuse certain settings. With `settings="convert"`, the name is also written to the body.
        system: System text to put before that of the messages.
        tools: Tool definitions to put before those of the messages, in any form: dicts, tools of an MCP server, tools
            of agent frameworks. Of two with one name, these are used.
        pinned: Messages that a budget neither cuts nor drops: their indices, or a function of a message.
        end: How the list may end. `"request"`: the provider answers next, so open calls get a result. `"calls"`: the
            calls of the last turn stay open, because you run them next. `"prefill"`: the last assistant turn is the
            beginning of the reply, which not all models accept. `"row"`: it is training data, may end with the
            assistant, and nothing stands in for missing reasoning.
        reasoning: Which reasoning is sent: `"valid"` sends what the provider that made it still accepts, `"keep"` all
            of the target's own, although something before it has changed, `"drop"` none, for a provider that refuses
            it. `"text"` is `"valid"`, and readable reasoning of other providers becomes text.
        summary: A summary that replaces older messages: `summary`, `startMessageId` and `messageIds`, or the same in
            snake_case; or `Rendered.summary` of the previous request, for a list that continues that request's.
        wording: The texts that turnwire writes in your name: `opening`, `bridge`, `omitted`, `missing_result`, `cut`.
        cache: `"auto"` adds marks for the provider's prompt cache if the target has them (`anthropic`, `bedrock`): at
            the end, before the newest reply, and at the end of the system text and the tools. There are at most four,
            yours included. None adds none.
        strict: Raise `RenderError` at the first thing that the target cannot express.
        settings: The body's other keys, such as the model and the temperature: `"omit"` leaves them to you, `"keep"`
            copies them unchanged, `"convert"`, or its options as a dict, writes the whole body with the target's own
            keys, by the table `settings.table()`.
        share: Whether the payload has your own dicts where they need no change: in the list of messages, and in other
            lists of a body. Then writing a long list costs little. The lists are new, and so are the dicts that change;
            an edit of any other dict edits your messages.
        options: `server_tools`, and options of single dialects: `blobs`, `assistant_role`, `tool_results`.

    Raises:
        ParseError: The messages cannot be read.
        UnknownDialectError: `unknown_dialect`; with `source="auto"`, messages in no known dialect.
        BuildError: Something cannot be repaired, or the budget is too small; `receipt` lists what was changed by then.
        RenderError: `refused`, and `loss` with `strict=True`.
        TurnwireError: A budget or an option is wrong: `negative_budget`, `conflicting_options`, `out_of_range`,
            `bad_count`, `unknown_option`; `not_json` for a value that JSON cannot hold.
        TypeError: An argument has the wrong type or does not exist; the message names the argument that does.
    """

def prepare_json(
    messages: Messages,
    target: TargetName,
    budget: int | Budget | None = None,
    *,
    source: SourceName = "auto",
    model: str | None = None,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    pinned: Iterable[int] | Callable[[Any], object] = (),
    end: End = "request",
    reasoning: ReasoningChoice = "valid",
    summary: Mapping[str, Any] | None = None,
    wording: Wording | None = None,
    cache: Literal["auto"] | None = None,
    strict: bool = False,
    settings: SettingsChoice | SettingOptions = "omit",
    **options: Unpack[DialectOptions],
) -> Rendered[bytes]:
    """The same as `prepare`, with the payload as compact JSON bytes.

    They are ready to post:

        ready = prepare_json(messages, "anthropic", 300_000)
        httpx.post(URL, content=ready.payload, headers=HEADERS)
    """

def check(
    messages: Messages,
    target: TargetName = "same",
    budget: int | Budget | None = None,
    *,
    after: Body | None = None,
    **options: Unpack[PrepareOptions],
) -> Receipt:
    """The receipt that `prepare` would give, and what it would refuse. Changes nothing.

        for change in check(body, "anthropic", after=last_body):
            print(change)

    An error that `prepare` would raise is a change of kind `refused`, with the code of the error.

    Args:
        messages: Everything that `prepare` takes. A record of a layout, too, which is checked as a row of training
            data.
        target: The API that you call; `"same"` for the dialect of the messages.
        budget: As in `prepare`.
        after: The request before this one, as it was sent: a body, a list of messages, a `Rendered`. Changes to it are
            reported, too, as `diff` finds them: `stale_reasoning`, `reasoning_gap`, `reasoning_put_back`,
            `reasoning_moved`, `reasoning_changed`, `system_changed`, `tools_changed`, `format_changed`,
            `history_edited`, `cache_break`. Messages in the target's own format are compared unchanged, others as
            `prepare` writes them; then the paths of these changes are paths in the written request. If one of the two
            is a bare list, only messages are compared.
        options: The keyword arguments of `prepare`.

    Raises:
        ParseError: The messages, or `after`, cannot be read at all.
        UnknownDialectError: `unknown_dialect`; the dialect cannot be detected; `mixed_dialects` if `after` is a request
            of another provider.
        TurnwireError, TypeError: As in `prepare` for its arguments.
    """

@final
class _LedgerState:
    def __new__(cls, state: Rendered[Any] | bytes | _LedgerState | None = None) -> Self: ...
    def to_bytes(self) -> bytes: ...
    def with_settings(self, settings: str) -> _LedgerState: ...
    @property
    def settings(self) -> str: ...
    @property
    def target(self) -> str: ...
    def forgotten(self) -> _LedgerState: ...
    @property
    def breaks(self) -> tuple[tuple[int, str], ...]: ...

def _ledger_prepared(
    messages: Messages,
    target: RowName,
    budget: int | Budget | None,
    state: _LedgerState,
    chosen: tuple[float, str, str, str],
    form: Literal["objects", "json", "summary"],
    source: SourceName,
    system: str | Iterable[str] | None,
    tools: Iterable[object] | None,
    relay: tuple[bool, bool, bool],
    share: bool,
    logs: bool,
    **options: Any,
) -> Rendered[Any]: ...
def _held(value: object) -> dict[str, Any] | None: ...
def _html(value: object, names: Sequence[str]) -> str: ...
def _failure_status(word: str) -> int | None: ...
def _fingerprint(value: object, whole: bool) -> int: ...
def _prepared(
    messages: Messages,
    source: SourceName,
    target: RowName | None,
    budget: int | Budget | None,
    relay: tuple[bool, bool, bool],
    logs: bool,
    **options: Any,
) -> Conversation: ...
def _to_send(
    messages: Messages,
    source: SourceName,
    target: DialectName | None,
    budget: int | Budget | None,
    relay: tuple[bool, bool, bool],
    dialect: DialectName,
    rendering: dict[str, Any],
    **options: Any,
) -> Rendered[Any]: ...
def _tried(
    messages: Messages,
    target: TargetName,
    budget: int | Budget | None = None,
    *,
    source: SourceName = ...,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    **options: Any,
) -> Rendered[Any]: ...

# --- Conversations ---

_Role = Literal["system", "developer", "user", "assistant", "tool"]

@final
class Text:
    """Text of the user, the assistant or the system. Equal to any part with the same text."""

    __match_args__ = ("text",)
    def __new__(cls, text: str) -> Self: ...
    @property
    def text(self) -> str:
        """The text, as the same str object."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Reasoning:
    """Reasoning of the model. Only parsing makes it: its signature belongs to the dialect that it came from."""

    @property
    def text(self) -> str | None:
        """Its readable text, or None where it is encrypted."""
    @property
    def dialect(self) -> DialectName:
        """The dialect that it came from: only that dialect gets it back."""
    @property
    def value(self) -> Any:
        """The wire value in new containers, or None where a key of the turn holds it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Opaque:
    """A block with meaning in its own dialect only: server-side tools, compaction, cache points."""

    @property
    def type(self) -> str | None:
        """The name of its type on the wire."""
    @property
    def dialect(self) -> DialectName:
        """The dialect that it came from: only that dialect gets it back."""
    @property
    def value(self) -> Any:
        """The wire value in new containers."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Part = Text | Reasoning | Media | Opaque | AssistantToolUse | ToolUseResult

@final
class Turn:
    """One turn of a conversation, one element of the payload's list. Immutable; compared by content."""

    __match_args__ = ("role", "parts")
    def __new__(cls, role: _Role, parts: str | Iterable[str | _Part], id: str | None = None) -> Self:
        """Make a turn.

        Args:
            role: The role of the speaker.
            parts: The parts, in order; a str is text.
            id: The element's own id, for dialects that have one.

        Raises:
            ParseError: `unknown_role`.
            TypeError: A part has the wrong type; `wrong_argument` where parts with a wire value come from two dialects.
        """
    @property
    def role(self) -> _Role:
        """The role of the speaker."""
    @property
    def parts(self) -> tuple[_Part, ...]:
        """The parts, in order."""
    @property
    def id(self) -> str | None:
        """The element's own id, or the id of the entity that wrapped it, or None."""
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Item = str | Turn | UserMessage | AssistantMessage | ToolUseResult

@final
class Conversation:
    """Turns in order, with system text, tools and the choice of tools. Immutable.

    Conversations are equal when their content is, whatever the dialect; tools do not count. Pickling keeps each turn in
    its own dialect, so a stored conversation can go to any provider.
    """

    def __new__(
        cls,
        items: _Item | Iterable[_Item] = (),
        *,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] = (),
    ) -> Self:
        """Make a conversation.

        Args:
            items: Turns, messages and results; a str is text of the user.
            system: System text, in one or several pieces.
            tools: Tool definitions in any dialect's form, or as `{"name", "description", "parameters"}`; tools of an
                MCP server, and tools of agent frameworks.

        Raises:
            ParseError: A tool without a name.
            TypeError: An item has the wrong type. For dicts, use `parse`.
        """
    @staticmethod
    def parse(messages: Messages, source: SourceName = "auto", *, tool_results: bool = False) -> Conversation:
        """Read a payload. Its containers are copied, its strings are shared. Bytes and str are JSON.

        Args:
            messages: A request body, the part of it that holds the conversation, or its bare list: dicts and lists,
                with SDK objects anywhere inside, or JSON as bytes or str. Its list may also contain `Turn`,
                `UserMessage`, `AssistantMessage` and `ToolUseResult`.
            source: The dialect of `messages`. `"auto"` detects it for each message, so a list may mix dialects, and a
                str in it is text of the user.
            tool_results: Read a user's text `{"tool_result": …}` in a payload of `llama` as a result. Anyone who can
                write as the user can forge that, so set it only where your program alone does.

        Raises:
            ParseError: As in `convert`; `wrong_dialect` for a payload that looks like another dialect than `source`.
            UnknownDialectError: `unknown_dialect`; as `detect`, except `mixed_dialects`.
            TurnwireError: `not_json` for a value that JSON cannot hold.
        """
    @staticmethod
    def _parse_for(
        payload: Messages, dialect: SourceName, target: RowName | None, tool_results: bool
    ) -> Conversation: ...
    @property
    def system(self) -> str | None:
        """The system text beside the list, joined by newlines, or None. A system message in the list is a turn."""
    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns in order."""
    @property
    def tools(self) -> tuple[dict[str, Any], ...]:
        """The tool definitions: dicts of `name`, `description`, `parameters` and their other keys, such as `strict`.

        `custom` is True where the tool takes free text instead of arguments. Keys without a value are left out.
        """
    @property
    def pending_tool_uses(self) -> tuple[AssistantToolUse, ...]:
        """The calls of the last assistant turns without a result yet, where the arguments are a JSON object."""
    @property
    def receipt(self) -> Receipt:
        """What the build of this conversation changed; empty if it was not built."""
    def _pinned(self, pinned: Iterable[int] | Callable[[Any], object], messages: object) -> list[int]: ...
    def _build(
        self,
        prompts: list[str],
        summary: _Summary | None,
        budget: int | Budget | None,
        pinned: list[int],
        target: RowName | None,
        **options: Unpack[BuildOptions],
    ) -> Conversation: ...
    def _window(
        self, turns: int | None, budget: int | Budget | None, pinned: Iterable[int], summarised: bool
    ) -> tuple[Conversation, list[int]]: ...
    def _summed(self, count: int, text: str) -> Conversation: ...
    def _check(
        self,
        prompts: list[str],
        summary: _Summary | None,
        budget: int | Budget | None,
        pinned: list[int],
        target: RowName | None,
        after: Body | None,
        **options: Unpack[BuildOptions],
    ) -> Receipt: ...
    def extended(self, items: _Item | Iterable[_Item]) -> Conversation:
        """The conversation with more items at its end. Existing turns are shared, so only new items cost time.

        Args:
            items: Turns, messages and results to append; a str is text of the user.

        Raises:
            TypeError: An item has the wrong type.
        """
    def render(
        self,
        target: RowName,
        *,
        reasoning: ReasoningChoice = "valid",
        cache: Literal["auto"] | None = None,
        strict: bool = False,
        **options: Unpack[RenderOptions],
    ) -> Rendered[Any]:
        """Write the conversation in a dialect, as Python objects. Nothing is repaired and nothing is cut.

        Args:
            target: The dialect to write, one of `dialects()`.
            reasoning: As in `convert`.
            cache: `"auto"` adds marks for the provider's prompt cache, where the target has them: at most four, yours
                included. None adds none.
            strict: Raise at the first thing that would be lost.
            options: `server_tools`, and options of single dialects: `blobs`, `assistant_role`.

        Raises:
            RenderError: `loss` with `strict=True`; `refused` for content that the target refuses.
            UnknownDialectError: `unknown_dialect`.
            TurnwireError: `not_json` for a value that JSON cannot hold; `unknown_option`.
        """
    def render_json(
        self,
        target: RowName,
        *,
        reasoning: ReasoningChoice = "valid",
        cache: Literal["auto"] | None = None,
        strict: bool = False,
        **options: Unpack[RenderOptions],
    ) -> Rendered[bytes]:
        """The same as `render`, with the payload as compact JSON bytes."""
    def _repr_html_(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Turn]: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Turn: ...
    @overload
    def __getitem__(self, index: slice, /) -> tuple[Turn, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

# --- Replies ---

@final
class Tokens:
    """The cost of a reply in tokens; a count is None where the provider does not give it.

    The counts mean the same for every provider: cached tokens are added to Anthropic's and Bedrock's input, thoughts to
    Gemini's output.
    """

    __match_args__ = ("input", "output", "cached", "reasoning", "written")
    def __new__(
        cls,
        input: int | None = None,
        output: int | None = None,
        cached: int | None = None,
        reasoning: int | None = None,
        written: int | None = None,
    ) -> Self: ...
    @property
    def input(self) -> int | None:
        """All tokens that the model read, including those read from or written to a cache."""
    @property
    def output(self) -> int | None:
        """All tokens that it wrote, reasoning included."""
    @property
    def cached(self) -> int | None:
        """The tokens of the input that came from a cache."""
    @property
    def reasoning(self) -> int | None:
        """The tokens of the output that were reasoning."""
    @property
    def written(self) -> int | None:
        """The tokens of the input that were written to a cache."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Finish = Literal["stop", "tool_calls", "length", "refusal", "filtered", "paused", "error", "other"]

@final
class Reply:
    """The answer of a model: one turn, or several in Responses and the like. Immutable; iterating gives its turns.

        conversation = conversation.extended(reply)

    Sent back to their own provider, the turns are exactly as they came. Replies are equal when their content, end and
    cost are.
    """

    __match_args__ = ("finish", "turns")
    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns in order; empty where the provider gave no answer."""
    @property
    def text(self) -> str:
        """All text of the answer, joined without a separator. Reasoning and refusals are left out."""
    @property
    def tool_uses(self) -> tuple[AssistantToolUse, ...]:
        """The calls to run, in order, without those that the provider runs itself. Check their `args_state` first."""
    @property
    def stop_reason(self) -> str | None:
        """Why it ended, in the provider's own word; None where there is none.

        In Responses it is the reason for an incomplete reply, otherwise the status.
        """
    @property
    def finish(self) -> _Finish:
        """Why the reply ended, in the same words for all providers.

        `stop`: the answer is complete. `tool_calls`: there are calls to run, whatever stop reason the provider sent.
        `length`: the token limit was reached, perhaps in the middle of a call's arguments. `refusal`: the model
        refused. `filtered`: the provider withheld the answer. `paused`: send the reply back to continue. In Responses,
        `paused` is also a reply in progress, or one that asks for something other than a call of your tools, such as an
        approval or a shell command. `error`: the attribute `error` has the provider's error, or the stream broke off.
        `other`: the provider sent an unknown stop reason, or none.
        """
    @property
    def usage(self) -> Any:
        """The provider's usage, unchanged, in new containers; None if the reply has none."""
    @property
    def tokens(self) -> Tokens:
        """The cost in tokens."""
    @property
    def error(self) -> Any:
        """The provider's error in new containers; None without one, also for a stream that only broke off."""
    @property
    def receipt(self) -> Receipt:
        """What was not read: choices or candidates other than the first."""
    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """The events known only at the end of a stream, as in `StreamAssembler.feed`: calls without arguments."""
    def render(
        self, target: ReplyName, *, request: object = None, status: int | None = None
    ) -> RenderedReply[dict[str, Any]]:
        """Write the reply as another provider's response, like `convert_reply`.

        A streamed reply is written as a whole response. In its own dialect, a reply that was not streamed is written
        unchanged.

        Args:
            target: The dialect of the client that reads it.
            request: The request that was answered: the `Rendered` that was sent, or the body as its client wrote it.
                Calls get the client's own tool names.
            status: The HTTP status that the reply came with; None for the one that it was read with. It distinguishes
                errors with the same body.

        Raises:
            UnknownDialectError: `unknown_dialect` for a dialect without replies.
            RenderError: `refused` for content that the target refuses and that nothing can replace.
        """
    def render_json(
        self, target: ReplyName, *, request: object = None, status: int | None = None
    ) -> RenderedReply[bytes]:
        """Like `render`, with the body as JSON bytes."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Turn]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class RenderedReply(Generic[_P]):
    """A reply in another provider's format: the body of the response that its clients read."""

    __match_args__ = ("payload", "receipt", "status")
    @property
    def payload(self) -> _P:
        """The body: a dict that you may edit, or JSON as bytes."""
    @property
    def receipt(self) -> Receipt:
        """What the body cannot hold unchanged, each with its path in the source."""
    @property
    def status(self) -> int | None:
        """The HTTP status to send an error with; None for an answer, which is sent with 200.

        For Bedrock's clients, also send the value of `__type` as the header `x-amzn-errortype`.
        """
    def _repr_html_(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @classmethod
    def __class_getitem__(cls, item: Any) -> GenericAlias: ...

def convert_reply(
    payload: object,
    target: ReplyName,
    *,
    source: Literal["auto", ReplyName] = "auto",
    request: object = None,
    status: int | None = None,
) -> RenderedReply[dict[str, Any]]:
    """Write a whole reply of one provider as the response of another.

        out = convert_reply(body, "openai", source="anthropic", request=request)

    The response has every key that the target's SDK requires: ids, times, counts, and the stop reason. An id is the
    target's prefix with the rest of the source's id; nothing depends on a clock or on chance. A required key whose
    value is unknown is 0 or `""`, with a loss. A reply in the target's own format is returned unchanged.

    Args:
        payload: The body of a response or of an error: a dict, the SDK's object, or JSON as bytes
            or str.
        target: The dialect of the client that reads it.
        source: The dialect of `payload`. `"auto"` detects it by the keys, which is not possible for an error.
        request: The request that was answered: the `Rendered` that was sent, or the body as its client wrote it. Calls
            get the client's own tool names. The keys of a body in Responses are repeated where its replies repeat
            them. The model is used where the reply names none, and ids where the reply has none are made from it.
        status: The HTTP status that the payload came with. It distinguishes errors with the same body. It is kept where
            the target's own status would make a client retry by mistake, or not retry. With that of an error, any
            payload is one, also plain text, HTML and nothing.

    Returns:
        The body, its receipt, and the status of an error.

    Raises:
        ParseError: The reply cannot be read: `missing_key`, `wrong_type`, `invalid_json`, `too_deep`.
        UnknownDialectError: `unknown_dialect` for a dialect without replies; `no_dialect` where no key identifies one.
        RenderError: `refused` for content that the target refuses and that nothing can replace.
        TurnwireError: `not_json` for a value that JSON cannot hold.
    """

def convert_reply_json(
    payload: object,
    target: ReplyName,
    *,
    source: Literal["auto", ReplyName] = "auto",
    request: object = None,
    status: int | None = None,
) -> RenderedReply[bytes]:
    """Like `convert_reply`, with the body as JSON bytes, in which lone surrogates become U+FFFD."""

def parse_reply(
    payload: object,
    source: Literal["auto", ReplyName] = "auto",
    *,
    request: object = None,
    status: int | None = None,
) -> Reply:
    """Read a whole reply.

    Args:
        payload: The body of a response: a dict, the SDK's object, or JSON as bytes or str. Its containers are copied,
            its strings are shared.
        source: The dialect of `payload`. `"auto"` detects it by the keys, such as `choices`, or `content` with
            `stop_reason`.
        request: The request that was answered: the `Rendered` that was sent, or a body with `tools` in any dialect.
            Calls of tools that had to be renamed get your own names back.
        status: The HTTP status of the response. With that of an error, any payload is one, also plain text, HTML and
            nothing. `Reply.render` uses it.

    Raises:
        ParseError: The reply cannot be read: `missing_key`, `wrong_type`, `invalid_json`, `too_deep`.
        UnknownDialectError: `unknown_dialect` for a dialect without replies; `no_dialect` where no key identifies one.
        TurnwireError: `not_json` for a value that JSON cannot hold.
    """

@final
class StreamAssembler:
    """Assembles one streamed reply from its chunks, and gives events while it grows.

        stream = StreamAssembler("openai")
        for chunk in client.chat.completions.create(stream=True, ...):
            for event in stream.feed(chunk):
                if event["type"] == "text":
                    print(event["content"], end="")
        reply = stream.finish()

    Events are the same dicts for every provider: `{"type": "text", "content": str}`, `{"type": "reasoning", "content":
    str}`, and `{"type": "tool_call", "content": {"name": str, "arguments": dict, "tool_call_id": str}}` once for each
    call whose arguments are complete and an object; the id is missing where the wire has none. All other chunks give no
    event. Time and memory are linear in the size of the stream.
    """

    def __new__(cls, source: ReplyName, *, request: object = None, events: Literal["plain", "full"] = "plain") -> Self:
        """Make an assembler of one reply.

        Args:
            source: The dialect of the stream.
            request: The request that is answered, a `Rendered` or a body: calls and events get your own tool names.
            events: `"full"` adds the events that a program needs to write a stream itself, each as
                `{"type": ..., "content": ...}`. `begin` has the `id` and `model` where the wire gives them.
                `part_begin` and `part_end` have `"text"`, `"reasoning"` or `"refusal"`, around the pieces of a part.
                `refusal` has a piece of text; `signature` belongs to the last reasoning. `call_begin` has the number
                `call`, the `name`, the `tool_call_id` and, for free-text arguments, `custom`; `call_piece` has `call`
                and a piece of the `arguments` as text; `call_whole` has `call` and all of the `arguments`, where the
                pieces before were damaged; `call_end` has `call`. Several calls may be open at once, but
                only one part. Where a server may still send more of the name, `call_begin` comes with the first piece
                of the arguments. The `events` of the reply that `finish` returns end with `usage` (the counts of
                `Tokens`), `finish` (the reason) and, where there is one, `error`.

        Raises:
            UnknownDialectError: `unknown_dialect`, also for a dialect that has no replies.
            ValueError: Another value of `events`.
        """
    def feed(self, chunk: object) -> list[dict[str, Any]]:
        """Take one chunk and return the events that it causes.

        Args:
            chunk: A dict; an event object of the SDK (events that the SDK derives from others are ignored); or the JSON
                of one event as bytes or str, such as the `data` of a server-sent event, `[DONE]` included.

        Raises:
            ParseError: The chunk cannot be read, and is ignored: `wrong_type`, `missing_key`, `invalid_json`, or
                `unexpected_chunk` for a piece of a part that never began. You can go on with the next chunk; earlier
                events come with that call.
            TurnwireError: `finished` after `finish`.
        """
    def feed_bytes(self, data: bytes | bytearray) -> list[dict[str, Any]]:
        """Take bytes of the response's body, split anywhere: server-sent events, JSON Lines or one JSON list.

        The body of Bedrock's ConverseStream is AWS's binary event stream; the checksums of its frames are verified.

        Args:
            data: The next bytes of the response's body.

        Raises:
            ParseError: An event cannot be read: `wrong_type`, `missing_key`, `invalid_json` or `unexpected_chunk`. The
                next call continues after it. `unexpected_chunk`
                for a frame with a wrong checksum.
            TurnwireError: `finished` after `finish`.
        """
    def finish(self) -> Reply:
        """Return the whole reply, as `parse_reply` would read it from a response that is not streamed.

        For a stream that broke off or ended with an error, `Reply.finish` is `"error"`, and the reply has everything
        that arrived. A call whose arguments were cut off is included, with `args_state` `"incomplete"`.

        Raises:
            ParseError: The last event cannot be read.
            TurnwireError: `finished` the second time.
        """

@final
class StreamConverter:
    """Converts one provider's stream, while it arrives, to the stream that another provider's client reads.

        converter = StreamConverter(source="anthropic", target="openai", request=body)
        for data in upstream.iter_bytes():
            yield converter.feed_bytes(data)
        yield converter.finish()

    Each piece of text is written at once. Arguments are written in pieces if the target has pieces, otherwise when they
    are complete. If the target allows only one open block at a time, pieces of other blocks wait. A stream in the
    target's own format is passed on unchanged; a body without events, such as an error, becomes events. A reply that
    breaks off ends with the target's own error, never like a complete reply. What comes behind the end of the reply is
    not written, but told in the receipt. Time and memory are linear in the size of the stream.
    """

    def __new__(cls, *, source: ReplyName, target: ReplyName, request: object = None) -> Self:
        """Make a converter of one reply.

        Args:
            source: The dialect of the stream.
            target: The dialect of the client that reads it.
            request: The request that was answered: the `Rendered` that was sent, or a body with `tools` in any dialect.
                Calls get the client's own tool names.

        Raises:
            UnknownDialectError: `unknown_dialect`, also for a dialect that has no replies.
        """
    def feed(self, chunk: object) -> list[dict[str, Any]]:
        """Take one chunk and return the target's events for it, as dicts.

        Args:
            chunk: A dict; an event object of the SDK; or the JSON of one event as bytes or str, such as the `data` of a
                server-sent event.

        Raises:
            ParseError: The chunk cannot be read: `wrong_type`, `missing_key`, `invalid_json` or `unexpected_chunk`.
                Earlier events come with the next call. You can go on, but as something is missing, the stream then ends
                with the target's error.
            TurnwireError: `finished` after `finish`.
        """
    def feed_bytes(self, data: bytes | bytearray) -> bytes:
        """Take bytes of the response's body, split anywhere, and return bytes of the body for the client.

        Both are server-sent events; `ollama` is written as JSON Lines, and `bedrock` is AWS's binary event stream.

        Args:
            data: The next bytes of the response's body.

        Raises:
            ParseError: An event cannot be read: `wrong_type`, `missing_key`, `invalid_json` or `unexpected_chunk`. The
                next call continues after it, with the earlier events. As something is missing, the stream then ends
                with the target's error.
            TurnwireError: `finished` after `finish`.
        """
    def finish(self) -> Any:
        """Return the rest after the last chunk: bytes after `feed_bytes`, a list of dicts after `feed`.

        It is empty if the source announced its end and everything is written. Otherwise it is the target's own error.
        If the target has no error that its clients notice, `abort` is True.

        Raises:
            TurnwireError: `finished` the second time.
        """
    @property
    def receipt(self) -> Receipt:
        """What the target cannot express; complete once the reply has ended."""
    @property
    def abort(self) -> bool:
        """Whether to drop the client's connection instead of closing it: only that shows that the reply broke off."""

# --- The builder ---

@final
class _Summary:
    def __new__(cls, given: Mapping[str, Any]) -> Self: ...

MISSING_RESULT: Final[str]
"""The text of the result that a build adds to a call without one."""

@final
class Receipt(Sequence[Change]):
    """Everything that was changed, left out or added, and what deserves a look. Empty if there is nothing to tell.

    `print(receipt)` shows a line for each; `Receipt()` is empty. What is beside the messages comes first, then the
    messages in their order.
    """

    def __init__(self) -> None: ...
    @property
    def changed(self) -> bool:
        """Whether the payload differs from your messages: there is a change of another kind than `warning`."""
    @property
    def counts(self) -> dict[Kind, int]:
        """The number of changes of each kind that occurs."""
    def only(self, *kinds: Kind) -> tuple[Change, ...]:
        """The changes of these kinds.

        Args:
            kinds: One or more kinds, such as `"lost"`.

        Raises:
            TurnwireError: `unknown_option` for a word that is no kind.
        """
    @property
    def totals(self) -> Totals | None:
        """The sizes before and after fitting, in the unit of the budget; None without a budget."""
    @property
    def first_changed_index(self) -> int | None:
        """The index of the first message that was changed. A provider's cache is valid up to there."""
    @property
    def break_at(self) -> str | None:
        """From a ledger: the path at which this request first differs from the one before; None where it only adds.

        Signed reasoning and a provider's cache stay valid up to this path.
        """
    @property
    def reasoning(self) -> dict[Literal["kept", "dropped"], int] | None:
        """From a ledger: the number of signed blocks of reasoning that are sent, and that are left out."""
    def since(self, previous: Receipt) -> Receipt:
        """The changes that an earlier receipt of the same conversation does not have.

        An agent that builds its whole list at every step gets the old changes each time. `since` the receipt of the
        last step leaves only the new ones. `totals` are those of this receipt.

            news = ready.receipt.since(last.receipt)

        Args:
            previous: That receipt.

        Raises:
            TypeError: `previous` is not a Receipt.
        """
    def _without(self, code: str) -> Receipt: ...
    def _with(self, changes: Sequence[Change]) -> Receipt: ...
    def to_dict(self) -> dict[str, Any]:
        """The whole receipt as a dict for JSON: `changes`, and its attributes."""
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> Change: ...
    @overload
    def __getitem__(self, index: slice, /) -> tuple[Change, ...]: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Change]: ...
    def __contains__(self, change: object, /) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Change:
    """One thing that turnwire did to your messages, or (kind `warning`) only noticed, or (`refused`) cannot do."""

    __match_args__ = ("kind", "code", "path")
    @property
    def kind(self) -> Kind:
        """What happened to the content.

        `repaired`: order, ids or roles were wrong and are put right. `restated`: the same content in another form or
        place. `added`: it is not in your messages. `cut`: made shorter for the budget. `dropped`: left out, by a
        repair, for the budget, or by a summary. `lost`: left out, because the target cannot express it. `warning`:
        nothing is changed. `refused`: only from `check`: `prepare` raises the error with this code.
        """
    @property
    def code(self) -> ChangeCode | ErrorCode | DiffCode:
        """What it is about, a stable name of `turnwire.codes.CHANGES`.

        Where `kind` is `refused`, it is one of `codes.ERRORS`; with `check(after=)` it may be one of `codes.DIFFS`.
        """
    @property
    def severity(self) -> Severity:
        """How serious the fault is.

        `error`: the provider refuses the request as it was. `warning`: something of yours is not sent, or some servers
        or models refuse it. `info`: you asked for it, or it is an ordinary conversion.
        """
    @property
    def path(self) -> str:
        """The place in what you passed: `$.messages[3].content[0]`."""
    @property
    def index(self) -> int | None:
        """The index of your message; for an added one, of the message that it belongs to. None beside the list."""
    @property
    def reason(self) -> str:
        """What is the matter, as a clause: `no result is recorded for this call`."""
    @property
    def action(self) -> str:
        """What is done about it, in the present tense: `an error result is added`. Empty for a warning."""
    @property
    def id(self) -> str | None:
        """The id of the call that it is about, as you wrote it; None if it is about no call."""
    @property
    def new_id(self) -> str | None:
        """The id that replaces it; None if it stays."""
    @property
    def bytes_before(self) -> int | None:
        """The size before, in UTF-8 bytes; None if it does not change."""
    @property
    def bytes_after(self) -> int | None:
        """The size after, in UTF-8 bytes; None if it does not change."""
    def to_dict(self) -> dict[str, Any]:
        """The change as a dict for JSON, with the names of its attributes as keys."""
    def _moved(self, front: tuple[str | int, ...], less: int) -> Change: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

# --- Two requests in a row ---

@final
class Diff:
    """The difference between two successive requests: where the second first differs, and what that costs.

    True where the second changed something that the first had sent. `str()` gives four lines.
    """

    __match_args__ = ("code", "edit", "path")
    @property
    def code(self) -> DiffCode:
        """Why they differ: a stable code, one of `turnwire.diff_codes()`."""
    @property
    def edit(self) -> bool:
        """Whether the second request changed what the first had sent, by the rules of providers that check it.

        Not an edit: messages added at the end, marks of the cache, the order of tools and of keys, `1` for `1.0`, a
        string for one text block, white space around a text, blank texts, deferred tools that were not shown yet,
        another model, and reasoning that is left out at the start, at the end, or entirely.
        """
    @property
    def cause(self) -> str:
        """The reason for the difference, in a sentence."""
    @property
    def dialect(self) -> str:
        """The dialect in which both were read."""
    @property
    def model(self) -> str | None:
        """The model that was passed, otherwise that of the second body, otherwise that of the first."""
    @property
    def path(self) -> str | None:
        """The path of the first message, block or tool that differs.

        It is a path in the second body, or in the first if only that has it.
        For `"append"`, it is the first new one. `None` where nothing differs.
        """
    @property
    def path_before(self) -> str | None:
        """Its path in the first body; `None` where that does not have it."""
    @property
    def path_after(self) -> str | None:
        """Its path in the second body; `None` where that does not have it."""
    @property
    def kind(self) -> str:
        """Its type on the wire, such as `"tool_result"`, or the role of a message; empty where nothing changed."""
    @property
    def id(self) -> str | None:
        """The id of a call or result, or the name of a tool."""
    @property
    def count(self) -> int:
        """How many messages or blocks were removed, inserted or changed there; 0 if none."""
    @property
    def leaf(self) -> str | None:
        """The path of the value inside it that differs; `None` where nothing changed."""
    @property
    def byte(self) -> int | None:
        """The offset of the first byte that differs, in its text or else in its JSON; 0 where it is new or removed."""
    @property
    def length(self) -> int | None:
        """The bytes of that value in the second body, or in the first where it was removed."""
    @property
    def before(self) -> str:
        """40 characters of the first body from there on; empty where it has nothing there."""
    @property
    def after(self) -> str:
        """40 characters of the second body from there on; empty where it has nothing there."""
    @property
    def checks(self) -> bool:
        """Whether the model checks that its reasoning follows the same messages as when it was made.

        Claude does from 5.1 on, GPT from 6 on. In Claude's dialects, a model without a name is assumed to check.
        https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
        """
    @property
    def stale(self) -> tuple[str, ...]:
        """The paths of signed reasoning in the second body that a checking model refuses or drops."""
    @property
    def system_changed(self) -> bool:
        """Whether the system text beside the messages differs.

        From GPT-6.2 on, `instructions` apply to one reply: they never count as different, nor in `cached` and `total`.
        https://developers.openai.com/api/docs/guides/keep-prefix-unchanged
        """
    @property
    def tools_added(self) -> tuple[str, ...]:
        """The names of tools that only the second body has; deferred ones do not count."""
    @property
    def tools_removed(self) -> tuple[str, ...]:
        """The names of tools that only the first body has; deferred ones do not count."""
    @property
    def tools_redefined(self) -> tuple[str, ...]:
        """The names of tools whose definitions differ."""
    @property
    def tools_reordered(self) -> bool:
        """Whether the tools in both bodies have another order. That is no edit, but the cache starts over."""
    @property
    def cached(self) -> int:
        """The bytes of the second body that a cache can reuse: the blocks from the front that are equal byte for byte.

        The order is that of Anthropic's cache: tools, system text, messages. Marks do not count. Another model has its
        own cache. https://platform.claude.com/docs/en/build-with-claude/prompt-caching
        """
    @property
    def total(self) -> int:
        """The bytes of the second body: the JSON of its tools, system text and messages, without marks."""
    @property
    def share(self) -> float:
        """The share of `cached` in `total`, from 0 to 1."""
    @property
    def anew(self) -> str | None:
        """The path of the first block that a cache does not have; `None` where it has all."""
    def to_dict(self) -> dict[str, Any]:
        """The whole difference as a dict for JSON."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...

def diff(before: Body, after: Body, *, source: SourceName = "auto", model: str | None = None) -> Diff:
    """Compare a request with the one before it, by the rules of the providers' caches and reasoning checks.

        found = diff(previous, body)
        if found:
            log.warning("%s", found)

    Args:
        before: The earlier request: the whole body (`system`, `tools`, `messages`, `contents` or `input`, `model`) or
            the bare list of messages, as dicts and lists, SDK objects, a `Rendered`, or JSON as bytes or str.
        after: The later one. Where either is a bare list, only messages are compared.
        source: The dialect of both.
        model: The model, where the bodies do not name it.

    Raises:
        UnknownDialectError: The dialect cannot be detected, or there are two (`mixed_dialects`): providers share
            neither caches nor checks.
        ParseError: Invalid JSON, no list of messages (`missing_key`, `wrong_type`), nested too deep, or a record of a
            layout (`wrong_dialect`): convert it first.
        TurnwireError: `not_json` for a value that JSON cannot hold.
        TypeError: An argument has the wrong type, or a `Conversation`: render it first.
    """

def diff_codes() -> dict[str, tuple[bool, str]]:
    """Every code of a `Diff`, with whether it is an edit, and its meaning."""

# --- Histories ---

def _element_turn(element: object, index: int, dialect: SourceName, like: DialectName | None) -> Turn: ...
def _element_of(turn: Turn) -> tuple[DialectName, dict[str, Any], bool]: ...
def _settled(turn: Turn, index: int) -> Turn: ...
def _linked(conversation: Conversation) -> Conversation: ...
def _dialect_of(turn: Turn) -> DialectName | None: ...
def _stored_line(turn: Turn) -> bytes | None: ...
def _restored_line(line: bytes, index: int) -> Turn | Literal[False] | None: ...

# --- Errors ---

def _dialect_table() -> tuple[tuple[str, list[tuple[str, str]]], ...]: ...
def _server(base: str, columns: list[tuple[str, str]], short: str | None) -> str: ...
def _server_row(name: str) -> tuple[str, str, str | None, str, list[tuple[str, str, str, str]]]: ...
def _change(code: str, path: tuple[str | int, ...], reason: str, lost: bool) -> Change: ...
def _change_codes() -> dict[str, tuple[list[tuple[str, str]], str]]: ...
def _layout_table() -> tuple[tuple[str, str, list[str], list[tuple[str, str]], list[tuple[str, str, str]]], ...]: ...
def _check_doors() -> int:
    """Check that Python objects are read and written as the core's traits require. For tests."""

def error_codes() -> dict[str, tuple[type[Exception], str]]:
    """Every error code, with its exception and its meaning."""

# --- Rows ---

_Failure: TypeAlias = tuple[int, str, str, str | None, str]
_Texts: TypeAlias = tuple[memoryview, memoryview]
_Column: TypeAlias = tuple[memoryview, _Texts]
_Columns: TypeAlias = tuple[memoryview, list[_Texts]]
_Told: TypeAlias = tuple[int, list[Change]]
_Counted: TypeAlias = dict[str, tuple[int, int, int, str]]
_Said: TypeAlias = tuple[_Counted, list[_Failure], list[_Told], dict[str, int]]

@final
class _Items:
    def __new__(cls, rows: _Rows, keys: list[str]) -> Self: ...
    def around(self) -> list[str]: ...
    def read(self, buffer: memoryview, is_end: bool) -> int: ...
    def take(self, gone: int) -> tuple[_Records, int]: ...

@final
class _Records:
    @property
    def are_made(self) -> bool: ...
    @staticmethod
    def lines(text: memoryview) -> _Records: ...
    @staticmethod
    def of(
        given: list[
            tuple[
                int,
                int,
                tuple[tuple[str | int, ...], list[tuple[tuple[str | int, ...], tuple[str | int, ...], bool]]] | None,
            ]
        ],
    ) -> _Records: ...
    def __len__(self) -> int: ...

@final
class _Rows:
    @property
    def searches(self) -> bool: ...
    @staticmethod
    def build(
        caller: str,
        source: SourceName,
        target: TargetName,
        at: str | None,
        budget: int | Budget | None,
        system: str | Iterable[str] | None,
        tools: Iterable[object] | None,
        requests: SettingsChoice,
        **options: Any,
    ) -> _Rows: ...
    @staticmethod
    def check(
        caller: str,
        source: SourceName,
        target: TargetName,
        at: str | None,
        budget: int | Budget | None,
        system: str | Iterable[str] | None,
        tools: Iterable[object] | None,
        **options: Any,
    ) -> _Rows: ...
    @staticmethod
    def convert(
        caller: str,
        source: SourceName,
        target: RowName,
        at: str | None,
        requests: SettingsChoice,
        **options: Any,
    ) -> _Rows: ...
    @staticmethod
    def truncate(
        source: SourceName,
        tool_results: bool,
        at: str | None,
        max_bytes: int,
        suffix: str | None,
        split: Literal["even", "fair"],
        settings: SettingsChoice,
        end: End | None,
    ) -> _Rows: ...
    def block(
        self, block: bytes | memoryview, records: _Records, first: int, tell: bool
    ) -> tuple[memoryview, int, _Said]: ...
    def column(self, column: dict[str, object], threads: int) -> tuple[_Column, _Columns, _Columns]: ...
    @staticmethod
    def conversation(text: bytes | memoryview, is_history: bool) -> tuple[bytes, int]: ...
    def each(self, rows: list[bytes], first: int, threads: int) -> tuple[list[bytes | None], _Said]: ...
    def kind(self, head: bytes | memoryview, is_end: bool) -> tuple[str, list[str]] | None: ...
    def places(
        self, row: bytes, alone: _Records | None = None
    ) -> list[tuple[str, bytes, str | None, str, bool, list[str]]]: ...
    def split(
        self, block: bytes | memoryview, records: _Records, first: int
    ) -> list[tuple[bytes, int, str, _Records]]: ...
