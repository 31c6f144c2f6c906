"""`check(after=)`: what a request does to the one before it, by planted edits whose cost is known by construction."""

import copy
import json
import random
from typing import Any

import pytest
import turnwire as tw
from turnwire import MessageHistory

Body = dict[str, Any]
MODEL = "claude-opus-5-5"


def run(rng: random.Random, steps: int) -> Body:
    """An agent's request: signed thinking first in each assistant message."""
    messages: list[Any] = [{"role": "user", "content": f"task {rng.random()}"}]
    for step in range(steps):
        thought = {"type": "thinking", "thinking": f"thought {step}", "signature": f"signed {step} {rng.random()}"}
        call = {"type": "tool_use", "id": f"toolu_{step}", "name": "look", "input": {"n": step}}
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": f"result {rng.random()}"}
        messages += [{"role": "assistant", "content": [thought, call]}, {"role": "user", "content": [result]}]
    tool = {"name": "look", "description": "Look.", "input_schema": {"type": "object", "properties": {}}}
    return {"model": MODEL, "system": "Be brief.", "tools": [tool], "messages": messages}


def thoughts_behind(message: int, count: int) -> list[str]:
    return [f"$.messages[{at}].content[0]" for at in range(message + 1, count) if at % 2 == 1]


def told(receipt: tw.Receipt, code: str) -> list[str]:
    return [change.path for change in receipt if change.code == code]


@pytest.mark.parametrize("seed", range(40))
def test_every_planted_edit_is_reported_with_all_that_it_makes_stale(seed: int) -> None:
    rng = random.Random(seed)
    whole = run(rng, rng.randrange(3, 9))
    count = len(whole["messages"])
    cut = rng.randrange(1, count // 2) * 2 + 1
    before = {**whole, "messages": whole["messages"][:cut]}
    assert not tw.check(whole, target="anthropic", after=before)
    after = copy.deepcopy(whole)
    # A gap needs reasoning before and after it.
    kind = rng.choice(["result", "system", "tool", "marks", "task", *(["gap"] * 2 if cut >= 5 else [])])
    stale, code, place = [], "history_edited", "$"
    if kind == "result":
        at = rng.randrange(1, (cut + 1) // 2) * 2
        after["messages"][at]["content"][0]["content"] += "!"
        stale, place = thoughts_behind(at, count), f"$.messages[{at}].content[0]"
    elif kind == "task":
        after["messages"][0]["content"] = "another"
        stale, place = thoughts_behind(0, count), "$.messages[0].content"
    elif kind == "system":
        after["system"] = "Be long."
        stale, code, place = thoughts_behind(0, count), "system_changed", "$.system"
    elif kind == "tool":
        after["tools"][0]["description"] = "Look well."
        stale, code, place = thoughts_behind(0, count), "tools_changed", "$.tools[0]"
    elif kind == "gap":
        at = rng.randrange(1, (cut - 1) // 2) * 2 + 1
        del after["messages"][at]["content"][0]
        stale, code, place = thoughts_behind(at, count), "reasoning_gap", f"$.messages[{at}].content[0]"
    else:
        after["messages"][-1]["content"][0]["cache_control"] = {"type": "ephemeral"}
    found = tw.check(after, target="anthropic", after=before)
    assert told(found, "stale_reasoning") == stale
    if kind == "marks":
        assert not found
        return
    assert told(found, code) == [place]
    severities = {finding.code: finding.severity for finding in found}
    assert severities[code] == severities["stale_reasoning"] == "error"
    assert severities["cache_break"] == "warning" and len(told(found, "cache_break")) == 1
    # The request and the one before may come in any form.
    for one, other in ((json.dumps(after), before), (after, json.dumps(before).encode())):
        assert tw.check(one, target="anthropic", after=other) == found
    unchecked = tw.check(after, target="anthropic", after=before, model="claude-opus-4-6")
    assert not told(unchecked, "stale_reasoning")
    assert all(finding.severity == "warning" for finding in unchecked)


def test_a_bare_list_is_compared_with_the_messages_of_a_body() -> None:
    whole = run(random.Random(0), 3)
    sent = tw.prepare(whole["messages"][:3], "anthropic", system=whole["system"], tools=whole["tools"])
    assert {finding.code for finding in tw.check(whole["messages"], after=sent)} <= {"tools_missing"}
    edited = copy.deepcopy(whole["messages"])
    edited[0]["content"] = "another"
    assert told(tw.check(edited, after=sent, model=MODEL), "history_edited") == ["$[0].content"]


def test_what_is_in_another_format_is_compared_as_it_will_be_sent() -> None:
    messages: list[Any] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "yes?"},
        {"role": "user", "content": "go on"},
    ]
    sent = tw.prepare(messages[:2], "anthropic")
    for given in (messages, tw.Conversation.parse(messages, "openai"), MessageHistory(messages)):
        assert not tw.check(given, target="anthropic", after=sent)
    other = [messages[0], {"role": "user", "content": "ho"}, *messages[2:]]
    for given in (other, tw.Conversation.parse(other, "openai")):
        assert told(tw.check(given, target="anthropic", after=sent), "history_edited") == ["$.messages[0].content"]


def test_a_late_result_is_an_edit_of_what_a_build_has_sent() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    open_call: list[Any] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "user", "content": "well?"},
    ]
    sent = tw.prepare(open_call, "anthropic")
    late = [*open_call, {"role": "tool", "tool_call_id": "a", "content": "done"}]
    assert told(tw.check(late, target="anthropic", after=sent), "history_edited") == ["$.messages[2].content[0]"]


