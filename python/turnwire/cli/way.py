"""How a command rewrites: with functions of `turnwire.batch` for files and lines, or each row once where it counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, cast

from turnwire import batch

from .once import Once, Seen

__all__ = ["Way"]


class Way:
    """A function of `turnwire.batch` for files, the one for lines, and the arguments of both."""

    def __init__(
        self,
        file: object,
        lines: object,
        given: tuple[Any, ...],
        options: dict[str, Any],
        counts: str = "losses",
        once: Once | None = None,
    ) -> None:
        self.file = cast("Callable[..., batch.Report]", file)
        self.lines = cast("Callable[..., Iterator[bytes]]", lines)
        self.given = given
        self.counts = counts
        self.once = once
        self.options = {key: value for key, value in options.items() if value is not None}

    def made(self, rows: Iterator[bytes], errors: Any, seen: Seen | None) -> Iterator[bytes]:
        """What becomes of the rows. The iterator returns the number of losses or cuts."""
        if self.once is None or seen is None:
            return self.lines(rows, *self.given, errors=errors, **self.options)
        return self.once.lines(rows, self.lines, self.given, self.options, errors, seen)
