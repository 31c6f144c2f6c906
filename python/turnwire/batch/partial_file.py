"""Files written beside their places and moved there when they are whole, with a log by which a run is resumed."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from io import BufferedRandom, FileIO
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from turnwire._file_lock import HELD, lock
from turnwire.errors import TurnwireError

__all__ = ["Beside", "Counts", "beside", "held", "move", "sync"]

_DONE: Final = "done"
_SELDOM: Final = 0.02
"""So many seconds of work are done again at the most when a run is resumed: to note each step would cost more."""
_NOT_WRITTEN: Final = {errno.EIO, errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
"""What the system says when what was written is not on the disk."""
_LONGEST: Final = 255
"""So many bytes the name of a file may have."""


def beside(place: Path, suffix: str = ".part") -> Path:
    """The file beside the output, which replaces it when it is complete."""
    name = f"{place.name}{suffix}"
    if len(os.fsencode(name)) > _LONGEST:
        name = hashlib.sha256(os.fsencode(place.name)).hexdigest()[:32] + suffix
    return place.with_name(name)


def held(log: Path, place: Path) -> FileIO:
    """A log, locked: two runs that write the same place would mix what they write.

    Raises:
        TurnwireError: `conflicting_options` where another run has it.
    """
    while True:
        file = FileIO(str(log), "a+")
        try:
            lock(file)
        except OSError as fault:
            # On a file system without locks, no process has one.
            if fault.errno in HELD:
                file.close()
                text = f"{place} is being written by another run: wait for it, or write to another place"
                raise TurnwireError(text, code="conflicting_options") from fault
        # Its owner may have removed the file in between.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), log.stat()):
                return file
        file.close()


def sync(file: FileIO | BufferedRandom, *, plain: bool = True) -> None:
    """Has what was written brought to the disk. What is no plain file need not know how."""
    try:
        os.fsync(file.fileno())
    except OSError as fault:
        if plain and fault.errno in _NOT_WRITTEN:
            raise


def move(part: Path, place: Path) -> None:
    """Puts a complete file into the place of another one, with its permissions."""
    with suppress(FileNotFoundError):
        shutil.copymode(place, part)
    part.replace(place)


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
        self._parts = [place if place.exists() and not place.is_file() else beside(place) for place in places]
        self._plain = self._parts[0] != places[0]
        self._log = beside(places[0], ".part.log")
        self._files: list[FileIO] = []
        self._noted: FileIO | None = None
        self._open = ExitStack()
        self.counts = Counts()
        """What had been done when the run that is resumed was broken off."""
        self.done = False
        """Whether nothing is left to do."""
        self._sizes = [0] * len(places)
        self._step: list[int] = []
        self._next = 0.0

    def __enter__(self) -> Self:
        """Opens the files where they were left, or new ones."""
        with ExitStack() as stack:
            if self._plain:
                self._noted = stack.enter_context(held(self._log, self._places[0]))
            try:
                self._begin(stack, going_on=self._resume and self._find_left())
            except BaseException:
                self._take_away()
                raise
            self._open = stack.pop_all()
        return self

    def _begin(self, stack: ExitStack, *, going_on: bool) -> None:
        if self.done:
            return
        for part, place, size in zip(self._parts, self._places, self._sizes, strict=True):
            if part != place and size == 0:
                part.unlink(missing_ok=True)  # what has that name may be another name of some file
            file = stack.enter_context(FileIO(str(part), "wb" if size == 0 or part == place else "r+b"))
            self._files.append(file)
            if size:
                file.truncate(size)
                file.seek(size)
        if self._noted is not None and not going_on:
            self._noted.truncate(0)
            self._note(self._job)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Moves the files to their places; after a failure takes them away, unless the run is to be resumed."""
        with self._open:
            try:
                if kind is None:
                    self._finish()
                else:
                    with suppress(OSError):
                        self._note_step()
                    self._take_away()
            except BaseException:
                self._take_away()
                raise

    def _finish(self) -> None:
        for file, part, place in zip(self._files, self._parts, self._places, strict=False):
            sync(file, plain=part != place)
        if not self.done:
            self._note_step()
            self._note(_DONE)
        if sys.platform == "win32":
            self._open.close()  # what is open cannot be moved there
        for part, place in zip(self._parts, self._places, strict=True):
            if part != place and part.exists():
                move(part, place)
        if self._plain:
            self._log.unlink(missing_ok=True)

    def _take_away(self) -> None:
        """What is left of a failure, unless it is to be resumed."""
        if self._resume:
            return
        if sys.platform == "win32":
            self._open.close()
        for _, part, place in zip(self._files, self._parts, self._places, strict=False):
            if part != place:
                with suppress(OSError):
                    part.unlink()
        if self._plain:
            with suppress(OSError):
                self._log.unlink()

    def write(self, pieces: Sequence[Any], counts: Counts) -> None:
        """Writes to each file what belongs there, and notes it."""
        for file, piece in zip(self._files, pieces, strict=True):
            _write(file, piece)
        self._sizes = [size + len(memoryview(piece)) for size, piece in zip(self._sizes, pieces, strict=True)]
        self._step = [*counts, *self._sizes]
        if time.monotonic() >= self._next:
            self._note_step()

    def _note_step(self) -> None:
        if self._step:
            self._note(self._step)
        self._step, self._next = [], time.monotonic() + _SELDOM

    def _note(self, what: object) -> None:
        if self._noted is not None:
            _write(self._noted, json.dumps(what).encode() + b"\n")

    @property
    def size(self) -> int:
        """The size of the first file."""
        return self._sizes[0]

    def _find_left(self) -> bool:
        """Whether a run of this job has left something that is good, and how far it had got."""
        if self._noted is None:
            return False
        said = self._log.read_bytes()
        # What has no end was being written when the run was broken off.
        whole = said[: said.rfind(b"\n") + 1]
        self._noted.truncate(len(whole))
        try:
            notes = [json.loads(line) for line in whole.splitlines()]
        except (ValueError, RecursionError):
            return False
        if notes[:1] != [self._job] or len(notes) < 2:
            return False
        done = notes[-1] == _DONE
        last: Any = notes[-2] if done else notes[-1]
        if not isinstance(last, list) or len(last) != len(Counts._fields) + len(self._places):
            return False
        if not all(isinstance(count, int) and count >= 0 for count in last):
            return False
        counts, sizes = Counts(*last[: len(Counts._fields)]), last[len(Counts._fields) :]
        for part, place, size in zip(self._parts, self._places, sizes, strict=True):
            there = part if part.is_file() or not done else place
            if not there.is_file() or there.stat().st_size < size:
                return False
        self.counts, self._sizes, self.done = counts, sizes, done
        return True


def _write(file: FileIO, piece: Any) -> None:
    left = memoryview(piece)
    while left:
        left = left[file.write(left) :]
