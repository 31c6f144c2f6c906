"""What can be wrong in the spelling of a request: unknown keys, or one value that is odd, gone, doubled or moved."""

import copy
import random
from collections.abc import Iterator
from typing import Any

from .words import WORDS

#: What can be in the place of a value.
ODD: list[Any] = [
    *(None, "", " ", 0, -1, 1.5, True, [], {}, [[]], [{}], "x", "\0", {"a": 1}, ["x"], "{}", '{"a":', "a b.c/d"),
    *({"type": "text", "text": ""}, {"type": "text", "text": "hi"}, "user", "assistant", "system", "tool", "text"),
]
NAMES = ("foo", "type", "content", "id", "role", "name", "text", "tool_calls", "status", "index", "parts", "input")
#: Objects that are content, and have no keys of a format.
CONTENT = {"args", "input", "arguments", "parameters", "input_schema", "inputSchema", "parametersJsonSchema", "json"}


def spoilt(body: Any, how: str, seed: int) -> Any:
    """The request with something wrong in it."""
    made = copy.deepcopy(body)
    dice = random.Random(f"{how} {seed}")
    if how == "keys":
        _sprinkle(made, dice)
    elif how == "halves":
        made = _halved(made, dice)
    elif how != "none":
        _change(made, dice)
    return made


def _halved(value: Any, dice: random.Random) -> Any:
    """Puts half of a character behind some words."""
    if isinstance(value, dict):
        return {key: _halved(inner, dice) for key, inner in value.items()}
    if isinstance(value, list):
        return [_halved(inner, dice) for inner in value]
    is_said = isinstance(value, str) and dice.random() < 0.4
    return WORDS.sub(lambda found: found[0] + "\ud83d", value) if is_said else value


def _sprinkle(value: Any, dice: random.Random) -> None:
    """Puts keys that no format knows beside others, each with words that occur once."""
    # The keys beside the list are the caller's.
    inner = [*value.values()] if isinstance(value, dict) else value
    for at, holder in enumerate(list(_holders(inner))):
        if dice.random() < 0.3:
            word = f"w{9000 + at}z"
            holder[f"x_w{8000 + at}z"] = dice.choice((word, {"n": word}, [word]))


def _holders(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        if key not in CONTENT or isinstance(inner, list):
            yield from _holders(inner)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in pairs:
        yield (*path, step)
        yield from _places(inner, (*path, step))


def _change(body: Any, dice: random.Random) -> None:
    """Changes one value."""
    *above, key = dice.choice(list(_places(body)))
    holder = body
    for step in above:
        holder = holder[step]
    value = holder[key]
    ways = ["delete", "odd", "odd", "odd", "wrap"]
    ways += ["double", "again", "swap"] if isinstance(holder, list) else ["rename", "add"]
    ways += ["unwrap", "insert"] if isinstance(value, list) else []
    match dice.choice(ways):
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
        case "rename":
            holder[dice.choice((*NAMES, f"{key}s", key.upper()))] = holder.pop(key)
        case "add":
            holder[dice.choice(NAMES)] = copy.deepcopy(dice.choice(ODD))
        case "unwrap":
            holder[key] = value[0] if value else None
        case "insert":
            value.insert(dice.randrange(len(value) + 1), copy.deepcopy(dice.choice(ODD)))
