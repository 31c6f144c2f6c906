"""A growing run of an agent with a planted interruption, a late result, tools and system text that change.

Each request goes to the judge of prefixes and to a cache, which count what was refused, stale, and read again.
"""

import random

import turnwire as tw
from judges import prefix
from judges.cache import Cache

MODEL, STEPS = "claude-opus-5-5", 120
DROP = {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}
SYSTEM = "\n".join(f"Rule {n}: be exact, read before you write, and say what you did." for n in range(40))
TOOL = {
    "name": "read",
    "description": "Read a file.",
    "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
}
MORE = {
    "name": "grep",
    "description": "Search files.",
    "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}},
}
PLANTS: dict[str, tuple[str, ...]] = {
    "plain": (),
    "interrupted": ("interrupted",),
    "late result": ("late",),
    "tools at 60": ("tools",),
    "system each step": ("system",),
    "all but system": ("interrupted", "late", "tools"),
    "all": ("interrupted", "late", "tools", "system"),
}


def text(rng, size):
    return " ".join(f"{rng.randrange(1 << 30):x}" for _ in range(size // 9))[:size]


def source(plants, seed=7):
    """The run as the caller has it: the reply to each step, the message behind it, and its system text and tools."""
    rng = random.Random(seed)
    sizes = [rng.randrange(1000, 8000) for _ in range(STEPS + 1)]
    stop, slow, more = (30, 45, 60) if seed == 7 else (rng.randrange(5, 110) for _ in range(3))

    def result(name, step):
        return {"type": "tool_result", "tool_use_id": name, "content": text(random.Random(name), sizes[step])}

    def reply(step):
        calls = [{"type": "tool_use", "id": f"toolu_{step}", "name": "read", "input": {"path": f"src/{step}.py"}}]
        if "late" in plants and step == slow:
            calls.append({"type": "tool_use", "id": "toolu_slow", "name": "read", "input": {"path": "slow"}})
        return [{"type": "thinking", "thinking": text(random.Random(step), 400)}, *calls]

    def after(step):
        if "interrupted" in plants and step == stop:
            return {"role": "user", "content": "Stop. Go on with the next file."}
        content = [result(f"toolu_{step}", step)]
        if "late" in plants and step == slow + 3:
            content.append(result("toolu_slow", slow + 3))
        return {"role": "user", "content": content}

    def head(step):
        extra = f"\nIt is step {step} of {STEPS}." if "system" in plants else ""
        return SYSTEM + extra, [TOOL, MORE] if "tools" in plants and step >= more else [TOOL]

    return reply, after, head


class Today:
    """`prepare` at each step, as it is."""

    def __init__(self, budget, **options):
        self.budget, self.options = budget, options

    def body(self, messages, system, tools):
        return tw.prepare(
            {"system": system, "tools": tools, "messages": messages}, "anthropic", self.budget, **self.options
        ).payload


def run(way, plants, seed=7):
    reply, after, head = source(plants, seed)
    messages, cache, exchanges = [{"role": "user", "content": "Review every file of the project."}], Cache(), []
    sums = dict.fromkeys(("total", "read", "common", "cost"), 0)
    seen = dict.fromkeys(("requests", "refused", "sent", "stale", "made", "breaks", "bad"), 0)
    first = before = 0
    for step in range(STEPS + 1):
        system, tools = head(step)
        body = way.body(messages, system, tools)
        body |= {"model": MODEL, "thinking": DROP}
        seen["bad"] += sum(
            finding.severity == "error" for finding in tw.check(body["messages"], "anthropic", source="anthropic")
        )
        answer = prefix.server(body, reply(step))
        reuse, faults = cache.send(body), answer.faults
        seen["requests"] += 1
        seen["refused"] += bool(faults)
        first = first or (faults and step)
        seen["stale"] += len(faults)
        seen["sent"] += sum(
            b["type"] == "thinking" for m in body["messages"] if isinstance(m["content"], list) for b in m["content"]
        )
        seen["made"] += step
        seen["breaks"] += step > 0 and reuse["common"] < before
        before = reuse["total"]
        for key in sums:
            sums[key] += reuse[key]
        exchanges.append((body, answer.content))
        messages = [*messages, {"role": "assistant", "content": answer.content}, after(step)]
    if first:
        row = prefix.check(exchanges[: first + 1])[-1]["stale"][0]
        place = f"{row['path']} made at step {row['made_by']}; now {row['differs_at']}, then {row['was']}"
        seen["why"] = f"first at step {first}: {place}. {row['detail']}"
    seen["valid"] = f"{100 * (seen['sent'] - seen['stale']) / seen['made']:.0f} %"
    seen["cost"] = f"{sums['cost'] / 1e6:.2f}"
    return seen
