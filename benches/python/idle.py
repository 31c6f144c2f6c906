"""`turnwire.arrow.convert` without its work: each row comes back as it was. What is left is the engine's own cost."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
from turnwire.arrow import result_type

__all__ = ["convert", "result_type"]


def convert(column: Any, source: str, target: str, threads: int = 1) -> Any:
    """Each row as its own payload, without changes or errors."""
    if isinstance(column, pa.Array):
        return _as_it_came(column)
    chunked = pa.chunked_array(column)
    return pa.chunked_array([_as_it_came(chunk) for chunk in chunked.chunks], type=result_type(chunked.type))


def _as_it_came(array: pa.Array) -> pa.Array:
    made = result_type(array.type)
    none = pa.array([0] * (len(array) + 1), pa.int32())
    changes = pa.ListArray.from_arrays(none, pa.array([], made[1].type.value_type))
    return pa.StructArray.from_arrays([array, changes, pa.nulls(len(array), made[2].type)], fields=list(made))
