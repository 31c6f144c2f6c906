"""Who judges the payloads of a dialect, and what an unknown key or block is there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from .problem import Problem


@dataclass(frozen=True)
class Judge:
    """The wire checker by the dialect's name there, with what else a body must hold; a checker of our own; or both."""

    wire: str | None = None
    # The official SDK's package, whose types the wire checker asks.
    sdk: str = ""
    body: dict[str, Any] = field(default_factory=dict)
    # What the wire checker is told of the model.
    options: dict[str, Any] = field(default_factory=dict)
    check: Callable[[Any], Iterable[Problem]] | None = None
    # The body as the wire checker can read it.
    wired: Callable[[Any], Any] | None = None
    # What the wire checker says of a body, with the codes `unknown-key` and `unknown-block` of `checkers.excuse`.
    read: Callable[[Any, list[Problem]], Iterable[Problem]] | None = None
    # What the wire checker says of a payload, without what it says in vain.
    sift: Callable[[Any, Any, list[Problem]], list[Problem]] | None = None
    # Keys of messages and types of blocks that the dialect knows: in the wrong place they are no unknown ones.
    messages: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    # Keys that blocks of these types have with others, and not here: there they are unknown ones.
    foreign: set[tuple[str, str]] = field(default_factory=set)
    # Where the wire checker, which goes by the SDK's types, is narrower than the server: code, place, and why.
    narrower: tuple[tuple[str, str, str], ...] = ()
