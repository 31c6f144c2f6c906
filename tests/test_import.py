"""`import turnwire` loads the binding and the errors, and nothing that takes long."""

import subprocess
import sys
from pathlib import Path

import turnwire

# Each costs milliseconds, and a program that cuts one string needs none of them.
HEAVY = {"asyncio", "dataclasses", "datetime", "enum", "inspect", "json", "logging", "re", "typing"}
LATER = {"turnwire.builder", "turnwire.cli", "turnwire.history", "turnwire.structured", "turnwire.tools"}

LOADED = """
import sys
sys.path.insert(0, sys.argv[1])
before = set(sys.modules)
exec(sys.argv[2])
print(*sorted(set(sys.modules) - before))
"""


def loaded_by(code: str) -> set[str]:
    """Modules that `code` loads into an interpreter with nothing in it, site-packages left out."""
    package = str(Path(turnwire.__file__).parent.parent)
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LOADED, package, code], capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


def test_import_loads_nothing_heavy():
    loaded = loaded_by("import turnwire")
    assert {"turnwire", "turnwire._core", "turnwire.errors"} <= loaded
    assert loaded & (HEAVY | LATER) == set()


def test_the_check_sees_a_heavy_import():
    assert HEAVY & loaded_by("import turnwire, logging")
