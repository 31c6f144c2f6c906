"""What `make demo` shows: real agent transcripts cut to a byte budget and converted to another provider's format."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import turnwire as tw

HERE = Path(__file__).resolve().parent
#: The transcripts do not say what their tools take, and a provider wants to know.
ANY = {"type": "object", "properties": {}}
AIRLINE = HERE.parent.parent / "shared/data/transcripts/airline.openai.jsonl"


def bundled() -> list[dict[str, Any]]:
    """The transcript beside this file; its log is grown to 1 MB here, so that the repository need not hold it."""
    messages: list[dict[str, Any]] = json.loads((HERE / "transcript.json").read_text(encoding="utf-8"))["messages"]
    for message in messages:
        if message.get("tool_call_id") == "call_log":
            lines = message["content"]
            message["content"] = lines * (1_000_000 // len(lines.encode()) + 1)
    return messages


def user_messages(messages: list[dict[str, Any]]) -> list[tw.UserMessage]:
    """What is sent to the model and can be long: the prompts, and the results of each run of tool calls."""
    out = []
    for role, run in groupby(messages, key=lambda message: message["role"]):
        if role == "user":
            out += [tw.UserMessage.new_prompt(message["content"]) for message in run]
        elif role == "tool":
            results = [tw.ToolUseResult(message["tool_call_id"], message["content"]) for message in run]
            out.append(tw.UserMessage.new_tool_use_results(results))
    return out


def texts(message: tw.UserMessage) -> list[tuple[str, str]]:
    """The texts of a message, each with a name: the prompt, or the results by the id of their call."""
    match message.content:
        case tw.UserMessageContent.Prompt(prompt):
            return [("prompt", prompt)]
        case tw.UserMessageContent.ToolUseResults(results):
            blocks = [(result.tool_use_id, block) for result in results for block in result.content]
            return [(name, block.text) for name, block in blocks if isinstance(block, tw.ToolUseResultBlock.Text)]
        case _:
            return []


def size(message: tw.UserMessage) -> int:
    """UTF-8 bytes of its texts."""
    return sum(tw.utf8_len(text) for _, text in texts(message))


def cut(messages: list[tw.UserMessage], budget: int) -> list[tw.UserMessage]:
    """The same messages within `budget` bytes together: what small ones leave goes to large ones."""
    shares = tw.split_budget(map(size, messages), budget, split="fair")
    return [message.truncate_safe(share, split="fair") for message, share in zip(messages, shares, strict=True)]


def show(title: str, runs: list[list[tw.UserMessage]], budget: int) -> None:
    """Cuts every run and prints what came of it."""
    start = perf_counter()
    after = [cut(run, budget) for run in runs]
    spent = perf_counter() - start

    pairs = [
        (run, name, old, new)
        for run, (olds, news) in enumerate(zip(runs, after, strict=True))
        for before, now in zip(olds, news, strict=True)
        for (name, old), (_, new) in zip(texts(before), texts(now), strict=True)
    ]
    cuts = [pair for pair in pairs if pair[2] is not pair[3]]
    if over := [run for run, messages in enumerate(after) if sum(map(size, messages)) > budget]:
        sys.exit(f"runs {over} are over their budget")

    total, kept = sum(tw.utf8_len(pair[2]) for pair in pairs), sum(tw.utf8_len(pair[3]) for pair in pairs)
    print(f"\n{title}: at most {budget:,} bytes of prompts and tool results each")
    print(f"  size  {total:,} -> {kept:,} bytes")
    print(f"  cut   {len(cuts)} of {len(pairs)} texts; the other {len(pairs) - len(cuts)} are the same str objects")
    for run, name, old, new in sorted(cuts, key=lambda pair: -len(pair[2]))[:3]:
        print(f"        run {run}, {name}: {tw.utf8_len(old):,} -> {tw.utf8_len(new):,} bytes, ends {new[-48:]!r}")
    print(f"  time  {spent * 1000:.2f} ms, {total / spent / 1e6:,.0f} MB/s")


def shortened(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """The same OpenAI messages with their prompts and results cut, by the same shares as above."""
    long = [message["content"] if message["role"] in ("user", "tool") else "" for message in messages]
    shares = tw.split_budget(map(tw.utf8_len, long), budget, split="fair")
    return [
        {**message, "content": tw.truncate(text, share)} if text else message
        for message, text, share in zip(messages, long, shares, strict=True)
    ]


def show_conversion(runs: list[list[dict[str, Any]]], budget: int) -> None:
    """Converts every run to Anthropic's format through both doors and prints what came of it."""
    runs = [shortened(run, budget) for run in runs]
    names = {call["function"]["name"] for run in runs for message in run for call in message.get("tool_calls") or ()}
    tools = [{"type": "function", "function": {"name": name, "parameters": ANY}} for name in sorted(names)]
    bodies = [{"messages": run, "tools": tools} for run in runs]
    data = [json.dumps(body, ensure_ascii=False).encode() for body in bodies]

    start = perf_counter()
    objects = [tw.convert(body, "openai", "anthropic") for body in bodies]
    by_objects = perf_counter() - start
    start = perf_counter()
    written = [tw.convert_json(body, "openai", "anthropic") for body in data]
    by_bytes = perf_counter() - start

    if any(json.loads(one.payload) != other.payload for one, other in zip(written, objects, strict=True)):
        sys.exit("the two doors disagree")
    back = [tw.convert_json(one.payload, "anthropic", "openai") for one in written]
    losses = Counter(f"{loss.kind} {loss.code}" for one in objects for loss in one.losses)
    count, size = sum(map(len, runs)), sum(map(len, data))
    print(
        f"  as Anthropic's format: {count:,} messages, {size:,} -> {sum(len(one.payload) for one in written):,} bytes"
    )
    print(f"        losses {dict(losses) or 'none'}; back to OpenAI's: {sum(len(one.payload) for one in back):,} bytes")
    print(
        f"        dicts to dicts {by_objects * 1000:.2f} ms; JSON to JSON {by_bytes * 1000:.2f} ms; both say the same"
    )


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
    return tw.utf8_len(message["content"]) + sum(tw.utf8_len(call["function"]["arguments"]) for call in calls)


def fitted(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    """What turnwire leaves of them."""
    built = tw.MessageBuilder().set_messages({"messages": messages}).set_budget(budget).build()
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
    """The bundled transcript, a run that grows, then the airline runs where they are."""
    print(f"turnwire {tw.__version__}: agent transcripts under a byte budget")
    transcript = bundled()
    show("The bundled transcript (Japanese, emoji, parallel calls, a 1 MB log)", [user_messages(transcript)], 400_000)
    show_conversion([transcript], 400_000)
    show_growth(300, 200_000)
    if AIRLINE.is_file():
        with AIRLINE.open(encoding="utf-8") as lines:
            runs = [json.loads(line)["messages"] for line in lines]
        show(f"{len(runs)} airline agent runs", list(map(user_messages, runs)), 4_000)
        show_conversion(runs, 4_000)
    else:
        print(f"\nNo airline runs here: {AIRLINE.name} was not found beside the checkout.")


if __name__ == "__main__":
    main()
