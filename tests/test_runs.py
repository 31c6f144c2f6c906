"""Runs of requests continue where they ended: nothing stale is sent, all that verifies is, and sent bytes stay."""

from __future__ import annotations

from typing import Any

import pytest
from random_runs import RUNS, seeds
from runs import draw, promises, script
from runs.world import InvalidError, World

MOST = 60 if RUNS > 100 else 30
#: Of each kind of run, so many times the usual number.
SHARES = {"claude": 4, "gpt": 1, "bedrock": 0.5, "mixed": 1, "formats": 3, "ui": 1}


@pytest.mark.parametrize("case", script.cases(), ids=lambda case: case.name)
def test_a_script(case: script.Case) -> None:
    World().run(case.script)


@pytest.mark.parametrize(("makers", "seed"), [(makers, seed) for makers in SHARES for seed in seeds(SHARES[makers])])
def test_random_runs(makers: str, seed: int) -> None:
    world = draw.run(seed, makers, MOST)
    assert world.sents


# The driver itself.


def test_a_random_run_is_its_script() -> None:
    """What was drawn can be read again, and sends the same."""
    drawn = draw.run(3, "claude", MOST)
    again = World().run("\n".join(drawn.lines))
    assert [one.body for one in again.sents] == [one.body for one in drawn.sents]


def test_a_run_that_fails_is_printed_as_short_as_it_can_be(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_third(_: World, sent: Any) -> Any:
        return "the model has spoken twice" if sum(map(promises.is_said, sent.messages)) > 1 else None

    monkeypatch.setattr(promises, "PROMISES", (no_third,))
    with pytest.raises(AssertionError, match="the model has spoken twice"):
        draw.run(3, "claude", MOST)
    printed = capsys.readouterr().out
    lines = printed.split('"""')[1].strip().splitlines()
    assert len(lines) <= 8 and [line.split()[0] for line in lines][-1] == "send", printed
    with pytest.raises(AssertionError, match="no_third"):
        World().run("\n".join(lines))


@pytest.mark.parametrize(
    "line", ["dance", "user go # expect kept 1", "edit 3 other", "put s", "reply text no one asked", "remove 5..7"]
)
def test_a_line_that_makes_no_sense_is_refused(line: str) -> None:
    with pytest.raises(InvalidError):
        World().run(line)


@pytest.mark.parametrize("expected", ["kept 2", "break 0", "is 1", "has no", "lacks go", "notes 1", "code late_result"])
def test_an_expectation_that_is_not_met_fails(expected: str) -> None:
    with pytest.raises(AssertionError, match=f"expected {expected}"):
        World().run(f"user go\nsteps 1\nsend # expect {expected}")
