"""Weaves one fault into a sound request: an odd value, a piece of another place, or what is there elsewhere."""

import copy
import itertools
import json
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

Path_ = tuple[str | int, ...]
Change = Callable[[Any, Any], None]

HERE = Path(__file__).parent
ODD: dict[str, Any] = json.loads((HERE / "odd.json").read_text(encoding="utf-8"))
VALUES = {key: values for keys, values in ODD["of"].items() for key in keys.split()}
#: The lists of turns. A turn may be put into any of them.
TURNS = ("messages", "contents", "input", "conversations", "")
#: The definitions of tools, whose keys are the provider's own.
OWN = {"tools", "toolConfig"}
#: A word that stands in the data for one that occurs nowhere else.
WORD = re.compile(r"\bw9z")


def _lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


@cache
def sound(dialect: str) -> list[Any]:
    """Requests that the format's server accepts. Every text holds a word that occurs once."""
    rows = [one for one in _lines("sound.jsonl") if one["format"] == dialect]
    return [one["body"] for one in rows] or sound(dialect.partition(":")[0])


@cache
def pieces(key: str) -> dict[str, Any]:
    """What can stand in a list, or in the place of an object, of this key in some format, by its JSON."""
    same = TURNS if key in TURNS else (key,)
    found = [one["piece"] for one in _lines("pieces.jsonl") if one["in"] in same]
    for row in _lines("sound.jsonl"):
        for path, value in _places(row["body"]):
            if isinstance(value, list) and _key(path) in same:
                found += [
                    one for one in value if isinstance(one, dict) and "body" not in one and len(json.dumps(one)) < 400
                ]
    return {json.dumps(one): one for one in found}


@dataclass(frozen=True)
class Mutant:
    """A sound request, what was done to it, and what has become of it."""

    done: str
    sound: Any
    body: Any


def mutants(dialect: str, count: int, seed: int | str) -> Iterator[Mutant]:
    """One fault each, of every kind in turn and of no place and kind twice; and each fifth with one or two more."""
    dice = random.Random(f"{dialect} {seed}")
    kinds = [list(ones) for ones in _kinds(dialect)]
    for ones in kinds:
        dice.shuffle(ones)
    turns = itertools.cycle([itertools.cycle(ones) for ones in kinds])
    for _ in range(count):
        done, number, path, change = next(next(turns))
        sane = sound(dialect)[number]
        body = copy.deepcopy(sane)
        _at(body, path, change)
        done += f" {'.'.join(map(str, path))}"
        for _ in range(dice.choice((0, 0, 0, 0, 0, 0, 0, 0, 1, 2))):
            again = dice.choice([at for at, _ in _places(body)])
            if again:
                also, change = dice.choice([*_changes(body, again, dice)])
                _at(body, again, change)
                done += f"; {also} {'.'.join(map(str, again))}"
        yield Mutant(done, sane, _fresh(body))


@cache
def _kinds(dialect: str) -> list[list[tuple[str, int, Path_, Change]]]:
    """The faults of each kind, each in one place of those that have the same pattern."""
    dice = random.Random(dialect)
    found: dict[str, dict[tuple[str, str], tuple[str, int, Path_, Change]]] = {}
    places = [(number, path) for number, body in enumerate(sound(dialect)) for path, _ in _places(body) if path]
    dice.shuffle(places)
    patterns: set[str] = set()
    for number, path in places:
        body = sound(dialect)[number]
        if (pattern := _pattern(body, path)) in patterns:
            continue
        patterns.add(pattern)
        for done, change in _changes(body, path, dice):
            found.setdefault(done.partition(" ")[0], {}).setdefault((pattern, done), (done, number, path, change))
    return [list(ones.values()) for _, ones in sorted(found.items())]


