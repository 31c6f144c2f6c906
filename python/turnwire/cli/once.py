"""Rewrites each row once, and shows what was done to it: for `prepare`, and for what `convert` does with traces."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from turnwire._core import Rendered
from turnwire.batch import RowError
from turnwire.batch.blocks import BOM
from turnwire.batch.tasks import Task
from turnwire.errors import TurnwireError

from . import inputs

__all__ = ["Once", "Seen"]

Seen = Callable[[list[Rendered[bytes]]], object]
"""Called for each row, with what became of its payloads."""


class Once(NamedTuple):
    """Rewrites rows as a function of `turnwire.batch` for lines does, which tells only the number of losses."""

    payload: Callable[..., Rendered[bytes]]
    """The function for one payload."""
    task: Callable[[], Task]
    """Makes the task that finds the payloads of a row."""
    begin: Callable[[inputs.Input], Seen | None]
    """Called at the beginning of an input. If it returns None, the function for lines is enough."""

    def lines(
        self,
        rows: Iterable[bytes],
        lines: Callable[..., Any],
        given: tuple[Any, ...],
        options: dict[str, Any],
        errors: Callable[[RowError], object],
        seen: Seen,
    ) -> Generator[bytes, None, int]:
        """The rewritten rows. The generator returns the number of losses. `lines` is the function for lines."""
        options = {key: value for key, value in options.items() if key != "threads"}
        alone = {key: value for key, value in options.items() if key != "at"}
        # A wrong option is an error even if there is no row.
        losses: int = yield from lines([], *given, errors=errors, **options)
        found = self.task().rows
        for number, row in enumerate(rows, 1):
            one = (row.removeprefix(BOM) if number == 1 else row).strip(inputs.BLANK)
            if not one:
                continue
            places: list[bytes] = []
            made: list[Rendered[bytes]] = []
            with suppress(TurnwireError):
                places = [inside for _, inside, _ in found.places(one)]
                made.extend(self.payload(inside, *given, **alone) for inside in places)
            if made and places == [one]:
                losses += len(made[0].losses)
                yield made[0].payload
            else:
                # The payload is inside of a row that stays around it, or the row fails.
                failed: list[RowError] = []
                losses += yield from lines([one], *given, errors=failed.append, threads=1, **options)
                for error in failed:
                    errors(error._replace(line=number))
            seen(made)
        return losses
