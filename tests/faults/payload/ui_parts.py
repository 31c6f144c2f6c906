"""Parts of UIMessages that hold a call and its result: the two halves while faults change them, and one part again."""

from collections.abc import Iterator
from typing import Any

from .view import Json

# Keys of a part about its result. All other keys are about its call.
ANSWER = ("state", "output", "errorText", "resultProviderMetadata", "preliminary")
DONE = ("output-available", "output-error", "output-denied")


class Asked(dict[str, Any]):
    """A call, with the tool's name under a key."""


class Told(dict[str, Any]):
    """A result, with the name of its tool."""


def halves(part: Any) -> Iterator[Any]:
    """The call and the result of a part, where it belongs to a tool that the client runs."""
    kind = part.get("type") if isinstance(part, dict) else None
    dynamic = kind == "dynamic-tool"
    if not isinstance(kind, str) or not (dynamic or kind.startswith("tool-")) or part.get("providerExecuted"):
        yield part
        return
    rest = {key: value for key, value in part.items() if key not in ("type", "toolName", *ANSWER)}
    name = part.get("toolName") if dynamic else kind.removeprefix("tool-")
    asked = Asked(**rest, name=name, dynamic=dynamic)
    if part.get("state") not in DONE:
        yield Asked(**asked, state=part.get("state"))
        return
    yield asked
    held = {key: part[key] for key in ANSWER if key in part}
    yield Told(toolCallId=part.get("toolCallId"), name=name, **held)


def joined(parts: list[Any]) -> list[Any]:
    """The parts with each result in the part of its call, where both are in one message."""
    left = [one for one in parts if isinstance(one, Told)]
    whole = []
    for part in parts:
        if isinstance(part, Asked):
            answer = next((one for one in left if one.get("toolCallId") == part.get("toolCallId")), None)
            left = [one for one in left if one is not answer]
            whole.append(_part(part, answer))
        elif not isinstance(part, Told):
            whole.append(part)
        elif any(part is one for one in left) and not _is_asked(part, parts):
            whole.append(_part(Asked(toolCallId=part.get("toolCallId"), name=part.get("name")), part))
            left = [one for one in left if one is not part]
    return [*whole, *(_part(Asked(toolCallId=one.get("toolCallId"), name=one.get("name")), one) for one in left)]


def _is_asked(result: Told, parts: list[Any]) -> bool:
    return any(isinstance(one, Asked) and one.get("toolCallId") == result.get("toolCallId") for one in parts)


def _part(call: Json, result: Json | None) -> Json:
    """One part made of a call and its answer. The keys of a call keep their order."""
    rest = {key: value for key, value in call.items() if key not in ("name", "dynamic", "state")}
    name, dynamic = call.get("name"), call.get("dynamic")
    if dynamic:
        made: Json = {"type": "dynamic-tool"} | ({"toolName": name} if "name" in call else {})
    elif "name" in call:
        made = {"type": f"tool-{name}" if isinstance(name, str) else name}
    else:
        made = {}
    answer = {key: value for key, value in (result or {}).items() if key not in ("name", "toolCallId")}
    state = {} if "state" in answer else {"state": call.get("state", "input-available")}
    return {**made, **rest, **state, **answer}
