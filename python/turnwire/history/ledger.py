"""`HistoryLedger`: the requests of a history to one target, each of which continues the one before it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from turnwire._core import Budget, Conversation, Rendered, _LedgerState
from turnwire.errors import TurnwireError
from turnwire.ledger import Ledger

if TYPE_CHECKING:
    from turnwire.types import RowName

__all__ = ["HistoryLedger", "Kept", "settled"]


class Kept(ABC):
    """What a ledger needs from its history: the messages, and the newest state of each target."""

    _sending: Lock

    @property
    @abstractmethod
    def conversation(self) -> Conversation:
        """The messages to send."""

    @abstractmethod
    def _state(self, target: RowName) -> bytes | None:
        """The newest state of a target."""

    @abstractmethod
    def _keep(self, target: RowName, state: bytes) -> None:
        """Keeps the newest state of a target. The state has been written when this returns."""


class HistoryLedger:
    """What `MessageHistory.ledger` returns: a `Ledger` with the messages and the state of the history."""

    def __init__(self, history: Kept, ledger: Ledger) -> None:
        """Made by `MessageHistory.ledger`."""
        self._history = history
        self._ledger = ledger
        self._seen: bytes | None = None

    @property
    def target(self) -> RowName:
        """The dialect of the requests."""
        return self._ledger.target

    @property
    def budget(self) -> Budget | None:
        """The budget, or None."""
        return self._ledger.budget

    @property
    def breaks(self) -> tuple[tuple[int, str], ...]:
        """Every request that did not continue the one before it. See `Ledger.breaks`."""
        with self._history._sending:
            return self._current().breaks

    def prepare(
        self,
        *,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] | Callable[[Any], object] = (),
    ) -> Rendered[Any]:
        """The next request for the messages of the history, as `Ledger.prepare` returns it.

        A stored history has written what the next request needs when this returns.

        Args:
            system: System text to put before that of the messages.
            tools: Tool definitions to put before those of the messages.
            pinned: Messages that a cut neither cuts nor drops: their indices, or a function of a message.
                `Budget.per_result` does not apply to them. But what was sent and answered stays cut or whole, as it
                was.

        Raises:
            BuildError: As in `Ledger.prepare`. The ledger does not change then.
            TurnwireError: As in `Ledger.prepare`. A stored history also raises `not_stored` and `history_closed`.
        """
        with self._history._sending:
            ready = self._current().prepare(self._history.conversation, system=system, tools=tools, pinned=pinned)
            self._written()
            return ready

    def prepare_json(
        self,
        *,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] | Callable[[Any], object] = (),
    ) -> Rendered[bytes]:
        """The same as `prepare`, with the payload as compact JSON bytes, ready to send."""
        with self._history._sending:
            ready = self._current().prepare_json(self._history.conversation, system=system, tools=tools, pinned=pinned)
            self._written()
            return ready

    def compaction(
        self,
        *,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] | Callable[[Any], object] = (),
    ) -> Rendered[Any]:
        """The last request again, with what asks for a summary of it. See `Ledger.compaction`."""
        with self._history._sending:
            ready = self._current().compaction(self._history.conversation, system=system, tools=tools, pinned=pinned)
            self._written()
            return ready

    def state(self) -> bytes:
        """What the next request needs, as `Ledger.state` returns it. A stored history also writes it to its file."""
        with self._history._sending:
            return self._current().state()

    def forget(self) -> None:
        """Forget what was sent, so that the next request may differ from it. See `Ledger.forget`."""
        with self._history._sending:
            self._current().forget()
            self._written()

    def _current(self) -> Ledger:
        """The ledger at the newest state of the history, which another ledger of it may have changed."""
        state = self._history._state(self.target)
        if state is None or state is not self._seen:
            self._ledger._state, self._seen = _LedgerState(state), state
        return self._ledger

    def _written(self) -> None:
        """Gives the new state to the history. If it cannot be written, the one before it stays."""
        self._seen = None
        state = self._ledger.state()
        self._history._keep(self.target, state)
        self._seen = self._history._state(self.target)

    def __repr__(self) -> str:
        count = len(self.breaks)
        return f"<HistoryLedger: {self.target}, {count} break{'' if count == 1 else 's'}>"


def settled(target: str, state: bytes, conversation: Conversation) -> bytes:
    """The state with the newest reply added, for a list that will not begin with the request of that reply."""
    known: Any = target
    ledger = Ledger(known, on_full="send", on_system_change="freeze", on_tools_change="freeze")
    # A conversation that cannot be sent adds nothing. A state of a later version raises when its ledger is made.
    with suppress(TurnwireError):
        ledger._state = _LedgerState(state)
        ledger.prepare(conversation)
        return ledger.state()
    return state


# Users import it from here.
HistoryLedger.__module__ = "turnwire.history"
