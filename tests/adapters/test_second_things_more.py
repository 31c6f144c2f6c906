"""As `test_second_things`, for the OpenAI Agents SDK, Strands, the ADK and LiteLLM."""

import asyncio
import base64
import os

import pydantic
import pytest
from agents_of import KEYS, LOOK, look
from generator import PNG
from needs import framework
from provider import Step
from side_by_side import both

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
litellm = framework("litellm", "litellm")
framework("agents", "openai-agents")
framework("strands", "strands-agents")
framework("google.adk", "google-adk")
import agents  # noqa: E402
import strands  # noqa: E402
from google.adk.agents import LlmAgent, RunConfig, SequentialAgent  # noqa: E402
from google.adk.agents.run_config import StreamingMode  # noqa: E402
from google.adk.models import Gemini  # noqa: E402
from google.adk.models.lite_llm import LiteLlm  # noqa: E402
from google.adk.runners import InMemoryRunner  # noqa: E402
from google.adk.tools.agent_tool import AgentTool  # noqa: E402
from google.genai.types import Content, Part  # noqa: E402
from openai import AsyncOpenAI  # noqa: E402
from strands.middleware import InvokeModelStage  # noqa: E402
from strands.session import FileSessionManager  # noqa: E402
from test_openai_agents_models import MODELS as AGENT_MODELS  # noqa: E402
from test_strands_switch import MODELS as STRANDS_MODELS  # noqa: E402
from turnwire.adapters import _hosts  # noqa: E402
from turnwire.adapters import openai as openai_adapter  # noqa: E402
from turnwire.adapters.google_adk import before_model  # noqa: E402
from turnwire.adapters.litellm import callback, completion  # noqa: E402
from turnwire.adapters.openai_agents import input_filter  # noqa: E402
from turnwire.adapters.strands import middleware  # noqa: E402

agents.set_tracing_disabled(True)


@pytest.fixture(autouse=True)
def of_openai(monkeypatch):
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")


class Lake(pydantic.BaseModel):
    """A lake."""

    name: str


def asks(*names, text=""):
    return Step(text, [(f"toolu_{name}{at}", name, {"q": f"q{at}"}) for at, name in enumerate(names)])


def fails(q: str) -> str:
    """Fails.

    Args:
        q: Why.
    """
    raise ValueError(q)


# --- The OpenAI Agents SDK ---

OF_AGENTS = pytest.mark.parametrize("kind", AGENT_MODELS)


def config(settings, **more):
    made = None if settings is None else input_filter(**settings, **more)
    return agents.RunConfig(call_model_input_filter=made)


@OF_AGENTS
def test_agents_with_pictures_failing_tools_and_agents_as_tools(kind):
    @agents.function_tool
    def picture(q: str):
        """Shows a picture."""
        return agents.ToolOutputImage(image_url=f"data:image/png;base64,{PNG}")

    def run(server, settings):
        model, same = AGENT_MODELS[kind](server), config(settings, budget=10_000)
        inner = agents.Agent("inner", model=model)
        ask = inner.as_tool("ask", "Asks another agent.", run_config=same)
        tools = [picture, agents.function_tool(fails), agents.function_tool(look), ask]
        agent = agents.Agent("a", model=model, tools=tools)
        return asyncio.run(agents.Runner.run(agent, "TASK", run_config=same)).final_output

    over = Step(calls=(("toolu_ask", "ask", {"input": "Well?"}),))
    *said, body = both(run, [asks("look", "fails", text="I look."), over, "inner", asks("picture"), "done"])
    assert said == ["done"] * 2 and "inner" in body and "error" in body


@OF_AGENTS
def test_agents_after_a_run_that_raised_or_was_cancelled(kind):
    """The session ends with a call that nobody answered, and goes on."""

    def run(server, settings):
        model = AGENT_MODELS[kind](server)
        bare = agents.function_tool(fails, failure_error_function=None)
        agent = agents.Agent("a", model=model, tools=[bare, agents.function_tool(look)])

        async def go():
            session = agents.SQLiteSession("s")
            with pytest.raises(Exception, match="q0"):
                await agents.Runner.run(agent, "TASK", session=session, run_config=config(settings))
            streamed = agents.Runner.run_streamed(agent, "Again.", session=session, run_config=config(settings))
            async for event in streamed.stream_events():
                if event.type == "run_item_stream_event":
                    streamed.cancel()
            items = [{"role": "user", "content": "TASK"}, *call("c1"), *await session.get_items()]
            done = await agents.Runner.run(agent, [*items, ask("Go on.")], run_config=config(settings))
            return done.final_output

        return asyncio.run(go())

    *said, body = both(run, [asks("fails"), asks("look"), "done", "done"], broken=True)
    assert said == ["done"] * 2 and "Again." in body


def call(ident):
    return [{"type": "function_call", "call_id": ident, "name": "look", "arguments": '{"q": "x"}'}]


def ask(text):
    return {"role": "user", "content": text}


