"""Random runs of an agent that talks to Claude: everything that happens to a list of messages between two requests."""

from __future__ import annotations

import copy
import random
from dataclasses import dataclass, field
from typing import Any

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "日本語", "übrigens"]

# What may happen; a run has a random choice of them.
EVENTS = (
    "parallel", "interrupted", "late", "split", "tools", "withdrawn", "system", "media", "marks", "models", "retry",
    "aborted", "branch", "restart", "queued", "asks", "twice", "forget", "interleaved", "redacted", "again",
    "edit", "blank", "failed", "summary",
)  # fmt: skip


def tool(name: str, version: int = 1) -> dict[str, Any]:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    return {"name": name, "description": f"{name}, version {version}.", "input_schema": schema}


@dataclass
class Run:
    """The caller's side: the list, and what is passed with it."""

    seed: int
    events: frozenset[str]
    steps: int
    messages: list[dict[str, Any]] = field(default_factory=list)
    slow: list[tuple[int, str]] = field(default_factory=list)
    calls: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.system = "\n".join(f"Rule {n}: be exact." for n in range(self.rng.randrange(1, 12)))
        self.tools = [tool("read"), tool("list")]
        self.model = "claude-opus-5-5"
        self.messages.append({"role": "user", "content": "Review every file of the project."})
        self.system_each = "system" in self.events and self.rng.random() < 0.5
        self.most = self.rng.choice((400, 2000, 8000))

    def chance(self, event: str, share: float) -> bool:
        return event in self.events and self.rng.random() < share

    def text(self, most: int) -> str:
        size = self.rng.randrange(1, max(most, 2))
        return " ".join(self.rng.choice(WORDS) + str(self.rng.randrange(999)) for _ in range(size // 8 + 1))

    def head(self, step: int) -> tuple[str, list[dict[str, Any]]]:
        system = f"{self.system}\nIt is step {step}." if self.system_each else self.system
        if self.chance("system", 0.05) and not self.system_each:
            self.system += f"\nNew rule {step}: {self.text(60)}"
            system = self.system
        known = [one["name"] for one in self.tools]
        if self.chance("tools", 0.06) and f"tool_{step}" not in known:
            self.tools = [*self.tools, tool(f"tool_{step}")]
        if self.chance("withdrawn", 0.05) and len(self.tools) > 1:
            self.tools = [one for one in self.tools if one is not self.tools[-1]]
        return system, copy.deepcopy(self.tools)

    def reply(self, step: int) -> list[dict[str, Any]]:
        """The model's next reply, unsigned."""
        blocks: list[dict[str, Any]] = [{"type": "thinking", "thinking": self.text(400)}]
        if self.chance("redacted", 0.15):
            blocks.append({"type": "redacted_thinking"})
        if self.rng.random() < 0.3:
            blocks.append({"type": "text", "text": f"Step {step}: {self.text(80)}"})
        if self.chance("asks", 0.15):
            return [*blocks, {"type": "text", "text": f"Done with step {step}."}]
        for _ in range(self.rng.choice((1, 2, 3)) if "parallel" in self.events else 1):
            self.calls += 1
            name = f"toolu_{self.calls}"
            if self.chance("again", 0.03) and self.calls > 3:
                name = f"toolu_{self.calls - 3}"
            if self.chance("interleaved", 0.3) and blocks[-1]["type"] == "tool_use":
                blocks.append({"type": "thinking", "thinking": self.text(100)})
            blocks.append(
                {"type": "tool_use", "id": name, "name": "read", "input": {"path": f"{step}/{self.text(30)}"}}
            )
        return blocks

    def result(self, name: str) -> dict[str, Any]:
        block: dict[str, Any] = {
            "type": "tool_result",
            "tool_use_id": name,
            "content": f"{name}: {self.text(self.most)}",
        }
        if self.chance("media", 0.2):
            block["content"] = [{"type": "text", "text": self.text(100)}, copy.deepcopy(IMAGE)]
        if self.chance("failed", 0.1):
            block |= {"is_error": True, "content": "no such file"}
        return block

    def goes_on(self, content: list[dict[str, Any]], step: int) -> None:
        """Puts the reply into the list, with what the caller does about it."""
        self.messages.append({"role": "assistant", "content": content})
        names = [block["id"] for block in content if block["type"] == "tool_use"]
        if not names:
            self.messages.append({"role": "user", "content": f"And now {step}? {self.text(40)}"})
            return
        if self.chance("interrupted", 0.06):
            self.slow += [(step + self.rng.randrange(1, 6), name) for name in names if "late" in self.events]
            self.messages.append({"role": "user", "content": f"Stop at {step}. Go on with the next."})
            return
        if self.chance("late", 0.1) and len(names) > 1:
            self.slow.append((step + self.rng.randrange(1, 6), names.pop()))
        results = [self.result(name) for name in names]
        due = [name for when, name in self.slow if when <= step]
        self.slow = [(when, name) for when, name in self.slow if when > step]
        late = [self.result(name) for name in due]
        if self.chance("split", 0.3):
            self.messages += [{"role": "user", "content": [one]} for one in (*results, *late)]
        elif late and self.rng.random() < 0.5:
            self.messages += [{"role": "user", "content": results}, {"role": "user", "content": late}]
        else:
            self.messages.append({"role": "user", "content": [*results, *late]})
        if self.chance("queued", 0.08):
            self.messages.append({"role": "user", "content": f"By the way, {step}."})
        if self.chance("blank", 0.05):
            self.messages[-1] = {
                "role": "user",
                "content": [*blocks_of(self.messages[-1]), {"type": "text", "text": "  "}],
            }

    def marked(self) -> list[dict[str, Any]]:
        """The list as it is passed: with a mark that moves."""
        messages = copy.deepcopy(self.messages)
        if "marks" in self.events:
            last = messages[-1]
            last["content"] = blocks_of(last)
            if last["content"] and last["content"][-1]["type"] != "thinking":
                last["content"][-1]["cache_control"] = {"type": "ephemeral"}
        return messages


def blocks_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
