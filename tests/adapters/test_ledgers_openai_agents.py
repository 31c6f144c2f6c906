"""The Agents SDK with a ledger, against a model that refuses reasoning whose beginning changed."""

import asyncio
import json
from itertools import pairwise

import pytest
import turnwire as tw
from binding import FIRST, Life, Responses
from needs import framework

agents = framework("agents", "openai-agents")
from agents import Agent, OpenAIResponsesModel, RunConfig, Runner, function_tool  # noqa: E402
from openai import AsyncOpenAI  # noqa: E402
from turnwire.adapters.openai_agents import input_filter  # noqa: E402

STEPS = 100
BUDGET = 100_000
agents.set_tracing_disabled(True)


@function_tool
def read(path: str) -> str:
    """Reads a file."""
    return "The test says what comes of a call."


async def step(model, life, items, count, config, streams=False):
    """One request; the list after it, with what comes of its calls: now, later or never."""
    # The tools run, and then the run ends.
    agent = Agent(
        "a", instructions=life.system(count), model=model, tools=[read], tool_use_behavior="stop_on_first_tool"
    )
    if streams:
        result = Runner.run_streamed(agent, items, run_config=config)
        async for _ in result.stream_events():
            pass
    else:
        result = await Runner.run(agent, items, run_config=config)
    made = result.to_input_list()[len(items) :]
    kept = [item for item in made if item.get("type") != "function_call_output"]
    news = life.after(count + 1, [item["call_id"] for item in kept if item.get("type") == "function_call"])
    return [*items, *kept, *(item(*one) for one in news)]


def item(call, text):
    if call:
        return {"type": "function_call_output", "call_id": call, "output": text}
    return {"role": "user", "content": text}


async def runs(server, life, steps, config, items=None, streams=False):
    # Without an id, the first words identify a conversation whose instructions change at once.
    items = items or [item("", f"{FIRST} {life.name}")]
    model = OpenAIResponsesModel("gpt-6", AsyncOpenAI(api_key="none", base_url=server.url, max_retries=0))
    for count in range(steps):
        items = await step(model, life, items, count, config, streams)
    return items


def config(group=None, **settings):
    return RunConfig(call_model_input_filter=input_filter(**settings), group_id=group)


def breaks(bodies):
    """Requests that do not begin with all that the one before was."""
    return sum(
        before["instructions"] != after["instructions"] or after["input"][: len(before["input"])] != before["input"]
        for before, after in pairwise(bodies)
    )


@pytest.mark.parametrize(
    "given", [{"ledger": True, "budget": BUDGET}, {"ledger": tw.Ledger("openai-responses", BUDGET)}]
)
def test_a_hundred_steps_under_a_budget_are_never_refused(given):
    life, steps = Life("one", 3_000), STEPS if given["ledger"] is True else 30
    with Responses() as server:
        items = asyncio.run(runs(server, life, steps, config(**given)))
    bodies = server.bodies["one"]
    assert (len(bodies), server.refused) == (steps, [])
    if given["ledger"] is not True:
        return
    assert any(one.get("role") == "developer" for body in bodies for one in body["input"])
    whole = len(json.dumps(items, ensure_ascii=False).encode())
    assert whole > 2 * BUDGET
    assert 0 < breaks(bodies) <= -(-whole * 2 // BUDGET)
    assert max(sum(one.get("type") == "reasoning" for one in body["input"]) for body in bodies) > 20


def test_without_a_ledger_the_server_refuses():
    with Responses() as server, pytest.raises(Exception, match="400"):
        asyncio.run(runs(server, Life("one", 3_000), STEPS, config(budget=BUDGET)))


def test_fifty_conversations_at_once():
    every, one = [Life(str(number)) for number in range(50)], config(ledger=True)

    async def run(server):
        await asyncio.gather(*(runs(server, life, 4, one, streams=at % 2 == 1) for at, life in enumerate(every)))

    with Responses() as server:
        asyncio.run(run(server))
    assert server.refused == []
    assert {len(bodies) for bodies in server.bodies.values()} == {4}
    assert all(breaks(bodies) == 0 for bodies in server.bodies.values())


def edited(items):
    items[0] = item("", "Do something else.")


def shortened(items):
    del items[1:9]


def reordered(items):
    items[1:9] = [*items[5:9], *items[1:5]]


@pytest.mark.parametrize("change", [edited, shortened, reordered])
def test_a_list_that_was_changed_is_not_refused(change):
    """The group of a run's trace says which conversation it is."""
    agents.set_tracing_disabled(False)
    life = Life("one")
    try:
        with Responses() as server:
            one = config("talk", ledger=True)
            items = asyncio.run(runs(server, life, 20, one))
            change(items)
            asyncio.run(runs(server, life, 10, one, items))
    finally:
        agents.set_tracing_disabled(True)
    assert (len(server.bodies["one"]), server.refused) == (30, [])


@pytest.mark.parametrize("given", [True, False])
def test_items_with_their_keys_in_another_order_are_the_same_items(given):
    """The SDK sorts the keys of what it stores of a run."""
    life, ledger = Life("one"), tw.Ledger("openai-responses")
    with Responses() as server:
        one = config(ledger=ledger if given else True)
        items = asyncio.run(runs(server, life, 8, one))
        again = [json.loads(json.dumps(item, sort_keys=True)) for item in items]
        assert [list(item) for item in items] != [list(item) for item in again]
        asyncio.run(runs(server, life, 8, one, again))
    assert (len(server.bodies["one"]), server.refused, breaks(server.bodies["one"])) == (16, [], 0)
    assert ledger.breaks == ()


def test_ledgers_that_cannot_be():
    with Responses() as server, pytest.raises(tw.TurnwireError, match="expected a ledger for openai-resp") as error:
        asyncio.run(runs(server, Life("one"), 1, config(ledger=tw.Ledger("openai"))))
    assert error.value.code == "conflicting_options"
    with pytest.raises(TypeError, match="ledger: expected a bool or a Ledger, got int"):
        input_filter(ledger=3)
