"""Random walks through each framework: classes of model, ways to run, faults, restarts and tools of its own.

A walk is one conversation, which the framework itself keeps. At each step it grows, breaks or not, and runs with one of
the framework's models. The servers are strict. Receipts and losses name each planted fault once, and nothing else.
"""

import asyncio
import os
import random
from collections import Counter
from dataclasses import replace

import oracle
import pytest
from drivers import Agents, LangChain, PydanticAI
from generator import Told
from more_drivers import ADK, LiteLLM, Strands, SynchronousLiteLLM
from needs import framework
from provider import Step, provider
from strict import Strict
from turnwire.adapters import _hosts

# In CI a walk is short; by hand, `TURNWIRE_SEEDS` walks have forty steps each.
SEEDS = os.environ.get("TURNWIRE_SEEDS")
STEPS = 40 if SEEDS else 10


NEEDED = {
    "langchain": (LangChain, "langchain", "langchain", ("langchain_openai", "langchain_google_genai")),
    "pydantic_ai": (PydanticAI, "pydantic_ai", "pydantic-ai-slim", ("anthropic", "openai", "google.genai")),
    "agents": (Agents, "agents", "openai-agents", ("openai",)),
    "strands": (Strands, "strands", "strands-agents", ("boto3",)),
    "google_adk": (ADK, "google.adk", "google-adk", ("litellm",)),
    "litellm": (LiteLLM, "litellm", "litellm", ()),
    "synchronous litellm": (SynchronousLiteLLM, "litellm", "litellm", ()),
}


def driver(name):
    """The driver of a framework that is installed."""
    kind, module, package, beside = NEEDED[name]
    if name == "agents" and os.environ.get("TURNWIRE_ADAPTERS") == "adapters-newest":
        pytest.skip("adapters-newest-more has the same version, and LiteLLM's model")
    framework(module, package)
    for client in beside:
        pytest.importorskip(client, reason=f"{client} is not installed: make adapters")
    return kind


def replies(one, step, signed):
    """What the model answers at a step, and what a switch to another provider may lose of it."""
    out, faults = [], []
    for turn in range(one.dice.choice([0, 0, 1, 1, 2])):
        calls = []
        for at in range(one.dice.choice([1, 1, 2])):
            calls.append((f"toolu_{step}_{turn}_{at}", "look", {"q": one.text()}))
            if signed:
                faults.append(replace(oracle.signed_call(calls[-1][2]), name="own call"))
        out.append(Step(one.text() if one.dice.random() < 0.4 else "", calls))
    return [*out, Step(one.text())], faults


def options(dice):
    """Options that change nothing of what is sent, nor of what is reported."""
    some = {"max_bytes": 10**6} if dice.random() < 0.5 else {}
    return some | ({"on_error": "log"} if dice.random() < 0.3 else {})


class Expected:
    """What must be reported at a step, and what may be, of all that was planted until then."""

    def __init__(self, kind, name):
        self.kinds, self.name, self.planted, self.lost = kind.kinds, name, [], set()
        self.signed = any("call" in loses for loses in kind.kinds.values())

    def at(self, step, model, request, again):
        """What must be named at a step, and what may; with `again`, all that was named before may."""
        must, may = [], []
        # A renamed call no longer matches its signature.
        renamed = {when for when, fault in self.planted if fault.name == "same id" and self.signed}
        for when, fault in self.planted:
            if fault.name in oracle.LEFT_OUT.get(self.name, ()) or not oracle.is_there(request, fault):
                continue
            if not fault.is_loss:
                must += [fault] * (when == step)
                may += [fault] * (when < step and again)
            elif fault.name in self.kinds[model] or (fault.name == "call" and when in renamed):
                (may if fault in self.lost else must).append(fault)
        self.lost.update(fault for fault in must if fault.is_loss)
        return must, may


@pytest.mark.parametrize("seed", range(int(SEEDS or 1)))
@pytest.mark.parametrize("name", NEEDED)
def test_a_walk(name, seed, monkeypatch):
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    kind, dice, heard = driver(name), random.Random(f"framework {name} {seed}"), oracle.Heard(monkeypatch)
    one, expected = Told(dice, [{"role": "user", "content": "TASK"}]), Expected(kind, name)
    faulty = dice.sample([*oracle.FAULTS] * 3, 3 * len(oracle.FAULTS))
    model, wrong, seen, taken = dice.choice([*kind.kinds]), [], Counter(), 0
    settings = {"max_result_bytes": oracle.CAP, "opening": "(begin)", **options(dice), **heard.settings}
    with provider() as server:
        server.RequestHandlerClass = Strict
        walker = kind(server.url, settings)
        for step in range(STEPS):
            last, model = model, dice.choice([*kind.kinds]) if dice.random() < 0.25 else model
            restarts, way = step and dice.random() < 0.1, dice.choice(kind.ways)
            if restarts:
                walker.restart()
            plant = faulty.pop() if step > 1 and step % 2 else dice.choice([oracle.healthy, oracle.thought])
            if step:
                one.messages.append({"role": "user", "content": one.text()})
            planted = plant(one, step)
            server.script[:], signed = replies(one, step, model in kind.signs)
            many, before, sent = len(server.script), len(heard.requests), len(server.bodies)
            expected.planted += [(step, fault) for fault in planted]
            asyncio.run(walker.step(model, way, one.messages[taken:], oracle.Together()))
            taken = len(one.messages)
            first, *others = heard.requests[before:]
            again = kind.rewrites and (model != last or restarts)
            must, may = expected.at(step, model, first, again)
            seen += Counter(fault.name for fault in must)
            expected.planted += [(step + 0.5, fault) for fault in signed]
            here = f"step {step} {model} {way}" + (" after a restart" if restarts else "")
            wrong += [f"{here}: {line}" for line in oracle.named(first, must, may)]
            wrong += [f"{here}, again: {line}" for request in others for line in oracle.named(request, [])]
            wrong += [f"{here}: {line}" for line in server.wrong]
            server.wrong.clear()
            if len(server.bodies) - sent != many and way not in kind.ends_early:
                wrong.append(f"{here}: {len(server.bodies) - sent} requests instead of {many}")
    assert not wrong, "\n".join(wrong)
    assert len(seen) > (3 if SEEDS else 0)
