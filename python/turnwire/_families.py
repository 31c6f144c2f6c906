"""What a dialect's name says: its wire format, and the long name that a server's short one stands for."""

from __future__ import annotations

import re

from turnwire._core import _server_row

__all__ = ["family", "long_name"]


def family(dialect: str) -> str:
    """The name without its profile, and without the columns of a server."""
    return re.split("[:+]", dialect, maxsplit=1)[0]


def long_name(dialect: str) -> str:
    """The name that says the row in every process; a short name is known only where it was given."""
    return str(_server_row(dialect)[0])
