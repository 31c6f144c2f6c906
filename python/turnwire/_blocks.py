"""A file read by blocks of whole lines, packed or not, and the work of each block on threads, in order."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from .errors import TurnwireError

__all__ = ["BOM", "Block", "Stream", "blocks", "cores", "in_order", "packing", "unpacked"]

BOM: Final = b"\xef\xbb\xbf"
_SIZE: Final = 1 << 21
"""So much is read at a time: a block is as much, or one line that is longer."""


class Stream(Protocol):
    """What can be read."""

    def read(self, size: int, /) -> bytes:
        """As many bytes; fewer at the end only."""

    def seekable(self) -> bool:
        """Whether reading can go on elsewhere."""

    def seek(self, offset: int, /) -> int:
        """Goes there."""


class Block(NamedTuple):
    """Whole lines of a file."""

    data: bytes
    line: int
    """The number of its first line, from 1."""
    end: int
    """Where it ends in the file, unpacked."""
    lines: int
    """How many lines there are up to there."""


def blocks(stream: Stream, start: int = 0, lines: int = 0) -> Iterator[Block]:
    """The lines behind the first `start` bytes, which hold `lines` of them; cut where they always are."""
    at, end = start - start % _SIZE, start
    _skip(stream, at)
    ahead: list[memoryview] = []
    while chunk := stream.read(_SIZE):
        before = max(start - at, 0)
        new = memoryview(chunk)[before:]
        at += len(chunk)
        cut = chunk.rfind(b"\n") + 1 - before
        if cut <= 0:
            ahead.append(new)
            continue
        data = b"".join([*ahead, new[:cut]])
        ahead = [new[cut:]]
        # Nothing here holds on to a block that is done: one long line is many blocks' worth.
        del chunk, new
        count, size = data.count(b"\n"), len(data)
        yield Block(_text(data, end), lines + 1, end + size, lines + count)
        del data
        end, lines = end + size, lines + count
    if data := b"".join(ahead):
        yield Block(_text(data, end), lines + 1, end + len(data), lines + 1)


def _text(data: bytes, start: int) -> bytes:
    return data.removeprefix(BOM) if start == 0 else data


def _skip(stream: Stream, size: int) -> None:
    if stream.seekable():
        stream.seek(size)
        return
    while size > 0 and (chunk := stream.read(min(size, _SIZE))):
        size -= len(chunk)


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
        return threads
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Packed:
    """A packed file, unpacked while it is read; what is damaged is an error of ours, which names the file."""

    def __init__(self, inner: Any, path: Path, *faults: type[Exception]) -> None:
        """`inner` gives what is in the file, or raises one of `faults`."""
        self._inner, self._path = inner, path
        self._faults: tuple[type[Exception], ...] = (EOFError, *faults)

    def read(self, size: int, /) -> bytes:
        """As many bytes; fewer at the end only."""
        try:
            data: bytes = self._inner.read(size)
        except self._faults as fault:
            raise TurnwireError(f"{self._path} is cut off or damaged: {fault}", code="damaged_file") from fault
        return data

    def seekable(self) -> bool:
        """Going anywhere is unpacking all that is before it."""
        return False

    def seek(self, offset: int, /) -> int:
        """Not to be called."""
        raise NotImplementedError


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
