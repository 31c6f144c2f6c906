"""A provider's compaction: what comes before it is not sent, it is never cut, and others get its summary as text."""

import json

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import tries

TARGETS = [name for name in tw.dialects() if name != "history"]
SUMMARY = "SUMMARY: they said hello. "
SIGNED = {"type": "compaction", "content": SUMMARY, "signature": "sig", "encrypted_content": "enc"}
FAILED = {"type": "compaction", "content": None}
TOOLS = [{"name": "f", "description": "d", "input_schema": {"type": "object", "properties": {}}}]


def exchange(mark, size):
    """A question, a call with its result, and an answer, each with unique words."""
    return [
        {"role": "user", "content": f"{mark}-asks"},
        {"role": "assistant", "content": [{"type": "tool_use", "id": mark, "name": "f", "input": {"x": f"{mark}-in"}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": mark, "content": f"{mark}-out" * size}]},
        {"role": "assistant", "content": [{"type": "text", "text": f"{mark}-says"}]},
    ]


@st.composite
def compacted(draw):
    """A run with one to three compactions, and the index of the last."""
    size = st.integers(1, 60)
    messages, last = [], 0
    for number in range(draw(st.integers(1, 3))):
        for before in range(draw(st.integers(0, 2))):
            messages += exchange(f"old{number}{before}", draw(size))
        block = {**SIGNED, "content": f"{SUMMARY}{number}" + "s" * draw(st.integers(0, 900))}
        head = [{"type": "text", "text": f"old{number}-head"}] if draw(st.booleans()) else []
        tail = [{"type": "text", "text": f"new{number}-tail"}] if draw(st.booleans()) else []
        role = draw(st.sampled_from(["assistant", "assistant", "user"]))
        if head and role == "assistant" and not messages:
            messages.append({"role": "user", "content": "old00-first"})
        last = len(messages)
        messages.append({"role": role, "content": [*head, block, *tail]})
        if role == "assistant" or draw(st.booleans()):
            messages.append({"role": "user", "content": f"old{number}-next"})
    for after in range(draw(st.integers(0, 3))):
        messages += exchange(f"new{after}", draw(size))
    if messages[-1]["role"] == "assistant":
        messages.append({"role": "user", "content": "new-end"})
    return messages, last


def written(rendered):
    return json.dumps(rendered.payload, ensure_ascii=False, default=str)


@given(run=compacted())
@settings(max_examples=tries(60), deadline=None)
def test_at_home_it_comes_first_as_it_came(run):
    messages, last = run
    ready = tw.prepare({"messages": messages, "tools": TOOLS}, "anthropic")
    block = next(block for block in messages[last]["content"] if block["type"] == "compaction")
    assert ready.payload["messages"][0]["content"][0] == block
    text = json.dumps(ready.payload["messages"])
    assert text.count('"compaction"') == 1
    gone = [word for word in ("old00-", "old01-", "old0-head", "old1-head", "old10-", "old2-head") if word in text]
    assert not gone
    assert all(entry.code == "compacted" for entry in ready.receipt if entry.kind != "warning")
    again = tw.prepare({"messages": ready.payload["messages"], "tools": TOOLS}, "anthropic")
    assert again.payload["messages"] == ready.payload["messages"] and not again.receipt.changed


@given(run=compacted(), target=st.sampled_from([name for name in TARGETS if name.split(":")[0] != "anthropic"]))
@settings(max_examples=tries(120), deadline=None)
def test_elsewhere_the_user_says_its_summary(run, target):
    messages, last = run
    body = {"messages": messages, "tools": TOOLS}
    ready = tw.prepare(body, target, source="anthropic")
    summary = next(block for block in messages[last]["content"] if block["type"] == "compaction")["content"]
    text = written(ready)
    assert text.count(summary) == 1 and "old00-" not in text and "-head" not in text
    assert not [loss for loss in ready.receipt if loss.code == "opaque" and loss.kind == "lost"]
    typed = tw.Conversation.parse(ready.payload, target)
    first = next(turn for turn in typed.turns if turn.role not in ("system", "developer"))
    assert first.role == "user" and summary in str(first)
    assert tw.prepare(ready.payload, target, source=target, tool_results=True).payload == ready.payload


@given(run=compacted(), target=st.sampled_from([name for name in TARGETS if name.split(":")[0] != "anthropic"]))
@settings(max_examples=tries(120), deadline=None)
def test_a_conversion_alone_keeps_every_summary(run, target):
    messages, _ = run
    rendered = tw.convert({"messages": messages, "tools": TOOLS}, target, source="anthropic")
    text = written(rendered)
    summaries = [block["content"] for one in messages for block in one["content"] if "signature" in block]
    assert all(text.count(summary) >= 1 for summary in summaries)
    changed = [loss for loss in rendered.receipt if loss.code == "opaque"]
    if target.startswith("ai-sdk"):
        # It has compactions, too, without a proof.
        assert not changed and sum(loss.code == "key" for loss in rendered.receipt) == 2 * len(summaries)
        return
    assert len(changed) == len(summaries) and all(loss.kind != "lost" for loss in changed)


@given(run=compacted(), budget=st.integers(700, 6000), target=st.sampled_from(["anthropic", "openai", "gemini"]))
@settings(max_examples=tries(120), deadline=None)
def test_no_budget_cuts_or_drops_it(run, budget, target):
    messages, last = run
    summary = next(block for block in messages[last]["content"] if block["type"] == "compaction")["content"]
    try:
        ready = tw.prepare({"messages": messages, "tools": TOOLS}, target, budget=budget)
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    assert summary in written(ready)
    totals = ready.receipt.totals
    assert totals["after"] <= budget
    whole = tw.prepare({"messages": messages, "tools": TOOLS}, target, budget=10**9)
    # What comes before it does not count.
    assert totals["before"] == whole.receipt.totals["before"] == whole.receipt.totals["after"]


def test_a_failed_one_replaces_no_message():
    body = {
        "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": [FAILED]}, *exchange("a", 1)]
    }
    body["messages"].append({"role": "user", "content": "go"})
    ready = tw.prepare({**body, "tools": TOOLS}, "anthropic")
    assert ready.payload["messages"] == body["messages"] and not ready.receipt.changed
    away = tw.prepare({**body, "tools": TOOLS}, "openai")
    assert [(loss.kind, loss.code) for loss in away.receipt if loss.code == "opaque"] == [("lost", "opaque")]


def test_reasoning_after_it_stays_valid():
    thought = {"type": "thinking", "thinking": "t", "signature": "s"}
    turns = [
        {"role": "user", "content": "old"},
        {"role": "assistant", "content": [thought, {"type": "text", "text": "old"}]},
        {"role": "assistant", "content": [SIGNED, thought, {"type": "text", "text": "new"}]},
        {"role": "user", "content": "go"},
    ]
    ready = tw.prepare({"messages": turns}, "anthropic", model="claude-opus-5-5")
    assert ready.payload["messages"] == turns[2:]
    assert {entry.code for entry in ready.receipt if entry.kind != "warning"} == {"compacted"}


@pytest.mark.parametrize("beside", [[], [{"type": "text", "text": "b"}]])
def test_a_caller_needs_no_opening_words_before_it(beside):
    turns = [{"role": "assistant", "content": [SIGNED, *beside]}, {"role": "user", "content": "go"}]
    ready = tw.prepare({"messages": turns}, "anthropic", wording={"opening": "Hello"})
    assert ready.payload["messages"] == turns and not ready.receipt.changed


ITEM = {"type": "compaction", "id": "cmp_1", "encrypted_content": "e" * 500}
CALLED = [
    {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c", "output": "o" * 2000},
]


def test_openai_keeps_what_users_said_before_it():
    first = {"role": "user", "content": "first"}
    rules = {"role": "developer", "content": "rules"}
    items = [first, *CALLED, rules, {"role": "assistant", "content": "said"}, ITEM, {"role": "user", "content": "go"}]
    ready = tw.prepare({"input": items}, "openai-responses")
    assert ready.payload["input"] == [first, rules, ITEM, items[-1]]
    assert {entry.code for entry in ready.receipt if entry.kind != "warning"} == {"compacted"}


def test_openai_never_drops_it():
    items = [{"role": "user", "content": "first"}, ITEM, {"role": "user", "content": "q"}, *CALLED]
    items += [{"role": "assistant", "content": "x" * 3000}, {"role": "user", "content": "go"}]
    ready = tw.prepare({"input": items}, "openai-responses", budget=1200)
    assert ITEM in ready.payload["input"] and ready.receipt.totals["after"] <= 1200


def test_no_other_provider_can_read_openais():
    items = [{"role": "user", "content": "first"}, ITEM, {"role": "user", "content": "go"}]
    ready = tw.prepare({"input": items}, "anthropic")
    assert [(loss.kind, loss.code, loss.path) for loss in ready.receipt if loss.code == "opaque"] == [
        ("lost", "opaque", "$.input[1]")
    ]
    assert "first" in written(ready)


@given(run=compacted(), target=st.sampled_from(TARGETS))
@settings(max_examples=tries(60), deadline=None)
def test_both_functions_give_the_same(run, target):
    messages, _ = run
    body = {"messages": messages, "tools": TOOLS}
    one = tw.prepare(body, target, source="anthropic")
    other = tw.prepare_json(json.dumps(body, separators=(",", ":")), target, source="anthropic")
    assert json.loads(other.payload) == one.payload
    assert [entry.code for entry in other.receipt if entry.kind != "warning"] == [
        entry.code for entry in one.receipt if entry.kind != "warning"
    ]


def test_a_run_that_grows_by_a_reply_with_a_compaction():
    reply = {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": [SIGNED, {"type": "text", "text": "new"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    history = tw.Conversation.parse(exchange("old0", 3), "anthropic")
    history = history.extended([*tw.parse_reply(reply, "anthropic").turns, tw.Turn("user", [tw.parts.Text("go")])])
    ready = tw.prepare(history, "anthropic", tools=TOOLS)
    assert ready.payload["messages"][0]["content"] == reply["content"]
    assert "old0" not in json.dumps(ready.payload["messages"])
    # Another provider in the middle of the run, and back.
    away = tw.prepare(history, "gemini", tools=TOOLS)
    assert written(away).count(SUMMARY) == 1 and "old0" not in written(away)
    assert tw.prepare(history, "anthropic", tools=TOOLS).payload == ready.payload
