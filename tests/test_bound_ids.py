"""The ids of reasoning and of the items that it led to: all of a response have theirs, or none has."""

import json

import pytest
import turnwire as tw
from judges import wire

GO, ON = {"role": "user", "content": "go"}, {"role": "user", "content": "more"}
OWN = "openai-responses"
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "AAAA"}
NAMELESS = {key: value for key, value in THOUGHT.items() if key != "id"}
LOOK = {
    "type": "computer_call",
    "id": "cu_1",
    "call_id": "c1",
    "status": "completed",
    "pending_safety_checks": [],
    "actions": [{"type": "screenshot"}],
}
SEARCH = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "q"},
}
PLAIN = {"role": "assistant", "content": "first"}
ORPHAN = {"type": "function_call_output", "call_id": "c9", "output": "lost"}


def said(id="msg_1", text="ok"):
    part = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": id, "status": "completed", "role": "assistant", "content": [part]}


def call(call_id="c1", **more):
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": "{}", **more}


def came(id="c1"):
    return {"type": "function_call_output", "call_id": id, "output": "R"}


def prepared(items, **options):
    return tw.prepare({"model": "m", "input": items}, OWN, source=OWN, **options)


def ids(ready):
    return [item["id"] for item in ready.payload["input"] if "id" in item]


# What is given, and the ids that are left.
CASES = {
    "a call without a stand-in": ([GO, THOUGHT, LOOK, said(), ON], []),
    "one, and several followers": ([GO, THOUGHT, LOOK, said(), call(id="fc_1"), came(), ON], []),
    "one, and a search": ([GO, THOUGHT, LOOK, SEARCH, said(), ON], []),
    "what follows an output stays": ([GO, THOUGHT, LOOK, call("c2"), came("c2"), said(), ON], ["msg_1"]),
    "what follows the user stays": ([GO, THOUGHT, LOOK, ON, said(), ON], ["msg_1"]),
    "a call alone": ([GO, LOOK, said(), ON], ["msg_1"]),
    "a long id before a call": ([GO, THOUGHT | {"id": "rs_" + "x" * 413}, call(id="fc_1"), came(), ON], []),
    "a long id before a message": ([GO, THOUGHT | {"id": "rs_" + "x" * 413}, said(), ON], []),
    "no id before a call": ([GO, NAMELESS, call(id="fc_1"), came(), ON], []),
    "no id before a message": ([GO, NAMELESS, said(), ON], []),
    "no id before two items": ([GO, NAMELESS, said(), call(id="fc_1"), came(), ON], []),
    "no id before a search": ([GO, NAMELESS, SEARCH, said(), ON], []),
    "one of two without an id": ([GO, NAMELESS, THOUGHT, call(id="fc_1"), came(), ON], []),
    "a message without an id": ([GO, THOUGHT, PLAIN, call(id="fc_1"), came(), ON], []),
    "no id at all": ([GO, NAMELESS, call(), came(), ON], []),
    "all of them": ([GO, THOUGHT, said(), call(id="fc_1"), came(), ON], ["rs_1", "msg_1", "fc_1"]),
    "an orphan between": ([GO, THOUGHT, ORPHAN, said(), ON], ["rs_1", "msg_1"]),
    "another response": ([GO, NAMELESS, call(), came(), THOUGHT, said(), ON], ["rs_1", "msg_1"]),
}


@pytest.mark.parametrize(("items", "left"), CASES.values(), ids=CASES)
def test_all_or_none(items, left):
    ready = prepared(items)
    assert ids(ready) == left
    problems = tw.check({"model": "m", "input": items}, OWN)
    assert {one.code for one in ready.receipt} <= {one.code for one in problems}
    assert not [one for one in wire.refused(OWN, ready.payload) if "reasoning" in one]
    again = prepared(ready.payload["input"])
    assert again.payload["input"] == ready.payload["input"]
    if any(item.get("id") == "msg_1" for item in items):
        assert "ok" in json.dumps(ready.payload["input"])


def test_lone_reasoning_still_goes():
    ready = prepared([GO, THOUGHT, ORPHAN, ON])
    assert (ready.payload["input"], ids(ready)) == ([GO, ON], [])
    assert {"lone_reasoning", "orphan_result"} <= {one.code for one in ready.receipt}


def test_a_summary_that_covers_reasoning_takes_the_ids_of_its_followers():
    entities = [{"id": f"m{at}", "body": body} for at, body in enumerate([GO, THOUGHT, said(), ON])]
    builder = tw.spec.MessageBuilder().set_messages(entities, OWN)
    builder.set_compression_summary({"messageIds": ["m0", "m1"], "startMessageId": "m2", "summary": "s"})
    built = builder.build(target=OWN).render(OWN).payload["input"]
    assert "ok" in json.dumps(built)
    assert [item["id"] for item in built if "id" in item] == []


THINKS = {"type": "reasoning", "id": "rs_1", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]}


