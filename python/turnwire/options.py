"""The options of `prepare`, as typed dicts for functions that pass them on.

The signatures and docstrings of `prepare` and `prepare_json` are generated from this file. Run `make docs` after a
change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, Literal, TypedDict

from ._core import Rendered

__all__ = [
    "DEFAULTS",
    "BudgetOptions",
    "BuildOptions",
    "FormOptions",
    "Options",
    "Prepared",
    "RecordOptions",
    "RenderOptions",
    "RestOption",
    "RowOption",
    "SettingOptions",
]

DEFAULTS: Final[dict[str, object]] = {
    "tool_results": False,
    "rest": "caller",
    "reserve": 0.25,
    "keep_open": False,
    "row": False,
    "prefill": False,
    "strict": False,
    "reasoning": "valid",
    "blobs": "base64",
    "pinned": (),
    "ledger": False,
    "on_error": "raise",
}
"""The defaults that are not None, those of the options of adapters included."""


class BudgetOptions(TypedDict, total=False):
    """The options of a budget."""

    max_tokens: int | None
    """The most tokens, as `count` counts them, instead of `max_bytes`. Media count 0, with a warning."""
    count: Callable[[str], int] | None
    """Your tokenizer: returns the number of tokens of a text. It is called once for each text, and again for each
    text that is cut."""
    reserve: float
    """The share of the budget, from 0 to 1, that is freed at once when the budget is full, so that the prefix stays the
    same for several requests. 0 frees no more than needed and changes the prefix each time."""
    max_result_bytes: int | None
    """The most UTF-8 bytes of each tool result, marker included. A larger result is cut once, whatever the budget."""
    max_result_tokens: int | None
    """The most tokens of each tool result, as `count` counts them, instead of `max_result_bytes`."""


class BuildOptions(TypedDict, total=False):
    """The options of a build."""

    keep_open: bool
    """Leave the calls of the last turn unanswered: you run them next."""
    model: str | None
    """The model's name, needed if the messages come without a body that names it. Some models check signed reasoning,
    and some refuse certain settings. With `rest="convert"`, the name is also written to the body."""
    prefill: bool
    """The last assistant turn is the beginning of the reply. Not all models accept that."""
    opening: str | None
    """The user text to put first if the target requires the user to begin. With None, that raises `BuildError`."""
    omitted: str | None
    """A note in the user's name, put once where the budget left messages out. It counts for the budget."""
    missing_result: str | None
    """The text of the result for a call without one. `MISSING_RESULT` if None."""


class RowOption(TypedDict, total=False):
    """The option `row`, on its own because its default differs for files and columns."""

    row: bool
    """The messages are a row of training data. It may end with the assistant's text, or with calls that stay open, and
    nothing stands in for missing reasoning."""


class FormOptions(TypedDict, total=False):
    """The options of everything that writes a dialect, conversions included."""

    strict: bool
    """Raise `RenderError` at the first thing that the target cannot express."""
    reasoning: Literal["valid", "keep", "drop", "text"]
    """Which reasoning is sent: `"valid"` sends what the provider that made it still accepts, `"keep"` all of the
    target's own, although something before it has changed, `"drop"` none, for a provider that refuses it. `"text"` is
    `"valid"`, and readable reasoning of other providers becomes text."""
    blobs: Literal["base64", "raw"]
    """How to write new media data: as base64 text, or as raw bytes for clients that take bytes (boto3)."""
    assistant_role: Literal["gemini", "chatgpt"] | None
    """For `structured`: the role to write for the assistant of another dialect. None writes `chatgpt` for OpenAI's
    dialects, and `gemini` for others."""


class RenderOptions(FormOptions, total=False):
    """The options of rendering."""

    cache: Literal["auto"] | None
    """`"auto"` adds marks for the provider's prompt cache if the target has them (`anthropic`, `bedrock`): at the end,
    before the newest reply, and at the end of the system text and the tools. There are at most four, yours included.
    Each is a loss `cache_mark` of the kind `changed`. None adds none."""


class RestOption(TypedDict, total=False):
    """The option `rest`, on its own because its default differs for files and columns."""

    rest: Literal["caller", "keep", "convert"]
    """What happens to a body's other keys, such as the model and the temperature. `"caller"` leaves them to you,
    `"keep"` copies them unchanged, `"convert"` writes the whole body with the target's own keys, by the table
    `settings()`."""


class SettingOptions(TypedDict, total=False):
    """The options for `rest="convert"`."""

    defaults: dict[str, Any] | None
    """With `rest="convert"`: keys of the target to add if the body lacks them."""
    effort_budgets: Mapping[str, int] | None
    """With `rest="convert"`: the number of tokens for an effort such as `"high"`, if the target counts tokens."""


class RecordOptions(BudgetOptions, BuildOptions, RenderOptions, SettingOptions, total=False):
    """All options of `prepare` except `row`."""

    pinned: Iterable[int]
    """Indices of messages that a budget neither cuts nor drops."""
    summary: Mapping[str, Any] | None
    """A summary that replaces older messages: `summary`, `startMessageId` and `messageIds`, or the same in
    snake_case; or `Rendered.summary` of the previous request, for a list that continues that request's."""
    summarise: Callable[[list[Any]], object] | None
    """Called at most once, with the messages that the budget leaves out: your own objects, or `Turn` objects if you did
    not pass a list. The text that it returns replaces them as a summary. An earlier summary is the first message that
    it gets. Its exceptions pass through unchanged."""
    on_cut: Callable[[str, str, str], object] | None
    """Called with the call's id, the SHA-256 of the full text and the full text, for each result that is cut."""
    after: Rendered[Any] | bytes | None
    """The previous request (a `Rendered`, or its `state`), which this one continues: what was sent stays byte for byte.
    Pass None for the first request of a run. If you leave this argument out, the result has no `state`."""


class Options(RecordOptions, RowOption, total=False):
    """All options of `prepare`."""


class Prepared(Options, total=False):
    """All arguments of `prepare` except the messages, the target and a budget in bytes."""

    system: str | Iterable[str] | None
    """System text to put before that of the messages."""
    tools: Iterable[object] | None
    """Tool definitions to put before those of the messages, in any form: dicts, tools of an MCP server, tools of
    agent frameworks. Of two with one name, these are used."""
