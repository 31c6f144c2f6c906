"""Rivals side by side: interleaved rounds on one input in one process, medians, and ratios beside the design's targets.

Machines are shared and noisy, so a time alone means nothing. Every contender runs once in each round, in rotating
order, and only ratios of medians within one call of `medians` are compared. Nothing here asserts a time.
"""

from __future__ import annotations

import argparse
import gc
import math
import platform
import statistics
import time
from collections.abc import Callable, Mapping

Contender = Callable[[], object]

#: A sample shorter than this is repeated until it is as long, so that the clock's own cost does not show.
SHORTEST_SAMPLE = 2e-4


def options(purpose: str) -> argparse.Namespace:
    """The command line of a bench: `--quick` for CI, `--rivals` for those that take minutes to install."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("--quick", action="store_true", help="few rounds: ratios to look at, not to publish")
    parser.add_argument("--rivals", action="store_true", help="also the rivals of `make bench-rivals`")
    parser.add_argument("--save", action="store_true", help="write the numbers to benches/results")
    return parser.parse_args()


def medians(contenders: Mapping[str, Contender], *, rounds: int, before: Contender = lambda: None) -> dict[str, float]:
    """Median seconds of one call of each contender, over interleaved rounds in rotating order.

    `before` runs before each of them, outside the measured time. It is meant for contenders that take longer than the
    shortest sample.
    """
    names = list(contenders)
    repeats = {name: _repeats(contenders[name], before) for name in names}
    samples: dict[str, list[float]] = {name: [] for name in names}
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for turn in range(rounds):
            shift = turn % len(names)
            for name in names[shift:] + names[:shift]:
                samples[name].append(_sample(contenders[name], repeats[name], before))
            gc.collect()
    finally:
        if was_enabled:
            gc.enable()
    return {name: statistics.median(times) for name, times in samples.items()}


def fastest(job: Contender, *, rounds: int) -> float:
    """The least CPU seconds of one call, of many calls in a row: other work on the machine hardly changes it."""
    least = math.inf
    for _ in range(rounds):
        start, calls = time.process_time(), 0
        while (spent := time.process_time() - start) < SHORTEST_SAMPLE or not calls:
            job()
            calls += 1
        least = min(least, spent / calls)
    return least


def _repeats(contender: Contender, before: Contender) -> int:
    before()
    contender()
    once = _sample(contender, 1, before)
    return max(1, min(100_000, round(SHORTEST_SAMPLE / max(once, 1e-9))))


def _sample(contender: Contender, repeats: int, before: Contender) -> float:
    before()
    start = time.perf_counter()
    for _ in range(repeats):
        contender()
    return (time.perf_counter() - start) / repeats


class Table:
    """Rows of one bench: our time for a job, a rival's time, the ratio, and the design's target."""

    def __init__(self, title: str) -> None:
        """A table, whose title is printed with the interpreter's name."""
        self.title = title
        self.rows: list[tuple[str, str, str, str, str, str]] = []
        self.measured: list[dict[str, object]] = []

    def row(
        self,
        job: str,
        ours: float,
        rival: str,
        theirs: float,
        *,
        at_least: float | None = None,
        at_most: float | None = None,
    ) -> float:
        """Add a row. `at_least`: they take so many times our time; `at_most`: we take so many times theirs."""
        ratio = ours / theirs if at_most is not None else theirs / ours
        if at_most is not None:
            goal, good = f"<= {at_most:g}x its time", ratio <= at_most
        elif at_least is not None:
            goal, good = f">= {at_least:g}x faster", ratio >= at_least
        else:
            goal, good = "", True
        said = "" if not goal else "reached" if good else "MISSED"
        self.measured.append({"table": self.title, "job": job, "against": rival, "ours": ours, "theirs": theirs})
        self.rows.append((job, rival, duration(ours), duration(theirs), f"{ratio:.2f}x", f"{goal:18} {said}".rstrip()))
        return ratio

    def print(self) -> None:
        """Print the table."""
        build = platform.python_compiler()
        print(f"\n{self.title} (CPython {platform.python_version()}, {build}, {platform.machine()})")
        header = ("job", "against", "ours", "theirs", "ratio", "design")
        widths = [max(len(row[at]) for row in [header, *self.rows]) for at in range(len(header))]
        for row in [header, *self.rows]:
            print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def duration(seconds: float) -> str:
    """A time in a unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
