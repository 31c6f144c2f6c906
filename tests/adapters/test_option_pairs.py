"""Random pairs and triples of options in each framework: refused by name where it is made, or all in effect."""

import asyncio
import contextlib
import json
import os
import random

import generator
import pytest
import turnwire as tw
from agents_of import MODES, RUNS, Servers, needed
from generator import Told, call, result
from turnwire.adapters import _hosts

SEEDS = range(int(os.environ.get("TURNWIRE_SEEDS", "6")))
BUDGET = 5_000
# What a framework repairs before its adapter sees it.
OWN_RESULTS = ("pydantic_ai", "google_adk", "smolagents")
# Those that other providers' reasoning reaches in one form or another.
THINKING = ("langchain", "strands", "google_adk", "litellm")
TARGETS = {"strands": ["bedrock"], "google_adk": ["gemini", "gemini:2"], "google_genai": ["gemini", "gemini:2"]}
TARGETS |= {"agents": ["openai-responses"], "openai": ["openai", "openai:deepseek"], "anthropic": ["anthropic"]}


class Heard:
    """What the callbacks got."""

    def __init__(self):
        self.cuts, self.gone, self.told = [], [], []

    def options(self, dice, name):
        """A value for each option that differs from its default."""
        return {
            "budget": self.budget(dice),
            "end": "calls",
            "model": "claude-opus-5-5",
            "wording": {"opening": "(begin)", "omitted": "(left out)", "missing_result": "(none came)"},
            "reasoning": "text",
            "blobs": "base64",
            "assistant_role": "gemini",
            "cache": "auto",
            "settings": {"defaults": {"temperature": 0.5}, "effort_budgets": {"high": 2_000}},
            "pinned": [0, 2],
            "summary": {"summary": "the gist", "indices": [1, 2]},
            "target": dice.choice(TARGETS.get(name, ["openai", "anthropic"])),
            "on_receipt": self.told.append,
            "ledger": True,
            "on_error": "log",
        }

    def budget(self, dice):
        """A limit, and some of the other fields."""
        fields = {
            "per_result": 400,
            "reserve": dice.choice([0.0, 0.5]),
            "on_cut": self.cuts.append,
            "summarise": self.sums_up,
        }
        limit = {"max_bytes": dice.choice([BUDGET, 10**6])}
        if dice.random() < 0.3:
            limit = {"max_tokens": limit["max_bytes"], "count": len}
        return tw.Budget(**limit, **{name: fields[name] for name in dice.sample([*fields], dice.choice([0, 1, 2]))})

    def sums_up(self, gone):
        self.gone.append(gone)
        return f"gist {len(self.gone)}"


def history(seed, steps):
    """Calls with large results, one of them without any, and thoughts."""
    one = Told(random.Random(seed), [{"role": "user", "content": "TASK"}])
    for step in range(steps):
        said = {"role": "assistant", "content": one.text(), "tool_calls": [call(f"call_{step}", {"q": one.text()})]}
        if step == 1:
            said["tool_calls"].append(call("call_beside", {"q": one.text()}))
            said["thinking"] = one.text()
        one.messages += [said, result(f"call_{step}", one.text(1_200))]
    one.messages += [{"role": "assistant", "content": one.text()}, {"role": "user", "content": one.text()}]
    one.dice = random.Random(1)
    return one


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RUNS)
def test_options_beside_each_other(name, seed, monkeypatch):
    run, dice, heard = needed(name), random.Random(f"pairs {name} {seed}"), Heard()
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    # In bytes and in characters, these are the same.
    monkeypatch.setattr(generator, "TEXTS", ("look", "find"))
    all_options = heard.options(dice, name)
    names = dice.sample([*all_options], dice.choice([2, 2, 3]))
    chosen = {one: all_options[one] for one in names}
    budget, mode, switched = chosen.pop("budget", None), dice.choice(MODES), dice.random() < 0.3
    here = f"{names} {budget} {mode} {'switched' if switched else ''}"

    async def runs(servers):
        for steps in (3, 6, 9):
            await run(servers, history(seed, steps), switched, mode)

    with contextlib.ExitStack() as stack:
        servers = Servers(stack, [], budget, **chosen)
        try:
            asyncio.run(runs(servers))
        except tw.TurnwireError as error:
            # It was refused where it was made, by its names.
            assert servers.adapters == {} and servers.bodies == [], f"{here}: {error}"
            assert error.code in ("unknown_option", "conflicting_options"), f"{here}: {error}"
            named = [one for one in names if one in str(error)]
            assert len(named) >= (1 if error.code == "unknown_option" else 2), f"{here}: {error}"
            return
    sent = json.dumps(servers.bodies[-1], ensure_ascii=False, default=str)
    small = budget is not None and BUDGET in (budget.max_bytes, budget.max_tokens)
    cut = budget is not None and budget.on_cut is not None
    if "wording" in names and name not in OWN_RESULTS and not small:
        assert "(none came)" in sent, here
    if cut and (small or budget.per_result is not None):
        assert heard.cuts or heard.gone, here
    if "on_receipt" in names and name not in OWN_RESULTS:
        assert heard.told, here
    if heard.gone:
        assert "gist" in sent, here
    if "reasoning" in names and switched and not small and name in THINKING:
        thought = next(message["thinking"] for message in history(seed, 3).messages if "thinking" in message)
        assert thought.split()[0] in sent or "summary" in names, here
    if "pinned" in names and "summary" not in names and name != "smolagents":
        assert "TASK" in sent and "w0003w" in sent, here
