"""Losses that an adapter itself causes, reported like those of a conversion."""

from __future__ import annotations

from typing import Any, Final

from turnwire._core import Loss

__all__ = ["lost", "moved", "stood_in"]

# What pickle makes one by.
_made: Final[Any] = Loss


def lost(code: str, path: tuple[str | int, ...], reason: str) -> Loss:
    """One thing that is gone, with one of `turnwire.loss_codes()`."""
    loss: Loss = _made._restore("lost", code, path, reason)
    return loss


def moved(loss: Loss, front: tuple[str | int, ...], less: int) -> Loss:
    """The same loss at another place: `front` instead of the first `less` steps of its path."""
    told: Any = loss.__reduce__()
    kind, code, path, reason = told[1]
    there: Loss = _made._restore(kind, code, (*front, *path[less:]), reason)
    return there


def stood_in(path: tuple[str | int, ...], reason: str) -> Loss:
    """One value that a provider documents for what is not there."""
    loss: Loss = _made._restore("changed", "stand_in", path, reason)
    return loss
