"""Bad input for a ledger: damaged states, those of another conversation, edited lists, small budgets."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

import pytest
import turnwire as tw
from agent_runs import Run
from bound_reasoning import THINKING, Provider, listed, mark, name_of
from random_runs import seeds

Json = dict[str, Any]
MODEL = "claude-opus-5-5"


def shown_in(body: Json) -> list[str]:
    return [mark(block) for one in body["messages"] for block in listed(one["content"]) if block["type"] in THINKING]


class Life:
    """A caller who edits the list freely, and the provider, which finds everything that is stale."""

    def __init__(self, seed: int, events: tuple[str, ...], provider: Provider | None = None) -> None:
        self.rng = random.Random(seed)
        self.run = Run(seed, frozenset(events), 40)
        self.provider = provider or Provider()
        self.replies: dict[str, list[Json]] = {}

    def looked_at(self, body: Json, where: object, *, whole: bool = True) -> None:
        assert self.provider.stale(body, MODEL) == [], where
        assert not [one for one in tw.check(body, "anthropic", source="anthropic") if one.severity == "error"], where
        if whole:
            assert shown_in(body) == self.provider.best(body, self.replies), where

    def gave_up(self, lost: set[str]) -> None:
        """Reasoning that will not come back."""
        for name, reply in self.replies.items():
            self.replies[name] = [one for one in reply if one["type"] not in THINKING or mark(one) not in lost]

    def answered(self, body: Json, step: int) -> None:
        reply = self.provider.reply(body, self.run.reply(step), MODEL)
        self.replies[name_of([one for one in reply if one["type"] not in THINKING])] = reply
        self.run.goes_on(reply, step)


def exchanges(messages: list[Json]) -> list[int]:
    """Where a reply with calls and its results are adjacent, after the first message."""

    def is_whole(at: int) -> bool:
        calls = {block["id"] for block in listed(messages[at]["content"]) if block["type"] == "tool_use"}
        blocks = listed(messages[at + 1]["content"]) if at + 1 < len(messages) else []
        return bool(calls) and calls == {block.get("tool_use_id") for block in blocks}

    return [at for at in range(1, len(messages) - 2) if is_whole(at)]


def other_result(messages: list[Json], at: int, rng: random.Random) -> None:
    blocks = copy.deepcopy(messages[at + 1]["content"])
    blocks[rng.randrange(len(blocks))]["content"] = f"edited {rng.random()}"
    messages[at + 1] = {**messages[at + 1], "content": blocks}


def shortened(messages: list[Json], at: int, rng: random.Random) -> None:
    del messages[at : at + 2]


def reordered(messages: list[Json], at: int, rng: random.Random) -> None:
    other = rng.choice(exchanges(messages))
    if abs(other - at) >= 2:
        messages[at : at + 2], messages[other : other + 2] = messages[other : other + 2], messages[at : at + 2]


def inserted(messages: list[Json], at: int, rng: random.Random) -> None:
    messages.insert(at, {"role": "user", "content": f"I forgot {rng.random()}."})


def without_reasoning(messages: list[Json], at: int, rng: random.Random) -> None:
    blocks = [block for block in messages[at]["content"] if block["type"] not in THINKING]
    messages[at] = {**messages[at], "content": blocks}


def cut_short(messages: list[Json], at: int, rng: random.Random) -> None:
    del messages[at + 2 :]


EDITS: tuple[Callable[[list[Json], int, random.Random], None], ...] = (
    other_result, shortened, reordered, inserted, without_reasoning, cut_short,
)  # fmt: skip


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
@pytest.mark.parametrize("seed", seeds(1 / 4))
def test_a_list_that_the_caller_changed(edit: Callable[[list[Json], int, random.Random], None], seed: int) -> None:
    life = Life(seed, ("parallel", "asks", "restart")[: seed % 4])
    run, rng, ledger = life.run, life.rng, tw.Ledger("anthropic", rng_budget(seed), model=MODEL)
    for step in range(25):
        ready = ledger.prepare(run.messages, system=run.system, tools=run.tools)
        life.looked_at(ready.payload, (edit.__name__, seed, step))
        if run.chance("restart", 0.2):
            ledger = tw.Ledger.load(ledger.state(), model=MODEL)
        life.answered(ready.payload, step)
        if rng.random() < 0.25 and len(places := exchanges(run.messages)) > 2:
            before = copy.deepcopy(run.messages)
            edit(run.messages, rng.choice(places[:-1]), rng)
            if edit is without_reasoning:
                # Removed messages cannot be compared.
                life.replies |= {name_of(one["content"]): one["content"] for one in run.messages if one not in before}
            ready = ledger.prepare(run.messages, system=run.system, tools=run.tools)
            life.looked_at(ready.payload, (edit.__name__, seed, step))
            if run.messages != before and edit in (other_result, inserted) and rng_budget(seed) is None:
                assert ready.receipt.break_at is not None, (edit.__name__, seed, step)
            # Sent again, it is the same, though the reasoning that was left out may need a place in the budget.
            again = ledger.prepare(run.messages, system=run.system, tools=run.tools)
            assert again.payload == ready.payload, (edit.__name__, seed, step)


def rng_budget(seed: int) -> int | None:
    return (None, None, 30_000)[seed % 3]


@pytest.mark.parametrize("seed", seeds(1 / 2))
def test_a_budget_that_is_another_one_each_time(seed: int) -> None:
    """It may shrink below what is frozen, and grow again."""
    life = Life(seed, ("parallel", "asks", "interrupted", "late")[: seed % 5])
    run, rng = life.run, life.rng
    last = b""
    for step in range(30):
        budget = rng.choice((None, 200_000, 60_000, 20_000, 8_000))
        given = {"system": run.system, "tools": run.tools}
        ledger = (
            tw.Ledger.load(last, budget=tw.Budget(budget), model=MODEL)
            if last
            else tw.Ledger("anthropic", budget, model=MODEL)
        )
        try:
            ready = ledger.prepare(run.messages, **given)
        except tw.BuildError as error:
            assert error.code == "budget_too_small"
            ledger = tw.Ledger.load(ledger.state(), budget=tw.Budget(), model=MODEL)
            ready = ledger.prepare(run.messages, **given)
        else:
            totals = ready.receipt.totals
            assert budget is None or (totals is not None and totals["after"] <= budget)
        life.looked_at(ready.payload, (seed, step, budget))
        last = ledger.state()
        life.answered(ready.payload, step)


@pytest.mark.parametrize("seed", seeds(1 / 2))
def test_the_state_of_another_conversation(seed: int) -> None:
    """The newest reasoning counts as made for the other's request, and is left out. All else stays, none stale."""
    provider = Provider()
    lives = [Life(seed * 2 + at, ("parallel", "asks", "interleaved")[: seed % 4], provider) for at in range(2)]
    lives[1].run.calls = 10_000
    ledgers = [tw.Ledger("anthropic", model=MODEL) for _ in lives]
    at = lives[0].rng.randrange(1, 15)
    for step in range(20):
        swapped = step == at
        if swapped:
            ledgers.reverse()
        for life, ledger in zip(lives, ledgers, strict=True):
            body = ledger.prepare(life.run.messages, system="Be exact.", tools=life.run.tools).payload
            life.looked_at(body, (seed, step), whole=not swapped)
            if swapped:
                shown, newest = shown_in(body), list(life.replies.values())[-1:]
                best = provider.best(body, life.replies)
                lost = {mark(block) for reply in newest for block in reply if block["type"] in THINKING}
                assert shown == [one for one in best if one not in lost or one in shown], (seed, step)
                life.gave_up({*best} - {*shown})
            life.answered(body, step)


