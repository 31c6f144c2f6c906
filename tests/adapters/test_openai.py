"""The wrapped client of OpenAI, against a server on this machine."""

import asyncio
import copy
from concurrent.futures import ThreadPoolExecutor

import pytest
import turnwire as tw
from histories import broken, faults, long, valid
from needs import framework, rows
from provider import Provider, Step, provider, within

openai = framework("openai", "openai")
from turnwire.adapters.openai import wrap  # noqa: E402

BUDGET = 60_000
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]


def client(server: Provider, **settings):
    return wrap(openai.OpenAI(api_key="none", base_url=f"{server.url}/v1", max_retries=0), **settings)


def aclient(server: Provider, **settings):
    return wrap(openai.AsyncOpenAI(api_key="none", base_url=f"{server.url}/v1", max_retries=0), **settings)


@pytest.mark.parametrize("history", [broken, long])
def test_what_is_sent_is_whole_and_within_the_budget(history, receipts):
    messages = history()
    before = copy.deepcopy(messages)
    with provider() as server, client(server, budget=BUDGET, on_receipt=receipts.append) as made:
        reply = made.chat.completions.create(model="m", messages=messages, tools=TOOLS, temperature=0.5)
    assert reply.choices[0].message.content == "done"
    body = server.bodies[0]
    assert faults(body["messages"]) == []
    within(body, "openai", BUDGET)
    assert (body["model"], body["temperature"], body["tools"]) == ("m", 0.5, TOOLS)
    assert messages == before
    assert receipts[0]


def test_what_is_valid_is_sent_as_it_is(receipts):
    with provider() as server, client(server, budget=BUDGET, on_receipt=receipts.append) as made:
        made.chat.completions.create(model="m", messages=valid(), tools=TOOLS)
    assert server.bodies == [{"model": "m", "messages": valid(), "tools": TOOLS}]
    assert receipts == []


def test_every_way_to_send_is_prepared():
    with provider() as server, client(server, budget=BUDGET) as made:
        completions = made.chat.completions
        chunks = list(completions.create(model="m", messages=broken(), stream=True))
        with completions.stream(model="m", messages=broken()) as stream:
            told = [event.type for event in stream]
        completions.parse(model="m", messages=broken())
        raw = completions.with_raw_response.create(model="m", messages=broken())
        made.with_raw_response.chat.completions.create(model="m", messages=broken())
        made.with_options(timeout=5).copy(max_retries=0).chat.completions.create(model="m", messages=iter(broken()))
        with completions.with_streaming_response.create(model="m", messages=broken()) as opened:
            opened.parse()
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices) == "done"
    assert "content.done" in told
    assert raw.parse().choices[0].message.content == "done"
    assert len(server.bodies) == 7
    assert [faults(body["messages"]) for body in server.bodies] == [[]] * 7


def test_responses(receipts):
    items = [
        {"role": "user", "content": "TASK"},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2ln"},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
        {"role": "user", "content": "Hurry!"},
        {"type": "function_call_output", "call_id": "c1", "output": "x" * 90_000},
    ]
    with provider() as server, client(server, budget=BUDGET, on_receipt=receipts.append) as made:
        made.responses.create(model="m", input=items, instructions="Be brief.", store=False)
        made.responses.create(model="m", input="Hello", previous_response_id="r0")
        with made.responses.stream(model="m", input=items) as stream:
            told = [event.type for event in stream]
        list(made.responses.create(model="m", input=items, stream=True))
        # A result for a call that the server holds stays.
        made.responses.create(model="m", input=items[4:], previous_response_id="r0")
    assert told[-1] == "response.completed"
    first = server.bodies[0]
    assert [item.get("type", item.get("role")) for item in first["input"]] == [
        "user",
        "reasoning",
        "function_call",
        "function_call_output",
        "user",
    ]
    assert first["input"][1] == items[1]
    assert (first["instructions"], first["store"]) == ("Be brief.", False)
    within(first, "openai-responses", BUDGET)
    assert server.bodies[1]["input"] == "Hello"
    assert [len(receipt) for receipt in receipts] == [2, 2, 2, 1]
    assert len(server.bodies[4]["input"]) == 1


def test_asynchronous():
    async def run(server):
        async with aclient(server, budget=BUDGET) as made:
            create = made.chat.completions.create
            replies = await asyncio.gather(*(create(model="m", messages=long(3 + n)) for n in range(8)))
            chunks = [chunk async for chunk in await create(model="m", messages=broken(), stream=True)]
            async with made.chat.completions.stream(model="m", messages=broken()) as stream:
                told = [event.type async for event in stream]
            await made.with_options(timeout=3).responses.create(model="m", input=broken())
            return replies, chunks, told

    with provider() as server:
        replies, chunks, told = asyncio.run(run(server))
    assert [reply.choices[0].message.content for reply in replies] == ["done"] * 8
    assert chunks and "content.done" in told
    for body in server.bodies[:-1]:
        assert faults(body["messages"]) == []
        within(body, "openai", BUDGET)
    within(server.bodies[-1], "openai-responses", BUDGET)


