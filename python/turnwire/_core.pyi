"""The native half of turnwire. The documentation of every native name stands here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
    TypedDict,
    TypeVar,
    Unpack,
    final,
    overload,
)

from typing_extensions import disjoint_base

from .history import MessageHistory
from .names import BodyName, DialectName, ListName, ReplyName, SourceName
from .options import Options

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
    "_RESERVE",
    "AssistantMessage",
    "AssistantToolUse",
    "Conversation",
    "Diff",
    "EnvState",
    "Finding",
    "ImageBlock",
    "Loss",
    "Media",
    "Opaque",
    "Reasoning",
    "Receipt",
    "ReceiptEntry",
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
    "_Budget",
    "_LedgerState",
    "_LineEnds",
    "_Rows",
    "_Summary",
    "__version__",
    "_check_doors",
    "_dialect_of",
    "_dialect_table",
    "_element_of",
    "_element_turn",
    "_ledger_prepared",
    "_linked",
    "_prepared",
    "_restored_line",
    "_settled",
    "_stored_line",
    "change_codes",
    "convert",
    "convert_json",
    "convert_reply",
    "convert_reply_json",
    "detect",
    "dialects",
    "diff",
    "diff_codes",
    "error_codes",
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

__version__: Final[str]
MAX_USER_MESSAGE_SIZE: Final[int]
"""The budget of a user message, in UTF-8 bytes: 400,000."""
TRUNCATED_SUFFIX: Final[str]
"""What stands where text was cut away: `...content truncated due to length`."""

# --- Text ---

def truncate(
    text: str,
    max_bytes: SupportsIndex = ...,
    *,
    suffix: str = ...,
    keep: Literal["head", "tail", "middle"] = "head",
) -> str:
    """Cut a text to at most `max_bytes` bytes of UTF-8, suffix included, without splitting a character.

    Text that fits comes back as the same object; so does the result, when it is truncated again. Only what is kept is
    read, and where the length settles it, nothing; the text's UTF-8 is never built. The result depends on nothing but
    the arguments.

    Args:
        text: Any str. Lone surrogates are kept and count three bytes. A subclass is read as the str that it is: what
            fits comes back as that object, what is cut is a plain str.
        max_bytes: The budget in bytes; `MAX_USER_MESSAGE_SIZE` if not given. 0 gives "". Anything with `__index__`,
            except a bool, which is taken for a mistake; a number beyond the address space is no limit.
        suffix: What stands where text was cut away; `TRUNCATED_SUFFIX` if not given. Where it alone takes more than
            `max_bytes`, the text is cut without it.
        keep: `"head"` keeps the start and ends with the suffix; `"tail"` begins with the suffix and keeps the end;
            `"middle"` keeps half of each with the suffix between them.

    Raises:
        TurnwireError: `negative_budget` when `max_bytes` is below 0; `unknown_option` for another word in `keep`.
        TypeError: An argument of another type.
        MemoryError: There is no memory for the result.
    """

def truncate_safe(text: str, max_bytes: SupportsIndex) -> str:
    """The longest prefix of whole characters in `max_bytes` bytes of UTF-8, without a suffix.

    Like `truncate` with `suffix=""`: text that fits comes back as the same object.

    Raises:
        TurnwireError: `negative_budget` when `max_bytes` is below 0.
        TypeError: An argument of another type.
    """

def utf8_len(text: str) -> int:
    """The size of a text in bytes of UTF-8; a lone surrogate counts three.

    O(1) for ASCII, else one read of the string where it lies; its UTF-8 is neither built nor kept.

    Raises:
        TypeError: `text` is no str.
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
        split: `"even"` gives each `max_bytes // n`, whatever its size. `"fair"` gives no text more than its size, and
            what the small ones leave to the large ones, the same to each; odd bytes go to the first of those.

    Raises:
        TurnwireError: `negative_budget`; `negative_size`; `unknown_option` for another word in `split`.
        TypeError: An argument of another type; bools are no sizes.
    """

# --- Messages ---

USER_ENTRY_START_HEADER: Final[str]
"""What stands before a prompt that has context."""
USER_ENTRY_END_HEADER: Final[str]
"""What stands after a prompt that has context."""
CONTEXT_ENTRY_START_HEADER: Final[str]
"""What stands before an entry of context."""
CONTEXT_ENTRY_END_HEADER: Final[str]
"""What stands after an entry of context."""
MAX_CURRENT_WORKING_DIRECTORY_LEN: Final[int]
"""The most UTF-8 bytes of a working directory that are kept: 256."""
REDACTED_RESULT: Final[str]
"""What an empty list of results reads in every conversion: `<tool result redacted>`."""
CANCELLED_RESULT: Final[str]
"""What the result of a tool says that the user did not let run."""

_JsonValue = Mapping[str, Any] | Sequence[Any] | str | int | float | bool | None
_Split = Literal["even", "fair"]
_Timestamp = datetime | str

@final
class ImageBlock:
    """An image by its format and bytes.

    Args:
        format: As behind `image/` in a media type: `png`, `jpeg`, `gif`, `webp`. Not checked.
        data: The bytes, or base64 text of them.

    Raises:
        TypeError: An argument of another type.
    """

    __match_args__ = ("format", "data")
    def __new__(cls, format: str, data: bytes | bytearray | str) -> Self: ...
    @property
    def format(self) -> str:
        """Its format."""
    @property
    def data(self) -> bytes | str:
        """The bytes or the base64 text, as given."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Media:
    """An image, document, sound or film. Takes exactly one of `data`, `url` and `file_id`.

    Args:
        data: The bytes, or base64 text of them. Bytes stay the object that they are until a target wants text; a
            bytearray is copied.
        url: An address that the provider fetches, or a `data:` URL.
        file_id: A file that the provider holds.
        media_type: Such as `image/png`; also says whether it is an image, sound, film or document.
        name: Its file name.

    Raises:
        TypeError: None or several of the three, or an argument of another type.
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
        """What it is."""
    @property
    def data(self) -> str | None:
        """Its bytes as base64 text, or None where they are elsewhere."""
    @property
    def url(self) -> str | None:
        """Its address, or None."""
    @property
    def file_id(self) -> str | None:
        """The id of a file that the provider holds, or None."""
    @property
    def media_type(self) -> str | None:
        """Its media type, or None if it is unknown."""
    @property
    def name(self) -> str | None:
        """Its file name, or None."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Media = Media

@final
class ToolResultStatus:
    """Whether a tool succeeded. Equal to its word, `"success"` or `"error"`, and there is one object of each."""

    Success: Final[ToolResultStatus]
    """The tool did what it was asked."""
    Error: Final[ToolResultStatus]
    """The tool failed, or did not run."""
    @property
    def name(self) -> Literal["Success", "Error"]:
        """Its name."""
    @property
    def value(self) -> Literal["success", "error"]:
        """Its word on the wire; `str()` gives the same."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class ToolUseResultBlock:
    """One block of a tool's result: `Text`, `Json` or `Media`.

    Blocks are equal when they say the same: JSON values by value, whatever the order of their keys.
    """

    @final
    class Text(ToolUseResultBlock):
        """A block of text."""

        __match_args__ = ("text",)
        def __new__(cls, text: str) -> Self: ...
        @property
        def text(self) -> str:
            """The text: the very str it was made with."""

    @final
    class Json(ToolUseResultBlock):
        """A block that is a JSON value.

        Args:
            value: dicts with str keys, lists, tuples, str, int, float, bool and None. It is copied, except for its
                strings and numbers; changing it later changes nothing here.

        Raises:
            TurnwireError: `not_json` for NaN, infinity, bytes and foreign objects, with the path inside the value;
                `too_deep` beyond 256 levels or for a container that holds itself; `changed_while_read`.
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
            """The media; an `ImageBlock` that was given is one, too."""

    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Block = str | Mapping[str, _JsonValue] | ToolUseResultBlock | Media | ImageBlock

@final
class ToolUseResult:
    """The result of a tool call: one type for results everywhere.

    Results are equal when id, content and status are; the tool's name, which only some wires have, does not count.

    Args:
        tool_use_id: The id of the call.
        content: What the tool said: a str; a dict, number or bool as one JSON value; a block; or a list of blocks,
            in which a str is text and a dict is JSON. A JSON value that is a list is given as
            `ToolUseResultBlock.Json`; so is a dict that looks like a provider's content block, such as
            `{"type": "text", "text": …}`, which is an error otherwise.
        status: Whether the tool succeeded.
        name: The tool's name, for wires that pair by it.

    Raises:
        TurnwireError: `not_json`, `too_deep` or `changed_while_read` for a JSON value, with its path;
            `unknown_option` for another word in `status`.
        TypeError: An argument of another type.
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
        """The id of the call: the very str it was made with."""
    @property
    def content(self) -> tuple[ToolUseResultBlock, ...]:
        """The blocks in order, whatever form they were given in."""
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

    What fits together stays as it is. Else each result has its share, which covers all of its blocks together: small
    blocks stay whole, large ones divide what is left. A result that fits its share comes back as the same object. A
    JSON block counts as its compact JSON text, and over its part it becomes that text, cut. Media are neither counted
    nor cut: they have no shorter form.

    Args:
        results: The results. They are not changed; no results give an empty list.
        max_bytes: The budget in UTF-8 bytes; `MAX_USER_MESSAGE_SIZE` if not given. 0 empties every text.
        suffix: What stands where text was cut away; `TRUNCATED_SUFFIX` if not given. Where it alone takes more than a
            text's part, that text is cut without it.
        split: `"even"` gives each result `max_bytes // n`; `"fair"` gives what small results leave to large ones.

    Raises:
        TurnwireError: `negative_budget`; `unknown_option` for another word in `split`.
        TypeError: An argument of another type.
    """

