"""`help()` and `inspect.signature` name every parameter of every public function, class and method."""

import ast
import importlib
import inspect
import pkgutil
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import turnwire
from turnwire import adapters
from turnwire._signature import DEFAULTS

ADAPTERS = [f"turnwire.adapters.{one.name}" for one in pkgutil.iter_modules(adapters.__path__) if one.name[0] != "_"]


def is_here(name: str) -> bool:
    """Whether what an adapter binds is installed."""
    try:
        return bool(importlib.import_module(name))
    except ImportError:
        return False


MODULES = [
    "turnwire",
    "turnwire.arrow",
    "turnwire.batch",
    "turnwire.structured",
    "turnwire.tools.slack",
    *filter(is_here, ADAPTERS),
]


def callables(module: Any) -> Iterator[tuple[str, Callable[..., object]]]:
    """Each public function and class of a module, and each public method of its classes."""
    for name in module.__all__:
        value = getattr(module, name)
        if not callable(value) or typing.get_origin(value) is not None or getattr(value, "_is_protocol", False):
            continue
        yield name, value
        if isinstance(value, type):
            ours = [each for each in value.__mro__ if each.__module__.startswith("turnwire")]
            methods = sorted({method for each in ours for method in vars(each) if method[0] != "_"})
            yield from ((f"{name}.{method}", made) for method in methods if callable(made := getattr(value, method)))


COLUMNS = {"server", "Server.but"}
"""Those that take the columns of a row, which are data."""

NATIVE = {
    "prepare",
    "prepare_json",
    "check",
    "convert",
    "convert_json",
    "Conversation.render",
    "Conversation.render_json",
    "Receipt.only",
}
"""Those of the extension that take options of single dialects behind the ones that they name."""


@pytest.mark.parametrize("module", MODULES)
def test_every_signature_names_every_parameter(module: str) -> None:
    found = dict(callables(importlib.import_module(module)))
    assert found
    for name, value in found.items():
        if name in NATIVE or name in COLUMNS:
            continue
        kinds = {one.kind for one in inspect.signature(value).parameters.values()}
        assert kinds & {inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL} == set(), name


def test_every_function_with_typed_options_spells_them_out() -> None:
    """Also in adapters whose frameworks are not installed here."""
    found = 0
    for path in Path(turnwire.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            kind = node.args.kwarg.annotation if isinstance(node, ast.FunctionDef) and node.args.kwarg else None
            if isinstance(node, ast.FunctionDef) and kind and ast.unparse(kind).startswith("Unpack["):
                found += 1
                assert "spelled_out" in map(ast.unparse, node.decorator_list), f"{path}: {node.name}"
    assert found > 10


@pytest.mark.parametrize("name", ["Ledger", "Ledger.load", "MessageHistory.ledger"])
def test_an_option_has_the_default_and_the_type_of_prepare(name: str) -> None:
    value: Any = turnwire
    for part in name.split("."):
        value = getattr(value, part)
    options = inspect.signature(value).parameters
    assert options["reasoning"].default == DEFAULTS["reasoning"]
    assert options["reasoning"].annotation == "ReasoningChoice"
    assert options["wording"].default is None
    # The signature is for readers: a name that it lacks is still refused, and one that it has still arrives.
    with pytest.raises(TypeError):
        turnwire.Ledger("anthropic", no_such=None)  # type: ignore[call-arg]
    assert turnwire.Ledger("anthropic", model="m").state()


def test_help_of_a_ledger_shows_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    help(turnwire.Ledger)
    shown = capsys.readouterr().out
    assert "wording: 'Wording | None' = None" in shown
    assert "**options" not in shown


BUDGET = "The most UTF-8 bytes of a request's messages, markers included, or a `Budget`; None for no limit."


def test_adapters_describe_the_same_budget_alike() -> None:
    """All that prepare whole requests: in one sentence, and then what else counts in that framework."""
    found = 0
    for path in Path(adapters.__file__).parent.glob("[!_]*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            text = " ".join((ast.get_docstring(node) or "").split()) if isinstance(node, ast.FunctionDef) else ""
            if "settings: The options of `prepare`" in text:
                found += 1
                assert f" budget: {BUDGET} " in text, f"{path}: {node.name} does not say {BUDGET!r}"
    assert found >= 8
