"""Messages of Strands' agents that are broken in many ways."""

from dataclasses import fields

import pytest
from generator import told
from needs import framework
from proof import SEEDS, prove
from spelled import bedrock

framework("strands", "strands-agents")
from strands.middleware import InvokeModelContext  # noqa: E402
from turnwire.adapters.strands import middleware  # noqa: E402


def send(messages, **settings):
    beside = {field.name: None for field in fields(InvokeModelContext)}
    context = InvokeModelContext(**{**beside, "messages": messages, "tool_specs": []})
    return middleware(wording={"opening": "(begin)"}, model="claude-haiku-4-5", **settings)(context).messages


@pytest.mark.parametrize("seed", SEEDS)
def test_what_reaches_the_model(seed):
    one = told(seed).closed()
    # Strands keeps system text outside the messages.
    one.messages = [message for message in one.messages if message["role"] != "system"]
    prove(one, bedrock(one), send, lambda sent: sent, lambda sent: {"messages": sent}, "bedrock")