@final
class AssistantToolUse:
    """A request by the model to run a tool: one type for calls everywhere.

    Calls are equal when id, name and arguments are: arguments by value, those of a custom tool letter by letter.
    Numbers are equal however they are spelled; of a key that stands twice, the last counts.

    Args:
        id: Pairs it with its result.
        name: The tool's name, as the model knows it.
        args: The arguments: a str is JSON text and stays as it is, valid or not; anything else is a JSON value.
        orig_name: The name before the program changed it for the model; `name` if not given.
        orig_args: The arguments before that; `args` if not given.
        custom: Whether the arguments are free text for a custom tool, not JSON.

    Raises:
        TurnwireError: `not_json`, `too_deep` or `changed_while_read` for arguments that are a value.
        TypeError: An argument of another type.
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
        """Pairs it with its result."""
    @property
    def name(self) -> str:
        """The tool's name, as the model knows it."""
    @property
    def args(self) -> dict[str, Any] | None:
        """The arguments as an object, in new containers at each call; None where they are no JSON object.

        A whole number that no float holds is an int: `1e400`. Also None where they hold a number that Python does not:
        one of more digits than `sys.get_int_max_str_digits()`. `args_text` has it as it came.
        """
    @property
    def args_text(self) -> str:
        """The arguments as JSON text: as it came, or compact JSON of the value."""
    @property
    def args_state(self) -> Literal["object", "invalid", "incomplete"]:
        """`"object"`: `args` is one, for no text at all too. `"incomplete"`: the beginning of one. Else `"invalid"`."""
    @property
    def orig_name(self) -> str:
        """The name before the program changed it for the model."""
    @property
    def orig_args(self) -> dict[str, Any] | None:
        """The arguments before the program changed them for the model, as `args`."""
    @property
    def custom(self) -> bool:
        """Whether the arguments are free text for a custom tool."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class EnvState:
    """What is known of the environment in which a message was written.

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

        A working directory that cannot be found is None, and a warning of the logger `turnwire`.
        """
    @property
    def env_state(self) -> EnvState | None:
        """What is known of it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class UserMessageContent:
    """What a user message holds: `Prompt`, `CancelledToolUses` or `ToolUseResults`."""

    @final
    class Prompt(UserMessageContent):
        """What the user typed."""

        __match_args__ = ("prompt",)
        def __new__(cls, prompt: str) -> Self: ...
        @property
        def prompt(self) -> str:
            """The text: the very str it was made with."""

    @final
    class CancelledToolUses(UserMessageContent):
        """Tools that the user did not let run, and what was typed instead."""

        __match_args__ = ("prompt", "tool_use_results")
        def __new__(cls, prompt: str | None, tool_use_results: Iterable[ToolUseResult]) -> Self: ...
        @property
        def prompt(self) -> str | None:
            """What was typed instead."""
        @property
        def tool_use_results(self) -> tuple[ToolUseResult, ...]:
            """A failed result for each of them."""

    @final
    class ToolUseResults(UserMessageContent):
        """The results of tools."""

        __match_args__ = ("tool_use_results",)
        def __new__(cls, tool_use_results: Iterable[ToolUseResult]) -> Self: ...
        @property
        def tool_use_results(self) -> tuple[ToolUseResult, ...]:
            """One for each call."""

    def truncate_safe(self, max_bytes: SupportsIndex, *, split: _Split = "even") -> UserMessageContent:
        """The content with texts of at most `max_bytes` UTF-8 bytes together; the same object when nothing changes.

        A prompt is cut as `truncate` does, results as `truncate_tool_results` does. Where they do not fit together,
        prompt and results of cancelled tools get one half each; with `split="fair"` either gets what the other leaves.

        Raises:
            TurnwireError: `negative_budget`; `unknown_option` for another word in `split`.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class UserMessage:
    """What the user said, or the program in their place.

    The `new_*` functions are how one is made: they note where it was written. The class itself takes every field.

    Args:
        content: What it says.
        additional_context: Context that hooks and the like have added.
        env_context: Where it was written; nothing is known of it if not given.
        timestamp: When it was written: an aware datetime, or RFC 3339 text with its offset. Kept to the microsecond.
        images: Images that came with it.

    Raises:
        TurnwireError: `bad_timestamp` for a naive datetime, an offset that is no whole number of minutes, or text
            that is not RFC 3339.
        TypeError: An argument of another type.
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
        """What the user typed. `timestamp` as in the class."""
    @staticmethod
    def new_cancelled_tool_uses(
        prompt: str | None, tool_use_ids: Iterable[str], timestamp: _Timestamp | None = None
    ) -> UserMessage:
        """Tools that the user did not let run: each id gets a failed result that reads `CANCELLED_RESULT`."""
    @staticmethod
    def new_tool_use_results(results: Iterable[ToolUseResult]) -> UserMessage:
        """The results of tools."""
    @staticmethod
    def new_tool_use_results_with_images(
        results: Iterable[ToolUseResult], images: Iterable[ImageBlock], timestamp: _Timestamp | None = None
    ) -> UserMessage:
        """The results of tools, and images that they made."""
    @property
    def additional_context(self) -> str:
        """Context that hooks and the like have added; may be empty."""
    @property
    def env_context(self) -> UserEnvContext:
        """Where it was written."""
    @property
    def content(self) -> UserMessageContent:
        """What it says."""
    @property
    def timestamp(self) -> datetime | None:
        """When it was written, with its own offset."""
    @property
    def images(self) -> tuple[ImageBlock, ...] | None:
        """Images that came with it."""
    @property
    def prompt(self) -> str | None:
        """What the user typed, where they did."""
    @property
    def tool_use_results(self) -> tuple[ToolUseResult, ...] | None:
        """The results; None for a plain prompt."""
    @property
    def has_tool_use_results(self) -> bool:
        """Whether it is a message of results, cancelled ones included."""
    def with_additional_context(self, text: str) -> UserMessage:
        """The same message with this additional context."""
    def content_with_context(self) -> str:
        """The message as the model reads it.

        An entry with weekday and time, the additional context, and the prompt between its markers, trimmed at both
        ends; without time and additional context the prompt alone, which is the same str when there is nothing to
        trim. An empty list of results without a prompt reads `REDACTED_RESULT`.
        """
    def truncate_safe(self, max_bytes: SupportsIndex, *, split: _Split = "even") -> UserMessage:
        """The message cut to a budget that counts everything it emits; the same object when nothing changes.

        `content_with_context` and the texts of the results take at most `max_bytes` UTF-8 bytes together.
        Additional context and content divide what the markers leave: what the one does not need goes to the other.
        Where not even the entry of the time fits, the message loses its time. Images, the environment and
        `REDACTED_RESULT`, which stands for an empty list of results, are not counted.

        Raises:
            TurnwireError: `negative_budget`; `unknown_option` for another word in `split`.
        """
    def replace_content_with_tool_use_results(self) -> UserMessage:
        """The message with its results as the prompt: their blocks joined by spaces and cut to `MAX_USER_MESSAGE_SIZE`.

        Blocks without a text form, such as images, are left out; where nothing is said, the prompt is
        `REDACTED_RESULT`. A message without results is returned as it is.
        """
    def into_history_entry(self) -> dict[str, Any]:
        """The message as its backend keeps it: `{"userInputMessage": …}` in camelCase, without tools and model.

        It is cut to `MAX_USER_MESSAGE_SIZE` as `truncate_safe` does. What is absent has no key. An image inside a
        result joins the message's images; a result that says nothing reads `REDACTED_RESULT`.

        Raises:
            RenderError: `refused` for media that are no images of a format that it takes or whose bytes are not here,
                and for an id that it does not take.
        """
    def into_user_input_message(
        self,
        model_id: str | None = None,
        tools: Sequence[Mapping[str, Any]] | Mapping[str, Sequence[Mapping[str, Any]]] | None = None,
    ) -> dict[str, Any]:
        """The message as it is sent to its backend: like `into_history_entry`, with the tools and the model.

        Args:
            model_id: The model.
            tools: Tool definitions in that backend's form: a list, or lists by their origin, which are joined.

        Raises:
            RenderError: As `into_history_entry`.
            TurnwireError: `not_json` or `too_deep` for tools.
            TypeError: An argument of another type.
        """
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@disjoint_base
class AssistantMessage:
    """What the assistant said: `Response` or `ToolUse`."""

    @final
    class Response(AssistantMessage):
        """Text alone."""

        __match_args__ = ("message_id", "content")
        def __new__(cls, message_id: str | None, content: str) -> Self: ...

    @final
    class ToolUse(AssistantMessage):
        """Text and requests to run tools."""

        __match_args__ = ("message_id", "content", "tool_uses")
        def __new__(cls, message_id: str | None, content: str, tool_uses: Iterable[AssistantToolUse]) -> Self: ...
        @property
        def tool_uses(self) -> tuple[AssistantToolUse, ...]:
            """The requests."""

    @staticmethod
    def new_response(message_id: str | None, content: str) -> AssistantMessage.Response:
        """Text alone."""
    @staticmethod
    def new_tool_use(
        message_id: str | None, content: str, tool_uses: Iterable[AssistantToolUse]
    ) -> AssistantMessage.ToolUse:
        """Text and requests to run tools."""
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
"""How deep containers may be nested in a payload, on every door: 256."""
ERROR_PREFIX: Final[str]
"""What stands before the text of a failed result in a dialect without an error flag; parsing reads it back."""

_Payload = Mapping[str, object] | Sequence[object] | bytes | bytearray | str
_Json = dict[str, Any] | list[Any]
_Body: TypeAlias = Rendered[Any] | _Payload
_Messages: TypeAlias = Conversation | MessageHistory | Reply | Rendered[Any] | _Payload

