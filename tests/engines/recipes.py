"""The recipes of docs/engines.md, read from the page itself, and how to run one of them on a table."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/engines.md").read_text(encoding="utf-8")
GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
GIVEN, MADE = "conversations.parquet", "converted.parquet"

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "disabled",
    "DAFT_ANALYTICS_ENABLED": "0",
    "HF_HUB_OFFLINE": "1",
}
"""No engine may phone home, or leave a token there."""
SLOW_START = "timed out during startup"
"""Ray gives its own servers 30 seconds, which are too few beside other work. It says nothing about the recipe."""


class Recipe(NamedTuple):
    name: str
    code: str

    @property
    def group(self) -> str:
        """The group of pyproject.toml that pins it, which is also the name of its environment."""
        return next(group for group in ("engines-light", "engines-heavy") if self.module in pinned(group))

    @property
    def module(self) -> str:
        """The engine's own module: the one that is imported beside pyarrow and ours."""
        modules = re.findall(r"^(?:import|from) (\w+)", self.code, flags=re.M)
        return next(one for one in modules if one not in ("pyarrow", "turnwire"))


RECIPES = [Recipe(*found) for found in re.findall(r"^## ([^\n]+)\n\n```python\n(.*?)^```$", PAGE, flags=re.S | re.M)]


def rows() -> dict[str, list[str]]:
    """The page's table: the cell next to each name."""
    table = re.findall(r"^\| \[(.+?)\]\(#.+?\) \| (.+) \|$", PAGE, flags=re.M)
    return {name: [cell.strip() for cell in cells.split("|")] for name, cells in table}


def pinned(group: str) -> dict[str, str]:
    """The packages that a group pins, each under its module's name."""
    lines = (re.match(r"([\w-]+)(?:\[\w+\])?==(.+)", line) for line in GROUPS.get(group, []) if isinstance(line, str))
    return {found[1]: found[2] for found in lines if found}


def run(code: str, home: Path, python: str = sys.executable, limit: float = 110) -> None:
    """Runs a script in a folder, as a person would, without regard to what the engine's workers find on their path."""
    script = home / "recipe.py"
    script.write_text(code, encoding="utf-8")
    env = os.environ | QUIET | {"HF_HOME": str(home / "cache"), "PYSPARK_PYTHON": python, "PYTHONPATH": str(home)}
    command = [python, script.name]
    for _ in range(3):
        done = subprocess.run(command, cwd=home, env=env, capture_output=True, text=True, timeout=limit)
        if SLOW_START not in done.stderr:
            break
    assert done.returncode == 0, done.stdout + done.stderr
