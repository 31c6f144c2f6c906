"""Requests that are sent again, aborted, or edited before and after their replies: nothing stale is sent.

One ledger serves one to three conversations, some of which begin alike. A reply that stands where it was made is kept
as long as it verifies, unless a later request continued the same turns.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest
import turnwire as tw
from bound_reasoning import THINKING, Provider, listed, mark, name_of
from random_runs import seeds

Json = dict[str, Any]
MODEL = "claude-opus-5-5"
EVENTS = (
    "retry", "aborted", "reworded", "withdrawn", "removed", "exchange", "edited", "later", "restart", "branch",
    "regenerated", "silent", "alike", "several", "again",
)  # fmt: skip


class Request(NamedTuple):
    """One that was sent: its list, a text for each message, and what its reply is bound to."""

    messages: tuple[str, ...]
    bound: str


class World:
    """The ledger, and everything that was sent with it."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(seed)
        self.events = frozenset(rng.sample(EVENTS, rng.randrange(2, 9)))
        self.often = rng.choice((0.15, 0.3, 0.5))
        self.ledger = tw.Ledger("anthropic", model=MODEL)
        self.provider = Provider()
        self.requests: list[Request] = []
        # For each reply: its blocks, and the number of the request that it answers.
        self.replies: dict[str, tuple[list[Json], int]] = {}
        # Whether a reply had only one request that it could answer when it was first seen.
        self.certain: dict[str, bool] = {}
        self.count, self.misplaced = 0, -1
        self.kept = self.lost = 0
        self.where = f"seed {seed}, {sorted(self.events)}"

    def chance(self, event: str) -> bool:
        return event in self.events and self.rng.random() < self.often

    def texts(self, messages: list[Json]) -> tuple[str, ...]:
        return tuple(json.dumps(message) for message in messages)

    def request(self, messages: list[Json], system: str) -> tuple[Json, int]:
        self.seen(messages)
        body: Json = self.ledger.prepare(messages, system=system).payload
        assert not self.provider.stale(body, MODEL), self.where
        assert not [one for one in tw.check(body, "anthropic", source="anthropic") if one.severity == "error"], (
            self.where
        )
        shown = thoughts(body["messages"])
        sure = {name: reply for name, (reply, _) in self.replies.items() if self.is_shown(name, shown)}
        best = self.provider.best(body, sure)
        assert shown == best, (self.where, len(self.requests), messages, shown, best)
        self.kept += len(shown)
        self.lost += len(thoughts(messages)) - len(shown)
        self.requests.append(Request(self.texts(messages), self.provider.bound(body, MODEL)))
        if self.chance("restart"):
            self.ledger = tw.Ledger.load(self.ledger.state(), model=MODEL)
        return body, len(self.requests) - 1

    def is_shown(self, name: str, shown: list[str]) -> bool:
        """Whether the best request has this reply: if it is shown anyway, or if it was certain what it answers."""
        return self.certain.get(name, False) or any(mark(one) in shown for one in self.replies[name][0])

    def seen(self, messages: list[Json]) -> None:
        """Looks at each reply that is in the list for the first time."""
        texts = self.texts(messages)
        for at, message in enumerate(messages):
            name = name_of([one for one in listed(message["content"]) if one["type"] not in THINKING])
            if message["role"] != "assistant" or name in self.certain or name not in self.replies:
                continue
            asked = self.replies[name][1]
            mine = self.requests[asked].messages
            alike = {one.bound for one in self.requests if one.messages == texts[:at]}
            # Requests since then of the same conversation: the reply could be theirs, with messages changed.
            since = (one.messages for one in self.requests[asked + 1 :] if one.messages != mine)
            near = [one for one in since if one[:1] == mine[:1] or not replies_in(one).isdisjoint(replies_in(mine))]
            self.certain[name] = mine == texts[:at] and len(alike) == 1 and not near and asked > self.misplaced
            if mine != texts[:at] and "several" in self.events:
                # In another place, it may have been taken for the reply to any request that waited.
                self.misplaced = len(self.requests)

    def reply(self, body: Json, asked: int) -> Json:
        self.count += 1
        said: list[Json] = [{"type": "text", "text": f"r{self.count}"}]
        if not self.chance("silent"):
            said.insert(0, {"type": "thinking", "thinking": "hm"})
        reply = self.provider.reply(body, said, MODEL)
        self.replies[f"r{self.count}"] = reply, asked
        return {"role": "assistant", "content": reply}


