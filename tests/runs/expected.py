"""What a script may expect of a request."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import promises

if TYPE_CHECKING:
    from .makers import Json
    from .records import Sent
    from .world import World


def break_(world: World, sent: Sent, value: str) -> Any:
    at = sent.ready.receipt.break_at
    if value in ("none", "some"):
        return (at is None) == (value == "none") or at
    place = at.partition("[")[2].partition("]")[0] if at and "[" in at else (at or "none").lstrip("$.")
    return place == value or at


def kept(world: World, sent: Sent, value: str) -> Any:
    shown = len(sent.side.maker.shown(sent.elements))
    return shown == int(value) or shown


def is_(world: World, sent: Sent, value: str) -> Any:
    """`is s1 3..5 7`: exactly these elements of the caller's list are sent, unchanged."""
    wanted: list[Json] = []
    for word in value.split():
        wanted += [sent.messages[at] for at in world.range(word)]
    wanted = sent.side.maker.elements({**sent.body, **dict.fromkeys(("messages", "input"), wanted)})
    return promises.unmarked(sent.elements) == wanted or sent.elements


def has(world: World, sent: Sent, value: str) -> Any:
    text = json.dumps(sent.body)
    return json.dumps(value)[1:-1] in text or text


def lacks(world: World, sent: Sent, value: str) -> Any:
    return has(world, sent, value) is not True or value


def same(world: World, sent: Sent, _: str) -> Any:
    """The last request of this conversation, again."""
    return (sent.talk.sent is not None and sent.body == sent.talk.sent.body) or sent.body


def grows(world: World, sent: Sent, _: str) -> Any:
    old = sent.talk.sent.elements if sent.talk.sent else []
    return sent.elements[: len(old)] == old or sent.elements


def system(world: World, sent: Sent, value: str) -> Any:
    return sent.body.get("system", sent.body.get("instructions")) == value or sent.body


def notes(world: World, sent: Sent, value: str) -> Any:
    """How many system messages there are among the others."""
    count = sum(one.get("role") in ("system", "developer") for one in sent.elements)
    return count == int(value) or count


def whole(world: World, sent: Sent, value: str) -> Any:
    """The calls whose results are whole in the request, of all in the list."""
    results = {name: text for one in sent.messages for name, text in promises.results_in(one).items()}
    found = {name for name, text in results.items() if promises.is_whole(sent, text)}
    return found == {*value.split()} or found


def code(world: World, sent: Sent, value: str) -> Any:
    codes = [entry.code for entry in sent.ready.receipt]
    return value in codes or codes


def without(world: World, sent: Sent, value: str) -> Any:
    """No entry of the receipt has this code."""
    return code(world, sent, value) is not True or value


def shows(world: World, sent: Sent, value: str) -> Any:
    """Whether the reasoning of a reply that was held is in the request: `shows NAME`."""
    wanted = sent.side.maker.shown(world.held[value])
    return {*wanted} <= {*sent.side.maker.shown(sent.elements)} or sent.elements


def hides(world: World, sent: Sent, value: str) -> Any:
    return {*sent.side.maker.shown(world.held[value])}.isdisjoint(sent.side.maker.shown(sent.elements)) or sent.elements


EXPECTED: dict[str, Callable[[World, Sent, str], Any]] = {
    "break": break_, "kept": kept, "is": is_, "has": has, "lacks": lacks, "same": same, "grows": grows,
    "system": system, "notes": notes, "code": code, "whole": whole, "without": without, "shows": shows, "hides": hides,
}  # fmt: skip


def expect(world: World, sent: Sent, expected: tuple[tuple[str, str], ...]) -> None:
    for name, value in expected:
        found = EXPECTED[name](world, sent, value)
        assert found is True, f"expected {name} {value}, got {found}"
