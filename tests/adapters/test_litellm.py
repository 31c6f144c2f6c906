"""The callback of LiteLLM and its router, and the synchronous completion, against a server on this machine."""

import asyncio
import copy
import os

import pytest
import turnwire as tw
from histories import broken, faults, long, valid
from needs import framework, rows
from provider import Step, provider, within

# It must not download its prices.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
litellm = framework("litellm", "litellm")
from litellm.types.utils import CallTypes  # noqa: E402
from turnwire.adapters.litellm import callback, completion  # noqa: E402

BUDGET = 60_000
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]
litellm.suppress_debug_info = True


@pytest.fixture(autouse=True)
def no_callbacks():
    before = litellm.callbacks
    yield
    litellm.callbacks = before


def asked(server, messages, **more):
    url = {"api_key": "none", "api_base": f"{server.url}/v1", "num_retries": 0, "max_retries": 0}
    return {"model": "openai/gpt-4o", "messages": messages, **url, **more}


@pytest.mark.parametrize("history", [broken, long])
def test_what_is_sent_is_whole_and_within_the_budget(history, receipts):
    given = history()
    litellm.callbacks = [callback(budget=BUDGET, on_receipt=receipts.append)]
    complete = completion(budget=BUDGET, on_receipt=receipts.append)

    async def run(server):
        reply = await litellm.acompletion(**asked(server, given, tools=TOOLS))
        chunks = [chunk async for chunk in await litellm.acompletion(**asked(server, given, stream=True))]
        router = litellm.Router([{"model_name": "mine", "litellm_params": asked(server, [])}])
        routed = await router.acompletion(model="mine", messages=given)
        return reply, chunks, routed

    with provider() as server:
        reply, chunks, routed = asyncio.run(run(server))
        said = complete(**asked(server, given, tools=TOOLS))
        pieces = list(complete(**asked(server, given, stream=True)))
    assert reply.choices[0].message.content == routed.choices[0].message.content == "done"
    assert said.choices[0].message.content == "done"
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "done"
    assert "".join(chunk.choices[0].delta.content or "" for chunk in pieces) == "done"
    assert len(server.bodies) == len(receipts) == 5
    for body in server.bodies:
        assert faults(body["messages"]) == []
        within(body, "openai", BUDGET)
    assert given == history()
    assert all(receipts)


def test_what_is_valid_is_the_same_objects(receipts):
    made = callback(budget=BUDGET, on_receipt=receipts.append)
    given = [*valid()[:4], litellm.Message(content="There is a lake.", role="assistant"), valid()[5]]
    before = copy.deepcopy(given)

    def hook(messages):
        kwargs = {"model": "claude-opus-4-5", "messages": messages}
        return asyncio.run(made.async_pre_call_deployment_hook(kwargs, CallTypes.acompletion))["messages"]

    assert hook(given) is given
    mended = [*given[:3], *given[4:]]
    again = hook(mended)
    assert len(again) == 6 and {id(message) for message in mended} < {id(message) for message in again}
    assert [len(receipt) for receipt in receipts] == [1]
    assert given == before
    with provider() as server:
        completion(budget=BUDGET)(**asked(server, valid()))
        litellm.completion(**asked(server, valid()))
    assert server.bodies[0] == server.bodies[1]


def test_what_other_models_need_is_kept():
    """Signed thinking, and cache marks."""
    thinking = [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}]
    call = {"id": "toolu_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    given = [
        {"role": "system", "content": [{"type": "text", "text": "Be.", "cache_control": {"type": "ephemeral"}}]},
        {"role": "user", "content": "TASK"},
        {"role": "assistant", "content": "I look.", "thinking_blocks": thinking, "tool_calls": [call]},
        {"role": "user", "content": "Hurry!"},
        {"role": "tool", "tool_call_id": "toolu_1", "content": "x" * 90_000},
    ]
    litellm.callbacks = [callback(budget=BUDGET)]

    async def run(server):
        return await litellm.acompletion(
            model="anthropic/claude-opus-4-5",
            messages=given,
            tools=TOOLS,
            api_key="none",
            api_base=server.url,
            thinking={"type": "enabled", "budget_tokens": 1024},
        )

    with provider() as server:
        assert asyncio.run(run(server)).choices[0].message.content == "done"
    body = server.bodies[0]
    assert [block["type"] for block in body["messages"][1]["content"]] == ["thinking", "text", "tool_use"]
    assert body["messages"][1]["content"][0] == thinking[0]
    assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert body["messages"][2]["content"][0]["type"] == "tool_result"
    within(body, "anthropic", BUDGET)


NOTES = {"annotations": [{"type": "url_citation"}], "images": [], "provider_specific_fields": {"a": 1}}


