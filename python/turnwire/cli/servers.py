"""`turnwire servers`: checks a file of servers, and prints each row."""

from __future__ import annotations

from argparse import Namespace

from turnwire import servers as read

from .tables import write_json

__all__ = ["servers"]


def servers(given: Namespace) -> int:
    """Prints the short name and the canonical name of each server in a TOML file."""
    for short, server in read(given.file).items():
        if given.format == "json":
            write_json({"name": short, "row": str(server), "base": server.base, "columns": dict(server.columns)})
        else:
            print(f"{short}  {server}")
    return 0
