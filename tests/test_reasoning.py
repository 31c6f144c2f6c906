"""Reasoning that is bound to what came before it: if a build changed that, it is stale and left out."""

import copy
import hashlib
import json
import random

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from judges import prefix
from random_runs import tries

MODEL = "claude-opus-5-5"
SYSTEM = "You are an agent."
TOOLS = [{"name": "read", "description": "read a file", "input_schema": {"type": "object", "properties": {}}}]


def blocks_of(message):
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def bound(body):
    """Each thinking block of a body with what it is bound to: all before it, the block before it included."""
    seen = hashlib.sha256(json.dumps([body.get("system"), body.get("tools")], sort_keys=True).encode())
    role = None
    for number, message in enumerate(body["messages"]):
        if message["role"] != role:
            role = message["role"]
            seen.update(role.encode())
        for place, block in enumerate(blocks_of(message)):
            if block["type"] == "thinking":
                yield (number, place), block, seen.hexdigest()
                seen.update(block["signature"].encode())
            else:
                seen.update(json.dumps(block, sort_keys=True).encode())


def stale(body):
    """The paths of the blocks that a server would refuse: the signature is what they are bound to."""
    return [place for place, block, prefix in bound(body) if block["signature"] != prefix]


def signed(body, reply):
    """The reply with the signatures that a server would give."""
    reply = copy.deepcopy(reply)
    for at, block in enumerate(reply):
        if block["type"] == "thinking":
            block["signature"] = ""
            turn = {"role": "assistant", "content": reply[: at + 1]}
            *_, (_, _, block["signature"]) = bound({**body, "messages": [*body["messages"], turn]})
    return reply


class Run:
    """An agent that gives its whole list to `prepare` at every step, and a server that checks it."""

    def __init__(self, budget, seed=0, **options):
        self.random = random.Random(seed)
        self.messages = [{"role": "user", "content": "Find the fault."}]
        self.budget = budget
        self.options = options
        self.sent = []
        self.step = 0

    def send(self):
        ready = tw.prepare(
            self.messages, "anthropic", self.budget, system=SYSTEM, tools=TOOLS, model=MODEL, **self.options
        )
        body = {"model": MODEL, **ready.payload}
        self.sent.append((body, ready.receipt))
        assert stale(body) == [], (self.step, str(ready.receipt)[:2_000])
        return body

    def go(self, *, calls=1, answered=True):
        self.step += 1
        names = [f"t{self.step}_{call}" for call in range(calls)]
        reply = [{"type": "thinking", "thinking": f"step {self.step}", "signature": ""}]
        reply += [{"type": "tool_use", "id": name, "name": "read", "input": {"path": name}} for name in names]
        self.messages.append({"role": "assistant", "content": signed(self.send(), reply)})
        if answered:
            self.answer(names)
        return names

    def answer(self, names):
        results = [
            {"type": "tool_result", "tool_use_id": name, "content": "x" * self.random.randrange(100, 12_000)}
            for name in names
        ]
        self.messages.append({"role": "user", "content": results})


def thinking_in(messages):
    return [block["thinking"] for message in messages for block in blocks_of(message) if block["type"] == "thinking"]


@pytest.mark.parametrize("budget", [55_000, 100_000, 200_000, None])
@pytest.mark.parametrize("cap", [None, 4_000], ids=["plain", "capped"])
def test_a_growing_run_sends_nothing_that_is_stale(budget, cap):
    run = Run(tw.Budget(budget, per_result=cap), seed=budget or 1)
    for step in range(1, 121):
        if step == 40:
            late = run.go(answered=False)
            run.messages.append({"role": "user", "content": "Stop. Look elsewhere."})
        elif step == 60:
            run.go()
            run.answer(late)
        else:
            run.go(calls=1 + step % 3)
    for body, receipt in run.sent:
        # Everything before the first change is there.
        gone = [entry for entry in receipt if entry.code == "stale_reasoning"]
        first = min((entry.index for entry in gone), default=len(run.messages))
        kept = thinking_in(body["messages"])
        assert kept[: len(thinking_in(run.messages[:first]))] == thinking_in(run.messages[:first])[: len(kept)]
    if budget is None:
        before = [receipt for _, receipt in run.sent[:40]]
        assert not any(entry.code == "stale_reasoning" for receipt in before for entry in receipt)


