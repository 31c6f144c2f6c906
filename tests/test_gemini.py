"""Recorded Gemini requests with a fault each: `build` mends or refuses, and what it makes is accepted and stands."""

import copy
import json
import random
import sys
from pathlib import Path

import pytest
import turnwire as tw

SHARED = Path(__file__).resolve().parents[2] / "shared"
KEYS = ("systemInstruction", "contents", "tools", "toolConfig")
# What nobody can mend, and says so.
REFUSED = {"empty_messages", "starts_with_assistant", "ends_with_assistant", "unsendable"}


@pytest.fixture(scope="module")
def errors():
    if not (SHARED / "tools/wirecheck.py").exists():
        pytest.skip("the wire checker is not here (../shared/tools)")
    pytest.importorskip("google.genai", reason="the official SDKs are not installed (dependency group wire)")
    sys.path.insert(0, str(SHARED / "tools"))
    try:
        import wirecheck
    finally:
        sys.path.pop(0)
    return lambda body: wirecheck.errors(wirecheck.check("gemini", body))


@pytest.fixture(scope="module")
def sound(errors):
    path = SHARED / "data/wire/gemini.jsonl"
    if not path.exists():
        pytest.skip("the recorded traffic is not here (../shared/data/wire)")
    with path.open(encoding="utf-8") as lines:
        requests = [record["request"] for record in map(json.loads, lines) if record["status"] == 200]
    bodies = [{key: request[key] for key in KEYS if key in request} for request in requests]
    return [body for body in bodies if not errors(body)]


class Payload:
    """A request that a fault may change, with the dice that say where. A fault without a place raises IndexError."""

    def __init__(self, body, dice):
        self.body, self.dice = copy.deepcopy(body), dice
        self.contents = self.body["contents"]

    def content(self, *keys):
        """Any content, or one with a part that has one of these keys."""
        return self.dice.choice(
            [one for one in self.contents if not keys or any(has(part, keys) for part in one["parts"])]
        )

    def part(self, *keys):
        return self.dice.choice([part for content in self.contents for part in content["parts"] if has(part, keys)])

    def call(self):
        return inner(self.part(*CALL), CALL)

    def result(self):
        return inner(self.part(*RESULT), RESULT)

    def add(self, part):
        self.content()["parts"].append(part)

    def split(self, *keys):
        at = self.contents.index(self.content(*keys))
        whole = self.contents[at]
        self.contents[at : at + 1] = [{"role": whole["role"], "parts": [part]} for part in whole["parts"]]


CALL, RESULT = ("functionCall", "function_call"), ("functionResponse", "function_response")
SIGNATURE = ("thoughtSignature", "thought_signature")


def has(part, keys):
    return any(key in part for key in keys)


def inner(part, keys):
    return next(part[key] for key in keys if key in part)


def data(mime, text):
    return {"inlineData": {"mimeType": mime, "data": text}}


def unsign(payload):
    for content in payload.contents:
        for part in content["parts"]:
            for key in SIGNATURE:
                part.pop(key, None)


def rename(payload, name):
    """The same id for all, or none."""
    for content in payload.contents:
        for part in (part for part in content["parts"] if has(part, (*CALL, *RESULT))):
            one = inner(part, (*CALL, *RESULT))
            one.pop("id", None)
            if name:
                one["id"] = name


def swap(payload):
    at = payload.dice.choice(range(len(payload.contents) - 1))
    payload.contents[at : at + 2] = payload.contents[at : at + 2][::-1]


def repeat(payload):
    at = payload.dice.choice(range(len(payload.contents)))
    payload.contents.insert(at, copy.deepcopy(payload.contents[at]))


