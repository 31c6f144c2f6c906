"""Random walks through each framework: classes of model, ways to run, faults, budgets, ledgers, pauses and restarts.

A walk is one conversation, which the framework itself keeps. At each step it grows, breaks or not, and runs with one of
the framework's models. Some calls wait for a person, and some pauses end with a restart. The servers are strict.
Receipts and losses name each planted fault once, and nothing else but cuts, where there is a budget.
"""

import asyncio
import inspect
import json
import os
import random
from collections import Counter
from dataclasses import replace

import oracle
import pytest
from drivers import Agents, LangChain, PydanticAI
from generator import Told
from histories import size
from more_drivers import ADK, LiteLLM, Strands, SynchronousLiteLLM
from needs import framework
from proof import judged, words
from provider import Step, provider
from strict import Strict
from turnwire import Budget
from turnwire.adapters import _hosts

# In CI a walk is short; by hand, `TURNWIRE_SEEDS` walks have forty steps each.
SEEDS = os.environ.get("TURNWIRE_SEEDS")
STEPS = 40 if SEEDS else 10
# Forty steps of LangChain take a minute beside other work, which is too near the limit of every test.
pytestmark = [pytest.mark.timeout(900)] if SEEDS else []
BUDGET = 2_000
HOW = {
    "as it is": {},
    "ledger": {"ledger": True},
    "cuts": {"budget": BUDGET},
    "ledger and cuts": {"ledger": True, "budget": BUDGET},
}


NEEDED = {
    "langchain": (LangChain, "langchain", "langchain", ("langchain_openai", "langchain_google_genai")),
    "pydantic_ai": (PydanticAI, "pydantic_ai", "pydantic-ai-slim", ("anthropic", "openai", "google.genai")),
    "agents": (Agents, "agents", "openai-agents", ("openai",)),
    "strands": (Strands, "strands", "strands-agents", ("boto3",)),
    "google_adk": (ADK, "google.adk", "google-adk", ("litellm",)),
    # Google's client is only the judge of what LiteLLM sends to Gemini: the proxy's environment has none.
    "litellm": (LiteLLM, "litellm", "litellm", ("google.genai",)),
    "synchronous litellm": (SynchronousLiteLLM, "litellm", "litellm", ("google.genai",)),
}


def driver(name):
    """The driver of a framework that is installed."""
    kind, module, package, beside = NEEDED[name]
    if name == "agents" and os.environ.get("TURNWIRE_ADAPTERS") == "adapters-newest":
        pytest.skip("adapters-newest-more has the same version, and LiteLLM's model")
    found = framework(module, package)
    if name == "agents" and "needs_approval" not in inspect.signature(found.function_tool).parameters:
        pytest.skip("this version of the Agents SDK has no approvals")
    for client in beside:
        pytest.importorskip(client, reason=f"{client} is not installed: make adapters")
    return kind


def replies(one, step, signed, size, waits_last):
    """What the model answers at a step, and what a switch to another provider may lose of it."""
    out, faults = [], []
    for turn in range(one.dice.choice([0, 0, 1, 1, 2])):
        calls = []
        for at in range(many := one.dice.choice([1, 1, 2])):
            may_wait = at == many - 1 or not waits_last
            name = "send" if one.dice.random() < 0.3 and may_wait else "look"
            calls.append((f"toolu_{step}_{turn}_{at}", name, {"q": one.text(size)}))
            if signed:
                faults.append(replace(oracle.signed_call(calls[-1][2]), name="own call"))
        out.append(Step(one.text() if one.dice.random() < 0.4 else "", calls))
    return [*out, Step(one.text())], faults


def options(dice):
    """Options that change nothing of what is sent, nor of what is reported."""
    some = {"budget": 10**6} if dice.random() < 0.5 else {}
    return some | ({"on_error": "log"} if dice.random() < 0.3 else {})


class Expected:
    """What must be reported at a step, and what may be, of all that was planted until then."""

    def __init__(self, kind, name, how):
        self.kinds, self.name, self.planted, self.lost = kind.kinds, name, [], set()
        self.has_ledger, self.cuts = "ledger" in HOW[how], "budget" in HOW[how]
        self.signed = any("call" in loses for loses in kind.kinds.values())

    def at(self, step, model, request, again):
        """What must be named at a step, and what may; with `again`, all that was named before may."""
        must, may = [], []
        # A renamed call no longer matches its signature.
        renamed = {when for when, fault in self.planted if fault.name == "same id" and self.signed}
        for when, fault in self.planted:
            if not oracle.is_there(request, fault):
                continue
            if fault.name in oracle.LEFT_OUT.get(self.name, ()):
                # A ledger for Claude repairs what was sent before Pydantic AI repaired it.
                may += [fault] * self.has_ledger
                continue
            if not fault.is_loss:
                # A budget may have left out what had the same id.
                is_sure = not (self.cuts and fault.name == "same id")
                must += [fault] * (when == step and is_sure)
                may += [fault] * (when == step and not is_sure)
                may += [fault] * (when < step and again)
            elif fault.name in self.kinds[model] or (fault.name == "call" and when in renamed):
                is_sure = fault.name in self.kinds[model] or not self.cuts
                (must if is_sure and fault not in self.lost else may).append(fault)
        self.lost.update(fault for fault in must if fault.is_loss)
        return must, may


