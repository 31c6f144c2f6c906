"""Pins of a ledger with `max_result_bytes`: a result that was sent and answered stays as it was, cut or whole."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import turnwire as tw
from bound_reasoning import Provider
from random_runs import CI, seeds

MODEL = "claude-opus-5-5"
CAP = 50


def asks(*steps: int) -> list[dict[str, Any]]:
    """A question, and for each step a call with its long result."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for step in steps:
        messages += exchange(step)
    return messages


def exchange(step: int) -> list[dict[str, Any]]:
    call = {"type": "tool_use", "id": f"toolu_{step}", "name": "read", "input": {"n": step}}
    result = {"type": "tool_result", "tool_use_id": f"toolu_{step}", "content": f"{step:04}" * 50}
    return [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def whole(payload: Any) -> list[int]:
    """The steps whose results are whole."""
    text = json.dumps(payload)
    return [step for step in range(100) if f"{step:04}" * 50 in text]


@pytest.mark.parametrize(("before", "after"), [((), (2,)), ((2,), ())])
@pytest.mark.parametrize("loads", [False, True])
def test_what_was_sent_keeps_the_pins_that_it_had(before: tuple[int, ...], after: tuple[int, ...], loads: bool) -> None:
    ledger, provider, messages = (
        tw.Ledger("anthropic", model=MODEL, budget=tw.Budget(per_result=CAP)),
        Provider(),
        asks(1),
    )
    first = ledger.prepare(messages, pinned=before)
    assert whole(first.payload) == [1 for _ in before]
    said = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Done."}]
    messages.append({"role": "assistant", "content": provider.reply(first.payload, said, MODEL)})
    messages.append({"role": "user", "content": "and now?"})
    for _ in range(2):
        if loads:
            ledger = tw.Ledger.load(ledger.state(), model=MODEL, budget=tw.Budget(per_result=CAP))
        ready = ledger.prepare(messages, pinned=after)
        assert ready.payload["messages"][: len(first.payload["messages"])] == first.payload["messages"]
        assert ready.receipt.break_at is None and ready.receipt.reasoning == {"kept": 1, "dropped": 0}
        assert not provider.stale(ready.payload, MODEL)
        messages += [{"role": "assistant", "content": "Nothing."}, {"role": "user", "content": "on"}]


def test_pins_of_a_request_without_a_reply_are_not_kept() -> None:
    ledger, messages = tw.Ledger("anthropic", budget=tw.Budget(per_result=CAP)), asks(1, 2)
    ledger.prepare(messages[:3], pinned=[2])
    assert whole(ledger.prepare(messages, pinned=[4]).payload) == [1, 2]
    # No reply to the second request has come. The first one keeps its pin.
    assert whole(ledger.prepare(messages).payload) == [1]
    assert whole(ledger.prepare([*messages, *exchange(3)], pinned=[2, 4]).payload) == [1]
    # On another branch, what comes after the first reply is sent anew.
    assert whole(ledger.prepare(messages[:4] + exchange(7)[1:], pinned=[2, 4]).payload) == [1]
    branch = [*messages[:3], *exchange(7)]
    assert whole(ledger.prepare(branch, pinned=[4]).payload) == [1, 7]
    ledger.forget()
    assert whole(ledger.prepare(branch).payload) == []


def test_a_run_that_is_resumed_keeps_the_pins_of_its_first_request() -> None:
    ledger, messages = tw.Ledger("anthropic", budget=tw.Budget(per_result=CAP)), asks(1, 2)
    assert whole(ledger.prepare(messages, pinned=[2]).payload) == [1]
    ready = ledger.prepare([*messages, {"role": "user", "content": "Still there?"}])
    assert whole(ready.payload) == [1] and ready.receipt.break_at is None


@pytest.mark.parametrize("target", ["anthropic", "openai", "gemini", "bedrock", "ai-sdk-ui", "openai-responses"])
@pytest.mark.parametrize("seed", seeds(0.5 if CI else 0.25))
def test_random_pins_change_nothing_that_was_answered(target: Any, seed: int) -> None:
    rng = random.Random(f"{seed} {target}")
    budget = rng.choice([None, 1_800])
    ledger, messages = tw.Ledger(target, tw.Budget(budget, per_result=CAP)), asks(0)
    was: list[int] = []
    breaks = 0
    for step in range(1, 40):
        count = rng.randrange(0, 4)
        pinned = rng.sample(range(len(messages)), min(count, len(messages)))
        ready = ledger.prepare(messages, source="anthropic", pinned=pinned)
        now = whole(ready.payload)
        newest = [step - 1] if len(messages) - 1 in pinned else []
        if ready.receipt.break_at is None:
            assert now == was + newest, (step, pinned)
        else:
            breaks += 1
            assert budget is not None, (step, pinned, ready.receipt.break_at)
        was = now
        if rng.random() < 0.2:
            again = tw.Ledger.load(ledger.state())
            assert whole(again.prepare(messages, source="anthropic", pinned=pinned).payload) == now
        messages += exchange(step)
    assert (breaks > 0) == (budget is not None)
