"""The filter in the runs of the OpenAI Agents SDK."""

import asyncio
import copy
import json

import pytest
import turnwire as tw
from histories import LARGE
from needs import framework, rows

agents = framework("agents", "openai-agents")
from agents import Agent, ModelResponse, RunConfig, Runner, SQLiteSession, Usage, function_tool  # noqa: E402
from agents.models.interface import Model  # noqa: E402
from agents.run import CallModelData, ModelInputData  # noqa: E402
from openai.types.responses import (  # noqa: E402
    Response,
    ResponseCompletedEvent,
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseReasoningItem,
)
from turnwire.adapters.openai_agents import input_filter  # noqa: E402

BUDGET = 60_000
agents.set_tracing_disabled(True)


def says(text):
    content = [ResponseOutputText(type="output_text", text=text, annotations=[])]
    return ResponseOutputMessage(id="msg_1", type="message", role="assistant", status="completed", content=content)


def calls(ident, name="look"):
    arguments = json.dumps({"q": ident})
    return ResponseFunctionToolCall(type="function_call", call_id=ident, name=name, arguments=arguments)


class Fake(Model):
    """Keeps its requests, and answers with a script."""

    def __init__(self, *script):
        self.script, self.seen, self.told = list(script), [], []

    def _next(self, items, instructions):
        self.seen.append(items)
        self.told.append(instructions)
        return self.script.pop(0) if self.script else [says("done")]

    async def get_response(self, system_instructions, input, *args, **more):
        return ModelResponse(output=self._next(input, system_instructions), usage=Usage(), response_id=None)

    async def stream_response(self, system_instructions, input, *args, **more):
        response = Response.model_construct(
            id="r", output=self._next(input, system_instructions), usage=None, object="response"
        )
        yield ResponseCompletedEvent.model_construct(type="response.completed", response=response, sequence_number=0)


def call(ident):
    return {"type": "function_call", "call_id": ident, "name": "look", "arguments": "{}"}


def output(ident, text="a lake"):
    return {"type": "function_call_output", "call_id": ident, "output": text}


REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2ln"}


def broken():
    return [
        {"role": "user", "content": "TASK"},
        REASONING,
        call("c1"),
        {"role": "user", "content": "Hurry!"},
        output("c1", LARGE * 4),
        call("c2"),
        output("c9"),
        {"role": "user", "content": "And now?"},
    ]


def valid():
    return [
        {"role": "user", "content": "TASK"},
        REASONING,
        call("c1"),
        output("c1"),
        says("A lake.").model_dump(exclude_unset=True),
        {"role": "user", "content": "And now?"},
    ]


def whole(items):
    found = [finding.code for finding in tw.check({"input": items}, "openai-responses", source="openai-responses")]
    return [code for code in found if code != "undefined_tool"]


def size(items):
    made = tw.spec.MessageBuilder().set_messages({"input": items}, "openai-responses").set_budget(10**9)
    return made.build("openai-responses").receipt.totals["after"]


def config(**settings):
    return RunConfig(call_model_input_filter=input_filter(**settings))


def run(fake, given, tools=(), session=None, **settings):
    agent = Agent(name="a", instructions="Be brief.", model=fake, tools=list(tools))
    return asyncio.run(Runner.run(agent, given, run_config=config(**settings), session=session, max_turns=50))


def test_what_the_model_gets_is_whole_and_within_the_budget(receipts):
    fake, given = Fake(), broken()
    ran = run(fake, given, budget=BUDGET, on_receipt=receipts.append)
    assert ran.final_output == "done"
    assert whole(fake.seen[0]) == []
    assert size(fake.seen[0]) <= BUDGET
    assert [item.get("type", item.get("role")) for item in fake.seen[0]][:4] == [
        "user",
        "reasoning",
        "function_call",
        "function_call_output",
    ]
    assert fake.seen[0][1] == REASONING
    assert fake.told == ["Be brief."]
    assert given == broken()
    assert ran.to_input_list()[: len(given)] == given
    assert {entry.code for entry in receipts[0]} >= {"moved_result", "orphan_result", "missing_result", "cut_result"}


def test_what_is_valid_is_the_same_objects(receipts):
    data = CallModelData(ModelInputData(valid(), "Be brief."), Agent(name="a"), None)
    filtered = input_filter(budget=BUDGET, on_receipt=receipts.append)
    assert filtered(data) is data.model_data
    assert receipts == []
    items = [*valid()[:3], *valid()[4:]]
    mended = filtered(CallModelData(ModelInputData(items, None), Agent(name="a"), None)).input
    assert len(mended) == len(items) + 1
    assert all(any(one is item for one in mended) for item in items)


