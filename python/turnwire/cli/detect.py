"""`turnwire detect`: shows the dialect of conversations."""

from __future__ import annotations

import itertools
from argparse import Namespace

from turnwire.batch.tasks import look_task

from . import inputs
from .exit_codes import UNREADABLE
from .tables import table, write_json


def detect(given: Namespace) -> int:
    """Shows the dialect of each file, detected from its first lines."""
    at: str | None = given.at
    found: list[tuple[str, list[str]]] = []
    unread = inputs.Unread()
    for one in inputs.find(given.paths, given.column):
        with unread.told(one):
            # A file that cannot be read to its end is detected by its readable part.
            told = [name for name in one.dialects(at) if name != inputs.UNKNOWN]
            found.append((one.name, told))
            for _ in itertools.islice(one.rows(look_task("auto", at).rows), inputs.PEEKED):
                pass
    if given.format == "json":
        for name, told in found:
            write_json({"file": name, "dialect": told[0] if told else None, "dialects": told})
    elif found:
        table(("file", "dialect"), ((name, ", ".join(told) or inputs.UNKNOWN) for name, told in found))
    return UNREADABLE if unread.count else int(not all(told for _, told in found))
