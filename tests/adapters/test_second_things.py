"""The second thing that somebody tries in LangChain and in Pydantic AI: the adapter neither loses nor adds anything."""

import asyncio
import base64

import pydantic
import pytest
from agents_of import KEYS, look
from generator import PNG
from needs import framework
from provider import Step
from side_by_side import both

framework("langchain", "langchain")
framework("pydantic_ai", "pydantic-ai-slim")
from anthropic import AsyncAnthropic  # noqa: E402
from langchain.agents import create_agent  # noqa: E402
from langchain.agents.middleware import ModelFallbackMiddleware, SummarizationMiddleware  # noqa: E402
from langchain.agents.structured_output import ToolStrategy  # noqa: E402
from langchain_anthropic import ChatAnthropic  # noqa: E402
from langchain_core.messages import AIMessage, ToolMessage  # noqa: E402
from langchain_core.tools import tool  # noqa: E402
from langchain_openai import ChatOpenAI  # noqa: E402
from langgraph.checkpoint.memory import InMemorySaver  # noqa: E402
from openai import AsyncOpenAI  # noqa: E402
from pydantic_ai import (  # noqa: E402
    Agent,
    BinaryContent,
    ModelRetry,
    NativeOutput,
    PromptedOutput,
    ToolOutput,
    capture_run_messages,
)
from pydantic_ai.models.anthropic import AnthropicModel  # noqa: E402
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel  # noqa: E402
from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: E402
from pydantic_ai.providers.openai import OpenAIProvider  # noqa: E402
from turnwire.adapters import _hosts  # noqa: E402
from turnwire.adapters import openai as openai_adapter  # noqa: E402
from turnwire.adapters.langchain import middleware  # noqa: E402
from turnwire.adapters.pydantic_ai import capability  # noqa: E402

PDF = base64.b64encode(b"%PDF-1.4\n%%EOF\n").decode()
WAV = base64.b64encode(b"RIFF\x24\0\0\0WAVEfmt ").decode()
HERE = {"configurable": {"thread_id": "t"}}
KINDS = pytest.mark.parametrize("kind", ["chat", "responses", "claude"])


class Lake(pydantic.BaseModel):
    """A lake."""

    name: str


def asks(*names, text=""):
    return Step(text, [(f"toolu_{name}{at}", name, {"q": f"q{at}"}) for at, name in enumerate(names)])


def chain_model(kind, server, **more):
    if kind == "claude":
        return ChatAnthropic(model="claude-opus-4-8", base_url=server.url, max_tokens=99, **{**KEYS, **more})
    url = f"{server.url}/v1"
    return ChatOpenAI(model="gpt-5", base_url=url, use_responses_api=kind == "responses", **{**KEYS, **more})


def ours(settings, **more):
    return [] if settings is None else [middleware(**settings, **more)]


def say(text):
    return {"messages": [{"role": "user", "content": text}]}


@tool
def picture(q: str) -> list:
    """Shows a picture."""
    return [{"type": "text", "text": f"at {q}"}, {"type": "image", "base64": PNG, "mime_type": "image/png"}]


@tool
def url(q: str) -> list:
    """Shows a picture that is somewhere else."""
    return [{"type": "image", "url": "https://lake/b.png"}]


@tool
def fails(q: str) -> str:
    """Fails."""
    raise ValueError(q)


@KINDS
def test_langchain_with_structured_output_after_tools(kind):
    def run(server, settings):
        agent = create_agent(
            chain_model(kind, server), [look], middleware=ours(settings), response_format=ToolStrategy(Lake)
        )
        return agent.invoke(say("TASK"))["structured_response"]

    end = Step(calls=(("toolu_end", "Lake", {"name": "Como"}),))
    assert both(run, [asks("look", "look", text="I look."), end])[:2] == (Lake(name="Como"),) * 2


@KINDS
@pytest.mark.parametrize("target", [None, "openai"])
def test_langchain_with_pictures_from_tools(kind, target, monkeypatch):
    """Chat Completions takes none in a result: they follow in a message of the user's."""
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")

    def run(server, settings):
        more = {"budget": 10_000, "target": target if kind == "chat" else None}
        agent = create_agent(chain_model(kind, server), [picture, url], middleware=ours(settings, **more))
        return agent.invoke(say("TASK"))["messages"][-1].text

    *said, body = both(run, [asks("picture", "url"), "done"], broken=kind == "chat")
    assert said == ["done"] * 2 and PNG in body and "https://lake/b.png" in body and "at q0" in body


