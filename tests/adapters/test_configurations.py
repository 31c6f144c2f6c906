"""Random walks over the configurations of the wrapped clients: each fault is named once, and nothing of healthy steps.

A walk is one conversation. It has one class of client, wrapped once or twice, with options that must not change what
is reported. At each step it grows, breaks or not, and is sent in another way. The servers are strict.
"""

import asyncio
import importlib.util
import os
import random
from collections import Counter

import oracle
import pydantic
import pytest
from agents_of import LOOK, PARAMETERS
from generator import Told
from needs import framework
from proof import judged, refused
from provider import Handler, Step, provider
from spelled import anthropic as messages_of
from spelled import openai as chat_of
from spelled import responses as items_of
from test_client_kinds import CHAT, CLAUDE, clients, copy_of, made, waited
from turnwire import Budget
from turnwire.adapters import _hosts

if os.environ.get("TURNWIRE_ADAPTERS") == "adapters-newest-more":
    pytest.skip("adapters-newest has the same versions", allow_module_level=True)
anthropic = framework("anthropic", "anthropic")
openai = framework("openai", "openai")
from turnwire.adapters import anthropic as claude  # noqa: E402
from turnwire.adapters import openai as chat  # noqa: E402

WALKS, STEPS = int(os.environ.get("TURNWIRE_SEEDS", "6")), 12
SAID = '{"seen": true}'


class Seen(pydantic.BaseModel):
    """What structured output is parsed as."""

    seen: bool


class Strict(Handler):
    """Refuses what the provider refuses. Bedrock and Vertex AI have the model in the path."""

    def send_response(self, code, message=None):
        body = {"model": "m", **self.server.bodies[-1]}
        body.pop("anthropic_version", None)
        wrong = refused(self.server.dialect, body)
        self.server.wrong += wrong
        super().send_response(400 if wrong else code, message)


def text_of(reply):
    """The text of a whole reply of any of the three kinds."""
    if hasattr(reply, "output_text"):
        return reply.output_text
    if hasattr(reply, "choices"):
        return reply.choices[0].message.content
    return reply.content[0].text


async def whole_of(manager, name):
    """What a helper that streams has at the end."""
    if hasattr(manager, "__aenter__"):
        async with manager as stream:
            return await getattr(stream, name)()
    with manager as stream:
        return getattr(stream, name)()


async def events_of(stream):
    stream = await waited(stream)
    return [event async for event in stream] if hasattr(stream, "__aiter__") else list(stream)


async def raw_of(manager):
    """The bytes of a reply that is streamed raw."""
    if hasattr(manager, "__aenter__"):
        async with manager as response:
            return await response.read()
    with manager as response:
        return response.read()


class Endpoint:
    """A resource of a client, and its ways to send."""

    def __init__(self, module, adapter, settings, dialect, spelled, asked, final):
        self.module, self.adapter, self.settings, self.dialect = module, adapter, settings, dialect
        self.spelled, self.asked, self.final = spelled, asked, final

    def client(self, dice, server):
        """A client of any of the SDK's classes, and whether it is asynchronous."""
        name = dice.choice(clients(self.module))
        path = "" if self.dialect == "anthropic" else "/v1"
        return dice.choice(made(self.module, self.settings, name, server, path)), "Async" in name

    async def send(self, way, client, body):
        resource, format_key = self.resource(client)
        if way == "create":
            assert text_of(await waited(resource.create(**body))) == SAID
        elif way == "streamed":
            assert len(await events_of(resource.create(**body, stream=True))) > 1
        elif way == "helper":
            assert text_of(await whole_of(resource.stream(**body), self.final)) == SAID
        elif way == "parsed":
            if hasattr(resource, "parse"):
                assert text_of(await waited(resource.parse(**body, **{format_key: Seen}))) == SAID
            else:
                await waited(resource.create(**body))
        elif way == "raw":
            raw = await waited(resource.with_raw_response.create(**body))
            assert text_of(await waited(raw.parse())) == SAID
        elif way == "raw stream":
            assert b"seen" in await raw_of(resource.with_streaming_response.create(**body))
        elif way == "copy":
            await self.send("create", copy_of(client), body)
        else:
            assert way == "thread"
            await asyncio.to_thread(asyncio.run, self.send("create", copy_of(client), body))

    def resource(self, client):
        if self.dialect == "anthropic":
            return client.messages, "output_format"
        return (
            (client.responses, "text_format")
            if self.dialect.endswith("responses")
            else (
                client.chat.completions,
                "response_format",
            )
        )


