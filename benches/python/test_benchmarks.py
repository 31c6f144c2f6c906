"""Every job of the benches under pytest-benchmark: distributions, and history between runs with `--benchmark-compare`.

The scripts beside this file print ratios of interleaved rounds, and those are published. Use this file to look closely
at one job: `pytest benches/python --benchmark-only -o addopts= -k emoji`. A group is one job; each rival records
whether its result equals ours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bench_convert
import bench_text
import msgspec
import orjson
import pytest
import turnwire as tw

TRUNCATORS = {"turnwire": tw.truncate, "idiom": bench_text.idiom, "best": bench_text.best}
SIZES = {"1 kB": 1_000, "300 kB": 300_000, "1 MB": 1_000_000, "10 MB": 10_000_000}


def run(benchmark: Any, group: str, job: Callable[[], object], *, ours: object) -> None:
    """Benchmarks a contender and records whether its result equals ours."""
    benchmark.group = group
    benchmark.extra_info["same result as ours"] = job() == ours
    benchmark(job)


@pytest.mark.parametrize("who", TRUNCATORS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", bench_text.UNITS)
def test_truncate(benchmark: Any, kind: str, size: str, who: str) -> None:
    text = bench_text.text_of(kind, SIZES[size])
    run(benchmark, f"truncate {size} {kind}", lambda: TRUNCATORS[who](text), ours=tw.truncate(text))


@pytest.mark.parametrize("keep", ["head", "tail", "middle"])
def test_keep(benchmark: Any, keep: Any) -> None:
    text = bench_text.text_of("Japanese", 1_000_000)
    run(benchmark, "which end is kept", lambda: tw.truncate(text, keep=keep), ours=tw.truncate(text, keep=keep))


@pytest.mark.parametrize("split", ["even", "fair"])
@pytest.mark.parametrize("count", [50, 5_000])
def test_split_budget(benchmark: Any, count: int, split: Any) -> None:
    sizes = [(at * 7_919) % 40_000 for at in range(count)]
    ours = tw.text.split_budget(sizes, 400_000, split=split)
    run(benchmark, f"split over {count}", lambda: tw.text.split_budget(sizes, 400_000, split=split), ours=ours)


class Result(msgspec.Struct):
    """The rival of `ToolUseResult`."""

    tool_use_id: str
    content: str
    status: str = "success"
    name: str | None = None


@pytest.mark.parametrize("who", [tw.ToolUseResult, Result], ids=["turnwire", "msgspec"])
def test_create_a_result(benchmark: Any, who: Callable[[str, str], object]) -> None:
    benchmark.group = "create a tool result"
    benchmark(who, "call_1", "done")


def test_cut_a_message(benchmark: Any) -> None:
    message = tw.spec.UserMessage.new_prompt(bench_text.text_of("emoji", 1_000_000))
    run(benchmark, "cut a message", lambda: message.truncate_safe(400_000), ours=message.truncate_safe(400_000))


HISTORY = bench_convert.history(1_000)
CONVERTERS: dict[str, Callable[[], object]] = {
    "turnwire": lambda: tw.convert(HISTORY, "anthropic", source="openai").payload,
    "by hand": lambda: bench_convert.by_hand(HISTORY),
    "turnwire, bytes": lambda: tw.convert_json(HISTORY, "anthropic", source="openai").payload,
    "by hand, orjson": lambda: orjson.dumps(bench_convert.by_hand(HISTORY)),
}


@pytest.mark.parametrize("who", CONVERTERS)
def test_convert(benchmark: Any, who: str) -> None:
    ours = CONVERTERS["turnwire, bytes" if who.endswith(("bytes", "orjson")) else "turnwire"]()
    run(benchmark, f"convert to {'bytes' if isinstance(ours, bytes) else 'dicts'}", CONVERTERS[who], ours=ours)
