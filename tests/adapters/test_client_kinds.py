"""Every class of client that the SDKs of OpenAI and Anthropic have: each way to send it is prepared."""

import asyncio
import inspect
import os

import pytest
from histories import broken as broken_chat
from needs import framework
from provider import Handler, provider, within

if os.environ.get("TURNWIRE_ADAPTERS") == "adapters-newest-more":
    pytest.skip("adapters-newest has the same versions", allow_module_level=True)
anthropic = framework("anthropic", "anthropic")
openai = framework("openai", "openai")
from test_anthropic import ask  # noqa: E402
from turnwire import Budget  # noqa: E402
from turnwire.adapters import anthropic as claude  # noqa: E402
from turnwire.adapters import openai as chat  # noqa: E402

BUDGET = 60_000
KEY = {"api_key": "none", "max_retries": 0}
AWS = {"aws_access_key": "x", "aws_secret_key": "x", "aws_region": "us-east-1", "max_retries": 0}
VERTEX = {"region": "us-east5", "project_id": "p", "access_token": "none", "max_retries": 0}
# The arguments of each class of client, beside its address.
CLAUDE = {
    "Anthropic": KEY,
    "AnthropicBedrock": AWS,
    "AnthropicVertex": VERTEX,
    "AnthropicFoundry": KEY,
    "AnthropicBedrockMantle": {**KEY, "aws_region": "us-east-1"},
    "AnthropicAWS": {**KEY, "aws_region": "us-east-1", "workspace_id": "w"},
    "AnthropicGoogleCloud": {"skip_auth": True, "project": "p", "location": "us", "max_retries": 0},
}
CHAT = {
    "OpenAI": KEY,
    "AzureOpenAI": {**KEY, "api_version": "2025-01-01"},
    "BedrockOpenAI": KEY,
}


def clients(module):
    """The names of the classes of client that an SDK has, synchronous and not."""
    base = module.OpenAI if module is openai else module.Anthropic
    base = next(kind for kind in base.__mro__ if kind.__name__ == "BaseClient")
    # By its type: a resource of the module stands for one of a client, which `isclass` would make.
    kinds = [one for name, one in [*vars(module).items()] if name[0] != "_" and issubclass(type(one), type)]
    return sorted({kind.__name__ for kind in kinds if issubclass(kind, base)})


def made(module, settings, name, server, path=""):
    """A client of a class, and one of a caller's own subclass."""
    kind = getattr(module, name)
    if name.endswith("AnthropicBedrock"):
        pytest.importorskip("botocore", reason="boto3 is not installed: make adapters")
    mine = type(name, (kind,), {})
    more = settings[name.removeprefix("Async")]
    address = {"azure_endpoint": server.url} if "Azure" in name else {"base_url": server.url + path}
    return [one(**more, **address) for one in (kind, mine)]


async def waited(value):
    return await value if inspect.isawaitable(value) else value


def copy_of(client):
    """A copy of a client, where its SDK can make one: Foundry's first version could not."""
    try:
        return client.with_options(timeout=9).copy(max_retries=0)
    except TypeError as error:
        assert "auth_token" in str(error) and anthropic.__version__ < "0.76"
        return client


async def text_of(stream):
    if hasattr(stream, "__aenter__"):
        async with stream as events:
            return "".join([piece async for piece in events.text_stream])
    with stream as events:
        return "".join(events.text_stream)


async def by_claude(client):
    """The replies of each way to send."""
    one = await waited(client.messages.create(**ask()))
    raw = await waited(client.messages.with_raw_response.create(**ask()))
    other = await waited(client.beta.messages.create(**ask()))
    copied = await waited(copy_of(client).messages.create(**ask()))
    replies = [one, await waited(raw.parse()), other, copied]
    return [reply.content[0].text for reply in replies] + [await text_of(client.messages.stream(**ask()))]


@pytest.mark.parametrize("name", clients(anthropic))
def test_clients_of_anthropic(name):
    with provider() as server:
        for client in made(anthropic, CLAUDE, name, server):
            # What is made by now, or by the client itself, sends by it and not by the wrapped one.
            assert client.messages and client.beta.messages
            assert asyncio.run(by_claude(claude.wrap(client, BUDGET))) == ["done"] * 5
    assert len(server.bodies) == 10
    for body in server.bodies:
        within({"model": "m", **body}, "anthropic", BUDGET)


