"""Writes files under temporary names, renames them when they are complete, and keeps a log to resume a run."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from io import BufferedRandom, FileIO
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from turnwire._file_lock import HELD, lock
from turnwire.errors import TurnwireError

from .counts import joined

__all__ = ["Beside", "Counts", "beside", "held", "move", "sync"]

_DONE: Final = "done"
_SELDOM: Final = 0.02
"""The most seconds of work that a resumed run does again. To log each step would cost more."""
_NOT_WRITTEN: Final = {errno.EIO, errno.ENOSPC, errno.EFBIG, errno.EDQUOT}
"""The system's errors for data that could not be written to the disk."""
_LONGEST: Final = 255
"""The most bytes of a file's name."""


def beside(place: Path, suffix: str = ".part") -> Path:
    """The temporary file beside the output, which replaces the output when it is complete."""
    name = f"{place.name}{suffix}"
    if len(os.fsencode(name)) > _LONGEST:
        name = hashlib.sha256(os.fsencode(place.name)).hexdigest()[:32] + suffix
    return place.with_name(name)


def held(log: Path, place: Path) -> FileIO:
    """Opens and locks a log, because two runs that write the same file would mix their lines.

    Raises:
        TurnwireError: `conflicting_options` if another run has locked it.
    """
    while True:
        file = FileIO(str(log), "a+")
        try:
            lock(file)
        except OSError as fault:
            # Other errors mean a file system without locks, where no process has one.
            if fault.errno in HELD:
                file.close()
                text = f"{place} is being written by another run: wait for it, or write to another place"
                raise TurnwireError(text, code="conflicting_options") from fault
        # Its owner may have removed the file between open and lock.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), log.stat()):
                return file
        file.close()


def sync(file: FileIO | BufferedRandom, *, plain: bool = True) -> None:
    """Syncs a file to the disk. A device or a pipe may not support that."""
    try:
        os.fsync(file.fileno())
    except OSError as fault:
        if plain and fault.errno in _NOT_WRITTEN:
            raise


def move(part: Path, place: Path) -> None:
    """Replaces a file with a complete one, and keeps its permissions."""
    with suppress(FileNotFoundError):
        shutil.copymode(place, part)
    part.replace(place)


class Counts(NamedTuple):
    """What a run has done so far."""

    read: int = 0
    """The number of unpacked bytes of the input."""
    lines: int = 0
    rows: int = 0
    failed: int = 0
    changes: Mapping[str, Sequence[Any]] = {}
    """How often each change was made."""
    left: Mapping[str, int] = {}
    """The keys that were left out, each with the number of rows."""

    def and_then(self, new: Counts) -> Counts:
        """These and those of what comes next."""
        rows, failed = self.rows + new.rows, self.failed + new.failed
        return Counts(new.read, new.lines, rows, failed, joined(self.changes, new.changes), _sum(self.left, new.left))


def _sum(one: Mapping[str, int], other: Mapping[str, int]) -> Mapping[str, int]:
    return {**one, **{key: count + one.get(key, 0) for key, count in other.items()}} if other else one


class Beside:
    """The files that one run writes.

    Until the end they are named `<name>.part`, and a log beside the first one records their sizes after each step. A
    device or a pipe is written to directly.
    """

    def __init__(self, places: Sequence[Path], job: str, *, resume: bool) -> None:
        """`job` identifies the run: only the files of the same job are resumed."""
        self._places, self._job, self._resume = places, job, resume
        self._parts = [place if place.exists() and not place.is_file() else beside(place) for place in places]
        self._plain = self._parts[0] != places[0]
        self._log = beside(places[0], ".part.log")
        self._files: list[FileIO] = []
        self._noted: FileIO | None = None
        self._open = ExitStack()
        self.counts = Counts()
        """What the interrupted run had done, if one is resumed."""
        self.done = False
        """Whether the interrupted run had already done everything."""
        self._sizes = [0] * len(places)
        self._step: list[object] = []
        self._next = 0.0

    def __enter__(self) -> Self:
        """Opens the files where the interrupted run left them, or new ones."""
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
                part.unlink(missing_ok=True)  # a file of that name may be a link to another file
            file = stack.enter_context(FileIO(str(part), "wb" if size == 0 or part == place else "r+b"))
            self._files.append(file)
            if size:
                file.truncate(size)
                file.seek(size)
        if self._noted is not None and not going_on:
            self._noted.truncate(0)
            self._note(self._job)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Gives the files their names. After a failure it removes them, unless the run can be resumed."""
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
            self._open.close()  # Windows cannot move an open file
        for part, place in zip(self._parts, self._places, strict=True):
            if part != place and part.exists():
                move(part, place)
        if self._plain:
            self._log.unlink(missing_ok=True)

    def _take_away(self) -> None:
        """Removes the files of a failed run, unless it can be resumed."""
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
        """Writes each piece to its file, and logs the step."""
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
        """Whether an interrupted run of this job has left files to continue. Also reads how far it had come."""
        if self._noted is None:
            return False
        said = self._log.read_bytes()
        # An entry without a line end was being written when the run was interrupted.
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
        *_, changes, left = last[: len(Counts._fields)]
        if not _are_counts(changes) or not isinstance(left, dict):
            return False
        numbers = [one for one in last if one is not changes and one is not left]
        if not all(isinstance(count, int) and count >= 0 for count in (*numbers, *left.values())):
            return False
        counts, sizes = Counts(*last[: len(Counts._fields)]), last[len(Counts._fields) :]
        for part, place, size in zip(self._parts, self._places, sizes, strict=True):
            there = part if part.is_file() or not done else place
            if not there.is_file() or there.stat().st_size < size:
                return False
        self.counts, self._sizes, self.done = counts, sizes, done
        return True


def _are_counts(changes: Any) -> bool:
    """Whether a log's entry holds counts of changes."""
    return isinstance(changes, dict) and all(
        name.count(" ") == 1
        and isinstance(count, list)
        and [type(one) for one in count] == [int, int, int, str]
        and min(count[:3]) >= 0
        for name, count in changes.items()
    )


def _write(file: FileIO, piece: Any) -> None:
    left = memoryview(piece)
    while left:
        left = left[file.write(left) :]
