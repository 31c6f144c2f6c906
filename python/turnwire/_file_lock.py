"""Locks an open file for one writer at a time: stored histories, and files that a batch writes."""

from __future__ import annotations

import errno
import sys
from io import FileIO

__all__ = ["HELD", "lock", "unlock"]

if sys.platform == "win32":
    import msvcrt

    # Windows stops others from reading a locked range, so the range is beyond the end of any file.
    _FAR = 1 << 62

    def lock(file: FileIO) -> None:
        """Take the lock, or raise OSError at once where another has it."""
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def unlock(file: FileIO) -> None:
        """Release the lock."""
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    # The lock belongs to the open file, not to the process, so a second open file in this process is refused, too.
    def lock(file: FileIO) -> None:
        """Take the lock, or raise OSError at once where another has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def unlock(file: FileIO) -> None:
        """Release the lock."""
        fcntl.flock(file, fcntl.LOCK_UN)


# The system's error numbers for a lock that another writer holds.
HELD = {errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK, errno.EDEADLK}
