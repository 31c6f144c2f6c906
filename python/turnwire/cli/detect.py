"""`turnwire detect`: in which dialect conversations are."""

from __future__ import annotations

from . import inputs
from .options import Column, Json, Paths
from .screen import table, write_json


def detect(paths: Paths, column: Column = None, as_json: Json = False) -> int:
    """Say in which dialect each file is, by its first lines. Exit code 1 where none of them tells."""
    found = [(one.name, one.dialects()) for one in inputs.find(paths, column)]
    if as_json:
        for name, told in found:
            write_json({"file": name, "dialect": told[0] if told else None, "dialects": told})
    else:
        table(("file", "dialect"), ((name, ", ".join(told) or "nothing that is known") for name, told in found))
    return int(not all(told for _, told in found))
