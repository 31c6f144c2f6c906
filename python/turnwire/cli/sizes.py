"""Sizes as people write them: `300k`, `1.5M`, `64Ki`."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from typing import Final

__all__ = ["size", "written"]

_FORM: Final = re.compile(r"(\d[\d_]*(?:\.\d+)?)\s*([kmg]i?)?b?", re.IGNORECASE)
_UNITS: Final = {"k": 1000, "m": 1000**2, "g": 1000**3, "ki": 1024, "mi": 1024**2, "gi": 1024**3}


def size(text: str) -> int:
    """Takes a size: a number, `k` `M` `G` for powers of 1,000, or `Ki` `Mi` `Gi` for powers of 1,024."""
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise ArgumentTypeError(f"expected a size such as 300000, 300k, 1.5M or 64Ki, got {text!r}")
    number, unit = found.groups()
    return round(float(number) * _UNITS[unit.lower()]) if unit or "." in number else int(number)


def written(*sizes: int) -> str:
    """Sizes in one unit: `12.4 to 11.9 MB`."""
    unit, name = next(((by, name) for by, name in ((10**6, "MB"), (10**3, "kB")) if max(sizes) >= by), (1, "bytes"))
    shown = (f"{one:,}" if unit == 1 else f"{one / unit:,.1f}" for one in sizes)
    return f"{' to '.join(shown)} {name}"
