"""Results that cannot stand behind their calls any more, and are sent as text of the user."""

import json

import pytest
import turnwire as tw
from judges import gemini_interactions, wire

GO, ON, SAID = (
    {"role": "user", "content": "go"},
    {"role": "user", "content": "more"},
    {"role": "assistant", "content": "ok"},
)
PNG = "data:image/png;base64,iVBORw0KGgo="
OWN = "openai-responses"
FOREIGN = ("openai", "anthropic", "gemini", "gemini-interactions", "bedrock", "mistral", "cohere", "ollama")
COMPACTION = {"type": "compaction", "id": "cmp_1", "encrypted_content": "Z"}
PLAIN = [{"type": "function", "name": "f", "parameters": {"type": "object", "properties": {}}, "strict": False}]


def call(id="c1", **more):
    return {"type": "function_call", "call_id": id, "name": "f", "arguments": "{}", **more}


def waits(id="c1", **more):
    return call(id, **{"async": True}, **more)


def came(id="c1", output="RESULT"):
    return {"type": "function_call_output", "call_id": id, "output": output}


def refused(target, payload):
    if target == "gemini-interactions":
        return [str(problem) for problem in gemini_interactions.check(payload)]
    return wire.refused(target, payload)


def words(item):
    """The text of a message, whatever form its content has."""
    content = item["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def codes(told):
    return [one.code for one in told if one.kind != "warning" and one.kind != "lost"]


def prepared(items, target, **options):
    return tw.prepare({"model": "m", "input": items, "tools": PLAIN}, target, source=OWN, blobs="base64", **options)


# The newest input is a result, and the assistant has spoken since its call.
NEWEST = {
    "behind a text": [GO, waits(), SAID, came()],
    "behind another turn": [GO, waits(), ON, SAID, came()],
    "beside an answered call": [GO, waits(), call("c2"), came("c2", "R2"), SAID, came()],
    "two of them": [GO, waits(), waits("c2"), SAID, came("c2", "R2"), came()],
    "one of two": [GO, waits(), waits("c2"), SAID, came()],
    "behind two turns": [GO, waits(), SAID, ON, SAID, came()],
    "custom": [
        GO,
        {"type": "custom_tool_call", "call_id": "c1", "name": "f", "input": "x", "async": True},
        ON,
        SAID,
        {"type": "custom_tool_call_output", "call_id": "c1", "output": "RESULT"},
    ],
    "before system text": [GO, waits(), ON, SAID, came(), {"role": "developer", "content": "brief"}],
}


@pytest.mark.parametrize("target", FOREIGN)
@pytest.mark.parametrize("what", NEWEST)
def test_the_newest_result_stays_the_newest(what, target):
    ready = prepared(NEWEST[what], target)
    told = codes(ready.receipt)
    assert "missing_result" in told and "late_result" in told
    assert not {"moved_result", "orphan_result"} & set(told)
    assert refused(target, ready.payload) == []
    said = json.dumps(ready.payload, ensure_ascii=False)
    assert said.index("Late result of f") > said.rindex('"ok"')
    assert "RESULT" in said
    found = tw.check({"model": "m", "input": NEWEST[what], "tools": PLAIN}, target, source=OWN)
    assert {"missing_result", "late_result"} <= set(codes(found))


@pytest.mark.parametrize("what", NEWEST)
def test_its_own_format_keeps_it_as_it_came(what):
    ready = prepared(NEWEST[what], OWN)
    assert (ready.payload["input"], list(ready.receipt)) == (NEWEST[what], [])


@pytest.mark.parametrize("target", ("openai", "anthropic", "gemini"))
@pytest.mark.parametrize(
    "items",
    (
        [GO, waits(), ON, SAID, ON, came()],
        [GO, waits(), SAID, ON, came(), ON],
        [GO, waits(), came()],
        [GO, waits(), call("c2"), came("c2"), came()],
        [GO, waits(), call("c2"), came(), came("c2")],
    ),
)
def test_any_other_stands_behind_its_call(items, target):
    ready = prepared(items, target)
    assert not {"missing_result", "late_result"} & set(codes(ready.receipt))
    assert refused(target, ready.payload) == []


@pytest.mark.parametrize("target", ("openai", "anthropic", "gemini"))
def test_a_second_one_goes(target):
    ready = prepared([GO, waits(), ON, SAID, came(), came(output="AGAIN")], target)
    assert sorted(codes(ready.receipt)) == ["duplicate_result", "late_result", "missing_result"]
    assert "AGAIN" not in json.dumps(ready.payload)
    assert refused(target, ready.payload) == []


@pytest.mark.parametrize("target", ("anthropic", "openai"))
def test_a_ledger_keeps_what_it_has_said(target):
    ledger = tw.Ledger(target)
    items = [GO, waits(), ON, SAID, came()]
    sent = ledger.prepare(items, tools=PLAIN, source=OWN).payload["messages"]
    later = [*items, {"role": "assistant", "content": "thanks"}, ON]
    now = ledger.prepare(later, tools=PLAIN, source=OWN).payload["messages"]
    assert now[: len(sent)] == sent
    assert "RESULT" in json.dumps(sent)


SHELL = {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls"]}}
SHELL_SAID = {
    "type": "shell_call_output",
    "call_id": "c1",
    "output": [{"stdout": "RESULT", "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}],
}
LOCAL = {
    "type": "local_shell_call",
    "id": "lsh_1",
    "call_id": "c1",
    "status": "completed",
    "action": {"type": "exec", "command": ["ls"], "env": {}},
}
LOCAL_SAID = {"type": "local_shell_call_output", "id": "lsh_1", "output": "RESULT"}
COMPACTED = {
    "a call that waits": (waits(), came()),
    "a plain call": (call(), came()),
    "a shell": (SHELL, SHELL_SAID),
    "a local shell": (LOCAL, LOCAL_SAID),
}


@pytest.mark.parametrize("way", ("alone", "ledger", "at first in a ledger"))
@pytest.mark.parametrize("what", COMPACTED)
def test_a_result_behind_the_compaction_of_its_call_is_text(what, way):
    asked, answered = COMPACTED[what]
    items = [GO, asked, COMPACTION, ON, answered]
    if way == "alone":
        ready = prepared(items, OWN)
    else:
        ledger = tw.Ledger(OWN)
        if way == "ledger":
            ledger.prepare([GO, asked, ON], source=OWN)
            items = [GO, asked, ON, COMPACTION, SAID, ON, answered]
        ready = ledger.prepare(items, source=OWN)
    (late,) = [change for change in ready.receipt if change.code == "late_result"]
    assert late.reason == "its call is gone, because a summary replaces it"
    assert "orphan_result" not in codes(ready.receipt)
    assert "RESULT" in words(ready.payload["input"][-1])
    assert ready.payload["input"][-1]["role"] == "user"
    assert wire.refused(OWN, {"model": "m", "input": ready.payload["input"]}) == []


def test_a_screenshot_behind_the_compaction_of_its_call_is_an_image():
    look = {"type": "computer_call", "id": "cu_1", "call_id": "c1", "status": "completed", "pending_safety_checks": []}
    shown = {
        "type": "computer_call_output",
        "call_id": "c1",
        "output": {"type": "computer_screenshot", "image_url": PNG},
    }
    ready = prepared([GO, look | {"actions": [{"type": "screenshot"}]}, COMPACTION, ON, shown], OWN)
    assert "late_result" in codes(ready.receipt)
    assert PNG in json.dumps(ready.payload["input"][-1])


def test_a_result_whose_call_a_cut_has_left_out_is_text():
    ledger = tw.Ledger(OWN, 260)
    big = waits(arguments=json.dumps({"a": "q" * 60, "b": "q" * 60, "c": "q" * 60}))
    items = [GO, big, SAID, {"role": "user", "content": "z" * 150}]
    cut = ledger.prepare(items)
    assert "c1" in [change.id for change in cut.receipt if change.code == "dropped_exchange"]
    assert "function_call" not in json.dumps(cut.payload["input"])
    now = ledger.prepare([*items, SAID, came()])
    assert now.payload["input"][: len(cut.payload["input"])] == cut.payload["input"]
    assert "late_result" in codes(now.receipt) and "orphan_result" not in codes(now.receipt)
    assert "RESULT" in json.dumps(now.payload["input"][-1])


LONG = {"role": "user", "content": "z" * 3000}
BIG = waits(arguments=json.dumps({"a": "q" * 500}))


def kinds(ready):
    return [(item.get("type"), item.get("call_id")) for item in ready.payload["input"] if "call_id" in item]


@pytest.mark.parametrize("budget", (5000, 2000, 700, 400))
def test_a_budget_keeps_the_newest_result_with_its_call(budget):
    ready = prepared([GO, BIG, SAID, LONG, SAID, LONG, SAID, came()], OWN, budget=budget)
    assert kinds(ready) == [("function_call", "c1"), ("function_call_output", "c1")]
    assert ready.payload["input"][-1] == came()


@pytest.mark.parametrize("budget", (5000, 2000, 700, 400))
def test_a_budget_keeps_an_open_call_while_anything_else_can_go(budget):
    ready = prepared(
        [GO, BIG, SAID, LONG, SAID, LONG, SAID, {"role": "user", "content": "z" * 200}], OWN, budget=budget
    )
    assert kinds(ready) == [("function_call", "c1")]


def test_an_open_call_goes_with_its_id_in_the_receipt():
    thought = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "A" * 40}
    items = [GO, thought, BIG | {"id": "fc_1"}, SAID, LONG, SAID, ON]
    ready = prepared(items, OWN, budget=100)
    assert kinds(ready) == [] and "rs_1" not in json.dumps(ready.payload["input"])
    (gone,) = [one for one in ready.receipt if one.code == "dropped_exchange" and one.id == "c1"]
    assert (gone.kind, gone.path) == ("dropped", "$.input[1]")
    assert wire.refused(OWN, {"model": "m", "input": ready.payload["input"]}) == []


def test_a_budget_drops_an_answered_pair_between_the_results_of_another_call():
    items = [GO, waits(), SAID, ON, call("c2"), came(), came("c2", "x" * 600), LONG, SAID, ON]
    for budget in (3000, 1500, 400, 200):
        ready = prepared(items, OWN, budget=budget)
        ids = [id for _, id in kinds(ready)]
        assert all(ids.count(id) == 2 for id in ids), (budget, ids)


def test_a_result_before_its_call_that_waits_is_moved():
    ready = prepared([GO, came(), waits(), SAID, ON], OWN)
    assert codes(ready.receipt) == ["moved_result"]
    assert ready.payload["input"] == [GO, waits(), SAID, came(), ON] or ready.payload["input"] == [
        GO,
        waits(),
        came(),
        SAID,
        ON,
    ]


@pytest.mark.parametrize("between", [[], [{"type": "message", "role": "assistant", "content": "so"}]])
def test_each_open_call_that_the_budget_drops_is_named(between: list) -> None:
    def call(at: int) -> dict:
        args = '{"a": "' + "q" * 400 + '"}'
        return {"type": "function_call", "call_id": f"c{at}", "name": "f", "arguments": args, "async": True}

    go = {"role": "user", "content": "go"}
    run = [go, *(part for at in range(6) for part in (call(at), *between)), {"role": "user", "content": "next"}]
    for budget in (20, 100, 500, 1500):
        made = tw.prepare({"input": run}, "openai-responses", budget)
        left = {item["call_id"] for item in made.payload["input"] if item.get("type") == "function_call"}
        gone = [one.id for one in made.receipt if one.code == "dropped_exchange" and one.id]
        assert sorted(left | set(gone)) == [f"c{at}" for at in range(6)]
        assert gone == [f"c{at}" for at in range(len(gone))], "the oldest first"


@pytest.mark.parametrize("target", ["anthropic", "openai", "bedrock", "mistral", "openai-responses"])
@pytest.mark.parametrize("calls", [0, 1, 2])
def test_a_reply_to_a_request_with_an_open_call_stands_behind_what_was_sent(target: str, calls: int) -> None:
    def call(at: str) -> dict:
        return {"id": at, "type": "function", "function": {"name": "f", "arguments": "{}"}}

    def result(at: str) -> dict:
        return {"role": "tool", "tool_call_id": at, "content": f"result of {at}"}

    run = [{"role": "user", "content": "go"}, {"role": "assistant", "content": None, "tool_calls": [call("a1")]}]
    names = [f"b{at}" for at in range(calls)]
    reply = {"role": "assistant", "content": "so"} | ({"tool_calls": [*map(call, names)]} if names else {})
    ledger = tw.Ledger(target)
    for more in (
        [],
        [reply, *map(result, names), {"role": "user", "content": "on"}],
        [result("a1")],
        [{"role": "assistant", "content": "end"}, {"role": "user", "content": "on"}],
    ):
        run += more
        made = ledger.prepare(run, source="openai")
        assert not ledger.breaks
        assert [one.code for one in made.receipt].count("missing_result") == 1
    sent = json.dumps(made.messages)
    assert sent.index("No result was recorded") < sent.index('"so"') < sent.index("result of a1")