@final
class Loss:
    """One thing that a target does not hold as it was."""

    __match_args__ = ("kind", "code", "path", "reason")
    @property
    def kind(self) -> Literal["lost", "changed"]:
        """`"lost"`: the target cannot express it. `"changed"`: it is there in another form, or a stand-in was added."""
    @property
    def code(self) -> str:
        """A stable name for what it is, one of `turnwire.loss_codes()`."""
    @property
    def path(self) -> str:
        """Where it was in the source: `$.messages[3].content[0].cache_control`."""
    @property
    def reason(self) -> str:
        """Why, in a sentence."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_P = TypeVar("_P", covariant=True)

@final
class Rendered(Generic[_P]):
    """A payload in its target's dialect, and everything that there is to know about how it came to be."""

    __match_args__ = ("payload", "losses")
    @property
    def payload(self) -> _P:
        """The payload: a dict or list that is yours to edit, or JSON as bytes."""
    @property
    def losses(self) -> tuple[Loss, ...]:
        """What was lost or changed, in the order of the source; empty when nothing was."""
    @property
    def receipt(self) -> Receipt:
        """What the build before it has changed; empty where none was, or it had nothing to change."""
    @property
    def sources(self) -> tuple[tuple[int, ...], ...]:
        """For each element of the payload's list, your own indices of what it was written from; `()` where it was made.

        The indices count the list that you gave. Media that were moved out of a result name that result's message.
        """
    @property
    def hoisted(self) -> tuple[int, ...]:
        """Your own indices of what was written to keys beside the list: system text."""
    @property
    def names(self) -> dict[str, str]:
        """By their names on the wire, your own names of the tools whose names the target refuses.

        `{"server_search_1f0c2d3e": "server.search"}`. A model calls tools by the names on the wire: pass this object as
        `request` to `parse_reply` or `StreamAssembler`, and its calls have yours.
        """
    @property
    def state(self) -> bytes | None:
        """What the next request has to know, as JSON; None for what was made without `after=`.

        It holds decisions and hashes, and of what was said only system text, tools and notes. A later version reads it.
        """
    @property
    def stable(self) -> int | None:
        """The index of the last element of the payload's list that stands in the next request once a reply has come.

        A mark for the cache belongs there. None for what was made without `after=`, or where the list is empty.
        """
    @property
    def summary(self) -> dict[str, Any] | None:
        """The summary that it holds, for `summary=` of the next request, whose list begins with this one's.

        Its `indices` say which messages of the list it covers. None where there is no summary.
        """
    @property
    def needs(self) -> tuple[tuple[str, str], ...]:
        """The headers that the payload needs, each as its name and one value; empty where it needs none.

            betas = [value for header, value in ready.needs if header == "anthropic-beta"]

        Anthropic offers some features under a beta header alone, such as tools that are added in the middle of a
        conversation. turnwire sends nothing: give them to your client. It is read from the payload at each call, with
        what you have added to it. Source: Anthropic's SDK, whose types of beta requests have what the others have not.
        """
    @property
    def _ledger(self) -> _LedgerState | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @classmethod
    def __class_getitem__(cls, item: Any) -> GenericAlias: ...

@overload
def convert(
    payload: _Messages,
    source: SourceName,
    target: BodyName,
    *,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
    assistant_role: Literal["gemini", "chatgpt"] | None = None,
    tool_results: bool = False,
    rest: Literal["caller", "keep", "convert"] = "caller",
    defaults: dict[str, Any] | None = None,
    model: str | None = None,
    effort_budgets: Mapping[str, int] | None = None,
) -> Rendered[dict[str, Any]]:
    """Convert a payload to another dialect, as Python objects in new containers around the same strings.

    Args:
        payload: The request body of `source`, or the part of it that holds the conversation, or its bare list: dicts
            and lists, with SDK objects anywhere inside, or JSON as bytes or str. Keys of the body that hold neither
            conversation nor tools are left to you, unless `rest` says otherwise. Never changed.
        source: The dialect of `payload`, one of `dialects()`, or `"auto"` for what it looks like; what could be
            the target's is.
        target: The dialect to write. Its own turns go back exactly as they came.
        strict: Raise at the first thing that would be lost.
        reasoning: What happens to reasoning that another dialect made: `"drop"` lists it as a loss, `"text"` writes
            what can be read of it as text.
        blobs: How new blobs are written where the target's clients take bytes.
        assistant_role: In `structured`, the role of an assistant that spoke elsewhere. None for `chatgpt` where it came
            from a dialect of OpenAI's, and `gemini` otherwise.
        tool_results: Read a user's text `{"tool_result": …}` in a payload of `llama` as a result. Anybody who speaks as
            the user can write that, so ask for it only where nobody but your program does. Without it, it is text.
        rest: What becomes of the body's other keys (the model, how to sample): `"caller"` leaves them to you, `"keep"`
            writes them as they came, in the own dialect each in its place, elsewhere behind the payload's; one that the
            payload writes itself is a loss, and one that the target does not have is reported. `"convert"` gives the
            whole body in the target's words, as `settings()` has them: what the target has no word for is a loss, what
            is out of its range is changed, and what it demands is added; all of code `setting`. In the own dialect they
            stay as they came.
        defaults: With `rest="convert"`: keys in the target's words that the body gets where it lacks them, such as
            `{"max_tokens": 8192}` for Anthropic. Inside objects, too.
        model: With `rest="convert"`: the model that the request is for, instead of the one that the body names. It
            decides what the model takes, such as a budget for thinking, or no temperature.
        effort_budgets: With `rest="convert"`: how many tokens a word such as `"high"` is worth, where the target counts
            tokens, instead of the table's numbers.

    Raises:
        ParseError: The payload cannot be read: `wrong_type`, `missing_key`, `unknown_role`, `invalid_json`, `too_deep`
            (256 levels), `too_large` (4 GiB), `changed_while_read`.
        RenderError: `loss` with `strict=True`; `refused` for what the target refuses and nothing can stand for.
        UnknownDialectError: `unknown_dialect`; with `"auto"` as `Conversation.parse`.
        TurnwireError: `not_json` for a value that JSON cannot hold, for an object that fails to say what it holds (its
            exception is the cause), and for JSON with a number that Python cannot hold (`1e9999` is not infinity; in
            arguments that are text it is a loss); `unknown_option`.
        TypeError: An argument of another type.
    """

@overload
def convert(
    payload: _Messages,
    source: SourceName,
    target: ListName,
    *,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
    assistant_role: Literal["gemini", "chatgpt"] | None = None,
    tool_results: bool = False,
    rest: Literal["caller", "keep", "convert"] = "caller",
    defaults: dict[str, Any] | None = None,
    model: str | None = None,
    effort_budgets: Mapping[str, int] | None = None,
) -> Rendered[list[Any]]: ...
@overload
def convert(
    payload: _Messages,
    source: SourceName,
    target: DialectName,
    *,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
    assistant_role: Literal["gemini", "chatgpt"] | None = None,
    tool_results: bool = False,
    rest: Literal["caller", "keep", "convert"] = "caller",
    defaults: dict[str, Any] | None = None,
    model: str | None = None,
    effort_budgets: Mapping[str, int] | None = None,
) -> Rendered[dict[str, Any]] | Rendered[list[Any]]: ...
def convert_json(
    data: _Messages,
    source: SourceName,
    target: DialectName,
    *,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
    assistant_role: Literal["gemini", "chatgpt"] | None = None,
    tool_results: bool = False,
    rest: Literal["caller", "keep", "convert"] = "caller",
    defaults: dict[str, Any] | None = None,
    model: str | None = None,
    effort_budgets: Mapping[str, int] | None = None,
) -> Rendered[bytes]:
    """Convert a payload to another dialect, as compact JSON bytes ready to send.

    Like `convert`, and the GIL is free while JSON becomes JSON. Number spelling, escapes and white space of what is not
    touched are kept; a lone surrogate becomes U+FFFD, and a loss of code `surrogate` says where and how many.

    Args:
        data: The request body of `source`, the part of it that holds the conversation, or its bare list: JSON as bytes
            or str, or Python objects. Never changed.
        source: The dialect of `data`, one of `dialects()`, or `"auto"` for what it looks like.
        target: The dialect to write.
        strict: Raise at the first thing that would be lost.
        reasoning: What happens to reasoning that another dialect made: `"drop"` lists it as a loss, `"text"` writes
            what can be read of it as text.
        blobs: How new blobs are written where the target's clients take bytes. JSON holds base64 text in any case.
        assistant_role: In `structured`, the role of an assistant that spoke elsewhere. None takes `chatgpt` where it
            came from a dialect of OpenAI's, and `gemini` otherwise.
        tool_results: Read a user's text `{"tool_result": …}` in a payload of `llama` as a result.
        rest: What becomes of the body's other keys (the model, how to sample): `"caller"` leaves them to you, `"keep"`
            writes them as they came.
            `"convert"` gives the whole body in the target's words, as `settings()` has them, and reports what is lost.
        defaults: With `rest="convert"`: keys in the target's words that the body gets where it lacks them.
        model: With `rest="convert"`: the model that the request is for, instead of the one that the body names.
        effort_budgets: With `rest="convert"`: how many tokens a word such as `"high"` is worth, where the target counts
            tokens.

    Raises:
        TurnwireError: As `convert`; also `not_json` for NaN, which Python objects may hold and JSON may not.
        TypeError: An argument of another type.
    """

def detect(payload: _Messages) -> str:
    """The dialect of a body, of a list of messages, or of one message, by what can be seen of it.

    A key, a role or a block's type names the dialects that know it, and whoever knows all of them is it. Where several
    are left, it is `"openai"` if that is among them, else the first of `dialects()`: then they all read the same.

    Args:
        payload: Dicts and lists, with SDK objects anywhere inside, or JSON as bytes or str.

    Raises:
        UnknownDialectError: `no_dialect` where nothing tells, or only a dialect that cannot be read yet;
            `conflicting_signs` for two things in one place that no dialect knows both; `mixed_dialects` for a list of
            several, with the path of the first message that does not go with those before it.
        ParseError: What came is neither list nor object, or no JSON.
        TypeError: An argument of another type.
    """

