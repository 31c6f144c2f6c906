"""The file of a stored history: lines are only added, by one writer at a time."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from io import BufferedReader, FileIO
from pathlib import Path

from turnwire._file_lock import HELD, lock, unlock
from turnwire._log import logger
from turnwire.errors import ParseError, TurnwireError

__all__ = ["Store"]


class Store:
    """An open, locked file that only grows."""

    def __init__(self, path: str, *, sync: bool) -> None:
        self.path = path
        self._sync = sync
        self._writer = os.getpid()
        try:
            self._file = FileIO(path, "a+")
        except OSError as failure:
            raise self._failed("open", failure) from failure
        try:
            self._hold()
        except BaseException:
            self._file.close()
            raise

    def _hold(self) -> None:
        """Locks the file, if it is a regular file."""
        status = os.fstat(self._file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise TurnwireError(f"{self.path}: expected a file, got a device or a pipe", code="not_stored")
        try:
            lock(self._file)
        except OSError as failure:
            if failure.errno not in HELD:
                raise self._failed("lock", failure) from failure
            text = f"{self.path} is open elsewhere, and one writes it at a time: close it there, or use another path"
            raise TurnwireError(text, code="history_locked") from failure
        if self._sync and status.st_size == 0:
            _sync_folder(self.path)

    @property
    def is_open(self) -> bool:
        """Whether the file can be written."""
        return not self._file.closed

    def read(
        self,
        take: Callable[[bytes], None],
        is_beginning: Callable[[bytes], bool],
        is_later: Callable[[bytes], bool],
    ) -> None:
        """Calls `take` with every line, line end included. A torn last line is moved to another file.

        Args:
            take: Takes a line, and raises a `TurnwireError` if it is not a line of a history.
            is_beginning: Whether a last piece that `take` refused may be the beginning of a line.
            is_later: Whether a line that `take` refused may be from a later version. After a line that was taken, it is
                skipped with a warning.

        Raises:
            ParseError: `bad_history` for a line that is not one of a history. The file does not change then.
            TurnwireError: `not_stored`.
        """
        torn = b""
        whole, ours = True, False
        try:
            with BufferedReader(FileIO(os.dup(self._file.fileno()))) as lines:
                lines.seek(0)
                for number, line in enumerate(lines, 1):
                    whole = line.endswith(b"\n")
                    if not line.strip():
                        continue
                    try:
                        take(line)
                        ours = True
                    except TurnwireError as error:
                        if whole and ours and is_later(line):
                            logger.warning(
                                "%s, line %d: unknown to this version of turnwire, so skipped", self.path, number
                            )
                            continue
                        if whole or not is_beginning(line):
                            text = f"{self.path}, line {number}: {error}"
                            raise ParseError(text, code="bad_history", path=error.path) from error
                        torn = line
            if torn:
                self._put_aside(torn)
            elif not whole:
                self.append(b"\n")
        except OSError as failure:
            raise self._failed("read", failure) from failure

    def append(self, line: bytes) -> None:
        """Adds a line. It has been written when this returns; if this raises, nothing of it is in the file.

        Raises:
            TurnwireError: `history_closed`; `history_locked` in a process that was forked from the one that opened it;
                `not_stored` if it cannot be written, for example on a full disk.
        """
        if self._file.closed:
            raise TurnwireError(f"{self.path} was closed: open it again to write it", code="history_closed")
        if os.getpid() != self._writer:
            text = f"{self.path} belongs to process {self._writer}, which this one was forked from: open another"
            raise TurnwireError(text, code="history_locked")
        before = self._file.seek(0, os.SEEK_END)
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) or 0 :]
            if self._sync:
                os.fsync(self._file.fileno())
        except BaseException as failure:
            self._take_back(before)
            if isinstance(failure, OSError):
                raise self._failed("write", failure) from failure
            raise

    def close(self) -> None:
        """Closes the file, so that another history can open it."""
        if self._file.closed:
            return
        try:
            # A forked process shares the lock, and must not release it for its parent.
            if os.getpid() == self._writer:
                unlock(self._file)
        finally:
            self._file.close()

    def _take_back(self, size: int) -> None:
        """Cuts off half a line. A file that cannot be shortened is closed, and repaired when it is opened again."""
        try:
            os.ftruncate(self._file.fileno(), size)
        except OSError:
            self.close()

    def _put_aside(self, torn: bytes) -> None:
        """Moves the torn last piece to the end of a separate file."""
        aside = f"{self.path}.torn"
        with Path(aside).open("ab") as file:
            file.write(torn + b"\n")
            file.flush()
            os.fsync(file.fileno())
        os.ftruncate(self._file.fileno(), self._file.seek(0, os.SEEK_END) - len(torn))
        logger.warning("%s ended in half a line of %d bytes, which is in %s now", self.path, len(torn), aside)

    def _failed(self, what: str, failure: OSError) -> TurnwireError:
        return TurnwireError(f"cannot {what} {self.path}: {failure.strerror or failure}", code="not_stored")


def _sync_folder(path: str) -> None:
    """Writes the name of a new file to the disk, where the system can sync folders."""
    if sys.platform != "win32":
        folder = os.open(Path(path).absolute().parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
