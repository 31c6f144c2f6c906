"""`HistoryLedger`: the requests of a history to one target, each of which continues the one before it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any

from turnwire._core import Conversation, Rendered, _LedgerState
from turnwire.errors import TurnwireError
from turnwire.ledger import Ledger

if TYPE_CHECKING:
    from turnwire.names import DialectName

__all__ = ["HistoryLedger", "Kept", "settled"]


class Kept(ABC):
    """What a history does for its ledgers: it has the messages, and keeps the newest state of each target."""

    _sending: Lock

    @property
    @abstractmethod
    def conversation(self) -> Conversation:
        """The messages to send."""

    @abstractmethod
    def _state(self, target: DialectName) -> bytes | None:
        """The newest state of a target."""

    @abstractmethod
    def _keep(self, target: DialectName, state: bytes) -> None:
        """Keeps the newest state of a target; it is written when this returns."""


class HistoryLedger:
    """What `MessageHistory.ledger` returns: a `Ledger` that takes its messages from the history, and its state, too."""

    def __init__(self, history: Kept, ledger: Ledger) -> None:
        """Made by `MessageHistory.ledger`."""
        self._history = history
        self._ledger = ledger
        self._seen: bytes | None = None

    @property
    def target(self) -> DialectName:
        """Who takes the requests."""
        return self._ledger.target

    @property
    def breaks(self) -> tuple[tuple[int, str], ...]:
        """As `Ledger.breaks`."""
        with self._history._sending:
            return self._current().breaks

    def prepare(
        self,
        *,
        system: str | Iterable[str] | None = None,
        tools: Iterable[object] | None = None,
        pinned: Iterable[int] = (),
    ) -> Rendered[Any]:
        """The next request for the messages of the history, as `Ledger.prepare` gives it.

        A stored history has written what the next request has to know when this returns.

        Args:
            system: System text to put before that of the messages.
            tools: Tool definitions to put before those of the messages.
            pinned: Indices of messages that a cut leaves alone.

        Raises:
            BuildError: As `Ledger.prepare`. The ledger stays as it was.
            TurnwireError: As `Ledger.prepare`; of a stored history also `not_stored` and `history_closed`.
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
        pinned: Iterable[int] = (),
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
        pinned: Iterable[int] = (),
    ) -> Rendered[Any]:
        """The last request once more, with what asks for a summary of it, as `Ledger.compaction` gives it."""
        with self._history._sending:
            ready = self._current().compaction(self._history.conversation, system=system, tools=tools, pinned=pinned)
            self._written()
            return ready

    def state(self) -> bytes:
        """As `Ledger.state`. A stored history keeps it itself."""
        with self._history._sending:
            return self._current().state()

    def forget(self) -> None:
        """As `Ledger.forget`."""
        with self._history._sending:
            self._current().forget()
            self._written()

    def _current(self) -> Ledger:
        """The ledger at the newest state of the history, which others may have brought on."""
        state = self._history._state(self.target)
        if state is None or state is not self._seen:
            self._ledger._state, self._seen = _LedgerState(state), state
        return self._ledger

    def _written(self) -> None:
        """Hands the new state to the history. Where it cannot be written, the one before it counts."""
        self._seen = None
        state = self._ledger.state()
        self._history._keep(self.target, state)
        self._seen = self._history._state(self.target)

    def __repr__(self) -> str:
        count = len(self.breaks)
        return f"<HistoryLedger: {self.target}, {count} break{'' if count == 1 else 's'}>"


def settled(target: str, state: bytes, conversation: Conversation) -> bytes:
    """The state that also knows the newest reply, for a list that will not begin as the request did that it answers."""
    known: Any = target
    ledger = Ledger(known, over="soft", system="freeze", tools="freeze")
    # What cannot be sent has nothing new to know, and a state of a later version is an error of its ledger.
    with suppress(TurnwireError):
        ledger._state = _LedgerState(state)
        ledger.prepare(conversation)
        return ledger.state()
    return state


# The place that users import it from.
HistoryLedger.__module__ = "turnwire.history"
