"""A run of requests continues where it ended: nothing stale is sent, all that verifies is, and sent bytes stay."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import growing_runs as runs
import pytest
import stand_ins
import turnwire as tw
from agent_runs import EVENTS, Run
from bound_reasoning import CHECKS, THINKING, Provider, listed, mark, name_of
from random_runs import RUNS, seeds

# Events that change what was sent; after all others the run continues.
EDITS = {"branch", "forget", "edit", "twice"}


class Driver:
    """One run: the caller's list, its ledger, and the provider."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(seed)
        events = rng.sample(EVENTS, rng.randrange(0, len(EVENTS) + 1)) if seed % 3 else rng.sample(EVENTS, 4)
        self.run = Run(seed, frozenset(events), rng.randrange(30, 151) if RUNS > 100 else rng.randrange(20, 60))
        self.budget = rng.choice((None, None, 30_000, 100_000, 200_000))
        keep = rng.choice((0.3, 0.5, 0.7))
        self.ledger = tw.Ledger("anthropic", tw.Budget(self.budget, reserve=1 - keep), model=self.run.model)
        self.provider = Provider()
        self.replies: dict[str, list[dict[str, Any]]] = {}
        # What the replies to each list of the caller were bound to, and the list that each reply answers.
        self.bound: dict[str, set[str]] = {}
        self.asked: dict[str, str] = {}
        self.sent: tuple[int, list[str]] | None = None
        self.seen = {"requests": 0, "blocks": 0, "breaks": 0}
        self.lengths: list[int] = []
        self.edited = False

    def __str__(self) -> str:
        return f"seed {self.run.seed}, budget {self.budget}, {sorted(self.run.events)}"

    def request(self, step: int) -> dict[str, Any]:
        run = self.run
        system, tools = self.given = run.head(step)
        messages = run.marked()
        before = json.dumps(messages)
        state = self.ledger.state()
        # By both doors in turn: on objects, messages that the last request had are not written as JSON again.
        door = self.ledger.prepare_json if step % 2 else self.ledger.prepare
        ready: tw.Rendered[Any] = door(messages, system=system, tools=tools)
        body = json.loads(ready.payload) if step % 2 else json.loads(json.dumps(ready.payload))
        assert json.dumps(messages) == before
        # The same from a state that another process would load, through the other function.
        if self.rng.random() < 0.2:
            other = tw.Ledger.load(state, model=run.model)
            again = other.prepare(messages, system=system, tools=tools)
            assert json.dumps(again.payload) == json.dumps(body)
            assert other.state() == self.ledger.state() and again.receipt == ready.receipt
        self.looked_at(body, ready)
        self.list = listed_in({"messages": run.messages})
        self.bound.setdefault(self.list, set()).add(self.provider.bound(body, run.model))
        return body

    def summary(self, body: dict[str, Any]) -> dict[str, Any]:
        """The block that replaces the last request, which is then sent again."""
        system, tools = self.given
        asked = self.ledger.compaction(self.run.marked(), system=system, tools=tools)
        assert "compact-2026-09-04" in asked.headers["anthropic-beta"]
        assert asked.payload.pop("compaction") == {"type": "summarize"}
        assert listed_in(asked.payload) == listed_in(body)
        return self.provider.summary(body, self.run.model)

    def looked_at(self, body: dict[str, Any], ready: tw.Rendered[Any]) -> None:
        model = self.run.model
        where = f"{self}, request {self.seen['requests']}, {len(self.run.messages)} messages"
        shown = [
            mark(block)
            for message in body["messages"]
            for block in listed(message["content"])
            if block["type"] in THINKING
        ]
        assert not self.provider.stale(body, model), where
        given = [
            mark(block)
            for message in self.run.messages
            for block in listed(message["content"])
            if block["type"] in THINKING
        ]
        reasoning = {"kept": len(shown), "dropped": len(given) - len(shown)}
        assert ready.receipt.reasoning == reasoning, (where, ready.receipt.reasoning, reasoning)
        told = {str(entry.path).partition("]")[0] for entry in ready.receipt}
        exchanges = {str(entry.path).partition("]")[0] for entry in ready.receipt if entry.code == "dropped_exchange"}
        for index, message in enumerate(self.run.messages):
            lost = {mark(block) for block in listed(message["content"]) if block["type"] in THINKING} - {*shown}
            first = index
            while first and self.run.messages[first - 1]["role"] == "assistant":
                first -= 1
            # Adjacent assistant turns are one exchange, which is reported at its first turn behind a compaction.
            dropped = any(f"$[{at}" in exchanges for at in range(first, index + 1))
            assert not lost or dropped or f"$[{index}" in told, (where, index, list(ready.receipt))
        best = self.best(body, shown)
        # A model that does not check is shown no less.
        assert shown == best or (model not in CHECKS and not {*best} - {*shown}), (
            where,
            len(shown),
            len(best),
            [one for one in best if one not in shown][:3],
        )
        errors = [found for found in tw.check(body, "anthropic", source="anthropic") if found.severity == "error"]
        assert not errors, (where, errors[:3])
        elements = [unmarked({**message, "content": listed(message["content"])}) for message in body["messages"]]
        if self.sent is not None and ready.receipt.break_at is None:
            length, old = self.sent
            if len(self.run.messages) > length and self.run.messages[length]["role"] == "assistant":
                assert elements[: len(old)] == old, (where, first_difference(old, elements))
        self.seen["breaks"] += ready.receipt.break_at is not None
        if self.budget is None and not self.edited and self.sent is not None:
            assert ready.receipt.break_at is None, (
                where,
                ready.receipt.break_at,
                [told.reason for told in ready.receipt.only("warning")],
            )
        self.sent = (len(self.run.messages), elements)
        self.seen["requests"] += 1
        self.seen["blocks"] += len(shown)

    def best(self, body: dict[str, Any], shown: list[str]) -> list[str]:
        """What the request had to hold, where it held `shown`.

        A reply to one of several requests with the same list cannot be verified if they were bound to different things.
        """
        verified = {
            name: blocks
            for name, blocks in self.replies.items()
            if len(self.bound[self.asked[name]]) == 1 or any(mark(block) in shown for block in blocks)
        }
        return self.provider.best(body, verified)

    def answered(self, body: dict[str, Any], step: int) -> list[dict[str, Any]]:
        reply = self.provider.reply(body, self.run.reply(step), self.run.model)
        name = name_of([block for block in reply if block["type"] not in THINKING])
        self.replies[name], self.asked[name] = reply, self.list
        return reply

    def go(self) -> None:
        for _ in self.steps():
            pass

    def steps(self) -> Iterator[None]:
        """The run; between two of them, the ledger may serve another conversation."""
        run, rng = self.run, self.rng
        for step in range(run.steps):
            yield
            body = self.request(step)
            if run.chance("retry", 0.1):
                body = self.request(step)
            if run.chance("aborted", 0.06):
                run.messages.append({"role": "user", "content": f"Stopped at {step}. Again."})
                body = self.request(step)
            if run.chance("queued", 0.04):
                # The reply will follow messages that it did not follow when it was made.
                run.messages.append({"role": "user", "content": f"While you think: {step}."})
                self.edited = True
            summary = self.summary(body) if run.chance("summary", 0.06) else None
            self.lengths.append(len(run.messages))
            yield
            reply = self.answered(body, step)
            run.goes_on(reply, step)
            if summary is not None:
                run.messages.append({"role": "assistant", "content": [summary]})
                self.edited = True
            if summary is None and run.chance("twice", 0.04):
                # The other reply to the same request replaces the first, or comes after it.
                other = self.answered(body, step + 10_000)
                at = next(n for n in range(len(run.messages) - 1, -1, -1) if run.messages[n]["content"] is reply)
                self.edited = True
                if rng.random() < 0.5:
                    del run.messages[at:]
                    run.slow.clear()
                    run.goes_on(other, step)
                else:
                    run.messages.insert(at + 1, {"role": "assistant", "content": other})
            if run.chance("models", 0.08):
                # A reply that cannot be verified is shown to a model that does not check, and to no other.
                self.edited |= any(len(self.bound[asked]) > 1 for asked in self.asked.values())
                run.model = rng.choice(("claude-opus-5-5", "claude-fable-5-1", "claude-opus-5"))
                self.reload()
            if run.chance("restart", 0.1):
                self.reload()
            if run.chance("branch", 0.05) and len(self.lengths) > 3:
                del run.messages[rng.choice(self.lengths[-4:-1]) :]
                run.slow.clear()
                run.messages.append({"role": "user", "content": f"Rather another way: {step}."})
                self.lengths = [n for n in self.lengths if n < len(run.messages)]
                self.edited = True
            if run.chance("forget", 0.03):
                self.ledger.forget()
                self.sent, self.edited = None, True
            if run.chance("edit", 0.04):
                at = rng.randrange(len(run.messages))
                if run.messages[at]["role"] == "user" and isinstance(run.messages[at]["content"], str):
                    run.messages[at] = {"role": "user", "content": f"Edited: {step}"}
                    self.edited = True

    def reload(self) -> None:
        self.ledger = tw.Ledger.load(self.ledger.state(), model=self.run.model)


