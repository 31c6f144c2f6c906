"""Reads packed files, gzip or zstd, up to the first damage, and packs files that are written."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, cast

from turnwire.errors import TurnwireError

__all__ = ["GZIP", "PACKED", "ZSTD", "Stream", "packing", "unpacked"]

GZIP: Final = b"\x1f\x8b"
ZSTD: Final = b"\x28\xb5\x2f\xfd"
"""How packed files begin."""
PACKED: Final = (".gz", ".zst")
"""How their names end."""


class Stream(Protocol):
    """What can be read."""

    def readinto(self, room: memoryview, /) -> int | None:
        """Fills the room, and says how much of it; not all at the end only."""


def unpacked(file: BinaryIO, path: Path) -> Stream:
    """What is in a file, by its first bytes: gzip, zstd, or as it is. `path` is what a fault calls it."""
    can_look = isinstance(file, io.BufferedReader) and file.seekable()
    # A pipe may hold one byte yet; more than it has are waited for.
    head: bytes = file.peek(4)[:4] if can_look and isinstance(file, io.BufferedReader) else file.read(4)
    begun = b"" if can_look else head
    if head.startswith(GZIP):
        return _Packed(file, begun, path, _Gzip)
    if head == ZSTD or (head[1:] == b"\x2a\x4d\x18" and head[0] >> 4 == 5):
        return _Packed(file, begun, path, _Zstd)
    return cast("Stream", file) if can_look else _Begun(cast("Stream", file), begun)


class _Begun:
    """A stream whose beginning has been read already."""

    def __init__(self, file: Stream, head: bytes) -> None:
        # At most what a pipe holds: a call that waits for more does not notice Ctrl-C.
        self._readinto: Callable[[memoryview], int | None] = getattr(file, "readinto1", file.readinto)
        self._head = head

    def readinto(self, room: memoryview, /) -> int:
        """Fills the room, and says how much of it; not all at the end only."""
        head, self._head = self._head[: len(room)], self._head[len(room) :]
        filled = len(head)
        room[:filled] = head
        while filled < len(room) and (read := self._readinto(room[filled:])):
            filled += read
        return filled


class _Packed:
    """A packed file, unpacked while it is read; damage raises our error after all intact data."""

    def __init__(self, file: BinaryIO, head: bytes, path: Path, kind: type[_Gzip] | type[_Zstd]) -> None:
        """`head` is what has been read of the file already."""
        # As with what is not packed.
        self._read: Callable[[int], bytes] = getattr(file, "read1", file.read)
        self._left, self._path, self._kind = head, path, kind
        self._inner: _Gzip | _Zstd | None = None
        self._faults = (EOFError, kind.fault())
        self._fault: Exception | None = None

    def readinto(self, room: memoryview, /) -> int:
        """Fills the room, and says how much of it; not all at the end, or before what is damaged."""
        filled = 0
        try:
            while self._fault is None and filled < len(room) and (data := self._more(len(room) - filled)):
                room[filled : filled + len(data)] = data
                filled += len(data)
        except self._faults as fault:
            self._fault = fault
        if self._fault is not None and filled == 0:
            text = f"{self._path} is cut off or damaged: {self._fault}"
            raise TurnwireError(text, code="damaged_file") from self._fault
        return filled

    def _more(self, size: int) -> bytes:
        """What comes next, `size` bytes of it at most; nothing at the end."""
        while True:
            is_end = False
            if not self._left and (self._inner is None or self._inner.wants_more):
                self._left = self._read(self._kind.piece)
                is_end = not self._left
            if self._inner is None:
                # Behind one comes another, or zeros that fill a block of a disk or a tape, or the end.
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
    """One member of a file of gzip. Everything before a fault is unpacked, byte for byte."""

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
    """How much of the data can be unpacked, by a member that is where it was `before`."""
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
    """One frame of a file of zstd. Everything before a fault is unpacked, except for the piece that the fault is in."""

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
        """Whether nothing is to come any more of what it has been given."""
        more: bool = self._frame.needs_input
        return more

    def unpack(self, data: bytes, size: int) -> tuple[bytes, bytes]:
        """What is in the data, `size` bytes of it at most, and the data that is left."""
        return self._frame.decompress(data, size), self._frame.unused_data


def packing(path: Path) -> Callable[[Any], bytes]:
    """How a file is packed whose name ends like this: each block by itself, so that a run can be resumed."""
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