def replies_in(texts: tuple[str, ...]) -> set[str]:
    return {text for text in texts if json.loads(text)["role"] == "assistant"}


def thoughts(messages: list[Json]) -> list[str]:
    blocks = (block for one in messages for block in listed(one["content"]))
    return [mark(block) for block in blocks if block["type"] in THINKING]


class Talk:
    """One conversation."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.rng, self.number = world, world.rng, number
        alike = world.chance("alike")
        self.system = "Be exact." if alike or self.rng.random() < 0.5 else f"You are {number}."
        self.messages: list[Json] = [user("go" if alike else f"go {number}")]
        # A few texts come again and again.
        self.small = "again" in world.events

    def text(self) -> str:
        self.world.count += 1
        return self.rng.choice(("on", "more")) if self.small else f"u{self.world.count}"

    def send(self) -> tuple[Json, int]:
        return self.world.request(self.messages, self.system)

    def steps(self) -> Iterator[None]:
        world, rng = self.world, self.rng
        for _ in range(rng.randrange(3, 9)):
            messages = self.messages
            if messages[-1]["role"] == "assistant":
                messages.append(user(self.text()))
            body, asked = self.send()
            while world.chance("retry"):
                yield
                body, asked = self.send()
            if world.chance("aborted"):
                yield
                messages.append(user(self.text()))
                body, asked = self.send()
            if world.chance("reworded"):
                yield
                messages[-1] = self.changed(len(messages) - 1)
                body, asked = self.send()
            if world.chance("withdrawn") and len(messages) > 1 and messages[-2]["role"] == "user":
                yield
                messages.pop()
                body, asked = self.send()
            yield
            if world.chance("later"):
                messages.append(user(self.text()))
            self.edit()
            messages.append(world.reply(body, asked))
            if world.chance("regenerated"):
                messages[-1] = world.reply(body, asked)
            if rng.random() < 0.5:
                yield
            at = len(messages)
            messages.append(user(self.text()))
            self.edit()
            if world.chance("branch"):
                del messages[rng.randrange(1, at + 1) :]

    def edit(self) -> None:
        """Removes and changes messages before the last one."""
        world, rng, messages = self.world, self.rng, self.messages
        if world.chance("removed"):
            users = [at for at, one in enumerate(messages) if at and one["role"] == "user"]
            if users:
                del messages[rng.choice((users[-1], rng.choice(users)))]
        if world.chance("exchange") and len(messages) > 2:
            # Some messages at the end, or in the middle.
            start = rng.randrange(1, len(messages))
            del messages[start : rng.choice((len(messages), start + 2))]
        if world.chance("edited"):
            at = rng.choice([at for at, one in enumerate(messages) if one["role"] == "user"])
            messages[at] = self.changed(at)

    def changed(self, at: int) -> Json:
        """Another message in the place of one. No conversation begins like another because of it."""
        self.world.count += 1
        return user(self.text() if at else f"begins {self.world.count}")


def user(text: str) -> Json:
    return {"role": "user", "content": text}


@pytest.mark.parametrize("seed", seeds(3))
def test_random_retries(seed: int) -> None:
    print("seed", seed)
    world = World(seed)
    talks = [Talk(world, number) for number in range(world.rng.randrange(2, 4) if "several" in world.events else 1)]
    running = [talk.steps() for talk in talks]
    while running:
        steps = world.rng.choice(running)
        if next(steps, 0) == 0:
            running.remove(steps)
    assert world.requests


def kept(ledger: tw.Ledger, messages: list[Json], provider: Provider) -> int:
    """How many thoughts the next request has. None of them is stale."""
    body: Json = ledger.prepare(messages, system="Be exact.").payload
    assert not provider.stale(body, MODEL)
    return len(thoughts(body["messages"]))


def replied(ledger: tw.Ledger, messages: list[Json], provider: Provider) -> Json:
    body: Json = ledger.prepare(messages, system="Be exact.").payload
    said = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ok"}]
    return {"role": "assistant", "content": provider.reply(body, said, MODEL)}


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_messages_are_removed_after_a_first_request_that_was_sent_again(times: int, loads: bool) -> None:
    """The reply to the second request then stands where a second one to the first would: it is left out."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages = [user("go")]
    for _ in range(times):
        reply = replied(ledger, messages, provider)
    messages += [reply, user("on")]
    reply = replied(ledger, messages, provider)
    if loads:
        ledger = tw.Ledger.load(ledger.state(), model=MODEL)
    messages[1:] = [reply, user("more")]
    ready = ledger.prepare(messages, system="Be exact.")
    assert ready.receipt.reasoning == {"kept": 0, "dropped": 1}
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["stale_reasoning"]
    messages += [replied(ledger, messages, provider), user("and on")]
    assert kept(ledger, messages, provider) == 1


