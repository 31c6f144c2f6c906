"""The message builder: it turns any list of messages into a valid request, with a receipt (spec 001)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self, Unpack

from ._core import Budget, Conversation, Receipt, _html, _Summary
from ._signature import spelled_out
from .types import Body, BuildOptions, End, Messages, RowName, SourceName

__all__ = ["MessageBuilder"]


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
        self._budget: int | Budget | None = None

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
        source: SourceName = "auto",
        pinned: Iterable[int] | Callable[[Any], object] = (),
        *,
        tool_results: bool = False,
    ) -> Self:
        """Sets the messages to build from.

        Args:
            messages: A payload of `source`, a list of messages, or a `Conversation`, `MessageHistory` or `Reply`,
                which knows its dialect. It is read at once, so later changes to it have no effect. A message may be in
                an entity `{"id": …, "body": …}`, whose other keys are yours.
            source: The dialect of `messages`; `"auto"` detects it for each message.
            pinned: Messages that a budget neither cuts nor drops, and whose exchanges it keeps: their indices, or a
                function of a message.
            tool_results: Read a user's text `{"tool_result": …}` in messages of `llama` as a result.

        Raises:
            ParseError: The messages cannot be read.
            UnknownDialectError: `unknown_dialect`; with `"auto"` as in `Conversation.parse`.
            TurnwireError: `out_of_range` for an index in `pinned` that no message has.
        """
        self._messages = Conversation.parse(messages, source, tool_results=tool_results)
        self._pinned = self._messages._pinned(pinned, messages)
        return self

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

    def set_budget(self, budget: int | Budget | None) -> Self:
        """Sets how much may be sent, in bytes or in tokens by your own counter. None is no limit.

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
            budget: The most UTF-8 bytes, or a `Budget`. A larger result than `Budget.per_result` is cut once to that
                size before anything else, whatever the budget. So it is the same at every step, and a provider's cached
                prefix stays valid. With 0, only the marker is left. It does not apply to pinned messages.

        Raises:
            TurnwireError: `negative_budget`.
            TypeError: An argument has the wrong type.
        """
        # A number is checked here, where it is given.
        self._budget = budget if isinstance(budget, Budget | None) else Budget(budget)
        return self

    @spelled_out
    def build(self, target: RowName | None = None, **options: Unpack[BuildOptions]) -> Conversation:
        """The conversation that can be sent, with its `receipt`.

        Args:
            target: The dialect to build for. Its limits apply: ids, order of results, the roles of the first and the
                last message.
            options: `model`, `end`, `reasoning`, `server_tools` and `wording`, as in `prepare`. A model that checks
                signed reasoning refuses a block if anything before it has changed. So `reasoning="valid"` leaves out
                the blocks after the first change of this build, as a change `stale_reasoning` with the path of that
                first change. Something that a build does in the same way at every step (your system text,
                `Budget.per_result`, another form of the same value) is not a change here. An unknown model counts as
                one that checks. But if the body's `thinking.type` is `enabled`, the turn that waits for its results
                keeps its reasoning.

        Raises:
            BuildError: Nothing is left to send, the target refuses the role of the first or last message, or more is
                left than the budget allows. The error says how much is needed. Its `receipt` lists the changes up to
                then.
            UnknownDialectError: `unknown_dialect`.
            TurnwireError: `bad_count` if the counter returns no int, or one below 0.
        """
        return self._messages._build(*self._gathered(), target, **options)

    def check(
        self,
        target: RowName | None = None,
        *,
        after: Body | None = None,
        model: str | None = None,
        end: End = "request",
    ) -> Receipt:
        """The receipt that `build` would give, and what it would refuse. Changes nothing, logs nothing.

        Args:
            target: The dialect whose limits to check against; None for the rules that all providers share.
            after: The request before this one, as it was sent: a body, a list of messages, a `Rendered`. Changes to it
                in the new request are reported, too.
            model: The model's name, if no body has it.
            end: As in `prepare`.

        Raises:
            ParseError: `after` cannot be read.
            UnknownDialectError: `unknown_dialect`; `mixed_dialects` if `after` is a request of another provider.
        """
        return self._messages._check(*self._gathered(), target, after, model=model, end=end)

    def _gathered(self) -> tuple[list[str], _Summary | None, int | Budget | None, list[int]]:
        return self._prompts, self._summary, self._budget, self._pinned
