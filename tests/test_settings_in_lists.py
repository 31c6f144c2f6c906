"""Changes of settings that stand in a list, from one format to another."""

import pytest
import turnwire as tw
from judges import wire

GO = {"role": "user", "content": "go"}
SAID = {"role": "assistant", "content": "x"}
LOW = {"effort": "low"}
ITEM = {"type": "configuration_update", "reasoning": LOW}
CLAUDE = {"role": "system", "content": [], "output_config": LOW}
ROUTER = {"role": "system", "content": "", "configuration_update": {"reasoning": LOW}}
FORMS = {"openai-responses": ITEM, "anthropic": CLAUDE, "openai:openrouter": ROUTER}
OTHERS = ["openai", "gemini", "gemini-interactions", "bedrock", "mistral", "cohere", "ollama", "openai:groq"]


def listed(payload):
    if isinstance(payload, list):
        return payload
    return next(payload[key] for key in ("messages", "input", "contents") if key in payload)


def prepared(messages, source, target, **options):
    ready = tw.prepare(messages, target, source=source, **options)
    if target in FORMS:
        given = {"model": "claude-opus-5", "max_tokens": 9, **ready.payload}
        if target == "openai-responses":
            given.pop("max_tokens")
        elif target == "anthropic":
            given["tools"] = [{"name": "f", "input_schema": {"type": "object"}}]
        assert not wire.refused(target, given)
    return listed(ready.payload), ready.receipt


def codes(receipt):
    return [(one.kind, one.code, str(one.path)) for one in receipt]


@pytest.mark.parametrize("source", FORMS)
@pytest.mark.parametrize("target", FORMS)
def test_the_effort_goes_where_the_list_can_say_it(source, target):
    messages = [GO, SAID, FORMS[source], GO]
    got, receipt = prepared(messages, source, target)
    changed = FORMS[target]
    if target == "openai:openrouter" and source != target:
        changed = next(one for one in got if "configuration_update" in one)
        assert changed["role"] == "system" and changed["configuration_update"] == {"reasoning": LOW}
    assert got == [GO, SAID, changed, GO]
    assert not receipt.only("lost") and "empty_turn" not in [one.code for one in receipt]
    again, receipt = prepared(got, target, target)
    assert again == got and not receipt.changed
    assert listed(tw.convert(messages, source=source, target=target).payload) == got


@pytest.mark.parametrize("source", FORMS)
@pytest.mark.parametrize("target", OTHERS)
def test_elsewhere_it_is_one_loss_and_no_message(source, target):
    messages = [GO, SAID, FORMS[source], GO]
    got, receipt = prepared(messages, source, target)
    assert len(got) == 3
    assert [(one.kind, one.code) for one in receipt] == [("lost", "key")]


def test_words_of_effort():
    for word, there in (("minimal", "low"), ("xhigh", "xhigh"), ("max", "max")):
        got, receipt = prepared([GO, {**ITEM, "reasoning": {"effort": word}}, GO], "openai-responses", "anthropic")
        assert got[1]["output_config"] == {"effort": there}
    got, receipt = prepared([GO, {**ITEM, "reasoning": {"effort": "none"}}, GO], "openai-responses", "anthropic")
    assert got == [GO, GO] or len(got) == 1
    assert ("lost", "key", "$[1].reasoning.effort") in codes(receipt)
    both = {**ITEM, "text": {"format": {"type": "text"}}}
    got, receipt = prepared([GO, SAID, both, GO], "openai-responses", "anthropic")
    assert got == [GO, SAID, CLAUDE, GO] and [one.code for one in receipt.only("lost")] == ["key"]


def test_claudes_own_stays_in_place():
    for messages in ([GO, CLAUDE, SAID, GO], [GO, SAID, CLAUDE, GO], [GO, CLAUDE, CLAUDE, SAID, GO], [GO, CLAUDE]):
        got, receipt = prepared(messages, "anthropic", "anthropic")
        assert got == messages and not receipt.changed
    for source, first in FORMS.items():
        got, receipt = prepared([first, GO, SAID, GO], source, "anthropic")
        assert got == [GO, CLAUDE, SAID, GO]
        assert "moved_system" in [one.code for one in receipt]


def test_between_a_call_and_its_result_it_moves_behind():
    call = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c1", "output": "r"}
    got, receipt = prepared([GO, call, ITEM, output], "openai-responses", "anthropic")
    assert [one["role"] for one in got] == ["user", "assistant", "user", "system"]
    assert got[-1] == CLAUDE and receipt.changed
    own = [
        GO,
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]},
        CLAUDE,
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "r"}]},
    ]
    got, receipt = prepared(own, "anthropic", "anthropic")
    assert got == [own[0], own[1], own[3], own[2]] and receipt.changed


@pytest.mark.parametrize("source", ["anthropic", "openai:openrouter"])
@pytest.mark.parametrize("target", ["openai-responses", "openai:openrouter"])
def test_a_run_becomes_one_where_it_is_refused(source, target):
    high = {"anthropic": {**CLAUDE, "output_config": {"effort": "high"}}}.get(
        source, {**ROUTER, "configuration_update": {"reasoning": {"effort": "high"}}}
    )
    got, receipt = prepared([GO, FORMS[source], high, SAID, GO], source, target)
    assert len(got) == 4 and "high" in str(got[1]) and "merged_turn" in [one.code for one in receipt]


def test_text_beside_the_effort():
    beside = {"role": "system", "content": "s", "output_config": LOW}
    got, receipt = prepared([GO, beside, SAID, GO], "anthropic", "anthropic")
    assert got == [GO, beside, SAID, GO]
    got, receipt = prepared([GO, beside, SAID, GO], "anthropic", "openai-responses")
    assert got[1]["content"] == "s" and got[2] == ITEM
    got, receipt = prepared([GO, beside, SAID, GO], "anthropic", "openai:openrouter")
    assert got[1] == {"role": "system", "content": "s", "configuration_update": {"reasoning": LOW}}
    got, receipt = prepared([GO, beside, SAID, GO], "anthropic", "openai")
    assert got[1] == {"role": "system", "content": "s"} and [one.code for one in receipt.only("lost")] == ["key"]


@pytest.mark.parametrize("source", ["anthropic", "anthropic:2023-06-01"])
@pytest.mark.parametrize("target", ["anthropic", "anthropic:2023-06-01"])
@pytest.mark.parametrize("content", ["", [], " ", [{"type": "text", "text": ""}]])
@pytest.mark.parametrize("more", [{}, {"output_config": {}}, {"output_config": {"effort": None}}])
def test_a_system_message_that_says_nothing_goes(source, target, content, more):
    blank = {"role": "system", "content": content, **more}
    for messages in ([GO, blank], [GO, blank, SAID, GO], [GO, SAID, blank, GO]):
        got, receipt = prepared(messages, source, target)
        assert got == [one for one in messages if one is not blank]
        assert receipt.changed and tw.check(messages, target, source=source).only("dropped", "repaired", "lost")
