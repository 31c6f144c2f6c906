"""Finds where each public name of the package is defined, and what stands there."""

import ast
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "python/turnwire"

NATIVE = ["_core.pyi", "builder.py"]
FILES = {
    "turnwire": [
        "_core.pyi", "builder.py", "ledger.py", "history/message_history.py", "history/write.py", "history/send.py",
        "history/window.py", "history/ledger.py", "answers/__init__.py", "errors.py", "wrapping.py", "_names.py",
        "_servers.py", "lessons/__init__.py",
    ],
    "turnwire.answers": ["answers/__init__.py"],
    "turnwire.history": [
        "history/ledger.py", "ledger.py", "history/message_history.py", "history/write.py", "history/send.py",
        "history/window.py",
    ],
    "turnwire.batch": [
        "batch/jobs.py", "batch/blocks.py", "batch/engine.py", "batch/tasks.py", "batch/batch_files.py",
        "batch/batch_requests.py", "batch/batch_answers.py", "batch/batch_results.py", "batch/batch_wires.py",
        "batch/read.py", "batch/counts.py", "batch/__init__.py",
    ],
    "turnwire.types": ["_names.py", "_codes.py", "types.py", "_core.pyi"],
    **{f"turnwire.{module}": NATIVE for module in ("_core", "parts", "replies", "text", "constants", "spec")},
    **{f"turnwire.{module}": [f"{module}.py"] for module in ("arrow", "structured", "codes", "settings")},
}  # fmt: skip
"""The files in which each module's names are defined."""


@cache
def body_of(file: str) -> list[ast.stmt]:
    """What stands in a file of the package."""
    return ast.parse((PACKAGE / file).read_text(encoding="utf-8")).body


@cache
def nodes(module: str) -> dict[str, list[ast.AST]]:
    """What the files of a module define, by name; overloads together. A constant is followed by its docstring."""
    found: dict[str, list[ast.AST]] = {}
    for file in FILES.get(module, [f"{module.removeprefix('turnwire.').replace('.', '/')}.py"]):
        body = body_of(file)
        for at, node in enumerate(body):
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                    found.setdefault(name, []).append(node)
                case ast.AnnAssign(target=ast.Name(id=name)):
                    found.setdefault(name, []).extend([node, *body[at + 1 : at + 2]])
    return found
