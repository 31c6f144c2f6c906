"""Claude on two wires, its maker's own and Converse: cache marks, signed thinking and changes of tools survive."""

import json

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import tries
from world import size as words

SCHEMA = {"type": "object", "properties": {}}
MINUTES = [{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "5m"}]
HOUR = {"type": "ephemeral", "ttl": "1h"}
CHANGES = [
    {"type": kind, "tool": tool}
    for kind in ("tool_addition", "tool_removal")
    for tool in (
        {"type": "tool_reference", "name": "late"},
        {"type": "mcp_tool_reference", "server_name": "s", "name": "late"},
        {"type": "mcp_toolset_reference", "server_name": "s"},
    )
]


@st.composite
def runs(draw):
    """A body of Anthropic's with thinking, parallel calls, system turns, changes of tools and at most four marks.

    Marks that last an hour come first, because both wires refuse another order.
    """
    left, hours = draw(st.integers(0, 4)), draw(st.integers(0, 4))

    def marked(block):
        nonlocal left, hours
        if left and draw(st.booleans()):
            left, hours = left - 1, hours - 1
            return {**block, "cache_control": HOUR if hours >= 0 else draw(st.sampled_from(MINUTES))}
        return block

    def text(words):
        return marked({"type": "text", "text": words})

    tools = [marked({"name": name, "description": name, "input_schema": SCHEMA}) for name in ("f", "g", "late")]
    body = {"tools": tools, "messages": []}
    if draw(st.booleans()):
        body["system"] = [text(f"rule {number}") for number in range(draw(st.integers(1, 2)))]
    for step in range(draw(st.integers(1, 5))):
        body["messages"].append({"role": "user", "content": [text(f"q{step}")]})
        thought = {"type": "thinking", "thinking": f"t{step}", "signature": f"s{step}"}
        count = draw(st.integers(0, 2))
        said = [thought] if draw(st.booleans()) else []
        said += [text(f"a{step}")] if draw(st.booleans()) or not count else []
        calls = [
            marked({"type": "tool_use", "id": f"c{step}_{number}", "name": "fg"[number], "input": {"n": number}})
            for number in range(count)
        ]
        body["messages"].append({"role": "assistant", "content": [*said, *calls]})
        if calls:
            results = [
                {"type": "tool_result", "tool_use_id": call["id"], "content": [{"type": "text", "text": "r"}]}
                for call in calls
            ]
            results[-1] = marked(results[-1])
            body["messages"].append({"role": "user", "content": results})
            if draw(st.booleans()):
                notes = draw(st.lists(st.sampled_from(CHANGES), max_size=2))
                body["messages"].append({"role": "system", "content": [*notes, text(f"note {step}")]})
            body["messages"].append({"role": "assistant", "content": [text(f"done {step}")]})
    body["messages"].append({"role": "user", "content": [text("go")]})
    return body


def parts(content):
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


@given(body=runs())
@settings(max_examples=tries(150), deadline=None)
def test_there_and_back_is_the_same(body):
    there = tw.convert(body, "bedrock", source="anthropic")
    assert not there.receipt.changed, there.receipt
    back = tw.convert(there.payload, "anthropic", source="bedrock")
    assert not back.receipt.changed, back.receipt

    messages = [{**one, "content": parts(one["content"])} for one in back.payload["messages"]]
    for one in messages:
        for block in one["content"]:
            if block["type"] == "tool_result":
                block["content"] = parts(block["content"])
    assert messages == body["messages"]
    assert back.payload["tools"] == body["tools"]
    assert parts(back.payload.get("system")) == body.get("system")
    assert json.loads(tw.convert_json(json.dumps(body), "bedrock", source="anthropic").payload) == there.payload


@st.composite
def many_marks(draw):
    """A body of either wire with up to nine marks, around the turns and in them."""
    wire = draw(st.sampled_from(["anthropic", "bedrock"]))
    places = draw(st.lists(st.sampled_from(["system", "tools", "turn"]), min_size=1, max_size=9))

    def marked(block, number):
        marks = places.count(number) if isinstance(number, str) else 1
        if wire == "anthropic":
            return [{**block, "cache_control": {"type": "ephemeral"}} if marks else block]
        return [block, *[{"cachePoint": {"type": "default"}} for _ in range(min(marks, 1))]]

    texts = {"anthropic": lambda words: {"type": "text", "text": words}, "bedrock": lambda words: {"text": words}}[wire]
    asks = [
        {"role": role, "content": marked(texts(f"{role} {at}"), at)}
        for at in range(places.count("turn"))
        for role in ("user", "assistant")
    ]
    body = {"messages": [*asks, {"role": "user", "content": [texts("go")]}], "system": marked(texts("s"), "system")}
    tools = {
        "anthropic": {"name": "f", "description": "d", "input_schema": SCHEMA},
        "bedrock": {"toolSpec": {"name": "f", "description": "d", "inputSchema": {"json": SCHEMA}}},
    }[wire]
    tools = marked(tools, "tools")
    body |= {"tools": tools} if wire == "anthropic" else {"toolConfig": {"tools": tools}}
    return wire, body


