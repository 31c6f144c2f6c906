"""What judges a payload, and is not turnwire: the wire checker for OpenAI and Anthropic, our own for the rest."""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any

from . import paths, q_checker, stored_checker
from .bases import SHARED
from .kinds import reply
from .problem import Problem

BODY = {"openai": {"model": "m"}, "anthropic": {"model": "m", "max_tokens": 4096}}
WIRE = {"openai": "openai_chat", "anthropic": "anthropic"}
OWN: dict[str, Callable[[Any], Iterable[Problem]]] = {"amazon-q": q_checker.check, "history": stored_checker.check}

# Where the wire checker, which goes by the SDK's types, is narrower than the server: code, place, and why.
NARROWER = (("type", r"messages\[\]\.name", "OpenAI serves a name on a message of any role, a tool's too"),)

# Missing definitions of tools: the caller may pass them beside.
TOOLS_MISSING = "tools.missing"


@cache
def missing(dialect: str) -> str | None:
    """Why this dialect cannot be judged here, or None."""
    if dialect in OWN:
        return None
    if not (SHARED / "tools/wirecheck.py").exists():
        return "the wire checker is not here (../shared/tools)"
    if find_spec(dialect) is None:
        return "the official SDKs are not installed (dependency group wire)"
    return None


@cache
def _wirecheck() -> Any:
    sys.path.insert(0, str(SHARED / "tools"))
    try:
        import wirecheck
    finally:
        sys.path.pop(0)
    return wirecheck


def problems(dialect: str, payload: Any) -> list[Problem]:
    """What the target would refuse."""
    if dialect in OWN:
        return list(OWN[dialect](payload))
    body = BODY[dialect] | (payload if isinstance(payload, dict) else {"messages": payload})
    checker = _wirecheck()
    try:
        found = checker.errors(checker.check(WIRE[dialect], body))
    except (AttributeError, TypeError) as error:
        # An id that is a list, tools that are a number: nobody could send this.
        return [Problem("unreadable", "", str(error))]
    made = [Problem(one.code.partition(".")[2], one.path, one.message) for one in found]
    return [one for one in made if not is_narrower(one)]


def is_narrower(one: Problem) -> bool:
    return any(code == one.code and re.fullmatch(place, one.place) for code, place, _ in NARROWER)


def beyond(found: Iterable[Problem], original: Iterable[Problem]) -> list[Problem]:
    """The problems that are not in the original, however far its turns have moved."""

    def key(one: Problem) -> tuple[str, str, str]:
        # Other messages name ids, which a build may rename.
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
    """Why a problem may be left, and what the code, path or text of a finding must hold."""

    why: str
    about: str


# Keys that a dialect knows: in the wrong message or block they are no unknown keys.
MESSAGE = {"role", "content", "name", "tool_calls", "tool_call_id", "refusal", "audio", "function_call"}
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

# The types of blocks that a dialect knows: in the wrong place they are no unknown blocks.
TYPES = {
    "openai": {"text", "image_url", "input_audio", "file", "refusal"},
    "anthropic": {"text", "image", "document", "search_result", "thinking", "redacted_thinking"}
    | {"tool_use", "tool_result", "server_tool_use", "container_upload"},
}


def excuse(dialect: str, one: Problem, payload: Any) -> Excuse | None:
    """The exceptions of promise P7: missing definitions of tools, and unknown keys that are not those of replies.

    Blocks of an unknown type are taken as unknown keys are: the recordings hold types that the SDKs do not know yet,
    and servers have accepted them.
    """
    if one.code == TOOLS_MISSING:
        return Excuse("tools missing", "tool")
    if one.code == "unknown-key" or (one.code == "type" and "Extra inputs are not permitted" in one.message):
        parent, _, key = one.path.rpartition(".")
        holder = paths.value(payload, f"${parent}" if parent[:1] in ("", "[") else f"$.{parent}")
        is_block = isinstance(holder, dict) and key in BLOCKS.get(str(holder.get("type")), ())
        is_message = re.fullmatch(r"messages\[\d+\]", parent) and key in MESSAGE and dialect == "openai"
        if is_block or is_message or one.place in reply.KEYS.get(dialect, ()):
            return None
        return Excuse("unknown key", key if paths.step_of(key) != paths.ODD else '["')
    tag = re.search(r"Input tag '(\w+)' found", one.message)
    if one.code == "type" and one.place.endswith(".content[]") and tag and tag[1] not in TYPES[dialect]:
        return Excuse("unknown block", tag[1])
    return None
