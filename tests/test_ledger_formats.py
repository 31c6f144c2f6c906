"""A run of requests continues in every format, whoever made the replies: a switch of provider, and back, in mid-run."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import turnwire as tw
from bound_reasoning import Provider
from random_runs import tries
from runs.makers import converse

Json = dict[str, Any]

SEEDS = range(tries(20))
MODEL = "claude-opus-5-5"
TOOLS = [{"name": "look", "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}}}]


class Talk:
    """A growing conversation, each reply in the words of its provider. Every text is a unique word."""

    def __init__(self, seed: int) -> None:
        self.dice, self.list, self.count = random.Random(seed), list[Json](), 0
        self.words: list[str] = []

    def word(self) -> str:
        self.count += 1
        self.words.append(f"w{self.count}w")
        return self.words[-1]

    def ask(self) -> None:
        self.list.append({"role": "user", "content": self.word()})

    def reply(self, provider: str) -> None:
        ids = [f"call_{self.count}_{at}" for at in range(self.dice.choice((0, 0, 1, 2)))]
        self.list += getattr(self, provider)(ids)

    def anthropic(self, ids: list[str]) -> list[Json]:
        signature = base64.b64encode(f"signed {self.count}".encode()).decode()
        thought = [{"type": "thinking", "thinking": "Hm.", "signature": signature}]
        said = [{"type": "text", "text": self.word()}]
        calls = [{"type": "tool_use", "id": id, "name": "look", "input": {"q": self.word()}} for id in ids]
        made = [{"role": "assistant", "content": [*thought[: self.dice.randint(0, 1)], *said, *calls]}]
        results = [{"type": "tool_result", "tool_use_id": id, "content": self.word()} for id in ids]
        return [*made, {"role": "user", "content": results}] if ids else made

    def openai(self, ids: list[str]) -> list[Json]:
        calls = [
            {"id": id, "type": "function", "function": {"name": "look", "arguments": json.dumps({"q": self.word()})}}
            for id in ids
        ]
        made = {"role": "assistant", "content": self.word(), **({"tool_calls": calls} if calls else {})}
        return [made, *({"role": "tool", "tool_call_id": id, "content": self.word()} for id in ids)]

    def gemini(self, ids: list[str]) -> list[Json]:
        parts: list[Json] = [{"text": self.word()}]
        for at, _ in enumerate(ids):
            signed = {"thoughtSignature": "c2lnbmVk"} if at == 0 else {}
            parts.append({"functionCall": {"name": "look", "args": {"q": self.word()}}, **signed})
        made = [{"role": "model", "parts": parts}]
        answers = [{"functionResponse": {"name": "look", "response": {"result": self.word()}}} for _ in ids]
        return [*made, {"role": "user", "parts": answers}] if ids else made


def steps(seed: int) -> Iterator[list[Json]]:
    """The list at each request: the provider changes in the middle, and then changes back."""
    talk = Talk(seed)
    first, other = talk.dice.sample(["anthropic", "openai", "gemini"], 2)
    for provider in (first, first, other, other, first):
        talk.ask()
        yield list(talk.list)
        talk.reply(provider)
    talk.ask()
    yield list(talk.list)


FORMS: dict[str, Callable[[list[Json]], Any]] = {
    "a list": lambda messages: messages,
    "a conversation": tw.Conversation.parse,
    "a history": tw.MessageHistory,
}


@pytest.mark.parametrize("target", tw.dialects())
@pytest.mark.parametrize("budget", [None, 3_000])
def test_a_run_continues_over_a_switch_of_provider(target: tw.DialectName, budget: int | None) -> None:
    for seed in SEEDS:
        ledger = tw.Ledger(target, budget, model="claude-opus-5-5")
        form = FORMS[random.Random(seed).choice([*FORMS])]
        for messages in steps(seed):
            before = json.dumps(messages)
            ready = ledger.prepare(form(messages), system="Be brief.", tools=TOOLS)
            assert json.dumps(messages) == before
            again = tw.Ledger.load(ledger.state())
            assert again.state() == ledger.state()
            found = tw.check(ready.payload, target, source=target, tool_results=True)
            assert [one for one in found if one.severity == "error"] == [], (seed, target)
            if budget is None:
                text = json.dumps(ready.payload)
                said = re.findall(r"w\d+w", before)
                assert [word for word in said if word not in text] == [], (seed, target)


@pytest.mark.parametrize("target", tw.dialects())
def test_a_body_with_a_known_dialect_continues(target: tw.DialectName) -> None:
    """Anthropic's signed reasoning in a body: a reply by itself need not begin with the user."""
    for form in (
        lambda messages: {"messages": messages, "model": "claude-opus-5-5"},
        lambda messages: {"messages": messages, "system": "Be brief."},
        lambda messages: tw.Conversation.parse({"messages": messages}, "anthropic"),
    ):
        talk, ledger = Talk(1), tw.Ledger(target, 50_000)
        for step in range(4):
            talk.ask()
            ledger.prepare(form(list(talk.list)), source="anthropic", tools=TOOLS)
            talk.list += talk.anthropic(["call_a"] if step == 1 else [])
        assert ledger.breaks == ()


IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}


