"""Tools in groups: one name for the definition and its calls, also where it is mended, and none of a plain function."""

import pickle

import pytest
import turnwire as tw
from judges import wire

GO = {"role": "user", "content": "go"}
NOTHING = {"type": "object", "properties": {}}
TARGETS = ("openai", "anthropic", "bedrock", "gemini", "mistral", "gemini-interactions")


def function(name):
    return {"type": "function", "name": name, "parameters": NOTHING, "strict": False}


def group(name, *tools):
    return {"type": "namespace", "name": name, "description": "d", "tools": list(tools)}


def called(name, namespace):
    call = {"type": "function_call", "call_id": "c1", "name": name, "namespace": namespace, "arguments": "{}"}
    return [GO, call, {"type": "function_call_output", "call_id": "c1", "output": "ok"}]


def said(name):
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "tool_use", "id": "t", "name": name, "input": {}}],
        "stop_reason": "tool_use",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["a.b", "a b", "é", "x" * 80, "plain"])
def test_a_mended_name_is_one(name, target):
    body = {"input": called(name, "mcp__a"), "tools": [group("mcp__a", function(name))]}
    for made in (
        tw.prepare(body, target, source="openai-responses"),
        tw.Ledger(target).prepare(body["input"], tools=body["tools"], source="openai-responses"),
    ):
        read = tw.Conversation.parse(made.payload, target)
        (tool,) = read.tools
        (call,) = [part for turn in read.turns for part in turn.parts if isinstance(part, tw.parts.AssistantToolUse)]
        assert tool["name"] == call.name


@pytest.mark.parametrize("name", ["a.b", "é"])
def test_at_home_both_stay(name):
    body = {"input": called(name, "mcp__a"), "tools": [group("mcp__a", function(name))]}
    assert tw.prepare(body, "openai-responses").payload == body


@pytest.mark.parametrize(
    ("plain", "member", "spoken"),
    [
        ("status", ("mcp__a", "status"), "status"),
        ("a__status", ("mcp__a", "status"), "a__status"),
        ("mcp__a__status", ("mcp__a", "status"), "mcp__a__status"),
    ],
)
@pytest.mark.parametrize("stored", [False, True])
def test_a_plain_function_of_this_name_is_meant(plain, member, spoken, stored):
    space, name = member
    body = {"model": "m", "input": [GO], "tools": [function(plain), group(space, function(name))]}
    request = tw.prepare(body, "anthropic", source="openai-responses")
    if stored:
        request = pickle.loads(pickle.dumps(request))
    for asked in (body, request):
        made = tw.replies.convert_reply(said(spoken), "openai-responses", source="anthropic", request=asked)
        (call,) = made.payload["output"]
        assert (call["name"], call.get("namespace")) == (plain, None)
        assert wire.refused("openai-responses", {"input": [GO, call]}) is not None


def test_the_member_keeps_its_own_name():
    body = {"model": "m", "input": [GO], "tools": [function("status"), group("mcp__a", function("status"))]}
    made = tw.replies.convert_reply(said("mcp__a__status"), "openai-responses", source="anthropic", request=body)
    (call,) = made.payload["output"]
    assert (call["name"], call["namespace"]) == ("status", "mcp__a")


def test_a_stream_means_the_same():
    body = {"model": "m", "input": [GO], "tools": [function("status"), group("mcp__a", function("status"))]}
    events = [
        {"type": "message_start", "message": {**said("status"), "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": said("status")["content"][0]},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 1}},
        {"type": "message_stop"},
    ]
    converter = tw.replies.StreamConverter(source="anthropic", target="openai-responses", request=body)
    out = [piece for event in events for piece in converter.feed(event)] + list(converter.finish())
    (call,) = [event["item"] for event in out if event["type"] == "response.output_item.done"]
    assert (call["name"], call.get("namespace")) == ("status", None)


def test_a_tool_says_what_each_of_its_groups_says() -> None:
    inner = group("b", function("x") | {"description": "c"}, function("y")) | {"description": "b"}
    outer = group("a", inner, function("z")) | {"description": "a"}
    made = tw.prepare({"input": [GO], "tools": [outer]}, "anthropic").payload["tools"]
    assert [(tool["name"], tool["description"]) for tool in made] == [
        ("a__b__x", "a\n\nb\n\nc"),
        ("a__b__y", "a\n\nb"),
        ("a__z", "a"),
    ]
