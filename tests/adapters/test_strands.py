"""The middleware in Strands' agents."""

import asyncio
import copy
import json
from dataclasses import fields

import pytest
import turnwire as tw
from histories import LARGE
from needs import framework, rows

strands = framework("strands", "strands-agents")
from strands import Agent, tool  # noqa: E402
from strands.agent.conversation_manager import NullConversationManager  # noqa: E402
from strands.middleware import InvokeModelContext, InvokeModelStage  # noqa: E402
from strands.models import Model  # noqa: E402
from turnwire.adapters.strands import middleware  # noqa: E402

BUDGET = 60_000
THOUGHT = {"reasoningContent": {"reasoningText": {"text": "Where?", "signature": "c2ln"}}}
SYSTEM = "Be brief."


def use(ident):
    return {"toolUse": {"toolUseId": ident, "name": "look", "input": {"q": "x"}}}


def result(ident, text="a lake"):
    return {"toolResult": {"toolUseId": ident, "status": "success", "content": [{"text": text}]}}


def user(*blocks):
    return {"role": "user", "content": [{"text": one} if isinstance(one, str) else one for one in blocks]}


def says(*blocks):
    return {**user(*blocks), "role": "assistant"}


def broken():
    return [
        user("TASK"),
        says(THOUGHT, use("t1"), use("t2")),
        user("Hurry!"),
        user(result("t1", LARGE * 4)),
        says("So."),
        user(result("t9")),
        says(use("t1")),
        user(result("t1")),
        says("And?"),
    ]


def valid():
    return [user("TASK"), says(THOUGHT, use("t1"), use("t2")), user(result("t1"), result("t2")), says("A lake.")]