def test_another_provider_by_the_format_of_responses(receipts):
    filtered = input_filter(target="anthropic", on_receipt=receipts.append)
    assert filtered(data := CallModelData(ModelInputData(valid(), None), Agent(name="a"), None)) is data.model_data
    items = [*valid()[:1], {"role": "user", "content": " "}, *valid()[1:]]
    assert filtered(CallModelData(ModelInputData(items, None), Agent(name="a"), None)).input == valid()
    told = [[(change.code, change.path) for change in receipt.only("dropped")] for receipt in receipts]
    assert [one for one in told if one] == [[("empty_turn", "$.input[1]")]]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_loop_of_thirty_steps(streamed, receipts):
    @function_tool
    def look(q: str) -> str:
        """Looks."""
        return f"{q}: " + "x" * 20_000

    async def go(fake, session):
        agent = Agent(name="a", instructions="Be brief.", model=fake, tools=[look])
        more = {"run_config": config(budget=BUDGET, on_receipt=receipts.append), "max_turns": 50, "session": session}
        if not streamed:
            return await Runner.run(agent, "TASK", **more)
        result = Runner.run_streamed(agent, "TASK", **more)
        async for _ in result.stream_events():
            pass
        return result

    async def all_of_it():
        session = SQLiteSession("s")
        fake = Fake(*[[calls(f"c{n}")] for n in range(30)])
        return fake, await go(fake, session), await session.get_items()

    fake, ran, kept = asyncio.run(all_of_it())
    assert ran.final_output == "done"
    assert len(fake.seen) == 31 > len(receipts) > 20
    for seen in fake.seen:
        assert whole(seen) == []
        assert size(seen) + len("Be brief.") <= BUDGET
        assert seen[0] == {"role": "user", "content": "TASK"}
    outputs = [item["output"] for item in kept if item.get("type") == "function_call_output"]
    assert len(outputs) == 30 and all(len(text) > 20_000 for text in outputs)


def test_the_models_own_reasoning_is_sent_back():
    @function_tool
    def look(q: str) -> str:
        """Looks."""
        return "a lake"

    thought = ResponseReasoningItem(type="reasoning", id="rs_1", summary=[], encrypted_content="c2ln")
    fake = Fake([thought, calls("c1")])
    run(fake, "TASK", tools=[look], budget=BUDGET)
    assert [item.get("type") for item in fake.seen[1]] == [None, "reasoning", "function_call", "function_call_output"]
    assert fake.seen[1][1]["encrypted_content"] == "c2ln"


def test_what_the_server_holds_is_not_missed(receipts):
    filtered = input_filter(budget=BUDGET, on_receipt=receipts.append)
    items = [output("c1", LARGE * 4), {"role": "user", "content": "And?"}]
    made = filtered(CallModelData(ModelInputData(copy.deepcopy(items), None), Agent(name="a"), None)).input
    assert [item.get("call_id") for item in made] == ["c1", None]
    assert size(made[1:]) < len(made[0]["output"].encode()) <= BUDGET
    assert [entry.code for entry in receipts[0]] == ["cut_result"]


def test_concurrently():
    async def all_of_them(fakes):
        runs = [Runner.run(Agent(name="a", model=fake), broken(), run_config=config(budget=BUDGET)) for fake in fakes]
        return await asyncio.gather(*runs)

    fakes = [Fake() for _ in range(16)]
    assert len(asyncio.run(all_of_them(fakes))) == 16
    assert all(whole(fake.seen[0]) == [] for fake in fakes)


def test_errors_by_option(caplog):
    with pytest.raises(tw.BuildError):
        run(Fake(), "TASK and more", budget=1)
    fake = Fake()
    run(fake, broken(), budget=1, on_error="log")
    assert fake.seen[0] == broken()
    assert "what there was is sent" in caplog.text
    other = object()
    data = CallModelData(ModelInputData([*valid(), other], None), Agent(name="a"), None)
    assert input_filter()(data).input[-1] is other
    assert "does not know builtins.object" in caplog.text


def test_the_line_of_the_page():
    names = {"input_filter": input_filter, "RunConfig": RunConfig}
    exec(rows()["openai_agents"], names)
    fake = Fake()
    asyncio.run(Runner.run(Agent(name="a", model=fake), broken(), run_config=names["config"]))
    assert whole(fake.seen[0]) == []
