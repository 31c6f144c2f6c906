"""What `make demo` shows: agent transcripts cut to a byte budget, repaired, and converted to another provider's format.

The transcripts were made up for this. A few lack a result, or have a message between a call and its results.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import turnwire as tw
from turnwire.types import DialectName

TRANSCRIPTS = Path(__file__).resolve().parent / "transcripts"
#: The format of each file, the kind of agent, and the format that it is prepared for.
AGENTS: list[tuple[DialectName, str, DialectName]] = [
    ("openai", "a railway's service desk", "anthropic"),
    ("openai-responses", "a programmer", "gemini"),
    ("anthropic", "an analyst of sales", "openai"),
    ("gemini", "a searcher of an archive", "anthropic"),
    ("bedrock", "an operator on call", "openai-responses"),
]


def with_a_log() -> dict[str, Any]:
    """A run that read a log of 1 MB. The file has only the log's first lines."""
    body: dict[str, Any] = json.loads((TRANSCRIPTS / "with_a_log.json").read_text(encoding="utf-8"))
    for message in body["messages"]:
        if message.get("tool_call_id") == "call_log":
            lines = message["content"]
            message["content"] = lines * (1_000_000 // len(lines.encode()) + 1)
    return body


def count(codes: Counter[str]) -> str:
    """The codes with how often each occurs."""
    return ", ".join(f"{code} {times}" for code, times in codes.most_common()) or "none"


def show(title: str, bodies: list[dict[str, Any]], target: DialectName, budget: int) -> None:
    """Prepares every body and prints what came of it."""
    start = perf_counter()
    ready = [tw.prepare(body, target, budget) for body in bodies]
    spent = perf_counter() - start

    sizes = [one.receipt.totals for one in ready if one.receipt.totals is not None]
    if over := [run for run, size in enumerate(sizes) if size["after"] > budget]:
        sys.exit(f"runs {over} are over their budget")
    before, after = sum(size["before"] for size in sizes), sum(size["after"] for size in sizes)
    print(f"\n{title}, for {target}: at most {budget:,} bytes of text each")
    print(f"  size     {before:,} -> {after:,} bytes in {spent * 1000:.1f} ms")
    print(f"  changes  {count(Counter(f'{change.kind} {change.code}' for one in ready for change in one.receipt))}")
    cuts = ((run, change) for run, one in enumerate(ready) for change in one.receipt.only("cut", "dropped"))
    for run, cut in sorted(cuts, key=lambda row: (row[1].bytes_after or 0) - (row[1].bytes_before or 0))[:2]:
        print(f"           run {run}: {cut}")


def steps(count: int) -> Iterator[list[dict[str, Any]]]:
    """A long agent run before each call of the model: files are read and written, logs come, a user now and then."""
    chance = Random(300)
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are a careful programmer. " * 40},
        {"role": "user", "content": "TASK: make the build green."},
    ]
    for step in range(count):
        calls, results = [], []
        for number in range(chance.choice([1, 1, 2])):
            name = f"call_{step}_{number}"
            text = "x" * chance.randrange(4_000) if chance.random() < 0.2 else ""
            arguments = json.dumps({"path": f"src/{step}.py", "text": text}, separators=(",", ":"))
            calls.append({"id": name, "type": "function", "function": {"name": "edit", "arguments": arguments}})
            line = f"{step}.{number}: a line of a log\n"
            lines = int(chance.lognormvariate(5.5, 0.8))
            results.append({"role": "tool", "tool_call_id": name, "content": line * lines})
        messages += [{"role": "assistant", "content": f"Step {step}: I look at it.", "tool_calls": calls}, *results]
        yield list(messages)
        if step % 60 == 59:
            messages += [{"role": "assistant", "content": "Done."}, {"role": "user", "content": "Not yet: go on."}]
            yield list(messages)


def weight(message: dict[str, Any]) -> int:
    """The bytes of a message's words."""
    calls = message.get("tool_calls") or ()
    return tw.text.utf8_len(message["content"]) + sum(tw.text.utf8_len(call["function"]["arguments"]) for call in calls)


def fitted(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """What turnwire leaves of them."""
    built = tw.spec.MessageBuilder().set_messages({"messages": messages}).set_budget(budget).build()
    left: list[dict[str, Any]] = built.render("openai").payload["messages"]
    return left


def window(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """A plain sliding window: what was said first, and as many of the last messages as there is room for."""
    left = budget - sum(map(weight, messages[:2]))
    start = len(messages)
    while start > 2 and weight(messages[start - 1]) <= left:
        start -= 1
        left -= weight(messages[start])
    while start < len(messages) and messages[start]["role"] == "tool":
        start += 1
    return messages[:2] + messages[start:]


def show_growth(count: int, budget: int) -> None:
    """A run of `count` steps, cut before each call of the model: what a provider has cached, and what is left."""
    runs = list(steps(count))
    print(
        f"\nA growing run of {count} steps, {sum(map(weight, runs[-1])):,} bytes in the end: at most {budget:,} bytes"
    )
    for name, cut in (("turnwire", fitted), ("sliding window", window)):
        before: list[dict[str, Any]] = []
        breaks, kept, whole, full, spent = 0, 0, 0, 0, 0.0
        for messages in runs:
            start = perf_counter()
            left = cut(messages, budget)
            spent += perf_counter() - start
            breaks += left[: len(before)] != before
            if sum(map(weight, left)) > budget:
                sys.exit(f"{name} is over its budget")
            if sum(map(weight, messages)) > budget:
                full += 1
                kept += sum(map(weight, left))
            there = {message["tool_call_id"]: message["content"] for message in left if message["role"] == "tool"}
            last = [message for message in messages if message["role"] == "tool"][-10:]
            whole += sum(there.get(message["tool_call_id"]) == message["content"] for message in last) == len(last)
            before = left
        print(f"  {name:15} {breaks} prefix breaks in {len(runs)} calls, {kept // full:,} bytes kept,", end=" ")
        print(f"the last ten results whole in {whole / len(runs):.0%}, {spent / len(runs) * 1000:.1f} ms a call")


def main() -> None:
    """The run with a large log, the runs of five agents, and a run that grows."""
    print(f"turnwire {tw.__version__}: agent transcripts under a byte budget")
    show("A run that read 1 MB of log (Japanese, emoji, parallel calls)", [with_a_log()], "anthropic", 400_000)
    for source, agent, target in AGENTS:
        lines = (TRANSCRIPTS / f"{source}.jsonl").read_text(encoding="utf-8").splitlines()
        show(f"{len(lines)} runs of {agent} in {source}", [json.loads(line) for line in lines], target, 8_000)
    show_growth(300, 200_000)


if __name__ == "__main__":
    main()
