"""Counts the changes of each row by code: for `prepare`, whose budget may cut a lot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from turnwire import Receipt, prepare_json
from turnwire.batch.tasks import check_task
from turnwire.errors import TurnwireError

from . import inputs
from .screen import table

__all__ = ["show"]


def show(
    one: inputs.Input,
    source: str,
    target: str,
    at: str | None,
    max_bytes: int | None,
    options: Any,
    aside: bool = False,
) -> None:
    """Prints a table of the changes of all rows, if there are any: on stderr with `aside`, because stdout has the rows.

    Rows that fail were reported before.
    """
    if one.path is None:
        return
    rows = check_task(source, bool(options.get("tool_results")), target, at).rows
    times: Counter[str] = Counter()
    places: Counter[str] = Counter()
    freed: Counter[str] = Counter()
    for row in one.rows():
        changes = [change for receipt in _receipts(rows, row, source, target, max_bytes, options) for change in receipt]
        times.update(change.code for change in changes)
        places.update({change.code for change in changes})
        for change in changes:
            freed[change.code] += change.before - change.after
    if times:
        shown = ((code, count, places[code], max(freed[code], 0)) for code, count in times.most_common())
        table(("change", "times", "rows", "bytes freed"), shown, right=("times", "rows", "bytes freed"), aside=aside)


def _receipts(
    rows: Any, row: bytes, source: Any, target: Any, max_bytes: int | None, options: Mapping[str, Any]
) -> Iterator[Receipt]:
    try:
        for _, payload, _ in rows.places(row):
            yield prepare_json(payload, target, max_bytes, source=source, **options).receipt
    except TurnwireError:
        # The row failed, which was reported before.
        return
