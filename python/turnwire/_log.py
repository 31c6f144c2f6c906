"""Writes the log: the messages of spec 001 for the changes of a build, and one line for each build."""

from __future__ import annotations

import logging
from collections import Counter
from typing import Final

from ._core import Receipt
from .errors import BuildError

__all__ = ["built", "failed", "logger", "on_one_line"]

logger: Final = logging.getLogger("turnwire")
"""Everything that turnwire logs goes through it. The handler keeps Python from printing it unasked."""
logger.addHandler(logging.NullHandler())

_builder: Final = logger.getChild("builder")

_PREFIX: Final = "[MessageBuilder]"
# The changes that spec 001 has words for; the others go by their codes. It asks for one warning: what else a receipt
# warns of is true of every step of an agent, and would be a line at each.
_WORDS: Final = {
    "empty_assistant": "Filtering empty assistant message: ",
    "orphan_result": "Removing orphaned tool message: ",
}
_WARNINGS: Final = {"start_id_missing"}


def built(given: int, left: int, receipt: Receipt) -> None:
    """A build that has made `left` messages of `given` ones."""
    _changes(receipt)
    _builder.debug("%s Validation passed: %d messages", _PREFIX, left)
    if _builder.isEnabledFor(logging.INFO):
        first = "" if receipt.first_changed_index is None else f", the first at index {receipt.first_changed_index}"
        _builder.info("%s %d messages in, %d out: %s%s", _PREFIX, given, left, _counted(receipt), first)


def failed(given: int, error: BuildError) -> None:
    """A build that has made nothing of `given` messages."""
    _changes(error.receipt)
    if _builder.isEnabledFor(logging.INFO):
        why = on_one_line(error.args[0].removeprefix(_PREFIX).lstrip())
        before = _counted(error.receipt)
        _builder.info("%s %d messages in, none out: %s; before that %s", _PREFIX, given, why, before)


def _changes(receipt: Receipt) -> None:
    for code, text in receipt._warned:
        _builder.log(logging.WARNING if code in _WARNINGS else logging.DEBUG, "%s %s", _PREFIX, text)
    if _builder.isEnabledFor(logging.DEBUG):
        for entry in receipt:
            _builder.debug("%s %s%s", _PREFIX, _WORDS.get(entry.code, ""), on_one_line(str(entry)))


def _counted(receipt: Receipt) -> str:
    changes = Counter(entry.code for entry in receipt)
    counted = ", ".join(f"{count} {code}" for code, count in changes.items()) or "nothing changed"
    warnings = len(receipt.warnings)
    return counted + (f", {warnings} warning{'s' * (warnings > 1)}" if warnings else "")


def on_one_line(text: str) -> str:
    """A model may write anything as an id; in a log an id must not look like a separate line."""
    return text if text.isprintable() else repr(text)[1:-1]
