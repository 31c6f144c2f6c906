"""Equality: by content, both ways round and through every function; equal things have equal hashes."""

import itertools
import json

import pytest
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st

# Arguments on one line mean the same; those on different lines do not.
ARGUMENTS = [
    ["", "  ", "{}", {}],
    ['{"x":1,"x":1}', '{"x":1}', '{"x": 1.0}', '{"x":2,"x":10e-1}', {"x": 1}, {"x": 1.0}],
    ['{"x":1,"y":2}', '{"y":2,"x":1}', {"x": 1, "y": 2}],
    ['{"x":1.50}', '{"x":1.5}', '{"x":15e-1}', {"x": 1.5}],
    ['{"x":-0.0}', '{"x":0}', {"x": -0.0}, {"x": 0}],
    [f'{{"x":{10**30}}}', f'{{"x":{10**30}.0}}', '{"x":1e30}', {"x": 10**30}, {"x": 1e30}],
    [f'{{"x":{10**30 + 1}}}', {"x": 10**30 + 1}],
    ['{"x":1e999}'],
    ['{"x":1e998}'],
    ['{"x":true}', {"x": True}],
    ['{"x":"1"}', '{"x":"\\u0031"}', {"x": "1"}],
    ['{"x":'],
    ['{"x": '],
]


def every_pair():
    calls = [(line, args) for line, alike in enumerate(ARGUMENTS) for args in alike]
    return itertools.product(calls, calls)


def test_calls_are_the_same_where_their_arguments_say_the_same():
    for (line, args), (other, others) in every_pair():
        one, two = tw.parts.AssistantToolUse("i", "n", args), tw.parts.AssistantToolUse("i", "n", others)
        assert (one == two) is (line == other), (args, others)
        assert (one == two) <= (hash(one) == hash(two))


def test_of_free_text_every_letter_counts():
    one, two = (tw.parts.AssistantToolUse("i", "n", text, custom=True) for text in ("1", "1 "))
    assert one != two
    assert two != one
    changed = tw.parts.AssistantToolUse("i", "n", "1", orig_args="1 ", custom=True)
    assert changed.orig_args is None
    assert changed != one


@pytest.mark.parametrize("text", ["1.50", "1E2", "123456789012345678901234567890", "0.1e+1", '{"b":1,"a":2,"b":1.0}'])
def test_values_are_the_same_by_every_function(text):
    history = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {"x": 0}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": [{"x": 0}]}]},
    ]
    spelled = json.dumps(history).replace(": 0}", f": {text}}}")
    one, two = tw.Conversation.parse(spelled, "history"), tw.Conversation.parse(json.loads(spelled), "history")
    assert one == two
    assert two == one
    assert hash(one) == hash(two)


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.dictionaries(
    st.text(max_size=3), st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3)), max_size=4
)


@given(VALUES)
def test_a_value_is_its_json_text(value):
    one, two = tw.parts.AssistantToolUse("i", "n", value), tw.parts.AssistantToolUse("i", "n", json.dumps(value))
    assert one == two
    assert two == one
    more = tw.parts.AssistantToolUse("i", "n", {**value, "more": 1})
    assert more != one
    assert one != more
