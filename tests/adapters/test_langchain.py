"""The middleware in LangChain's agents, the hook in LangGraph's, and the runnable before a model."""

import asyncio
import copy
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import turnwire as tw
from histories import LARGE, broken, calls, faults, long, result, size, user, valid
from needs import framework, rows

langchain = framework("langchain", "langchain")
from langchain.agents import create_agent  # noqa: E402
from langchain_core.language_models.chat_models import BaseChatModel  # noqa: E402
from langchain_core.messages import (  # noqa: E402
    AIMessage,
    AIMessageChunk,
    ChatMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_messages,
    convert_to_openai_messages,
)
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult  # noqa: E402
from langchain_core.tools import tool  # noqa: E402
from pydantic import Field  # noqa: E402
from turnwire.adapters.langchain import middleware  # noqa: E402

BUDGET = 60_000


CALL = {"name": "look", "args": {"q": "x"}, "id": "c1", "type": "tool_call"}
ANSWER = ToolMessage("r", tool_call_id="c1")


class Model(BaseChatModel):
    """Keeps its requests, and answers with a script."""

    seen: list = Field(default_factory=list)
    script: list = Field(default_factory=list)

    @property
    def _llm_type(self):
        return "fake"

    def bind_tools(self, tools, **more):
        return self

    def _next(self, messages):
        self.seen.append(messages)
        return self.script.pop(0) if self.script else AIMessage("done")

    def _generate(self, messages, stop=None, run_manager=None, **more):
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(self, messages, stop=None, run_manager=None, **more):
        said = self._next(messages)
        for piece in (said.text[:2], said.text[2:]):
            yield ChatGenerationChunk(message=AIMessageChunk(piece))


def model(*script):
    return Model(script=list(script))


def messages(history):
    """LangChain's own messages, with ids as a stored state has them."""
    made = convert_to_messages(history)
    for at, message in enumerate(made):
        message.id = f"id{at}"
    return made


def sent(seen):
    return convert_to_openai_messages(seen)


def same(got, given):
    return len(got) == len(given) and all(one is other for one, other in zip(got, given, strict=True))


def agent(model, tools=(), **settings):
    return create_agent(model, list(tools), middleware=[middleware(**settings)], system_prompt="Be brief.")


@pytest.mark.parametrize("history", [broken, long])
def test_what_the_model_gets_is_whole_and_within_the_budget(history, receipts):
    given, fake = messages(history()), model()
    before = copy.deepcopy(given)
    state = agent(fake, budget=BUDGET, on_receipt=receipts.append).invoke({"messages": given})
    got = sent(fake.seen[0])
    assert got[0] == {"role": "system", "content": "Be brief."}
    assert faults(got) == []
    assert size(got) <= BUDGET
    assert given == before and state["messages"][:-1] == before
    assert receipts[0]


def test_what_is_valid_is_the_same_objects(receipts):
    given, fake = messages(valid()), model()
    agent(fake, budget=BUDGET, on_receipt=receipts.append).invoke({"messages": given})
    made = middleware(budget=BUDGET)
    assert same(made.runnable.invoke(given), given)
    assert made.pre_model_hook({"messages": given})["llm_input_messages"] is given
    assert [message.id for message in fake.seen[0][1:]] == [message.id for message in given]
    assert receipts == []
    # Messages next to a changed one are the same objects, too.
    mended = middleware().runnable.invoke([*given[:3], *given[4:]])
    assert [mended.index(message) for message in [*given[:3], *given[4:]]] == [0, 1, 2, 4, 5]
    assert all(any(one is message for one in mended) for message in [*given[:3], *given[4:]])


def test_copies_keep_what_they_are():
    artifact = object()
    thinking = {"type": "thinking", "thinking": "Where?", "signature": "c2ln"}
    use = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"q": "x" * 5_000}}
    call = {"name": "look", "args": {"q": "x" * 5_000}, "id": "toolu_1", "type": "tool_call"}
    given = [
        HumanMessage("TASK", id="h", name="Ann"),
        AIMessage(
            [thinking, {"type": "text", "text": "I look."}, use], tool_calls=[call], id="a", response_metadata={"m": 1}
        ),
        ToolMessage(LARGE, tool_call_id="toolu_1", artifact=artifact, name="look", id="t", status="error"),
        *messages([calls("c2"), result("c2", LARGE), user("And now?")]),
    ]
    before = copy.copy(given[1].content)
    got = middleware(budget=3_000).runnable.invoke(given)
    assert [message.id for message in got] == ["h", "a", "t", "id0", "id1", "id2"]
    assert got[0] is given[0]
    assert got[1].content[:2] == [thinking, {"type": "text", "text": "I look."}]
    assert got[1].content[2]["input"] == got[1].tool_calls[0]["args"] != call["args"]
    assert got[1].response_metadata == {"m": 1}
    assert len(got[2].content) < len(LARGE)
    assert (got[2].artifact, got[2].name, got[2].status, got[2].tool_call_id) == (artifact, "look", "error", "toolu_1")
    assert given[1].content == before and given[2].content == LARGE


