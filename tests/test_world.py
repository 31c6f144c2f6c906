"""Conversations of every kind of part, spelled by hand, with the options of `prepare` in pairs: all promises."""

import inspect
import operator
import re
from pathlib import Path

import pytest
import turnwire as tw
from random_runs import some, tries
from world import conversation, conversions, drive, judge, options, pairs, replies, spell
from world.faults import FAULTS

SEEDS, SHARDS = range(2), 4


@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("seed", SEEDS)
def test_promises_hold(seed, shard):
    mine = [one for one in drive.cases(seed) if one[0] % SHARDS == shard]
    wrong = []
    for words, case in some(mine, shard):
        wrong += [drive.report(case, words, *one) for one in drive.broken(case, words).items()]
    assert wrong == []


@pytest.mark.parametrize("shard", range(SHARDS))
def test_promises_hold_for_odd_requests(shard):
    """One value of each request is odd, gone, doubled or elsewhere: it is refused with a code, or the promises hold."""
    wrong = []
    for words, case in some([one for one in drive.cases(0) if one[0] % SHARDS == shard], shard):
        odd = case | {"wire": "odd"}
        wrong += [drive.report(odd, words, *one) for one in drive.broken(odd, words).items()]
    assert wrong == []


def test_every_half_of_a_character_that_is_replaced_is_counted():
    wrong = []
    for words, case in some(drive.cases(0)):
        kept, body = conversation.body(case | {"wire": "halves"}, words)
        source, target = kept["source"], kept["target"]
        if {(source, ""), ("", target)} & set(conversions.KNOWN):
            continue
        if said := conversions.halved(body, source, target):
            wrong.append(f"{source} -> {target}, words {words}: {said}")
    assert wrong == []


@pytest.mark.parametrize(("source", "target"), conversions.KNOWN)
def test_what_is_known_of_halves_is_still_so(source, target):
    body = conversions.KNOWN[source, target]
    assert conversions.halved(body, source or "openai", target or "openai")


def test_the_world_is_sound():
    """What is spelled without a fault is accepted by the judge of its own format."""
    wrong = []
    for words, case in drive.cases(0):
        plain = case | {"fault": "none", "wire": "none", "target": case["source"]}
        if {case["u1"], case["u2"]} & {"heic", "bmp", "csv", "txt", "wav", "blank", "image_url"}:
            continue
        if {case["m1"], case["m2"]} & {"say_nothing", "thought_unsigned"} or case["res"] in ("r_bmp", "r_empty"):
            continue
        kept, body = conversation.body(plain, words)
        wrong += [f"{kept}: {one}" for one in judge.problems(case["source"], body)]
    assert wrong == []


def test_every_format_is_spelled_and_every_target_is_judged():
    formats = {name.partition(":")[0] for name in tw.dialects()}
    assert {name.partition(":")[0] for name in spell.FORMATS} == formats
    assert set(judge.JUDGES) | set(judge.CHECKS) == set(tw.dialects())


def test_every_pair_meets():
    factors = {"a": (1, 2, 3), "b": (1, 2), "c": (1, 2, 3, 4), "d": (True, False)}
    for seed in range(5):
        rows = list(pairs.covering(factors, seed))
        for one, other in ((a, b) for a in factors for b in factors if a < b):
            met = {(row[one], row[other]) for row in rows}
            assert met == {(x, y) for x in factors[one] for y in factors[other]}
        assert rows == list(pairs.covering(factors, seed)) and len(rows) < 20


@pytest.mark.parametrize("door", options.DOORS)
def test_every_option_is_a_factor_or_is_tried_elsewhere(door):
    """A new option of a door fails here until it has a row in `options.py`."""
    takes = set(inspect.signature(operator.attrgetter(door)(tw)).parameters) - {"self"}
    given = set(options.PASSED) | set(options.GIVEN_BY)
    elsewhere = options.ELSEWHERE | options.DOORS[door]
    assert given & set(elsewhere) == set()
    assert takes - given - set(elsewhere) == set()
    assert set(options.DOORS[door]) - takes == set()
    for name in takes & set(elsewhere):
        text = (Path(__file__).parent / elsewhere[name]).read_text(encoding="utf-8")
        assert re.search(rf"\b{name}\b", text), f"{elsewhere[name]} does not try {name}"


def test_prepare_takes_every_factor():
    takes = set(inspect.signature(tw.prepare).parameters) | {"tool_results"}
    assert set(options.PASSED) | set(options.GIVEN_BY) <= takes


def test_each_fault_changes_a_conversation():
    case = drive.PLAINEST | {"m1": "calls", "m2": "call"}
    sound = conversation.turns(case, 0)
    for fault in set(FAULTS) - {"none"}:
        assert conversation.turns(case | {"fault": fault}, 0) != sound


@pytest.mark.parametrize("source", replies.SOURCES)
def test_replies_say_the_same_on_four_ways(source):
    """The whole reply, the assembled stream, the converted reply and the converted stream, for every target."""
    cases = [(target, seed) for target in replies.targets() for seed in range(tries(40))]
    said = {(target, seed): replies.same_reply(source, target, seed) for target, seed in cases}
    assert {case: wrong for case, wrong in said.items() if wrong} == {}


@pytest.mark.parametrize("target", replies.KNOWN)
def test_what_is_known_of_replies_is_still_so(target, monkeypatch):
    monkeypatch.setattr(replies, "KNOWN", ())
    assert any(replies.same_reply("openai", target, seed) for seed in range(20))
