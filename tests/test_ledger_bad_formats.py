"""Bad input for a ledger, in every format: other states, lists that the caller changed, budgets that are too small."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
import turnwire as tw
from test_ledger import TOOLS, conversation, elements

Json = dict[str, Any]
TARGETS = tw.dialects()
LISTS = conversation("openai", 12)


def errors_in(payload: Any, target: Any) -> list[tw.Change]:
    found = tw.check(payload, target, source=target, tool_results=target.startswith("llama"))
    return [one for one in found if one.severity == "error"]


def sent(target: Any, count: int = len(LISTS), budget: int | None = None) -> tw.Ledger:
    ledger = tw.Ledger(target, budget, wording={"opening": "Go."})
    for messages in LISTS[:count]:
        ledger.prepare(messages, source="openai", system="Be exact.", tools=TOOLS)
    return ledger


def shortened(messages: list[Json], rng: random.Random) -> None:
    del messages[rng.randrange(1, len(messages)) :]


def front_removed(messages: list[Json], rng: random.Random) -> None:
    del messages[: rng.randrange(1, len(messages) - 1)]


def middle_removed(messages: list[Json], rng: random.Random) -> None:
    at = rng.randrange(1, len(messages) - 2)
    del messages[at : at + rng.randrange(1, 4)]


def reordered(messages: list[Json], rng: random.Random) -> None:
    rng.shuffle(messages)


def edited(messages: list[Json], rng: random.Random) -> None:
    at = rng.choice([at for at, one in enumerate(messages) if one["content"]])
    messages[at] = {**messages[at], "content": "edited"}


def repeated(messages: list[Json], rng: random.Random) -> None:
    messages.insert(rng.randrange(len(messages)), copy.deepcopy(rng.choice(messages)))


def another(messages: list[Json], rng: random.Random) -> None:
    """Another conversation."""
    messages[:] = [{"role": "user", "content": f"another {rng.random()}"}]


def other_reply(messages: list[Json], rng: random.Random) -> None:
    """Another reply to the last request in the place of the first one."""
    at = max(at for at, one in enumerate(messages) if one["role"] == "assistant")
    messages[at:] = [{"role": "assistant", "content": f"another reply {rng.random()}"}]


EDITS = (shortened, front_removed, middle_removed, reordered, edited, repeated, another, other_reply)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@pytest.mark.parametrize("target", TARGETS)
def test_a_list_that_the_caller_changed(target: Any, edit: Callable[[list[Json], random.Random], None]) -> None:
    """It is sent as it is now, as `prepare` would have it repaired, and what follows continues it."""
    first = sent(target)
    state = first.state()
    for seed in range(3):
        rng = random.Random(f"{target} {edit.__name__} {seed}")
        # Where the process was started again in between, it is the same.
        ledger = tw.Ledger.load(state, wording={"opening": "Go."}) if seed else first
        messages = copy.deepcopy(LISTS[-1])
        edit(messages, rng)
        given: Json = {"source": "openai", "system": "Be exact.", "tools": TOOLS}
        messages.append({"role": "user", "content": "What now?"})
        try:
            ready = ledger.prepare(messages, **given)
        except tw.TurnwireError as error:
            with pytest.raises(type(error)) as alone:
                tw.prepare(messages, target, wording={"opening": "Go."}, **given)
            assert alone.value.code == error.code, (target, seed)
            continue
        assert not errors_in(ready.payload, target), (target, seed, errors_in(ready.payload, target))
        assert "What now?" in json.dumps(ready.payload), (target, seed)
        before = elements_of(ready.payload)
        messages += [{"role": "assistant", "content": "This."}, {"role": "user", "content": "And now?"}]
        after = ledger.prepare(messages, **given)
        assert not errors_in(after.payload, target), (target, seed)
        # Gemini's stand-in for a signature is only on calls of the current turn.
        if target != "gemini":
            assert elements_of(after.payload)[: len(before)] == before, (target, seed)
            assert after.receipt.break_at is None, (target, seed, after.receipt.break_at)


def elements_of(payload: Any) -> list[Any]:
    made = payload if isinstance(payload, list) else elements(payload)
    return list(json.loads(json.dumps(made)))


@pytest.mark.parametrize("target", TARGETS)
def test_a_budget_that_shrinks_below_what_is_frozen(target: Any) -> None:
    """A cut, or an error with a path that changes nothing."""
    whole = sent(target)
    state = whole.state()
    given: Json = {"source": "openai", "system": "Be exact.", "tools": TOOLS}
    size = len(tw.prepare_json(LISTS[-1], target, wording={"opening": "Go."}, **given).payload)
    made = 0
    for limit in (size // 2, size // 4, 150, 40, 1):
        try:
            ledger = tw.Ledger.load(state, budget=tw.Budget(limit), wording={"opening": "Go."})
            ready = ledger.prepare(LISTS[-1], **given)
        except tw.BuildError as error:
            assert error.code == "budget_too_small" and error.path is not None, (target, limit, error)
            continue
        made += 1
        assert not errors_in(ready.payload, target), (target, limit)
        assert ready.receipt.totals is not None and ready.receipt.totals["after"] <= limit, (target, limit)
    assert made and whole.state() == state


@pytest.mark.parametrize("target", TARGETS)
def test_a_full_ledger_that_may_not_cut(target: Any) -> None:
    """An error that changes nothing: with a shorter list, it goes on."""
    given: Json = {"source": "openai", "system": "Be exact.", "tools": TOOLS}
    totals = tw.prepare(LISTS[-1], target, 10**9, wording={"opening": "Go."}, **given).receipt.totals
    assert totals is not None
    ledger = tw.Ledger(target, totals["after"] * 2 // 3, wording={"opening": "Go."}, on_full="error")
    state, codes = b"", []
    for messages in LISTS:
        try:
            ledger.prepare(messages, **given)
        except tw.BuildError as error:
            codes.append(error.code)
            assert ledger.state() == state, target
        else:
            assert not codes, target
            state = ledger.state()
    assert codes and set(codes) == {"ledger_full"}, (target, codes)
    ready = ledger.prepare([*LISTS[2], {"role": "user", "content": "What now?"}], **given)
    assert not errors_in(ready.payload, target), target


@pytest.mark.parametrize("target", TARGETS)
def test_states_that_are_not_this_ledgers(target: Any) -> None:
    state = sent(target, 4).state()
    later = state.replace(b'"turnwire_ledger":1', b'"turnwire_ledger":2')
    for bad in (
        later,
        state[: len(state) // 2],
        state[:-1],
        b"",
        b"{}",
        state.replace(b'"sums":"', b'"sums":"!'),
    ):
        with pytest.raises(tw.TurnwireError) as raised:
            tw.Ledger.load(bad)
        assert raised.value.code == "bad_state", (target, bad[:40])
    other = "openai" if target != "openai" else "anthropic"
    elsewhere = json.loads(state)
    elsewhere["settings"]["target"] = other
    with pytest.raises(tw.TurnwireError, match=f"one for {target}") as raised:
        tw.Ledger.load(json.dumps(elsewhere).encode()).prepare(LISTS[4], source="openai")
    assert raised.value.code == "bad_state"
