"""The frameworks that a file of tests needs: skipped without them, but not where `make adapters` has put them."""

import importlib
import os
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

GROUPS = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]


def framework(module: str, package: str) -> ModuleType:
    """A framework's module, of a package that one of the groups pins."""
    here = GROUPS.get(os.environ.get("TURNWIRE_ADAPTERS", ""), [])
    if any(isinstance(line, str) and line.startswith(f"{package}==") for line in here):
        return importlib.import_module(module)
    return pytest.importorskip(module, reason=f"{package} is not installed: make adapters")
