"""A file read by blocks of whole lines, packed or not, and the work of each block on threads, in order."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from ._core import _line_count
from .errors import TurnwireError

__all__ = ["BOM", "Block", "Stream", "blocks", "cores", "in_order", "packing", "unpacked"]

BOM: Final = b"\xef\xbb\xbf"
_SIZE: Final = 1 << 19
"""So much is read at a time: a block is as much, or one line that is longer. What fits into a core's cache is still
there when it is converted and written, which is a tenth of the time less."""


_MOST: Final = 1 << 10
"""More threads than this are no help to anybody."""


class Stream(Protocol):
    """What can be read."""

    def readinto(self, room: memoryview, /) -> int | None:
        """Fills the room, and says how much of it; not all at the end only."""


class Block(NamedTuple):
    """Whole lines of a file."""

    data: memoryview
    """Where they lie, until `done` is called: then others are read to there."""
    line: int
    """The number of its first line, from 1."""
    end: int
    """Where it ends in the file, unpacked."""
    lines: int
    """How many lines there are up to there."""
    done: Callable[[], None]


def blocks(stream: Stream, start: int = 0, lines: int = 0) -> Iterator[Block]:
    """The lines behind the first `start` bytes, which hold `lines` of them; cut where they always are."""
    begin, end, held = start % _SIZE, start, 0
    _skip(stream, start - begin)
    rooms = _Rooms()
    room = rooms.take()
    while True:
        read = _fill(stream, room, held)
        # What has no end is a line at the end of the file, and else the beginning of one.
        cut = room.rfind(b"\n", max(begin, held), held + read) + 1 if read else held
        held += read
        if cut > begin:
            size, data = cut - begin, memoryview(room)[begin:cut]
            count = _line_count(data) + (not read)
            text = data[len(BOM) :] if end == 0 and bytes(data[: len(BOM)]) == BOM else data
            done, room = partial(rooms.give, room, data, text), rooms.next(room, cut, held)
            yield Block(text, lines + 1, end + size, lines + count, done)
            begin, held, end, lines = 0, held - cut, end + size, lines + count
        if not read:
            return


class _Rooms:
    """Where blocks are read to. Fresh memory costs more than reading: the system clears each page of it."""

    def __init__(self) -> None:
        self._free: deque[bytearray] = deque()

    def take(self) -> bytearray:
        """One that nobody uses."""
        return self._free.popleft() if self._free else bytearray(_SIZE)

    def next(self, room: bytearray, cut: int, held: int) -> bytearray:
        """Another one, which begins with what the last one holds behind its cut."""
        new = self.take()
        new[: held - cut] = room[cut:held]
        return new

    def give(self, room: bytearray, *views: memoryview) -> None:
        """Takes one back; not one that a long line has blown up."""
        for view in views:
            view.release()
        if len(room) <= 2 * _SIZE:
            self._free.append(room)


def _fill(stream: Stream, room: bytearray, held: int) -> int:
    """Reads behind what the room holds. Returns how much."""
    if held + _SIZE > len(room):
        room.extend(bytes(held + _SIZE - len(room)))
    with memoryview(room) as whole, whole[held : held + _SIZE] as free:
        return stream.readinto(free) or 0


def _skip(stream: Stream, size: int) -> None:
    # In a packed file, going anywhere is unpacking all that is before it.
    if isinstance(stream, io.BufferedReader) and stream.seekable():
        stream.seek(size)
        return
    room = memoryview(bytearray(min(size, _SIZE)))
    while size > 0 and (read := stream.readinto(room[:size]) or 0):
        size -= read


_Result = TypeVar("_Result")


def in_order(work: Callable[[Block], _Result], given: Iterator[Block], threads: int) -> Generator[_Result]:
    """What `work` makes of each block, in their order, with hardly more blocks in hand than threads."""
    if threads == 1:
        yield from map(work, given)
        return
    with ThreadPoolExecutor(threads, "turnwire") as pool:
        waiting: deque[Any] = deque()
        try:
            for block in given:
                waiting.append(pool.submit(work, block))
                del block
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for left in waiting:
                left.cancel()


def cores(threads: int) -> int:
    """How many threads there are to be; 0 is as many as this process may use."""
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"expected an int as threads, got {type(threads).__name__}")
    if threads < 0:
        raise TurnwireError(f"threads is {threads}: expected 0 or more", code="out_of_range")
    if threads:
        return min(threads, _MOST)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Packed:
    """A packed file, unpacked while it is read; what is damaged is an error of ours, which names the file."""

    def __init__(self, inner: Any, path: Path, *faults: type[Exception]) -> None:
        """`inner` gives what is in the file, or raises one of `faults`."""
        self._inner, self._path = inner, path
        self._faults: tuple[type[Exception], ...] = (EOFError, *faults)

    def readinto(self, room: memoryview, /) -> int:
        """Fills the room, and says how much of it; not all at the end only."""
        try:
            data: bytes = self._inner.read(len(room))
        except self._faults as fault:
            raise TurnwireError(f"{self._path} is cut off or damaged: {fault}", code="damaged_file") from fault
        room[: len(data)] = data
        return len(data)


def unpacked(file: io.BufferedReader, path: Path) -> Stream:
    """What is in a file, by its first bytes: gzip, zstd, or as it is."""
    head = file.peek(4)[:4]
    if head[:2] == b"\x1f\x8b":
        return _Packed(gzip.GzipFile(fileobj=file), path, gzip.BadGzipFile, zlib.error)
    if head == b"\x28\xb5\x2f\xfd":
        return _Packed(_zstd().ZstdFile(file), path, _zstd().ZstdError)
    return file


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
