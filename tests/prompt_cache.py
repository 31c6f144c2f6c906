"""A prompt cache with marks and a lookback, and random agents for it: written without turnwire's knowledge of marks."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from typing import Any

import turnwire as tw

Json = dict[str, Any]
#: What may carry a mark by the documentation, as far as the runs here have it.
MARKED = {"text", "image", "document", "tool_use", "tool_result"}
LOOKBACK, MOST = 20, 4
EPHEMERAL = {"type": "ephemeral"}
#: The fewest tokens that a model caches, for the models of the runs.
FEWEST = {"claude-opus-4-6": 4096, "claude-sonnet-5": 1024}


def listed(content: Any) -> list[Json]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def rows(body: Json) -> list[tuple[Json, str]]:
    """What a cache reads, in its order, each row with the role of its message."""
    shown = [(tool, "tool") for tool in body.get("tools", []) if not tool.get("defer_loading")]
    beside = [(block, "system") for block in listed(body.get("system", []))]
    return shown + beside + [(one, said["role"]) for said in body["messages"] for one in listed(said["content"])]


def bare(value: Any) -> Any:
    """Without marks, and with each text as a list of blocks, which means the same to the provider."""
    if isinstance(value, dict):
        kept = {key: bare(one) for key, one in value.items() if key != "cache_control"}
        return {
            key: listed(one) if key in ("system", "content") and "tool_use_id" not in kept else one
            for key, one in kept.items()
        }
    return [bare(one) for one in value if "cachePoint" not in one] if isinstance(value, list) else value


class Cache:
    """A provider's cache: an entry for each prefix that a mark ends; a mark finds entries up to 20 blocks back."""

    def __init__(self, fewest: int = 0) -> None:
        # An English token has three to four bytes.
        self.fewest = 3 * fewest
        self.entries: set[bytes] = set()
        self.all: set[bytes] = set()
        self.read = self.best = self.total = 0

    def send(self, body: Json) -> int:
        state, keys, sizes, marks = b"", [], [], []
        for at, (row, role) in enumerate(rows(body)):
            text = json.dumps([role, bare(row)]).encode()
            state = hashlib.sha256(state + text).digest()
            keys.append(state)
            sizes.append(len(text))
            if "cache_control" in row:
                marks.append(at)
        back = (at for mark in marks for at in range(mark, max(mark - LOOKBACK, -1), -1))
        read = sum(sizes[: max((at for at in back if keys[at] in self.entries), default=-1) + 1])
        known = [at for at, key in enumerate(keys) if key in self.all]
        self.entries |= {keys[mark] for mark in marks if sum(sizes[: mark + 1]) >= self.fewest}
        self.all |= {*keys}
        self.read, self.total = self.read + read, self.total + sum(sizes)
        self.best += sum(sizes[: known[-1] + 1]) if known else 0
        return read


def may_be_marked(row: Json, role: str) -> bool:
    if role == "tool":
        return not row.get("defer_loading")
    return row["type"] in MARKED and (row["type"] != "text" or bool(row["text"].strip()))


def last_alone(body: Json) -> Json:
    """The same request with one mark, at the end."""
    body = json.loads(json.dumps(bare(body)))
    ends = [row for row, role in rows(body) if role in ("user", "assistant") and may_be_marked(row, role)]
    if ends:
        ends[-1]["cache_control"] = EPHEMERAL
    return body


class Run:
    """A random agent: parallel calls, 1 to 60 blocks a step, images, thinking, other system text and tools."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.events = {
            event for event in ("system", "tools", "wide", "media", "speech", "aborted") if self.rng.random() < 0.5
        }
        self.messages: list[Json] = [{"role": "user", "content": self.words(400)}]
        self.rules, self.count = [self.words(80) for _ in range(self.rng.randrange(1, 30))], self.rng.randrange(1, 4)
        self.calls = 0

    def words(self, most: int) -> str:
        return self.rng.randbytes(self.rng.randrange(1, most)).hex()

    def head(self) -> tuple[str, list[Json]]:
        if "system" in self.events and self.rng.random() < 0.1:
            self.rules.append(self.words(80))
        if "tools" in self.events and self.rng.random() < 0.1:
            self.count += 1
        names = [f"tool_{at}" for at in range(self.count)]
        tools = [{"name": name, "description": name * 9, "input_schema": {"type": "object"}} for name in names]
        return "\n".join(self.rules), tools

    def result(self, name: str) -> Json:
        content: Any = self.words(600)
        if "media" in self.events and self.rng.random() < 0.2:
            image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
            content = [{"type": "text", "text": content}, image]
        return {"type": "tool_result", "tool_use_id": name, "content": content}

    def step(self) -> None:
        """A reply and its results; at times only half of that, as after an aborted request."""
        rng = self.rng
        many = rng.randrange(1, 61) if "wide" in self.events and rng.random() < 0.3 else rng.randrange(1, 5)
        names = [f"toolu_{self.calls + at}" for at in range(many)]
        self.calls += many
        thought = {"type": "thinking", "thinking": self.words(200), "signature": self.words(200)}
        said = [{"type": "text", "text": self.words(100)}] if rng.random() < 0.5 else []
        calls = [{"type": "tool_use", "id": name, "name": "tool_0", "input": {"a": self.words(50)}} for name in names]
        results = [self.result(name) for name in names]
        if "speech" in self.events and rng.random() < 0.2:
            results.append({"type": "text", "text": self.words(300)})
        if not ("aborted" in self.events and rng.random() < 0.1):
            self.messages += [
                {"role": "assistant", "content": [thought, *said, *calls]},
                {"role": "user", "content": results},
            ]


def requests(seed: int, steps: int = 24) -> Iterator[tuple[tw.Rendered[Json], tw.Rendered[Json], str]]:
    """The requests of a run with marks and without, with the model's name."""
    run = Run(seed)
    budget = run.rng.choice((None, 30_000, 100_000))
    model = run.rng.choice(("claude-opus-5-5", "claude-opus-4-6", "claude-sonnet-5"))
    marked = tw.Ledger("anthropic", budget, model=model, cache="auto")
    plain = tw.Ledger("anthropic", budget, model=model)
    is_ledger = run.rng.random() < 0.7
    for _ in range(steps):
        system, tools = run.head()
        if is_ledger:
            with_marks = marked.prepare(run.messages, system=system, tools=tools)
            without = plain.prepare(run.messages, system=system, tools=tools)
            assert marked.state() == plain.state()
        else:
            with_marks, without = (
                tw.prepare(run.messages, "anthropic", budget, model=model, system=system, tools=tools, cache=cache)
                for cache in ("auto", None)
            )
        yield with_marks, without, model
        run.step()
