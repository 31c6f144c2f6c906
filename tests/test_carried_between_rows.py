"""Signed reasoning in the keys of gateways, between servers of one format: each gets it where it reads it, and so does
its maker from there."""

from time import process_time
from typing import Any

import pytest
import turnwire as tw
from judges import wire
from test_carried_reasoning import (
    CALL,
    CARRIERS,
    DATA,
    DETAILS,
    HIDDEN,
    SIG,
    TAKERS,
    THOUGHT,
    assistant,
    elements,
    turn,
)

ROUTER, PROXY = "openai:openrouter", "openai:litellm"
KEYS = ("thinking_blocks", "reasoning_items", "reasoning_details")
OTHERS = [name for name, (source, _, _) in CARRIERS.items() if source == "openai"]


def keys_of(payload: Any) -> Any:
    said = elements(payload)[1]
    return {key: said[key] for key in KEYS if key in said}


@pytest.mark.parametrize("source", ["openai", ROUTER])
@pytest.mark.parametrize("carrier", OTHERS)
def test_a_gateway_gets_details(carrier: str, source: Any) -> None:
    _, maker, given = CARRIERS[carrier]
    made = tw.prepare(given, ROUTER, source=source)
    assert keys_of(made.payload) == {"reasoning_details": DETAILS[maker]}
    assert "reshaped" in [change.code for change in made.receipt]
    assert not [change for change in made.receipt if change.kind == "lost"]
    finding = next(one for one in tw.check(given, ROUTER, source=source) if one.code == "reshaped")
    assert "reads" in finding.reason
    assert not wire.refused(ROUTER, made.payload)
    # Once more changes nothing, and its maker takes it from there.
    assert tw.prepare(made.payload, ROUTER, source=ROUTER).payload == made.payload
    for target, expected in TAKERS[maker].items():
        assert assistant(tw.prepare(made.payload, target, source=ROUTER).payload, target) == expected


@pytest.mark.parametrize(("maker", "key"), [("claude", "thinking_blocks"), ("openai", "reasoning_items")])
def test_a_proxy_gets_its_own_keys(maker: str, key: str) -> None:
    made = tw.prepare(turn(reasoning_details=DETAILS[maker]), PROXY, source=ROUTER)
    assert list(keys_of(made.payload)) == [key]
    assert tw.prepare(made.payload, PROXY, source=PROXY).payload == made.payload
    back = tw.prepare(made.payload, ROUTER, source=PROXY)
    assert DATA in str(keys_of(back.payload)["reasoning_details"])


@pytest.mark.parametrize("target", ["openai", "openai:compatible", "openai:qwen"])
@pytest.mark.parametrize("carrier", OTHERS)
def test_who_knows_no_place_gets_it_as_it_came(carrier: str, target: Any) -> None:
    _, _, given = CARRIERS[carrier]
    if "reasoning_content" in given[1]:
        return
    assert tw.prepare(given, target, source="openai").payload == {"messages": given}


@pytest.mark.parametrize(
    "given",
    [
        turn(thinking_blocks=[]),
        turn(thinking_blocks=[{"type": "thinking", "thinking": "t"}]),
        turn(thinking_blocks="no"),
        turn(reasoning_items=[{"type": "reasoning", "id": "rs_1"}]),
        turn([{**CALL, "extra_content": {"google": {"thought_signature": ""}}}]),
        turn([{**CALL, "extra_content": {"google": {"thought_signature": 7}}}]),
    ],
)
def test_what_proves_nothing_makes_no_details(given: Any) -> None:
    made = tw.prepare(given, ROUTER, source="openai")
    assert "reasoning_details" not in elements(made.payload)[1]


def test_each_call_and_both_makers() -> None:
    second = {**CALL, "id": "c2", "extra_content": {"google": {"thought_signature": SIG}}}
    given = turn([CALL, second], thinking_blocks=[THOUGHT, HIDDEN])
    given.append({"role": "tool", "tool_call_id": "c2", "content": "r"})
    made = tw.prepare(given, ROUTER, source="openai")
    details = elements(made.payload)[1]["reasoning_details"]
    assert [one["format"] for one in details] == ["anthropic-claude-v1", "anthropic-claude-v1", "google-gemini-v1"]
    assert details[2]["id"] == "c2"
    assert tw.prepare(made.payload, ROUTER, source=ROUTER).payload == made.payload


def test_under_a_budget_and_in_a_ledger() -> None:
    given = turn(thinking_blocks=[THOUGHT, HIDDEN])
    ledger = tw.Ledger(ROUTER, 4000)
    assert keys_of(ledger.prepare(given).payload) == {"reasoning_details": DETAILS["claude"]}
    assert keys_of(tw.prepare(given, ROUTER, 4000).payload) == {"reasoning_details": DETAILS["claude"]}


@pytest.mark.parametrize("target", ["openai:gemini", PROXY, ROUTER])
def test_the_details_of_a_message_are_read_once_for_all_of_its_calls(target: str) -> None:
    def seconds(count: int) -> float:
        calls = [{**CALL, "id": f"c{at}"} for at in range(count)]
        details = [{**DETAILS["claude"][1], "id": f"x{at}"} for at in range(count)]
        given = turn(calls, reasoning_details=details)[:2]
        given += [{"role": "tool", "tool_call_id": f"c{at}", "content": "r"} for at in range(count)]
        before = process_time()
        tw.prepare(given, target, source="openai")
        return process_time() - before

    # Four times as many take sixteen times as long where each call reads all of them.
    assert min(seconds(800) for _ in range(3)) < 10 * max(min(seconds(200) for _ in range(3)), 0.002)


@pytest.mark.parametrize("options", [{}, {"budget": 2000}], ids=str)
@pytest.mark.parametrize("source", ["auto", "openai", "openai:litellm", "openai:openrouter"])
@pytest.mark.parametrize("target", ["openai:deepseek", "openai:kimi"])
def test_a_thought_in_blocks_without_a_signature_is_read_under_the_target_s_key(source, target, options):
    def chat(**more):
        return [
            {"role": "user", "content": "go"},
            {"role": "assistant", "content": "x", **more},
            {"role": "user", "content": "on"},
        ]

    def said(**more):
        return tw.prepare(chat(**more), target, source=source, **options)

    blocks = [{"type": "thinking", "thinking": "hmm"}, {"type": "thinking", "thinking": "so", "signature": ""}]
    ready = said(thinking_blocks=blocks)
    answer = ready.messages[1]
    assert (answer["reasoning_content"], answer["content"]) == ("hmm\nso", "x") and "thinking_blocks" not in answer
    assert [(one.kind, one.code) for one in ready.receipt] == [("restated", "reasoning")]
    assert [one.code for one in tw.check(chat(thinking_blocks=blocks), target, source=source)] == ["reasoning"]
    again = tw.prepare(ready.payload, target, source=target)
    assert again.payload == ready.payload and not again.receipt.changed
    signed = said(thinking_blocks=[{"type": "thinking", "thinking": "hmm", "signature": "SIG"}])
    assert signed.messages[1]["reasoning_content"] in (" ", "")
    both = said(reasoning_content="hmm", thinking_blocks=blocks[:1])
    assert both.messages[1]["reasoning_content"] == "hmm"
