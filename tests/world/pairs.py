"""Cases in which each pair of values of any two factors meets at least once."""

import itertools
import random
from collections.abc import Iterator
from typing import Any

#: How many rows are tried for the next one.
TRIES = 3


def covering(factors: dict[str, tuple[Any, ...]], seed: int, plain: tuple[str, ...] = ()) -> Iterator[dict[str, Any]]:
    """Greedy, and the same for the same seed: each row takes what covers most of the pairs that are left.

    `plain`: the factors that have their first value where no pair needs another.
    """
    dice = random.Random(seed)
    sizes = [len(values) for values in factors.values()]
    places = range(len(sizes))
    firsts = {at for at, name in enumerate(factors) if name in plain}
    left = {
        (a, i, b, j) for a, b in itertools.combinations(places, 2) for i in range(sizes[a]) for j in range(sizes[b])
    }
    while left:
        first = dice.choice(sorted(left))
        rows = [_row(first, sizes, left, dice, firsts) for _ in range(TRIES)]
        best = max(rows, key=lambda row: len(_pairs(row) & left))
        left -= _pairs(best)
        yield {name: values[at] for (name, values), at in zip(factors.items(), best, strict=True)}


def _pairs(row: list[int]) -> set[tuple[int, int, int, int]]:
    return {(a, row[a], b, row[b]) for a, b in itertools.combinations(range(len(row)), 2)}


def _row(
    first: tuple[int, int, int, int], sizes: list[int], left: set[Any], dice: random.Random, firsts: set[int]
) -> list[int]:
    row = [0 if at in firsts else dice.randrange(size) for at, size in enumerate(sizes)]
    row[first[0]], row[first[2]] = first[1], first[3]
    others = [at for at in range(len(sizes)) if at not in (first[0], first[2])]
    for at in dice.sample(others, len(others)):

        def gain(value: int, at: int = at) -> int:
            """How many pairs of the row with this value are not covered yet."""
            before = sum((a, row[a], at, value) in left for a in range(at))
            return before + sum((at, value, b, row[b]) in left for b in range(at + 1, len(row)))

        values = list(range(sizes[at]))
        if at not in firsts:
            dice.shuffle(values)
        row[at] = max(values, key=gain)
    return row
