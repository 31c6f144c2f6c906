"""Writes the log: the messages of spec 001 for the changes of a build, and one line for each build."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Final

from ._core import Receipt
from .errors import BuildError

__all__ = ["built", "failed", "logger", "on_one_line"]

logger: Final = logging.getLogger("turnwire")
"""The logger for everything that turnwire logs. Its null handler keeps Python from printing warnings by default."""
logger.addHandler(logging.NullHandler())

_builder: Final = logger.getChild("builder")

_PREFIX: Final = "[MessageBuilder]"
# The changes that spec 001 has sentences for. Others are logged by their codes. Only one of a receipt's warnings is
# logged, as the spec asks: the others are true at every step of an agent, and each step would log them again.
_WORDS: Final = {
    "empty_assistant": "Filtering empty assistant message: ",
    "orphan_result": "Removing orphaned tool message: ",
}
_WARNINGS: Final = {"start_id_missing"}


def built(given: int, left: int, receipt: Receipt) -> None:
    """Logs a build that made `left` messages of `given` ones."""
    _changes(receipt)
    _builder.debug("%s Validation passed: %d messages", _PREFIX, left)
    if _builder.isEnabledFor(logging.INFO):
        first = "" if receipt.first_changed_index is None else f", the first at index {receipt.first_changed_index}"
        _builder.info("%s %d messages in, %d out: %s%s", _PREFIX, given, left, _counted(receipt), first)


def failed(given: int, error: BuildError) -> None:
    """Logs a build of `given` messages that failed."""
    _changes(error.receipt)
    if _builder.isEnabledFor(logging.INFO):
        why = on_one_line(error.args[0].removeprefix(_PREFIX).lstrip())
        before = _counted(error.receipt)
        _builder.info("%s %d messages in, none out: %s; before that %s", _PREFIX, given, why, before)


def _changes(receipt: Receipt) -> None:
    is_debug = _builder.isEnabledFor(logging.DEBUG)
    # Most programs log no changes, and each step of an agent may have the same hundreds of them.
    for change in receipt if is_debug else receipt.only("warning"):
        if change.kind == "warning":
            level = logging.WARNING if change.code in _WARNINGS else logging.DEBUG
            if _builder.isEnabledFor(level):
                where = "" if change.path == "$" else f"{change.path}: "
                _builder.log(level, "%s %s", _PREFIX, on_one_line(where + change.reason))
        else:
            _builder.debug("%s %s%s", _PREFIX, _WORDS.get(change.code, ""), on_one_line(str(change)))


def _counted(receipt: Receipt) -> str:
    changes = Counter(change.code for change in receipt if change.kind != "warning")
    counted = ", ".join(f"{count} {code}" for code, count in changes.items()) or "nothing changed"
    warnings = receipt.counts.get("warning", 0)
    return counted + (f", {warnings} warning{'s' * (warnings > 1)}" if warnings else "")


def on_one_line(text: str) -> str:
    """Escapes line ends, because a model may write anything as an id, and it must not look like a log line."""
    return text if text.isprintable() else repr(text)[1:-1]
