"""Interactions: recorded steps come back as they are, histories go there and back, and broken ones are mended."""

import functools
import json
import random
import re
import sys
from pathlib import Path

import pytest
import turnwire as tw
from faults import gemini_interactions_checker as checker
from hypothesis import given
from hypothesis import strategies as st

NAME = "gemini-interactions"
SHARED = Path(__file__).resolve().parents[2] / "shared"
SOURCES = ("openai", "anthropic", "gemini", "openai-responses", "bedrock")
SAMPLES = sorted((SHARED / "data/wires2").glob("interactions-*.json"))
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def words_of(value):
    """Every word of a payload, in strings and in JSON text inside of them."""
    return set(re.findall(r"w0\w+", json.dumps(value)))


@pytest.mark.skipif(not SAMPLES, reason="needs the samples in ../shared/data/wires2")
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_come_back_as_they_are_through_both_doors(path):
    payload = json.loads(path.read_text(encoding="utf-8"))
    if path.stem.endswith("stream"):
        pytest.skip("a stream: turnwire reads no replies of Interactions")
    payload = payload if isinstance(payload, dict) else {"input": payload}
    made = tw.convert(payload, NAME, NAME)
    assert made.losses == ()
    assert made.payload == {key: payload[key] for key in made.payload}
    assert made.payload["input"] == payload["input"]
    text = tw.convert_json(json.dumps(payload), NAME, NAME)
    assert json.loads(text.payload) == made.payload


@functools.cache
def judge():
    """The judge of this format, by Google's SDK."""
    if not (SHARED / "tools/validate_wires2.py").exists():
        pytest.skip("the judge of this format is not here (../shared/tools)")
    pytest.importorskip("google.genai")
    sys.path.insert(0, str(SHARED / "tools"))
    try:
        import validate_wires2
    finally:
        sys.path.pop(0)
    return validate_wires2


# The SDK's own types have deprecated fields, which pydantic reads.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("source", SOURCES)
def test_the_sdk_takes_what_is_written(source):
    for seed in range(100):
        first = tw.convert(history(random.Random(seed)), "openai", source).payload
        made = {"model": "m", **tw.convert(first, source, NAME).payload}
        assert [*judge().check("interactions", made)] == []


def is_form(loss):
    """Whether a loss is of what the source alone has: a stand-in for a signature, how closely to look at an image."""
    return loss.code == "signature" or loss.path.endswith(".detail")


def history(dice):
    """Messages of Chat Completions: each word is there once."""
    count = iter(range(10**6))

    def word():
        return f"w0{next(count)}z"

    def user():
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
        return {"role": "user", "content": dice.choice([word(), [{"type": "text", "text": word()}, image]])}

    messages = [{"role": "system", "content": word()}, user()]
    for _ in range(dice.randrange(1, 5)):
        calls = [
            {"id": word(), "type": "function", "function": {"name": word(), "arguments": json.dumps({"q": word()})}}
            for _ in range(dice.randrange(4))
        ]
        said = {"role": "assistant", "content": word()}
        messages.append(said | ({"tool_calls": calls} if calls else {}))
        results = [{"role": "tool", "tool_call_id": call["id"], "content": word()} for call in calls]
        dice.shuffle(results)
        for result in results:
            result["content"] = dice.choice(["", "[tool error] "]) + result["content"]
        messages += [*results, user()]
    return {"messages": messages}


@given(st.integers(0, 2**32), st.sampled_from(SOURCES))
def test_there_and_back_nothing_is_lost(seed, source):
    first = tw.convert(history(random.Random(seed)), "openai", source).payload
    there = tw.convert(first, source, NAME)
    assert [*checker.check(there.payload)] == []
    assert [loss for loss in there.losses if loss.kind == "lost" and not is_form(loss)] == []
    back = tw.convert(there.payload, NAME, source)
    assert words_of(back.payload) == words_of(there.payload) == words_of(first)
    for made in (there.payload, back.payload):
        assert json.dumps(made).count(PNG) == json.dumps(first).count(PNG)


def drop_result(steps, dice):
    steps.remove(dice.choice([step for step in steps if step["type"] == "function_result"]))


def drop_call(steps, dice):
    steps.remove(dice.choice([step for step in steps if step["type"] == "function_call"]))


def repeat_result(steps, dice):
    found = dice.choice([step for step in steps if step["type"] == "function_result"])
    steps.insert(dice.randrange(steps.index(found) + 1, len(steps) + 1), dict(found))


def late_result(steps, dice):
    found = dice.choice([step for step in steps if step["type"] == "function_result"])
    steps.remove(found)
    steps.append(found)


def same_id(steps, dice):
    calls = [step for step in steps if step["type"] == "function_call"]
    first, second = dice.choice(calls), dice.choice(calls)
    for step in steps:
        if step.get("call_id") == second["id"]:
            step["call_id"] = first["id"]
    second["id"] = first["id"]


def no_id(steps, dice):
    dice.choice([step for step in steps if step["type"] == "function_call"]).pop("id")


def arguments_as_text(steps, dice):
    found = dice.choice([step for step in steps if step["type"] == "function_call"])
    found["arguments"] = json.dumps(found["arguments"])


def bare_content(steps, dice):
    steps.append({"type": "text", "text": "w0bare"})


def result_in_user_input(steps, dice):
    found = dice.choice([step for step in steps if step["type"] == "function_result"])
    steps[steps.index(found)] = {"type": "user_input", "content": [found]}


def text_as_content(steps, dice):
    dice.choice([step for step in steps if "content" in step])["content"] = "w0text"


FAULTS = [
    drop_result,
    drop_call,
    repeat_result,
    late_result,
    same_id,
    no_id,
    arguments_as_text,
    bare_content,
    result_in_user_input,
    text_as_content,
]


@pytest.mark.parametrize("spoil", FAULTS, ids=lambda spoil: spoil.__name__)
@pytest.mark.parametrize("seed", range(40))
def test_broken_steps_are_mended(spoil, seed):
    dice = random.Random(seed)
    messages = history(dice)
    while not any("tool_calls" in message for message in messages["messages"]):
        messages = history(dice)
    payload = tw.convert(messages, "openai", NAME).payload
    spoil(payload["input"], dice)
    built = tw.prepare(payload, NAME, source=NAME)
    assert [*checker.check(built.payload)] == []
    if spoil not in (drop_call, repeat_result, late_result, same_id, no_id):
        assert words_of(payload) <= words_of(built.payload)
