"""Writes the reference from the stubs: every public name with its signature, its docstring and an example that runs."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import parameters
from definitions import FILES, body_of, nodes

HERE = Path(__file__).parent

TOPICS: dict[str, dict[str, Any]] = tomllib.loads((HERE / "topics.toml").read_text(encoding="utf-8"))
"""The pages, each with its names in their order."""

LONGEST = 200
"""The most characters of a type that a page spells out."""

Node = ast.ClassDef | ast.FunctionDef | ast.AnnAssign
Made = ast.FunctionDef | None


@cache
def homes() -> dict[str, str]:
    """The page of each name, by the name with its module. A test sees to it that every public name is there."""
    found: dict[str, str] = {}
    for topic, row in TOPICS.items():
        for name in row["names"]:
            if name in found:
                raise SystemExit(f"docs/topics.toml: {name} is on two pages")
            found[name] = topic
    return found


def home(name: str, module: str) -> str | None:
    """A name with its module: that of `module`, or of the package, or of the one other module that has it."""
    for one in (f"{module}.{name}", f"turnwire.{name}"):
        if one in homes():
            return one
    others = [one for one in homes() if one.rpartition(".")[2] == name and not one.startswith("turnwire.adapters")]
    return others[0] if len(others) == 1 else None


def address(full: str) -> str:
    """The link to a name, from a page of the reference."""
    module, _, name = full.rpartition(".")
    return f"{homes()[full]}.md#{anchor(module, name)}"


def pages() -> dict[str, str]:
    """The reference: an index, and a page for each topic."""
    examples = tomllib.loads((HERE / "examples.toml").read_text(encoding="utf-8"))
    texts = {topic: topic_page(row, examples) for topic, row in TOPICS.items()}
    texts["types"] += types("".join(texts.values()))
    return {"reference/index.md": index()} | {f"reference/{topic}.md": text for topic, text in texts.items()}


INDEX = """\
# Reference

Every public name, by what it is for. Editors and `help()` show the same texts. All examples run as tests.

