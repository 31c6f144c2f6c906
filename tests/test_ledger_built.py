"""A ledger for conversations that a builder has made: their turns are counted as they are now."""

from __future__ import annotations

import random
from typing import Any

import pytest
import turnwire as tw
from bound_reasoning import THINKING, Provider, listed, mark
from random_runs import seeds

Json = dict[str, Any]
MODEL = "claude-opus-5-5"


def built(messages: list[Json]) -> tw.Conversation:
    return tw.spec.MessageBuilder().set_messages(messages, "anthropic").build(target="anthropic")


def orphan(number: int) -> Json:
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"gone{number}", "content": "x"}]}


@pytest.mark.parametrize("seed", seeds(0.5))
def test_edits_and_reasoning_are_found_behind_turns_that_were_left_out(seed: int) -> None:
    rng, provider, ledger = random.Random(seed), Provider(), tw.Ledger("anthropic", model=MODEL)
    messages: list[Json] = [orphan(number) for number in range(rng.randrange(1, 5))]
    first = len(messages)
    messages.append({"role": "user", "content": "go"})
    said = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ok"}]
    edited = -1
    for step in range(rng.randrange(3, 10)):
        if step > 1 and rng.random() < 0.3:
            edited = rng.randrange(first, len(messages) - 2, 2)
            messages[edited] = {"role": "user", "content": f"Edited at {step}."}
        else:
            edited = -1
        ready = ledger.prepare(built(messages))
        body: Any = ready.payload
        shown = [
            mark(block) for one in body["messages"] for block in listed(one["content"]) if block["type"] in THINKING
        ]
        assert provider.stale(body, MODEL) == [] and ready.receipt.reasoning["kept"] == len(shown)
        assert [index for sources in ready.sources for index in sources] == list(range(first, len(messages)))
        if edited >= 0:
            assert ready.receipt.break_at == f"$[{edited - first}]" and ledger.breaks[-1][1] == ready.receipt.break_at
            assert any(
                "what was sent before" in warning for warning in (told.reason for told in ready.receipt.only("warning"))
            )
        else:
            assert ready.receipt.break_at is None
        messages += [
            {"role": "assistant", "content": provider.reply(body, said, MODEL)},
            {"role": "user", "content": f"on {step}"},
        ]


FIRST_GONE = [
    {"role": "user", "content": ""},
    {"role": "user", "content": " "},
    {"role": "tool", "tool_call_id": "x", "content": "r"},
]
MISNAMED = [
    {
        "role": "assistant",
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "a b", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c", "content": "r"},
]


@pytest.mark.parametrize("target", ["anthropic", "bedrock", "gemini", "mistral", "openai", "openai-responses"])
@pytest.mark.parametrize("first", [*FIRST_GONE, {"role": "user", "content": "q"}], ids=str)
def test_notices_go_on_whatever_the_list_begins_with(target, first):
    tools = [{"type": "function", "function": {"name": "a_b", "parameters": {"type": "object", "properties": {}}}}]
    ledger, said = tw.Ledger(target, None), [first]
    for step in range(4):
        said.append({"role": "user", "content": f"u{step}"})
        ready = ledger.prepare(said, source="openai", system=f"rule {step}", tools=tools)
        assert f"rule {step}" in str(ready.payload) and f"u{step}" in str(ready.payload)
        assert "a b" not in str(ready.payload)
        said += [{"role": "assistant", "content": f"a{step}"}, *MISNAMED]
