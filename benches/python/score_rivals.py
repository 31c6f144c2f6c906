"""Which libraries repair a broken history: each on the vectors of the builder, judged by rules and not by our answers.

Each library gets only the messages of a vector (no budget, target or summary) through its own public function. Calls
and results that look alike in a vector are first made different, so that a mix-up shows. The judge uses nothing of
ours.
"""

from __future__ import annotations

import contextlib
import copy
import importlib.metadata
import json
import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import results
import side_by_side
from repairers import BOTH, LIBRARIES, History, Json, Library, UnreadError

VECTORS = Path(__file__).resolve().parents[2] / "tests/vectors/builder.json"


# --- The judge ---


class Step(NamedTuple):
    """One thing that a provider reads: the calls of one assistant turn, one result, or anything else."""

    calls: list[tuple[Any, str]]
    result: tuple[Any, str] | None = None


OTHER = Step([])

#: Faults that OpenAI is not known to refuse; Anthropic and others refuse a repeated id.
LENIENT = {REUSED := "an id of an earlier turn", LEGACY := "a legacy call without its result"}


def steps(messages: History) -> Iterator[Step]:
    """The steps of a history in either dialect; a legacy function has its name in a tuple for an id."""
    for message in messages:
        role, content = message["role"], message.get("content")
        blocks = content if isinstance(content, list) else []
        if role in ("tool", "function"):
            yield Step([], (message["tool_call_id"] if role == "tool" else (message["name"],), text(content)))
        elif role == "assistant":
            calls = [(call["id"], key(call["function"])) for call in message.get("tool_calls") or ()]
            calls += [((made["name"],), key(made)) for made in [message.get("function_call")] if made]
            calls += [(block["id"], key(block)) for block in blocks if block["type"] == "tool_use"]
            yield Step(calls)
        elif not blocks:
            yield OTHER
        for block in blocks if role == "user" else ():
            of_result = block["type"] == "tool_result"
            yield Step([], (block["tool_use_id"], text(block.get("content")))) if of_result else OTHER


def key(call: Json) -> str:
    """Name and arguments of a call, however its dialect writes them."""
    given = call["input"] if "input" in call else call["arguments"]
    with contextlib.suppress(ValueError):
        given = json.loads(given) if isinstance(given, str) else given
    return f"{call['name']} {json.dumps(given, sort_keys=True)}"


def text(content: Any) -> str:
    """The text of a result, be it a string or blocks."""
    if isinstance(content, list):
        return "".join(block.get("text", "") for block in content)
    return content or ""


def faults(messages: History) -> set[str]:
    """What a provider would refuse: empty when every call has exactly one result right after its turn."""
    found = set() if messages else {"no messages"}
    seen: set[str] = set()
    waiting: list[Any] = []
    for step in steps(messages):
        if step.result:
            if step.result[0] in waiting:
                waiting.remove(step.result[0])
            else:
                found.add("a result without its call")
            continue
        found |= unanswered(waiting)
        waiting = [one for one, _ in step.calls]
        named = [one for one in waiting if not isinstance(one, tuple)]
        if not all(isinstance(one, str) and one for one in named):
            found.add("a call without an id")
        elif len(set(waiting)) < len(waiting):
            found.add("two parallel calls with one id")
        elif not seen.isdisjoint(named):
            found.add(REUSED)
        seen.update(named)
    return found | unanswered(waiting)


def unanswered(waiting: list[Any]) -> set[str]:
    """The faults of calls that are still open."""
    return {LEGACY if isinstance(one, tuple) else "a call without its result" for one in waiting}


def owned(messages: History) -> dict[str, set[str]]:
    """The texts that are real answers of each call: of the nearest open one, and the first within a turn.

    A second answer counts like the first. An answer that comes before every call with its id belongs to a later call
    that has no other answer.
    """
    turns: list[list[tuple[Any, str]]] = []
    early: list[tuple[Any, str]] = []
    answers: dict[str, set[str]] = {}
    for step in steps(messages):
        turns += [step.calls] if step.calls else []
        if step.result:
            one, said = step.result
            candidates = [call for turn in reversed(turns) for id_, call in turn if id_ == one]
            nearest = next((call for call in candidates if call not in answers), *candidates[:1] or [None])
            if nearest is None:
                early.append(step.result)
            else:
                answers.setdefault(nearest, set()).add(said)
    for one, said in early:
        free = [call for turn in turns for id_, call in turn if id_ == one and call not in answers]
        if len(free) == 1:
            answers[free[0]] = {said}
    return answers


def kept(before: History, after: History, *, trims: bool) -> bool:
    """Whether every real result is there with its own call; a library that trims may drop the call with its results."""
    had, has = owned(before), owned(after)
    there = {call for step in steps(after) for _, call in step.calls}
    return all(texts & has.get(call, set()) for call, texts in had.items() if not trims or call in there)


