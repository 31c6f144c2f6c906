"""The public names: what `turnwire` exports, and that each of them is documented where a user's editor looks."""

import ast
import inspect
import pydoc
import re
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import get_type_hints

import pytest
import turnwire
from turnwire._signature import DEFAULTS
from turnwire.history import send
from turnwire.types import HistoryOptions, PrepareOptions, RenderOptions

STUB = Path(turnwire.__file__).with_name("_core.pyi")
WAITING = {"Diff", "diff_codes", "error_codes"}
"""What only the package itself uses."""


def test_all_is_the_public_names():  # ruff keeps it sorted
    public = {name for name in dir(turnwire) if not name.startswith("_")}
    public -= {name for name in public if isinstance(getattr(turnwire, name), ModuleType)}
    assert set(turnwire.__all__) == public | {"__version__"}
    assert len(turnwire.__all__) == len(set(turnwire.__all__))


MODULES = ("parts", "replies", "text", "constants", "spec", "codes", "types")


def test_every_native_name_is_in_a_module():
    native = {name for name in turnwire._core.__all__ if not name.startswith("_")}
    there = {name for module in MODULES for name in getattr(turnwire, module).__all__}
    assert native - set(turnwire.__all__) - there == WAITING


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


def docstrings(body: list[ast.stmt], where: str = "") -> dict[str, str]:
    """Every documented class, function and property of a stub; a class's text includes that of its `__new__`."""
    found = {}
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and (doc := ast.get_docstring(node)):
            found[where + node.name] = doc
        if isinstance(node, ast.ClassDef):
            inner = docstrings(node.body, f"{where}{node.name}.")
            if new := inner.pop(f"{where}{node.name}.__new__", None):
                found[where + node.name] += f"\n\n{new}"
            found |= inner
    return found


DOCSTRINGS = docstrings(ast.parse(STUB.read_text(encoding="utf-8")).body)


def part_of(name):
    """What has a name of the stub, and the class or module that it is in."""
    owner, thing = None, turnwire._core
    for part in name.split("."):
        owner, thing = thing, inspect.getattr_static(thing, part)
    return owner, thing


def is_own(name):
    """Whether help is its own: of some methods the base class says it, and the stub only knows a better type here."""
    owner, _ = part_of(name)
    return not isinstance(owner, type) or name.rpartition(".")[2] in vars(owner)


@pytest.mark.parametrize("name", [name for name in DOCSTRINGS if is_own(name)])
def test_help_says_what_the_stub_says(name):
    _, thing = part_of(name)
    doc = inspect.getdoc(thing.__func__ if isinstance(thing, staticmethod | classmethod) else thing)
    assert doc == DOCSTRINGS[name], f'put `#[doc = stub!("{name}")]` over it in rust/turnwire-py/src'


ARGUMENTS = {"messages", "target", "budget"}
NAMED = {"server_tools", "blobs", "assistant_role", "tool_results"}
"""The options of single dialects, which the signatures of the extension do not name."""


@pytest.mark.parametrize("function", [turnwire.prepare, turnwire.prepare_json], ids=lambda one: one.__name__)
def test_the_options_of_prepare_are_keywords(function):
    hints = set(get_type_hints(PrepareOptions))
    shown = dict(inspect.signature(function).parameters)
    del shown["options"]
    # JSON has no elements to share, and what a program passes on may go to `check` or to a file, too.
    own = {"share": False} if function is turnwire.prepare else {}
    assert {name: one.default for name, one in shown.items() if name not in {*hints, *ARGUMENTS}} == own
    assert set(shown) - {*ARGUMENTS, *own} == hints - NAMED
    assert all(shown[name].kind is inspect.Parameter.KEYWORD_ONLY for name in hints - NAMED)
    assert {name: shown[name].default for name in hints - NAMED} == {name: DEFAULTS.get(name) for name in hints - NAMED}
    for node in ast.walk(ast.parse(STUB.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name == function.__name__:
            assert ast.unparse(node.args.kwarg.annotation) == "Unpack[DialectOptions]"
            assert [one.arg for one in node.args.args + node.args.kwonlyargs] == list(shown)


def test_each_argument_of_prepare_has_its_meaning():
    doc = inspect.getdoc(turnwire.prepare).split("Args:")[1].split("Raises:")[0]
    described = re.findall(r"^ {4}(\w+): ", doc, flags=re.M)
    assert described == list(inspect.signature(turnwire.prepare).parameters)


METHODS = {
    "render": RenderOptions,
    "render_json": RenderOptions,
    "prepare": HistoryOptions,
    "prepare_json": HistoryOptions,
}


@pytest.mark.parametrize("name", METHODS)
def test_a_history_has_keywords_too_and_passes_each_on(name, monkeypatch):
    method, hints = getattr(turnwire.MessageHistory, name), set(get_type_hints(METHODS[name]))
    shown = {key: one for key, one in inspect.signature(method).parameters.items() if key in hints}
    assert set(shown) == hints
    assert all(parameter.kind is inspect.Parameter.KEYWORD_ONLY for parameter in shown.values())
    assert {key: one.default for key, one in shown.items()} == {key: DEFAULTS.get(key) for key in hints}
    passed = []
    monkeypatch.setattr(send, name, lambda *_, **given: passed.append(given), raising=False)
    conversation = SimpleNamespace(**{name: lambda *_, **given: passed.append(given)})
    monkeypatch.setattr(turnwire.MessageHistory, "conversation", conversation)
    given = {option: object() for option in shown}
    getattr(turnwire.MessageHistory(), name)("openai", **given)
    assert {key: one for key, one in passed[0].items() if key in given} == given


def test_the_defaults_are_what_prepare_does():
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "a" * 99},
        {"role": "user", "content": "z"},
    ]
    defaults = {option: DEFAULTS[option] for option in get_type_hints(PrepareOptions) if option in DEFAULTS}
    assert len(defaults) > 7
    assert turnwire.prepare(messages, "openai", 60, **defaults) == turnwire.prepare(messages, "openai", 60)


def test_help_has_the_signature_too():
    # Newer versions of pydoc break long signatures over lines.
    shown = " ".join(pydoc.render_doc(turnwire.convert, renderer=pydoc.plaintext).split())
    assert f"convert{inspect.signature(turnwire.convert)}".replace(" ", "") in shown.replace(" ", "").replace(",)", ")")
    assert "Raises:" in shown


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
