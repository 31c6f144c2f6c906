"""Summaries that several conversations of one ledger await: each block replaces what was asked for in its own."""

from __future__ import annotations

import random
from typing import Any

import pytest
import turnwire as tw
from bound_reasoning import Provider
from random_runs import seeds
from test_ledger_swaps import MODEL, kept, thinks


class Talks:
    """Conversations with system text of their own."""

    def __init__(self, seed: int) -> None:
        self.rng, self.provider = random.Random(seed), Provider()
        self.ledger = tw.Ledger("anthropic", model=MODEL)
        self.lists: list[list[dict[str, Any]]] = [[{"role": "user", "content": f"{name} begins"}] for name in "ABC"]
        # The block that is to come, and how many messages it covers; the same of the one that came.
        self.awaited: dict[int, tuple[dict[str, Any], int]] = {}
        self.adopted: dict[int, tuple[dict[str, Any], int]] = {}
        self.lengths: dict[int, list[int]] = {0: [], 1: [], 2: []}

    def request(self, at: int) -> dict[str, Any]:
        if self.rng.random() < 0.3:
            self.ledger = tw.Ledger.load(self.ledger.state(), model=MODEL)
        messages = self.lists[at]
        body: dict[str, Any] = self.ledger.prepare(messages, system=f"You are {at}.").payload
        assert not self.provider.stale(body, MODEL) and body["system"] == f"You are {at}."
        block, covers = self.adopted.get(at, (None, 0))
        sent = [block, *(one for one in messages[covers:] if one is not block)] if block else messages
        assert body["messages"] == sent and len(kept(body)) == str(sent).count("'thinking':")
        return body

    def step(self, at: int) -> None:
        messages = self.lists[at]
        body = self.request(at)
        self.lengths[at].append(len(messages))
        if at not in self.awaited and self.rng.random() < 0.3:
            asked: dict[str, Any] = self.ledger.compaction(messages, system=f"You are {at}.").payload
            assert asked["messages"] == body["messages"]
            block = {"role": "assistant", "content": [self.provider.summary(body, MODEL)]}
            self.awaited[at] = (block, len(messages))
        messages += [thinks(self.provider, body), {"role": "user", "content": f"on {len(messages)}"}]

    def comes(self, at: int) -> None:
        self.adopted[at] = self.awaited.pop(at)
        self.lists[at].append(self.adopted[at][0])
        self.lists[at].append({"role": "user", "content": "next"})

    def goes_back(self, at: int) -> None:
        """Behind what a summary covers or is to cover, and behind its block."""
        messages, lengths = self.lists[at], self.lengths[at]
        floor = max([covers for _, covers in (*self.awaited.values(), *self.adopted.values())], default=0)
        if at in self.adopted:
            floor = max(floor, messages.index(self.adopted[at][0]) + 1)
        back = [length for length in lengths[:-1] if length > floor]
        if back:
            del messages[back[-1] :]
            self.lengths[at] = [length for length in lengths if length <= back[-1]]


@pytest.mark.parametrize("seed", seeds())
def test_each_conversation_awaits_its_own_summary(seed: int) -> None:
    """None has the system text of another, and all that a summary does not cover is there."""
    talks = Talks(seed)
    for _ in range(40):
        at = talks.rng.randrange(3)
        if at in talks.awaited and talks.rng.random() < 0.2:
            talks.comes(at)
        elif talks.rng.random() < 0.1:
            talks.goes_back(at)
        talks.step(at)


