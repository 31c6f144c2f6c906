"""The command line, for files of conversations: `turnwire check logs/*.jsonl`."""

from __future__ import annotations

from collections.abc import Sequence

from .exit_codes import STOPPED

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the process's own arguments where none are given.

    Returns the exit code: 0 for all well, 1 for findings or lines that failed, 2 for what cannot be read or run, 130
    for Ctrl-C.
    """
    try:
        # Nearly everything is imported here, so that Ctrl-C during the import is caught below.
        from .app import run

        return run(arguments)
    except KeyboardInterrupt:
        return STOPPED
