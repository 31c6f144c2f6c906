"""The callback in the agents of Google's ADK."""

import asyncio
import copy

import pytest
import turnwire as tw
from histories import LARGE
from needs import framework, rows

framework("google.adk", "google-adk")
from google.adk.agents import LlmAgent, RunConfig  # noqa: E402
from google.adk.agents.run_config import StreamingMode  # noqa: E402
from google.adk.events import Event  # noqa: E402
from google.adk.models import BaseLlm, LlmRequest, LlmResponse  # noqa: E402
from google.adk.runners import InMemoryRunner  # noqa: E402
from google.genai.types import (  # noqa: E402
    Content,
    FunctionCall,
    FunctionResponse,
    GenerateContentConfig,
    ModelContent,
    Part,
)
from pydantic import Field  # noqa: E402
from turnwire.adapters.google_adk import before_model  # noqa: E402

BUDGET = 60_000


def call(ident, signature=None):
    return Part(function_call=FunctionCall(id=ident, name="look", args={"q": ident}), thought_signature=signature)


def answer(ident, text="a lake"):
    return Part(function_response=FunctionResponse(id=ident, name="look", response={"result": text}))


def user(*parts):
    return Content(role="user", parts=[Part(text=part) if isinstance(part, str) else part for part in parts])


def says(*parts):
    return Content(role="model", parts=user(*parts).parts)


THOUGHT = Part(text="Where?", thought=True, thought_signature=b"c2ln")


def broken():
    return [
        user("TASK"),
        says(THOUGHT, call("c1", b"sig1"), call("c2")),
        user("Hurry!"),
        user(answer("c1", LARGE * 4)),
        says("So."),
        user(answer("c9")),
        says("And?"),
        user("And now?"),
    ]


def valid():
    return [user("TASK"), says(THOUGHT, call("c1", b"sig1")), user(answer("c1")), says("A lake."), user("And now?")]


class Fake(BaseLlm):
    """Keeps its requests, and answers with a script."""

    script: list = Field(default_factory=list)
    seen: list = Field(default_factory=list)

    async def generate_content_async(self, llm_request, stream=False):
        self.seen.append(list(llm_request.contents))
        said = self.script.pop(0) if self.script else says("done")
        if stream and said.parts[0].text:
            for piece in ("do", "ne"):
                yield LlmResponse(content=says(piece), partial=True)
        yield LlmResponse(content=said, partial=False if stream else None)


def request(contents, model="gemini-2.5-pro", **more):
    return LlmRequest(
        model=model, contents=contents, config=GenerateContentConfig(system_instruction="Be brief."), **more
    )


def same(contents, given):
    return len(contents) == len(given) and all(one is other for one, other in zip(contents, given, strict=True))


def plain(contents):
    return {"contents": [content.model_dump(by_alias=True, exclude_none=True) for content in contents]}


def whole(contents, dialect="gemini:2"):
    found = tw.check(plain(contents), dialect, source=dialect)
    return [one.code for one in found if one.code not in ("undefined_tool", "tools_missing")]


def size(contents):
    made = tw.spec.MessageBuilder().set_messages(plain(contents), "gemini:2").set_budget(10**9)
    return made.build("gemini:2").receipt.totals["after"]


@pytest.mark.parametrize("model", ["gemini-2.5-pro", "gemini-3-pro-preview", "models/gemini-3.5-flash", "openai/gpt-5"])
def test_what_the_model_gets_is_whole_and_within_the_budget(model, receipts):
    given = broken()
    asked = request(given, model)
    before_model(budget=BUDGET, on_receipt=receipts.append)(None, asked)
    assert whole(asked.contents, "gemini" if "gemini-3" in model else "gemini:2") == []
    assert size(asked.contents) + len("Be brief.") <= BUDGET
    if model != "openai/gpt-5":
        assert asked.contents[1].parts[0] is given[1].parts[0]
        assert asked.contents[1].parts[1] is given[1].parts[1]
    assert [part.function_response.id for part in asked.contents[2].parts] == ["c1", "c2"]
    assert given == broken()
    assert {entry.code for entry in receipts[0]} >= {"missing_result", "orphan_result", "cut_result"}


@pytest.mark.parametrize("model", ["gemini-2.5-pro", "gemini-3-pro-preview"])
def test_what_is_valid_is_the_same_objects(model, receipts):
    given = valid()
    asked = request(given, model)
    before_model(budget=BUDGET, on_receipt=receipts.append)(None, asked)
    assert same(asked.contents, given)
    assert receipts == []
    mended = [*given[:4], says(call("c3")), *given[4:]]
    asked = request(mended)
    before_model()(None, asked)
    assert all(any(one is content for one in asked.contents) for content in mended[:3])


def test_a_streamed_reply_of_gemini_stays_the_models(receipts):
    """The ADK makes a `ModelContent` of it, whose role is a default that nobody set."""
    both = [ModelContent(parts=[Part(text="I look."), call("c1")]), user(answer("c1")), ModelContent("A lake.")]
    given = [user("TASK"), *both, user("And now?")]
    asked = request(given)
    before_model(on_receipt=receipts.append)(None, asked)
    assert same(asked.contents, given) and receipts == []


def test_a_session_that_was_read_again_is_the_same_conversation(receipts):
    callback, given = before_model(on_receipt=receipts.append), broken()
    callback(None, request(given))
    again = [type(one).model_validate_json(one.model_dump_json()) for one in given]
    callback(None, request([*again, says("Well."), user("And?")]))
    assert len(receipts) == 1