def dialects() -> tuple[DialectName, ...]:
    """The names of all dialects that can be read and written, profiles such as `openai:deepseek` included."""

def settings() -> dict[str, Any]:
    """The table of settings that `rest="convert"` reads and writes by, as plain data.

    `settings` holds for each setting its `meaning` and its `wires`: for each dialect the `kind` of its value, the
    `places` where it is read (keys with dots between; it is written to the first) and, where there is one, the `range`
    of its number, the `most` values or characters, its `words` (as the wire spells them, and as they are called here),
    what is `needed` and what is taken where it is `absent` (JSON), what it `excludes`, what it `needs`, and `why` there
    is none. `models` lists what versions and models take otherwise, by the beginnings of their names. `efforts` are the
    words for how much a model thinks, each with the tokens that it is worth to a wire that counts them. Sources are the
    providers' references and the types of their SDKs. Each call makes new objects.
    """

def loss_codes() -> dict[str, str]:
    """Every code of a `Loss`, with what it means."""

# --- The front door ---

@overload
def prepare(
    messages: _Messages,
    target: BodyName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    rest: Literal["caller", "keep", "convert"] = "caller",
    max_tokens: int | None = None,
    count: Callable[[str], int] | None = None,
    reserve: float = 0.25,
    max_result_bytes: int | None = None,
    max_result_tokens: int | None = None,
    keep_open: bool = False,
    row: bool = False,
    thinking: Literal["valid", "keep", "strip_after_change"] = "valid",
    model: str | None = None,
    prefill: bool = False,
    opening: str | None = None,
    omitted: str | None = None,
    missing_result: str | None = None,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
    assistant_role: Literal["gemini", "chatgpt"] | None = None,
    cache: Literal["auto"] | None = None,
    defaults: dict[str, Any] | None = None,
    effort_budgets: Mapping[str, int] | None = None,
    pinned: Iterable[int] = (),
    summary: Mapping[str, Any] | None = None,
    summarise: Callable[[list[Any]], object] | None = None,
    on_cut: Callable[[str, str, str], object] | None = None,
    after: Rendered[Any] | bytes | None = None,
) -> Rendered[dict[str, Any]]:
    """Any list of messages as the target takes it: read, repaired, fitted, written.

        ready = prepare(messages, "anthropic", 300_000)
        client.messages.create(model=MODEL, max_tokens=4096, **ready.payload)

    `ready.receipt` lists what was repaired and cut, `ready.losses` what the target cannot hold as it was.

    Args:
        messages: A list of messages in any dialect, or in several: dicts, SDK objects, `UserMessage`,
            `AssistantMessage`, `ToolUseResult`, `Turn`, and str for what the user says. Also a whole request body, JSON
            of these as bytes or str, entities `{"id": …, "body": …}`, or what is a conversation already: a
            `Conversation`, a `MessageHistory`, a `Reply`, a `Rendered`. Never changed.
        target: Who is to take it, one of `dialects()`.
        max_bytes: At most so many UTF-8 bytes of text, tool arguments, media data and tool definitions. Keys, quotes
            and escapes do not count. `receipt.totals` says what it came to.
        source: The dialect of `messages`. `"auto"` reads each message as what it looks like, and as the target's where
            it could be.
        tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result. Anybody who speaks as
            the user can write that, so ask for it only where nobody but your program does.
        system: System text to put before that of `messages`.
        tools: Tool definitions to put before those of `messages`, in the target's form or any other: dicts, what an
            MCP server lists, and the tools of agent frameworks. Of two with one name, these are used.
        rest: What becomes of a body's other keys, such as the model and how to sample: `"caller"` leaves them to you,
            `"keep"` writes them as they came, `"convert"` gives the whole body in the target's words, as `settings()`
            has them.
        max_tokens: At most so many tokens, as `count` counts them, instead of `max_bytes`. Media count 0, with a
            warning.
        count: Returns the tokens of a text: your tokenizer. It is called once for each text, and again for what is cut.
        reserve: The share of the budget, from 0 to 1, that is freed at once when it is full, so that the prefix stays
            the same for several requests. 0 frees no more than needed and changes the prefix each time.
        max_result_bytes: At most so many UTF-8 bytes for each tool result, marker included. It is cut once, whatever
            the budget.
        max_result_tokens: The same limit in tokens, as `count` counts them.
        keep_open: Leave the calls of the last turn unanswered: you run them next.
        row: The messages are a row of training data: it may end with the assistant's text, or with calls that stay
            open.
        thinking: Which signed reasoning stays: `"valid"` leaves out what the provider would refuse because this build
            changed something before it, `"keep"` keeps all, `"strip_after_change"` leaves out all after the first
            change.
        model: The model's name, where no body names it. It decides whether reasoning is checked; with `rest="convert"`
            the body names it, and it decides what the model takes.
        prefill: The last assistant turn is the beginning of the reply. Not all models accept that.
        opening: The user's words to put first where the target requires the user to begin. None raises `BuildError`
            there.
        omitted: A note in the user's name, put once where the budget left messages out. It counts for the budget.
        missing_result: The text of the result that a call without one gets. `MISSING_RESULT` if None.
        strict: Raise `RenderError` at the first thing that the target cannot express.
        reasoning: Reasoning of another provider: `"drop"` lists it as a loss, `"text"` writes its readable part as
            text.
        blobs: New media data as base64 text or as raw bytes, where the target's client takes bytes (boto3).
        assistant_role: For `structured`: the role of an assistant from elsewhere. None takes `chatgpt` for OpenAI's
            dialects, and `gemini` for others.
        cache: `"auto"` adds marks for the provider's prompt cache, where the target has them (`anthropic`, `bedrock`):
            at the end, before the newest reply, and at the end of the system text and the tools. At most four, yours
            included; each is a loss `cache_mark` of the kind `changed`. None adds none.
        defaults: With `rest="convert"`: keys in the target's words that the body gets where it lacks them.
        effort_budgets: With `rest="convert"`: how many tokens a word such as `"high"` is worth, where the target counts
            tokens.
        pinned: Indices of messages that a budget neither cuts nor drops.
        summary: A summary that replaces older messages: `summary`, `startMessageId` and `messageIds`, or the same in
            snake_case; or `Rendered.summary` of the request before, for a list that goes on.
        summarise: Called at most once with the messages that the budget leaves out, as you gave them, or as `Turn`
            where you gave no list. The text that it returns takes their place as a summary; an earlier one is the first
            message that it gets. What it raises comes out as it is.
        on_cut: Called with the call's id, the SHA-256 of the full text and the full text, for each result that is cut.
        after: The request before this one (a `Rendered`, or its `state`), and this one goes on where it ended. None,
            written out, is for the first of a run; without it nothing is remembered.

    Raises:
        ParseError: The messages cannot be read.
        UnknownDialectError: `unknown_dialect`; with `source="auto"`, messages that no dialect knows.
        BuildError: Something cannot be repaired, or the budget is too small; `receipt` lists what was changed by then.
        RenderError: `refused`, and `loss` with `strict=True`.
        TurnwireError: A budget or an option is wrong: `negative_budget`, `conflicting_options`, `out_of_range`,
            `bad_count`, `unknown_option`; `not_json` for a value that JSON cannot hold.
        TypeError: An argument of another type.
    """

