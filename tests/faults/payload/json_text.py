"""JSON text inside a payload, parsed while faults change it; and results by their order."""

import json
from collections.abc import Sequence
from typing import Any

from .view import Call, Payload, Result


class Said(dict[str, Any]):
    """An object that is JSON text in the payload."""


class Listed(list[Any]):
    """Objects that are JSON text in the payload: a single one, or several in a list."""


def said(words: Any) -> Any:
    """The parsed JSON text, where it is an object or a list."""
    if not isinstance(words, str) or not words.startswith(("{", "[")):
        return None
    try:
        return json.loads(words)
    except ValueError:
        return None


class Ordered(Payload):
    """A payload without ids. Its results follow their calls, in the same order."""

    HAS_IDS = False
    RARE = True

    def made(self) -> Any:
        """The payload, with JSON text again."""
        return written(super().made())

    def results_of(self, calls: Sequence[Call]) -> list[Result]:
        return by_order(self, calls)

    def parallel(self) -> list[Call]:
        """Calls of adjacent elements."""
        runs: list[list[Call]] = [[]]
        for element in self.elements:
            made = list(self._calls_of(element)) if isinstance(element, dict) else []
            runs[-1] += made
            runs += [] if made else [[]]
        return self.some([run for run in runs if len(run) > 1])


def by_order(payload: Payload, calls: Sequence[Call]) -> list[Result]:
    """The results of these calls, each by its position among the results after the calls."""
    run: list[Call] = []
    found, answering = [], False
    for element in payload.elements:
        made = list(payload._calls_of(payload.unwrapped(element))) if isinstance(element, dict) else []
        told = list(payload._results_of(element)) if isinstance(element, dict) and not made else []
        if not told:
            run = [*([] if answering or not made else run), *made]
        answering = bool(told)
        for result in told[: len(run)]:
            call = run.pop(0)
            found += [result for one in calls if one.node is call.node]
    return found


def written(value: Any) -> Any:
    """The same as it is sent."""
    if isinstance(value, Said):
        return json.dumps(value, default=repr)
    if isinstance(value, Listed):
        return json.dumps(value[0] if len(value) == 1 else list(value), default=repr)
    if isinstance(value, dict):
        return {key: written(item) for key, item in value.items()}
    return [written(item) for item in value] if isinstance(value, list) else value


def listed(words: Any, key: str) -> Listed | None:
    """The calls in JSON text, with their arguments under this key."""
    value = said(words)
    calls = value if isinstance(value, list) else [value]
    sound = [call for call in calls if isinstance(call, dict) and {"name", key} <= set(call)]
    return Listed(sound) if sound and len(sound) == len(calls) else None
