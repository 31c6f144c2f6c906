"""Reads a stream in blocks of whole rows, and works on the blocks in threads, in order."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from turnwire._core import _Items, _Records
from turnwire.errors import TurnwireError

from .compressed import Stream
from .trace_places import Origin

__all__ = ["BOM", "SIZE", "Block", "Failure", "block_of", "blocks", "cores", "in_order", "items"]

BOM: Final = b"\xef\xbb\xbf"
SIZE: Final = 1 << 19
"""The bytes that are read at a time, and of a block, unless one row is longer. A block that fits into a core's cache is
still there when it is converted and written, which saves a tenth of the time."""


_MOST: Final = 1 << 10
"""The most threads: more do not make a run faster."""

Failure: TypeAlias = tuple[int, str, str, str | None, str]
"""The line, code, path, dialect and sentence of an error."""


class Block(NamedTuple):
    """Whole rows of a document."""

    data: memoryview
    """The bytes of the rows. They are valid until `done` is called: then the memory is used again."""
    records: _Records
    """Where the rows are in `data`."""
    line: int
    """The number of the first line, from 1."""
    end: int
    """The offset in the unpacked file at which the block ends."""
    lines: int
    """The number of lines in the file up to there."""
    done: Callable[[], None]
    fault: Failure | None = None
    """Why there are no rows: it is not a document that can be read."""


def block_of(rows: Sequence[tuple[bytes, int, Origin | None]], end: int, fault: Failure | None = None) -> Block:
    """A block of rows that were read before, each with the number of its line and its pieces' places in a record."""
    data = memoryview(b"\n".join(row for row, *_ in rows))
    records = _Records.of([(len(row), line, origin) for row, line, origin in rows])
    last = rows[-1][1] if rows else 0
    return Block(data, records, 1, end, last, data.release, fault)


def blocks(stream: Stream) -> Iterator[Block]:
    """The lines of a stream. A run always makes the same blocks."""
    held = end = lines = 0
    rooms = _Rooms()
    room = rooms.take()
    while True:
        read = _fill(stream, room, held)
        # Text without a line end is a line at the end of the file; elsewhere it is the beginning of one.
        cut = room.rfind(b"\n", held, held + read) + 1 if read else held
        held += read
        if cut:
            data = memoryview(room)[:cut]
            text = data[len(BOM) :] if end == 0 and bytes(data[: len(BOM)]) == BOM else data
            records = _Records.lines(text)
            count = len(records) + (not read)
            done, room = partial(rooms.give, room, data, text), rooms.next(room, cut, held)
            yield Block(text, records, lines + 1, end + cut, lines + count, done)
            held, end, lines = held - cut, end + cut, lines + count
        if not read:
            return


def items(stream: Stream, reader: _Items) -> Iterator[Block]:
    """The rows of a document whose rows are the items of a list. Few more bytes than the longest row are in memory."""
    held = end = 0
    rooms = _Rooms()
    room = rooms.take()
    skipped = False
    while True:
        read = _fill(stream, room, held)
        if not skipped and read:
            skipped = True
            if room.startswith(BOM):
                room[: len(BOM)] = b" " * len(BOM)
        held += read
        with memoryview(room) as whole, whole[:held] as given:
            cut = reader.read(given, not read)
        records, last = reader.take(cut)
        if len(records):
            data = memoryview(room)[:cut]
            done, room = partial(rooms.give, room, data), rooms.next(room, cut, held)
            yield Block(data, records, 1, end + cut, last, done)
        elif cut:
            room[: held - cut] = room[cut:held]
        held, end = held - cut, end + cut
        if not read:
            return


class _Rooms:
    """The memory for blocks. It is used again, because new memory costs more than reading: the system clears it."""

    def __init__(self) -> None:
        self._free: deque[bytearray] = deque()

    def take(self) -> bytearray:
        """A buffer that is not in use."""
        return self._free.popleft() if self._free else bytearray(SIZE)

    def next(self, room: bytearray, cut: int, held: int) -> bytearray:
        """A buffer that begins with the bytes of the last one after its cut."""
        new = self.take()
        new[: held - cut] = room[cut:held]
        return new

    def give(self, room: bytearray, *views: memoryview) -> None:
        """Takes a buffer back, unless a long line has enlarged it."""
        for view in views:
            view.release()
        if len(room) <= 2 * SIZE:
            self._free.append(room)


def _fill(stream: Stream, room: bytearray, held: int) -> int:
    """Reads into the buffer after its first `held` bytes. Returns how many bytes."""
    if held + SIZE > len(room):
        room.extend(bytes(held + SIZE - len(room)))
    with memoryview(room) as whole, whole[held : held + SIZE] as free:
        return stream.readinto(free) or 0


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