def test_the_simulator_agrees():
    rng = random.Random(5)
    for budget in (55_000, 100_000, 200_000):
        messages = [{"role": "user", "content": "Find the fault."}]
        for step in range(120):
            ready = tw.prepare(messages, "anthropic", budget, system=SYSTEM, tools=TOOLS, model=MODEL)
            name = f"t{step}"
            reply = [
                {"type": "thinking", "thinking": f"step {step}", "signature": ""},
                {"type": "tool_use", "id": name, "name": "read", "input": {}},
            ]
            answer = prefix.server({"model": MODEL, **ready.payload}, reply)
            assert answer.status == 200, (budget, step, answer)
            messages.append({"role": "assistant", "content": answer.content})
            if step == 30:
                messages.append({"role": "user", "content": "Stop."})
                continue
            result = {"type": "tool_result", "tool_use_id": name, "content": "x" * rng.randrange(100, 9_000)}
            messages.append({"role": "user", "content": [result]})
            if step == 50:
                messages.append({"role": "user", "content": [{**result, "tool_use_id": "t30", "content": "late"}]})


@settings(deadline=None, max_examples=tries(60))
@given(st.integers(0, 10**6), st.integers(2_000, 40_000), st.lists(st.integers(0, 9), min_size=3, max_size=25))
def test_any_run_sends_nothing_that_is_stale(seed, budget, steps):
    run = Run(budget, seed)
    open_calls = []
    for step in steps:
        if step == 0:
            open_calls += run.go(answered=False)
            run.messages.append({"role": "user", "content": "Stop."})
        elif step == 1 and open_calls:
            run.go()
            run.answer([open_calls.pop()])
        elif step == 2:
            run.messages.append({"role": "user", "content": [{"type": "text", "text": " "}]})
            run.go()
        elif step == 3:
            run.go()
            run.answer(["nobody"])
        else:
            run.go(calls=1 + step % 3)
    ready = tw.prepare(run.messages, "anthropic", budget, system=SYSTEM, tools=TOOLS, model=MODEL)
    again = tw.prepare(ready.payload, "anthropic", budget, model=MODEL)
    assert again.payload == ready.payload
    assert not again.receipt.changed


HISTORY = [
    {"role": "user", "content": "q"},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "one", "signature": "c2ln"}]},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "read", "input": {}}]},
    {"role": "user", "content": "never mind"},
    {"role": "assistant", "content": [{"type": "thinking", "thinking": "two", "signature": "c2lo"}]},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "t2", "name": "read", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t2", "content": "r"}]},
]


def test_the_receipt_names_the_place():
    ready = tw.prepare(HISTORY, "anthropic", model=MODEL)
    (entry,) = [entry for entry in ready.receipt if entry.code == "stale_reasoning"]
    assert entry.index == 4
    assert entry.reason.endswith("which is changed at $[2]")
    assert thinking_in(ready.payload["messages"]) == ["one"]
    assert "stale_reasoning" in {
        finding.code for finding in tw.check({"model": MODEL, "messages": HISTORY}, target="anthropic")
    }


@pytest.mark.parametrize(
    ("options", "kept"),
    [
        ({"model": "claude-opus-4-6"}, ["one", "two"]),
        ({"model": "claude-mythos-5-1"}, ["one", "two"]),
        ({"model": "claude-haiku-5-5"}, ["one"]),
        ({}, ["one"]),
        ({"reasoning": "keep"}, ["one", "two"]),
        ({"reasoning": "drop", "model": "claude-opus-4-6"}, []),
    ],
)
def test_the_model_decides(options, kept):
    assert thinking_in(tw.prepare(HISTORY, "anthropic", **options).payload["messages"]) == kept


def test_the_body_names_the_model():
    old = {"model": "claude-sonnet-4-5", "messages": HISTORY}
    assert thinking_in(tw.prepare(old, "anthropic").payload["messages"]) == ["one", "two"]
    assert thinking_in(json.loads(tw.prepare_json(json.dumps(old), "anthropic").payload)["messages"]) == ["one", "two"]
    assert thinking_in(tw.prepare({**old, "model": MODEL}, "anthropic").payload["messages"]) == ["one"]


