"""Pydantic AI's messages that are broken in many ways, as Pydantic AI itself writes them for providers."""

import asyncio
import base64
import json

import pytest
from generator import PNG, Told, arguments, images, texts, told
from needs import framework
from proof import SEEDS, prove

framework("pydantic_ai", "pydantic-ai-slim")
for client in ("anthropic", "openai"):
    pytest.importorskip(client, reason=f"{client} is not installed: make adapters")
from pydantic_ai.messages import (  # noqa: E402
    BinaryContent,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters  # noqa: E402
from pydantic_ai.models.anthropic import AnthropicModel  # noqa: E402
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel  # noqa: E402
from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: E402
from pydantic_ai.providers.openai import OpenAIProvider  # noqa: E402
from turnwire.adapters._pydantic_ai_messages import elements_of  # noqa: E402
from turnwire.adapters.pydantic_ai import capability  # noqa: E402

PARAMETERS = ModelRequestParameters()
OPENAI = OpenAIProvider(api_key="none")
MODELS = {
    "openai": OpenAIChatModel("gpt-4o", provider=OPENAI),
    "openai-responses": OpenAIResponsesModel("gpt-4o", provider=OPENAI),
    "anthropic": AnthropicModel("claude-opus-4-8", provider=AnthropicProvider(api_key="none")),
}


def items(content):
    return [*texts(content), *[BinaryContent(base64.b64decode(PNG), media_type="image/png")] * images(content)]


def says(one, message):
    parts = []
    if "thinking" in message:
        parts.append(ThinkingPart(message["thinking"], signature="c2ln", provider_name="anthropic"))
    parts += [TextPart(text) for text in texts(message["content"]) if text or one.dice.random() < 0.5]
    for call in message.get("tool_calls") or ():
        args = arguments(call) if one.dice.random() < 0.5 else call["function"]["arguments"]
        parts.append(ToolCallPart(call["function"]["name"], args, call["id"]))
    return ModelResponse(parts=parts, model_name="m", provider_details={"d": 1})


def spelled(one: Told):
    """Several parts in a request, or one in each."""
    names, made = one.names(), []
    for at, message in enumerate(one.messages):
        if message["role"] == "assistant":
            made.append(says(one, message))
            continue
        content = items(message["content"]) if images(message["content"]) else texts(message["content"])[0]
        if message["role"] == "user":
            part = UserPromptPart(content)
        elif message["role"] == "system":
            part = SystemPromptPart(texts(message["content"])[0])
        else:
            ident = message["tool_call_id"]
            content = (
                content if isinstance(content, str) or one.dice.random() < 0.5 else {"rows": texts(message["content"])}
            )
            part = ToolReturnPart(names.get(ident, "look"), content, ident, metadata={"at": at})
        if made and isinstance(made[-1], ModelRequest):
            # Pydantic AI joins adjacent requests before it calls its capabilities.
            made[-1] = ModelRequest(parts=[*made[-1].parts, part])
        else:
            made.append(ModelRequest(parts=[part]))
    return made


def said(messages):
    return [
        [part.args_as_json_str() if isinstance(part, ToolCallPart) else str(part.content) for part in message.parts]
        for message in messages
    ]


def send(target, opening=None):
    def sent(messages, **settings):
        made = capability(target=target, wording={"opening": opening}, **settings)
        # This context turns off what Pydantic AI repairs and refuses by itself.
        context = ModelRequestContext(
            model=MODELS["openai"], messages=messages, model_settings=None, model_request_parameters=PARAMETERS
        )
        got = asyncio.run(made.prepare_model_request(None, context)).messages
        old = {part.metadata["at"]: part for message in messages for part in returns(message) if part.metadata}
        for part in (part for message in got for part in returns(message) if part.metadata):
            assert (part.timestamp, part.tool_name) == (old[part.metadata["at"]].timestamp, part.tool_name)
        return got

    return sent


def count(message):
    return len(elements_of(message) or ())


def returns(message):
    return [part for part in message.parts if isinstance(part, ToolReturnPart)]


def wire(target):
    """What Pydantic AI writes for a provider."""
    model = MODELS[target]

    def written(messages):
        match target:
            case "openai":
                return {"messages": asyncio.run(model._map_messages(messages, PARAMETERS))}
            case "openai-responses":
                told, items = asyncio.run(model._map_messages(messages, {}, PARAMETERS))
                return {"input": items, **({"instructions": told} if isinstance(told, str) else {})}
            case _:
                system, said = asyncio.run(model._map_message(messages, PARAMETERS, {}))
                return {"messages": said, **({"system": system} if system else {})}

    return lambda messages: json.loads(json.dumps(written(messages)))


@pytest.mark.parametrize("target", MODELS)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_reaches_the_provider(seed, target):
    one = told(seed)
    given = spelled(one.closed() if target == "anthropic" else one)
    prove(one, given, send(target, "(begin)"), said, wire(target), target, media=False, count=count)
