"""Summaries that come late: the list went on or was edited since, and another conversation of the ledger begins alike.

A block is appended, or put in the place of what it covers. Nothing that it does not cover is lost.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import turnwire as tw
from bound_reasoning import Provider, listed
from random_runs import seeds
from test_ledger import listed_in
from test_ledger_swaps import EVENTS, MODEL, Conversation, Shared, kept, thinks

Json = dict[str, Any]


class Late(Conversation):
    """A conversation whose caller has each summary some requests after it was asked for."""

    def __init__(self, seed: int, shared: Shared, events: frozenset[str]) -> None:
        super().__init__(seed, shared, events)
        # The blocks that are to come, each with the messages that it covers, and what those that came cover.
        self.waits: list[tuple[Json, list[Json]]] = []
        self.covered: dict[str, list[Json]] = {}
        self.others: list[Late] = []

    def summary(self, body: Json) -> Any:
        if self.waits:
            return
        system, tools = self.given
        asked = dict(self.ledger.compaction(self.run.marked(), system=system, tools=tools).payload)
        assert asked.pop("compaction") == {"type": "summarize"}
        # What one of two conversations that begin alike is told may be told to the other.
        if listed_in(asked) != listed_in(body):
            assert self.shared.alike
            self.sent = None
        # It comes later.
        self.waits.append((self.provider.summary(asked, self.run.model), list(self.run.messages)))

    def comes(self, step: int) -> None:
        block, covered = self.waits.pop()
        self.covered[block["signature"]] = covered
        messages, message = self.run.messages, {"role": "assistant", "content": [block]}
        rest = [one for one in messages if not is_in(one, covered)]
        # Where another one is awaited, nothing may tell which of them stands in the place of all that was said.
        others = [talk for talk in self.others if talk is not self and talk.waits]
        if rest and not others and self.rng.random() < 0.3:
            messages[:] = [message, *rest]
            self.lengths = []
        else:
            messages.append(message)
        if messages[-1]["role"] == "assistant":
            messages.append({"role": "user", "content": f"next {step}"})
        self.edited, self.sent = True, None

    def request(self, step: int) -> Json:
        if self.waits and self.rng.random() < 0.3:
            self.comes(step)
        body = super().request(step)
        if self.budget is not None:
            return body
        text, messages = json.dumps(body), self.run.messages
        blocks = [block for one in messages for block in listed(one["content"])]
        called = {block["id"] for block in blocks if block["type"] == "tool_use"}
        covered = [one for block in blocks if block["type"] == "compaction" for one in self.covered[block["signature"]]]
        for message in messages:
            for block in () if is_in(message, covered) else listed(message["content"]):
                if block.get("tool_use_id") not in (None, *called):
                    # The caller has removed its call.
                    continue
                said = block.get("text") or block.get("content")
                # An edited message may be one that a summary covers.
                if block["type"] in ("text", "tool_result") and isinstance(said, str) and not said.startswith("Edited"):
                    assert json.dumps(said.strip())[1:-1] in text, (str(self), step, said[:40])
        return body


def is_in(message: Json, messages: list[Json]) -> bool:
    return any(one is message for one in messages)


@pytest.mark.parametrize("seed", seeds())
def test_no_summary_takes_more_than_it_covers(seed: int) -> None:
    print("seed", seed)
    shared = Shared(seed)
    rng = shared.rng
    events = frozenset({"summary", *rng.sample(EVENTS, rng.randrange(len(EVENTS) + 1))})
    talks = [Late(1000 * seed + n, shared, events) for n in range(rng.randrange(1, 5))]
    for talk in talks:
        talk.others = talks
    running = {n: talk.steps() for n, talk in enumerate(talks)}
    at = 0
    while running:
        if at not in running or rng.random() < 0.3:
            at = rng.choice(list(running))
            shared.ledger = tw.Ledger.load(shared.ledger.state(), model=talks[at].run.model)
            if shared.now != at:
                talks[at].sent, talks[at].edited = None, True
            shared.now = at
        try:
            next(running[at])
        except StopIteration:
            del running[at]


def user(text: str) -> Json:
    return {"role": "user", "content": text}


def with_summary(ledger: tw.Ledger, provider: Provider, first: str = "go") -> tuple[list[Json], Json]:
    """A list of seven messages, and the summary of its first five, which has not come."""
    messages: list[Json] = [user(first)]
    block: Json = {}
    for step in range(3):
        body: Json = ledger.prepare(messages).payload
        if step == 2:
            ledger.compaction(messages)
            block = {"role": "assistant", "content": [provider.summary(body, MODEL)]}
        messages += [thinks(provider, body), user(f"on {step}")]
    return messages, block


def sent(ledger: tw.Ledger, provider: Provider, messages: list[Json], loads: bool) -> list[Json]:
    if loads:
        ledger = tw.Ledger.load(ledger.state(), model=MODEL)
    body: Json = ledger.prepare(messages).payload
    assert not provider.stale(body, MODEL)
    return list(body["messages"])


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_a_summary_comes_after_a_request_with_an_edit_of_what_it_covers(at: int, loads: bool) -> None:
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages, block = with_summary(ledger, provider)
    messages[at] = {**messages[at], "content": "Edited."}
    ledger.prepare(messages)
    messages += [block, user("next")]
    # The edited message is among those that it covers; nothing behind them is.
    assert sent(ledger, provider, messages, loads) == [block, messages[5], messages[6], messages[8]]


@pytest.mark.parametrize("loads", [False, True])
def test_a_summary_covers_no_message_that_was_added_since(loads: bool) -> None:
    """Those behind the new one are sent once more, because there is no second place for it."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages, block = with_summary(ledger, provider)
    messages.insert(2, user("Another one."))
    ledger.prepare(messages)
    messages += [block, user("next")]
    texts = [listed(one["content"])[-1].get("text") for one in sent(ledger, provider, messages, loads)[1:]]
    assert texts == ["Another one.", "on 0", "ok", "on 1", "ok", "on 2", "next"]


