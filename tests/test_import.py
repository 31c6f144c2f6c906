"""`import turnwire` loads the binding and the errors, and nothing that takes long."""

import subprocess
import sys
from pathlib import Path

import pytest
import turnwire

# Each costs milliseconds, and a program that cuts one string needs none of them.
HEAVY = {"asyncio", "dataclasses", "datetime", "enum", "inspect", "json", "logging", "re", "typing"}
LATER = {
    "turnwire.adapters",
    "turnwire.arrow",
    "turnwire.batch",
    "turnwire.builder",
    "turnwire.cli",
    "turnwire.front",
    "turnwire._store",
    "turnwire.history",
    "turnwire.names",
    "turnwire.structured",
    "turnwire.tools",
}

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


IN_A_SUBINTERPRETER = """
import sys, _xxsubinterpreters as sub
if sys.argv[2] == "later":
    sys.path.insert(0, sys.argv[1])
    import turnwire
one = sub.create()
try:
    sub.run_string(one, f"import sys; sys.path.insert(0, {sys.argv[1]!r}); import turnwire")
except sub.RunFailedError as error:
    print(error)
sub.destroy(one)
sys.path.insert(0, sys.argv[1])
import turnwire
print(turnwire.convert_json([{"role": "user", "content": "x"}], "openai", "anthropic").payload.decode())
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the module for subinterpreters has another name")
@pytest.mark.parametrize("main", ["first", "later"])
def test_a_subinterpreter_is_refused_and_the_main_one_is_not(main: str) -> None:
    package = str(Path(turnwire.__file__).parent.parent)
    command = [sys.executable, "-I", "-S", "-c", IN_A_SUBINTERPRETER, package, main]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    refused, works = run.stdout.splitlines()
    assert "ImportError" in refused
    assert "turnwire works in the main interpreter only" in refused
    assert works == '{"messages":[{"role":"user","content":"x"}]}'
