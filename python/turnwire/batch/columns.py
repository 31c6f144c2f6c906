"""Reads the cells of a column of Parquet as JSON."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterator
from datetime import date, time
from pathlib import Path
from typing import Any, Final

from turnwire.errors import TurnwireError

__all__ = ["COLUMNS", "cells"]

COLUMNS: Final = ("messages", "conversations", "conversation", "payload", "body", "request")
"""Columns that may have conversations. If the caller names none, the first that exists is used."""


def cells(path: Path, column: str | None) -> Iterator[tuple[bytes, int]]:
    """Each cell with the number of its row, from 1. A null is empty.

    Raises:
        TurnwireError: `missing_key` if there is no such column; `damaged_file`.
    """
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ModuleNotFoundError:
        raise ImportError("Parquet needs an extra: pip install 'turnwire[arrow]'") from None
    try:
        for number, cell in enumerate(_cells(parquet, path, column), 1):
            yield cell, number
    except pyarrow.ArrowInvalid as error:
        raise TurnwireError(f"{path} is not a Parquet file, or it is damaged: {error}", code="damaged_file") from error


def _cells(parquet: Any, path: Path, column: str | None) -> Iterator[bytes]:
    with parquet.ParquetFile(path) as file:
        names = file.schema_arrow.names
        found = column or next((name for name in COLUMNS if name in names), None)
        if found not in names:
            known = ", ".join(names)
            wanted = f"no column {found!r}" if found else "no column that is known to hold conversations"
            text = f"{path}: {wanted} among {known}: name one with --column"
            raise TurnwireError(text, code="missing_key", path="$")
        for batch in file.iter_batches(columns=[found], batch_size=1024):
            for value in batch.column(0).to_pylist():
                yield b"" if value is None else _json(value)


def _json(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    text = value if isinstance(value, str) else json.dumps(_said(value), ensure_ascii=False, default=_other)
    return text.encode("utf-8", "surrogatepass")


def _said(value: Any) -> Any:
    """A value without nulls in its structs, because Parquet writes a null for a key that a row does not have."""
    if isinstance(value, dict):
        return {key: _said(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        # pyarrow returns a map as pairs.
        pairs = value and all(isinstance(one, tuple) and isinstance(one[0], str) for one in value)
        return {key: _said(one) for key, one in value} if pairs else [_said(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _other(value: object) -> str:
    """A value that JSON has no type for: blobs as base64, times in ISO 8601."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, date | time) else str(value)
