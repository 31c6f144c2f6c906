"""What `convert` promises of a case: both doors say the same, and each word is written or told."""

import json
from typing import Any

import turnwire as tw

from .options import keywords
from .outcome import Outcome, attempt
from .words import told

#: The options that `convert` takes, too.
TAKEN = {"model", "reasoning", "strict", "settings", "tool_results", "blobs"}


def converted(it: Outcome) -> str | None:
    options: Any = {name: value for name, value in keywords(it.case).items() if name in TAKEN}
    if options.get("settings") != "convert":
        options.pop("model", None)
    options["source"] = it.case["source"]
    made, error = attempt(tw.convert, it.body, it.target, **options)
    text = json.dumps(it.body, separators=(",", ":")).encode()
    other, again = attempt(tw.convert_json, text, it.target, **options)
    if made is None or other is None:
        same = error and again and (error.code, error.path) == (again.code, again.path)
        return None if same else f"{error!r} and {again!r}"
    if (json.loads(other.payload), other.receipt) != (made.payload, made.receipt):
        return "convert and convert_json differ"
    gone = told(it.body, made.payload, [loss.path for loss in made.receipt])
    return f"vanished without a word: {gone}" if gone else None


HALF = "a\ud83d"
CALL = {"name": "f", "arguments": {"q": HALF}}
#: From where, or to where, halves of characters are replaced and not counted, with a request that shows it: in the
#: arguments of a call that is JSON text.
KNOWN: dict[tuple[str, str], Any] = {
    ("sharegpt", ""): [{"from": "human", "value": "q"}, {"from": "function_call", "value": json.dumps(CALL)}],
    ("llama", ""): [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": json.dumps({"name": "f", "parameters": {"q": HALF}})},
    ],
}


def halved(body: Any, source: str, target: str) -> str | None:
    """Each half of a character that a door replaces is counted by a change."""
    data = json.dumps(body, separators=(",", ":"))
    doors = (
        lambda: tw.convert(body, target, source=source, blobs="base64"),
        lambda: tw.convert_json(body, target, source=source),
        lambda: tw.Conversation.parse(body, source).render_json(target),
        lambda: tw.convert(data.encode(), target, source=source, blobs="base64"),
        lambda: tw.Conversation.parse(data, source).render(target, blobs="base64"),
        lambda: tw.convert_json(data, target, source=source),
    )
    for number, door in enumerate(doors):
        made, error = attempt(door)
        if error is not None:
            return None if error.code == "refused" else f"door {number} raises {error!r}"
        text = (
            made.payload.decode() if isinstance(made.payload, bytes) else json.dumps(made.payload, ensure_ascii=False)
        )
        halves = [one.reason.split()[0] for one in made.receipt if one.code == "lone_surrogate"]
        counted = sum(1 if count == "half" else int(count) for count in halves)
        written = text.count("\ufffd") + text.count("\\ufffd")
        if written != counted:
            return f"door {number} replaces {written}, and counts {counted}"
    return None
