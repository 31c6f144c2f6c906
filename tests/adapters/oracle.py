"""What receipts and losses must report about a run: each planted fault once, with its code and its path.

A fault is planted at the end of a step, the last one or an earlier one. It holds a unique word, by which the oracle
finds it in the adapter's input. The oracle reads that input, and not what turnwire makes of it.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from generator import Message, Told, call, result
from turnwire.adapters import _client
from turnwire.adapters._policy import Policy

CAP = 2_000
"""At most so many bytes for a result."""
# What frameworks repair before they ask the model, and results that they leave out; also what smolagents' steps cannot
# hold.
LEFT_OUT = {
    "pydantic_ai": {"missing result"},
    "google_adk": {"result moved", "blank"},
    "smolagents": {"orphan", "missing result", "result twice", "result moved", "same id", "blank"},
}
# What a budget does, and what follows from it.
CUTS = frozenset({"cut_result", "cut_arguments", "cut_text", "dropped_exchange", "dropped_turn", "merged_turn"})
# What a ledger says where the list has other blocks for another model.
SWITCHED = frozenset({"the list differs from what was sent before"})
_STEP = re.compile(r"\.(\w+)|\[(\d+)\]")


@dataclass(frozen=True)
class Fault:
    """A fault from a step on, and the expected report: a code, at the path of the element that holds a word."""

    name: str
    code: str
    word: str
    # An element without a text holds no word: it comes right after one that does.
    behind: bool = False
    is_loss: bool = False
    # The word of the element that it repeats.
    of: str = ""


@dataclass
class Request:
    """An adapter's input for one request, and its reports."""

    payload: Any
    # The same input before another provider's blocks were translated.
    given: Any
    told: list[tuple[str, bool, Any]] = field(default_factory=list)


class Together(random.Random):
    """Dice by which the results of a turn are spelled in one message: two in a row are a fault at some providers."""

    def random(self) -> float:
        return 0.1


class Heard:
    """The requests of a run, in their order, with all reports about each."""

    def __init__(self, monkeypatch: Any) -> None:
        self.requests: list[Request] = []
        self._given: Any = None
        domestic = _client.domestic
        noted = lambda messages, *more: self._noted_before(messages) or domestic(messages, *more)  # noqa: E731
        monkeypatch.setattr(_client, "domestic", noted)
        for name in ("prepared", "fitted"):
            monkeypatch.setattr(Policy, name, self._noted(getattr(Policy, name)))

    def _noted_before(self, messages: Any) -> None:
        self._given = {"messages": messages}

    def _noted(self, prepared: Callable[..., Any]) -> Callable[..., Any]:
        def noted(policy: Policy, payload: Any, *args: Any, **more: Any) -> Any:
            self.requests.append(Request(payload, self._given or payload))
            self._given = None
            return prepared(policy, payload, *args, **more)

        return noted

    @property
    def settings(self) -> dict[str, Any]:
        """The adapter's callbacks."""
        return {"on_receipt": self._receipt}

    def _receipt(self, receipt: Any) -> None:
        # No fault is planted in a setting.
        for change in (one for one in receipt if one.code != "setting"):
            is_warning = change.kind == "warning"
            said = (
                ("warning", False, f"{change.code} {change.path} {change.reason}")
                if is_warning
                else (change.code, change.kind == "lost", change)
            )
            self.requests[-1].told.append(said)


def is_there(request: Request, fault: Fault) -> bool:
    """Whether the fault, and what it repeats, reached the adapter: frameworks leave out some of it."""
    text = json.dumps(request.payload, ensure_ascii=False, default=str)
    return fault.word in text and fault.of in text


def named(
    request: Request, faults: list[Fault], again: Sequence[Fault] = (), besides: Collection[str] = ()
) -> list[str]:
    """What a request's receipt and losses report without a fault, and which of these faults they miss.

    `again`: faults that may be reported once more, because no earlier list that this one continues had them.
    `besides`: codes, or parts of warnings, that need no fault.
    """
    wrong, left, others = [], [*faults], [*again]
    for code, is_loss, told in request.told:
        for faults_left in (left, others):
            found = [
                one
                for one in faults_left
                if (one.code, one.is_loss) == (code, is_loss) and one.word in _at(request, told, one)
            ]
            if found:
                faults_left.remove(found[0])
                break
        else:
            if not any(one == code or (code == "warning" and one in told) for one in besides):
                wrong.append(f"too much: {told}")
    return wrong + [f"nothing is said of {one}" for one in left]


