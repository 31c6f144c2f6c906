"""Results of tools: into Gemini's object and back, whatever they look like, and exactly counted by a budget's cut."""

import json
import math
from decimal import Decimal
from typing import Any

import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import tries
from world import size as words

Json = dict[str, Any]
KEYS = ("result", "output", "error")

# --- What a tool may return ---

WORDS = st.sampled_from(["", "x", "語", "🚧 ", '"', "\n", "a: 1", "{", "}", "null", "[tool error]", "x" * 90])
NUMBERS = st.one_of(st.integers(-(10**25), 10**25), st.floats(allow_nan=False, allow_infinity=False))
NAMES = st.one_of(st.sampled_from([*KEYS, "a", "b", "ключ", ""]), WORDS)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=8,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)
SPELLINGS = st.sampled_from([{}, {"indent": 2}, {"separators": (",", ":")}, {"ensure_ascii": False}])
AROUND = st.sampled_from(["", " ", "\n"])
#: Texts that look like an object and cannot be one without a loss, or are none.
ODD = st.sampled_from(
    [
        '{"a": 1, "a": 2}',
        '{"a": [{"b": 1, "b": 1}]}',
        '{"a": 1e400}',
        '{"a": "\\ud83d"}',
        '{"a": 0.1000000000000000055511151231257827}',
        '{"a": NaN}',
        '{"a": 1} {"b": 2}',
        '{"a": 1,}',
        "{'a': 1}",
        "{" * 300 + "}" * 300,
        '{"a":' * 256 + "1" + "}" * 256,
        '{"a": 1.50, "b": 1E2, "c": -0, "d": -0.0}',
    ]
)
TEXTS = st.one_of(
    WORDS,
    ODD,
    st.builds(
        lambda value, how, around: around + json.dumps(value, **how) + around, VALUES | OBJECTS, SPELLINGS, AROUND
    ),
)
DOORS = st.sampled_from(["dict", "json"])


def exact(spelled: str) -> float:
    number = float(spelled)
    if not math.isfinite(number) or Decimal(spelled) != Decimal(repr(number)):
        raise ValueError(spelled)
    return number


def unique(pairs: list[tuple[str, Any]]) -> Json:
    if len(dict(pairs)) < len(pairs):
        raise ValueError(pairs)
    return dict(pairs)


def refuse(word: str) -> None:
    raise ValueError(word)


def depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def fails(response: Json) -> bool:
    """Whether a Gemini response marks the tool's failure."""
    error = response.get("error")
    if len(response) == 1:
        return error is not None and error is not False
    return error is True or (isinstance(error, str | list | dict) and len(error) > 0)


def spelled(text: str | None) -> Json | None:
    """The object that a text spells, where Gemini can hold all of it as the whole of a response."""
    try:
        value = json.loads(text or "", parse_float=exact, parse_constant=refuse, object_pairs_hook=unique)
        words.compact(value).encode()
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or not value or (len(value) == 1 and value.keys() & set(KEYS)):
        return None
    return None if fails(value) or depth(value) > 240 else value


MUTE_ERROR = "The tool failed without a message."


def said(response: Json) -> tuple[str, bool]:
    """The content of a Gemini response, in one spelling, and whether the tool failed."""
    failed = fails(response)
    value: Any = response
    if len(response) == 1 and (response.keys() & {"result", "output"} or failed):
        (value,) = response.values()
    if isinstance(value, str):
        try:
            parsed = json.loads(value)
        except (ValueError, RecursionError):
            return value, failed
        return words.compact(parsed) if isinstance(parsed, dict | list) else value, failed
    return "" if value is None or value == {} else words.compact(value), failed


