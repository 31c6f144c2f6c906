"""The message builder: it turns any list of messages into a valid request, with a receipt (spec 001)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ._core import _RESERVE, Conversation, Finding, Rendered, Reply, _Budget, _html, _Summary
from .errors import ParseError
from .names import DialectName, SourceName

if TYPE_CHECKING:
    from .history import MessageHistory

__all__ = ["MessageBuilder", "Messages", "check"]

_Payload: TypeAlias = Mapping[str, object] | Sequence[object] | bytes | bytearray | str
_Body: TypeAlias = "Rendered[Any] | _Payload"
Messages: TypeAlias = "Conversation | MessageHistory | Reply | Rendered[Any] | _Payload"
"""Everything that a builder takes as messages."""


class MessageBuilder:
    """Assembles, repairs, fits and validates a list of messages.

    Each setter returns the builder. The builder never changes its inputs, and it can build many times.

        ready = MessageBuilder().set_messages(messages).set_budget(300_000).build(target="anthropic")
    """

    def __init__(self) -> None:
        self._prompts: list[str] = []
        self._messages = Conversation()
        self._summary: _Summary | None = None
        self._pinned: list[int] = []
        self._budget = _Budget()

    def __repr__(self) -> str:
        """The builder's settings on one line."""
        told = [f"{len(self._messages)} messages"]
        if self._prompts:
            told.append(f"{len(self._prompts)} system prompts")
        if self._summary is not None:
            told.append("a summary")
        return f"<MessageBuilder: {', '.join(told)}>"

    def _repr_html_(self) -> str:
        return _html(self, [])

    def set_system_prompts(self, prompts: Iterable[str]) -> Self:
        """Sets system prompts. They are joined by a newline and put first.

        Args:
            prompts: The texts, in order.
        """
        if isinstance(prompts, str):
            raise TypeError("prompts: expected a list of str, got one str")
        self._prompts = list(prompts)
        for prompt in self._prompts:
            if not isinstance(prompt, str):
                raise TypeError(f"prompts: expected a list of str, got one with a {type(prompt).__name__}")
        return self

    def set_messages(
        self,
        messages: Messages,
        dialect: SourceName = "auto",
        pinned: Iterable[int] = (),
        *,
        tool_results: bool = False,
    ) -> Self:
        """Sets the messages to build from.

        Args:
            messages: A payload of `dialect`, a list of messages, or a `Conversation`, `MessageHistory` or `Reply`,
                which knows its dialect. It is read at once, so later changes to it have no effect. A message may be in
                an entity `{"id": …, "body": …}`, whose other keys are yours.
            dialect: The dialect of `messages`; `"auto"` detects it for each message.
            pinned: Indices of messages that a budget neither cuts nor drops, and whose exchanges it keeps.
            tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result.

        Raises:
            ParseError: The messages cannot be read.
            UnknownDialectError: `unknown_dialect`; with `"auto"` as in `Conversation.parse`.
            TurnwireError: `out_of_range` for an index in `pinned` that no message has.
        """
        return self._read(messages, dialect, None, pinned, tool_results)

    def set_compression_summary(self, summary: Mapping[str, Any] | None) -> Self:
        """Sets a summary that replaces older messages.

        The messages that it covers are dropped, and all before the one with the start id. A message without an id
        stays. The id is that of the entity or the message, as text: an int or a UUID is its `str`. If no message has
        the start id, a warning is logged, and all messages stay.

        Args:
            summary: A dict with `summary`, `startMessageId` and `messageIds`, or the same in snake_case; None for no
                summary.
        """
        self._summary = None if summary is None else _Summary(summary)
        return self

    def set_budget(
        self,
        max_bytes: int | None = None,
        *,
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        reserve: float = _RESERVE,
        max_result_bytes: int | None = None,
        max_result_tokens: int | None = None,
    ) -> Self:
        """Sets how much may be sent, in bytes or in tokens by your own counter. Without both there is no limit.

        The budget counts what `render(target)` writes as text: texts, with the prefix of a failed result and the line
        before moved media; arguments and JSON results as compact JSON; base64 data; the definitions of tools in the
        messages. Keys, quotes and escapes of the format do not count. `receipt.totals` has the sums.

        A build over the budget frees it in steps of `reserve` times the budget. So it cuts the same old messages while
        the conversation grows by less than that, and a provider's cached prefix stays valid. It cuts the oldest results
        and long arguments first, then drops whole exchanges. System text, the first user message, pinned messages and
        the newest exchange stay. They are cut only when nothing else is left, the texts of users and assistants last
        and with a warning. A text larger than half of the budget is the exception: it is cut first, down to that half,
        so that recent results keep their room. Nothing is cut to save less than the marker that it gets.

        Args:
            max_bytes: The most UTF-8 bytes.
            max_tokens: The most tokens, as `count` counts them. Media are not counted, with a warning.
            count: Your tokenizer: returns the number of tokens of a text. It is called once for each text, and again
                for each text that is cut, because every cut is counted. Its exceptions pass through unchanged. With
                `functools.lru_cache` around it, a growing history is not counted again at every step.
            reserve: The share of the budget to free ahead, from 0 (no more than needed; the prefix changes at every
                step) to 1. At least the rest of the budget stays filled, except for one exchange.
            max_result_bytes: The most UTF-8 bytes of each tool result, marker included. A larger result is cut once to
                that size before anything else, whatever the budget. So it is the same at every step, and a provider's
                cached prefix stays valid. With 0, only the marker is left. It does not apply to pinned messages.
            max_result_tokens: The most tokens of each tool result, as `count` counts them.

        Raises:
            TurnwireError: `negative_budget`; `conflicting_options` for two budgets or two sizes of a result, for tokens
                without `count`, or for `count` without tokens; `out_of_range` for another `reserve`.
            TypeError: An argument has the wrong type.
        """
        self._budget = _Budget(
            max_bytes,
            max_tokens=max_tokens,
            count=count,
            reserve=reserve,
            max_result_bytes=max_result_bytes,
            max_result_tokens=max_result_tokens,
        )
        return self

    def build(
        self,
        target: DialectName | None = None,
        *,
        keep_open: bool = False,
        model: str | None = None,
        prefill: bool = False,
        opening: str | None = None,
        omitted: str | None = None,
        missing_result: str | None = None,
        reasoning: Literal["valid", "keep", "drop", "text"] = "valid",
        on_cut: Callable[[str, str, str], object] | None = None,
    ) -> Conversation:
        """The conversation that can be sent, with its `receipt`.

        Args:
            target: The dialect to build for. Its limits apply: ids, order of results, the roles of the first and the
                last message.
            keep_open: Leave the calls of the last turn unanswered: you run them next.
            model: The model's name, which decides whether reasoning is checked. Without it, the body's `model` counts.
                An unknown model counts as one that checks. But if the body's `thinking.type` is `enabled`, the turn
                that waits for its results keeps its reasoning.
            prefill: The last assistant turn is the beginning of the reply. Only some of Anthropic's models accept that.
            opening: The user text to put before a first assistant turn if the target requires the user to begin.
                Without it, such a turn raises BuildError.
            omitted: A note in the user's name, put once where the budget left exchanges out. It counts for the budget.
            missing_result: The text of the result for a call without one, instead of `MISSING_RESULT`. A call whose
                arguments are not an object gets a result that says so in any case.
            reasoning: Which reasoning is sent: `"valid"` sends what the provider that made it still accepts, `"keep"`
                all of the target's own, although something before it has changed, `"drop"` none, for a provider that
                refuses it. `"text"` is `"valid"`, and readable reasoning of other providers becomes text. Pass the same
                to `render`. Text counts for the budget, and may be the first or the last that is said.
            on_cut: Called with the call's id, the SHA-256 of the full text in hexadecimal, and the full text, for each
                result that this build cuts. A build that cuts the same result again calls it again. Its exceptions pass
                through unchanged.

        Raises:
            BuildError: Nothing is left to send, the target refuses the role of the first or last message, or more is
                left than the budget allows. The error says how much is needed. Its `receipt` lists the changes up to
                then.
            UnknownDialectError: `unknown_dialect`.
            TurnwireError: `bad_count` if the counter returns no int, or one below 0.
        """
        return self._messages._build(
            *self._gathered(),
            target,
            keep_open,
            opening,
            omitted,
            missing_result,
            on_cut,
            model,
            prefill,
            reasoning,
        )

    def check(
        self,
        target: DialectName | None = None,
        *,
        after: _Body | None = None,
        model: str | None = None,
        row: bool = False,
    ) -> tuple[Finding, ...]:
        """What is wrong, and what `build` would do about it. Changes nothing, refuses nothing, logs nothing.

        Args:
            target: The dialect whose limits to check against; None for the rules that all providers share.
            after: The request before this one, as it was sent: a body, a list of messages, a `Rendered`. Changes to it
                in the new request are reported, too.
            model: The model's name, if no body has it.
            row: The messages are a row of training data. It may end with the assistant's text, or with calls.

        Raises:
            ParseError: `after` cannot be read.
            UnknownDialectError: `unknown_dialect`; `mixed_dialects` if `after` is a request of another provider.
        """
        return self._messages._check(*self._gathered(), target, after, model, row)

    def _read(
        self,
        messages: Messages,
        dialect: SourceName,
        target: DialectName | None,
        pinned: Iterable[int] = (),
        tool_results: bool = False,
    ) -> Self:
        """Reads the messages. With `"auto"`, a message that could be in several dialects is read as the target's."""
        self._messages = Conversation._parse_for(messages, dialect, target, tool_results)
        self._pinned = self._messages._pinned(pinned)
        return self

    def _gathered(self) -> tuple[list[str], _Summary | None, _Budget, list[int]]:
        return self._prompts, self._summary, self._budget, self._pinned


