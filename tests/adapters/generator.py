"""Histories that are broken in many ways, one for each seed: in OpenAI's format, for the frameworks to spell."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
IMAGE = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}
TEXTS = ("look", "行く", "für", "🎉", "a\nb", '"q"', "{x}", "<b>")
BLANKS = ("", " ", "\n\t ", None)
NO_OBJECTS = ("", "{bad", "[1]", "null", '"x"', '{"q": "x"}{"q": "y"}', '{"q": "x"', "3", "nonsense")
ODD_IDS = ("", "a:b/c.d", "x" * 80, "ид", "call 1", "1")


@dataclass
class Told:
    """A history that is being broken: each message or result in it holds a unique word."""

    dice: random.Random
    messages: list[Message] = field(default_factory=list)
    words: int = 0
    done: list[str] = field(default_factory=list)

    def text(self, size: int = 0) -> str:
        self.words += 1
        filler = self.dice.choice(TEXTS)
        return f"w{self.words:04d}w {filler} " + filler * (size // len(filler.encode()))

    def at(self, wanted: Callable[[Message], Any]) -> int | None:
        """The index of one such message."""
        found = [at for at, message in enumerate(self.messages) if wanted(message)]
        return self.dice.choice(found) if found else None

    def closed(self) -> Told:
        """The same history, with something to answer at its end."""
        last = self.messages[-1] if self.messages else None
        if last is None or last["role"] != "user" or not any(text.strip() for text in texts(last["content"])):
            self.messages.append({"role": "user", "content": self.text()})
        return self

    def names(self) -> dict[str, str]:
        """The tool that was called, by the call's id."""
        return {call["id"]: call["function"]["name"] for message in self.messages for call in _calls(message)}

    def anywhere(self) -> int:
        return self.dice.randrange(len(self.messages) + 1)


def told(seed: int | str, faults: int | None = None, kinds: Iterable[str] = ()) -> Told:
    """The history of a seed; with `faults=0` it has no fault, and with `kinds` only faults of these kinds."""
    one = Told(random.Random(f"adapters {seed}"))
    _sound(one)
    wanted = one.dice.choice([1, 1, 2, 2, 3, 5]) if faults is None else faults
    kinds = [*(kinds or FAULTS)]
    while len(one.done) < wanted and kinds:
        name = one.dice.choice(kinds)
        before = repr(one.messages)
        FAULTS[name](one)
        if repr(one.messages) == before:
            kinds.remove(name)
        else:
            one.done.append(name)
    return one


def _sound(one: Told) -> None:
    dice, out, number = one.dice, one.messages, 0
    for _ in range(dice.randint(1, 4)):
        out.append({"role": "user", "content": one.text()})
        if dice.random() < 0.15:
            out[-1]["content"] = [{"type": "text", "text": out[-1]["content"]}, copy.deepcopy(IMAGE)]
        for _ in range(dice.randint(0, 3)):
            ids = [f"call_{number + more}" for more in range(dice.choice([1, 1, 2, 3]))]
            number += len(ids)
            said: Message = {"role": "assistant", "content": one.text() if dice.random() < 0.4 else None}
            if dice.random() < 0.3:
                said["thinking"] = one.text()
            said["tool_calls"] = [call(ident, {"q": one.text()}, dice.choice(["look", "find"])) for ident in ids]
            out += [said, *(result(ident, one.text()) for ident in ids)]
        out.append({"role": "assistant", "content": one.text()})
    out.append({"role": "user", "content": one.text()})


def texts(content: Any) -> list[str]:
    """The texts of a content; an image has none."""
    if isinstance(content, list):
        return [block["text"] for block in content if block["type"] == "text"]
    return [content or ""]


def images(content: Any) -> int:
    return sum(block["type"] != "text" for block in content) if isinstance(content, list) else 0


def arguments(call: Message) -> Any:
    """The arguments of a call as an object, or their text where they are not an object."""
    text = call["function"]["arguments"]
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, dict) else text


def without_other_arguments(one: Told) -> None:
    """The same with only objects as arguments: some frameworks lose or refuse calls with anything else."""
    for message in one.messages:
        for made in _calls(message):
            if isinstance(arguments(made), str):
                made["function"]["arguments"] = "{}"


def call(ident: str, args: Any, name: str = "look") -> Message:
    text = args if isinstance(args, str) else json.dumps(args, ensure_ascii=False)
    return {"id": ident, "type": "function", "function": {"name": name, "arguments": text}}


def result(ident: str, text: Any) -> Message:
    return {"role": "tool", "tool_call_id": ident, "content": text}


def _is_result(message: Message) -> bool:
    return message["role"] == "tool"


def _calls(message: Message) -> list[Message]:
    return message.get("tool_calls") or []


def _orphan(one: Told) -> None:
    one.messages.insert(one.anywhere(), result("call_nobody", one.text()))


def _missing_result(one: Told) -> None:
    if (at := one.at(_is_result)) is not None:
        del one.messages[at]


