"""The filter under each class of model of the OpenAI Agents SDK, against servers that are strict."""

import asyncio
import json
import os

import pytest
from generator import told
from needs import framework
from proof import refused
from provider import Step, provider
from spelled import responses

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
agents = framework("agents", "openai-agents")
from agents import (  # noqa: E402
    Agent,
    OpenAIChatCompletionsModel,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    SQLiteSession,
    function_tool,
    handoff,
)
from openai import AsyncOpenAI  # noqa: E402
from pydantic import BaseModel  # noqa: E402
from turnwire.adapters.openai_agents import input_filter  # noqa: E402

BUDGET = 60_000
STEPS = 40
agents.set_tracing_disabled(True)


def litellm_model(server):
    framework("litellm", "litellm")
    from agents.extensions.models.litellm_model import LitellmModel

    return LitellmModel("openai/gpt-4o", base_url=f"{server.url}/v1", api_key="none")


def chat_model(server):
    return OpenAIChatCompletionsModel("gpt-4o", AsyncOpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0))


def responses_model(server):
    return OpenAIResponsesModel("gpt-4o", AsyncOpenAI(base_url=f"{server.url}/v1", api_key="none", max_retries=0))


MODELS = {"responses": responses_model, "chat": chat_model, "litellm": litellm_model}
models = pytest.mark.parametrize("kind", MODELS)
ways = pytest.mark.parametrize("streamed", [False, True])


class Lake(BaseModel):
    name: str


@function_tool
def look(q: str) -> str:
    """Looks."""
    return f"{q}: a lake"


@function_tool
def dig(q: str) -> str:
    """Digs."""
    return f"{q}: " + "x" * 20_000


def calls(number, name="look"):
    return Step(calls=((f"call_{number}", name, {"q": str(number)}),))


async def ran(agent, given, streamed, **more):
    if not streamed:
        return await Runner.run(agent, given, max_turns=60, **more)
    result = Runner.run_streamed(agent, given, max_turns=60, **more)
    async for _ in result.stream_events():
        pass
    return result


def filtered(**settings):
    return RunConfig(call_model_input_filter=input_filter(**settings))


def accepted(server, kind, at=0):
    dialect = "openai-responses" if kind == "responses" else "openai"
    for body in server.bodies[at:]:
        assert refused(dialect, body) == [], json.dumps(body)[:2000]


@models
@ways
def test_a_healthy_run_is_what_it_is_without_us_and_reports_nothing(kind, streamed, receipts):
    """Calls, parallel ones, texts beside them, a handoff, structured output, and a continued session."""

    def script():
        both = Step("I look.", (("call_a", "look", {"q": "a"}), ("call_b", "look", {"q": "b"})))
        over = Step("You do it.", (("call_h", "transfer_to_other", {}),))
        return provider(Step("Hello"), both, calls(1), over, calls(2), '{"name": "Como"}')

    def go(server, config):
        model = MODELS[kind](server)
        other = Agent(name="other", instructions="Be other.", model=model, tools=[look], output_type=Lake)
        agent = Agent(name="a", instructions="Be brief.", model=model, tools=[look], handoffs=[handoff(other)])

        async def all_of_it():
            session = SQLiteSession("s")
            await ran(agent, "Hi", streamed, session=session, run_config=config)
            return await ran(agent, "TASK", streamed, session=session, run_config=config)

        return asyncio.run(all_of_it()).final_output

    with script() as plain:
        assert go(plain, RunConfig()) == Lake(name="Como")
    with script() as server:
        config = filtered(budget=BUDGET, on_receipt=receipts.append)
        assert go(server, config) == Lake(name="Como")
    assert server.bodies == plain.bodies
    assert receipts == []
    accepted(server, kind)


@models
@ways
def test_a_long_run_reports_each_change_once(kind, streamed, receipts):
    with provider(*(calls(number, "dig") for number in range(STEPS))) as server:
        agent = Agent(name="a", instructions="Be brief.", model=MODELS[kind](server), tools=[dig])
        config = filtered(budget=BUDGET, on_receipt=receipts.append)
        assert asyncio.run(ran(agent, "TASK", streamed, run_config=config)).final_output == "done"
    assert len(server.bodies) == STEPS + 1
    accepted(server, kind)
    # Three results fit, so each step cuts some older ones: a receipt reports these, and none of those before.
    steps = [{str(change) for change in receipt} for receipt in receipts]
    assert steps and max(map(len, steps)) <= 8
    assert all(map(set.isdisjoint, steps, steps[1:]))


@models
@ways
@pytest.mark.parametrize("seed", range(int(os.environ.get("TURNWIRE_SEEDS", "3"))))
def test_a_run_that_begins_with_a_broken_history(kind, streamed, seed, receipts):
    """Each fault of the generator, and then some steps of the model itself, whose calls the SDK answers."""
    one = told(f"run {seed}")
    if not any(message["role"] == "assistant" for message in one.messages):
        one.messages.insert(0, {"role": "assistant", "content": one.text()})
    given = responses(one.closed())
    with provider(*(calls(f"own_{number}") for number in range(4))) as server:
        agent = Agent(name="a", model=MODELS[kind](server), tools=[look])
        config = filtered(budget=BUDGET, on_receipt=receipts.append)
        assert asyncio.run(ran(agent, given, streamed, run_config=config)).final_output == "done"
    assert len(server.bodies) == 5
    accepted(server, kind)
    told_of = [str(change) for receipt in receipts for change in receipt]
    assert len(told_of) == len({*told_of})


@models
def test_what_is_cut_is_still_a_message_that_the_sdk_knows(kind):
    message = {"id": "__fake_id__", "type": "message", "role": "assistant", "status": "completed"}
    parts = [{"type": "output_text", "text": text, "annotations": []} for text in ("x" * 90_000, "y" * 90_000)]
    said = [{**message, "content": parts[:1]}, {**message, "content": parts}]
    given = [{"role": "user", "content": "TASK"}, *said, {"role": "user", "content": "And?"}]
    with provider() as server:
        agent = Agent(name="a", model=MODELS[kind](server))
        assert asyncio.run(ran(agent, given, False, run_config=filtered(budget=10_000))).final_output == "done"
    accepted(server, kind)
    assert len(json.dumps(server.bodies[0])) < 12_000


def test_texts_after_calls():
    """Chat Completions has no order of texts and calls, so the SDK gets an order that it writes right."""
    call = {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"}
    text = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": []}
    text["content"] = [{"type": "output_text", "text": "I look.", "annotations": []}]
    given = [{"role": "user", "content": "TASK"}, call, text]
    given += [{"type": "function_call_output", "call_id": "c1", "output": "a lake"}]
    for kind in ("responses", "chat"):
        with provider() as server:
            agent = Agent(name="a", model=MODELS[kind](server))
            asyncio.run(ran(agent, given, False, run_config=filtered()))
        accepted(server, kind)
        if kind == "responses":
            assert [item.get("type") for item in server.bodies[0]["input"]][1:3] == ["function_call", "message"]
