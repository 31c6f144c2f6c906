"""Runs cases, asks every promise, and makes a failing case as plain as it can be.

`python -m world --seed 3` in the folder of the tests runs the cases of one seed; `--case '{"u1": "heic"}'` runs one.
"""

import argparse
import json
from functools import cache

import turnwire as tw

from . import conversation, pairs
from .options import BLUNT, FACTORS
from .outcome import Outcome
from .parts import Json
from .promises import PROMISES

PLAINEST = {name: values[0] for name, values in FACTORS.items()}


def broken(case: Json, seed: int) -> dict[str, str]:
    """The promises that a case breaks, and how."""
    kept, body = conversation.body(case, seed)
    before = repr(body)
    it = Outcome(kept, body, seed)
    it.made, it.error = it.prepare()
    found = {name: said for name, promise in PROMISES.items() if (said := promise(it))}
    if repr(body) != before:
        found["P5 untouched"] = "the caller's own list has changed"
    return found


def plainer(case: Json, seed: int, promise: str) -> Json:
    """The same failure with the first value of each factor that does not matter."""
    for name in FACTORS:
        other = {**case, name: PLAINEST[name]}
        if other != case and promise in broken(other, seed):
            case = other
    return case


@cache
def cases(seed: int) -> tuple[tuple[int, Json], ...]:
    """The cases of a seed, each with the seed of its words."""
    return tuple(enumerate(pairs.covering(FACTORS, seed, BLUNT)))


def report(case: Json, seed: int, promise: str, said: str) -> str:
    """One line from which a person can run the case again."""
    case = plainer(case, seed, promise)
    said = broken(case, seed).get(promise, said)
    odd = {name: value for name, value in case.items() if value != PLAINEST[name] and name not in ("source", "target")}
    return f"{promise} [{case['source']} -> {case['target']}] words {seed}: {json.dumps(odd)}: {said}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the seed of the cases")
    parser.add_argument("--words", type=int, default=0, help="the seed of one case's words")
    parser.add_argument("--case", type=json.loads, help="one case: the factors that are not plain, as JSON")
    given = parser.parse_args()
    if given.case is not None:
        case = PLAINEST | {name: tuple(v) if isinstance(v, list) else v for name, v in given.case.items()}
        _, body = conversation.body(case, given.words)
        print(json.dumps(body, ensure_ascii=False, indent=1))
        print(broken(case, given.words) or f"nothing is broken, by turnwire {tw.__version__}")
        return
    for seed, case in cases(given.seed):
        for promise, said in broken(case, seed).items():
            print(report(case, seed, promise, said))
