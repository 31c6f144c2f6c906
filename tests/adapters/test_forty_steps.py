"""Agents of forty steps, whose history breaks on the way and whose provider changes, against strict servers.

What breaks is the generator's: at a third of the steps something becomes wrong, and stays so. Each framework makes its
requests with its own models, synchronously, asynchronously and streamed, and no request may be one that its provider
would refuse.
"""

import asyncio
import contextlib
import importlib
import os
import random

import pytest
from generator import FAULTS, call, result, told, without_other_arguments
from needs import framework
from proof import refused
from provider import Step, provider
from spelled import bedrock, openai, responses
from turnwire.adapters import _hosts

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
STEPS, BUDGET = 40, 30_000
MODES = ("sync", "async", "streamed")
# Frameworks refuse some by themselves, others leave nothing to go on with, and an odd id is for who knows a `target`.
_OTHERS = {"system in the middle", "image in a result", "lone surrogate", "broken off", "begins late", "odd id"}
KINDS = [name for name in FAULTS if name not in _OTHERS]
KEYS = {"api_key": "none", "max_retries": 0}
PARAMETERS = {"type": "object", "properties": {"q": {"type": "string"}}}
LOOK = {"name": "look", "description": "Looks.", "parameters": PARAMETERS}


def look(q: str) -> str:
    """Looks."""
    return f"seen {q}"


class Servers:
    """A provider of each kind, and the adapter that all requests go through."""

    def __init__(self, stack, **settings):
        script = []
        for at in range(200):
            script += [Step(calls=((f"toolu_new{at}", "look", {"q": f"q{at}"}),)), Step(f"Reply {at}.")]
        self.chat, self.claude = (stack.enter_context(provider(*script)) for _ in range(2))
        self.settings, self.receipts, self.adapters = settings, [], {}

    def one(self, module, noun):
        """The one adapter of the run, of each kind."""
        if noun not in self.adapters:
            made = getattr(importlib.import_module(f"turnwire.adapters.{module}"), noun)
            self.adapters[noun] = made(BUDGET, on_receipt=self.receipts.append, **self.settings)
        return self.adapters[noun]


async def with_langchain(servers, one, switched, mode):
    from langchain.agents import create_agent
    from langchain_anthropic import ChatAnthropic
    from langchain_openai import ChatOpenAI
    from test_broken_langchain import spelled

    if switched:
        model = ChatOpenAI(model="gpt-5", base_url=f"{servers.chat.url}/v1", use_responses_api=False, **KEYS)
    else:
        model = ChatAnthropic(model="claude-opus-4-5", base_url=servers.claude.url, max_tokens=99, **KEYS)
    agent = create_agent(model, [look], middleware=[servers.one("langchain", "middleware")])
    asked = {"messages": spelled(one)}
    if mode == "sync":
        agent.invoke(asked)
    elif mode == "async":
        await agent.ainvoke(asked)
    else:
        async for _ in agent.astream(asked, stream_mode="messages"):
            pass


async def with_pydantic_ai(servers, one, switched, mode):
    from anthropic import AsyncAnthropic
    from openai import AsyncOpenAI
    from pydantic_ai import Agent
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.providers.openai import OpenAIProvider
    from test_broken_pydantic_ai import spelled

    if switched:
        client = AsyncOpenAI(base_url=f"{servers.chat.url}/v1", **KEYS)
        model = OpenAIChatModel("gpt-5", provider=OpenAIProvider(openai_client=client))
    else:
        client = AsyncAnthropic(base_url=servers.claude.url, **KEYS)
        model = AnthropicModel("claude-opus-4-5", provider=AnthropicProvider(anthropic_client=client))
    agent = Agent(model, capabilities=[servers.one("pydantic_ai", "capability")], tools=[look])
    async with client:
        if mode == "streamed":
            async with agent.run_stream(message_history=spelled(one)) as run:
                async for _ in run.stream_text():
                    pass
        else:
            await agent.run(message_history=spelled(one))


async def with_strands(servers, one, switched, mode):
    from strands import Agent, tool
    from strands.agent.conversation_manager import NullConversationManager
    from strands.middleware import InvokeModelStage
    from strands.models.anthropic import AnthropicModel
    from strands.models.openai import OpenAIModel

    if switched:
        model = OpenAIModel(client_args={"base_url": f"{servers.chat.url}/v1", **KEYS}, model_id="gpt-5")
    else:
        args = {"base_url": servers.claude.url, **KEYS}
        model = AnthropicModel(client_args=args, model_id="claude-opus-4-5", max_tokens=99)
    *messages, last = bedrock(one)
    agent = Agent(
        model=model,
        tools=[tool(look)],
        messages=messages,
        callback_handler=None,
        conversation_manager=NullConversationManager(),
    )
    agent.add_middleware(InvokeModelStage.Input, servers.one("strands", "middleware"))
    if mode == "sync":
        agent(last["content"])
    elif mode == "async":
        await agent.invoke_async(last["content"])
    else:
        async for _ in agent.stream_async(last["content"]):
            pass


