"""The verdict on a mutant: which promises of the world, and which of those about faults, are broken, and how."""

import json
import logging
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import turnwire as tw
from judges.problem import Problem
from world import promises
from world.drive import PLAINEST
from world.outcome import Outcome, attempt
from world.words import words_of

from . import paths
from .judged import beyond, excuse, fact, listed, problems
from .weave import Mutant

#: Those of the world that say something of a request with anything in it.
WORLD = ("P3 doors", "P3 replayed", "P4 accounted", "P4 told once", "P5 twice", "P6 errors", "P7 checked")
#: A result in any format.
RESULT = re.compile(
    r'tool_?-?[rR]esult|functionResponse|function_response|tool_call_id|"tool"|_output|"output|observation'
)


@cache
def _sound(dialect: str, target: str, body: str) -> tuple[Problem, ...]:
    """What the target's judge finds in the sound request."""
    made, _ = _written(json.loads(body), dialect, target)
    return tuple(problems(target, made)) if made is not None else (Problem("refused", "", ""),)


def _written(body: Any, dialect: str, target: str) -> tuple[Any, Any]:
    if dialect == target:
        return body, None
    made, error = attempt(tw.convert, body, target, source=dialect, **fact(dialect, "read", {}))
    return made and made.payload, error


def verdict(mutant: Mutant, dialect: str, target: str, seed: int = 0) -> Iterator[str]:
    """What is broken: a sentence for each promise."""
    logging.disable(logging.CRITICAL)
    try:
        yield from _verdict(mutant, dialect, target, seed)
    finally:
        logging.disable(logging.NOTSET)


def _verdict(mutant: Mutant, dialect: str, target: str, seed: int) -> Iterator[str]:
    case = PLAINEST | {"source": dialect, "target": target, "wire": "odd"} | fact(dialect, "read", {})
    it = Outcome(case, mutant.body, seed)
    before = repr(mutant.body)
    it.made, it.error = it.prepare()
    findings, error = attempt(tw.check, mutant.body, target, source=dialect, **fact(dialect, "read", {}))
    told = [one for one in findings or () if one.severity != "info"]
    for name in WORLD:
        lossy = it.made is not None and bool(it.made.receipt.only("lost"))
        # JSON text may hold a number that no float holds: as objects, its arguments are a loss.
        if (name == "P3 replayed" and (lossy or fact(target, "merges", False))) or (name == "P3 doors" and lossy):
            continue
        if said := promises.PROMISES[name](it):
            yield f"{name}: {said}"
    if repr(mutant.body) != before:
        yield "P5 untouched: the caller's own list has changed"
    known = _sound(dialect, target, json.dumps(mutant.sound))
    yield from _told(mutant, dialect, target, bool(told) or error is not None, known)
    if it.made is not None:
        yield from _accepted(it, told, known)
        if dialect == target and not fact(target, "merges", False):
            yield from _kept(it)
    reported = [one.path for one in told] + [one.path for one in it.made.receipt] if it.made else []
    reported += [it.error.path] if it.error is not None else []
    wrong = {path for path in reported if not paths.is_place(mutant.body, path)}
    if wrong:
        yield f"P4 places: no such places: {sorted(wrong)}"


def _told(mutant: Mutant, dialect: str, target: str, is_told: bool, known: tuple[Problem, ...]) -> Iterator[str]:
    """What the target would refuse of the request as it is, `check` reports."""
    if is_told:
        return
    sent, error = _written(mutant.body, dialect, target)
    wrong = [] if error is not None else beyond(problems(target, sent), known)
    wrong = [one for one in wrong if not _is_within(target, one, sent)]
    if error is not None or wrong:
        yield f"P7 told: check says nothing of {error or wrong[0]}"