async def by_openai(client):
    """The replies of each way to send."""
    asked = {"model": "gpt-5", "messages": broken_chat()}
    one = await waited(client.chat.completions.create(**asked))
    raw = await waited(client.chat.completions.with_raw_response.create(**asked))
    copied = await waited(copy_of(client).chat.completions.create(**asked))
    stream = await waited(client.chat.completions.create(**asked, stream=True))
    chunks = [chunk async for chunk in stream] if hasattr(stream, "__aiter__") else list(stream)
    pieces = [choice.delta.content or "" for chunk in chunks for choice in chunk.choices]
    return [reply.choices[0].message.content for reply in (one, raw.parse(), copied)] + ["".join(pieces)]


@pytest.mark.parametrize("name", clients(openai))
def test_clients_of_openai(name):
    with provider() as server:
        for client in made(openai, CHAT, name, server, "/v1"):
            assert client.chat.completions and client.with_raw_response
            assert asyncio.run(by_openai(chat.wrap(client, BUDGET))) == ["done"] * 4
    assert len(server.bodies) == 8
    for body in server.bodies:
        within(body, "openai", BUDGET)


def long(steps=30):
    """A loop of tools, and a result that no call asked for."""
    out = [{"role": "user", "content": "TASK"}, {"role": "user", "content": [seen("toolu_9")]}]
    for at in range(steps):
        use = {"type": "tool_use", "id": f"toolu_1{at}", "name": "look", "input": {"q": "x" * 100}}
        out += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [seen(f"toolu_1{at}")]}]
    return out


def seen(ident):
    return {"type": "tool_result", "tool_use_id": ident, "content": "r" * 200}


async def told(gone):
    return f"{len(gone)} went."


@pytest.mark.parametrize("kind", [list, iter, tuple])
def test_what_waits_for_a_summary_is_prepared_once(kind):
    """The second of two wrappers builds twice, from a list that can be read only once; the first reports once."""
    first, second = [], []
    with provider() as server:
        plain = anthropic.AsyncAnthropic(api_key="none", base_url=server.url, max_retries=0)
        inner = claude.wrap(plain, Budget(3_000, summarise=told), on_receipt=second.append)
        made = claude.wrap(inner, on_receipt=first.append)
        asyncio.run(made.messages.create(**ask(messages=kind(long()))))
    within(server.bodies[0], "anthropic", 3_000)
    assert "went." in str(server.bodies[0])
    assert [[entry.code for entry in receipt] for receipt in first] == [["orphan_result"]]
    assert ["compressed" in {entry.code for entry in receipt} for receipt in second] == [True]


class Heads(Handler):
    """Keeps the headers, too."""

    def do_POST(self):
        self.server.heads.append(self.headers["anthropic-beta"])
        super().do_POST()


def test_headers_that_a_body_needs_are_added_to_those_of_the_client():
    tools = [{"name": name, "input_schema": {"type": "object", "properties": {}}} for name in ("look", "find")]
    talk = [{"role": "user", "content": "TASK"}, {"role": "assistant", "content": "Well."}]
    asked = {"model": "claude-opus-4-8", "max_tokens": 9}
    with provider() as server:
        server.RequestHandlerClass, server.heads = Heads, []
        client = anthropic.Anthropic(**KEY, base_url=server.url, default_headers={"Anthropic-Beta": "mine"})
        made = claude.wrap(client, ledger=True)
        made.messages.create(**asked, tools=tools[:1], messages=talk[:1])
        made.messages.create(**asked, tools=tools, messages=[*talk, talk[0]])
        made.messages.create(**asked, tools=tools, messages=[*talk, talk[0]], extra_headers={"Anthropic-Beta": "my"})
    assert server.heads[0] == "mine"
    (need,) = {*server.heads[1].split(",")} - {"mine"}
    assert server.heads[1:] == [f"mine,{need}", f"my,{need}"]


@pytest.mark.parametrize("path", ["/chat/completions", "chat/completions", "/chat/completions/?api-version=1"])
def test_a_path_by_hand(path):
    with provider() as server:
        made = chat.wrap(openai.OpenAI(**KEY, base_url=f"{server.url}/v1"), BUDGET)
        made.post(path, body={"model": "m", "messages": broken_chat()}, cast_to=object)
    within(server.bodies[0], "openai", BUDGET)