Most programs need [`prepare`](requests.md#turnwireprepare) and [`check`](requests.md#turnwirecheck) for requests,
[`parse_reply`](replies.md#turnwireparse_reply) and [`StreamAssembler`](replies.md#class-turnwirestreamassembler) for
replies, and [`MessageHistory`](histories.md#class-turnwiremessagehistory) or
[`Ledger`](ledgers.md#class-turnwireledger) for what comes between.
"""


def index() -> str:
    """Every name, by its page."""
    text = INDEX
    for topic, row in TOPICS.items():
        text += f"\n## [{row['title']}]({topic}.md)\n\n"
        text += " · ".join(f"[`{shown(name)}`]({address(name)})" for name in row["names"]) + "\n"
    return text


def shown(full: str) -> str:
    """A name as a program writes it after `turnwire.`."""
    return full.removeprefix("turnwire.").removeprefix("_core.")


def topic_page(row: dict[str, Any], examples: dict[str, dict[str, str]]) -> str:
    """One page: its names in their order."""
    text = f"---\nsearch:\n  boost: {row['boost']}\n---\n\n" if "boost" in row else ""
    text += f"# {row['title']}\n\n{row['says'].strip()}\n\n"
    text += " · ".join(f"[`{shown(name)}`](#{anchor(*split(name))})" for name in row["names"]) + "\n"
    for full in row["names"]:
        module, name = split(full)
        text += entry(module, name, nodes(module).get(name, []))
        if example := examples.get(module.rpartition(".")[2], examples["turnwire"]).get(name):
            text += f"\n```python\n{example.strip()}\n```\n"
    return text


def split(full: str) -> tuple[str, str]:
    """The module and the name."""
    module, _, name = full.rpartition(".")
    return module, name


def types(text: str) -> str:
    """The section on the short names of types that a text links to, and on those that these stand for."""
    said = "\n## Short names\n\nSignatures use these short names for types.\n"
    entries: dict[str, str] = {}
    while more := set(re.findall(r"#type-(\w+)\)", text + "".join(entries.values()))) - set(entries):
        for name, (kind, meaning) in aliases().items():
            if name.lower() in more:
                stands_for = f"\n{typed(kind, 'turnwire')}\n" if kind else ""
                entries[name.lower()] = f"\n### Type `{name}`\n" + (f"\n{meaning}\n" if meaning else "") + stands_for
    return said + "".join(entries[name] for name in sorted(entries)) if entries else ""


@cache
def aliases() -> dict[str, tuple[str, str]]:
    """The types that signatures name and that no module exports: what each stands for, and its docstring.

    A name with two meanings is left out.
    """
    found: dict[str, set[tuple[str, str]]] = {}
    for file in sorted({file for files in FILES.values() for file in files} - {"_names.py"}):
        body = body_of(file)
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
            found.setdefault(name.lstrip("_"), set()).add((plain(value), " ".join(said.split())))
    public = {name.rpartition(".")[2] for name in homes()}
    return {name: meanings.pop() for name, meanings in found.items() if len(meanings) == 1 and name not in public}


def typed(kind: str, module: str) -> str:
    """A type in backticks, with a link at each of its names."""

    def link(name: str) -> str:
        if (full := home(name, module)) is not None:
            return f"[`{name}`]({address(full)})"
        return f"[`{name}`](types.md#type-{name.lower()})" if name in aliases() else ""

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
    return f"{kind}{module.replace('._core', '')}.{name}"


def anchor(module: str, name: str) -> str:
    """Where a name is on the page."""
    return title(module, name).lower().replace(".", "").replace(" ", "-")


def entry(module: str, name: str, defined: list[ast.AST]) -> str:
    """The section of one name."""
    head = f"\n## `{title(module, name)}`\n"
    match defined:
        case [ast.ClassDef() as node, *_]:
            return head + class_of(node, module)
        case [ast.FunctionDef(), *_]:
            return head + function(defined, module)
        case [ast.AnnAssign() as node, *rest]:
            doc = rest[0].value.value if rest and isinstance(rest[0], ast.Expr) else ""  # type: ignore[attr-defined]
            if ast.unparse(node.annotation) != "TypeAlias":
                return f"{head}\n`{ast.unparse(node.annotation)}`. {doc}\n"
            stands_for = plain(node.value).strip('"')
            # Lists of dialects are long, and `dialects()` returns them.
            shown = f"\n{typed(stands_for, module)}\n" if len(stands_for) < LONGEST else ""
            return f"{head}\n{linked(doc, module)}\n{shown}"
    return f"{head}\nThe version of the package, a `str`.\n" if name == "__version__" else head


def function(defined: list[ast.AST], module: str, of: str = "") -> str:
    """A function, or a method of the class `of`: its signature, and what its docstring says."""
    documented = with_docstring(defined)
    name = ".".join(filter(None, (module, of, documented.name)))
    said = doc(ast.get_docstring(documented) or "", documented, module, name)
    return f"\n```py\n{signature(documented)}\n```\n{said}"


def with_docstring(defined: list[ast.AST]) -> ast.FunctionDef:
    """The overload with the docstring."""
    written = [node for node in defined if isinstance(node, ast.FunctionDef)]
    return next((node for node in written if ast.get_docstring(node)), written[0])


def find(name: str) -> tuple[ast.FunctionDef, str]:
    """A function, a method or what makes a class, by its name, with its docstring."""
    module = next(module for module in sorted(FILES, key=len, reverse=True) if name.startswith(f"{module}."))
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
    if args.kwarg and not parameters.spelled_out(node):
        parts.append(f"**{args.kwarg.arg}")
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


def doc(text: str, node: ast.FunctionDef | ast.ClassDef, module: str, name: str = "", made: Made = None) -> str:
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
            lines.append(f"- `{name}`{kind}: {linked(' '.join(said.split()), module)}")
        return f"**{title}**\n\n" + ("\n".join(lines) if items else " ".join(found[2].split())) + "\n"

    head, *rest = re.split(r"^(?=(?:Args|Raises|Returns|Yields|Attributes):$)", text, flags=re.M)
    said = linked(head.rstrip(), module)
    return f"\n{said}\n" + "".join("\n" + SECTION.sub(listed, part.rstrip() + "\n") for part in rest)


def completed(text: str, node: ast.FunctionDef, name: str) -> str:
    """A docstring with every parameter, and with the errors of the function that describes them."""
    said = parameters.described(name, node, text, find)
    raised = parameters.errors(name, text, find)
    head, *rest = re.split(r"^(?=(?:Args|Raises|Returns|Yields|Attributes):$)", text, flags=re.M)
    args = "Args:\n" + "".join(f"    {one}: {meaning}\n" for one, meaning in said.items()) if said else ""
    others = [part for part in rest if not part.startswith(("Args:", "Raises:"))]
    return "\n".join(part.rstrip() + "\n" for part in (head, args, *others, raised) if part)


def linked(text: str, module: str) -> str:
    """The same text, with a link at each name of the module or the package in backticks."""

    def link(found: re.Match[str]) -> str:
        name = found[1].partition(".")[0].partition("(")[0]
        full = home(name, module) if name in nodes(module) or f"turnwire.{name}" in homes() else None
        return f"[{found[0]}]({address(full)})" if full else found[0]

    # Not inside of code that is indented.
    lines = [
        line if line.startswith("    ") else re.sub(r"(?<!\[)`([A-Za-z_][\w.()]*)`", link, line)
        for line in text.splitlines()
    ]
    return "\n".join(lines)


def class_of(node: ast.ClassDef, module: str) -> str:
    """A class: how it is made, what it says, and its members."""
    made = next((one for one in members(node) if one.name in ("__new__", "__init__") and one.args.args[1:]), None)
    if made and (ast.get_docstring(made) or "").startswith("Made by "):
        made = None
    text = f"\n```py\n{signature(made, node.name)}\n```\n" if made else ""
    said = ast.get_docstring(made) if made else None
    # Attributes of the same names are described below.
    attributes = {one.name for one in members(node) if is_property(one)}
    alike = node.name.endswith("Error") or (made and set(parameters.given(made)) <= attributes)
    has_list = "Args:" in f"{ast.get_docstring(node)}{said}"
    name = "" if alike and not has_list else f"{module}.{node.name}"
    text += doc(ast.get_docstring(node) or "", node, module, "" if said else name, made)
    if made and said:
        text += doc(said, made, module, name)
    if fields := list(documented_fields(node)):
        text += "\n**Attributes**\n\n"
        text += "".join(f"- `{name}` ({typed(kind, module)}): {linked(said, module)}\n" for name, kind, said in fields)
    text += other_keys(node)
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
            said = linked(" ".join((ast.get_docstring(one) or "").split()), module)
            text += f"- `{one.name}` ({typed(plain(one.returns), module)}): {said}\n"
    for name, several in methods.items():
        text += f"\n### {node.name}.{name}\n{function(list(several), module, node.name)}"
    for inner in (one for one in node.body if isinstance(one, ast.ClassDef)):
        text += f"\n### class {node.name}.{inner.name}\n{variant(inner, node.name, module)}"
    return text


def other_keys(node: ast.ClassDef) -> str:
    """The keys of a dict of options that are described where `prepare` takes them."""
    if node.name not in parameters.classes():
        return ""
    own = {name for name, *_ in documented_fields(node)}
    keys = ", ".join(f"`{one.name}`" for one in parameters.options(node.name) if one.name not in own)
    prepare = f"[`prepare`]({address('turnwire.prepare')})"
    return f"\nThe other keys mean what they mean in {prepare}: {keys}.\n" if keys else ""


def variant(node: ast.ClassDef, of: str, module: str) -> str:
    """A class inside of another: how it is made, and what its fields are."""
    made = next(one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__new__")
    text = f"\n```py\n{signature(made, f'{of}.{node.name}')}\n```\n"
    text += doc(ast.get_docstring(node) or "", node, module)
    properties = [one for one in node.body if isinstance(one, ast.FunctionDef) and ast.get_docstring(one)]
    return (
        text
        + ("\n**Properties**\n\n" if properties else "")
        + "".join(
            f"- `{one.name}` ({typed(plain(one.returns), module)}): "
            f"{linked(' '.join((ast.get_docstring(one) or '').split()), module)}\n"
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
        for file in FILES["turnwire"]:
            for other in body_of(file):
                if isinstance(other, ast.ClassDef) and other.name == name and other is not node:
                    yield from (one for one in other.body if isinstance(one, ast.FunctionDef))
