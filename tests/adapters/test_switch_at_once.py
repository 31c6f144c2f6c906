"""Fifty conversations at once through one callback of LiteLLM, half of them streamed, with a switch of provider."""

import asyncio
import json
import os
from contextvars import ContextVar

from generator import told, without_other_arguments
from needs import framework
from proof import refused, words
from provider import Step, provider
from spelled import openai

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
litellm = framework("litellm", "litellm")
from litellm.types.utils import CallTypes  # noqa: E402
from turnwire.adapters import _hosts  # noqa: E402
from turnwire.adapters.litellm import callback  # noqa: E402

MANY, STEPS = 50, 6
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}


def search(number):
    """What Claude leaves among the messages: a search that its provider ran."""
    block = {"type": "server_tool_use", "id": f"srvtoolu_{number}", "name": "web_search", "input": {"query": "x"}}
    return {"role": "assistant", "content": [block, {"type": "text", "text": f"Searched in {number}."}]}


def test_each_conversation_is_whole_and_hears_its_own(monkeypatch):
    current: ContextVar[int] = ContextVar("current")
    receipts = {number: [] for number in range(MANY)}
    made = callback(on_receipt=lambda receipt: receipts[current.get()].append(receipt))
    monkeypatch.setattr(litellm, "callbacks", [made])
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    script = [Step(calls=((f"call_new_{number}", "look", {"q": "x"}),)) for number in range(MANY * STEPS)]

    async def talk(number, servers):
        current.set(number)
        one = told(f"at once {number}")
        without_other_arguments(one)
        messages = [{"role": "user", "content": f"TASK {number}"}, *openai(one.closed())]
        for step in range(STEPS):
            switched = step >= STEPS // 2
            if step == STEPS // 2:
                messages += [search(number), {"role": "user", "content": f"Go on in {number}."}]
            model = "openai/gpt-4o" if switched else "anthropic/claude-opus-4-8"
            base = f"{servers[0].url}/v1" if switched else servers[1].url
            asked = {"model": model, "messages": messages, "tools": [TOOL], "api_base": base, "api_key": "none"}
            reply = await litellm.acompletion(**asked, max_tokens=9, num_retries=0, stream=number % 2 == 1)
            if number % 2:
                reply = litellm.stream_chunk_builder([chunk async for chunk in reply], messages=messages)
            messages.append(reply.choices[0].message)
            ids = [call.id for call in messages[-1].tool_calls or ()]
            messages += [{"role": "tool", "tool_call_id": id, "content": f"of {number}"} for id in ids]

    async def all_of_them(servers):
        await asyncio.gather(*(talk(number, servers) for number in range(MANY)))

    with provider(*script) as chat, provider(*script) as claude:
        asyncio.run(all_of_them((chat, claude)))
    assert len(chat.bodies) == len(claude.bodies) == MANY * STEPS // 2
    for body in claude.bodies:
        assert refused("anthropic", body) == []
    own = {}
    for body in chat.bodies:
        assert refused("openai", body) == []
        assert "srvtoolu" not in json.dumps(body)
        # A text of one conversation is in no request of another.
        number = json.dumps(body).split("Searched in ")[1].split(".")[0]
        assert json.dumps(body).count("Searched in") == 1 and f"Go on in {number}." in json.dumps(body)
        own.setdefault(number, []).append({*words(body)})
    assert len(own) == MANY and all(len(seen) == STEPS // 2 for seen in own.values())
    for number in range(MANY):
        # The search is lost once. LiteLLM writes into the messages that it is given, so a change may be reported again.
        assert [change.code for receipt in receipts[number] for change in receipt].count("opaque") == 1
        assert len(receipts[number]) <= STEPS
    # The first reports of a conversation are the faults of its first request, and of no other conversation.
    firsts = {number: {str(change) for change in told_of[0]} for number, told_of in receipts.items() if told_of}
    for number, changes in firsts.items():
        one = told(f"at once {number}")
        without_other_arguments(one)
        messages = [{"role": "user", "content": f"TASK {number}"}, *openai(one.closed())]
        alone = []
        kwargs = {"model": "anthropic/claude-opus-4-8", "messages": messages, "tools": [TOOL]}
        asyncio.run(callback(on_receipt=alone.append).async_pre_call_deployment_hook(kwargs, CallTypes.acompletion))
        assert not alone or changes == {str(change) for change in alone[0]}
