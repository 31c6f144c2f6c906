"""Bodies of OpenAI's client with more fields than OpenAI knows, for servers that know them."""

import copy
import json

import httpx
import pytest
import turnwire as tw
from histories import calls, long, result, user
from needs import framework
from provider import provider, within
from turnwire.adapters._hosts import messages_at, responses_at, target_at

openai = framework("openai", "openai")
from turnwire.adapters.openai import wrap  # noqa: E402

CALL = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"q": 1}}
ANSWER = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a lake"}


def client(server, **settings):
    return wrap(openai.OpenAI(api_key="none", base_url=f"{server.url}/v1", max_retries=0), **settings)


def sent(body, **settings):
    """What the server gets of a body, and what was reported."""
    told = []
    with provider() as server, client(server, on_receipt=told.extend, **settings) as made:
        made.chat.completions.create(**body)
    warnings = [change for change in told if change.kind == "warning"]
    return server.bodies[0], warnings, [change for change in told if change.kind != "warning"]


def test_blocks_of_another_provider_in_a_body():
    """A list that a framework has mixed: OpenAI's messages with Anthropic's blocks inside."""
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    paper = {"type": "document", "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0="}}
    use = {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {"q": 1}}
    call = {"id": "toolu_1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}
    said = [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
        {"type": "text", "text": "I look."},
        use,
        {**use, "id": "toolu_2"},
    ]
    results = [
        {"type": "tool_result", "tool_use_id": "toolu_2", "content": "a tower"},
        {"type": "text", "text": "Go on."},
    ]
    body = {
        "model": "m",
        "messages": [
            user([{"type": "text", "text": "TASK"}, image, paper]),
            {"role": "assistant", "content": said, "tool_calls": [call]},
            result("toolu_1", "a lake"),
            {"role": "user", "content": results},
            {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "c2ln"}]},
            user("And now?"),
        ],
    }
    before = copy.deepcopy(body)
    got, _, losses = sent(body)
    assert body == before
    within(got, "openai", 10**6)
    shape = [
        (
            one["role"],
            [part["type"] for part in one["content"] or ()] if isinstance(one["content"], list) else one["content"],
        )
        for one in got["messages"]
    ]
    assert shape == [
        ("user", ["text", "image_url", "file"]),
        ("assistant", ["text"]),
        ("tool", "a lake"),
        ("tool", "a tower"),
        ("user", ["text"]),
        ("user", "And now?"),
    ]
    assert [call["id"] for call in got["messages"][1]["tool_calls"]] == ["toolu_1", "toolu_2"]
    assert [(loss.code, loss.path) for loss in losses] == [
        ("reasoning", "$.messages[1].content[0]"),
        ("opaque", "$.messages[1].content[1]"),
        ("opaque", "$.messages[1].content[2]"),
        ("reasoning", "$.messages[4].content[0]"),
    ]


def test_reasoning_and_strict_hold_for_the_blocks_of_another_provider():
    call = {"id": "toolu_1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
    search = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "lake"}}
    said = {"role": "assistant", "content": [thought, search], "tool_calls": [call]}
    body = {"model": "gpt-5", "messages": [user("x"), said, result("toolu_1", "a lake"), user("And now?")]}
    left, _, lost = sent(body, target="openai", reasoning="text")
    assert left["messages"][1]["content"] == [{"type": "text", "text": "Hm."}]
    assert {(loss.kind, loss.code, loss.path) for loss in lost} >= {
        ("restated", "reasoning", "$.messages[1].content[0]"),
        ("lost", "opaque", "$.messages[1].content[1]"),
    }
    with pytest.raises(tw.RenderError, match="cannot express this"):
        sent(body, target="openai", strict=True)


def test_a_body_that_is_all_of_another_provider():
    body = {"model": "m", "messages": [user("TASK"), {"role": "assistant", "content": [CALL]}, user([ANSWER])]}
    got, receipts, losses = sent(body)
    assert [message["role"] for message in got["messages"]] == ["user", "assistant", "tool"]
    assert not any(receipts) and losses == []


