"""A ledger for the AI SDK's own list, whose last message gets new parts with each step: what was sent of it stays."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import turnwire as tw
from random_runs import seeds
from runs.formats import elements

Json = dict[str, Any]
CAP = 50
TARGETS = ("anthropic", "openai", "openai-responses", "gemini", "bedrock", "cohere", "mistral", "ai-sdk", "ai-sdk-ui")


def step(number: int, calls: int = 1) -> list[Json]:
    """The parts of one step: a text, and calls with long results."""
    said: list[Json] = [{"type": "step-start"}, {"type": "text", "text": f"t{number}"}]
    for at in range(calls):
        call = {"toolCallId": f"c{number}x{at}", "state": "output-available", "input": {"n": number}}
        said.append({"type": "tool-read", **call, "output": f"<{number}.{at}>" * 30})
    return said


def whole(payload: Any) -> list[str]:
    """The results that are whole."""
    text = json.dumps(payload)
    return [f"{n}.{at}" for n in range(60) for at in range(3) if f"<{n}.{at}>" * 30 in text]


def asks(steps: int) -> list[Json]:
    parts = [part for number in range(steps) for part in step(number)]
    question = {"id": "u", "role": "user", "parts": [{"type": "text", "text": "go"}]}
    return [question, {"id": "a", "role": "assistant", "parts": parts}]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("pins", [((), (1,), (1,)), ((1,), (), ()), ((1,), (), (1,))])
def test_the_steps_that_were_sent_keep_their_pins(target: Any, pins: tuple[tuple[int, ...], ...]) -> None:
    ledger, expected = tw.Ledger(target, budget=tw.Budget(per_result=CAP)), list[str]()
    for number, pinned in enumerate(pins):
        ready = ledger.prepare(asks(number + 1), source="ai-sdk-ui", pinned=pinned)
        expected += [f"{number}.0"] if pinned else []
        assert whole(ready.payload) == expected and ready.receipt.break_at is None
        assert {int(entry.path.split("[")[1][0]) for entry in ready.receipt.only("cut")} <= {1}
        ledger = tw.Ledger.load(ledger.state(), budget=tw.Budget(per_result=CAP))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("seed", seeds(0.2))
def test_random_runs(target: Any, seed: int) -> None:
    """The steps grow in place, under pins, caps and budgets: each request repeats the last one, or says where not."""
    rng = random.Random(f"{seed} {target}")
    options: Json = {
        "wording": {"omitted": rng.choice([None, "…"])},
    }
    most, cap = rng.choice([None, None, 900, 3_000]), rng.choice([None, CAP])
    budget = tw.Budget(most, per_result=cap)
    if most is not None and rng.random() < 0.3:
        budget = tw.Budget(max_tokens=most // 4, count=lambda text: len(text) // 4 + 1, per_result=cap)
    ledger, messages, sent = tw.Ledger(target, budget, **options), list[Json](), list[Json]()
    breaks = calls = 0
    for number in range(rng.randrange(5, 30)):
        if not messages or calls == 0:
            messages.append({"id": f"u{number}", "role": "user", "parts": [{"type": "text", "text": f"q{number}"}]})
            parts: list[Json] = []
            messages.append({"id": f"a{number}", "role": "assistant", "parts": parts})
        given = messages if parts else messages[:-1]
        for retry in range(rng.choice((1, 1, 1, 2))):
            pinned = rng.sample(range(len(given)), rng.randrange(min(3, len(given) + 1)))
            state = ledger.state()
            try:
                ready = ledger.prepare(given, source="ai-sdk-ui", pinned=pinned)
            except tw.BuildError as error:
                # All of a message that is pinned may be more than the budget.
                assert pinned and error.code == "budget_too_small" and ledger.state() == state
                ready = ledger.prepare(given, source="ai-sdk-ui", pinned=(pinned := []))
            now = elements(ready.payload)
            other = tw.Ledger.load(state, budget=budget, **options)
            again = other.prepare(given, source="ai-sdk-ui", pinned=pinned)
            assert (again.payload, (*again.receipt,), other.state()) == (
                ready.payload,
                (*ready.receipt,),
                ledger.state(),
            )
            errors = [one for one in tw.check(ready.payload, target, source=target) if one.severity == "error"]
            assert not errors, (number, errors)
            # Without a reply, the newest step is sent anew.
            if ready.receipt.break_at is not None:
                breaks += 1
                index = int(ready.receipt.break_at.split("[")[-1].split("]")[0])
                assert index < len(given), ready.receipt.break_at
            elif retry == 0:
                assert now[: len(sent)] == sent, (number, pinned)
            assert all(index < len(given) for sources in ready.sources for index in sources)
        sent = now
        if rng.random() < 0.2:
            ledger = tw.Ledger.load(ledger.state(), budget=budget, **options)
        calls = rng.choice((0, 1, 1, 2, 3))
        parts += step(number, calls)
    assert breaks == len(ledger.breaks)
    assert breaks == 0 or most is not None
    assert all(length <= len(messages) for length, _ in ledger.breaks)