@pytest.mark.parametrize(
    ("items", "thought", "left"),
    (
        # Plain reasoning that nobody has kept: the messages before it have no ids.
        ([GO, PLAIN, ON, THINKS, said(), ON], None, []),
        ([GO, PLAIN, ON, THINKS, call(id="fc_1"), came(), ON], None, []),
        # What the server has kept is known by its id.
        ([GO, THINKS, said(), ON], {"type": "reasoning", "id": "rs_1", "summary": []}, ["rs_1", "msg_1"]),
        ([GO, said("msg_0"), ON, THINKS, said(), ON], {"type": "reasoning", "id": "rs_1", "summary": []}, None),
        ([GO, PLAIN, ON, THINKS | {"encrypted_content": "A"}, said(), ON], {**THOUGHT, "encrypted_content": "A"}, None),
    ),
)
def test_content_goes_and_is_no_summary(items, thought, left):
    ready = prepared(items)
    kept = [item for item in ready.payload["input"] if item.get("type") == "reasoning"]
    assert kept == ([] if thought is None else [thought])
    assert "hm" not in json.dumps(ready.payload["input"])
    assert left is None or ids(ready) == left
    assert {"reshaped", "reasoning"} & {one.code for one in ready.receipt}
    abroad = tw.prepare({"model": "m", "input": items}, "openai:deepseek", source=OWN, reasoning="keep")
    assert "hm" in json.dumps([abroad.payload, [one.reason for one in abroad.receipt]]) or "reasoning" in {
        one.code for one in abroad.receipt
    }


@pytest.mark.parametrize("status", ("completed", "in_progress", None, 1))
def test_the_status_of_reasoning_goes(status):
    items = [GO, THOUGHT | {"status": status}, said(), ON]
    ready = prepared(items)
    assert ready.payload["input"] == [GO, THOUGHT, said(), ON]
    assert [one.code for one in ready.receipt] == ["reshaped"]


OWN_SHELL = {
    "type": "local_shell_call",
    "id": "lsh_1",
    "call_id": "c1",
    "status": "completed",
    "action": {"type": "exec", "command": ["ls"], "env": {}},
}
SHELL_SAID = {"type": "local_shell_call_output", "id": "lsh_1", "output": "REAL"}
SCREEN = {
    "type": "computer_call_output",
    "call_id": "c1",
    "output": {"type": "computer_screenshot", "image_url": "data:image/png;base64,REAL"},
}
NEED_IDS = {"local shell": (OWN_SHELL, SHELL_SAID), "screen": (LOOK, SCREEN)}


@pytest.mark.parametrize("before", (THOUGHT, NAMELESS), ids=("an id", "no id"))
@pytest.mark.parametrize("options", ({}, {"reasoning": "drop"}), ids=str)
@pytest.mark.parametrize("name", NEED_IDS)
def test_a_call_that_needs_its_id_keeps_it_with_its_result(name, options, before):
    asked, told = NEED_IDS[name]
    items = [GO, before, asked, told, said(), ON]
    ready = prepared(items, **options)
    got = ready.payload["input"]
    assert asked in got and told in got
    assert not wire.refused(OWN, ready.payload)
    assert prepared(got).payload["input"] == got
    assert "orphan_call" not in {one.code for one in ready.receipt}
    again = tw.convert({"model": "m", "input": items}, OWN, source=OWN, **options).payload["input"]
    assert asked in again and told in again


@pytest.mark.parametrize("id", ("lsh 1", "l" * 65))
@pytest.mark.parametrize("target", ("openai", "anthropic", "gemini"))
def test_an_output_that_names_an_item_by_an_id_that_servers_refuse_is_its_result(target, id):
    items = [GO, OWN_SHELL | {"id": id}, SHELL_SAID | {"id": id}, ON]
    ready = tw.prepare(items, target, source=OWN)
    assert "REAL" in json.dumps(ready.payload)
    assert not {"orphan_result", "missing_result"} & {one.code for one in ready.receipt}


def test_of_two_items_with_one_id_both_keep_their_results():
    second = OWN_SHELL | {"call_id": "c2"}
    items = [GO, NAMELESS, OWN_SHELL, second, SHELL_SAID, SHELL_SAID | {"output": "SECOND"}, ON]
    ready = prepared(items)
    output = {"type": "function_call_output", "call_id": "c2", "output": "SECOND"}
    assert SHELL_SAID in ready.payload["input"] and output in ready.payload["input"]
    assert prepared(ready.payload["input"]).payload == ready.payload


def test_an_item_that_loses_only_its_id_is_not_said_to_be_gone():
    for options, gone in (({"reasoning": "drop"}, THOUGHT), ({}, LOOK)):
        items = [GO, THOUGHT, LOOK, call("c2", id="fc_1"), came("c2"), ON]
        if gone is THOUGHT:
            items.remove(LOOK)
        at = next(i for i, item in enumerate(items) if item.get("id") == "fc_1")
        receipt = prepared(items, **options).receipt
        assert [(one.kind, one.code) for one in receipt if one.index == at] == [("restated", "reshaped")]
