"""A simulator of prompt caches: Anthropic's breakpoints with their lookback, and the longest common prefix."""

import hashlib
import json


def rows_of(body):
    """What the cache reads in its order: tools that are shown, system, then each block of each message."""
    yield from (tool for tool in body.get("tools") or () if not tool.get("defer_loading"))
    for role, content in [("", body.get("system") or ()), *((m["role"], m["content"]) for m in body["messages"])]:
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            yield {"role": role, **block}


class Cache:
    """It gets request bodies in order, and tells which bytes it reads again.

    `read` counts bytes by breakpoints with 20 blocks of lookback, `common` those shared with the last request. Without
    `cache_control` in the body, breakpoints stand behind tools and system, and behind the messages. Minimum lengths and
    lifetimes are not simulated. `cost` is in bytes of plain input: 0.1 for a read, 1.25 for a write.
    """

    def __init__(self, lookback=20):
        self.lookback, self.entries, self.before = lookback, set(), []

    def send(self, body):
        rows = list(rows_of(body))
        head = sum(1 for row in rows if not row.get("role"))
        marks = [n for n, row in enumerate(rows) if "cache_control" in row] or sorted({head - 1, len(rows) - 1} - {-1})
        keys, sizes, state = [], [], b""
        for row in rows:
            text = json.dumps(
                {key: item for key, item in row.items() if key != "cache_control"}, ensure_ascii=False
            ).encode()
            state = hashlib.sha256(state + text).digest()
            keys.append(state)
            sizes.append(len(text))
        found = [n for mark in marks for n in range(mark, max(mark - self.lookback, -1), -1) if keys[n] in self.entries]
        same = min(len(keys), len(self.before))
        common = next((n for n in range(same) if keys[n] != self.before[n]), same)
        self.entries.update(keys[mark] for mark in marks)
        total, read, self.before = sum(sizes), sum(sizes[: max(found, default=-1) + 1]), keys
        return {"total": total, "read": read, "common": sum(sizes[:common]), "cost": 0.1 * read + 1.25 * (total - read)}
