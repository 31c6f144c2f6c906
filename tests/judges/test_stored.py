"""The judges of stored formats find the fault in each of these payloads, and none where it is not."""

import json
from pathlib import Path

import pytest
from mutants.weave import sound
from world.judge import CHECKS

CASES = [
    json.loads(line) for line in (Path(__file__).parent / "cases/stored.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['format']} {case['name']}")
def test_the_fault_is_found(case):
    assert case["code"] in {one.code for one in CHECKS[case["format"]](case["payload"])}


@pytest.mark.parametrize("name", sorted({case["format"] for case in CASES}))
def test_nothing_is_found_in_sound_payloads(name):
    assert [str(one) for body in sound(name) for one in CHECKS[name](body)] == []
