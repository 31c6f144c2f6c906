"""The ADK's own Claude after Gemini, and Gemini after it: thoughts of the other one are removed, and reported."""

import asyncio

import pytest
from needs import framework
from provider import provider

framework("google.adk", "google-adk")
pytest.importorskip("anthropic", reason="anthropic is not installed: make adapters")
from google.adk.agents import LlmAgent  # noqa: E402
from google.adk.events import Event  # noqa: E402
from google.adk.models import Gemini, anthropic_llm  # noqa: E402
from google.adk.runners import InMemoryRunner  # noqa: E402
from google.genai.types import Content, FunctionCall, FunctionResponse, Part  # noqa: E402
from turnwire.adapters.google_adk import before_model  # noqa: E402

if not hasattr(anthropic_llm, "AnthropicLlm"):
    pytest.skip("this ADK has Claude on Vertex AI only", allow_module_level=True)

CLAUDES, GEMINIS = b"EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pk=", b"\xff\x00\xfe\x81"


def history(signature):
    call = FunctionCall(id="call_1", name="look", args={"q": "x"})
    answer = FunctionResponse(id="call_1", name="look", response={"result": "seen"})
    thoughts = [Part(text="Hm.", thought=True, thought_signature=signature), Part(text="Unsigned.", thought=True)]
    return [
        Content(role="user", parts=[Part(text="TASK")]),
        Content(role="model", parts=[*thoughts, Part(text="I look."), Part(function_call=call)]),
        Content(role="user", parts=[Part(function_response=answer)]),
        Content(role="model", parts=[Part(text="It is there.")]),
    ]


async def asked(model, contents, **settings):
    agent = LlmAgent(name="a", model=model, before_model_callback=before_model(**settings))
    runner = InMemoryRunner(agent, app_name="t")
    session = await runner.session_service.create_session(app_name="t", user_id="u")
    for at, content in enumerate(contents):
        author = "a" if content.role == "model" or content.parts[0].function_response else "user"
        await runner.session_service.append_event(
            session, Event(author=author, content=content, invocation_id=f"i{at}")
        )
    new = Content(role="user", parts=[Part(text="And now?")])
    return [event async for event in runner.run_async(user_id="u", session_id=session.id, new_message=new)]


@pytest.mark.parametrize("signature", [CLAUDES, GEMINIS], ids=["Claude's", "Gemini's"])
@pytest.mark.parametrize("reasoning", ["valid", "text"])
def test_thoughts_go_back_to_their_maker(monkeypatch, signature, reasoning):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    monkeypatch.setenv("GOOGLE_API_KEY", "none")
    with provider() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        for model in (
            anthropic_llm.AnthropicLlm(model="claude-opus-4-5"),
            Gemini(model="gemini-2.5-pro", base_url=server.url),
        ):
            is_claude, losses = isinstance(model, anthropic_llm.AnthropicLlm), []
            events = asyncio.run(asked(model, history(signature), on_receipt=losses.extend, reasoning=reasoning))
            assert events[-1].content.parts[0].text == "done"
            body = server.bodies.pop()
            own = (signature == CLAUDES) is is_claude
            if is_claude:
                blocks = body["messages"][1]["content"]
                thoughts = [(one["thinking"], one["signature"]) for one in blocks if one["type"] == "thinking"]
                assert thoughts == ([("Hm.", CLAUDES.decode())] if own else [])
            else:
                parts = body["contents"][1]["parts"]
                assert [one.get("text") for one in parts if one.get("thought")] == (["Hm."] * own + ["Unsigned."])
            texts = [text for text in ("Hm.", "Unsigned.") if text in str(body)]
            told = [loss.path for loss in losses if loss.code == "reasoning"]
            gone = [0] * (not own) + [1] * is_claude
            if reasoning == "text":
                assert texts == ["Hm.", "Unsigned."] and told == []
            else:
                assert told == [f"$.contents[1].parts[{at}]" for at in gone]
