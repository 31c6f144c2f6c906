"""`summarise=` in the frameworks: it gets their own messages, once a cut, and its text reaches the model."""

import asyncio
import importlib
import json

import pytest
import turnwire as tw
from histories import calls, result, user
from needs import framework
from provider import provider

BUDGET = 4_000
STEPS = 30


def history(steps):
    """Steps whose results name their number."""
    out = [user("TASK")]
    for step in range(steps):
        out += [calls(f"call_{step}"), result(f"call_{step}", f"result-{step}. " + "x" * 300)]
    return [*out, user("And now?")]


class Asked:
    """Keeps the messages it was given, and answers with a number; `now` and `later` are the functions."""

    def __init__(self):
        self.heard = []

    def now(self, gone):
        self.heard.append(gone)
        return f"gist-{len(self.heard)}"

    async def later(self, gone):
        await asyncio.sleep(0)
        return self.now(gone)


def proved(asked, sent, kinds, said=lambda one: json.dumps(one, default=str)):
    """Each result was sent or summarised, each request has the newest summary once, and there were few summaries."""
    assert 1 < len(asked.heard) < STEPS / 2
    assert len(sent) > len(asked.heard)
    newest = f"gist-{len(asked.heard)}"
    last = said(sent[-1])
    assert newest in last and last.count("gist-") == 1
    heard = "".join(said(one) for gone in asked.heard for one in gone)
    for step in range(STEPS):
        assert f"result-{step}." in last or f"result-{step}." in heard, step
    assert all(isinstance(one, kinds) for gone in asked.heard for one in gone)
    # An earlier summary comes first.
    assert "gist-1" in said(asked.heard[1][0]) and "gist-" not in said(asked.heard[0])


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("path", ["chat", "responses"])
def test_openai(path, waits):
    openai = framework("openai", "openai")
    from turnwire.adapters.openai import wrap

    asked = Asked()
    with provider() as server:
        kind = openai.AsyncOpenAI if waits else openai.OpenAI
        client = kind(api_key="none", base_url=f"{server.url}/v1", max_retries=0)
        made = wrap(client, tw.Budget(BUDGET, summarise=asked.later if waits else asked.now))

        def ask(made, messages):
            if path == "chat":
                return made.chat.completions.create(model="m", messages=messages)
            return made.responses.create(model="m", input=messages)

        def of(steps):
            return history(steps) if path == "chat" else responses(steps)

        if waits:

            async def run():
                for step in range(1, STEPS + 1):
                    await ask(made.with_options(timeout=5), of(step))
                if path == "chat":
                    stream = await made.chat.completions.create(model="m", messages=history(STEPS), stream=True)
                    assert [chunk async for chunk in stream]

            asyncio.run(run())
        else:
            for step in range(1, STEPS + 1):
                ask(made, of(step))
    proved(asked, server.bodies[:STEPS], dict)


def responses(steps):
    out = [user("TASK")]
    for step in range(steps):
        out.append({"type": "function_call", "call_id": f"call_{step}", "name": "look", "arguments": "{}"})
        text = f"result-{step}. " + "x" * 300
        out.append({"type": "function_call_output", "call_id": f"call_{step}", "output": text})
    return [*out, user("And now?")]


@pytest.mark.parametrize("waits", [False, True])
def test_anthropic(waits):
    import turnwire as tw

    anthropic = framework("anthropic", "anthropic")
    from turnwire.adapters.anthropic import wrap

    asked, ready = (
        Asked(),
        [tw.convert(history(step), "anthropic", source="openai").payload for step in range(1, STEPS + 1)],
    )
    more = {"model": "m", "max_tokens": 9, "system": "Be brief."}
    with provider() as server:
        kind = anthropic.AsyncAnthropic if waits else anthropic.Anthropic
        made = wrap(
            kind(api_key="none", base_url=server.url, max_retries=0),
            tw.Budget(BUDGET, summarise=asked.later if waits else asked.now),
        )
        if waits:

            async def run():
                for body in ready:
                    await made.messages.create(**body, **more)
                async with made.messages.stream(**ready[-1], **more) as stream:
                    return await stream.get_final_message()

            assert asyncio.run(run()).content
        else:
            for body in ready:
                made.messages.create(**body, **more)
    proved(asked, server.bodies, dict)
    assert {one["role"] for body in server.bodies for one in body["messages"]} == {"user", "assistant"}


