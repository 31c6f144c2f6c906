"""Messages that are broken in many ways, as LiteLLM writes them for providers."""

import os

import pytest
from generator import told, without_other_arguments
from needs import framework
from proof import SEEDS, prove
from provider import provider
from spelled import openai as spelled

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
litellm = framework("litellm", "litellm")
from turnwire.adapters.litellm import completion  # noqa: E402

litellm.suppress_debug_info = True
TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}}
    for name in ("look", "find")
]


@pytest.fixture(scope="module")
def server():
    with provider() as running:
        running.script *= len(SEEDS)
        yield running


@pytest.fixture
def handed(monkeypatch):
    """The messages that LiteLLM got last."""
    last, completion = [], litellm.completion

    def listening(**asked):
        last[:] = asked["messages"]
        return completion(**asked)

    monkeypatch.setattr(litellm, "completion", listening)
    return lambda body: last


def send(server, model, url, **options):
    def sent(messages, **settings):
        complete = completion(**options, **settings)
        complete(model=model, messages=messages, tools=TOOLS, api_key="none", api_base=url, max_retries=0)
        body = server.bodies.pop()
        return {key: body[key] for key in ("system", "messages", "tools") if key in body}

    return sent


@pytest.mark.parametrize("seed", SEEDS)
def test_what_reaches_openai(seed, server, handed):
    one = told(seed)
    for message in one.messages:
        message.pop("thinking", None)
    sent = send(server, "openai/gpt-4o", f"{server.url}/v1")
    prove(one, spelled(one), sent, lambda body: body, lambda body: body, "openai", objects=False, handed=handed)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_reaches_anthropic(seed, server, handed):
    one = told(seed)
    given = spelled(one.closed())
    without_other_arguments(one)
    sent = send(server, "anthropic/claude-opus-4-8", server.url, target="anthropic", wording={"opening": "(begin)"})
    prove(
        one, given, sent, lambda body: body, lambda body: body, "anthropic", objects=False, handed=handed, media=False
    )
