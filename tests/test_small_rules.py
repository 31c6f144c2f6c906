"""Small rules of the wire: references without tools, media of rows, keys and blocks that are known, and paths."""

import pytest
import turnwire as tw

GO = {"role": "user", "content": "go"}


def coded(receipt):
    return [one.code for one in receipt]


def test_a_reference_without_the_tools_is_a_warning():
    found = {"type": "tool_reference", "tool_name": "f"}
    messages = [
        GO,
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "find", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": [found]}]},
    ]
    ready = tw.prepare(messages, "anthropic", source="anthropic")
    assert ready.payload["messages"] == messages
    assert "$[2].content[0].content[0]" in [str(one.path) for one in ready.receipt if one.code == "tools_missing"]
    assert {one.kind for one in ready.receipt} == {"warning"}


@pytest.mark.parametrize("row", ["openai:kimi", "openai:groq"])
@pytest.mark.parametrize("source", ["openai", "openai:compatible"])
def test_files_and_sound_are_lost_where_the_row_has_none(row, source):
    file = {
        "type": "file",
        "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0xLjQKJcOkw7w="},
    }
    sound = {"type": "input_audio", "input_audio": {"data": "UklGRiQAAABXQVZF", "format": "wav"}}
    for part in (file, sound):
        messages = [{"role": "user", "content": [{"type": "text", "text": "see"}, part]}]
        ready = tw.prepare(messages, row, source=source)
        assert part["type"] not in str(ready.payload)
        assert [(one.kind, one.code) for one in ready.receipt] == [("lost", "media")]


def test_known_keys_of_responses():
    image = {"type": "image_generation", "complexity": "high", "frame_count": 2, "frame_duration_ms": 40, "svg": {}}
    body = {"model": "m", "tools": [image], "input": [GO]}
    assert "unknown_key" not in coded(tw.check(body, "openai-responses"))
    seen = {"type": "input_image", "image_url": "https://e.org/a.png"}
    assert not tw.check([{"role": "user", "content": [seen]}], "openai-responses", source="openai-responses")


def test_a_function_may_be_in_a_result_of_interactions():
    steps = [
        {"type": "user_input", "content": [{"type": "text", "text": "go"}]},
        {"type": "function_call", "id": "c1", "name": "f", "arguments": {}},
        {"type": "function_result", "call_id": "c1", "name": "f", "result": [{"type": "function", "name": "g"}]},
    ]
    assert "unknown_block" not in coded(tw.check(steps, "gemini-interactions", source="gemini-interactions"))


def test_the_path_of_a_lone_server_result_is_its_block():
    lone = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_9", "content": []}
    messages = [GO, {"role": "assistant", "content": [{"type": "text", "text": "x"}, lone]}, GO]
    found = [one for one in tw.check({"messages": messages}, "anthropic") if one.code == "orphan_result"]
    assert [str(one.path) for one in found] == ["$.messages[1].content[1]"]
    call = {"type": "server_tool_use", "id": "srvtoolu_9", "name": "web_search", "input": {"query": "q"}}
    messages[1]["content"][1] = call
    found = [one for one in tw.check({"messages": messages}, "anthropic") if one.code == "orphan_call"]
    assert [str(one.path) for one in found] == ["$.messages[1].content[1]"]


def test_ollamas_levels():
    body = {"model": "m", "messages": [GO], "reasoning_effort": "xhigh"}
    assert tw.convert(body, source="openai", target="ollama", settings="convert").payload["think"] == "high"
    body["reasoning_effort"] = "max"
    assert tw.convert(body, source="openai", target="ollama", settings="convert").payload["think"] == "max"
    found = tw.check({"model": "m", "messages": [GO], "think": "xhigh"}, "ollama")
    assert 'expected one of "low", "medium", "high", "max", or a boolean, got a string' in str(found)
