"""Files written beside their places and moved there when they are whole, with a log by which a run is resumed."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Self

__all__ = ["Beside", "Counts"]

_DONE: Final = "done"


class Counts(NamedTuple):
    """What has been done so far."""

    read: int = 0
    """Bytes of the input, unpacked."""
    lines: int = 0
    rows: int = 0
    failed: int = 0
    losses: int = 0


class Beside:
    """The files that one run writes.

    Until the end they are `<name>.part`, and the log beside the first one says after each step how far all of them have
    got. A place that is no plain file, such as a device, is written to as it is.
    """

    def __init__(self, places: Sequence[Path], job: str, *, resume: bool) -> None:
        """`job` tells this run from others: only what the same one has left is resumed."""
        self._places, self._job, self._resume = places, job, resume
        self._parts = [
            place if place.exists() and not place.is_file() else place.with_name(f"{place.name}.part")
            for place in places
        ]
        self._plain = self._parts[0] != places[0]
        self._log = places[0].with_name(f"{places[0].name}.part.log")
        self._files: list[BinaryIO] = []
        self._noted: Any = None
        self._open = ExitStack()
        self.counts = Counts()
        """What had been done when the run that is resumed was broken off."""
        self.done = False
        """Whether nothing is left to do."""
        self._sizes = [0] * len(places)

    def __enter__(self) -> Self:
        """Opens the files, where they were left or anew."""
        going_on = self._resume and self._plain and self._find_left()
        if self.done:
            return self
        with ExitStack() as stack:
            for part, size in zip(self._parts, self._sizes, strict=True):
                try:
                    file = stack.enter_context(part.open("wb" if size == 0 else "r+b", buffering=0))
                except OSError:
                    self._take_away()
                    raise
                if size:
                    file.truncate(size)
                    file.seek(size)
                self._files.append(file)
            if self._plain:
                self._noted = stack.enter_context(self._log.open("a" if going_on else "w", encoding="utf-8"))
                if not going_on:
                    self._note(self._job)
            self._open = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Moves the files to their places; after a failure takes them away, unless the run is to be resumed."""
        with self._open:
            if kind is None:
                for file in self._files:
                    with suppress(OSError):  # what is no plain file need not know how
                        os.fsync(file.fileno())
                if self._noted is not None:
                    self._note(_DONE)
        if kind is None:
            for part, place in zip(self._parts, self._places, strict=True):
                if part != place and part.exists():
                    with suppress(FileNotFoundError):
                        shutil.copymode(place, part)
                    part.replace(place)
            self._log.unlink(missing_ok=True)
        else:
            self._take_away()

    def _take_away(self) -> None:
        """What is left of a failure, unless it is to be resumed."""
        if not self._resume:
            for part, place in zip(self._parts, self._places, strict=True):
                if part != place:
                    part.unlink(missing_ok=True)
            self._log.unlink(missing_ok=True)

    def write(self, pieces: Sequence[Any], counts: Counts) -> None:
        """Writes to each file what belongs there, and notes it."""
        for file, piece in zip(self._files, pieces, strict=True):
            left = memoryview(piece)
            while left:
                left = left[file.write(left) :]
        self._sizes = [size + len(memoryview(piece)) for size, piece in zip(self._sizes, pieces, strict=True)]
        if self._noted is not None:
            self._note([*counts, *self._sizes])

    def _note(self, what: object) -> None:
        self._noted.write(json.dumps(what) + "\n")
        self._noted.flush()

    @property
    def size(self) -> int:
        """The size of the first file."""
        return self._sizes[0]

    def _find_left(self) -> bool:
        """Whether a run of this job has left something that is good, and how far it had got."""
        try:
            # What has no end was being written when the run was broken off.
            notes = [json.loads(line) for line in self._log.read_text(encoding="utf-8").split("\n")[:-1]]
        except (OSError, ValueError):
            return False
        if notes[:1] != [self._job] or len(notes) < 2:
            return False
        done = notes[-1] == _DONE
        last = notes[-2] if done else notes[-1]
        counts, sizes = Counts(*last[: len(Counts._fields)]), last[len(Counts._fields) :]
        for part, place, size in zip(self._parts, self._places, sizes, strict=True):
            there = part if part.is_file() or not done else place
            if not there.is_file() or there.stat().st_size < size:
                return False
        self.counts, self._sizes, self.done = counts, sizes, done
        return True