def loop(receipts, mode):
    def look(q: str) -> dict:
        """Looks."""
        return {"result": f"{q}: " + "x" * 20_000}

    fake = Fake(model="gemini-2.5-pro", script=[says(call(f"c{n}")) for n in range(30)])
    callback = before_model(budget=BUDGET, on_receipt=receipts.append)
    agent = LlmAgent(name="a", model=fake, instruction="Be brief.", tools=[look], before_model_callback=callback)

    async def run():
        runner = InMemoryRunner(agent, app_name="t")
        session = await runner.session_service.create_session(app_name="t", user_id="u")
        asked = {"user_id": "u", "session_id": session.id, "new_message": user("TASK")}
        said = [event async for event in runner.run_async(**asked, run_config=RunConfig(streaming_mode=mode))]
        return said, await runner.session_service.get_session(app_name="t", user_id="u", session_id=session.id)

    return fake, *asyncio.run(run())


@pytest.mark.parametrize("mode", [StreamingMode.NONE, StreamingMode.SSE])
def test_a_loop_of_thirty_steps(mode, receipts):
    fake, said, session = loop(receipts, mode)
    assert said[-1].content.parts[0].text == "done"
    assert len(fake.seen) == 31 > len(receipts) > 20
    for seen in fake.seen:
        assert whole(seen) == []
        assert size(seen) <= BUDGET
        assert seen[0].parts[0].text == "TASK"
    parts = [part for event in session.events for part in event.content.parts]
    kept = [part.function_response.response["result"] for part in parts if part.function_response]
    assert len(kept) == 30 and all(len(text) > 20_000 for text in kept)


def test_a_session_that_is_broken():
    """A stopped run left a call without its result, and a very long result."""
    fake = Fake(model="gemini-2.5-pro")
    agent = LlmAgent(name="a", model=fake, before_model_callback=before_model(budget=BUDGET))

    async def run(runner):
        session = await runner.session_service.create_session(app_name="t", user_id="u")
        events = [("user", user("TASK")), ("a", says(call("c1"), call("c2")))]
        events += [("a", user(answer("c1", LARGE * 4), answer("c2"))), ("a", says("So."))]
        for author, content in events:
            await runner.session_service.append_event(session, Event(author=author, content=content, invocation_id="i"))
        before = copy.deepcopy(session.events)
        asked = {"user_id": "u", "session_id": session.id, "new_message": user("And now?")}
        said = [event async for event in runner.run_async(**asked)]
        kept = await runner.session_service.get_session(app_name="t", user_id="u", session_id=session.id)
        return said, before, kept.events

    said, before, kept = asyncio.run(run(InMemoryRunner(agent, app_name="t")))
    assert said[-1].content.parts[0].text == "done"
    assert whole(fake.seen[0]) == [] and size(fake.seen[0]) <= BUDGET
    assert kept[: len(before)] == before


def test_concurrently():
    callback = before_model(budget=BUDGET)

    async def run():
        asked = [request(broken()) for _ in range(16)]
        await asyncio.gather(*(asyncio.to_thread(callback, None, one) for one in asked))
        return asked

    assert all(whole(one.contents) == [] for one in asyncio.run(run()))


def test_errors_by_option(caplog):
    with pytest.raises(tw.BuildError):
        before_model(budget=1)(None, request(valid()))
    given = valid()
    asked = request(given)
    before_model(budget=1, on_error="log")(None, asked)
    assert same(asked.contents, given)
    assert "what there was is sent" in caplog.text
    if "previous_interaction_id" in LlmRequest.model_fields:
        asked = request([user(answer("c1"))], previous_interaction_id="i")
        before_model(budget=1)(None, asked)
        assert asked.contents == [user(answer("c1"))]
    with pytest.raises(TypeError):
        before_model(max_byte=1)


def test_what_gemini_has_signed_does_not_go_to_openai(receipts):
    given = valid()
    before, asked = copy.deepcopy(given), request(given, "openai/gpt-5")
    before_model(on_receipt=receipts.append)(None, asked)
    assert [(loss.code, loss.path) for loss in receipts[0]] == [
        ("reasoning", "$.contents[1].parts[0]"),
        ("signature", "$.contents[1].parts[1]"),
    ]
    assert [part.thought_signature or part.thought for one in asked.contents for part in one.parts] == [None] * 5
    assert given == before and len(receipts) == 1
    asked = request(given, "openai/gpt-5")
    before_model(reasoning="text")(None, asked)
    assert asked.contents[1].parts[0] == Part(text="Where?")
    # Other providers may accept them.
    for model in ("gemini-3-pro", "vertex_ai/gemini-3-pro", "anthropic/claude-opus-4-5"):
        asked = request(given, model)
        before_model()(None, asked)
        assert same(asked.contents, given), model


def test_a_content_of_an_unknown_class_keeps_its_place(caplog):
    other = object()
    asked = request(valid())
    asked.contents = [*valid()[:1], other, *valid()[1:3], user(answer("c9")), user("And now?")]
    before_model()(None, asked)
    assert asked.contents[1] is other and len(asked.contents) == 5
    assert "does not know builtins.object" in caplog.text


def test_the_line_of_the_page():
    names = {"before_model": before_model, "LlmAgent": LlmAgent, "model": Fake(model="gemini-2.5-pro")}
    exec(rows()["google_adk"], names)
    asked = request(broken())
    names["agent"].before_model_callback(None, asked)
    assert whole(asked.contents) == []
