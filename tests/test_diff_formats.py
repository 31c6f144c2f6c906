"""`diff` in every format: it names the block and the byte of each planted edit, and equal bodies are equal."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
WORDS = ("alpha", "bêta", "gamma", "δέλτα")
SEED = 20261127


def words(rng: random.Random, count: int) -> str:
    return " ".join(f"{rng.choice(WORDS)}{rng.randrange(10_000)}" for _ in range(count))


def request(rng: random.Random, dialect: Any) -> Any:
    """A request with calls, results, system text and tools. Every text is written by `words`."""
    messages: list[Json] = [{"role": "user", "content": words(rng, 6)}]
    for step in range(5):
        arguments = json.dumps({"q": words(rng, 3)}, ensure_ascii=False)
        call = {"id": f"callabc{step:02}", "type": "function", "function": {"name": "look", "arguments": arguments}}
        messages += [
            {"role": "assistant", "content": words(rng, 4), "tool_calls": [call]},
            {"role": "tool", "tool_call_id": call["id"], "content": words(rng, 12)},
        ]
        if step % 2:
            messages += [{"role": "assistant", "content": words(rng, 5)}, {"role": "user", "content": words(rng, 5)}]
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    functions = [{"name": name, "description": words(rng, 4), "parameters": schema} for name in ("look", "write")]
    tools = [{"type": "function", "function": one} for one in functions]
    return tw.prepare(messages, dialect, source="openai", system=words(rng, 8), tools=tools).payload


def texts(value: Any, path: str = "$", keys: tuple[Any, ...] = ()) -> Iterator[tuple[str, tuple[Any, ...], str]]:
    """Each text of `words`, with its path and its keys."""
    if isinstance(value, dict):
        for key, held in value.items():
            yield from texts(held, f"{path}[{json.dumps(key)}]" if "." in key else f"{path}.{key}", (*keys, key))
    elif isinstance(value, list):
        for index, held in enumerate(value):
            yield from texts(held, f"{path}[{index}]", (*keys, index))
    elif isinstance(value, str) and any(word in value for word in WORDS):
        yield path, keys, value


def with_another_digit(rng: random.Random, payload: Any, keys: tuple[Any, ...]) -> tuple[Any, int]:
    """The payload with one digit of that text changed, and the byte in the text at which it differs."""
    made = held = copy.deepcopy(payload)
    for key in keys[:-1]:
        held = held[key]
    text = held[keys[-1]]
    at = rng.choice([at for at, letter in enumerate(text) if letter.isascii() and letter.isdigit()])
    held[keys[-1]] = text[:at] + str((int(text[at]) + 1) % 10) + text[at + 1 :]
    return made, len(text[:at].encode())


@pytest.mark.parametrize("dialect", tw.dialects())
def test_the_block_and_the_byte_of_every_planted_edit(dialect: Any) -> None:
    rng = random.Random(f"{SEED} {dialect}")
    for _ in range(8):
        before = request(rng, dialect)
        path, keys, _text = rng.choice(list(texts(before)))
        after, byte = with_another_digit(rng, before, keys)
        found = tw.diff(before, after, source=dialect)
        place = str(found.path)
        assert found.edit and path.startswith(place) and path[len(place) :][:1] in ("", ".", "["), (path, str(found))
        assert place not in ("$", "$.messages", "$.input", "$.contents", "$.conversations"), (path, place)
        assert found.byte == byte, (path, str(found))
        again = tw.diff(before, json.dumps(before, indent=1, ensure_ascii=True), source=dialect)
        assert not again and not again.edit, (dialect, str(again))
