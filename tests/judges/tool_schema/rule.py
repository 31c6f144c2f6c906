"""A rule about one tool."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rule:
    """A rule about one tool. Its words and its source are in the page."""

    name: str
    targets: tuple[str, ...]
    scope: str  # tool, root, or node, the root included
    wrong: Callable[[Any], Any]  # falsy, or what is wrong
    bad: Any
    good: Any
    drops: bool = False  # the provider ignores it instead

    @property
    def code(self) -> str:
        return self.name.partition(".")[2]
