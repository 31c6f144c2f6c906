"""The words of version 0.1, each with the word that does the same now."""

from __future__ import annotations

from typing import Final

__all__ = ["COMMANDS", "OPTIONS", "VALUES"]

COMMANDS: Final = {"repair": "prepare", "results": "batch-results"}
OPTIONS: Final = {
    "--batch": "the command batch",
    "--dialect": "--source",
    "--from": "--source",
    "--github": "--format github",
    "--install-completion": "turnwire -h, which lists all words",
    "--json": "--format json",
    "--losses": "--changes",
    "--max-bytes": "--budget",
    "--max-result-bytes": "--per-result",
    "--rest": "--settings",
    "--show-completion": "turnwire -h, which lists all words",
    "--to": "--target",
    "-d": "-s",
    "-f": "-s",
    "-m": "--model",
}
VALUES: Final = {"caller": "omit"}
"""Of `--rest`."""
