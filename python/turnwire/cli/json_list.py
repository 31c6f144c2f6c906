"""Writes the rows of an output as one JSON list: `--out x.json`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from turnwire.batch.compressed import PACKED
from turnwire.batch.engine import Made
from turnwire.batch.partial_file import Counts

__all__ = ["as_list", "is_list"]


def is_list(place: Path) -> bool:
    """Whether a file of this name holds a list."""
    return (place.with_suffix("") if place.suffix in PACKED else place).suffix == ".json"


def as_list(given: Iterator[Made]) -> Iterator[Made]:
    """The rows as the elements of a list, one a line."""
    counts, begun = Counts(), False
    for made in given:
        counts = made.counts
        rows = [row for row in bytes(made.data).split(b"\n") if row]
        start = b",\n" if begun else b"[\n"
        begun |= bool(rows)
        yield made._replace(data=memoryview(start + b",\n".join(rows) if rows else b""))
    yield Made(memoryview(b"\n]\n" if begun else b"[]\n"), [], Counts(counts.read, counts.lines), [])