def test_a_loop_of_thirty_steps(receipts):
    script = [Step(calls=((f"call_{n}", "look", {"q": str(n)}),)) for n in range(30)]
    messages = [{"role": "user", "content": "TASK"}]
    with provider(*script) as server, client(server, budget=BUDGET, on_receipt=receipts.append) as made:
        while True:
            message = made.chat.completions.create(model="m", messages=messages, tools=TOOLS).choices[0].message
            messages.append(message)
            ids = [call.id for call in message.tool_calls or ()]
            messages += [{"role": "tool", "tool_call_id": id, "content": f"{id}: " + "x" * 20_000} for id in ids]
            if not message.tool_calls:
                break
    assert len(server.bodies) == 31 > len(receipts) > 20
    for body in server.bodies:
        assert faults(body["messages"]) == []
        within(body, "openai", BUDGET)
        assert body["messages"][0] == messages[0]
    assert server.bodies[-1]["messages"][-1] == messages[-2]
    assert len(messages) == 62 and all(len(message["content"]) > 20_000 for message in messages[2::2])


def test_everything_else_is_the_client_itself():
    with provider() as server:
        plain = openai.OpenAI(api_key="none", base_url=f"{server.url}/v1", max_retries=4, organization="o")
        plain.mine = object()
        assert plain.chat.completions is not None
        made = wrap(plain, budget=1_000)
        assert type(made) is openai.OpenAI
        assert (made.api_key, made.max_retries, made.organization, made.mine) == ("none", 4, "o", plain.mine)
        assert made._client is plain._client
        for messages in (broken(), valid()):
            plain.chat.completions.create(model="m", messages=messages)
    # The original client works as before.
    assert [body["messages"] for body in server.bodies] == [broken(), valid()]
    azure = openai.AzureOpenAI(api_key="none", api_version="1", azure_endpoint="https://localhost")
    assert isinstance(wrap(azure).with_options(timeout=1), openai.AzureOpenAI)


def test_messages_of_others_become_its_own(receipts, caplog):
    foreign = [
        {"role": "user", "content": "q"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
                {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"q": "x"}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "a lake"}]},
    ]
    with provider() as server, client(server) as made:
        made.chat.completions.create(model="m", messages=foreign)
    assert [message["role"] for message in server.bodies[0]["messages"]] == ["user", "assistant", "tool"]
    assert [record.levelname for record in caplog.records if record.name == "turnwire.adapters"] == ["WARNING"]


def test_wrong_options_and_messages(caplog):
    plain = openai.OpenAI(api_key="none")
    with pytest.raises(tw.TurnwireError, match="-1 bytes"):
        wrap(plain, budget=-1)
    with pytest.raises(TypeError, match="unexpected keyword argument 'max_byte'"):
        wrap(plain, max_byte=1)
    with pytest.raises(TypeError, match="expected an OpenAI or AsyncOpenAI, got str"):
        wrap("client")
    for wrong in ({"on_error": "ignore"}, {"target": "anthropic"}):
        with pytest.raises(tw.TurnwireError) as caught:
            wrap(plain, **wrong)
        assert caught.value.code == "unknown_option"
    with provider() as server:
        with client(server, budget=1) as made, pytest.raises(tw.BuildError) as small:
            made.chat.completions.create(model="m", messages=valid())
        assert small.value.code == "budget_too_small"
        assert server.bodies == []
        with client(server, budget=1, on_error="log") as made:
            made.chat.completions.create(model="m", messages=valid())
    assert server.bodies == [{"model": "m", "messages": valid()}]
    assert "what there was is sent" in caplog.text


def test_a_prompt_that_the_server_holds_is_left_alone():
    with provider() as server, client(server, budget=1) as made:
        made.responses.create(model="m", prompt={"id": "p"})
        made.responses.create(model="m", input=[], previous_response_id="r0")
    assert server.bodies == [
        {"model": "m", "prompt": {"id": "p"}},
        {"model": "m", "input": [], "previous_response_id": "r0"},
    ]


def test_what_holds_no_conversation_is_left_alone():
    with provider() as server, client(server, budget=1) as made:
        reply = made.post("/chat/other/responses", cast_to=object, body={"messages": "x"})
    assert reply and server.bodies == [{"messages": "x"}]


def test_concurrently():
    with provider() as server, client(server, budget=BUDGET) as made, ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(made.chat.completions.create, model=f"m{n}", messages=long(1 + n % 9)) for n in range(16)]
        assert [one.result().choices[0].message.content for one in asked] == ["done"] * 16

    async def run(server):
        async with aclient(server, budget=BUDGET) as made:
            calls = [made.chat.completions.create(model=f"m{n}", messages=broken()) for n in range(4)]
            return await asyncio.gather(*calls)

    with provider() as other:
        asyncio.run(run(other))
    for body in [*server.bodies, *other.bodies]:
        assert faults(body["messages"]) == []
        within(body, "openai", BUDGET)
    assert sorted(body["model"] for body in server.bodies) == sorted(f"m{n}" for n in range(16))


def test_the_line_of_the_page(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with provider() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        names = {"tw": tw, "OpenAI": openai.OpenAI}
        exec(rows()["openai"], names)
        names["client"].chat.completions.create(model="m", messages=broken())
    assert faults(server.bodies[0]["messages"]) == []
