"""Losses that an adapter itself causes, reported like those of a conversion."""

from __future__ import annotations

from typing import Any, Final

from turnwire._core import Loss
from turnwire.errors import RenderError

__all__ = ["changed", "lost", "moved", "refused"]

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


def changed(code: str, path: tuple[str | int, ...], reason: str) -> Loss:
    """The same of kind `changed`: the content is sent in another form."""
    loss: Loss = _made._restore("changed", code, path, reason)
    return loss


def refused(loss: Loss, dialect: str) -> RenderError:
    """The error of `strict=True` for a loss, as a conversion raises it."""
    text = f"the target cannot express this ({loss.code}): {loss.reason} - at `{loss.path}` ({dialect})"
    return RenderError(text, code="loss", path=loss.path, dialect=dialect)
