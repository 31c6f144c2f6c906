"""How a command rewrites: the task for each row, and what is told of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwire._core import Rendered
from turnwire.batch.blocks import Block
from turnwire.batch.engine import Made, run_blocks
from turnwire.batch.tasks import Task

from .changes import Change, of_losses
from .once import Once

__all__ = ["Way"]


class Way:
    """A task for each row."""

    def __init__(
        self,
        task: Task,
        threads: int,
        payload: Callable[[bytes, str | None, str, bool], Rendered[bytes]] | None = None,
    ) -> None:
        """`payload` does the task for a payload, where it tells more than the task."""
        self.task, self.threads, self._payload = task, threads, payload

    def made(self, blocks: Iterator[Block], seen: Callable[[int, list[Change]], object]) -> Iterator[Made]:
        """What becomes of the rows in blocks. `seen` is called with the line of each row and what was done to it."""
        if self._payload is not None:
            yield from Once(self._payload, self.task, seen).made(blocks)
            return
        for made in run_blocks(self.task, blocks, self.threads, True):
            for line, losses in made.losses:
                seen(line, of_losses(losses))
            yield made
