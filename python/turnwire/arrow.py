"""Converts, prepares and checks columns of conversations in Arrow tables, row by row, without the GIL.

    made = convert(table["messages"], "anthropic")
    made.field("payload"), made.field("changes"), made.field("error")

A column is an Arrow array or chunked array of JSON text, or any object with `__arrow_c_stream__` or
`__arrow_c_array__`: a Series of Polars or pandas, a column of DuckDB. It may have strings, large strings, string views
or the same types of binary, slices and nulls, dictionaries and run-end encoding, and `arrow.json`.

The result has a struct `payload`, `changes`, `error` for each row. It is an array or a chunked array like the column,
and its payloads have the column's type. A null stays a null. A row that fails has an `error` and no payload, and does
not stop the others.

The buffers of the column must not change during the call. One thread is used by default, because engines have their
own threads; `threads=0` uses all cores. Needs the extra `arrow`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal, Unpack

try:
    import pyarrow as pa
except ImportError:
    raise ImportError("columns need the extra arrow: pip install 'turnwire[arrow]'") from None

from ._core import Budget
from ._signature import spelled_out
from .batch.blocks import cores
from .batch.tasks import ConvertOptions, Task, build_task, check_task, convert_task, truncate_task
from .errors import TurnwireError
from .types import End, HistoryOptions, RowName, SettingsChoice, SourceName, TargetName

__all__ = ["check", "convert", "prepare", "result_type", "truncate"]

_CHANGE: Final = pa.struct([(name, pa.string()) for name in ("kind", "code", "path", "reason", "action")])
_CHANGES: Final = pa.list_(_CHANGE)
_ERROR: Final = pa.struct([(name, pa.string()) for name in ("code", "path", "message")])


def result_type(payload: Any = None) -> Any:
    """The type of the results, for engines that need to know it before the call.

    Args:
        payload: The Arrow type of the column; string if not given.
    """
    return pa.struct(
        [("payload", pa.string() if payload is None else payload), ("changes", _CHANGES), ("error", _ERROR)]
    )


@spelled_out
def convert(
    column: Any,
    target: RowName,
    *,
    source: SourceName = "auto",
    threads: int = 1,
    at: str | None = None,
    **options: Unpack[ConvertOptions],
) -> Any:
    """Convert each row, as `convert_json` does.

    Args:
        column: A column of JSON text, as described for this module.
        target: The dialect to write.
        source: The dialect of each row, or `"auto"`.
        threads: The number of threads; 0 for one on each core.
        at: The key of the conversation in a row, or several keys with dots between; `"$"` is the row itself. Everything
            around it is returned unchanged. None finds `body` or `params` beside a `custom_id`, `conversation` or
            `traj`, or a prompt with its completions; else it is the row itself.
        options: Those of `convert_json`. Without `settings`, the settings of a request are converted, and a row keeps
            its other keys. Without `end`, each conversation decides whether it is a row of training data, as in
            `turnwire.batch.convert_file`.

    Raises:
        UnknownDialectError: `unknown_dialect`.
        TurnwireError: `unknown_option`; `out_of_range` for `threads` below 0, or buffers that are too short or damaged;
            `too_large` for an array of a type with 32-bit offsets whose results take 2 GiB. A chunked array may be
            larger.
        TypeError: The column has another type.
    """
    return _each(column, convert_task("convert", source, target, at, options), threads)


@spelled_out
def prepare(
    column: Any,
    target: TargetName,
    budget: int | Budget | None = None,
    *,
    source: SourceName = "auto",
    threads: int = 1,
    at: str | None = None,
    **options: Unpack[HistoryOptions],
) -> Any:
    """Prepare each row, as `prepare_json` does, with its options. The other arguments are those of `convert`.

    Exceptions of `Budget.count` pass through.
    """
    return _each(column, build_task("prepare", source, target, at, budget, options), threads)


@spelled_out
def check(
    column: Any,
    target: TargetName = "same",
    budget: int | Budget | None = None,
    *,
    source: SourceName = "auto",
    threads: int = 1,
    at: str | None = None,
    **options: Unpack[HistoryOptions],
) -> Any:
    """Check each row, as `turnwire.check` does, with its options. The payload is a JSON list of changes.

    The other arguments are those of `convert`.
    """
    return _each(column, check_task("check", source, target, at, budget, options), threads)


def truncate(
    column: Any,
    max_bytes: int,
    *,
    source: SourceName = "auto",
    tool_results: bool = False,
    suffix: str | None = None,
    split: Literal["even", "fair"] = "even",
    settings: SettingsChoice = "keep",
    end: End | None = None,
    threads: int = 1,
    at: str | None = None,
) -> Any:
    """Cut the tool results of each row, as `turnwire.batch.truncate_file` does. See `convert` for the rest."""
    task = truncate_task(source, tool_results, at, max_bytes, suffix, split, settings, end)
    return _each(column, task, threads)


_MOST: Final = 1 << 28
"""The bytes of a chunk that are one piece. Its results seldom need more than 32-bit offsets."""


def _each(column: Any, task: Task, threads: int) -> Any:
    threads = cores(threads)
    if isinstance(column, pa.Array):
        return _array(column, task, threads)
    if not isinstance(column, pa.ChunkedArray):
        if hasattr(column, "__arrow_c_array__") and not hasattr(column, "__arrow_c_stream__"):
            return _array(_taken(pa.array, column), task, threads)
        if not hasattr(column, "__arrow_c_stream__"):
            raise TypeError(
                f"column: expected an Arrow column, or an object that gives one, got {type(column).__name__}"
            )
        column = _taken(pa.chunked_array, column)
    given, plain, back = _types(column.type)
    pieces = [made for chunk in column.chunks for made in _pieces(_sound(plain, chunk), task, threads)]
    return pa.chunked_array([_struct(piece, back) for piece in pieces], type=result_type(given))


def _taken(by: Callable[[Any], Any], column: Any) -> Any:
    try:
        return by(column)
    except (pa.ArrowException, TypeError, ValueError) as fault:
        raise TypeError(f"column: expected an Arrow column, got {type(column).__name__}: {fault}") from fault


def _array(array: Any, task: Task, threads: int) -> Any:
    _, plain, back = _types(array.type)
    return _struct(_made(_sound(plain, array), task, threads), back)


_Way = Callable[[Any], Any]


def _types(given: Any) -> tuple[Any, _Way, _Way]:
    """The type of payloads, the conversion of a column to buffers that are read here, and the conversion back."""

    def same(array: Any) -> Any:
        return array

    if isinstance(given, pa.BaseExtensionType):
        value, plain, back = _types(given.storage_type)
        if value != given.storage_type:
            return value, lambda array: plain(array.storage), back
        return (
            given,
            lambda array: plain(array.storage),
            lambda made: pa.ExtensionArray.from_storage(given, back(made)),
        )
    if pa.types.is_dictionary(given):
        value, plain, back = _types(given.value_type)
        return value, lambda array: plain(array.dictionary).take(array.indices), back
    if pa.types.is_run_end_encoded(given):
        value, plain, back = _types(given.value_type)
        return value, lambda array: plain(_decoded(array)), back
    if pa.types.is_null(given):
        return pa.string(), lambda array: array.cast(pa.string()), same
    if given in (pa.string(), pa.large_string(), pa.binary(), pa.large_binary()):
        return given, same, same
    if given in (pa.string_view(), pa.binary_view()):
        large = pa.large_string() if given == pa.string_view() else pa.large_binary()
        return given, lambda array: _in_buffers(array).cast(large), lambda made: made.cast(given)
    raise TypeError(f"column: expected JSON text, strings or bytes, got {given}")


def _sound(plain: _Way, array: Any) -> Any:
    """A checked column with buffers that are read here. Views, indices and runs may point outside their buffers."""
    try:
        return plain(array)
    except (pa.ArrowInvalid, pa.ArrowIndexError) as fault:
        raise TurnwireError(f"expected a column, got a damaged one: {fault}", code="out_of_range") from fault


def _in_buffers(views: Any) -> Any:
    """Checks that views are inside their buffers, because a cast does not."""
    views.view(pa.binary_view()).validate(full=True)
    return views


def _decoded(runs: Any) -> Any:
    """The rows of a run-end encoded array."""
    import pyarrow.compute as compute

    runs.validate(full=True)
    return compute.run_end_decode(runs)


def _pieces(array: Any, task: Task, threads: int) -> list[Any]:
    """The array in pieces, none of which is too large."""
    count = len(array)
    if count > 1 and array.nbytes > _MOST:
        return [*_pieces(array[: count // 2], task, threads), *_pieces(array[count // 2 :], task, threads)]
    try:
        return [_made(array, task, threads)]
    except TurnwireError as error:
        if error.code != "too_large" or count < 2:
            raise
    return [*_pieces(array[: count // 2], task, threads), *_pieces(array[count // 2 :], task, threads)]


_Made = tuple[Any, Any, Any, Any]


def _made(array: Any, task: Task, threads: int) -> _Made:
    """The payloads, changes and errors of the rows, and which rows are null, if any."""
    validity, offsets, data = (None if buffer is None else memoryview(buffer).cast("B") for buffer in array.buffers())
    count = len(array)
    given = {
        "validity": validity,
        "offsets": offsets if count else memoryview(b""),
        "data": data,
        "wide": array.type in (pa.large_string(), pa.large_binary()),
        "first": array.offset,
        "count": count,
    }
    (there, (ends, texts)), (lists, changes), (failed, errors) = task.rows.column(given, threads)
    payload = pa.Array.from_buffers(array.type, count, [*map(pa.py_buffer, (there, ends, texts))])
    listed = _columns(_CHANGE, changes, len(changes[0][0]) // 4 - 1)
    listed = pa.Array.from_buffers(_CHANGES, count, [None, pa.py_buffer(lists)], children=[listed])
    return payload, listed, _columns(_ERROR, errors, count, failed), array.is_null() if array.null_count else None


def _columns(type_: Any, columns: list[tuple[memoryview, memoryview]], count: int, validity: Any = None) -> Any:
    children = [
        pa.Array.from_buffers(pa.string(), count, [None, pa.py_buffer(ends), pa.py_buffer(texts)])
        for ends, texts in columns
    ]
    return pa.Array.from_buffers(
        type_, count, [None if validity is None else pa.py_buffer(validity)], children=children
    )


def _struct(made: _Made, back: _Way) -> Any:
    payload, changes, error, nulls = made
    payload = back(payload)
    return pa.StructArray.from_arrays([payload, changes, error], fields=list(result_type(payload.type)), mask=nulls)
