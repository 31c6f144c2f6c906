"""Ids that are missing, generated or shared: results at home, calls of the older form, two calls with one id."""

import json
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import tries

Q = {"role": "user", "content": "q"}
#: Formats without ids, or with optional ones.
BY_ORDER: Any = ["llama:3", "openai:hf", "gemini", "structured", "ollama", "sharegpt"]


@st.composite
def runs(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Calls in groups, each with its own arguments, and their results in any order, some of them missing."""
    messages: list[dict[str, Any]] = [Q]
    for step in range(draw(st.integers(1, 4))):
        calls = [(f"c{step}_{number}", draw(st.sampled_from("fg"))) for number in range(draw(st.integers(0, 3)))]
        if calls:
            asked = [
                {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps({"n": id})}}
                for id, name in calls
            ]
            messages.append({"role": "assistant", "content": None, "tool_calls": asked})
            for id, _ in draw(st.permutations(calls)):
                if draw(st.integers(0, 3)):
                    messages.append({"role": "tool", "tool_call_id": id, "content": id})
        said = draw(st.sampled_from(["user", "assistant", None]))
        if said:
            messages.append({"role": said, "content": said})
    return messages


@given(messages=runs(), dialect=st.sampled_from([*BY_ORDER, "llama"]), data=st.data())
@settings(max_examples=tries(300), deadline=None)
def test_at_home_nothing_is_lost_whatever_is_missing(messages: Any, dialect: Any, data: st.DataObject) -> None:
    payload: Any = tw.convert(messages, dialect, source="openai").payload
    body = isinstance(payload, dict)
    key = next(
        (key for key in ("messages", "contents", "conversations", "gen_ai.input.messages") if body and key in payload),
        None,
    )
    listed = list(payload[key] if key else payload)
    for _ in range(data.draw(st.integers(0, 2))):
        if len(listed) > 1:
            listed.pop(data.draw(st.integers(0, len(listed) - 1)))
    given: Any = {**payload, key: listed} if key else listed
    try:
        grown = tw.Conversation.parse(given, dialect).extended("more")
        ready = tw.prepare(grown, dialect)
    except tw.TurnwireError as error:
        assert error.path
        return
    # In ShareGPT adjacent elements of one side become one text, a line each.
    assert [loss for loss in grown.render(dialect).receipt if loss.code != "joined"] == []
    assert [loss for loss in ready.receipt if loss.kind == "lost" or loss.path == "$"] == []


@pytest.mark.parametrize("target", ["openai", "mistral", "mistral:v11", "anthropic", "openai-responses", "cohere"])
@pytest.mark.parametrize("apart", [False, True])
def test_a_shared_id_is_written_once_where_results_would_be_mixed_up(target: Any, apart: bool) -> None:
    def call(number: int) -> dict[str, Any]:
        return {"toolUse": {"toolUseId": "shared_id", "name": "f", "input": {"n": number}}}

    def result(number: int) -> dict[str, Any]:
        return {"toolResult": {"toolUseId": "shared_id", "content": [{"text": str(number)}]}}

    turns = [{"role": "user", "content": [{"text": "q"}]}]
    for group in [[1], [2]] if apart else [[1, 2]]:
        turns += [
            {"role": "assistant", "content": [call(number) for number in group]},
            {"role": "user", "content": [result(number) for number in group]},
        ]
    rendered = tw.convert({"messages": turns}, target, source="bedrock")
    ready = tw.prepare({"messages": turns}, target, source="bedrock")
    shared = apart and target == "openai"
    assert shared or {loss.code for loss in rendered.receipt} == {"renamed_id"}
    for payload, count in ((rendered.payload, 1 if shared else 2), (ready.payload, 2)):
        turns_back = tw.Conversation.parse(payload, target).turns
        parts = [part for turn in turns_back for part in turn.parts]
        uses = [part for part in parts if isinstance(part, tw.parts.AssistantToolUse)]
        results = [part for part in parts if isinstance(part, tw.ToolUseResult)]
        assert [use.args for use in uses] == [{"n": 1}, {"n": 2}]
        assert [result.content[0].text for result in results] == ["1", "2"]
        assert [result.tool_use_id for result in results] == [use.id for use in uses]
        assert len({use.id for use in uses}) == count


LEGACY = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}


@pytest.mark.parametrize("name", [{}, {"name": "f"}])
def test_a_result_by_an_id_answers_a_call_without_one(name: dict[str, str]) -> None:
    messages = [Q, LEGACY, {"role": "tool", "tool_call_id": "c1", **name, "content": "r"}]
    there = tw.convert(messages, "anthropic", source="openai").payload["messages"]
    assert there[2]["content"][0]["tool_use_id"] == there[1]["content"][0]["id"]
    ready = tw.prepare(messages, "openai")
    assert ready.payload["messages"][2] == {"role": "function", "name": "f", "content": "r"}
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["renamed_id"]
    assert tw.prepare(ready.payload, "openai").payload == ready.payload


def test_a_result_of_another_tool_is_no_answer() -> None:
    messages = [Q, LEGACY, {"role": "tool", "tool_call_id": "c1", "name": "g", "content": "r"}]
    ready = tw.prepare(messages, "openai")
    assert {entry.code for entry in ready.receipt if entry.kind != "warning"} == {"missing_result", "orphan_result"}


@st.composite
def mixed_forms(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Exchanges of both of OpenAI's forms, each answered once: by its id, by another, or by the tool's name."""
    messages: list[dict[str, Any]] = [Q]
    for step in range(draw(st.integers(1, 5))):
        names = draw(st.lists(st.sampled_from("fgh"), min_size=1, max_size=3, unique=True))
        legacy = draw(st.booleans())
        if legacy:
            names = names[:1]
            messages.append({**LEGACY, "function_call": {"name": names[0], "arguments": json.dumps({"n": step})}})
        else:
            calls = [
                {
                    "id": f"c{step}{name}",
                    "type": "function",
                    "function": {"name": name, "arguments": f'{{"n": {step}}}'},
                }
                for name in names
            ]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        # One of them answers by name; the others have their ids.
        loose = draw(st.sampled_from(names))
        for name in draw(st.permutations(names)):
            said = {"content": f"{step}{name}"}
            by_name = name == loose and draw(st.booleans())
            by_id = {"role": "tool", "tool_call_id": f"other{step}" if legacy else f"c{step}{name}"}
            messages.append({**({"role": "function", "name": name} if by_name else by_id), **said})
        if draw(st.booleans()):
            messages.append({"role": "assistant", "content": "so"})
            messages.append(Q)
    return messages


@given(messages=mixed_forms(), target=st.sampled_from(["openai", "anthropic", "openai-responses", "gemini", "llama:3"]))
@settings(max_examples=tries(300), deadline=None)
def test_each_form_of_an_answer_answers_each_form_of_a_call(messages: Any, target: Any) -> None:
    ready: Any = tw.prepare(messages, target, source="openai", end="calls")
    assert not {entry.code for entry in ready.receipt if entry.kind != "warning"} & {"missing_result", "orphan_result"}
    for rendered in (ready, tw.convert(messages, target, source="openai") if target != "openai" else ready):
        back = tw.Conversation.parse(rendered.payload, target)
        parts = [part for turn in back.turns for part in turn.parts]
        asked = {part.id: (part.name, part.args) for part in parts if isinstance(part, tw.parts.AssistantToolUse)}
        told = [part for part in parts if isinstance(part, tw.ToolUseResult)]
        assert len(told) == sum(message["role"] in ("tool", "function") for message in messages)
        if target in ("anthropic", "openai-responses"):
            for result in told:
                name, args = asked[result.tool_use_id]
                assert f"{args['n']}{name}" == "".join(block.text for block in result.content)


@pytest.mark.parametrize("target", ["anthropic", "openai-responses", "bedrock", "mistral"])
@given(tools=st.lists(st.sampled_from("fg"), min_size=1, max_size=6))
@settings(max_examples=tries(40), deadline=None)
def test_a_call_without_an_id_is_reported_once(target: Any, tools: list[str]) -> None:
    messages: list[dict[str, Any]] = [Q]
    for number, name in enumerate(tools):
        messages.append({"role": "assistant", "content": None, "function_call": {"name": name, "arguments": "{}"}})
        messages.append({"role": "function", "name": name, "content": f"result {number}"})
    losses = tw.convert([*messages, Q], target, source="openai").receipt
    told = [loss.path for loss in losses if loss.code == "renamed_id"]
    assert told == [f"$[{1 + 2 * number}].function_call" for number in range(len(tools))]


def asked(*names: str) -> dict[str, Any]:
    calls = [{"id": f"c{name}", "type": "function", "function": {"name": name, "arguments": "{}"}} for name in names]
    return {"role": "assistant", "content": None, "tool_calls": calls}


@pytest.mark.parametrize("source", ["openai", "mistral", "cohere"])
@pytest.mark.parametrize("name", [{}, {"tool_call_id": None}], ids=["absent", "null"])
def test_a_result_without_an_id_answers_the_only_open_call(source: Any, name: dict[str, Any]) -> None:
    told = {"role": "tool", "tool_call_id": "cf", "content": "x"}
    messages = [Q, asked("f"), {"role": "tool", **name, "content": "x"}]
    for target in (source, "anthropic", "openai-responses"):
        whole = tw.prepare([*messages[:2], told], target, source=source)
        for ready in (
            tw.prepare(messages, target, source=source),
            tw.prepare(json.dumps(messages), target, source=source),
        ):
            assert ready.payload == whole.payload
            assert "renamed_id" in [entry.code for entry in ready.receipt if entry.kind != "warning"]
        assert json.loads(tw.prepare_json(json.dumps(messages), target, source=source).payload) == whole.payload
    assert "renamed_id" in [finding.code for finding in tw.check(messages, source=source)]


@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("count", [1, 2])
def test_fewer_results_than_calls_answer_the_open_calls_in_order(count: int, named: bool) -> None:
    tools = "gh" if named else "fg"
    results = [{"role": "tool", "content": f"of {tool}"} | ({"name": tool} if named else {}) for tool in tools[:count]]
    ready = tw.prepare([Q, asked("f", "g", "h"), *results], "openai", source="openai")
    said = {one["tool_call_id"]: one["content"] for one in ready.payload["messages"] if one["role"] == "tool"}
    assert len(said) == 3
    for tool in "fgh":
        expected = f"of {tool}" if tool in tools[:count] else tw.constants.ERROR_PREFIX + tw.constants.MISSING_RESULT
        assert said[f"c{tool}"] == expected
    renamed = [str(entry.path) for entry in ready.receipt if entry.code == "renamed_id"]
    assert renamed == [f"$[{2 + at}].content" for at in range(count)]


@pytest.mark.parametrize(
    "messages",
    [
        [Q, {"role": "tool", "content": "x"}],
        [Q, asked("f"), {"role": "tool", "tool_call_id": "cf", "content": "x"}, {"role": "tool", "content": "y"}],
        [Q, asked("f"), {"role": "tool", "tool_id": "cf", "content": "x"}],
    ],
    ids=["no call", "an answered call", "another key"],
)
def test_a_result_without_an_id_is_refused_if_its_call_is_not_clear(messages: Any) -> None:
    for given_ in (messages, json.dumps(messages)):
        for act in (tw.prepare, lambda found, target, source: tw.check(found, target, source=source)):
            with pytest.raises(tw.ParseError) as raised:
                act(given_, "openai", source="openai")
            assert (raised.value.code, raised.value.path) == ("missing_key", f"$[{len(messages) - 1}]")


@pytest.mark.parametrize(
    ("source", "messages", "reasons"),
    [
        ("history", [Q, {"role": "tool", "content": "r"}], ["the result came without the id of its call"]),
        (
            "openai-responses",
            [Q, {"type": "function_call_output", "output": "r"}],
            ["the result came without the id of its call"],
        ),
        (
            "openai-responses",
            [
                Q,
                {"type": "function_call", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "output": "r"},
            ],
            ["the call came without an id", "the result came without the id of its call"],
        ),
        (
            "openai-responses",
            [
                Q,
                {"type": "function_call", "call_id": "c.1", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "c.1", "output": "r"},
            ],
            ["the target refuses this id, or it is used already"] * 2,
        ),
    ],
)
def test_the_reason_says_whether_an_id_was_missing_or_refused(source: Any, messages: Any, reasons: list[str]) -> None:
    losses = tw.convert(messages, "anthropic", source=source).receipt
    assert [loss.reason for loss in losses if loss.code == "renamed_id"] == reasons


def test_a_result_that_answers_a_call_of_another_name_loses_its_own_with_a_loss() -> None:
    call = {"id": "x", "type": "function", "function": {"name": "f", "arguments": {}}}
    messages = [Q, {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "name": "g", "content": "r"}]
    losses = tw.convert({"messages": messages}, "openai", source="openai:hf-mistral").receipt
    assert [(loss.kind, loss.code, loss.path) for loss in losses] == [("lost", "name", "$.messages[2].content")]
