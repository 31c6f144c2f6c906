"""Reads the conversations of any file that turnwire knows, one by one, without a target."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, cast

from turnwire._core import Conversation, _html, _layout_table, _Rows, detect
from turnwire.errors import TurnwireError, UnknownDialectError
from turnwire.types import SourceName

from .documents import Document, Row
from .engine import PathLike, RowError
from .tasks import look_task

__all__ = ["Found", "found_in", "read_file", "row_error"]


AUTO: Final = "auto"


class Found(NamedTuple):
    """A conversation in a file."""

    payload: bytes
    """Its JSON: as it is in the file, or as its layout read it."""
    dialect: SourceName
    """What to read the payload as. `"auto"` if its messages are in several dialects."""
    kind: SourceName
    """The dialect or the layout of the record. `"auto"` if its messages are in several dialects."""
    line: int
    """The number of the line at which its record begins, from 1."""
    path: str
    """Its path in the document."""

    def _repr_html_(self) -> str:
        return _html(self, self._fields)


# Users import it from here, so pickles survive a move of this file.
Found.__module__ = "turnwire.batch"


def read_file(
    path: PathLike, at: str | None = None, *, errors: Callable[[RowError], object] | None = None
) -> Iterator[Found]:
    """Read each conversation of a file, whatever it is: the commands read files in the same way.

    for found in read_file("export.json"):
        conversation = turnwire.Conversation.parse(found.payload, found.dialect)

    Memory grows with the longest record, not with the file. A message a line, a stored history, traces and a
    column of Parquet are read, too.

    Args:
        path: The file, plain or packed by gzip or (with the extra `zstd`) zstd.
        at: The key of the conversation in a record, as in `convert_file`. None finds it.
        errors: A function that is called with each record that cannot be read. None raises its error.

    Raises:
        TurnwireError: `damaged_file`; without `errors`, the error of a record.
        OSError: The file cannot be read.
        ImportError: The file is packed by zstd, or is Parquet, and the extra is not installed.
    """
    rows = look_task("auto", at).rows
    for row in Document(str(path), Path(path)).rows(rows):
        where = row.path
        try:
            for found in found_in(rows, row):
                where = found.path
                yield _settled(found)
        except TurnwireError as error:
            if errors is None:
                raise
            errors(row_error(rows, row, error, where))


def found_in(rows: _Rows, row: Row) -> Iterator[Found]:
    """The conversations in a row of a document. The kind of one whose dialect is not known is `"auto"`."""
    for path, payload, name, source, *_ in rows.places(row.whole(), row.alone):
        kind = cast("SourceName", name or source)
        yield Found(payload, cast("SourceName", source), kind, row.line, row.path + path.removeprefix("$"))


def row_error(rows: _Rows, row: Row, error: TurnwireError, path: str) -> RowError:
    """The error of a row with its path in the document. `path`: that of the conversation that failed."""
    if row.fault is None:
        # What was made from a record has other paths than the record, which a task knows.
        _, _, (_, failed, _, _) = rows.block(row.data, row.alone, row.line, False)
        for line, code, place, _, said in failed:
            return RowError(line, code, place, said)
    text = error.args[0].removesuffix(f" - at `{error.path}`")
    return RowError(row.line, error.code, error.path.replace("$", path, 1), text)


def _settled(found: Found) -> Found:
    """A conversation with its dialect, if it has one."""
    if found.kind != AUTO:
        # A layout says how its messages are read. What a dialect claims is read as that.
        is_laid_out = found.kind in _layouts()
        return found if is_laid_out else found._replace(dialect=found.kind)
    try:
        kind = cast("SourceName", detect(found.payload))
    except UnknownDialectError as error:
        if error.code != "mixed_dialects":
            raise
        # A body may be in one dialect and its messages in others.
        Conversation.parse(found.payload, AUTO)
        return found
    return found._replace(dialect=kind, kind=kind)


@cache
def _layouts() -> frozenset[str]:
    """The names of the layouts."""
    return frozenset(name for name, *_ in _layout_table())
