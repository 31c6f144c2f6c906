"""Keeps the ledger of each conversation that goes through an adapter, and finds it again by its messages."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from threading import Lock
from typing import Any, Final, NamedTuple

from turnwire._core import Budget, Rendered, _LedgerState
from turnwire._families import long_name
from turnwire._idle_options import IDLE, chosen
from turnwire.errors import TurnwireError
from turnwire.ledger import Ledger
from turnwire.types import DialectName, LedgerOptions, SourceName

from ._told import begins, mark

__all__ = ["Carrier", "Ledgers"]

_MOST: Final = 4096
"""The number of requests that are remembered. The least recently used are forgotten first."""

_Key = tuple[Hashable, ...]


class Carrier(NamedTuple):
    """The framework that sends a request.

    Attributes:
        conversation: The framework's id of the conversation; None if it has none.
        part: The agent that sends it, if several agents in one conversation have their own lists.
        system: Whether the framework sends system text behind the first message.
        tools: Whether it sends changes of the tools.
        holds: Whether it can send the first system text and tools again.
        profile: The profile that a ledger writes for, if it is not the one of the target.
    """

    conversation: Hashable = None
    part: Hashable = None
    system: bool = False
    tools: bool = False
    holds: bool = True
    profile: DialectName | None = None

    @property
    def takes(self) -> tuple[set[str], set[str]]:
        """What `Ledger` may do with changed system text, and with changed tools."""
        freeze = {"freeze"} if self.holds else set()
        system, tools = ({"append"} if appends else set() for appends in (self.system, self.tools))
        return system | freeze, tools | freeze


class _Conversation:
    """The newest state of one conversation."""

    def __init__(self) -> None:
        self.newest = _LedgerState()


class Ledgers:
    """The ledgers of one adapter. Any number of threads may share it.

    A state never changes. A request finds the state stored under the longest beginning of its list, and stores its own
    under its whole list. So no request waits for another, and conversations do not mix. If the caller edited what was
    sent, only the newest state of the conversation knows all of its reasoning.
    """

    def __init__(
        self, given: Ledger | bool, target: DialectName | None, budget: Budget, options: Mapping[str, Any]
    ) -> None:
        """Read the options.

        Args:
            given: A ledger for the one conversation of this adapter, or True.
            target: The dialect to write, if it is known.
            budget: The budget.
            options: Those of `prepare`.

        Raises:
            TurnwireError: As in `Ledger`, and `conflicting_options` for an option that no ledger takes, or that the
                given ledger already has.
        """
        self._one = given if isinstance(given, Ledger) else None
        beside = [*chosen(options)]
        if self._one is not None:
            beside += ["budget"] * (budget != Budget())
        else:
            opens = options.get("end") in ("calls", "row")
            beside = [name for name in beside if name not in LedgerOptions.__annotations__ or (name == "end" and opens)]
        if beside:
            why = f": {IDLE[beside[0]]}" if self._one is None and beside[0] in IDLE else ""
            raise TurnwireError(f"expected no {', '.join(beside)} beside ledger{why}", code="conflicting_options")
        self._budget = budget
        self._options: Any = {name: options[name] for name in LedgerOptions.__annotations__ if name in options}
        self._made: dict[DialectName, Ledger] = {}
        self._states: OrderedDict[_Key, tuple[_LedgerState, _Conversation]] = OrderedDict()
        self._lock = Lock()
        if self._one is None:
            # This raises for a wrong option before anything is sent.
            self._ledger(target or "openai")
        elif target is not None:
            self._agrees(self._one, target)

    def write_bytes(self) -> None:
        """Write new media as bytes, also in the caller's own ledger."""
        self._options["blobs"] = "raw"
        for ledger in (self._one, *self._made.values()):
            if ledger is not None:
                ledger._options = {**ledger._options, "blobs": "raw"}

    def prepared(
        self,
        payload: Any,
        elements: Sequence[Any],
        how: tuple[SourceName, DialectName],
        pinned: Iterable[int],
        relay: tuple[bool, bool, bool],
        carrier: Carrier,
    ) -> Rendered[Any]:
        """The next request of the conversation with the list `elements`. `how` is its source and its target.

        Raises:
            TurnwireError: As in `Ledger.prepare`, and `conflicting_options` if the given ledger has another target.
        """
        source, target = how

        def goes_on(ledger: Ledger, state: _LedgerState) -> Rendered[Any]:
            more: Any = {"relay": relay, "share": True, "takes": carrier.takes}
            return ledger._after(state, payload, "objects", source, None, None, pinned, **more)

        if self._one is not None:
            self._agrees(self._one, target)
            with self._lock:
                return self._one._remembered(goes_on(self._one, self._one._state))
        named = (target, carrier.conversation, carrier.part)
        # The list without system text at its beginning, which is found as part of the head.
        start = begins(elements)
        listed = elements[start:]
        begun = _beginnings(named, listed)
        beside = [payload.get(key) for key in ("system", "instructions", "systemInstruction", "tools")]
        head = mark([*elements[:start], *beside])
        answered = next((at for at in range(len(listed), 0, -1) if _is_reply(listed[at - 1])), 0)
        # The length of the list that the newest reply answers.
        asked = next((at for at in range(answered, 0, -1) if not _is_reply(listed[at - 1])), 0)
        with self._lock:
            state, conversation = self._found([named, *begun], asked, head)
        ready = goes_on(self._ledger(target), state)
        left = ready._ledger
        assert left is not None
        with self._lock:
            conversation.newest = left
            # The caller may change what follows the newest reply, and the head, too.
            keys = [begun[length - 1] for length in {answered, len(listed)} - {0}]
            for key in keys if carrier.conversation is None else [named, *keys]:
                for one in ((*key, head), key):
                    self._states[one] = left, conversation
                    self._states.move_to_end(one)
            while len(self._states) > 4 * _MOST:
                self._states.popitem(last=False)
        return ready

    def _found(self, begun: list[_Key], asked: int, head: int) -> tuple[_LedgerState, _Conversation]:
        """The state of the longest known beginning, if possible with the same head. The caller holds the lock.

        `begun` has the key of the framework's id, and one for each length of the list. If the known beginning is
        shorter than the request that the newest reply answers, the list was edited.
        """
        if asked == 0:
            return _LedgerState(), _Conversation()
        for length in range(len(begun) - 1, -1, -1):
            found = self._states.get((*begun[length], head)) or self._states.get(begun[length])
            if found is None:
                continue
            state, conversation = found
            if length < asked:
                named = self._states.get(begun[0])
                conversation = named[1] if named else conversation
                return conversation.newest, conversation
            # If two requests continue the same one, the second starts a conversation of its own.
            return state, conversation if conversation.newest is state else _Conversation()
        return _LedgerState(), _Conversation()

    def _ledger(self, target: DialectName) -> Ledger:
        ledger = self._made.get(target)
        if ledger is None:
            ledger = self._made[target] = Ledger(target, self._budget, **self._options)
        return ledger

    @staticmethod
    def _agrees(ledger: Ledger, target: DialectName) -> None:
        if ledger.target != long_name(target):
            expected = f"expected a ledger for {target}, got one for {ledger.target}"
            raise TurnwireError(expected, code="conflicting_options")


def _beginnings(named: _Key, elements: Sequence[Any]) -> list[_Key]:
    """A key for each length of a list of a conversation."""
    keys: list[_Key] = []
    before = 0
    for element in elements:
        before = hash((before, mark(element)))
        keys.append((*named, before))
    return keys


def _is_reply(element: Any) -> bool:
    """Whether an element of any dialect is from the model."""
    role, kind = (
        element.get(key) if isinstance(element, Mapping) else getattr(element, key, None) for key in ("role", "type")
    )
    return role in ("assistant", "model") or kind == "reasoning" or str(kind).endswith("_call")