def test_a_synchronous_client_takes_no_asynchronous_function():
    import turnwire as tw

    openai = framework("openai", "openai")
    from turnwire.adapters.openai import wrap

    for client, known in ((openai.OpenAI(api_key="none"), False), (openai.AsyncOpenAI(api_key="none"), True)):
        if known:
            wrap(client, budget=tw.Budget(summarise=Asked().later))
            continue
        with pytest.raises(tw.TurnwireError, match="it is not awaited"):
            wrap(client, budget=tw.Budget(summarise=Asked().later))


@pytest.mark.parametrize("waits", [False, True])
def test_langchain(waits):
    framework("langchain", "langchain")
    from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage, convert_to_messages
    from turnwire.adapters.langchain import middleware

    asked, sent = Asked(), []
    made = middleware(tw.Budget(BUDGET, summarise=asked.later if waits else asked.now)).runnable
    for step in range(1, STEPS + 1):
        given = convert_to_messages(history(step))
        sent.append(asyncio.run(made.ainvoke(given)) if waits else made.invoke(given))
    proved(asked, sent, BaseMessage, str)
    assert isinstance(asked.heard[1][0], HumanMessage)
    assert [type(one) for one in sent[-1]].count(SystemMessage) == 1


def test_langchain_in_an_agent():
    framework("langchain", "langchain")
    from langchain.agents import create_agent
    from langchain_core.messages import convert_to_messages
    from test_langchain import model
    from turnwire.adapters.langchain import middleware

    asked, fake = Asked(), model()
    agent = create_agent(
        fake, [], middleware=[middleware(tw.Budget(BUDGET, summarise=asked.later))], system_prompt="Be brief."
    )
    for step in range(1, STEPS + 1):
        asyncio.run(agent.ainvoke({"messages": convert_to_messages(history(step))}))
    said = [[str(message) for message in seen] for seen in fake.seen]
    assert "gist-" in said[-1][1] and "Be brief." in said[-1][0] and 1 < len(asked.heard) < STEPS / 2
    with pytest.raises(Exception, match="it is not awaited"):
        agent.invoke({"messages": convert_to_messages(history(STEPS + 9))})


@pytest.mark.parametrize("waits", [False, True])
def test_litellm(waits):
    litellm = framework("litellm", "litellm")
    from test_litellm import asked as request
    from turnwire.adapters.litellm import callback, completion

    asked, before = Asked(), litellm.callbacks
    with provider() as server:
        if waits:
            litellm.callbacks = [callback(tw.Budget(BUDGET, summarise=asked.later))]
        complete = completion(tw.Budget(BUDGET, summarise=asked.now))
        try:
            for step in range(1, STEPS + 1):
                if waits:
                    asyncio.run(litellm.acompletion(**request(server, history(step))))
                else:
                    complete(**request(server, history(step)))
        finally:
            litellm.callbacks = before
    proved(asked, server.bodies, dict)
    with pytest.raises(Exception, match="it is not awaited"):
        completion(budget=tw.Budget(summarise=asked.later))


def test_pydantic_ai():
    framework("pydantic_ai", "pydantic-ai-slim")
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelRequest, ModelResponse
    from test_pydantic_ai import Fake, answer, asks, call, says
    from turnwire.adapters.pydantic_ai import capability

    asked, fake = Asked(), Fake()
    agent = Agent(
        fake.model, instructions="Be brief.", capabilities=[capability(tw.Budget(BUDGET, summarise=asked.later))]
    )
    given = [asks("TASK")]
    for step in range(STEPS):
        given += [says(call(f"c{step}")), asks(answer(f"c{step}", f"result-{step}. " + "x" * 300))]
        ended = agent.run_sync("And now?", message_history=[*given, says("So.")])
        assert "gist-" not in str(ended.all_messages())
    proved(asked, fake.seen, ModelRequest | ModelResponse, str)


