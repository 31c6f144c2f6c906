"""Numbers and bytes on their way from Python objects to JSON."""

import base64
import enum
import json
import math

import pytest
import turnwire as tw
from hypothesis import example, given
from hypothesis import strategies as st


def written(value) -> str:
    """How turnwire writes a value in JSON: here as part of a tool's schema."""
    tool = {"type": "function", "function": {"name": "f", "parameters": {"default": value}}}
    body = {"messages": [{"role": "user", "content": "x"}], "tools": [tool]}
    text = tw.convert_json(body, "openai", source="openai").payload.decode()
    start = text.index('"default":') + len('"default":')
    _, end = json.JSONDecoder().raw_decode(text, start)
    return text[start:end]


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(0.0)
@example(-0.0)
@example(1e16)
@example(9999999999999998.0)
@example(1e-4)
@example(9.999e-5)
@example(5e-324)
@example(1.7976931348623157e308)
def test_floats_are_spelled_as_python_does(number):
    assert written(number) == repr(number)


@given(st.integers())
@example(2**63 - 1)
@example(2**63)
@example(-(2**63) - 1)
@example(10**4_000)
def test_ints_are_written_in_full(number):
    assert written(number) == str(number)


@given(st.binary(max_size=40))
def test_bytes_become_base64(data):
    assert written(data) == json.dumps(base64.b64encode(data).decode())
    assert written(bytearray(data)) == written(data)


class Level(enum.IntEnum):
    HIGH = 3


class Loud(float):
    def __repr__(self):
        return "LOUD"


def test_subclasses_are_written_as_the_numbers_they_are():
    assert written(Level.HIGH) == "3"
    assert written(Loud(1.5)) == "1.5"
    assert [written(flag) for flag in (True, False, None)] == ["true", "false", "null"]


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, 10**5_000, object(), 1j, {1: 2}], ids=lambda value: type(value).__name__
)
def test_what_json_cannot_hold(value):
    with pytest.raises(tw.TurnwireError) as caught:
        written(value)
    assert caught.value.code == "not_json"
