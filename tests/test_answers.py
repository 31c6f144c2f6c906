"""Items of Responses that ask the client, and their answers: paired by id, whatever their types are."""

import pytest
import turnwire as tw

GO, ON = {"role": "user", "content": "go"}, {"role": "user", "content": "and?"}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}
SHELL = {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls"]}}
LOCAL = {
    "type": "local_shell_call",
    "id": "lsh_1",
    "call_id": "c1",
    "status": "completed",
    "action": {"type": "exec", "command": ["ls"], "env": {}},
}
PATCH = {
    "type": "apply_patch_call",
    "call_id": "c1",
    "status": "completed",
    "operation": {"type": "delete_file", "path": "a"},
}
SEARCH = {"type": "tool_search_call", "call_id": "c1", "execution": "client", "arguments": {"q": "x"}}
SCREEN = {
    "type": "computer_call",
    "id": "cu_1",
    "call_id": "c1",
    "status": "completed",
    "pending_safety_checks": [],
    "action": {"type": "screenshot"},
}
APPROVAL = {"type": "mcp_approval_request", "id": "mcpr_1", "name": "n", "server_label": "s", "arguments": "{}"}
APPROVED = {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True}
HOSTED = {"environment": {"type": "container_reference", "container_id": "x"}}


def said(text, code=0):
    """The output of a shell."""
    end = {"type": "exit", "exit_code": code}
    entry = {"stdout": "", "stderr": text} if code else {"stdout": text, "stderr": ""}
    return {"type": "shell_call_output", "call_id": "c1", "output": [{**entry, "outcome": end}]}


def answer(kind, **members):
    return {"type": kind, "call_id": "c1", **members}


SAID = said("x")
LOCALLY = {"type": "local_shell_call_output", "id": "lsh_1", "output": "x"}
PLAINLY = answer("function_call_output", output="x")
LOADED = answer("tool_search_output", execution="client", status="completed", tools=[])
SHOT = answer("computer_call_output", output={"type": "computer_screenshot", "image_url": "data:image/png;base64,AA=="})
NONE = "none"
SHELL_NONE, LOCAL_NONE = said(NONE, 1), answer("function_call_output", output=NONE)
PATCH_NONE = answer("apply_patch_call_output", status="failed", output=NONE)

PAIRS = {
    "an open shell call": ([GO, SHELL, ON], [GO, SHELL, SHELL_NONE, ON], ["missing_result"]),
    "one at the end": ([GO, SHELL], [GO, SHELL, SHELL_NONE], ["missing_result"]),
    "one behind reasoning": ([GO, REASONING, SHELL], [GO, REASONING, SHELL, SHELL_NONE], ["missing_result"]),
    "an open local shell call": ([GO, LOCAL, ON], [GO, LOCAL, LOCAL_NONE, ON], ["missing_result"]),
    "an open patch": ([GO, PATCH, ON], [GO, PATCH, PATCH_NONE, ON], ["missing_result"]),
    "an open search": ([GO, SEARCH, ON], [GO, SEARCH, LOADED, ON], ["missing_result"]),
    "an open computer call": ([GO, REASONING, SCREEN, ON], [GO, ON], ["lone_reasoning", "orphan_call"]),
    "an open approval": ([GO, APPROVAL], [GO, APPROVAL], []),
    "an open call that the provider runs": ([GO, SHELL | HOSTED, ON], [GO, ON], ["orphan_call"]),
    "a lone shell output": ([GO, SAID, ON], [GO, ON], ["orphan_result"]),
    "a lone local output": ([GO, LOCALLY, ON], [GO, ON], ["orphan_result"]),
    "lone loaded tools": ([GO, LOADED, ON], [GO, ON], ["orphan_result"]),
    "a lone screenshot": ([GO, SHOT, ON], [GO, ON], ["orphan_result"]),
    "a lone approval": ([GO, APPROVED, ON], [GO, ON], ["orphan_result"]),
    "a late output": ([GO, SHELL, ON, SAID], [GO, SHELL, SAID, ON], ["moved_result"]),
    "an early output": ([SAID, GO, SHELL, ON], [GO, SHELL, SAID, ON], ["moved_result"]),
    "early loaded tools": ([LOADED, GO, SEARCH, ON], [GO, SEARCH, LOADED, ON], ["moved_result"]),
    "an early screenshot": ([GO, SHOT, SCREEN, ON], [GO, SCREEN, SHOT, ON], ["moved_result"]),
    "an early approval": ([GO, APPROVED, APPROVAL], [GO, APPROVAL, APPROVED], ["moved_result"]),
    "two outputs": ([GO, SHELL, SAID, SAID, ON], [GO, SHELL, SAID, ON], ["duplicate_result"]),
    "an output by the item's id": ([GO, LOCAL, LOCALLY, ON], [GO, LOCAL, LOCALLY, ON], []),
    "an output by the call's id": ([GO, LOCAL, LOCALLY | {"id": "c1"}], [GO, LOCAL, LOCALLY | {"id": "c1"}], []),
    "a plain output of a local shell": ([GO, LOCAL, PLAINLY, ON], [GO, LOCAL, PLAINLY, ON], []),
    "an early plain output": ([PLAINLY, GO, LOCAL, ON], [GO, LOCAL, PLAINLY, ON], ["moved_result"]),
    "an answered patch": ([GO, PATCH, PATCH_NONE, ON], [GO, PATCH, PATCH_NONE, ON], []),
    "an answer after other items": ([GO, SHELL, SEARCH | {"call_id": "c2"}, SAID, LOADED | {"call_id": "c2"}],) * 2
    + ([],),
}


@pytest.mark.parametrize(("given", "right", "codes"), PAIRS.values(), ids=PAIRS)
def test_items_and_their_answers_are_paired(given, right, codes):
    ready = tw.prepare({"model": "m", "input": given}, "openai-responses", wording={"missing_result": NONE})
    assert ready.payload["input"] == right
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == codes
    again = tw.prepare(ready.payload, "openai-responses", wording={"missing_result": NONE})
    assert (again.payload["input"], list(again.receipt)) == (right, [])
    found = [finding.code for finding in tw.check({"model": "m", "input": given}, source="openai-responses")]
    assert sorted(set(found) & set(codes)) == sorted(codes)


def test_an_item_stays_open_if_the_caller_keeps_calls_open():
    kept = [GO, SHELL]
    assert (
        tw.spec.MessageBuilder()
        .set_messages(kept, "openai-responses")
        .build(target="openai-responses", end="calls")
        .render("openai-responses")
        .payload["input"]
        == kept
    )


def test_an_answer_stays_if_the_server_holds_its_item():
    body = {"model": "m", "previous_response_id": "resp_1", "input": [SAID]}
    assert tw.prepare(body, "openai-responses").payload["input"] == [SAID]


def test_the_answer_of_a_dropped_exchange_goes_too():
    long = {"role": "user", "content": "x" * 4000}
    body = {"model": "m", "input": [long, SHELL, SAID, ON, {"role": "assistant", "content": "yes"}, ON]}
    ready = tw.prepare(body, "openai-responses", budget=1500)
    kinds = [item.get("type") for item in ready.payload["input"]]
    assert kinds.count("shell_call") == kinds.count("shell_call_output")


def test_a_late_answer_becomes_text_if_a_made_up_one_was_sent():
    ledger = tw.Ledger("openai-responses", wording={"missing_result": NONE})
    first = ledger.prepare([GO, SHELL, ON])
    second = ledger.prepare([GO, SHELL, ON, {"role": "assistant", "content": "ok"}, ON, SAID])
    sent, now = first.payload["input"], second.payload["input"]
    assert now[: len(sent)] == sent
    assert any("Late result of shell (c1)" in str(item.get("content")) for item in now[len(sent) :])
