"""What `make demo` shows: real agent transcripts cut to a byte budget, exactly, and what that took."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

import turnwire as tw

HERE = Path(__file__).resolve().parent
AIRLINE = HERE.parent.parent / "shared/data/transcripts/airline.openai.jsonl"

Message = dict[str, Any]


def bundled() -> list[Message]:
    """The transcript beside this file; its log is grown to 1 MB here, so that the repository need not hold it."""
    messages: list[Message] = json.loads((HERE / "transcript.json").read_text(encoding="utf-8"))["messages"]
    for message in messages:
        if message.get("tool_call_id") == "call_log":
            lines = message["content"]
            message["content"] = lines * (1_000_000 // len(lines.encode()) + 1)
    return messages


def cut(messages: list[Message], budget: int) -> list[Message]:
    """The same messages, their prompts and tool results within `budget` bytes together; small ones are not touched."""
    places = [at for at, message in enumerate(messages) if message["role"] in ("user", "tool")]
    texts = [messages[at]["content"] for at in places]
    shares = tw.split_budget([tw.utf8_len(text) for text in texts], budget, split="fair")
    out = list(messages)
    for at, text, share in zip(places, texts, shares, strict=True):
        out[at] = {**messages[at], "content": tw.truncate(text, share, keep="middle")}
    return out


def size(messages: list[Message]) -> int:
    """UTF-8 bytes of the prompts and tool results."""
    return sum(tw.utf8_len(message["content"]) for message in messages if message["role"] in ("user", "tool"))


def seam(text: str) -> str:
    """The place of a cut text where something is missing."""
    at = text.find(tw.TRUNCATED_SUFFIX)
    return repr(text[max(0, at - 12) : at + len(tw.TRUNCATED_SUFFIX) + 12])


def show(title: str, runs: list[list[Message]], budget: int) -> None:
    """Cuts every run and prints what came of it."""
    start = perf_counter()
    after = [cut(messages, budget) for messages in runs]
    spent = perf_counter() - start

    pairs = [
        (run, at, old["content"], new["content"])
        for run, (olds, news) in enumerate(zip(runs, after, strict=True))
        for at, (old, new) in enumerate(zip(olds, news, strict=True))
        if old["role"] in ("user", "tool")
    ]
    cuts = [pair for pair in pairs if pair[2] is not pair[3]]
    if over := [run for run, messages in enumerate(after) if size(messages) > budget]:
        sys.exit(f"runs {over} are over their budget")

    before = sum(map(size, runs))
    print(f"\n{title}, at most {budget:,} bytes of prompts and tool results each")
    print(f"  size  {before:>9,} -> {sum(map(size, after)):,} bytes")
    print(f"  cut   {len(cuts)} of {len(pairs)} texts; the other {len(pairs) - len(cuts)} are the same str objects")
    for run, at, old, new in sorted(cuts, key=lambda pair: -len(pair[2]))[:3]:
        where = f"messages[{at}]" if len(runs) == 1 else f"runs[{run}].messages[{at}]"
        role = runs[run][at]["role"]
        print(f"        {where} ({role}): {tw.utf8_len(old):,} -> {tw.utf8_len(new):,} bytes: {seam(new)}")
    print(f"  time  {spent * 1000:.2f} ms, {before / spent / 1e6:,.0f} MB/s")


def main() -> None:
    """The bundled transcript, then the airline runs where they are."""
    print(f"turnwire {tw.__version__}: agent transcripts under a byte budget")
    show("The bundled transcript (Japanese, emoji, parallel calls, a 1 MB log)", [bundled()], 400_000)
    if AIRLINE.is_file():
        with AIRLINE.open(encoding="utf-8") as lines:
            runs = [json.loads(line)["messages"] for line in lines]
        show(f"{len(runs)} airline agent runs", runs, 4_000)
    else:
        print(f"\nNo airline runs here: {AIRLINE.name} was not found beside the checkout.")


if __name__ == "__main__":
    main()