def told_apart(messages: History) -> History:
    """A copy in which no two calls have the same arguments and no two results the same text."""
    made = copy.deepcopy(messages)
    texts = Counter(step.result[1] for step in steps(made) if step.result)
    number = 0
    for message in made:
        blocks = message["content"] if isinstance(message.get("content"), list) else []
        calls = [call["function"] for call in message.get("tool_calls") or ()]
        for part in [message, *blocks, *calls, message.get("function_call") or {}]:
            number += 1
            if part.get("arguments") == "{}":
                part["arguments"] = json.dumps({"n": number})
            if part.get("input") == {}:
                part["input"] = {"n": number}
            is_result = part.get("role") in ("tool", "function") or part.get("type") == "tool_result"
            if is_result and isinstance(part["content"], str) and texts[part["content"]] > 1:
                part["content"] += f" {number}"
    return made


# --- The table ---


def verdict(library: Library, messages: History, dialect: str) -> dict[str, bool] | None:
    """The judge's verdict on one vector; None when the adapter cannot write it."""
    try:
        given = library.read(messages)
        before = copy.deepcopy(given)
        result = library.mend(given, dialect)
        after = library.write(result)
    except UnreadError:
        return None
    except Exception:
        return {"raised": True}
    said = {"unmutated": given == before, "kept": kept(messages, after, trims=library.trims)}
    found = faults(after)
    said |= {"accepted": not found, "accepted by OpenAI": found <= LENIENT}
    if library.into is None and not library.trims:
        try:
            again = library.write(library.mend(copy.deepcopy(result), dialect))
        except Exception:
            again = []
        said["idempotent"] = again == after
    if not faults(messages):
        said["harmed"] = bool(found) or not said["kept"]
    return said


def is_right(said: dict[str, bool], accepted: str = "accepted") -> bool:
    """Whether a result has no fault; a part of the check that was not asked for counts as good."""
    rules = (accepted, "kept", "unmutated", "idempotent")
    return not said.get("raised") and all(said.get(rule, True) for rule in rules)


def version(package: str) -> str:
    if package != "turnwire":
        return importlib.metadata.version(package)
    import turnwire as tw  # the rivals' environment imports this checkout, which is not installed there

    return str(tw.__version__)


def main() -> None:
    """Print the table, and the vectors that a rival gets right and turnwire does not."""
    options = side_by_side.options(__doc__ or "")
    vectors: dict[str, tuple[str, str, History]] = {}
    for vector in json.loads(VECTORS.read_text(encoding="utf-8"))["build"]:
        dialect = vector.get("dialect", "openai")
        if dialect in BOTH:  # vectors that differ only in their options count once
            vectors.setdefault(
                json.dumps([dialect, vector["messages"]]), (vector["name"], dialect, told_apart(vector["messages"]))
            )
    whole = sum(not faults(messages) for *_, messages in vectors.values())
    print(f"\nWho mends a broken history: {len(vectors)} vectors, {whole} of them whole before")
    logging.disable(logging.CRITICAL)
    columns = ("accepted", "kept", "unmutated", "idempotent", "raised", "harmed", "right", "right for OpenAI")
    print("  " + "  ".join([f"{'library':64}", "vectors", *columns]))
    right: dict[str, set[str]] = {}
    scored = []
    notes = []
    for title, package, adapter in LIBRARIES:
        try:
            library = adapter()
        except ImportError as error:
            notes.append(f"{title}: not here ({error})")
            continue
        notes.append(f"{title}: {package} {version(package)}")
        verdicts = {
            name: said
            for name, dialect, messages in vectors.values()
            if dialect in library.dialects and (said := verdict(library, messages, dialect)) is not None
        }
        right[title] = {name for name, said in verdicts.items() if is_right(said)}
        counts = Counter(rule for said in verdicts.values() for rule, holds in said.items() if holds)
        counts["right"] = len(right[title])
        counts["right for OpenAI"] = sum(is_right(said, "accepted by OpenAI") for said in verdicts.values())
        unasked = {"idempotent"} if library.into or library.trims else set()
        unasked |= {"right for OpenAI"} if library.into else set()
        shown = [f"{'-' if rule in unasked else counts[rule]:>{len(rule)}}" for rule in columns]
        print("  " + "  ".join([f"{title:64}", f"{len(verdicts):>7}", *shown]))
        numbers = {rule: counts[rule] for rule in columns if rule not in unasked}
        scored.append({"table": "library", "job": title, "vectors": len(verdicts), **numbers})
    print("\n  " + "\n  ".join(notes))
    for title, names in right.items():
        ours = right["turnwire, openai to anthropic" if "to anthropic" in title else "turnwire"]
        for name in sorted(names - ours):
            print(f"  {title} is right and turnwire is not: {name}")
    if options.save:
        results.save("Repair: who gets it right", __file__, scored)


if __name__ == "__main__":
    main()
