"""Shows on a terminal how far a long run is."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from .screen import Bar

__all__ = ["progress"]

_LONG: Final = 8 << 20
"""Files with fewer bytes show no progress, because they take too little time."""
_PAUSE: Final = 0.1
"""The seconds from one line to the next."""


@contextmanager
def progress(path: Path | None) -> Iterator[Callable[[int], object]]:
    """A line on a terminal for a long run: call the result with the bytes read so far."""
    size = path.stat().st_size if path is not None and path.is_file() else 0
    terminal = sys.stderr is not None and sys.stderr.isatty()
    if path is None or size < _LONG or not terminal:
        yield lambda _: None
        return
    name, started, last = path.name, time.monotonic(), -_PAUSE

    def seen(read: int) -> None:
        nonlocal last
        if (now := time.monotonic()) - last >= _PAUSE:
            last = now
            Bar.show(_line(name, read, size, now - started))

    try:
        yield seen
    finally:
        Bar.erase()


def _line(name: str, read: int, size: int, seconds: float) -> str:
    """`logs.jsonl   45 %  4.1/9.2 MB  3 s left`, cut to the terminal."""
    share = min(read / size, 1)
    left = f"  {seconds / share - seconds:,.0f} s left" if share and seconds > 1 else ""
    text = f"{name}  {share:4.0%}  {read / 1e6:,.1f}/{size / 1e6:,.1f} MB{left}"
    try:
        return text[: os.get_terminal_size(sys.stderr.fileno()).columns - 1]
    except (OSError, ValueError):
        return text
