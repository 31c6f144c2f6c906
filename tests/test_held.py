"""What an SDK's object holds, read from its fields: equal to its own dump; and the number of an element."""

from __future__ import annotations

import enum
import importlib
import random
import types
import typing
from datetime import UTC, datetime
from typing import Any

import pydantic
import pydantic_core
import pytest
from turnwire._adapt import _AS_JSON
from turnwire._core import _fingerprint, _held

SDKS = ("openai.types", "openai.types.chat", "openai.types.responses", "anthropic.types", "anthropic.types.beta")
# LiteLLM's are in `tests/adapters/test_litellm_fields.py`.
SDKS += ("google.genai.types", "mistralai.client.models", "ollama")
# The number of objects of each class.
TIMES = 4


class Word(enum.StrEnum):
    ONE = "one"


def classes(package: str) -> list[Any]:
    module = importlib.import_module(package)
    # Mistral's module loads each class when it is asked for.
    every = [getattr(module, name) for name in dir(module)]
    found = [one for one in every if isinstance(one, type) and issubclass(one, pydantic.BaseModel)]
    own = {
        one
        for one in found
        if one.__module__.startswith(package.partition(".")[0]) and "__pydantic_fields__" in vars(one)
    }
    return sorted(own, key=str)


def made(kind: Any, dice: random.Random, deep: int) -> Any:
    """An object with values of any kind, most of them of the class's types; made as the SDKs make those of servers."""
    said = {}
    for name, field in kind.model_fields.items():
        if dice.random() < 0.7 or field.is_required():
            said[name] = value(field.annotation, dice, deep)
    # The SDK's own constructor inspects its values, so it is not used.
    one = pydantic.BaseModel.model_construct.__func__(kind, **said)
    if kind.model_config.get("extra") == "allow" and dice.random() < 0.2:
        one.later, one.nothing = value(Any, dice, deep), None
    return one


def value(annotation: Any, dice: random.Random, deep: int) -> Any:
    roll = dice.random()
    if roll < 0.03:
        odd = [
            b"\xff",
            Word.ONE,
            datetime(2026, 1, 1, tzinfo=UTC),
            float("inf"),
            (1, "x"),
            {3},
            {4: "x"},
            2**70,
        ]
        return dice.choice(odd)
    if roll < 0.1:
        return None
    origin, inside = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        return value(dice.choice(inside), dice, deep)
    if origin is typing.Annotated:
        return value(inside[0], dice, deep)
    if origin is typing.Literal:
        return dice.choice(inside)
    if origin in (list, typing.Sequence) or annotation is list:
        return [value(inside[0] if inside else Any, dice, deep) for _ in range(dice.randrange(3))]
    if origin is dict or annotation is dict:
        of = inside[1] if inside else Any
        return {dice.choice("abc"): value(of, dice, deep) for _ in range(dice.randrange(3))}
    if isinstance(annotation, type) and "__pydantic_fields__" in vars(annotation) and deep:
        kind = annotation
        if dice.random() < 0.1:
            # A dump of the field's own class would have less.
            kind = type("Sub", (annotation,), {"__module__": kind.__module__, "__annotations__": {"more": str}})
        return made(kind, dice, deep - 1)
    plain = [dice.choice(["", "x", "日本語"]), dice.randrange(9), dice.random(), True, None, {"k": [None, {"n": None}]}]
    return next((one for one in plain if type(one) is annotation), dice.choice(plain))


@pytest.mark.parametrize("package", SDKS)
def test_fields_say_what_a_dump_says(package: str) -> None:
    fields_say_what_a_dump_says(package)


def fields_say_what_a_dump_says(package: str) -> None:
    read = 0
    for kind in classes(package):
        for seed in range(TIMES):
            one = made(kind, random.Random(f"{kind} {seed}"), 2)
            held = _held(one)
            if held is None:
                continue
            try:
                dump = one.model_dump(**_AS_JSON)
            except pydantic_core.PydanticSerializationError:
                # A serializer of Mistral's raises for a value of another type.
                continue
            read += 1
            assert list(told(held)) == list(told(dump)), (kind, seed, one)
    assert read > TIMES


def told(value: Any) -> Any:
    """Each key and value in its order: a dict equals another one whatever the order."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from told(item)
    elif isinstance(value, list):
        yield len(value)
        for item in value:
            yield from told(item)
    else:
        yield type(value), value


def test_an_element_is_found_again_by_its_number() -> None:
    text: Any = {"role": "user", "content": "x" * 9_000}
    block: Any = {"type": "text", "text": "x" * 9_000, "cache_control": {"type": "ephemeral"}}
    same = [text, {**text, "content": [block]}, {**text, "cache_control": 1}, types.MappingProxyType(text)]
    inside = {**text, "content": "x" * 4_000 + "y" + "x" * 4_999}
    other = [{**text, "content": "y" + text["content"][1:]}, {**text, "content": "x"}, {**text, "more": None}, [text]]
    other += [{**text, "content": [block, block]}, {**text, "content": []}, {**text, "role": "assistant"}]
    for whole in (False, True):
        (number,) = {_fingerprint(one, whole) for one in same}
        assert number not in {_fingerprint(one, whole) for one in other}
        # The middle of a long text counts only where the whole text does.
        assert (_fingerprint(inside, whole) == number) is not whole
