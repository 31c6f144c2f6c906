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


@pytest.mark.parametrize("target", [*FORMS, "openai", "gemini", "ollama"])
@pytest.mark.parametrize("source", ["anthropic", "openai:openrouter"])
def test_a_conversion_keeps_the_effort_beside_text(source, target):
    messages = [GO, SAID, BESIDE[source], {"role": "user", "content": "x"}]
    prepared, converted = (
        tw.prepare(messages, target, source=source),
        tw.convert(messages, source=source, target=target),
    )
    if not target.startswith(source.partition(":")[0]):
        assert converted.payload == prepared.payload and converted.sources == prepared.sources
        lost = [one.code for one in converted.receipt.only("lost")]
        assert lost == [one.code for one in prepared.receipt.only("lost")]
    known = tw.convert(messages, target=target)
    assert known.payload == converted.payload and codes(known.receipt) == codes(converted.receipt)


def test_paths_behind_a_message_that_becomes_two():
    beside = BESIDE["anthropic"]
    behind = {"role": "user", "content": [{"type": "text", "text": "x", "odd": 1}]}
    ready = tw.convert([GO, beside, SAID, behind], source="anthropic", target="openai-responses")
    assert [one["content"] if "content" in one else one["type"] for one in ready.messages[1:3]] == ["T", ITEM["type"]]
    assert codes(ready.receipt) == [("lost", "key", "$[3].content[0].odd")]
    assert ready.sources == ((0,), (1,), (1,), (2,), (3,))


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


@pytest.mark.parametrize("target", [*FORMS, "gemini", "mistral"])
@pytest.mark.parametrize("source", FORMS)
def test_each_form_is_known_by_itself(source, target):
    messages = [GO, SAID, FORMS[source], GO]
    named, known = tw.prepare(messages, target, source=source), tw.prepare(messages, target)
    assert known.payload == named.payload and codes(known.receipt) == codes(named.receipt)
    assert tw.detect(messages) == {"openai:openrouter": "openai"}.get(source, source)


def test_what_text_is_shown_for_is_known_as_claudes():
    timed = {"role": "system", "content": "s", "clear_at": "next_user_message"}
    assert tw.detect([GO, timed, SAID, GO]) == "anthropic"
    got, _ = prepared([GO, timed, SAID, GO], "auto", "anthropic")
    assert got == [GO, timed, SAID, GO]
    assert not tw.check([GO, timed, SAID, GO], "anthropic", source="anthropic").only("warning")
    spoken = [{**GO, "clear_at": "next_user_message"}]
    assert [one.code for one in tw.check(spoken, "anthropic", source="anthropic")] == ["unknown_key"]
    assert tw.detect([GO, {"role": "user", "content": "x", "output_config": LOW}]) == "openai"


BOTH = {"role": "system", "content": "T", "output_config": LOW}
BESIDE = {
    "anthropic": BOTH,
    "openai:openrouter": {"role": "system", "content": "T", "configuration_update": {"reasoning": LOW}},
}


@pytest.mark.parametrize("options", ({}, {"budget": 500}), ids=str)
@pytest.mark.parametrize("source", BESIDE)
def test_the_effort_stays_where_its_text_moves(source, options):
    both = BESIDE[source]
    for messages, expected in (
        ([GO, SAID, both, GO], [GO, SAID, CLAUDE, GO]),
        ([both, GO, SAID, GO], [GO, CLAUDE, SAID, GO]),
        ([GO, both, GO, SAID, GO], [GO, CLAUDE, GO, SAID, GO]),
    ):
        ready = tw.prepare(messages, "anthropic", source=source, **options)
        assert (ready.payload["system"], ready.payload["messages"]) == ("T", expected)
        given = {"model": "claude-opus-5", "max_tokens": 9, **ready.payload}
        assert not wire.refused("anthropic", given)
        assert not ready.receipt.only("lost")
        again = tw.prepare(ready.payload, "anthropic")
        assert again.payload == ready.payload and not again.receipt.changed


def test_text_that_moves_is_told_alike_with_and_without_an_effort():
    plain = {"role": "system", "content": "T"}
    for messages in ([GO, SAID, BOTH, GO], [BOTH, GO, SAID, GO], [GO, BOTH, GO]):
        alone = [plain if one is BOTH else one for one in messages]
        told, same = (tw.check(given, "anthropic", source="anthropic") for given in (messages, alone))
        behind = "the target takes changes of settings only after the user's first words"
        moved = [(one.code, str(one.path), one.severity) for one in told if one.reason != behind]
        assert moved == [(one.code, str(one.path), one.severity) for one in same]


def test_the_effort_stays_behind_an_open_call():
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]}
    ready = tw.prepare([GO, call, BOTH, GO], "anthropic", source="anthropic")
    assert ready.payload["system"] == "T" and CLAUDE in ready.payload["messages"]
    assert not ready.receipt.only("lost")
    again = tw.prepare(ready.payload, "anthropic")
    assert again.payload == ready.payload