def test_agents_hand_over_with_a_filter_through_a_wrapped_client():
    """Two adapters at once; and a handoff that leaves the tools out."""
    from agents.extensions.handoff_filters import remove_all_tools

    def run(server, settings):
        client = AsyncOpenAI(base_url=f"{server.url}/v1", **KEYS)
        client = client if settings is None else openai_adapter.wrap(client, **settings)
        model = agents.OpenAIChatCompletionsModel("gpt-5", client)
        other = agents.Agent("other", model=model, output_type=Lake)
        over = agents.handoff(other, input_filter=remove_all_tools)
        agent = agents.Agent("a", model=model, tools=[agents.function_tool(look)], handoffs=[over])
        return asyncio.run(agents.Runner.run(agent, "TASK", run_config=config(settings))).final_output

    over = Step(calls=(("toolu_h", "transfer_to_other", {}),))
    assert both(run, [asks("look", text="I look."), over, '{"name": "Como"}'])[:2] == (Lake(name="Como"),) * 2


# --- Strands ---

OF_STRANDS = pytest.mark.parametrize("kind", STRANDS_MODELS)


def strands_agent(kind, server, settings, **more):
    agent = strands.Agent(model=STRANDS_MODELS[kind](server.url), callback_handler=None, **more)
    if settings is not None:
        agent.add_middleware(InvokeModelStage.Input, middleware(**settings))
    return agent


def text_of(result):
    return result.message["content"][-1]["text"]


@OF_STRANDS
def test_strands_with_pictures_failing_tools_and_agents_in_tools(kind):
    @strands.tool
    def picture(q: str) -> dict:
        """Shows a picture."""
        image = {"format": "png", "source": {"bytes": base64.b64decode(PNG)}}
        return {"status": "success", "content": [{"text": "Look:"}, {"image": image}]}

    def run(server, settings):
        inner = strands_agent(kind, server, settings)

        @strands.tool
        def other(q: str) -> str:
            """Asks another agent."""
            return text_of(inner(q))

        tools = [picture, other, strands.tool(fails), strands.tool(look)]
        return text_of(strands_agent(kind, server, settings, tools=tools)("TASK"))

    script = [asks("look", text="I look."), asks("fails"), asks("other"), "inner", asks("picture"), "done"]
    *said, body = both(run, script)
    assert said == ["done"] * 2 and "inner" in body


@OF_STRANDS
def test_strands_with_structured_output_and_a_session(kind, tmp_path):
    def run(server, settings):
        place = str(tmp_path / ("plain" if settings is None else "ours"))
        for _ in range(2):
            session = FileSessionManager(session_id="s", storage_dir=place)
            more = {"agent_id": "a", "session_manager": session, "tools": [strands.tool(look)]}
            agent = strands_agent(kind, server, settings, **more)
            said = agent("TASK", structured_output_model=Lake).structured_output
        return said

    lakes = [Step(calls=((f"toolu_l{at}", "Lake", {"name": "Como"}),)) for at in range(2)]
    again = Step("Again.", [("toolu_again", "look", {"q": "q"})])
    # The result of the structured output and the next question are both the user's.
    both_of_them = both(run, [asks("look"), lakes[0], again, lakes[1]], broken=None)
    assert both_of_them[:2] == (Lake(name="Como"),) * 2


@OF_STRANDS
def test_strands_after_a_stream_that_was_left(kind):
    def run(server, settings):
        agent = strands_agent(kind, server, settings, tools=[strands.tool(look)])

        async def go():
            stream = agent.stream_async("TASK")
            async for event in stream:
                if "message" in event:
                    break
            await stream.aclose()

        asyncio.run(go())
        # Strands itself adds the results that are missing, as a message of the user's before the new one.
        return text_of(agent("Go on."))

    assert both(run, [asks("look", "look"), "done"], broken=None)[:2] == ("done",) * 2


# --- The ADK ---

OF_ADK = pytest.mark.parametrize("kind", ["gemini", "openai", "claude"])
MODES = pytest.mark.parametrize("mode", [StreamingMode.NONE, StreamingMode.SSE])


def adk_agent(kind, server, settings, name="a", **more):
    os.environ["GOOGLE_API_KEY"] = "none"
    if kind == "gemini":
        model = Gemini(model="gemini-3-pro", base_url=server.url)
    elif kind == "openai":
        model = LiteLlm("openai/gpt-4o", api_base=f"{server.url}/v1", api_key="none", num_retries=0)
    else:
        model = LiteLlm("anthropic/claude-opus-4-8", api_base=server.url, api_key="none", num_retries=0)
    if settings is not None:
        more["before_model_callback"] = [before_model(**settings), before_model()]
    return LlmAgent(name=name, model=model, **more)


async def adk_run(agent, mode, *texts, leaves=False):
    runner = InMemoryRunner(agent, app_name="t")
    session = await runner.session_service.create_session(app_name="t", user_id="u")
    said = ""
    for at, text in enumerate(texts):
        new = Content(role="user", parts=[Part(text=text)])
        asked = {"user_id": "u", "session_id": session.id, "new_message": new}
        stream = runner.run_async(**asked, run_config=RunConfig(streaming_mode=mode))
        async for event in stream:
            parts = (event.content and event.content.parts) or []
            said = "".join(part.text or "" for part in parts) or said
            if leaves and at == 0 and any(part.function_call for part in parts):
                break
        await stream.aclose()
    return said


