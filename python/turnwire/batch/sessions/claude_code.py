"""Reads sessions of Claude Code: a tree of lines, of which one branch is the conversation.

One message of the model stands in several lines, and the results of parallel calls hang on different ones. What is
before the last compaction, and on other branches, is not sent again, so it is left out and counted.
"""

from __future__ import annotations

from typing import Any, Final

from .session import BEFORE, BESIDE, BRANCHES, PROGRAM, TEAM, Entry, Session, word

__all__ = ["is_entry", "read"]

_SPOKEN: Final = ("user", "assistant")
_CHAIN: Final = (*_SPOKEN, "system", "attachment", "progress")


def is_entry(value: Any) -> bool:
    """Whether a line is one of a session."""
    has_id = isinstance(value.get("sessionId", value.get("session_id")), str)
    is_message = value.get("type") in _SPOKEN and isinstance(value.get("message"), dict)
    return has_id and is_message and isinstance(value.get("uuid"), str)


def read(entries: list[Entry], session: Session) -> None:
    """Reads the conversation, and that of each subagent."""
    talks: dict[str, list[Entry]] = {"": []}
    roots: dict[str, str] = {}
    for entry in entries:
        value = entry.value
        if value.get("type") not in _CHAIN or not isinstance(value.get("uuid"), str):
            session.left[BESIDE] += 1
        elif value.get("teamName"):
            session.left[TEAM] += 1
        elif value.get("isSidechain"):
            # Older files do not name the subagent: its first line does.
            root = word(value.get("agentId")) or roots.get(word(value.get("parentUuid")), value["uuid"])
            roots[value["uuid"]] = root
            talks.setdefault(root, []).append(entry)
        else:
            talks[""].append(entry)
    for name, talk in talks.items():
        if kept := _branch(talk, session):
            session.subagents += bool(name)
            session.add({"messages": _messages(kept)}, kept[0].line)


def _branch(talk: list[Entry], session: Session) -> list[Entry]:
    """The lines of a conversation that would be sent."""
    spoken = [entry for entry in talk if entry.value["type"] in _SPOKEN and _message(entry) is not None]
    leaves = [entry for entry in spoken if not entry.value.get("isMeta")]
    if not leaves:
        return []
    begins = max((at for at, entry in enumerate(spoken) if entry.value.get("isCompactSummary")), default=0)
    behind = spoken[begins:]
    reached = _walk(talk, leaves[-1])
    unlinked = sum("parentUuid" not in entry.value for entry in talk)
    on_branch = [entry for entry in behind if entry.value["uuid"] in reached]
    if 2 * len(on_branch) < len(behind) and 2 * unlinked > len(talk):
        # Such a file was written by hand, or is very old: its order counts.
        on_branch = behind
    kept = _with_answers(behind, on_branch, session)
    session.left[BEFORE] += begins
    session.left[BRANCHES] += len(behind) - len(kept)
    said = [entry for entry in kept if not _is_of_program(entry)]
    session.left[PROGRAM] += len(kept) - len(said)
    session.left[BESIDE] += len(talk) - len(spoken)
    return said


def _walk(talk: list[Entry], leaf: Entry) -> set[str]:
    """The ids from a line to the root."""
    at = {entry.value["uuid"]: index for index, entry in enumerate(talk)}
    here = at[leaf.value["uuid"]]
    reached: set[str] = set()
    while here >= 0 and talk[here].value["uuid"] not in reached:
        value = talk[here].value
        reached.add(value["uuid"])
        if "parentUuid" in value and value["parentUuid"] is None:
            break
        # A parent that was never written, or no word of one: the line before it.
        here = at.get(word(value.get("parentUuid")), here - 1)
    return reached


def _with_answers(behind: list[Entry], on_branch: list[Entry], session: Session) -> list[Entry]:
    """A branch with the lines of its messages and the results of its calls that hang elsewhere."""
    ids = {word(_message(entry).get("id")) for entry in on_branch if entry.value["type"] == "assistant"} - {""}
    mine = {entry.value["uuid"] for entry in on_branch}
    of_messages = [
        entry for entry in behind if entry.value["type"] == "assistant" and word(_message(entry).get("id")) in ids
    ]
    mine |= {entry.value["uuid"] for entry in of_messages}
    calls = {
        word(block.get("id"))
        for entry in behind
        if entry.value["uuid"] in mine
        for block in _blocks(entry)
        if block.get("type") == "tool_use"
    }
    for entry in behind:
        answered = {word(block.get("tool_use_id")) for block in _blocks(entry) if block.get("type") == "tool_result"}
        if entry.value["uuid"] not in mine and answered & (calls - {""}):
            mine.add(entry.value["uuid"])
    return [entry for entry in behind if entry.value["uuid"] in mine]


def _messages(kept: list[Entry]) -> list[dict[str, Any]]:
    """The messages that lines make together."""
    found: list[dict[str, Any]] = []
    by_id: dict[str, dict[str, Any]] = {}
    for entry in kept:
        said = _message(entry)
        role, content = said.get("role") or entry.value["type"], said.get("content")
        known = by_id.get(word(said.get("id")))
        if known is not None and isinstance(content, list):
            _join(known["content"], content)
        elif found and _only_results(content) and _only_results(found[-1]["content"]):
            found[-1]["content"].extend(content)
        else:
            message = {"role": role, "content": list(content) if isinstance(content, list) else content}
            found.append(message)
            if word(said.get("id")) and isinstance(content, list):
                by_id[said["id"]] = message
    return found


def _join(blocks: list[Any], more: list[Any]) -> None:
    """Adds the blocks of another line of a message. A block that comes again replaces the first copy."""
    for block in more:
        same = [at for at, one in enumerate(blocks) if one == block or (_id(one) and _id(one) == _id(block))]
        if same:
            blocks[same[0]] = block
        else:
            blocks.append(block)


def _id(block: Any) -> Any:
    return block.get("id") if isinstance(block, dict) else None


def _message(entry: Entry) -> Any:
    message = entry.value.get("message")
    return message if isinstance(message, dict) else None


def _blocks(entry: Entry) -> list[dict[str, Any]]:
    content = (_message(entry) or {}).get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def _only_results(content: Any) -> bool:
    return isinstance(content, list) and bool(content) and all(_is_result(block) for block in content)


def _is_result(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_result"


def _is_of_program(entry: Entry) -> bool:
    return bool(entry.value.get("isApiErrorMessage")) or _message(entry).get("model") == "<synthetic>"