def _changes(body: Any, path: Path_, dice: random.Random) -> Iterator[tuple[str, Change]]:
    """What can be done at a place, each with its kind and a word for what it is."""
    value, key = _value(body, path), path[-1]
    holder = _value(body, path[:-1])
    name = _key(path)
    for odd in [*VALUES.get(name, ()), *(ODD["values"] if name not in VALUES or dice.random() < 0.2 else ())]:
        if odd != value or type(odd) is not type(value):
            yield f"put {odd!r}", _put(odd)
    if isinstance(value, str):
        for end in ODD["ends"]:
            yield f"end {end!r}", _put(value + end)
    if isinstance(key, str):
        yield "shape cut", lambda holder, key: holder.pop(key)
        yield "shape wrapped", _put([value])
        # Beside the list, keys are the caller's.
        if len(path) > 1:
            yield "shape renamed", lambda holder, key: holder.update({_other(key): holder.pop(key)})
    if isinstance(value, list) and value:
        yield "shape unwrapped", _put(value[0])
        yield "shape backwards", _put(value[::-1])
    if isinstance(value, list):
        for text, piece in pieces(name).items():
            at = dice.randrange(len(value) + 1)
            yield f"piece {text}", lambda holder, key, piece=piece, at=at: holder[key].insert(at, _new(piece))
    elif isinstance(value, dict):
        for text, piece in pieces(name).items():
            yield f"piece {text}", _put(piece)
        # The keys of a turn, a block or a call: what is inside them is told as a whole.
        if isinstance(key, int) and sum(isinstance(step, int) for step in path) < 3 and not OWN & set(path):
            for new, odds in ODD["keys"].items():
                for odd in odds if new not in value else ():
                    yield (
                        f"key {new!r}: {odd!r}",
                        lambda holder, key, new=new, odd=odd: holder[key].update({new: _new(odd)}),
                    )
    if isinstance(holder, list):
        other = dice.randrange(len(holder))
        moves: dict[str, Callable[[list[Any], int], None]] = {
            "away": lambda holder, key: holder.pop(key),
            "again": lambda holder, key: holder.insert(key, _new(holder[key])),
            "again last": lambda holder, key: holder.append(_new(holder[key])),
            "first": lambda holder, key: holder.insert(0, holder.pop(key)),
            "last": lambda holder, key: holder.append(holder.pop(key)),
            "on": lambda holder, key: holder.insert(key + 1, holder.pop(key)),
            "exchanged": lambda holder, key: holder.__setitem__(slice(None), _swapped(holder, key, other)),
        }
        for move, change in moves.items():
            yield f"move {move}", change
    same = [
        at for at, inner in _places(body) if at and at != path and _key(at) == name and isinstance(inner, type(value))
    ]
    if same and isinstance(key, str):
        other_value = _value(body, dice.choice(same))
        if other_value != value:
            yield "copy of another", _put(other_value)


def _put(value: Any) -> Change:
    return lambda holder, key: holder.__setitem__(key, _new(value))


def _new(value: Any) -> Any:
    return copy.deepcopy(value)


def _swapped(items: list[Any], one: int, other: int) -> list[Any]:
    made = list(items)
    made[one], made[other] = made[other], made[one]
    return made


def _other(key: str) -> str:
    """The key in the other spelling: `toolUse`, `tool_use`."""
    other = re.sub("_([a-z])", lambda big: big[1].upper(), key)
    return (
        other
        if other != key
        else re.sub("([A-Z])", lambda big: f"_{big[1].lower()}", key)
        if key != key.lower()
        else f"{key}s"
    )


def _at(body: Any, path: Path_, change: Change) -> None:
    change(_value(body, path[:-1]), path[-1])


def _value(body: Any, path: Path_) -> Any:
    for step in path:
        body = body[step]
    return body


def _places(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    yield path, value
    for step, inner in (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    ):
        yield from _places(inner, (*path, step))


def _key(path: Path_) -> str:
    """The last key of a path that is no number."""
    return next((step for step in reversed(path) if isinstance(step, str)), "")


def _pattern(body: Any, path: Path_) -> str:
    """The path, with what distinguishes the elements of lists in the place of their numbers."""
    made = []
    for at, step in enumerate(path):
        if isinstance(step, int):
            element = _value(body, path[: at + 1])
            made.append(
                str(element.get("role") or element.get("type") or next(iter(element), ""))
                if isinstance(element, dict)
                else ""
            )
        else:
            made.append(step)
    return ".".join(made)


def _fresh(body: Any) -> Any:
    """The body with a word of its own for each that stands for one."""
    numbers = itertools.count(9001)

    def fresh(value: Any) -> Any:
        if isinstance(value, str):
            return WORD.sub(lambda _: f"w{next(numbers)}z", value)
        if isinstance(value, dict):
            return {key: fresh(inner) for key, inner in value.items()}
        return [fresh(inner) for inner in value] if isinstance(value, list) else value

    return fresh(body)