def check(
    messages: Messages,
    dialect: SourceName = "auto",
    target: DialectName | None = None,
    *,
    tool_results: bool = False,
    after: _Body | None = None,
    model: str | None = None,
    row: bool = False,
) -> tuple[Finding, ...]:
    """What is wrong with a list of messages: code, severity, path, and what a build would do about each.

    Without `target`, the rules that all providers share apply; with it, also the target's limits. The findings come
    from a real build whose result is discarded.

        for finding in check(body, target="anthropic", after=last_body):
            print(finding)

    Args:
        messages: A list of messages in one or several dialects, a request body, or a conversation: everything that
            `prepare` takes. A record of a layout, too, which is checked as a row of training data. It is never changed.
        dialect: The dialect of `messages`, or the layout. A message that this dialect cannot read is a finding
            `wrong_dialect`.
        target: The dialect whose limits to check against; None for the rules that all providers share.
        tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result.
        after: The request before this one, as it was sent: a body, a list of messages, a `Rendered`. Changes to it are
            reported, too, as `diff` finds them: `stale_reasoning`, `reasoning_gap`, `reasoning_put_back`,
            `reasoning_moved`, `reasoning_changed`, `system_changed`, `tools_changed`, `format_changed`,
            `history_edited`, `cache_break`. Messages in the target's own format are compared unchanged, others as
            `prepare` writes them; then the paths of these findings are paths in the written request. If one of the two
            is a bare list, only messages are compared.
        model: The model's name, if no body has it. Only some models check that reasoning still fits.
        row: The messages are a row of training data. It may end with the assistant's text, or with calls.

    Raises:
        ParseError: The messages, or `after`, cannot be read at all.
        UnknownDialectError: `unknown_dialect`; the dialect cannot be detected; `mixed_dialects` if `after` is a request
            of another provider.
    """
    try:
        builder = MessageBuilder()._read(messages, dialect, target, (), tool_results)
    except ParseError as error:
        # A record of a layout is checked as it is read.
        is_record = error.code == "wrong_dialect" and after is None
        found = Conversation._check_record(messages, dialect, target) if is_record else None
        if found is None:
            raise
        return found
    return builder.check(target, after=after, model=model, row=row)