class Contents(Endpoint):
    """The same of Google's client, which has its `aio` beside."""

    def __init__(self):
        self.dialect, self.spelled = "gemini", lambda one: {"contents": self.contents(one)}
        self.asked = {"model": "gemini-3-pro", "config": {"tools": [{"function_declarations": [LOOK]}]}}

    def contents(self, one):
        from contents import spelled

        return spelled(one)

    @property
    def adapter(self):
        from turnwire.adapters import google_genai

        return google_genai

    def client(self, dice, server):
        from google.genai import Client
        from google.genai.types import HttpOptions

        kind = dice.choice([Client, type("Client", (Client,), {})])
        options = HttpOptions(base_url=server.url, api_version="v1")
        return kind(api_key="none", vertexai=dice.random() < 0.3, http_options=options), False

    async def send(self, way, client, body):
        resource = client.aio.models if way in ("helper", "raw", "raw stream") else client.models
        if way.endswith("stream") or way == "streamed":
            reply = await waited(resource.generate_content_stream(**body))
            assert "".join([chunk.text or "" for chunk in await events_of(reply)]) == SAID
        elif way == "thread":
            assert (await asyncio.to_thread(resource.generate_content, **body)).text == SAID
        else:
            assert (await waited(resource.generate_content(**body))).text == SAID


WAYS = ("create", "streamed", "helper", "parsed", "raw", "raw stream", "copy", "thread")
STRICT = {**LOOK, "strict": True, "parameters": {**PARAMETERS, "required": ["q"], "additionalProperties": False}}
CLAUDE_TOOL = {"name": "look", "description": "Looks.", "input_schema": PARAMETERS}
ENDPOINTS = {
    "messages": Endpoint(
        anthropic,
        claude,
        CLAUDE,
        "anthropic",
        lambda one: {"messages": messages_of(one)},
        {"model": "claude-opus-4-8", "max_tokens": 99, "tools": [CLAUDE_TOOL]},
        "get_final_message",
    ),
    "chat": Endpoint(
        openai,
        chat,
        CHAT,
        "openai",
        lambda one: {"messages": chat_of(one)},
        {"model": "gpt-5", "tools": [{"type": "function", "function": STRICT}]},
        "get_final_completion",
    ),
    "responses": Endpoint(
        openai,
        chat,
        CHAT,
        "openai-responses",
        lambda one: {"input": items_of(one)},
        {"model": "gpt-5", "tools": [{"type": "function", **STRICT}]},
        "get_final_response",
    ),
}
if importlib.util.find_spec("google") and importlib.util.find_spec("google.genai"):
    ENDPOINTS["contents"] = Contents()


async def never(gone):
    raise AssertionError("the budget is large")


def options(dice, converts):
    """Options that report nothing else, and change nothing of what is sent."""
    some = {"budget": 10**6} if dice.random() < 0.5 else {}
    if dice.random() < 0.3:
        some["on_error"] = "log"
    if dice.random() < 0.3:
        some["pinned"] = [0, 99]
    if converts and dice.random() < 0.3:
        some["settings"] = "convert"
    return some


def wrapped(endpoint, client, dice, heard):
    """A client that is wrapped, and perhaps by another wrapper before."""
    converts = endpoint.dialect != "gemini"
    some = options(dice, converts)
    limit, asks = some.pop("budget", None), {}
    if limit is not None and "Async" in type(client).__name__ and dice.random() < 0.5:
        asks["summarise"] = never
    if dice.random() < 0.3:
        # What the outer one has repaired is nothing to the inner one, which is not heard.
        client = endpoint.adapter.wrap(client, **{**options(dice, converts), "on_receipt": silent})
    return endpoint.adapter.wrap(client, Budget(limit, per_result=oracle.CAP, **asks), **some, **heard.settings)


def silent(told):
    assert not told, told


@pytest.mark.parametrize("seed", range(WALKS))
@pytest.mark.parametrize("name", ENDPOINTS)
def test_each_fault_is_named_once(name, seed, monkeypatch):
    monkeypatch.setitem(_hosts._HOSTS, "127.0.0.1", "openai")
    judged(ENDPOINTS[name].dialect)
    endpoint, dice = ENDPOINTS[name], random.Random(f"walk {name} {seed}")
    heard = oracle.Heard(monkeypatch)
    one = Told(dice, [{"role": "user", "content": "TASK"}])
    kinds = dice.sample([*oracle.FAULTS] * 2, 2 * len(oracle.FAULTS))
    planted, wrong = Counter(), []
    with provider(*[Step(SAID)] * STEPS) as server:
        server.RequestHandlerClass, server.dialect, server.wrong = Strict, endpoint.dialect, []
        plain, waits = endpoint.client(dice, server)
        client = wrapped(endpoint, plain, dice, heard)
        for step in range(STEPS):
            plant = kinds.pop() if step > 1 and step % 2 else oracle.healthy
            faults = plant(one, step)
            # A call that is renamed is not what Gemini signed.
            loses = endpoint.dialect == "gemini" and any(fault.name == "same id" for fault in faults)
            faults = [fault for fault in faults if loses or not fault.is_loss]
            planted += Counter(fault.name for fault in faults)
            way = dice.choice(WAYS)
            if waits and way == "thread":
                way = "create"
            before = len(heard.requests)
            given = endpoint.spelled(Told(oracle.Together(), one.messages))
            asyncio.run(endpoint.send(way, client, {**endpoint.asked, **given}))
            wrong += [
                f"{type(plain).__name__} {way} {step}: {line}" for line in oracle.named(heard.requests[before], faults)
            ]
    assert not wrong, "\n".join(wrong)
    assert server.wrong == [] and len(server.bodies) == STEPS and sum(planted.values()) >= STEPS // 2 - 1
