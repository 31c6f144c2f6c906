"""Reads packed files, gzip or zstd, up to the first damage, and packs files that are written."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, cast

from turnwire.errors import TurnwireError

__all__ = ["GZIP", "PACKED", "ZSTD", "Begun", "Stream", "packing", "unpacked"]

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
"""The first bytes of a zstd file."""
PACKED: Final = (".gz", ".zst")
"""The endings of packed files' names."""


class Stream(Protocol):
    """A stream that can be read into a buffer."""

    def readinto(self, room: memoryview, /) -> int | None:
        """Fills the buffer and returns the number of bytes. It fills less only at the end."""


def unpacked(file: BinaryIO, path: Path) -> Stream:
    """The unpacked content of a file. Its first bytes tell gzip, zstd or plain. Errors name it by `path`."""
    can_look = isinstance(file, io.BufferedReader) and file.seekable()
    # A pipe may have only one byte so far; `read` waits for more.
    head: bytes = file.peek(4)[:4] if can_look and isinstance(file, io.BufferedReader) else file.read(4)
    begun = b"" if can_look else head
    if head.startswith(GZIP):
        return _Packed(file, begun, path, _Gzip)
    if head == ZSTD or (head[1:] == b"\x2a\x4d\x18" and head[0] >> 4 == 5):
        return _Packed(file, begun, path, _Zstd)
    return cast("Stream", file) if can_look else Begun(cast("Stream", file), begun)


class Begun:
    """A stream whose beginning was already read."""

    def __init__(self, file: Stream, head: bytes) -> None:
        # `readinto1` takes only what a pipe has: a call that waits for more does not notice Ctrl-C.
        self._readinto: Callable[[memoryview], int | None] = getattr(file, "readinto1", file.readinto)
        self._head = head

    def readinto(self, room: memoryview, /) -> int:
        """Fills the buffer and returns the number of bytes. It fills less only at the end."""
        head, self._head = self._head[: len(room)], self._head[len(room) :]
        filled = len(head)
        room[:filled] = head
        try:
            while filled < len(room) and (read := self._readinto(room[filled:])):
                filled += read
        except TurnwireError:
            # What is damaged raises again when it is read on.
            if not filled:
                raise
        return filled


class _Packed:
    """A packed file, unpacked while it is read; damage raises our error after all intact data."""

    def __init__(self, file: BinaryIO, head: bytes, path: Path, kind: type[_Gzip] | type[_Zstd]) -> None:
        """`head` has the bytes that were already read from the file."""
        # For the same reason as in `Begun`.
        self._read: Callable[[int], bytes] = getattr(file, "read1", file.read)
        self._left, self._path, self._kind = head, path, kind
        self._inner: _Gzip | _Zstd | None = None
        self._faults = (EOFError, kind.fault())
        self._fault: Exception | None = None

    def readinto(self, room: memoryview, /) -> int:
        """Fills the buffer and returns the number of bytes. It fills less only at the end, or before damage."""
        filled = 0
        try:
            while self._fault is None and filled < len(room) and (data := self._more(len(room) - filled)):
                room[filled : filled + len(data)] = data
                filled += len(data)
        except self._faults as fault:
            # Its traceback would hold the buffer, which then could not grow.
            self._fault = fault.with_traceback(None)
        if self._fault is not None and filled == 0:
            text = f"{self._path} is cut off or damaged: {self._fault}"
            raise TurnwireError(text, code="damaged_file") from self._fault
        return filled

    def _more(self, size: int) -> bytes:
        """The next bytes, at most `size`; none at the end."""
        while True:
            is_end = False
            if not self._left and (self._inner is None or self._inner.wants_more):
                self._left = self._read(self._kind.piece)
                is_end = not self._left
            if self._inner is None:
                # After a member comes another, or zeros that fill up a disk or tape block, or the end.
                self._left = self._left.lstrip(b"\0")
                if is_end:
                    return b""
                if not self._left:
                    continue
                self._inner = self._kind()
            made, self._left = self._inner.unpack(self._left, size)
            if self._inner.is_done:
                self._inner = None
            elif is_end and not made:
                raise EOFError("it ends before its end is marked")
            if made:
                return made


class _Gzip:
    """One member of a gzip file. Everything before damage is unpacked, byte for byte."""

    piece = 1 << 15
    wants_more = True

    def __init__(self) -> None:
        self._member: Any = zlib.decompressobj(31)

    @staticmethod
    def fault() -> type[Exception]:
        """What is raised about a damaged one."""
        return zlib.error

    @property
    def is_done(self) -> bool:
        """Whether it is at its end."""
        done: bool = self._member.eof
        return done

    def unpack(self, data: bytes, size: int) -> tuple[bytes, bytes]:
        """What is in the data, `size` bytes of it at most, and the data that is left."""
        before = self._member.copy()
        try:
            made, rest = self._member.decompress(data, size), b""
        except zlib.error:
            good = _good(before, data, size)
            self._member = before.copy()
            made, rest = self._member.decompress(data[:good], size), data[good:]
            if not made:
                raise
        return made, (self._member.unused_data or self._member.unconsumed_tail) + rest


def _good(before: Any, data: bytes, size: int) -> int:
    """The number of bytes of the data that can be unpacked, from the member's state `before`."""
    good, bad = 0, len(data)
    while bad - good > 1:
        middle = (good + bad) // 2
        try:
            before.copy().decompress(data[:middle], size)
            good = middle
        except zlib.error:
            bad = middle
    return good


class _Zstd:
    """One frame of a zstd file. Everything before damage is unpacked, except for the damaged piece itself."""

    piece = 1 << 12

    def __init__(self) -> None:
        self._frame: Any = _zstd().ZstdDecompressor()

    @staticmethod
    def fault() -> type[Exception]:
        """What is raised about a damaged one."""
        kind: type[Exception] = _zstd().ZstdError
        return kind

    @property
    def is_done(self) -> bool:
        """Whether it is at its end."""
        done: bool = self._frame.eof
        return done

    @property
    def wants_more(self) -> bool:
        """Whether it needs more data to unpack anything."""
        more: bool = self._frame.needs_input
        return more

    def unpack(self, data: bytes, size: int) -> tuple[bytes, bytes]:
        """What is in the data, `size` bytes of it at most, and the data that is left."""
        return self._frame.decompress(data, size), self._frame.unused_data


def packing(path: Path) -> Callable[[Any], bytes]:
    """How to pack a file, by the ending of its name. Each block is packed by itself, so that a run can be resumed."""
    if path.suffix == ".gz":
        return lambda data: gzip.compress(data, 6, mtime=0)
    if path.suffix == ".zst":
        compress: Callable[[Any], bytes] = _zstd().compress
        return compress
    return lambda data: data


def _zstd() -> Any:
    try:
        try:
            from compression import zstd  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            from backports import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        raise ImportError("files packed with zstd need the extra zstd: pip install 'turnwire[zstd]'") from None
    return zstd
