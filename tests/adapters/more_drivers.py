"""Drivers of the frameworks of `adapters-newest-more`, as in `drivers`."""

import asyncio
import json
import os
from importlib.metadata import version
from typing import ClassVar

from agents_of import LOOK, SEND, look, send
from drivers import Driver
from spelled import bedrock, openai


class Strands(Driver):
    """An agent whose list goes on in the next one."""

    # Claude takes signed thoughts back, Gemini and Bedrock too.
    kinds: ClassVar = {
        "anthropic": set(),
        "openai": {"thought"},
        "openai-responses": {"thought"},
        "gemini": set(),
        "gemini:2": set(),
        "bedrock": set(),
        "bedrock:nova": {"thought"},
    }

    def adapter(self, **settings):
        from turnwire.adapters.strands import middleware

        return middleware(**settings)

    async def run(self, kind, way, one):
        *messages, last = [*self.held, *bedrock(one)]
        return await self._asked(self._agent(kind, messages), way, last["content"])

    async def resume(self, kind, way):
        from strands.types._snapshot import Snapshot

        state, waiting = self.paused
        agent = self._agent(kind, [])
        agent.load_snapshot(Snapshot.from_dict(state))
        allowed = [{"interruptResponse": {"interruptId": one, "response": "yes"}} for one in waiting]
        return await self._asked(agent, way, allowed)

    def _agent(self, kind, messages):
        from strands import Agent, tool
        from strands.agent.conversation_manager import NullConversationManager
        from strands.middleware import InvokeModelStage
        from test_strands_switch import MODELS

        @tool(name="send", context=True)
        def waits(q: str, tool_context):
            """Sends."""
            assert tool_context.interrupt("send", reason=q) == "yes"
            return send(q)

        manager, model = NullConversationManager(), MODELS[kind](self.url)
        more = {"tools": [tool(look), waits], "callback_handler": None, "conversation_manager": manager}
        agent = Agent(model=model, messages=messages, **more)
        agent.add_middleware(InvokeModelStage.Input, self.made)
        return agent

    async def _asked(self, agent, way, content):
        if way == "sync":
            done = await asyncio.to_thread(agent, content)
        elif way == "async":
            done = await agent.invoke_async(content)
        else:
            async for event in agent.stream_async(content):
                done = event.get("result")
        self.held = agent.messages
        waiting = done.interrupts or ()
        self.paused = agent.take_snapshot(preset="session").to_dict(), [one.id for one in waiting]
        return [one.reason for one in waiting]

    def restart(self):
        self.held, self.paused = json.loads(json.dumps([self.held, self.paused]))


class ADK(Driver):
    """A session of the ADK, whose agent gets another model."""

    kinds: ClassVar = {"gemini": set(), "gemini:2": set(), "openai": {"thought", "call", "own call"}, "claude": set()}
    ways = ("async", "streamed")
    signs: ClassVar = {"gemini", "gemini:2"}

    def __init__(self, url, settings):
        from google.adk.sessions import InMemorySessionService

        super().__init__(url, settings)
        # A streamed reply has an event for each call. ADK 1 only pauses at the last one and runs its calls.
        self.waits_last = version("google-adk").startswith("1.")
        self.service, self.session, self.contents = InMemorySessionService(), None, 0

    def adapter(self, **settings):
        from turnwire.adapters.google_adk import before_model

        return before_model(**settings)

    def model(self, kind):
        from google.adk.models import Gemini
        from google.adk.models.lite_llm import LiteLlm

        if kind == "openai":
            return LiteLlm("openai/gpt-4o", api_base=f"{self.url}/v1", api_key="none", num_retries=0)
        if kind == "claude":
            return LiteLlm("anthropic/claude-opus-4-8", api_base=self.url, api_key="none", num_retries=0)
        os.environ.update(GOOGLE_API_KEY="none", GOOGLE_GEMINI_BASE_URL=self.url)
        return Gemini(model="gemini-3-pro" if kind == "gemini" else "gemini-2.5-pro")

    async def run(self, kind, way, one):
        from contents import spelled
        from google.adk.events import Event

        if self.session is None:
            self.session = await self.service.create_session(app_name="t", user_id="u", session_id="s")
        await self._reads()
        *contents, last = spelled(one)
        for content in contents:
            self.contents += 1
            author = "a" if content.role == "model" or content.parts[0].function_response else "user"
            event = Event(author=author, content=content, invocation_id=f"i{self.contents}")
            await self.service.append_event(self.session, event)
        return await self._asked(kind, way, last)

    async def resume(self, kind, way):
        from google.genai.types import Content, FunctionResponse, Part

        name, allowed = "adk_request_confirmation", {"confirmed": True}
        answers = [FunctionResponse(id=one, name=name, response=allowed) for one in self.paused]
        await self._reads()
        return await self._asked(
            kind, way, Content(role="user", parts=[Part(function_response=one) for one in answers])
        )

    async def _asked(self, kind, way, last):
        from google.adk.agents import LlmAgent, RunConfig
        from google.adk.agents.run_config import StreamingMode
        from google.adk.runners import Runner
        from google.adk.tools import FunctionTool

        tools = [look, FunctionTool(send, require_confirmation=True)]
        agent = LlmAgent(name="a", model=self.model(kind), tools=tools, before_model_callback=self.made)
        runner = Runner(app_name="t", agent=agent, session_service=self.service)
        mode = StreamingMode.SSE if way == "streamed" else StreamingMode.NONE
        asked = {"user_id": "u", "session_id": "s", "new_message": last, "run_config": RunConfig(streaming_mode=mode)}
        waiting = [call for event in [one async for one in runner.run_async(**asked)] for call in self._waits(event)]
        self.paused = [call.id for call in waiting]
        await self._reads()
        return [call.args["originalFunctionCall"]["args"]["q"] for call in waiting]

    @staticmethod
    def _waits(event):
        calls = [] if event.partial else event.get_function_calls()
        return [call for call in calls if call.name == "adk_request_confirmation"]

    async def _reads(self):
        """What the service has now; after a restart it reads what was written down."""
        if self.held:
            from google.adk.events import Event

            self.session = await self.service.create_session(app_name="t", user_id="u", session_id="s")
            for line in self.held:
                await self.service.append_event(self.session, Event.model_validate_json(line))
            self.held = []
        self.session = await self.service.get_session(app_name="t", user_id="u", session_id="s")

    def restart(self):
        from google.adk.sessions import InMemorySessionService

        self.held = [event.model_dump_json() for event in self.session.events]
        self.service = InMemorySessionService()


