"""Requests that are broken in many ways, as they leave the wrapped client of Anthropic."""

import pytest
from generator import told
from needs import framework
from proof import SEEDS, prove
from provider import provider
from spelled import anthropic as spelled

anthropic = framework("anthropic", "anthropic")
from turnwire.adapters.anthropic import wrap  # noqa: E402


@pytest.fixture(scope="module")
def server():
    with provider() as running:
        running.script *= len(SEEDS)
        yield running


@pytest.mark.parametrize("seed", SEEDS)
def test_messages(seed, server):
    one = told(seed)
    given = spelled(one.closed())

    def send(messages, **settings):
        with anthropic.Anthropic(api_key="none", base_url=server.url, max_retries=0) as client:
            made = wrap(client, wording={"opening": "(begin)"}, **settings)
            made.messages.create(model="claude-haiku-4-5", max_tokens=9, messages=messages)
        body = server.bodies.pop()
        sent.update({key: body[key] for key in ("system", "messages") if key in body})
        return body["messages"]

    def handed(messages):
        # A system message is written to a key of its own, which counts as no change.
        system = sent.get("system", ())
        texts = [system] if isinstance(system, str) else [block["text"] for block in system]
        return [*({"role": "system", "content": text} for text in texts), *messages]

    sent: dict[str, object] = {}
    prove(one, given, send, lambda messages: sent, lambda messages: sent, "anthropic", objects=False, handed=handed)
