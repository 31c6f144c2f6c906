"""How a command rewrites: the task for each row, and what else is shown of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from turnwire.batch.blocks import Block
from turnwire.batch.engine import Made, run_blocks
from turnwire.batch.tasks import Task

from .once import Once

__all__ = ["Way"]


class Way:
    """A task for each row."""

    def __init__(self, task: Task, threads: int, counts: str = "losses", once: Once | None = None) -> None:
        """`counts`: what is counted as a loss. `once` does the task where it is to be shown what was done."""
        self.task, self.threads, self.counts, self.once = task, threads, counts, once
        self.losses: Callable[[tuple[int, str, str, str]], object] | None = None
        """Called with the line, path, code and reason of each loss."""

    def made(self, blocks: Iterator[Block]) -> Iterator[Made]:
        """What becomes of the rows in blocks."""
        tell = self.losses is not None
        given = run_blocks(self.task, blocks, self.threads, tell) if self.once is None else self.once.made(blocks, tell)
        for made in given:
            for loss in made.losses:
                if self.losses is not None:
                    self.losses(loss)
            yield made
