"""`turnwire dialects`: lists the dialects."""

from __future__ import annotations

from turnwire import dialects as names

from .options import Json
from .screen import write_json


def dialects(as_json: Json = False) -> int:
    """List the dialects and their profiles, one a line."""
    for name in names():
        if as_json:
            write_json({"dialect": name})
        else:
            print(name)
    return 0