class Walk:
    """One conversation of a framework, and all that is wrong with it."""

    def __init__(self, name, how, seed, heard, server):
        self.kind, self.dice = driver(name), random.Random(f"framework {name} {how} {seed}")
        self.heard, self.server, self.most = heard, server, HOW[how].get("budget")
        self.wrong, self.seen, self.cuts, self.expected = [], Counter(), 0, Expected(self.kind, name, how)
        chosen = {**options(self.dice), **HOW[how]}
        budget = Budget(chosen.pop("budget", None), per_result=oracle.CAP)
        settings = {"budget": budget, "wording": {"opening": "(begin)"}, **chosen}
        self.walker = self.kind(server.url, settings | heard.settings)
        self.model, self.was = self.dice.choice([*self.kind.kinds]), None
        # A ledger for Claude has messages of its own, where other models have the framework's.
        self.rewrites = self.kind.rewrites or "ledger" in HOW[how]

    def step(self, step, one, new):
        """A step of the framework with these messages, and the pauses in it."""
        if self.dice.random() < 0.25:
            self.model = self.dice.choice([*self.kind.kinds])
        again = self.restart() if step and self.dice.random() < 0.1 else ""
        signs, last = self.model in self.kind.signs, self.walker.waits_last
        self.server.script[:], signed = replies(one, step, signs, 200 if self.most else 0, last)
        script, sent, ways = [*self.server.script], len(self.server.bodies), []
        waiting, waited, gone = None, [], []
        while waiting is None or waiting:
            ways.append(self.dice.choice(self.kind.ways))
            here = f"step {step} {self.was}->{self.model} {ways[-1]} {again}"
            if waiting is None:
                run = self.walker.step(self.model, ways[-1], new, oracle.Together())
            else:
                here += " resumed"
                run = self.walker.resume(self.model, ways[-1])
            before, first = len(self.heard.requests), len(self.server.bodies)
            allowed, waiting = waiting or [], asyncio.run(run)
            body = json.dumps(self.server.bodies[first], ensure_ascii=False)
            gone += [q for q in allowed if f"allowed {words(q)[0]}" not in body or body.count(words(q)[0]) < 2]
            named_again = bool(again) or (self.rewrites and self.model != self.was)
            self.judge(here, self.heard.requests[before:], step if not waited else step + 0.25, named_again)
            self.was = self.model
            waited += waiting
            again = self.restart() if waiting and self.dice.random() < 0.5 else ""
        if gone:
            self.wrong.append(f"step {step}: {gone} was allowed, and the model does not get it")
        self.expected.planted += [(step + 0.5, fault) for fault in signed]
        if not {*ways} & {*self.kind.ends_early}:
            sends = [call[2]["q"] for turn in script for call in turn.calls if call[1] == "send"]
            if waited != sends:
                self.wrong.append(f"step {step}: {waited} waited instead of {sends}")
            if len(self.server.bodies) - sent != len(script):
                self.wrong.append(f"step {step}: {len(self.server.bodies) - sent} requests instead of {len(script)}")

    def restart(self):
        """Read the conversation as a new process does; whether faults may then be named again, and why."""
        self.walker.restart()
        if self.dice.random() < 0.5:
            self.walker.renew()
            return "renewed"
        return "restarted" if self.rewrites else ""

    def judge(self, here, requests, step, again):
        """Compare the reports with what was planted, and what was sent with the budget."""
        first, *others = requests
        must, may = self.expected.at(step, self.model, first, again)
        self.seen += Counter(fault.name for fault in must)
        self.cuts += sum(code in oracle.CUTS for request in requests for code, _, _ in request.told)
        besides = oracle.CUTS if self.most else frozenset()
        switched = oracle.SWITCHED if self.model != self.was else frozenset()
        # A cut builds the whole list anew.
        planted = self.expected.planted if self.most else []
        earlier = [fault for when, fault in planted if when != step]
        wrong = oracle.named(first, must, [*may, *earlier], besides | switched)
        every = [fault for _, fault in planted]
        wrong += [f"again: {line}" for request in others for line in oracle.named(request, [], every, besides)]
        wrong += self.server.wrong
        for dialect, body in self.server.conversations if self.most else ():
            # A result for Gemini may be written as JSON, which is longer.
            longer = 1.2 if dialect == "gemini" else 1
            if (bytes := size(body, dialect)) > longer * self.most:
                wrong.append(f"{bytes} bytes")
        self.server.wrong.clear()
        self.server.conversations.clear()
        self.wrong += [f"{here}: {line}" for line in wrong]


@pytest.mark.parametrize("seed", range(int(SEEDS or 1)))
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("name", NEEDED)
def test_a_walk(name, how, seed, monkeypatch):
    judged("openai")
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    heard = oracle.Heard(monkeypatch)
    with provider() as server:
        server.RequestHandlerClass = Strict
        walk = Walk(name, how, seed, heard, server)
        one, taken = Told(walk.dice, [{"role": "user", "content": "TASK"}]), 0
        faults = [plant for plant in oracle.FAULTS if plant not in walk.kind.drops_later]
        faulty = walk.dice.sample(faults * 4, 4 * len(faults))
        for step in range(STEPS):
            plant = faulty.pop() if step > 1 and step % 2 else walk.dice.choice([oracle.healthy, oracle.thought])
            if step:
                one.messages.append({"role": "user", "content": one.text()})
            walk.expected.planted += [(step, fault) for fault in plant(one, step)]
            walk.step(step, one, one.messages[taken:])
            taken = len(one.messages)
    assert not walk.wrong, "\n".join(walk.wrong)
    # The ADK leaves out most of what is planted in a short walk.
    assert len(walk.seen) > (3 if SEEDS else 0) or (name == "google_adk" and not SEEDS)
    assert bool(walk.cuts) or not walk.most
