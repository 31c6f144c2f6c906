"""One ledger for several conversations in turn: what was learned of each block of reasoning stays known."""

from __future__ import annotations

import random
from threading import Thread
from typing import Any

import pytest
import turnwire as tw
from agent_runs import Run, tool
from bound_reasoning import RECORDS, THINKING, Provider, listed, mark
from random_runs import seeds
from test_ledger import Driver
from test_ledger_edits import Talk


class Shared:
    """The ledger, and what all conversations that use it have in common."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.budget = self.rng.choice((None, None, 20_000, 60_000))
        keep = self.rng.choice((0.3, 0.5, 0.7))
        self.ledger = tw.Ledger("anthropic", tw.Budget(self.budget, reserve=1 - keep), model="claude-opus-5-5")
        self.provider, self.now = Provider(), -1
        self.bound: dict[str, set[str]] = {}
        self.alike = self.rng.random() < 0.4


class Alike(Run):
    """A run with the same texts as others, after system text and tools that several of them have in turn."""

    SYSTEMS = ("Be exact.", "Be brief.", "Be exact.\nBe brief.")

    def head(self, step: int) -> tuple[str, list[dict[str, Any]]]:
        if step == 0 or self.chance("system", 0.3):
            self.system = self.rng.choice(self.SYSTEMS)
        if self.chance("tools", 0.3):
            # The second has another description, and the same name.
            self.tools = [tool("read"), tool("list", self.rng.randrange(1, 3))]
        return super().head(step)

    def reply(self, step: int) -> list[dict[str, Any]]:
        said = {"type": "text", "text": f"Ready for {step}."}
        match self.rng.choice(("more", "more", "thinks", "silent")) if step < 4 else "more":
            case "thinks":
                return [{"type": "thinking", "thinking": f"Step {step}."}, said]
            case "silent":
                return [said]
        return super().reply(step)

    def goes_on(self, content: list[dict[str, Any]], step: int) -> None:
        super().goes_on(content, step)
        if content[-1].get("text", "").startswith("Ready"):
            self.messages[-1] = {"role": "user", "content": "Go on."}


class Conversation(Driver):
    """One of them."""

    def __init__(self, seed: int, shared: Shared, events: frozenset[str]) -> None:
        self.shared = shared
        super().__init__(seed)
        self.run = (Alike if shared.alike else Run)(seed, events, shared.rng.randrange(3, 25))
        self.run.messages[0]["content"] = "Review it." if shared.alike else f"Review folder {seed}."
        self.budget, self.provider, self.bound = shared.budget, shared.provider, shared.bound

    @property
    def ledger(self) -> tw.Ledger:
        return self.shared.ledger

    @ledger.setter
    def ledger(self, ledger: tw.Ledger) -> None:
        # The run's own ledger is not used.
        if hasattr(self, "provider"):
            self.shared.ledger = ledger

    def request(self, step: int) -> dict[str, Any]:
        body = super().request(step)
        bound = [name for name in kept(body) if self.provider.records[name]["model"] in RECORDS]
        if self.shared.alike and not bound:
            # Conversations that begin alike are told apart by bound reasoning. Without any, the reply may be left out.
            self.bound[self.list].add("that of another conversation")
        return body


EVENTS = (
    "parallel", "interrupted", "late", "split", "tools", "system", "media", "marks", "models", "retry", "aborted",
    "branch", "restart", "queued", "asks", "twice", "interleaved", "redacted", "again", "edit", "blank", "failed",
)  # fmt: skip


@pytest.mark.parametrize("seed", seeds())
def test_conversations_by_turns(seed: int) -> None:
    print("seed", seed)
    shared = Shared(seed)
    rng = shared.rng
    events = frozenset(rng.sample(EVENTS, rng.randrange(len(EVENTS) + 1)))
    talks = [Conversation(1000 * seed + n, shared, events) for n in range(rng.randrange(2, 6))]
    running = {n: talk.steps() for n, talk in enumerate(talks)}
    often = rng.choice((0.05, 0.3, 1.0))
    at = 0
    while running:
        if at not in running or rng.random() < often:
            at = rng.choice(list(running))
            shared.ledger = tw.Ledger.load(shared.ledger.state(), model=talks[at].run.model)
            if shared.now != at:
                # Another conversation is a break. A model that checks leaves out more later than one that does not.
                talks[at].sent = None
                talks[at].edited |= "models" in events
            shared.now = at
        try:
            next(running[at])
        except StopIteration:
            del running[at]
    assert sum(talk.seen["blocks"] for talk in talks)


MODEL = "claude-opus-5-5"


def kept(body: dict[str, Any]) -> list[str]:
    blocks = (block for message in body["messages"] for block in listed(message["content"]))
    return [mark(block) for block in blocks if block["type"] in THINKING]


def test_conversations_that_begin_alike() -> None:
    """Each reply comes after the other conversation has sent the same request: nothing stale is sent."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    systems = ["Be exact.", "Be brief."]
    lists: list[list[dict[str, Any]]] = [[{"role": "user", "content": "go"}] for _ in systems]
    for _ in range(6):
        bodies = []
        for system, messages in zip(systems, lists, strict=True):
            body: dict[str, Any] = ledger.prepare(messages, system=system).payload
            assert not provider.stale(body, MODEL)
            bodies.append(body)
        for body, messages in zip(bodies, lists, strict=True):
            reply = provider.reply(
                body, [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ok"}], MODEL
            )
            messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": "on"}]


def thinks(provider: Provider, body: dict[str, Any]) -> dict[str, Any]:
    """A reply with one thought."""
    blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ok"}]
    return {"role": "assistant", "content": provider.reply(body, blocks, MODEL)}


def test_a_reply_comes_after_another_conversation_has_begun_alike() -> None:
    """It is kept, because the other's request has no reasoning of this conversation."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    other = [*messages, {"role": "user", "content": "rather this"}]
    messages += [thinks(provider, ledger.prepare(messages).payload), {"role": "user", "content": "on"}]
    body: dict[str, Any] = ledger.prepare(messages).payload
    ledger.prepare(other)
    messages += [thinks(provider, body), {"role": "user", "content": "on"}]
    body = ledger.prepare(messages).payload
    assert not provider.stale(body, MODEL) and len(kept(body)) == 2


def test_a_model_that_binds_nothing_replies_behind_an_edit() -> None:
    """An aborted request of a model that binds is not the one that it answers: another reply is in its place."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    messages += [thinks(provider, ledger.prepare(messages).payload), {"role": "user", "content": "on"}]
    ledger.prepare(messages)
    ledger = tw.Ledger.load(ledger.state(), model="claude-opus-5")
    for step in range(2):
        ledger.prepare(messages)
        messages.append({"role": "user", "content": f"Stop {step}. Again."})
        body: dict[str, Any] = ledger.prepare(messages).payload
        blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": f"ok {step}"}]
        messages.append({"role": "assistant", "content": provider.reply(body, blocks, "claude-opus-5")})
        messages.append({"role": "user", "content": "next"})
    messages[0] = {"role": "user", "content": "Edited."}
    body = tw.Ledger.load(ledger.state(), model=MODEL).prepare(messages).payload
    assert not provider.stale(body, MODEL) and len(kept(body)) == 2


def test_each_conversation_has_its_own_system_text() -> None:
    """What one was told is not told to the other, and all of its reasoning is there again on the way back."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    lists = {name: [{"role": "user", "content": f"{name} begins"}] for name in "AB"}
    for turn, name in enumerate("AABBABBBBABABBA"):
        messages = lists[name]
        body: dict[str, Any] = ledger.prepare(messages, system=f"You are {name}.").payload
        assert body["system"] == f"You are {name}." and "system" not in [one["role"] for one in body["messages"]], turn
        assert not provider.stale(body, MODEL) and len(kept(body)) == len(messages) // 2, turn
        messages += [thinks(provider, body), {"role": "user", "content": f"on {turn}"}]
        if turn % 3 == 0:
            ledger = tw.Ledger.load(ledger.state(), model=MODEL)
    # Each way from one to the other is a break.
    assert len(ledger.breaks) == 8


@pytest.mark.parametrize("loads", [False, True])
def test_another_conversation_after_one_that_went_back_to_its_beginning(loads: bool) -> None:
    """Nothing of the first is answered then, but its system text is still not that of the other."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    lists = {name: [{"role": "user", "content": f"{name} begins"}] for name in "ABC"}
    for name in "ABAAC":
        if loads:
            ledger = tw.Ledger.load(ledger.state(), model=MODEL)
        messages = lists[name]
        body: dict[str, Any] = ledger.prepare(messages, system=f"You are {name}.").payload
        assert body["system"] == f"You are {name}." and body["messages"] == messages
        if len(messages) == 1:
            messages += [thinks(provider, body), {"role": "user", "content": "on"}]
        else:
            del messages[1:]


def test_system_text_is_told_after_an_edit_and_a_retry() -> None:
    """A change that was told behind an edited message is told again, though the request before was never answered."""
    ledger = tw.Ledger("anthropic", model=MODEL)
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for system in ("one", "one\ntwo", "one\ntwo"):
        ledger.prepare(messages, system=system)
        messages += [{"role": "assistant", "content": "yes"}, {"role": "user", "content": "on"}]
    messages[2] = {"role": "user", "content": "Edited."}
    for system, told in (("one", []), ("one\ntwo", ["two"])):
        body: dict[str, Any] = ledger.prepare(messages, system=system).payload
        notes = [one["content"][0]["text"] for one in body["messages"] if one["role"] == "system"]
        assert body["system"] == "one" and notes == told


def test_a_request_waits_while_the_list_of_another_is_edited() -> None:
    """A reply with an edited list in front of it may answer several requests. None of them is forgotten for it."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    waits, edited = ([{"role": "user", "content": text}] for text in ("go", "start"))
    for messages in (waits, edited):
        messages += [thinks(provider, ledger.prepare(messages).payload), {"role": "user", "content": "on"}]
    first: dict[str, Any] = ledger.prepare(waits).payload
    second: dict[str, Any] = ledger.prepare(edited).payload
    edited[0] = {"role": "user", "content": "Edited."}
    edited += [thinks(provider, second), {"role": "user", "content": "on"}]
    assert kept(ledger.prepare(edited).payload) == []
    waits += [thinks(provider, first), {"role": "user", "content": "on"}]
    body: dict[str, Any] = ledger.prepare(waits).payload
    assert not provider.stale(body, MODEL) and len(kept(body)) == 2


def test_reasoning_comes_back_where_an_edit_is_taken_back() -> None:
    """What was left out behind an edit verifies again, but for what was made in the meantime."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    start, edited = {"role": "user", "content": "go"}, {"role": "user", "content": "Edited."}
    messages = [start]
    for step, opening in enumerate((start, start, edited, edited, start, start)):
        messages[0] = opening
        body: dict[str, Any] = ledger.prepare(messages).payload
        assert not provider.stale(body, MODEL)
        # Two thoughts were made behind each of the openings; of the first one there are four in the end.
        assert len(kept(body)) == (0, 1, 0, 1, 2, 3)[step], step
        messages += [thinks(provider, body), {"role": "user", "content": f"on {step}"}]


def test_what_was_forgotten_is_left_out() -> None:
    """Records of 1,024 blocks that are not in the list stay. A conversation with more has lost the oldest."""
    count = 1100
    long: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for n in range(count):
        thought = {"type": "thinking", "thinking": "hm", "signature": f"s{n}"}
        long += [
            {"role": "assistant", "content": [thought, {"type": "text", "text": "ok"}]},
            {"role": "user", "content": "on"},
        ]
    ledger = tw.Ledger("anthropic", model=MODEL)
    assert ledger.prepare(long).receipt.reasoning == {"kept": count, "dropped": 0}
    ledger.prepare([{"role": "user", "content": "Another one."}])
    ready = ledger.prepare(long)
    assert ready.receipt.reasoning == {"kept": 1024, "dropped": count - 1024}
    assert [entry.code for entry in ready.receipt if entry.kind != "warning"] == ["stale_reasoning"] * (count - 1024)
    # After the blocks that are left out, the run of the others has no gap.
    assert kept(ready.payload) == [f"s{n}" for n in range(count - 1024, count)]


def test_threads_with_conversations_of_their_own() -> None:
    """Requests are sent one by one, so that none is forgotten before its reply comes."""
    ledger, provider, failed = tw.Ledger("anthropic", model=MODEL), Provider(), list[str]()

    def talk(number: int) -> None:
        messages: list[dict[str, Any]] = [{"role": "user", "content": f"go {number}"}]
        for step in range(15):
            body: dict[str, Any] = ledger.prepare(messages, system="Be exact.").payload
            if provider.stale(body, MODEL) or len(kept(body)) != step:
                failed.append(f"{number}, {step}: {len(kept(body))}")
            reply = provider.reply(
                body, [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "ok"}], MODEL
            )
            messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": f"on {number} {step}"}]

    threads = [Thread(target=talk, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_the_decisions_of_another_conversation_do_not_fail_this_one() -> None:
    """A cut of so many messages cannot be repeated where another list has an assistant's turn at its end."""
    ledger = tw.Ledger("anthropic", 2_000, model=MODEL)
    full: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    while not ledger.breaks:
        ledger.prepare(full)
        full += [{"role": "assistant", "content": "x" * 300}, {"role": "user", "content": "on"}]
    other: list[dict[str, Any]] = [{"role": "user", "content": "another"}, {"role": "user", "content": "one"}]
    while len(other) < len(full) + 2:
        other += [{"role": "assistant", "content": "y"}, {"role": "user", "content": "on"}]
    assert ledger.prepare(other).payload["messages"][-1] == {"role": "user", "content": "on"}


@pytest.mark.parametrize("loads", [False, True])
def test_each_conversation_keeps_its_own_summary(loads: bool) -> None:
    """What one's summary covers is covered when it comes back, and nothing else; its reasoning is all there."""
    talks = [Talk(loads), Talk(loads)]
    talks[1].provider = talks[0].provider
    talks[1].messages[0] = {"role": "user", "content": "other"}
    ledger = talks[0].ledger
    for talk in (*talks, *talks, *talks):
        talk.ledger = ledger
        if talk.count == 0:
            talk.goes_on(3)
            talk.request()
            summary = talk.summary()
            talk.answer()
            talk.messages.append(summary)
        # The summary comes after messages that it does not cover.
        talk.goes_on(2)
        body = talk.request().payload
        at = next(at for at, one in enumerate(talk.messages) if listed(one["content"])[0]["type"] == "compaction")
        assert body["messages"] == [talk.messages[at], *talk.messages[7:at], *talk.messages[at + 1 :]]
        ledger = talk.ledger


def test_the_summary_of_another_conversation_is_not_the_one_that_was_asked_for() -> None:
    talks = [Talk(False), Talk(False)]
    talks[1].provider, talks[1].ledger = talks[0].provider, talks[0].ledger
    talks[1].messages[0] = {"role": "user", "content": "other"}
    talks[0].goes_on(3)
    talks[0].request()
    summary = talks[0].summary()
    talks[0].answer()
    talks[0].messages.append(summary)
    talks[0].goes_on(2)
    talks[1].goes_on(1)
    talks[1].request()
    asked = talks[1].summary()
    talks[0].goes_on(1)
    talks[1].answer()
    talks[1].messages.append(asked)
    body = talks[1].request().payload
    assert body["messages"] == [asked, *talks[1].messages[3:5]]


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("between", [False, True])
@pytest.mark.parametrize("others", [1, 2, 5])
def test_a_conversation_behind_a_summary_comes_back(others: int, between: bool, loads: bool) -> None:
    """It has its own system text, and a late result of a call that the summary covers, as before the other one."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()

    def reply(body: dict[str, Any], *more: dict[str, Any]) -> dict[str, Any]:
        blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": f"r{provider.count}"}, *more]
        return {"role": "assistant", "content": provider.reply(body, blocks, MODEL)}

    def request(messages: list[dict[str, Any]], system: str) -> dict[str, Any]:
        nonlocal ledger
        if loads:
            ledger = tw.Ledger.load(ledger.state(), model=MODEL)
        body: dict[str, Any] = ledger.prepare(messages, system=system).payload
        assert not provider.stale(body, MODEL) and body["system"] == system
        return body

    def result(name: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": name, "content": f"found {name}"}]}

    calls = [{"type": "tool_use", "id": name, "name": "read", "input": {}} for name in ("one", "two")]
    messages = [{"role": "user", "content": "go"}]
    messages += [reply(request(messages, "Be exact."), *calls), result("one")]
    body = request(messages, "Be exact.")
    ledger.compaction(messages, system="Be exact.")
    other = [{"role": "user", "content": "other"}]
    if between:
        other += [reply(request(other, "Be brief.")), {"role": "user", "content": "more"}]
    messages += [reply(body), {"role": "assistant", "content": [provider.summary(body, MODEL)]}, result("two")]
    messages += [reply(request(messages, "Be exact.")), {"role": "user", "content": "on"}]
    before = request(messages, "Be exact.")
    assert "Late result" in str(before) and len(kept(before)) == 2
    for _ in range(others):
        other += [reply(request(other, "Be brief.")), {"role": "user", "content": "more"}]
    assert request(messages, "Be exact.") == before
    assert len(kept(request(other, "Be brief."))) == others + between
