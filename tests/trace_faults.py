"""Ways to break the messages of a trace: each changes a payload of `otel` in place."""

import copy
from collections.abc import Callable
from random import Random
from typing import Any

Json = Any
CALL, RESULT = "tool_call", "tool_call_response"


def spots(messages: list[Json], kind: str) -> list[tuple[list[Json], int]]:
    """The lists and indices of the parts of a kind."""
    found = [(one["parts"], at) for one in messages for at in range(len(one["parts"]))]
    return [(parts, at) for parts, at in found if parts[at]["type"] == kind]


def at(kind: str, change: Callable[[list[Json], int, list[Json], Random], Any]) -> Callable[[list[Json], Random], Any]:
    """Changes one part of a kind, where there is one."""

    def fault(messages: list[Json], dice: Random) -> None:
        if found := spots(messages, kind):
            parts, place = dice.choice(found)
            change(parts, place, messages, dice)

    return fault


def put(kind: str, key: str, *values: Json) -> Callable[[list[Json], Random], Any]:
    return at(kind, lambda parts, place, _, dice: parts[place].update({key: dice.choice(values)}))


def drop(kind: str, *keys: str) -> Callable[[list[Json], Random], Any]:
    return at(kind, lambda parts, place, _, dice: [parts[place].pop(key, None) for key in keys])


def moved(parts: list[Json], place: int, messages: list[Json], dice: Random) -> None:
    messages.insert(dice.randrange(len(messages) + 1), {"role": "tool", "parts": [parts.pop(place)]})


def turned(messages: list[Json], dice: Random) -> None:
    dice.choice(messages)["role"] = dice.choice(["user", "assistant", "tool"])


def emptied(messages: list[Json], dice: Random) -> None:
    dice.choice(messages)["parts"] = []


def one_id(messages: list[Json], dice: Random) -> None:
    for parts, place in spots(messages, CALL):
        parts[place]["id"] = "same"


def parted(messages: list[Json], dice: Random) -> None:
    """A message between a call and its result."""
    messages.insert(dice.randrange(len(messages) + 1), {"role": "user", "parts": [{"type": "text", "content": "late"}]})


FAULTS: dict[str, Callable[[list[Json], Random], Any]] = {
    "mixed": lambda messages, dice: dice.shuffle(messages),
    "one left out": lambda messages, dice: messages.pop(dice.randrange(len(messages))),
    "one twice": lambda messages, dice: messages.insert(
        dice.randrange(len(messages) + 1), copy.deepcopy(dice.choice(messages))
    ),
    "cut": lambda messages, dice: messages.__delitem__(slice(dice.randrange(len(messages)), None)),
    "no result": at(RESULT, lambda parts, place, *_: parts.pop(place)),
    "no call": at(CALL, lambda parts, place, *_: parts.pop(place)),
    "result twice": at(RESULT, lambda parts, place, *_: parts.insert(place, copy.deepcopy(parts[place]))),
    "call twice": at(CALL, lambda parts, place, *_: parts.insert(place, copy.deepcopy(parts[place]))),
    "result elsewhere": at(RESULT, moved),
    "call elsewhere": at(CALL, moved),
    "result of another call": put(RESULT, "id", "none", ""),
    "result without an id": drop(RESULT, "id"),
    "call without an id": drop(CALL, "id"),
    "null for an id": put(CALL, "id", None),
    "one id for all": one_id,
    "no arguments": drop(CALL, "arguments"),
    "other arguments": put(CALL, "arguments", None, "", '{"a":', [1], 7),
    "no answer": drop(RESULT, "response", "result"),
    "empty text": put("text", "content", ""),
    "another role": turned,
    "nothing said": emptied,
    "somebody between": parted,
}