@overload
def prepare(
    messages: _Messages,
    target: ListName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    rest: Literal["caller", "keep", "convert"] = "caller",
    max_tokens: int | None = None,
    count: Callable[[str], int] | None = None,
    reserve: float = 0.25,
    max_result_bytes: int | None = None,
    max_result_tokens: int | None = None,
    keep_open: bool = False,
    row: bool = False,
    thinking: Literal["valid", "keep", "strip_after_change"] = "valid",
    model: str | None = None,
    prefill: bool = False,
    opening: str | None = None,
    omitted: str | None = None,
    missing_result: str | None = None,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
    assistant_role: Literal["gemini", "chatgpt"] | None = None,
    cache: Literal["auto"] | None = None,
    defaults: dict[str, Any] | None = None,
    effort_budgets: Mapping[str, int] | None = None,
    pinned: Iterable[int] = (),
    summary: Mapping[str, Any] | None = None,
    summarise: Callable[[list[Any]], object] | None = None,
    on_cut: Callable[[str, str, str], object] | None = None,
    after: Rendered[Any] | bytes | None = None,
) -> Rendered[list[Any]]: ...
@overload
def prepare(
    messages: _Messages,
    target: DialectName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    rest: Literal["caller", "keep", "convert"] = "caller",
    max_tokens: int | None = None,
    count: Callable[[str], int] | None = None,
    reserve: float = 0.25,
    max_result_bytes: int | None = None,
    max_result_tokens: int | None = None,
    keep_open: bool = False,
    row: bool = False,
    thinking: Literal["valid", "keep", "strip_after_change"] = "valid",
    model: str | None = None,
    prefill: bool = False,
    opening: str | None = None,
    omitted: str | None = None,
    missing_result: str | None = None,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
    assistant_role: Literal["gemini", "chatgpt"] | None = None,
    cache: Literal["auto"] | None = None,
    defaults: dict[str, Any] | None = None,
    effort_budgets: Mapping[str, int] | None = None,
    pinned: Iterable[int] = (),
    summary: Mapping[str, Any] | None = None,
    summarise: Callable[[list[Any]], object] | None = None,
    on_cut: Callable[[str, str, str], object] | None = None,
    after: Rendered[Any] | bytes | None = None,
) -> Rendered[dict[str, Any]] | Rendered[list[Any]]: ...
def prepare_json(
    messages: _Messages,
    target: DialectName,
    max_bytes: int | None = None,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    system: str | Iterable[str] | None = None,
    tools: Iterable[object] | None = None,
    rest: Literal["caller", "keep", "convert"] = "caller",
    max_tokens: int | None = None,
    count: Callable[[str], int] | None = None,
    reserve: float = 0.25,
    max_result_bytes: int | None = None,
    max_result_tokens: int | None = None,
    keep_open: bool = False,
    row: bool = False,
    thinking: Literal["valid", "keep", "strip_after_change"] = "valid",
    model: str | None = None,
    prefill: bool = False,
    opening: str | None = None,
    omitted: str | None = None,
    missing_result: str | None = None,
    strict: bool = False,
    reasoning: Literal["drop", "text"] = "drop",
    blobs: Literal["base64", "raw"] = "base64",
    assistant_role: Literal["gemini", "chatgpt"] | None = None,
    cache: Literal["auto"] | None = None,
    defaults: dict[str, Any] | None = None,
    effort_budgets: Mapping[str, int] | None = None,
    pinned: Iterable[int] = (),
    summary: Mapping[str, Any] | None = None,
    summarise: Callable[[list[Any]], object] | None = None,
    on_cut: Callable[[str, str, str], object] | None = None,
    after: Rendered[Any] | bytes | None = None,
) -> Rendered[bytes]:
    """Any list of messages as the target takes it, as compact JSON bytes that are ready to send.

        ready = prepare_json(messages, "anthropic", 300_000)
        httpx.post(URL, content=ready.payload, headers=HEADERS)

    Args:
        messages: A list of messages in any dialect, or in several; everything that `prepare` takes. Never changed.
        target: Who is to take it, one of `dialects()`.
        max_bytes: At most so many UTF-8 bytes of text, tool arguments, media data and tool definitions.
        source: The dialect of `messages`. `"auto"` reads each message as what it looks like.
        tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result.
        system: System text to put before that of `messages`.
        tools: Tool definitions to put before those of `messages`, in the target's form or any other.
        rest: What becomes of a body's other keys, such as the model and how to sample: `"caller"` leaves them to you,
            `"keep"` writes them as they came, `"convert"` gives the whole body in the target's words, as `settings()`
            has them.
        max_tokens: At most so many tokens, as `count` counts them, instead of `max_bytes`. Media count 0, with a
            warning.
        count: Returns the tokens of a text: your tokenizer. It is called once for each text, and again for what is cut.
        reserve: The share of the budget, from 0 to 1, that is freed at once when it is full, so that the prefix stays
            the same for several requests. 0 frees no more than needed and changes the prefix each time.
        max_result_bytes: At most so many UTF-8 bytes for each tool result, marker included. It is cut once, whatever
            the budget.
        max_result_tokens: The same limit in tokens, as `count` counts them.
        keep_open: Leave the calls of the last turn unanswered: you run them next.
        row: The messages are a row of training data: it may end with the assistant's text, or with calls that stay
            open.
        thinking: Which signed reasoning stays: `"valid"` leaves out what the provider would refuse because this build
            changed something before it, `"keep"` keeps all, `"strip_after_change"` leaves out all after the first
            change.
        model: The model's name, where no body names it. It decides whether reasoning is checked; with `rest="convert"`
            the body names it, and it decides what the model takes.
        prefill: The last assistant turn is the beginning of the reply. Not all models accept that.
        opening: The user's words to put first where the target requires the user to begin. None raises `BuildError`
            there.
        omitted: A note in the user's name, put once where the budget left messages out. It counts for the budget.
        missing_result: The text of the result that a call without one gets. `MISSING_RESULT` if None.
        strict: Raise `RenderError` at the first thing that the target cannot express.
        reasoning: Reasoning of another provider: `"drop"` lists it as a loss, `"text"` writes its readable part as
            text.
        blobs: New media data as base64 text or as raw bytes, where the target's client takes bytes (boto3).
        assistant_role: For `structured`: the role of an assistant from elsewhere. None takes `chatgpt` for OpenAI's
            dialects, and `gemini` for others.
        cache: `"auto"` adds marks for the provider's prompt cache, where the target has them (`anthropic`, `bedrock`):
            at the end, before the newest reply, and at the end of the system text and the tools. At most four, yours
            included; each is a loss `cache_mark` of the kind `changed`. None adds none.
        defaults: With `rest="convert"`: keys in the target's words that the body gets where it lacks them.
        effort_budgets: With `rest="convert"`: how many tokens a word such as `"high"` is worth, where the target counts
            tokens.
        pinned: Indices of messages that a budget neither cuts nor drops.
        summary: A summary that replaces older messages: `summary`, `startMessageId` and `messageIds`, or the same in
            snake_case; or `Rendered.summary` of the request before, for a list that goes on.
        summarise: Called at most once with the messages that the budget leaves out, as you gave them, or as `Turn`
            where you gave no list. The text that it returns takes their place as a summary; an earlier one is the first
            message that it gets. What it raises comes out as it is.
        on_cut: Called with the call's id, the SHA-256 of the full text and the full text, for each result that is cut.
        after: The request before this one (a `Rendered`, or its `state`), and this one goes on where it ended. None,
            written out, is for the first of a run; without it nothing is remembered.

    Raises:
        ParseError: The messages cannot be read.
        UnknownDialectError: `unknown_dialect`; with `source="auto"`, messages that no dialect knows.
        BuildError: Something cannot be repaired, or the budget is too small; `receipt` lists what was changed by then.
        RenderError: `refused`, and `loss` with `strict=True`.
        TurnwireError: A budget or an option is wrong: `negative_budget`, `conflicting_options`, `out_of_range`,
            `bad_count`, `unknown_option`; `not_json` for NaN.
        TypeError: An argument of another type.
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
    messages: _Messages,
    target: DialectName,
    max_bytes: int | None,
    state: _LedgerState,
    chosen: tuple[float, str, str, str],
    form: Literal["objects", "json", "summary"],
    source: SourceName,
    tool_results: bool,
    system: str | Iterable[str] | None,
    tools: Iterable[object] | None,
    relay: tuple[bool, bool, bool],
    **options: Unpack[Options],
) -> Rendered[Any]: ...
def _prepared(
    messages: _Messages,
    source: SourceName,
    target: DialectName | None,
    max_bytes: int | None,
    relay: tuple[bool, bool, bool],
    **options: Unpack[Options],
) -> Conversation: ...

# --- Conversations ---

_Role = Literal["system", "developer", "user", "assistant", "tool"]

@final
class Text:
    """Text of the user, the assistant or the system. Equal to any part with the same text."""

    __match_args__ = ("text",)
    def __new__(cls, text: str) -> Self: ...
    @property
    def text(self) -> str:
        """The text: the very str it was made of."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Reasoning:
    """What the model thought. Only parsing makes it: its signature belongs to the dialect that it came from."""

    @property
    def text(self) -> str | None:
        """What can be read of it, or None where it is encrypted."""
    @property
    def dialect(self) -> DialectName:
        """The dialect that made it, and the only one that it is replayed to."""
    @property
    def value(self) -> Any:
        """The wire value in new containers, or None where the turn's own key holds it."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Opaque:
    """Something that only its own dialect knows: server-side tools, compaction, cache points."""

    @property
    def type(self) -> str | None:
        """The name of its type on the wire."""
    @property
    def dialect(self) -> DialectName:
        """The dialect that it came from, and the only one that it is replayed to."""
    @property
    def value(self) -> Any:
        """The wire value in new containers."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Part = Text | Reasoning | Media | Opaque | AssistantToolUse | ToolUseResult

