"""A ledger for a history in any format, to any target: what was sent stays, and pairs, words and states are whole."""

from __future__ import annotations

import copy
import json
import random
import re
from typing import Any

import pytest
import stand_ins
import turnwire as tw
from random_runs import seeds
from test_ledger_pins_in_place import elements

Json = dict[str, Any]
SOURCES: tuple[Any, ...] = (
    "openai", "anthropic", "openai-responses", "gemini", "bedrock", "cohere", "mistral", "ai-sdk", "ai-sdk-ui",
    "ag-ui", "otel", "gemini-interactions", "ollama", "amazon-q",
)  # fmt: skip
# In these formats the last message is not a request.
TARGETS = [name for name in tw.dialects() if name not in ("structured", "history", "amazon-q")]
EVENTS = ("parallel", "late", "interrupted", "another", "queued", "image", "json", "system", "tools", "pins")
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def tool(name: str, version: int = 1) -> Json:
    schema = {"type": "object", "properties": {f"p{at}": {"type": "string"} for at in range(version)}}
    return {"type": "function", "function": {"name": name, "description": "A tool.", "parameters": schema}}


class Talk:
    """The caller's list in OpenAI's format. Every text is a unique word."""

    def __init__(self, seed: object) -> None:
        self.rng = random.Random(str(seed))
        self.events = set(self.rng.sample(EVENTS, self.rng.randrange(6)))
        self.count = 0
        self.messages: list[Json] = [{"role": "user", "content": self.word()}]
        self.system, self.tools = "Be exact.", [tool("read"), tool("list")]
        self.slow: list[str] = []

    def word(self) -> str:
        self.count += 1
        return f"w{self.count}w" + " and so on" * self.rng.choice((0, 0, 3, 20))

    def chance(self, event: str, share: float) -> bool:
        return event in self.events and self.rng.random() < share

    def head(self) -> tuple[str, list[Json]]:
        if self.chance("system", 0.2):
            self.system += f"\nRule {self.count}."
        if self.chance("tools", 0.3):
            # Another schema, a tool more or less, or another order.
            self.tools = [tool(one["function"]["name"], self.rng.randrange(1, 3)) for one in self.tools]
            self.rng.shuffle(self.tools)
            self.tools = [*self.tools[:3], *([tool(f"t{self.count}")] if self.rng.random() < 0.5 else [])]
        return self.system, copy.deepcopy(self.tools)

    def result(self, name: str) -> Json:
        content: Any = self.word()
        if self.chance("json", 0.3):
            content = json.dumps({"a": [1, 2.50, None], "text": content})
        elif self.chance("image", 0.3):
            content = [{"type": "text", "text": content}, IMAGE]
        return {"role": "tool", "tool_call_id": name, "content": content}

    def goes_on(self) -> None:
        at = len(self.messages)
        self.replied(self.rng.randrange(4) if "parallel" in self.events else self.rng.randrange(2))
        if self.chance("another", 0.2):
            del self.messages[at:]
            self.slow.clear()
            self.replied(1)

    def replied(self, calls: int) -> None:
        reply: Json = {"role": "assistant", "content": self.word()}
        names = [f"call_{self.count}_{at}" for at in range(calls)]
        if names:
            function = {"name": self.rng.choice(("read", "list")), "arguments": json.dumps({"p0": self.word()})}
            reply["tool_calls"] = [{"id": name, "type": "function", "function": function} for name in names]
        self.messages.append(reply)
        if not names or self.chance("interrupted", 0.2):
            self.slow += names
            self.messages.append({"role": "user", "content": self.word()})
            return
        if self.chance("late", 0.3) and len(names) > 1:
            self.slow.append(names.pop())
        self.messages += [self.result(name) for name in names]
        if self.slow and self.chance("late", 0.5):
            self.messages.append(self.result(self.slow.pop(0)))
        if self.chance("queued", 0.2):
            self.messages.append({"role": "user", "content": self.word()})


def head_of(payload: Any) -> Any:
    """What comes before the messages: keys beside them, and the system text that they begin with."""
    said = elements(payload)
    count = next((at for at, one in enumerate(said) if one.get("role") not in ("system", "developer")), len(said))
    beside = {key: held for key, held in payload.items() if held != said} if isinstance(payload, dict) else {}
    if isinstance(beside.get("tools"), list):
        # A tool that a later message adds is hidden until then, and not part of the prefix.
        beside["tools"] = [one for one in beside["tools"] if not one.get("defer_loading")]
    return beside, said[:count]


@pytest.mark.parametrize("seed", seeds(2))
def test_random_histories(seed: int) -> None:
    rng = random.Random(seed)
    source, target = rng.choice(SOURCES), rng.choice(TARGETS)
    talk = Talk((seed, source, target))
    budget = rng.choice((None, None, 3_000, 8_000))
    options: Json = {
        "wording": {"omitted": rng.choice((None, "[gone]"))},
        "blobs": "base64",
    }
    cap, reserve = rng.choice((None, None, 20, 300)), 1 - rng.choice((0.3, 0.5, 0.8))
    ledger = tw.Ledger(target, tw.Budget(budget, per_result=cap, reserve=reserve), **options)
    given: Any = None
    sent: Any = None
    for step in range(rng.randrange(3, 16)):
        where = (source, target, step, budget, options, sorted(talk.events))
        system, tools = talk.head()
        before, given = given, tw.convert(talk.messages, source, source="openai", blobs="base64").payload
        pinned = rng.sample(range(len(elements(given))), 1) if talk.chance("pins", 0.5) and budget is None else []
        pinned = [at for at in pinned if not isinstance(given, list) or at < len(given)]
        state = ledger.state()
        keywords: Json = {"source": source, "system": system, "tools": tools, "pinned": pinned}
        ready = ledger.prepare(given, **keywords)
        payload: Any = ready.payload
        other = tw.Ledger.load(state, budget=ledger.budget, **options)
        again = other.prepare_json(given, **keywords)
        assert json.dumps(json.loads(again.payload)) == json.dumps(payload), where
        assert other.state() == ledger.state() and again.receipt == ready.receipt, where
        found = tw.check(payload, target, source=target, tool_results=target.startswith("llama"))
        errors = [one for one in found if one.severity == "error"]
        assert not errors, (where, errors)
        if budget is None and cap is None:
            words = re.findall(r"w\d+w", json.dumps(given))
            assert [word for word in words if word not in json.dumps(payload)] == [], where
        broken = ready.receipt.break_at
        # A format may write earlier messages in another way where more follow: then the list is not the same.
        if sent is not None and elements(given)[: len(elements(before))] == elements(before):
            stands = elements(payload)[: len(elements(sent))] == elements(sent)
            same = head_of(payload) == head_of(sent)
            assert broken is not None or (stands and same), where
            # Gemini's stand-in for a signature is on calls of the current turn only.
            assert broken is None or budget is not None or not same or target in stand_ins.FORMATS, (where, broken)
        sent = payload
        if rng.random() < 0.3:
            ledger = other
        talk.goes_on()
