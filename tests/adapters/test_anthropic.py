"""The wrapped client of Anthropic, against a server on this machine."""

import asyncio
import copy
from concurrent.futures import ThreadPoolExecutor

import pytest
import turnwire as tw
from histories import LARGE
from needs import framework, rows
from provider import Provider, Step, provider, within

anthropic = framework("anthropic", "anthropic")
from turnwire.adapters._client import prepared_body  # noqa: E402
from turnwire.adapters._policy import Policy  # noqa: E402
from turnwire.adapters.anthropic import wrap  # noqa: E402

BUDGET = 60_000
TOOLS = [{"name": "look", "description": "Looks.", "input_schema": {"type": "object", "properties": {}}}]
THINKING = {"type": "thinking", "thinking": "Where?", "signature": "c2ln"}


def client(server: Provider, **settings):
    return wrap(anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0), **settings)


def use(ident):
    return {"type": "tool_use", "id": ident, "name": "look", "input": {"q": "x"}}


def result(ident, content):
    return {"type": "tool_result", "tool_use_id": ident, "content": content}


def broken():
    return [
        {"role": "user", "content": "TASK"},
        {"role": "assistant", "content": [THINKING, use("toolu_1"), use("toolu_2")]},
        {"role": "user", "content": [{"type": "text", "text": "Hurry!"}, result("toolu_1", LARGE * 4)]},
        {"role": "assistant", "content": "  "},
        {"role": "user", "content": [result("toolu_9", "nobody asked")]},
        {"role": "user", "content": "And now?"},
    ]


def valid():
    return [
        {"role": "user", "content": "TASK"},
        {"role": "assistant", "content": [THINKING, use("toolu_1")]},
        {"role": "user", "content": [result("toolu_1", "a lake")]},
    ]


def ask(**more):
    return {"model": "m", "max_tokens": 9, "messages": broken(), "system": "Be brief.", "tools": TOOLS, **more}


def test_what_is_sent_is_whole_and_within_the_budget(receipts):
    asked = ask(stop_sequences=["x"])
    before = copy.deepcopy(asked)
    with provider() as server, client(server, budget=BUDGET, on_receipt=receipts.append) as made:
        reply = made.messages.create(**asked)
    assert reply.content[0].text == "done"
    body = server.bodies[0]
    within(body, "anthropic", BUDGET)
    assert body["messages"][1]["content"] == [THINKING, use("toolu_1"), use("toolu_2")]
    assert [block["tool_use_id"] for block in body["messages"][2]["content"][:2]] == ["toolu_1", "toolu_2"]
    assert (body["stop_sequences"], body["tools"], body["system"]) == (["x"], TOOLS, "Be brief.")
    assert asked == before
    assert {entry.code for entry in receipts[0]} >= {"missing_result", "orphan_result", "cut_result"}


def test_what_is_valid_is_sent_as_it_is(receipts):
    marked = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    with provider() as server, client(server, budget=BUDGET, on_receipt=receipts.append) as made:
        made.messages.create(**ask(messages=valid(), system=marked))
    assert server.bodies == [ask(messages=valid(), system=marked)]
    assert receipts == []


def test_the_elements_of_a_valid_body_are_handed_on_and_marks_are_put_into_copies():
    marks = {"cache": "auto", "model": "claude-opus-5"}
    for settings, changed in (({}, 0), (marks, 1)):
        body = ask(messages=valid(), system=[{"type": "text", "text": "Be brief. " * 5_000}])
        before = copy.deepcopy(body)
        policy = Policy(None, settings, no_cache="")
        sent, _ = prepared_body(policy, body, "anthropic", ())
        assert body == before
        for key in ("messages", "tools", "system"):
            assert sent[key] is not body[key]
        pairs = [pair for key in ("messages", "system") for pair in zip(sent[key], body[key], strict=True)]
        assert [one is own for one, own in pairs].count(False) == sum(one != own for one, own in pairs)
        assert (sum(one != own for one, own in pairs) > 0) is bool(changed)


def test_a_paused_turn_is_sent_back_as_it_is(receipts):
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "lakes"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    asked, said = {"role": "user", "content": "TASK"}, {"type": "text", "text": "I search."}
    with provider() as server, client(server, budget=BUDGET, on_receipt=receipts.append) as made:
        for blocks in ([said, search], [said, search, found], [search, found, search | {"id": "srvtoolu_2"}]):
            paused = [asked, {"role": "assistant", "content": blocks}]
            made.messages.create(**ask(messages=paused))
            with made.messages.stream(**ask(messages=paused)) as stream:
                stream.get_final_message()
            assert [body["messages"] for body in server.bodies[-2:]] == [paused, paused]
    assert receipts == []


