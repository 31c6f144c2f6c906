"""The exit codes of the command line that have a name."""

from typing import Final

UNREADABLE: Final = 2
"""The input cannot be read, or the command cannot be run."""
STOPPED: Final = 130
"""Ctrl-C."""
