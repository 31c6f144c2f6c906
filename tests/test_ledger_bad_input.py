"""Bad input for a ledger: damaged states, those of another conversation, edited lists, small budgets."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
import turnwire as tw
from runs.world import World

Json = dict[str, Any]
MODEL = "claude-opus-5-5"


def rich_state() -> tuple[bytes, list[Json]]:
    """A state with everything in it: a cut, notes, reasoning that was left out, and a summary that was asked for."""
    world = World().run("budget 6000\nuser go\nsystem Be exact.\ntools read list\nsend")
    for step in range(30):
        world.do(f"reply think; text; call a{step}; call b{step}")
        world.do("user Stop. Go on." if step % 7 == 5 else f"result a{step}=300 b{step}=100")
        world.do(
            f"system {world.talk.system} | Rule {step}.".replace("\n", " | ") if step % 5 == 4 else "tools read grep"
        )
        world.do("send")
    world.do("ask s")
    return world.side.ledger.state(), world.talk.messages


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