@pytest.mark.parametrize("notes", [{}, NOTES, {"provider_specific_fields": None, "function_call": None}])
@pytest.mark.parametrize("dumped", [False, True])
def test_what_litellm_notes_on_a_reply_is_no_news_and_is_not_sent_to_openai(notes, dumped, receipts, caplog):
    said: list = [litellm.Message(content=text, role="assistant", **notes) for text in ("I look.", "There it is.")]
    if dumped:
        said = [message.model_dump() | notes for message in said]
    given = [valid()[0], said[0], valid()[5], said[1], valid()[5]]
    made = callback(on_receipt=receipts.append, target="openai")

    async def run(server):
        litellm.callbacks = [made]
        await litellm.acompletion(**asked(server, given))
        litellm.callbacks = []
        completion(on_receipt=receipts.append, target="openai")(**asked(server, given))

    with provider() as server:
        asyncio.run(run(server))
    assert receipts == []
    for body in server.bodies:
        assert [{**message} for message in body["messages"] if message["role"] == "assistant"] == [
            {"role": "assistant", "content": "I look."},
            {"role": "assistant", "content": "There it is."},
        ]


@pytest.mark.parametrize("dumped", [False, True])
def test_what_litellm_notes_on_a_call_of_gemini_or_claude_is_not_sent_to_openai(dumped, receipts):
    """Empty `thinking_blocks`, the number of each call, and Gemini's signature, which is a loss."""
    function, own = {"name": "look", "arguments": "{}"}, {"provider_specific_fields": {"thought_signature": "c2ln"}}
    calls = [{"id": f"c{at}", "type": "function", "index": at, "function": function} for at in range(2)]
    said = litellm.Message(role="assistant", tool_calls=[calls[0] | own, calls[1]], thinking_blocks=[])
    said.thinking_blocks = []
    results = [{"role": "tool", "tool_call_id": f"c{at}", "content": "a lake"} for at in range(2)]
    given = [valid()[0], said.model_dump() if dumped else said, *results]
    before = copy.deepcopy(given)
    with provider() as server:
        completion(target="openai", on_receipt=receipts.append)(**asked(server, given))
    plain = [{key: call[key] for key in ("id", "type", "function")} for call in calls]
    assert {"content": None, **server.bodies[0]["messages"][1]} == {
        "role": "assistant",
        "content": None,
        "tool_calls": plain,
    }
    (receipt,) = receipts
    assert [(loss.code, loss.path) for loss in receipt] == [("signature", "$.messages[1].tool_calls[0]")]
    assert given == before


THOUGHT = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
SEARCH = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "lake"}}


@pytest.mark.parametrize("said", ["blocks", "key", "both"])
def test_reasoning_of_another_provider_becomes_text_once(said):
    thinks = {
        "blocks": {"content": [THOUGHT, {"type": "text", "text": "A lake."}]},
        "key": {"content": "A lake.", "thinking_blocks": [THOUGHT]},
        "both": {"content": "A lake.", "thinking_blocks": [THOUGHT], "reasoning_content": "Hm."},
    }[said]
    lost, given = [], [valid()[0], {"role": "assistant", **thinks}, valid()[-1]]
    with provider() as server:
        completion(target="openai", reasoning="text", on_receipt=lost.extend)(**asked(server, given))
    texts = [{"type": "text", "text": text} for text in ("Hm.", "A lake.")]
    assert server.bodies[0]["messages"][1] == {"role": "assistant", "content": texts}
    assert [(loss.kind, loss.code) for loss in lost] == [("restated", "reasoning")]


@pytest.mark.parametrize("block", [THOUGHT, SEARCH])
def test_strict_refuses_another_providers_blocks(block):
    said = {"role": "assistant", "content": [block, {"type": "text", "text": "A lake."}]}
    given = [valid()[0], said, valid()[-1]]
    with provider() as server:
        with pytest.raises(tw.RenderError, match="cannot express this"):
            completion(strict=True)(**asked(server, given))
        assert server.bodies == []


def test_a_loop_of_thirty_steps(receipts):
    script = [Step(calls=((f"call_{n}", "look", {"q": str(n)}),)) for n in range(30)]
    messages = [{"role": "user", "content": "TASK"}]
    complete = completion(budget=BUDGET, on_receipt=receipts.append)
    with provider(*script) as server:
        while True:
            message = complete(**asked(server, messages, tools=TOOLS)).choices[0].message
            messages.append(message)
            ids = [call.id for call in message.tool_calls or ()]
            messages += [{"role": "tool", "tool_call_id": id, "content": f"{id}: " + "x" * 20_000} for id in ids]
            if not ids:
                break
    assert len(server.bodies) == 31 > len(receipts) > 20
    for body in server.bodies:
        assert faults(body["messages"]) == []
        within(body, "openai", BUDGET)
        assert body["messages"][0] == messages[0]
    assert server.bodies[-1]["messages"][-1] == messages[-2]
    assert all(len(message["content"]) > 20_000 for message in messages[2::2])