class LiteLLM(Driver):
    """A loop of one's own around LiteLLM, whose messages are always those of Chat Completions."""

    kinds: ClassVar = {"openai": {"thought", "own call"}, "claude": set(), "gemini": set()}
    ways = ("async", "streamed", "router")
    signs: ClassVar = {"gemini"}
    rewrites = True

    def adapter(self, **settings):
        from turnwire.adapters.litellm import callback

        return callback(**settings)

    def model(self, kind):
        if kind == "openai":
            return {"model": "openai/gpt-4o", "api_base": f"{self.url}/v1"}
        if kind == "gemini":
            return {"model": "gemini/gemini-3-pro", "api_base": self.url}
        return {"model": "anthropic/claude-opus-4-8", "api_base": self.url}

    async def run(self, kind, way, one):
        self.held += openai(one)
        return await self._goes_on(kind, way)

    async def resume(self, kind, way):
        for call in self.paused:
            self._runs(call, send)
        return await self._goes_on(kind, way)

    async def _goes_on(self, kind, way):
        import litellm

        litellm.suppress_debug_info = True
        litellm.callbacks = self.callbacks()
        try:
            while True:
                reply = await self._asked(litellm, kind, way)
                self.held.append(message := reply.choices[0].message)
                calls = [call.model_dump() for call in message.tool_calls or ()]
                self.paused = [call for call in calls if call["function"]["name"] == "send"]
                for call in calls:
                    if call not in self.paused:
                        self._runs(call, look)
                if self.paused or not calls:
                    return [json.loads(call["function"]["arguments"])["q"] for call in self.paused]
        finally:
            litellm.callbacks = []

    def _runs(self, call, tool):
        text = tool(**json.loads(call["function"]["arguments"]))
        self.held.append({"role": "tool", "tool_call_id": call["id"], "content": text})

    async def _asked(self, litellm, kind, way):
        tools = [{"type": "function", "function": one} for one in (LOOK, SEND)]
        model = {**self.model(kind), "api_key": "none"}
        asked = {"messages": self.held, "tools": tools, "max_tokens": 99, "num_retries": 0}
        if way == "router":
            router = litellm.Router([{"model_name": "m", "litellm_params": model}])
            return await router.acompletion("m", **asked)
        reply = await litellm.acompletion(**model, **asked, stream=way == "streamed")
        if way == "async":
            return reply
        return litellm.stream_chunk_builder([chunk async for chunk in reply], messages=self.held)

    def callbacks(self):
        return [self.made]

    def restart(self):
        dumped = [one if isinstance(one, dict) else one.model_dump() for one in self.held]
        self.held = json.loads(json.dumps(dumped))


class SynchronousLiteLLM(LiteLLM):
    """The same by `completion`, for which LiteLLM has no callback."""

    ways = ("sync", "streamed")

    def adapter(self, **settings):
        from turnwire.adapters.litellm import completion

        return completion(**settings)

    def callbacks(self):
        return []

    async def _asked(self, litellm, kind, way):
        return await asyncio.to_thread(self._asked_at_once, litellm, kind, way)

    def _asked_at_once(self, litellm, kind, way):
        tools = [{"type": "function", "function": one} for one in (LOOK, SEND)]
        asked = {"messages": self.held, "tools": tools, "max_tokens": 99, "num_retries": 0}
        reply = self.made(**self.model(kind), **asked, api_key="none", stream=way == "streamed")
        return reply if way == "sync" else litellm.stream_chunk_builder([*reply], messages=self.held)
