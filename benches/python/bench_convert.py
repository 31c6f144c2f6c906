"""Converting a history of 1,000 messages: dict to dict, dict to bytes, bytes to bytes, against hand-written Python.

The hand-written converter is a lower bound for Python, not a product: it keeps no unknown key, checks nothing and
reports nothing. `orjson.dumps` of the input alone is the floor for anything that writes JSON.
"""

from __future__ import annotations

import json
from typing import Any

import orjson
import results
import side_by_side
import turnwire as tw

Json = dict[str, Any]
LOG = "2026-11-01T12:00:00Z INFO worker[7] request /api/v1/items status=200 bytes=5120 took=13ms\n"
PAGE = "検索結果: 東京から大阪までの新幹線は一日に何本も走っています。所要時間はおよそ二時間半です。\n"


SCHEMA = {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}
TOOLS = [{"type": "function", "function": {"name": name, "parameters": SCHEMA}} for name in ("read_log", "search")]


def history(messages: int) -> list[Json]:
    """An OpenAI history: a user turn, two parallel calls with their results and an answer, over and over."""
    made: list[Json] = [{"role": "system", "content": "You are a careful assistant."}]
    turn = 0
    while len(made) < messages:
        first, second = f"call_{turn}a", f"call_{turn}b"
        arguments = {
            "query": f"item {turn}",
            "limit": 20,
            "filters": {"lang": "ja", "tags": ["new", "sale"]},
            "exact": True,
        }
        made += [
            {"role": "user", "content": f"Question {turn}: what do the logs of worker {turn} say?"},
            {
                "role": "assistant",
                "content": "I will look.",
                "tool_calls": [
                    {
                        "id": first,
                        "type": "function",
                        "function": {"name": "read_log", "arguments": json.dumps(arguments)},
                    },
                    {
                        "id": second,
                        "type": "function",
                        "function": {"name": "search", "arguments": json.dumps(arguments)},
                    },
                ],
            },
            {"role": "tool", "tool_call_id": first, "content": f"{turn} " + LOG * 24},
            {"role": "tool", "tool_call_id": second, "content": f"{turn} " + PAGE * 14 if turn % 2 else f"{turn} ok"},
            {"role": "assistant", "content": f"All {turn} requests succeeded."},
        ]
        turn += 1
    return made[:messages]


def by_hand(messages: list[Json]) -> Json:
    """A hand-written converter: OpenAI to Anthropic, with orjson for the arguments."""
    out: list[Json] = []
    system: list[str] = []
    for message in messages:
        role = message["role"]
        if role == "system":
            system.append(message["content"])
        elif role == "tool":
            block = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
            if out and out[-1]["role"] == "user" and isinstance(out[-1]["content"], list):
                out[-1]["content"].append(block)
            else:
                out.append({"role": "user", "content": [block]})
        elif role == "assistant" and message.get("tool_calls"):
            content: list[Json] = []
            if message.get("content"):
                content.append({"type": "text", "text": message["content"]})
            for call in message["tool_calls"]:
                function = call["function"]
                content.append(
                    {
                        "type": "tool_use",
                        "id": call["id"],
                        "name": function["name"],
                        "input": orjson.loads(function["arguments"] or "{}"),
                    }
                )
            out.append({"role": "assistant", "content": content})
        else:
            out.append({"role": role, "content": message["content"]})
    return {"system": "\n".join(system), "messages": out}


def fresh(messages: list[Json]) -> list[list[Json]]:
    """Copies with new string objects: orjson keeps a UTF-8 copy on each string that it has written."""
    return [json.loads(json.dumps(messages)) for _ in range(24)]


