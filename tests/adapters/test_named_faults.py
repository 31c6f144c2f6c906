"""Forty steps of each framework: receipts and losses report each planted fault, and nothing about healthy steps."""

import asyncio
import contextlib
import os
import random
from collections import Counter
from dataclasses import replace
from importlib.metadata import version

import oracle
import pytest
from agents_of import RUNS, Servers, needed
from generator import Told
from provider import Step
from turnwire import Budget
from turnwire.adapters import _hosts

STEPS = 40
# Frameworks that lose thoughts, or signatures of calls, after a switch. Pydantic AI writes thoughts as texts.
THOUGHTS = {"langchain", "strands", "litellm", "anthropic", "google_adk"}
SIGNED = {"google_adk"}
# Each client has its own callbacks. The test builds smolagents' steps, which the adapter edits, again for each step.
ANEW = {"openai", "anthropic", "google_genai"}
EACH = {"smolagents"}

# This share of the steps is inserted before others.
BEFORE = 0.3


def expected(name, planted, step, request):
    """What must be reported at a step, of the faults that the steps until now have planted."""
    switched, is_first = step >= STEPS // 2, step == STEPS // 2
    said, renamed = [], {at for at, fault in planted if fault.name == "same id"}
    for at, fault in planted:
        if fault.name in oracle.LEFT_OUT.get(name, ()) or not oracle.is_there(request, fault):
            continue
        if fault.is_loss:
            takes = THOUGHTS if fault.name == "thought" else SIGNED
            if name in takes and switched and (at == step or is_first):
                said.append(fault)
            elif name in SIGNED and at == step and fault.name == "call" and at in renamed:
                # A renamed call no longer matches its signature.
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
    # smolagents ends with a tool call.
    end = Step(calls=(("call_end", "final_answer", {"answer": "done"}),)) if name == "smolagents" else "done"
    with contextlib.ExitStack() as stack:
        settings = {"wording": {"opening": "(begin)"}, **heard.settings}
        servers = Servers(stack, [end] * STEPS, Budget(per_result=oracle.CAP), **settings)
        for step in range(STEPS):
            sound = oracle.thought if one.dice.random() < 0.5 else oracle.healthy
            plant = kinds.pop() if step > 2 and step % 2 else sound
            # Inserted before older messages, there are other calls whose ids may be repeated.
            at = one.dice.randrange(2, len(ends)) if len(ends) > 3 and one.dice.random() < BEFORE else len(ends) - 1
            length = len(one.messages)
            made = oracle.planted(one, step, plant, ends[at])
            more = len(one.messages) - length
            ends[at:] = [ends[at], *(end + more for end in ends[at:])]
            planted += [(step, fault) for fault in made]
            before = len(heard.requests)
            asyncio.run(run(servers, replace(one, dice=oracle.Together()), step >= STEPS // 2, "sync"))
            first, *others = heard.requests[before:]
            told = expected(name, planted, step, first)
            seen += Counter(fault.name for fault in told)
            # Faults in an earlier list that this one continues were reported.
            on = [when for when, earlier in sent if one.messages[: len(earlier)] == earlier]
            # What the switch loses can only have been reported since the switch; so can everything for a client with
            # its own callbacks.
            since = [when for when in on if (when >= STEPS // 2) == (step >= STEPS // 2)]
            known, lost = max(since if name in ANEW else on, default=-1), max(since, default=-1)
            again = [
                fault for when, fault in planted if when > (lost if fault.is_loss else known) and fault not in told
            ]
            if name == "google_adk" and version("google-adk").startswith("1."):
                # The first ADK joins results anew at each step, so a list does not continue the one before it.
                again += [fault for _, fault in planted if fault not in told]
            sent.append((step, [*one.messages]))
            wrong += [f"step {step}: {line}" for line in oracle.named(first, told, again)]
            wrong += [f"step {step}, again: {line}" for request in others for line in oracle.named(request, [])]
    assert not wrong, "\n".join(wrong)
    sure = {"same id", "huge result", "result moved", "blank"} - oracle.LEFT_OUT.get(name, set())
    assert all(seen[kind] for kind in sure)
    assert bool(seen["thought"]) == (name in THOUGHTS) and bool(seen["call"]) == (name in SIGNED)
