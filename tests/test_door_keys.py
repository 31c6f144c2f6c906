"""One key more, less or misspelt, at each level of a payload: the detected dialect is the one that reads it.

For every payload and target, reading it as `auto` is reading it as what `detect` names, or the target knows every key.
So nothing that was not read is in the output without a word.
"""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw

VECTORS = Path(__file__).parent / "vectors"
TARGETS = ("openai", "anthropic", "gemini", "openai-responses", "mistral", "cohere", "ollama", "bedrock", "openai:hf")
UNREAD = "said-by-nobody"
PAYLOADS = 2
"""How many payloads of each dialect are changed."""
PLACES = 9
"""How many objects of each payload are changed."""


def samples() -> dict[str, list[Any]]:
    """Valid payloads of each dialect, of which the largest say most."""
    found: dict[str, list[Any]] = {}
    for file in sorted(VECTORS.glob("*.json")):
        for vector in json.loads(file.read_text("utf-8")):
            if isinstance(vector, dict) and "payload" in vector and "source" in vector and "error" not in vector:
                found.setdefault(vector["source"], []).append(vector["payload"])
    return {name: sorted(all, key=lambda one: -len(json.dumps(one)))[:PAYLOADS] for name, all in found.items()}


SAMPLES = samples()


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in a list of a payload: elements, blocks, calls, tools. The keys of a body are the caller's."""
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(value, list) and isinstance(inner, dict):
            yield inner
        yield from objects(inner)


def changed(payload: Any) -> Iterator[tuple[str, Any]]:
    """The payload with one key added, left out or misspelt, in one object each, and which of these."""
    count = min(PLACES, sum(1 for _ in objects(payload)))
    for place in range(count):
        for way in ("add", "drop", "rename"):
            other = copy.deepcopy(payload)
            (here,) = (one for at, one in enumerate(objects(other)) if at == place)
            keys = [key for key in here if key not in ("messages", "contents", "input", "conversations")]
            if way == "add":
                here["unread_key"] = UNREAD
            elif not keys:
                continue
            elif way == "drop":
                del here[keys[place % len(keys)]]
            else:
                here[keys[-1] + "z"] = here.pop(keys[-1])
            yield way, other


def outcome(payload: Any, source: str, target: str) -> tuple[Any, ...]:
    """What becomes of it: the output with its losses, or the code and place of the error."""
    try:
        made = tw.convert(payload, source, target)
    except tw.TurnwireError as error:
        return error.code, error.path
    return made.payload, [(loss.code, loss.path) for loss in made.losses]


def claims(payload: Any, target: str) -> bool:
    """Whether a target reads or lists every key, as far as it reads the payload at all."""
    try:
        found = tw.check(payload, target)
    except tw.TurnwireError:
        return True
    return not any(one.code == "unknown_key" for one in found)


@pytest.mark.parametrize("source", sorted(SAMPLES))
def test_auto_is_what_detection_names(source):
    wrong = []
    for payload in SAMPLES[source]:
        for way, one in changed(payload):
            try:
                found = tw.detect(one)
            except tw.TurnwireError as error:
                # Each element may have a dialect of its own. What has no sign has none for any target either.
                if error.code == "no_dialect":
                    wrong += [
                        (error.code, target, one)
                        for target in TARGETS
                        if "no_dialect" not in outcome(one, "auto", target)
                    ]
                continue
            for target in TARGETS:
                auto = outcome(one, "auto", target)
                if auto == outcome(one, found, target):
                    continue
                # A key that is in no format is nobody's. Without it, the target may win a tie.
                if way != "drop" or not claims(one, target):
                    wrong.append((found, target, one))
    assert not wrong, (len(wrong), wrong[:3])


def test_every_dialect_with_vectors_is_changed():
    assert {"openai", "anthropic", "gemini", "openai-responses", "bedrock", "openai:hf"} <= set(SAMPLES)
