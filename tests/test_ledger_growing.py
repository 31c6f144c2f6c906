"""A ledger for the AI SDK's messages, which replies continue: their ends are new, and what was sent of them stays."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
import turnwire as tw
from random_runs import seeds

Json = dict[str, Any]
UI: Any = "ai-sdk-ui"


def grown(old: list[Json], new: list[Json]) -> bool:
    """Whether all that was sent is unchanged, except for new parts at the end of the last message."""
    if new[: len(old)] == old:
        return True
    last, then = old[-1], new[len(old) - 1 : len(old)]
    stands = new[: len(old) - 1] == old[:-1] and then != [] and last["role"] == "assistant"
    return stands and {**then[0], "parts": then[0]["parts"][: len(last["parts"])]} == last


@pytest.mark.parametrize("seed", seeds())
def test_lists_of_the_sdk_stand_as_they_are(seed: int) -> None:
    """The SDK's own list, whose last message grows: its signed reasoning goes out again, unchanged."""
    rng = random.Random(seed)
    ledger, messages = tw.Ledger(UI), list[Json]()
    for step in range(rng.randrange(3, 20)):
        if not messages or rng.random() < 0.3:
            messages.append({"id": f"u{step}", "role": "user", "parts": [{"type": "text", "text": f"q{step}"}]})
            messages.append({"id": f"a{step}", "role": "assistant", "parts": []})
        parts = messages[-1]["parts"]
        given = messages if parts else messages[:-1]
        ready = ledger.prepare(given, source=UI)
        assert ready.payload == given and not ready.receipt.changed and ready.receipt.break_at is None
        ledger = tw.Ledger.load(ledger.state())
        signed = {"anthropic": {"signature": f"s{step}"}}
        parts += [{"type": "step-start"}, {"type": "reasoning", "text": "Hm.", "providerMetadata": signed}]
        for at in range(rng.randrange(3)):
            call = {"type": "tool-f", "toolCallId": f"c{step}-{at}", "input": {}, "output": "r"}
            parts.append({**call, "state": "output-available"})


@pytest.mark.parametrize("budget", [600, 2_000])
def test_a_cut_is_a_break(budget: int) -> None:
    messages: list[Json] = [{"role": "user", "content": "q"}]
    ledger = tw.Ledger(UI, budget)
    sent: list[Json] = []
    for step in range(40):
        ready = ledger.prepare(messages, source="openai")
        assert (ready.receipt.break_at is None) == grown(sent, ready.payload) if sent else True, step
        sent = ready.payload
        call = {"id": f"c{step}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": f"t{step}", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{step}", "content": f"r{step} " * 20})
    assert 0 < len(ledger.breaks) < 20


@pytest.mark.parametrize("seed", seeds(1 / 2))
def test_sent_bytes_stay_also_behind_cuts(seed: int) -> None:
    """The SDK's own list with metadata, whose keys stay where they were sent; only a cut may write a message anew."""
    rng = random.Random(seed)
    ledger, messages = tw.Ledger(UI, rng.randrange(800, 6_000)), list[Json]()
    sent: list[Json] = []
    for step in range(0, 30, 2):
        said = {"type": "text", "text": "q" * 20}
        messages.append({"id": f"m{step}", "role": "user", "metadata": {"n": step}, "parts": [said]})
        reply: Json = {"id": f"m{step + 1}", "role": "assistant", "metadata": {"n": step + 1}, "parts": []}
        for count in range(rng.randrange(1, 5)):
            ready = ledger.prepare([*messages, *([copy.deepcopy(reply)] if count else [])], source=UI)
            if sent and ready.receipt.break_at is None:
                assert json.dumps(ready.payload[: len(sent) - 1]) == json.dumps(sent[:-1]), (seed, step, count)
                last, now = sent[-1], ready.payload[len(sent) - 1]
                parts = {"parts": now["parts"][: len(last["parts"])]}
                assert json.dumps({**now, **parts}) == json.dumps(last), (seed, step, count)
            sent = ready.payload
            call = {"type": "tool-f", "toolCallId": f"c{step}-{count}", "state": "output-available", "input": {}}
            reply["parts"] += [{"type": "step-start"}, {**call, "output": "r" * rng.randrange(10, 500)}]
        messages.append(reply)


@pytest.mark.parametrize("loads", [False, True])
def test_a_message_keeps_its_id_where_a_later_step_has_one(loads: bool) -> None:
    """The first step came without an id, so its message gets a made one. The id of the next step's item is not it."""
    ledger = tw.Ledger(UI)
    call = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages: list[Json] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "one"},
    ]
    sent: list[Json] = ledger.prepare(messages).payload
    if loads:
        ledger = tw.Ledger.load(ledger.state())
    messages += [
        {"type": "function_call", "id": "fc_b", "call_id": "b", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "b", "output": "two"},
    ]
    ready = ledger.prepare(messages)
    assert grown(sent, ready.payload) and ready.payload[-1]["id"] == sent[-1]["id"]
    assert ready.receipt.break_at is None
