"""What AG-UI and the providers behind it refuse in a run's messages, by the protocol's schema 1.0.

Each message has an id and a role. The content of systems and assistants is a string; users and tools can have parts as
well. Each call is answered once, in the tool messages right after its own message. Reasoning comes before what it led
to.
"""

from collections.abc import Iterator
from typing import Any

from .amazon_q import characters
from .problem import Problem

STRINGS = {"system", "developer", "reasoning"}
ROLES = STRINGS | {"user", "assistant", "tool", "activity"}
SOURCES = {"data", "url", "file"}


def check(payload: Any) -> Iterator[Problem]:
    """Every problem of a run's input, or of its messages."""
    messages = payload.get("messages") if isinstance(payload, dict) else payload
    if not isinstance(messages, list) or not messages:
        yield Problem("list", "", "no list of something")
        return
    yield from characters(messages, "")
    open_ids: list[Any] = []
    seen: list[Any] = []
    for index, message in enumerate(messages):
        at = f"messages[{index}]"
        if not isinstance(message, dict) or message.get("role") not in ROLES:
            yield Problem("role", at, repr(message)[:80])
            continue
        role = message["role"]
        if not isinstance(message.get("id"), str) or not message["id"]:
            yield Problem("message.id", f"{at}.id", repr(message.get("id")))
        yield from _content(message, role, f"{at}.content")
        if role not in ("tool", "activity") and open_ids:
            yield Problem("unanswered", at, repr(open_ids))
            open_ids = []
        for call in message.get("toolCalls") or []:
            function = call.get("function") if isinstance(call, dict) else None
            if not isinstance(function, dict) or not isinstance(function.get("name"), str):
                yield Problem("call", at, repr(call))
                continue
            if call.get("type") != "function" or not isinstance(function.get("arguments"), str):
                yield Problem("call", at, repr(call))
            if not isinstance(call.get("id"), str) or not call["id"] or call["id"] in seen:
                yield Problem("id", at, repr(call.get("id")))
            seen.append(call.get("id"))
            open_ids.append(call.get("id"))
        if role == "tool":
            if (answered := message.get("toolCallId")) in open_ids:
                open_ids.remove(answered)
            else:
                yield Problem("orphan", at, repr(message.get("toolCallId")))
    if open_ids:
        yield Problem("unanswered", "", repr(open_ids))


def _content(message: dict[str, Any], role: str, at: str) -> Iterator[Problem]:
    content = message.get("content")
    if role == "activity":
        if not isinstance(content, dict):
            yield Problem("content", at, repr(content))
        return
    if role == "assistant" and content is None:
        return
    if not isinstance(content, str) and not (role in ("user", "tool") and isinstance(content, list)):
        yield Problem("content", at, repr(content))
        return
    for index, part in enumerate(content if isinstance(content, list) else ()):
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "text" and not isinstance(part.get("text"), str):
            yield Problem("part", f"{at}[{index}]", repr(part))
        elif kind in ("image", "audio", "video", "document"):
            source = part.get("source")
            if not isinstance(source, dict) or source.get("type") not in SOURCES or "value" not in source:
                yield Problem("source", f"{at}[{index}]", repr(part))
        elif kind != "text":
            code = "unknown-block" if isinstance(kind, str) and kind and kind != "binary" else "part"
            yield Problem(code, f"{at}[{index}]", str(kind))
