"""The frameworks that a test file needs: without them it is skipped, but never where `make adapters` installed them."""

import importlib
import os
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]


def framework(module: str, package: str) -> ModuleType:
    """A framework's module, from a package that one of the groups pins."""
    here = GROUPS.get(os.environ.get("TURNWIRE_ADAPTERS", ""), [])
    if any(isinstance(line, str) and line.startswith(f"{package}==") for line in here):
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"{package} is not installed: make adapters")


def rows() -> dict[str, str]:
    """The first table of docs/adapters.md: each module's line."""
    page = (ROOT / "docs/adapters.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `(\w+)` \| `([^|]+)` \|$", page, flags=re.M))
