"""The limits of a whole list of tools."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .keywords import CLAUDE, OPENAI, STRICT, TARGETS
from .schema import Tool, total


@dataclass(frozen=True)
class ListRule:
    """A limit of a whole list of tools."""

    name: str
    targets: tuple[str, ...]
    wrong: Callable[[list[Tool]], Any]

    @property
    def code(self) -> str:
        return self.name.partition(".")[2]


LIST_RULES = [
    ListRule("openai.count", OPENAI, lambda tools: len(tools) > 128 and len(tools)),
    ListRule("gemini.count", ("gemini", "gemini-openapi"), lambda tools: len(tools) > 128 and len(tools)),
    ListRule(
        "openai.same-name", TARGETS[:9], lambda tools: len({t.name for t in tools}) < len(tools) and "a name twice"
    ),
    ListRule("anthropic.strict-tools", CLAUDE, lambda tools: sum(t.strict is True for t in tools) > 20),
    ListRule(
        "anthropic.strict-optional",
        CLAUDE,
        lambda tools: (
            total(
                [t for t in tools if t.strict is True],
                lambda n: len(set(n.get("properties") or {}) - set(n.get("required") or [])),
            )
            > 24
        ),
    ),
    ListRule(
        "openai-strict.strict-properties",
        STRICT,
        lambda tools: total(tools, lambda n: len(n.get("properties") or {})) > 5000,
    ),
    ListRule(
        "openai-strict.strict-enums", STRICT, lambda tools: total(tools, lambda n: len(n.get("enum") or [])) > 1000
    ),
]
