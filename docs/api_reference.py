"""Writes the reference from the stubs: every public name with its signature, its docstring and an example that runs."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import parameters

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "python/turnwire"

MODULES = {
    "turnwire": [
        "_core.pyi", "builder.py", "ledger.py", "history/message_history.py", "history/write.py",
        "history/send.py", "history/window.py",
        "answers/__init__.py", "errors.py", "names.py",
    ],
    "turnwire.batch": [
        "batch/jobs.py", "batch/blocks.py", "batch/engine.py", "batch/tasks.py", "batch/batch_files.py",
        "batch/batch_requests.py", "batch/batch_answers.py", "batch/batch_results.py", "batch/batch_wires.py",
        "batch/read.py", "batch/__init__.py",
    ],
    "turnwire.arrow": ["arrow.py"],
    "turnwire.structured": ["structured.py"],
}  # fmt: skip
"""The files that say what each module exports, the table of contents of the package last."""

HEAD = """\
# Reference

<!-- Written by docs/api_reference.py: change the docstring or docs/examples.toml, then `make docs`. -->

Every public name. Editors and `help()` show the same texts. All examples run as tests.

Most programs need [`prepare`](#turnwireprepare) and [`check`](#turnwirecheck) for requests,
[`parse_reply`](#turnwireparse_reply) and [`StreamAssembler`](#class-turnwirestreamassembler) for replies, and
[`MessageHistory`](#class-turnwiremessagehistory) or [`Ledger`](#class-turnwireledger) for what comes between.
"""

Node = ast.ClassDef | ast.FunctionDef | ast.AnnAssign
Made = ast.FunctionDef | None


@cache
def exported(module: str) -> list[str]:
    """The names in `__all__` of a module."""
    file = PACKAGE / {"turnwire": "__init__.py", "turnwire.batch": "batch/__init__.py"}.get(module, f"{module[9:]}.py")
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return sorted(names, key=str.lower)
    raise SystemExit(f"{module} has no __all__")


@cache
def nodes(module: str) -> dict[str, list[ast.AST]]:
    """What the files of a module define, by name; overloads together. A constant is followed by its docstring."""
    found: dict[str, list[ast.AST]] = {}
    for file in MODULES[module]:
        body = ast.parse((PACKAGE / file).read_text(encoding="utf-8")).body
        for at, node in enumerate(body):
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                    found.setdefault(name, []).append(node)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    found.setdefault(name, []).extend([node, *body[at + 1 : at + 2]])
    return found


def page() -> str:
    """The whole reference."""
    examples = tomllib.loads((HERE / "examples.toml").read_text(encoding="utf-8"))
    text = HEAD
    for module in MODULES:
        known, names = nodes(module), exported(module)
        text += f"\n## {module}\n"
        text += "\n" + " · ".join(f"[`{name}`](#{anchor(module, name)})" for name in names) + "\n"
        for name in names:
            text += entry(module, name, known.get(name, []), set(names))
            if example := examples.get(module.removeprefix("turnwire").strip(".") or "turnwire", {}).get(name):
                text += f"\n```python\n{example.strip()}\n```\n"
    return text + types(text)


def types(text: str) -> str:
    """The section on the short names of types that a text links to, and on those that these stand for."""
    said = "\n## Types\n\nSignatures use these short names for types.\n"
    entries: dict[str, str] = {}
    while more := set(re.findall(r"\(#type-(\w+)\)", text + "".join(entries.values()))) - set(entries):
        for name, (kind, meaning) in aliases().items():
            if name.lower() in more:
                stands_for = f"\n{typed(kind, 'turnwire')}\n" if kind else ""
                entries[name.lower()] = f"\n### Type `{name}`\n" + (f"\n{meaning}\n" if meaning else "") + stands_for
    return said + "".join(entries[name] for name in sorted(entries))


@cache
def aliases() -> dict[str, tuple[str, str]]:
    """The types that signatures name and that no module exports: what each stands for, and its docstring.

    A name with two meanings is left out, and so is the list of dialects that a docstring describes.
    """
    found: dict[str, set[tuple[str, str]]] = {}
    for file in sorted({file for files in MODULES.values() for file in files}):
        body = ast.parse((PACKAGE / file).read_text(encoding="utf-8")).body
        for node, after in zip(body, [*body[1:], None], strict=True):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=(ast.BinOp() | ast.Subscript()) as value):
                    pass
                case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="TypeAlias"), value=value):
                    pass
                case _:
                    continue
            match after:
                case ast.Expr(value=ast.Constant(value=str(said))):
                    pass
                case _:
                    said = ""
            kind = "" if file == "names.py" else plain(value)
            found.setdefault(name.lstrip("_"), set()).add((kind, " ".join(said.split())))
    public = {name for module in MODULES for name in exported(module)}
    return {name: meanings.pop() for name, meanings in found.items() if len(meanings) == 1 and name not in public}


def typed(kind: str, module: str) -> str:
    """A type in backticks, with a link at each of its names that is on this page."""

    def link(name: str) -> str:
        home = next((one for one in (module, *MODULES) if name in exported(one)), None)
        if home is not None:
            return f"[`{name}`](#{anchor(home, name)})"
        return f"[`{name}`](#type-{name.lower()})" if name in aliases() else ""

    # A quoted word is a value.
    pieces = re.split(r"(\"[^\"]*\"|\b[A-Z]\w+\b)", kind)
    parts = [(piece, link(piece) if at % 2 and piece[0] != '"' else "") for at, piece in enumerate(pieces)]
    text, plain_text = "", ""
    for piece, made in [*parts, ("", "end")]:
        if not made:
            plain_text += piece
            continue
        # A space at the end of code would be lost, so it is outside.
        bare = plain_text.strip()
        if bare:
            start, _, end = plain_text.partition(bare)
            text += f"{start}`{bare}`{end}"
        else:
            text += plain_text
        text += made if made != "end" else ""
        plain_text = ""
    return text


def title(module: str, name: str) -> str:
    """What stands over a name: a class says that it is one, since `Diff` and `diff` would have one anchor."""
    kind = "class " if any(isinstance(node, ast.ClassDef) for node in nodes(module).get(name, [])) else ""
    return f"{kind}{module}.{name}"


def anchor(module: str, name: str) -> str:
    """Where a name is on the page."""
    return title(module, name).lower().replace(".", "").replace(" ", "-")


def entry(module: str, name: str, defined: list[ast.AST], names: set[str]) -> str:
    """The section of one name."""
    head = f"\n### `{title(module, name)}`\n"
    match defined:
        case [ast.ClassDef() as node, *_]:
            return head + class_of(node, names, module)
        case [ast.FunctionDef(), *_]:
            return head + function(defined, names, module)
        case [ast.AnnAssign() as node, *rest]:
            kind = "" if module == "turnwire" and name.endswith("Name") else f"`{ast.unparse(node.annotation)}`. "
            doc = rest[0].value.value if rest and isinstance(rest[0], ast.Expr) else ""  # type: ignore[attr-defined]
            return f"{head}\n{kind}{doc}\n"
    return f"{head}\nThe version of the package, a `str`.\n" if name == "__version__" else head


def function(defined: list[ast.AST], names: set[str], module: str, of: str = "") -> str:
    """A function, or a method of the class `of`: its signature, and what its docstring says."""
    documented = with_docstring(defined)
    name = ".".join(filter(None, (module, of, documented.name)))
    said = doc(ast.get_docstring(documented) or "", documented, names, module, name)
    return f"\n```py\n{signature(documented)}\n```\n{said}"


def with_docstring(defined: list[ast.AST]) -> ast.FunctionDef:
    """The overload with the docstring."""
    written = [node for node in defined if isinstance(node, ast.FunctionDef)]
    return next((node for node in written if ast.get_docstring(node)), written[0])


def find(name: str) -> tuple[ast.FunctionDef, str]:
    """A function, a method or what makes a class, by its name, with its docstring."""
    module = next(module for module in sorted(MODULES, key=len, reverse=True) if name.startswith(f"{module}."))
    first, _, method = name.removeprefix(f"{module}.").partition(".")
    defined = nodes(module)[first]
    if isinstance(node := defined[0], ast.ClassDef):
        defined = [one for one in members(node) if one.name in ((method,) if method else ("__init__", "__new__"))]
    documented = with_docstring(list(defined))
    return documented, ast.get_docstring(documented) or ""


def signature(node: ast.FunctionDef, of: str = "") -> str:
    """The signature, on one line or with a line for each parameter."""
    args = node.args
    positional = [one for one in [*args.posonlyargs, *args.args] if one.arg not in ("self", "cls")]
    defaults: list[ast.expr | None] = [None] * len(positional)
    if args.defaults:
        defaults[-len(args.defaults) :] = args.defaults
    parts = [parameter(one, default) for one, default in zip(positional, defaults, strict=True)]
    if args.vararg:
        parts.append(f"*{args.vararg.arg}")
    elif args.kwonlyargs:
        parts.append("*")
    parts += [parameter(one, default) for one, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    parts += [f"{one.name}: {one.kind} = {one.default}" for one in parameters.spelled_out(node)]
    name = of or node.name
    gives = f" -> {plain(node.returns)}" if node.returns is not None and not of else ""
    line = f"{name}({', '.join(parts)}){gives}"
    return line if len(line) <= 100 else f"{name}(\n" + "".join(f"    {part},\n" for part in parts) + f"){gives}"


def parameter(one: ast.arg, default: ast.expr | None) -> str:
    """One parameter with its type and default."""
    text = one.arg + (f": {plain(one.annotation)}" if one.annotation else "")
    return text if default is None else f"{text} = {ast.unparse(default)}"


def plain(annotation: ast.expr | None) -> str:
    """A type as a reader knows it: without the stub's private names."""
    text = ast.unparse(annotation) if annotation else ""
    text = re.sub(r"\b_(Messages|Body)\b", "messages or body", text)
    return re.sub(r"\b_([A-Z]\w*)", r"\1", text).replace("'", '"')


SECTION = re.compile(r"^(Args|Raises|Returns|Yields|Attributes):\n((?:[ \t]+.*\n?|\n)+)", flags=re.M)


def doc(
    text: str, node: ast.FunctionDef | ast.ClassDef, names: set[str], module: str, name: str = "", made: Made = None
) -> str:
    """A docstring as Markdown: the sections become lists, and names of the package become links.

    `name` is that of a function whose parameters are listed. For a class, `made` is the function with its parameters.
    """
    types = {}
    takes = node if isinstance(node, ast.FunctionDef) else made
    if takes:
        given = [*takes.args.posonlyargs, *takes.args.args, *takes.args.kwonlyargs]
        types = {one.arg: plain(one.annotation) for one in given if one.annotation}
        types |= {one.name: one.kind for one in parameters.spelled_out(takes)}
    if takes and name:
        text = completed(text, takes, name)

    def listed(found: re.Match[str]) -> str:
        title = {"Args": "Parameters", "Attributes": "Attributes"}.get(found[1], found[1])
        items = re.findall(r"^ {4}(\S[^:]*): (.*(?:\n {8}.*)*)", found[2], flags=re.M)
        lines = []
        for name, said in items:
            kind = f" ({typed(types[name], module)})" if name in types else ""
            lines.append(f"- `{name}`{kind}: {linked(' '.join(said.split()), names, module)}")
        return f"**{title}**\n\n" + ("\n".join(lines) if items else " ".join(found[2].split())) + "\n"

    head, *rest = re.split(r"^(?=(?:Args|Raises|Returns|Yields|Attributes):$)", text, flags=re.M)
    said = linked(head.rstrip(), names, module)
    return f"\n{said}\n" + "".join("\n" + SECTION.sub(listed, part.rstrip() + "\n") for part in rest)


def completed(text: str, node: ast.FunctionDef, name: str) -> str:
    """A docstring with every parameter, and with the errors of the function that describes them."""
    said = parameters.described(name, node, text, find)
    raised = parameters.errors(name, text, find)
    head, *rest = re.split(r"^(?=(?:Args|Raises|Returns|Yields|Attributes):$)", text, flags=re.M)
    args = "Args:\n" + "".join(f"    {one}: {meaning}\n" for one, meaning in said.items()) if said else ""
    others = [part for part in rest if not part.startswith(("Args:", "Raises:"))]
    return "\n".join(part.rstrip() + "\n" for part in (head, args, *others, raised) if part)


def linked(text: str, names: set[str], module: str) -> str:
    """The same text, with a link at each name of the module in backticks."""

    def link(found: re.Match[str]) -> str:
        name = found[1].partition(".")[0].partition("(")[0]
        return f"[{found[0]}](#{anchor(module, name)})" if name in names else found[0]

    # Not inside of code that is indented.
    lines = [
        line if line.startswith("    ") else re.sub(r"(?<!\[)`([A-Za-z_][\w.()]*)`", link, line)
        for line in text.splitlines()
    ]
    return "\n".join(lines)


def class_of(node: ast.ClassDef, names: set[str], module: str) -> str:
    """A class: how it is made, what it says, and its members."""
    made = next((one for one in members(node) if one.name in ("__new__", "__init__") and one.args.args[1:]), None)
    text = f"\n```py\n{signature(made, node.name)}\n```\n" if made else ""
    said = ast.get_docstring(made) if made else None
    # Attributes of the same names are described below.
    attributes = {one.name for one in members(node) if is_property(one)}
    alike = node.name.endswith("Error") or (made and set(parameters.given(made)) <= attributes)
    has_list = "Args:" in f"{ast.get_docstring(node)}{said}"
    name = "" if alike and not has_list else f"{module}.{node.name}"
    text += doc(ast.get_docstring(node) or "", node, names, module, "" if said else name, made)
    if made and said:
        text += doc(said, made, names, module, name)
    if fields := list(documented_fields(node)):
        text += "\n**Attributes**\n\n"
        text += "".join(
            f"- `{name}` ({typed(kind, module)}): {linked(said, names, module)}\n" for name, kind, said in fields
        )
    properties: list[ast.FunctionDef] = []
    methods: dict[str, list[ast.AST]] = {}
    for one in members(node):
        # A property that a base only demands is its class's.
        if one.name.startswith("_") or one.name in {known.name for known in properties}:
            continue
        if is_property(one):
            properties.append(one)
        else:
            methods.setdefault(one.name, []).append(one)
    if properties:
        text += "\n**Properties**\n\n"
        for one in properties:
            said = linked(" ".join((ast.get_docstring(one) or "").split()), names, module)
            text += f"- `{one.name}` ({typed(plain(one.returns), module)}): {said}\n"
    for name, several in methods.items():
        text += f"\n#### {node.name}.{name}\n{function(list(several), names, module, node.name)}"
    for inner in (one for one in node.body if isinstance(one, ast.ClassDef)):
        text += f"\n#### class {node.name}.{inner.name}\n{variant(inner, node.name, names, module)}"
    return text


def variant(node: ast.ClassDef, of: str, names: set[str], module: str) -> str:
    """A class inside of another: how it is made, and what its fields are."""
    made = next(one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__new__")
    text = f"\n```py\n{signature(made, f'{of}.{node.name}')}\n```\n"
    text += doc(ast.get_docstring(node) or "", node, names, module)
    properties = [one for one in node.body if isinstance(one, ast.FunctionDef) and ast.get_docstring(one)]
    return (
        text
        + ("\n**Properties**\n\n" if properties else "")
        + "".join(
            f"- `{one.name}` ({typed(plain(one.returns), module)}): "
            f"{linked(' '.join((ast.get_docstring(one) or '').split()), names, module)}\n"
            for one in properties
        )
    )


def documented_fields(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """The fields of a tuple or a dataclass: name, type, and the docstring below."""
    for at, line in enumerate(node.body):
        match line, node.body[at + 1 : at + 2]:
            case ast.AnnAssign(target=ast.Name(id=name)), [ast.Expr(value=ast.Constant(value=str(said)))]:
                yield name, plain(line.annotation), " ".join(said.split())


def is_property(node: ast.FunctionDef) -> bool:
    """Whether a method is read as an attribute."""
    return any(ast.unparse(mark) == "property" for mark in node.decorator_list)


def members(node: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """The functions of a class, and those of the classes of the package that it inherits from."""
    yield from (one for one in node.body if isinstance(one, ast.FunctionDef))
    for base in node.bases:
        name = ast.unparse(base).partition("[")[0]
        for file in MODULES["turnwire"]:
            for other in ast.parse((PACKAGE / file).read_text(encoding="utf-8")).body:
                if isinstance(other, ast.ClassDef) and other.name == name and other is not node:
                    yield from (one for one in other.body if isinstance(one, ast.FunctionDef))
