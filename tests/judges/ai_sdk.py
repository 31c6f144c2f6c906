"""What the AI SDK refuses in a list of ModelMessages, by its schemas and by the errors that its prompts throw.

A message has a role and content: system text is a string, a tool's message a list. A part is one that its role may
have, with the keys it needs. Each call is answered once, in the tool messages right after it. Calls that the provider
ran, and the user's approvals of calls, need no answer.
"""

from collections.abc import Iterator
from typing import Any

from .amazon_q import characters
from .problem import Problem

NEEDS: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "reasoning": {"text": str},
    "image": {"image": object},
    "file": {"data": object, "mediaType": str},
    "custom": {"kind": str},
    "reasoning-file": {"data": object, "mediaType": str},
    "tool-call": {"toolCallId": str, "toolName": str, "input": object},
    "tool-result": {"toolCallId": str, "toolName": str, "output": dict},
    "tool-approval-request": {"approvalId": str, "toolCallId": str},
    "tool-approval-response": {"approvalId": str, "approved": bool},
}
SAYS = {
    "user": {"text", "image", "file"},
    "tool": {"tool-result", "tool-approval-response"},
    "assistant": set(NEEDS) - {"image", "tool-approval-response"},
}
OUTPUTS = {"text": str, "error-text": str, "json": object, "error-json": object, "content": list}


def check(payload: Any) -> Iterator[Problem]:
    """Every problem of a list."""
    if not isinstance(payload, list) or not payload:
        yield Problem("list", "", "no list of something")
        return
    yield from characters(payload, "")
    open_ids: list[Any] = []
    seen: list[Any] = []
    for index, message in enumerate(payload):
        at = f"[{index}]"
        if not isinstance(message, dict):
            yield Problem("type", at, "no object")
            continue
        role, content = message.get("role"), message.get("content")
        if role == "system" or (isinstance(content, str) and role in ("user", "assistant")):
            if not isinstance(content, str):
                yield Problem("content", f"{at}.content", "system text that is no string")
            content = []
        elif role not in SAYS or not isinstance(content, list):
            yield Problem("role" if role not in SAYS else "content", at, f"{role!r} says a {type(content).__name__}")
            continue
        if role != "tool" and open_ids:
            yield Problem("unanswered", at, repr(open_ids))
            open_ids = []
        for place, part in enumerate(content):
            found = list(_part(part, role, f"{at}.content[{place}]"))
            yield from found
            if not found and role == "assistant" and part["type"] == "tool-call" and not part.get("providerExecuted"):
                if part["toolCallId"] in seen:
                    yield Problem("id.twice", at, repr(part["toolCallId"]))
                seen.append(part["toolCallId"])
                open_ids.append(part["toolCallId"])
            if not found and role == "tool" and part["type"] == "tool-result":
                if part["toolCallId"] in open_ids:
                    open_ids.remove(part["toolCallId"])
                else:
                    yield Problem("orphan", at, repr(part["toolCallId"]))
    if open_ids:
        yield Problem("unanswered", "", repr(open_ids))


def _part(part: Any, role: str, at: str) -> Iterator[Problem]:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind not in SAYS[role]:
        # Parts of a newer version are allowed.
        code = "unknown-block" if isinstance(kind, str) and kind and kind not in NEEDS else "part"
        yield Problem(code, at, str(kind))
        return
    for key, wanted in NEEDS[kind].items():
        if key not in part or not isinstance(part[key], wanted):
            yield Problem("key", f"{at}.{key}", repr(part.get(key)))
    if kind == "tool-call" and part.get("toolCallId") == "":
        yield Problem("id.bad", at, "an empty id")
    output = part.get("output")
    if kind == "tool-result" and isinstance(output, dict) and output.get("type") != "execution-denied":
        wanted = OUTPUTS.get(output.get("type"))  # type: ignore[arg-type]
        if wanted is None or not isinstance(output.get("value"), wanted) or "value" not in output:
            yield Problem("output", f"{at}.output", repr(output))
