"""The judge of a dialect's payloads, and which keys and blocks are unknown there."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from judges.problem import Problem


@dataclass(frozen=True)
class Judge:
    """The wire checker with its name for the dialect and the rest of a body; a checker of our own; or both."""

    wire: str | None = None
    # The official SDK's package, whose types the wire checker uses.
    sdk: str = ""
    body: dict[str, Any] = field(default_factory=dict)
    # The wire checker's options about the model.
    options: dict[str, Any] = field(default_factory=dict)
    check: Callable[[Any], Iterable[Problem]] | None = None
    # Makes a body that the wire checker can read.
    wired: Callable[[Any], Any] | None = None
    # Gives the wire checker's findings the codes `unknown-key` and `unknown-block` of `checkers.excuse`.
    read: Callable[[Any, list[Problem]], Iterable[Problem]] | None = None
    # The wire checker's findings about a payload, without its false ones.
    sift: Callable[[Any, list[Problem]], list[Problem]] | None = None
    # Keys of messages and types of blocks that the dialect knows: misplaced ones do not count as unknown.
    messages: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    # Keys of these block types in other dialects, but not in this one: here they are unknown.
    foreign: set[tuple[str, str]] = field(default_factory=set)
    # Where the wire checker, which follows the SDK's types, is stricter than the server: code, place, and why.
    narrower: tuple[tuple[str, str, str], ...] = ()
