"""Streamed calls of wrapped clients with a ledger: each request begins with all that the one before it was."""

import asyncio
from itertools import pairwise

import pytest
from loopback import Provider, Step
from needs import framework

anthropic = framework("anthropic", "anthropic")
openai = framework("openai", "openai")
from turnwire.adapters.anthropic import wrap as wrap_anthropic  # noqa: E402
from turnwire.adapters.openai import wrap as wrap_openai  # noqa: E402

STEPS = 20
NOTHING = {"type": "object", "properties": {}, "additionalProperties": False}
# Strict, because older clients stream only strict tools.
LOOK = {"name": "look", "description": "Looks.", "parameters": {**NOTHING, "required": []}, "strict": True}


def chat(client, said):
    return client.chat.completions.stream(model="m", messages=said, tools=[{"type": "function", "function": LOOK}])


def responses(client, said):
    return client.responses.stream(model="m", input=said, tools=[{"type": "function", **LOOK}], store=False)


def messages(client, said):
    tool = {"name": "look", "description": "Looks.", "input_schema": LOOK["parameters"]}
    return client.messages.stream(model="m", max_tokens=9, messages=said, tools=[tool])


def chat_results(reply):
    message = reply.choices[0].message
    return [message], [{"role": "tool", "tool_call_id": one.id, "content": "seen"} for one in message.tool_calls]


def responses_results(reply):
    calls = [one for one in reply.output if one.type == "function_call"]
    return reply.output, [{"type": "function_call_output", "call_id": one.call_id, "output": "seen"} for one in calls]


def messages_results(reply):
    calls = [one for one in reply.content if one.type == "tool_use"]
    results = [{"type": "tool_result", "tool_use_id": one.id, "content": "seen"} for one in calls]
    return [{"role": "assistant", "content": reply.content}], [{"role": "user", "content": results}]


KINDS = {
    "chat": (openai, "OpenAI", wrap_openai, chat, "get_final_completion", chat_results, "messages"),
    "responses": (openai, "OpenAI", wrap_openai, responses, "get_final_response", responses_results, "input"),
    "messages": (anthropic, "Anthropic", wrap_anthropic, messages, "get_final_message", messages_results, "messages"),
}


def client_of(kind, server, before=""):
    module, name, wrap = KINDS[kind][:3]
    url = server.url + ("/v1" if module is openai else "")
    return wrap(getattr(module, before + name)(api_key="none", base_url=url, max_retries=0), ledger=True)


def goes_on(kind, said, reply, late, step):
    """The list as an agent keeps it: some results come late, after the user's next words."""
    made, results = KINDS[kind][5](reply)
    asked = {"role": "user", "content": f"And {step}?"}
    said += [*made, *late, *(results if step % 5 else ()), asked]
    return () if step % 5 else results


def script():
    return [Step(f"Step {step}. ", ((f"call_{step}", "look", {}),)) for step in range(STEPS)]


def pairs(kind, body):
    """The ids of the calls of a body, and those of its results."""
    calls, results = [], []
    for one in body[KINDS[kind][6]]:
        calls += [call["id"] for call in one.get("tool_calls") or ()]
        results += [one["tool_call_id"]] if one.get("role") == "tool" else []
        blocks = [one, *(one["content"] if isinstance(one.get("content"), list) else ())]
        calls += [block["id"] for block in blocks if block.get("type") == "tool_use"]
        calls += [block["call_id"] for block in blocks if block.get("type") == "function_call"]
        results += [block["tool_use_id"] for block in blocks if block.get("type") == "tool_result"]
        results += [block["call_id"] for block in blocks if block.get("type") == "function_call_output"]
    return calls, results


def judge(kind, server):
    bodies, key = server.bodies, KINDS[kind][6]
    assert len(bodies) == STEPS and all(body["stream"] for body in bodies)
    for before, after in pairwise(bodies):
        assert after[key][: len(before[key])] == before[key] and after["tools"] == before["tools"]
    for count, body in enumerate(bodies):
        calls, results = pairs(kind, body)
        # Every call has one result, in the order of the calls.
        assert calls == results and len(calls) == count


@pytest.mark.parametrize("kind", KINDS)
def test_streamed_calls(kind):
    said, late = [{"role": "user", "content": "TASK"}], ()
    with Provider(script()) as server:
        client = client_of(kind, server)
        for step in range(STEPS):
            with KINDS[kind][3](client, said[:]) as stream:
                list(stream)
                reply = getattr(stream, KINDS[kind][4])()
            late = goes_on(kind, said, reply, late, step)
    judge(kind, server)


@pytest.mark.parametrize("kind", KINDS)
def test_streamed_calls_of_asynchronous_clients(kind):
    async def run(server):
        said, late = [{"role": "user", "content": "TASK"}], ()
        client = client_of(kind, server, "Async")
        for step in range(STEPS):
            async with KINDS[kind][3](client, said[:]) as stream:
                async for _ in stream:
                    pass
                reply = await getattr(stream, KINDS[kind][4])()
            late = goes_on(kind, said, reply, late, step)

    with Provider(script()) as server:
        asyncio.run(run(server))
    judge(kind, server)
