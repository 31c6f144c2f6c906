"""Reads a stream in blocks of whole lines, and works on the blocks in threads, in order."""

from __future__ import annotations

import io
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from turnwire._core import _LineEnds
from turnwire.errors import TurnwireError

from .compressed import Stream

__all__ = ["BOM", "Block", "blocks", "cores", "in_order"]

BOM: Final = b"\xef\xbb\xbf"
_SIZE: Final = 1 << 19
"""The bytes that are read at a time, and of a block, unless one line is longer. A block that fits into a core's cache
is still there when it is converted and written, which saves a tenth of the time."""


_MOST: Final = 1 << 10
"""The most threads: more do not make a run faster."""


class Block(NamedTuple):
    """Whole lines of a file."""

    data: memoryview
    """The bytes of the lines. They are valid until `done` is called: then the memory is used again."""
    ends: _LineEnds
    """The offset in `data` at which each line ends."""
    line: int
    """The number of the first line, from 1."""
    end: int
    """The offset in the unpacked file at which the block ends."""
    lines: int
    """The number of lines in the file up to there."""
    done: Callable[[], None]


def blocks(stream: Stream, start: int = 0, lines: int = 0) -> Iterator[Block]:
    """The lines after the first `start` bytes, which have `lines` lines. A run always makes the same blocks."""
    begin, end, held = start % _SIZE, start, 0
    _skip(stream, start - begin)
    rooms = _Rooms()
    room = rooms.take()
    while True:
        read = _fill(stream, room, held)
        # Text without a line end is a line at the end of the file; elsewhere it is the beginning of one.
        cut = room.rfind(b"\n", max(begin, held), held + read) + 1 if read else held
        held += read
        if cut > begin:
            size, data = cut - begin, memoryview(room)[begin:cut]
            text = data[len(BOM) :] if end == 0 and bytes(data[: len(BOM)]) == BOM else data
            ends = _LineEnds(text)
            count = len(ends) + (not read)
            done, room = partial(rooms.give, room, data, text), rooms.next(room, cut, held)
            yield Block(text, ends, lines + 1, end + size, lines + count, done)
            begin, held, end, lines = 0, held - cut, end + size, lines + count
        if not read:
            return


class _Rooms:
    """The memory for blocks. It is used again, because new memory costs more than reading: the system clears it."""

    def __init__(self) -> None:
        self._free: deque[bytearray] = deque()

    def take(self) -> bytearray:
        """A buffer that is not in use."""
        return self._free.popleft() if self._free else bytearray(_SIZE)

    def next(self, room: bytearray, cut: int, held: int) -> bytearray:
        """A buffer that begins with the bytes of the last one after its cut."""
        new = self.take()
        new[: held - cut] = room[cut:held]
        return new

    def give(self, room: bytearray, *views: memoryview) -> None:
        """Takes a buffer back, unless a long line has enlarged it."""
        for view in views:
            view.release()
        if len(room) <= 2 * _SIZE:
            self._free.append(room)


def _fill(stream: Stream, room: bytearray, held: int) -> int:
    """Reads into the buffer after its first `held` bytes. Returns how many bytes."""
    if held + _SIZE > len(room):
        room.extend(bytes(held + _SIZE - len(room)))
    with memoryview(room) as whole, whole[held : held + _SIZE] as free:
        return stream.readinto(free) or 0


def _skip(stream: Stream, size: int) -> None:
    # In a packed file, everything before a position must be unpacked to get there.
    if isinstance(stream, io.BufferedReader) and stream.seekable():
        stream.seek(size)
        return
    room = memoryview(bytearray(min(size, _SIZE)))
    while size > 0 and (read := stream.readinto(room[:size]) or 0):
        size -= read


_Result = TypeVar("_Result")


def in_order(work: Callable[[Block], _Result], given: Iterator[Block], threads: int) -> Generator[_Result]:
    """The result of `work` for each block, in order. Few more blocks than threads are in memory."""
    if threads == 1:
        yield from map(work, given)
        return
    with ThreadPoolExecutor(threads, "turnwire") as pool:
        waiting: deque[Any] = deque()
        try:
            fault: Exception | None = None
            while fault is None:
                try:
                    block = next(given, None)
                except Exception as raised:
                    # The blocks before the error are finished first.
                    block, fault = None, raised
                if block is None:
                    break
                waiting.append(pool.submit(work, block))
                del block
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
            if fault is not None:
                raise fault
        finally:
            for left in waiting:
                left.cancel()


def cores(threads: int) -> int:
    """The number of threads to use; 0 is as many as this process may use."""
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"threads: expected an int, got {type(threads).__name__}")
    if threads < 0:
        raise TurnwireError(f"threads is {threads}: expected 0 or more", code="out_of_range")
    if threads:
        return min(threads, _MOST)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