MARKED = {
    "model": "m",
    "messages": [
        user([{"type": "text", "text": "TASK", "cache_control": {"type": "ephemeral"}}]),
        {"role": "assistant", "content": "Well.", "reasoning_content": "hm", "their_own": 1},
        user("And now?"),
    ],
}


CLAUDE = {
    "model": "claude-opus-4-5",
    "system": [{"type": "text", "text": "Be brief."}],
    "messages": [
        user([{"type": "text", "text": "TASK"}]),
        {"role": "assistant", "content": [CALL]},
        user([ANSWER]),
    ],
    "max_tokens": 900,
    "stop_sequences": ["END"],
    "top_k": 4,
    "temperature": 0.5,
    "stream": True,
    "tools": [{"name": "look", "description": "Looks.", "input_schema": {"type": "object", "properties": {}}}],
    "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
}


def test_settings_of_another_provider_are_converted():
    told, body = [], copy.deepcopy(CLAUDE)
    settings = {"settings": {"defaults": {"store": False, "temperature": 1}}, "model": "gpt-5"}
    with provider() as server, client(server, target="openai", on_receipt=told.extend, **settings) as made:
        made.post("/chat/completions", body=body, cast_to=httpx.Response)
        # A body with only OpenAI's fields stays as it is, but for the model, what that refuses, and the defaults.
        made.chat.completions.create(model="gpt-4o", messages=[user("x")], temperature=0.1, extra_body={"foo": 1})
    sent, own = server.bodies
    assert body == CLAUDE
    assert sent["messages"][0] == {"role": "system", "content": "Be brief."}
    assert sent["messages"][2]["tool_calls"][0]["function"]["name"] == "look"
    assert (sent["model"], sent["stream"], sent["store"]) == ("gpt-5", True, False)
    assert (sent["tool_choice"], sent["parallel_tool_calls"]) == ("required", False)
    assert sent["max_completion_tokens"] == 900 and not {"max_tokens", "top_k", "stop_sequences", "stop"} & {*sent}
    # Fields that the model does not take are reported, too.
    assert {loss.path for loss in told} >= {"$.top_k", "$.temperature", "$.stop_sequences"}
    assert own == {"model": "gpt-5", "messages": [user("x")], "temperature": 1, "store": False, "foo": 1}


def test_settings_of_another_provider_stay_where_they_are_not_converted():
    with provider() as server, client(server, target="openai") as made:
        made.post("/chat/completions", body={**CLAUDE, "stream": False}, cast_to=httpx.Response)
    assert {"stop_sequences", "top_k", "max_tokens"} < {*server.bodies[0]}


