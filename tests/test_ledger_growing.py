"""A ledger for the AI SDK's messages, which replies continue: their ends are new, and what was sent of them stays."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
import turnwire as tw
from agent_runs import Run
from random_runs import seeds

Json = dict[str, Any]
UI: Any = "ai-sdk-ui"
# What appends to a list; the system text and the tools are not in the messages of this format.
APPENDS = (
    "parallel", "interrupted", "late", "split", "media", "asks", "interleaved", "again", "failed", "restart", "retry",
    "aborted",
)  # fmt: skip


def grown(old: list[Json], new: list[Json]) -> bool:
    """Whether all that was sent is unchanged, except for new parts at the end of the last message."""
    if new[: len(old)] == old:
        return True
    last, then = old[-1], new[len(old) - 1 : len(old)]
    stands = new[: len(old) - 1] == old[:-1] and then != [] and last["role"] == "assistant"
    return stands and {**then[0], "parts": then[0]["parts"][: len(last["parts"])]} == last


@pytest.mark.parametrize("seed", seeds())
def test_random_runs(seed: int) -> None:
    rng = random.Random(seed)
    run = Run(seed, frozenset(rng.sample(APPENDS, rng.randrange(len(APPENDS) + 1))), rng.randrange(10, 50))
    ledger = tw.Ledger(UI)
    sent: list[Json] = []
    longer = 0

    def request(step: int) -> None:
        nonlocal sent, longer, ledger
        state = ledger.state()
        ready = ledger.prepare_json(run.messages, source="anthropic")
        made = json.loads(ready.payload)
        if rng.random() < 0.3:
            other = tw.Ledger.load(state)
            again = other.prepare(run.messages, source="anthropic")
            assert again.payload == made and again.receipt == ready.receipt and other.state() == ledger.state()
        if run.chance("restart", 0.2):
            ledger = tw.Ledger.load(ledger.state())
        where = (seed, step, sorted(run.events))
        assert ready.receipt.break_at is None and ledger.breaks == (), (where, ready.receipt.break_at)
        assert not [one for one in tw.check(made, UI, source=UI) if one.severity == "error"], where
        # A request without a reply leaves what it added.
        if not sent or answered:
            assert grown(sent, made), where
        longer += bool(sent) and made[: len(sent)] != sent
        assert ready.stable == len(made) - 1 - (made[-1]["role"] == "assistant"), where
        sent = made

    answered = True
    for step in range(run.steps):
        request(step)
        answered = False
        if run.chance("retry", 0.1):
            request(step)
        if run.chance("aborted", 0.06):
            run.messages.append({"role": "user", "content": f"Stopped at {step}. Again."})
            request(step)
        answered = True
        run.goes_on([block for block in run.reply(step) if block["type"] != "thinking"], step)
    assert longer or run.steps < 12


@pytest.mark.parametrize("seed", seeds())
def test_lists_of_the_sdk_stand_as_they_are(seed: int) -> None:
    """The SDK's own list, whose last message grows: its signed reasoning goes out again, unchanged."""
    rng = random.Random(seed)
    ledger, messages = tw.Ledger(UI), list[Json]()
    for step in range(rng.randrange(3, 20)):
        if not messages or rng.random() < 0.3:
            messages.append({"id": f"u{step}", "role": "user", "parts": [{"type": "text", "text": f"q{step}"}]})
            messages.append({"id": f"a{step}", "role": "assistant", "parts": []})
        parts = messages[-1]["parts"]
        given = messages if parts else messages[:-1]
        ready = ledger.prepare(given, source=UI)
        assert ready.payload == given and not ready.receipt.changed and ready.receipt.break_at is None
        ledger = tw.Ledger.load(ledger.state())
        signed = {"anthropic": {"signature": f"s{step}"}}
        parts += [{"type": "step-start"}, {"type": "reasoning", "text": "Hm.", "providerMetadata": signed}]
        for at in range(rng.randrange(3)):
            call = {"type": "tool-f", "toolCallId": f"c{step}-{at}", "input": {}, "output": "r"}
            parts.append({**call, "state": "output-available"})


