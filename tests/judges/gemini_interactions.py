"""What Interactions refuses in the steps of a request, by the SDK's types and the guide to function calls.

Contents and steps never mix. Each call has an id of its own, a name and an object of arguments, and is answered once
before the user's next step. The server may hold calls of an interaction that is continued.
"""

from collections.abc import Iterator
from typing import Any

from .amazon_q import characters
from .problem import Problem

CONTENTS = {"text", "image", "audio", "video", "document"}
SAID = {"user_input", "model_output"}


def check(payload: Any) -> Iterator[Problem]:
    """Every problem of a body, or of its steps."""
    body = payload if isinstance(payload, dict) else {"input": payload}
    steps = body.get("input")
    if isinstance(steps, dict):
        steps = [steps]
    if isinstance(steps, str) and steps:
        return
    if not isinstance(steps, list) or not steps:
        yield Problem("list", "", "no list of something")
        return
    yield from characters(steps, "")
    kinds = [step.get("type") if isinstance(step, dict) else None for step in steps]
    if all(kind in CONTENTS for kind in kinds):
        yield from _contents(steps, "input")
        return
    held = any(body.get(key) for key in ("previous_interaction_id", "continuation_token"))
    open_ids: list[Any] = []
    seen: list[Any] = []
    for index, (kind, step) in enumerate(zip(kinds, steps, strict=True)):
        at = f"input[{index}]"
        if not isinstance(kind, str) or not kind or kind in CONTENTS:
            yield Problem("step", at, repr(step)[:80])
        elif kind in SAID:
            yield from _contents(step.get("content"), f"{at}.content")
            if open_ids and kind == "user_input":
                yield Problem("unanswered", at, repr(open_ids))
                open_ids = []
        elif kind == "function_call":
            if not isinstance(step.get("name"), str) or not isinstance(step.get("arguments"), dict):
                yield Problem("call", at, repr(step))
            if not isinstance(step.get("id"), str) or not step["id"] or step["id"] in seen:
                yield Problem("id", at, repr(step.get("id")))
            seen.append(step.get("id"))
            open_ids.append(step.get("id"))
        elif kind == "function_result":
            if (answered := step.get("call_id")) in open_ids:
                open_ids.remove(answered)
            elif not held or answered in seen:
                yield Problem("orphan", at, repr(answered))
            result = step.get("result")
            if isinstance(result, list):
                yield from _contents(result, f"{at}.result")
            elif not isinstance(result, str | dict):
                yield Problem("result", at, repr(result))
    if open_ids:
        yield Problem("unanswered", "", repr(open_ids))


def _contents(contents: Any, at: str) -> Iterator[Problem]:
    if not isinstance(contents, list):
        yield Problem("content", at, repr(contents))
        return
    for index, one in enumerate(contents):
        kind = one.get("type") if isinstance(one, dict) else None
        if kind == "text":
            if not isinstance(one.get("text"), str):
                yield Problem("part", f"{at}[{index}]", repr(one))
        elif isinstance(kind, str) and kind in CONTENTS:
            if not isinstance(one.get("data", one.get("uri")), str):
                yield Problem("source", f"{at}[{index}]", repr(one))
        else:
            yield Problem("unknown-block" if isinstance(kind, str) and kind else "part", f"{at}[{index}]", str(kind))
