"""LangChain's middleware learns what a server of Chat Completions refuses."""

import asyncio

import pytest
import turnwire as tw
from needs import framework
from strict_servers import FAMILIES, Rule, Server, client

framework("langchain", "langchain")
framework("openai", "langchain_openai")
from langchain.agents import create_agent  # noqa: E402
from langchain_core.messages import AIMessage, HumanMessage  # noqa: E402
from langchain_openai import ChatOpenAI  # noqa: E402
from turnwire.adapters.langchain import middleware  # noqa: E402

NEIGHBOURS = [HumanMessage("Hello"), HumanMessage("And now?")]


def agent(server: Server, **options):
    made, later = client("openai", server), client("openai", server, awaits=True)
    model = ChatOpenAI(model="m", api_key="none", base_url="https://vllm.example/v1")
    model.client, model.async_client = made.chat.completions, later.chat.completions
    model.root_client, model.root_async_client = made, later
    return create_agent(model, [], middleware=[middleware(**options)])


@pytest.mark.parametrize("awaits", [False, True])
def test_an_agent_learns_a_rule_with_one_more_request(awaits):
    server, lessons = Server((FAMILIES["template"].rules[2],)), []
    made = agent(server, target="openai:compatible", learn=True, on_learn=lessons.append)
    for count in (2, 3):
        asked = {"messages": NEIGHBOURS}
        state = asyncio.run(made.ainvoke(asked)) if awaits else made.invoke(asked)
        assert state["messages"][-1].content == "done"
        assert len(server.bodies) == count
        # The agent's own list does not change.
        assert [message.content for message in state["messages"][:2]] == ["Hello", "And now?"]
    assert [len(body["messages"]) for body in server.bodies] == [2, 1, 1]
    assert [one.column for one in lessons] == ["alternates"]


def test_by_default_the_exception_says_what_would_have_helped():
    server = Server((FAMILIES["template"].rules[2],))
    with pytest.raises(Exception, match="must alternate") as raised:
        agent(server, target="openai:compatible").invoke({"messages": NEIGHBOURS})
    assert any("alternates=True" in note for note in raised.value.__notes__) and len(server.bodies) == 1


def test_what_the_messages_do_not_have_is_not_learned():
    server = Server((Rule("Conversation roles must alternate user/assistant/...", lambda body: True),))
    asked = {"messages": [HumanMessage("Hello"), AIMessage("Hi."), HumanMessage("And now?")]}
    with pytest.raises(Exception, match="must alternate"):
        agent(server, target="openai:compatible", learn=True).invoke(asked)
    assert len(server.bodies) == 1


def test_a_wrong_value_is_refused():
    with pytest.raises(tw.TurnwireError, match="as learn, got"):
        middleware(learn="always")
