"""Writes the options of `prepare` wherever they are spelled out, from `options.py`: signatures and docstrings."""

import re
import textwrap
from pathlib import Path

import parameters
from parameters import PACKAGE, Option

RUST = Path(__file__).parent.parent / "rust/turnwire-py/src"
WIDTH = 120


def options(name: str = "Options") -> list[Option]:
    """The options of a `TypedDict` in `options.py`, each of which has a docstring."""
    found = parameters.options(name)
    if missing := [one.name for one in found if not one.meaning]:
        raise SystemExit(f"options.py: give {', '.join(missing)} a docstring below it")
    return found


def described(option: Option, indent: int) -> str:
    """An option as a docstring's section `Args` has it."""
    start, more = " " * indent, " " * (indent + 4)
    return textwrap.fill(f"{option.name}: {option.meaning}", WIDTH, initial_indent=start, subsequent_indent=more)


def of_prepare() -> list[Option]:
    """Those of `prepare` itself."""
    return [*options("RestOption"), *options()]


FUNCTION = r"(def {}\(\n    messages: _Messages,\n.*?    tools: Iterable\[object\] \| None = None,\n).*?(\) -> )"
MARK = r"( {8}tools: .*?\n)(?: {8}\w+: .*?)?(\n {4}Raises:)"


def stub() -> str:
    """`_core.pyi`, with the options in each signature of `prepare` and `prepare_json`, and in their docstrings."""
    text = (PACKAGE / "_core.pyi").read_text(encoding="utf-8")
    listed = "".join(f"    {one.name}: {one.kind} = {one.default},\n".replace("'", '"') for one in of_prepare())
    said = "\n".join(described(one, 8) for one in of_prepare()) + "\n"
    for name in ("prepare", "prepare_json"):
        text = re.sub(FUNCTION.format(name), lambda found: found[1] + listed + found[2], text, flags=re.S)
        head, doc, tail = _docstring(text, name)
        text = head + re.sub(MARK, lambda found: _tools(found[1]) + said + found[2], doc, count=1, flags=re.S) + tail
    return text


def _docstring(text: str, name: str) -> tuple[str, str, str]:
    start = text.index('"""', text.index(f"\ndef {name}("))
    end = text.index('"""', start + 3)
    return text[:start], text[start:end], text[end:]


def _tools(said: str) -> str:
    """The lines that are about `tools` alone: what follows is made."""
    lines = said.splitlines(keepends=True)
    own = [lines[0]]
    for line in lines[1:]:
        if not line.startswith(" " * 12):
            break
        own.append(line)
    return "".join(own)


ARGS = r"( def {}(?:_json)?\([^@]*?\n {{8}}Args:\n(?: {{12}}(?:dialect|target|max_bytes): [^\n]*\n)+).*?( {{8}}\"{{3}})"
TAKES = (
    r"( def {}(?:_json)?\(\n {{8}}self,\n(?: {{8}}(?:dialect|target|max_bytes): [^\n]*\n)+ {{8}}\*,\n)"
    r".*?( {{4}}\) -> [^\n]*)"
)
PASSES = (
    r"( return (?:self\.conversation\.)?{}(?:_json)?\(\n(?: {{12}}(?:self\.conversation|dialect|target|max_bytes),\n)+)"
    r".*?( {{8}}\))"
)


def of_history(file: str, function: str, kind: str) -> str:
    """A file of `history/`, with the options in the signatures, the docstrings and the calls of one function."""
    text = (PACKAGE / "history" / file).read_text(encoding="utf-8")
    made = options(kind)
    said = "\n".join(described(one, 12) for one in made) + "\n"
    takes = "".join(f"        {one.name}: {one.kind} = {one.default},\n" for one in made).replace("'", '"')
    passes = "".join(f"            {_passed(one)},\n" for one in made)

    def taken(found: re.Match[str]) -> str:
        overload = found[2].endswith("...")
        return found[1] + (takes if overload else takes.replace(AFTER_IN_OVERLOADS, AFTER_IN_BODY)) + found[2]

    text = re.sub(ARGS.format(function), lambda found: found[1] + said + found[2], text, flags=re.S)
    text = re.sub(TAKES.format(function), taken, text, flags=re.S)
    return re.sub(PASSES.format(function), lambda found: found[1] + passes + found[2], text, flags=re.S)


AFTER_IN_OVERLOADS = "after: Rendered[Any] | bytes | None = None"
AFTER_IN_BODY = "after: Rendered[Any] | bytes | None = _NOT_GIVEN"


def _passed(option: Option) -> str:
    """How an option is passed on: `after` only where the caller gives it, since None has a meaning there."""
    return "**_given(after)" if option.name == "after" else f"{option.name}={option.name}"


OPTIONS = r"( {12}options: [^\n]*\n)(?: {12}\w+: .*?)?(\n {8}Raises:)"


def ledger() -> str:
    """`ledger.py`, with the options of `Ledger` in its docstring."""
    text = (PACKAGE / "ledger.py").read_text(encoding="utf-8")
    meanings = {one.name: one.meaning for one in options("Prepared")}
    made = [one._replace(meaning=one.meaning or meanings[one.name]) for one in parameters.options("LedgerOptions")]
    said = "".join(f"{described(one, 12)}\n" for one in made)
    return re.sub(OPTIONS, lambda found: found[1] + said + found[2], text, count=1, flags=re.S)


def binding() -> str:
    """`prepare.rs`, with the options in what Python shows as the signature."""
    text = (RUST / "prepare.rs").read_text(encoding="utf-8")
    given = "messages, target, max_bytes=None, *, source='auto', tool_results=False, system=None, tools=None"
    shown = ", ".join([given, *(f"{one.name}={one.default}" for one in of_prepare())])
    lines = textwrap.wrap(f"({shown})", 90)
    start = '    text_signature = "'
    written = start + (" \\\n" + " " * len(start)).join(lines) + '"\n'
    return re.sub(r'    text_signature = "\(messages, target, max_bytes.*?"\n', lambda _: written, text, flags=re.S)
