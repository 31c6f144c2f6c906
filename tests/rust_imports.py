"""Which files of a Rust crate use which others, by their sources. A re-export counts as the file it leads to."""

import re
from collections.abc import Iterator, Set
from pathlib import Path

#: A module: the names below the crate. The crate's own file is the empty one.
Module = tuple[str, ...]

USE = re.compile(r"^[ \t]*(pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", flags=re.M)
PATH = re.compile(r"\b((?:crate|self|super)(?:::\w+)+|[a-z_]\w*(?:::\w+)+)")


def imports(crate: Path) -> dict[Module, set[Module]]:
    """The modules that each module uses, tests aside. A module that is imported as a whole counts where it is used."""
    files = {tuple(path.relative_to(crate).with_suffix("").parts): path for path in crate.rglob("*.rs")}
    files[()] = files.pop(("lib",))
    exports: dict[Module, dict[str, Module]] = {}
    used: dict[Module, list[Module]] = {}
    for module, file in files.items():
        code = re.sub(r"//.*", "", file.read_text(encoding="utf-8")).split("#[cfg(test)]\nmod tests {")[0]
        code = re.sub(r'"(?:\\.|[^"\\])*"', '""', code)
        names: dict[str, Module] = {}
        exports[module], used[module] = {}, []
        for public, tree in USE.findall(code):
            for path, name in leaves(tree):
                target = absolute(path, module, files.keys())
                if target:
                    names[name] = target
                    if public:
                        exports[module][name] = target
                    else:
                        used[module].append(target)
        for path in PATH.findall(USE.sub("", code)):
            first, *rest = path.split("::")
            target = absolute(path, module, files.keys()) or ((*names[first], *rest) if first in names else None)
            if target:
                used[module].append(target)
    whole = {module: {target for target in targets if target not in files} for module, targets in used.items()}
    return {module: {home(target, exports) for target in whole[module]} - {module} for module in files}


def leaves(tree: str) -> Iterator[tuple[str, str]]:
    """The paths of a `use` with braces, and the name that each has here."""
    head, brace, body = tree.strip().partition("{")
    if not brace:
        path, _, name = head.partition(" as ")
        if path:
            yield path.removesuffix("::self"), name or path.removesuffix("::self").split("::")[-1]
        return
    depth, parts = 0, [""]
    for character in body.rstrip().removesuffix("}"):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    for part in filter(str.strip, parts):
        yield from leaves(head + part.strip())


def absolute(path: str, module: Module, files: Set[Module]) -> Module | None:
    """A path from the crate down. `None` for a name from elsewhere."""
    names = tuple(path.split("::"))
    if names[0] == "crate":
        return names[1:]
    if names[0] == "self":
        return (*module, *names[1:])
    up = next(at for at, name in enumerate((*names, "")) if name != "super")
    if up or (*module, names[0]) in files:
        return (*module[: len(module) - up], *names[up:])
    return None


def home(target: Module, exports: dict[Module, dict[str, Module]]) -> Module:
    """The module in which a name is declared."""
    module = next(target[:length] for length in range(len(target), -1, -1) if target[:length] in exports)
    rest = target[len(module) :]
    found = exports[module].get(rest[0]) if rest else None
    return home((*found, *rest[1:]), exports) if found else module


def circles(uses: dict[Module, set[Module]]) -> list[set[Module]]:
    """The sets of modules that reach each other."""
    reached = {module: reach(module, uses) for module in uses}
    found = [{other for other in reached[module] if module in reached[other]} for module in uses]
    return [circle for at, circle in enumerate(found) if circle and circle not in found[:at]]


def reach(module: Module, uses: dict[Module, set[Module]]) -> set[Module]:
    """Every module that one uses, directly or through others."""
    found: set[Module] = set()
    open_ = [module]
    while open_:
        new = uses[open_.pop()] - found
        found |= new
        open_ += new
    return found