def marks_in(body):
    text = json.dumps(body)
    return text.count('"cache_control"') + text.count('"cachePoint"')


@given(run=many_marks(), target=st.sampled_from(["anthropic", "bedrock"]))
@settings(max_examples=tries(150), deadline=None)
def test_no_more_marks_than_four_on_either_wire(run, target):
    wire, body = run
    given = marks_in(body)
    ready = tw.prepare(body, target, source=wire)
    gone = [entry for entry in ready.receipt if entry.code == "extra_marks"]
    assert marks_in(ready.payload) == min(given, 4) and len(gone) == max(0, given - 4)
    assert {entry.code for entry in ready.receipt if entry.kind != "warning"} <= {"extra_marks"}
    bare = json.dumps(ready.payload)
    assert "{}" not in bare.replace('"properties": {}', "") and "[]" not in bare
    again = tw.prepare(ready.payload, target)
    assert again.payload == ready.payload and not again.receipt.changed


@given(body=runs())
@settings(max_examples=tries(100), deadline=None)
def test_what_is_prepared_is_what_is_converted(body):
    ready = tw.prepare(body, "bedrock", model="anthropic.claude-opus-5-5")
    assert ready.payload == tw.convert(body, "bedrock", source="anthropic").payload
    assert not ready.receipt.changed and not ready.receipt.changed
    again = tw.prepare(ready.payload, "bedrock")
    assert again.payload == ready.payload and not again.receipt.changed


@pytest.mark.parametrize("target", ["bedrock:nova", "openai", "gemini", "cohere"])
def test_no_other_provider_gets_what_claude_signed(target):
    thought = {"type": "thinking", "thinking": "t", "signature": "s"}
    mark = {"cache_control": {"type": "ephemeral"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "q", **mark}]},
        {"role": "assistant", "content": [thought, {"type": "text", "text": "a"}]},
        {"role": "user", "content": "go"},
    ]
    rendered = tw.convert({"messages": messages}, target, source="anthropic")
    assert [loss.code for loss in rendered.receipt] == ["key", "reasoning"]
    assert '"s"' not in json.dumps(rendered.payload) and "cache" not in json.dumps(rendered.payload)


def test_a_model_of_another_family_gets_no_signed_thinking():
    thought = {"type": "thinking", "thinking": "t", "signature": "s"}
    turns = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [thought, {"type": "text", "text": "a"}]},
        {"role": "user", "content": "go"},
    ]
    ready = tw.prepare({"messages": turns}, "bedrock", model="us.meta.llama4-maverick-17b-instruct-v1:0")
    assert ready.payload["messages"][1] == {"role": "assistant", "content": [{"text": "a"}]}
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["unwanted_reasoning"]
    kept = tw.prepare({"messages": turns}, "bedrock").payload["messages"][1]["content"][0]
    assert kept == {"reasoningContent": {"reasoningText": {"signature": "s", "text": "t"}}}


PROFILE = "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/a1b2c3d4e5f6"


@pytest.mark.parametrize("model", [PROFILE, "us.anthropic.claude-opus-5-5-v1:0", "my-router-alias"])
def test_a_model_that_may_be_claude_keeps_signed_thinking(model):
    said = [{"reasoningContent": {"reasoningText": {"signature": "s", "text": "t"}}}, {"text": "a"}]
    turns = [{"role": "user", "content": [{"text": "q"}]}, {"role": "assistant", "content": said}]
    body = {"messages": [*turns, {"role": "user", "content": [{"text": "go"}]}]}
    for rendered in (tw.prepare(body, "bedrock", model=model), tw.prepare({"modelId": model, **body}, "bedrock")):
        assert rendered.payload["messages"][1]["content"] == said and not rendered.receipt.changed


def test_the_body_names_a_model_of_another_family():
    said = [{"reasoningContent": {"reasoningText": {"signature": "s", "text": "t"}}}, {"text": "a"}]
    turns = [{"role": "user", "content": [{"text": "q"}]}, {"role": "assistant", "content": said}]
    turns.append({"role": "user", "content": [{"text": "go"}]})
    ready = tw.prepare({"modelId": "amazon.nova-pro-v1:0", "messages": turns}, "anthropic", source="bedrock")
    assert ready.payload["messages"][1]["content"] in ("a", [{"type": "text", "text": "a"}])
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["unwanted_reasoning"]