def test_unknown_servers_lose_nothing():
    got, warnings, changes = sent(MARKED)
    assert got["messages"] == MARKED["messages"] and changes == []
    # Fields that they may refuse are reported, once.
    assert [warning.path.rpartition(".")[2] for warning in warnings] == ["cache_control", "their_own"]
    got, _, changes = sent(MARKED, target="openai")
    assert "reasoning_content" not in got["messages"][1]
    assert [change.code for change in changes] == ["reasoning"]


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("https://api.openai.com/v1/", "openai"),
        ("https://eu.api.openai.com/v1", "openai"),
        ("https://mine.openai.azure.com/openai", "openai"),
        ("https://api.deepseek.com", "openai:deepseek"),
        ("https://api.moonshot.ai/v1", "openai:kimi"),
        ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "openai:qwen"),
        ("https://openrouter.ai/api/v1", "openai:openrouter"),
        ("https://api.groq.com/openai/v1", "openai:groq"),
        ("https://api.mistral.ai/v1", "mistral"),
        ("http://localhost:8000/v1", "openai:local"),
        ("http://127.0.0.1:11434/v1", "openai:local"),
        ("http://[::1]:1234/v1", "openai:local"),
        ("http://192.168.1.7:30000/v1", "openai:local"),
        ("http://host.docker.internal:8080/v1", "openai:local"),
        ("http://localhost:4000/v1", "openai:compatible"),
        ("https://vllm.example:8000/v1", "openai:compatible"),
        ("http://localhost:nonsense/v1", "openai:compatible"),
        ("https://api.x.ai/v1", "openai:xai"),
        ("https://open.bigmodel.cn/api/paas/v4", "openai:glm"),
        ("https://api.minimaxi.com/v1", "openai:minimax"),
        ("https://api.cerebras.ai/v1", "openai:cerebras"),
        ("https://api.fireworks.ai/inference/v1", "openai:fireworks"),
        ("https://api.perplexity.ai", "openai:perplexity"),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", "openai:gemini"),
        ("https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/openapi", "openai:gemini"),
        ("https://generativelanguage.googleapis.com/v1beta", "openai:compatible"),
        ("https://api.cloudflare.com/client/v4/accounts/a/ai/v1", "openai:plain"),
        ("https://notopenai.com/v1", "openai:compatible"),
        ("nonsense", "openai:compatible"),
        (None, "openai:compatible"),
    ],
)
def test_whose_servers_answer(url, target):
    assert target_at(url) == target
    assert target in tw.dialects()


@pytest.mark.parametrize(
    ("url", "responses", "messages"),
    [
        ("http://localhost:8000/v1", "openai-responses:compatible", "anthropic:compatible"),
        ("https://gateway.example/v1", "openai-responses", "anthropic"),
        ("https://api.deepseek.com/anthropic", "openai-responses", "anthropic:deepseek"),
        ("https://api.minimax.io/anthropic", "openai-responses", "anthropic:compatible"),
        ("https://api.anthropic.com", "openai-responses", "anthropic"),
        (None, "openai-responses", "anthropic"),
    ],
)
def test_whose_servers_answer_in_other_formats(url, responses, messages):
    assert (responses_at(url), messages_at(url)) == (responses, messages)
    assert {responses, messages} <= {*tw.dialects()}


def test_the_rules_of_an_address_hold_for_copies_with_another():
    """DeepSeek wants `reasoning_content` with every assistant message; `with_options` may lead to its address."""
    body = {"model": "m", "messages": [user("TASK"), {"role": "assistant", "content": "Well."}, user("And?")]}
    seen = []

    def keep(request):
        seen.append(json.loads(request.content))
        return httpx.Response(500)

    made = wrap(
        openai.OpenAI(api_key="none", max_retries=0, http_client=httpx.Client(transport=httpx.MockTransport(keep)))
    )
    for one in (made, made.with_options(base_url="https://api.deepseek.com")):
        with pytest.raises(openai.InternalServerError):
            one.chat.completions.create(**body)
    assert [message["messages"][1].get("reasoning_content") for message in seen] == [None, " "]


def test_a_wrapped_client_wrapped_again(receipts):
    """Both act, the new one first."""
    inner = []
    with provider() as server, client(server, budget=30_000, on_receipt=inner.append) as once:
        again = wrap(once, budget=60_000, on_receipt=receipts.append).with_options(timeout=9)
        again.chat.completions.create(model="m", messages=long())
        once.chat.completions.create(model="m", messages=long())
    for body in server.bodies:
        within(body, "openai", 30_000)
    assert len(receipts) == 1 and len(inner) == 2


def test_results_that_are_no_text(receipts):
    """A dict or a number in place of a result's text, and a message of the test's own class."""

    class Message:
        def model_dump(self, **more):
            return {"role": "user", "content": "And now?"}

    for content in ({"a": 1}, 3, [1], None, True):
        messages = [user("TASK"), calls("call_1"), result("call_1", content), Message()]
        try:
            got, *_ = sent({"model": "m", "messages": messages})
        except tw.TurnwireError as error:
            assert error.path.startswith("$.messages[2]"), error
        else:
            within(got, "openai", 10**6)
