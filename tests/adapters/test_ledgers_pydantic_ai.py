"""Pydantic AI's agents with a ledger, against a Claude that refuses stale reasoning."""

import asyncio

import pytest
import turnwire as tw
from binding import FIRST, Life, Server, breaks, thoughts
from needs import framework

framework("pydantic_ai", "pydantic-ai-slim")
framework("anthropic", "anthropic")
from anthropic import AsyncAnthropic  # noqa: E402
from pydantic_ai import Agent, DeferredToolRequests  # noqa: E402
from pydantic_ai.messages import ModelRequest, ToolReturnPart, UserPromptPart  # noqa: E402
from pydantic_ai.models.anthropic import AnthropicModel  # noqa: E402
from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: E402
from pydantic_ai.tools import ToolDefinition  # noqa: E402
from pydantic_ai.toolsets import ExternalToolset  # noqa: E402
from turnwire.adapters.pydantic_ai import capability  # noqa: E402

STEPS = 100
BUDGET = 100_000
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}}


def agent(server, life, ours):
    client = AsyncAnthropic(api_key="none", base_url=server.url, max_retries=0)
    made = Agent(
        AnthropicModel("claude-opus-5-5", provider=AnthropicProvider(anthropic_client=client)),
        output_type=[str, DeferredToolRequests],
        # Its tools run elsewhere: the test decides what comes of a call, now, later or never.
        toolsets=[ExternalToolset([ToolDefinition(name="read", description="Reads.", parameters_json_schema=SCHEMA)])],
        capabilities=[ours],
    )
    made.instructions(lambda: life.text)
    return made


async def runs(made, life, steps, history=None, first=0, streams=False):
    history = history or [ModelRequest(parts=[UserPromptPart(FIRST)])]
    for step in range(first, first + steps):
        life.text = life.system(step)
        if streams:
            async with made.run_stream(message_history=history) as result:
                await result.get_output()
        else:
            result = await made.run(message_history=history)
        history = result.all_messages()
        news = life.after(step + 1, [call.tool_call_id for call in history[-1].tool_calls])
        history = [*history, ModelRequest(parts=[part(*one) for one in news])]
    return history


def part(call, text):
    return ToolReturnPart("read", text, call) if call else UserPromptPart(text)


@pytest.mark.parametrize("given", [{"ledger": True, "budget": BUDGET}, {"ledger": tw.Ledger("anthropic", BUDGET)}])
def test_a_hundred_steps_under_a_budget_are_never_refused(given):
    life, steps = Life("one", 3_000), STEPS if given["ledger"] is True else 30
    with Server() as server:
        history = asyncio.run(runs(agent(server, life, capability(**given)), life, steps))
    bodies = server.bodies["one"]
    assert (len(bodies), server.refused) == (steps, [])
    if given["ledger"] is not True:
        return
    whole = sum(len(str(part.content).encode()) for one in history for part in one.parts if hasattr(part, "content"))
    assert whole > 2 * BUDGET
    # New instructions are a break, and there are cuts.
    assert 0 < breaks(bodies) <= -(-whole * 2 // BUDGET) + len(life.rules)
    assert max(thoughts(body) for body in bodies) > 10


def test_without_a_ledger_the_server_refuses():
    life = Life("one", 3_000)
    with Server() as server, pytest.raises(Exception, match="400"):
        asyncio.run(runs(agent(server, life, capability(BUDGET)), life, STEPS))


def test_fifty_conversations_at_once():
    every, ours = [Life(str(number)) for number in range(50)], capability(ledger=True)

    async def run(server):
        both = ((agent(server, life, ours), life) for life in every)
        await asyncio.gather(*(runs(made, life, 4, streams=at % 2 == 1) for at, (made, life) in enumerate(both)))

    with Server() as server:
        asyncio.run(run(server))
    assert server.refused == []
    for life in every:
        assert len(server.bodies[life.name]) == 4
        assert breaks(server.bodies[life.name]) <= len(life.rules) - 1


def edited(history):
    history[0] = ModelRequest(parts=[UserPromptPart("Do something else.")])


def shortened(history):
    del history[1:9]


def reordered(history):
    history[1:9] = [*history[5:9], *history[1:5]]


@pytest.mark.parametrize("change", [edited, shortened, reordered])
def test_a_list_that_was_changed_is_not_refused(change):
    life = Life("one")
    with Server() as server:
        made = agent(server, life, capability(ledger=True))
        history = asyncio.run(runs(made, life, 20))
        change(history)
        asyncio.run(runs(made, life, 10, history, 20))
    assert (len(server.bodies["one"]), server.refused) == (30, [])


def test_ledgers_that_cannot_be():
    life = Life("one")
    with Server() as server, pytest.raises(tw.TurnwireError, match="expected a ledger for anthropic") as error:
        asyncio.run(runs(agent(server, life, capability(ledger=tw.Ledger("openai"))), life, 1))
    assert error.value.code == "conflicting_options"
    with pytest.raises(TypeError, match="ledger: expected a bool or a Ledger, got int"):
        capability(ledger=3)
