"""Typed messages beside msgspec's structs, and a budget over tool results beside orjson with the usual idiom.

The rows on creation and bytes hold one `ToolUseResult` with one text against a `msgspec.Struct` with the same fields.
Bytes are resident memory over 100,000 of them, each with an id and a text of its own, measured in a fresh process.
"""

from __future__ import annotations

import subprocess
import sys
import timeit
from statistics import median

import msgspec
import orjson
import side_by_side
import turnwire as tw

BUDGET = 400_000
SUFFIX = tw.constants.TRUNCATED_SUFFIX


class Struct(msgspec.Struct, frozen=True):
    tool_use_id: str
    content: str
    status: str = "success"
    name: str | None = None


class Untracked(msgspec.Struct, frozen=True, gc=False):
    tool_use_id: str
    content: str
    status: str = "success"
    name: str | None = None


def creation(rounds: int) -> None:
    """Timed inside timeit's own loop: a lambda around the call would cost as much as the call."""
    table = side_by_side.Table("create one tool result with one text")
    names = {"ours": tw.ToolUseResult, "struct": Struct, "untracked": Untracked, "id": "call_1", "text": "done"}
    timers = {name: timeit.Timer(f"{name}(id, text)", globals=names) for name in ("ours", "struct", "untracked")}
    samples: dict[str, list[float]] = {name: [] for name in timers}
    for _ in range(rounds * 5):
        for name, timer in timers.items():
            samples[name].append(timer.timeit(20_000) / 20_000)
    took = {name: median(times) for name, times in samples.items()}
    table.row("ToolUseResult(id, text)", took["ours"], "msgspec.Struct", took["struct"], at_most=3)
    table.row("ToolUseResult(id, text)", took["ours"], "msgspec.Struct, gc=False", took["untracked"])
    table.print()


HELD = """
import gc, sys
sys.path[:0] = {path!r}
import {module}
from {module} import {name} as make
count = 100_000
ids = [f"call_{{at}}" for at in range(count)]
texts = [f"line {{at}} of the log" for at in range(count)]
held = [None] * count
gc.collect()
def resident():
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096
before = resident()
for at in range(count):
    held[at] = make(ids[at], texts[at])
print((resident() - before) / count)
"""


def memory() -> None:
    if not sys.platform.startswith("linux"):
        print("\nbytes held: skipped, resident memory is read from /proc")
        return
    print("\nbytes held by one tool result beyond its strings, resident over 100,000 (design: at most 1.5x)")
    held = {}
    for module, name in (("turnwire", "ToolUseResult"), ("bench_messages", "Struct"), ("bench_messages", "Untracked")):
        code = HELD.format(path=sys.path, module=module, name=name)
        runs = [subprocess.run([sys.executable, "-c", code], check=True, capture_output=True) for _ in range(5)]
        held[name] = median(float(run.stdout) for run in runs)
    ours = held.pop("ToolUseResult")
    for name, theirs in held.items():
        goal = ("reached" if ours <= 1.5 * theirs else "MISSED") if name == "Struct" else ""
        print(f"  ours {ours:.0f}  {name} {theirs:.0f}  {ours / theirs:.2f}x  {goal}".rstrip())


def log(kind: str, size: int) -> str:
    line = {"ASCII": "06:00:19 ERROR pool exhausted\n", "Unicode": "06:00:19 エラー 接続プール枯渇 🚧\n"}[kind]
    return line * (size // len(line.encode()) + 1)


def contents(kind: str) -> list[object]:
    """Fifty results, every fourth JSON, from small to large."""
    made: list[object] = []
    for at in range(50):
        size = 500 * (at + 1) ** 2 // 8
        rows = [{"line": row, "text": log(kind, 60)} for row in range(size // 100 + 1)]
        made.append({"rows": rows} if at % 4 == 3 else log(kind, size))
    return made


def idiom(contents: list[object], split: str) -> list[str | object]:
    """The usual idiom without its bugs: JSON by orjson, then encode, cut, decode."""
    data = [content.encode() if isinstance(content, str) else orjson.dumps(content) for content in contents]
    level = BUDGET // len(data)
    if split == "fair":
        left, wanting = BUDGET, len(data)
        for size in sorted(map(len, data)):
            if size * wanting > left:
                level = left // wanting
                break
            left, wanting = left - size, wanting - 1
    room = level - len(SUFFIX)
    return [
        content if len(raw) <= level else raw[:room].decode("utf-8", "ignore") + SUFFIX
        for content, raw in zip(contents, data, strict=True)
    ]


def splitting(rounds: int) -> None:
    table = side_by_side.Table(f"{BUDGET:,} bytes over 50 results, a quarter of them JSON")
    for split in ("even", "fair"):
        for kind in ("ASCII", "Unicode"):
            given = contents(kind)
            results = [tw.ToolUseResult(f"call_{at}", content) for at, content in enumerate(given)]
            ours = tw.text.truncate_tool_results(results, BUDGET, split=split)
            theirs = idiom(given, split)
            for new, old, rival, content in zip(ours, results, theirs, given, strict=True):
                assert (new is old) == (rival is content)
                if new is not old:
                    # The bytes left over from a fair split go to the first text; the idiom does not use them.
                    assert len(new.content[0].text) - len(rival) in range(2)
            took = side_by_side.medians(
                {
                    "ours": lambda results=results, split=split: tw.text.truncate_tool_results(
                        results, BUDGET, split=split
                    ),
                    "idiom": lambda given=given, split=split: idiom(given, split),
                },
                rounds=rounds,
            )
            goal = 0.8 if (split, kind) == ("fair", "ASCII") else 2
            table.row(f"{split}, {kind}", took["ours"], "orjson + the idiom", took["idiom"], at_least=goal)
    table.print()


def messages(rounds: int) -> None:
    table = side_by_side.Table("other typed messages, in passing")
    message = tw.spec.UserMessage(tw.spec.UserMessageContent.Prompt("x" * 1000), additional_context="c")
    start, end = tw.spec.USER_ENTRY_START_HEADER, tw.spec.USER_ENTRY_END_HEADER
    results = [tw.ToolUseResult("id", {"rows": list(range(100))}) for _ in range(10)]
    holds = tw.spec.UserMessage.new_tool_use_results(results)
    raw = orjson.dumps(holds.into_history_entry())
    took = side_by_side.medians(
        {
            "prompt": lambda: tw.spec.UserMessage.new_prompt("hello"),
            "struct": lambda: Struct("hello", "x"),
            "context": message.content_with_context,
            "format": lambda: f"c\n\n{start}{message.prompt}\n{end}".strip(),
            "history": holds.into_history_entry,
            "loads": lambda: orjson.loads(raw),
        },
        rounds=rounds,
    )
    table.row("new_prompt (asks for the directory)", took["prompt"], "msgspec.Struct", took["struct"])
    table.row("content_with_context", took["context"], "f-string and strip", took["format"])
    table.row("into_history_entry, 10 results", took["history"], "orjson.loads of the same", took["loads"])
    table.print()


def main() -> None:
    options = side_by_side.options(__doc__)
    rounds = 7 if options.quick else 31
    creation(rounds)
    memory()
    splitting(rounds)
    messages(rounds)


if __name__ == "__main__":
    main()
