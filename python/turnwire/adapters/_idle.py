"""Refuses options that never have an effect in an adapter, or none beside others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from turnwire._idle_options import chosen
from turnwire.errors import TurnwireError
from turnwire.ledger import Ledger

__all__ = ["refuse"]

_NEVER: Final = {
    "assistant_role": "no adapter writes the format 'structured'",
    "blobs": "the framework of an adapter decides how new media are written",
}


def refuse(settings: Mapping[str, Any], *, is_summing: bool) -> None:
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
    if is_summing and (options.get("wording") or {}).get("omitted"):
        text = (
            "expected no omitted in wording beside a budget's summarise=: a summary stands where messages are left out"
        )
        raise TurnwireError(text, code="conflicting_options")