def main() -> None:
    """Print the table."""
    chosen = side_by_side.options(__doc__ or "")
    rounds = 9 if chosen.quick else 41
    messages = history(1_000)
    body = {"messages": messages, "tools": TOOLS}
    data = orjson.dumps(body)
    print(f"\nOpenAI to Anthropic, {len(messages)} messages, {len(data) / 1e6:.2f} MB")

    warm = {
        "dict to dict": lambda: tw.convert(messages, "anthropic", source="openai"),
        "dict to bytes": lambda: tw.convert_json(messages, "anthropic", source="openai"),
        "bytes to bytes": lambda: tw.convert_json(data, "anthropic", source="openai"),
        "hand": lambda: by_hand(messages),
        "hand + orjson.dumps": lambda: orjson.dumps(by_hand(messages)),
        "orjson.loads + hand + orjson.dumps": lambda: orjson.dumps(by_hand(orjson.loads(data)["messages"])),
        "orjson.dumps": lambda: orjson.dumps(messages),
        "same dialect, bytes": lambda: tw.convert_json(data, "openai", source="openai"),
        "detect": lambda: tw.detect(body),
        "read": lambda: tw.Conversation.parse(body, "openai"),
    }
    if chosen.rivals:
        warm |= litellm_rivals(messages)
    took = side_by_side.medians(warm, rounds=rounds)
    table = side_by_side.Table("strings seen before")
    table.row("dict → dict", took["dict to dict"], "by hand + orjson.loads", took["hand"], at_least=1)
    table.row("dict → JSON bytes", took["dict to bytes"], "by hand + orjson.dumps", took["hand + orjson.dumps"])
    table.row("dict → JSON bytes", took["dict to bytes"], "orjson.dumps of the input alone", took["orjson.dumps"])
    table.row(
        "JSON bytes → JSON bytes",
        took["bytes to bytes"],
        "orjson both ways + by hand",
        took["orjson.loads + hand + orjson.dumps"],
    )
    table.row(
        "the same dialect, bytes", took["same dialect, bytes"], "orjson.dumps of the input alone", took["orjson.dumps"]
    )
    if chosen.rivals:
        table.row("dict → dict", took["dict to dict"], "LiteLLM", took["LiteLLM"], at_least=5)
        table.row(
            "dict → JSON bytes",
            took["dict to bytes"],
            "LiteLLM + json.dumps",
            took["LiteLLM + json.dumps"],
            at_least=15,
        )
    table.print()
    measured = table.measured
    table = side_by_side.Table("the dialect")
    table.row("finding out the dialect", took["detect"], "reading alone", took["read"], at_least=2)
    table.print()

    ours, hand, floor = fresh(messages), fresh(messages), fresh(messages)
    cold = {
        "dict to bytes": lambda: tw.convert_json(ours.pop(), "anthropic", source="openai"),
        "hand + orjson.dumps": lambda: orjson.dumps(by_hand(hand.pop())),
        "orjson.dumps": lambda: orjson.dumps(floor.pop()),
    }
    took = cold_medians(cold, rounds=20)
    table = side_by_side.Table("fresh strings")
    table.row(
        "dict → JSON bytes", took["dict to bytes"], "by hand + orjson.dumps", took["hand + orjson.dumps"], at_least=2
    )
    table.row(
        "dict → JSON bytes", took["dict to bytes"], "orjson.dumps of the input alone", took["orjson.dumps"], at_most=2.5
    )
    table.print()
    texts()
    growth(rounds)
    if chosen.save:
        results.save("Convert", __file__, measured + table.measured)


def cold_medians(contenders: dict[str, side_by_side.Contender], *, rounds: int) -> dict[str, float]:
    """Medians where each call uses up its input: one call a round, never repeated."""
    import statistics
    import time

    samples: dict[str, list[float]] = {name: [] for name in contenders}
    names = list(contenders)
    for turn in range(rounds):
        shift = turn % len(names)
        for name in names[shift:] + names[:shift]:
            start = time.perf_counter()
            contenders[name]()
            samples[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in samples.items()}


def texts() -> None:
    """One fresh text of about 100 kB as JSON. This measures the writer alone: calling it costs next to nothing."""
    kinds = {
        "log": LOG * 1_100,
        "words": "nothing here needs an escape " * 3_500,
        "source": 'if name == "a\\n":\n\tprint("no")\n' * 3_200,
        "Japanese": PAGE * 730,
        "Latin-1": "él quería saber qué pasó después " * 2_700,
        "emoji": "Great work 🎉 the tests pass 🚀 日本語 " * 2_000,
    }
    table = side_by_side.Table("one fresh text of 100 kB to JSON bytes")
    for name, text in kinds.items():
        took = one_text(text)
        table.row(name, took["ours"], "orjson.dumps", took["orjson.dumps"])
    table.print()


def one_text(text: str) -> dict[str, float]:
    """The writer beside orjson's, each on copies that were never read."""
    ours, theirs = ([[{"role": "user", "content": f"{text}{n}"}] for n in range(60)] for _ in range(2))
    contenders: dict[str, side_by_side.Contender] = {
        "ours": lambda: tw.convert_json(ours.pop(), "openai", source="openai"),
        "orjson.dumps": lambda: orjson.dumps(theirs.pop()),
    }
    return cold_medians(contenders, rounds=60)


def growth(rounds: int) -> None:
    """The cost of a message must not grow with the length of the history."""
    short, long = history(200), history(4_000)
    took = side_by_side.medians(
        {
            "short": lambda: tw.convert(short, "anthropic", source="openai"),
            "long": lambda: tw.convert(long, "anthropic", source="openai"),
        },
        rounds=rounds,
    )
    ratio = (took["long"] / len(long)) / (took["short"] / len(short))
    print(f"  a message of 4,000 costs {ratio:.2f} times a message of 200")
    assert ratio < 4, "the cost of a message grows with the history"


def litellm_rivals(messages: list[Json]) -> dict[str, side_by_side.Contender]:
    """LiteLLM's own converter, where it is installed."""
    from litellm.litellm_core_utils.prompt_templates.factory import anthropic_messages_pt

    def convert() -> object:
        # Its callers lift the system message out, and it changes what it is given.
        return anthropic_messages_pt(
            [dict(message) for message in messages[1:]], model="claude-sonnet-4-5", llm_provider="anthropic"
        )

    return {"LiteLLM": convert, "LiteLLM + json.dumps": lambda: json.dumps(convert())}


if __name__ == "__main__":
    main()
