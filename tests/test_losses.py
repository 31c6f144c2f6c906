"""Nothing vanishes silently: each word of a random payload is unique, and is either in the output or under a loss."""

import json
import re
from typing import Any

import pytest
import turnwire as tw

Json = dict[str, Any]

IMAGE = {"format": "png", "source": {"s3Location": {"uri": "s3://bucket/a.png", "bucketOwner": "111122223333"}}}
INLINE = {"format": "png", "source": {"bytes": "iVBORw0KGgo=", "x": 1}}
ASKED = [{"role": "user", "content": "q"}]
FUNCTION = {"type": "function", "function": {"name": "f", "strict": True, "parameters": {"type": "object"}}}
CUSTOM = {
    "type": "custom",
    "custom": {"name": "f", "format": {"type": "grammar", "grammar": {"syntax": "regex", "definition": "a"}}},
}
SPEC = {"toolSpec": {"name": "f", "strict": True, "inputSchema": {"json": {"type": "object"}}}}
DEVELOPER = [
    {"role": "user", "content": "q"},
    {"role": "developer", "content": [{"type": "text", "text": word} for word in "ab"]},
]


@pytest.mark.parametrize(
    ("source", "body", "target", "path"),
    [
        (
            "bedrock",
            {"messages": [{"role": "user", "content": [{"image": IMAGE}]}]},
            "ai-sdk",
            "$.messages[0].content[0].image.source.s3Location.bucketOwner",
        ),
        (
            "bedrock",
            {"messages": [{"role": "user", "content": [{"image": INLINE}]}]},
            "openai",
            "$.messages[0].content[0].image.source.x",
        ),
        ("openai", {"messages": ASKED, "tools": [FUNCTION]}, "gemini", "$.tools[0].function.strict"),
        ("openai", {"messages": ASKED, "tools": [FUNCTION]}, "cohere", "$.tools[0].function.strict"),
        ("openai", {"messages": ASKED, "tools": [FUNCTION]}, "sharegpt", "$.tools[0].function.strict"),
        ("openai", {"messages": ASKED, "tools": [CUSTOM]}, "sharegpt", "$.tools[0].custom.format"),
        (
            "bedrock",
            {"messages": [{"role": "user", "content": [{"text": "q"}]}], "toolConfig": {"tools": [SPEC]}},
            "ollama",
            "$.toolConfig.tools[0].toolSpec.strict",
        ),
        ("openai", {"messages": DEVELOPER}, "gemini-interactions", "$.messages[1]"),
    ],
)
def test_a_loss_names_a_place_that_is_in_the_payload(source: str, body: Json, target: str, path: str) -> None:
    losses = tw.convert(body, target, source=source).receipt
    assert path in [loss.path for loss in losses]
    for loss in losses:
        value: Any = body
        for key, index in re.findall(r"\.(\w+)|\[(\d+)\]", loss.path):
            value = value[int(index) if index else key]


@pytest.mark.parametrize("target", ["anthropic", "openai", "gemini", "openai-responses"])
def test_the_type_of_a_result_of_converse_is_lost_elsewhere(target: Any) -> None:
    call = {"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}
    result = {"toolResult": {"toolUseId": "c", "content": [{"text": "r"}], "type": "grounding"}}
    turns = [("user", {"text": "q"}), ("assistant", call), ("user", result)]
    body = {"messages": [{"role": role, "content": [block]} for role, block in turns]}
    lost = [loss.path for loss in tw.convert(body, target, source="bedrock").receipt if loss.kind == "lost"]
    assert lost == ["$.messages[2].content[0].toolResult.type"]
    ready = tw.prepare(body, "bedrock")
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["reply_keys"]
    assert "grounding" not in str(ready.payload)
    plain = json.loads(json.dumps(body).replace("grounding", "tool_result"))
    assert not [loss for loss in tw.convert(plain, target, source="bedrock").receipt if loss.kind == "lost"]


def test_a_key_of_each_turn_whose_result_moves_is_there_or_told() -> None:
    def call(name: str) -> Json:
        return {"type": "tool_use", "id": name, "name": "f", "input": {}}

    def result(name: str) -> Json:
        return {"type": "tool_result", "tool_use_id": name, "content": "r"}

    messages: list[Json] = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [call("a"), call("b")]},
        {"role": "assistant", "content": [result("a")], "x_one": 1},
        {"role": "assistant", "content": [result("b")], "x_two": 2},
    ]
    ready = tw.prepare(messages, "anthropic")
    assert "x_one" in str(ready.payload)
    assert [(loss.code, loss.path) for loss in ready.receipt.only("lost")] == [("key", "$[3].x_two")]


def test_keys_of_a_listed_call_that_its_block_has_already_are_told() -> None:
    function = {"name": "f", "arguments": {}, "type": ["odd"], "id": "d", "x": 2, "y": 3}
    messages: list[Json] = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": "go", "toolCalls": [{"x": 1, "name": "other", "function": function}]},
        {"role": "tool", "content": "r"},
    ]
    ready = tw.prepare(messages, "history")
    kept = {"type": "tool_use", "id": "call_1_0", "name": "f", "input": {}, "x": 2, "y": 3}
    assert ready.payload[1]["content"][1] == kept
    at = "$[1].toolCalls[0]"
    lost = [loss.path for loss in ready.receipt if loss.kind == "lost"]
    assert lost == [f"{at}.function.id", f"{at}.function.type", f"{at}.name", f"{at}.x"]


@pytest.mark.parametrize("before", [[], [{"type": "thought", "summary": [], "signature": "c2ln"}]])
def test_keys_of_a_step_whose_contents_become_steps_are_kept_or_told(before: list[Json]) -> None:
    steps: list[Json] = [
        {"type": "user_input", "content": [{"type": "text", "text": "q"}]},
        {"type": "function_call", "id": "c", "name": "f", "arguments": {}},
        {"type": "user_input", "content": [{"type": "function_result", "call_id": "c", "result": "r"}], "x_one": 1},
        {"role": "model", "content": [*before, {"type": "text", "text": "a"}], "x_two": 2},
        {"type": "user_input", "content": [{"type": "text", "text": "more"}]},
    ]
    ready = tw.prepare({"input": steps}, "gemini-interactions", source="gemini-interactions")
    assert "x_two" in str(ready.payload)
    assert [loss.path for loss in ready.receipt if loss.kind == "lost"] == ["$.input[2].x_one"]
