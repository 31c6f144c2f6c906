"""Histories as agents have them, in OpenAI's format, and what must be true of the messages that a model gets."""

from __future__ import annotations

from typing import Any

import turnwire as tw

Message = dict[str, Any]
LARGE = "行 of a log, ünïcode\n" * 1_000  # about 24,000 bytes


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def says(text: str) -> Message:
    return {"role": "assistant", "content": text}


def calls(*ids: str, arguments: str = '{"q": "x"}') -> Message:
    function = {"name": "look", "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": ident, "type": "function", "function": dict(function)} for ident in ids],
    }


def result(ident: str, text: str) -> Message:
    return {"role": "tool", "tool_call_id": ident, "content": text}


def valid() -> list[Message]:
    """A small history without a fault."""
    return [
        user("TASK: find the lake."),
        calls("call_1", "call_2"),
        result("call_1", "a lake"),
        result("call_2", "a tower"),
        says("There is a lake."),
        user("And now?"),
    ]


def broken() -> list[Message]:
    """A late result, a call without a result, a result without a call, and an id that is used twice."""
    return [
        user("TASK: find the lake."),
        calls("call_1"),
        user("Hurry!"),
        result("call_1", "a lake"),
        calls("call_2", "call_3"),
        result("call_3", "a tower"),
        result("call_9", "nobody asked"),
        says("Once more."),
        calls("call_1"),
        result("call_1", "a pond"),
        user("And now?"),
    ]


def long(steps: int = 30) -> list[Message]:
    """A loop of tool calls with large results."""
    out = [user("TASK: find the lake.")]
    for step in range(steps):
        out += [calls(f"call_{step}"), result(f"call_{step}", f"step {step}: {LARGE}")]
    return [*out, user("And now?")]


def faults(messages: list[Message]) -> list[str]:
    """What a provider would refuse that wants each result right after its call."""
    said: list[str] = []
    open_calls: list[str] = []
    seen: set[str] = set()
    for at, message in enumerate(messages):
        if message["role"] == "tool":
            ident = message["tool_call_id"]
            if ident in open_calls:
                open_calls.remove(ident)
            else:
                said.append(f"{at}: a result without a call: {ident}")
            continue
        said += [f"{at}: {ident} has no result" for ident in open_calls]
        open_calls = [call["id"] for call in message.get("tool_calls") or ()]
        said += [f"{at}: {ident} was used before" for ident in open_calls if ident in seen]
        seen.update(open_calls)
    return said + [f"at the end, {ident} has no result" for ident in open_calls]


def size(messages: list[Message], dialect: Any = "openai") -> int:
    """The bytes of their words, as a budget counts them."""
    totals = tw.spec.MessageBuilder().set_messages(messages, dialect).set_budget(10**9).build(dialect).receipt.totals
    assert totals is not None
    return totals["after"]
