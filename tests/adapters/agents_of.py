"""Agents of each framework, and the clients, whose requests pass through its adapter to providers on this machine.

A run makes the requests of one step with the framework's own models: synchronously, asynchronously or streamed. They go
to one provider or, once switched, to another one.
"""

import asyncio
import importlib
import os

import pytest
from generator import arguments
from needs import framework
from provider import provider
from spelled import anthropic, bedrock, openai, responses

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
MODES = ("sync", "async", "streamed")
KEYS = {"api_key": "none", "max_retries": 0}
PARAMETERS = {"type": "object", "properties": {"q": {"type": "string"}}}
LOOK = {"name": "look", "description": "Looks.", "parameters": PARAMETERS}
SEND = {"name": "send", "description": "Sends.", "parameters": PARAMETERS}


def look(q: str) -> str:
    """Looks.

    Args:
        q: Where.
    """
    return f"seen {q}"


def send(q: str) -> str:
    """Sends, once a person has allowed it.

    Args:
        q: What.
    """
    return f"allowed {q}"


class Servers:
    """A provider of each kind, and the adapter that all requests pass through."""

    def __init__(self, stack, script, budget, **settings):
        self.chat, self.claude = (stack.enter_context(provider(*script)) for _ in range(2))
        self.budget, self.settings, self.adapters = budget, settings, {}

    def one(self, module, noun, client=None, loop=None):
        """The adapter of each kind, one for the whole run; an asynchronous client has one in each event loop."""
        if (module, noun, loop) not in self.adapters:
            made = getattr(importlib.import_module(f"turnwire.adapters.{module}"), noun)
            given = () if client is None else (client(),)
            self.adapters[module, noun, loop] = made(*given, budget=self.budget, **self.settings)
        return self.adapters[module, noun, loop]

    @property
    def bodies(self):
        return [*self.claude.bodies, *self.chat.bodies]


async def with_langchain(servers, one, switched, mode):
    from langchain.agents import create_agent
    from langchain_anthropic import ChatAnthropic
    from langchain_openai import ChatOpenAI
    from test_broken_langchain import spelled

    if switched:
        model = ChatOpenAI(model="gpt-5", base_url=f"{servers.chat.url}/v1", use_responses_api=False, **KEYS)
    else:
        model = ChatAnthropic(model="claude-opus-4-8", base_url=servers.claude.url, max_tokens=99, **KEYS)
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
        model = AnthropicModel("claude-opus-4-8", provider=AnthropicProvider(anthropic_client=client))
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
        model = AnthropicModel(client_args=args, model_id="claude-opus-4-8", max_tokens=99)
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
        model = {"model": "anthropic/claude-opus-4-8", "api_base": servers.claude.url}
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


async def with_adk(servers, one, switched, mode):
    """ADK's events of the history; the other model is LiteLLM's."""
    from contents import spelled
    from google.adk.agents import LlmAgent, RunConfig
    from google.adk.agents.run_config import StreamingMode
    from google.adk.events import Event
    from google.adk.models import Gemini
    from google.adk.models.lite_llm import LiteLlm
    from google.adk.runners import InMemoryRunner

    # Older versions read the address only from the environment.
    os.environ.update(GOOGLE_API_KEY="none", GOOGLE_GEMINI_BASE_URL=servers.claude.url)
    if switched:
        model = LiteLlm("openai/gpt-4o", api_base=f"{servers.chat.url}/v1", api_key="none", num_retries=0)
    else:
        model = Gemini(model="gemini-3-pro")
    agent = LlmAgent(
        name="a", model=model, tools=[look], before_model_callback=servers.one("google_adk", "before_model")
    )
    runner = InMemoryRunner(agent, app_name="t")
    session = await runner.session_service.create_session(app_name="t", user_id="u")
    *contents, last = spelled(one)
    for at, content in enumerate(contents):
        # Each has an invocation of its own, like those of a session that was stored.
        author = "a" if content.role == "model" or content.parts[0].function_response else "user"
        await runner.session_service.append_event(
            session, Event(author=author, content=content, invocation_id=f"i{at}")
        )
    config = RunConfig(streaming_mode=StreamingMode.SSE if mode == "streamed" else StreamingMode.NONE)
    asked = {"user_id": "u", "session_id": session.id, "new_message": last, "run_config": config}
    async for _ in runner.run_async(**asked):
        pass


async def with_openai(servers, one, switched, mode):
    """Chat Completions; then the same list is sent with Anthropic's client."""
    if switched:
        await _by_anthropic(servers, without_thoughts(one), [{"type": "function", "function": LOOK}], mode)
    else:
        await _by_openai(servers, without_thoughts(one), mode)


def without_thoughts(one):
    """Chat Completions with OpenAI's own fields only."""
    return [{key: value for key, value in message.items() if key != "thinking_blocks"} for message in openai(one)]


async def with_anthropic(servers, one, switched, mode):
    """Messages; then the same list is sent with OpenAI's client."""
    if switched:
        await _by_openai(servers, anthropic(one), mode)
    else:
        tools = [{"name": "look", "description": "Looks.", "input_schema": PARAMETERS}]
        await _by_anthropic(servers, anthropic(one), tools, mode)