def rich_state() -> tuple[bytes, list[Json]]:
    """A state with everything in it: a cut, notes, reasoning that was left out, and a summary that was asked for."""
    life = Life(3, ("parallel", "interrupted", "late", "system", "tools", "asks"))
    ledger = tw.Ledger("anthropic", 20_000, model=MODEL)
    for step in range(30):
        system, tools = life.run.head(step)
        ready = ledger.prepare(life.run.messages, system=system, tools=tools)
        life.answered(ready.payload, step)
    ledger.compaction(life.run.messages, system=system, tools=tools)
    return ledger.state(), life.run.messages


STATE, MESSAGES = rich_state()
ODD = (None, True, -1, 2**70, 0.5, "", "!", "AAAA", "ü", [], [1], [[]], {}, {"lines": 1})


def places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(place for key, held in inner for place in places(held, (*at, key)))]


def test_the_state_says_everything() -> None:
    state = json.loads(STATE)
    assert state["cut"] and state["summarised"] and state["pending"] and state["breaks"] and state["head"]


@pytest.mark.parametrize("size", range(0, len(STATE), 97))
def test_a_state_that_was_cut_off(size: int) -> None:
    with pytest.raises(tw.TurnwireError) as caught:
        tw.Ledger.load(STATE[:size])
    assert caught.value.code == "bad_state"


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_state_is_refused_or_harmless(seed: int) -> None:
    """Whatever its fields hold: an error with a code, or a request that its target accepts."""
    rng = random.Random(seed)
    for _ in range(60):
        state = json.loads(STATE)
        for place in rng.sample(places(state)[1:], rng.randrange(1, 3)):
            try:
                holder = state
                for key in place[:-1]:
                    holder = holder[key]
                if rng.random() < 0.2:
                    del holder[place[-1]]
                else:
                    holder[place[-1]] = rng.choice(ODD)
            except (KeyError, IndexError, TypeError):
                pass
        try:
            ledger = tw.Ledger.load(json.dumps(state).encode(), budget=tw.Budget(20_000), model=MODEL)
            ready = ledger.prepare(MESSAGES)
        except tw.TurnwireError as error:
            # A head with two tools of one name, for example, can be read and not sent.
            assert error.code == "bad_state" or isinstance(error, tw.BuildError), (error, place)
            continue
        errors = [one for one in tw.check(ready.payload, "anthropic", source="anthropic") if one.severity == "error"]
        assert errors == [], place


