"""Drivers of the frameworks of `adapters-newest-more`, as in `drivers`."""

import asyncio
import json
import os
from typing import ClassVar

from agents_of import LOOK, look
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
        from strands import Agent, tool
        from strands.agent.conversation_manager import NullConversationManager
        from strands.middleware import InvokeModelStage
        from test_strands_switch import MODELS

        *messages, last = [*self.held, *bedrock(one)]
        manager, model = NullConversationManager(), MODELS[kind](self.url)
        more = {"tools": [tool(look)], "callback_handler": None, "conversation_manager": manager}
        agent = Agent(model=model, messages=messages, **more)
        agent.add_middleware(InvokeModelStage.Input, self.made)
        if way == "sync":
            await asyncio.to_thread(agent, last["content"])
        elif way == "async":
            await agent.invoke_async(last["content"])
        else:
            async for _ in agent.stream_async(last["content"]):
                pass
        self.held = agent.messages

    def restart(self):
        self.held = json.loads(json.dumps(self.held))


class ADK(Driver):
    """A session of the ADK, whose agent gets another model."""

    kinds: ClassVar = {"gemini": set(), "gemini:2": set(), "openai": {"thought", "call", "own call"}, "claude": set()}
    ways = ("async", "streamed")
    signs: ClassVar = {"gemini", "gemini:2"}

    def __init__(self, url, settings):
        from google.adk.sessions import InMemorySessionService

        super().__init__(url, settings)
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
        from google.adk.agents import LlmAgent, RunConfig
        from google.adk.agents.run_config import StreamingMode
        from google.adk.events import Event
        from google.adk.runners import Runner

        agent = LlmAgent(name="a", model=self.model(kind), tools=[look], before_model_callback=self.made)
        runner = Runner(app_name="t", agent=agent, session_service=self.service)
        if self.session is None:
            self.session = await self.service.create_session(app_name="t", user_id="u", session_id="s")
        await self._reads()
        *contents, last = spelled(one)
        for content in contents:
            self.contents += 1
            author = "a" if content.role == "model" or content.parts[0].function_response else "user"
            event = Event(author=author, content=content, invocation_id=f"i{self.contents}")
            await self.service.append_event(self.session, event)
        mode = StreamingMode.SSE if way == "streamed" else StreamingMode.NONE
        asked = {"user_id": "u", "session_id": "s", "new_message": last, "run_config": RunConfig(streaming_mode=mode)}
        async for _ in runner.run_async(**asked):
            pass
        await self._reads()

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
        import litellm

        litellm.suppress_debug_info = True
        self.held += openai(one)
        litellm.callbacks = self.callbacks()
        try:
            while True:
                reply = await self._asked(litellm, kind, way)
                self.held.append(message := reply.choices[0].message)
                if not message.tool_calls:
                    return
                for call in message.tool_calls:
                    text = look(**json.loads(call.function.arguments))
                    self.held.append({"role": "tool", "tool_call_id": call.id, "content": text})
        finally:
            litellm.callbacks = []

    async def _asked(self, litellm, kind, way):
        tools = [{"type": "function", "function": LOOK}]
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
        tools = [{"type": "function", "function": LOOK}]
        asked = {"messages": self.held, "tools": tools, "max_tokens": 99, "num_retries": 0}
        reply = self.made(**self.model(kind), **asked, api_key="none", stream=way == "streamed")
        return reply if way == "sync" else litellm.stream_chunk_builder([*reply], messages=self.held)
