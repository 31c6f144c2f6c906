"""One thing that a checker says a target would refuse."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    code: str
    path: str
    message: str = ""

    @property
    def place(self) -> str:
        """The path without its numbers: the same wherever the turn has moved."""
        return re.sub(r"\[\d+\]", "[]", self.path)

    def __str__(self) -> str:
        return f"{self.code} at {self.path or '$'}: {self.message}"