@final
class Turn:
    """One turn of a conversation: one element of the payload's list. Frozen; equal to any turn that says the same."""

    __match_args__ = ("role", "parts")
    def __new__(cls, role: _Role, parts: str | Iterable[str | _Part], id: str | None = None) -> Self:
        """Make a turn.

        Args:
            role: Who speaks.
            parts: What is said, in order; a str is text.
            id: The element's own id, for dialects that have one.

        Raises:
            ParseError: `unknown_role`.
            TypeError: A part of another type; `wrong_argument` where parts that keep a wire value come from two
                dialects.
        """
    @property
    def role(self) -> _Role:
        """Who speaks."""
    @property
    def parts(self) -> tuple[_Part, ...]:
        """What is said, in order."""
    @property
    def id(self) -> str | None:
        """The element's own id, or that of the entity that it came in, or None."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Item = str | Turn | UserMessage | AssistantMessage | ToolUseResult

@final
class Conversation:
    """Turns in order, and what surrounds them: system text, tools, choice of tools. Frozen.

    Equal by what is said, whatever dialect it came from; tools do not count. Pickling keeps each turn as its own
    dialect writes it, so a stored conversation replays to any provider.
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
            items: Turns, messages and results; a str is what the user says.
            system: System text, in one or several pieces.
            tools: Tool definitions in any dialect's form, or as `{"name", "description", "parameters"}`; what an MCP
                server lists, and the tools of agent frameworks.

        Raises:
            ParseError: A tool without a name.
            TypeError: An item of another type, such as a dict, which `parse` reads.
        """
    @staticmethod
    def parse(payload: _Messages, dialect: SourceName = "auto", *, tool_results: bool = False) -> Conversation:
        """Read a payload. It is copied, its strings are not; bytes and str are JSON, and are kept.

        Args:
            payload: As in `convert`. Its list may also hold what a conversation is made of: `Turn`, `UserMessage`,
                `AssistantMessage`, `ToolUseResult`.
            dialect: The dialect of `payload`. `"auto"` reads each message as what it looks like, so a list may mix
                dialects, and a str in it is what the user says.
            tool_results: As in `convert`.

        Raises:
            ParseError: As `convert`; `wrong_dialect` for what cannot be read as `dialect` and looks like another.
            UnknownDialectError: `unknown_dialect`; as `detect`, but for `mixed_dialects`.
            TurnwireError: `not_json` for a value that JSON cannot hold.
        """
    @staticmethod
    def _parse_for(
        payload: _Messages, dialect: SourceName, target: DialectName | None, tool_results: bool
    ) -> Conversation: ...
    @property
    def system(self) -> str | None:
        """Top-level system text, its pieces joined by newlines, or None. A system message of the list is a turn."""
    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns in order."""
    @property
    def tools(self) -> tuple[dict[str, Any], ...]:
        """The tool definitions: dicts of `name`, `description`, `parameters` and what else they hold, such as `strict`.

        `custom` is True where the tool takes free text instead of arguments. No key stands there without a value.
        """
    @property
    def pending_tool_uses(self) -> tuple[AssistantToolUse, ...]:
        """The calls of the last assistant turns that have no result yet and whose arguments are an object."""
    @property
    def receipt(self) -> Receipt:
        """What the build that made this conversation has changed; empty for one that no build has made."""
    def _pinned(self, pinned: Iterable[int]) -> list[int]: ...
    def _build(
        self,
        prompts: list[str],
        summary: _Summary | None,
        budget: _Budget,
        pinned: list[int],
        target: DialectName | None,
        keep_open: bool,
        thinking: Literal["valid", "keep", "strip_after_change"],
        opening: str | None,
        omitted: str | None,
        missing_result: str | None,
        on_cut: Callable[[str, str, str], object] | None,
        model: str | None,
        prefill: bool,
    ) -> Conversation: ...
    def _window(
        self, turns: int | None, budget: _Budget, pinned: Iterable[int], summarised: bool
    ) -> tuple[Conversation, list[int]]: ...
    def _summed(self, count: int, text: str) -> Conversation: ...
    def _check(
        self,
        prompts: list[str],
        summary: _Summary | None,
        budget: _Budget,
        pinned: list[int],
        target: DialectName | None,
        after: _Body | None,
        model: str | None,
    ) -> tuple[Finding, ...]: ...
    def extended(self, items: _Item | Iterable[_Item]) -> Conversation:
        """The same conversation with more at its end. The turns are shared, so this costs what the new ones cost.

        Raises:
            TypeError: An item of another type.
        """
    @overload
    def render(
        self,
        dialect: BodyName,
        *,
        strict: bool = False,
        reasoning: Literal["drop", "text"] = "drop",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
    ) -> Rendered[dict[str, Any]]:
        """Write the conversation in a dialect, as Python objects. Nothing is repaired and nothing is cut.

        Args:
            dialect: The dialect to write, one of `dialects()`.
            strict: Raise at the first thing that would be lost.
            reasoning: What happens to reasoning that another dialect made: `"drop"` lists it as a loss, `"text"` writes
                what can be read of it as text.
            blobs: How new blobs are written where the target's clients take bytes.
            assistant_role: In `structured`, the role of an assistant that spoke elsewhere. None takes `chatgpt` where
                it came from a dialect of OpenAI's, and `gemini` otherwise.
            cache: `"auto"` adds marks for the provider's prompt cache, where the target has them: at most four, yours
                included. None adds none.

        Raises:
            RenderError: `loss` with `strict=True`; `refused` for what the target refuses and nothing can replace.
            UnknownDialectError: `unknown_dialect`.
            TurnwireError: `not_json` for a value that JSON cannot hold; `unknown_option`.
        """
    @overload
    def render(
        self,
        dialect: ListName,
        *,
        strict: bool = False,
        reasoning: Literal["drop", "text"] = "drop",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
    ) -> Rendered[list[Any]]: ...
    @overload
    def render(
        self,
        dialect: DialectName,
        *,
        strict: bool = False,
        reasoning: Literal["drop", "text"] = "drop",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
    ) -> Rendered[dict[str, Any]] | Rendered[list[Any]]: ...
    def render_json(
        self,
        dialect: DialectName,
        *,
        strict: bool = False,
        reasoning: Literal["drop", "text"] = "drop",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        cache: Literal["auto"] | None = None,
    ) -> Rendered[bytes]:
        """Write the conversation in a dialect, as compact JSON bytes. Nothing is repaired and nothing is cut.

        Args:
            dialect: The dialect to write, one of `dialects()`.
            strict: Raise at the first thing that would be lost.
            reasoning: What happens to reasoning that another dialect made: `"drop"` lists it as a loss, `"text"` writes
                what can be read of it as text.
            blobs: How new blobs are written where the target's clients take bytes. JSON holds base64 text in any case.
            assistant_role: In `structured`, the role of an assistant that spoke elsewhere. None takes `chatgpt` where
                it came from a dialect of OpenAI's, and `gemini` otherwise.
            cache: `"auto"` adds marks for the provider's prompt cache, where the target has them: at most four, yours
                included. None adds none.

        Raises:
            RenderError: `loss` with `strict=True`; `refused` for what the target refuses and nothing can replace.
            UnknownDialectError: `unknown_dialect`.
            TurnwireError: `not_json` for NaN and other values that JSON cannot hold; `unknown_option`.
        """
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
    """What a reply cost, in tokens; None where the provider does not say.

    The counts mean the same for every provider: Anthropic's and Bedrock's input is given together with what was cached,
    Gemini's output together with its thoughts.
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
        """All that the model read, what came from a cache or went to one included."""
    @property
    def output(self) -> int | None:
        """All that it wrote, reasoning included."""
    @property
    def cached(self) -> int | None:
        """How much of the input came from a cache."""
    @property
    def reasoning(self) -> int | None:
        """How much of the output was reasoning."""
    @property
    def written(self) -> int | None:
        """How much of the input went into a cache."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

_Finish = Literal["stop", "tool_calls", "length", "refusal", "filtered", "paused", "error", "other"]

