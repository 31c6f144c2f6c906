"""A growing run under a budget: how many requests do not continue the one before, and what share of them is cached.

A provider caches the common beginning of two requests. Nothing is timed here; the numbers are the same on every
machine.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from typing import Any

import turnwire as tw

Json = dict[str, Any]
STEPS, BUDGET, CAP = 150, 300_000, 20_000
#: What the design and the issue ask of a run whose results are capped.
MOST_BREAKS, LEAST_SHARE = 24, 0.8


def step(number: int, chance: random.Random) -> list[Json]:
    """A call and its result, of 2 to 200 kB: most are small, a few are large."""
    size = int(2_000 * 100 ** chance.random())
    use = {"type": "tool_use", "id": f"call_{number}", "name": "read", "input": {"path": f"file_{number}"}}
    line = f"{number:04}: what the tool has read\n"
    result = {"type": "tool_result", "tool_use_id": f"call_{number}", "content": line * (size // len(line))}
    return [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]


def run(**options: Any) -> tuple[int, float]:
    """How many requests break what was cached, and what share of all that is sent was cached."""
    chance = random.Random(7)
    messages: list[Json] = [{"role": "user", "content": "Read everything."}]
    before: list[bytes] = []
    breaks = sent = cached = 0
    for number in range(STEPS):
        ready = tw.prepare(messages, "anthropic", BUDGET, **options).payload["messages"]
        request = [json.dumps(message).encode() for message in ready]
        same = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(request, before, strict=False)))
        breaks += same < len(before)
        sent += sum(map(len, request))
        cached += sum(map(len, request[:same]))
        before = request
        messages += step(number, chance)
    return breaks, cached / sent


def main() -> None:
    """Print a row for each way to keep a run within its budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    for setting in ("--quick", "--rivals"):
        parser.add_argument(setting, action="store_true", help="the same: it takes a second")
    parser.parse_args()
    ways: dict[str, Json] = {
        "as it is": {},
        f"per_result={CAP:,}": {"budget": tw.Budget(per_result=CAP)},
        f"per_result={CAP:,}, reserve=0.5": {"budget": tw.Budget(per_result=CAP, reserve=0.5)},
    }
    print(f"{STEPS} steps with results of 2 to 200 kB, {BUDGET:,} bytes:")
    for way, options in ways.items():
        breaks, share = run(**options)
        print(f"  {way:42} {breaks:3} breaks, {share:.2f} of what is sent was cached")
        if "max_result_bytes" in options and (breaks > MOST_BREAKS or share < LEAST_SHARE):
            raise SystemExit(f"expected {MOST_BREAKS} breaks at most and {LEAST_SHARE} cached at least")


if __name__ == "__main__":
    main()