def test_ids_that_come_again_are_renamed_wherever_they_stand():
    def step(n):
        use = {"type": "tool_use", "id": "same", "name": "look", "input": {"n": n}}
        call = {"name": "look", "args": {"n": n}, "id": "same", "type": "tool_call"}
        return [AIMessage([use], tool_calls=[call]), ToolMessage(str(n), tool_call_id="same")]

    got = middleware().runnable.invoke([HumanMessage("TASK"), *step(1), *step(2)])
    ids = [message.tool_calls[0]["id"] for message in got if isinstance(message, AIMessage)]
    assert len(set(ids)) == 2
    assert [message.tool_call_id for message in got if isinstance(message, ToolMessage)] == ids
    assert [message.content[0]["id"] for message in got if isinstance(message, AIMessage)] == ids
    assert [message.content for message in got if isinstance(message, ToolMessage)] == ["1", "2"]


def test_arguments_that_are_no_json_and_results_that_never_came(receipts, caplog):
    bad = {"name": "look", "args": "{bad", "id": "c1", "type": "invalid_tool_call", "error": None}
    given = [HumanMessage("TASK"), AIMessage("", invalid_tool_calls=[bad]), HumanMessage("And now?")]
    got = middleware(on_receipt=receipts.append).runnable.invoke(given)
    # Some of LangChain's models would send no such call, but its result.
    (call,) = got[1].tool_calls
    assert (call["id"], call["args"], got[1].invalid_tool_calls) == ("c1", {}, [])
    changes = [(entry.code, entry.path, entry.id) for entry in receipts.pop()]
    assert changes == [(code, "$.messages[1].tool_calls[0]", "c1") for code in ("missing_result", "arguments")]
    (said,) = (record.getMessage() for record in caplog.records if record.levelname == "WARNING")
    assert "not a JSON object" in said and "$.messages[1].tool_calls[0] (c1)" in said and "{bad" not in said
    assert given[1].invalid_tool_calls == [bad] and got[3] is given[2]
    assert (got[2].tool_call_id, got[2].status) == ("c1", "error")
    assert "not a JSON object" in got[2].content


def test_blank_texts_are_not_sent(receipts):
    given = [HumanMessage("TASK"), AIMessage(""), HumanMessage(" "), AIMessage(" \n", tool_calls=[CALL]), ANSWER]
    given = [*given, AIMessage([{"type": "text", "text": ""}, {"type": "text", "text": "So."}]), HumanMessage("And?")]
    got = middleware(on_receipt=receipts.append).runnable.invoke(given)
    assert [(entry.code, entry.path) for entry in receipts[0]] == [
        ("empty_assistant", "$.messages[1]"),
        ("empty_turn", "$.messages[2]"),
        ("blank_text", "$.messages[3].content"),
        ("blank_text", "$.messages[5].content[0]"),
    ]
    assert receipts[0].first_changed_index == 1
    assert [message.content for message in got] == ["TASK", "", "r", [{"type": "text", "text": "So."}], "And?"]
    assert [got[0], got[2], got[4]] == [given[0], given[4], given[6]]


def test_keys_of_blocks_stay_for_every_target():
    mark = {"cache_control": {"type": "ephemeral"}}
    long_one = {"type": "text", "text": "x" * 900, **mark}
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    said = {"type": "text", "text": "I look.", "id": "msg_1", "annotations": []}
    odd = {"type": "text"}
    given = [HumanMessage([odd, long_one]), AIMessage([thought, said], tool_calls=[CALL]), ANSWER, HumanMessage("And?")]
    for target in (None, "openai"):
        assert same(middleware(target=target).runnable.invoke(given), given)
    got = middleware(target="openai", budget=300).runnable.invoke(given)
    assert got[0].content[0] == odd and len(got[0].content[1]["text"]) < 900
    assert {**got[0].content[1], "text": long_one["text"]} == long_one


def test_images_in_results_where_the_target_takes_none():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    given = [HumanMessage("TASK"), AIMessage("", tool_calls=[CALL]), ToolMessage([image], tool_call_id="c1")]
    got = middleware(target="openai").runnable.invoke([*given, HumanMessage("And?")])
    assert [type(message) for message in got] == [HumanMessage, AIMessage, ToolMessage, HumanMessage, HumanMessage]
    assert got[3].content[-1] == image and isinstance(got[2].content, str)
    assert same(middleware().runnable.invoke(given), given)


def loop(run, receipts):
    @tool
    def look(q: str) -> str:
        """Looks."""
        return f"{q}: " + "x" * 20_000

    @tool
    async def look_later(q: str) -> str:
        """Looks."""
        return f"{q}: " + "x" * 20_000

    name = "look" if run == "invoke" else "look_later"
    script = [
        AIMessage("", tool_calls=[{"name": name, "args": {"q": str(n)}, "id": f"c{n}", "type": "tool_call"}])
        for n in range(30)
    ]
    fake = model(*script)
    made = agent(fake, [look, look_later], budget=BUDGET, on_receipt=receipts.append)
    asked = {"messages": [HumanMessage("TASK")]}
    config = {"recursion_limit": 200}
    state = made.invoke(asked, config) if run == "invoke" else asyncio.run(made.ainvoke(asked, config))
    return fake, state


