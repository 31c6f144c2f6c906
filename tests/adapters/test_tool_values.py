"""What a tool returns that is no text: the ADK and Pydantic AI send it as JSON, and what it shows is never lost."""

import asyncio
import base64
import dataclasses
import datetime
import importlib
import json
import os

import pydantic
import pytest
from generator import PNG
from needs import framework
from provider import Step, provider

KEYS = {"api_key": "none", "max_retries": 0}
RAW = base64.b64decode(PNG)
CALL = Step(calls=(("toolu_1", "look", {"q": "x"}),))


@dataclasses.dataclass
class Pond:
    depth: int = 1


class Lake(pydantic.BaseModel):
    """A lake."""

    name: str = "Como"
    pond: Pond | None = None


class Opaque:
    def __repr__(self):
        return "opaque"


# What a tool returns, and the JSON that the model gets.
VALUES = {
    "none": (None, None),
    "bytes": (b"abc", "YWJj"),
    "bytes that are no text": (b"\xff\xfe", "__4="),
    "a pydantic model": (Lake(), {"name": "Como", "pond": None}),
    "a dataclass": (Pond(), {"depth": 1}),
    "nested": (
        [Lake(pond=Pond(2)), [Pond(), {"k": [1, None]}]],
        [
            {"name": "Como", "pond": {"depth": 2}},
            [{"depth": 1}, {"k": [1, None]}],
        ],
    ),
    "a set": ({"a": {1}}, {"a": [1]}),
    "a tuple": ((1, "two"), [1, "two"]),
    "a date": (datetime.date(2026, 11, 27), "2026-11-27"),
    "a number": (1.5, 1.5),
    "no number": ([float("nan"), float("inf")], [None, None]),
    "an empty list": ([], []),
}
OF_VALUES = pytest.mark.parametrize("name", VALUES)


@OF_VALUES
@pytest.mark.parametrize("kind", ["gemini", "openai"])
def test_the_adk(kind, name, receipts):
    framework("google.adk", "google-adk")
    from google.adk.agents import LlmAgent
    from google.adk.models import Gemini
    from google.adk.models.lite_llm import LiteLlm
    from google.adk.runners import InMemoryRunner
    from google.genai.types import Content, Part
    from turnwire.adapters.google_adk import before_model

    if kind == "gemini" and "base_url" not in Gemini.model_fields:
        pytest.skip("this ADK has no address for its Gemini")
    value, expected = VALUES[name]
    os.environ["GOOGLE_API_KEY"] = "none"

    def look(q: str):
        """Looks."""
        return value

    async def run(url):
        if kind == "gemini":
            model = Gemini(model="gemini-3-pro", base_url=url)
        else:
            model = LiteLlm("openai/gpt-4o", api_base=f"{url}/v1", api_key="none", num_retries=0)
        hook = before_model(budget=10_000, on_receipt=receipts.append)
        agent = LlmAgent(name="a", model=model, tools=[look], before_model_callback=hook)
        runner = InMemoryRunner(agent, app_name="t")
        session = await runner.session_service.create_session(app_name="t", user_id="u")
        asked = {
            "user_id": "u",
            "session_id": session.id,
            "new_message": Content(role="user", parts=[Part(text="TASK")]),
        }
        return [event async for event in runner.run_async(**asked)][-1].content.parts[0].text

    with provider(CALL, "done") as server:
        assert asyncio.run(run(server.url)) == "done"
    body = server.bodies[-1]
    if kind == "gemini":
        sent = body["contents"][-1]["parts"][0]["functionResponse"]["response"]
    else:
        sent = json.loads(body["messages"][-1]["content"])
    assert sent == (expected if isinstance(value, dict) else {"result": expected})
    assert receipts == []


def test_a_result_of_the_adk_stays_the_sessions_own():
    framework("google.adk", "google-adk")
    from google.adk.models import LlmRequest
    from google.genai.types import Content, FunctionCall, FunctionResponse, Part
    from turnwire.adapters.google_adk import before_model

    held = {"result": Opaque(), "beside": b"abc"}
    call = Part(function_call=FunctionCall(id="c", name="look", args={}))
    answer = Part(function_response=FunctionResponse(id="c", name="look", response=held))
    contents = [
        Content(role=role, parts=[part]) for role, part in (("user", Part(text="q")), ("model", call), ("user", answer))
    ]
    asked = LlmRequest(model="gemini-2.5-pro", contents=contents)
    before_model()(None, asked)
    assert asked.contents[2].parts[0].function_response.response == {"result": "opaque", "beside": "YWJj"}
    assert answer.function_response.response is held or answer.function_response.response == held
    assert asked.contents[:2] == contents[:2]


