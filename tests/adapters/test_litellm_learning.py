"""LiteLLM's completion learns what a server of OpenAI's format refuses. Its callback says that it does not."""

import pytest
import turnwire as tw
from needs import framework
from strict_servers import FAMILIES, Rule, Server, client

litellm = framework("litellm", "litellm")
from turnwire.adapters.litellm import callback, completion  # noqa: E402

ASKED = {"role": "user", "content": "Hello"}
BODY = [ASKED, {"role": "user", "content": "And now?"}]
ALTERNATES = FAMILIES["perplexity"].rules[0]


def complete(server: Server, made, **more):
    more = {"messages": BODY, **more}
    return made(model="openai/m", api_base="https://vllm.example/v1", client=client("openai", server), **more)


@pytest.mark.parametrize("stream", [False, True])
def test_it_learns_a_rule_with_one_more_request(stream):
    server, lessons = Server((ALTERNATES,)), []
    made = completion(target="openai:compatible", learn=True, on_learn=lessons.append)
    for count in (2, 3):
        reply = complete(server, made, stream=stream)
        if stream:
            assert "".join(chunk.choices[0].delta.content or "" for chunk in reply) == "done"
        else:
            assert reply.choices[0].message.content == "done"
        assert len(server.bodies) == count
    assert [len(body["messages"]) for body in server.bodies] == [2, 1, 1]
    assert [one.column for one in lessons] == ["alternates"]


def test_it_leaves_out_a_key_that_the_server_refuses():
    server = Server((Rule("Unknown parameter: 'seed'.", lambda body: "seed" in body),))
    made = completion(target="openai:compatible", learn=True)
    complete(server, made, messages=[ASKED], seed=1, temperature=0.5)
    assert ["seed" in body for body in server.bodies] == [True, False]
    assert [body["temperature"] for body in server.bodies] == [0.5, 0.5]


def test_by_default_the_exception_says_what_would_have_helped():
    server = Server((ALTERNATES,))
    with pytest.raises(litellm.BadRequestError) as raised:
        complete(server, completion(target="openai:compatible"))
    assert "alternates=True" in raised.value.__notes__[0] and len(server.bodies) == 1


def test_a_callback_cannot_send_again():
    with pytest.raises(tw.TurnwireError, match="expected no learn"):
        callback(learn=True)
