"""What the wire checker says of the chats of Mistral, Ollama and Cohere, with codes for what nobody knows."""

import re
from collections.abc import Iterator
from typing import Any

from .problem import Problem

# The clients' models refuse no key; the wire checker tells of those that they drop.
NO_FIELD = re.compile(r".*\w+ has no field '.*'", re.DOTALL)
CHUNK = re.compile(r"the SDK does not know this content chunk type: '(.*)'")


def read(body: Any, told: list[Problem]) -> Iterator[Problem]:
    """The same; what the vendor's validator says of what it does not know is said once."""
    strange = [one for one in told if one.code == "chunk.unknown" or NO_FIELD.fullmatch(one.message)]
    typed = any(one.code in ("type", "chunk.unknown") for one in told)
    for one in told:
        if chunk := CHUNK.fullmatch(one.message):
            yield Problem("unknown-block", one.path, chunk[1])
        elif one in strange:
            yield Problem("unknown-key", one.path, one.message)
        elif not (typed and one.code == "vendor" and "ValidationError" in one.message):
            yield one
