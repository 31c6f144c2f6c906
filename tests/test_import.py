"""`import turnwire` loads the binding and the errors, and nothing slow."""

import ast
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
import turnwire

# Each costs milliseconds, and a program that cuts one string needs none of them.
HEAVY = {"asyncio", "dataclasses", "datetime", "enum", "inspect", "json", "logging", "re", "typing"}
LATER = {
    "turnwire._file_lock",
    "turnwire._log",
    "turnwire.adapters",
    "turnwire.arrow",
    "turnwire.batch",
    "turnwire.builder",
    "turnwire.cli",
    "turnwire.history",
    "turnwire.history.store",
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
    """Modules that `code` loads into an empty interpreter, without site-packages."""
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


PACKAGE = Path(turnwire.__file__).parent


def imports(folder: Path, name: str = "turnwire") -> dict[str, set[str]]:
    """Each module of a package with the modules of the package that it imports, also those for type checkers only."""
    files = {
        ".".join((name, *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__"): path
        for path in folder.rglob("*.py")
    }
    graph: dict[str, set[str]] = {}
    for module, path in files.items():
        package = module if path.stem == "__init__" else module.rpartition(".")[0]
        found = set()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                levels = package.split(".")
                home = ".".join(levels[: len(levels) - node.level + 1]) if node.level else ""
                base = ".".join(filter(None, (home, node.module)))
                found |= {each if (each := f"{base}.{alias.name}") in files else base for alias in node.names}
        graph[module] = (found & set(files)) - {module}
    return graph


def test_no_import_circle() -> None:
    list(TopologicalSorter(imports(PACKAGE)).static_order())


def test_the_check_sees_a_circle(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "__init__.py").write_text("")
    (tmp_path / "inner/__init__.py").write_text("from .one import x")
    (tmp_path / "inner/one.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .. import two"
    )
    (tmp_path / "two.py").write_text("def f():\n    from turnwire.inner.one import x")
    assert imports(tmp_path)["turnwire.inner.one"] == {"turnwire.two"}
    with pytest.raises(CycleError):
        list(TopologicalSorter(imports(tmp_path)).static_order())
