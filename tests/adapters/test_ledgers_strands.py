"""Strands' agents with a ledger, against a Claude that refuses stale reasoning."""

import asyncio
import json

import pytest
import turnwire as tw
from binding import FIRST, Life, Server, breaks, thoughts
from needs import framework

strands = framework("strands", "strands-agents")
framework("anthropic", "anthropic")
from strands import Agent, tool  # noqa: E402
from strands.agent.conversation_manager import NullConversationManager  # noqa: E402
from strands.hooks import BeforeModelCallEvent, BeforeToolCallEvent  # noqa: E402
from strands.middleware import InvokeModelStage  # noqa: E402
from strands.models.anthropic import AnthropicModel  # noqa: E402
from strands.types.exceptions import EventLoopException  # noqa: E402
from turnwire.adapters.strands import middleware  # noqa: E402

STEPS = 100
BUDGET = 100_000


@tool
def read(path: str) -> str:
    """Reads a file."""
    raise AssertionError("the test says what comes of a call")


def agent(server, life, ours):
    model = AnthropicModel(
        model_id="claude-opus-5-5",
        max_tokens=99,
        client_args={"api_key": "none", "base_url": server.url, "max_retries": 0},
    )
    made = Agent(
        model,
        tools=[read],
        system_prompt=life.system(0),
        callback_handler=None,
        conversation_manager=NullConversationManager(),
    )
    # The tools do not run: the test decides what comes of a call, now, later or never.
    made.hooks.add_callback(BeforeToolCallEvent, lambda event: setattr(event, "cancel_tool", "not now"))
    made.add_middleware(InvokeModelStage.Input, ours)
    return made


class EnoughError(Exception):
    """Enough requests were made."""


def lives(made, life, steps):
    """Before each request, put what has come of the last calls into the list: now, late, or never."""
    count = 0

    def next_step(event):
        nonlocal count
        messages = event.agent.messages
        if count == steps:
            raise EnoughError
        if count:
            calls = [block["toolUse"]["toolUseId"] for block in messages[-2]["content"] if "toolUse" in block]
            messages[-1]["content"] = [block(*news) for news in life.after(count, calls)]
        event.agent.system_prompt = life.system(count)
        count += 1

    made.hooks.add_callback(BeforeModelCallEvent, next_step)


def block(call, text):
    result = {"toolUseId": call, "status": "success", "content": [{"text": text}]}
    return {"toolResult": result} if call else {"text": text}


async def runs(made, life, steps):
    lives(made, life, steps)
    with pytest.raises((EnoughError, EventLoopException)) as error:
        while True:
            await made.invoke_async("And now?" if made.messages else FIRST)
    assert isinstance(getattr(error.value, "original_exception", error.value), EnoughError), error.value


@pytest.mark.parametrize("given", [{"ledger": True, "budget": BUDGET}, {"ledger": tw.Ledger("bedrock", BUDGET)}])
def test_a_hundred_steps_under_a_budget_are_never_refused(given):
    life, steps = Life("one", 3_000), STEPS if given["ledger"] is True else 30
    with Server() as server:
        made = agent(server, life, middleware(**given))
        asyncio.run(runs(made, life, steps))
    bodies = server.bodies["one"]
    assert (len(bodies), server.refused) == (steps, [])
    if given["ledger"] is not True:
        return
    whole = sum(len(json.dumps(message, ensure_ascii=False).encode()) for message in made.messages)
    assert whole > 2 * BUDGET
    # New system text is a break, and there are cuts; between them everything that was sent is sent again.
    assert 0 < breaks(bodies) <= -(-whole * 2 // BUDGET) + len(life.rules)
    assert thoughts(bodies[-1]) > 5


def test_fifty_conversations_at_once():
    every, ours = [Life(str(number)) for number in range(50)], middleware(ledger=True)

    async def run(server):
        await asyncio.gather(*(runs(agent(server, life, ours), life, 4) for life in every))

    with Server() as server:
        asyncio.run(run(server))
    assert server.refused == []
    assert {len(bodies) for bodies in server.bodies.values()} == {4}
    for life in every:
        assert breaks(server.bodies[life.name]) == len(life.rules) - 1


def edited(messages):
    messages[2]["content"] = [{"text": "This was edited."}]


def shortened(messages):
    del messages[1:9]


def reordered(messages):
    messages[1:9] = [*messages[5:9], *messages[1:5]]


@pytest.mark.parametrize("change", [edited, shortened, reordered])
def test_a_list_that_was_changed_is_not_refused(change):
    life = Life("one")
    with Server() as server:
        ours = middleware(ledger=True)
        made = agent(server, life, ours)
        asyncio.run(runs(made, life, 20))
        told = [*made.messages]
        change(told)
        again = agent(server, life, ours)
        again.messages = told
        asyncio.run(runs(again, life, 10))
    assert (len(server.bodies["one"]), server.refused) == (30, [])


def test_ledgers_that_cannot_be():
    life = Life("one")
    with Server() as server, pytest.raises(tw.TurnwireError, match="expected a ledger for bedrock") as error:
        agent(server, life, middleware(ledger=tw.Ledger("anthropic")))(FIRST)
    assert error.value.code == "conflicting_options"
    with pytest.raises(TypeError, match="ledger: expected a bool or a Ledger, got int"):
        middleware(ledger=3)
