"""Compressed files: everything before a fault is read, by any way of reading, and then the fault is reported."""

import gzip
import io
import itertools
import os
import random
import struct
import threading
import zlib
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from random_runs import tries
from turnwire import batch
from turnwire.batch.compressed import unpacked

DICE = random.Random("packed")
TEXT = b"".join(b'{"messages":[{"role":"user","content":"%s"}]}\n' % os.urandom(9).hex().encode() for _ in range(200))
CUTS = (0, 1, 2_000, 7_777, len(TEXT))


def zstd() -> Any:
    return pytest.importorskip("backports.zstd", reason="the extra zstd is not installed")


def members(name: str) -> tuple[bytes, dict[int, int]]:
    """The text compressed in several pieces, and how much text there is up to the end of each."""
    packed, ends = b"", {}
    for start, end in itertools.pairwise(CUTS):
        piece = TEXT[start:end]
        packed += gzip.compress(piece, DICE.choice([1, 9])) if name == "gzip" else zstd().compress(piece)
        ends[len(packed)] = end
    return packed, ends


def read(data: bytes, size: int = 1 << 19) -> tuple[bytes, tw.TurnwireError | None]:
    """The lines read from a file, and the final error."""
    stream, room, out = unpacked(io.BufferedReader(io.BytesIO(data)), Path("it")), bytearray(size), b""  # type: ignore[arg-type]
    try:
        while count := stream.readinto(memoryview(room)):
            out += room[:count]
    except tw.TurnwireError as fault:
        with pytest.raises(tw.TurnwireError):
            stream.readinto(memoryview(room))
        return out, fault
    return out, None


class Patient(io.BufferedReader):
    """A pipe that would block one read of everything: no signal is handled inside this call."""

    def readinto(self, room, /):
        raise AssertionError(f"waits for {len(room)} bytes")

    def read(self, size=-1, /):
        assert size == 4, f"waits for {size} bytes"
        return super().read(size)

    def seekable(self):
        return False


def test_a_pipe_is_read_as_far_as_it_holds():
    for data in (TEXT, gzip.compress(TEXT)):
        stream, room, out = unpacked(Patient(io.BytesIO(data)), Path("it")), bytearray(1 << 16), b""
        while count := stream.readinto(memoryview(room)):
            out += room[:count]
        assert out == TEXT


def all_of_gzip(data: bytes) -> bytes:
    """Everything that can be read from gzip, a byte at a time: the oracle."""
    out, member = b"", zlib.decompressobj(31)
    try:
        for at in range(len(data)):
            out += member.decompress(data[at : at + 1])
            if member.eof:
                member = zlib.decompressobj(31)
    except zlib.error:
        pass
    return out


@pytest.mark.parametrize("name", ["gzip", "zstd"])
def test_cut_off_anywhere_it_gives_what_came_before(name: str) -> None:
    packed, ends = members(name)
    for size in (1 << 19, 997, 1):
        assert read(packed, size) == (TEXT, None)
        assert read(packed + bytes(512), size) == (TEXT, None)
    for cut in range(4, len(packed), 11):
        out, fault = read(packed[:cut])
        if cut in ends:
            assert (len(out), fault) == (ends[cut], None)
        else:
            assert fault is not None and fault.code == "damaged_file"
            assert TEXT.startswith(out)
        if name == "gzip":
            assert out == all_of_gzip(packed[:cut])
    # A block of zstd is read as a whole, or not at all.
    assert len(read(packed[:-9])[0]) >= CUTS[3] + (name == "gzip")


def test_data_before_a_broken_byte_are_read() -> None:
    packed, _ = members("gzip")
    told = 0
    for _ in range(150):
        at = DICE.randrange(4, len(packed))
        broken = packed[:at] + bytes([packed[at] ^ 1 << DICE.randrange(8)]) + packed[at + 1 :]
        out, fault = read(broken, DICE.choice([1 << 19, 555]))
        if fault is not None:
            told += 1
            assert out == all_of_gzip(broken)
    assert told > 100


def test_broken_zstd_is_reported() -> None:
    packed, _ = members("zstd")
    for at in range(4, len(packed), 29):
        out, fault = read(packed[:at] + bytes([packed[at] ^ 255]) + packed[at + 1 :])
        assert fault is not None or len(out) >= len(TEXT) - 1


def test_frames_of_zstd_that_are_skipped() -> None:
    skipped = b"\x53\x2a\x4d\x18" + struct.pack("<I", 4) + b"skip"
    assert read(skipped + zstd().compress(TEXT) + skipped) == (TEXT, None)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
@pytest.mark.parametrize("name", ["plain", "gzip", "zstd"])
def test_a_slow_pipe_is_recognised_by_its_first_bytes_too(tmp_path: Path, name: str) -> None:
    data = TEXT if name == "plain" else members(name)[0]
    os.mkfifo(tmp_path / "pipe")

    def write() -> None:
        with (tmp_path / "pipe").open("wb", buffering=0) as pipe:
            for at in (*range(5), 5):
                pipe.write(data[at : at + 1] if at < 5 else data[5:])

    writer = threading.Thread(target=write)
    writer.start()
    report = batch.convert_file(tmp_path / "pipe", tmp_path / "out", "gemini", source="openai")
    writer.join()
    assert (report.rows, report.failed) == (200, 0)


@pytest.mark.parametrize("threads", [1, 3])
def test_lines_before_the_damage_are_looked_at(tmp_path: Path, threads: int) -> None:
    lines = [
        b"nope\n" if at % 100 == 0 else b'{"messages":[{"role":"user","content":"%d"}]}\n' % at
        for at in range(tries(60_000))
    ]
    whole = gzip.compress(b"".join(lines), 1)
    (tmp_path / "in").write_bytes(whole[: len(whole) * 2 // 3])
    left = all_of_gzip(whole[: len(whole) * 2 // 3]).count(b"\n")
    failed: list[batch.RowError] = []
    with pytest.raises(tw.TurnwireError, match="cut off or damaged"):
        batch.convert_file(
            tmp_path / "in", tmp_path / "out", "gemini", source="openai", threads=threads, errors=failed.append
        )
    assert [error.line for error in failed] == list(range(1, left + 1, 100))
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_lines_before_what_an_iterable_raises_come_out() -> None:
    def broken() -> Any:
        yield from [b'[{"role": "user", "content": "a"}]'] * 3
        raise RuntimeError("mine")

    made: list[bytes] = []
    with pytest.raises(RuntimeError, match="mine"):
        made.extend(batch.convert_lines(broken(), "gemini", source="openai"))
    assert len(made) == 3
