"""What the Amazon Q service would refuse in a list of messages, by spec 000 and the limits of its own client.

Messages of users and assistants alternate, and the user is first and last. A call has an id and a name of word
characters and an object for input. The next user message answers each call once and nothing else. A result has content.
Images are png, jpeg, gif or webp in base64.
"""

import base64
import re
from collections.abc import Iterator
from typing import Any

from .problem import Problem

KEYS = {
    "userInputMessage": {"content", "userInputMessageContext", "images", "userIntent", "origin", "modelId"},
    "assistantResponseMessage": {"content", "messageId", "toolUses"},
}
CONTEXT = {"toolResults", "envState", "tools", "editorState", "shellState", "gitState", "additionalContext"}
FORMATS = {"png", "jpeg", "gif", "webp"}
ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def check(payload: Any) -> Iterator[Problem]:
    """Every problem of a payload."""
    if not isinstance(payload, list):
        yield Problem("type", "", "no list")
        return
    if not payload:
        yield Problem("empty", "", "no messages")
    yield from characters(payload, "")
    before, open_ids = "assistantResponseMessage", []
    for index, element in enumerate(payload):
        at = f"[{index}]"
        if not isinstance(element, dict) or len(set(element) & set(KEYS)) != 1:
            yield Problem("element", at, "neither one message of a user nor one of an assistant")
            continue
        yield from unknown(element, set(KEYS), at)
        (kind,) = set(element) & set(KEYS)
        message, at = element[kind], f"{at}.{kind}"
        if kind == before:
            yield Problem("alternate", at, "the same role again, or the assistant first")
        before = kind
        if not isinstance(message, dict):
            yield Problem("type", at, "no object")
            continue
        yield from unknown(message, KEYS[kind], at)
        if not isinstance(message.get("content"), str):
            yield Problem("type", f"{at}.content", "no text")
        if kind == "userInputMessage":
            yield from _user(message, at, open_ids)
            open_ids = []
        else:
            if open_ids:
                yield Problem("unanswered", at, str(open_ids))
            open_ids = yield from _assistant(message, at)
    if open_ids:
        yield Problem("unanswered", "", str(open_ids))
    if before == "assistantResponseMessage" and payload:
        yield Problem("last", "", "the assistant is last")


def _assistant(message: dict[str, Any], at: str) -> Iterator[Problem]:
    if not isinstance(message.get("messageId"), str | None):
        yield Problem("type", f"{at}.messageId", "no text")
    ids: list[Any] = []
    uses = message.get("toolUses")
    if not isinstance(uses, list | None):
        yield Problem("type", f"{at}.toolUses", "no list")
    for index, use in enumerate(uses if isinstance(uses, list) else []):
        here = f"{at}.toolUses[{index}]"
        if not isinstance(use, dict):
            yield Problem("type", here, "no object")
            continue
        yield from unknown(use, {"toolUseId", "name", "input"}, here)
        for key in ("toolUseId", "name"):
            if not isinstance(use.get(key), str) or not ID.fullmatch(use[key]):
                yield Problem(f"{key}.bad", f"{here}.{key}", repr(use.get(key)))
        if not isinstance(use.get("input"), dict):
            yield Problem("input.not-object", f"{here}.input", repr(use.get("input")))
        if use.get("toolUseId") in ids:
            yield Problem("id.twice", here, repr(use.get("toolUseId")))
        ids.append(use.get("toolUseId"))
    return ids


def _user(message: dict[str, Any], at: str, open_ids: list[Any]) -> Iterator[Problem]:
    context = message.get("userInputMessageContext")
    if not isinstance(context, dict | None):
        yield Problem("type", f"{at}.userInputMessageContext", "no object")
    context = context if isinstance(context, dict) else {}
    yield from unknown(context, CONTEXT, f"{at}.userInputMessageContext")
    results, here = context.get("toolResults"), f"{at}.userInputMessageContext.toolResults"
    if not isinstance(results, list | None):
        yield Problem("type", here, "no list")
    waiting = list(open_ids)
    for index, result in enumerate(results if isinstance(results, list) else []):
        if not isinstance(result, dict):
            yield Problem("type", f"{here}[{index}]", "no object")
            continue
        yield from _result(result, f"{here}[{index}]")
        if result.get("toolUseId") in waiting:
            waiting.remove(result.get("toolUseId"))
        else:
            yield Problem("orphan", f"{here}[{index}]", repr(result.get("toolUseId")))
    if waiting:
        yield Problem("unanswered", at, str(waiting))
    images = message.get("images")
    if not isinstance(images, list | None):
        yield Problem("type", f"{at}.images", "no list")
    for index, image in enumerate(images if isinstance(images, list) else []):
        yield from _image(image, f"{at}.images[{index}]")


def _result(result: dict[str, Any], at: str) -> Iterator[Problem]:
    yield from unknown(result, {"toolUseId", "content", "status"}, at)
    if result.get("status", "success") not in ("success", "error"):
        yield Problem("status", f"{at}.status", repr(result.get("status")))
    blocks = result.get("content")
    if not isinstance(blocks, list) or not blocks:
        yield Problem("result.empty", f"{at}.content", "no blocks")
        return
    for index, block in enumerate(blocks):
        here = f"{at}.content[{index}]"
        if not isinstance(block, dict) or len(set(block) & {"text", "json"}) != 1:
            yield Problem("block", here, "neither text nor json")
            continue
        yield from unknown(block, {"text", "json"}, here)
        if "text" in block and not isinstance(block["text"], str):
            yield Problem("type", f"{here}.text", "no text")
    if all(isinstance(block, dict) and block.get("text") == "" for block in blocks):
        yield Problem("result.empty", f"{at}.content", "nothing but empty text")


def _image(image: Any, at: str) -> Iterator[Problem]:
    if not isinstance(image, dict) or not isinstance(image.get("source"), dict):
        yield Problem("type", at, "no image")
        return
    yield from unknown(image, {"format", "source"}, at)
    yield from unknown(image["source"], {"bytes"}, f"{at}.source")
    if image.get("format") not in FORMATS:
        yield Problem("image.format", f"{at}.format", repr(image.get("format")))
    data = image["source"].get("bytes")
    try:
        sound = isinstance(data, str) and bool(base64.b64decode(data, validate=True))
    except ValueError:
        sound = False
    if not sound:
        yield Problem("image.data", f"{at}.source.bytes", "no base64")


def unknown(value: dict[Any, Any], known: set[str], at: str) -> Iterator[Problem]:
    """The unknown keys."""
    for key in value:
        if key not in known:
            yield Problem("unknown-key", f"{at}.{key}", "no such key")


def characters(value: Any, at: str) -> Iterator[Problem]:
    """What JSON cannot hold: lone surrogates, infinite numbers, keys that are not a text."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                yield Problem("json", at, f"a key that is no text: {key!r}")
            yield from characters(item, f"{at}.{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from characters(item, f"{at}[{index}]")
    elif isinstance(value, str):
        if re.search("[\ud800-\udfff]", value):
            yield Problem("json", at, "half a character")
    elif isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            yield Problem("json", at, "no number")
    elif value is not None and not isinstance(value, int):
        yield Problem("json", at, type(value).__name__)