@OF_ADK
@MODES
def test_the_adk_with_sub_agents_agents_in_tools_and_failing_tools(kind, mode):
    """Two callbacks at once, too."""

    def on_error(tool, args, tool_context, error):
        return {"error": str(error)}

    def run(server, settings):
        inner = adk_agent(kind, server, settings, "inner", description="Knows.")
        other = adk_agent(kind, server, settings, "other", description="Other.", tools=[look])
        tools = [look, fails, AgentTool(inner)]
        more = {"tools": tools, "sub_agents": [other], "on_tool_error_callback": on_error}
        return asyncio.run(adk_run(adk_agent(kind, server, settings, **more), mode, "TASK", "More."))

    over = Step(calls=(("toolu_t", "transfer_to_agent", {"agent_name": "other"}),))
    inner = Step(calls=(("toolu_i", "inner", {"request": "Well?"}),))
    *said, body = both(run, [asks("look", "fails"), inner, "inner says", over, asks("look"), "There.", "done"])
    assert said == ["done"] * 2 and "inner says" in body


@OF_ADK
@MODES
def test_the_adk_in_a_row_and_after_a_stream_that_was_left(kind, mode):
    def run(server, settings):
        first = adk_agent(kind, server, settings, "first", tools=[look], output_key="found")
        second = adk_agent(kind, server, settings, "second", instruction="Go on from {found?}.")
        row = SequentialAgent(name="row", sub_agents=[first, second])
        return asyncio.run(adk_run(row, mode, "TASK", "More.", leaves=True))

    assert both(run, [asks("look", "look"), "One", "done", "done"])[0] == "done"


# --- LiteLLM ---

OF_LITELLM = pytest.mark.parametrize("kind", ["openai", "anthropic", "gemini"])


@OF_LITELLM
@pytest.mark.parametrize("streamed", [True, False])
def test_litellm_with_pictures_in_results_and_a_router_that_falls_back(kind, streamed, monkeypatch):
    """Also two callbacks at once. The deployment that comes first does not answer."""
    picture = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
    made = {"id": "toolu_1", "type": "function", "function": {"name": "look", "arguments": '{"q": "x"}'}}
    talk = [
        {"role": "user", "content": [{"type": "text", "text": "TASK"}, picture]},
        {"role": "assistant", "content": "I look.", "tool_calls": [made]},
        {"role": "tool", "tool_call_id": "toolu_1", "content": "a lake"},
        {"role": "user", "content": "And now?"},
    ]

    def run(server, settings):
        callbacks = [] if settings is None else [callback(**settings), callback()]
        monkeypatch.setattr(litellm, "callbacks", callbacks)
        name = {"openai": "openai/gpt-4o", "anthropic": "anthropic/claude-opus-4-8", "gemini": "gemini/gemini-3-pro"}
        there = {"model": name[kind], "api_key": "none", "api_base": server.url + "/v1" * (kind == "openai")}
        nowhere = {**there, "api_base": "http://127.0.0.1:9"}
        both_of_them = [{"model_name": "m", "litellm_params": nowhere}, {"model_name": "n", "litellm_params": there}]
        router = litellm.Router(both_of_them, fallbacks=[{"m": ["n"]}], num_retries=0)
        tools = [{"type": "function", "function": LOOK}]

        async def go():
            reply = await router.acompletion("m", messages=talk, tools=tools, stream=streamed, max_tokens=9)
            if not streamed:
                return reply.choices[0].message.content
            return "".join([chunk.choices[0].delta.content or "" async for chunk in reply])

        return asyncio.run(go())

    *said, body = both(run, ["done"])
    assert said == ["done"] * 2 and PNG in body


@OF_LITELLM
def test_litellm_by_completion_and_a_callback_at_once(kind, monkeypatch):
    def run(server, settings):
        monkeypatch.setattr(litellm, "callbacks", [] if settings is None else [callback(**settings)])
        complete = litellm.completion if settings is None else completion(**settings)
        name = {"openai": "openai/gpt-4o", "anthropic": "anthropic/claude-opus-4-8", "gemini": "gemini/gemini-3-pro"}
        there = {"model": name[kind], "api_key": "none", "api_base": server.url + "/v1" * (kind == "openai")}
        messages = [{"role": "user", "content": "TASK"}]
        form = {"type": "json_schema", "json_schema": {"name": "lake", "schema": Lake.model_json_schema()}}
        more = {"tools": [{"type": "function", "function": LOOK}], "max_tokens": 9, "response_format": form}
        while True:
            said = complete(**there, messages=messages, **more).choices[0].message
            if not said.tool_calls:
                return said.content
            messages.append(said)
            messages += [{"role": "tool", "tool_call_id": one.id, "content": "a lake"} for one in said.tool_calls]

    assert both(run, [asks("look", "look", text="I look."), '{"name": "Como"}'])[0] == '{"name": "Como"}'
