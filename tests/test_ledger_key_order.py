"""Messages and tools whose keys come in another order, as from a database or a framework, are the same to a ledger."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
import turnwire as tw
from bound_reasoning import THINKING, Provider, listed
from turnwire.adapters._told import mark

Json = dict[str, Any]
MODEL = "claude-opus-5-5"
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}, "line": {"type": "integer"}}}
TOOLS = [{"name": "read", "description": "Read a file.", "input_schema": SCHEMA}]
# Keys whose values have their order in the model's prompt.
DATA = ("input", "input_schema")


def turned(value: Any, data: bool = True) -> Any:
    """The value with the keys of each object in reverse. `data`: also in arguments and schemas."""
    if isinstance(value, dict):
        kept = (key for key in DATA if not data)
        stays = {*kept}
        return {key: value[key] if key in stays else turned(value[key], data) for key in reversed(value)}
    return [turned(one, data) for one in value] if isinstance(value, list) else value


def in_order(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


class Talk:
    """A run with Claude."""

    def __init__(self) -> None:
        self.ledger, self.provider = tw.Ledger("anthropic", model=MODEL), Provider()
        self.messages: list[Json] = [{"role": "user", "content": [{"type": "text", "text": "Go."}]}]

    def request(self, messages: list[Json], tools: list[Json] = TOOLS, system: str = "Be exact.") -> tw.Rendered[Any]:
        ready = self.ledger.prepare(messages, system=system, tools=tools)
        body: Any = ready.payload
        assert not self.provider.stale(body, MODEL)
        shown = [one for turn in body["messages"] for one in listed(turn["content"]) if one["type"] in THINKING]
        given = [one for turn in messages for one in listed(turn["content"]) if one["type"] in THINKING]
        assert shown == given
        return ready

    def goes_on(self, ready: tw.Rendered[Any], step: int) -> None:
        call = {"type": "tool_use", "id": f"toolu_{step}", "name": "read", "input": {"path": f"{step}", "line": step}}
        said = [{"type": "thinking", "thinking": "hm"}, call]
        self.messages.append({"role": "assistant", "content": self.provider.reply(ready.payload, said, MODEL)})
        result = {"type": "tool_result", "tool_use_id": f"toolu_{step}", "content": f"line {step}"}
        self.messages.append({"role": "user", "content": [result]})


@pytest.mark.parametrize("loads", [False, True])
def test_arguments_in_another_order_are_a_break_but_no_edit(loads: bool) -> None:
    """A model reads arguments in their order, so a cache does, too. Reasoning does not depend on it."""
    talk = Talk()
    for step in range(6):
        ready = talk.request(talk.messages, system="Be exact." if step < 3 else "Be exact.\nSpeak briefly.")
        talk.goes_on(ready, step)
    notes = [one for one in ready.payload["messages"] if one["role"] == "system"]
    assert len(notes) == 1
    if loads:
        talk.ledger = tw.Ledger.load(talk.ledger.state(), model=MODEL)
    ready = talk.request(turned(talk.messages), system="Be exact.\nSpeak briefly.")
    assert ready.receipt.break_at == "$[1]"
    assert not [
        one for one in (told.reason for told in ready.receipt.only("warning")) if "differs from what was sent" in one
    ]
    # What was decided stays.
    assert [one for one in ready.payload["messages"] if one["role"] == "system"] == notes
    again = talk.request(turned(talk.messages), system="Be exact.\nSpeak briefly.")
    assert again.receipt.break_at is None


@pytest.mark.parametrize("target", ["anthropic", "openai", "openai-responses", "gemini", "bedrock", "cohere"])
def test_tools_in_another_order_of_keys_are_sent_as_before(target: Any) -> None:
    ledger = tw.Ledger(target)
    messages = [{"role": "user", "content": "Go."}]
    first = ledger.prepare_json(messages, system="Be exact.", tools=TOOLS)
    messages += [{"role": "assistant", "content": "I go."}, {"role": "user", "content": "On."}]
    assert json.dumps(turned(TOOLS)) != json.dumps(TOOLS)
    for _ in range(2):
        ready = ledger.prepare_json(messages, system="Be exact.", tools=turned(TOOLS))
        assert ready.receipt.break_at is None and {one.severity for one in ready.receipt} <= {"info"}
        before, now = json.loads(first.payload), json.loads(ready.payload)
        for key in ("tools", "toolConfig", "system", "instructions", "systemInstruction"):
            assert json.dumps(before.get(key)) == json.dumps(now.get(key))
        messages += [{"role": "assistant", "content": "I go."}, {"role": "user", "content": "On."}]
        ledger = tw.Ledger.load(ledger.state())


# Values that a careless comparison takes for each other.
ODD: list[Any] = [
    None, True, False, 0, 1, 1.0, 1.5, -0.0, "", "1", "true", "null", [], {}, [[]], [{}], {"a": []}, {"a": {}}, [1, 2],
    [[1], 2], [1, [2]], {"a": 1, "b": 2}, {"a": {"b": 2}}, "é", "\\u00e9", 'a"b', "日本", "\U0001f600", 10**30,
]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_a_value_that_the_caller_exchanges_in_place_is_seen(seed: int) -> None:
    """A ledger that remembers the last request finds the same as one that was loaded and reads all of it."""
    rng = random.Random(seed)
    messages: list[Json] = [{"role": "user", "content": "Go."}]
    for step in range(12):
        call = {"type": "tool_use", "id": f"t{step}", "name": "read", "input": {"x": rng.choice(ODD), "y": [1]}}
        result = {"type": "tool_result", "tool_use_id": f"t{step}", "content": "ok"}
        messages += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    ledger = tw.Ledger("anthropic")
    # Three times, because what a request learns is of use to the next one.
    for length in (19, 21, 23):
        ledger.prepare(messages[:length])
    for _ in range(60):
        at, key = rng.randrange(1, 22, 2), rng.choice("xy")
        messages[at]["content"][0]["input"][key] = new = rng.choice(ODD)
        if key == "y" and isinstance(new, list):
            new.append(rng.choice((1, "1")))
            del new[1:]
        loaded = tw.Ledger.load(ledger.state())
        ready, other = ledger.prepare(messages[:23]), loaded.prepare(messages[:23])
        assert json.dumps(ready.payload["messages"]) == json.dumps(messages[:23])
        assert (ready.receipt, ready.stable) == (other.receipt, other.stable)
        assert ready.receipt.break_at == other.receipt.break_at
        assert ledger.state() == loaded.state()


@pytest.mark.parametrize("target", ["anthropic", "openai", "gemini"])
def test_surrogates_that_a_request_repeats(target: Any) -> None:
    """JSON cannot hold them: each request reports the same of them as a ledger that reads all of its body."""
    ledger = tw.Ledger(target)
    messages: list[Json] = [{"role": "user", "content": "half \ud83d of one"}]
    for step in range(6):
        loaded = tw.Ledger.load(ledger.state())
        ready, other = ledger.prepare(messages), loaded.prepare(messages)
        assert ready.payload == other.payload and ready.receipt == other.receipt and ready.receipt == other.receipt
        assert ledger.state() == loaded.state()
        messages += [{"role": "assistant", "content": f"{step}"}, {"role": "user", "content": f"{step} \udc00"}]


@pytest.mark.parametrize("turn", [turned, lambda value: value])
def test_adapters_know_an_element_in_any_order_of_keys(turn: Callable[[Any], Any]) -> None:
    element = {"role": "user", "content": [{"type": "text", "text": "Go."}, {"type": "x", "y": {"a": 1, "b": [2]}}]}
    assert mark(element) == mark(turn(element))
    assert mark(element) == mark({**element, "cache_control": {"type": "ephemeral"}})
    assert mark({"role": "user", "content": "Go."}) == mark(
        turn({"role": "user", "content": [{"type": "text", "text": "Go.", "cache_control": {"type": "ephemeral"}}]})
    )
    others = [
        {**element, "role": "assistant"},
        {**element, "content": element["content"][:1]},
        {**element, "content": [*reversed(element["content"])]},
        {"role": element["content"], "content": "user"},
        {"role": "user", "content": [element["content"][0], {"type": "x", "y": {"a": [2], "b": 1}}]},
        {"role": "user", "content": [element["content"][0], {"type": "x", "y": {"a": 1}, "b": [2]}]},
    ]
    assert len({mark(one) for one in [element, *others]}) == len(others) + 1
