"""A lock on an open file, which one writer holds at a time: for stored histories and for files that a batch writes."""

from __future__ import annotations

import errno
import sys
from io import FileIO

__all__ = ["HELD", "lock", "unlock"]

if sys.platform == "win32":
    import msvcrt

    # Others cannot read the locked place, so it is one that no file reaches.
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

    # Of the open file, not of the process: a second one of the same process is refused, too.
    def lock(file: FileIO) -> None:
        """Take the lock, or raise OSError at once where another has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def unlock(file: FileIO) -> None:
        """Release the lock."""
        fcntl.flock(file, fcntl.LOCK_UN)


# The error numbers of the system for a lock that another holds.
HELD = {errno.EAGAIN, errno.EACCES, errno.EWOULDBLOCK, errno.EDEADLK}
