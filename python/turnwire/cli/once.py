"""Rewrites each row once, and shows what was done to it: for `prepare`."""

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

__all__ = ["Once"]


class Once(NamedTuple):
    """Rewrites rows as their task does, which tells only their losses."""

    payload: Callable[[bytes, str, bool], Rendered[bytes]]
    """The function for one payload, which is also told as what it is read, and whether it is a row."""
    task: Task
    seen: Callable[[list[Rendered[bytes]]], object]
    """Called for each row, with what became of its payloads."""

    def made(self, blocks: Iterator[Block], tell: bool) -> Iterator[Made]:
        """What becomes of each row of blocks."""
        for block in blocks:
            if block.fault is not None:
                yield made_of(block, self.task)
                continue
            for row in rows_of(block, self.task.rows):
                yield self._row(row, block, tell)
            block.done()

    def _row(self, row: Row, block: Block, tell: bool) -> Made:
        places: list[bytes] = []
        left: dict[str, int] = {}
        made: list[Rendered[bytes]] = []
        with suppress(TurnwireError):
            found = self.task.rows.places(row.data, row.alone)
            places = [inside for _, inside, *_ in found]
            left = {key: 1 for *_, keys in found for key in keys}
            made.extend(self.payload(inside, source, is_row) for _, inside, _, source, is_row, _ in found)
        self.seen(made)
        if made and places == [row.data] and not row.alone.are_made and b"\n" not in row.data and b"\r" not in row.data:
            losses = [(row.line, row.path + one.path.removeprefix("$"), one.code, one.reason) for one in made[0].losses]
            codes: dict[str, int] = {}
            for _, _, code, _ in losses:
                codes[code] = codes.get(code, 0) + 1
            counts = Counts(block.end, block.lines, 1, 0, len(losses), codes, left)
            return Made(memoryview(made[0].payload + b"\n"), [], counts, losses)
        # The payload is inside of a row that stays around it, or the row fails.
        alone = block._replace(data=memoryview(row.data), records=row.alone, line=row.line, done=lambda: None)
        return made_of(alone, self.task, tell)