@pytest.mark.parametrize("seed", seeds())
def test_each_edit_is_reported(seed: int) -> None:
    """Parts that change, are removed or added in what was sent are not growth."""
    rng = random.Random(seed)
    messages: list[Json] = [{"role": "user", "content": "q"}]
    ledger = tw.Ledger(UI)
    steps = rng.randrange(2, 8)
    for step in range(steps):
        assert ledger.prepare(messages, source="openai").receipt.break_at is None
        function = {"name": "f", "arguments": "{}"}
        call = {"id": f"c{step}", "type": "function", "function": function}
        messages += [
            {"role": "assistant", "content": f"t{step}", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{step}", "content": f"r{step}"},
        ]
    before = ledger.prepare(messages, source="openai").payload
    kind = rng.choice(("text", "result", "gone", "more", "id"))
    # No reply came after the newest step yet: without it, the list is that of an earlier request.
    at = 1 + 2 * rng.randrange(steps - (kind == "gone"))
    if kind == "text":
        messages[at] = {**messages[at], "content": "other"}
    elif kind == "result":
        messages[at + 1] = {**messages[at + 1], "content": "other"}
    elif kind == "gone":
        del messages[at : at + 2]
    elif kind == "more":
        messages.insert(at, {"role": "assistant", "content": "more"})
    else:
        messages[at]["tool_calls"][0]["id"] = messages[at + 1]["tool_call_id"] = "other"
    messages.append({"role": "assistant", "content": "Done."})
    messages.append({"role": "user", "content": "on"})
    ready = ledger.prepare(messages, source="openai")
    assert not grown(before, ready.payload)
    assert ready.receipt.break_at is not None, (kind, at)


@pytest.mark.parametrize("budget", [600, 2_000])
def test_a_cut_is_a_break(budget: int) -> None:
    messages: list[Json] = [{"role": "user", "content": "q"}]
    ledger = tw.Ledger(UI, budget)
    sent: list[Json] = []
    for step in range(40):
        ready = ledger.prepare(messages, source="openai")
        assert (ready.receipt.break_at is None) == grown(sent, ready.payload) if sent else True, step
        sent = ready.payload
        call = {"id": f"c{step}", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": f"t{step}", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{step}", "content": f"r{step} " * 20})
    assert 0 < len(ledger.breaks) < 20


@pytest.mark.parametrize("seed", seeds(1 / 2))
def test_sent_bytes_stay_also_behind_cuts(seed: int) -> None:
    """The SDK's own list with metadata, whose keys stay where they were sent; only a cut may write a message anew."""
    rng = random.Random(seed)
    ledger, messages = tw.Ledger(UI, rng.randrange(800, 6_000)), list[Json]()
    sent: list[Json] = []
    for step in range(0, 30, 2):
        said = {"type": "text", "text": "q" * 20}
        messages.append({"id": f"m{step}", "role": "user", "metadata": {"n": step}, "parts": [said]})
        reply: Json = {"id": f"m{step + 1}", "role": "assistant", "metadata": {"n": step + 1}, "parts": []}
        for count in range(rng.randrange(1, 5)):
            ready = ledger.prepare([*messages, *([copy.deepcopy(reply)] if count else [])], source=UI)
            if sent and ready.receipt.break_at is None:
                assert json.dumps(ready.payload[: len(sent) - 1]) == json.dumps(sent[:-1]), (seed, step, count)
                last, now = sent[-1], ready.payload[len(sent) - 1]
                parts = {"parts": now["parts"][: len(last["parts"])]}
                assert json.dumps({**now, **parts}) == json.dumps(last), (seed, step, count)
            sent = ready.payload
            call = {"type": "tool-f", "toolCallId": f"c{step}-{count}", "state": "output-available", "input": {}}
            reply["parts"] += [{"type": "step-start"}, {**call, "output": "r" * rng.randrange(10, 500)}]
        messages.append(reply)


@pytest.mark.parametrize("target", [UI, "anthropic", "openai", "gemini"])
def test_a_result_that_comes_late_in_its_own_part_is_a_break(target: Any) -> None:
    """The part that was sent with an error result has another one now: there is no second place for it."""
    waits = {"type": "tool-f", "toolCallId": "c1", "state": "input-available", "input": {"a": 1}}
    done = {**waits, "state": "output-available", "output": "the real one"}
    ledger, texts = tw.Ledger(target), ["go", "Stop. Go on.", "And now?", "And then?"]
    users: list[Json] = [
        {"id": f"u{at}", "role": "user", "parts": [{"type": "text", "text": text}]} for at, text in enumerate(texts)
    ]
    said: list[Json] = [
        {"id": f"a{at}", "role": "assistant", "parts": [{"type": "text", "text": text}]}
        for at, text in ((2, "b"), (3, "c"))
    ]
    first = {"id": "a1", "role": "assistant", "parts": [{"type": "step-start"}, waits]}
    late = {**first, "parts": [{"type": "step-start"}, done]}
    assert ledger.prepare(users[:1], source=UI).receipt.break_at is None
    assert ledger.prepare([users[0], first, users[1]], source=UI).receipt.break_at is None
    whole = [users[0], late, users[1], said[0], users[2]]
    ready = ledger.prepare(whole, source=UI)
    assert ready.receipt.break_at == "$[1]" and "the real one" in json.dumps(ready.payload)
    assert [
        one
        for one in (told.reason for told in ready.receipt.only("warning"))
        if "differs from what was sent before" in one
    ]
    assert ledger.prepare([*whole, said[1], users[3]], source=UI).receipt.break_at is None


@pytest.mark.parametrize("loads", [False, True])
def test_a_message_keeps_its_id_where_a_later_step_has_one(loads: bool) -> None:
    """The first step came without an id, so its message gets a made one. The id of the next step's item is not it."""
    ledger = tw.Ledger(UI)
    call = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages: list[Json] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "one"},
    ]
    sent: list[Json] = ledger.prepare(messages).payload
    if loads:
        ledger = tw.Ledger.load(ledger.state())
    messages += [
        {"type": "function_call", "id": "fc_b", "call_id": "b", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "b", "output": "two"},
    ]
    ready = ledger.prepare(messages)
    assert grown(sent, ready.payload) and ready.payload[-1]["id"] == sent[-1]["id"]
    assert ready.receipt.break_at is None
