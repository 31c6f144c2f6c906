"""Losses that an adapter itself causes, reported like those of a conversion."""

from __future__ import annotations

from typing import Any, Final

from turnwire._core import Loss

__all__ = ["lost", "moved", "stood_in"]

# The constructor that pickle uses.
_made: Final[Any] = Loss


def lost(code: str, path: tuple[str | int, ...], reason: str) -> Loss:
    """A loss of kind `lost`, with one of `turnwire.loss_codes()`."""
    loss: Loss = _made._restore("lost", code, path, reason)
    return loss


def moved(loss: Loss, front: tuple[str | int, ...], less: int) -> Loss:
    """The same loss at another place: `front` instead of the first `less` steps of its path."""
    told: Any = loss.__reduce__()
    kind, code, path, reason = told[1]
    there: Loss = _made._restore(kind, code, (*front, *path[less:]), reason)
    return there


def stood_in(path: tuple[str | int, ...], reason: str) -> Loss:
    """The loss for a stand-in: a value that a provider documents for missing content."""
    loss: Loss = _made._restore("changed", "stand_in", path, reason)
    return loss
