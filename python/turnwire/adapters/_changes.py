"""Changes that an adapter makes itself, reported like those of a conversion."""

from __future__ import annotations

from turnwire._core import Change, _change
from turnwire.errors import RenderError

__all__ = ["changed", "lost", "refused"]


def lost(code: str, path: tuple[str | int, ...], reason: str) -> Change:
    """What is left out, with one of `turnwire.codes.CHANGES`."""
    return _change(code, path, reason, True)


def changed(code: str, path: tuple[str | int, ...], reason: str) -> Change:
    """What is sent in another form."""
    return _change(code, path, reason, False)


def refused(change: Change, dialect: str) -> RenderError:
    """The error of `strict=True` for what is lost, as a conversion raises it."""
    text = f"the target cannot express this ({change.code}): {change.reason} - at `{change.path}` ({dialect})"
    return RenderError(text, code="loss", path=change.path, dialect=dialect)