def openai(texts: list[str | None]) -> list[Json]:
    calls = [
        {"id": f"c{at}", "type": "function", "function": {"name": "f", "arguments": "{}"}} for at in range(len(texts))
    ]
    results = [{"role": "tool", "tool_call_id": f"c{at}", "content": text} for at, text in enumerate(texts)]
    return [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": calls}, *results]


def gemini(responses: list[Json]) -> list[Json]:
    def part(kind: str, at: int, key: str, value: Json) -> Json:
        return {kind: {"id": f"c{at}", "name": "f", key: value}}

    calls = [part("functionCall", at, "args", {}) for at in range(len(responses))]
    results = [part("functionResponse", at, "response", response) for at, response in enumerate(responses)]
    contents = [("user", [{"text": "q"}]), ("model", calls), ("user", results)]
    return [{"role": role, "parts": parts} for role, parts in contents]


def convert(door: str, payload: Any, source: str, target: str) -> tuple[Any, tuple[tw.Change, ...]]:
    if door == "dict":
        made = tw.convert(payload, target, source=source)
        return made.payload, made.receipt
    written = tw.convert_json(json.dumps(payload).encode(), target, source=source)
    return json.loads(written.payload), written.receipt


def responses(payload: Json) -> list[Json]:
    parts = [part for content in payload["contents"] for part in content["parts"]]
    return [part["functionResponse"]["response"] for part in parts if "functionResponse" in part]


@settings(deadline=None, max_examples=tries(300))
@given(DOORS, st.lists(st.none() | TEXTS, min_size=1, max_size=5))
def test_text_is_an_object_in_gemini_where_it_spells_one_and_comes_back(door, texts):
    there, losses = convert(door, openai(texts), "openai", "gemini")
    for text, response in zip(texts, responses(there), strict=True):
        expected = {} if text is None else spelled(text) or {"result": text}
        assert words.compact(response) == words.compact(expected)
    assert all(loss.kind != "lost" for loss in losses)
    back, losses = convert(door, there, "gemini", "openai")
    results = [message["content"] for message in back["messages"] if message["role"] == "tool"]
    for text, result in zip(texts, results, strict=True):
        value = spelled(text)
        assert result == (text or "") if value is None else words.compact(json.loads(result)) == words.compact(value)
    told = [(loss.kind, loss.code) for loss in losses if loss.code != "signature"]  # the stand-in for one
    assert told == [("restated", "json_as_text")] * sum(spelled(text) is not None for text in texts)


@settings(deadline=None, max_examples=tries(300))
@given(DOORS, st.lists(OBJECTS | st.builds(lambda key, value: {key: value}, st.sampled_from(KEYS), VALUES | TEXTS)))
def test_what_a_gemini_response_says_survives_the_way_to_openai_and_back(door, given_responses):
    there, losses = convert(door, gemini(given_responses), "gemini", "openai")
    assert all(loss.kind != "lost" for loss in losses)
    # An error that says nothing gets words, because the model would not see it.
    given = list(map(said, given_responses))
    mute = [failed and not text.strip() for text, failed in given]
    given = [(MUTE_ERROR, True) if says_nothing else one for one, says_nothing in zip(given, mute, strict=True)]
    assert sum(loss.code == "empty_result" for loss in losses) == sum(mute)
    back, losses = convert(door, there, "openai", "gemini")
    assert all(loss.kind != "lost" for loss in losses)
    assert list(map(said, responses(back))) == given


@settings(deadline=None, max_examples=tries(300))
@given(
    DOORS,
    st.lists(st.tuples(TEXTS, st.integers(1, 40)), min_size=1, max_size=5),
    st.integers(0, 3000),
    st.sampled_from([None, 60, 300]),
)
def test_sizes_are_exact_where_gemini_holds_objects_and_cut_ones_are_text(door, said_often, budget, cap):
    texts = [json.dumps({"a": text, "n": times, "b": [text] * times}) for text, times in said_often]
    texts += [text * times for text, times in said_often]
    prepare = tw.prepare if door == "dict" else tw.prepare_json
    payload = openai(texts) if door == "dict" else json.dumps(openai(texts))
    try:
        made = prepare(payload, "gemini", tw.Budget(budget, per_result=cap), source="openai")
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    sent = made.payload if door == "dict" else json.loads(made.payload)
    assert words.size(sent) <= budget
    if totals := made.receipt.totals:
        assert totals["after"] == words.size(sent)
    for text, response in zip(texts, responses(sent), strict=True):
        whole = spelled(text) or {"result": text}
        if words.compact(response) != words.compact(whole):
            value = response["result"] if response.keys() == {"result"} else words.compact(response)
            assert cap is None or len(value.encode()) <= cap or value == "... [truncated]"