async def with_agents(servers, one, switched, mode):
    from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, RunConfig, Runner, function_tool
    from agents.tracing import set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    kind = OpenAIChatCompletionsModel if switched else OpenAIResponsesModel
    server = servers.chat if switched else servers.claude
    async with AsyncOpenAI(base_url=f"{server.url}/v1", **KEYS) as client:
        agent = Agent("a", model=kind("gpt-5", client), tools=[function_tool(look)])
        config = RunConfig(call_model_input_filter=servers.one("openai_agents", "input_filter"))
        if mode == "streamed":
            run = Runner.run_streamed(agent, responses(one), run_config=config)
            async for _ in run.stream_events():
                pass
        else:
            await Runner.run(agent, responses(one), run_config=config)


async def with_litellm(servers, one, switched, mode):
    import litellm

    model = {"model": "openai/gpt-4o", "api_base": f"{servers.chat.url}/v1"}
    if not switched:
        model = {"model": "anthropic/claude-opus-4-5", "api_base": servers.claude.url}
    asked = {**model, "messages": openai(one), "tools": [{"type": "function", "function": LOOK}], "max_tokens": 99}
    if mode == "sync":
        servers.one("litellm", "completion")(**asked, api_key="none", num_retries=0)
        return
    litellm.callbacks = [servers.one("litellm", "callback")]
    try:
        reply = await litellm.acompletion(**asked, api_key="none", num_retries=0, stream=mode == "streamed")
        if mode == "streamed":
            async for _ in reply:
                pass
    finally:
        litellm.callbacks = []


RUNS = {
    "langchain": ("langchain", "langchain", with_langchain),
    "pydantic_ai": ("pydantic_ai", "pydantic-ai-slim", with_pydantic_ai),
    "strands": ("strands", "strands-agents", with_strands),
    "agents": ("agents", "openai-agents", with_agents),
    "litellm": ("litellm", "litellm", with_litellm),
}
OPENING = {"opening": "(begin)"}


def goes_on(one, step):
    """What a step leaves in the history, and at a third of them something that is wrong from now on."""
    ident = f"call_of_{step}"
    one.messages += [call_of(ident, step), result(ident, one.text()), {"role": "assistant", "content": one.text()}]
    one.messages.append({"role": "user", "content": one.text()})
    if one.dice.random() < 0.33:
        name = one.dice.choice(KINDS)
        FAULTS[name](one)
        one.done.append(name)
    without_other_arguments(one)
    if one.messages[0]["role"] != "user" or not (one.messages[0]["content"] or "").strip():
        # Who speaks first is a rule of some providers, for which an adapter has `target`.
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
    """What of a request is the conversation, and what some frameworks write beside their provider's types."""
    return {key: body[key] for key in ("messages", "input", "system", "instructions") if key in body}


def dialect_of(body):
    if "input" in body:
        return "openai-responses"
    return "anthropic" if body["model"].startswith("claude") else "openai"


def proved(servers, steps):
    bodies = [*servers.claude.bodies, *servers.chat.bodies]
    assert min(len(servers.claude.bodies), len(servers.chat.bodies)) >= steps // 2
    for body in bodies:
        assert refused(dialect_of(body), conversation(body)) == []
    # Most of them had something wrong, and it was told.
    assert len(servers.receipts) > 3


def needed(name):
    module, package, run = RUNS[name]
    if name == "agents" and os.environ.get("TURNWIRE_ADAPTERS") == "adapters-newest-more":
        pytest.skip("adapters-newest has the same version")
    framework(module, package)
    if name in ("langchain", "pydantic_ai"):
        for client in ("anthropic", "openai", *(["langchain_openai"] if name == "langchain" else [])):
            pytest.importorskip(client, reason=f"{client} is not installed: make adapters")
    return run


# One way alone is for runs by hand.
@pytest.mark.parametrize("mode", ["in turns", *(MODES if "TURNWIRE_SEEDS" in os.environ else ())])
@pytest.mark.parametrize("name", RUNS)
def test_forty_steps(name, mode, monkeypatch):
    # An unknown server would get what it may know beyond OpenAI.
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    run = needed(name)
    one = begun(f"forty {name} {mode}", faults=0)
    with contextlib.ExitStack() as stack:
        servers = Servers(stack, **OPENING)
        for step in range(STEPS):
            way = MODES[step % len(MODES)] if mode == "in turns" else mode
            asyncio.run(run(servers, goes_on(one, step), step >= STEPS // 2, way))
    assert len(one.done) > 5
    proved(servers, STEPS)


# `test_switch_at_once` has LiteLLM.
@pytest.mark.parametrize("name", ["pydantic_ai", "strands"])
def test_fifty_conversations_at_once(name):
    run, steps = needed(name), 2
    talks = [begun(f"fifty {name} {number}", faults=0) for number in range(50)]

    async def talk(number, one):
        for step in range(steps):
            one.messages.append({"role": "user", "content": f"Only of {number}."})
            await asyncio.sleep(random.Random(number).random() / 50)
            await run(servers, goes_on(one, step), step >= steps // 2, ("async", "streamed")[number % 2])

    async def all_of_them():
        await asyncio.gather(*(talk(number, one) for number, one in enumerate(talks)))

    with contextlib.ExitStack() as stack:
        servers = Servers(stack, **OPENING)
        asyncio.run(all_of_them())
    proved(servers, 50 * steps)
    seen = [
        {part.split(".")[0] for part in str(body).split("Only of ")[1:]}
        for body in (*servers.claude.bodies, *servers.chat.bodies)
    ]
    # What belongs to one of them is in no other's request; some of it was made a blank.
    assert max(map(len, seen)) == 1 and len(set().union(*seen)) > 45