@pytest.mark.parametrize("seen", [False, True])
@pytest.mark.parametrize("before", [0, 2])
def test_the_message_of_an_aborted_request_is_removed_after_the_reply(before: int, seen: bool) -> None:
    """Whether the ledger has seen the reply in its place or not: without that message, it is left out."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages = [user("go")]
    for step in range(before):
        messages += [replied(ledger, messages, provider), user(f"u{step}")]
    replied(ledger, messages, provider)
    messages.append(user("Stop. Rather this."))
    messages += [replied(ledger, messages, provider), user("on")]
    if seen:
        assert kept(ledger, messages, provider) == before + 1
    del messages[-3]
    assert kept(ledger, messages, provider) == before


def test_a_first_request_may_be_answered_again_after_it_was_sent_again() -> None:
    """The caller goes back to the first question: the other reply to it is kept, like the first one."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    first = [user("go")]
    messages = [*first, replied(ledger, first, provider), user("on")]
    replied(ledger, messages, provider)
    messages = [*first, replied(ledger, first, provider), user("more")]
    assert kept(ledger, messages, provider) == 1


def test_the_reply_of_one_conversation_does_not_count_for_another() -> None:
    """Its list was edited, and is as long as one that waits: that one still gets its own reply."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    one, other = [user("one")], [user("other")]
    one += [replied(ledger, one, provider), user("on")]
    reply = replied(ledger, one, provider)
    replied(ledger, other, provider)
    other.append(user("Stop."))
    other += [replied(ledger, other, provider), user("on")]
    # Without its question, the reply is at the place of the other's.
    one[2:] = [reply, user("more")]
    assert kept(ledger, one, provider) == 1
    assert kept(ledger, other, provider) == 1


Behind = tuple[tw.Ledger, Provider, list[Json]]


def behind_a_summary(again: bool = False) -> Behind:
    """A conversation whose first three messages are covered by a summary, and not sent.

    `again`: their request was sent twice, so that one of the two still waits.
    """
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages = [user("go")]
    messages += [replied(ledger, messages, provider), user("on")]
    if again:
        ledger.prepare(messages, system="Be exact.\nSpeak briefly.")
    body: Json = ledger.prepare(messages, system="Be exact.").payload
    ledger.compaction(messages, system="Be exact.")
    summary = provider.summary(body, MODEL)
    messages += [provider_reply(provider, body), user("more"), {"role": "assistant", "content": [summary]}]
    return ledger, provider, messages


def provider_reply(provider: Provider, body: Json, model: str = MODEL) -> Json:
    said = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": f"ok {provider.count}"}]
    return {"role": "assistant", "content": provider.reply(body, said, model)}


def reworded(messages: list[Json]) -> None:
    messages[0] = user("Go, please.")


def removed(messages: list[Json]) -> None:
    del messages[:3]


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("edit", [reworded, removed])
def test_what_a_summary_covers_is_edited_after_a_request_was_sent_again(
    edit: Callable[[list[Json]], None], loads: bool
) -> None:
    """An earlier reply answers one of two requests, and one of them waits. The next reply answers neither."""
    ledger, provider, messages = behind_a_summary()
    ledger.prepare(messages, system="Be exact.")
    body = ledger.prepare(messages, system="Be exact.\nSpeak briefly.").payload
    messages += [provider_reply(provider, body), user("and on")]
    body = ledger.prepare(messages, system="Be exact.\nSpeak briefly.").payload
    assert not provider.stale(body, MODEL) and len(thoughts(body["messages"])) == 1
    if loads:
        ledger = tw.Ledger.load(ledger.state(), model=MODEL)
    messages += [provider_reply(provider, body), user("and more")]
    edit(messages)
    body = ledger.prepare(messages, system="Be exact.\nSpeak briefly.").payload
    assert not provider.stale(body, MODEL) and len(thoughts(body["messages"])) == 2


@pytest.mark.parametrize("answers", [0, 1])
@pytest.mark.parametrize("edit", [reworded, removed])
def test_what_a_summary_covers_is_edited_before_the_reply_to_a_request_that_was_sent_again(
    edit: Callable[[list[Json]], None], answers: int
) -> None:
    """Which of the two it answers cannot be known, though only one was sent with the list as it is now."""
    ledger, provider, messages = behind_a_summary()
    bodies = [ledger.prepare(messages, system="Be exact.").payload]
    bodies.append(ledger.prepare(messages, system="Be exact.\nSpeak briefly.").payload)
    messages += [provider_reply(provider, bodies[answers]), user("and on")]
    edit(messages)
    body = ledger.prepare(messages, system="Be exact.\nSpeak briefly.").payload
    assert not provider.stale(body, MODEL)
    assert mark(messages[-2]["content"][0]) not in thoughts(body["messages"])


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("edit", [reworded, removed])
def test_what_a_summary_covers_is_edited_and_a_later_message_is_removed(
    edit: Callable[[list[Json]], None], again: bool
) -> None:
    """The reply then follows the list of an aborted request. It answers a later one, so it is left out."""
    ledger, provider, messages = behind_a_summary(again)
    ledger.prepare(messages, system="Be exact.")
    edit(messages)
    messages.append(user("Stop. Rather this."))
    body = ledger.prepare(messages, system="Be exact.").payload
    messages[-1:] = [provider_reply(provider, body), user("and on")]
    body = ledger.prepare(messages, system="Be exact.").payload
    assert not provider.stale(body, MODEL)
    assert mark(messages[-2]["content"][0]) not in thoughts(body["messages"])


def with_another_request_that_waits() -> Behind:
    """A conversation in which a model that binds nothing was asked twice, with other tools. One request still waits."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages = [user("go")]
    messages += [replied(ledger, messages, provider), user("on")]
    ledger = tw.Ledger.load(ledger.state(), model="claude-opus-5")
    for tools in ([], [{"name": "read", "input_schema": {"type": "object"}}]):
        body = ledger.prepare(messages, system="Be exact.", tools=tools).payload
    messages += [provider_reply(provider, body, "claude-opus-5"), user("more")]
    return tw.Ledger.load(ledger.state(), model=MODEL), provider, messages


