"""A driver for each framework: it keeps the conversation as the framework does, and makes one step of it.

A step adds messages of the generator to what the framework holds, and runs the framework's own agent with one of its
classes of model, in one of its ways. `restart` writes the conversation down and reads it again, as a new process does.
The tool `send` waits for a person: then a step ends, and `resume` goes on with it.
"""

import asyncio
import json
import os
from importlib.util import find_spec
from typing import ClassVar

import oracle
from agents_of import KEYS, look, send
from generator import Told
from spelled import responses


class Driver:
    """What the drivers share.

    Attributes:
        kinds: The classes of model, each with the losses that a switch to it causes: of thoughts, of signed calls, or
            only of those that the framework itself got from a model.
        ways: The ways to run an agent.
        signs: Classes of model whose own calls have a signature.
        rewrites: Whether the framework itself writes the same messages in another way for another model.
        ends_early: Ways that end a run at the first text, with calls beside it.
        drops_later: Faults that the framework itself takes out of the list when it goes on after a pause.
        waits_last: Whether only the last call of a reply may wait for a person.
    """

    kinds: ClassVar = {}
    ways = ("sync", "async", "streamed")
    signs: ClassVar = set()
    ends_early = ()
    drops_later = ()
    rewrites = False
    waits_last = False

    def __init__(self, url, settings):
        self.url, self.settings, self.held, self.steps, self.paused = url, settings, [], 0, None
        self.renew()

    def renew(self):
        """Another adapter, which knows nothing of the conversation."""
        self.made = self.adapter(**self.settings)

    async def step(self, kind, way, messages, dice):
        """Run the agent with these messages behind all others; the arguments of the calls that wait for a person."""
        self.steps += 1
        return await self.run(kind, way, Told(dice, messages))

    async def resume(self, kind, way):
        """Allow the calls that wait, and run the agent; the arguments of those that wait then."""
        raise NotImplementedError

    def restart(self):
        raise NotImplementedError


class LangChain(Driver):
    """An agent with a checkpointer, which has the whole conversation."""

    kinds: ClassVar = {"claude": set(), "chat": {"thought"}, "responses": {"thought"}, "gemini": set()}

    def __init__(self, url, settings):
        from langgraph.checkpoint.memory import InMemorySaver

        super().__init__(url, settings)
        self.saver = InMemorySaver()

    def adapter(self, **settings):
        from turnwire.adapters.langchain import middleware

        return middleware(**settings)

    def model(self, kind):
        from langchain_anthropic import ChatAnthropic
        from langchain_google_genai import ChatGoogleGenerativeAI
        from langchain_openai import ChatOpenAI

        if kind == "claude":
            return ChatAnthropic(model="claude-opus-4-8", base_url=self.url, max_tokens=99, **KEYS)
        if kind == "gemini":
            return ChatGoogleGenerativeAI(model="gemini-3-pro", base_url=self.url, google_api_key="none", max_retries=1)
        return ChatOpenAI(model="gpt-5", base_url=f"{self.url}/v1", use_responses_api=kind == "responses", **KEYS)

    async def run(self, kind, way, one):
        from test_broken_langchain import spelled

        messages = spelled(one)
        for message in messages:
            message.id = f"s{self.steps}-{message.id}"
        return await self._asked(kind, way, {"messages": messages})

    async def resume(self, kind, way):
        from langgraph.types import Command

        return await self._asked(kind, way, Command(resume=dict.fromkeys(self.paused, "yes")))

    async def _asked(self, kind, way, asked):
        from langchain.agents import create_agent
        from langchain_core.tools import tool
        from langgraph.types import interrupt

        @tool("send")
        def waits(q: str) -> str:
            """Sends."""
            assert interrupt({"q": q}) == "yes"
            return send(q)

        agent = create_agent(self.model(kind), [look, waits], middleware=[self.made], checkpointer=self.saver)
        here = {"configurable": {"thread_id": "t"}}
        if way == "sync":
            await asyncio.to_thread(agent.invoke, asked, here)
        elif way == "async":
            await agent.ainvoke(asked, here)
        else:
            async for _ in agent.astream(asked, here, stream_mode="messages"):
                pass
        waiting = agent.get_state(here).interrupts
        self.paused = [one.id for one in waiting]
        return [one.value["q"] for one in waiting]

    def restart(self):
        """Another saver that reads what the first one wrote."""
        from langgraph.checkpoint.memory import InMemorySaver

        here = {"configurable": {"thread_id": "t"}}
        found = self.saver.get_tuple(here)
        self.saver = InMemorySaver()
        config = {"configurable": {"thread_id": "t", "checkpoint_ns": ""}}
        put = self.saver.put(config, found.checkpoint, found.metadata, found.checkpoint["channel_versions"])
        for task, channel, value in found.pending_writes:
            self.saver.put_writes(put, [(channel, value)], task)


