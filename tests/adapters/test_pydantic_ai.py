"""The capability in Pydantic AI's agents."""

import asyncio
import copy

import pytest
import turnwire as tw
from histories import LARGE
from needs import framework, rows

framework("pydantic_ai", "pydantic-ai-slim")
from pydantic_ai import Agent  # noqa: E402
from pydantic_ai.messages import (  # noqa: E402
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters  # noqa: E402
from pydantic_ai.models.function import DeltaToolCall, FunctionModel  # noqa: E402
from turnwire.adapters._pydantic_ai_messages import elements_of, rebuilt  # noqa: E402
from turnwire.adapters.pydantic_ai import capability  # noqa: E402

BUDGET = 60_000


class Fake:
    """Keeps its requests, and answers with a script."""

    def __init__(self, *script):
        self.script, self.seen = list(script), []
        self.model = FunctionModel(self.answer, stream_function=self.stream)

    def answer(self, messages, info):
        self.seen.append(list(messages))
        return self.script.pop(0) if self.script else ModelResponse(parts=[TextPart("done")])

    async def stream(self, messages, info):
        self.seen.append(list(messages))
        said = self.script.pop(0) if self.script else ModelResponse(parts=[TextPart("done")])
        for at, part in enumerate(said.parts):
            if isinstance(part, TextPart):
                yield part.content
            else:
                yield {at: DeltaToolCall(part.tool_name, part.args_as_json_str(), tool_call_id=part.tool_call_id)}


def asks(*parts):
    return ModelRequest(parts=[UserPromptPart(part) if isinstance(part, str) else part for part in parts])


def says(*parts):
    return ModelResponse(parts=[TextPart(part) if isinstance(part, str) else part for part in parts])


def call(ident, args=None):
    return ToolCallPart("look", {"q": "x"} if args is None else args, ident)


def answer(ident, content="a lake"):
    return ToolReturnPart("look", content, ident)


THOUGHT = ThinkingPart("Where?", signature="c2ln", provider_name="anthropic")


def broken():
    return [
        asks("TASK"),
        says(THOUGHT, "I look.", call("c1"), call("c2")),
        asks("Hurry!"),
        asks(answer("c1", LARGE * 4)),
        says("So."),
        asks(answer("c9")),
        says(call("c1")),
        asks(answer("c1", {"rows": [LARGE]})),
        says("And?"),
    ]


def valid():
    return [asks("TASK"), says(THOUGHT, call("c1"), call("c2")), asks(answer("c1"), answer("c2")), says("A lake.")]


def texts(messages):
    """Every text that a model would read."""
    for message in messages:
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                yield part.args_as_json_str()
            elif isinstance(part, ToolReturnPart):
                yield part.model_response_str()
            else:
                yield str(part.content)


def size(messages):
    return sum(len(text.encode()) for text in texts(messages))


def faults(messages):
    open_calls, said = [], []
    for message in messages:
        if isinstance(message, ModelResponse):
            said += [f"{ident} has no result" for ident in open_calls]
            open_calls = [part.tool_call_id for part in message.parts if isinstance(part, ToolCallPart)]
            continue
        for part in message.parts:
            if isinstance(part, ToolReturnPart):
                if part.tool_call_id in open_calls:
                    open_calls.remove(part.tool_call_id)
                else:
                    said.append(f"a result without a call: {part.tool_call_id}")
            elif open_calls:
                said.append(f"{open_calls} have no results before {part}")
    return said + [f"{ident} has no result" for ident in open_calls]


def agent(fake, **settings):
    return Agent(fake.model, instructions="Be brief.", capabilities=[capability(**settings)])


def run(agent, prompt="And now?", **more):
    return asyncio.run(agent.run(prompt, **more))


def test_what_the_model_gets_is_whole_and_within_the_budget(receipts):
    fake, given = Fake(), broken()
    ran = run(agent(fake, budget=BUDGET, on_receipt=receipts.append), message_history=given)
    assert ran.output == "done"
    (seen,) = fake.seen
    assert faults(seen) == []
    assert size(seen) + len("Be brief.") <= BUDGET
    assert seen[1].parts[:2] == given[1].parts[:2]
    assert seen[-1].instructions == "Be brief."
    # The run keeps the same messages as without the capability: all of them.
    plain = run(Agent(Fake().model, instructions="Be brief."), message_history=broken())
    assert [*texts(ran.all_messages())] == [*texts(plain.all_messages())]
    assert [*texts(given)] == [*texts(broken())]
    assert {entry.code for entry in receipts[0]} >= {"cut_result", "renamed_id"}


def test_what_is_valid_is_the_same_objects(receipts):
    fake, given = Fake(), valid()
    run(agent(fake, budget=BUDGET, on_receipt=receipts.append), message_history=given)
    assert receipts == []
    assert all(one is other for one, other in zip(fake.seen[0], given, strict=False))
    fake = Fake()
    given = [*valid(), says(call("c3")), asks("Hurry!"), says("?")]
    run(agent(fake), message_history=given)
    assert all(one is other for one, other in zip(fake.seen[0], given[:3], strict=False))
    assert faults(fake.seen[0]) == []


def test_copies_keep_what_they_are():
    kept = ToolReturnPart("look", LARGE, "c1", metadata={"mine": 1})
    other = answer("c2", "again")
    response = ModelResponse(
        parts=[THOUGHT, call("c1", '{"q": "' + "x" * 9_000 + '"}'), call("c2")],
        model_name="m",
        provider_response_id="r",
    )
    given = [
        asks("TASK"),
        response,
        asks(kept, other),
        says(call("c3")),
        asks(answer("c3", LARGE), "And?"),
        says("So."),
    ]
    before = copy.deepcopy(given)
    fake = Fake()
    run(agent(fake, budget=3_000), message_history=given)
    seen = fake.seen[0]
    assert (seen[1].model_name, seen[1].provider_response_id, seen[1].parts[0]) == ("m", "r", THOUGHT)
    assert isinstance(seen[1].parts[1].args, str) and len(seen[1].parts[1].args) < 9_000
    assert seen[1].parts[2] is response.parts[2]
    assert (seen[2].parts[0].metadata, seen[2].parts[0].tool_name) == ({"mine": 1}, "look")
    assert seen[2].parts[0].timestamp == kept.timestamp and len(seen[2].parts[0].content) < len(LARGE)
    assert seen[2].parts[1] is other
    assert given == before and size(seen) <= 3_000


def loop(receipts):
    fake = Fake(*[says(call(f"c{n}", {"q": str(n)})) for n in range(30)])
    made = agent(fake, budget=BUDGET, on_receipt=receipts.append)

    @made.tool_plain
    def look(q: str) -> str:
        """Looks."""
        return f"{q}: " + "x" * 20_000

    return fake, made


def check_loop(fake, ran, receipts):
    assert len(fake.seen) == 31 > len(receipts) > 20
    for seen in fake.seen:
        assert faults(seen) == []
        assert size(seen) + len("Be brief.") <= BUDGET
        assert seen[0].parts[0].content == "TASK"
    assert len(fake.seen[-1][-1].parts[0].content) > 20_000
    kept = [part for message in ran.all_messages() for part in message.parts if isinstance(part, ToolReturnPart)]
    assert len(kept) == 30 and all(len(part.content) > 20_000 for part in kept)


def test_a_loop_of_thirty_steps(receipts):
    fake, made = loop(receipts)
    check_loop(fake, run(made, "TASK"), receipts)


def test_streamed(receipts):
    async def run():
        fake, made = loop(receipts)
        async with made.run_stream("TASK") as ran:
            text = "".join([piece async for piece in ran.stream_text(delta=True)])
        return fake, ran, text

    fake, ran, text = asyncio.run(run())
    assert text == "done"
    check_loop(fake, ran, receipts)


def test_concurrently():
    async def run():
        fakes = [Fake() for _ in range(16)]
        made = capability(budget=BUDGET)
        agents = [Agent(fake.model, capabilities=[made]) for fake in fakes]
        await asyncio.gather(*(one.run("And now?", message_history=broken()) for one in agents))
        return fakes

    assert all(faults(fake.seen[0]) == [] and size(fake.seen[0]) <= BUDGET for fake in asyncio.run(run()))


def test_parts_that_are_several(receipts):
    """A user's content of several items, of which some are not texts."""
    from pydantic_ai.messages import ImageUrl

    image = ImageUrl("https://localhost/a.png")
    given = [asks(UserPromptPart(["x" * 900, image, "y"])), says("So.")]
    fake = Fake()
    run(agent(fake, budget=600), message_history=given)
    content = fake.seen[0][0].parts[0].content
    assert content[1] is image and content[2] == "y" and len(content[0]) < 900


def test_requests_that_are_joined_later_have_the_same_elements():
    """Pydantic AI joins a result that a person allowed with those of the same response. That is no edit."""
    parts = [ToolReturnPart("look", "x", "c"), ToolReturnPart("send", "y", "d"), UserPromptPart("go")]
    apart = [element for part in parts for element in elements_of(ModelRequest(parts=[part]))]
    assert apart == elements_of(ModelRequest(parts=parts))


def test_changed_parts_are_found_again():
    given = [ToolReturnPart("look", "x" * 9, "c"), ToolReturnPart("look", "y" * 9, "d"), UserPromptPart("go")]
    request = ModelRequest(parts=given)
    first, second, last = elements_of(request)
    made = rebuilt(request, [{**first, "tool_call_id": "e"}, {**second, "content": "y"}, last])
    ((one, other, same),) = (message.parts for message in made)
    assert (one.tool_call_id, one.content, one.timestamp) == ("e", "x" * 9, given[0].timestamp)
    assert (other.tool_call_id, other.content, other.timestamp) == ("d", "y", given[1].timestamp)
    assert same is given[2]


def test_errors_by_option(caplog):
    with pytest.raises(tw.BuildError):
        run(agent(Fake(), budget=1), message_history=valid())
    fake = Fake()
    run(agent(fake, budget=1, on_error="log"), message_history=valid())
    assert len(fake.seen[0]) == 5
    assert "what there was is sent" in caplog.text
    with pytest.raises(TypeError):
        capability(max_byte=1)


def test_a_message_of_an_unknown_class_keeps_its_place(caplog):
    other = object()
    given = [*valid()[:1], other, *valid()[1:3], says(call("c3")), asks("Hurry!")]
    context = ModelRequestContext(
        model=Fake().model, messages=given, model_settings=None, model_request_parameters=ModelRequestParameters()
    )
    got = asyncio.run(capability().prepare_model_request(None, context)).messages
    assert got[1] is other and [message for message in given if message not in got] == []
    assert "does not know builtins.object" in caplog.text


@pytest.mark.parametrize("ledger", [False, True])
def test_a_result_that_the_adapter_makes_up_names_its_tool(ledger):
    """Gemini refuses one without the name of its call. A renamed id has that of its own call."""
    other = ToolCallPart("find", {"q": "x"}, "c1")
    given = [*valid()[:1], says(call("c1")), asks("Hurry!"), says(other), asks("And now?")]
    context = ModelRequestContext(
        model=Fake().model, messages=given, model_settings=None, model_request_parameters=ModelRequestParameters()
    )
    got = asyncio.run(capability(ledger=ledger).prepare_model_request(None, context)).messages
    made = [part for message in got for part in message.parts if isinstance(part, ToolReturnPart)]
    assert [part.tool_name for part in made] == ["look", "find"]


def test_the_line_of_the_page():
    fake = Fake()
    names = {"capability": capability, "Agent": Agent, "model": fake.model}
    exec(rows()["pydantic_ai"], names)
    run(names["agent"], message_history=broken())
    assert faults(fake.seen[0]) == []


def test_marks_of_the_cache_are_the_frameworks():
    for settings in ({"cache": "auto"}, {"cache": "auto", "ledger": True}):
        with pytest.raises(tw.TurnwireError, match="the framework of this adapter writes its payloads") as error:
            capability(**settings)
        assert error.value.code == "unknown_option"
    assert capability(cache=None)
