"""Bound reasoning on Bedrock, and two providers in turn in one history: nothing stale is sent, all that holds is."""

from __future__ import annotations

import json
import random
from typing import Any

import bound_items
import pytest
import turnwire as tw
from agent_runs import Run
from bound_reasoning import THINKING, Provider, listed, mark, name_of
from random_runs import seeds

Json = dict[str, Any]
MODEL = "claude-opus-5-5"
EVENTS = (
    "parallel", "interrupted", "late", "split", "tools", "withdrawn", "system", "retry", "aborted", "restart", "asks",
    "interleaved", "again", "failed", "branch",
)  # fmt: skip


def converse(block: Json) -> Json:
    """A block of Anthropic's as one of Bedrock's."""
    match block["type"]:
        case "text":
            return {"text": block["text"]}
        case "thinking":
            text = {"text": block["thinking"], "signature": block["signature"]}
            return {"reasoningContent": {"reasoningText": text}}
        case "tool_use":
            return {"toolUse": {"toolUseId": block["id"], "name": block["name"], "input": block["input"]}}
    status = {"status": "error"} if block.get("is_error") else {}
    return {"toolResult": {"toolUseId": block["tool_use_id"], "content": [{"text": block["content"]}], **status}}


def anthropic(block: Json) -> Json:
    """A block of Bedrock's in the form that the provider reads."""
    ((kind, held),) = block.items()
    match kind:
        case "text":
            return {"type": "text", "text": held}
        case "reasoningContent":
            text = held["reasoningText"]
            return {"type": "thinking", "thinking": text["text"], "signature": text["signature"]}
        case "toolUse":
            return {"type": "tool_use", "id": held["toolUseId"], "name": held["name"], "input": held["input"]}
    return {"type": kind, "held": held}


