"""`turnwire detect`: in which dialect conversations are."""

from __future__ import annotations

from . import inputs
from .options import Column, Json, Paths
from .screen import table, write_json


def detect(paths: Paths, column: Column = None, as_json: Json = False) -> int:
    """Say in which dialect each file is, by the first line that tells. Exit code 1 where none does."""
    found = [(one.name, one.dialect()) for one in inputs.find(paths, column)]
    if as_json:
        for name, dialect in found:
            write_json({"file": name, "dialect": dialect})
    else:
        table(("file", "dialect"), ((name, dialect or "nothing that is known") for name, dialect in found))
    return int(any(dialect is None for _, dialect in found))
