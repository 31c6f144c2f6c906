"""What every adapter has: a file of its own with one noun, how to install it, and the tested versions."""

import ast
import logging
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
from needs import rows
from turnwire.adapters import _framework

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "python/turnwire/adapters").glob("[a-z]*.py"))
# litellm calls only its asynchronous hooks; the synchronous half is a function of ours.
NOUNS = {"litellm": 2}
WITHOUT = """
import sys
sys.modules[sys.argv[1]] = None
try:
    import turnwire.adapters.{name}
except ImportError as error:
    print(error)
"""


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def called(path, name):
    """What a module calls a function of ours."""
    calls = (node for node in ast.walk(tree(path)) if isinstance(node, ast.Call))
    return [
        [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
        for call in calls
        if getattr(call.func, "id", None) == name
    ]


def exports(path):
    names = [node for node in tree(path).body if isinstance(node, ast.Assign) and node.targets[0].id == "__all__"]
    return ast.literal_eval(names[0].value)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_one_file_one_noun(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 125
    assert len(exports(path)) == NOUNS.get(path.stem, 1)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_versions_that_were_tested_are_those_of_the_groups(path):
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["dependency-groups"]
    ((package, oldest, newest),) = called(path, "tested")
    pinned = {"oldest": set(), "newest": set()}
    for group, requirements in groups.items():
        for age in pinned:
            if group.startswith(f"adapters-{age}"):
                pinned[age] |= {line for line in requirements if isinstance(line, str)}
    assert f"{package}=={oldest}" in pinned["oldest"]
    assert f"{package}=={newest}" in pinned["newest"]
    page = (ROOT / "docs/adapters.md").read_text(encoding="utf-8")
    (_, row) = [line for line in page.splitlines() if line.startswith(f"| `{path.stem}` |")]
    told = f"{package} {oldest} to {newest}" if oldest != newest else f"{package} {oldest}"
    assert row.endswith(f" {told} |"), f"docs/adapters.md is to say: {told}"


@cache
def loaded_by_turnwire():
    """The packages that are there once turnwire was imported, and used."""
    # A namespace package may be there before any import.
    code = "import sys; before = {*sys.modules}; import turnwire, turnwire.adapters; turnwire.prepare; "
    code += "print(*{name.partition('.')[0] for name in {*sys.modules} - before})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.split()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_framework_that_is_not_there(path):
    ((package, *_),) = called(path, "missing")
    first = next(found for found in tree(path).body if isinstance(found, ast.Try)).body[0]
    root = (first.module if isinstance(first, ast.ImportFrom) else first.names[0].name).partition(".")[0]
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT.format(name=path.stem), root], capture_output=True, text=True, check=True
    )
    assert f"pip install --upgrade {package}" in run.stdout
    # turnwire itself imports nothing of the framework.
    loaded = loaded_by_turnwire()
    assert "turnwire" in loaded and root not in loaded


def test_a_framework_that_lacks_something():
    lacking = _framework.missing("pytest", ImportError("cannot import name 'x'"))
    assert f"pytest {pytest.__version__} lacks" in str(lacking)
    assert "needs the package 'no-such-framework'" in str(_framework.missing("no-such-framework", ImportError()))


@pytest.mark.parametrize(
    ("version", "told"), [("1.4.9", True), ("1.5.0", False), ("2.3.9", False), ("2.4.0", True), ("3.0", True)]
)
def test_an_untested_version(version, told, monkeypatch, caplog):
    monkeypatch.setattr(_framework.importlib.metadata, "version", lambda package: version)
    with caplog.at_level(logging.WARNING, "turnwire"):
        _framework.tested("framework", "1.5.0", "2.3.1")
    said = [f"framework {version}: turnwire's adapter was tested with 1.5.0 to 2.3.1"] if told else []
    assert caplog.messages == said


def test_the_page_has_a_line_for_each_and_each_has_its_test():
    assert {*rows()} == {path.stem for path in FILES}
    tests = [(path, (Path(__file__).parent / f"test_{path.stem}.py").read_text(encoding="utf-8")) for path in FILES]
    assert [path.stem for path, text in tests if f'rows()["{path.stem}"]' not in text] == []
