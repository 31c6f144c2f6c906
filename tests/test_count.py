"""The gate on instructions: which job became slow, and what is said of it."""

from __future__ import annotations

import runpy
from pathlib import Path

COUNT = runpy.run_path(str(Path(__file__).parents[1] / "benches" / "python" / "count.py"))
BASE = {"convert": 1_000_000, "fit": 2_000_000}


def test_a_job_beyond_the_limit_is_named() -> None:
    assert COUNT["slower"](BASE, {"convert": 1_000_000, "fit": 2_130_000}) == [
        "fit: 6.5 % more instructions than the base, and the limit is 5 %"
    ]


def test_the_limit_itself_passes_and_so_does_less() -> None:
    assert COUNT["slower"](BASE, {"convert": 1_050_000, "fit": 1}) == []


def test_a_new_job_passes_and_a_lost_one_does_not() -> None:
    assert COUNT["slower"](BASE, {**BASE, "check": 5}) == []
    assert COUNT["slower"](BASE, {"fit": 2_000_000}) == [
        "convert: the base counted it, and this checkout has no such job"
    ]


def test_the_table_has_a_line_for_each_job() -> None:
    lines = COUNT["table"](BASE, {"convert": 1_100_000, "check": 5})
    assert [line.split() for line in lines] == [
        ["job", "base", "now", "ratio"],
        ["convert", "1,000,000", "1,100,000", "1.1000"],
        ["check", "0", "5", "new"],
    ]
