"""LangChain's agents with a ledger, against a Claude that refuses stale reasoning: the thread is the conversation."""

import asyncio
import random
from itertools import pairwise

import pytest
import turnwire as tw
from binding import FIRST, Life, Server, breaks, listed, reply, thoughts
from needs import framework

langchain = framework("langchain", "langchain")
framework("langchain_anthropic", "langchain-anthropic")
from langchain.agents import create_agent  # noqa: E402
from langchain.agents.middleware import AgentMiddleware  # noqa: E402
from langchain_anthropic import ChatAnthropic  # noqa: E402
from langchain_core.messages import (  # noqa: E402
    AIMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_messages,
)
from langchain_core.tools import tool  # noqa: E402
from langgraph.checkpoint.memory import InMemorySaver  # noqa: E402
from turnwire.adapters.langchain import middleware  # noqa: E402

STEPS = 100
BUDGET = 100_000


@tool("read")
def look(path: str) -> str:
    """Reads a file."""
    raise AssertionError("the test says what comes of a call")


@tool("list")
def lists(path: str) -> str:
    """Lists a folder."""
    raise AssertionError("the test says what comes of a call")


class Head(AgentMiddleware):
    """The system text and the tools of a step."""

    def __init__(self, lives):
        super().__init__()
        self.tools = [look, lists]
        self.lives, self.steps = lives, dict.fromkeys(lives, 0)

    def of(self, request):
        name = request.state["messages"][0].id
        self.steps[name] += 1
        step, life = self.steps[name], self.lives[name]
        tools = [one for one in self.tools if one.name in life.tools(step)]
        return request.override(system_message=SystemMessage(life.system(step)), tools=tools)

    def wrap_model_call(self, request, handler):
        return handler(self.of(request))

    async def awrap_model_call(self, request, handler):
        return await handler(self.of(request))


class Sees(AgentMiddleware):
    """The model's input, and the input before turnwire."""

    def __init__(self, seen, name):
        super().__init__()
        self.seen, self._name = seen, name

    @property
    def name(self):
        return self._name

    def wrap_model_call(self, request, handler):
        self.seen.append(request.messages)
        return handler(request)


def agent(server, lives, *given, streams=False, before=(), ours=None, after=(), **settings):
    model = ChatAnthropic(
        model="claude-opus-5-5", api_key="none", base_url=server.url, max_retries=0, max_tokens=99, streaming=streams
    )
    # The last one is nearest to the model.
    each = [Head(lives), *before, ours or middleware(*given, **settings), *after]
    return create_agent(model, [], middleware=each, checkpointer=InMemorySaver(), interrupt_before=["tools"])


def begun(name):
    return {"messages": [HumanMessage(FIRST, id=name)]}


def thread(name):
    return {"configurable": {"thread_id": name}}


def kept(graph, name):
    return graph.get_state(thread(name)).values["messages"]


def goes_on(graph, name, life, step):
    """What happens before the next request: the test makes the results, so they may come late or never."""
    said = kept(graph, name)[-1]
    news = life.after(step, [call["id"] for call in said.tool_calls])
    made = [ToolMessage(text, tool_call_id=call) if call else HumanMessage(text) for call, text in news]
    graph.update_state(thread(name), {"messages": made}, as_node="tools" if said.tool_calls else "__start__")


def runs(graph, name, life, steps, first=1):
    for step in range(first, first + steps):
        goes_on(graph, name, life, step)
        graph.invoke(None, thread(name))


