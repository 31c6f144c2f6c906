"""Exchanges of many dialects in one conversation: each result stays with its call, whichever dialect each is in."""

import json
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st

Json = dict[str, Any]
LISTS = {
    "gemini": "contents",
    "openai-responses": "input",
    "gemini-interactions": "input",
    "sharegpt": "conversations",
    "otel": "gen_ai.input.messages",
}
# Dialects that answer only by a tool's name, as these servers send and accept it.
NAMELESS = ["gemini", "ollama"]
TOLD: list[Any] = [name for name in tw.dialects() if name.partition(":")[0] != "llama"]
FOUND: list[Any] = [
    "openai",
    "anthropic",
    "history",
    "gemini",
    "openai-responses",
    "mistral",
    "cohere",
    "ollama",
    "bedrock",
]


def without_ids(value: Any) -> Any:
    if isinstance(value, list):
        return [without_ids(item) for item in value]
    if isinstance(value, dict):
        return {key: without_ids(item) for key, item in value.items() if key not in ("id", "tool_call_id")}
    return value


def exchange(dialect: Any, calls: list[tuple[str, str]], first: int) -> list[Json]:
    """A question, parallel calls (a tool and an id each), and their results, as a dialect has them."""
    numbers = range(first, first + len(calls))
    asked = [
        {"id": call, "type": "function", "function": {"name": name, "arguments": json.dumps({"number": number})}}
        for (name, call), number in zip(calls, numbers, strict=True)
    ]
    results = [
        {"role": "tool", "tool_call_id": call, "content": f"result {number}"}
        for (_, call), number in zip(calls, numbers, strict=True)
    ]
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": None, "tool_calls": asked}, *results]
    payload: Any = tw.convert({"messages": messages}, dialect, source="openai").payload
    made: Any = payload[LISTS.get(dialect.partition(":")[0], "messages")] if isinstance(payload, dict) else payload
    return list(without_ids(made) if dialect.partition(":")[0] in NAMELESS else made)


calls = st.lists(st.tuples(st.sampled_from("fg"), st.sampled_from(["call_0001", "call_0002"])), min_size=1, max_size=3)


@pytest.mark.parametrize("told", [True, False])
@settings(deadline=None)
@given(st.data())
def test_exchanges_of_any_dialect_pair_in_one_history(told: bool, data: st.DataObject) -> None:
    history, messages, number = tw.MessageHistory(), [], 0
    for _ in range(data.draw(st.integers(1, 4))):
        dialect = data.draw(st.sampled_from(TOLD if told else FOUND))
        some = data.draw(calls.filter(lambda calls: len({call for _, call in calls}) == len(calls)))
        elements = exchange(dialect, some, number)
        number += len(some)
        for element in elements:
            history.add_raw_message(element, *([dialect] if told else []))
        messages += elements
    target = data.draw(st.sampled_from(FOUND))
    ready = [history.prepare(target), *([] if told else [tw.prepare(messages, target)])]
    for rendered in ready:
        built = tw.spec.MessageBuilder().set_messages(rendered.payload, source=target).build()
        parts = [part for turn in built.turns for part in turn.parts]
        asked: dict[str, list[Any]] = {}
        answered = []
        for part in parts:
            if isinstance(part, tw.parts.AssistantToolUse):
                asked.setdefault(part.id, []).append(part.args)
            elif isinstance(part, tw.ToolUseResult):
                answered.append((asked[part.tool_use_id].pop(0), str(part.content)))
        assert len(answered) == number
        for args, said in answered:
            assert f"result {args['number']}" in said


BLANK = st.sampled_from(["", "call", "result", "call and result"])


