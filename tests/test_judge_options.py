"""What is prepared for a server, a version or a tokenizer, by the judge's rules for exactly that one."""

import pytest
import turnwire as tw
from judges import wire
from world.judge import JUDGES, signed

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

FILES = {
    "application/pdf": "JVBERi0xLjQ=",
    "text/plain": "aGVsbG8=",
    "text/markdown": "IyB4",
    "application/msword": "0M8R4KGxGuE=",
}


def file(kind, data):
    return {"type": "file", "file": {"filename": f"a.{kind[-3:]}", "file_data": f"data:{kind};base64,{data}"}}


def call(name):
    return {"id": name, "type": "function", "function": {"name": "look", "arguments": "{}"}}


CHAT = [
    {
        "role": "user",
        "content": [
            {"type": "text", "text": "look"},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
            {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}},
            *(file(kind, data) for kind, data in FILES.items()),
        ],
    },
    {"role": "assistant", "content": None, "tool_calls": [call("a"), call("b"), call("c")]},
    {"role": "tool", "tool_call_id": "a", "content": "[tool error] "},
    {"role": "tool", "tool_call_id": "b", "content": ""},
    {"role": "tool", "tool_call_id": "c", "content": "seen"},
    {"role": "assistant", "content": "fine"},
    {"role": "user", "content": "thanks"},
]
ERROR = {"type": "tool_result", "tool_use_id": "a", "is_error": True}
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
BLOCKS = [
    {"role": "user", "content": [{"type": "text", "text": "look"}, IMAGE]},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "look", "input": {}}]},
    {"role": "user", "content": [ERROR | {"content": [{"type": "text", "text": " "}, IMAGE]}]},
    {"role": "assistant", "content": "fine"},
    {"role": "user", "content": "thanks"},
]
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}]


@pytest.mark.parametrize(("source", "messages"), [("openai", CHAT), ("anthropic", BLOCKS)])
@pytest.mark.parametrize("target", JUDGES)
def test_it_is_accepted(target, source, messages):
    name, options = JUDGES[target]
    tools = TOOLS if source == "openai" else [{"name": "look", "input_schema": {"type": "object", "properties": {}}}]
    ready = tw.prepare(
        {"messages": messages, "tools": tools}, target, source=source, settings="convert", blobs="base64"
    )
    model = options.get("model") or ("anthropic.claude-sonnet-4-5-20250929-v1:0" if name == "bedrock" else "m")
    head = {"modelId": model} if name == "bedrock" else {"model": model} if name != "gemini" else {}
    body = head | ({"max_tokens": 9} if name == "anthropic" else {}) | ready.payload
    assert wire.errors(wire.check(name, signed(target, body), **options)) == []
    again = tw.spec.MessageBuilder().set_messages(ready.payload, target).build(target=target)
    # The image of a result goes into a message of the user's behind it.
    moved = name == "mistral" and source == "anthropic"
    assert {(one.kind, one.code) for one in again.receipt} <= ({("warning", "user_after_result")} if moved else set())
