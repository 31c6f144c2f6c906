"""The judge of front ends and traces: it takes the samples, and sees what was broken in them."""

import copy
import json
from pathlib import Path

import pytest

from judges.fronts import check

SAMPLES = sorted((Path(__file__).parents[1] / "samples/fronts").glob("*.json"))


def kind_of(path):
    return path.stem.partition("-")[0]


def value_of(path):
    return json.loads(path.read_text(encoding="utf-8"))


EACH = [pytest.param(path, id=path.stem) for path in SAMPLES if kind_of(path) != "ui"]


def test_there_are_samples_of_every_kind():
    assert {kind_of(path) for path in SAMPLES} == {"agui", "interactions", "model", "otel", "trace", "ui"}


@pytest.mark.parametrize("path", EACH)
def test_a_sample_has_the_right_shape(path):
    assert [finding for finding in check(kind_of(path), value_of(path)) if finding[0] == "error"] == []


@pytest.mark.needs("pydantic_ai")
@pytest.mark.parametrize("path", [path for path in SAMPLES if kind_of(path) == "ui"], ids=lambda path: path.stem)
def test_a_sample_of_ui_messages_has_the_right_shape(path):
    assert [finding for finding in check("ui", value_of(path)) if finding[0] == "error"] == []


CALL = {"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}}
RESULT = {"type": "tool-result", "toolCallId": "c", "toolName": "f", "output": {"type": "text", "value": "r"}}
MODEL = [{"role": "assistant", "content": [CALL]}, {"role": "tool", "content": [RESULT]}]
AGUI = [
    {"id": "1", "role": "user", "content": "q"},
    {
        "id": "2",
        "role": "assistant",
        "toolCalls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
    },
    {"id": "3", "role": "tool", "toolCallId": "c", "content": "r"},
]
OTEL = [{"role": "user", "parts": [{"type": "text", "content": "q"}]}]
STEPS = [
    {"type": "user_input", "content": [{"type": "text", "text": "q"}]},
    {"type": "function_call", "id": "c", "name": "f", "arguments": {}},
    {"type": "function_result", "call_id": "c", "name": "f", "result": "r"},
]
SOUND = {"model": MODEL, "agui": AGUI, "otel": OTEL, "interactions": STEPS}


@pytest.mark.parametrize("kind", SOUND)
def test_a_sound_value_has_no_finding(kind):
    assert check(kind, SOUND[kind]) == []


def put(kind, path, value):
    made = copy.deepcopy(SOUND[kind])
    inner = made
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("kind", "path", "value", "level"),
    [
        ("model", [0, "content", 0, "toolCallId"], 5, "error"),
        ("model", [1, "content", 0, "output"], {"type": "odd"}, "error"),
        ("model", [0, "role"], "system", "error"),
        ("model", [1, "content", 0, "toolCallId"], "d", "pairing"),
        ("agui", [0, "role"], "bogus", "error"),
        ("agui", [1, "id"], "1", "pairing"),
        ("agui", [2, "toolCallId"], "d", "pairing"),
        ("otel", [0, "parts", 0], {"type": "text"}, "error"),
        ("otel", [0, "parts", 0, "more"], 1, "unknown"),
        ("otel", [0, "parts", 0], {"type": "thinking", "content": "t"}, "unknown"),
        ("interactions", [1, "arguments"], "{}", "error"),
        ("interactions", [2, "call_id"], "d", "pairing"),
    ],
)
def test_a_broken_value_is_found(kind, path, value, level):
    assert level in {finding[0] for finding in check(kind, put(kind, path, value))}


@pytest.mark.parametrize("kind", SOUND)
@pytest.mark.parametrize("value", [5, [5], {"a": 1}, [{"role": []}]])
def test_garbage_has_a_finding_and_is_no_crash(kind, value):
    assert {"error", "unknown"} & {finding[0] for finding in check(kind, value)}
