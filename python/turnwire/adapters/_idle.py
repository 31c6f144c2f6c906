"""Refuses options that never have an effect in an adapter, or none beside others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from turnwire._idle_options import chosen
from turnwire.errors import TurnwireError
from turnwire.ledger import Ledger

__all__ = ["OF_RESULTS", "refuse"]

OF_RESULTS: Final = frozenset({"max_tokens", "count", "max_result_bytes", "max_result_tokens", "on_cut"})
"""The options of `prepare` that an adapter heeds which cuts single results."""

_NEVER: Final = {
    "after": "an adapter has no earlier request: use ledger=True",
    "assistant_role": "no adapter writes the format 'structured'",
    "blobs": "the framework of an adapter decides how new media are written",
}


def refuse(settings: Mapping[str, Any]) -> None:
    """Raise for the first option that has no effect.

    Raises:
        TurnwireError: `unknown_option` for an option that never has an effect in an adapter, and
            `conflicting_options` for one that has none beside the others.
    """
    options = chosen(settings)
    for name in options:
        if name in _NEVER:
            raise TurnwireError(f"expected no {name}: {_NEVER[name]}", code="unknown_option")
    if isinstance(options.get("ledger"), Ledger):
        # It has the budget, and takes none of these options beside it but pins.
        return
    if "omitted" in options and "summarise" in options:
        text = "expected no omitted beside summarise: a summary stands where messages were left out"
        raise TurnwireError(text, code="conflicting_options")
