"""A ledger whose caller edits the list between two requests: nothing stale is sent, each change is a declared break.

The caller removes, adds, moves and changes messages, puts another reply in the place of one, removes what a summary
covers, and changes tools, pins and budgets.
"""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest
import turnwire as tw
from agent_runs import Run, tool
from bound_reasoning import THINKING, Provider, listed, mark, name_of
from random_runs import seeds
from test_ledger import unmarked

Json = dict[str, Any]
MODEL = "claude-opus-5-5"
EVENTS = (
    "parallel", "interrupted", "late", "split", "tools", "withdrawn", "system", "media", "retry", "aborted", "queued",
    "asks", "interleaved", "redacted", "again", "blank", "failed",
)  # fmt: skip
EDITS = (
    "insert", "remove", "move", "repeat", "text", "result", "thoughts", "rewind", "replace", "redefine", "pins",
    "budgets", "summary", "pruned",
)  # fmt: skip


def thoughts(messages: list[Json]) -> list[str]:
    blocks = (block for one in messages for block in listed(one["content"]))
    return [mark(block) for block in blocks if block["type"] in THINKING]


def unpaired(messages: list[Json]) -> list[Any]:
    """The runs of the assistant's messages whose calls and results are not the same, one by one."""
    found: list[Any] = []
    calls: list[str] = []
    results: list[str] = []
    for message in [*messages, {"role": "assistant", "content": ""}]:
        blocks = listed(message["content"])
        if message["role"] == "assistant":
            if results or not calls:
                found += [(calls, results)] if sorted(calls) != sorted(results) else []
                calls, results = [], []
            calls = calls + [block["id"] for block in blocks if block["type"] == "tool_use"]
        else:
            results += [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
    return found


class Edited:
    """A run with Claude, and a caller who edits its list."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(seed)
        self.run = Run(seed, frozenset(rng.sample(EVENTS, rng.randrange(8))), rng.randrange(5, 20))
        self.edits = set(rng.sample(EDITS, rng.randrange(1, 6)))
        self.options: Json = {"model": MODEL}
        self.cap: int | None = None
        if rng.random() < 0.4:
            self.cap = rng.choice((30, 200, 1000))
            self.options |= {"wording": {"omitted": "[left out]"}}
        self.budget = rng.choice((None, None, 8_000, 20_000, 60_000))
        self.reserve = 1 - rng.choice((0.3, 0.5, 0.8))
        given = tw.Budget(self.budget, per_result=self.cap, reserve=self.reserve)
        self.ledger = tw.Ledger("anthropic", given, **self.options)
        self.provider = Provider()
        self.sent: list[str] = []
        self.length = 0
        # Whether the list is no longer that of the last request with something appended.
        self.edited = False
        self.covered: list[Json] = []
        self.where = f"seed {seed}, budget {self.budget}, {sorted(self.run.events)}, {sorted(self.edits)}"

    def chance(self, edit: str, share: float) -> bool:
        return edit in self.edits and len(self.run.messages) > 4 and self.rng.random() < share

    def request(self, step: int) -> Json:
        rng, run = self.rng, self.run
        system, tools = run.head(step)
        if self.chance("redefine", 0.3):
            run.tools = [tool(one["name"], rng.randrange(1, 3)) for one in run.tools]
            tools = copy.deepcopy(run.tools)
        count = min(len(run.messages), rng.randrange(3)) if "pins" in self.edits else 0
        self.given: Json = {"system": system, "tools": tools, "pinned": rng.sample(range(len(run.messages)), count)}
        messages, state = run.marked(), self.ledger.state()
        if self.chance("budgets", 0.5):
            budget = rng.choice((None, 5_000, 20_000, 100_000))
            given = tw.Budget(budget, per_result=self.cap, reserve=self.reserve)
            self.ledger = tw.Ledger.load(state, budget=given, **self.options)
            ready: tw.Rendered[Any] = self.ledger.prepare(messages, **self.given)
        else:
            ready = self.ledger.prepare_json(messages, **self.given)
            other = tw.Ledger.load(state, **self.options)
            again = other.prepare(messages, **self.given)
            assert json.dumps(again.payload) == json.dumps(json.loads(ready.payload)), self.where
            assert other.state() == self.ledger.state() and again.receipt == ready.receipt, self.where
            if rng.random() < 0.2:
                self.ledger = other
        body: Json = ready.payload if isinstance(ready.payload, dict) else json.loads(ready.payload)
        self.looked_at(body, ready, step)
        return body

    def looked_at(self, body: Json, ready: tw.Rendered[Any], step: int) -> None:
        where = (self.where, step)
        assert not self.provider.stale(body, MODEL), where
        shown, given = thoughts(body["messages"]), thoughts(self.run.messages)
        assert ready.receipt.reasoning == {"kept": len(shown), "dropped": len(given) - len(shown)}, where
        assert not unpaired(body["messages"]), (where, unpaired(body["messages"]))
        assert not [one for one in tw.check(body, "anthropic", source="anthropic") if one.severity == "error"], where
        now = [unmarked({**message, "content": listed(message["content"])}) for message in body["messages"]]
        goes_on = now[: len(self.sent)] == self.sent
        replied = any(message["role"] == "assistant" for message in self.run.messages[self.length :])
        if not self.edited and replied:
            assert goes_on or ready.receipt.break_at is not None, where
        if not self.edited:
            # What this request has, it could have: every thought that verifies is shown.
            said = [message for message in self.run.messages if message["role"] == "assistant"]
            blocks = [listed(message["content"]) for message in said]
            replies = {name_of([one for one in reply if one["type"] not in THINKING]): reply for reply in blocks}
            if "replace" not in self.edits and len(replies) == len(said) and self.simple:
                assert shown == self.provider.best(body, replies), where
        self.sent, self.length, self.edited = now, len(self.run.messages), False

    @property
    def simple(self) -> bool:
        """Whether each reply can be told from the others, and the list only grows."""
        return not self.edits & {"insert", "remove", "move", "repeat", "rewind", "text", "result", "thoughts"}

    def go(self) -> None:
        run, rng = self.run, self.rng
        for step in range(run.steps):
            try:
                body = self.request(step)
            except tw.BuildError as error:
                assert error.code in ("budget_too_small", "starts_with_assistant") and error.path is not None, (
                    self.where
                )
                return
            summary = None
            if self.chance("summary", 0.3):
                asked = self.ledger.compaction(run.marked(), **self.given).payload
                said = [unmarked({**one, "content": listed(one["content"])}) for one in asked["messages"]]
                # If a summary has not come, because the caller removed it, that one is asked for again.
                assert said == self.sent or not self.simple, self.where
                summary = {"role": "assistant", "content": [self.provider.summary(asked, MODEL)]}
            reply = self.provider.reply(body, run.reply(step), MODEL)
            run.goes_on(reply, step)
            if self.chance("replace", 0.2):
                at = next(at for at, message in enumerate(run.messages) if message["content"] is reply)
                del run.messages[at:]
                run.slow.clear()
                run.goes_on(self.provider.reply(body, run.reply(step + 1_000), MODEL), step)
            if summary is not None:
                covered = self.length
                at = rng.choice((covered, covered + 1, len(run.messages)))
                run.messages.insert(at, summary)
                self.edited = True
                if self.chance("pruned", 0.5):
                    # As Anthropic says: the block first, and exactly those messages dropped.
                    run.messages[:] = [summary, *(one for one in run.messages[covered:] if one is not summary)]
            self.edit(step)

    def edit(self, step: int) -> None:
        run, rng = self.run, self.rng
        messages = run.messages
        before = list(messages)
        last = len(messages) - 2
        if self.chance("insert", 0.2):
            role = rng.choice(("user", "user", "assistant"))
            messages.insert(rng.randrange(1, last), {"role": role, "content": f"Inserted at {step}."})
        if self.chance("remove", 0.2):
            del messages[rng.randrange(last)]
        if self.chance("move", 0.2):
            messages.insert(rng.randrange(last - 1), messages.pop(rng.randrange(last - 1)))
        if self.chance("repeat", 0.1):
            at = rng.randrange(last)
            messages.insert(at, copy.deepcopy(messages[at]))
        at = rng.randrange(len(messages))
        content = messages[at]["content"]
        if self.chance("text", 0.3) and isinstance(content, str):
            messages[at] = {**messages[at], "content": f"Edited at {step}."}
        elif self.chance("result", 0.3) and listed(content)[-1]["type"] == "tool_result":
            messages[at] = {**messages[at], "content": [*content[:-1], {**content[-1], "content": f"edited {step}"}]}
        elif self.chance("thoughts", 0.3) and not isinstance(content, str):
            rest = [block for block in content if block["type"] not in THINKING]
            messages[at] = {**messages[at], "content": rest} if rest else messages[at]
        if self.chance("rewind", 0.1):
            count = rng.randrange(3, len(messages))
            while messages[count - 1]["role"] == "assistant" and count > 1:
                count -= 1
            del messages[count:]
            run.slow.clear()
            messages.append({"role": "user", "content": f"Rather another way: {step}."})
        self.edited |= messages != before


@pytest.mark.parametrize("seed", seeds(1.5))
def test_random_edits(seed: int) -> None:
    Edited(seed).go()


class Talk:
    """A conversation of texts with one thought in each reply."""

    def __init__(self, loads: bool) -> None:
        self.ledger, self.provider, self.loads = tw.Ledger("anthropic", model=MODEL), Provider(), loads
        self.messages: list[Json] = [{"role": "user", "content": "go"}]
        self.count = 0

    def request(self) -> tw.Rendered[Any]:
        if self.loads:
            self.ledger = tw.Ledger.load(self.ledger.state(), model=MODEL)
        self.ready = self.ledger.prepare(self.messages, system="Be exact.")
        assert not self.provider.stale(self.ready.payload, MODEL)
        return self.ready

    def answer(self) -> None:
        self.count += 1
        said = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": f"r{self.count}"}]
        reply = self.provider.reply(self.ready.payload, said, MODEL)
        self.messages += [{"role": "assistant", "content": reply}, {"role": "user", "content": f"u{self.count}"}]

    def goes_on(self, steps: int) -> None:
        for _ in range(steps):
            self.request()
            self.answer()

    def summary(self) -> Json:
        asked = self.ledger.compaction(self.messages, system="Be exact.").payload
        return {"role": "assistant", "content": [self.provider.summary(asked, MODEL)]}


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("gone", [1, 3, 7])
@pytest.mark.parametrize("place", ["first", "last"])
def test_what_a_summary_covers_may_be_removed_later(loads: bool, gone: int, place: str) -> None:
    """Nothing that it does not cover is lost, all reasoning stays, and nothing is a break."""
    talk = Talk(loads)
    talk.goes_on(3)
    talk.request()
    covered, summary = len(talk.messages), talk.summary()
    talk.answer()
    talk.messages.insert(covered if place == "first" else len(talk.messages), summary)
    talk.goes_on(2)
    before = talk.request().payload["messages"]
    talk.answer()
    del talk.messages[:gone]
    for _ in range(3):
        ready = talk.request()
        now = ready.payload["messages"]
        if gone == covered:
            assert now[: len(before)] == before and ready.receipt.break_at is None
        assert now[0] == summary and [text for text in ("r4", "u4", "r5", "u5") if text not in json.dumps(now)] == []
        assert ready.receipt.reasoning == {
            "kept": talk.count - 3,
            "dropped": len(thoughts(talk.messages)) - talk.count + 3,
        }
        talk.answer()
        before = now


@pytest.mark.parametrize("loads", [False, True])
def test_a_summary_may_be_put_in_the_place_of_what_it_covers(loads: bool) -> None:
    talk = Talk(loads)
    talk.goes_on(3)
    talk.request()
    covered, summary = len(talk.messages), talk.summary()
    talk.answer()
    talk.messages[:covered] = [summary]
    for kept in (1, 2, 3):
        ready = talk.request()
        assert ready.payload["messages"] == talk.messages
        assert ready.receipt.reasoning == {"kept": kept, "dropped": 0}
        talk.answer()


@pytest.mark.parametrize("loads", [False, True])
def test_another_conversation_in_between_does_not_make_a_summary_unknown(loads: bool) -> None:
    talk = Talk(loads)
    talk.goes_on(3)
    talk.request()
    summary = talk.summary()
    talk.answer()
    talk.messages.append(summary)
    before = talk.request().payload
    talk.ledger.prepare([{"role": "user", "content": "Another one."}])
    assert talk.request().payload == before


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("edited", [False, True])
def test_a_list_goes_back_to_before_a_summary(loads: bool, edited: bool) -> None:
    """The summary before that one replaces its messages again, and no others. So it does if they have been edited."""
    talk = Talk(loads)
    places = []
    for _ in range(2):
        talk.goes_on(2)
        talk.request()
        covered, summary = len(talk.messages), talk.summary()
        talk.answer()
        places.append((covered, len(talk.messages)))
        talk.messages.append(summary)
        talk.goes_on(1)
    talk.request()
    (covered, at), (until, _) = places
    both = list(talk.messages)
    talk.messages = [*both[:until], {"role": "user", "content": "Rather another way."}]
    for kept in (4, 5):
        ready, messages = talk.request(), talk.messages
        assert ready.payload["messages"] == [messages[at], *messages[covered:at], *messages[at + 1 :]]
        assert ready.receipt.reasoning == {"kept": kept, "dropped": 2}
        talk.answer()
        if edited:
            talk.messages[0] = {"role": "user", "content": f"Edited: {kept}"}
    # The caller has kept the other list, too.
    talk.messages = both
    (covered, at), messages = places[1], both
    assert talk.request().payload["messages"] == [messages[at], *messages[covered:at], *messages[at + 1 :]]


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("left", [(0, 3, 4), (0, 1, 3, 4), (3, 4)])
def test_messages_may_be_removed_before_a_reply_that_is_new(loads: bool, left: tuple[int, ...]) -> None:
    """The reply seems to answer an earlier request, which has its own."""
    talk = Talk(loads)
    talk.goes_on(2)
    talk.messages = [talk.messages[at] for at in left]
    if talk.messages[0]["role"] == "assistant":
        talk.messages.insert(0, {"role": "user", "content": "go on"})
    ready = talk.request()
    assert ready.receipt.break_at is not None and ready.receipt.reasoning["kept"] == (left[:2] == (0, 1))
    talk.answer()
    assert talk.request().receipt.break_at is None


def test_a_removed_message_is_a_break_where_a_reply_has_come() -> None:
    ledger = tw.Ledger("openai")
    messages: list[Json] = [{"role": "user", "content": f"u{at}"} for at in range(3)]
    ledger.prepare(messages)
    del messages[1]
    messages += [{"role": "assistant", "content": "r"}]
    ready = ledger.prepare([*messages, {"role": "user", "content": "on"}])
    assert ready.receipt.break_at == "$[1]"
    # Without a reply, nothing was bound to it.
    ledger = tw.Ledger("openai")
    ledger.prepare([{"role": "user", "content": "one"}, {"role": "user", "content": "two"}])
    assert ledger.prepare([{"role": "user", "content": "two"}]).receipt.break_at is None


def test_a_cut_may_drop_what_the_target_refuses() -> None:
    """As `prepare` does: the assistant begins, and the budget has no room for that."""
    call = {"id": "abcdefghi", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    begins: list[Json] = [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "abcdefghi", "content": "x" * 2_000},
    ]
    said: list[Json] = [{"role": "user", "content": "go"}, {"role": "assistant", "content": "yes"}]
    messages = [*begins, *said, {"role": "user", "content": "on"}]
    for ledger in (tw.Ledger("mistral"), tw.Ledger("mistral", 60, on_full="error"), tw.Ledger("mistral", 10_000)):
        with pytest.raises(tw.BuildError) as raised:
            ledger.prepare(messages)
        assert raised.value.code == "starts_with_assistant" and raised.value.path == "$[0]"
    ledger = tw.Ledger("mistral", 60)
    assert ledger.prepare(messages).payload == tw.prepare(messages, "mistral", 60).payload
    messages += [{"role": "assistant", "content": "r"}, {"role": "user", "content": "u"}]
    ready = ledger.prepare(messages)
    assert ready.payload["messages"] == messages[2:] and ready.receipt.break_at is None


def test_a_request_without_a_reply_leaves_nothing_to_another_conversation() -> None:
    ledger = tw.Ledger("anthropic")
    ledger.prepare([{"role": "user", "content": "go"}], system="You are A.")
    other = [{"role": "user", "content": "another"}]
    assert ledger.prepare(other, system="You are B.").payload == {"system": "You are B.", "messages": other}


@pytest.mark.parametrize("loads", [False, True])
@pytest.mark.parametrize("before", [[], [{"role": "user", "content": "go"}, {"role": "assistant", "content": "gone"}]])
def test_system_text_among_the_messages_may_change_after_the_first_request(loads: bool, before: list[Json]) -> None:
    ledger = tw.Ledger("openai")
    asked = [*before, {"role": "user", "content": "go"}]
    ledger.prepare([{"role": "system", "content": "Be brief."}, *asked], source="openai")
    if loads:
        ledger = tw.Ledger.load(ledger.state())
    rest = [*asked, {"role": "assistant", "content": "gone"}, {"role": "user", "content": "and back"}]
    ready = ledger.prepare([{"role": "system", "content": "Be brief.\nBe kind."}, *rest], source="openai")
    first, last = ({"role": "system", "content": text} for text in ("Be brief.", "Be kind."))
    assert ready.payload["messages"] == [first, *rest, last]
    assert ready.receipt.break_at is None
