"""Refuses the options of `prepare` that have no effect in a ledger."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any, Final

from ._hints import unexpected
from ._signature import DEFAULTS
from .errors import TurnwireError

__all__ = ["IDLE", "chosen", "taken"]

IDLE: Final = {
    "settings": "a ledger writes no settings",
    "pinned": "pass it to the ledger's prepare",
    "system": "pass it to the ledger's prepare",
    "tools": "pass them to the ledger's prepare",
    "source": "pass it to the ledger's prepare",
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
    for name, value in others.items():
        if name not in IDLE:
            raise TypeError(unexpected("Ledger", name, value))
    for name in chosen(others):
        raise TurnwireError(f"expected no {name}: {IDLE[name]}", code="unknown_option")
    if options.get("end") in ("calls", "row"):
        text = f"expected end='request' or 'prefill', got {options['end']!r}: what is sent is remembered as it is"
        raise TurnwireError(text, code="unknown_option")
    return {name: value for name, value in options.items() if name in known}