def _twice(one: Told) -> None:
    if (at := one.at(_is_result)) is not None:
        again = {**one.messages[at], "content": one.text()}
        one.messages.insert(one.dice.randrange(at + 1, len(one.messages) + 1), again)


def _same_id(one: Told) -> None:
    """An id that is used again, with its result: in another turn, or in the same one."""
    ids = [(at, call) for at, message in enumerate(one.messages) for call in _calls(message)]
    if len(ids) < 2:
        return
    (_, first), (at, second) = one.dice.sample(ids, 2)
    for message in one.messages[at:]:
        if message.get("tool_call_id") == second["id"]:
            message["tool_call_id"] = first["id"]
    second["id"] = first["id"]


def _blank(one: Told) -> None:
    at = one.at(lambda message: True)
    assert at is not None
    one.messages[at] = {**one.messages[at], "content": one.dice.choice(BLANKS)}
    if one.dice.random() < 0.3:
        one.messages.insert(one.anywhere(), {"role": one.dice.choice(["user", "assistant"]), "content": ""})


def _moved(one: Told) -> None:
    at = one.at(lambda message: True)
    assert at is not None
    moved = one.messages.pop(at)
    one.messages.insert(one.anywhere(), moved)


def _result_moved(one: Told) -> None:
    if (at := one.at(_is_result)) is not None:
        moved = one.messages.pop(at)
        one.messages.insert(one.anywhere(), moved)


def _results_swapped(one: Told) -> None:
    places = [at for at, message in enumerate(one.messages) if _is_result(message)]
    if len(places) > 1:
        at, other = one.dice.sample(places, 2)
        one.messages[at], one.messages[other] = one.messages[other], one.messages[at]


def _interrupted(one: Told) -> None:
    if (at := one.at(_calls)) is not None:
        role = one.dice.choice(["user", "assistant"])
        one.messages.insert(at + 1, {"role": role, "content": one.text()})


def _broken_off(one: Told) -> None:
    if (at := one.at(_calls)) is not None:
        del one.messages[at + 1 :]


def _begins_late(one: Told) -> None:
    del one.messages[: one.dice.randrange(len(one.messages))]


def _system(one: Told) -> None:
    one.messages.insert(one.anywhere(), {"role": "system", "content": one.text()})


def _huge_result(one: Told) -> None:
    if (at := one.at(_is_result)) is not None:
        one.messages[at] = {**one.messages[at], "content": one.text(one.dice.choice([5_000, 50_000, 200_000]))}


def _huge_arguments(one: Told) -> None:
    if (at := one.at(_calls)) is not None:
        one.dice.choice(_calls(one.messages[at]))["function"]["arguments"] = json.dumps({"q": one.text(40_000), "n": 1})


def _huge_text(one: Told) -> None:
    if (at := one.at(lambda message: message["role"] in ("user", "assistant"))) is not None:
        one.messages[at] = {**one.messages[at], "content": one.text(20_000)}


def _no_object(one: Told) -> None:
    if (at := one.at(_calls)) is not None:
        one.dice.choice(_calls(one.messages[at]))["function"]["arguments"] = one.dice.choice(NO_OBJECTS)


def _odd_id(one: Told) -> None:
    if (at := one.at(_calls)) is not None:
        made = one.dice.choice(_calls(one.messages[at]))
        old, made["id"] = made["id"], one.dice.choice(ODD_IDS)
        for message in one.messages:
            if message.get("tool_call_id") == old:
                message["tool_call_id"] = made["id"]


def _image(one: Told) -> None:
    if (at := one.at(_is_result)) is not None:
        text = [{"type": "text", "text": one.text()}] if one.dice.random() < 0.7 else []
        one.messages[at] = {**one.messages[at], "content": [*text, copy.deepcopy(IMAGE)]}


def _failed(one: Told) -> None:
    if (at := one.at(_is_result)) is not None:
        one.messages[at] = {**one.messages[at], "error": True}


def _surrogate(one: Told) -> None:
    if (at := one.at(lambda message: isinstance(message["content"], str))) is not None:
        one.messages[at] = {**one.messages[at], "content": one.text() + "\ud83d"}


def _same_call_again(one: Told) -> None:
    """An exchange that was stored twice."""
    if (at := one.at(_calls)) is not None:
        many = 1 + len(_calls(one.messages[at]))
        again = copy.deepcopy(one.messages[at : at + many])
        where = one.anywhere()
        one.messages[where:where] = again


FAULTS: dict[str, Callable[[Told], None]] = {
    "orphan": _orphan,
    "missing result": _missing_result,
    "result twice": _twice,
    "same id": _same_id,
    "blank": _blank,
    "moved": _moved,
    "result moved": _result_moved,
    "results swapped": _results_swapped,
    "interrupted": _interrupted,
    "broken off": _broken_off,
    "begins late": _begins_late,
    "system in the middle": _system,
    "huge result": _huge_result,
    "huge arguments": _huge_arguments,
    "huge text": _huge_text,
    "arguments are no object": _no_object,
    "odd id": _odd_id,
    "image in a result": _image,
    "failed result": _failed,
    "lone surrogate": _surrogate,
    "stored twice": _same_call_again,
}
