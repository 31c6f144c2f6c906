"""Unlikely JSON: deletes, doubles, moves or renames anything in a request, or replaces it with an odd value."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from . import bases

# Longer requests hold no other kinds of things.
LONGEST = 20_000
ODD: list[Any] = [
    *(None, "", " ", 0, 1, -1, 1.5, True, False, [], {}, [[]], [{}], "x", "\u0000", "\ud800", {"a": 1}, ["x"]),
    *("x" * 300, "{}", '{"a":', 10**30, {"type": "text", "text": ""}, {"type": "text", "text": "hi"}, "a b.c/d"),
    *("user", "assistant", "system", "tool", "text"),
]
NAMES = [
    "foo",
    "type",
    "content",
    "id",
    "role",
    "name",
    "text",
    "tool_calls",
    "status",
    "index",
    "usage",
    "parts",
    "input",
]
Path = tuple[str | int, ...]


def _places(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    for step, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from _places(inner, (*path, step))


def mutate(body: Any, dice: random.Random) -> str:
    """Changes one value in `body`, and describes the change."""
    places = [path for path in _places(body) if path]
    if not places:
        return "nothing"
    path = dice.choice(places)
    holder = body
    for step in path[:-1]:
        holder = holder[step]
    key: Any = path[-1]
    value = holder[key]
    ways = ["delete", "odd", "odd", "odd", "wrap"]
    ways += ["double", "again", "swap", "move"] if isinstance(holder, list) else ["rename", "add"]
    ways += ["unwrap", "shuffle", "insert"] if isinstance(value, list) else []
    way = dice.choice(ways)
    match way:
        case "delete":
            del holder[key]
        case "odd":
            holder[key] = copy.deepcopy(dice.choice(ODD))
        case "wrap":
            holder[key] = [value]
        case "double":
            holder.insert(key, copy.deepcopy(value))
        case "again":
            holder.append(copy.deepcopy(value))
        case "swap":
            other = dice.randrange(len(holder))
            holder[key], holder[other] = holder[other], holder[key]
        case "move":
            holder.insert(dice.randrange(len(holder)), holder.pop(key))
        case "rename":
            holder[dice.choice([*NAMES, f"{key}s", key.upper()])] = holder.pop(key)
        case "add":
            holder[dice.choice(NAMES)] = copy.deepcopy(dice.choice(ODD))
        case "unwrap":
            holder[key] = value[0] if value else None
        case "shuffle":
            dice.shuffle(value)
        case "insert":
            value.insert(dice.randrange(len(value) + 1), copy.deepcopy(dice.choice(ODD)))
    return f"{way} {'.'.join(map(str, path))}"


def mutants(dialect: str, count: int, seed: int | str) -> Iterator[tuple[str, Any, Any]]:
    """The changes, the sound request, and the mutated one: one to three mutations each."""
    dice = random.Random(f"{dialect} {seed}")
    pool = [body for body in [*bases.recorded(dialect), *bases.own(dialect) * 5] if len(json.dumps(body)) < LONGEST]
    for _ in range(count):
        sound = dice.choice(pool)
        body = copy.deepcopy(sound)
        done = [mutate(body, dice) for _ in range(dice.choice([1, 1, 1, 2, 3]))]
        yield "; ".join(done), sound, body
