"""Items that nothing can mend: screenshots that are refused, items in a wrong place, tools that are gone."""

import json

import pytest
import turnwire as tw
from judges import wire

GO, ON, SAID = (
    {"role": "user", "content": "go"},
    {"role": "user", "content": "more"},
    {"role": "assistant", "content": "ok"},
)
OWN = "openai-responses"
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "AAAA"}
LOOK = {
    "type": "computer_call",
    "id": "cu_1",
    "call_id": "c1",
    "status": "completed",
    "pending_safety_checks": [],
    "actions": [{"type": "screenshot"}],
}
PNG = "data:image/png;base64,iVBORw0KGgo="


def shown(**output):
    return {"type": "computer_call_output", "call_id": "c1", "output": {"type": "computer_screenshot", **output}}


def prepared(items, target=OWN, **options):
    return tw.prepare({"model": "m", "input": items}, target, source=OWN, **options)


def codes(told):
    return [one.code for one in told]


REFUSED = {
    "no base64": shown(image_url="data:image/png;base64,@@@"),
    "no image": shown(image_url="data:application/zip;base64,AAAA"),
    "no data": shown(image_url="data:image/png;base64,"),
    "nothing": shown(),
}


@pytest.mark.parametrize("thought", (True, False))
@pytest.mark.parametrize("what", REFUSED)
def test_a_call_whose_screenshot_is_refused_goes(what, thought):
    items = [GO, *[THOUGHT] * thought, LOOK, REFUSED[what], ON]
    ready = prepared(items)
    assert ready.payload["input"] == [GO, ON]
    assert "orphan_call" in codes(ready.receipt) and "media" in codes(ready.receipt)
    assert {"orphan_call", "media"} <= set(codes(tw.check({"model": "m", "input": items}, OWN)))
    assert wire.refused(OWN, ready.payload) == []


@pytest.mark.parametrize(
    "output", (shown(image_url=PNG), shown(file_id="file_1"), shown(image_url="https://e.x/a.png"))
)
def test_one_that_is_shown_stays(output):
    ready = prepared([GO, LOOK, output, ON])
    assert (ready.payload["input"], list(ready.receipt)) == ([GO, LOOK, output, ON], [])


def test_text_is_no_screenshot():
    answer = {"type": "function_call_output", "call_id": "c1", "output": "a login page"}
    ready = prepared([GO, LOOK, answer, ON])
    assert ready.payload["input"] == [GO, LOOK, answer, ON]
    (found,) = [
        one for one in tw.check({"model": "m", "input": [GO, LOOK, answer, ON]}, OWN) if one.code == "other_kind"
    ]
    assert (found.kind, found.severity, found.path) == ("warning", "error", "$.input[2]")


TRIGGER = {"type": "compaction_trigger"}


@pytest.mark.parametrize(
    ("items", "paths"),
    (
        ([GO, TRIGGER], []),
        ([GO, TRIGGER, ON], ["$.input[1]"]),
        ([GO, TRIGGER, SAID, ON, TRIGGER], ["$.input[1]"]),
        ([TRIGGER, GO, TRIGGER, ON], ["$.input[0]", "$.input[2]"]),
    ),
)
def test_a_compaction_is_asked_for_at_the_end(items, paths):
    found = [one for one in tw.check({"model": "m", "input": items}, OWN) if one.code == "misplaced"]
    assert [one.path for one in found] == paths
    assert {one.severity for one in found} <= {"error"}
    ready = prepared(items)
    left = [one for at, one in enumerate(items) if one is not TRIGGER or at == len(items) - 1]
    assert ready.payload["input"] == left
    assert [one.path for one in ready.receipt if one.code == "misplaced"] == paths
    cut = tw.prepare({"model": "m", "input": items}, OWN, 2000)
    assert cut.payload["input"] == left
    assert tw.Ledger(OWN).prepare(items).payload["input"] == left
    assert not tw.prepare(left, OWN, source=OWN).receipt.changed