@final
class Reply:
    """What a model answered: one turn, in formats of items several. Frozen; iterating it gives its turns.

        conversation = conversation.extended(reply)

    Its turns replay to the provider that said them as they came. Equal by what was said, why it ended and what it cost.
    """

    __match_args__ = ("finish", "turns")
    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns in order: none where the provider gave no answer."""
    @property
    def text(self) -> str:
        """All text of the answer, joined as it came: no reasoning, no refusal."""
    @property
    def tool_uses(self) -> tuple[AssistantToolUse, ...]:
        """The calls that you are to run, in order; none that the provider runs itself. Look at their `args_state`."""
    @property
    def stop_reason(self) -> str | None:
        """Why it ended, in the provider's own word; None where it gave none.

        Of Responses why it is incomplete, or else its status.
        """
    @property
    def finish(self) -> _Finish:
        """Why it ended, in one word for all providers.

        `stop`: nothing more to say. `tool_calls`: there are calls to be run, whatever word the provider has for it.
        `length`: no room for more, also where arguments end in the middle. `refusal`: the model refuses. `filtered`:
        the provider held it back. `paused`: send it back to go on; of Responses also a reply that is still being made,
        or that asks for what is no call of a tool of yours, such as an approval or a shell. `error`: see `error`, or a
        stream that ended in the middle. `other`: a word that turnwire does not know, or none.
        """
    @property
    def usage(self) -> Any:
        """What it cost, as the provider says it, in new containers; None where it does not."""
    @property
    def tokens(self) -> Tokens:
        """What it cost, in tokens."""
    @property
    def error(self) -> Any:
        """What went wrong, as the provider says it; None where nothing did, and where a stream only broke off."""
    @property
    def losses(self) -> tuple[Loss, ...]:
        """What was not taken: other choices or candidates than the first."""
    @property
    def events(self) -> tuple[dict[str, Any], ...]:
        """What only the end of a stream could tell, as `StreamAssembler.feed` gives it: calls without arguments."""
    def render(
        self, dialect: ReplyName, *, request: object = None, status: int | None = None
    ) -> RenderedReply[dict[str, Any]]:
        """The reply as another provider would have said it: what `convert_reply` gives, of a reply that is read.

        A reply that was streamed is written as a whole one. Its own dialect gets it as it came, unless it was streamed.

        Args:
            dialect: The dialect of the client that is to read it.
            request: What was asked, as in `convert_reply`.
            status: The HTTP status that it came with, as in `convert_reply`.

        Raises:
            UnknownDialectError: `unknown_dialect` for a dialect that has no replies.
            RenderError: The target refuses something that nothing can replace (`refused`).
        """
    def render_json(
        self, dialect: ReplyName, *, request: object = None, status: int | None = None
    ) -> RenderedReply[bytes]:
        """The same, with the body as JSON bytes."""
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Turn]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class RenderedReply(Generic[_P]):
    """A reply in the words of another provider: the body of the response that its clients read."""

    __match_args__ = ("payload", "losses", "status")
    @property
    def payload(self) -> _P:
        """The body: a dict that is yours to edit, or JSON as bytes."""
    @property
    def losses(self) -> tuple[Loss, ...]:
        """What the body does not hold as it was, each with its place in the source; empty when it holds everything."""
    @property
    def status(self) -> int | None:
        """The HTTP status to send an error with; None where the reply is an answer, which is sent with 200.

        To Bedrock's clients send the value of `__type` as the header `x-amzn-errortype`, too.
        """
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    @classmethod
    def __class_getitem__(cls, item: Any) -> GenericAlias: ...

def convert_reply(
    payload: object,
    source: Literal["auto", ReplyName],
    target: ReplyName,
    *,
    request: object = None,
    status: int | None = None,
) -> RenderedReply[dict[str, Any]]:
    """Write a whole reply of one provider as another one would have said it.

        out = convert_reply(body, "anthropic", "openai", request=request)

    What the target's SDK demands is there: ids, times, counts, and the word for why it ended. Ids have the source's
    tail behind the target's prefix; nothing depends on a clock or on chance. A key that the target demands and nobody
    knows has the value 0 or `""`, and a loss tells of it. A reply of the target's own format goes back as it came.

    Args:
        payload: The body of a response, as in `parse_reply`: a dict, the SDK's object, or JSON as bytes or str. The
            body of an error is one, too.
        source: The dialect that it is in. With `"auto"` its keys tell, which those of an error do not.
        target: The dialect of the client that is to read it.
        request: What was asked: the `Rendered` that was sent, or the body as its client wrote it. Calls get the
            client's own names of tools. A body in Responses is repeated where its replies repeat it, its model stands
            where the reply has none, and the ids of a reply without one are made from it.
        status: The HTTP status that the payload came with. It tells errors apart that say the same, and is kept where
            the target's own would make a client try again that must not, or the other way round.

    Returns:
        The body, what it does not hold, and, of an error, its status.

    Raises:
        ParseError: The reply cannot be read: `missing_key`, `wrong_type`, `invalid_json`, `too_deep`.
        UnknownDialectError: `unknown_dialect` for a dialect that has no replies; `no_dialect` where no key tells.
        RenderError: The target refuses something that nothing can replace (`refused`).
        TurnwireError: `not_json` for a value that JSON cannot hold.
    """

def convert_reply_json(
    data: object,
    source: Literal["auto", ReplyName],
    target: ReplyName,
    *,
    request: object = None,
    status: int | None = None,
) -> RenderedReply[bytes]:
    """The same, with the body as JSON bytes: lone surrogates become U+FFFD there."""

def parse_reply(payload: object, dialect: Literal["auto", ReplyName] = "auto", *, request: object = None) -> Reply:
    """Read a whole reply.

    Args:
        payload: The body of a response: a dict, the SDK's object, or JSON as bytes or str. It is copied, its strings
            are not.
        dialect: The dialect that it is in. With `"auto"` its keys tell, such as `choices`, or `content` with
            `stop_reason`.
        request: What was asked: the `Rendered` that was sent, or a body with `tools` in any dialect. Calls of tools
            whose names the provider refuses get your own names back.

    Raises:
        ParseError: The reply cannot be read: `missing_key`, `wrong_type`, `invalid_json`, `too_deep`.
        UnknownDialectError: `unknown_dialect` for a dialect that has no replies; `no_dialect` where no key tells.
        TurnwireError: `not_json` for a value that JSON cannot hold.
    """

@final
class StreamAssembler:
    """Puts one streamed reply together, chunk by chunk, and tells what can be used at once.

        stream = StreamAssembler("openai")
        for chunk in client.chat.completions.create(stream=True, ...):
            for event in stream.feed(chunk):
                if event["type"] == "text":
                    print(event["content"], end="")
        reply = stream.finish()

    Events are the same dicts for every provider: `{"type": "text", "content": str}`, `{"type": "reasoning", "content":
    str}`, and `{"type": "tool_call", "content": {"name": str, "arguments": dict, "tool_call_id": str}}` once for each
    call whose arguments are whole and an object; the id is missing where the wire has none. All other chunks, those
    that nobody knows included, give none. Time and memory are linear in what is fed.
    """

    def __new__(cls, dialect: ReplyName, *, request: object = None, events: Literal["plain", "full"] = "plain") -> Self:
        """An assembler of one reply.

        Args:
            dialect: The dialect of the stream.
            request: The request that is answered, a `Rendered` or a body: calls and events get your own names of tools.
            events: `"full"` also tells what only those need who write a stream of their own, each as
                `{"type": ..., "content": ...}`: `begin` with the `id` and `model` where the wire says them;
                `part_begin` and `part_end` with `"text"`, `"reasoning"` or `"refusal"` around the pieces of a part;
                `refusal`, and `signature` of the reasoning that came last; of a call, `call_begin` with its number
                `call`, `name`, `tool_call_id` and, where its arguments are free text, `custom`; `call_piece` with
                `call` and a piece of its `arguments` as text; `call_end` with `call`. Calls may grow side by side;
                parts do not. A `call_begin` comes with the first piece of the arguments where a server may still
                send more of the name. What `finish` gives tells at last, in its `events`: `usage` with the counts of
                `Tokens`, `finish` with the word, and `error` where there is one.

        Raises:
            UnknownDialectError: `unknown_dialect`, also for a dialect that has no replies.
            ValueError: Another word for `events`.
        """
    def feed(self, chunk: object) -> list[dict[str, Any]]:
        """Take one chunk, and give the events that it makes.

        Args:
            chunk: A dict; an event object of the SDK (those that the SDK derives from others are passed over); or the
                JSON of one event as bytes or str, such as the `data` of a server-sent event, `[DONE]` included.

        Raises:
            ParseError: The chunk cannot be read, and counts as not fed: `wrong_type`, `missing_key`, `invalid_json`,
                `unexpected_chunk` for a piece of something that never began. The stream can go on; events from before
                come with the next call.
            TurnwireError: `finished` after `finish`.
        """
    def feed_bytes(self, data: bytes | bytearray) -> list[dict[str, Any]]:
        """Take bytes of the response's body, split anywhere: server-sent events; JSON Lines are taken, too.

        The body of Bedrock's ConverseStream is AWS's binary event stream: its frames are read, and their checksums.

        Raises:
            ParseError: As `feed`. The next call goes on behind the event that could not be read. `unexpected_chunk` for
                a frame that does not have its checksum.
            TurnwireError: `finished` after `finish`.
        """
    def finish(self) -> Reply:
        """The whole reply, as `parse_reply` would read it from the provider that does not stream.

        A stream that ended in the middle, or with an error, gives what came so far with `finish` `"error"`; a call that
        was cut off in its arguments is there, `incomplete`.

        Raises:
            ParseError: As `feed`, for what came last.
            TurnwireError: `finished` the second time.
        """

@final
class StreamConverter:
    """Makes of one provider's stream, as it comes, the stream that another one's client reads.

        converter = StreamConverter("anthropic", "openai", request=body)
        for data in upstream.iter_bytes():
            yield converter.feed_bytes(data)
        yield converter.finish()

    Text goes out in the call that brought it; arguments go out in pieces where the target has them, and whole with
    their end where it has not. Where a wire has one block at a time, what comes for another waits. A stream for its
    own wire is replayed as it came. A reply that breaks off ends as the target's own error, never as a reply that is
    whole. Time and memory are linear in what is fed.
    """

    def __new__(cls, source: ReplyName, target: ReplyName, *, request: object = None) -> Self:
        """A converter of one reply.

        Args:
            source: The dialect of the stream.
            target: The dialect of the client that reads it.
            request: What was asked, as in `parse_reply`: calls have your own names of tools.

        Raises:
            UnknownDialectError: `unknown_dialect`, also for a dialect that has no replies.
        """
    def feed(self, chunk: object) -> list[dict[str, Any]]:
        """Take one chunk, and give the events that it becomes, as dicts of the target's wire.

        Args:
            chunk: As in `StreamAssembler.feed`.

        Raises:
            ParseError: As `StreamAssembler.feed`. What was told before comes with the next call.
            TurnwireError: `finished` once the reply has ended.
        """
    def feed_bytes(self, data: bytes | bytearray) -> bytes:
        """Take bytes of the response's body, split anywhere, and give those of the body for the client.

        They are server-sent events; for `ollama` JSON Lines; from and for `bedrock` AWS's binary event stream.

        Raises:
            ParseError: As `StreamAssembler.feed_bytes`. What was told before comes with the next call.
            TurnwireError: `finished` once the reply has ended.
        """
    def finish(self) -> Any:
        """The rest, once all chunks are there, in the form of what was fed: bytes, or a list of dicts.

        Empty where the source said itself that it ended, and all is written. Where it did not, the rest is the target's
        own error; where the target has none that its clients notice, `abort` says so.

        Raises:
            TurnwireError: `finished` the second time.
        """
    @property
    def losses(self) -> tuple[Loss, ...]:
        """What the target could not say, once the reply has ended."""
    @property
    def abort(self) -> bool:
        """Whether to drop the connection to the client instead of closing it: it would not see that the reply broke."""

# --- The builder ---

_RESERVE: Final[float]

@final
class _Summary:
    def __new__(cls, given: Mapping[str, Any]) -> Self: ...

@final
class _Budget:
    def __new__(
        cls,
        max_bytes: int | None = None,
        *,
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        reserve: float | None = None,
        max_result_bytes: int | None = None,
        max_result_tokens: int | None = None,
    ) -> Self: ...

MISSING_RESULT: Final[str]
"""What the result says that a call without one gets from a build."""

class _Totals(TypedDict):
    unit: Literal["bytes", "tokens", "turns"]
    before: int
    after: int
    freed: dict[str, int]

@final
class Receipt:
    """What a build changed, in the order of its steps.

    False when nothing changed, and then the turns are the very ones that were given. `str()` is a line for each change
    and each warning.
    `Receipt()` is an empty one.
    """

    def __init__(self) -> None: ...
    @property
    def entries(self) -> tuple[ReceiptEntry, ...]:
        """Every change; iterating a receipt gives the same."""
    @property
    def first_changed_index(self) -> int | None:
        """The first index at which the result is not what was given: what a provider has cached is good up to there."""
    @property
    def break_at(self) -> str | None:
        """The first place where this request says something else than the one before it, of what that one had sent.

        A path in your payload. Bound reasoning and a provider's cache are good up to it. None where the request goes
        on, and where it was made without `after=`.
        """
    @property
    def reasoning(self) -> dict[str, int] | None:
        """With `after=`, how many signed blocks of reasoning are sent (`kept`), and how many are not (`dropped`)."""
    def since(self, previous: Receipt) -> Receipt:
        """What this receipt says that `previous` does not.

        An agent that builds its whole list at every step gets the old changes each time; `since` the receipt of the
        step before, only the new ones are left. `totals` are those of this receipt.

            news = ready.receipt.since(last.receipt)

        Raises:
            TypeError: `previous` is no Receipt.
        """
    @property
    def warnings(self) -> tuple[str, ...]:
        """What to know though nothing was changed for it, each a sentence."""
    @property
    def _warned(self) -> tuple[tuple[str, str], ...]: ...
    @property
    def totals(self) -> _Totals | None:
        """What the budget came to, or None where there was none.

        A dict of `unit` (`"bytes"`, `"tokens"` or `"turns"`), `before` and `after` (the size of everything as the
        budget counts it, once repaired and once fitted) and `freed`: for each code of a change, how much it freed. What
        was freed is what lies between the two sizes. The entries count in bytes, whatever the budget counts in.
        """
    def to_dict(self) -> dict[str, Any]:
        """The whole receipt as a dict that JSON can hold, under the names of its attributes."""
    def _repr_html_(self) -> str: ...
    def __bool__(self) -> bool: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[ReceiptEntry]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class ReceiptEntry:
    """One change."""

    __match_args__ = ("code", "index", "id")
    @property
    def code(self) -> str:
        """What was done: a stable name out of `change_codes()`."""
    @property
    def severity(self) -> Literal["info", "warning", "error"]:
        """`info`: you asked for it. `warning`: something was left out. `error`: it would have been refused."""
    @property
    def index(self) -> int:
        """Your own index of the turn; for a turn that was added, the index of the turn it belongs to."""
    @property
    def path(self) -> str:
        """Where in your payload: `$.messages[3].content[0]`."""
    @property
    def id(self) -> str | None:
        """The id of the call that it is about, as it came."""
    @property
    def new_id(self) -> str | None:
        """The id that took its place."""
    @property
    def before(self) -> int:
        """The size of what was changed, in UTF-8 bytes."""
    @property
    def after(self) -> int:
        """Its size now, in UTF-8 bytes."""
    @property
    def text(self) -> str:
        """Why, in a sentence."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Finding:
    """One thing that is wrong with a conversation, and what a build would do about it."""

    __match_args__ = ("code", "severity", "path", "message", "would")
    @property
    def code(self) -> str:
        """A stable name: of a change, an error, a diff, or one of `finding_codes()`."""
    @property
    def severity(self) -> Literal["info", "warning", "error"]:
        """How much it matters, as in a receipt."""
    @property
    def path(self) -> str:
        """Where in your payload: `$.messages[3].content[0]`."""
    @property
    def id(self) -> str | None:
        """The id of the call that it is about, as it came."""
    @property
    def message(self) -> str:
        """What is wrong, in a sentence."""
    @property
    def would(self) -> str:
        """What a build would do about it, in a sentence."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def finding_codes() -> dict[str, str]:
    """What `Receipt.warnings` and `check` report beside changes and errors: every code, with what it means.

    A `Finding` has one of these codes, of `change_codes()`, of `error_codes()`, or of `diff_codes()`.
    """

def change_codes() -> dict[str, str]:
    """Every code of a change with what it means."""

# --- Two requests in a row ---

@final
class Diff:
    """What stands between two requests in a row: where the second first says something else, and what that costs.

    True where something that the first request said has changed. `str()` says it in four lines.
    """

    __match_args__ = ("code", "edit", "path")
    @property
    def code(self) -> str:
        """Why they differ: a stable name, one of `turnwire.diff_codes()`."""
    @property
    def edit(self) -> bool:
        """Whether something that the first request said has changed, as a provider counts who checks it.

        No edit: more messages at the end, marks of the cache, the order of tools and of keys, `1` for `1.0`, a string
        for one text block, white space around a text, blank texts, deferred tools that nobody was shown, another model,
        and reasoning that is left out in front, at the end, or all of it.
        """
    @property
    def cause(self) -> str:
        """Why they differ, in a sentence."""
    @property
    def dialect(self) -> str:
        """What both were read as."""
    @property
    def model(self) -> str | None:
        """The model that was named, else that of the second body, else that of the first."""
    @property
    def path(self) -> str | None:
        """The first message, block or tool that differs: in the second body, or in the first if only that has it.

        After `"append"`, what is new; `None` where nothing differs.
        """
    @property
    def path_before(self) -> str | None:
        """The same in the first body; `None` where that does not have it."""
    @property
    def path_after(self) -> str | None:
        """The same in the second body; `None` where that does not have it."""
    @property
    def kind(self) -> str:
        """The wire's word for it, such as `"tool_result"`; the role of a message; empty where nothing has changed."""
    @property
    def id(self) -> str | None:
        """The id of a call or result, the name of a tool."""
    @property
    def count(self) -> int:
        """How many messages or blocks were left out, put in or changed there; 0 where none was."""
    @property
    def leaf(self) -> str | None:
        """The value inside of it that differs; `None` where nothing has changed."""
    @property
    def byte(self) -> int | None:
        """The first byte of its text that differs, of its JSON where it is no text; 0 for what is new or gone."""
    @property
    def length(self) -> int | None:
        """How many bytes that value has in the second body; in the first where it is gone."""
    @property
    def before(self) -> str:
        """What the first body says from there on, 40 characters of it; empty where it says nothing."""
    @property
    def after(self) -> str:
        """What the second body says from there on, 40 characters of it; empty where it says nothing."""
    @property
    def checks(self) -> bool:
        """Whether the model checks that its reasoning stands behind what it was made behind.

        Claude does from 5.1 on, GPT from 6 on. A model that nobody has named is taken for one that checks on Claude's
        wires. https://platform.claude.com/docs/en/build-with-claude/preserved-thinking/prefix-checks
        """
    @property
    def stale(self) -> tuple[str, ...]:
        """The paths of the second body's signed reasoning that a model which checks refuses or drops."""
    @property
    def system_changed(self) -> bool:
        """Whether the system text beside the messages is another.

        From GPT-6.2 on, `instructions` hold for one reply: they are never another, and no part of `cached` and `total`.
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
        """The names of tools that are defined otherwise."""
    @property
    def tools_reordered(self) -> bool:
        """Whether the tools that both have stand in another order: no edit, but the cache starts anew."""
    @property
    def cached(self) -> int:
        """So many bytes of the second body a cache can read again: whole blocks from the front, the same byte for byte.

        The order is that of Anthropic's cache: tools, system text, messages. Marks do not count; another model has a
        cache of its own. https://platform.claude.com/docs/en/build-with-claude/prompt-caching
        """
    @property
    def total(self) -> int:
        """So many bytes the second body has: the JSON of its tools, system text and messages, without marks."""
    @property
    def share(self) -> float:
        """`cached` out of `total`, from 0 to 1."""
    @property
    def anew(self) -> str | None:
        """The first block that a cache does not know; `None` where it knows all."""
    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, for JSON."""
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def _repr_html_(self) -> str: ...

