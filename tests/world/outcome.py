"""What happened to a case: its request, what `prepare` made of it, and with which budgets."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import turnwire as tw

from . import size
from .options import keywords
from .parts import Json


@dataclass
class Outcome:
    """A case, its request, and what `prepare` made of it."""

    case: Json
    body: Any
    #: Of its words.
    seed: int
    made: tw.Rendered | None = None
    error: tw.TurnwireError | None = None
    #: What each budget gave.
    budgets: dict[int, tuple[tw.Rendered | None, tw.TurnwireError | None]] = field(default_factory=dict)

    @property
    def target(self) -> str:
        return self.case["target"]

    def size(self, payload: Json) -> int:
        """The size of a payload in the case's unit."""
        if self.target == "history":
            # It has no documents: one of another format is a block that counts as its JSON.
            payload = json.loads(json.dumps(payload).replace('"type": "document"', '"type": "DOCUMENT"'))
        return size.size(payload, media=self.case["unit"] == "bytes")

    def prepare(self, budget: int | None = None) -> tuple[tw.Rendered | None, tw.TurnwireError | None]:
        """With these options, and this budget."""
        if budget is None or budget not in self.budgets:
            said = attempt(tw.prepare, self.body, self.target, **keywords(self.case, budget))
            if budget is None:
                return said
            self.budgets[budget] = said
        return self.budgets[budget]

    @property
    def is_counted(self) -> bool:
        """Whether the words of the payload can be counted by hand."""
        return self.target in size.TARGETS and self.made is not None


def attempt(door: Callable[..., Any], *args: Any, **options: Any) -> tuple[Any, tw.TurnwireError | None]:
    try:
        return door(*args, **options), None
    except tw.TurnwireError as error:
        return None, error
