"""What the formats that resemble Chat Completions share: a message for each turn or result, and system text."""

from collections.abc import Callable
from typing import Any

from .cannot import CannotError, text_of

Json = dict[str, Any]
Spelling = Callable[[Json], Json]
Message = Callable[[list[Json]], Json]


def request(turns: list[Json], user: Message, result: Spelling, assistant: Message) -> Json:
    """`user` spells a user's message without its role, `result` one result, `assistant` what a model says."""
    messages: list[Json] = []
    for turn in turns:
        parts = turn["parts"]
        match turn["role"]:
            case "system":
                messages.append({"role": "system", "content": text_of(parts)})
            case "user":
                messages.append({"role": "user"} | user(parts))
            case "results":
                messages += [result(part) for part in parts]
            case _:
                messages.append(assistant(parts))
    return {"messages": messages}


def content(parts: list[Json], block: Spelling) -> Json:
    """One text as it is, and anything else as a list."""
    return {"content": parts[0]["text"] if len(parts) == 1 else [block(part) for part in parts]}


def without_media(result: Json) -> list[Json]:
    """The content of a result, where the format has only text there."""
    if any("data" in one for one in result["content"]):
        raise CannotError("media in a result")
    return list(result["content"])


def without_signatures(parts: list[Json]) -> list[Json]:
    """What a model says, where the format has neither refusals nor reasoning that is signed."""
    if any("redacted" in part or "refusal" in part or part.get("signature") for part in parts):
        raise CannotError("refusals, and reasoning with a signature")
    return parts
