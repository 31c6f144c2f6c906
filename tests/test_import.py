"""`import turnwire` loads the binding and the errors, and nothing slow."""

import ast
import re
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
    "turnwire.types",
    "turnwire._hints",
    "turnwire.spec",
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


# What a subinterpreter runs: a legacy one is what servers such as mod_wsgi make.
IMPORTS_TWICE = """
import sys
sys.path.insert(0, {package!r})
for _ in range(2):
    try:
        import turnwire
    except ImportError as error:
        print("refused:", error, flush=True)
    else:
        print("loaded", flush=True)
"""
# What the main interpreter runs around it.
THREE_SUBINTERPRETERS = """
import gc, sys
kind, main, package, code = sys.argv[1:]
sys.path.insert(0, package)
if sys.version_info >= (3, 13):
    import _interpreters as sub
    create = sub.create
else:
    import _xxsubinterpreters as sub
    def create(kind):
        return sub.create(isolated=kind == "isolated")

def use():
    import turnwire as tw
    messages = [{"role": "user", "content": "x"}]
    for _ in range(1000):
        made = tw.convert_json(messages, "anthropic", source="openai").payload
        assert made == b'{"messages":[{"role":"user","content":"x"}]}'
        assert tw.prepare(messages, "gemini").payload == {"contents": [{"role": "user", "parts": [{"text": "x"}]}]}
    raised = []
    wrongly_typed = [{"role": "user", "content": 1}]
    for wrong, target in ((wrongly_typed, "anthropic"), ([], "anthropic"), (messages, "nobody"), (messages, 1)):
        try:
            tw.prepare(wrong, target)
        except (tw.TurnwireError, TypeError) as error:
            raised.append(type(error).__name__)
    gc.collect()
    print(*raised)

if main == "first":
    use()
for _ in range(3):
    one = create(kind)
    sub.run_string(one, code)
    sub.destroy(one)
    gc.collect()
    if main == "between":
        use()
use()
"""
#: Since 3.12, Python refuses modules like ours in an isolated subinterpreter before it asks them.
REFUSALS = {
    "legacy": "refused: turnwire works in the main interpreter only",
    "isolated": "refused: (turnwire works in the main interpreter only|module turnwire._core does not support loading)",
}


@pytest.mark.parametrize("main", ["first", "between", "later"])
@pytest.mark.parametrize("kind", list(REFUSALS))
def test_a_subinterpreter_is_refused_and_the_main_one_is_not(kind: str, main: str) -> None:
    package = str(Path(turnwire.__file__).parent.parent)
    program = [THREE_SUBINTERPRETERS, kind, main, package, IMPORTS_TWICE.format(package=package)]
    run = subprocess.run([sys.executable, "-I", "-S", "-c", *program], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    refused = [line for line in run.stdout.splitlines() if re.match(REFUSALS[kind], line)]
    used = [line for line in run.stdout.splitlines() if line not in refused]
    assert len(refused) == 6
    times = {"first": 2, "between": 4, "later": 1}[main]
    assert used == ["ParseError BuildError UnknownDialectError TypeError"] * times


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