FAULTS = {
    "role: none": lambda p: p.content().pop("role"),
    "role: function": lambda p: p.content(*RESULT).update(role="function"),
    "role: calls of the user": lambda p: p.content(*CALL).update(role="user"),
    "role: results of the model": lambda p: p.content(*RESULT).update(role="model"),
    "order: a content less": lambda p: p.contents.remove(p.content()),
    "order: a content twice": repeat,
    "order: two contents swapped": swap,
    "order: the model last": lambda p: p.contents.append({"role": "model", "parts": [{"text": "and"}]}),
    "order: the model first": lambda p: p.contents.insert(0, {"role": "model", "parts": [{"text": "hi"}]}),
    "order: results in contents of their own": lambda p: p.split(*RESULT),
    "order: parts of the model in contents of their own": lambda p: p.split(*CALL),
    "order: results the other way round": lambda p: p.content(*RESULT)["parts"].reverse(),
    "order: text before results": lambda p: p.content(*RESULT)["parts"].insert(0, {"text": "beside"}),
    "order: text behind results": lambda p: p.content(*RESULT)["parts"].append({"text": "beside"}),
    "empty: parts": lambda p: p.content().update(parts=[]),
    "empty: no parts": lambda p: p.content().pop("parts"),
    "empty: a part": lambda p: p.content()["parts"].insert(0, {}),
    "empty: a text": lambda p: p.add({"text": ""}),
    "empty: system text": lambda p: p.body.update(systemInstruction={"parts": [{"text": ""}]}),
    "empty: tools": lambda p: p.body.update(tools=[]),
    "pair: a result less": lambda p: p.content(*RESULT)["parts"].pop(),
    "pair: a call less": lambda p: p.content(*CALL)["parts"].pop(),
    "pair: a call without an id": lambda p: p.call().pop("id"),
    "pair: a result without an id": lambda p: p.result().pop("id"),
    "pair: no ids": lambda p: rename(p, None),
    "pair: one id": lambda p: rename(p, "same"),
    "pair: another name": lambda p: p.result().update(name="other"),
    "pair: no name": lambda p: p.result().pop("name"),
    "shape: no response": lambda p: p.result().pop("response"),
    "shape: no arguments": lambda p: p.call().pop("args"),
    "shape: arguments that are a list": lambda p: p.call().update(args=[1]),
    "shape: arguments that are text": lambda p: p.call().update(args='{"a": 1}'),
    "shape: two things in a part": lambda p: p.part("text").update(functionCall={"name": "x", "args": {}}),
    "shape: a null key": lambda p: p.part("text").update(inlineData=None),
    "shape: text in a result": lambda p: p.result().update(parts=[{"text": "x"}]),
    "name: that nobody takes": lambda p: p.call().update(name="3d x"),
    "signature: one less": lambda p: [p.part(*SIGNATURE).pop(key, None) for key in SIGNATURE],
    "signature: none": unsign,
    "thought: of the user": lambda p: p.part("text").update(thought=True),
    "reply: a piece of a call": lambda p: p.call().update(partialArgs=[], willContinue=True),
    "media: of no type that is taken": lambda p: p.add(data("image/gif", "R0lGODlhAQABAAAAACw=")),
    "media: not what they say": lambda p: p.add(data("image/png", "/9j/4AAQ")),
    "media: of no type at all": lambda p: p.add({"inlineData": {"data": "/9j/4AAQ"}}),
    "media: in system text": lambda p: p.body.update(
        systemInstruction={"parts": [{"text": "a"}, data("image/png", "iV")]}
    ),
    "media: sound in a result": lambda p: p.result().update(parts=[data("audio/wav", "UklGRg==")]),
}


def judge(body, errors, code):
    """What is wrong with what was built, or with building it."""
    try:
        built = tw.MessageBuilder().set_messages(body, "gemini").build("gemini")
    except tw.BuildError as error:
        return [] if error.code in REFUSED else [f"{code}: {error}"]
    made = built.render("gemini").payload
    found = [f"{code}: {problem}" for problem in errors(made)]
    again = tw.MessageBuilder().set_messages(made, "gemini").build("gemini")
    if again.receipt or again.render("gemini").payload != made:
        found.append(f"{code}: built again it is another: {again.receipt}")
    if errors(body) and not tw.check(body, "gemini", "gemini"):
        found.append(f"{code}: nothing was told")
    return found


def spoil(sound, dice, names):
    payload = Payload(dice.choice(sound), dice)
    for name in names:
        try:
            FAULTS[name](payload)
        except (IndexError, KeyError):
            return None
    return payload.body


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_request_is_mended_or_refused(name, sound, errors):
    dice = random.Random(name)
    bodies = [body for _ in range(60) if (body := spoil(sound, dice, [name]))]
    assert len(bodies) > 5
    assert [problem for body in bodies for problem in judge(body, errors, name)] == []


def test_so_is_one_with_several_faults(sound, errors):
    dice = random.Random(11)
    found, judged = [], 0
    for _ in range(1500):
        names = dice.sample(list(FAULTS), dice.randint(2, 3))
        if body := spoil(sound, dice, names):
            judged += 1
            found += judge(body, errors, " + ".join(names))
    assert judged > 300
    assert found == []


def test_what_is_sound_is_left_alone(sound):
    changed = []
    for number, body in enumerate(sound):
        built = tw.MessageBuilder().set_messages(body, "gemini").build("gemini")
        # A model's turn that says nothing goes for every target.
        codes = {change.code for change in built.receipt} - {"empty_assistant"}
        changed += [f"request {number}: {built.receipt}"] if codes else []
    assert changed == []
