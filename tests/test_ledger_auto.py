"""A ledger that detects the format: what was sent stays byte for byte, whatever format later messages show."""

from __future__ import annotations

import json
from typing import Any

import pytest
import turnwire as tw
from runs.formats import TARGETS, elements

Json = dict[str, Any]
BLOCKS = [{"role": "user", "content": [{"type": "text", "text": "w1"}]}]
CALL = [
    {"role": "assistant", "content": [{"type": "tool_use", "id": "a1", "name": "read", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a1", "content": "w2"}]},
]


def spelled(messages: list[Any]) -> list[str]:
    return [json.dumps(one) for one in messages]


@pytest.mark.parametrize("target", TARGETS)
def test_blocks_that_any_format_may_have_stay_as_they_were_sent(target: Any) -> None:
    ledger = tw.Ledger(target)
    sent = spelled(elements(ledger.prepare(BLOCKS).payload))
    for one in (tw.Ledger.load(ledger.state()), ledger):
        second = one.prepare([*BLOCKS, *CALL])
        assert spelled(elements(second.payload))[: len(sent)] == sent
        assert second.receipt.break_at is None


def test_the_format_that_the_target_decides_stays() -> None:
    ledger = tw.Ledger("openai")
    ledger.prepare(BLOCKS)
    state = ledger.state()
    again = ledger.prepare_json([*BLOCKS, *CALL])
    assert json.loads(again.payload)["messages"][0] == BLOCKS[0]
    named = tw.Ledger.load(state).prepare([*BLOCKS, *CALL], source="anthropic")
    assert named.messages[0]["content"] == "w1", "a format that the caller names counts"


def test_a_state_with_an_unknown_format_is_refused() -> None:
    ledger = tw.Ledger("openai")
    ledger.prepare(BLOCKS)
    state = json.loads(ledger.state())
    assert state["read_as"] == [["openai", 1]]
    for runs in ([["openai"]], [["no such format", 1]], [["openai", "1"]], "openai", [["openai", -1]]):
        with pytest.raises(tw.TurnwireError) as caught:
            tw.Ledger.load(json.dumps({**state, "read_as": runs}).encode())
        assert caught.value.code == "bad_state"
    del state["read_as"]
    assert tw.Ledger.load(json.dumps(state).encode()).prepare(BLOCKS).payload == ledger.prepare(BLOCKS).payload
