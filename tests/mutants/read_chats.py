"""The wire checker's findings for the chats of Mistral, Ollama and Cohere, with codes for unknown keys and types."""

import re
from collections.abc import Iterator
from typing import Any

from judges.problem import Problem

from . import paths

# The clients' models refuse no key; the wire checker reports those that they drop.
NO_FIELD = re.compile(r".*\w+ has no field '.*'", re.DOTALL)
CHUNK = re.compile(r"the SDK does not know this content chunk type: '(.*)'")
# A part of content: its type is reported once for each type that a part may have.
PART = re.compile(r"(messages\[\d+\]\.content\[\d+\])\.\w+")
ASKED = re.compile(r".*Input should be '(\w+)'", re.DOTALL)


def read(body: Any, told: list[Problem]) -> Iterator[Problem]:
    """The same findings; several messages of the vendor's validator about one unknown thing become one."""
    told = list(_of_parts(body, told))
    strange = [one for one in told if one.code == "chunk.unknown" or NO_FIELD.fullmatch(one.message)]
    typed = any(one.code in ("type", "chunk.unknown") for one in told)
    for one in told:
        if chunk := CHUNK.fullmatch(one.message):
            yield Problem("unknown-block", one.path, chunk[1])
        elif one in strange:
            yield Problem("unknown-key", one.path, one.message)
        elif not (typed and one.code == "vendor" and "ValidationError" in one.message):
            yield one


def _of_parts(body: Any, told: list[Problem]) -> Iterator[Problem]:
    """The same findings; a part of an unexpected type is reported as a whole."""
    asked: dict[str, set[str]] = {}
    for one in told:
        if (part := PART.fullmatch(one.path)) and (kind := ASKED.fullmatch(one.message)) and one.path.endswith(".type"):
            asked.setdefault(part[1], set()).add(kind[1])
    unknown = set()
    for one in told:
        part = PART.fullmatch(one.path)
        if one.code != "type" or not part or part[1] not in asked:
            yield one
            continue
        kind = paths.value(body, f"$.{part[1]}.type")
        if not isinstance(kind, str) or not kind or kind in asked[part[1]]:
            yield one
        elif part[1] not in unknown:
            unknown.add(part[1])
            yield Problem("unknown-block", part[1], kind)
