"""A ledger that detects the format: what was sent stays byte for byte, whatever format later messages show."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import stand_ins
import turnwire as tw
from random_runs import seeds
from test_ledger_pins_in_place import elements
from test_ledger_sources import SOURCES, TARGETS, Talk

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


class Spelled(Talk):
    """A talk whose messages come in two formats, one after the other, in the spellings that each of them allows."""

    def __init__(self, seed: object) -> None:
        super().__init__(seed)
        self.formats: tuple[Any, Any] = (self.rng.choice(SOURCES), self.rng.choice(SOURCES))
        self.swaps_at = self.rng.choice((1, 1, 3, 5, 99))
        self.seed = seed

    def given(self) -> list[Json]:
        at = next((at for at in range(self.swaps_at, len(self.messages)) if self.may_swap(at)), len(self.messages))
        parts = zip(self.formats, (self.messages[:at], self.messages[at:]), strict=True)
        return [
            self.respelled(one, number)
            for source, part in parts
            if part
            for number, one in enumerate(messages_of(tw.convert(part, source, source="openai").payload))
        ]

    def may_swap(self, at: int) -> bool:
        """Whether the user speaks, and no call has its result behind this message."""
        called = {call["id"] for one in self.messages[:at] for call in one.get("tool_calls", ())}
        answers = any(one.get("tool_call_id") in called for one in self.messages[at:])
        return self.messages[at]["role"] == "user" and not answers

    def respelled(self, message: Json, number: int) -> Json:
        """The same text as blocks, or the other way around, the same each time."""
        content: Any = message.get("content")
        if message.keys() != {"role", "content"} or random.Random(f"{self.seed}/{number}").random() < 0.5:
            return message
        if isinstance(content, str):
            return {**message, "content": [{"type": "text", "text": content}]}
        if len(content) == 1 and content[0].keys() == {"type", "text"}:
            return {**message, "content": content[0]["text"]}
        return message


def messages_of(payload: Any) -> list[Json]:
    return payload if isinstance(payload, list) else elements(payload)


@pytest.mark.parametrize("seed", seeds(2))
def test_random_lists_without_a_named_format(seed: int) -> None:
    rng = random.Random(f"auto {seed}")
    target: Any = rng.choice(TARGETS)
    talk = Spelled(f"auto {seed}")
    budget = rng.choice((None, None, 2_000))
    ledger = tw.Ledger(target, budget, blobs="base64")
    given: list[Json] = []
    sent: list[str] = []
    for step in range(rng.randrange(3, 12)):
        before, given = given, talk.given()
        if not given:
            break
        where = (target, talk.formats, step, given)
        state = ledger.state()
        ready = ledger.prepare(given)
        other = tw.Ledger.load(state, blobs="base64")
        again = other.prepare_json(given)
        assert json.dumps(json.loads(again.payload)) == json.dumps(ready.payload), where
        assert other.state() == ledger.state(), where
        now = spelled(elements(ready.payload))
        if given[: len(before)] == before:
            assert ready.receipt.break_at is not None or now[: len(sent)] == sent, (where, sent, now)
            assert ready.receipt.break_at is None or budget or target in stand_ins.FORMATS, where
        sent = now
        if rng.random() < 0.3:
            ledger = other
        talk.goes_on()
