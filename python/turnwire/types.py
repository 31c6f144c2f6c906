"""Types for annotations: names of dialects, and the options that functions pass on. Nothing here does anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypedDict

from ._codes import ChangeCode, DiffCode, ErrorCode
from ._core import Cut
from ._names import DialectName, LayoutName, ReplyName, RowName, SourceName, TargetName

if TYPE_CHECKING:
    from ._core import Conversation, Receipt, Rendered, Reply
    from .lessons import Lesson

__all__ = [
    "AdapterOptions",
    "Body",
    "BuildOptions",
    "ChangeCode",
    "Cut",
    "DialectName",
    "DialectOptions",
    "DiffCode",
    "End",
    "ErrorCode",
    "HasConversation",
    "HasRequests",
    "HistoryOptions",
    "Kind",
    "LayoutName",
    "LedgerOptions",
    "Messages",
    "PrepareOptions",
    "ReasoningChoice",
    "RenderOptions",
    "ReplyName",
    "RowName",
    "SettingOptions",
    "SettingsChoice",
    "Severity",
    "SourceName",
    "TargetName",
    "Totals",
    "Wording",
]

Payload: TypeAlias = Mapping[str, object] | Sequence[object] | bytes | bytearray | str
Body: TypeAlias = "Rendered[Any] | Payload"
"""A request body, or a bare list of messages; JSON as bytes or str."""


class HasConversation(Protocol):
    """What keeps a conversation, such as a `MessageHistory`."""

    @property
    def conversation(self) -> Conversation:
        """The conversation."""


class HasRequests(Protocol):
    """What keeps the requests of one conversation, such as a `Ledger`."""

    @property
    def target(self) -> RowName:
        """The dialect of the requests."""

    @property
    def breaks(self) -> tuple[tuple[int, str], ...]:
        """Every request that did not continue the one before it."""


Messages: TypeAlias = "Conversation | HasConversation | Reply | Rendered[Any] | Payload"
"""Everything that is a list of messages: a `MessageHistory`, too."""

Kind: TypeAlias = Literal["repaired", "restated", "added", "cut", "dropped", "lost", "warning", "refused"]
"""What happened to content: see `Change.kind`. `refused` is only in what `check` returns."""
Severity: TypeAlias = Literal["info", "warning", "error"]
"""How serious a fault is: see `Change.severity`."""
End: TypeAlias = Literal["request", "calls", "prefill", "row"]
"""How a list may end."""
ReasoningChoice: TypeAlias = Literal["valid", "keep", "drop", "text"]
"""Which reasoning is sent."""
SettingsChoice: TypeAlias = Literal["omit", "keep", "convert"]
"""What happens to a body's other keys."""


class Totals(TypedDict):
    """The sizes of a build with a budget. The changes of a receipt always count bytes."""

    unit: Literal["bytes", "tokens", "turns"]
    """What the numbers count."""
    budget: int
    """The budget."""
    before: int
    """The size after repair, before fitting."""
    after: int
    """The size after fitting."""
    freed: dict[str, int]
    """How much each code freed. Together it is the difference of the two sizes."""


class Wording(TypedDict, total=False):
    """The texts that turnwire writes in your name."""

    opening: str | None
    """The user text to put first if the target requires the user to begin. Without it, that is a BuildError."""
    bridge: str | None
    """The assistant text to put between a result and the user's words if the target refuses these right after it.
    Without it, that is a BuildError, or a warning where only some servers refuse it."""
    omitted: str | None
    """A note in the user's name, put once where the budget left messages out. It counts for the budget."""
    missing_result: str | None
    """The text of the result for a call without one; `constants.MISSING_RESULT` by default."""
    cut: str | None
    """The marker where a result was cut. `{bytes}` stands for the number of bytes that are left out; nothing else is
    formatted. By default it is `constants.TRUNCATED_SUFFIX` with that number, in a result of several lines on a line of
    its own."""


class SettingOptions(TypedDict, total=False):
    """The options of `settings="convert"`, which this dict implies."""

    defaults: Mapping[str, Any] | None
    """Keys of the target to add if the body lacks them, such as `{"max_tokens": 8192}`. Objects are merged."""
    effort_budgets: Mapping[str, int] | None
    """The number of tokens for an effort such as `"high"`, if the target counts tokens."""


class RenderOptions(TypedDict, total=False):
    """Options for everything that writes a payload; all but the first are of single dialects."""

    server_tools: Literal["drop", "text"]
    """What becomes of calls that another provider ran, such as its web search, and of their results: `"drop"` leaves
    them out, `"text"` writes what is readable of them as the assistant's text. A model may imitate that text."""
    blobs: Literal["raw", "base64"]
    """How objects for `bedrock` hold new media data: as the bytes that boto3 takes, or as base64 text for those who
    send the dict without boto3. JSON always has base64."""
    assistant_role: Literal["gemini", "chatgpt"] | None
    """For `structured`: the role to write for the assistant of another dialect. None writes `chatgpt` for OpenAI's
    dialects, and `gemini` for others."""


