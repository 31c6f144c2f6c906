"""The wire format that a dialect's name begins with."""

from __future__ import annotations

import re

__all__ = ["family"]


def family(dialect: str) -> str:
    """The name without its profile, and without the columns of a server."""
    return re.split("[:+]", dialect, maxsplit=1)[0]
