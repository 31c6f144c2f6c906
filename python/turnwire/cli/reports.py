"""Reports of single rows: those that fail, on stderr or in `--errors`, and every change, in `--changes`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from turnwire._core import Change
from turnwire.batch import RowError
from turnwire.errors import TurnwireError

from .screen import problem

__all__ = ["Reports", "tell"]


def tell(name: str) -> Callable[[RowError], None]:
    """Returns a function that prints on stderr which row of an input failed, and why."""

    def say(error: RowError) -> None:
        problem(f"{name}:{error.line}: error {error.code} at {error.path}: {error.message}")

    return say


class Reports:
    """The files of `--errors` and `--changes`, where they are wanted."""

    def __init__(self, errors: str | None, changes: str | None, others: Iterable[Path]) -> None:
        """`others` are the files that the run reads or writes otherwise.

        Raises:
            TurnwireError: `conflicting_options`, if it is one of these.
        """
        taken = {os.path.realpath(one) for one in others}
        for name, path in (("--errors", errors), ("--changes", changes)):
            if path is None:
                continue
            if (real := os.path.realpath(path)) in taken:
                text = f"expected another file for {name}, got {path}, which this run reads or writes"
                raise TurnwireError(text, code="conflicting_options")
            taken.add(real)
        self._stack = ExitStack()
        self._paths = (errors, changes)
        self.errors: IO[str] | None = None
        self.changes: IO[str] | None = None

    def __enter__(self) -> Reports:
        self.errors, self.changes = map(self._opened, self._paths)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _opened(self, path: str | None) -> IO[str] | None:
        return None if path is None else self._stack.enter_context(Path(path).open("w", encoding="utf-8"))

    def error(self, name: str) -> Callable[[RowError], None]:
        """Returns a function that reports a row of an input that failed."""
        if (file := self.errors) is None:
            return tell(name)

        def write(error: RowError) -> None:
            told = {"code": error.code, "path": error.path, "message": error.message}
            _write(file, {"file": name, "row": error.line} | told)

        return write

    def change(self, name: str, row: int, changes: Iterable[Change]) -> None:
        """Reports the changes of a row."""
        if self.changes is not None:
            for one in changes:
                _write(self.changes, {"file": name, "row": row} | one.to_dict())


def _write(file: IO[str], value: dict[str, Any]) -> None:
    # Half of a surrogate pair cannot be written, and is escaped.
    text = json.dumps(value, ensure_ascii=False)
    file.write((text if text.isprintable() else json.dumps(value)) + "\n")