def pydantic_models(server):
    framework("pydantic_ai", "pydantic-ai-slim")
    openai = framework("openai", "openai")
    anthropic = framework("anthropic", "anthropic")
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.providers.openai import OpenAIProvider

    claude = anthropic.AsyncAnthropic(base_url=server.url, **KEYS)
    chat = openai.AsyncOpenAI(base_url=f"{server.url}/v1", **KEYS)
    return {
        "claude": lambda: AnthropicModel("claude-opus-4-8", provider=AnthropicProvider(anthropic_client=claude)),
        "chat": lambda: OpenAIChatModel("gpt-5", provider=OpenAIProvider(openai_client=chat)),
    }


@OF_VALUES
def test_pydantic_ai(name):
    framework("pydantic_ai", "pydantic-ai-slim")
    from pydantic_ai import Agent
    from turnwire.adapters.pydantic_ai import capability

    value, _ = VALUES[name]

    def look(q: str):
        """Looks."""
        return value

    sent, told = [], []
    for capabilities in ([], [capability(budget=10_000, on_receipt=told.append)]):
        with provider(CALL, "done") as server:
            agent = Agent(pydantic_models(server)["chat"](), tools=[look], capabilities=capabilities)
            assert agent.run_sync("TASK").output == "done"
        sent.append(server.bodies[-1]["messages"])
    assert sent[0] == sent[1] and sent[1][-1]["role"] == "tool"
    assert told == []


@pytest.mark.parametrize("kind", ["claude", "chat"])
@pytest.mark.parametrize("how", ["renamed", "cut"])
def test_pictures_in_results_of_pydantic_ai_stay_where_the_result_changes(kind, how, receipts):
    ai = framework("pydantic_ai", "pydantic-ai-slim")
    from pydantic_ai.messages import (
        BinaryContent,
        ModelRequest,
        ModelResponse,
        TextPart,
        ToolCallPart,
        ToolReturnPart,
        UserPromptPart,
    )
    from turnwire.adapters.pydantic_ai import capability

    picture = BinaryContent(RAW, media_type="image/png")
    text = "seen " * (400 if how == "cut" else 1)
    results = [picture] if how == "renamed" else []
    results.append([text, picture])
    history = [ModelRequest([UserPromptPart("TASK")])]
    for content in ["first", *results]:
        ident = "c1" if how == "renamed" else f"c{len(history)}"
        history.append(ModelResponse([ToolCallPart("look", {"q": "x"}, ident)]))
        history.append(ModelRequest([ToolReturnPart("look", content, ident)]))
    history.append(ModelResponse([TextPart("There.")]))
    with provider("done") as server:
        made = capability(budget=500 if how == "cut" else None, on_receipt=receipts.append)
        agent = ai.Agent(pydantic_models(server)[kind](), capabilities=[made])
        assert agent.run_sync("And now?", message_history=history).output == "done"
    body = json.dumps(server.bodies[-1])
    assert body.count(PNG) == len(results)
    codes = {change.code for change in receipts[0]}
    assert codes == ({"renamed_id"} if how == "renamed" else {"cut_result"})


def test_an_error_list_of_pydantic_ai_keeps_its_form_where_its_id_changes():
    framework("pydantic_ai", "pydantic-ai-slim")
    messages = importlib.import_module("turnwire.adapters._pydantic_ai_messages")
    from pydantic_ai.messages import ModelRequest, RetryPromptPart

    try:
        Lake(name=1)
    except pydantic.ValidationError as error:
        wrong = error.errors(include_url=False)
    part = RetryPromptPart(content=wrong, tool_name="look", tool_call_id="c1")
    (element,) = messages.elements_of(ModelRequest([part]))
    ((new,),) = (one.parts for one in messages.rebuilt(ModelRequest([part]), [{**element, "tool_call_id": "c2"}]))
    assert new.tool_call_id == "c2" and new.content == wrong
    assert new.model_response() == part.model_response()