class PydanticAI(Driver):
    """An agent that gets the history of the run before; its thoughts are written as texts for other models."""

    # In the oldest group, Google's SDK is of a version that this framework does not take.
    kinds: ClassVar = {
        kind: set()
        for kind in ("claude", "chat", "responses", "gemini", "fallback")
        if kind != "gemini" or os.environ.get("TURNWIRE_ADAPTERS") != "adapters-oldest-more"
    }
    ways = ("sync", "async", "streamed", "events")
    ends_early = ("streamed",)

    def adapter(self, **settings):
        from turnwire.adapters.pydantic_ai import capability

        return capability(**settings)

    def model(self, kind):
        from anthropic import AsyncAnthropic
        from openai import AsyncOpenAI
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.models.fallback import FallbackModel
        from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
        from pydantic_ai.providers.anthropic import AnthropicProvider
        from pydantic_ai.providers.openai import OpenAIProvider

        if kind == "claude":
            client = AsyncAnthropic(base_url=self.url, **KEYS)
            return AnthropicModel("claude-opus-4-8", provider=AnthropicProvider(anthropic_client=client))
        if kind == "gemini":
            from pydantic_ai.models.google import GoogleModel
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleModel("gemini-3-pro", provider=GoogleProvider(api_key="none", base_url=self.url))
        if kind == "fallback":
            return FallbackModel(self.model("chat"), self.model("claude"))
        client = AsyncOpenAI(base_url=f"{self.url}/v1", **KEYS)
        made = OpenAIChatModel if kind == "chat" else OpenAIResponsesModel
        return made("gpt-5", provider=OpenAIProvider(openai_client=client))

    async def run(self, kind, way, one):
        from test_broken_pydantic_ai import spelled

        return await self._asked(kind, way, {"message_history": [*self.held, *spelled(one)]})

    async def resume(self, kind, way):
        from pydantic_ai import DeferredToolResults

        allowed = DeferredToolResults(approvals=dict.fromkeys(self.paused, True))
        return await self._asked(kind, way, {"message_history": self.held, "deferred_tool_results": allowed})

    async def _asked(self, kind, way, given):
        from pydantic_ai import Agent, DeferredToolRequests, Tool

        tools = [look, Tool(send, requires_approval=True)]
        agent = Agent(self.model(kind), output_type=[str, DeferredToolRequests], capabilities=[self.made], tools=tools)
        if way == "sync":
            done = await asyncio.to_thread(agent.run_sync, **given)
        elif way == "async":
            done = await agent.run(**given)
        elif way == "events":
            async with agent.run_stream_events(**given) as events:
                async for event in events:
                    done = getattr(event, "result", None)
        else:
            async with agent.run_stream(**given) as done:
                async for _ in done.stream_output():
                    pass
        self.held = done.all_messages()
        output = await done.get_output() if way == "streamed" else done.output
        waiting = output.approvals if isinstance(output, DeferredToolRequests) else []
        self.paused = [call.tool_call_id for call in waiting]
        return [call.args_as_dict()["q"] for call in waiting]

    def restart(self):
        from pydantic_ai.messages import ModelMessagesTypeAdapter

        self.held = ModelMessagesTypeAdapter.validate_json(ModelMessagesTypeAdapter.dump_json(self.held))


class Agents(Driver):
    """Runs of the OpenAI Agents SDK, each of which continues the list of the run before."""

    kinds: ClassVar = {"responses": set(), "chat": set(), **({"litellm": set()} if find_spec("litellm") else {})}

    drops_later = (oracle.missing,)

    def adapter(self, **settings):
        from turnwire.adapters.openai_agents import input_filter

        return input_filter(**settings)

    async def run(self, kind, way, one):
        new = [item | ({"id": f"{item['id']}_{self.steps}"} if "id" in item else {}) for item in responses(one)]
        return await self._asked(kind, way, [*self.held, *new])

    async def resume(self, kind, way):
        from agents import RunState

        state = await RunState.from_json(self._agent(kind), self.paused)
        for waiting in state.get_interruptions():
            state.approve(waiting)
        return await self._asked(kind, way, state)

    def _agent(self, kind):
        from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, function_tool
        from openai import AsyncOpenAI

        if kind == "litellm":
            from agents.extensions.models.litellm_model import LitellmModel

            model = LitellmModel("openai/gpt-5", base_url=f"{self.url}/v1", api_key="none")
        else:
            made = OpenAIChatCompletionsModel if kind == "chat" else OpenAIResponsesModel
            model = made("gpt-5", AsyncOpenAI(base_url=f"{self.url}/v1", **KEYS))
        return Agent("a", model=model, tools=[function_tool(look), function_tool(send, needs_approval=True)])

    async def _asked(self, kind, way, items):
        from agents import RunConfig, Runner
        from agents.tracing import set_tracing_disabled

        set_tracing_disabled(True)
        agent = self._agent(kind)
        config = RunConfig(call_model_input_filter=self.made)
        if way == "sync":
            done = await asyncio.to_thread(self._in_thread, Runner, agent, items, config)
        elif way == "async":
            done = await Runner.run(agent, items, run_config=config)
        else:
            done = Runner.run_streamed(agent, items, run_config=config)
            async for _ in done.stream_events():
                pass
        self.held = done.to_input_list()
        self.paused = done.to_state().to_json() if done.interruptions else None
        return [json.loads(waiting.arguments)["q"] for waiting in done.interruptions]

    @staticmethod
    def _in_thread(runner, agent, items, config):
        asyncio.set_event_loop(asyncio.new_event_loop())
        try:
            return runner.run_sync(agent, items, run_config=config)
        finally:
            asyncio.get_event_loop().close()

    def restart(self):
        self.held, self.paused = json.loads(json.dumps([self.held, self.paused]))