@pytest.mark.parametrize("waits", [False, True])
def test_openai_agents(waits):
    framework("agents", "openai-agents")
    from agents import Agent, RunConfig, Runner
    from test_openai_agents import Fake
    from turnwire.adapters.openai_agents import input_filter

    asked, fake = Asked(), Fake()
    filtered = input_filter(tw.Budget(BUDGET, summarise=asked.later if waits else asked.now))
    for step in range(1, STEPS + 1):
        agent = Agent(name="a", model=fake, instructions=f"It is {step} o'clock.")
        asyncio.run(Runner.run(agent, responses(step), run_config=RunConfig(call_model_input_filter=filtered)))
    proved(asked, fake.seen, dict)


@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("system", ["Be brief.", None, [{"text": "Be brief."}, {"cachePoint": {"type": "default"}}]])
def test_strands(system, waits):
    framework("strands", "strands-agents")
    from strands import Agent
    from strands.agent.conversation_manager import NullConversationManager
    from strands.middleware import InvokeModelStage
    from test_strands import Fake, result, says, use, user
    from turnwire.adapters.strands import middleware

    class Told(Fake):
        async def stream(self, messages, tool_specs=None, system_prompt=None, system_prompt_content=None, **more):
            async for event in super().stream(messages, tool_specs, system_prompt):
                yield event
            self.seen[-1] = [system_prompt_content or system_prompt, *self.seen[-1]]

    asked, fake, given = Asked(), Told(), [user("TASK")]
    made = middleware(tw.Budget(BUDGET, summarise=asked.later if waits else asked.now))
    for step in range(STEPS):
        given += [says(use(f"c{step}")), user(result(f"c{step}", f"result-{step}. " + "x" * 300))]
        more = {"conversation_manager": NullConversationManager(), "callback_handler": None, "system_prompt": system}
        agent = Agent(model=fake, messages=[*given, says("So.")], **more)
        agent.add_middleware(InvokeModelStage.Input, made)
        agent("And now?")
    proved(asked, fake.seen, dict)
    told = fake.seen[-1][0]
    assert "gist-" in told[-1]["text"] and len(told) == (1 if system is None else 2 if isinstance(system, str) else 3)
    assert "gist-" not in str(agent.system_prompt)


@pytest.mark.parametrize("waits", [False, True])
def test_google_adk(waits):
    framework("google.adk", "google-adk")
    from google.genai.types import Content
    from test_google_adk import answer, call, request, says, user
    from turnwire.adapters.google_adk import before_model

    asked, sent, given = Asked(), [], [user("TASK")]
    made = before_model(tw.Budget(BUDGET, summarise=asked.later if waits else asked.now))
    for step in range(STEPS):
        given += [says(call(f"c{step}")), user(answer(f"c{step}", f"result-{step}. " + "x" * 300))]
        one = request([*given])
        asyncio.run(made(None, one))
        sent.append([one.config.system_instruction, *one.contents])
    proved(asked, sent, Content, str)
    assert sent[-1][0].startswith("Be brief.") and "gist-" in sent[-1][0]


# The constructor of each adapter that takes a ledger, by its module and package.
MAKERS = {
    "openai": ("openai", "wrap"),
    "anthropic": ("anthropic", "wrap"),
    "langchain": ("langchain", "middleware"),
    "openai_agents": ("openai-agents", "input_filter"),
    "litellm": ("litellm", "callback"),
    "pydantic_ai": ("pydantic-ai-slim", "capability"),
    "strands": ("strands-agents", "middleware"),
    "google_adk": ("google-adk", "before_model"),
}
IMPORTED = {"openai_agents": "agents", "google_adk": "google.adk"}
CLIENTS = {"openai": "OpenAI", "anthropic": "Anthropic"}


@pytest.mark.parametrize("name", MAKERS)
def test_a_ledger_has_no_summaries(name):
    package, maker = MAKERS[name]
    module = framework(IMPORTED.get(name, name), package)
    make = getattr(importlib.import_module(f"turnwire.adapters.{name}"), maker)
    clients = [getattr(module, CLIENTS[name])(api_key="none")] if name in CLIENTS else []
    given = tw.Ledger("anthropic")
    for ledger in (True, given):
        with pytest.raises(tw.TurnwireError, match="without summarise= beside ledger") as error:
            make(*clients, budget=tw.Budget(summarise=Asked().now), ledger=ledger)
        assert error.value.code == "conflicting_options"