def test_every_way_to_send_is_prepared():
    with provider() as server, client(server, budget=BUDGET) as made:
        events = [event.type for event in made.messages.create(**ask(stream=True))]
        for one in (made.messages, made.beta.messages):
            with one.stream(**ask()) as stream:
                assert "".join(stream.text_stream) == "done"
            assert one.count_tokens(**{key: value for key, value in ask().items() if key != "max_tokens"})
        raw = made.messages.with_raw_response.create(**ask())
        made.with_options(timeout=5).copy(max_retries=0).messages.create(**ask(messages=iter(broken())))
    assert events[-1] == "message_stop"
    assert raw.parse().content[0].text == "done"
    assert len(server.bodies) == 7
    for body in server.bodies:
        within(body, "anthropic", BUDGET)


def test_asynchronous():
    async def run(server):
        plain = anthropic.AsyncAnthropic(api_key="none", base_url=server.url, max_retries=0)
        async with wrap(plain, budget=BUDGET) as made:
            replies = await asyncio.gather(*(made.messages.create(**ask()) for _ in range(8)))
            async with made.messages.stream(**ask()) as stream:
                text = "".join([piece async for piece in stream.text_stream])
            return replies, text

    with provider() as server:
        replies, text = asyncio.run(run(server))
    assert [reply.content[0].text for reply in replies] == ["done"] * 8
    assert text == "done"
    assert len(server.bodies) == 9
    for body in server.bodies:
        within(body, "anthropic", BUDGET)


def test_a_loop_of_thirty_steps(receipts):
    script = [Step(calls=((f"toolu_{n}", "look", {"q": str(n)}),)) for n in range(30)]
    messages = [{"role": "user", "content": "TASK"}]
    with provider(*script) as server, client(server, budget=BUDGET, on_receipt=receipts.append) as made:
        while True:
            reply = made.messages.create(**ask(messages=messages))
            messages.append({"role": reply.role, "content": reply.content})
            if reply.stop_reason != "tool_use":
                break
            results = [result(block.id, f"{block.id}: " + "x" * 20_000) for block in reply.content]
            messages.append({"role": "user", "content": results})
    assert len(server.bodies) == 31 > len(receipts) > 20
    for body in server.bodies:
        within(body, "anthropic", BUDGET)
        assert body["messages"][0] == messages[0]
    assert server.bodies[-1]["messages"][-1] == messages[-2]


def test_the_runner_of_tools():
    @anthropic.beta_tool
    def look(q: str) -> str:
        """Looks.

        Args:
            q: Where.
        """
        return q + "x" * 90_000

    script = [Step(calls=((f"toolu_{n}", "look", {"q": str(n)}),)) for n in range(3)]
    with provider(*script) as server, client(server, budget=BUDGET) as made:
        asked = [{"role": "user", "content": "TASK"}]
        runner = made.beta.messages.tool_runner
        threads = hasattr(made.beta.messages, "thread")
        own = {"thread": False} if threads else {}
        last = runner(model="m", max_tokens=9, messages=asked, tools=[look], **own).until_done()
        assert last.content[0].text == "done"
        assert len(server.bodies) == 4
        for body in server.bodies:
            within(body, "anthropic", BUDGET)
        if not threads:
            return
        # A thread belongs to the server: an answer to its calls is sent as it is.
        server.script[:0] = script
        assert runner(model="m", max_tokens=9, messages=asked, tools=[look]).until_done().content[0].text == "done"
    assert [len(body["messages"]) for body in server.bodies[4:]] == [1, 1, 1, 1]


def test_everything_else_is_the_client_itself():
    with provider() as server:
        plain = anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=4)
        assert plain.messages is not None
        made = wrap(plain, budget=1_000)
        assert type(made) is anthropic.Anthropic
        assert (made.api_key, made.max_retries, made._client) == ("none", 4, plain._client)
        plain.messages.create(**ask())
    assert server.bodies == [ask()]
    with pytest.raises(TypeError, match="expected an Anthropic or AsyncAnthropic, got str"):
        wrap("client")
    with pytest.raises(tw.TurnwireError):
        wrap(plain, target="openai")


def test_errors_by_option():
    with provider() as server:
        with client(server, budget=1) as made, pytest.raises(tw.BuildError):
            made.messages.create(**ask())
        with client(server, budget=1, on_error="log") as made:
            made.messages.create(**ask())
    assert server.bodies == [ask()]


def test_concurrently():
    with provider() as server, client(server, budget=BUDGET) as made, ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(made.messages.create, **{**ask(), "model": f"m{n}"}) for n in range(16)]
        assert [one.result().content[0].text for one in asked] == ["done"] * 16
    for body in server.bodies:
        within(body, "anthropic", BUDGET)
    assert sorted(body["model"] for body in server.bodies) == sorted(f"m{n}" for n in range(16))


def test_the_line_of_the_page(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
    with provider() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        names = {"tw": tw, "Anthropic": anthropic.Anthropic}
        exec(rows()["anthropic"], names)
        names["client"].messages.create(**ask())
    within(server.bodies[0], "anthropic", 300_000)