def test_where_thinking_is_enabled_by_hand_the_open_turn_keeps_its_own():
    by_hand = {"thinking": {"type": "enabled", "budget_tokens": 2_000}, "messages": HISTORY}
    assert thinking_in(tw.prepare(by_hand, "anthropic").payload["messages"]) == ["one", "two"]
    adaptive = {"thinking": {"type": "adaptive"}, "messages": HISTORY}
    assert thinking_in(tw.prepare(adaptive, "anthropic").payload["messages"]) == ["one"]


def test_what_reasoning_led_to_is_a_fresh_message_without_it():
    said, phase = {"type": "output_text", "text": "done", "annotations": []}, {"phase": None}
    messages = [
        {"role": "user", "content": "q"},
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"},
        {"role": "user", "content": "well?"},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2ln"},
        {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [said], **phase},
        {"role": "user", "content": "x"},
    ]
    kept = tw.prepare(messages, "openai-responses").payload["input"]
    assert messages[3] in kept and messages[4] in kept
    for options in ({"model": "gpt-6"}, {"reasoning": "drop"}):
        ready = tw.prepare(messages, "openai-responses", **options)
        assert ready.payload["input"][-2:] == [{"role": "assistant", "content": "done", **phase}, messages[-1]]
        again = tw.prepare(ready.payload, "openai-responses", **options)
        assert again.payload == ready.payload
        assert not again.receipt.changed


def test_a_continued_thread_holds_the_call_of_a_lone_result():
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "toolu_1", "content": "r"}]}
    for thread in ({"type": "continue", "previous_message_id": "msg_1"}, {"type": "continue"}):
        for body in ({"thread": thread, "messages": [result]}, json.dumps({"thread": thread, "messages": [result]})):
            ready = tw.prepare(body, "anthropic")
            assert ready.payload == {"messages": [result]}
            assert not ready.receipt.changed
    with pytest.raises(tw.BuildError):
        tw.prepare({"thread": {"type": "create"}, "messages": [result]}, "anthropic")


