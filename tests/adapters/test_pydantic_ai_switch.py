"""A history of any provider is sent to each of Pydantic AI's other models, whose own writer makes the request."""

import asyncio
import base64
import copy
import json

import pytest
from generator import PNG
from needs import framework
from proof import refused

framework("pydantic_ai", "pydantic-ai-slim")
for client in ("anthropic", "openai"):
    pytest.importorskip(client, reason=f"{client} is not installed: make adapters")
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
    "anthropic": AnthropicModel("claude-opus-4-5", provider=AnthropicProvider(api_key="none")),
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
    return asyncio.run(made.before_model_request(None, context)).messages


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
    body = written(target, got := sent(given, MODELS[target], on_losses=lost.append, ledger=ledger))
    assert refused(target, body) == []
    pdf = base64.b64encode(PDF).decode()
    for word in ("TASK", "Where?", "There is one.", "a lake", "A lake.", "And now?", PNG, pdf):
        assert word in str(body), word
    for foreign in ("srvtoolu", "web_search", "file_1", "c2ln", "cmVk", "So far."):
        assert foreign not in str(body)
    (losses,) = lost
    assert [loss.code for loss in losses] == ["media", "reasoning", "opaque", "opaque", "opaque"]
    assert losses[1].path == "$.messages[1].parts[1]"
    # The run keeps all of it, and untouched messages are the same objects.
    assert given == before
    assert got[-1] is given[-1] and given[1].parts[5] in got[1].parts


@pytest.mark.parametrize("maker", ["anthropic", "openai"])
def test_without_a_switch_nothing_is_touched(maker):
    given, lost = history(maker), []
    got = sent(given, MODELS[maker], on_losses=lost.append)
    assert lost == [] and [*map(id, got)] == [*map(id, given)]


def test_a_model_of_several_providers_gets_all():
    given, lost = history("anthropic"), []
    got = sent(given, FallbackModel(MODELS["openai"], MODELS["anthropic"]), on_losses=lost.append)
    assert lost == [] and [*map(id, got)] == [*map(id, given)]


def test_losses_are_reported_once():
    lost = []
    made, given = capability(on_losses=lost.append), history("anthropic")
    for messages in (given, [*given, ModelResponse([TextPart("Well.")]), ModelRequest([UserPromptPart("And?")])]):
        sent(messages, MODELS["openai"], made)
    assert len(lost) == 1
