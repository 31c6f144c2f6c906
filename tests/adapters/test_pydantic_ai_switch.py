"""A history of any provider is sent to each of Pydantic AI's other models, whose own writer makes the request."""

import asyncio
import base64
import copy
import json

import pytest
from generator import PNG
from needs import framework
from proof import refused
from provider import provider

framework("pydantic_ai", "pydantic-ai-slim")
for client in ("anthropic", "openai"):
    pytest.importorskip(client, reason=f"{client} is not installed: make adapters")
from anthropic import AsyncAnthropic  # noqa: E402
from openai import AsyncOpenAI  # noqa: E402
from pydantic_ai import Agent  # noqa: E402
from pydantic_ai.messages import (  # noqa: E402
    BinaryContent,
    CompactionPart,
    ModelRequest,
    ModelResponse,
    NativeToolCallPart,
    NativeToolReturnPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UploadedFile,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters  # noqa: E402
from pydantic_ai.models.anthropic import AnthropicModel  # noqa: E402
from pydantic_ai.models.fallback import FallbackModel  # noqa: E402
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel  # noqa: E402
from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: E402
from pydantic_ai.providers.openai import OpenAIProvider  # noqa: E402
from turnwire.adapters.pydantic_ai import capability  # noqa: E402

PARAMETERS = ModelRequestParameters()
PDF = b"%PDF-1.4\n%%EOF\n"
MODELS = {
    "openai": OpenAIChatModel("gpt-5", provider=OpenAIProvider(api_key="none")),
    "openai-responses": OpenAIResponsesModel("gpt-5", provider=OpenAIProvider(api_key="none")),
    "anthropic": AnthropicModel("claude-opus-4-8", provider=AnthropicProvider(api_key="none")),
}


def history(maker, named=True):
    """As a model of that provider leaves it; the provider's name is on each part, or only on the responses."""
    own = {"provider_name": maker} if named else {}
    found = [{"type": "web_search_result", "url": "https://lake", "title": "L", "encrypted_content": "e"}]
    said = [
        ThinkingPart("Where?", signature="c2ln", **own),
        ThinkingPart("", id="redacted_thinking", signature="cmVk", **own),
        NativeToolCallPart("web_search", {"query": "lake"}, "srvtoolu_01", **own),
        NativeToolReturnPart("web_search", found, "srvtoolu_01", **own),
        TextPart("There is one."),
        ToolCallPart("look", {"q": "x"}, "toolu_01A"),
    ]
    media = [
        BinaryContent(base64.b64decode(PNG), media_type="image/png"),
        BinaryContent(PDF, media_type="application/pdf"),
    ]
    return [
        ModelRequest([UserPromptPart(["TASK", *media, UploadedFile("file_1", maker)])]),
        ModelResponse(said, provider_name=maker, model_name="m"),
        ModelRequest([ToolReturnPart("look", "a lake", "toolu_01A")]),
        ModelResponse([CompactionPart("So far.", **own)], provider_name=maker),
        ModelResponse([TextPart("A lake.")], provider_name=maker),
        ModelRequest([UserPromptPart("And now?")]),
    ]


def sent(messages, model, made=None, **settings):
    context = ModelRequestContext(
        model=model, messages=messages, model_settings=None, model_request_parameters=PARAMETERS
    )
    made = made or capability(**settings)
    return asyncio.run(made.prepare_model_request(None, context)).messages


def written(target, messages):
    """What Pydantic AI writes for a provider."""
    model = MODELS[target]
    match target:
        case "openai":
            body = {"messages": asyncio.run(model._map_messages(messages, PARAMETERS))}
        case "openai-responses":
            body = {"input": asyncio.run(model._map_messages(messages, {}, PARAMETERS))[1]}
        case _:
            body = {"messages": asyncio.run(model._map_message(messages, PARAMETERS, {}))[1]}
    return json.loads(json.dumps(body))


SWITCHES = [(maker, target) for maker in ("anthropic", "openai", "google") for target in MODELS]


@pytest.mark.parametrize("ledger", [False, True])
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(("maker", "target"), [pair for pair in SWITCHES if pair[0] != pair[1].partition("-")[0]])
def test_a_switch_of_provider(maker, target, named, ledger):
    given, lost = history(maker, named), []
    before = copy.deepcopy(given)
    body = written(target, got := sent(given, MODELS[target], on_receipt=lost.append, ledger=ledger))
    assert refused(target, body) == []
    pdf = base64.b64encode(PDF).decode()
    for word in ("TASK", "Where?", "There is one.", "a lake", "A lake.", "And now?", PNG, pdf):
        assert word in str(body), word
    for foreign in ("srvtoolu", "web_search", "file_1", "c2ln", "cmVk", "So far."):
        assert foreign not in str(body)
    (losses,) = lost
    assert [loss.code for loss in losses] == ["media", "reasoning", "opaque", "opaque", "opaque", "empty_assistant"]
    assert losses[1].path == "$.messages[1].parts[1]"
    # The run keeps all of it, and untouched messages are the same objects.
    assert given == before
    assert got[-1] is given[-1] and given[1].parts[5] in got[1].parts


@pytest.mark.parametrize("maker", ["anthropic", "openai"])
def test_without_a_switch_nothing_is_touched(maker):
    given, lost = history(maker), []
    got = sent(given, MODELS[maker], on_receipt=lost.append)
    assert lost == [] and [*map(id, got)] == [*map(id, given)]


def test_a_model_of_several_providers_gets_all():
    given, lost = history("anthropic"), []
    got = sent(given, FallbackModel(MODELS["openai"], MODELS["anthropic"]), on_receipt=lost.append)
    assert lost == [] and [*map(id, got)] == [*map(id, given)]


def test_what_no_model_of_several_reads_is_lost_at_once():
    given, lost = history("google"), []
    got = sent(given, FallbackModel(MODELS["openai"], MODELS["anthropic"]), on_receipt=lost.append)
    assert [[loss.code for loss in losses] for losses in lost] == [
        ["media", "reasoning", "opaque", "opaque", "opaque", "empty_assistant"]
    ]
    assert got[-1] is given[-1] and len(got[1].parts) < len(given[1].parts)


@pytest.mark.parametrize(("fails", "named"), [(False, False), (False, True), (True, True)])
@pytest.mark.parametrize("streamed", [True, False])
def test_the_model_that_is_called_decides_what_is_lost(fails, named, streamed):
    """The first model of a chain gets the history of the second: what it cannot read is a loss once it has answered."""
    messages = [message for message in history("anthropic", named) if not has_file(message)]
    messages.insert(0, ModelRequest([UserPromptPart("TASK")]))
    lost, seen = [], []

    async def run(server):
        keys = {"api_key": "none", "max_retries": 0}
        # Nobody listens at the address of a model that fails.
        chat = AsyncOpenAI(base_url="http://127.0.0.1:9/v1" if fails else f"{server.url}/v1", **keys)
        claude = AsyncAnthropic(base_url=server.url, **keys)
        chain = FallbackModel(
            OpenAIChatModel("gpt-5", provider=OpenAIProvider(openai_client=chat)),
            AnthropicModel("claude-opus-4-8", provider=AnthropicProvider(anthropic_client=claude)),
        )
        agent, held = Agent(chain, capabilities=[capability(on_receipt=lost.append)]), messages
        for _ in range(2):
            if streamed:
                async with agent.run_stream("Go on.", message_history=held) as done:
                    seen.append(await done.get_output())
            else:
                done = await agent.run("Go on.", message_history=held)
                seen.append(done.output)
            held = done.all_messages()

    with provider("One", "Two") as server:
        asyncio.run(run(server))
    assert seen == ["One", "Two"]
    codes = [[loss.code for loss in losses] for losses in lost]
    if fails:
        # Pydantic AI sends Claude its own compaction, and what follows it.
        assert codes == [] and all("So far." in str(body) for body in server.bodies)
        return
    assert codes == [["reasoning", "opaque", "opaque", "opaque"]]
    for body in server.bodies:
        assert all(word not in str(body) for word in ("srvtoolu", "cmVk", "So far."))


def test_each_model_of_a_fallback_gets_its_own():
    """Pydantic AI's capability tries one model after the other, and each is asked with what it reads."""
    fallback = pytest.importorskip("pydantic_ai.capabilities.model_fallback", reason="this version has none")
    messages = [message for message in history("anthropic") if not has_file(message)]
    messages.insert(0, ModelRequest([UserPromptPart("TASK")]))
    lost = []

    async def run(server):
        keys = {"api_key": "none", "max_retries": 0}
        chat = AsyncOpenAI(base_url="http://127.0.0.1:9/v1", **keys)
        claude = AsyncAnthropic(base_url=server.url, **keys)
        second = AnthropicModel("claude-opus-4-8", provider=AnthropicProvider(anthropic_client=claude))
        first = OpenAIChatModel("gpt-5", provider=OpenAIProvider(openai_client=chat))
        able = [fallback.ModelFallback(second), capability(on_receipt=lost.append)]
        return (await Agent(first, capabilities=able).run("Go on.", message_history=messages)).output

    with provider("One") as server:
        assert asyncio.run(run(server)) == "One"
    assert "So far." in str(server.bodies)
    assert [[loss.code for loss in losses] for losses in lost] == [
        ["reasoning", "opaque", "opaque", "opaque", "empty_assistant"]
    ]


def has_file(message):
    return any(isinstance(part.content, list) for part in message.parts if isinstance(part, UserPromptPart))


def test_losses_are_reported_once():
    lost = []
    made, given = capability(on_receipt=lost.append), history("anthropic")
    for messages in (given, [*given, ModelResponse([TextPart("Well.")]), ModelRequest([UserPromptPart("And?")])]):
        sent(messages, MODELS["openai"], made)
    assert len(lost) == 1