@pytest.mark.parametrize("run", ["invoke", "ainvoke"])
def test_a_loop_of_thirty_steps(run, receipts):
    fake, state = loop(run, receipts)
    assert len(fake.seen) == 31 > len(receipts) > 20
    for seen in fake.seen:
        assert faults(sent(seen)) == []
        assert size(sent(seen)) <= BUDGET
        assert seen[1].content == "TASK"
    assert len(fake.seen[-1][-1].content) > 20_000
    results = [message for message in state["messages"] if isinstance(message, ToolMessage)]
    assert len(results) == 30 and all(len(message.content) > 20_000 for message in results)


def test_streamed(receipts):
    fake = model()
    made = agent(fake, budget=BUDGET, on_receipt=receipts.append)
    pieces = list(made.stream({"messages": messages(broken())}, stream_mode="messages"))
    assert "".join(piece.content for piece, _ in pieces if isinstance(piece, AIMessageChunk)) == "done"
    assert faults(sent(fake.seen[0])) == []
    chain = middleware(budget=BUDGET).runnable | fake
    assert "".join(piece.content for piece in chain.stream(messages(broken()))) == "done"

    async def later():
        return [piece.content async for piece in chain.astream(broken())]

    assert "".join(asyncio.run(later())) == "done"
    assert [faults(sent(seen)) for seen in fake.seen] == [[], [], []]


def test_concurrently():
    made = middleware(budget=BUDGET)
    fake = model()
    chain = made.runnable | fake
    with ThreadPoolExecutor(8) as pool:
        got = list(pool.map(lambda n: chain.invoke(messages(long(n))), range(1, 17)))
    assert [one.content for one in got] == ["done"] * 16
    assert all(faults(sent(seen)) == [] and size(sent(seen)) <= BUDGET for seen in fake.seen)


def test_langgraph():
    prebuilt = pytest.importorskip("langgraph.prebuilt")
    if not hasattr(prebuilt, "create_react_agent"):
        pytest.skip("this LangGraph has no create_react_agent")
    fake = model()
    made = prebuilt.create_react_agent(fake, [], pre_model_hook=middleware(budget=BUDGET).pre_model_hook)
    given = messages(broken())
    state = made.invoke({"messages": given})
    assert faults(sent(fake.seen[0])) == []
    assert state["messages"][:-1] == given


def test_an_unknown_class_keeps_its_place(caplog):
    other = ChatMessage("hm", role="critic")
    given = messages(valid())
    got = middleware().runnable.invoke([given[0], other, *given[1:]])
    assert got[1] is other and len(got) == len(given) + 1
    mended = middleware().runnable.invoke([given[0], other, *given[1:3], given[5]])
    assert mended[1] is other and len(mended) == 6
    assert "does not know langchain_core.messages.chat.ChatMessage" in caplog.text


def test_system_text_counts_and_does_not_come_twice():
    fake = model()
    given = [SystemMessage("x" * 500), *messages(valid())]
    got = middleware(budget=2_000).runnable.invoke(given)
    assert same(got, given)
    with pytest.raises(tw.BuildError) as caught:
        agent(fake, budget=5).invoke({"messages": messages(valid())})
    assert caught.value.code == "budget_too_small"
    state = agent(fake, budget=5, on_error="log").invoke({"messages": messages(valid())})
    assert state["messages"][-1].content == "done"
    assert sent(fake.seen[0])[1:] == sent(messages(valid()))


def test_the_rules_of_a_target():
    given = messages([{"role": "assistant", "content": "Hello!"}, user("Hi")])
    with pytest.raises(tw.BuildError) as caught:
        middleware(target="anthropic").runnable.invoke(given)
    assert caught.value.code == "starts_with_assistant"
    got = middleware(target="anthropic", wording={"opening": "(begin)"}).runnable.invoke(given)
    assert [message.content for message in got] == ["(begin)", "Hello!", "Hi"]
    assert got[1] is given[0] and isinstance(got[0], HumanMessage)
    strange = messages([user("x"), calls("a:b"), result("a:b", "r")])
    got = middleware(target="anthropic").runnable.invoke(strange)
    assert json.dumps(sent(got)).count("a:b") == 0 and faults(sent(got)) == []


def test_wrong_options():
    with pytest.raises(TypeError):
        middleware(max_byte=1)
    with pytest.raises(tw.TurnwireError):
        middleware(budget=-1)


def test_the_line_of_the_page():
    fake = model()
    names = {"middleware": middleware, "create_agent": create_agent, "model": fake, "tools": []}
    exec(rows()["langchain"], names)
    names["agent"].invoke({"messages": messages(broken())})
    assert faults(sent(fake.seen[0])) == []
