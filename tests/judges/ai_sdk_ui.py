"""What the AI SDK refuses in a list of UIMessages, by its schemas, and what the provider behind it would refuse.

A message has an id of its own, a role and parts. A part has the keys that its type needs, and null is the value of none
of them. Only the assistant calls tools, with an id a call; each call that the client runs is answered in its own part.
"""

from collections.abc import Iterator
from typing import Any

from .amazon_q import characters
from .problem import Problem

# By type of part: its keys, and whether each must be there.
TEXTS: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "reasoning": ("text",),
    "file": ("url", "mediaType"),
    "reasoning-file": ("url", "mediaType"),
    "source-url": ("sourceId", "url"),
    "source-document": ("sourceId", "mediaType", "title"),
    "custom": ("kind",),
    "step-start": (),
}
MAPS = ("providerMetadata", "callProviderMetadata", "resultProviderMetadata", "toolMetadata", "providerReference")
FLAGS = ("providerExecuted", "preliminary")
WORDS = ("title", "filename")
DONE = ("output-available", "output-error", "output-denied")


def is_tool(part: Any) -> bool:
    kind = part.get("type") if isinstance(part, dict) else None
    return isinstance(kind, str) and (kind == "dynamic-tool" or kind.startswith("tool-"))


def check(payload: Any) -> Iterator[Problem]:
    """Every problem of a list."""
    if not isinstance(payload, list) or not payload:
        yield Problem("list", "", "no list of something")
        return
    yield from characters(payload, "")
    ids: list[Any] = []
    calls: list[Any] = []
    for index, message in enumerate(payload):
        at = f"[{index}]"
        if not isinstance(message, dict):
            yield Problem("type", at, "no object")
            continue
        if message.get("role") not in ("system", "user", "assistant"):
            yield Problem("role", f"{at}.role", repr(message.get("role")))
        if not isinstance(message.get("id"), str) or not message["id"] or message["id"] in ids:
            yield Problem("message.id", f"{at}.id", repr(message.get("id")))
        ids.append(message.get("id"))
        parts = message.get("parts")
        if not isinstance(parts, list) or not parts:
            yield Problem("parts", f"{at}.parts", repr(parts))
            continue
        for place, part in enumerate(parts):
            here = f"{at}.parts[{place}]"
            yield from _part(part, here)
            if is_tool(part):
                if message.get("role") != "assistant":
                    yield Problem("call", here, f"of the {message.get('role')}")
                yield from _tool(part, here)
                if not part.get("providerExecuted") and part.get("toolCallId") in calls:
                    yield Problem("id.twice", here, repr(part["toolCallId"]))
                calls.append(part.get("toolCallId"))


def _part(part: Any, at: str) -> Iterator[Problem]:
    kind = part.get("type") if isinstance(part, dict) else None
    if not isinstance(kind, str) or not kind:
        yield Problem("part", at, repr(part)[:80])
        return
    if kind.startswith("data-"):
        if "data" not in part:
            yield Problem("key", f"{at}.data", "absent")
    elif not is_tool(part):
        if kind not in TEXTS:
            # A part of a newer version is allowed.
            yield Problem("unknown-block", at, kind)
            return
        for key in TEXTS[kind]:
            if not isinstance(part.get(key), str):
                yield Problem("key", f"{at}.{key}", repr(part.get(key)))
    for keys, wanted in ((MAPS, dict), (FLAGS, bool), (WORDS, str)):
        for key in keys:
            if key in part and not isinstance(part[key], wanted):
                yield Problem("key", f"{at}.{key}", repr(part[key]))


def _tool(part: Any, at: str) -> Iterator[Problem]:
    if not isinstance(part.get("toolCallId"), str) or not part["toolCallId"]:
        yield Problem("id", f"{at}.toolCallId", repr(part.get("toolCallId")))
    if part["type"] == "dynamic-tool" and not isinstance(part.get("toolName"), str):
        yield Problem("name", f"{at}.toolName", repr(part.get("toolName")))
    state = part.get("state")
    if part.get("providerExecuted") is True:
        if not isinstance(state, str):
            yield Problem("state", at, repr(state))
        return
    if state not in DONE:
        yield Problem("unanswered", at, repr(state))
    if state == "output-error" and not isinstance(part.get("errorText"), str):
        yield Problem("key", f"{at}.errorText", repr(part.get("errorText")))
    held = {key for key in ("output", "errorText") if key in part}
    if held - {{"output-available": "output", "output-error": "errorText"}.get(str(state))}:
        yield Problem("state", at, f"{state} holds {sorted(held)}")