class Bedrock:
    """A run over Bedrock: the caller's list is in its format, and so are the requests."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(seed)
        self.run = Run(seed, frozenset(rng.sample(EVENTS, rng.randrange(len(EVENTS) + 1))), rng.randrange(15, 50))
        self.budget = rng.choice((None, None, 30_000, 100_000))
        self.ledger = tw.Ledger("bedrock", self.budget, model=MODEL)
        self.provider, self.made = Provider(), dict[str, list[Json]]()
        # The replies without the reasoning that an answered request left out.
        self.replies: dict[str, list[Json]] = {}
        self.last: list[str] = []
        self.shown = self.changes = 0
        self.head: Any = None

    def request(self, step: int) -> Json:
        system, tools = self.run.head(step)
        self.changes += self.head not in (None, (system, tools))
        self.head = (system, tools)
        messages = [
            {"role": one["role"], "content": [converse(block) for block in listed(one["content"])]}
            for one in self.run.messages
        ]
        specs = [{"toolSpec": {**tool, "inputSchema": {"json": tool["input_schema"]}}} for tool in tools]
        for spec in specs:
            del spec["toolSpec"]["input_schema"]
        given = {"messages": messages, "system": [{"text": system}], "toolConfig": {"tools": specs}}
        state = self.ledger.state()
        ready = self.ledger.prepare_json(given)
        made = json.loads(ready.payload)
        if self.rng.random() < 0.2:
            other = tw.Ledger.load(state, model=MODEL)
            assert json.dumps(other.prepare(given).payload) == json.dumps(made)
            assert other.state() == self.ledger.state()
        if self.run.chance("restart", 0.1):
            self.ledger = tw.Ledger.load(self.ledger.state(), model=MODEL)
        where = (self.run.seed, step, self.budget, sorted(self.run.events))
        assert not [one for one in tw.check(made, "bedrock", source="bedrock") if one.severity == "error"], where
        body: Json = {
            "system": [{"type": "text", **block} for block in made.get("system", ())],
            "tools": [tool["toolSpec"] for tool in made["toolConfig"]["tools"]],
            "messages": [
                {**one, "content": [anthropic(block) for block in one["content"]]} for one in made["messages"]
            ],
        }
        assert self.provider.stale(body, MODEL) == [], where
        shown = [mark(block) for one in body["messages"] for block in one["content"] if block["type"] in THINKING]
        # What was left out stays out, even if the tools are again those of its request; but a cut starts again.
        best = [self.provider.best(body, self.replies)]
        if self.budget is not None and ready.receipt.break_at is not None:
            best.append(self.provider.best(body, self.made))
        assert shown in best, where
        self.last = shown
        if self.budget is None and "branch" not in self.run.events:
            # Bedrock has no key for either, so each change of the head is a break, and nothing else is.
            assert len(self.ledger.breaks) <= self.changes, (where, ready.receipt.break_at)
        self.shown += len(shown)
        return body

    def go(self) -> None:
        run, lengths = self.run, list[int]()
        for step in range(run.steps):
            body = self.request(step)
            bound = [self.provider.bound(body, MODEL)]
            if run.chance("retry", 0.1):
                body = self.request(step)
                bound.append(self.provider.bound(body, MODEL))
            if run.chance("aborted", 0.06):
                run.messages.append({"role": "user", "content": f"Stopped at {step}. Again."})
                body = self.request(step)
                bound.clear()
            lengths.append(len(run.messages))
            self.replies = {
                name: [block for block in reply if block["type"] not in THINKING or mark(block) in self.last]
                for name, reply in self.made.items()
            }
            reply = self.provider.reply(body, run.reply(step), MODEL)
            name = name_of([one for one in reply if one["type"] not in THINKING])
            if len({*bound}) <= 1:
                # Else it answers one of two requests with the same list: which one cannot be verified.
                self.made[name] = self.replies[name] = reply
            run.goes_on(reply, step)
            if run.chance("branch", 0.05) and len(lengths) > 3:
                del run.messages[self.rng.choice(lengths[-4:-1]) :]
                run.slow.clear()
                run.messages.append({"role": "user", "content": f"Rather another way: {step}."})
                lengths = [one for one in lengths if one < len(run.messages)]


@pytest.mark.parametrize("seed", seeds())
def test_random_runs_over_bedrock(seed: int) -> None:
    run = Bedrock(seed)
    run.go()
    assert run.shown


def test_what_a_request_without_a_reply_left_out_stays() -> None:
    """An aborted request with other tools left reasoning out. With the tools of before, it verifies again."""
    ledger = tw.Ledger("bedrock", model=MODEL)
    messages: list[Json] = [{"role": "user", "content": [{"text": "Begin."}]}]

    def sent(*names: str) -> int:
        tools = [{"toolSpec": {"name": name, "inputSchema": {"json": {"type": "object"}}}} for name in names]
        body = ledger.prepare_json({"messages": messages, "toolConfig": {"tools": tools}}).payload
        return body.count(b"signature")

    assert sent("read") == 0
    for step in range(3):
        thought = {"type": "thinking", "thinking": f"t{step}", "signature": f"signed-{step}"}
        messages.append({"role": "assistant", "content": [converse(thought), {"text": f"Done: {step}."}]})
        messages.append({"role": "user", "content": [{"text": f"And {step}?"}]})
        if step < 2:
            assert sent("read") == step + 1
    assert sent("read", "write") == 0
    messages.append({"role": "user", "content": [{"text": "Stopped. Again."}]})
    assert sent("read") == 3
    messages.append({"role": "assistant", "content": [{"text": "Well."}]})
    messages.append({"role": "user", "content": [{"text": "More."}]})
    assert sent("read") == 3


class Switch:
    """One list, to which Claude and GPT add in turn. Each has its own ledger."""

    def __init__(self, seed: int) -> None:
        self.rng, self.messages, self.count = random.Random(seed), list[Json](), 0
        self.claude, self.gpt = Provider(), bound_items.Provider("gpt-6.1")
        self.ledgers = {
            "anthropic": tw.Ledger("anthropic", model=MODEL),
            "openai-responses": tw.Ledger("openai-responses", model=self.gpt.model),
        }
        self.replies: dict[str, list[Json]] = {}
        self.shown = {"anthropic": 0, "openai-responses": 0}

    def body(self, target: Any) -> Json:
        tools = [{"name": "read", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}]
        ready = self.ledgers[target].prepare_json(self.messages, system="Be exact.", tools=tools)
        assert ready.receipt.break_at is None, (target, ready.receipt.break_at)
        body: Json = json.loads(ready.payload)
        assert not [one for one in tw.check(body, target, source=target) if one.severity == "error"]
        if self.rng.random() < 0.3:
            state, model = self.ledgers[target].state(), MODEL if target == "anthropic" else self.gpt.model
            self.ledgers[target] = tw.Ledger.load(state, model=model)
        return body

    def ask_claude(self) -> None:
        body = self.body("anthropic")
        shown = [
            mark(block) for one in body["messages"] for block in listed(one["content"]) if block["type"] in THINKING
        ]
        assert self.claude.stale(body, MODEL) == [] and shown == self.claude.best(body, self.replies)
        self.shown["anthropic"] += len(shown)
        thought = {"type": "thinking", "thinking": f"t{self.count}"}
        calls = [{"type": "tool_use", "name": "read", "id": one, "input": {"path": one}} for one in self.ids()]
        reply = self.claude.reply(body, [thought, {"type": "text", "text": f"s{self.count}"}, *calls], MODEL)
        self.replies[name_of(reply[1:])] = reply
        self.messages.append({"role": "assistant", "content": reply})
        if calls:
            results = [{"type": "tool_result", "tool_use_id": one["id"], "content": f"r {one['id']}"} for one in calls]
            self.messages.append({"role": "user", "content": results})

    def ask_gpt(self) -> None:
        body = self.body("openai-responses")
        shown = [one["encrypted_content"] for one in body["input"] if one.get("type") == "reasoning"]
        assert self.gpt.read(body)[1] == [] and shown == self.gpt.best(body)
        self.shown["openai-responses"] += len(shown)
        items: list[Json] = [{"type": "reasoning", "id": f"rs_{self.count}", "summary": []}]
        calls = [
            {"type": "function_call", "call_id": one, "name": "read", "arguments": json.dumps({"path": one})}
            for one in self.ids()
        ]
        said = {"type": "output_text", "text": f"s{self.count}", "annotations": []}
        message = {"type": "message", "id": f"msg_{self.count}", "role": "assistant", "content": [said]}
        self.messages += self.gpt.reply(body, [*items, *(calls or [message])])
        for one in calls:
            result = {"type": "function_call_output", "call_id": one["call_id"], "output": f"r {one['call_id']}"}
            self.messages.append(result)

    def ids(self) -> list[str]:
        self.count += 1
        return [f"call_{self.count}_{at}" for at in range(self.rng.choice((0, 1, 1, 2)))]

    def go(self) -> None:
        who = self.rng.choice((self.ask_claude, self.ask_gpt))
        for step in range(self.rng.randrange(8, 30)):
            if not self.messages or self.messages[-1].get("role") == "assistant":
                self.messages.append({"role": "user", "content": f"q{step}"})
            if self.rng.random() < 0.25:
                who = self.rng.choice((self.ask_claude, self.ask_gpt))
            who()


@pytest.mark.parametrize("seed", seeds())
def test_each_providers_reasoning_waits_for_him(seed: int) -> None:
    run = Switch(seed)
    run.go()
    assert sum(run.shown.values())


@pytest.mark.parametrize("source", ["anthropic", "bedrock"])
def test_a_reply_in_the_callers_names_is_bound_to_the_names_that_were_sent(source: Any) -> None:
    """A tool's name is made legal, and the caller's list has its own name for it. The thought behind a call stays."""
    ledger, provider = tw.Ledger("anthropic", model=MODEL), Provider()
    tools = [{"name": "files.read", "input_schema": {"type": "object", "properties": {}}}]
    messages: list[Json] = [{"role": "user", "content": [{"text": "go"}] if source == "bedrock" else "go"}]
    body: Json = ledger.prepare(messages, source=source, tools=tools).payload
    name = body["tools"][0]["name"]
    calls = [{"type": "tool_use", "id": id, "name": name, "input": {}} for id in ("a", "b")]
    blocks = provider.reply(
        body,
        [{"type": "thinking", "thinking": "hm"}, calls[0], {"type": "thinking", "thinking": "and"}, calls[1]],
        MODEL,
    )
    results = [{"type": "tool_result", "tool_use_id": id, "content": "r"} for id in ("a", "b")]
    blocks = [{**block, "name": "files.read"} if block["type"] == "tool_use" else block for block in blocks]
    form = converse if source == "bedrock" else dict
    messages += [
        {"role": "assistant", "content": [*map(form, blocks)]},
        {"role": "user", "content": [*map(form, results)]},
    ]
    body = ledger.prepare(messages, source=source, tools=tools).payload
    assert name != "files.read" and provider.stale(body, MODEL) == []
    assert [block["type"] for block in body["messages"][1]["content"]] == ["thinking", "tool_use"] * 2