@settings(deadline=None)
@given(st.lists(st.lists(BLANK, min_size=1, max_size=4), min_size=1, max_size=3), st.sampled_from(FOUND))
def test_an_id_that_is_missing_on_one_side_separates_no_pair(runs: list[list[str]], target: Any) -> None:
    messages: list[Json] = []
    numbers = iter(range(100))
    for run in runs:
        asked, said = [], []
        for blank in run:
            number = next(numbers)
            call = {"type": "function", "function": {"name": "f", "arguments": json.dumps({"number": number})}}
            asked.append({"id": "" if "call" in blank else f"call_{number}", **call})
            id_ = "" if "result" in blank else f"call_{number}"
            said.append({"role": "tool", "tool_call_id": id_, "content": f"result {number}"})
        messages += [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": asked}, *said]
    built = tw.spec.MessageBuilder().set_messages(messages, "openai").build(target=target)
    answered = [part for turn in built.turns for part in turn.parts if isinstance(part, tw.ToolUseResult)]
    asked_for = {
        use.id: use.args for turn in built.turns for use in turn.parts if isinstance(use, tw.parts.AssistantToolUse)
    }
    for use in answered:
        assert f"'result {asked_for[use.tool_use_id]['number']}'" in str(use.content)
    assert len(answered) == len(asked_for) == sum(map(len, runs))
    assert {entry.code for entry in built.receipt if entry.kind != "warning"} <= {"renamed_id"}


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "openai-responses", "mistral", "cohere", "amazon-q"])
@pytest.mark.parametrize("name", ["look", "other"])
def test_the_name_in_a_result_is_that_of_its_call_or_a_loss(target, name):
    """A result with another tool's name than the call: the name is written, or a loss reports it."""
    call = {"id": "c12345678", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c12345678", "name": name, "content": "r"},
    ]
    made = tw.convert(messages, target, source="openai")
    told = [loss.path for loss in made.receipt if loss.code == "name"]
    assert told == (["$[2].content"] if name == "other" else [])


def part(kind: str, **keys: Any) -> Json:
    return {"type": kind, **{key: value for key, value in keys.items() if value is not None}}


@settings(deadline=None)
@given(st.lists(st.sampled_from(["f", "g", "h"]), min_size=1, max_size=5), st.data(), st.sampled_from(FOUND))
def test_results_that_name_their_tool_find_calls_without_ids(
    tools: list[str], data: st.DataObject, target: Any
) -> None:
    """Results with ids in any order, of calls without one: names tell them apart, and within a tool their order."""
    calls = [part("tool_call", name=name, arguments={"number": at}) for at, name in enumerate(tools)]
    tools_answered = data.draw(st.permutations(sorted(set(tools))))
    dropped = data.draw(st.sampled_from([None, *set(tools)])) if len(set(tools)) > 1 else None
    numbers = [at for tool in tools_answered if tool != dropped for at, name in enumerate(tools) if name == tool]
    results = [part("tool_call_response", id=f"r{at}", name=tools[at], response=f"result {at}") for at in numbers]
    messages = [
        {"role": "user", "parts": [part("text", content="?")]},
        {"role": "assistant", "parts": calls},
        {"role": "tool", "parts": results},
        {"role": "user", "parts": [part("text", content="so?")]},
    ]
    built = tw.spec.MessageBuilder().set_messages(messages, "otel").build(target=target)
    said = {
        part.id: part.args for turn in built.turns for part in turn.parts if isinstance(part, tw.parts.AssistantToolUse)
    }
    answers = {
        said[part.tool_use_id]["number"]: str(part.content)
        for turn in built.turns
        for part in turn.parts
        if isinstance(part, tw.ToolUseResult)
    }
    assert len(answers) == len(said) == len(tools)
    for at in numbers:
        assert f"result {at}" in answers[at]
    missing = [entry for entry in built.receipt if entry.code == "missing_result"]
    assert len(missing) == len(tools) - len(numbers)
    assert not [entry for entry in built.receipt if entry.code == "orphan_result"]


def test_an_answer_of_another_tool_belongs_to_no_call() -> None:
    """The only call and the only result of an exchange, of two tools, are not one pair."""
    messages = [
        {"role": "user", "parts": [part("text", content="?")]},
        {"role": "assistant", "parts": [part("tool_call", name="f", arguments={})]},
        {"role": "tool", "parts": [part("tool_call_response", id="r", name="g", response="r")]},
    ]
    built = tw.prepare({"gen_ai.input.messages": messages}, "openai")
    assert {change.code for change in built.receipt.only("added", "dropped")} == {"missing_result", "orphan_result"}
