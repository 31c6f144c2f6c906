"""Reports a framework that is missing, or whose version is not tested."""

from __future__ import annotations

import importlib.metadata
import re

from turnwire._log import logger

__all__ = ["missing", "tested"]

_logger = logger.getChild("adapters")


def missing(package: str, error: ImportError) -> ImportError:
    """The error for a framework that cannot be imported, or that lacks something the adapter needs."""
    try:
        found = f"{package} {importlib.metadata.version(package)} lacks what turnwire's adapter needs of it ({error})"
    except importlib.metadata.PackageNotFoundError:
        found = f"turnwire's adapter needs the package {package!r}"
    return ImportError(f"{found}; install it with: pip install --upgrade {package}", name=error.name)


def tested(package: str, oldest: str, newest: str) -> None:
    """Log a warning if the installed version is outside the range that the adapter is tested with."""
    try:
        version = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return
    if not _numbers(oldest) <= _numbers(version) or _numbers(version)[:2] > _numbers(newest)[:2]:
        _logger.warning("%s %s: turnwire's adapter was tested with %s to %s", package, version, oldest, newest)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])
