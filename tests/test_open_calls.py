"""Calls for whose missing results nothing can stand: those of a screen, and those that the provider runs itself."""

import pytest
import turnwire as tw
from judges import wire

GO, ON = {"role": "user", "content": "go"}, {"role": "user", "content": "and?"}
PNG = "data:image/png;base64,iVBORw0KGgo="
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}
BARE = {"type": "reasoning", "summary": [], "encrypted_content": "gAAA"}
CONTAINER = {"type": "container_reference", "container_id": "cntr_1"}
HOSTED = {"type": "shell_call", "id": "sh_1", "call_id": "c1", "status": "completed", "action": {"commands": ["ls"]}}
DONE = {"stdout": "a", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}
CALLS = {
    "shell": HOSTED | {"environment": CONTAINER},
    "shell of the request": HOSTED,
    "computer": {
        "type": "computer_call",
        "id": "cu_1",
        "call_id": "c1",
        "status": "completed",
        "pending_safety_checks": [],
        "actions": [{"type": "screenshot"}],
    },
}
ANSWERS = {
    "shell": {"type": "shell_call_output", "call_id": "c1", "output": [DONE]},
    "computer": {
        "type": "computer_call_output",
        "call_id": "c1",
        "output": {"type": "computer_screenshot", "image_url": PNG},
    },
}
TOOLS = [{"type": "shell", "environment": {"type": "container_auto"}}]


def codes(told):
    return [one.code for one in told if one.kind != "warning"]


def prepared(items, target="openai-responses", **options):
    return tw.prepare({"model": "m", "input": items, "tools": TOOLS}, target, source="openai-responses", **options)


def answer_of(name):
    return ANSWERS[name.split()[0]]


@pytest.mark.parametrize("thought", (THOUGHT, BARE), ids=("named", "unnamed"))
@pytest.mark.parametrize("name", CALLS)
def test_it_goes_with_the_reasoning_that_led_to_it(name, thought):
    ready = prepared([GO, thought, CALLS[name], ON])
    assert ready.payload["input"] == [GO, ON]
    assert sorted(codes(ready.receipt)) == ["lone_reasoning", "orphan_call"]
    assert wire.refused("openai-responses", ready.payload) == []
    assert {"orphan_call", "lone_reasoning"} <= set(
        codes(tw.check({"model": "m", "input": [GO, thought, CALLS[name], ON], "tools": TOOLS}, "openai-responses"))
    )


@pytest.mark.parametrize("name", CALLS)
def test_it_stays_at_the_end_if_calls_may_be_open(name):
    items = [GO, THOUGHT, CALLS[name]]
    ready = prepared(items, end="calls")
    assert (ready.payload["input"], codes(ready.receipt)) == (items, [])
    assert prepared([*items, ON], end="calls").payload["input"] == [GO, ON]


@pytest.mark.parametrize("name", CALLS)
def test_with_its_answer_it_stays(name):
    items = [GO, THOUGHT, CALLS[name], answer_of(name), ON]
    ready = prepared(items)
    assert (ready.payload["input"], codes(ready.receipt)) == (items, [])


@pytest.mark.parametrize("name", CALLS)
def test_other_calls_and_their_reasoning_stay(name):
    plain = {"type": "function_call", "call_id": "c0", "name": "f", "arguments": "{}"}
    said = {"type": "function_call_output", "call_id": "c0", "output": "ok"}
    other = THOUGHT | {"id": "rs_0"}
    ready = prepared([GO, other, plain, said, THOUGHT, CALLS[name], ON])
    assert ready.payload["input"] == [GO, other, plain, said, ON]


@pytest.mark.parametrize("name", CALLS)
def test_a_budget_and_a_ledger_leave_no_open_one(name):
    items = [GO]
    for at in range(12):
        call, answer = CALLS[name] | {"call_id": f"c{at}", "id": f"x_{at}"}, answer_of(name) | {"call_id": f"c{at}"}
        items += [call, answer, {"role": "user", "content": "x" * 300}]
    left = prepared(items, budget=2500).payload["input"]
    kinds = [item.get("type") for item in left]
    assert kinds.count(CALLS[name]["type"]) == kinds.count(answer_of(name)["type"]) > 0
    ledger = tw.Ledger("openai-responses")
    body = {"model": "m", "input": [GO, THOUGHT, CALLS[name], ON], "tools": TOOLS}
    sent = ledger.prepare(body).payload["input"]
    assert sent == [GO, ON]
    more = body | {"input": [*body["input"], {"role": "assistant", "content": "so"}, ON]}
    assert ledger.prepare(more).payload["input"][: len(sent)] == sent


OPEN = {
    "shell": {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls x"]}},
    "local shell": {
        "type": "local_shell_call",
        "id": "lsh_1",
        "call_id": "c1",
        "status": "completed",
        "action": {"type": "exec", "command": ["ls"], "env": {}},
    },
    "patch": {
        "type": "apply_patch_call",
        "call_id": "c1",
        "status": "completed",
        "operation": {"type": "delete_file", "path": "a"},
    },
    "search": {
        "type": "tool_search_call",
        "call_id": "c1",
        "execution": "client",
        "status": "completed",
        "arguments": {"query": "q"},
    },
    "custom": {"type": "custom_tool_call", "call_id": "c1", "name": "f", "input": "x"},
    "function": {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
}


@pytest.mark.parametrize("name", OPEN)
def test_a_made_up_answer_counts_what_it_is_read_as(name):
    items = [GO, OPEN[name], {"role": "assistant", "content": "m"}, {"role": "user", "content": "END"}]
    ready = tw.prepare(items, "openai-responses", 10_000)
    again = tw.prepare(ready.payload, "openai-responses", 10_000)
    assert ready.receipt.totals["after"] == again.receipt.totals["before"]
    for budget in range(20, ready.receipt.totals["after"] + 2):
        once = tw.prepare(items, "openai-responses", budget).payload
        assert tw.prepare(once, "openai-responses", budget).payload == once
