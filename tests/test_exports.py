"""The public door: what `turnwire` exports, and that every exported thing is documented where a user's editor looks."""

import ast
from pathlib import Path
from types import ModuleType

import pytest
import turnwire

STUB = Path(turnwire.__file__).with_name("_core.pyi")


def test_all_is_the_public_names():  # ruff keeps it sorted
    public = {name for name in dir(turnwire) if not name.startswith("_")}
    public -= {name for name in public if isinstance(getattr(turnwire, name), ModuleType)}
    assert set(turnwire.__all__) == public | {"__version__"}
    assert len(turnwire.__all__) == len(set(turnwire.__all__))


def test_every_native_name_is_exported():
    native = {name for name in turnwire._core.__all__ if not name.startswith("_")}
    assert native - set(turnwire.__all__) == set()


@pytest.mark.parametrize("name", turnwire.__all__)
def test_every_name_resolves(name):
    assert getattr(turnwire, name) is not None


def undocumented(body: list[ast.stmt], where: str, *, constants: bool) -> list[str]:
    """Public names in a stub's body that have no docstring; an overloaded one needs a docstring once."""
    documented, seen = set(), {}
    for at, node in enumerate(body):
        match node:
            case ast.ClassDef(name=name) if not name.startswith("_"):
                seen[name] = node
                if ast.get_docstring(node):
                    documented.add(name)
                for inner in undocumented(node.body, f"{where}{name}.", constants=False):
                    seen[inner] = node
            case ast.FunctionDef(name=name) if not name.startswith("_"):
                seen[f"{where}{name}"] = node
                if ast.get_docstring(node):
                    documented.add(f"{where}{name}")
            case ast.AnnAssign(target=ast.Name(id=name)) if constants and not name.startswith("_"):
                seen[name] = node
                match body[at + 1 : at + 2]:
                    case [ast.Expr(value=ast.Constant(value=str()))]:
                        documented.add(name)
    return [name for name in seen if name not in documented]


def test_everything_native_is_documented_in_the_stub():
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    assert undocumented(tree.body, "", constants=True) == []


def test_the_check_sees_what_is_missing():
    stub = """
A: int
B: int
"Doc."
class C:
    def m(self): ...
    def _p(self): ...
def f(): "Doc."
def g(): ...
"""
    assert undocumented(ast.parse(stub).body, "", constants=True) == ["A", "C", "C.m", "g"]
