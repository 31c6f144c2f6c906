"""Reads chats of Gemini CLI: records that replace earlier ones, rewinds, and calls with their results."""

from __future__ import annotations

from typing import Any, Final

from .session import BACK, PROGRAM, Entry, Session, word

__all__ = ["is_entry", "read"]

_BY_PROGRAM: Final = ("/", "?", "<session_context>", "<hook_context>")
"""How texts of the user begin that are not sent as such."""


def is_entry(value: Any) -> bool:
    """Whether a line is the head of a chat."""
    return isinstance(value.get("sessionId"), str) and "projectHash" in value


def read(entries: list[Entry], session: Session) -> None:
    """Reads the one conversation."""
    messages: dict[str, Entry] = {}
    for line, value in entries:
        changed = value.get("$set")
        listed = value.get("messages", changed.get("messages") if isinstance(changed, dict) else None)
        if isinstance(listed, list):
            messages = {str(one.get("id", at)): Entry(line, one) for at, one in enumerate(listed) if _is_map(one)}
        elif "$rewindTo" in value:
            messages = _rewound(messages, value["$rewindTo"], session)
        elif isinstance(value.get("id"), str) and isinstance(value.get("type"), str):
            messages[value["id"]] = Entry(line, value)
    contents: list[dict[str, Any]] = []
    first = 0
    for line, value in messages.values():
        if value.get("type") not in ("user", "gemini") or _is_of_program(value):
            session.left[PROGRAM] += 1
            continue
        made = _contents(value)
        first = first or line
        contents += made
    if contents:
        session.add({"contents": contents}, first)


def _rewound(messages: dict[str, Entry], to: Any, session: Session) -> dict[str, Entry]:
    """The messages before one. If it is not known, none."""
    ids = list(messages)
    kept = ids[: ids.index(word(to))] if word(to) in messages else []
    session.left[BACK] += len(ids) - len(kept)
    return {key: messages[key] for key in kept}


def _contents(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The contents that a message makes: its own, and one with the results of its calls."""
    parts = _parts(message.get("content"))
    if message["type"] == "user":
        return [{"role": "user", "parts": parts}]
    calls = _maps(message.get("toolCalls"))
    if not any("functionCall" in part for part in parts):
        thoughts = [_thought(one) for one in _maps(message.get("thoughts"))]
        called = [{"functionCall": {key: one[key] for key in ("id", "name", "args") if key in one}} for one in calls]
        parts = [*thoughts, *parts, *called]
    results: dict[Any, dict[str, Any]] = {}
    for call in calls:
        for part in _parts(call.get("result")):
            answer = part.get("functionResponse")
            if answer is None and "text" in part:
                answer = {"id": call.get("id"), "name": call.get("name"), "response": {"output": part["text"]}}
                part = {"functionResponse": answer}
            id = word(answer.get("id")) if isinstance(answer, dict) else ""
            results.setdefault(id or str(len(results)), part)
    said = [{"role": "model", "parts": parts}] if parts else []
    return [*said, {"role": "user", "parts": list(results.values())}] if results else said


def _parts(content: Any) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"text": content}] if content else []
    if _is_map(content):
        return [content]
    return [part for one in content or () for part in _parts(one)] if isinstance(content, list) else []


def _thought(thought: dict[str, Any]) -> dict[str, Any]:
    said = [str(thought[key]) for key in ("subject", "description", "text") if thought.get(key)]
    return {"text": "\n".join(said), "thought": True}


def _is_of_program(message: dict[str, Any]) -> bool:
    """Whether a text of the user is a command, or was added by the program."""
    parts = _parts(message.get("content"))
    if message["type"] != "user" or any("functionResponse" in part for part in parts):
        return False
    text = "".join(str(part.get("text", "")) for part in parts)
    has_media = any("text" not in part for part in parts)
    return not has_media and (not text.strip() or text.startswith(_BY_PROGRAM))


def _maps(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _is_map(value: Any) -> bool:
    return isinstance(value, dict)
