"""Inputs of the OpenAI Agents SDK that are broken in many ways."""

import pytest
from generator import told
from needs import framework
from proof import SEEDS, prove
from spelled import responses

framework("agents", "openai-agents")
from agents import Agent  # noqa: E402
from agents.run import CallModelData, ModelInputData  # noqa: E402
from turnwire.adapters.openai_agents import input_filter  # noqa: E402


def send(items, **settings):
    data = CallModelData(ModelInputData(items, None), Agent(name="a"), None)
    return input_filter(**settings)(data).input


@pytest.mark.parametrize("seed", SEEDS)
def test_what_reaches_the_model(seed):
    one = told(seed)
    if not any(message["role"] == "assistant" for message in one.messages):
        # Results alone would be the new items for a server that holds the rest.
        one.messages.insert(0, {"role": "assistant", "content": one.text()})
    prove(one, responses(one), send, lambda sent: sent, lambda sent: {"input": sent}, "openai-responses")