class Fake(Model):
    """Keeps its requests, and answers with a script."""

    def __init__(self, *script):
        self.script, self.seen = list(script), []

    def update_config(self, **config):
        pass

    def get_config(self):
        return {}

    async def structured_output(self, output_model, prompt, system_prompt=None, **more):
        raise NotImplementedError
        yield

    async def stream(self, messages, tool_specs=None, system_prompt=None, **more):
        self.seen.append(list(messages))
        ident = self.script.pop(0) if self.script else None
        yield {"messageStart": {"role": "assistant"}}
        if ident is None:
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": "done"}}}
        else:
            yield {"contentBlockStart": {"start": {"toolUse": {"toolUseId": ident, "name": "look"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps({"q": ident})}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if ident is None else "tool_use"}}


def whole(messages):
    body = {"messages": [{key: one[key] for key in ("role", "content")} for one in messages]}
    # The tools are passed separately.
    return [
        one.code
        for one in tw.check(body, "bedrock", source="bedrock")
        if one.code not in ("undefined_tool", "tools_missing")
    ]


def size(messages):
    body = {
        "system": [{"text": SYSTEM}],
        "messages": [{key: one[key] for key in ("role", "content")} for one in messages],
    }
    made = tw.spec.MessageBuilder().set_messages(body, "bedrock")
    return made.set_budget(10**9).build("bedrock").receipt.totals["after"]


def agent(fake, messages, tools=(), **settings):
    made = Agent(
        conversation_manager=NullConversationManager(),
        model=fake,
        messages=messages,
        system_prompt=SYSTEM,
        tools=list(tools),
        callback_handler=None,
    )
    made.add_middleware(InvokeModelStage.Input, middleware(**settings))
    return made


def test_what_the_model_gets_is_whole_and_within_the_budget(receipts):
    fake = Fake()
    made = agent(fake, broken(), budget=BUDGET, on_receipt=receipts.append)
    plain = Agent(
        conversation_manager=NullConversationManager(),
        model=Fake(),
        messages=broken(),
        system_prompt=SYSTEM,
        callback_handler=None,
    )
    assert str(made("And now?")).strip() == "done"
    plain("And now?")
    assert whole(fake.seen[0]) == []
    assert size(fake.seen[0]) <= BUDGET
    assert fake.seen[0][1]["content"] == [THOUGHT, use("t1"), use("t2")]
    # The agent keeps the same messages as without it.
    assert [one["content"] for one in made.messages] == [one["content"] for one in plain.messages]
    assert {entry.code for entry in receipts[0]} >= {"missing_result", "orphan_result", "cut_result", "renamed_id"}


def test_what_is_valid_is_the_same_objects(receipts):
    fake = Fake()
    made = agent(fake, valid(), budget=BUDGET, on_receipt=receipts.append)
    seen = []
    made.add_middleware(InvokeModelStage.Input, lambda context: seen.append(context.messages) or context)
    made("And now?")
    assert not any(receipt.changed for receipt in receipts)
    assert [one["content"] for one in seen[0]] == [one["content"] for one in made.messages[:-1]]
    mended = [*valid()[:2], user(result("t1")), says("A lake."), user("And?")]
    before, given = copy.deepcopy(mended), []

    def spy(context):
        given.extend(context.messages)
        return context

    fake = Fake()
    made = Agent(conversation_manager=NullConversationManager(), model=fake, messages=mended, callback_handler=None)
    made.add_middleware(InvokeModelStage.Input, spy)
    made.add_middleware(InvokeModelStage.Input, middleware())
    made.add_middleware(InvokeModelStage.Input, lambda context: seen.append(context.messages) or context)
    made("And now?")
    same = [any(one is other for other in given) for one in seen[1]]
    assert same == [True, True, False, True, False]
    assert [one["content"] for one in made.messages[:5]] == [one["content"] for one in before]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_loop_of_thirty_steps(streamed, receipts):
    @tool
    def look(q: str) -> str:
        """Looks."""
        return f"{q}: " + "x" * 20_000

    fake = Fake(*[f"t{n}" for n in range(30)])
    made = agent(fake, [], [look], budget=BUDGET, on_receipt=receipts.append)
    if streamed:

        async def stream():
            return [event["data"] async for event in made.stream_async("TASK") if "data" in event]

        assert "".join(asyncio.run(stream())) == "done"
    else:
        made("TASK")
    assert len(fake.seen) == 31 > len(receipts) > 20
    for seen in fake.seen:
        assert whole(seen) == []
        assert size(seen) <= BUDGET
        assert seen[0]["content"] == [{"text": "TASK"}]
    results = [block["toolResult"] for one in made.messages for block in one["content"] if "toolResult" in block]
    assert len(results) == 30 and all(len(one["content"][0]["text"]) > 20_000 for one in results)


def test_concurrently():
    shared = middleware(budget=BUDGET)

    async def run():
        fakes = [Fake() for _ in range(12)]
        agents = [
            Agent(
                conversation_manager=NullConversationManager(),
                model=fake,
                messages=broken(),
                system_prompt=SYSTEM,
                callback_handler=None,
            )
            for fake in fakes
        ]
        for made in agents:
            made.add_middleware(InvokeModelStage.Input, shared)
        await asyncio.gather(*(made.invoke_async("And now?") for made in agents))
        return fakes

    assert all(whole(fake.seen[0]) == [] and size(fake.seen[0]) <= BUDGET for fake in asyncio.run(run()))


def test_media_go_as_they_came():
    image = {"image": {"format": "png", "source": {"bytes": b"\x89PNG\r\n\x1a\n"}}}
    fake = Fake()
    agent(fake, [user("TASK", image), says(use("t1"))], budget=BUDGET)("And now?")
    assert fake.seen[0][0]["content"] == [{"text": "TASK"}, image]


def test_errors_by_option(caplog):
    with pytest.raises(tw.BuildError):
        agent(Fake(), valid(), budget=1)("And now?")
    fake = Fake()
    agent(fake, valid(), budget=1, on_error="log")("And now?")
    assert [one["content"] for one in fake.seen[0][:4]] == [one["content"] for one in valid()]
    assert "what there was is sent" in caplog.text
    with pytest.raises(TypeError):
        middleware(max_byte=1)


def test_a_message_of_an_unknown_class_keeps_its_place(caplog):
    other = object()
    beside = {field.name: None for field in fields(InvokeModelContext)}
    given = [*valid()[:1], other, *valid()[1:3], user(result("t9")), says("And?"), user("So.")]
    context = InvokeModelContext(**{**beside, "messages": given, "tool_specs": []})
    got = middleware()(context).messages
    assert got[1] is other and got[:4] == given[:4] and len(got) == 6
    assert "does not know builtins.object" in caplog.text


def test_the_line_of_the_page():
    fake = Fake()
    made = Agent(conversation_manager=NullConversationManager(), model=fake, messages=broken(), callback_handler=None)
    exec(rows()["strands"], {"middleware": middleware, "InvokeModelStage": InvokeModelStage, "agent": made})
    made("And now?")
    assert whole(fake.seen[0]) == []


@pytest.mark.parametrize(("model", "stays"), [("us.anthropic.claude-opus-5-5-v1:0", False), ("amazon.nova-pro", True)])
def test_the_model_that_is_asked_says_whose_reasoning_is_checked(model, stays):
    thought = {"reasoningContent": {"reasoningText": {"text": "t", "signature": "s"}}}
    given = [
        {"role": "user", "content": [{"text": "q"}]},
        {"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]},
        {"role": "user", "content": [{"text": "no result"}]},
        {"role": "assistant", "content": [thought, {"text": "a"}]},
        {"role": "user", "content": [{"text": "go"}]},
    ]
    beside = {field.name: None for field in fields(InvokeModelContext)}
    asked = type("Asked", (), {"get_config": lambda self: {"model_id": model}})()
    context = InvokeModelContext(**{**beside, "messages": given, "tool_specs": [], "model": asked})
    said = [block for message in middleware()(context).messages for block in message["content"]]
    assert (thought in said) is stays


@pytest.mark.parametrize("ledger", [False, True])
@pytest.mark.parametrize("kind", ["claude", "chat"])
def test_a_list_that_the_default_manager_cuts_to_a_call_has_an_opening(kind, ledger, receipts):
    """Forty messages are all that the default manager leaves of one task, and the oldest of them is a call."""
    from proof import refused
    from provider import Step, provider
    from strands.models.anthropic import AnthropicModel
    from strands.models.openai import OpenAIModel

    @tool
    def look(q: str) -> str:
        """Looks."""
        return f"seen {q}"

    keys = {"api_key": "none", "max_retries": 0}
    steps = [Step(calls=((f"toolu_{at}", "look", {"q": str(at)}),)) for at in range(26)]
    with provider(*steps) as server:
        if kind == "claude":
            model = AnthropicModel(
                client_args={"base_url": server.url, **keys}, model_id="claude-opus-4-8", max_tokens=9
            )
        else:
            model = OpenAIModel(client_args={"base_url": f"{server.url}/v1", **keys}, model_id="gpt-5")
        agent = Agent(model=model, tools=[look], callback_handler=None)
        given = middleware(BUDGET, on_receipt=receipts.append, ledger=ledger)
        agent.add_middleware(InvokeModelStage.Input, given)
        agent("TASK")
        for at in range(2):
            agent(f"Go on, {at}.")
    assert len(server.bodies) == 29
    for body in server.bodies:
        messages = [one for one in body["messages"] if one["role"] != "system"]
        assert messages[0]["role"] == "user"
        dialect = "anthropic" if kind == "claude" else "openai"
        assert refused(dialect, {"messages": body["messages"]}) == []
    openings = [body for body in server.bodies if "The beginning of this conversation was left out" in str(body)]
    assert openings and "TASK" in str(server.bodies[19]) and openings[0] not in server.bodies[:20]
    assert {change.code for receipt in receipts for change in receipt} == {"opening_added"}
