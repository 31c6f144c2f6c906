"""Messages of the SDKs' own types: everything that a type checker accepts is read, replayed, and repaired once."""

import functools
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import turnwire as tw
from pydantic import TypeAdapter
from sdk_messages import message_of

Json = dict[str, Any]
SOURCES = [
    "openai", "openai-responses", "anthropic", "gemini", "gemini-interactions", "bedrock", "mistral", "cohere",
    "ollama",
]  # fmt: skip
LISTS = {"openai-responses": "input", "gemini-interactions": "input", "gemini": "contents"}
# Beside the providers: formats that keep texts elsewhere.
TARGETS = [*SOURCES, "openai:hf", "structured", "ai-sdk", "ai-sdk-ui", "ag-ui", "otel"]
# The last is a result that names no call, before all others.
NOT_TO_MEND = ("empty_messages", "ends_with_assistant", "unsendable", "budget_too_small", "leading_tool_result")


@functools.cache
def bodies(source: str) -> list[Json]:
    return list(random_bodies(source, random.Random(source)))


def random_bodies(source: str, rng: random.Random) -> Iterator[Json]:
    """Bodies by the types; Anthropic's type of a system message also allows an empty one."""
    for _ in range(150):
        messages = [message_of(source, rng) for _ in range(rng.randint(1, 5))]
        if source == "anthropic":
            said = [
                one for one in messages if one["role"] != "system" or one.get("content") or one.get("output_config")
            ]
            messages = said or [{"role": "user", "content": "a"}]
        yield {LISTS.get(source, "messages"): messages}


@pytest.mark.parametrize("source", SOURCES)
def test_what_the_types_accept_is_read_and_replayed(source: str) -> None:
    for body in bodies(source):
        assert tw.convert(body, source, source=source).payload == body
        assert json.loads(tw.convert_json(json.dumps(body), source, source=source).payload) == body


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", SOURCES)
def test_what_is_built_is_accepted_and_needs_no_second_build(source: str, target: str) -> None:
    sent = 0
    for at, body in enumerate(bodies(source)):
        try:
            ready = tw.prepare(body, target, (None, 300, 3_000)[at % 3], source=source, wording={"opening": "Go on."})
        except tw.BuildError as error:
            assert error.code in NOT_TO_MEND, body
            continue
        sent += 1
        again = tw.prepare(ready.payload, target, source=target)
        assert (again.payload, again.receipt.changed) == (ready.payload, False), body
        assert not [found for found in tw.check(ready.payload, target, source=target) if found.severity == "error"], (
            body
        )
        for element in ready.payload["messages"] if target in ("openai", "anthropic") else ():
            judge(target).validate_python(element)
    assert sent > 8


@functools.cache
def judge(target: str) -> TypeAdapter[Any]:
    from anthropic.types.beta import BetaMessageParam
    from openai.types.chat import ChatCompletionMessageParam

    return TypeAdapter(ChatCompletionMessageParam if target == "openai" else BetaMessageParam)
