"""Refuses the options of `prepare` that have no effect in a ledger."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final

from .errors import TurnwireError
from .options import DEFAULTS

__all__ = ["IDLE", "chosen", "taken"]

IDLE: Final = {
    "after": "a ledger itself remembers what it sent: use Ledger.load for a stored state",
    "defaults": "a ledger writes no settings",
    "effort_budgets": "a ledger writes no settings",
    "keep_open": "what is sent is remembered as it is",
    "pinned": "pass it to the ledger's prepare",
    "reserve": "keep= of a Ledger is the share of the budget that a cut leaves",
    "row": "what is sent is remembered as it is",
    "summarise": "use Ledger.compaction",
    "summary": "use Ledger.compaction",
}
"""The options of `prepare` that a ledger does not take, each with the reason."""


def chosen(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that differ from their defaults."""
    return {name: value for name, value in options.items() if value is not None and value != DEFAULTS.get(name)}


def taken(known: Container[str], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a ledger takes, which are `known`. Others may only have their defaults.

    Raises:
        TurnwireError: `unknown_option` for an option of `prepare` that would have no effect.
        TypeError: `prepare` has no such option either.
    """
    others = {name: value for name, value in options.items() if name not in known}
    for name in others:
        if name not in IDLE:
            raise TypeError(f"Ledger() got an unexpected keyword argument {name!r}")
    for name in chosen(others):
        raise TurnwireError(f"expected no {name}: {IDLE[name]}", code="unknown_option")
    return {name: value for name, value in options.items() if name in known}