def unmarked(value: Any) -> str:
    def without(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: without(held) for key, held in value.items() if key != "cache_control"}
        return [without(one) for one in value] if isinstance(value, list) else value

    return json.dumps(without(value))


def listed_in(body: dict[str, Any]) -> str:
    """A body without marks, which turn a text into a list."""
    messages = [{**message, "content": listed(message["content"])} for message in body["messages"]]
    return unmarked({**body, "messages": messages})


def first_difference(old: list[str], new: list[str]) -> Any:
    return next(
        ((n, a[:300], b[:300]) for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), (len(old), len(new))
    )


@pytest.mark.parametrize("seed", seeds())
def test_random_runs(seed: int) -> None:
    print("seed", seed)
    driver = Driver(seed)
    driver.go()
    assert driver.seen["requests"] >= driver.run.steps


def conversation(dialect: str, steps: int) -> list[list[dict[str, Any]]]:
    """The caller's list, request by request, in OpenAI's format: an interruption, a late result, a second question."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    lists = []
    for step in range(steps):
        lists.append(list(messages))
        call = {
            "id": f"call_{step:05}",
            "type": "function",
            "function": {"name": "read", "arguments": f'{{"n": {step}}}'},
        }
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        if step == 3:
            messages.append({"role": "user", "content": "Stop. Go on."})
            continue
        messages.append({"role": "tool", "tool_call_id": f"call_{step:05}", "content": f"result {step}"})
        if step == 6:
            messages.append({"role": "tool", "tool_call_id": "call_00003", "content": "the late one"})
        if step == 8:
            lists.append(list(messages))
            messages += [{"role": "assistant", "content": "Done."}, {"role": "user", "content": "Once more."}]
    return lists


def elements(payload: Any) -> list[Any]:
    if isinstance(payload, list):
        return payload
    return next(
        payload[key]
        for key in ("messages", "input", "contents", "conversations", "gen_ai.input.messages")
        if key in payload
    )


# A UIMessage grows until the user speaks: test_ledger_growing.py checks what was sent of it.
@pytest.mark.parametrize(
    "target", [name for name in tw.dialects() if name not in ("sharegpt", "structured", "history", "ai-sdk-ui")]
)
def test_sent_messages_stay_unchanged_in_every_format(target: str) -> None:
    ledger = tw.Ledger(target, on_system_change="freeze", on_tools_change="freeze")
    sent: list[Any] = []
    seen = []
    for messages in conversation(target, 14):
        ready = ledger.prepare(messages, system="Be exact.", tools=TOOLS)
        now = elements(json.loads(json.dumps(ready.payload)))
        stands = now[: len(sent)] == sent
        # A stand-in for a signature is removed once the user speaks again.
        assert stands or target in stand_ins.FORMATS, (target, len(messages))
        assert stand_ins.without(now)[: len(sent)] == stand_ins.without(sent)
        assert (ready.receipt.break_at is None) == stands
        found = tw.check(ready.payload, target, source=target, tool_results=target.startswith("llama"))
        assert not [one for one in found if one.severity == "error"]
        sent = now
        seen += [entry.code for entry in ready.receipt if entry.kind != "warning"]
    text = json.dumps(sent)
    assert "Late result of read" in text and "the late one" in text
    assert "late_result" in seen and bool(ledger.breaks) == (target in stand_ins.FORMATS)


@pytest.mark.parametrize(
    "target",
    [
        "openai:local",
        "openai:minimax",
        "openai:plain",
        "openai:perplexity",
        "openai:qwen+system=one",
        "mistral",
        "llama",
    ],
)
def test_new_system_text_is_a_break_where_it_has_to_be_in_front(target: Any) -> None:
    ledger = tw.Ledger(target)
    messages = [{"role": "user", "content": "q1"}]
    ledger.prepare(messages, system="A.")
    messages += [{"role": "assistant", "content": "a1"}, {"role": "user", "content": "q2"}]
    ready = ledger.prepare(messages, system="A.\nB.")
    assert ready.payload == tw.prepare(messages, target, system="A.\nB.").payload
    assert (ready.receipt.break_at, [entry.code for entry in ready.receipt]) == ("$.system", [])
    messages += [{"role": "assistant", "content": "a2"}, {"role": "user", "content": "q3"}]
    assert ledger.prepare(messages, system="A.\nB.").receipt.break_at is None


TOOLS = [{"type": "function", "function": {"name": "read", "description": "Read.", "parameters": {"type": "object"}}}]
MORE = [
    *TOOLS,
    {"type": "function", "function": {"name": "grep", "description": "Search.", "parameters": {"type": "object"}}},
]


@pytest.mark.parametrize(
    ("target", "breaks"),
    [("anthropic", 0), ("openai-responses", 0), ("openai", 1), ("bedrock", 1), ("gemini", 1), ("mistral", 1)],
)
def test_another_head_is_said_at_the_end_where_the_target_takes_that(target: str, breaks: int) -> None:
    ledger = tw.Ledger(target)
    ledger.prepare([{"role": "user", "content": "go"}], system="one\ntwo", tools=TOOLS)
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "yes"},
        {"role": "user", "content": "on"},
    ]
    ready = ledger.prepare(messages, system="one\nthree", tools=MORE)
    text = json.dumps(ready.payload)
    assert "three" in text and "grep" in text
    assert len(ledger.breaks) == breaks
    assert ("two" in text) == (target in ("anthropic", "openai-responses", "openai"))


@pytest.mark.parametrize("target", ["anthropic", "openai-responses", "openai", "gemini", "mistral"])
def test_a_frozen_head_stays(target: str) -> None:
    ledger = tw.Ledger(target, on_system_change="freeze", on_tools_change="freeze")
    first = ledger.prepare([{"role": "user", "content": "go"}], system="one\ntwo", tools=TOOLS)
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "yes"},
        {"role": "user", "content": "on"},
    ]
    ready = ledger.prepare(messages, system="one\nthree", tools=MORE)
    assert "three" not in json.dumps(ready.payload) and "grep" not in json.dumps(ready.payload)
    assert first.payload.get("tools") == ready.payload.get("tools")
    assert len([told.reason for told in ready.receipt.only("warning")]) == 2 and ledger.breaks == ()


def test_a_request_after_a_state_is_the_same_each_time() -> None:
    lists = conversation("anthropic", 8)
    ledger = tw.Ledger("anthropic")
    ledger.prepare(lists[0])
    state = ledger.state()
    second = ledger.prepare(lists[1])
    assert second == tw.Ledger.load(state).prepare(lists[1]) == tw.Ledger.load(state).prepare(lists[1])
    assert second.stable == len(second.messages) - 1
    assert tw.prepare(lists[0], "anthropic").stable is None


def test_a_ledger_pickles_and_loads_with_its_budget() -> None:
    import pickle

    ledger = tw.Ledger("anthropic", tw.Budget(50_000, reserve=0.7), on_full="error")
    for messages in conversation("anthropic", 6):
        ledger.prepare(messages)
    again = pickle.loads(pickle.dumps(ledger))
    assert again.state() == ledger.state() and repr(again) == repr(ledger)
    loaded = tw.Ledger.load(ledger.state())
    assert json.loads(loaded.state())["settings"] == {
        "target": "anthropic",
        "max_bytes": 50_000,
        "max_tokens": None,
        "per_result": None,
        "reserve": 0.7,
        "on_full": "error",
        "on_system_change": "append",
        "on_tools_change": "append",
    }


def test_the_budget_is_full() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    strict = tw.Ledger("anthropic", 3000, on_full="error")
    soft = tw.Ledger("anthropic", 3000, on_full="send")
    cut = tw.Ledger("anthropic", 3000)
    full = False
    for step in range(12):
        assert "x" * 400 in str(soft.prepare(messages).payload) or step == 0
        ready = cut.prepare(messages)
        assert ready.receipt.totals is not None and ready.receipt.totals["after"] <= 3000
        try:
            strict.prepare(messages)
        except tw.BuildError as error:
            assert error.code == "ledger_full"
            full = True
        call = {"type": "tool_use", "id": f"toolu_{step}", "name": "read", "input": {"n": step}}
        result = {"type": "tool_result", "tool_use_id": f"toolu_{step}", "content": "x" * 400}
        messages += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    assert full and len(cut.breaks) >= 1 and soft.breaks == ()
    assert len(soft.prepare(messages).payload["messages"]) == len(messages)
    # A budget that shrinks below what is frozen causes one more cut; one that fits nothing is an error.
    ready = tw.Ledger.load(cut.state(), budget=tw.Budget(2000)).prepare(messages)
    assert ready.receipt.break_at is not None
    with pytest.raises(tw.BuildError) as raised:
        tw.Ledger.load(cut.state(), budget=tw.Budget(3)).prepare(messages)
    assert raised.value.code == "budget_too_small"
    assert "got 3:" in str(raised.value)


def test_a_summary_is_adopted_wherever_its_block_is_put() -> None:
    texts = ["one", "two", "three", "four"]
    messages: list[dict[str, Any]] = []
    for text in texts:
        messages += [{"role": "user", "content": text}, {"role": "assistant", "content": text.upper()}]
    block = {"type": "compaction", "content": "So far.", "signature": "c2lnbmVk"}
    turn = {"role": "assistant", "content": [block]}
    for place in (3, 4, 5):
        ledger = tw.Ledger("anthropic")
        # Without an earlier request, it asks for a summary of all given messages.
        asked = ledger.compaction(messages[:3], system="Be exact.")
        assert asked.payload["compaction"] == {"type": "summarize"} and len(asked.payload["messages"]) == 3
        ledger = tw.Ledger.load(ledger.state())
        now = [*messages[:place], turn, *messages[place:5]]
        ready = ledger.prepare(now, system="Be exact.")
        assert ready.payload["messages"] == [turn, *messages[3:5]], place
        assert ready.sources[0] == (place,) and str(ready.receipt.break_at) == f"$[{place}]"
        later = [*now, *messages[5:7]]
        assert ledger.prepare(later, system="Be exact.").payload["messages"] == [turn, *messages[3:7]]
        # Without the block, the caller has all of it again.
        assert ledger.prepare(messages[:7], system="Be exact.").payload["messages"] == messages[:7]


def thinking_run(steps: int) -> tuple[tw.Ledger, Provider, list[dict[str, Any]]]:
    """A ledger, a provider, and a list of messages with so many replies that think."""
    run = (tw.Ledger("anthropic", model="claude-opus-5-5"), Provider(), [{"role": "user", "content": "go"}])
    for _ in range(steps):
        think(run)
    return run


def think(run: tuple[tw.Ledger, Provider, list[dict[str, Any]]]) -> tw.Rendered[Any]:
    """One step more. Nothing stale goes out."""
    ledger, provider, messages = run
    ready = ledger.prepare(messages, system="Be exact.")
    assert not provider.stale(ready.payload, "claude-opus-5-5")
    blocks = [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": f"said {len(messages)}"}]
    messages.append({"role": "assistant", "content": provider.reply(ready.payload, blocks, "claude-opus-5-5")})
    messages.append({"role": "user", "content": f"on {len(messages)}"})
    return ready


def test_a_summary_that_has_not_come_is_asked_for_again() -> None:
    """The second request for one is of the same messages, though the conversation has gone on. One block is enough."""
    run = ledger, provider, messages = thinking_run(3)
    asked = [ledger.compaction(messages[:-2], system="Be exact.")]
    covered = len(asked[0].payload["messages"])
    think(run)
    asked.append(ledger.compaction(messages, system="Be exact."))
    think(run)
    ledger = tw.Ledger.load(ledger.state(), model="claude-opus-5-5")
    asked.append(ledger.compaction(messages, system="Be exact."))
    run = (ledger, provider, messages)
    assert asked[0].payload == asked[1].payload == asked[2].payload
    blocks = []
    for one in asked:
        del one.payload["compaction"]
        blocks.append({"role": "assistant", "content": [provider.summary(one.payload, "claude-opus-5-5")]})
    # The first that comes replaces those messages, with all the reasoning behind them.
    messages.append(blocks[1])
    sent = think(run).payload["messages"]
    assert sent == [blocks[1], *messages[covered:-3]]
    # The others say the same.
    for block in (blocks[0], blocks[2]):
        at = len(messages)
        messages.append(block)
        ready = think(run)
        assert ready.receipt.break_at is None and ready.payload["messages"][: len(sent)] == sent
        assert block not in ready.payload["messages"] and blocks[1] in ready.payload["messages"]
        told = {str(entry.path): entry.code for entry in ready.receipt}
        assert told[f"$[{at}]"] == "compacted"
        assert ready.receipt.reasoning["kept"] == str(ready.payload).count("'signed-")
        sent = ready.payload["messages"]
    # The next summary is of a conversation that has one.
    again = ledger.compaction(messages, system="Be exact.")
    assert again.payload["messages"] == sent
    del again.payload["compaction"]
    last = {"role": "assistant", "content": [provider.summary(again.payload, "claude-opus-5-5")]}
    messages.append(last)
    ready = think(run)
    assert ready.payload["messages"] == [last, *messages[-5:-3]]
    assert think(run).receipt.break_at is None


def test_a_provider_that_summarises_by_itself_is_not_asked() -> None:
    for target in ("openai", "bedrock", "gemini"):
        ledger = tw.Ledger(target)
        with pytest.raises(tw.RenderError, match="summarises on demand") as caught:
            ledger.compaction([{"role": "user", "content": "go"}])
        assert caught.value.code == "refused" and ledger.state() == tw.Ledger(target).state()


def test_tokens_are_counted() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    ledger = tw.Ledger("openai", budget=tw.Budget(max_tokens=400, count=lambda text: len(text.split())))
    for step in range(30):
        ready = ledger.prepare(messages)
        assert ready.receipt.totals is not None and ready.receipt.totals["after"] <= 400
        messages += [{"role": "assistant", "content": "word " * 20}, {"role": "user", "content": f"and {step}"}]
        if step == 15:
            ledger = tw.Ledger.load(ledger.state(), budget=ledger.budget)
    assert 1 <= len(ledger.breaks) <= 6


def test_bad_states_are_refused() -> None:
    ledger = tw.Ledger("anthropic")
    ledger.prepare([{"role": "user", "content": "go"}])
    state = ledger.state()
    bad = [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"null",
        state[: len(state) // 2],
        state.replace(b'"turnwire_ledger":1', b'"turnwire_ledger":2'),
    ]
    bad += [state.replace(b'"sums":"', b'"sums":"!'), state.replace(b'"records":""', b'"records":"AAAA"')]
    for one in bad:
        with pytest.raises(tw.TurnwireError) as raised:
            tw.Ledger.load(one)
        assert raised.value.code == "bad_state", one
    elsewhere = json.loads(state)
    elsewhere["settings"]["target"] = "openai"
    with pytest.raises(tw.TurnwireError, match="one for anthropic"):
        tw.Ledger.load(json.dumps(elsewhere).encode()).prepare(["go"])
    of_a_request = {**json.loads(state), "settings": None}
    with pytest.raises(tw.TurnwireError, match=r"that of a single request, which 0\.1 wrote"):
        tw.Ledger.load(json.dumps(of_a_request).encode())
    for value in (1, "state", {}, [], bytearray(state), None):
        with pytest.raises(TypeError, match="state: expected bytes"):
            tw.Ledger.load(value)  # type: ignore[arg-type]
    for name, value, error in (
        ("budget", "x", TypeError), ("on_full", "no", tw.TurnwireError), ("on_full", 1, TypeError),
        ("on_system_change", "no", tw.TurnwireError), ("on_tools_change", None, TypeError), ("nonsense", 1, TypeError),
        ("end", "calls", tw.TurnwireError), ("end", "row", tw.TurnwireError), ("keep", 0.5, TypeError),
    ):  # fmt: skip
        with pytest.raises(error):
            tw.Ledger("openai", **{name: value})
    with pytest.raises(tw.UnknownDialectError):
        tw.Ledger("opemai")  # type: ignore[arg-type]


def test_lists_that_no_request_has_seen() -> None:
    lists = conversation("anthropic", 12)
    ledger = tw.Ledger("anthropic")
    for messages in lists:
        ledger.prepare(messages)
    state = ledger.state()
    other = [{"role": "user", "content": "another conversation"}, {"role": "assistant", "content": "yes"}]
    shuffled = [*lists[-1][:1], *reversed(lists[-1][1:])]
    for messages in (
        lists[3],
        other * 4 + lists[-1],
        [*other, lists[0][0]],
        lists[-1][4:],
        shuffled,
        lists[-1] * 2,
        lists[0],
    ):
        ledger = tw.Ledger.load(state, wording={"opening": "Go on."})
        ready = ledger.prepare(messages)
        assert not [
            found for found in tw.check(ready.payload, "anthropic", source="anthropic") if found.severity == "error"
        ]
        again = ledger.prepare([*messages, {"role": "assistant", "content": "a"}, {"role": "user", "content": "b"}])
        assert again.payload["messages"][: len(ready.payload["messages"])] == ready.payload["messages"]
    edited = [*lists[-1]]
    edited[0] = {"role": "user", "content": "edited"}
    ready = tw.Ledger.load(state).prepare(edited)
    assert ready.receipt.break_at == "$[0]" and any(
        "the list differs from what was sent before" in one
        for one in (told.reason for told in ready.receipt.only("warning"))
    )
    with pytest.raises(tw.BuildError):
        tw.Ledger.load(state).prepare([])


def test_a_state_of_this_version_is_read() -> None:
    kept = Path(__file__).parent / "stored/0.1/ledger_state.json"
    messages = json.loads((Path(__file__).parent / "stored/0.1/ledger_messages.json").read_bytes())
    ledger = tw.Ledger.load(kept.read_bytes(), model="claude-opus-5-5")
    ready = ledger.prepare(messages, system="Be exact.\nIt is noon.", tools=MORE)
    assert ready.receipt.break_at is None
    assert ready.receipt.reasoning == {"kept": 3, "dropped": 0}


@pytest.mark.parametrize(
    ("plants", "budget"), [(name, budget) for name in ("plain", "all") for budget in (None, 100_000)]
)
def test_the_simulator_refuses_nothing(plants: str, budget: int | None) -> None:
    class Ours:
        def __init__(self) -> None:
            self.ledger = tw.Ledger("anthropic", budget, model=runs.MODEL)

        def body(self, messages: list[Any], system: str, tools: list[Any]) -> Any:
            return self.ledger.prepare(messages, system=system, tools=tools).payload

    seen = runs.run(Ours(), runs.PLANTS[plants])
    assert (seen["refused"], seen["stale"], seen["bad"]) == (0, 0, 0)
    assert seen["valid"] == "100 %" if budget is None else seen["breaks"] <= 7


def test_an_agent_of_300_steps_is_refused_nothing_and_costs_about_half(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a budget of 100 kB, beside `prepare` alone that keeps its reasoning, most of which is refused.

    Beside a `prepare` that leaves out stale reasoning, it costs 0.60 times as much and keeps 8 times as much.
    """

    class Ours:
        def __init__(self) -> None:
            self.ledger = tw.Ledger("anthropic", 100_000, model=runs.MODEL)

        def body(self, messages: list[Any], system: str, tools: list[Any]) -> Any:
            return self.ledger.prepare(messages, system=system, tools=tools).payload

    monkeypatch.setattr(runs, "STEPS", 299)
    ours, alone = (
        runs.run(Ours(), runs.PLANTS["plain"]),
        runs.run(runs.Today(100_000, reasoning="keep"), runs.PLANTS["plain"]),
    )
    print(ours, alone, sep="\n")
    assert ours["requests"] == alone["requests"] == 300
    assert (ours["refused"], ours["stale"], ours["bad"]) == (0, 0, 0) and alone["refused"] > 0
    assert ours["sent"] >= 1.5 * (alone["sent"] - alone["stale"])
    assert float(ours["cost"]) <= 0.5 * float(alone["cost"])