def test_concurrently():
    litellm.callbacks = [callback(budget=BUDGET)]

    async def run(server):
        calls = [litellm.acompletion(**asked(server, long(1 + n))) for n in range(12)]
        return await asyncio.gather(*calls)

    with provider() as server:
        assert len(asyncio.run(run(server))) == 12
    for body in server.bodies:
        assert faults(body["messages"]) == []
        within(body, "openai", BUDGET)


def test_errors_by_option(caplog):
    complete = completion(budget=1)
    with provider() as server:
        with pytest.raises(tw.BuildError):
            complete(**asked(server, valid()))
        assert server.bodies == []
        completion(budget=1, on_error="log")(**asked(server, valid()))
        litellm.completion(**asked(server, valid()))
    assert server.bodies[0] == server.bodies[1]
    assert "what there was is sent" in caplog.text
    with pytest.raises(TypeError):
        callback(max_byte=1)


def test_other_calls_are_left_alone():
    made = callback(budget=1)
    kwargs = {"model": "x", "input": ["text"]}
    assert asyncio.run(made.async_pre_call_deployment_hook(kwargs, CallTypes.aembedding)) is kwargs
    assert asyncio.run(made.async_pre_call_deployment_hook(kwargs, None)) is kwargs


def test_a_message_of_an_unknown_class_keeps_its_place(caplog):
    other = object()
    given = [valid()[0], other, *valid()[1:3], valid()[5]]
    kwargs = {"model": "gpt-4o", "messages": given}
    got = asyncio.run(callback().async_pre_call_deployment_hook(kwargs, CallTypes.acompletion))["messages"]
    assert got[1] is other and len(got) == 6 and kwargs["messages"] is given
    assert "does not know builtins.object" in caplog.text


def test_the_line_of_the_page():
    exec(rows()["litellm"], {"callback": callback, "litellm": litellm})
    with provider() as server:
        asyncio.run(litellm.acompletion(**asked(server, broken())))
    assert faults(server.bodies[0]["messages"]) == []


def test_completion_in_the_place_of_litellms_own(monkeypatch, receipts):
    """Every call there passes through: it does not call itself, and only the one that was set last acts."""
    monkeypatch.setattr(litellm, "completion", litellm.completion)
    plain, old = litellm.completion, []
    litellm.completion = completion(budget=1, on_receipt=old.append)
    litellm.completion = completion(budget=BUDGET, on_receipt=receipts.append)
    litellm.completion = again = completion(budget=BUDGET, on_receipt=receipts.append)
    assert again.__wrapped__ is plain
    with provider() as server:
        litellm.completion(**asked(server, long()))
        router = litellm.Router([{"model_name": "mine", "litellm_params": asked(server, [])}])
        router.completion(model="mine", messages=broken())
        litellm.completion(
            "openai/gpt-4o", long(), **{key: value for key, value in asked(server, []).items() if key[0] in "an"}
        )
    assert len(server.bodies) == len(receipts) == 3 and old == []
    for body in server.bodies:
        assert faults(body["messages"]) == []
        within(body, "openai", BUDGET)


def test_a_synchronous_call_without_completion_is_reported(caplog):
    litellm.callbacks = [callback(budget=BUDGET)]
    with provider() as server:
        litellm.completion(**asked(server, broken()))
        assert any("sent as it is" in said for said in caplog.messages)
        caplog.clear()
        completion(budget=BUDGET)(**asked(server, broken()))
        asyncio.run(litellm.acompletion(**asked(server, broken())))
    assert not any("sent as it is" in said for said in caplog.messages)
    assert [bool(faults(body["messages"])) for body in server.bodies] == [True, False, False]


def test_a_switch_of_model():
    """Blocks that Claude left among the messages, for a model of OpenAI's and for one of an unknown server."""
    search = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    said = {"role": "assistant", "content": [search, {"type": "text", "text": "Well."}], "reasoning_content": "hm"}
    given = [{"role": "user", "content": [{"type": "text", "text": "TASK"}, image]}, said, valid()[5]]
    lost = []
    complete = completion(on_receipt=lost.append)
    with provider() as server:
        complete(**asked(server, given))
        complete(**asked(server, given, model="openai/gpt-4o", api_base=f"{server.url}/v1"))
        completion(target="openai", on_receipt=lost.append)(**asked(server, given))
    for body in server.bodies:
        assert [part["type"] for part in body["messages"][0]["content"]] == ["text", "image_url"]
        assert "srvtoolu" not in str(body)
    assert [[loss.code for loss in losses] for losses in lost] == [["opaque"], ["opaque"], ["opaque", "reasoning"]]
    assert given[1] == said
