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
from turnwire.names import ReplyName

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


def run(name: str, args: dict[str, Any] | None) -> tuple[str, tw.ToolResultStatus]:
    """Run a tool: what it says, and whether it worked."""
    if name != "weather" or args is None or "city" not in args:
        return f"{name} can not be run with {args}.", tw.ToolResultStatus.Error
    return f"{args['city']}: 3 °C, rain", tw.ToolResultStatus.Success


def loop(conversation: tw.Conversation, dialect: ReplyName, stream_from: Stream) -> tw.Conversation:
    """Ask, run what the model calls, and ask again until it calls no more."""
    while True:
        ready = tw.prepare(conversation, dialect, 300_000)
        stream = tw.StreamAssembler(dialect)
        for chunk in stream_from(ready.payload):
            for event in stream.feed(chunk):
                if event["type"] == "text":
                    print(event["content"], end="", flush=True)
        reply = stream.finish()
        conversation = conversation.extended(reply)
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


def anthropic(url: str) -> Stream:
    """Messages, by the official client."""
    from anthropic import Anthropic

    client = Anthropic(api_key="none", base_url=url, max_retries=0)
    return lambda payload: client.messages.create(model="m", max_tokens=1024, stream=True, **payload)


CLIENTS: dict[ReplyName, Callable[[str], Stream]] = {"openai": openai, "anthropic": anthropic}
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
