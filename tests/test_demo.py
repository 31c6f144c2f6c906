"""`make demo` needs nothing that a clone lacks, and its transcripts are what it says."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest
import turnwire as tw

SCRIPT = Path(__file__).parents[1] / "examples" / "demo.py"
README = SCRIPT.parents[1] / "README.md"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("demo", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DEMO = loaded()
RUNS = {
    source: [json.loads(line) for line in (DEMO.TRANSCRIPTS / f"{source}.jsonl").read_text("utf-8").splitlines()]
    for source, _, _ in DEMO.AGENTS
}


def test_every_file_is_shown_and_every_agent_has_a_file() -> None:
    assert {path.stem for path in DEMO.TRANSCRIPTS.iterdir()} == {*RUNS, "with_a_log"}
    assert set(RUNS) == {tw.detect(body) for bodies in RUNS.values() for body in bodies}


@pytest.mark.parametrize(("source", "agent", "target"), DEMO.AGENTS)
def test_the_runs_are_repaired_cut_and_converted(
    source: str, agent: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    DEMO.show(agent, RUNS[source], target, 8_000)
    said = capsys.readouterr().out
    assert agent in said
    for code in ("cut_result", "missing_result"):
        assert f"{code} " in said
    ready = [tw.prepare(body, target, 8_000) for body in RUNS[source]]
    assert all(tw.detect(one.payload) == target for one in ready)
    assert sum(len(one.receipt) for one in ready) == sum(map(int, changes(said)))


def changes(said: str) -> list[str]:
    """The counts in the line of changes."""
    line = next(line for line in said.splitlines() if line.startswith("  changes"))
    return [each.split()[-1] for each in line.removeprefix("  changes").split(",")]


def test_the_large_log_and_the_growing_run(capsys: pytest.CaptureFixture[str]) -> None:
    DEMO.show("a log", [DEMO.with_a_log()], "anthropic", 400_000)
    DEMO.show_growth(20, 50_000)
    said = capsys.readouterr().out
    assert "cut_result 1" in said
    assert "turnwire" in said
    assert "sliding window" in said


def test_nothing_outside_the_repository_is_read() -> None:
    assert "parent.parent" not in SCRIPT.read_text("utf-8")
    assert "make demo" in README.read_text("utf-8")
