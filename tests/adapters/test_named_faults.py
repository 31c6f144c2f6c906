"""Forty steps of each framework: receipts and losses name each fault that was planted, and nothing of healthy steps."""

import asyncio
import contextlib
import os
import random
from collections import Counter
from dataclasses import replace

import oracle
import pytest
from agents_of import RUNS, Servers, needed
from generator import Told
from provider import Step
from turnwire.adapters import _hosts

STEPS = 40
# What frameworks mend before they ask, beside results that they leave out; and what smolagents' steps cannot hold.
OWN = {
    "pydantic_ai": {"missing result"},
    "google_adk": {"result moved", "blank"},
    "smolagents": {"orphan", "missing result", "result twice", "result moved", "same id", "blank"},
}
# Who loses thoughts, or signatures of calls, once the provider has changed. Pydantic AI writes thoughts as texts.
THOUGHTS = {"langchain", "strands", "litellm", "anthropic", "google_adk"}
SIGNED = {"google_adk"}
# Each client hears for itself; smolagents' steps, which it edits, are here told anew for each step.
ANEW = {"openai", "anthropic", "google_genai"}
EACH = {"smolagents"}

# So many of the steps come in front of others.
BEFORE = 0.3


class Together(random.Random):
    """Dice by which the results of a turn are spelled in one message: two in a row are a fault at some providers."""

    def random(self):
        return 0.1


def expected(name, planted, step, request):
    """What is to be said at a step, of the faults that each step until now has planted."""
    switched, is_first = step >= STEPS // 2, step == STEPS // 2
    said, renamed = [], {at for at, fault in planted if fault.name == "same id"}
    for at, fault in planted:
        if fault.name in OWN.get(name, ()) or not oracle.is_there(request, fault):
            continue
        if fault.is_loss:
            takes = THOUGHTS if fault.name == "thought" else SIGNED
            if name in takes and switched and (at == step or is_first):
                said.append(fault)
            elif name in SIGNED and at == step and fault.name == "call" and at in renamed:
                # What is renamed is not what was signed.
                said.append(fault)
        elif at == step or name in EACH or (is_first and name in ANEW):
            said.append(fault)
    return said


@pytest.mark.parametrize("seed", range(int(os.environ.get("TURNWIRE_SEEDS", "1"))))
@pytest.mark.parametrize("name", RUNS)
def test_each_fault_is_named_once(name, seed, monkeypatch):
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    run, heard = needed(name), oracle.Heard(monkeypatch)
    one = Told(random.Random(f"named {name} {seed}"), [{"role": "user", "content": "TASK"}])
    kinds = one.dice.sample([*oracle.FAULTS] * 3, 3 * len(oracle.FAULTS))
    planted, seen, wrong = [], Counter(), []
    # Where each step ends, and the lists that were sent.
    ends, sent = [len(one.messages)], []
    # smolagents ends by a tool.
    end = Step(calls=(("call_end", "final_answer", {"answer": "done"}),)) if name == "smolagents" else "done"
    with contextlib.ExitStack() as stack:
        settings = {"max_result_bytes": oracle.CAP, "opening": "(begin)", **heard.settings}
        servers = Servers(stack, [end] * STEPS, None, **settings)
        for step in range(STEPS):
            sound = oracle.thought if one.dice.random() < 0.5 else oracle.healthy
            plant = kinds.pop() if step > 2 and step % 2 else sound
            # In front of what was said before, there are other calls that ids may repeat.
            at = one.dice.randrange(2, len(ends)) if len(ends) > 3 and one.dice.random() < BEFORE else len(ends) - 1
            length = len(one.messages)
            made = oracle.planted(one, step, plant, ends[at])
            more = len(one.messages) - length
            ends[at:] = [ends[at], *(end + more for end in ends[at:])]
            planted += [(step, fault) for fault in made]
            before = len(heard.requests)
            asyncio.run(run(servers, replace(one, dice=Together()), step >= STEPS // 2, "sync"))
            first, *others = heard.requests[before:]
            told = expected(name, planted, step, first)
            seen += Counter(fault.name for fault in told)
            # What was in a list that this one goes on with was told.
            on = [when for when, earlier in sent if one.messages[: len(earlier)] == earlier]
            # What is lost by the switch was told since then at most, and so was all by a client that hears for itself.
            since = [when for when in on if (when >= STEPS // 2) == (step >= STEPS // 2)]
            known, lost = max(since if name in ANEW else on, default=-1), max(since, default=-1)
            again = [
                fault for when, fault in planted if when > (lost if fault.is_loss else known) and fault not in told
            ]
            sent.append((step, [*one.messages]))
            wrong += [f"step {step}: {line}" for line in oracle.named(first, told, again)]
            wrong += [f"step {step}, again: {line}" for request in others for line in oracle.named(request, [])]
    assert not wrong, "\n".join(wrong)
    sure = {"same id", "huge result", "result moved", "blank"} - OWN.get(name, set())
    assert all(seen[kind] for kind in sure)
    assert bool(seen["thought"]) == (name in THOUGHTS) and bool(seen["call"]) == (name in SIGNED)
