"""Structured content, every row of the specification's tables, and its errors for bad input."""

import copy
import json
import logging
from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest
import turnwire as tw
from turnwire.structured import (
    content_to_text,
    format_history,
    normalize_history_turns,
    parse_tool_response_payload,
    tool_call_label,
)


def text(words):
    return {"type": "text", "content": words}


def call(name, arguments, id=None):
    said = {"name": name, "arguments": arguments}
    return {"type": "tool_call", "content": said | ({"tool_call_id": id} if id else {})}


def result(name, content, id=None):
    return {"type": "tool_result", "name": name, "content": content} | ({"tool_call_id": id} if id else {})


WEATHER = [
    {"role": "user", "content": [text("Hello")]},
    {"role": "gemini", "content": [text("Let me check."), call("get_weather", {"location": "Tokyo"}, "call_abc123")]},
    {"role": "tool", "content": [result("get_weather", '{"temperature": "25°C"}', "call_abc123")]},
]


def test_gemini_input_to_the_letter():
    function_call = {"name": "get_weather", "args": {"location": "Tokyo"}}
    response = {"name": "get_weather", "response": {"temperature": "25°C"}, "id": "call_abc123"}
    assert format_history(WEATHER) == [
        {"role": "user", "parts": [{"text": "Hello"}]},
        {"role": "model", "parts": [{"text": "Let me check."}, {"function_call": function_call}]},
        {"role": "function", "parts": [{"function_response": response}]},
    ]


def test_chatgpt_input_to_the_letter():
    history = [WEATHER[0], {**WEATHER[1], "role": "chatgpt"}, WEATHER[2]]
    function = {"name": "get_weather", "arguments": '{"location":"Tokyo"}'}
    calls = [{"id": "call_abc123", "type": "function", "function": function}]
    expected = [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Let me check.", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "call_abc123", "content": '{"temperature": "25°C"}'},
    ]
    assert format_history(history, "chatgpt") == expected
    # Another provider's assistant is the assistant.
    assert format_history(WEATHER, provider="chatgpt") == expected
    assert format_history(history)[1]["role"] == "model"


@pytest.mark.parametrize("provider", ["gemini", "chatgpt"])
def test_what_the_dialect_reads_the_function_writes_too(provider):
    ours = format_history(WEATHER, provider)
    target = "gemini" if provider == "gemini" else "openai"
    theirs = tw.convert(WEATHER, target, source="structured").payload
    words = ("Hello", "Let me check.", "Tokyo", "25°C", "get_weather", "call_abc123")
    assert all(word in json.dumps(made, ensure_ascii=False) for made in (ours, theirs) for word in words)


def test_each_result_of_an_entry_is_a_message():
    history = [
        {"role": "chatgpt", "content": [call("f", {"n": 1}), call("g", None), call("f", '{"n":3}')]},
        {"role": "tool", "content": [result("g", {"a": 1}), result("f", None), text("and so on"), result("f", "3")]},
    ]
    asked, *told = format_history(history, "chatgpt")
    assert [one["id"] for one in asked["tool_calls"]] == ["call_0_0", "call_0_1", "call_0_2"]
    assert [one["function"]["arguments"] for one in asked["tool_calls"]] == ['{"n":1}', "{}", '{"n":3}']
    assert asked["content"] is None
    # Without ids they pair by name, in their order.
    assert told == [
        {"role": "tool", "tool_call_id": "call_0_1", "content": '{"a":1}'},
        {"role": "tool", "tool_call_id": "call_0_0", "content": ""},
        {"role": "tool", "tool_call_id": "call_0_2", "content": "3"},
        {"role": "user", "content": "and so on"},
    ]
    parts = format_history(history)[0]["parts"]
    assert [part["function_call"]["args"] for part in parts] == [{"n": 1}, {}, {"n": 3}]


def test_a_result_without_a_call_gets_its_own_id():
    assert format_history([{"role": "tool", "content": "it rains"}], "chatgpt") == [
        {"role": "tool", "tool_call_id": "call_0_0", "content": "it rains"}
    ]
    asked = {"role": "chatgpt", "content": [call("f", {}, "c")]}
    assert format_history([asked, {"role": "tool", "content": "it rains"}], "chatgpt")[1]["tool_call_id"] == "c"


def test_system_text_keeps_its_role():
    history = [{"role": "system", "content": "be nice"}]
    assert format_history(history) == [{"role": "system", "parts": [{"text": "be nice"}]}]
    assert format_history(history, "chatgpt") == [{"role": "system", "content": "be nice"}]


