"""One thing that a target would refuse, by a checker."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    code: str
    path: str
    message: str = ""

    @property
    def place(self) -> str:
        """The path without its numbers, which does not depend on where the turn has moved."""
        return re.sub(r"\[\d+\]", "[]", self.path)

    def __str__(self) -> str:
        return f"{self.code} at {self.path or '$'}: {self.message}"