@pytest.mark.parametrize("loads", [False, True])
def test_a_summary_covers_nothing_of_another_branch(loads: bool) -> None:
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages, block = with_summary(ledger, provider)
    del messages[3:]
    messages.append(user("Another way."))
    ledger.prepare(messages)
    messages += [block, user("next")]
    assert sent(ledger, provider, messages, loads) == [block, messages[3], messages[5]]


@pytest.mark.parametrize("loads", [False, True])
def test_conversations_with_the_same_first_words_await_a_summary_each(loads: bool) -> None:
    """The first has its own, with what it does not cover, though the other has asked for one since."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    first, block = with_summary(ledger, provider)
    other, later = with_summary(ledger, provider)
    for messages, summary in ((first, block), (other, later)):
        messages += [summary, user("next")]
        now = sent(ledger, provider, messages, loads)
        assert now == [summary, messages[5], messages[6], messages[8]] and len(kept({"messages": now})) == 1


@pytest.mark.parametrize("loads", [False, True])
def test_a_reply_comes_with_a_summary_in_the_place_of_what_it_covers(loads: bool) -> None:
    """It answers the last request before it, though others wait."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages, block = with_summary(ledger, provider)
    for text in ("one", "two"):
        ledger.prepare([user(text)])
    ledger.prepare(messages)
    messages.append(user("Stop. Rather this."))
    messages.append(thinks(provider, ledger.prepare(messages).payload))
    messages[:5] = [block]
    messages.append(user("next"))
    now = sent(ledger, provider, messages, loads)
    assert now == messages and len(kept({"messages": now})) == 2


@pytest.mark.parametrize("loads", [False, True])
def test_the_first_reply_comes_with_a_summary_in_the_place_of_its_request(loads: bool) -> None:
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    bodies: list[Json] = [ledger.prepare([user(text)]).payload for text in ("one", "two", "go")]
    ledger.compaction([user("go")])
    block = {"role": "assistant", "content": [provider.summary(bodies[-1], MODEL)]}
    messages = [block, thinks(provider, bodies[-1]), user("next")]
    now = sent(ledger, provider, messages, loads)
    assert now == messages and len(kept({"messages": now})) == 1


