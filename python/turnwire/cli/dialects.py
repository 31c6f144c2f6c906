"""`turnwire dialects`: lists the dialects, and the layouts that are read only."""

from __future__ import annotations

from argparse import Namespace

from turnwire import dialects as names
from turnwire._core import _layout_table, _server_row

from .tables import write_json


def dialects(given: Namespace) -> int:
    """Lists the dialects and their profiles, one a line, and then the layouts of records that are read only."""
    if given.name is not None:
        return _row(given.name, is_json=given.format == "json")
    layouts: dict[str, str] = {name: kept_by for name, kept_by, *_ in _layout_table()}
    if given.format == "json":
        told = [*({"dialect": name} for name in names()), *({"layout": name} for name in layouts)]
        for one in told:
            write_json(one)
        return 0
    print("\n".join(names()))
    print("\nread only:")
    for name, kept_by in layouts.items():
        print(f"{name} ({kept_by})")
    return 0


def _row(name: str, *, is_json: bool) -> int:
    """Prints the line of a row, and each column, with a mark where it differs from its base."""
    _, base, _, line, columns = _server_row(name)
    if is_json:
        write_json({"name": line, "base": base, "columns": {column: value for column, value, *_ in columns}})
        return 0
    wide = max((len(column) for column, *_ in columns), default=0)
    print(line)
    for column, value, was, words in columns:
        print(f"{'*' if value != was else ' '} {column:{wide}}  {value}  ({words})")
    return 0