def test_the_older_form_is_one_text():
    legacy = [{"role": "user", "content": "Hello"}, {"role": "gemini", "content": "Hi there", "at": 1}]
    assert normalize_history_turns(legacy) == [
        {"role": "user", "content": [text("Hello")]},
        {"role": "gemini", "content": [text("Hi there")], "at": 1},
    ]
    assert format_history(legacy)[1] == {"role": "model", "parts": [{"text": "Hi there"}]}


def containers(value):
    if isinstance(value, dict | list):
        yield id(value)
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)


def test_nothing_is_changed_and_no_container_is_shared():
    history = [*WEATHER, {"role": "tool", "content": [result("f", {"a": [1]})]}]
    before = copy.deepcopy(history)
    for made in (normalize_history_turns(history), format_history(history), format_history(history, "chatgpt")):
        assert {*containers(made)}.isdisjoint(containers(history))
    assert history == before
    normal = normalize_history_turns(history)
    assert normalize_history_turns(normal) == normal
    assert normal[0]["content"][0]["content"] is history[0]["content"][0]["content"]


def test_content_to_text():
    content = [text("Let me search."), call("search", {"query": "python"}), text("Here are the results.")]
    assert content_to_text(content) == "Let me search. Here are the results."
    assert content_to_text(content, include_tool_data=True) == (
        'Let me search. search {"query":"python"} Here are the results.'
    )
    assert content_to_text("plain") == "plain"
    assert content_to_text(None) == content_to_text([]) == content_to_text([text("")]) == ""
    results = [result("f", {"ü": 1}), {"type": "tool_result", "content": "alone"}, {"type": "odd"}]
    assert content_to_text(results, include_tool_data=True) == 'f {"ü":1} alone {"type":"odd"}'
    assert content_to_text(results) == ""


def test_a_result_may_be_an_object():
    history = [*WEATHER[:2], {"role": "tool", "content": [result("get_weather", {"c": [25]}, "call_abc123")]}]
    gemini, chat = format_history(history), format_history(history, provider="chatgpt")
    assert gemini[2]["parts"][0]["function_response"]["response"] == {"c": [25]}
    assert json.loads(chat[2]["content"]) == {"c": [25]}
    assert content_to_text(history[2]["content"], include_tool_data=True) == 'get_weather {"c":[25]}'
    there = tw.convert(history, "openai", source="structured").payload["messages"][-1]
    assert json.loads(there["content"]) == {"c": [25]}


def test_a_restored_history_shows_what_was_said():
    restored = json.loads(json.dumps(WEATHER))
    shown = [content_to_text(entry["content"], include_tool_data=False) for entry in restored]
    assert shown == ["Hello", "Let me check.", ""]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (call("search", {}), "search"),
        ({"name": "search"}, "search"),
        ("search", "search"),
        (tw.parts.AssistantToolUse("c", "search", {}), "search"),
        (None, "unknown_tool"),
        ("", "unknown_tool"),
        ({"arguments": {}}, "unknown_tool"),
        ({"type": "tool_call", "content": {}}, "unknown_tool"),
    ],
)
def test_tool_call_label(given, name):
    assert tool_call_label(given) == f"[Tool Call: {name}]"


def test_tool_responses():
    value = {"a": 1}
    assert parse_tool_response_payload(None) == {}
    assert parse_tool_response_payload(value) is value
    assert parse_tool_response_payload('{"a": [1]}') == {"a": [1]}
    assert parse_tool_response_payload("[1, 2]") == [1, 2]
    for plain in ("it rains", "", "NaN", "[" * 100_000):
        assert parse_tool_response_payload(plain) == {"result": plain}
    for other in (3, 2.5, [1], True):
        assert parse_tool_response_payload(other) == {"result": other}
    # A response is an object.
    (told,) = format_history([{"role": "tool", "content": [result("f", "[1, 2]")]}])
    assert told["parts"] == [{"function_response": {"name": "f", "response": {"result": [1, 2]}}}]


@pytest.mark.parametrize(
    "function", [normalize_history_turns, format_history, lambda it: format_history(it, "chatgpt")]
)
def test_content_that_is_neither_list_nor_str(function):
    with pytest.raises(ValueError) as caught:
        function([WEATHER[0], {"role": "user", "content": {"text": "bad"}}])
    assert str(caught.value) == "History content must be a list or string (actual type: dict)"
    assert isinstance(caught.value, tw.ParseError)
    assert (caught.value.code, caught.value.path) == ("wrong_type", "$[1].content")
    with pytest.raises(ValueError, match=r"actual type: int"):
        content_to_text(3)


