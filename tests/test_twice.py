"""Building twice is building once (P5), for parts of every kind in turns of any role and order, for every target."""

from typing import Any

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import tries

TARGETS = [None, *tw.dialects()]
IDS = st.sampled_from(["a", "b", "c", "", "a b"])
WORDS = st.sampled_from(["", " ", "hi", "日本", "[tool error] x", "{}", '{"name": "f", "parameters": {}}'])

TEXTS = WORDS.map(tw.parts.Text)
USES = st.builds(lambda one, args: tw.parts.AssistantToolUse(one, "f", args), IDS, st.sampled_from([{}, {"x": 1}]))
RESULTS = st.builds(
    lambda one, said, failed: tw.ToolUseResult(one, said, status="error" if failed else "success"),
    IDS,
    st.one_of(WORDS, st.just({"a": 1})),
    st.booleans(),
)
PARTS = st.lists(st.one_of(TEXTS, TEXTS, USES, RESULTS), min_size=0, max_size=4)
TURNS = st.builds(tw.Turn, st.sampled_from(["user", "assistant", "assistant", "tool", "system"]), PARTS)
ELEMENTS = st.one_of(TURNS, TURNS, TURNS, WORDS, RESULTS)


def build(given: Any, target: Any) -> tw.Conversation:
    builder = tw.spec.MessageBuilder().set_messages(given)
    return builder.build() if target is None else builder.build(target, wording={"opening": "Hello"})


# Content of one wire only: reasoning, media, calls that the provider ran, marks, blocks of no other format.
PNG = "iVBORw0KGgo="
BLOCKS = st.one_of(
    WORDS.map(lambda words: {"type": "text", "text": words}),
    WORDS.map(lambda words: {"type": "text", "text": words, "cache_control": {"type": "ephemeral"}}),
    st.just({"type": "thinking", "thinking": "t", "signature": "s"}),
    st.just({"type": "thinking", "thinking": "", "signature": "s"}),
    st.just({"type": "redacted_thinking", "data": "ZGF0YQ=="}),
    st.just({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}),
    st.just({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {}}),
    st.just({"type": "compaction", "content": "SUMMARY"}),
    st.just({"type": "compaction", "content": None}),
    st.just({"type": "container_upload", "file_id": "f"}),
    st.just({"type": "tool_addition", "tool": {"type": "tool_reference", "name": "f"}}),
    IDS.map(lambda one: {"type": "tool_use", "id": one or "a", "name": "f", "input": {}}),
    st.builds(lambda one, said: {"type": "tool_result", "tool_use_id": one or "a", "content": said}, IDS, WORDS),
)
MESSAGES = st.builds(
    lambda role, content: {"role": role, "content": content},
    st.sampled_from(["user", "assistant", "assistant", "system"]),
    st.lists(BLOCKS, min_size=1, max_size=4),
)


def is_same(given: Any, target: Any, dialect: Any = "auto") -> None:
    try:
        builder = tw.spec.MessageBuilder().set_messages(given, dialect)
        built = builder.build() if target is None else builder.build(target, wording={"opening": "Hello"})
    except tw.TurnwireError:
        return
    again = build(built, target)
    assert not again.receipt.changed, f"{built.receipt}\n---\n{again.receipt}"
    if target is not None and target != "history":
        assert again.render(target).payload == built.render(target).payload


@pytest.mark.parametrize("target", TARGETS)
@given(messages=st.lists(MESSAGES, min_size=1, max_size=6))
@settings(max_examples=tries(40), deadline=None)
def test_what_only_a_wire_says(target: Any, messages: list[Any]) -> None:
    is_same([*messages, {"role": "user", "content": "go"}], target, "anthropic")


@pytest.mark.parametrize("target", TARGETS)
@given(elements=st.lists(ELEMENTS, min_size=1, max_size=7))
@settings(max_examples=tries(40), deadline=None)
def test_building_twice_is_building_once(target: Any, elements: list[Any]) -> None:
    is_same([*elements, "go"], target)


@pytest.mark.parametrize("target", TARGETS)
def test_an_assistant_with_nothing_but_an_orphan_result(target: Any) -> None:
    said = tw.Turn("assistant", [tw.parts.Text(""), tw.ToolUseResult("x", "r")])
    built = build(["q", said, tw.Turn("tool", [tw.ToolUseResult("y", "s")]), "go"], target)
    assert not build(built, target).receipt


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_text_beside_it_makes_no_reasoning_stale(blank: str) -> None:
    thought = {"type": "thinking", "thinking": "t", "signature": "s"}
    said = {"role": "assistant", "content": [thought, {"type": "text", "text": blank}]}
    turns = [{"role": "user", "content": "q"}, said, {"role": "user", "content": "go"}]
    ready = tw.prepare({"messages": turns}, "anthropic", model="claude-opus-5-5")
    assert ready.payload["messages"][1] == {"role": "assistant", "content": [thought]}
    assert "stale_reasoning" not in {entry.code for entry in ready.receipt if entry.kind != "warning"}