def test_a_late_result_of_a_call_that_the_providers_own_compaction_covers() -> None:
    """Nobody asked for the compaction. The result is sent as text, because its call is gone."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    call = {"type": "tool_use", "id": "slow", "name": "read", "input": {}}
    messages = [user("go"), {"role": "assistant", "content": [call]}, user("Stop. Go on.")]
    body: Json = ledger.prepare(messages).payload
    block = provider.summary(body, MODEL)
    messages += [{"role": "assistant", "content": [block, {"type": "text", "text": "ok"}]}]
    messages += [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "slow", "content": "found it"}]}]
    ready = ledger.prepare(messages)
    assert ready.payload["messages"][0] == messages[3] and "found it" in str(ready.payload)
    assert "late_result" in [entry.code for entry in ready.receipt if entry.kind != "warning"]


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("own", [False, True])
def test_a_late_result_of_a_call_that_the_caller_has_removed(own: bool, loads: bool) -> None:
    """The summary stands in the place of all that it covers, the call among it. The result is sent as text."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    call = {"type": "tool_use", "id": "slow", "name": "read", "input": {}}
    messages = [user("go"), {"role": "assistant", "content": [call]}, user("Stop. Go on.")]
    body: Json = ledger.prepare(messages).payload
    block = provider.summary(body, MODEL)
    said = [block, {"type": "text", "text": "ok"}]
    if not own:
        ledger.compaction(messages)
        messages += [thinks(provider, body), user("on")]
        said = [block]
    result = {"type": "tool_result", "tool_use_id": "slow", "content": "found it"}
    messages[:3] = [{"role": "assistant", "content": said}]
    messages.append({"role": "user", "content": [result]})
    now = sent(ledger, provider, messages, loads)
    assert now[:-1] == messages[:-1] and "Late result of a tool (slow):\\nfound it" in json.dumps(now[-1])


@pytest.mark.parametrize("loads", [False, True])
def test_what_the_providers_own_compaction_covers_is_edited(loads: bool) -> None:
    """The next reply is still known to answer the request behind it, though another one waits."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages = [user("go"), thinks(provider, ledger.prepare([user("go")]).payload), user("on")]
    body: Json = ledger.prepare(messages).payload
    said = thinks(provider, body)["content"]
    block = {"type": "compaction", "content": "What was said.", "signature": "own"}
    messages += [{"role": "assistant", "content": [block, said[1]]}, user("and on")]
    ledger.prepare(messages)
    messages.append(user("Stop. Rather this."))
    messages += [thinks(provider, ledger.prepare(messages).payload), user("next")]
    messages[0] = user("Edited.")
    now = sent(ledger, provider, messages, loads)
    assert now == messages[3:] and len(kept({"messages": now})) == 1


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("at", ["end", "earlier", "its place", "in place of all"])
def test_a_summary_comes_that_a_later_compaction_of_the_provider_replaces(at: str, loads: bool) -> None:
    """It covers messages before that one, so it is not sent. What was thought in the meantime stays."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages = [user("go")]
    messages += [thinks(provider, ledger.prepare(messages).payload), user("on")]
    asked: Json = dict(ledger.prepare(messages).payload)
    ledger.compaction(messages)
    block, covered = provider.summary(asked, MODEL), len(messages)
    said = thinks(provider, asked)["content"]
    messages.append({"role": "assistant", "content": [{"type": "compaction", "content": "All."}, said[1]]})
    messages.append(user("and on"))
    thought = thinks(provider, ledger.prepare(messages).payload)
    messages += [thought, user("next")]
    breaks = ledger.breaks
    places = {"end": slice(-1, -1), "earlier": slice(-2, -2), "its place": slice(covered, covered)}
    messages[places.get(at, slice(covered))] = [{"role": "assistant", "content": [block]}]
    now = sent(ledger, provider, messages, loads)
    assert kept({"messages": now}) == kept({"messages": [thought]}) and block not in now[0]["content"]
    assert ledger.breaks == breaks
