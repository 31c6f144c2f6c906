"""Refuses options that would have no effect in an adapter, so that nobody waits for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from turnwire.errors import TurnwireError
from turnwire.ledger import Ledger
from turnwire.options import DEFAULTS

__all__ = ["NO_MESSAGES", "OF_RESULTS", "given", "refuse"]

OF_RESULTS: Final = frozenset(
    {"max_tokens", "count", "max_result_bytes", "max_result_tokens", "on_cut", "on_receipt", "on_losses", "on_error"}
)
"""The options of adapters that cut results and know no list of messages. They lose nothing for `on_losses`."""
NO_MESSAGES: Final = "it cuts the result of a tool, and sees no message"
"""Why these take no others."""

_NEVER: Final = {
    "after": "an adapter has no earlier request: use ledger=True",
    "assistant_role": "no adapter writes the format 'structured'",
    "blobs": "an adapter writes no new media as raw bytes",
}
# Without a budget, nothing is cut or dropped, and nothing is freed.
_OF_BUDGETS: Final = ("reserve", "omitted", "summarise")
_OF_CUTS: Final = ("pinned", "on_cut")


def given(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The options that differ from their defaults."""
    return {name: value for name, value in settings.items() if value is not None and value != DEFAULTS.get(name)}


def refuse(chosen: Mapping[str, Any], max_bytes: int | None, takes: frozenset[str] | None, why: str) -> None:
    """Raise for the first option that has no effect.

    Args:
        chosen: The options that differ from their defaults.
        max_bytes: The budget.
        takes: The options that the adapter takes; None for all.
        why: The reason why it takes no others.

    Raises:
        TurnwireError: `unknown_option` for an option that never has an effect in the adapter, and
            `conflicting_options` for one that has none beside the others.
    """
    for name in chosen:
        if name in _NEVER:
            raise TurnwireError(f"expected no {name}: {_NEVER[name]}", code="unknown_option")
        if takes is not None and name not in takes:
            raise TurnwireError(f"expected no {name}: {why}", code="unknown_option")
    if isinstance(chosen.get("ledger"), Ledger):
        # It has the budget, and takes none of these options beside it but pins.
        return
    has_budget = max_bytes is not None or "max_tokens" in chosen
    is_cut = has_budget or "max_result_bytes" in chosen or "max_result_tokens" in chosen
    for names, fits, wanted in (
        (_OF_BUDGETS, has_budget, "max_bytes or max_tokens"),
        (_OF_CUTS, is_cut, "max_bytes, max_tokens or max_result_bytes"),
    ):
        for name in names:
            if name in chosen and not fits:
                text = f"expected {wanted} beside {name}, which has no effect without a budget"
                raise TurnwireError(text, code="conflicting_options")
    if "omitted" in chosen and "summarise" in chosen:
        text = "expected no omitted beside summarise: a summary stands where messages were left out"
        raise TurnwireError(text, code="conflicting_options")
    if "reserve" in chosen and chosen.get("ledger"):
        text = "expected no reserve beside ledger, which frees half of the budget: use Ledger(keep=…) for another share"
        raise TurnwireError(text, code="conflicting_options")
