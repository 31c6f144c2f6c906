"""What turnwire reads from a front end's stream, event by event."""

from typing import Any

import turnwire as tw

Json = Any


def fed(wire: str, events: list[Json]) -> tuple[tw.Reply, list[Json], dict[int, tw.ParseError]]:
    """The reply of these events, the reports about them, and which of them were errors."""
    stream, told, wrong = tw.StreamAssembler(wire), [], {}
    for at, event in enumerate(events):
        try:
            told += stream.feed(event)
        except tw.ParseError as error:
            wrong[at] = error
    reply = stream.finish()
    return reply, [*told, *reply.events], wrong


def calls_of(reply: tw.Reply) -> list[tuple[str | None, str, Json]]:
    """The calls of a reply."""
    return [(use.id, use.name, use.args) for use in reply.tool_uses]
