"""Messages made from the SDKs' own types: all that a type checker accepts is read, replayed, and mended once."""

import collections.abc
import inspect
import random
import types
import typing
from typing import Any

import pytest
import turnwire as tw
import typing_extensions as te

pydantic = pytest.importorskip("pydantic")
openai_chat = pytest.importorskip("openai.types.chat")
openai_responses = pytest.importorskip("openai.types.responses")
anthropic_beta = pytest.importorskip("anthropic.types.beta")

Json = dict[str, Any]
SOURCES = {
    "openai": ("messages", openai_chat.ChatCompletionMessageParam),
    "openai-responses": ("input", openai_responses.ResponseInputItemParam),
    "anthropic": ("messages", anthropic_beta.BetaMessageParam),
}
# Beside the targets with judges: those that keep texts in other places. `llama` reads results only when it is asked to.
TARGETS = [*SOURCES, "gemini", "bedrock", "mistral", "cohere", "ollama", "openai:hf", "structured", "ai-sdk", "ag-ui"]
WORDS = ["", " ", "a", "hello", "ü😀", "{}", '{"a": 1}', "https://x.y/z.png", "aGk=", "image/png"]
OF_KEY = {
    **{key: ["call_1", "call_2", "call_3"] for key in ("id", "call_id", "tool_call_id", "tool_use_id")},
    "name": ["f", "g"],
    "arguments": ["{}", '{"a": 1}'],
}


def made(rng: random.Random, kind: Any, key: str = "", depth: int = 0) -> Any:
    """Any value of a type: typed dicts, unions, literals and what they hold."""
    origin, inner = te.get_origin(kind), te.get_args(kind)
    if origin in (te.Required, te.NotRequired, te.Annotated):
        return made(rng, inner[0], key, depth)
    if origin in (typing.Union, types.UnionType):
        choices = [one for one in inner if not is_model(one)]
        plain = [one for one in choices if one in (str, int, bool, type(None)) or te.get_origin(one) is te.Literal]
        return made(rng, rng.choice(plain if depth > 5 and plain else choices), key, depth)
    if origin in (te.Literal, typing.Literal):
        return rng.choice(inner)
    if origin in (list, collections.abc.Iterable, collections.abc.Sequence):
        return [made(rng, inner[0], "", depth + 1) for _ in range(rng.choice([0, 1, 1, 2, 3]) if depth < 6 else 0)]
    if origin in (dict, collections.abc.Mapping):
        return {name: made(rng, inner[1], "", depth + 1) for name in rng.sample("ab", rng.randint(0, 2))}
    if te.is_typeddict(kind):
        return {
            name: made(rng, hint, name, depth + 1)
            for name, hint in te.get_type_hints(kind, include_extras=True).items()
            if is_needed(kind, hint) or rng.random() < 0.3
        }
    if kind is str:
        return rng.choice(OF_KEY.get(key, WORDS))
    plain_values = {int: [0, 1, 7], float: [0.5, 1.0], bool: [True, False], object: [{}, {"a": 1}, "x", 1]}
    return rng.choice(plain_values.get(kind, [None if kind in (None, type(None)) else "aGk="]))


def is_model(kind: Any) -> bool:
    """Whether a type is one of a response's classes, or a union of them."""
    if te.get_origin(kind) is te.Annotated:
        return is_model(te.get_args(kind)[0])
    if te.get_origin(kind) in (typing.Union, types.UnionType):
        return all(is_model(one) for one in te.get_args(kind))
    return inspect.isclass(kind) and hasattr(kind, "model_fields")


def is_needed(kind: Any, hint: Any) -> bool:
    return te.get_origin(hint) is te.Required or (kind.__total__ and te.get_origin(hint) is not te.NotRequired)


def lists(source: str, seed: int, count: int) -> typing.Iterator[list[Json]]:
    """Lists of messages by the types; Anthropic's type of a system message also allows one that says nothing."""
    rng = random.Random(f"{source} {seed}")
    for _ in range(count):
        elements = [made(rng, SOURCES[source][1]) for _ in range(rng.randint(1, 5))]
        yield [one for one in elements if one.get("role") != "system" or one.get("content") or one.get("output_config")]


@pytest.mark.parametrize("source", SOURCES)
def test_what_the_types_accept_is_read_and_replayed(source):
    key = SOURCES[source][0]
    for messages in lists(source, 1, 400):
        body = {key: messages}
        assert tw.convert(body, source, source).payload == body


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", SOURCES)
def test_what_is_built_is_accepted_and_needs_no_second_build(source, target):
    key, sent = SOURCES[source][0], 0
    types_of = {"openai": SOURCES["openai"][1], "anthropic": SOURCES["anthropic"][1]}
    judge = pydantic.TypeAdapter(types_of[target]) if target in types_of else None
    for at, messages in enumerate(lists(source, 2, 120)):
        budget = (None, 300, 3_000)[at % 3]
        try:
            ready = tw.prepare({key: messages}, target, budget, source=source, opening="Go on.")
        except tw.BuildError as error:
            assert error.code in ("empty_messages", "ends_with_assistant", "unsendable", "budget_too_small"), messages
            continue
        sent += 1
        again = tw.prepare(ready.payload, target, source=target)
        assert (again.payload, list(again.receipt)) == (ready.payload, []), messages
        for element in ready.payload["messages"] if judge else ():
            judge.validate_python(element)
    assert sent > 15
