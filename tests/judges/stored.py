"""What a stored history may not be, by specs 001 and 003: it is stored, not sent, so few things are refused.

Messages have a role and content, bare or as the body of an entity. Null is the content of an empty assistant. A result
is in the message after its call, of a user or a tool, once for each call. A call has an id, a name and its input.
"""

from collections.abc import Iterator
from typing import Any

from .amazon_q import characters
from .problem import Problem

ROLES = {"system", "user", "assistant", "tool"}


def check(payload: Any) -> Iterator[Problem]:
    """Every problem of a history."""
    if not isinstance(payload, list):
        yield Problem("type", "", "no list")
        return
    if not payload:
        yield Problem("empty", "", "no messages")
    yield from characters(payload, "")
    open_ids: list[Any] = []
    told = False
    for index, element in enumerate(payload):
        at = f"[{index}]"
        if not isinstance(element, dict):
            yield Problem("type", at, "no object")
            continue
        is_entity = isinstance(element.get("body"), dict)
        message = element["body"] if is_entity else element
        at = f"{at}.body" if is_entity else at
        role, content = message.get("role"), message.get("content")
        if role not in ROLES:
            yield Problem("role", f"{at}.role", repr(role))
        blocks = _blocks(content)
        calls_only = content is None and any(message.get(key) for key in ("toolCalls", "tool_calls"))
        if blocks is None and not calls_only:
            yield Problem("content", f"{at}.content", f"a {type(content).__name__}")
        blocks = blocks or []
        yield from _blocks_known(blocks, f"{at}.content")
        calls, results = list(_calls(message, blocks)), list(_results(message, blocks))
        if role == "assistant":
            if told and open_ids:
                yield Problem("unanswered", at, str(open_ids))
            open_ids, told = ([] if told else open_ids), False
            if not calls and not _says(content):
                yield Problem("assistant.empty", at, "says nothing and calls nothing")
        for call in calls:
            yield from _call(call, at)
            open_ids.append(call.get("id"))
        for result_id in results:
            told = True
            if result_id in open_ids:
                open_ids.remove(result_id)
            else:
                yield Problem("orphan", at, repr(result_id))
        if role == "user" and not results and open_ids:
            yield Problem("unanswered", at, str(open_ids))
            open_ids = []
    if open_ids:
        yield Problem("unanswered", "", str(open_ids))


def _blocks(content: Any) -> list[Any] | None:
    if isinstance(content, list):
        return content
    if isinstance(content, dict):
        return [content]
    return [] if isinstance(content, str) else None


def _says(content: Any) -> bool:
    """Whether spec 001's filter keeps it: blank text and missing content are dropped, and so is an empty list."""
    return bool(content.strip()) if isinstance(content, str) else bool(content)


def _blocks_known(blocks: list[Any], at: str) -> Iterator[Problem]:
    for index, block in enumerate(blocks):
        if not isinstance(block, dict | str):
            yield Problem("block", f"{at}[{index}]", f"a {type(block).__name__}")
        elif isinstance(block, dict) and block.get("type") == "text" and not isinstance(block.get("text"), str):
            yield Problem("type", f"{at}[{index}].text", "no text")


def _calls(message: dict[str, Any], blocks: list[Any]) -> Iterator[dict[str, Any]]:
    """The calls. A call in both the content and the message's own list counts once."""
    inside = [block for block in blocks if isinstance(block, dict) and block.get("type") == "tool_use"]
    yield from inside
    for key in ("toolCalls", "tool_calls"):
        for call in message.get(key) or []:
            inner = call.get("function") if isinstance(call, dict) else None
            if isinstance(inner, dict):
                yield {"id": call.get("id"), "name": inner.get("name"), "input": inner.get("arguments")}
            elif isinstance(call, dict) and call.get("id") not in [block.get("id") for block in inside]:
                yield {"id": call.get("id"), "name": call.get("name"), "input": call.get("arguments")}


def _results(message: dict[str, Any], blocks: list[Any]) -> Iterator[Any]:
    """The ids of the calls that are answered."""
    found = False
    for block in blocks:
        is_tools = message.get("role") == "tool" and isinstance(block, dict) and "tool_use_id" in block
        if is_tools or (isinstance(block, dict) and block.get("type") == "tool_result"):
            found = True
            yield block.get("tool_use_id")
    if message.get("role") == "tool" and not found:
        yield message.get("tool_use_id")


def _call(call: dict[str, Any], at: str) -> Iterator[Problem]:
    if not isinstance(call.get("id"), str) or not call["id"]:
        yield Problem("id.bad", at, repr(call.get("id")))
    if not isinstance(call.get("name"), str):
        yield Problem("name.bad", at, repr(call.get("name")))