class DialectOptions(RenderOptions, total=False):
    """Options of single dialects."""

    tool_results: bool
    """For `llama`: read a user's text `{"tool_result": …}` as a result. Anyone who can write as the user can forge
    that, so set it only where your program alone writes such texts."""


class BuildOptions(TypedDict, total=False):
    """The options of `MessageBuilder.build`."""

    model: str | None
    """The model's name, needed if the messages come without a body that names it. Some models check signed reasoning,
    and some refuse certain settings. With `settings="convert"`, the name is also written to the body."""
    end: End
    """How the list may end. `"request"`: the provider answers next, so open calls get a result. `"calls"`: the calls of
    the last turn stay open, because you run them next. `"prefill"`: the last assistant turn is the beginning of the
    reply. `"row"`: it is training data, may end with the assistant, and nothing stands in for missing reasoning."""
    reasoning: ReasoningChoice
    """Which reasoning is sent: `"valid"` sends what the provider that made it still accepts, `"keep"` all of the
    target's own, although something before it has changed, `"drop"` none, for a provider that refuses it. `"text"` is
    `"valid"`, and readable reasoning of other providers becomes text."""
    server_tools: Literal["drop", "text"]
    """What becomes of calls that another provider ran, such as its web search, and of their results: `"drop"` leaves
    them out, `"text"` writes what is readable of them as the assistant's text. A model may imitate that text."""
    wording: Wording | None
    """The texts that turnwire writes in your name: `opening`, `bridge`, `omitted`, `missing_result`, `cut`."""


class _Built(BuildOptions, DialectOptions, total=False):
    pinned: Iterable[int] | Callable[[Any], object]
    """Messages that a budget neither cuts nor drops: their indices, or a function of a message."""
    summary: Mapping[str, Any] | None
    """A summary that replaces older messages: `summary`, `startMessageId` and `messageIds`, or the same in
    snake_case; or `Rendered.summary` of the previous request, for a list that continues that request's."""
    cache: Literal["auto"] | None
    """`"auto"` adds marks for the provider's prompt cache if the target has them (`anthropic`, `bedrock`): at the end,
    before the newest reply, and at the end of the system text and the tools. There are at most four, yours included.
    None adds none."""
    strict: bool
    """Raise `RenderError` at the first thing that the target cannot express."""
    settings: SettingsChoice | SettingOptions
    """The body's other keys, such as the model and the temperature: `"omit"` leaves them to you, `"keep"` copies them
    unchanged, `"convert"`, or its options as a dict, writes the whole body with the target's own keys."""


class _Prepared(_Built, total=False):
    system: str | Iterable[str] | None
    """System text to put before that of the messages."""
    tools: Iterable[object] | None
    """Tool definitions to put before those of the messages, in any form: dicts, tools of an MCP server, tools of
    agent frameworks. Of two with one name, these are used."""


class PrepareOptions(_Prepared, total=False):
    """The keyword arguments of `prepare`, for functions of yours that pass them on."""

    source: SourceName
    """The dialect of the messages; `"auto"` detects it for each message."""


class HistoryOptions(_Prepared, total=False):
    """The keyword arguments of `MessageHistory.prepare`: those of `prepare` without `source`."""


class LedgerOptions(DialectOptions, total=False):
    """The options of every request of a `Ledger`, with the meaning that they have in `prepare`."""

    model: str | None
    end: Literal["request", "prefill"]
    reasoning: ReasoningChoice
    wording: Wording | None
    cache: Literal["auto"] | None
    strict: bool


class AdapterOptions(_Built, total=False):
    """The options of every adapter beside its budget: those of `prepare`, and these.

    A budget's `summarise` may be asynchronous if the request is. Its summary is kept for later requests that continue
    the list. Only the wrapped clients convert settings: elsewhere, the framework writes them.
    """

    target: RowName | None
    """The dialect to build for. By default, the client's address or the model that the framework names decides, or else
    the format that the framework sends."""
    on_receipt: Callable[[Receipt], object] | None
    """Called with what is new in a request's receipt: what was not reported before in the same conversation. It is not
    called for a request with nothing new."""
    ledger: bool | HasRequests
    """True to let each request of a conversation continue the one before it, as `turnwire.Ledger` does; or a Ledger, if
    the adapter has one conversation only. Not every adapter takes one."""
    learn: Literal[False, True, "log", "all"]
    """Whether to learn from a server that refuses a request by a rule that its row does not have, as `turnwire.learn`
    does. True corrects the row and sends once more, `"all"` also where the reply may differ, `"log"` logs the line to
    write as a warning, and by default only the exception has it as a note. Only wrapped clients send again."""
    on_learn: Callable[[Lesson], object] | None
    """Called with each `Lesson` that a reply has confirmed."""
    on_error: Literal["raise", "log"]
    """`"raise"` raises what `prepare` and these callbacks raise. `"log"` logs it as an error and sends the original
    messages."""