@pytest.mark.parametrize(
    ("after", "error", "said"),
    [
        (3, TypeError, "after: expected a request body or a list of messages, got int"),
        (object(), tw.TurnwireError, "not JSON"),
        ("x", tw.ParseError, "byte 0"),
        ({}, tw.ParseError, 'the key "messages"'),
        ({"contents": [{"role": "user", "parts": [{"text": "hi"}]}]}, tw.TurnwireError, "one of gemini"),
        (tw.Conversation(["hi"]), TypeError, "request body"),
    ],
)
def test_what_is_no_request(after: Any, error: type[Exception], said: str) -> None:
    body = run(random.Random(1), 2)
    with pytest.raises(error, match=said):
        tw.check(body, target="anthropic", after=after)


@pytest.mark.parametrize("target", ["anthropic", "same"])
def test_whatever_a_conversation_is_made_of(target: Any) -> None:
    """Texts, typed messages, tuples, histories, replies: their content is compared, not their types."""
    hello = {"role": "user", "content": "hi"}
    before = {"messages": [hello]}
    forms: list[Any] = [
        ["hi"],
        [tw.spec.UserMessage.new_prompt("hi")],
        (hello,),
        MessageHistory([hello]),
        tw.Conversation(["hi"]),
        tw.prepare([hello], "anthropic"),
        json.dumps([hello]),
        b'{"messages": [{"role": "user", "content": "hi"}]}',
    ]
    for given in forms:
        told = tw.check(given, target=target, after=before).only("warning", "refused")
        assert [change for change in told if change.severity != "info"] == []
    other = {"messages": [{"role": "user", "content": "ho"}]}
    for given in forms:
        assert "history_edited" in {finding.code for finding in tw.check(given, target=target, after=other)}


def test_a_comparison_logs_no_build(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(1)
    tw.check(tw.Conversation(["hi"]), target="anthropic", after={"messages": [{"role": "user", "content": "hi"}]})
    assert not caplog.records


def test_what_a_builder_adds_is_compared_as_well() -> None:
    body: Body = {"messages": [{"role": "user", "content": "hi"}]}
    builder = tw.spec.MessageBuilder().set_messages(body, "anthropic")
    assert not builder.check("anthropic", after=body)
    found = builder.set_system_prompts(["Be brief."]).check("anthropic", after=body)
    assert told(found, "system_changed") == ["$.system"]


def test_the_model_counts_for_what_a_build_would_leave_out_too() -> None:
    whole = run(random.Random(2), 2)
    del whole["model"]
    # A result that is apart from its call moves. Later reasoning is stale if the model checks it.
    whole["messages"].insert(2, {"role": "user", "content": "Wait."})
    assert "stale_reasoning" in {finding.code for finding in tw.check(whole, target="anthropic")}
    assert "stale_reasoning" not in {f.code for f in tw.check(whole, target="anthropic", model="claude-opus-4-6")}


def test_instructions_of_the_newest_models_are_no_edit() -> None:
    item = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "e"}
    text = {"type": "output_text", "text": "a", "annotations": []}
    said = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]}
    items = [{"role": "user", "content": "q"}, item, said]
    before = {"instructions": "Be brief.", "input": items}
    after = {"instructions": "Be long.", "input": [*items, {"role": "user", "content": "more"}]}
    for model, codes in (("gpt-6.2", set()), ("gpt-6", {"system_changed", "stale_reasoning", "cache_break"})):
        found = tw.check(after, target="openai-responses", after=before, model=model)
        assert {finding.code for finding in found} == codes


def test_nothing_was_sent_before() -> None:
    assert not tw.check(run(random.Random(1), 2), target="anthropic", after=[])


def test_a_request_that_a_build_refuses_is_reported_without_a_comparison() -> None:
    messages: list[Any] = [{"role": "assistant", "content": "first"}, {"role": "user", "content": "hi"}]
    found = tw.check(messages, target="gemini", after={"contents": [{"role": "user", "parts": [{"text": "hi"}]}]})
    assert [change.code for change in found.only("refused")]
