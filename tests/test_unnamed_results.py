"""Results that do not say which call they answer, in a format where they may leave that out."""

import json

import pytest
import turnwire as tw
from judges import wire

GO, ON = {"role": "user", "content": "go"}, {"role": "user", "content": "more"}
OWN = "openai-responses"
BARE = {"type": "function_call_output", "output": "RESULT"}


def call(id, name="f", **more):
    return {"type": "function_call", "call_id": id, "name": name, "arguments": "{}", **more}


def came(id, output="R"):
    return {"type": "function_call_output", "call_id": id, "output": output}


def prepared(items, target=OWN, **options):
    tools = [{"type": "function", "name": name, "parameters": {"type": "object", "properties": {}}} for name in "fg"]
    return tw.prepare({"model": "m", "input": items, "tools": tools}, target, source=OWN, **options)


def answers(ready):
    return {item.get("call_id"): item["output"] for item in ready.payload["input"] if "output" in item}


# What is given, and the call that the bare result answers; None if it stays as it is.
CASES = {
    "the only call": ([GO, call("a"), BARE, ON], "a"),
    "the only open one": ([GO, call("a"), call("b"), came("a"), BARE, ON], "b"),
    "the only one of its name": ([GO, call("a"), call("b", "g"), BARE | {"name": "g"}, came("a"), ON], "b"),
    "one after the other": ([GO, call("a"), came("a"), call("b"), BARE, ON], "b"),
    "two calls": ([GO, call("a"), call("b"), BARE, ON], None),
    "two of its name": ([GO, call("a"), call("b"), call("c", "g"), BARE | {"name": "f"}, ON], None),
    "another name": ([GO, call("a"), BARE | {"name": "zz"}, ON], None),
    "no open call": ([GO, call("a"), came("a"), BARE, ON], None),
    "no call": ([GO, BARE, ON], None),
    "before its call": ([GO, BARE, call("a"), ON], None),
    "one that waits, too": ([GO, call("w", **{"async": True}), call("a"), BARE, ON], None),
}


@pytest.mark.parametrize(("items", "to"), CASES.values(), ids=CASES)
def test_it_answers_the_only_open_call(items, to):
    ready = prepared(items)
    (bare,) = [item for item in items if item.get("output") == "RESULT"]
    told = [one.code for one in ready.receipt]
    found = tw.check({"model": "m", "input": items}, OWN)
    if to is None:
        assert bare in ready.payload["input"]
        assert "unnamed_result" in told and "orphan_result" not in told
        (warning,) = [one for one in found if one.code == "unnamed_result"]
        assert (warning.severity, warning.path) == ("warning", f"$.input[{items.index(bare)}]")
    else:
        assert answers(ready)[to] == "RESULT"
        assert "unnamed_result" not in told
    # Every call that must have a result has one.
    asked = {item["call_id"] for item in items if item.get("type") == "function_call" and not item.get("async")}
    assert asked <= answers(ready).keys()
    again = prepared(ready.payload["input"])
    assert again.payload["input"] == ready.payload["input"]


@pytest.mark.parametrize("target", ("openai", "anthropic", "gemini", "mistral"))
@pytest.mark.parametrize(("items", "to"), CASES.values(), ids=CASES)
def test_elsewhere_nothing_of_it_is_lost(items, to, target):
    ready = prepared(items, target)
    assert "RESULT" in json.dumps(ready.payload)
    assert ("late_result" in [one.code for one in ready.receipt]) == (to is None)
    assert wire.refused(target, ready.payload) == []


def test_a_budget_keeps_pairs_around_it():
    long = {"role": "user", "content": "z" * 3000}
    items = [GO, call("a"), call("b"), BARE, long, {"role": "assistant", "content": "ok"}, long]
    for budget in (4000, 1000, 500):
        ready = prepared(items, budget=budget)
        asked = [item["call_id"] for item in ready.payload["input"] if item.get("type") == "function_call"]
        assert set(asked) == {id for id in answers(ready) if id}


def local(call_id, **more):
    action = {"type": "exec", "command": ["ls"], "env": {}}
    return {
        "type": "local_shell_call",
        "id": "lsh_1",
        "call_id": call_id,
        "status": "completed",
        "action": action,
        **more,
    }


def local_said(output, **more):
    return {"type": "local_shell_call_output", "id": "lsh_1", "output": output, **more}


@pytest.mark.parametrize(
    "items",
    (
        [GO, local("b1"), local_said("one"), local("b2"), local_said("two"), ON],
        [GO, local("b1"), local("b2"), local_said("one"), local_said("two"), ON],
        [GO, local("b1"), local("b2"), local_said("two", call_id="b2"), local_said("one"), ON],
        [GO, local("b1"), local("b2"), came("b1", "one"), local_said("two"), ON],
    ),
)
@pytest.mark.parametrize("target", (OWN, "openai", "anthropic"))
def test_shells_with_one_item_id_are_answered_in_order(items, target):
    ready = prepared(items, target)
    codes = [one.code for one in ready.receipt]
    assert not {"orphan_result", "duplicate_result", "missing_result"} & set(codes)
    chat = tw.convert(ready.payload, "openai", source=target).payload["messages"]
    asked = [call["id"] for message in chat for call in message.get("tool_calls", ())]
    said = {message["tool_call_id"]: message["content"] for message in chat if message["role"] == "tool"}
    assert [json.dumps(said[id]).count(word) for id, word in zip(asked, ("one", "two"), strict=True)] == [1, 1]
