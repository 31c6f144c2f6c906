"""`MessageHistory` (spec 003): add messages of any dialect, limit, store and send them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from threading import Lock
from typing import Any, Final, Literal, Self, TypeAlias, Unpack

from turnwire._core import (
    AssistantMessage,
    Budget,
    Conversation,
    Receipt,
    Reply,
    ToolResultStatus,
    ToolUseResult,
    ToolUseResultBlock,
    Turn,
    UserMessage,
    _dialect_of,
    _element_of,
    _element_turn,
    _LedgerState,
    _linked,
    _settled,
)
from turnwire._signature import named_after, spelled_out
from turnwire.ledger import Ledger
from turnwire.types import DialectName, LedgerOptions, RowName, SourceName

from . import lines, states
from .ledger import HistoryLedger, Kept, settled
from .send import Sent
from .store import Store
from .view import Shown
from .window import Bounded

__all__ = ["MessageHistory"]

_Message = dict[str, Any]
_Block: TypeAlias = str | dict[str, Any] | ToolUseResultBlock
_Result: TypeAlias = _Block | int | float | Sequence[_Block]
_OWN: Final = "history"
_TURNS: Final = (Turn, UserMessage, AssistantMessage, ToolUseResult)


@named_after
class MessageHistory(Bounded["MessageHistory"], Kept, Sent):
    """Messages in order, each in its own dialect, so that one history can be sent to any provider.

        history = MessageHistory()
        history.add_user_message("Read hello.py")
        history.add_raw_message(response.choices[0].message)
        history.add_tool_result("call_abc123", "def greet(): ...", "read_file")
        ready = history.prepare("gemini", 300_000)

    Messages are copied when they are added, so later changes of yours have no effect here. Two histories are equal if
    their messages have the same content. Several threads may add to one.

    Args:
        messages: Messages to begin with, each of any kind that `add_raw_message` takes; or another history.
        source: Their dialect.
    """

    def __init__(self, messages: Iterable[object] = (), source: SourceName = "auto") -> None:
        self._turns: list[Turn] = []
        self._like: DialectName | None = None
        self._whole: Conversation | None = None
        self._receipt = Receipt()
        self._store: Store | None = None
        self._adding = Lock()
        self._states: dict[str, bytes] = {}
        self._sending = Lock()
        if isinstance(messages, MessageHistory):
            self._take(messages._turns)
            self._states.update(messages._states)
            return
        if isinstance(messages, str | bytes | Mapping | Conversation) or not isinstance(messages, Iterable):
            raise TypeError(
                f"messages: expected a list, got {type(messages).__name__}; pass the other keys of a body to prepare"
            )
        for message in messages:
            self.add_raw_message(message, source)

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, sync: bool = False) -> Self:
        """Opens a history in a file. No other process or object can write the file until `close`.

            with MessageHistory.open("talk.jsonl") as history:
                history.add_user_message("Hello")

        The file is JSON Lines and only grows: a message is a line `{"dialect": …, "element": …}`, and `clear` adds a
        line, too. A message has been written when the call that adds it returns. If the call raises, nothing of the
        message is in the file. If a program was killed while it wrote a line, the torn line is moved to `<path>.torn`,
        with a warning in the log. A line of a later version, which this one does not know, is skipped with a warning,
        and stays in the file. A request of `ledger` is a line `{"ledger": …}`.

        Args:
            path: The file. It is created if it does not exist.
            sync: Whether each line is also synced to the disk before its call returns, against a loss of power.

        Raises:
            ParseError: `bad_history` for a line that is not a message, with its number. The file does not change.
            TurnwireError: `history_locked` if the file is open elsewhere, in this process or another; `not_stored` if
                it cannot be opened or read.
        """
        history = cls()
        store = Store(os.fsdecode(path), sync=sync)
        try:
            store.read(history._read_line, lines.is_beginning, lines.is_later)
        except BaseException:
            store.close()
            raise
        history._store = store
        return history

    def close(self) -> None:
        """Closes the file, so that another history can open it. The messages stay readable.

        A history in memory has no file.
        """
        if self._store is not None:
            self._store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def messages(self) -> list[_Message]:
        """The messages, each in its own dialect. This list refuses changes."""
        return Shown(self)

    def get_messages(self) -> list[_Message]:
        """A copy of the messages, each in its own dialect, which you may change.

        Raises:
            TurnwireError: `not_json` for a number in JSON text that no Python number can hold.
        """
        return list(self)

    @property
    def conversation(self) -> Conversation:
        """The messages as a `Conversation`, for `check`, `MessageBuilder` and everything else that takes messages."""
        with self._adding:
            if self._whole is None:
                self._whole = _linked(Conversation(self._turns))
            return self._whole

    @property
    def receipt(self) -> Receipt:
        """What `window` or `summarise` changed to make this history. It is empty for any other history."""
        return self._receipt

    def add_user_message(self, content: str) -> None:
        """Adds a user message.

        Args:
            content: The text of the user.

        Raises:
            TypeError: `content` is not a str.
            TurnwireError: A stored history raises `not_stored` if it cannot be written, and `history_closed`.
        """
        if not isinstance(content, str):
            raise TypeError(
                f"content: expected a str, got {type(content).__name__}: add a message with add_raw_message"
            )
        self._append([self._own(content)])

    def add_raw_message(self, message: object, source: SourceName = "auto") -> None:
        """Adds a message unchanged: a reply of a provider, or any other.

        Args:
            message: A dict, an SDK's object, a `Turn`, `UserMessage`, `AssistantMessage` or `ToolUseResult`, a `Reply`
                with its turns, or a str for a user message.
            source: The dialect of a dict or an SDK's object. `"auto"` detects it. If several are possible, it takes
                one that earlier messages have.

        Raises:
            ParseError: The message cannot be read: `wrong_type`, `missing_key`, `unknown_role`, `too_deep`,
                `changed_while_read`; `wrong_dialect` if it looks like another dialect.
            UnknownDialectError: `unknown_dialect`; `no_dialect` and `conflicting_signs` if the dialect cannot be
                detected.
            RenderError: `refused` for a `Turn` that no dialect writes as one message.
            TurnwireError: `not_json` for a value that JSON cannot hold. A stored history also raises `not_stored` if it
                cannot be written, for example on a full disk, and `history_closed`. The history does not change then.
        """
        if isinstance(message, str):
            self.add_user_message(message)
        elif isinstance(message, Reply):
            self._append(self._settled(message))
        elif isinstance(message, _TURNS):
            self._append(self._settled(Conversation([message])))
        else:
            self._append([_element_turn(message, len(self), source, self._like)])

    def add_tool_result(
        self,
        tool_use_id: str,
        result: _Result,
        tool_name: str = "unknown",
        *,
        status: ToolResultStatus | Literal["success", "error"] = "success",
    ) -> None:
        """Adds a tool result.

        Args:
            tool_use_id: The id of the call.
            result: What the tool returned: a str; a dict, number or bool as one JSON value; a
                block, or a list of blocks.
            tool_name: The tool's name, for targets that need one. The name in the call comes before this one.
            status: Whether the tool succeeded.

        Raises:
            TypeError: An argument has the wrong type.
            TurnwireError: As in `ToolUseResult`, and for a stored history as in `add_raw_message`.
        """
        for name, value in {"tool_use_id": tool_use_id, "tool_name": tool_name}.items():
            if not isinstance(value, str):
                raise TypeError(f"{name}: expected a str, got {type(value).__name__}")
        if result is None:
            raise TypeError("result: expected the result of the tool, got None")
        made = ToolUseResult(tool_use_id, result, status, tool_name)
        if not isinstance(result, str) or made.status != ToolResultStatus.Success:
            self._append(self._settled(Conversation([made])))
            return
        block = {"type": "tool_result", "tool_use_id": tool_use_id, "tool_name": tool_name, "content": result}
        self._append([self._own([block])])

    def clear(self) -> None:
        """Removes every message. A file keeps them, followed by a line that removes them.

        Raises:
            TurnwireError: A stored history raises `not_stored` if it cannot be written, and `history_closed`.
        """
        with self._adding:
            if self._store is not None:
                self._store.append(lines.CLEAR)
            self._forget()

    @spelled_out
    def ledger(
        self,
        target: RowName,
        budget: int | Budget | None = None,
        *,
        on_full: Literal["cut", "error", "send"] = "cut",
        on_system_change: Literal["append", "freeze", "break"] = "append",
        on_tools_change: Literal["append", "freeze", "break"] = "append",
        **options: Unpack[LedgerOptions],
    ) -> HistoryLedger:
        """A `Ledger` for these messages: each request continues the one before it.

            ledger = history.ledger("anthropic", 200_000)
            ready = ledger.prepare(system=SYSTEM, tools=TOOLS)

        A history has one state for each target: a second ledger for the same target continues the first. A stored
        history writes a line for each request, so that a program that is started again sends the same bytes. Copies,
        `window` and `summarise` keep the states, and `clear` forgets them.

        Args:
            target: The dialect of the requests, one of `dialects()`.
            budget: The most UTF-8 bytes of text, tool arguments, media data and tool definitions, or a `Budget`.
            on_full: What happens when the budget is full: `"cut"` makes a cut, `"error"` raises BuildError
                `ledger_full`, `"send"` sends everything.
            on_system_change: What happens when the system text changes: `"append"` adds the new lines at the end,
                `"freeze"` keeps the first text, `"break"` sends the new text.
            on_tools_change: What happens when the tools change, in the same words.
            options: Options of `prepare` for every request, such as `model` and `cache`.

        Raises:
            TurnwireError: As in `Ledger`; `bad_state` if a later version has written the state of this target.
            TypeError: An argument has the wrong type.
        """
        changes: Any = {"on_system_change": on_system_change, "on_tools_change": on_tools_change}
        made = Ledger(target, budget, on_full=on_full, **changes, **options)
        _LedgerState(self._state(target))
        return HistoryLedger(self, made)

    def __len__(self) -> int:
        return len(self._turns)

    def __iter__(self) -> Iterator[_Message]:
        """The messages, each in its own dialect, in new containers."""
        for turn in list(self._turns):
            yield _element_of(turn)[1]

    def __eq__(self, other: object) -> bool:
        return self._turns == other._turns if isinstance(other, MessageHistory) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        where = "" if self._store is None else f" in {self._store.path}{'' if self._store.is_open else ', closed'}"
        return f"<MessageHistory of {len(self)} messages{where}>"

    def _repr_html_(self) -> str:
        _, end, rows = self.conversation._repr_html_().partition("</caption>")
        return f"<table><caption>{escape(repr(self)[1:-1])}{end}{rows}"

    def __reduce__(self) -> tuple[object, ...]:
        """A history in memory can be pickled and copied. One in a file cannot, because the file has one writer."""
        if self._store is not None:
            raise TypeError(
                f"a stored history cannot leave its file: MessageHistory(history) makes a copy in memory of {self!r}"
            )
        return MessageHistory._made, (list(self._turns), self._receipt, dict(self._states))

    @staticmethod
    def _made(turns: Iterable[Turn], receipt: Receipt, states: Mapping[str, bytes] | None = None) -> MessageHistory:
        """Pickles call this, so arguments may be added to it but never removed."""
        history = MessageHistory()
        history._take(turns)
        history._receipt = receipt
        history._states.update(states or {})
        return history

    def _shorter(self, turns: Iterable[Turn], receipt: Receipt) -> MessageHistory:
        known = {target: settled(target, state, self.conversation) for target, state in self._states.items()}
        return self._made(turns, receipt, known)

    def _own(self, content: object) -> Turn:
        """The turn for a message of spec 003."""
        return _element_turn({"role": "user", "content": content}, len(self), _OWN, None)

    def _settled(self, turns: Iterable[Turn]) -> list[Turn]:
        """Turns in the form in which they will be read back from a file."""
        return [_settled(turn, index) for index, turn in enumerate(turns, len(self))]

    def _append(self, turns: list[Turn]) -> None:
        with self._adding:
            if self._store is not None:
                self._store.append(b"".join(map(lines.encoded, turns)))
            self._take(turns)

    def _take(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            self._turns.append(turn)
            dialect = _dialect_of(turn)
            if dialect not in (_OWN, None):
                self._like = dialect
        self._whole = None

    def _forget(self) -> None:
        self._turns, self._like, self._whole = [], None, None
        self._receipt = Receipt()
        self._states = {}

    def _state(self, target: RowName) -> bytes | None:
        return self._states.get(target)

    def _keep(self, target: RowName, state: bytes) -> None:
        with self._adding:
            before = self._states.get(target)
            if state == before:
                return
            if self._store is not None:
                self._store.append(states.line_of(target, before, state))
            self._states[target] = state

    def _read_line(self, line: bytes) -> None:
        if states.is_state(line):
            states.folded(line, self._states)
            return
        turn = lines.decoded(line, len(self))
        if turn is None:
            self._forget()
        else:
            self._take([turn])


# Users import it from here, so pickles survive a move of this file.
MessageHistory.__module__ = "turnwire.history"
