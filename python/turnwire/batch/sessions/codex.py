"""Reads rollouts of Codex: items of the Responses API, a line each, with compactions and rollbacks between."""

from __future__ import annotations

from typing import Any, Final

from .session import BACK, BEFORE, BESIDE, Entry, Session

__all__ = ["is_entry", "read"]

_BY_PROGRAM: Final = ("<environment_context>", "<user_instructions>", "<permissions", "# AGENTS.md")
"""How messages begin that Codex itself wrote for the user."""


def is_entry(value: Any) -> bool:
    """Whether a line is one of a rollout."""
    known = value.get("type") in ("session_meta", "response_item")
    return known and isinstance(value.get("payload"), dict)


def read(entries: list[Entry], session: Session) -> None:
    """Reads the one conversation."""
    items: list[tuple[Any, int]] = []
    body: dict[str, Any] = {}
    is_begun = False
    for line, value in entries:
        payload = value.get("payload")
        if not isinstance(payload, dict):
            session.left[BESIDE] += 1
            continue
        match value.get("type"):
            case "response_item" if payload.get("type") == "ghost_snapshot":
                session.left[BESIDE] += 1
            case "response_item":
                items.append((payload, line))
            case "inter_agent_communication":
                items.append((_user(payload.get("content") or payload.get("message")), line))
            case "compacted":
                items = _compacted(items, payload, line, session)
            case "event_msg" if payload.get("type") == "thread_rolled_back":
                kept = _rolled_back(items, payload.get("num_turns"))
                session.left[BACK] += len(items) - len(kept)
                items = kept
            case "session_meta" if not is_begun:
                is_begun = True
                told = payload.get("base_instructions")
                if isinstance(told, dict) and told.get("text"):
                    body["instructions"] = told["text"]
                if payload.get("dynamic_tools"):
                    body["tools"] = payload["dynamic_tools"]
            case _:
                session.left[BESIDE] += 1
    if items:
        session.add(body | {"input": [item for item, _ in items]}, items[0][1])


def _compacted(
    items: list[tuple[Any, int]], payload: dict[str, Any], line: int, session: Session
) -> list[tuple[Any, int]]:
    """The items after a compaction: those that it names, or in older files what the user said and a summary."""
    replaced = payload.get("replacement_history")
    if isinstance(replaced, list):
        session.left[BEFORE] += len(items)
        return [(item, line) for item in replaced]
    kept = [(item, at) for item, at in items if _is_user(item)]
    session.left[BEFORE] += len(items) - len(kept)
    return [*kept, (_user(payload.get("message")), line)]


def _rolled_back(items: list[tuple[Any, int]], turns: Any) -> list[tuple[Any, int]]:
    """The items without the last turns of the user, and all behind them."""
    begins = [at for at, (item, _) in enumerate(items) if _is_user(item) and not _text_of(item).startswith(_BY_PROGRAM)]
    if not isinstance(turns, int) or turns < 1 or not begins:
        return items
    return items[: begins[max(len(begins) - turns, 0)]]


def _is_user(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") == "message" and item.get("role") == "user"


def _text_of(item: Any) -> str:
    content = item.get("content")
    first = content[0] if isinstance(content, list) and content else content
    text = first.get("text") if isinstance(first, dict) else first
    return text if isinstance(text, str) else ""


def _user(text: Any) -> dict[str, Any]:
    said = text if isinstance(text, str) else ""
    return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": said}]}
