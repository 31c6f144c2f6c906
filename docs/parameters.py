"""Describes the parameters that a docstring leaves to another function, for the reference."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from turnwire._signature import DEFAULTS

PACKAGE = Path(__file__).parent.parent / "python/turnwire"

Function: TypeAlias = ast.FunctionDef

SOURCES: dict[str, tuple[str, ...]] = {
    "turnwire.prepare_json": ("turnwire.prepare",),
    "turnwire.check": ("turnwire.prepare",),
    "turnwire.convert_json": ("turnwire.convert",),
    "turnwire.replies.convert_reply_json": ("turnwire.replies.convert_reply",),
    "turnwire.MessageHistory.prepare": ("turnwire.prepare",),
    "turnwire.MessageHistory.prepare_json": ("turnwire.MessageHistory.prepare",),
    "turnwire.Conversation.render_json": ("turnwire.Conversation.render",),
    "turnwire.Ledger": ("turnwire.prepare",),
    "turnwire.Ledger.prepare_json": ("turnwire.Ledger.prepare",),
    "turnwire.Ledger.load": ("turnwire.prepare",),
    "turnwire.MessageHistory.ledger": ("turnwire.prepare",),
    "turnwire.history.HistoryLedger.prepare_json": ("turnwire.history.HistoryLedger.prepare",),
    "turnwire.history.HistoryLedger.compaction": ("turnwire.history.HistoryLedger.prepare",),
    "turnwire.Reply.render_json": ("turnwire.Reply.render",),
    "turnwire.batch.check_file": ("turnwire.batch.convert_file", "turnwire.prepare"),
    "turnwire.batch.check_lines": ("turnwire.batch.convert_lines", "turnwire.prepare"),
    "turnwire.batch.convert_batch": ("turnwire.prepare",),
    "turnwire.batch.convert_file": ("turnwire.convert_json",),
    "turnwire.batch.convert_lines": ("turnwire.batch.convert_file", "turnwire.convert_json"),
    "turnwire.batch.prepare_file": ("turnwire.batch.convert_file", "turnwire.prepare"),
    "turnwire.batch.prepare_lines": ("turnwire.batch.convert_lines", "turnwire.prepare"),
    "turnwire.batch.truncate_file": (
        "turnwire.batch.convert_file", "turnwire.truncate_tool_results", "turnwire.prepare",
    ),
    "turnwire.batch.truncate_lines": (
        "turnwire.batch.convert_lines", "turnwire.truncate_tool_results", "turnwire.prepare",
    ),
    "turnwire.arrow.check": ("turnwire.arrow.convert", "turnwire.prepare"),
    "turnwire.arrow.convert": ("turnwire.convert_json",),
    "turnwire.arrow.prepare": ("turnwire.arrow.convert", "turnwire.prepare"),
    "turnwire.arrow.truncate": ("turnwire.arrow.convert", "turnwire.truncate_tool_results", "turnwire.prepare"),
}  # fmt: skip
"""Functions whose parameters are described where another function takes them, in the order in which to look. Names in
brackets are the only ones to take from there."""

ALIKE = {"data": "payload", "dialect": "source"}
"""Parameters with another name in the function that describes them."""

SHARED = "AdapterOptions"
"""The options that a page describes once, for all functions that take them."""

Find: TypeAlias = Callable[[str], tuple[Function, str]]
"""Finds a function and its docstring by its name."""


LINES = "The rows: JSON text as bytes, with or without a line end."


class Option(NamedTuple):
    """One keyword of a `TypedDict`: its name, its type and what it means."""

    name: str
    kind: str
    meaning: str

    @property
    def default(self) -> str:
        """What it is where it is not given, as Python writes it."""
        return repr(DEFAULTS.get(self.name))


@cache
def classes() -> dict[str, ast.ClassDef]:
    """Every class with options."""
    files = ("types.py", "batch/tasks.py")
    trees = (ast.parse((PACKAGE / file).read_text(encoding="utf-8")) for file in files)
    return {node.name: node for tree in trees for node in tree.body if isinstance(node, ast.ClassDef)}


def options(name: str) -> list[Option]:
    """The options of a `TypedDict`, those that it inherits first. `""` for one without a docstring below it."""
    node = classes()[name]
    inherited = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id in classes()]
    found = [option for base in inherited for option in options(base)]
    for at, line in enumerate(node.body):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            match node.body[at + 1 : at + 2]:
                case [ast.Expr(value=ast.Constant(value=str(meaning)))]:
                    said = " ".join(meaning.split())
                case _:
                    said = ""
            found.append(Option(line.target.id, ast.unparse(line.annotation).replace("'", '"'), said))
    return found


def spelled_out(node: Function) -> list[Option]:
    """The options behind a function's `**options`. Those of the adapters have a section of their own."""
    kind = node.args.kwarg.annotation if node.args.kwarg else None
    if not isinstance(kind, ast.Subscript) or not isinstance(kind.slice, ast.Name) or kind.slice.id == SHARED:
        return []
    return options(kind.slice.id)


