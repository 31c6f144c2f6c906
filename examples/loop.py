"""An agent's loop on one page, the same for every provider: the official client streams, turnwire does the rest.

`python examples/loop.py` runs it with each client that is installed, against a server on this machine that plays every
provider.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

import turnwire as tw
from loopback import Provider, Step
from turnwire.types import ReplyName

SYSTEM = "You tell the weather, and are brief."
TOOLS = [
    {
        "name": "weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]
#: What a request to a provider gives: the chunks of its reply.
Stream = Callable[[dict[str, Any]], Iterable[object]]


def run(name: str, args: dict[str, Any] | None) -> tuple[str, tw.parts.ToolResultStatus]:
    """Run a tool: what it says, and whether it worked."""
    if name != "weather" or args is None or "city" not in args:
        return f"{name} can not be run with {args}.", tw.parts.ToolResultStatus.Error
    return f"{args['city']}: 3 °C, rain", tw.parts.ToolResultStatus.Success


def loop(conversation: tw.Conversation, dialect: ReplyName, stream_from: Stream) -> tw.Conversation:
    """Ask, run what the model calls, and ask again until it calls no more."""
    # It remembers what was sent, so that reasoning stays valid and the provider's cache is read; where that cache
    # wants marks, it puts them.
    ledger = tw.Ledger(dialect, 300_000, cache="auto")
    while True:
        ready = ledger.prepare(conversation)
        stream = tw.StreamAssembler(dialect)
        for chunk in stream_from(ready.payload):
            for event in stream.feed(chunk):
                if event["type"] == "text":
                    print(event["content"], end="", flush=True)
        reply = stream.finish()
        conversation = conversation.extended(reply)
        if reply.stop_reason == "pause_turn":
            continue  # a tool of the provider's takes long: sent back as it came, the turn goes on
        if not reply.tool_uses:
            print()
            return conversation
        results = [tw.ToolUseResult(use.id, *run(use.name, use.args)) for use in reply.tool_uses]
        conversation = conversation.extended(results)


def openai(url: str) -> Stream:
    """Chat Completions, by the official client."""
    from openai import OpenAI

    client = OpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)
    return lambda payload: client.chat.completions.create(model="m", stream=True, **payload)


def openai_responses(url: str) -> Stream:
    """Responses, by the official client. Nothing is kept on the server: all of the history is sent each time."""
    from openai import OpenAI

    client = OpenAI(api_key="none", base_url=f"{url}/v1", max_retries=0)
    return lambda payload: client.responses.create(model="m", store=False, stream=True, **payload)


def anthropic(url: str) -> Stream:
    """Messages, by the official client."""
    from anthropic import Anthropic

    client = Anthropic(api_key="none", base_url=url, max_retries=0)
    return lambda payload: client.messages.create(model="m", max_tokens=1024, stream=True, **payload)


def gemini(url: str) -> Stream:
    """GenerateContent, by the official client, which wants all but the contents in its config."""
    from google import genai

    client = genai.Client(api_key="none", http_options={"base_url": url})

    def stream_from(payload: dict[str, Any]) -> Iterable[object]:
        config: Any = {key: value for key, value in payload.items() if key != "contents"}
        return client.models.generate_content_stream(model="m", contents=payload["contents"], config=config)

    return stream_from


def gemini_interactions(url: str) -> Stream:
    """Interactions, by the official client. Nothing is kept on the server: all steps are sent each time."""
    from google import genai

    client = genai.Client(api_key="none", http_options={"base_url": url})
    return lambda payload: client.interactions.create(model="m", store=False, stream=True, **payload)


def bedrock(url: str) -> Stream:
    """ConverseStream, by the official client, which decodes the binary stream. Media would need `blobs="raw"`."""
    import boto3  # type: ignore[import-untyped]

    client = boto3.client(
        "bedrock-runtime",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="none",
        aws_secret_access_key="none",
    )

    def stream_from(payload: dict[str, Any]) -> Iterable[object]:
        stream: Iterable[object] = client.converse_stream(modelId="m", **payload)["stream"]
        return stream

    return stream_from


def ollama(url: str) -> Stream:
    """Chat, by the official client, which makes each line an object of its own."""
    from ollama import Client

    client = Client(host=url)
    return lambda payload: client.chat(model="m", stream=True, **payload)


def mistral(url: str) -> Stream:
    """Chat, by the official client. Its path is that of Chat Completions, so it has a server's own before it."""
    from mistralai.client import Mistral

    client = Mistral(api_key="none", server_url=f"{url}/mistral")
    return lambda payload: client.chat.stream(model="m", **payload)


def cohere(url: str) -> Stream:
    """Chat v2, by the official client."""
    from cohere import ClientV2

    client = ClientV2(api_key="none", base_url=url)
    return lambda payload: client.chat_stream(model="m", **payload)


CLIENTS: dict[ReplyName, Callable[[str], Stream]] = {
    "openai": openai,
    "openai-responses": openai_responses,
    "anthropic": anthropic,
    "gemini": gemini,
    "bedrock": bedrock,
    "ollama": ollama,
    "mistral": mistral,
    "cohere": cohere,
    "gemini-interactions": gemini_interactions,
}
#: What the providers say: two calls at once, and then the answer.
SCRIPT = [
    Step("Let me look. ", (("call_1", "weather", {"city": "Oslo"}), ("call_2", "weather", {"city": "東京"}))),
    Step("It rains in both."),
]


def main() -> int:
    """Run the loop with each client."""
    conversation = tw.Conversation(["What is the weather in Oslo and Tokyo?"], system=SYSTEM, tools=TOOLS)
    for dialect, client in CLIENTS.items():
        with Provider(SCRIPT) as provider:
            try:
                stream_from = client(provider.url)
            except ImportError as missing:
                print(f"{dialect}: {missing}")
                continue
            print(f"{dialect}: ", end="")
            done = loop(conversation, dialect, stream_from)
        print(f"    {len(provider.bodies)} requests, {len(done)} turns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