SEARCH = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "q"}}
RAN = {
    "web_search_call": SEARCH,
    "file_search_call": {"type": "file_search_call", "id": "fs_1", "queries": ["q"], "status": "completed"},
    "code_interpreter_call": {
        "type": "code_interpreter_call",
        "id": "ci_1",
        "status": "completed",
        "code": "x",
        "container_id": "c",
        "outputs": [],
    },
    "image_generation_call": {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": "x"},
    "mcp_call": {"type": "mcp_call", "id": "mcp_1", "name": "n", "server_label": "s", "arguments": "{}"},
    "mcp_list_tools": {"type": "mcp_list_tools", "id": "mcpl_1", "server_label": "s", "tools": []},
}
BROKEN = {
    f"{name} without id": {key: value for key, value in item.items() if key != "id"} for name, item in RAN.items()
}
BROKEN["another action"] = {**SEARCH, "action": {"type": "other"}}
BROKEN["without action"] = {key: value for key, value in SEARCH.items() if key != "action"}


@pytest.mark.parametrize("options", ({}, {"budget": 2000}), ids=str)
@pytest.mark.parametrize("what", BROKEN)
def test_an_item_of_the_provider_s_that_it_would_refuse_is_left_out(what, options):
    for before, after in (([GO], [ON]), ([GO], [{"role": "assistant", "content": "x"}, ON]), ([GO, THOUGHT], [ON])):
        items = [*before, BROKEN[what], *after]
        ready = tw.prepare({"model": "m", "input": items}, OWN, **options)
        assert ready.payload["input"] == [GO, *after]
        assert ("dropped", "empty_turn") in [(one.kind, one.code) for one in ready.receipt]
        assert not wire.refused(OWN, {"model": "m", **ready.payload})
        assert "empty_turn" in [one.code for one in tw.check({"model": "m", "input": items}, OWN)]
    for item in RAN.values():
        assert tw.prepare([GO, item, ON], OWN, source=OWN, **options).payload["input"] == [GO, item, ON]


TOOL = {"name": "w", "description": "d", "input_schema": {"type": "object", "properties": {}}}


def change(kind, **tool):
    return {"role": "system", "content": [{"type": kind, "tool": {"type": "tool_reference", **tool}}]}


@pytest.mark.parametrize("kind", ("tool_addition", "tool_removal"))
def test_a_change_of_a_tool_that_is_gone_is_found(kind):
    def found(name, **body):
        messages = [GO, SAID, ON, change(kind, name=name)]
        body = {"model": "claude-opus-5-5", "max_tokens": 9, "messages": messages, **body}
        told = [one for one in tw.check(body, "anthropic") if one.code == "tools_missing"]
        ready = tw.prepare(body, "anthropic")
        assert ready.payload["messages"] == messages
        assert len([one for one in ready.receipt if one.code == "tools_missing"]) == len(told)
        return [(one.severity, one.path) for one in told]

    assert found("gone", tools=[TOOL]) == [("error", "$.messages[3].content[0]")]
    assert found("w", tools=[TOOL]) == []
    # Nobody knows what the caller, or a server, adds.
    assert found("gone") == []
    toolset = {"type": "mcp_toolset", "mcp_server_name": "s"}
    servers = [{"type": "url", "url": "https://e.x", "name": "s"}]
    assert found("gone", tools=[TOOL, toolset], mcp_servers=servers) == []


def test_a_tool_that_a_message_defines_is_no_missing_one():
    added = {"type": "tool_addition", "tool": {"type": "tool_definition", "definition": TOOL | {"name": "later"}}}
    messages = [GO, SAID, ON, {"role": "system", "content": [added]}, SAID, ON, change("tool_removal", name="later")]
    body = {"model": "claude-opus-5-5", "max_tokens": 9, "messages": messages, "tools": [TOOL]}
    assert "tools_missing" not in codes(tw.check(body, "anthropic"))


def entry(out="", err="", **outcome):
    return {"stdout": out, "stderr": err, "outcome": outcome or {"type": "exit", "exit_code": 0}}


SHELL = {"type": "shell_call", "call_id": "c1", "action": {"commands": ["a", "b"]}}


def shell_said(*entries):
    return {"type": "shell_call_output", "call_id": "c1", "output": list(entries)}


@pytest.mark.parametrize("limit", (0, 1, 20, 100))
@pytest.mark.parametrize(
    "entries",
    (
        [entry("x" * 300), entry("", "y" * 300, type="timeout")],
        [entry("", "y" * 300, type="timeout"), entry("x" * 300)],
        [entry(), entry("", "y" * 600, type="exit", exit_code=3)],
    ),
)
def test_a_shells_entries_stay_when_its_texts_are_cut(limit, entries):
    ready = prepared([GO, SHELL, shell_said(*entries), ON], budget=tw.Budget(per_result=limit))
    written = ready.payload["input"][2]["output"]
    assert [one["outcome"] for one in written] == [one["outcome"] for one in entries]
    assert all(set(one) == {"stdout", "stderr", "outcome"} for one in written)
    assert sum(len(one["stdout"] + one["stderr"]) for one in written) <= max(limit, 40)
    assert codes(ready.receipt) == ["cut_result"]
    assert wire.refused(OWN, ready.payload) == []


def test_what_stays_json_is_not_told_as_text():
    output = shell_said(entry("x" * 300), entry("", "y" * 300, type="timeout"))
    pair = [SHELL, output]
    assert codes(prepared([GO, *pair, ON], budget=tw.Budget(per_result=50)).receipt) == ["cut_result"]
    assert "json_as_text" not in codes(tw.check({"model": "m", "input": [GO, *pair, ON, *pair, ON]}, OWN))
    patch = {
        "type": "apply_patch_call",
        "call_id": "c1",
        "status": "completed",
        "operation": {"type": "delete_file", "path": "a"},
    }
    done = {"type": "apply_patch_call_output", "call_id": "c1", "status": "completed"}
    assert "json_as_text" not in codes(tw.check({"model": "m", "input": [GO, patch, done, ON, patch, done, ON]}, OWN))
    # Elsewhere it is text.
    assert "json_as_text" in codes(prepared([GO, *pair, ON], "openai").receipt)


def test_that_calls_cannot_wait_is_told_once():
    waits = {"type": "function_call", "name": "f", "arguments": "{}", "async": True}
    items = [GO, *({**waits, "call_id": f"c{at}"} for at in range(3)), ON]
    tools = [{"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}, "async": True}]
    for body in ({"input": items}, {"input": items, "tools": tools}):
        ready = tw.prepare({"model": "m", **body}, "openai", source=OWN)
        assert len([one for one in ready.receipt if one.code == "key" and "async" in one.path]) == 1
    assert "async" not in json.dumps(ready.payload)


@pytest.mark.parametrize("target", ("openai", "anthropic", "gemini", "mistral"))
def test_a_lost_key_inside_a_block_has_the_path_of_its_object(target):
    cited = {"citationsContent": {"content": [{"text": "t"}], "citations": [{"title": "a"}]}}
    messages = [
        {"role": "user", "content": [{"text": "q"}]},
        {"role": "assistant", "content": [cited]},
        {"role": "user", "content": [{"text": "q"}]},
    ]
    ready = tw.prepare({"messages": messages}, target, source="bedrock")
    assert "$.messages[1].content[0].citationsContent.citations" in [one.path for one in ready.receipt]


HOSTED = {
    "mcp": {
        "type": "mcp_call",
        "id": "mcp_1",
        "name": "f",
        "server_label": "s",
        "arguments": "{}",
        "output": "x" * 3000,
    },
    "interpreter": {
        "type": "code_interpreter_call",
        "id": "ci_1",
        "status": "completed",
        "code": "1",
        "container_id": "cntr_1",
        "outputs": [{"type": "logs", "logs": "x" * 1500}, {"type": "logs", "logs": "x" * 1500}],
    },
    "files": {
        "type": "file_search_call",
        "id": "fs_1",
        "status": "completed",
        "queries": ["q"],
        "results": [{"file_id": "file_1", "filename": "a", "score": 1.0, "text": "x" * 3000}],
    },
}


@pytest.mark.parametrize("newest", (True, False))
@pytest.mark.parametrize("what", HOSTED)
def test_a_budget_cuts_what_a_provider_s_tool_has_said(what, newest):
    items = [GO, HOSTED[what], SAID, *([] if newest else [ON, SAID, ON])]
    ready = prepared(items, budget=1500)
    (kept,) = [item for item in ready.payload["input"] if item.get("type") == HOSTED[what]["type"]]
    assert json.dumps(kept).count("x") < 1500
    assert {**kept, "output": 0, "outputs": 0, "results": 0} == {
        **HOSTED[what],
        "output": 0,
        "outputs": 0,
        "results": 0,
    }
    (change,) = [one for one in ready.receipt if one.code == "cut_result"]
    assert change.path == "$.input[1]"
    assert wire.refused(OWN, ready.payload) == []
    assert prepared(items).payload["input"] == items