def _at(request: Request, told: Any, fault: Fault) -> str:
    """The text of the element at the reported path."""
    here: Any = request.given if fault.is_loss else request.payload
    steps = [name or int(number) for name, number in _STEP.findall(told.path)]
    if isinstance(here, dict) and isinstance(steps[0], int):
        steps.insert(0, next(key for key in ("messages", "input", "contents") if key in here))
    if fault.behind or fault.is_loss:
        # The lost part may be missing here, so look at the whole message around it.
        steps = steps[: 1 + isinstance(steps[0], str)]
    if fault.behind:
        steps[-1] -= 1
    for step in steps:
        if not isinstance(here, dict | list):
            # A string has no paths below it.
            break
        here = here[step]
    return json.dumps(here, ensure_ascii=False, default=str)


def asked(one: Told, step: int, thinking: bool = False) -> list[Message]:
    """A call and its result, each with a unique word."""
    said: Message = {
        "role": "assistant",
        "content": one.text(),
        "tool_calls": [call(f"call_{step}", {"q": one.text()})],
    }
    if thinking:
        said["thinking"] = one.text()
    return [said, result(f"call_{step}", one.text())]


def planted(one: Told, step: int, plant: Callable[[Told, int], list[Fault]], place: int) -> list[Fault]:
    """A step before the message at an index, with its fault."""
    part = Told(one.dice, one.messages[:place], one.words)
    faults = plant(part, step)
    one.messages[:place], one.words = part.messages, part.words
    return faults


def _ends(one: Told) -> list[Message]:
    return [{"role": "assistant", "content": one.text()}, {"role": "user", "content": one.text()}]


def _word(value: Any) -> str:
    return re.findall(r"w\d{4}w", json.dumps(value, ensure_ascii=False))[-1]


def signed_call(said: Any) -> Fault:
    """What is lost of a call in a switch from a provider that signs its calls."""
    return Fault("call", "signature", _word(said), is_loss=True)


def _call(said: Message) -> Fault:
    return signed_call(said["tool_calls"])


def healthy(one: Told, step: int) -> list[Fault]:
    """A step without a fault."""
    said, seen = asked(one, step)
    one.messages += [said, seen, *_ends(one)]
    return [_call(said)]


def thought(one: Told, step: int) -> list[Fault]:
    """A step with a thought, which its provider takes back and a switch to another one loses."""
    said, seen = asked(one, step, thinking=True)
    one.messages += [said, seen, *_ends(one)]
    return [Fault("thought", "reasoning", _word(said["content"]), is_loss=True), _call(said)]


def _orphan(one: Told, step: int) -> list[Fault]:
    (said, seen), stray = asked(one, step), result(f"nobody_{step}", one.text())
    one.messages += [said, seen, stray, *_ends(one)]
    return [Fault("orphan", "orphan_result", _word(stray)), _call(said)]


def missing(one: Told, step: int) -> list[Fault]:
    """A call without a result."""
    said, seen = asked(one, step)
    beside = call(f"beside_{step}", {"q": one.text()})
    said["tool_calls"].append(beside)
    one.messages += [said, seen, *_ends(one)]
    signed = [_call({"tool_calls": [made]}) for made in said["tool_calls"]]
    return [Fault("missing result", "missing_result", _word(beside)), *signed]


def _twice(one: Told, step: int) -> list[Fault]:
    (said, seen), again = asked(one, step), result(f"call_{step}", one.text())
    one.messages += [said, seen, again, *_ends(one)]
    return [Fault("result twice", "duplicate_result", _word(again), of=_word(seen)), _call(said)]


def _same_id(one: Told, step: int) -> list[Fault]:
    said, seen = asked(one, step)
    earlier = next(message for message in one.messages if message.get("tool_calls"))
    said["tool_calls"][0]["id"] = seen["tool_call_id"] = earlier["tool_calls"][0]["id"]
    one.messages += [said, seen, *_ends(one)]
    return [Fault("same id", "renamed_id", _word(said["tool_calls"])), _call(said)]


def _late(one: Told, step: int) -> list[Fault]:
    said, seen = asked(one, step)
    one.messages += [said, {"role": "user", "content": one.text()}, seen, *_ends(one)]
    return [Fault("result moved", "moved_result", _word(seen)), _call(said)]


def _silent(one: Told, step: int) -> list[Fault]:
    said, seen = asked(one, step)
    one.messages += [said, seen, {"role": "assistant", "content": ""}, *_ends(one)]
    return [Fault("blank", "empty_assistant", _word(seen), behind=True), _call(said)]


def _huge(one: Told, step: int) -> list[Fault]:
    said, seen = asked(one, step)
    seen["content"] = one.text(2 * CAP)
    one.messages += [said, seen, *_ends(one)]
    return [Fault("huge result", "cut_result", _word(seen)), _call(said)]


FAULTS: tuple[Callable[[Told, int], list[Fault]], ...] = (
    _orphan,
    missing,
    _twice,
    _same_id,
    _late,
    _silent,
    _huge,
)
"""Each of them makes one step, and says what it has planted there."""
