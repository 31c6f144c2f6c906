"""The option `learn` of adapters: whether a server's refusals teach, and what."""

from __future__ import annotations

from turnwire.errors import TurnwireError

__all__ = ["learns"]


def learns(value: object, no_learn: str) -> bool | str:
    """The value of the option. `no_learn`: why the adapter cannot learn, if it cannot.

    Raises:
        TypeError: It is no bool and no str.
        TurnwireError: `unknown_option` for another value, or if the adapter cannot learn.
    """
    if not isinstance(value, bool | str):
        raise TypeError(f"learn: expected a bool or a str, got {type(value).__name__}")
    if value not in (False, True, "log", "all"):
        raise TurnwireError(f"expected False, 'log', True or 'all' as learn, got {value!r}", code="unknown_option")
    if value and no_learn:
        raise TurnwireError(f"expected no learn: {no_learn}", code="unknown_option")
    return value
