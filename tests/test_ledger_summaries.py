"""OpenAI's compaction on demand in random runs: nothing stale is sent, what verifies is, and no user's word is lost."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import turnwire as tw
from bound_items import Json, Provider
from random_runs import RUNS, seeds

# Events between two requests; a run has a random choice of them.
EVENTS = (
    "parallel", "interrupted", "late", "system", "tools", "retry", "aborted", "branch", "restart", "asks", "message",
    "summary",
)  # fmt: skip
BEHIND: list[int] = []


def tool(name: str) -> Json:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    return {"type": "function", "name": name, "description": f"It is {name}.", "parameters": schema, "strict": False}


def said(text: str) -> Json:
    return {"type": "message", "role": "user", "content": text}


def answer(name: str, text: str) -> Json:
    block = {"type": "output_text", "text": text, "annotations": []}
    return {"type": "message", "id": name, "role": "assistant", "status": "completed", "content": [block]}


def call(name: str, arguments: str) -> Json:
    return {"type": "function_call", "call_id": name, "name": "read", "arguments": arguments}


def output(name: str, text: str) -> Json:
    return {"type": "function_call_output", "call_id": name, "output": text}


class Run:
    """The caller's list of items, its ledger, and the provider."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(seed)
        self.events = {"summary", *rng.sample(EVENTS, rng.randrange(0, len(EVENTS) + 1))}
        self.provider = Provider(rng.choice(("gpt-6", "gpt-6.1", "gpt-6.2")))
        self.budget = rng.choice((None, None, 20_000, 60_000))
        self.ledger = tw.Ledger("openai-responses", self.budget, model=self.provider.model)
        self.items: list[Json] = [said("Review every file.")]
        self.system, self.tools = "Be exact.", [tool("read"), tool("list")]
        self.slow: list[Json] = []
        self.calls, self.breaks = 0, 0
        self.lengths: list[int] = []
        self.sent: tuple[int, list[str]] | None = None
        self.edited = False
        self.adopted: list[tuple[Json, int]] = []
        # How many items the last summary covers, and how much reasoning was sent after a summary.
        self.covered, self.behind = 0, 0
        # The summary that has not come: how many items it covers, and the items of its request.
        self.waits: tuple[int, list[Json]] | None = None
        self.where = f"seed {seed}, budget {self.budget}, {self.provider.model}, {sorted(self.events)}"

    def chance(self, event: str, share: float) -> bool:
        return event in self.events and self.rng.random() < share

    def text(self, most: int) -> str:
        return " ".join(f"w{self.rng.randrange(99_999)}" for _ in range(self.rng.randrange(1, most // 7 + 2)))

    def head(self, step: int) -> Json:
        if self.chance("system", 0.1):
            self.system += f"\nRule {step}: {self.text(40)}"
        if self.chance("tools", 0.06):
            self.tools = [*self.tools, tool(f"tool_{len(self.tools)}")]
        return {"system": self.system, "tools": self.tools}

    def request(self, step: int) -> Json:
        self.given = self.head(step)
        state = self.ledger.state()
        ready = self.ledger.prepare_json({"input": self.items}, **self.given)
        if self.rng.random() < 0.2:
            # The same from a state that another process would load, through the other function.
            other = tw.Ledger.load(state, model=self.provider.model)
            again = other.prepare({"input": self.items}, **self.given)
            assert again.payload == json.loads(ready.payload) and again.receipt == ready.receipt
            assert other.state() == self.ledger.state()
        body: Json = json.loads(ready.payload)
        self.looked_at(body, ready)
        return body

    def looked_at(self, body: Json, ready: tw.Rendered[bytes]) -> None:
        where = (self.where, len(self.items))
        _, stale = self.provider.read(body)
        assert not stale, (where, stale)
        shown = [item["encrypted_content"] for item in body["input"] if item.get("type") == "reasoning"]
        best = self.provider.best(body)
        assert shown == best, (where, len(shown), len(best), [one for one in best if one not in shown][:3])
        # What the summary covers is gone, except for the users' texts.
        gone = {item["call_id"] for item in self.items[: self.covered] if item["type"] == "function_call"}
        assert not [item for item in body["input"] if item.get("call_id") in gone], where
        self.behind += self.covered > 0 and len(shown)
        errors = [
            one for one in tw.check(body, "openai-responses", source="openai-responses") if one.severity == "error"
        ]
        assert not errors, (where, errors[:3])
        if self.budget is None:
            text = json.dumps(body)
            users = [item["content"] for item in self.items if item.get("role") == "user"]
            assert not [words for words in users if json.dumps(words) not in text], where
            # Everything since the summary is sent, too.
            late = self.items[self.covered :]
            assert not [one["output"] for one in late if "output" in one and one["output"] not in text], where
            assert not [one for one in late if one["type"] == "function_call" and one["call_id"] not in text], where
        elements = [json.dumps(item) for item in body["input"]]
        if self.sent is not None and ready.receipt.break_at is None:
            length, old = self.sent
            if len(self.items) > length and self.items[length]["type"] != "message":
                assert elements[: len(old)] == old, where
        if self.budget is None and not self.edited:
            assert ready.receipt.break_at is None, (
                where,
                ready.receipt.break_at,
                [told.reason for told in ready.receipt.only("warning")],
            )
        # Head, notes and 50 bytes an element.
        state = len(self.ledger.state())
        assert state < 3000 + 4 * len(json.dumps(self.given)) + 60 * len(self.items), (where, state)
        self.sent = (len(self.items), elements)
        self.edited = False

    def answered(self, body: Json, step: int) -> list[Json]:
        items: list[Json] = [{"type": "reasoning", "id": f"rs_{step}_{self.calls}", "summary": []}]
        if self.chance("message", 0.3):
            items.append(answer(f"msg_{step}", f"Step {step}: {self.text(60)}"))
            if self.chance("asks", 0.4):
                return self.provider.reply(body, items)
            items.append({"type": "reasoning", "id": f"rs_{step}_{self.calls}_b", "summary": []})
        for _ in range(self.rng.choice((1, 2, 3)) if "parallel" in self.events else 1):
            self.calls += 1
            path = json.dumps({"path": f"{step}/{self.text(20)}"})
            items.append({**call(f"call_{self.calls}", path), "id": f"fc_{self.calls}"})
        return self.provider.reply(body, items)

    def goes_on(self, reply: list[Json], step: int) -> None:
        self.items += reply
        calls = [item["call_id"] for item in reply if item["type"] == "function_call"]
        if not calls:
            self.items.append(said(f"And now {step}? {self.text(40)}"))
            return
        if self.chance("interrupted", 0.08):
            self.slow += [self.output(call) for call in calls if "late" in self.events]
            self.items.append(said(f"Stop at {step}. Go on."))
            return
        if self.chance("late", 0.15) and len(calls) > 1:
            self.slow.append(self.output(calls.pop()))
        self.items += [self.output(call) for call in calls]
        if self.slow and self.rng.random() < 0.3:
            self.items.append(self.slow.pop(0))

    def output(self, call: str) -> Json:
        return output(call, f"{call}: {self.text(800)}")

    def summary(self, body: Json) -> Json:
        """The item that replaces the last request, which is then sent again."""
        state = self.ledger.state()
        asked = self.ledger.compaction({"input": self.items}, **self.given)
        sent = asked.payload["input"][:-1]
        assert len(asked.sources) == len(sent) + 1
        # One that has not come is asked for again, where its request can still be made.
        if self.waits is None or self.waits[1] != sent:
            assert sent == body["input"]
            self.waits = (len(self.items), sent)
        assert {**asked.payload, "input": 0} == {**body, "input": 0} and asked.headers == {}
        # A repeated request counts once.
        again = tw.Ledger.load(state, model=self.provider.model)
        assert again.compaction({"input": self.items}, **self.given).payload == asked.payload
        self.restart()
        return self.provider.compact(asked.payload)

    def restart(self) -> None:
        self.ledger = tw.Ledger.load(self.ledger.state(), model=self.provider.model)

    def step(self, step: int) -> None:
        body = self.request(step)
        bound = [self.provider.bound(body)]
        if self.chance("retry", 0.1):
            body = self.request(step)
            bound.append(self.provider.bound(body))
        if self.chance("aborted", 0.06):
            self.items.append(said(f"Stopped at {step}. Again."))
            body = self.request(step)
            bound.clear()
        summary = self.summary(body) if self.chance("summary", 0.08) else None
        length = len(self.items)
        self.lengths.append(length)
        reply = self.answered(body, step)
        if len({*bound}) > 1:
            # It answers one of two requests with the same list: which one cannot be verified.
            self.provider.forget(reply)
        self.goes_on(reply, step)
        if summary is not None:
            if self.rng.random() < 0.2:
                # The summary never came.
                return
            # The summary came while the conversation continued.
            self.items.insert(self.rng.randrange(length, len(self.items) + 1), summary)
            assert self.waits is not None
            self.covered, self.edited, self.waits = self.waits[0], True, None
            self.adopted.append((summary, self.covered))
        elif self.chance("branch", 0.05) and len(self.lengths) > 3:
            back = self.rng.choice(self.lengths[-4:-1])
            del self.items[back:]
            # If a summary is gone, the one before it counts again.
            self.adopted = [(one, covered) for one, covered in self.adopted if one in self.items]
            self.covered = self.adopted[-1][1] if self.adopted else 0
            if self.waits is not None and self.waits[0] > back:
                self.waits = None
            self.slow.clear()
            self.items.append(said(f"Rather another way: {step}."))
            self.lengths = [one for one in self.lengths if one < len(self.items)]
            self.edited = True
        if self.chance("restart", 0.1):
            self.restart()


@pytest.mark.parametrize("seed", seeds())
def test_random_runs(seed: int) -> None:
    run = Run(seed)
    for step in range(run.rng.randrange(20, 60)):
        run.step(step)
    BEHIND.append(run.behind)


def test_reasoning_was_sent_after_summaries() -> None:
    assert len(BEHIND) < RUNS or sum(BEHIND) > 10 * RUNS


def conversation() -> list[Json]:
    return [said("one"), call("call_1", "{}"), output("call_1", "found"), answer("msg_1", "Yes."), said("two")]


@pytest.mark.parametrize("place", [5, 6, 7])
def test_what_users_said_stays_before_the_summary(place: int) -> None:
    ledger, items = tw.Ledger("openai-responses"), conversation()
    asked = ledger.compaction({"input": items}, system="Be exact.")
    assert asked.payload == {"instructions": "Be exact.", "input": [*items, {"type": "compaction_trigger"}]}
    assert asked.stable == len(items) - 1 and asked.sources[-1] == ()
    summary = {"type": "compaction", "id": "cmp_1", "encrypted_content": "e" * 40}
    tail = [answer("msg_2", "Three."), said("three")]
    now = [*items, *tail]
    now.insert(place, summary)
    ready = ledger.prepare({"input": now}, system="Be exact.")
    assert ready.payload["input"] == [items[0], items[4], summary, *tail]
    assert ready.receipt.break_at == "$.input[4]"
    found = tw.diff(asked.payload, ready.payload)
    assert found.code == "compacted" and not found.edit and not found.stale
    # Without the summary, the caller has all of it again.
    assert ledger.prepare({"input": [*items, *tail]}, system="Be exact.").payload["input"] == [*items, *tail]


def steps(run: tuple[tw.Ledger, Provider, list[Json]], count: int) -> Json:
    """An agent goes on for so many steps. Returns its last body."""
    ledger, provider, items = run
    body: Json = {}
    for _ in range(count):
        body = ledger.prepare({"input": items}, system="Be exact.").payload
        assert provider.read(body)[1] == []
        name = f"call_{len(items)}"
        items += provider.reply(body, [{"type": "reasoning", "id": f"rs_{name}", "summary": []}, call(name, "{}")])
        items.append(output(name, "found"))
    return body


def thoughts(body: Json) -> list[str]:
    return [item["encrypted_content"] for item in body["input"] if item.get("type") == "reasoning"]


def test_reasoning_verifies_behind_some_that_does_not() -> None:
    """Where reasoning is left out, so are the ids of what it made. Only then does later reasoning verify."""
    ledger, provider, items = tw.Ledger("openai-responses", model="gpt-6.1"), Provider("gpt-6.1"), [said("go")]
    for step, system in enumerate(("Be brief.", "Be brief.", "Be exact.", "Be exact.", "Be exact.")):
        body: Json = ledger.prepare({"input": items}, system=system).payload
        assert provider.read(body)[1] == []
        assert thoughts(body) == provider.best(body)
        made = {**call(f"call_{step}", "{}"), "id": f"fc_{step}"}
        items += provider.reply(body, [{"type": "reasoning", "id": f"rs_{step}", "summary": []}, made])
        items.append(output(f"call_{step}", "found"))
        # All decisions are made anew.
        ledger.forget()
    assert len(thoughts(body)) == 2


def test_the_window_of_the_compact_endpoint_goes_on() -> None:
    """A caller's list may become what /responses/compact returns: the users' messages, and a summary of the rest."""
    run = ledger, provider, items = tw.Ledger("openai-responses", model="gpt-6.1"), Provider("gpt-6.1"), [said("go")]
    body = steps(run, 3)
    summary = provider.compact({**body, "input": [*body["input"], {"type": "compaction_trigger"}]})
    items[:] = [said("go"), summary, said("on")]
    assert steps(run, 1)["input"] == [said("go"), summary, said("on")]
    last = steps(run, 3)
    assert len(thoughts(last)) == 3 and thoughts(last) == provider.best(last)
    assert len(ledger.breaks) == 1


def test_the_item_of_the_compact_endpoint_is_adopted() -> None:
    """It is asked for with the same items, without the trigger; its output ends with the summary."""
    run = ledger, provider, items = tw.Ledger("openai-responses", model="gpt-6.1"), Provider("gpt-6.1"), [said("go")]
    steps(run, 3)
    asked = ledger.compaction({"input": items}, system="Be exact.").payload
    summary = provider.compact(asked)
    covered, place = len(asked["input"]) - 1, len(items)
    items += [summary]
    body = steps(run, 2)
    assert body["input"] == [said("go"), summary, *items[covered:place], *items[place + 1 : -3]]
    assert len(thoughts(body)) == 2


def test_what_a_user_says_beside_results_stays() -> None:
    """A list of another format, in which one message holds both."""
    result = {"type": "tool_result", "tool_use_id": "call_1", "content": "found"}
    history = tw.MessageHistory(
        [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "call_1", "name": "read", "input": {}}]},
            {"role": "user", "content": [result, {"type": "text", "text": "two"}]},
        ]
    )
    ledger = history.ledger("openai-responses")
    ledger.prepare()
    ledger.compaction()
    summary: Any = {"type": "compaction", "id": "cmp_1", "encrypted_content": "e" * 40}
    history.add_raw_message(summary, "openai-responses")
    history.add_user_message("three")
    payload = ledger.prepare().payload["input"]
    assert [item.get("content") for item in payload] == ["one", "two", None, "three"] and payload[2] == summary
