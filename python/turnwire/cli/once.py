"""Rewrites each row once, and tells all that was done to it: for `prepare`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import NamedTuple

from turnwire._core import Rendered
from turnwire.batch.blocks import Block
from turnwire.batch.documents import Row, rows_of
from turnwire.batch.engine import Made, made_of
from turnwire.batch.partial_file import Counts
from turnwire.batch.tasks import Task
from turnwire.errors import TurnwireError

from .changes import Change, of_losses, of_rendered

__all__ = ["Once"]


class Once(NamedTuple):
    """Rewrites rows as their task does, which tells only their losses."""

    payload: Callable[[bytes, str | None, str, bool], Rendered[bytes]]
    """The function for one payload, which is also told its dialect, as what it is read, and whether it is a row."""
    task: Task
    seen: Callable[[int, list[Change]], object]
    """Called for each row that is written, with its line and what was done."""

    def made(self, blocks: Iterator[Block]) -> Iterator[Made]:
        """What becomes of each row of blocks."""
        for block in blocks:
            if block.fault is not None:
                yield made_of(block, self.task)
                continue
            for row in rows_of(block, self.task.rows):
                yield self._row(row, block)
            block.done()

    def _row(self, row: Row, block: Block) -> Made:
        places: list[bytes] = []
        left: dict[str, int] = {}
        made: list[Rendered[bytes]] = []
        changes: list[Change] = []
        with suppress(TurnwireError):
            found = self.task.rows.places(row.data, row.alone)
            places = [inside for _, inside, *_ in found]
            left = {key: 1 for *_, keys in found for key in keys}
            for around, inside, kind, source, is_row, _ in found:
                one = self.payload(inside, kind, source, is_row)
                made.append(one)
                changes += of_rendered(one, row.path + around.removeprefix("$"))
        is_made = row.alone.are_made
        if made and places == [row.data] and not is_made and b"\n" not in row.data and b"\r" not in row.data:
            done = Made(memoryview(made[0].payload + b"\n"), [], Counts(block.end, block.lines, 1, 0, 0, {}, left), [])
        else:
            # The payload is inside of a row that stays around it, or the row fails.
            alone = block._replace(data=memoryview(row.data), records=row.alone, line=row.line, done=lambda: None)
            done = made_of(alone, self.task, is_made)
            if is_made:
                # The task knows where in the user's own record a loss is.
                changes = [one for one in changes if one.kind != "lost"]
                changes += (one for _, losses in done.losses for one in of_losses(losses) if one.kind == "lost")
        if not done.failed and changes:
            self.seen(row.line, changes)
        return done
