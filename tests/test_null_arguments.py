"""Arguments that say that there are none: `null`, its text, nothing. To every other target they are an empty object."""

import json
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]
LEFT_OUT = object()
NOTHING = {"null": "null", "quoted": '"null"', "None": None, "empty": "", "blank": " \n", "left out": LEFT_OUT}
USER = {"role": "user", "content": "q"}


def codes(told: Any) -> list[str]:
    return [one.code for one in told if one.kind != "warning"]


def with_args(value: Json, key: str, args: Any) -> Json:
    return value if args is LEFT_OUT else {**value, key: args}


def chat(args: Any) -> list[Json]:
    call = {"id": "c1abcdefg", "type": "function", "function": with_args({"name": "f"}, "arguments", args)}
    result = {"role": "tool", "tool_call_id": "c1abcdefg", "content": "r"}
    return [USER, {"role": "assistant", "content": "", "tool_calls": [call]}, result, USER]


def ollama(args: Any) -> list[Json]:
    call = {"function": with_args({"name": "f"}, "arguments", args)}
    return [USER, {"role": "assistant", "content": "", "tool_calls": [call]}, {"role": "tool", "content": "r"}, USER]


def responses(args: Any) -> list[Json]:
    call = with_args({"type": "function_call", "call_id": "c1", "name": "f"}, "arguments", args)
    return [USER, call, {"type": "function_call_output", "call_id": "c1", "output": "r"}, USER]


def anthropic(args: Any) -> list[Json]:
    call = with_args({"type": "tool_use", "id": "c1", "name": "f"}, "input", args)
    result = {"type": "tool_result", "tool_use_id": "c1", "content": "r"}
    return [USER, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def bedrock(args: Any) -> list[Json]:
    call = {"toolUse": with_args({"toolUseId": "c1", "name": "f"}, "input", args)}
    result = {"toolResult": {"toolUseId": "c1", "content": [{"text": "r"}]}}
    said = {"role": "user", "content": [{"text": "q"}]}
    return [said, {"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]


def gemini(args: Any) -> list[Json]:
    call = {"functionCall": with_args({"name": "f"}, "args", args)}
    result = {"functionResponse": {"name": "f", "response": {"output": "r"}}}
    said = {"role": "user", "parts": [{"text": "q"}]}
    return [said, {"role": "model", "parts": [call]}, {"role": "user", "parts": [result]}]


def interactions(args: Any) -> list[Json]:
    call = with_args({"type": "function_call", "id": "c1", "name": "f"}, "arguments", args)
    said = {"type": "user_input", "content": [{"type": "text", "text": "q"}]}
    return [said, call, {"type": "function_result", "call_id": "c1", "result": "r"}]


SOURCES = {
    "openai": chat,
    "mistral": chat,
    "cohere": chat,
    "ollama": ollama,
    "openai-responses": responses,
    "anthropic": anthropic,
    "bedrock": bedrock,
    "gemini": gemini,
    "gemini-interactions": interactions,
}
# Where arguments are an object or its text, and a call without them is refused by some server.
OBJECTS = ("anthropic", "bedrock", "cohere", "gemini", "gemini-interactions", "ollama", "openai:compatible")


def written(payload: Any) -> list[Any]:
    """What stands where arguments are."""
    if isinstance(payload, list):
        return [found for one in payload for found in written(one)]
    if not isinstance(payload, dict):
        return []
    here = [payload[key] for key in ("arguments", "args") if key in payload and ("name" in payload)]
    here += [payload["input"] for key in ("input",) if key in payload and "name" in payload]
    return here + [found for value in payload.values() for found in written(value)]


@pytest.mark.parametrize("target", (*SOURCES, "openai:compatible"))
@pytest.mark.parametrize("what", NOTHING)
@pytest.mark.parametrize("source", SOURCES)
def test_they_are_an_empty_object_to_other_targets(source: str, what: str, target: str) -> None:
    if source == target:
        return
    ready = tw.prepare(SOURCES[source](NOTHING[what]), target, source=source, blobs="base64")
    [args] = written(ready.payload)
    if (source, target) != ("openai", "openai:compatible") or what not in ("None", "left out"):
        assert args in ({}, "{}")
    lost = [change for change in ready.receipt.only("lost") if change.code == "arguments"]
    assert lost == []
    assert "not run" not in json.dumps(ready.payload)


@pytest.mark.parametrize("what", NOTHING)
@pytest.mark.parametrize("target", (*SOURCES, "openai:compatible"))
def test_at_home_they_are_what_the_target_takes(what: str, target: str) -> None:
    given = SOURCES[target.split(":")[0]](NOTHING[what])
    ready = tw.prepare(given, target, source=target, blobs="base64")
    if (target, what) == ("cohere", "null"):
        # Its server writes it and takes it back.
        assert (ready.payload["messages"], list(ready.receipt)) == (given, [])
        assert list(tw.check(given, target, source=target)) == []
    elif target in OBJECTS and written(ready.payload):
        assert written(ready.payload) in ([{}], ["{}"])
    again = tw.prepare(ready.payload, target, source=target, blobs="base64")
    assert again.payload == ready.payload


@pytest.mark.parametrize("what", ("null", "quoted"))
def test_a_call_without_a_result_says_nothing_of_its_arguments(what: str) -> None:
    ready = tw.prepare([*chat(NOTHING[what])[:2], USER], "anthropic", source="openai")
    assert "arguments" not in json.dumps(ready.payload)
    assert codes(ready.receipt) == ["missing_result"]


@pytest.mark.parametrize("args", ("nul", "nulls", '"nothing"', "[]", "0", "false"))
def test_anything_else_is_no_object(args: str) -> None:
    ready = tw.prepare(chat(args), "anthropic", source="openai")
    assert "arguments" in codes(ready.receipt)


def test_white_space_before_an_object_is_nothing() -> None:
    ready = tw.prepare(chat(" " * 40 + '{"a":1}'), "openai-responses", source="openai")
    assert json.loads(ready.payload["input"][1]["arguments"]) == {"a": 1}


@pytest.mark.parametrize("given", [{}, {"arguments": None}])
@pytest.mark.parametrize("target", ["openai", "openai:groq", "openai:deepseek", "openai:compatible", "anthropic"])
def test_a_call_without_arguments_has_none(given: Any, target: Any) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "f", **given}}
    asked: Any = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "r"},
    ]
    (use,) = tw.Conversation.parse(asked, "openai").turns[1].parts
    assert use.args == {}
    made = tw.prepare(asked, target, source="openai")
    assert '"arguments": ""' not in json.dumps(made.payload)
    assert tw.prepare(made.payload, target, source=target).payload == made.payload
