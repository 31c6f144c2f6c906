"""The judges of a payload, none of them turnwire: the wire checker, and checkers of our own for the rest."""

import base64
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from judges import wire
from judges.problem import Problem

from . import paths
from .bases import JUDGES
from .kinds import reply
from .payload import VIEWS

# Missing tool definitions: the caller may pass them separately.
TOOLS_MISSING = {"tools.missing", "toolConfig.missing"}


@cache
def missing(dialect: str) -> str | None:
    """Why this dialect cannot be judged here, or None."""
    judge = JUDGES[dialect]
    if judge.wire is None:
        return None
    if find_spec(judge.sdk.partition(".")[0]) is None or find_spec(judge.sdk) is None:
        return "the official SDKs are not installed (dependency group wire)"
    return None


def problems(dialect: str, payload: Any) -> list[Problem]:
    """What the target would refuse."""
    judge = JUDGES[dialect]
    found = list(judge.check(payload)) if judge.check else []
    if judge.wire is None:
        return found
    body = judge.body | (payload if isinstance(payload, dict) else {VIEWS[dialect].LIST: payload})
    body = _as_json(body)
    wired = judge.wired(body) if judge.wired else body
    try:
        told = wire.errors(wire.check(judge.wire, wired, **judge.options))
    except (AttributeError, TypeError) as error:
        # An id that is a list or tools that are a number cannot be sent.
        return [Problem("unreadable", "", str(error))]
    made = [Problem(one.code.partition(".")[2], one.path, one.message) for one in told]
    if judge.read:
        made = list(judge.read(wired, made))
    if judge.sift:
        made = judge.sift(body, made)
    made = [one for one in made if one.code != "first-role" or not begins_with_compaction(body)]
    return found + [one for one in made if not is_narrower(dialect, one)]


def begins_with_compaction(body: Any) -> bool:
    """Whether a compaction replaces the user's first message, a case unknown to the wire checker."""
    first = body["messages"][0] if isinstance(body, dict) and body.get("messages") else {}
    content = first.get("content") if isinstance(first, dict) else None
    return isinstance(content, list) and bool(content) and content[0] == {**content[0], "type": "compaction"}


def _as_json(value: Any) -> Any:
    """Bytes as the base64 text that a client sends for them."""
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_json(item) for item in value]
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def is_narrower(dialect: str, one: Problem) -> bool:
    return any(code == one.code and re.fullmatch(place, one.place) for code, place, _ in JUDGES[dialect].narrower)


def beyond(found: Iterable[Problem], original: Iterable[Problem]) -> list[Problem]:
    """The problems that are not in the original, wherever its turns have moved."""

    def key(one: Problem) -> tuple[str, str, str]:
        # Other messages hold ids, which a build may rename.
        return one.code, one.place, one.message if one.code == "type" else ""

    known = Counter(map(key, original))
    new = []
    for one in found:
        known[key(one)] -= 1
        if known[key(one)] < 0:
            new.append(one)
    return new


@dataclass(frozen=True)
class Excuse:
    """Why a problem is allowed, and what the code, path or text of a finding must hold."""

    why: str
    about: str


# Keys of a block in any dialect: in another block they do not count as unknown keys.
BLOCKS = {
    "tool_use": {"id", "name", "input", "caller"},
    "tool_result": {"tool_use_id", "content", "is_error"},
    "image": {"source"},
    "document": {"source", "title", "context", "citations"},
    "thinking": {"thinking", "signature"},
    "redacted_thinking": {"data"},
    "search_result": {"source", "title", "content"},
    "image_url": {"image_url"},
    "file": {"file"},
    "input_audio": {"input_audio"},
    "refusal": {"refusal"},
}


def excuse(dialect: str, one: Problem, payload: Any) -> Excuse | None:
    """The exceptions of promise P7: missing tool definitions, and unknown keys that do not come from replies.

    Blocks of an unknown type are treated like unknown keys: the recordings hold types that the SDKs do not know yet,
    and servers have accepted them.
    """
    judge = JUDGES[dialect]
    if one.code in TOOLS_MISSING:
        return Excuse("tools missing", "tool")
    if one.code == "unknown-block" and one.message not in judge.types:
        return Excuse("unknown block", one.message)
    if one.code == "unknown-key" or (one.code == "type" and "Extra inputs are not permitted" in one.message):
        parent, _, key = one.path.rpartition(".")
        holder = paths.value(payload, f"${parent}" if parent[:1] in ("", "[") else f"$.{parent}")
        kind = str(holder.get("type")) if isinstance(holder, dict) else ""
        is_block = key in BLOCKS.get(kind, ()) and (kind, key) not in judge.foreign
        is_message = re.fullmatch(rf"{VIEWS[dialect].LIST}\[\d+\]", parent) and key in judge.messages
        if is_block or is_message or one.place in reply.KEYS.get(dialect, ()):
            return None
        return Excuse("unknown key", key if paths.step_of(key) != paths.ODD else '["')
    tag = re.search(r"Input tag '(\w+)' found", one.message)
    in_list = one.place.endswith(".content[]") or one.place == f"{VIEWS[dialect].LIST}[]"
    if one.code == "type" and in_list and tag and tag[1] not in judge.types:
        return Excuse("unknown block", tag[1])
    return None