def test_blank_text_beside_the_effort_goes_alone():
    blank = {**BOTH, "content": " "}
    for messages in ([GO, blank, SAID, GO], [GO, SAID, blank, GO], [GO, blank]):
        got, receipt = prepared(messages, "anthropic", "anthropic")
        assert got == [CLAUDE if one is blank else one for one in messages]
        assert [one.code for one in receipt] == ["blank_text"]
        assert [one.code for one in tw.check(messages, "anthropic", source="anthropic")] == ["blank_text"]


SEARCH = {
    "type": "web_search_call",
    "id": "ws_1",
    "status": "completed",
    "action": {"type": "search", "query": "q"},
}
HIGH = {**ITEM, "reasoning": {"effort": "high"}}
BETWEEN = {
    "nothing": [],
    "a search": [SEARCH],
    "a compaction": [{"type": "compaction", "id": "cmp_1", "encrypted_content": "g"}],
    "a question": [
        {"type": "mcp_approval_request", "id": "mcpr_1", "name": "n", "server_label": "s", "arguments": "{}"}
    ],
    "a lost file": [{"role": "user", "content": [{"type": "input_file", "file_id": "file_1"}]}],
}


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("target", ["anthropic", "openai:openrouter"])
def test_what_a_conversion_brings_together_is_one(target, between):
    messages = [GO, SAID, ITEM, *BETWEEN[between], HIGH, GO]
    got, receipt = prepared(messages, "openai-responses", target)
    changes = [at for at, one in enumerate(got) if one.get("role") == "system"]
    assert not [at for at in changes if at + 1 in changes]
    assert "high" in str(got[changes[-1]])
    again, receipt = prepared(got, target, target)
    assert again == got and not receipt.changed


def test_a_run_becomes_one_on_every_server_of_the_format():
    target = "openai-responses:compatible"
    ready = tw.prepare([GO, SAID, ITEM, HIGH, GO], target, source=target)
    assert ready.payload["input"][1:] == [*ready.payload["input"][1:2], HIGH, ready.payload["input"][-1]]
    assert "merged_turn" in [one.code for one in ready.receipt]


def test_a_budget_counts_what_a_drop_brings_together_once():
    first, last = {"role": "user", "content": "a" * 100}, {"role": "user", "content": "b" * 50}
    own = "openai-responses"
    ready = tw.prepare([GO, ITEM, first, SAID, HIGH, last], own, 130)
    assert ready.payload["input"] == [GO, HIGH, last]
    assert "merged_turn" in [one.code for one in ready.receipt]
    totals = ready.receipt.totals
    assert totals["after"] == totals["before"] - sum(totals["freed"].values()) <= 115
    again = tw.prepare(ready.payload, own, 130)
    assert again.payload == ready.payload and again.receipt.totals["before"] == totals["after"]
    text = {"type": "configuration_update", "text": {"format": {"type": "text"}}}
    three = [GO, ITEM, first, SAID, text, first, SAID, HIGH, last]
    ready = tw.prepare(three, own, 200)
    assert ready.payload["input"] == [GO, {**HIGH, "text": text["text"]}, last]
    again = tw.prepare(ready.payload, own, 200)
    assert again.payload == ready.payload and again.receipt.totals["before"] == ready.receipt.totals["after"]
    with pytest.raises(tw.BuildError) as caught:
        tw.prepare(three, own, 50)
    needed = int(str(caught.value).split("at least ")[1].split()[0])
    assert tw.prepare(three, own, needed).receipt.totals["after"] == needed


def test_null_content_beside_a_setting_counts_as_none():
    for given in ({"role": "system", "content": None, "output_config": LOW}, {"role": "system", "output_config": LOW}):
        ready = tw.prepare([GO, SAID, given, GO], "anthropic", source="anthropic")
        assert ready.payload["messages"][2].get("content", []) == []
        assert ready.payload["messages"][2]["output_config"] == LOW
        assert tw.prepare([GO, SAID, given, GO], "openai-responses").payload["input"] == [GO, SAID, ITEM, GO]
    for bad in ({"role": "system", "content": None}, {"role": "user", "content": None, "output_config": LOW}):
        with pytest.raises(tw.ParseError):
            tw.prepare([GO, bad], "anthropic", source="anthropic")


@pytest.mark.parametrize("nothing", ({}, {"effort": None}))
@pytest.mark.parametrize("target", ["openai-responses", "openai", "openai:openrouter", "mistral"])
def test_a_change_that_changes_nothing_is_no_message(target, nothing):
    empty = {"role": "system", "content": [], "output_config": nothing}
    for messages in ([GO, SAID, empty, GO], [GO, SAID, {**empty, "content": ""}, GO]):
        ready = tw.prepare(messages, target, source="anthropic")
        assert len(listed(ready.payload)) == 3
        assert "empty_turn" in [one.code for one in ready.receipt]
        assert len(listed(tw.convert(messages, target, source="anthropic").payload)) == 3
