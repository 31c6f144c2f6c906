"""Results that are items of another kind than the one that answers their call, in the format that has both."""

import json

import pytest
import turnwire as tw
from judges import wire

GO, ON = {"role": "user", "content": "go"}, {"role": "user", "content": "and?"}
PNG = "data:image/png;base64,iVBORw0KGgo="
FOREIGN = ("openai", "anthropic", "gemini", "gemini-interactions", "bedrock", "mistral", "cohere", "ollama")
CALLS = {
    "function": {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"},
    "custom": {"type": "custom_tool_call", "call_id": "c1", "name": "f", "input": "x"},
    "shell": {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls"]}},
    "local_shell": {
        "type": "local_shell_call",
        "id": "lsh_1",
        "call_id": "c1",
        "status": "completed",
        "action": {"type": "exec", "command": ["ls"], "env": {}},
    },
    "apply_patch": {
        "type": "apply_patch_call",
        "call_id": "c1",
        "status": "completed",
        "operation": {"type": "delete_file", "path": "a.py"},
    },
    "computer": {
        "type": "computer_call",
        "id": "cu_1",
        "call_id": "c1",
        "status": "completed",
        "pending_safety_checks": [],
        "actions": [{"type": "screenshot"}],
    },
    "tool_search": {"type": "tool_search_call", "call_id": "c1", "execution": "client", "arguments": {"q": "rain"}},
}


def entry(out="", err="", code=0):
    return {"stdout": out, "stderr": err, "outcome": {"type": "exit", "exit_code": code}}


def answer(kind, **keys):
    return {"type": kind, "call_id": "c1", **keys}


PLAIN = answer("function_call_output", output="done")
CUSTOM = answer("custom_tool_call_output", output="done")
SHELL = answer("shell_call_output", output=[entry("done")])
SCREEN = answer("computer_call_output", output={"type": "computer_screenshot", "image_url": PNG})
FOUND = answer("tool_search_output", execution="client", tools=[])
PATCHED = answer("apply_patch_call_output", status="completed", output="done")
# Which call, what answers it, and what is written.
OTHERS = {
    "custom by function": ("custom", PLAIN, CUSTOM),
    "function by custom": ("function", CUSTOM, PLAIN),
    "shell by function": ("shell", PLAIN, SHELL),
    "shell by custom": ("shell", CUSTOM, SHELL),
    "patch by function": ("apply_patch", PLAIN, PATCHED),
    "patch by shell": ("apply_patch", SHELL, PATCHED),
    "function by shell": (
        "function",
        SHELL,
        answer("function_call_output", output=[{"type": "input_text", "text": "done"}]),
    ),
    "local shell by custom": ("local_shell", CUSTOM, PLAIN),
    "shell by parts": (
        "shell",
        answer("function_call_output", output=[{"type": "input_text", "text": part} for part in ("one", "two")]),
        answer("shell_call_output", output=[entry("one\ntwo")]),
    ),
    "screen by an image": (
        "computer",
        answer("function_call_output", output=[{"type": "input_image", "image_url": PNG, "detail": "auto"}]),
        SCREEN,
    ),
}
# What cannot be written as the call's own item.
KEPT = {
    "screen by text": ("computer", PLAIN),
    "search by text": ("tool_search", PLAIN),
    "function by a search": ("function", FOUND),
    "shell by an image": ("shell", SCREEN),
}


def codes(told):
    return [one.code for one in told if one.kind != "warning"]


def prepared(items, target="openai-responses", **options):
    body = {"model": "m", "input": [GO, *items]}
    return tw.prepare(body, target, source="openai-responses", blobs="base64", **options)


@pytest.mark.parametrize("what", OTHERS)
def test_a_result_of_another_kind_is_written_in_that_of_its_call(what):
    name, given, written = OTHERS[what]
    ready = prepared([CALLS[name], given, ON])
    assert ready.payload["input"] == [GO, CALLS[name], written, ON]
    assert codes(ready.receipt) == ["reshaped"]
    assert wire.refused("openai-responses", ready.payload) == []
    again = tw.prepare(ready.payload, "openai-responses")
    assert (again.payload, codes(again.receipt)) == (ready.payload, [])
    found = tw.check({"model": "m", "input": [GO, CALLS[name], given, ON]}, "openai-responses")
    assert "reshaped" in codes(found)


@pytest.mark.parametrize("what", KEPT)
def test_what_the_kind_of_the_call_cannot_hold_stays_with_a_warning(what):
    name, given = KEPT[what]
    ready = prepared([CALLS[name], given, ON])
    assert ready.payload["input"] == [GO, CALLS[name], given, ON]
    assert codes(ready.receipt) == []
    found = tw.check({"model": "m", "input": [GO, CALLS[name], given, ON]}, "openai-responses")
    severity = "error" if name == "computer" else "warning"
    assert ("other_kind", severity, "$.input[2]") in [(one.code, one.severity, one.path) for one in found]


def test_a_plain_answer_of_the_older_shell_stays():
    ready = prepared([CALLS["local_shell"], PLAIN, ON])
    assert (ready.payload["input"], codes(ready.receipt)) == ([GO, CALLS["local_shell"], PLAIN, ON], [])


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("what", OTHERS)
def test_elsewhere_the_kind_does_not_matter(what, target):
    name, given, _ = OTHERS[what]
    ready = prepared([CALLS[name], given, ON], target)
    assert "reshaped" not in codes(ready.receipt)
    assert ("done" in json.dumps(ready.payload)) == ("done" in json.dumps(given))


def test_a_failed_answer_keeps_its_failure():
    failed = answer("function_call_output", output="[tool error] no such file")
    shell = prepared([CALLS["shell"], failed]).payload["input"][2]
    assert shell == answer("shell_call_output", output=[entry(err="no such file", code=1)])
    patched = prepared([CALLS["apply_patch"], failed]).payload["input"][2]
    assert patched == answer("apply_patch_call_output", status="failed", output="no such file")


def test_under_a_budget_and_in_a_ledger():
    long = PLAIN | {"output": "x" * 9000}
    cut = prepared([CALLS["shell"], long, ON], budget=tw.Budget(per_result=1000))
    [one] = cut.payload["input"][2]["output"]
    assert 0 < len(one["stdout"]) <= 1000
    assert set(codes(cut.receipt)) == {
        "reshaped",
        *codes(
            prepared(
                [CALLS["shell"], SHELL | {"output": [entry("x" * 9000)]}, ON], budget=tw.Budget(per_result=1000)
            ).receipt
        ),
    }
    ledger = tw.Ledger("openai-responses")
    first = [GO, CALLS["shell"], PLAIN]
    sent = ledger.prepare(first).payload["input"]
    more = ledger.prepare([*first, {"role": "assistant", "content": "so"}, ON]).payload["input"]
    assert more[: len(sent)] == sent == [GO, CALLS["shell"], SHELL]


def test_two_calls_with_one_id_have_each_its_kind():
    items = [CALLS["custom"], PLAIN, ON, CALLS["function"], CUSTOM, ON]
    written = [item["type"] for item in prepared(items).payload["input"] if "call_id" in item]
    assert written == ["custom_tool_call", "custom_tool_call_output", "function_call", "function_call_output"]