@pytest.mark.parametrize("target", [None, "openai"])
def test_langchain_with_documents_and_sound_in_results(target, monkeypatch):
    """The same for Chat Completions. LangChain's other models refuse sound in a result themselves."""
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    pdf = {"type": "file", "base64": PDF, "mime_type": "application/pdf", "filename": "a.pdf"}
    sound = {"type": "audio", "base64": WAV, "mime_type": "audio/wav"}
    call = {"type": "tool_call", "id": "c", "name": "look", "args": {}}
    seen = ToolMessage([{"type": "text", "text": "at q0"}, pdf, sound], tool_call_id="c")
    asked = {"messages": [*say("TASK")["messages"], AIMessage("", tool_calls=[call]), seen]}

    def run(server, settings):
        agent = create_agent(chain_model("chat", server), [look], middleware=ours(settings, target=target))
        return agent.invoke(asked)["messages"][-1].text

    *said, body = both(run, ["done"], broken=True)
    assert said == ["done"] * 2 and PDF in body and WAV in body and "at q0" in body


@KINDS
def test_langchain_after_a_tool_that_raised(kind):
    """The checkpoint ends with calls that nobody answered, and the thread goes on."""

    def run(server, settings):
        saver = InMemorySaver()
        agent = create_agent(chain_model(kind, server), [fails, look], middleware=ours(settings), checkpointer=saver)
        with pytest.raises(ValueError, match="q"):
            agent.invoke(say("TASK"), HERE)
        return agent.invoke(say("Go on."), HERE)["messages"][-1].text

    assert both(run, [asks("look", "fails"), "done"], broken=True)[:2] == ("done",) * 2


@KINDS
def test_langchain_after_a_stream_that_was_left(kind):
    def run(server, settings):
        saver = InMemorySaver()
        agent = create_agent(chain_model(kind, server), [look], middleware=ours(settings), checkpointer=saver)

        async def go():
            stream = agent.astream(say("TASK"), HERE, stream_mode="updates")
            async for _ in stream:
                break
            await stream.aclose()
            return (await agent.ainvoke(say("Go on."), HERE))["messages"][-1].text

        return asyncio.run(go())

    assert both(run, [asks("look", "look"), "done"], broken=True)[:2] == ("done",) * 2


@KINDS
def test_langchain_with_an_agent_in_a_tool(kind):
    """Both agents have the same middleware."""

    def run(server, settings):
        same = ours(settings)
        inner = create_agent(chain_model(kind, server), [look], middleware=same)

        @tool
        def ask(q: str) -> str:
            """Asks another agent."""
            return inner.invoke(say(q))["messages"][-1].text

        agent = create_agent(chain_model(kind, server), [ask], middleware=same)
        return agent.invoke(say("TASK"))["messages"][-1].text

    *said, body = both(run, [asks("ask"), asks("look"), "inner", "done"])
    assert said == ["done"] * 2 and "inner" in body


@pytest.mark.parametrize("first", [True, False])
def test_langchain_with_other_middleware(first):
    """A summary of LangChain's own, before or behind ours."""

    def run(server, settings):
        summary = SummarizationMiddleware(chain_model("chat", server), trigger=("messages", 4), keep=("messages", 2))
        others = [*ours(settings), summary] if first else [summary, *ours(settings)]
        agent = create_agent(chain_model("chat", server), [look], middleware=others, checkpointer=InMemorySaver())
        for _ in range(3):
            said = agent.invoke(say("More."), HERE)
        return said["messages"][-1].text

    assert both(run, [asks("look"), "One", "Summed up.", asks("look"), "Two", "Summed up.", "Three", "Four"])[0]