def diff(a: _Body, b: _Body, *, source: SourceName = "auto", model: str | None = None) -> Diff:
    """Compare a request with the one before it, as a provider's check of reasoning and its cache do.

        found = diff(previous, body)
        if found:
            log.warning("%s", found)

    Args:
        a: The earlier request: the whole body (`system`, `tools`, `messages`, `contents` or `input`, `model`) or the
            bare list of messages, as dicts and lists, SDK objects, a `Rendered`, or JSON as bytes or str.
        b: The later one. Where one of both is a bare list, only messages are compared.
        source: The dialect of both.
        model: The model that is asked, where the bodies do not say it.

    Raises:
        UnknownDialectError: Nothing tells the dialect, or they are of two (`mixed_dialects`): no cache and no check
            goes from one provider to another.
        ParseError: No JSON, no list of messages (`missing_key`, `wrong_type`), or nested too deep.
        TurnwireError: `not_json` for a value that JSON cannot hold.
        TypeError: An argument of another type, or a `Conversation`: render it first.
    """

def diff_codes() -> dict[str, tuple[bool, str]]:
    """Every code of a `Diff`, with whether it is an edit and what it means."""

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
def _check_doors() -> int:
    """Check that Python objects are read and written as the core's traits demand. For tests."""

def error_codes() -> dict[str, tuple[type[Exception], str]]:
    """Every error code, with the exception that it raises and what it means."""

# --- Rows ---

_Failure: TypeAlias = tuple[int, str, str, str | None, str]
_Texts: TypeAlias = tuple[memoryview, memoryview]
_Column: TypeAlias = tuple[memoryview, _Texts]
_Columns: TypeAlias = tuple[memoryview, list[_Texts]]
_Said: TypeAlias = tuple[int, list[_Failure]]

@final
class _LineEnds:
    def __new__(cls, text: memoryview) -> Self: ...
    def __len__(self) -> int: ...

@final
class _Rows:
    @staticmethod
    def build(
        caller: str,
        source: SourceName,
        tool_results: bool,
        target: DialectName | None,
        at: str | None,
        max_bytes: int | None,
        system: str | Iterable[str] | None,
        tools: Iterable[object] | None,
        rest: Literal["caller", "keep", "convert"],
        **options: Unpack[Options],
    ) -> _Rows: ...
    @staticmethod
    def check(
        source: SourceName, tool_results: bool, target: DialectName | None, at: str | None, own: bool
    ) -> _Rows: ...
    @staticmethod
    def convert(
        source: SourceName,
        target: DialectName,
        at: str | None,
        *,
        strict: bool = False,
        reasoning: Literal["drop", "text"] = "drop",
        blobs: Literal["base64", "raw"] = "base64",
        assistant_role: Literal["gemini", "chatgpt"] | None = None,
        tool_results: bool = False,
        rest: Literal["caller", "keep", "convert"] = "caller",
        defaults: dict[str, Any] | None = None,
        model: str | None = None,
        effort_budgets: Mapping[str, int] | None = None,
    ) -> _Rows: ...
    @staticmethod
    def truncate(
        source: SourceName,
        tool_results: bool,
        at: str | None,
        max_bytes: int,
        suffix: str | None,
        split: Literal["even", "fair"],
        rest: Literal["caller", "keep", "convert"],
    ) -> _Rows: ...
    def block(self, block: memoryview, ends: _LineEnds, first: int) -> tuple[memoryview, int, _Said]: ...
    def column(self, column: dict[str, object], threads: int) -> tuple[_Column, _Columns, _Columns]: ...
    def each(self, rows: list[bytes], first: int, threads: int) -> tuple[list[bytes | None], _Said]: ...
    def places(self, row: bytes) -> list[tuple[str, bytes, str | None]]: ...