Q = {"role": "user", "content": "q"}
# What a first build once left to the second: found by deleting, renaming and copying keys at random.
LEFT = [
    ("ag-ui", [{"id": "u", **Q}, {"id": "r", "role": "reasoning", "encryptedValue": "c2ln"}]),
    ("ag-ui", [{"id": "u", **Q}, {"role": "reasoning", "contents": None}]),
    ("openai-responses", [Q, {"type": "reasoning", "id": "x", "summary": []}, {"type": "new", "id": "x"}, Q]),
    (
        "history",
        [Q, {"role": "tool", "content": [{"type": "text", "text": "x"}, {"tool_use_id": "c", "content": "y"}]}],
    ),
]


@pytest.mark.parametrize(("dialect", "messages"), LEFT)
def test_one_build_repairs_everything(dialect: str, messages: list[Any]) -> None:
    first = tw.prepare(messages, dialect, source=dialect)
    again = tw.prepare(first.payload, dialect, source=dialect)
    assert first.receipt
    assert not again.receipt.changed, f"{first.receipt}\n---\n{again.receipt}"
    assert again.payload == first.payload


def test_a_part_that_was_recorded_without_its_content_stays() -> None:
    parts = [{"type": "text", "content": "x"}, {"type": "text"}, {"type": "thinking"}]
    messages = [{"role": "user", "parts": parts[:2]}, {"role": "assistant", "parts": [parts[2], parts[0]]}]
    ready = tw.prepare(messages, "otel", source="otel")
    assert not ready.receipt.changed
    assert ready.payload == {"gen_ai.input.messages": messages}
    with pytest.raises(tw.BuildError) as caught:
        tw.prepare([{"role": "user", "parts": [{"content": "x"}]}], "otel", source="otel")
    assert caught.value.code == "unsendable"


def test_a_flag_that_the_target_demands_takes_no_room() -> None:
    schema = {"type": "object", "properties": {}}
    tools = [{"type": "function", "function": {"name": name, "parameters": schema}} for name in "fg"]
    body = {"messages": [{"role": "user", "content": "q"}], "tools": tools}
    totals = tw.prepare(body, "openai-responses", 10_000).receipt.totals
    assert totals is not None
    ready = tw.prepare(body, "openai-responses", totals["after"])
    assert [tool["strict"] for tool in ready.payload["tools"]] == [False, False]
    again = tw.prepare(ready.payload, "openai-responses", totals["after"])
    assert (again.payload, list(again.receipt)) == (ready.payload, [])


#: Schemas whose first repair makes work for a second one, by the targets for which it does.
REPAIRED_TWICE = [
    (("gemini",), {"allOf": [{"properties": {"": {}}}]}),
    (("anthropic", "bedrock", "openai"), {"allOf": [{"$ref": "#/nowhere"}]}),
    (("openai", "openai-responses"), {"allOf": [{"$ref": "#/$defs/A", "$defs": {"A": {}}}]}),
    (("bedrock:nova",), {"properties": {"b": {"$defs": {"B": {"$ref": "#/$defs/A"}}}}, "$defs": {"A": {}}}),
    (("ollama",), {"items": {"$defs": {"B": {"$ref": "#/$defs/A"}}}, "$defs": {"A": {}}}),
]


@pytest.mark.parametrize(("targets", "schema"), REPAIRED_TWICE)
def test_a_schema_is_repaired_until_nothing_changes(targets: tuple[Any, ...], schema: dict[str, Any]) -> None:
    tool = {"type": "function", "function": {"name": "f", "description": "d", "parameters": schema}}
    for target in targets:
        once = tw.prepare([{"role": "user", "content": "q"}], target, tools=[tool])
        again = tw.prepare(once.payload, target, source=target)
        assert again.payload == once.payload
        assert not list(again.receipt)


@pytest.mark.parametrize("target", ["openai", "mistral", "cohere", "ag-ui"])
def test_an_unknown_block_keeps_its_type(target: Any) -> None:
    content = [{"type": "odd", "x": 1}, {"type": "text", "text": "q"}]
    messages = [{"id": "m", "role": "user", "content": content}]
    once = tw.prepare(messages, target, source=target)
    said = once.payload["messages"][0]["content"]
    assert said[0] == content[0]
    assert tw.prepare(once.payload, target, source=target).payload == once.payload
    assert any("odd" in warning for warning in (told.reason for told in once.receipt.only("warning")))