def test_langchain_falls_back_to_a_model_of_another_provider():
    """The fallback stands before ours in the list, so that ours sees the model that is called."""

    def run(server, settings):
        # Nobody listens there.
        broken = ChatOpenAI(model="gpt-5", base_url="http://127.0.0.1:9/v1", **KEYS)
        fallback = ModelFallbackMiddleware(chain_model("claude", server))
        saver = InMemorySaver()
        claude = create_agent(chain_model("claude", server), [look], middleware=ours(settings), checkpointer=saver)
        claude.invoke(say("TASK"), HERE)
        agent = create_agent(broken, [look], middleware=[fallback, *ours(settings)], checkpointer=saver)
        return agent.invoke(say("Go on."), HERE)["messages"][-1].text

    assert both(run, [asks("look", text="I look."), "There.", "done"])[:2] == ("done",) * 2


def agent_model(kind, server, wrap=None):
    if kind == "claude":
        client = AsyncAnthropic(base_url=server.url, **KEYS)
        return AnthropicModel("claude-opus-4-8", provider=AnthropicProvider(anthropic_client=client))
    client = AsyncOpenAI(base_url=f"{server.url}/v1", **KEYS)
    made = OpenAIChatModel if kind == "chat" else OpenAIResponsesModel
    return made("gpt-5", provider=OpenAIProvider(openai_client=wrap(client) if wrap else client))


def able(settings, **more):
    return [] if settings is None else [capability(**settings, **more)]


@KINDS
@pytest.mark.parametrize("form", [ToolOutput, NativeOutput, PromptedOutput])
def test_pydantic_ai_with_structured_output_that_is_asked_for_twice(kind, form):
    text = {"name": 1}, {"name": "Como"}

    def run(server, settings):
        agent = Agent(agent_model(kind, server), output_type=form(Lake), tools=[look], capabilities=able(settings))
        return agent.run_sync("TASK").output

    if form is ToolOutput:
        script = [Step(calls=((f"toolu_e{at}", "final_result", one),)) for at, one in enumerate(text)]
    else:
        script = ['{"name": 1}', '{"name": "Como"}']
    assert both(run, [asks("look"), *script])[:2] == (Lake(name="Como"),) * 2


@KINDS
def test_pydantic_ai_with_tools_that_ask_again_show_pictures_and_ask_agents(kind):
    def run(server, settings):
        same = able(settings, budget=10_000)
        inner = Agent(agent_model(kind, server), capabilities=same)
        agent = Agent(agent_model(kind, server), capabilities=same, tools=[look])

        @agent.tool_plain
        def picture(q: str) -> BinaryContent:
            return BinaryContent(base64.b64decode(PNG), media_type="image/png")

        @agent.tool_plain(retries=3)
        def again(q: str) -> str:
            raise ModelRetry("Not so.")

        @agent.tool_plain
        async def ask(q: str) -> str:
            return (await inner.run(q)).output

        return agent.run_sync("TASK").output

    script = [asks("picture", "look"), asks("again"), asks("ask"), "inner", "done"]
    *said, body = both(run, script)
    assert said == ["done"] * 2 and "inner" in body and "Not so." in body and PNG in body


@KINDS
def test_pydantic_ai_after_a_run_that_raised_and_a_stream_that_was_left(kind):
    def run(server, settings):
        agent = Agent(agent_model(kind, server), capabilities=able(settings), tools=[look])

        @agent.tool_plain
        def fails(q: str) -> str:
            raise ValueError(q)

        async def go():
            with capture_run_messages() as held, pytest.raises(ValueError, match="q"):
                await agent.run("TASK")
            async with agent.run_stream("Go on.", message_history=[*held]) as stream:
                async for _ in stream.stream_text(delta=True):
                    break
            held = stream.all_messages()
            return (await agent.run("And?", message_history=held)).output

        return asyncio.run(go())

    # Only one tool: of two at once, one may have returned when the other one raises.
    assert both(run, [asks("fails"), "A text in two pieces.", "done"])[:2] == ("done",) * 2


def test_pydantic_ai_through_a_wrapped_client():
    """Two adapters at once: the capability, and the client that the model has."""

    def run(server, settings):
        wrap = None if settings is None else lambda client: openai_adapter.wrap(client, **settings)
        agent = Agent(agent_model("chat", server, wrap), capabilities=able(settings), tools=[look])
        return agent.run_sync("TASK").output

    assert both(run, [asks("look", "look", text="I look."), "done"])[:2] == ("done",) * 2