@pytest.mark.parametrize("edited", [(4,), (0,), (0, 4)])
def test_a_request_without_bound_reasoning_is_answered_after_an_edit(edited: tuple[int, ...]) -> None:
    """An earlier request has reasoning of this list and still waits: the reply does not count as its reply."""
    ledger, provider, messages = with_another_request_that_waits()
    ledger.forget()
    body = ledger.prepare(messages, system="Speak briefly.").payload
    # What binds nothing verifies, whichever of the two requests it answers.
    assert thoughts(body["messages"]) == thoughts(messages[3:4])
    messages += [provider_reply(provider, body), user("and on")]
    messages = [user("edited") if at in edited else one for at, one in enumerate(messages)]
    body = ledger.prepare(messages, system="Speak briefly.").payload
    assert not provider.stale(body, MODEL)


def test_the_newest_reasoning_of_a_request_is_removed_before_its_reply() -> None:
    """What was thought before that is still there, so the request is of this conversation."""
    ledger, provider, messages = with_another_request_that_waits()
    messages += [replied(ledger, messages, provider), user("next")]
    messages += [replied(ledger, messages, provider), user("and on")]
    messages[5] = {"role": "assistant", "content": "ok"}
    assert kept(ledger, messages, provider) == 2


@pytest.mark.parametrize(("thought", "text"), [(600, 200), (1000, 100), (300, 300)])
@pytest.mark.parametrize("budget", [5000, 8000, 12000])
def test_a_request_that_was_cut_is_sent_again_as_it_is(thought: int, text: int, budget: int) -> None:
    """The system text had changed before, so the cut changes the head, and no reasoning verifies behind it."""
    ledger, provider = tw.Ledger("anthropic", budget, model=MODEL), Provider()
    messages, cuts = [user("go")], 0
    for step in range(25):
        system = "Be exact." if step < 3 else "Be exact.\nSpeak briefly."
        sent = ledger.prepare(messages, system=system)
        cuts += sent.receipt.break_at is not None
        again = ledger.prepare(messages, system=system)
        assert again.payload == sent.payload and again.receipt.break_at is None
        said = [{"type": "thinking", "thinking": "t" * thought}, {"type": "text", "text": "x" * text}]
        messages.append({"role": "assistant", "content": provider.reply(again.payload, said, MODEL)})
        messages.append(user("y" * text))
    assert cuts