def test_entries_that_are_no_dicts_are_never_lost(caplog):
    history = ["Hello", WEATHER[0], None, 7]
    with caplog.at_level(logging.WARNING, "turnwire"):
        normal = normalize_history_turns(history)
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 3
    assert [entry["content"][0]["content"] for entry in normal] == ["'Hello'", "Hello", "None", "7"]
    assert [entry.get("placeholder", False) for entry in normal] == [True, False, True, True]
    assert format_history(history)[0] == {"role": "user", "parts": [{"text": "'Hello'"}]}
    assert format_history(history, "chatgpt")[3] == {"role": "user", "content": "7"}


def test_parts_of_other_types_are_never_lost(caplog):
    history = [{"role": "user", "content": [{"type": "image", "url": "x"}, 3, "bare"]}]
    with caplog.at_level(logging.WARNING, "turnwire"):
        parts = format_history(history)[0]["parts"]
    assert parts == [{"text": "{'type': 'image', 'url': 'x'}"}, {"text": "3"}, {"text": "bare"}]
    assert len(caplog.records) == 2
    assert "'url': 'x'" in format_history(history, "chatgpt")[0]["content"]


@pytest.mark.parametrize(
    ("entry", "code", "path"),
    [
        ({"role": "narrator", "content": "a"}, "unknown_role", "$[0].role"),
        ({"role": ["user"], "content": "a"}, "unknown_role", "$[0].role"),
        ({"content": "a"}, "missing_key", "$[0]"),
    ],
)
def test_unknown_roles(entry, code, path):
    for provider in ("gemini", "chatgpt"):
        with pytest.raises(tw.ParseError) as caught:
            format_history([entry], provider)
        assert (caught.value.code, caught.value.path) == (code, path)
    assert normalize_history_turns([entry])[0]["content"] == [text("a")]


def test_other_bad_input():
    with pytest.raises(tw.TurnwireError) as caught:
        format_history([], "claude")
    assert caught.value.code == "unknown_option"
    for value in ({1, 2}, float("nan")):
        with pytest.raises(tw.TurnwireError) as caught:
            format_history([{"role": "gemini", "content": [call("f", {"a": value})]}], "chatgpt")
        assert caught.value.code == "not_json"
    cyclic = []
    cyclic.append(cyclic)
    with pytest.raises(tw.ParseError) as caught:
        normalize_history_turns([{"role": "user", "content": [{"type": "odd", "content": cyclic}]}])
    assert caught.value.code == "too_deep"


def gemini_events(*chunks):
    stream = tw.StreamAssembler("gemini")
    told = [event for chunk in chunks for event in stream.feed(chunk)]
    return told + list(stream.finish().events)


def test_a_stream_of_objects_that_lack_attributes():
    part = MagicMock(spec=["text"])
    part.text = "Response text"
    chunk = MagicMock()
    chunk.parts = [part]
    assert gemini_events(chunk) == [{"type": "text", "content": "Response text"}]


def test_a_stream_whose_calls_come_in_pieces():
    def chunk(**said):
        return SimpleNamespace(parts=[SimpleNamespace(function_call=SimpleNamespace(**said))])

    def event(name, arguments):
        return {"type": "tool_call", "content": {"name": name, "arguments": arguments}}

    # Empty arguments have no event: it comes with the true ones.
    assert gemini_events(chunk(name="search", args={}), chunk(args={"q": "test"})) == [event("search", {"q": "test"})]
    assert gemini_events(chunk(name="a"), chunk(name="b", args={"q": 1})) == [event("a", {}), event("b", {"q": 1})]
    assert gemini_events(chunk(name="a", args={})) == [event("a", {})]


def test_a_stream_of_chat_completions():
    def chunk(**delta):
        return {"choices": [{"index": 0, "delta": delta}]}

    stream = tw.StreamAssembler("openai")
    piece = {"index": 0, "id": "c", "type": "function", "function": {"name": "search", "arguments": '{"q":'}}
    rest = {"index": 0, "function": {"arguments": '"test"}'}}
    chunks = [chunk(content="Hello"), chunk(tool_calls=[piece]), chunk(tool_calls=[rest])]
    told = [event for one in chunks for event in stream.feed(one)]
    said = {"name": "search", "arguments": {"q": "test"}, "tool_call_id": "c"}
    assert told == [{"type": "text", "content": "Hello"}, {"type": "tool_call", "content": said}]
    # The events of a stream are a content.
    entry = {"role": "chatgpt", "content": told}
    assert tw.convert([entry], "openai", source="structured").payload["messages"][0]["tool_calls"][0]["id"] == "c"