def given(node: Function) -> Iterator[str]:
    """The names of a function's parameters, those of its options included. One without a name explains itself."""
    args = node.args
    yield from (one.arg for one in [*args.args, *args.kwonlyargs] if one.arg not in ("self", "cls"))
    yield from (one.name for one in spelled_out(node))
    if node.args.kwarg and not spelled_out(node):
        yield node.args.kwarg.arg


def described(name: str, node: Function, docstring: str, find: Find) -> dict[str, str]:
    """What each parameter of a function means, by its own docstring or that of the functions in `SOURCES`."""
    own = {one: _said(meaning, one, find) for one, meaning in listed(docstring, "Args").items()}
    said = {"lines": LINES} | {one.name: one.meaning for one in spelled_out(node) if one.meaning} | own
    sources = [(*source.rstrip("]").partition("[")[::2],) for source in SOURCES.get(name, ())]
    for source, some in sources:
        other, text = find(source)
        for theirs, meaning in described(source, other, text, find).items():
            if not some or theirs in some.split():
                for mine in (theirs, *(mine for mine, like in ALIKE.items() if like == theirs)):
                    said.setdefault(mine, meaning)
    missing = [one for one in given(node) if one not in said]
    if missing:
        raise SystemExit(f"{name}: describe {', '.join(missing)} in its docstring, or name a function in SOURCES")
    return {one: said[one] for one in given(node)}


ELSEWHERE = re.compile(r"As in `([\w.]+)`([^.]*\.(?: .*)?)", flags=re.S)


def _said(meaning: str, parameter: str, find: Find) -> str:
    """What a parameter means; where that is said of another function, as it is said there."""
    if not (other := ELSEWHERE.fullmatch(meaning)):
        return meaning
    full = f"turnwire.{other[1].removeprefix('turnwire.')}"
    node, docstring = find(full)
    more = other[2].lstrip(" ,.").strip()
    said = described(full, node, docstring, find)[parameter]
    return f"{said} {more[:1].upper()}{more[1:]}".strip()


def errors(name: str, docstring: str, find: Find) -> str:
    """A function's own section `Raises`, or that of the first function that describes all of its parameters."""
    if (own := re.search(r"^Raises:\n(?:[ \t]+.*\n?|\n)+", docstring + "\n", flags=re.M)) or name not in SOURCES:
        return own[0] if own else ""
    source = next((one for one in SOURCES[name] if "[" not in one), "")
    return errors(source, find(source)[1], find)


def listed(docstring: str, section: str) -> dict[str, str]:
    """The entries of a section of a docstring."""
    found = re.search(rf"^{section}:\n((?:[ \t]+.*\n?|\n)+)", docstring, flags=re.M)
    items = re.findall(r"^ {4}(\S[^:]*): (.*(?:\n {8}.*)*)", found[1], flags=re.M) if found else []
    return {name: " ".join(said.split()) for name, said in items}