async def _by_openai(servers, messages, mode):
    from openai import AsyncOpenAI, OpenAI

    asked = {"model": "gpt-5", "messages": messages, "tools": [{"type": "function", "function": LOOK}]}
    keys = {"base_url": f"{servers.chat.url}/v1", **KEYS}
    if mode == "sync":
        servers.one("openai", "wrap", lambda: OpenAI(**keys)).chat.completions.create(**asked)
        return
    client = servers.one("openai", "wrap", lambda: AsyncOpenAI(**keys), asyncio.get_running_loop())
    reply = await client.chat.completions.create(**asked, stream=mode == "streamed")
    if mode == "streamed":
        async for _ in reply:
            pass


async def _by_anthropic(servers, messages, tools, mode):
    from anthropic import Anthropic, AsyncAnthropic

    asked = {"model": "claude-opus-4-8", "max_tokens": 99, "messages": messages, "tools": tools}
    keys = {"base_url": servers.claude.url, **KEYS}
    if mode == "sync":
        servers.one("anthropic", "wrap", lambda: Anthropic(**keys)).messages.create(**asked)
        return
    client = servers.one("anthropic", "wrap", lambda: AsyncAnthropic(**keys), asyncio.get_running_loop())
    if mode == "async":
        await client.messages.create(**asked)
        return
    async with client.messages.stream(**asked) as stream:
        async for _ in stream:
            pass


async def with_google_genai(servers, one, switched, mode):
    """Contents; then the same list is sent with another client."""
    from contents import spelled
    from google.genai import Client
    from google.genai.types import HttpOptions
    from turnwire.adapters.google_genai import wrap

    server = servers.chat if switched else servers.claude
    if server.url not in servers.adapters:
        client = Client(api_key="none", vertexai=False, http_options=HttpOptions(base_url=server.url))
        servers.adapters[server.url] = wrap(client, servers.budget, **servers.settings)
    client = servers.adapters[server.url]
    asked = {"model": "gemini-3-pro", "contents": spelled(one)}
    asked["config"] = {"tools": [{"function_declarations": [LOOK]}]}
    if mode == "sync":
        client.models.generate_content(**asked)
    elif mode == "async":
        await client.aio.models.generate_content(**asked)
    else:
        async for _ in await client.aio.models.generate_content_stream(**asked):
            pass


async def with_smolagents(servers, one, switched, mode):
    """The steps of the history that the agent keeps; the other provider is a server of the same kind."""
    from smolagents import OpenAIServerModel, ToolCallingAgent, tool

    server = servers.chat if switched else servers.claude
    model = OpenAIServerModel("gpt-5", api_base=f"{server.url}/v1", api_key="none")
    callbacks = [servers.one("smolagents", "step_callback")]
    more = {"step_callbacks": callbacks, "verbosity_level": 0, "stream_outputs": mode == "streamed"}
    agent = ToolCallingAgent([tool(look)], model, **more)
    *steps, task = steps_of(one)
    agent.memory.steps = steps
    if mode == "async":
        await asyncio.to_thread(agent.run, task.task, reset=False)
    else:
        agent.run(task.task, reset=False)


def steps_of(one):
    """The steps of smolagents, which hold the calls and what came back."""
    from smolagents.memory import ActionStep, TaskStep, ToolCall
    from smolagents.monitoring import Timing

    steps = []
    for message in one.messages:
        text = message["content"] or ""
        if message["role"] == "user":
            steps.append(TaskStep(task=text))
        elif message["role"] == "assistant":
            calls = [
                ToolCall(name=made["function"]["name"], arguments=arguments(made), id=made["id"])
                for made in message.get("tool_calls") or ()
            ]
            numbered = {"step_number": len(steps), "timing": Timing(0.0, 1.0)}
            steps.append(ActionStep(model_output=text, tool_calls=calls or None, **numbered))
        elif isinstance(steps[-1], ActionStep):
            steps[-1].observations = (steps[-1].observations or "") + text
        else:
            steps.append(ActionStep(step_number=len(steps), timing=Timing(0.0, 1.0), observations=text))
    return steps


RUNS = {
    "langchain": ("langchain", "langchain", with_langchain),
    "pydantic_ai": ("pydantic_ai", "pydantic-ai-slim", with_pydantic_ai),
    "strands": ("strands", "strands-agents", with_strands),
    "agents": ("agents", "openai-agents", with_agents),
    "litellm": ("litellm", "litellm", with_litellm),
    "google_adk": ("google.adk", "google-adk", with_adk),
    "openai": ("openai", "openai", with_openai),
    "anthropic": ("anthropic", "anthropic", with_anthropic),
    "google_genai": ("google.genai", "google-genai", with_google_genai),
    "smolagents": ("smolagents", "smolagents", with_smolagents),
}


def needed(name):
    """The run of a framework that is installed."""
    module, package, run = RUNS[name]
    if name in ("agents", "openai", "anthropic") and os.environ.get("TURNWIRE_ADAPTERS") == "adapters-newest-more":
        pytest.skip("adapters-newest has the same version")
    framework(module, package)
    beside = {
        "langchain": ["anthropic", "openai", "langchain_openai"],
        "pydantic_ai": ["anthropic", "openai"],
        "openai": ["anthropic"],
        "anthropic": ["openai"],
        "google_adk": ["litellm"],
        "smolagents": ["openai"],
    }
    for client in beside.get(name, ()):
        pytest.importorskip(client, reason=f"{client} is not installed: make adapters")
    return run
