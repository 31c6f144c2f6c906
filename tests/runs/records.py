"""What a run remembers: its conversations, the requests that were sent, the replies, and each maker's ledger."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import turnwire as tw

from .formats import MAKERS
from .makers import Json

if TYPE_CHECKING:
    from .world import World


@dataclass(eq=False)
class Talk:
    """One conversation of the caller."""

    name: str
    messages: list[Json] = field(default_factory=list)
    system: str = "Be exact."
    tools: list[Json] = field(default_factory=list)
    pins: list[int] = field(default_factory=list)
    #: The last request, and the lengths of the list at each.
    sent: Sent | None = None
    lengths: list[int] = field(default_factory=list)


@dataclass(eq=False)
class Sent:
    """A request that was sent."""

    number: int
    side: Side
    talk: Talk
    #: The caller's list, and the text of each element.
    messages: list[Json]
    texts: list[str]
    body: Json
    elements: list[Json]
    ready: tw.Rendered[Any]
    model: str
    #: What its reply is bound to.
    bound: str
    head: tuple[Any, ...]
    pins: list[int]
    #: How many elements the ledger got.
    given: int
    #: Whether something happened to the ledger since the request before.
    fresh: bool


@dataclass(eq=False)
class Reply:
    """What a maker said, and the request that it answers."""

    elements: list[Json]
    asked: Sent
    #: Whether only one request fits it, where it was first seen in a list.
    certain: bool | None = None


class Side:
    """A maker with its ledger."""

    def __init__(self, name: str, world: World) -> None:
        self.name, self.world = name, world
        self.maker: Any = MAKERS[name]()
        self.model = self.maker.model
        self.made: tw.Ledger | None = None
        #: The ledgers that do not serve now, and the name of the one that does.
        self.others: dict[str, tw.Ledger | None] = {}
        self.serves = "one"
        self.last: Sent | None = None
        self.fresh = True
        #: The reasoning that need not come back.
        self.gone: set[str] = set()
        #: Of the requests for summaries: each body, and what it covers.
        self.awaited: list[tuple[str, list[Json]]] = []

    @property
    def ledger(self) -> tw.Ledger:
        if self.made is None:
            options = self.world.options
            self.made = tw.Ledger(self.maker.target, self.world.budget, model=self.model, **options)
        return self.made

    def load(self, state: bytes, budget: tw.Budget | None = None) -> tw.Ledger:
        return tw.Ledger.load(state, budget=budget or self.world.budget, model=self.model, **self.world.fixed)

    def restart(self) -> None:
        self.made = self.load(self.ledger.state())
