"""What a check found, and the rules that it may report."""

import re
from dataclasses import dataclass, field
from pathlib import Path

# The rules are a page for people, and the checks read it: so there is one list.
PAGE = Path(__file__).parents[3] / "docs/contributing/wire-rules.md"


@dataclass(frozen=True)
class Rule:
    severity: str  # "error" | "warning"
    basis: str
    text: str
    source: str


@dataclass(frozen=True)
class Problem:
    code: str
    severity: str
    basis: str
    path: str
    message: str

    def __str__(self) -> str:
        return f"{self.severity}: {self.code} at {self.path or '$'}: {self.message} [{self.basis}]"


@dataclass
class Report:
    """The problems of one payload. Their texts are those of the rules."""

    provider: str
    problems: list[Problem] = field(default_factory=list)

    def add(self, code: str, path: str, detail: str = "") -> None:
        full = f"{self.provider}.{code}"
        rule = RULES[full]
        message = f"{rule.text}: {detail}" if detail else rule.text
        problem = Problem(full, rule.severity, rule.basis, path, message)
        if problem not in self.problems:
            self.problems.append(problem)


def errors(problems: list[Problem]) -> list[Problem]:
    """The problems that a server or an SDK would refuse."""
    return [one for one in problems if one.severity == "error"]


def read_rules(page: str) -> dict[str, Rule]:
    """The rows of all tables; a heading names the provider, as in "## Cohere's chat: `cohere`"."""
    rules: dict[str, Rule] = {}
    provider = ""
    for line in page.splitlines():
        if heading := re.fullmatch(r"## .*: `(\w+)`", line):
            provider = heading[1]
        elif line.startswith("| `") and provider:
            cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            code, severity, basis, text, source = cells
            rules[f"{provider}.{code.strip('`')}"] = Rule(severity, basis, text, source)
    return rules


RULES = read_rules(PAGE.read_text(encoding="utf-8"))
