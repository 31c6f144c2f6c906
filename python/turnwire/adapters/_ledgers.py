"""The ledgers of an adapter: what was sent of each conversation that goes through it, found again by its messages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any, Final

from turnwire._core import Rendered, _LedgerState
from turnwire.errors import TurnwireError
from turnwire.ledger import Ledger, LedgerOptions
from turnwire.names import DialectName, SourceName

from ._told import mark

__all__ = ["Ledgers"]

_MOST: Final = 4096
"""So many requests are remembered; those that were not used for longest go first."""

_Key = tuple[Hashable, ...]


class Ledgers:
    """For one adapter; any number of threads may share it.

    A state never changes. A request looks for the state that the longest beginning of its list left, and leaves its own
    under its own list, so no request waits for another, and conversations do not mix.
    """

    def __init__(
        self, given: Ledger | bool, target: DialectName | None, max_bytes: int | None, options: Mapping[str, Any]
    ) -> None:
        """Read the options.

        Args:
            given: A ledger for the one conversation of this adapter, or True.
            target: For whom to write, where that is known.
            max_bytes: The budget.
            options: Those of `prepare`.

        Raises:
            TurnwireError: `conflicting_options` for an option that no ledger takes, or that a given ledger has of its
                own; as `Ledger`.
        """
        self._one = given if isinstance(given, Ledger) else None
        beside = [name for name, value in options.items() if value]
        if self._one is not None:
            beside += ["max_bytes"] * (max_bytes is not None)
        else:
            beside = [name for name in beside if name not in LedgerOptions.__annotations__]
        if beside:
            raise TurnwireError(f"expected no {', '.join(beside)} beside ledger", code="conflicting_options")
        self._max_bytes = max_bytes
        self._options: Any = {name: options[name] for name in LedgerOptions.__annotations__ if name in options}
        self._made: dict[DialectName, Ledger] = {}
        self._states: OrderedDict[_Key, _LedgerState] = OrderedDict()
        self._lock = Lock()
        if self._one is None:
            # It tells of a wrong option before anything is sent.
            self._ledger(target or "openai")
        elif target is not None:
            self._agrees(self._one, target)

    def prepared(
        self, payload: Any, elements: Sequence[Any], source: SourceName, target: DialectName, pinned: Iterable[int]
    ) -> Rendered[Any]:
        """The next request of the conversation whose list `elements` is.

        Raises:
            TurnwireError: As `Ledger.prepare`; `conflicting_options` for another target than the given ledger has.
        """
        if self._one is not None:
            self._agrees(self._one, target)
            with self._lock:
                return self._one.prepare(payload, source=source, pinned=pinned)
        begun = _beginnings(target, elements)
        head = mark([payload.get(key) for key in ("system", "instructions", "tools")])
        answered = next((at for at in range(len(elements), 0, -1) if _is_reply(elements[at - 1])), 0)
        with self._lock:
            state = self._found(begun, head) if answered else _LedgerState()
        ready = self._ledger(target)._after(state, payload, "objects", source, False, None, None, pinned)
        left = ready._ledger
        assert left is not None
        with self._lock:
            # What follows the newest reply may come back changed, and the head, too.
            for length in {answered, len(elements)} - {0}:
                for key in ((*begun[length - 1], head), begun[length - 1]):
                    self._states[key] = left
                    self._states.move_to_end(key)
            while len(self._states) > 4 * _MOST:
                self._states.popitem(last=False)
        return ready

    def _found(self, begun: list[_Key], head: int) -> _LedgerState:
        """What the longest known beginning left, if possible with the same head. Held by the lock."""
        for key in reversed(begun):
            state = self._states.get((*key, head)) or self._states.get(key)
            if state is not None:
                return state
        return _LedgerState()

    def _ledger(self, target: DialectName) -> Ledger:
        ledger = self._made.get(target)
        if ledger is None:
            ledger = self._made[target] = Ledger(target, self._max_bytes, **self._options)
        return ledger

    @staticmethod
    def _agrees(ledger: Ledger, target: DialectName) -> None:
        if ledger.target != target:
            expected = f"expected a ledger for {target}, got one for {ledger.target}"
            raise TurnwireError(expected, code="conflicting_options")


def _beginnings(target: DialectName, elements: Sequence[Any]) -> list[_Key]:
    """A key for each length of a list."""
    keys: list[_Key] = []
    before = 0
    for element in elements:
        before = hash((before, mark(element)))
        keys.append((target, before))
    return keys


def _is_reply(element: Any) -> bool:
    """Whether an element of Messages, Chat Completions or Responses is the provider's."""
    role, kind = (
        element.get(key) if isinstance(element, Mapping) else getattr(element, key, None) for key in ("role", "type")
    )
    return role == "assistant" or kind == "reasoning" or str(kind).endswith("_call")