def _is_within(target: str, one: Problem, sent: Any) -> bool:
    """Whether it is an unknown key that is null, or is neither a message's nor a text's: nothing is said of those."""
    if excuse(target, one, sent) != "unknown key":
        return False
    parent, _, key = one.path.rpartition(".")
    holder = paths.value(sent, f"${parent}" if parent[:1] in ("", "[") else f"$.{parent}")
    is_text = re.search(r"\.(content|parts)\[\d+\]$", parent) and isinstance(holder, dict) and "text" in holder
    return not isinstance(holder, dict) or holder.get(key) is None or not ("role" in holder.keys() - {key} or is_text)


def _accepted(it: Outcome, told: list[Any], known: tuple[Problem, ...]) -> Iterator[str]:
    """The judge finds nothing in what was written, but what was in the sound request, and what is new to it."""
    sent = it.made.payload
    if isinstance(it.body, dict) and it.case["source"] == it.target:
        sent = {key: it.body[key] for key in fact(it.target, "continues") if key in it.body} | sent
    for one in beyond(problems(it.target, sent), known):
        if excuse(it.target, one, it.made.payload) is None and not _is_open(told, one):
            yield f"P7 accepted: {one}"


# What cannot be judged: the tools that a provider will add later, and their results.
OPEN = (
    r"messages\[\]\.content\[\]\.content Input tag",
    r"messages\[\]\.content\[\]\.name Input should be 'web_search'",
)


def _is_open(told: list[Any], problem: Problem) -> bool:
    """Whether it is one of these, or a finding about a type that no list has."""
    text = f"{problem.place} {problem.message.partition('type rejects it: ')[2]}"
    at = [one.path.lstrip("$.") for one in told if one.code.startswith("unknown_")]
    spelled = [path.replace("system_instruction", "systemInstruction") for path in at]
    # About system text, the judge only says that something is beside it.
    beside = problem.code == "system.parts" and any(path.startswith(f"{problem.path}.") for path in spelled)
    # Of a tool that only the SDK's beta types know, it says no more than that one of its keys does not fit.
    tagged = problem.code == "type" and re.fullmatch(r"tools\[\d+\]", problem.path) and "Input tag" in problem.message
    beside = beside or bool(tagged and any(path.startswith(f"{problem.path}.") for path in at))
    return beside or any(re.match(known, text) for known in OPEN) or any(_place(path) in problem.place for path in at)


def _place(path: str) -> str:
    return re.sub(r"\[\d+\]", "[]", path)


def _kept(it: Outcome) -> Iterator[str]:
    """In its own format nothing is changed before the first changed index, nor where nothing is reported."""
    given, made = listed(it.target, it.body), listed(it.target, it.made.payload)
    if not isinstance(given, list) or not isinstance(made, list):
        return
    given, made = ([_inner(one) for one in elements] for elements in (given, made))
    first = it.made.receipt.first_changed_index
    if given[:first] != made[:first]:
        yield f"P5 first change: something is changed before {first}"
    told = [paths.steps(one.path) for one in it.made.receipt]
    depth = 2 if isinstance(it.body, dict) else 1
    heads = {at[: depth if at[:1] == (fact(it.target, "list", "messages"),) or depth == 1 else 1] for at in told}
    if any(change.code == "moved_system" for change in it.made.receipt):
        return
    for index, element in enumerate(given):
        at = (fact(it.target, "list", "messages"), index)[2 - depth :]
        # A finding about a call covers its results, wherever they are.
        excepted = heads & {at, (), at[: depth - 1]} or (heads and RESULT.search(json.dumps(element)))
        if not excepted and not any(_holds(one, element) for one in made):
            yield f"P5 kept: element {index} is not what it was, and nothing is said: {element!r}"


def _inner(element: Any) -> Any:
    """An element without its envelope."""
    return element["body"] if isinstance(element, dict) and isinstance(element.get("body"), dict) else element


def _holds(made: Any, element: Any) -> bool:
    """Whether one element is the other, or a run of its words: adjacent turns of a role may be one turn."""
    if made == element or not (isinstance(made, dict) and isinstance(element, dict)):
        return bool(made == element)
    return made.get("role") == element.get("role") and words_of(element) <= words_of(made)