@pytest.mark.parametrize("at", [0, 2, 4])
def test_a_reply_comes_with_a_summary_and_an_edit_of_what_it_covers(at: int) -> None:
    """It answers the request that was summarised, though an aborted one before it still waits."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages = [{"role": "user", "content": "go"}]
    for _ in range(2):
        messages += [thinks(provider, ledger.prepare(messages).payload), {"role": "user", "content": "on"}]
    ledger.prepare(messages)
    messages.append({"role": "user", "content": "Stop. Rather this."})
    body: dict[str, Any] = ledger.prepare(messages).payload
    ledger.compaction(messages)
    block = {"role": "assistant", "content": [provider.summary(body, MODEL)]}
    messages += [thinks(provider, body), {"role": "user", "content": "next"}, block]
    messages[at] = {"role": "user", "content": "Edited."}
    body = ledger.prepare(messages).payload
    assert not provider.stale(body, MODEL) and body["messages"] == [block, *messages[6:8]]


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("first", [0, 1, 2])
def test_reasoning_is_removed_behind_a_summary(first: int, loads: bool) -> None:
    """What a summary covers counts as the reasoning before the first reply that follows it."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]

    def step(expected: int) -> dict[str, Any]:
        nonlocal ledger
        if loads:
            ledger = tw.Ledger.load(ledger.state(), model=MODEL)
        body: dict[str, Any] = ledger.prepare(messages).payload
        assert not provider.stale(body, MODEL) and len(kept(body)) == expected
        messages.extend([thinks(provider, body), {"role": "user", "content": f"on {len(messages)}"}])
        return body

    step(0)
    body = step(1)
    del messages[-1]
    ledger.compaction(messages[:3])
    messages += [{"role": "assistant", "content": [provider.summary(body, MODEL)]}, {"role": "user", "content": "next"}]
    step(1)
    step(2)
    # The replies that the summary does not cover, one of which loses its reasoning.
    replies = [3, 6, 8]
    whole = messages[replies[first]]
    messages[replies[first]] = {**whole, "content": [one for one in whole["content"] if one["type"] != "thinking"]}
    step(first)
    step(first + 1)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def says(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": [{"type": "text", "text": text}]}


class Ledger:
    """A ledger that another process loads before each request, or the same one."""

    def __init__(self, loads: bool) -> None:
        self.loads, self.now = loads, tw.Ledger("anthropic", model=MODEL)

    def request(self, messages: list[dict[str, Any]], system: str = "Be exact.") -> dict[str, Any]:
        if self.loads:
            self.now = tw.Ledger.load(self.now.state(), model=MODEL)
        return dict(self.now.prepare(messages, system=system).payload)

    def comes(self, messages: list[dict[str, Any]], summary: dict[str, Any]) -> list[Any]:
        """What is sent once a summary was appended."""
        messages += [{"role": "assistant", "content": [summary]}, user("next")]
        return list(self.request(messages)["messages"])

    def asks(self, messages: list[dict[str, Any]], system: str = "Be exact.") -> None:
        self.now.compaction(messages, system=system)


@pytest.mark.parametrize("loads", [False, True])
def test_two_conversations_await_summaries_of_the_same_request(loads: bool) -> None:
    """The first that comes leaves the other to its own conversation."""
    ledger, provider = Ledger(loads), Provider()
    lists, summaries = [[user("go")], [user("go")]], []
    for messages in lists:
        body = ledger.request(messages)
        ledger.asks(messages)
        summaries.append(provider.summary(body, MODEL))
        messages += [thinks(provider, body), user("on")]
        ledger.request(messages)
    for messages, summary in zip(lists, summaries, strict=True):
        rest = messages[1:]
        now = ledger.comes(messages, summary)
        assert now == [messages[-2], *rest, messages[-1]] and len(kept({"messages": now})) == 1


@pytest.mark.parametrize("loads", [False, True])
def test_two_conversations_with_the_same_reply_await_a_summary_each(loads: bool) -> None:
    """Without reasoning, a reply that both have does not make one conversation of them."""
    ledger, provider = Ledger(loads), Provider()
    lists, summaries = [[user("go")], [user("go")]], []
    for name, messages in zip("AB", lists, strict=True):
        messages += [says("Ready."), user("on"), says(f"This is {name}."), user("more")]
        body = ledger.request(messages)
        ledger.asks(messages)
        summaries.append(provider.summary(body, MODEL))
        messages += [says("Done."), user("on")]
    for messages, summary in zip(lists, summaries, strict=True):
        assert ledger.comes(messages, summary) == [messages[-2], *messages[5:7], messages[-1]]


@pytest.mark.parametrize("loads", [False, True])
def test_a_summary_that_nobody_asked_for_leaves_the_others_awaited(loads: bool) -> None:
    ledger, provider = Ledger(loads), Provider()
    messages = [user("go"), says("Ready."), user("on")]
    body = ledger.request(messages)
    ledger.asks(messages)
    summary = provider.summary(body, MODEL)
    messages += [says("Done."), user("more")]
    other = [user("start"), says("Yes."), user("and")]
    own = {"type": "compaction", "content": "What was said.", "signature": "own"}
    assert "and" in str(ledger.comes(other, own))
    assert ledger.comes(messages, summary) == [messages[-2], *messages[3:5], messages[-1]]


@pytest.mark.parametrize("loads", [False, True])
def test_the_first_thought_comes_with_a_summary_in_the_place_of_its_request(loads: bool) -> None:
    """Other conversations have gone on since. They have replies that the request has not."""
    ledger, provider = Ledger(loads), Provider()
    messages, other = [user("go")], [user("start")]
    for text in ("Be brief.", "Be exact."):
        body = ledger.request(messages, text)
        if text == "Be brief.":
            messages += [thinks(provider, body), user("on")]
            other += [thinks(provider, ledger.request(other)), user("on")]
    # What was thought behind other system text is left out.
    assert kept(body) == []
    ledger.asks(messages)
    summary = provider.summary(body, MODEL)
    reply = thinks(provider, body)
    other += [thinks(provider, ledger.request(other)), user("on")]
    ledger.request(other)
    messages[:] = [{"role": "assistant", "content": [summary]}, reply, user("next")]
    body = ledger.request(messages)
    assert not provider.stale(body, MODEL) and body["messages"] == messages and len(kept(body)) == 1
