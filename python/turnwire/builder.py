"""The message builder: it turns any list of messages into a valid request, with a receipt (spec 001)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from ._core import _RESERVE, Conversation, Finding, Rendered, Reply, _Budget, _Summary
from .names import DialectName, SourceName

if TYPE_CHECKING:
    from .history import MessageHistory

__all__ = ["MessageBuilder", "Messages", "check"]

_Payload: TypeAlias = Mapping[str, object] | Sequence[object] | bytes | bytearray | str
_Body: TypeAlias = "Rendered[Any] | _Payload"
Messages: TypeAlias = "Conversation | MessageHistory | Reply | Rendered[Any] | _Payload"
"""What can be built from."""


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
        """What it was told, in a line."""
        told = [f"{len(self._messages)} messages"]
        if self._prompts:
            told.append(f"{len(self._prompts)} system prompts")
        if self._summary is not None:
            told.append("a summary")
        return f"<MessageBuilder: {', '.join(told)}>"

    def set_system_prompts(self, prompts: Iterable[str]) -> Self:
        """System prompts, to be joined by a newline and put first."""
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
        """What to build from.

        Args:
            messages: A payload of `dialect`, a list of messages, or a `Conversation`, `MessageHistory` or `Reply`,
                which knows its dialect. It is read at once; later changes to it do not count. A message may stand in
                an entity `{"id": …, "body": …}`, whose other keys are yours.
            dialect: The dialect of `messages`; `"auto"` reads each message as what it looks like.
            pinned: Indices of messages that a budget neither cuts nor drops, and whose exchanges it keeps.
            tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result.

        Raises:
            ParseError: The messages cannot be read.
            UnknownDialectError: `unknown_dialect`; with `"auto"` as `Conversation.parse`.
            TurnwireError: `out_of_range` for an index in `pinned` that no message has.
        """
        return self._read(messages, dialect, None, pinned, tool_results)

    def set_compression_summary(self, summary: Mapping[str, Any] | None) -> Self:
        """A summary that replaces older messages.

        The messages that it covers are dropped, and all before the one with the start id; a message without an id
        stays. An id is that of the entity or the message, as text: an int or a UUID is its `str`. If no message has the
        start id, that is a logged warning, and all messages stay.

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
        """How much may be sent, in bytes or in tokens of your own counting; neither for as much as there is.

        What counts is what `render(target)` writes as words: texts, with the prefix of a failed result and the line
        before moved media; arguments and JSON results as compact JSON; base64 data; the definitions of tools that the
        messages bring. Keys, quotes and escapes of the format do not. `receipt.totals` says what it came to.

        What is too much is freed in steps of `reserve` times the budget, so the same old messages pay while the
        conversation grows by less than that, and a provider's cached prefix stays valid. The oldest results and
        long arguments are cut first, then whole exchanges go. System text, the first thing that the user said, pins
        and the newest exchange stay; only where nothing else is left are they cut, the texts of users and assistants
        last of all and with a warning. But a text that is larger than half of the budget is cut first of all, down to
        that half, so that recent results keep their room. Nothing is cut to save less than the marker that it gets.

        Args:
            max_bytes: UTF-8 bytes.
            max_tokens: Tokens, as `count` counts them. Media are not asked of it and count 0, with a warning.
            count: Gives the tokens of a text: your tokenizer. It is asked once for each text, and again for what is
                cut; no cut is made that it has not counted. What it raises comes out as it is. With
                `functools.lru_cache` around it, a history that grows is not counted again at every step.
            reserve: The share of the budget to free ahead, from 0 (no more than needed; the prefix changes at every
                step) to 1. No less than the rest of the budget stays filled, but for one exchange.
            max_result_bytes: UTF-8 bytes that each tool result may say, the marker of the cut included. A larger one
                is cut once to that size before anything else, whatever the budget, so it is the same at every step,
                and a provider's cached prefix stays valid. 0 leaves the marker alone. Not for pinned messages.
            max_result_tokens: The same in tokens, as `count` counts them.

        Raises:
            TurnwireError: `negative_budget`; `conflicting_options` for two budgets or two sizes of a result, for tokens
                without `count`, or for `count` without tokens; `out_of_range` for another `reserve`.
            TypeError: An argument of another type.
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
        thinking: Literal["valid", "keep", "strip_after_change"] = "valid",
        model: str | None = None,
        prefill: bool = False,
        opening: str | None = None,
        omitted: str | None = None,
        missing_result: str | None = None,
        on_cut: Callable[[str, str, str], object] | None = None,
    ) -> Conversation:
        """The conversation that can be sent, with its `receipt`.

        Args:
            target: A dialect whose limits shall hold: ids, order of results, who may speak first and last.
            keep_open: Leave the calls of the last turn unanswered, for you to answer.
            thinking: What happens to signed reasoning. A model that checks it refuses a block if anything before it has
                changed. `"valid"` leaves out the blocks behind the first place that this build has changed, with a
                change `stale_reasoning` that names the place; blocks before it stay. What a build does in the same way
                at every step (your system text, `max_result_bytes`, another form of the same) is no change. `"keep"`
                keeps all, `"strip_after_change"` leaves out all reasoning behind the first change.
            model: The model's name, which decides whether reasoning is checked; without it, that of the body counts. An
                unknown model counts as one that checks; but where the body's `thinking.type` is `enabled`, the turn
                that waits for its results keeps its reasoning.
            prefill: The last assistant turn is the beginning of what the model is to say. Some models of Anthropic's
                take one; others refuse it.
            opening: The user's words to put before a first assistant turn if the target requires the user to begin.
                Without them, that is a BuildError.
            omitted: A note in the user's name, put once where the budget left exchanges out. It counts for the budget.
            missing_result: What the result says that a call without one gets, instead of `MISSING_RESULT`. What is
                wrong with arguments that are no object is said in any case.
            on_cut: Called with the id of the call, the SHA-256 of the full text in hexadecimal, and the full text, for
                each result that this build has cut. A build that cuts the same result again calls it again. What it
                raises comes out as it is.

        Raises:
            BuildError: Nothing is left to send, the target refuses who speaks first or last, or more is left than the
                budget allows; the error says how much is needed. Its `receipt` is what was changed by then.
            UnknownDialectError: `unknown_dialect`.
            TurnwireError: `bad_count` where the counter gives no int, or one below 0.
        """
        return self._messages._build(
            *self._gathered(), target, keep_open, thinking, opening, omitted, missing_result, on_cut, model, prefill
        )

    def check(
        self, target: DialectName | None = None, *, after: _Body | None = None, model: str | None = None
    ) -> tuple[Finding, ...]:
        """What is wrong, and what `build` would do about it. Changes nothing, refuses nothing, logs nothing.

        Args:
            target: The dialect whose limits to check against; None for the rules that all providers share.
            after: The request before this one, as it was sent: a body, a list of messages, a `Rendered`. What the new
                one changes of it is reported, too.
            model: The model that is asked, where no body says it.

        Raises:
            ParseError: `after` cannot be read.
            UnknownDialectError: `unknown_dialect`; `mixed_dialects` where `after` is a request of another provider.
        """
        return self._messages._check(*self._gathered(), target, after, model)

    def _read(
        self,
        messages: Messages,
        dialect: SourceName,
        target: DialectName | None,
        pinned: Iterable[int] = (),
        tool_results: bool = False,
    ) -> Self:
        """Reads the messages. Without a dialect, a message that could be the target's is read as the target's."""
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
) -> tuple[Finding, ...]:
    """What is wrong with a list of messages: code, severity, path, and what a build would do about each.

    Without `target` the rules are those of every provider; with it, its limits too. Findings come from the build's own
    steps, run and thrown away.

        for finding in check(body, target="anthropic", after=last_body):
            print(finding)

    Args:
        messages: A list of messages in any dialect, or in several, a request body, or a conversation; all that
            `prepare` takes. Never changed.
        dialect: The dialect of `messages`. A message that this dialect does not know is a finding `wrong_dialect`.
        target: The dialect whose limits to check against; None for the rules that all providers share.
        tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result.
        after: The request before this one, as it was sent: a body, a list of messages, a `Rendered`. What the new one
            changes of it is told, too, as `diff` finds it: `stale_reasoning`, `reasoning_gap`, `reasoning_put_back`,
            `reasoning_moved`, `reasoning_changed`, `system_changed`, `tools_changed`, `format_changed`,
            `history_edited`, `cache_break`. Messages in the target's own format are compared as they are, others as
            `prepare` writes them: paths of these findings lead into what is sent. Where one of both is a bare list,
            only messages are compared.
        model: The model that is asked, where no body says it: only some check that reasoning still fits.

    Raises:
        ParseError: The messages, or `after`, cannot be read at all.
        UnknownDialectError: As `prepare`; `mixed_dialects` where `after` is a request of another provider.
    """
    builder = MessageBuilder()._read(messages, dialect, target, (), tool_results)
    return builder.check(target, after=after, model=model)
