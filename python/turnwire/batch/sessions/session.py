"""What is read from a session: its conversations, and what was left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from turnwire.batch.spelled import dumped

__all__ = ["BACK", "BEFORE", "BESIDE", "BRANCHES", "PROGRAM", "TEAM", "TORN", "Entry", "Session", "word"]


class Left(NamedTuple):
    """What was left out: in words for one, and for several."""

    one: str
    more: str


BESIDE: Final = Left("line beside the conversation", "lines beside the conversation")
BRANCHES: Final = Left("message of another branch", "messages of other branches")
BEFORE: Final = Left("message before the compaction", "messages before the compaction")
PROGRAM: Final = Left("message of the program", "messages of the program")
TEAM: Final = Left("message of a team", "messages of a team")
BACK: Final = Left("message that was taken back", "messages that were taken back")
TORN: Final = Left("line that is not JSON", "lines that are not JSON")


class Entry(NamedTuple):
    """A line of a session."""

    line: int
    value: dict[str, Any]


Row: TypeAlias = tuple[bytes, int]


@dataclass
class Session:
    """The conversations of a session, each with the number of its first line."""

    program: str
    rows: list[Row] = field(default_factory=list)
    subagents: int = 0
    """How many of the conversations are those of subagents."""
    left: Counter[Left] = field(default_factory=Counter)
    """What was left out, with how often."""

    def add(self, payload: dict[str, Any], line: int) -> None:
        """Adds a conversation."""
        self.rows.append((dumped(payload).encode(), line))

    def __str__(self) -> str:
        own = len(self.rows) - self.subagents
        said = f"read as a session of {self.program}: {own:,} {'conversation' if own == 1 else 'conversations'}"
        said += f", {self.subagents:,} of subagents" if self.subagents else ""
        left = ", ".join(
            f"{count:,} {what.one if count == 1 else what.more}" for what, count in self.left.items() if count
        )
        return said + (f"; left out: {left}" if left else "") + "; --at $ makes each line a record"


def word(value: Any) -> str:
    """An id. What is no text is empty."""
    return value if isinstance(value, str) else ""
