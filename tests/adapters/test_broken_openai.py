"""Requests that are broken in many ways, as they leave the wrapped client of OpenAI."""

import pytest
from generator import told
from needs import framework
from proof import SEEDS, prove
from provider import provider
from spelled import openai as spelled
from spelled import responses

openai = framework("openai", "openai")
from turnwire.adapters.openai import wrap  # noqa: E402


@pytest.fixture(scope="module")
def server():
    with provider() as running:
        running.script *= len(SEEDS)
        yield running


@pytest.fixture(scope="module")
def client(server):
    with openai.OpenAI(api_key="none", base_url=f"{server.url}/v1", max_retries=0) as made:
        yield made


def send(server, post):
    def sent(messages, **settings):
        post(settings, messages)
        body = server.bodies.pop()
        return body["input"] if "input" in body else body["messages"]

    return sent


@pytest.mark.parametrize("seed", SEEDS)
def test_chat_completions(seed, server, client):
    one = told(seed)
    for message in one.messages:
        message.pop("thinking", None)

    def post(settings, messages):
        wrap(client, **settings).chat.completions.create(model="m", messages=messages)

    prove(
        one,
        spelled(one),
        send(server, post),
        lambda sent: sent,
        lambda sent: {"messages": sent},
        "openai",
        objects=False,
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_responses(seed, server, client):
    one = told(seed)

    def post(settings, items):
        wrap(client, **settings).responses.create(model="m", input=items)

    prove(
        one,
        responses(one),
        send(server, post),
        lambda sent: sent,
        lambda sent: {"input": sent},
        "openai-responses",
        objects=False,
    )
