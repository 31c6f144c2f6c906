"""A provider in plain Python that binds its reasoning to what comes before it: it signs, and refuses stale blocks.

The rules are those of Claude's documented prefix check. `best` returns the blocks that a request could hold: the oracle
of `runs/promises.py`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

THINKING = ("thinking", "redacted_thinking")
CHECKS = ("claude-opus-5-5", "claude-fable-5-1", "claude-sonnet-5-5")
RECORDS = (*CHECKS, "claude-mythos-5-1")


def plain(value: Any) -> Any:
    """Without cache marks, and in one order of keys."""
    if isinstance(value, dict):
        return {key: plain(value[key]) for key in sorted(value) if key != "cache_control"}
    return [plain(one) for one in value] if isinstance(value, list) else value


def listed(content: Any) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content or ())


def said(content: Any) -> Iterator[dict[str, Any]]:
    for block in listed(content):
        if block["type"] == "text":
            block = {**block, "text": block["text"].strip()}
        if block.get("text") != "":
            yield block


def digest(*values: Any) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:24]


def named(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if value.get("type") == "tool_reference":
            yield value["name"]
        if value.get("type") != "tool_removal":
            for one in value.values():
                yield from named(one)
    elif isinstance(value, list):
        for one in value:
            yield from named(one)


class Prefix:
    """What has been read so far."""

    def __init__(self, body: dict[str, Any], summaries: dict[str, dict[str, Any]]) -> None:
        tools = {tool["name"]: plain(tool) for tool in body.get("tools") or ()}
        self.hidden = {name: tools.pop(name) for name in list(tools) if tools[name].get("defer_loading")}
        system = [plain(block) for block in said(body.get("system"))]
        self.base = digest(system, sorted(tools.items()))
        self.tail = ""
        self.last: str | None = None
        self.summaries = summaries

    def message(self, message: dict[str, Any]) -> None:
        self.tail = digest(self.tail, {key: plain(held) for key, held in message.items() if key != "content"})

    def block(self, block: dict[str, Any]) -> None:
        if block["type"] == "compaction":
            # The check starts again here: with the content that the block replaces, if the request asked for that. It
            # is valid while system text and tools stay.
            known = self.summaries.get(block.get("signature") or "", {})
            known = known if known.get("base") == self.base else {}
            self.tail = known.get("tail") or digest("compaction", plain(block))
            self.last = known.get("last")
            return
        self.tail = digest(self.tail, plain(block))
        for name in named(block):
            if name in self.hidden:
                self.tail = digest(self.tail, self.hidden.pop(name))

    def record(self, model: str) -> dict[str, Any]:
        return {"base": self.base, "tail": self.tail, "last": self.last, "model": model}

    def holds(self, record: dict[str, Any]) -> bool:
        if record["model"] not in RECORDS:
            return True
        same = record["base"] == self.base and record["tail"] == self.tail
        return same and (self.last is None or record["last"] == self.last)


class Provider:
    def __init__(self) -> None:
        self.records: dict[str, dict[str, Any]] = {}
        self.summaries: dict[str, dict[str, Any]] = {}
        self.count = 0

    def reply(self, body: dict[str, Any], blocks: list[dict[str, Any]], model: str) -> list[dict[str, Any]]:
        """The blocks, signed."""
        prefix = self.read(body)
        prefix.message({"role": "assistant"})
        content = []
        for block in blocks:
            if block["type"] in THINKING:
                self.count += 1
                key = "signature" if block["type"] == "thinking" else "data"
                block = {**block, key: f"signed-{self.count}-{digest(self.count)}"}
                self.records[block[key]] = prefix.record(model)
                self.kept(prefix, block)
            else:
                prefix.block(block)
            content.append(block)
        return content

    def bound(self, body: dict[str, Any], model: str) -> str:
        """What the reasoning of the reply to a body is bound to."""
        record = self.read(body).record(model)
        return digest({**record, "model": model in RECORDS})

    def summary(self, body: dict[str, Any], model: str) -> dict[str, Any]:
        """The compaction block that replaces all messages of a body."""
        signature = f"summary-{len(self.summaries)}"
        self.summaries[signature] = self.read(body).record(model)
        return {"type": "compaction", "content": f"What was said until {signature}.", "signature": signature}

    def kept(self, prefix: Prefix, block: dict[str, Any]) -> None:
        if self.record(block)["model"] in RECORDS:
            prefix.last = mark(block)

    def record(self, block: dict[str, Any]) -> dict[str, Any]:
        return self.records[mark(block)]

    def read(self, body: dict[str, Any]) -> Prefix:
        prefix = Prefix(body, self.summaries)
        for message in body["messages"]:
            prefix.message(message)
            for block in said(message["content"]):
                self.kept(prefix, block) if block["type"] in THINKING else prefix.block(block)
        return prefix

    def stale(self, body: dict[str, Any], model: str) -> list[str]:
        """The marks of blocks that are refused."""
        prefix, found = Prefix(body, self.summaries), []
        for message in body["messages"]:
            prefix.message(message)
            for block in said(message["content"]):
                if block["type"] not in THINKING:
                    prefix.block(block)
                elif model not in CHECKS or prefix.holds(self.record(block)):
                    self.kept(prefix, block)
                else:
                    found.append(mark(block))
        return found

    def best(self, body: dict[str, Any], replies: dict[str, list[dict[str, Any]]]) -> list[str]:
        """The marks of all blocks that the request could hold. `replies`: those that were made, by `name_of`."""
        prefix, found = Prefix(body, self.summaries), []
        for message in body["messages"]:
            prefix.message(message)
            rest = [block for block in said(message["content"]) if block["type"] not in THINKING]
            made = replies.get(name_of(rest), ()) if message["role"] == "assistant" else ()
            for block in made or tuple(rest):
                if block["type"] in THINKING:
                    if prefix.holds(self.record(block)):
                        self.kept(prefix, block)
                        found.append(mark(block))
                elif rest:
                    prefix.block(rest.pop(0))
            for block in rest if made else ():
                prefix.block(block)
        return found


def mark(block: dict[str, Any]) -> str:
    return str(block.get("signature") or block.get("data"))


def name_of(blocks: list[dict[str, Any]]) -> str:
    """A reply by its calls, else by its text."""
    calls = [json.dumps(block["input"]) for block in blocks if block["type"] == "tool_use"]
    return " ".join(calls) or " ".join(block.get("text", "") for block in blocks)
