"""What a target would refuse of a request with something odd in it, and what of that is no concern of turnwire."""

import base64
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from judges import wire
from judges.problem import Problem
from world.judge import CHECKS, JUDGES

from . import paths, read_bedrock, read_chats, read_gemini, read_responses

HERE = Path(__file__).parent
#: What a judge must know of each format.
#: `list`: the key of its list. `continues`: the caller's keys that say the server holds earlier messages.
#: `read`: the options to read it. `messages` and `types`: the keys and blocks that it knows, so that a misplaced one is
#: not an unknown one. `foreign`: blocks with keys that other formats have. `of_replies`: keys that only replies have.
#: `narrower`: where the SDK's types are stricter than the server, and why. `merges`: adjacent turns may become one.
FORMATS: dict[str, dict[str, Any]] = json.loads((HERE / "formats.json").read_text(encoding="utf-8"))
#: The definitions of tools may come from the caller.
TOOLS_MISSING = {"tools.missing", "toolConfig.missing", "tools.absent"}
#: How findings are read, so that unknown keys and blocks have codes of their own, and what is checked beside.
READ: dict[str, Callable[[Any, list[Problem]], Iterable[Problem]]] = {
    "bedrock": read_bedrock.read,
    "gemini": read_gemini.read,
    "openai-responses": read_responses.read,
    **dict.fromkeys(("mistral", "cohere", "ollama"), read_chats.read),
}
BESIDE: dict[str, Callable[[Any], Iterable[Problem]]] = {
    "gemini": read_gemini.check,
    "gemini:2": read_gemini.check_2,
    "openai-responses": read_responses.check,
}


def fact(name: str, key: str, default: Any = ()) -> Any:
    """What the format's row says, or that of the format whose profile this is."""
    row = FORMATS.get(name) or FORMATS.get(name.partition(":")[0], {})
    return row.get(key, default)


def listed(name: str, body: Any) -> Any:
    """The list of a request, or the list that it is."""
    if not isinstance(body, dict):
        return body
    found = body.get(fact(name, "list", "messages"))
    return [found] if isinstance(found, str) else found


def problems(target: str, payload: Any) -> list[Problem]:
    """What the target would refuse."""
    try:
        return list(CHECKS[target](payload) if target in CHECKS else _wired(target, payload))
    except (AttributeError, TypeError) as error:
        # An id that is a list or tools that are a number cannot be sent.
        return [Problem("unreadable", "", str(error))]


def _wired(target: str, payload: Any) -> list[Problem]:
    name, options = JUDGES[target]
    body = _as_json(payload if isinstance(payload, dict) else {fact(target, "list", "messages"): payload})
    head: Any = {"gemini": {}, "anthropic": {"model": "m", "max_tokens": 4096}}.get(name, {"model": "m"})
    if name == "bedrock":
        head = {}
    read = READ.get(target) or READ.get(target.partition(":")[0])
    beside = list(BESIDE[target](payload)) if target in BESIDE else []
    wired = read_gemini.wired(head | body) if target == "gemini" else head | body
    told = wire.errors(wire.check(name, wired, **options))
    made = [Problem(one.code.partition(".")[2], one.path, one.message) for one in told]
    made = list(read(wired, made)) if read else made
    made = [one for one in made if one.code != "first-role" or not begins_with_compaction(body)]
    return beside + [one for one in made if not is_narrower(target, one)]


def begins_with_compaction(body: Any) -> bool:
    """Whether a compaction replaces the user's first message, a case that the judge does not know."""
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


def is_narrower(target: str, one: Problem) -> bool:
    return any(code == one.code and re.fullmatch(place, one.place) for code, place, _ in fact(target, "narrower"))


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


#: Keys of a block in any format: in another block they do not count as unknown keys.
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


def excuse(target: str, one: Problem, payload: Any) -> str | None:
    """Why a problem is allowed: missing tools, and unknown keys and kinds, which the server may know tomorrow."""
    types = fact(target, "types")
    if one.code in TOOLS_MISSING:
        return "tools missing"
    if one.code == "unknown-block" and one.message not in types:
        return "unknown block"
    if one.code == "unknown-key" or (one.code == "type" and "Extra inputs are not permitted" in one.message):
        parent, _, key = one.path.rpartition(".")
        holder = paths.value(payload, f"${parent}" if parent[:1] in ("", "[") else f"$.{parent}")
        kind = str(holder.get("type")) if isinstance(holder, dict) else ""
        is_block = key in BLOCKS.get(kind, ()) and [kind, key] not in fact(target, "foreign", [])
        in_list = rf"{fact(target, 'list', 'messages')}\[\d+\]"
        is_message = re.fullmatch(in_list, parent) and key in fact(target, "messages")
        return None if is_block or is_message or one.place in fact(target, "of_replies") else "unknown key"
    tag = re.search(r"Input tag '(\w+)' found", one.message)
    in_list = one.place.endswith(".content[]") or one.place == f"{fact(target, 'list', 'messages')}[]"
    return "unknown block" if one.code == "type" and in_list and tag and tag[1] not in types else None
