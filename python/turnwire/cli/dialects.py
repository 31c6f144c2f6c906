"""`turnwire dialects`: lists the dialects, and the layouts that are read only."""

from __future__ import annotations

from argparse import Namespace

from turnwire import dialects as names
from turnwire._core import _layout_table

from .tables import write_json


def dialects(given: Namespace) -> int:
    """Lists the dialects and their profiles, one a line, and then the layouts of records that are read only."""
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