@pytest.mark.parametrize("value", [[], {}, True, object])
@pytest.mark.parametrize(
    "name",
    ["target", "max_bytes", "max_tokens", "per_result", "reserve", "on_full", "on_system_change", "on_tools_change"],
)
def test_a_setting_of_another_type_in_a_state_is_refused(name: str, value: object) -> None:
    ledger = tw.Ledger("anthropic", 1000)
    ledger.prepare([{"role": "user", "content": "q"}])
    state = json.loads(ledger.state())
    state["settings"][name] = ("1" if name.startswith(("max", "per", "res")) else 1) if value is object else value
    with pytest.raises(tw.TurnwireError) as caught:
        tw.Ledger.load(json.dumps(state).encode())
    assert (caught.value.code, caught.value.path) == ("bad_state", f"$.settings.{name}")


@pytest.mark.parametrize("target", tw.dialects())
def test_an_empty_list(target: Any) -> None:
    """A ledger does the same as `prepare` with it, and continues."""

    def outcome(prepare: Callable[[], Any]) -> Any:
        try:
            return prepare().payload
        except tw.TurnwireError as error:
            return error.code

    question = [{"role": "user", "content": "q"}]
    ledger = tw.Ledger(target)
    assert outcome(lambda: ledger.prepare([])) == outcome(lambda: tw.prepare([], target))
    first = ledger.prepare(question).payload
    outcome(lambda: ledger.prepare([]))
    assert ledger.prepare(question).payload == first == tw.prepare(question, target).payload


def test_options_of_prepare_without_an_effect_are_refused() -> None:
    first = tw.prepare([{"role": "user", "content": "go"}], "openai")
    idle: Json = {
        "summary": {"summary": "s", "indices": [0]},
        "pinned": [0],
        "settings": {"defaults": {"temperature": 1}},
        "system": "Be exact.",
        "tools": [],
        "source": "openai",
    }
    for name, value in idle.items():
        with pytest.raises(tw.TurnwireError, match=f"expected no {name}: ") as raised:
            tw.Ledger("openai", 1_000, **{name: value})
        assert raised.value.code == "unknown_option"
    # Their defaults say nothing.
    defaults: Json = {"summary": None, "pinned": (), "end": "request", "settings": "omit"}
    ledger = tw.Ledger("openai", 1_000, **defaults)
    assert ledger.prepare([{"role": "user", "content": "go"}]).payload == first.payload
    for name, hint in {"rest": "pass settings=", "state": "", "keep": "pass budget=", "over": "pass on_full="}.items():
        with pytest.raises(TypeError, match=rf"Ledger\(\) got an unexpected keyword argument '{name}'.*{hint}"):
            tw.Ledger("openai", **{name: "auto"})  # type: ignore[arg-type]
