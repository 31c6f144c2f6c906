"""Every class of client that the SDKs of OpenAI and Anthropic have: each way to send it is prepared."""

import asyncio
import inspect

import pytest
from histories import broken as broken_chat
from needs import framework
from provider import provider, within

anthropic = framework("anthropic", "anthropic")
openai = framework("openai", "openai")
from test_anthropic import ask  # noqa: E402
from turnwire.adapters import anthropic as claude  # noqa: E402
from turnwire.adapters import openai as chat  # noqa: E402

BUDGET = 60_000
KEY = {"api_key": "none", "max_retries": 0}
AWS = {"aws_access_key": "x", "aws_secret_key": "x", "aws_region": "us-east-1", "max_retries": 0}
VERTEX = {"region": "us-east5", "project_id": "p", "access_token": "none", "max_retries": 0}
# What each class of client is made with, beside its address.
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
    kinds = [one for name, one in [*vars(module).items()] if name[0] != "_" and inspect.isclass(one)]
    return sorted({kind.__name__ for kind in kinds if issubclass(kind, base)})


def made(module, settings, name, server, path=""):
    """A client of a class, and one of a subclass of somebody's own."""
    kind = getattr(module, name)
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
