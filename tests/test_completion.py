"""Editors complete every public name: the package has what `__init__.pyi` declares, for jedi and for pyright."""

import ast
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import turnwire

STUB = Path(turnwire.__file__).with_suffix(".pyi")
TREE = ast.parse(STUB.read_text(encoding="utf-8"))
NAMES = sorted(turnwire.__all__)


def imported() -> dict[str, str]:
    """Each name that the stub imports, with its module."""
    lines = [node for node in TREE.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: f"turnwire.{line.module or ''}".rstrip(".") for line in lines for alias in line.names}


def completions(code: str) -> set[str]:
    """What jedi completes at the end of some code, without running the package."""
    jedi = pytest.importorskip("jedi")
    project = jedi.Project(STUB.parent.parent, load_unsafe_extensions=False)
    return {one.name for one in jedi.Script(code, project=project).complete()}


def revealed(names: list[str], folder: Path) -> tuple[dict[str, str], list[str]]:
    """What pyright knows about names of the package: the type of each, and its errors."""
    pytest.importorskip("basedpyright")
    code = ["import turnwire", *(f"reveal_type(turnwire.{name})" for name in names)]
    file = folder / "names_used.py"
    file.write_text("\n".join(code) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, str(file)]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=STUB.parent.parent.parent)
    types, complaints = {}, []
    for item in json.loads(run.stdout)["generalDiagnostics"]:
        if item["message"].startswith("Type of "):
            types[names[item["range"]["start"]["line"] - 1]] = item["message"].partition(" is ")[2]
        elif item["severity"] == "error":
            complaints.append(item["message"])
    return types, complaints


def test_the_stub_is_the_package() -> None:
    listed = next(node.value for node in TREE.body if isinstance(node, ast.Assign))
    assert ast.literal_eval(listed) == turnwire.__all__
    assert {name for name, module in imported().items() if module != "turnwire"} == set(turnwire.__all__)
    for name, module in imported().items():
        # A name of the package itself is a module.
        given = import_module(f"turnwire.{name}") if module == "turnwire" else getattr(import_module(module), name)
        assert given is getattr(turnwire, name), name


def test_jedi_completes_every_public_name() -> None:
    assert set(NAMES) <= completions("import turnwire\nturnwire.")
    assert {"prepare", "prepare_json"} <= completions("from turnwire import prep")
    assert {"set_messages", "set_budget", "build", "check"} <= completions(
        "import turnwire\nturnwire.spec.MessageBuilder()."
    )
    assert {"add_user_message", "prepare", "window"} <= completions("import turnwire\nturnwire.MessageHistory().")


@pytest.mark.parametrize("name", ["prepare", "check", "Budget", "MessageHistory", "convert"])
def test_jedi_shows_what_a_name_is_for(name: str) -> None:
    jedi = pytest.importorskip("jedi")
    project = jedi.Project(STUB.parent.parent, load_unsafe_extensions=False)
    code = f"import turnwire\nturnwire.{name}"
    helped = jedi.Script(code, project=project).help(2, len(code.rpartition("\n")[2]))
    first = (getattr(turnwire, name).__doc__ or "").strip().partition("\n")[0]
    assert first
    assert any(first in one.docstring() for one in helped)


@pytest.mark.timeout(300)
def test_pyright_knows_every_public_name(tmp_path: Path) -> None:
    types, complaints = revealed(NAMES, tmp_path)
    assert complaints == []
    assert types.keys() == set(NAMES)
    assert [name for name, kind in types.items() if kind.strip('"') in ("Unknown", "Any")] == []


@pytest.mark.timeout(300)
def test_the_check_sees_a_name_that_is_missing(tmp_path: Path) -> None:
    _, complaints = revealed(["prepared"], tmp_path)
    assert complaints
