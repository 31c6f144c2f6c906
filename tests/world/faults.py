"""What can be wrong with a conversation in every format: pairs, ids, order, roles, ends."""

from collections.abc import Callable

from . import parts
from .parts import Json, Words

Turns = list[Json]


def _called(turns: Turns) -> Turns:
    return [turn for turn in turns if turn["role"] == "results"]


def missing_result(turns: Turns, words: Words) -> None:
    if called := _called(turns):
        called[-1]["parts"].pop()
        turns[:] = [turn for turn in turns if turn["parts"]]


def orphan(turns: Turns, words: Words) -> None:
    result = {"result": "call_99999999", "name": "look", "content": [words.text()], "error": False}
    turns.insert(1, {"role": "results", "parts": [result]})


def twice_the_id(turns: Turns, words: Words) -> None:
    called = _called(turns)
    if len(called) < 2:
        return
    first, last = called[0]["parts"][0]["result"], called[-1]["parts"][0]["result"]
    for part in (part for turn in turns for part in turn["parts"]):
        for key in ("call", "result"):
            if part.get(key) == last:
                part[key] = first


def odd_id(turns: Turns, words: Words) -> None:
    for part in (part for turn in turns for part in turn["parts"]):
        for key in {"call", "result"} & part.keys():
            part[key] = f"id/{part[key]}é"


def no_first_user(turns: Turns, words: Words) -> None:
    turns.pop(0)


def ends_with_model(turns: Turns, words: Words) -> None:
    turns.append(parts.model("say", words))


def ends_with_thought(turns: Turns, words: Words) -> None:
    turns.append({"role": "model", "parts": [words.thought(False)]})


def two_users(turns: Turns, words: Words) -> None:
    turns.insert(1, parts.user("text", words))


def two_models(turns: Turns, words: Words) -> None:
    turns.insert(2, parts.model("say", words))


def results_late(turns: Turns, words: Words) -> None:
    if called := _called(turns):
        turns.append(turns.pop(turns.index(called[-1])))
        turns.append(parts.user("text", words))


def system_mid(turns: Turns, words: Words) -> None:
    turns.insert(3, {"role": "system", "parts": [words.text()]})


FAULTS: dict[str, Callable[[Turns, Words], None]] = {
    "none": lambda turns, words: None,
    **{
        fault.__name__: fault
        for fault in (
            *(missing_result, orphan, twice_the_id, odd_id, no_first_user, ends_with_model, ends_with_thought),
            *(two_users, two_models, results_late, system_mid),
        )
    },
}
