"""What providers refuse in a tool definition, or ignore without a word.

A tool is in the target's wire form, or bare: `{name, description, parameters, strict}`. The rules, the words of the
providers and their sources are `docs/contributing/tool-rules.md`.
"""

import re
from pathlib import Path
from typing import Any

from .keywords import TARGETS
from .list_rules import LIST_RULES
from .rules import RULES
from .schema import nodes, read, schema_like

__all__ = ["LIST_RULES", "RULES", "TARGETS", "WORDS", "check", "check_list", "ignored"]

PAGE = Path(__file__).parents[3] / "docs/contributing/tool-rules.md"


def _words(page: str) -> dict[str, tuple[str, str]]:
    """The provider's words and the basis of each rule."""
    rows = (re.split(r"(?<!\\)\|", line)[1:-1] for line in page.splitlines() if line.startswith("| `"))
    cells = [[cell.strip().replace(r"\|", "|") for cell in row] for row in rows]
    return {row[0].strip("`"): (row[3], row[2]) for row in cells if len(row) == 5}


WORDS = _words(PAGE.read_text(encoding="utf-8"))

Finding = tuple[str, str, str, str]


def check(target: str, tool: dict[str, Any]) -> list[Finding]:
    """What the provider refuses, each as (code, path, message, basis)."""
    return _found(target, tool, drops=False)


def ignored(target: str, tool: dict[str, Any]) -> list[Finding]:
    """What the provider drops silently."""
    return _found(target, tool, drops=True)


def check_list(target: str, tools: list[dict[str, Any]]) -> list[Finding]:
    """The limits of the whole list."""
    held = [read(target, tool) for tool in tools]
    wrong = [(rule, rule.wrong(held)) for rule in LIST_RULES if target in rule.targets]
    return [_finding(rule, "$", what) for rule, what in wrong if what]


def _finding(rule: Any, path: str, what: Any) -> Finding:
    words, basis = WORDS[rule.name]
    return rule.code, path, f"{words} [{what}]", basis


def _found(target: str, tool: dict[str, Any], drops: bool) -> list[Finding]:
    held, out = read(target, tool), []
    label = "anthropic-strict" if target == "anthropic" and held.strict is True else held.target
    for rule in RULES:
        if held.target not in rule.targets or rule.drops is not drops:
            continue
        if rule.scope == "tool":
            spots = [("$", rule.wrong(held))]
        elif not schema_like(held.schema):
            continue
        else:
            every = nodes(held.schema, "$", 0, held.schema, label)
            spots = [(one.path, rule.wrong(one)) for one in every if rule.scope == "node" or one.path == "$"]
        out += [_finding(rule, path, what) for path, what in spots if what]
    return out