@pytest.mark.parametrize("given", [{"ledger": True, "budget": BUDGET}, {"ledger": tw.Ledger("anthropic", BUDGET)}])
def test_a_hundred_steps_under_a_budget_are_never_refused(given):
    life, steps = Life("one", 3_000), STEPS if given["ledger"] is True else 30
    with Server() as server:
        graph = agent(server, {"one": life}, **given)
        graph.invoke(begun("one"), thread("one"))
        runs(graph, "one", life, steps - 1)
    bodies = server.bodies["one"]
    assert (len(bodies), server.refused) == (steps, [])
    if given["ledger"] is not True:
        return
    assert any(one["role"] == "system" for body in bodies for one in body["messages"])
    assert any(one.get("defer_loading") for body in bodies for one in body["tools"])
    assert "mid-conversation-tool-changes-2026-07-01" in server.betas
    whole = sum(len(str(message.content).encode()) for message in kept(graph, "one"))
    assert whole > 2 * BUDGET
    # Between two cuts, everything that was sent is sent again, with all thoughts.
    assert 0 < breaks(bodies) <= -(-whole * 2 // BUDGET)
    assert thoughts(bodies[-1]) > 10


def test_without_a_ledger_the_server_refuses():
    life = Life("one", 3_000)
    with Server() as server:
        graph = agent(server, {"one": life}, BUDGET)
        graph.invoke(begun("one"), thread("one"))
        with pytest.raises(Exception, match="400"):
            runs(graph, "one", life, STEPS)


@pytest.mark.asyncio
async def test_fifty_conversations_at_once():
    lives, dice = {str(number): Life(str(number)) for number in range(50)}, random.Random(50)
    with Server() as server:
        # Both send through one adapter.
        one = middleware(ledger=True)
        graphs = [agent(server, lives, streams=streams, ours=one) for streams in (False, True)]

        async def step(name, number):
            graph = graphs[int(name) % 2]
            if number:
                goes_on(graph, name, lives[name], number)
            await graph.ainvoke(None if number else begun(name), thread(name))

        for number in range(6):
            names = [*lives]
            dice.shuffle(names)
            await asyncio.gather(*(step(name, number) for name in names))
    assert server.refused == []
    assert {len(bodies) for bodies in server.bodies.values()} == {6}
    assert all(breaks(bodies) == 0 for bodies in server.bodies.values())


def test_messages_that_stand_are_the_frameworks_own():
    life, before, after = Life("one"), [], []
    with Server() as server:
        graph = agent(server, {"one": life}, ledger=True, before=[Sees(before, "before")], after=[Sees(after, "after")])
        graph.invoke(begun("one"), thread("one"))
        runs(graph, "one", life, 40)
    assert server.refused == []
    made = 0
    for had, sent in zip(before, after, strict=True):
        of_had = {id(message) for message in had}
        new = [message for message in sent if id(message) not in of_had]
        made += len(new)
        # Late results, notes, and generated results.
        assert {type(message) for message in new} <= {HumanMessage, SystemMessage, ToolMessage}
    assert made > 40
    assert not any(isinstance(message, SystemMessage) for message in kept(graph, "one"))


def edited(graph, name):
    asked = HumanMessage("Do something else.", id=name)
    graph.update_state(thread(name), {"messages": [asked]}, as_node="tools")


def shortened(graph, name):
    gone = [RemoveMessage(id=message.id) for message in kept(graph, name)[1:9]]
    graph.update_state(thread(name), {"messages": gone}, as_node="tools")


def reordered(graph, name):
    all_of = kept(graph, name)
    gone = [RemoveMessage(id=message.id) for message in all_of[1:]]
    # LangGraph keeps a message with a known id at its old index.
    moved = [one.model_copy(update={"id": None}) for one in (*all_of[5:9], *all_of[1:5], *all_of[9:])]
    graph.update_state(thread(name), {"messages": [*gone, *moved]}, as_node="tools")


@pytest.mark.parametrize("change", [edited, shortened, reordered])
def test_a_list_that_was_changed_is_a_break_and_not_refused(change, receipts):
    life = Life("one")
    with Server() as server:
        graph = agent(server, {"one": life}, ledger=True, on_receipt=receipts.append)
        graph.invoke(begun("one"), thread("one"))
        runs(graph, "one", life, 20)
        goes_on(graph, "one", life, 21)
        change(graph, "one")
        graph.invoke(None, thread("one"))
        runs(graph, "one", life, 10, 22)
    assert (len(server.bodies["one"]), server.refused) == (32, [])
    assert breaks(server.bodies["one"]) == 1
    assert any(receipt.break_at for receipt in receipts)


def test_a_ledger_that_was_used_elsewhere():
    used = tw.Ledger("anthropic")
    used.prepare([{"role": "user", "content": "Another conversation."}])
    used.prepare(
        [
            {"role": "user", "content": "Another."},
            {"role": "assistant", "content": "Y"},
            {"role": "user", "content": "?"},
        ]
    )
    life = Life("one")
    with Server() as server:
        graph = agent(server, {"one": life}, ledger=used)
        graph.invoke(begun("one"), thread("one"))
        runs(graph, "one", life, 10)
    assert (len(server.bodies["one"]), server.refused) == (11, [])
    # Elsewhere it went from one conversation to another, and now to this one.
    assert breaks(server.bodies["one"]) == 0 and len(used.breaks) == 2


def test_ledgers_that_cannot_be():
    with Server() as server, pytest.raises(tw.TurnwireError, match="expected a ledger for anthropic") as error:
        agent(server, {"one": Life("one")}, ledger=tw.Ledger("openai")).invoke(begun("one"), thread("one"))
    assert error.value.code == "conflicting_options"
    with pytest.raises(TypeError, match="ledger: expected a bool or a Ledger, got int"):
        middleware(ledger=3)


@pytest.mark.parametrize("target", [None, "anthropic"])
def test_before_a_plain_model_the_list_is_the_conversation(target):
    made, life = middleware(ledger=True, target=target).runnable, Life("one")
    messages, sent = [HumanMessage(FIRST)], []
    for step in range(1, 40):
        sent.append(convert_to_openai_messages(made.invoke([*messages])))
        calls = [
            {"name": block["name"], "args": block["input"], "id": block["id"], "type": "tool_call"}
            for block in reply("one", step)
            if block["type"] == "tool_use"
        ]
        messages.append(AIMessage(f"Step {step}.", tool_calls=calls))
        news = life.after(step, [call["id"] for call in calls])
        messages += [ToolMessage(text, tool_call_id=call) if call else HumanMessage(text) for call, text in news]
    assert all(after[: len(before)] == before for before, after in pairwise(sent))


MARK = {"cache_control": {"type": "ephemeral"}}


def bare(value):
    """A body without its cache marks; a text is a block, because only a block can hold a mark."""
    if isinstance(value, list):
        return [bare(item) for item in value]
    if not isinstance(value, dict):
        return value
    left = {key: bare(item) for key, item in value.items() if key != "cache_control"}
    words = {"role": "content", "messages": "system"}
    return left | {key: listed(left[key]) for of, key in words.items() if of in left}


def marked(body):
    """Where a body has cache marks."""
    heads = [(key, at) for key in ("tools", "system") for at, one in enumerate(body[key]) if "cache_control" in one]
    said = ((at, listed(message["content"])) for at, message in enumerate(body["messages"]))
    return heads + [(at, place) for at, blocks in said for place, one in enumerate(blocks) if "cache_control" in one]


def test_marks_of_the_cache_are_where_the_next_request_finds_them():
    sent = []
    for cache in (None, "auto"):
        life = Life("one", 3_000)
        with Server() as server:
            graph = agent(server, {"one": life}, BUDGET, ledger=True, cache=cache)
            graph.invoke(begun("one"), thread("one"))
            runs(graph, "one", life, 39)
        assert server.refused == []
        sent.append(server.bodies["one"])
    plain, bodies = sent
    assert [marked(body) for body in plain if marked(body)] == []
    # Nothing else in the requests differs.
    assert [*map(bare, bodies)] == [*map(bare, plain)]
    kinds = set()
    ends = []
    for body in bodies:
        places, last = marked(body), body["messages"][-1]
        at = len(body["messages"]) - 1
        while last["role"] == "system":
            at, last = at - 1, body["messages"][at - 1]
        blocks = listed(last["content"])
        ends.append((at, len(blocks) - 1))
        assert len(places) <= 4 and [place for place, _ in places[:2]] == ["tools", "system"]
        assert ends[-1] in places
        kinds.add(blocks[-1]["type"])
    assert kinds == {"text", "tool_result"}
    # A request has a mark where the one before it ended, as long as that part did not change.
    standing = [one for one in zip(bodies, ends, bodies[1:], strict=False) if breaks([one[0], one[2]]) == 0]
    assert len(standing) > 30 and all(end in marked(after) for _, end, after in standing)


@pytest.mark.parametrize("own", range(1, 5))
def test_marks_of_the_caller_count(own):
    texts = [{"type": "text", "text": f"Part {at}.", **(MARK if at < own else {})} for at in range(4)]
    first = HumanMessage([{"type": "text", "text": FIRST}, *texts[:2]], id="one")
    result = ToolMessage(texts[2:3], tool_call_id="call_1")
    call = AIMessage("", tool_calls=[{"name": "read", "args": {"path": "x"}, "id": "call_1", "type": "tool_call"}])
    with Server() as server:
        graph = agent(server, {"one": Life("one")}, ledger=True, cache="auto")
        graph.invoke({"messages": [first, call, result, HumanMessage(texts[3:])]}, thread("one"))
    (body,) = server.bodies["one"]
    assert len(marked(body)) == 4
    kept = [block for message in body["messages"] for block in listed(message["content"]) if "cache_control" in block]
    told = [block.get("text") or block["content"][0]["text"] for block in kept]
    assert set(told) >= {f"Part {at}." for at in range(own)}