def test_a_turn_of_thinking_alone_is_carried():
    thought = {"type": "thinking", "thinking": "t", "signature": "s"}
    turns = [{"role": "user", "content": "q"}, {"role": "assistant", "content": [thought]}]
    there = tw.convert({"messages": [*turns, {"role": "user", "content": "go"}]}, "bedrock", source="anthropic")
    assert not there.receipt.changed and len(there.payload["messages"]) == 3
    back = tw.convert(there.payload, "anthropic", source="bedrock")
    assert not back.receipt.changed and [one["role"] for one in back.payload["messages"]] == [
        "user",
        "assistant",
        "user",
    ]
    assert back.payload["messages"][1]["content"] == [thought]


@pytest.mark.parametrize("change", CHANGES)
def test_a_system_turn_of_a_change_of_tools_alone_is_carried(change):
    tools = [{"name": "late", "description": "d", "input_schema": SCHEMA}]
    turns = [{"role": "user", "content": "q"}, {"role": "system", "content": [change]}]
    there = tw.convert({"messages": turns, "tools": tools}, "bedrock", source="anthropic")
    assert not there.receipt.changed and there.payload["messages"][1]["role"] == "system"
    back = tw.convert(there.payload, "anthropic", source="bedrock")
    assert not back.receipt.changed and back.payload["messages"][1] == turns[1]


def test_a_mark_inside_a_result_moves_after_it():
    inner = {"type": "text", "text": "r", "cache_control": {"type": "ephemeral", "ttl": "1h"}}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": [inner]}]},
    ]
    rendered = tw.convert({"messages": messages}, "bedrock", source="anthropic")
    assert not rendered.receipt.changed
    assert rendered.payload["messages"][2]["content"] == [
        {"toolResult": {"toolUseId": "c", "content": [{"text": "r"}]}},
        {"cachePoint": {"type": "default", "ttl": "1h"}},
    ]


def test_a_mark_between_results_moves_after_the_last():
    calls = [{"type": "tool_use", "id": one, "name": "f", "input": {}} for one in "ab"]
    results = [{"type": "tool_result", "tool_use_id": one, "content": one} for one in "ab"]
    results[0]["cache_control"] = {"type": "ephemeral"}
    messages = [{"role": "user", "content": "q"}, {"role": "assistant", "content": calls}]
    messages.append({"role": "user", "content": results})
    rendered = tw.convert({"messages": messages}, "bedrock", source="anthropic")
    assert [next(iter(block)) for block in rendered.payload["messages"][2]["content"]] == [
        "toolResult",
        "toolResult",
        "cachePoint",
    ]
    assert [(loss.kind, loss.code, loss.path) for loss in rendered.receipt] == [
        ("restated", "order", "$.messages[2].content[0]")
    ]


def test_a_mark_with_nothing_before_it_is_reported():
    body = {"messages": [{"role": "user", "content": [{"cachePoint": {"type": "default"}}, {"text": "q"}]}]}
    rendered = tw.convert(body, "anthropic", source="bedrock")
    assert [(loss.kind, loss.code, loss.path) for loss in rendered.receipt] == [
        ("lost", "key", "$.messages[0].content[0].cachePoint")
    ]


def test_a_tool_by_its_definition_has_no_place_on_converse():
    definition = {"name": "n", "description": "d", "input_schema": SCHEMA}
    added = {"type": "tool_addition", "tool": {"type": "tool_definition", "definition": definition}}
    user = {"role": "user", "content": "q"}
    body = {"messages": [user, {"role": "system", "content": [added, {"type": "text", "text": "note"}]}]}
    rendered = tw.convert(body, "bedrock", source="anthropic")
    assert [(loss.kind, loss.code, loss.path) for loss in rendered.receipt] == [
        ("lost", "opaque", "$.messages[1].content[0]")
    ]
    assert rendered.payload["messages"][1] == {"role": "system", "content": [{"text": "note"}]}


@given(body=runs(), budget=st.integers(60, 900), target=st.sampled_from(["bedrock", "anthropic"]))
@settings(max_examples=tries(80), deadline=None)
def test_the_budget_counts_what_is_written(body, budget, target):
    given = body if target == "bedrock" else tw.convert(body, "bedrock", source="anthropic").payload
    try:
        ready = tw.prepare(given, target, budget)
    except tw.BuildError:
        return
    payload = json.loads(json.dumps(ready.payload))
    for message in payload["messages"]:
        # A mark has no content, wherever it is.
        message["content"] = [block for block in parts(message["content"]) if "cachePoint" not in block]
    payload.pop("system", None)
    assert words.size(payload) <= ready.receipt.totals["after"] <= budget
