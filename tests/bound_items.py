"""OpenAI's provider in plain Python: it binds reasoning to the items before it, drops stale ones, and compacts.

The rules are those that OpenAI documents. `best` returns the reasoning that a request could hold: the oracle of
`runs/promises.py`.
"""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

Json = dict[str, Any]


def digest(*values: Any) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:24]


def name_of(item: Json) -> str:
    """An item by its call, else by all of it."""
    return str(item.get("call_id") or digest(item)) + item.get("type", "message")


class Prefix:
    """What has been read so far."""

    def __init__(self, body: Json, model: str, summaries: dict[str, Json]) -> None:
        bound = [body.get("tools") or [], (body.get("text") or {}).get("format")]
        # From GPT-6.2 on, instructions apply to one reply only.
        self.base = digest(*bound, *([] if model >= "gpt-6.2" else [body.get("instructions")]))
        self.tail, self.last, self.summaries = "", "", summaries

    def item(self, item: Json) -> None:
        if item.get("type") == "compaction":
            known = self.summaries.get(item["encrypted_content"], {"tail": digest(item), "last": ""})
            self.tail, self.last = known["tail"], known["last"]
        else:
            self.tail = digest(self.tail, item)

    def record(self) -> Json:
        return {"base": self.base, "tail": self.tail, "last": self.last}

    def holds(self, record: Json) -> bool:
        same = (record["base"], record["tail"]) == (self.base, self.tail)
        return same and self.last in ("", record["last"])


class Provider:
    def __init__(self, model: str) -> None:
        self.model = model
        self.records: dict[str, Json] = {}
        self.summaries: dict[str, Json] = {}
        self.before: dict[str, list[Json]] = {}

    def read(self, body: Json) -> tuple[Prefix, list[str]]:
        """The prefix of a reply, and the reasoning that is dropped."""
        prefix, stale = Prefix(body, self.model, self.summaries), []
        for item in body["input"]:
            if item.get("type") != "reasoning":
                prefix.item(item)
            elif prefix.holds(self.records[item["encrypted_content"]]):
                prefix.last = item["encrypted_content"]
            else:
                stale.append(item["encrypted_content"])
        return prefix, stale

    def reply(self, body: Json, items: list[Json]) -> list[Json]:
        """The items, with their reasoning encrypted."""
        prefix, _ = self.read(body)
        made: list[Json] = []
        waiting: list[Json] = []
        for item in copy.deepcopy(items):
            if item["type"] == "reasoning":
                item["encrypted_content"] = f"enc-{len(self.records)}"
                self.records[item["encrypted_content"]] = prefix.record()
                prefix.last = item["encrypted_content"]
                waiting.append(item)
            else:
                prefix.item(item)
                self.before[name_of(item)], waiting = waiting, []
            made.append(item)
        return made

    def bound(self, body: Json) -> str:
        """What the reasoning of the reply to a body is bound to."""
        return digest(self.read(body)[0].record())

    def forget(self, items: list[Json]) -> None:
        """A request need not hold the reasoning of this reply."""
        for item in items:
            self.before.pop(name_of(item), None)

    def compact(self, body: Json) -> Json:
        """The one item of a reply to a request that ends with a trigger."""
        assert body["input"][-1] == {"type": "compaction_trigger"}
        assert [item.get("type") for item in body["input"]].count("compaction_trigger") == 1
        enc = f"summary-{len(self.summaries)}"
        self.summaries[enc] = self.read({**body, "input": body["input"][:-1]})[0].record()
        return {"type": "compaction", "id": f"cmp_{len(self.summaries)}", "encrypted_content": enc}

    def best(self, body: Json) -> list[str]:
        """All reasoning that the request could hold."""
        prefix, found = Prefix(body, self.model, self.summaries), []
        for item in body["input"]:
            if item.get("type") == "reasoning":
                continue
            for thought in self.before.get(name_of(item), ()):
                if prefix.holds(self.records[thought["encrypted_content"]]):
                    prefix.last = thought["encrypted_content"]
                    found.append(prefix.last)
            prefix.item(item)
        return found