PAUSED = [
    {"role": "user", "content": "search"},
    {
        "role": "assistant",
        "content": [{"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}}],
    },
]


def test_a_paused_turn_is_sent_back_unchanged():
    ready = tw.prepare(PAUSED, "anthropic")
    assert ready.payload == {"messages": PAUSED}
    assert not ready.receipt.changed
    found = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []}
    searched = [PAUSED[0], {"role": "assistant", "content": [*PAUSED[1]["content"], found]}]
    assert tw.prepare(searched, "anthropic").payload == {"messages": searched}
    assert [loss.code for loss in tw.prepare(PAUSED, "gemini").receipt if loss.kind == "lost"] == ["opaque"]


def test_a_prefill_where_the_model_takes_one():
    begun = [{"role": "user", "content": "q"}, {"role": "assistant", "content": "The answer is"}]
    with pytest.raises(tw.BuildError) as caught:
        tw.prepare(begun, "anthropic")
    assert caught.value.code == "ends_with_assistant"
    assert tw.prepare(begun, "anthropic", end="prefill").payload == {"messages": begun}
    with pytest.raises(tw.BuildError):
        tw.prepare(begun, "gemini", source="anthropic", end="prefill")
    with pytest.raises(TypeError, match="model"):
        tw.prepare(begun, "anthropic", model=3)


@pytest.mark.parametrize("target", ["anthropic", "bedrock"])
@pytest.mark.parametrize("end", [" ", "\n", " \t\n", "\u00a0", "\u3000"])
@pytest.mark.parametrize("parts", [0, 1, 2])
def test_a_prefill_ends_in_a_visible_character(target, end, parts):
    said = "Die Antwort: süß" + end
    blocks = [{"type": "text", "text": "x" + end}] * (parts - 1) + [{"type": "text", "text": said}]
    begun = [{"role": "user", "content": "q" + end}, {"role": "assistant", "content": blocks if parts else said}]
    ready = tw.prepare(begun, target, source="anthropic", end="prefill")
    told = [(entry.code, entry.bytes_before, entry.bytes_after) for entry in ready.receipt if entry.kind != "warning"]
    assert told == [("reshaped", len(said.encode()), len(said.rstrip().encode()))]
    content = ready.payload["messages"][-1]["content"]
    assert (content if isinstance(content, str) else content[-1]["text"]) == said.rstrip()
    first = ready.payload["messages"][0]["content"]
    assert (first if isinstance(first, str) else first[0]["text"]) == "q" + end
    assert not tw.prepare(ready.payload, target, end="prefill").receipt


def test_groq_takes_reasoning_under_its_own_key_alone():
    asked, thought = {"role": "user", "content": "q"}, {"role": "assistant", "content": "a", "reasoning": "so"}
    assert tw.prepare([asked, thought, asked], "openai:groq").payload == {"messages": [asked, thought, asked]}
    details = [{"type": "reasoning.text", "text": "so"}]
    for key, value, said, lost in (
        ("reasoning_content", "so", thought, []),
        ("reasoning_details", details, {"role": "assistant", "content": "a"}, ["reasoning"]),
    ):
        ready = tw.prepare([asked, {"role": "assistant", "content": "a", key: value}, asked], "openai:groq")
        assert ready.payload == {"messages": [asked, said, asked]}
        assert [one.code for one in ready.receipt.only("lost")] == lost


@pytest.mark.parametrize(
    "target", ["openai:compatible", "openai:qwen", "openai:openrouter", "openai:deepseek", "openai:kimi"]
)
@pytest.mark.parametrize("content", ["a", ["a"]], ids=["unchanged", "reshaped"])
def test_reasoning_in_openais_chat_is_that_of_the_server_that_gets_it(target, content):
    asked = {"role": "user", "content": "q"}
    messages = [asked, {"role": "assistant", "content": content, "reasoning_content": "so"}, asked]
    ready = tw.prepare(messages, target, source="openai")
    assert ready.payload == tw.prepare(messages, target).payload
    assert ready.payload["messages"][1]["reasoning_content"] == "so"
    assert ready.receipt.only("lost") == ()
    # What nobody signed goes from one server to the next, under a key that it reads.
    other = tw.prepare(messages, "openai:openrouter", source="openai:deepseek")
    assert other.payload["messages"][1]["reasoning_content"] == "so"
    assert other.receipt.only("lost") == ()


THOUGHT = {"role": "assistant", "content": None, "reasoning_content": "It rains."}
SAID = {"role": "assistant", "content": "It rains."}
ASKED = {"role": "user", "content": "Hi"}


def prepared(messages, target):
    return tw.prepare(messages, target, source="openai:compatible", reasoning="text")


def built(messages, target):
    builder = tw.spec.MessageBuilder().set_messages(messages, "openai:compatible")
    return builder.build(target, reasoning="text").render(target, reasoning="text")


@pytest.mark.parametrize("make", [prepared, built])
@pytest.mark.parametrize("target", tw.dialects())
@pytest.mark.parametrize("spoken", ["ask think", "think ask", "ask think think ask"])
def test_reasoning_that_becomes_text_counts_as_said(make, target, spoken):
    """Who speaks first and last depends on what is written, and so on the option."""

    def refused(answer):
        messages = [ASKED if word == "ask" else answer for word in spoken.split()]
        try:
            make(messages, target)
        except tw.TurnwireError as error:
            return error.code, str(error.path)
        return None

    assert refused(THOUGHT) == refused(SAID)


def test_reasoning_that_goes_anyway_takes_nothing_from_the_budget():
    """Reasoning that nobody wants must not drop an answer that then fits."""
    thought = {"type": "thinking", "thinking": "t" * 5_000, "signature": "c2ln"}
    messages = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": [thought, {"type": "text", "text": "an answer"}]},
        {"role": "user", "content": "next"},
    ]
    ready = tw.prepare(messages, "anthropic", 100, reasoning="drop")
    assert "an answer" in str(ready.payload) and "tttt" not in str(ready.payload)
    assert [change.code for change in ready.receipt] == ["unwanted_reasoning"]
    assert ready.receipt.totals["after"] <= 100
