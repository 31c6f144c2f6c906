"""Agents of forty steps, whose history breaks on the way and whose provider changes, against strict servers.

What breaks is the generator's: at a third of the steps something becomes wrong, and stays so. Each framework makes its
requests with its own models, synchronously, asynchronously and streamed, and no request may be one that its provider
would refuse.
"""

import asyncio
import contextlib
import os
import random

import pytest
from agents_of import MODES, RUNS, Servers, needed
from generator import FAULTS, call, result, told, without_other_arguments
from proof import refused
from provider import Step
from turnwire.adapters import _hosts

STEPS, BUDGET = 40, 30_000
# Frameworks refuse some by themselves, others leave nothing to go on with, and an odd id is for who knows a `target`.
_OTHERS = {"system in the middle", "image in a result", "lone surrogate", "broken off", "begins late", "odd id"}
KINDS = [name for name in FAULTS if name not in _OTHERS]


def servers_of(stack, receipts, name):
    """Servers that call the tool and reply, in turn."""
    ends = name == "smolagents"
    calls = [Step(calls=((f"toolu_new{at}", "look", {"q": f"q{at}"}),)) for at in range(200)]
    script = [step for at, made in enumerate(calls) for step in (made, end_of(at) if ends else Step(f"Reply {at}."))]
    return Servers(stack, script, BUDGET, on_receipt=receipts.append, wording={"opening": "(begin)"})


def end_of(at):
    """The last reply that smolagents' models need."""
    return Step(calls=((f"toolu_end{at}", "final_answer", {"answer": f"Reply {at}."}),))


def goes_on(one, step):
    """What a step leaves in the history: at a third of them, a fault that stays."""
    ident = f"call_of_{step}"
    one.messages += [call_of(ident, step), result(ident, one.text()), {"role": "assistant", "content": one.text()}]
    one.messages.append({"role": "user", "content": one.text()})
    if one.dice.random() < 0.33:
        name = one.dice.choice(KINDS)
        FAULTS[name](one)
        one.done.append(name)
    without_other_arguments(one)
    if one.messages[0]["role"] != "user" or not (one.messages[0]["content"] or "").strip():
        # Some providers have a rule about who speaks first, for which an adapter has `target`.
        one.messages.insert(0, {"role": "user", "content": one.text()})
    return one.closed()


def begun(name, **more):
    """A history without images, which Strands holds as bytes."""
    one = told(name, **more)
    for message in one.messages:
        if isinstance(message["content"], list):
            message["content"] = message["content"][0]["text"]
    return one


def call_of(ident, step):
    return {"role": "assistant", "content": None, "tool_calls": [call(ident, {"q": str(step)})]}


def conversation(body):
    """The conversation in a request, without what some frameworks add to their provider's types."""
    return {key: body[key] for key in ("messages", "input", "system", "instructions", "contents") if key in body}


def dialect_of(body):
    if "contents" in body:
        return "gemini"
    if "input" in body:
        return "openai-responses"
    return "anthropic" if body["model"].startswith("claude") else "openai"


def proved(servers, receipts, steps):
    assert min(len(servers.claude.bodies), len(servers.chat.bodies)) >= steps // 2
    for body in servers.bodies:
        assert refused(dialect_of(body), conversation(body)) == []
    # Most of the requests had a fault, and it was reported.
    assert len(receipts) > 3


# A single mode is for runs by hand.
@pytest.mark.parametrize("mode", ["in turns", *(MODES if "TURNWIRE_SEEDS" in os.environ else ())])
@pytest.mark.parametrize("name", RUNS)
def test_forty_steps(name, mode, monkeypatch):
    # An unknown server would also get what OpenAI does not know but that server might.
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    run, receipts = needed(name), []
    one = begun(f"forty {name} {mode}", faults=0)
    with contextlib.ExitStack() as stack:
        servers = servers_of(stack, receipts, name)
        for step in range(STEPS):
            way = MODES[step % len(MODES)] if mode == "in turns" else mode
            asyncio.run(run(servers, goes_on(one, step), step >= STEPS // 2, way))
    assert len(one.done) > 5
    proved(servers, receipts, STEPS)


# smolagents' agents are synchronous, `test_switch_at_once` tests LiteLLM, and the slowest are for runs by hand.
_AT_ONCE = ["pydantic_ai", "strands", "openai", "anthropic", "google_genai"]
_SLOWEST = ["langchain", "agents", "google_adk"] if "TURNWIRE_SEEDS" in os.environ else []


@pytest.mark.parametrize("name", [*_AT_ONCE, *_SLOWEST])
def test_fifty_conversations_at_once(name):
    run, steps, receipts = needed(name), 2, []
    talks = [begun(f"fifty {name} {number}", faults=0) for number in range(50)]

    async def talk(number, one):
        for step in range(steps):
            one.messages.append({"role": "user", "content": f"Only of {number}."})
            await asyncio.sleep(random.Random(number).random() / 50)
            await run(servers, goes_on(one, step), step >= steps // 2, ("async", "streamed")[number % 2])

    async def all_of_them():
        await asyncio.gather(*(talk(number, one) for number, one in enumerate(talks)))

    with contextlib.ExitStack() as stack:
        servers = servers_of(stack, receipts, name)
        asyncio.run(all_of_them())
    proved(servers, receipts, 50 * steps)
    seen = [{part.split(".")[0] for part in str(body).split("Only of ")[1:]} for body in servers.bodies]
    # A text of one conversation is in no request of another; some of the texts were blanked.
    assert max(map(len, seen)) == 1 and len(set().union(*seen)) > 45
