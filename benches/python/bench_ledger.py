"""A growing run of Claude with bound thinking blocks: what a ledger keeps beside what programs do today, and its price.

The first table is counted, and the same on every machine. A provider from the tests signs each thinking block over
everything before it, and reports which blocks it would refuse. Input costs 0.1 where it is read from the cache, else
1.25. The second table is counted, too: what a cache with marks reads with `cache="auto"`, in random runs with up to 60
blocks a step. The third is timed: a request of a ledger at step 300 beside a plain `prepare` of the same list.
"""

from __future__ import annotations

import itertools
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import results
import side_by_side
import turnwire as tw

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

import prompt_cache
from bound_reasoning import THINKING, Provider

Json = dict[str, Any]
Way = Callable[[list[Json], str, list[Json]], Json]
MODEL = "claude-opus-5-5"
STEPS, BUDGETS = 120, (None, 200_000, 100_000)
SYSTEM = "\n".join(f"Rule {n}: be exact, and read before you write." for n in range(40))
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}
TOOLS = [{"name": name, "description": f"{name} a file.", "input_schema": SCHEMA} for name in ("read", "grep")]


def words(key: str, size: int) -> str:
    """Text of so many bytes, the same for the same key."""
    return random.Random(key).randbytes(size // 2).hex()


def reply(step: int, eventful: bool) -> list[Json]:
    """What the model says: a thought and a call; at one step a second call, whose result comes late."""
    names = [f"toolu_{step}", *(["toolu_slow"] if eventful and step == 45 else [])]
    calls = [{"type": "tool_use", "id": name, "name": "read", "input": {"path": f"src/{name}.py"}} for name in names]
    return [{"type": "thinking", "thinking": words(f"thought {step}", 400)}, *calls]


def answer(step: int, eventful: bool) -> list[Json]:
    """What the caller appends: the result, of 1 to 8 kB, or the user's interruption."""
    if eventful and step == 30:
        return [{"role": "user", "content": "Stop. Go on with the next file."}]
    names = [f"toolu_{step}", *(["toolu_slow"] if eventful and step == 48 else [])]
    size = random.Random(step).randrange(1_000, 8_000)
    results = [{"type": "tool_result", "tool_use_id": name, "content": words(name, size)} for name in names]
    return [{"role": "user", "content": results}]


def head(step: int, eventful: bool) -> tuple[str, list[Json]]:
    """The system text, which names the step in an eventful run, and the tools, of which one is added later there."""
    if not eventful:
        return SYSTEM, TOOLS
    return f"{SYSTEM}\nIt is step {step} of {STEPS}.", TOOLS[: 1 + (step >= 60)]


def prepared(budget: int | None, **options: Any) -> Way:
    """`prepare` at each step."""
    return lambda messages, system, tools: (
        tw.prepare(
            {"model": MODEL, "system": system, "tools": tools, "messages": messages}, "anthropic", budget, **options
        ).payload
    )


def remembered(budget: int | None) -> Way:
    """With a ledger."""
    ledger = tw.Ledger("anthropic", budget, model=MODEL)
    return lambda messages, system, tools: ledger.prepare(messages, system=system, tools=tools).payload


def windowed(budget: int | None) -> Way:
    """The task, and the newest messages that fit the budget: what most programs write by hand."""

    def body(messages: list[Json], system: str, tools: list[Json]) -> Json:
        size, start = 0, len(messages)
        while start > 1 and (size := size + len(json.dumps(messages[start - 1]))) < (budget or sys.maxsize):
            start -= 1
        kept = [*messages[:1], *messages[start:]] if start > 1 else messages
        return prepared(None, reasoning="keep")(kept, system, tools)

    return body


def trimmed(budget: int | None) -> Way:
    """LangChain's `trim_messages`, which is given bytes as its tokens."""
    from langchain_core import messages as lc

    def shown(at: int, message: Json) -> lc.BaseMessage:
        text = json.dumps(message["content"])
        calls = [block for block in message["content"] if isinstance(block, dict) and block["type"] == "tool_use"]
        if message["role"] == "assistant":
            named = [{"name": one["name"], "args": {}, "id": one["id"]} for one in calls]
            return lc.AIMessage(text, tool_calls=named, id=str(at))
        if isinstance(message["content"], str):
            return lc.HumanMessage(text, id=str(at))
        return lc.ToolMessage(text, tool_call_id=message["content"][0]["tool_use_id"], id=str(at))

    def body(messages: list[Json], system: str, tools: list[Json]) -> Json:
        kept = lc.trim_messages(
            [shown(at, message) for at, message in enumerate(messages)],
            max_tokens=budget or sys.maxsize,
            token_counter=lambda many: sum(len(str(one.content)) for one in many),
            strategy="last",
        )
        chosen = [messages[int(one.id)] for one in kept]
        if not chosen or chosen[0]["role"] != "user" or not isinstance(chosen[0]["content"], str):
            chosen.insert(0, messages[0])
        return prepared(None, reasoning="keep")(chosen, system, tools)

    return body


def count(way: Way, eventful: bool) -> Json:
    """One run, and how its requests fared."""
    provider = Provider()
    messages: list[Json] = [{"role": "user", "content": "Review every file of the project."}]
    before: list[str] = []
    seen = dict.fromkeys(("refused", "shown", "breaks", "sent", "read", "cost"), 0.0)
    for step in range(STEPS):
        body = way(messages, *head(step, eventful))
        # A tool with deferred loading is not part of what is cached.
        tools = [tool for tool in body["tools"] if not tool.get("defer_loading")]
        request = [json.dumps([tools, body["system"]]), *map(json.dumps, body["messages"])]
        common = list(itertools.takewhile(lambda pair: pair[0] == pair[1], zip(request, before, strict=False)))
        read, total = sum(len(one) for one, _ in common), sum(map(len, request))
        stale = provider.stale(body, MODEL)
        seen["refused"] += bool(stale)
        blocks = [block for message in body["messages"] for block in message["content"] if isinstance(block, dict)]
        seen["shown"] += sum(block["type"] in THINKING for block in blocks) - len(stale)
        seen["breaks"] += len(common) < len(before)
        seen["sent"] += total
        seen["read"] += read
        seen["cost"] += 0.1 * read + 1.25 * (total - read)
        before = request
        # A refused request is sent again without its stale blocks, and the provider answers that one.
        for message in body["messages"] if stale else ():
            if message["role"] == "assistant":
                message["content"] = [one for one in message["content"] if one.get("signature") not in stale]
        signed = provider.reply(body, reply(step, eventful), MODEL)
        messages += [{"role": "assistant", "content": signed}, *answer(step, eventful)]
    return seen


def table(rivals: bool) -> list[Json]:
    """Print and return each way, for each budget, in a plain and in an eventful run."""
    ways: dict[str, Callable[[int | None], Way]] = {
        "Ledger": remembered,
        "prepare": prepared,
        'reasoning="keep"': lambda budget: prepared(budget, reasoning="keep"),
        "sliding window": windowed,
    }
    if rivals:
        ways["LangChain's trim_messages"] = trimmed
    counted = []
    for eventful, budget in itertools.product((False, True), BUDGETS):
        kind = "an interruption, a late result, a tool, system text of each step" if eventful else "nothing happens"
        print(f"\n{STEPS} steps, {f'{budget:,} bytes' if budget else 'no budget'}, {kind}:")
        print(f"{'':31}{'refused':>9}{'blocks shown':>14}{'breaks':>8}{'cached':>8}{'cost, MB':>10}")
        for name, way in ways.items():
            seen = count(way(budget), eventful)
            numbers = f"{seen['refused']:>9.0f}{seen['shown']:>14,.0f}{seen['breaks']:>8.0f}"
            cached, cost = seen["read"] / seen["sent"], seen["cost"] / 1e6
            print(f"{name:31}{numbers}{cached:>8.0%}{cost:>10.2f}")
            job = f"{'eventful' if eventful else 'plain'}, {f'{budget:,} bytes' if budget else 'no budget'}"
            whole = {"refused requests": seen["refused"], "blocks of reasoning shown": seen["shown"]}
            whole |= {"breaks": seen["breaks"], "cached": round(100 * cached)}
            row = {name: int(value) for name, value in whole.items()} | {"cost, MB": round(cost, 2)}
            # Without a budget and without events, all ways send the same.
            if budget or eventful:
                counted.append({"table": "run, budget", "job": job, "against": name, **row})
    return counted


def marks(seeds: int) -> None:
    """Print what a cache reads with `cache="auto"`, beside one mark at the end, and the most that it could."""
    auto, alone = (0, 0, 0), (0, 0, 0)
    for seed in range(seeds):
        caches = prompt_cache.Cache(), prompt_cache.Cache()
        for ready, _, _ in prompt_cache.requests(seed):
            caches[0].send(ready.payload)
            caches[1].send(prompt_cache.last_alone(ready.payload))
        auto, alone = (
            (sums[0] + one.read, sums[1] + one.best, sums[2] + one.total)
            for sums, one in zip((auto, alone), caches, strict=True)
        )
    print(f"\n{f'marks, {seeds} random runs':31}{'read from the cache':>20}")
    for name, read, total in (
        ('ledger, cache="auto"', auto[0], auto[2]),
        ("ledger, one mark at the end", alone[0], alone[2]),
        ("the most that can be read", auto[1], auto[2]),
    ):
        print(f"{name:31}{read / total:>20.1%}")


def run(steps: int) -> list[Json]:
    """A plain run of so many steps, with a signature on each thought."""
    messages: list[Json] = [{"role": "user", "content": "Review every file of the project."}]
    for step in range(steps):
        thought, *calls = reply(step, eventful=False)
        signed = {**thought, "signature": words(f"signature {step}", 400)}
        messages += [{"role": "assistant", "content": [signed, *calls]}, *answer(step, eventful=False)]
    return messages


def timed(budget: int | None, rounds: int, changes: int = 0) -> None:
    """Print what a request of a ledger at step 300 costs beside a plain one, through both functions.

    The system text changes at so many of the first steps, and each change is a notice in the list.
    """
    messages, beside = run(300 + rounds), {"system": f"{SYSTEM}\nThis is rule {changes}.", "tools": TOOLS}
    first = tw.Ledger("anthropic", budget, model=MODEL)
    for step in range(301):
        said = {**beside, "system": f"{SYSTEM}\nThis is rule {min(step, changes)}."}
        first.prepare_json(messages[: 1 + 2 * step], **said)
    for door in ("prepare", "prepare_json"):
        plain, ledger = getattr(tw, door), tw.Ledger.load(first.state(), model=MODEL)
        getattr(ledger, door)(messages[:601], **beside)
        ratios = []
        for step in range(301, 300 + rounds):
            so_far = messages[: 1 + 2 * step]
            begin = time.perf_counter()
            plain(so_far, "anthropic", budget, model=MODEL, **beside)
            between = time.perf_counter()
            getattr(ledger, door)(so_far, **beside)
            ratios.append((time.perf_counter() - between) / (between - begin))
        where, size = f"{budget:,} bytes" if budget else "no budget", len(first.state()) / 601
        where = f"{changes} notices" if changes else where
        print(f"{where:15} {door:13} {statistics.median(ratios):>14.2f} {size:>18.0f}")


def main() -> None:
    """Print all tables."""
    options = side_by_side.options(__doc__ or "")
    counted = table(options.rivals)
    marks(20)
    print(f"\n{'at step 300':29} ledger / plain  bytes a message")
    print(f"{'design':29} {'at most 1.5':>14} {'at most 50':>18}")
    for budget in BUDGETS:
        timed(budget, 20 if options.quick else 100)
    for changes in (1, 20):
        timed(None, 20 if options.quick else 100, changes)
    if options.save:
        results.save("Runs of bound reasoning", __file__, counted)


if __name__ == "__main__":
    main()