@pytest.mark.parametrize("target", [name for name in tw.dialects() if name not in ("structured", "history")])
def test_an_image_of_a_late_result_stands_in_a_message(target: Any) -> None:
    """There, a target may ask for more of it than in a result."""
    call = {"type": "tool_use", "id": "slow", "name": "look", "input": {"q": "1"}}
    messages: list[Json] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": "Stop. Go on."},
    ]
    tool_results = target.startswith("llama")
    ledger = tw.Ledger(target, tool_results=tool_results)
    ledger.prepare(tw.convert(messages, target, source="anthropic").payload)
    result = {"type": "tool_result", "tool_use_id": "slow", "content": [{"type": "text", "text": "found it"}, IMAGE]}
    messages += [{"role": "assistant", "content": "Yes."}, {"role": "user", "content": [result]}]
    ready = ledger.prepare(tw.convert(messages, target, source="anthropic").payload)
    assert "found it" in str(ready.payload)
    found = tw.check(ready.payload, target, source=target, tool_results=tool_results)
    assert [one for one in found if one.severity == "error"] == []


def calls(*names: str) -> Json:
    content = [{"type": "tool_use", "id": name, "name": "look", "input": {}} for name in names]
    return {"role": "assistant", "content": content}


def is_said_last(ready: Any, target: Any) -> None:
    """The late result stands behind the results of the turn, none of which counts as moved."""
    text = str(ready.payload)
    said = [text.index(words) for words in ("got b", "got c", "Late result", "got slow", "And?")]
    # In Amazon Q, results are in a key behind the text.
    assert said == sorted(said) or target == "amazon-q"
    assert [entry.code for entry in ready.receipt if entry.code == "moved_result"] == []
    found = tw.check(ready.payload, target, source=target, tool_results=target.startswith("llama"))
    assert [one for one in found if one.severity == "error"] == []


@pytest.mark.parametrize("target", [name for name in tw.dialects() if name not in ("structured", "history")])
@pytest.mark.parametrize("order", [("slow", "b", "c"), ("b", "slow", "c"), ("b", "c", "slow")])
def test_a_late_result_is_said_behind_the_results_in_its_message(target: Any, order: tuple[str, ...]) -> None:
    """Nothing may be between a call and its result, and no result of the caller is reported as moved."""

    def result(name: str) -> Json:
        return {"type": "tool_result", "tool_use_id": name, "content": [{"type": "text", "text": f"got {name}"}, IMAGE]}

    tool_results = target.startswith("llama")
    ledger = tw.Ledger(target, tool_results=tool_results)
    messages: list[Json] = [
        {"role": "user", "content": "go"},
        calls("slow"),
        {"role": "user", "content": "Stop. Go on."},
    ]
    ledger.prepare(messages, source="anthropic")
    messages += [calls("b", "c"), {"role": "user", "content": [*map(result, order), {"type": "text", "text": "And?"}]}]
    ready = ledger.prepare(messages, source="anthropic")
    is_said_last(ready, target)


@pytest.mark.parametrize("target", [name for name in tw.dialects() if name not in ("structured", "history")])
@pytest.mark.parametrize("apart", ["slow|b|c", "b|slow|c", "b|c|slow", "slow|late|b c", "slow|b|late|c"])
def test_a_late_result_is_said_behind_the_results_in_other_messages(target: Any, apart: str) -> None:
    """Each message with results comes by itself: those of the caller are in place, also after the late one."""

    def result(name: str) -> Json:
        return {"type": "tool_result", "tool_use_id": name, "content": f"got {name}"}

    tool_results = target.startswith("llama")
    ledger = tw.Ledger(target, tool_results=tool_results)
    messages: list[Json] = [
        {"role": "user", "content": "go"},
        calls("slow", "late"),
        {"role": "user", "content": "Stop. Go on."},
    ]
    ledger.prepare(messages, source="anthropic")
    results = [{"role": "user", "content": [*map(result, names.split())]} for names in apart.split("|")]
    messages += [calls("b", "c"), *results, {"role": "user", "content": "And?"}]
    ready = ledger.prepare(messages, source="anthropic")
    is_said_last(ready, target)


def test_a_late_result_is_said_behind_the_approvals_in_its_message() -> None:
    """In the AI SDK, the user's answer about a call comes before the results of other calls."""

    def call(name: str) -> Json:
        return {"type": "tool-call", "toolCallId": name, "toolName": "look", "input": {}}

    def result(name: str) -> Json:
        output = {"type": "text", "value": f"got {name}"}
        return {"type": "tool-result", "toolCallId": name, "toolName": "look", "output": output}

    ledger = tw.Ledger("ai-sdk")
    asked = {"type": "tool-approval-request", "approvalId": "may", "toolCallId": "c"}
    allowed = {"type": "tool-approval-response", "approvalId": "may", "approved": True}
    messages: list[Json] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [call("slow")]},
        {"role": "user", "content": "Stop. Go on."},
    ]
    ledger.prepare(messages)
    messages += [
        {"role": "assistant", "content": [call("b"), call("c"), asked]},
        {"role": "tool", "content": [result("slow"), allowed, result("b")]},
        {"role": "tool", "content": [result("c")]},
    ]
    answers, late = ledger.prepare(messages).payload[-2:]
    assert answers == {"role": "tool", "content": [result("b"), result("c"), allowed]}
    assert late == {"role": "user", "content": [{"type": "text", "text": "Late result of look (slow):\ngot slow"}]}


@pytest.mark.parametrize("target", ["cohere", "ollama", "llama", "history", "openai:hf", "ag-ui"])
@pytest.mark.parametrize("loads", [False, True])
def test_system_text_that_changes_behind_a_request_of_system_text_alone_is_a_break(target: Any, loads: bool) -> None:
    ledger = tw.Ledger(target)
    ledger.prepare([{"role": "system", "content": "Be exact."}])
    if loads:
        ledger = tw.Ledger.load(ledger.state())
    messages = [{"role": "assistant", "content": "Yes?"}, {"role": "user", "content": "go"}]
    ready = ledger.prepare([{"role": "system", "content": "Be brief."}, *messages])
    assert ready.receipt.break_at == "$.system" and ledger.breaks == ((3, "$.system"),)


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
