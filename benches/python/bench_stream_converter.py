"""Writing a stream for another provider's client: OpenAI's chunks as Anthropic's events, by bytes and by dicts.

The rival is what one writes by hand for these two wires alone (`streams.py`), with orjson for bytes: it keeps no id,
maps no error, reports nothing, and knows none of the shapes that servers send.
"""

from __future__ import annotations

from typing import Any

import orjson
import side_by_side
import streams
import turnwire as tw

Json = dict[str, Any]


def by_bytes(pieces: list[bytes]) -> bytes:
    """A chunk at a time, as a server sends them."""
    converter = tw.replies.StreamConverter(source="openai", target="anthropic")
    return b"".join([*map(converter.feed_bytes, pieces), converter.finish()])


def by_dicts(chunks: list[Json]) -> list[Json]:
    """The same by dicts."""
    converter = tw.replies.StreamConverter(source="openai", target="anthropic")
    return [event for chunk in chunks for event in converter.feed(chunk)] + converter.finish()


def by_hand(pieces: list[bytes]) -> bytes:
    """Bytes in and out by hand."""
    chunks = (orjson.loads(piece[6:]) for piece in pieces)
    events = streams.openai_to_anthropic_by_hand(chunks)
    frames = (b"event: " + event["type"].encode() + b"\ndata: " + orjson.dumps(event) + b"\n\n" for event in events)
    return b"".join(frames)


def main() -> None:
    """Print the table."""
    options = side_by_side.options("Writing streams for another client")
    rounds, count = (3, 2_000) if options.quick else (15, 10_000)
    chunks = streams.openai(count)
    pieces = [b"data: " + orjson.dumps(chunk) + b"\n\n" for chunk in chunks]
    times = side_by_side.medians(
        {
            "bytes": lambda: by_bytes(pieces),
            "bytes by hand": lambda: by_hand(pieces),
            "dicts": lambda: by_dicts(chunks),
            "dicts by hand": lambda: list(streams.openai_to_anthropic_by_hand(chunks)),
        },
        rounds=rounds,
    )
    table = side_by_side.Table(f"A stream of {count:,} chunks, openai to anthropic")
    table.row("bytes to bytes, a chunk at a time", times["bytes"], "hand-written, orjson", times["bytes by hand"])
    table.row("dicts to dicts", times["dicts"], "hand-written", times["dicts by hand"])
    table.print()
    print(f"A chunk: {times['bytes'] / count * 1e6:.2f} µs by bytes, {times['dicts'] / count * 1e6:.2f} µs by dicts.")


if __name__ == "__main__":
    main()
