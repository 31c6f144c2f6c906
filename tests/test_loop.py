"""The loop of the example, with the official clients against servers on this machine: one history, any model next."""

import json
import sys
import urllib.request
from functools import cache
from pathlib import Path

import pytest
import turnwire as tw
from judges import wire

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.fixture(scope="module")
def example():
    sys.path.insert(0, str(EXAMPLES))
    try:
        import loop
        import loopback
    finally:
        sys.path.pop(0)
    loop.Provider, loop.loopback = loopback.Provider, loopback
    return loop


@pytest.fixture(scope="module")
def problems():
    """What a provider would refuse in a body, by the judge of requests."""

    def found(dialect, body):
        # It has no rules for Interactions, whose payloads the client's types check (`test_interactions.py`).
        return wire.refused(dialect, body) if dialect in wire.PROVIDERS else []

    return found


def start(example):
    return tw.Conversation(["What is the weather?"], system=example.SYSTEM, tools=example.TOOLS)


def stream_from(example, dialect, provider):
    try:
        return example.CLIENTS[dialect](provider.url)
    except ImportError as missing:
        pytest.skip(f"{missing} (dependency group wire)")


DIALECTS = [
    "openai",
    "openai-responses",
    "anthropic",
    "gemini",
    "bedrock",
    "ollama",
    "mistral",
    "cohere",
    "gemini-interactions",
]
#: Its client drops ids, so calls get ids by name.
MADE_UP = {"ollama": ("function_weather", "function_weather_2")}


def test_every_dialect_with_replies_has_its_loop(example):
    # AG-UI is what a front end reads: no model answers in it.
    answering = [
        name for name in tw.dialects() if ":" not in name and name not in ("ag-ui", "ai-sdk-ui") and has_replies(name)
    ]
    assert [*example.CLIENTS] == DIALECTS == answering


def has_replies(name):
    try:
        return bool(tw.StreamAssembler(name))
    except tw.UnknownDialectError:
        return False


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_loop(example, dialect, problems, capsys):
    with example.Provider(example.SCRIPT) as provider:
        done = example.loop(start(example), dialect, stream_from(example, dialect, provider))
    assert capsys.readouterr().out == "Let me look. It rains in both.\n"
    assert len(provider.bodies) == 2
    for body in provider.bodies:
        assert problems(dialect, body) == []
    calls = [part for turn in done for part in turn.parts if isinstance(part, tw.parts.AssistantToolUse)]
    first, second = MADE_UP.get(dialect, ("call_1", "call_2"))
    assert [(call.id, call.args) for call in calls] == [(first, {"city": "Oslo"}), (second, {"city": "東京"})]
    results = [part for turn in done for part in turn.parts if isinstance(part, tw.ToolUseResult)]
    assert [(result.tool_use_id, result.status) for result in results] == [
        (first, tw.parts.ToolResultStatus.Success),
        (second, tw.parts.ToolResultStatus.Success),
    ]
    said = json.dumps(provider.bodies[1], ensure_ascii=False)
    assert "Let me look." in said
    assert "東京: 3 °C, rain" in said
    assert done.pending_tool_uses == ()


@pytest.fixture(scope="module")
def providers(example):
    """Two providers, and the clients of each: a client takes longer to make than a conversation."""
    with example.Provider(()) as one, example.Provider(()) as other:
        kept = cache(lambda dialect, at: stream_from(example, dialect, (one, other)[at]))

        def fresh():
            for provider in (one, other):
                provider.script[:] = example.SCRIPT
                provider.bodies.clear()
            return other, kept

        yield fresh


@pytest.mark.parametrize("first", DIALECTS)
@pytest.mark.parametrize("second", DIALECTS)
def test_another_provider_continues_the_same_history(example, first, second, problems, providers):
    other, stream = providers()
    halfway = example.loop(start(example), first, stream(first, 0))
    done = example.loop(halfway.extended("And now?"), second, stream(second, 1))
    for body in other.bodies:
        assert problems(second, body) == []
    assert len(done) > len(halfway)
    # The ids of the first half came again in the second, and each call still has its own result.
    ready = tw.prepare(done.extended("Thanks."), second, None)
    assert problems(second, {**other.bodies[0], **ready.payload}) == []


# The body of Converse is binary: its client decodes it.
@pytest.mark.parametrize("dialect", [name for name in DIALECTS if name != "bedrock"])
@pytest.mark.parametrize("size", [1, 7, 4096])
def test_the_bytes_of_the_response_do_as_well(example, dialect, size):
    path = next(
        part for part, answer in example.loopback.ANSWERS.items() if answer[1].__name__ == dialect.replace("-", "_")
    )
    with example.Provider(example.SCRIPT) as provider:
        request = urllib.request.Request(
            provider.url + path, data=json.dumps(tw.prepare(start(example), dialect).payload).encode(), method="POST"
        )
        stream = tw.StreamAssembler(dialect)
        with urllib.request.urlopen(request) as response:
            events = [event for piece in iter(lambda: response.read(size), b"") for event in stream.feed_bytes(piece)]
    reply = stream.finish()
    assert [event["type"] for event in events] == ["text", "text", "tool_call", "tool_call"]
    assert reply.finish == "tool_calls"
    assert reply.text == "Let me look. "


def test_the_helpers_of_the_sdks_do_as_well(example):
    """Beside every chunk, their streams also give the message so far."""
    openai = pytest.importorskip("openai", reason="the official SDKs are not installed (group wire)")
    anthropic = pytest.importorskip("anthropic", reason="the official SDKs are not installed (group wire)")
    replies = []
    with example.Provider(example.SCRIPT) as provider:
        conversation = start(example)
        client = openai.OpenAI(api_key="none", base_url=f"{provider.url}/v1", max_retries=0)
        other = anthropic.Anthropic(api_key="none", base_url=provider.url, max_retries=0)
        for dialect, opened in [
            ("openai", lambda payload: client.chat.completions.stream(model="m", **payload)),
            ("openai-responses", lambda payload: client.responses.stream(model="m", **payload)),
            ("anthropic", lambda payload: other.messages.stream(model="m", max_tokens=9, **payload)),
        ]:
            stream, told = tw.StreamAssembler(dialect), []
            provider.script = list(example.SCRIPT)
            with opened(tw.prepare(conversation, dialect).payload) as chunks:
                for chunk in chunks:
                    told += stream.feed(chunk)
            reply = stream.finish()
            replies.append((told, reply.text, reply.tool_uses, reply.finish))
    assert replies[0] == replies[1] == replies[2]
    assert replies[0][1:2] == ("Let me look. ",)
