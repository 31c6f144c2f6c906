"""What a build moves keeps its place in the caller's list: in losses, and in the sources of each element."""

import json
import pickle
import random
import re

import pytest
import turnwire as tw
from random_runs import tries
from test_provenance import elements

TARGETS = [name for name in tw.dialects() if ":" not in name]
IMAGE = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
#: A text of one element: `w<element>x<number>`.
WORD = re.compile(r"w(\d+)x\d+")
#: An unknown key, which no other element has.
KEY = re.compile(r"k(\d+)x\d+")


class Chat:
    """Anthropic messages whose results are anywhere, with own words and own unknown keys in every part."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.marks = 0
        elements = [element for exchange in range(self.dice.randint(1, 4)) for element in self.exchange(exchange)]
        for _ in range(self.dice.randint(0, 3)):
            moved = elements.pop(self.dice.randrange(len(elements)))
            elements.insert(self.dice.randint(0, len(elements)), moved)
        self.messages = [{"role": "user", "content": self.marked(["WORD"], 0)[0]}]
        for at, (role, parts) in enumerate(elements, 1):
            own = {"KEY": 1} if self.dice.random() < 0.3 else {}
            self.messages.append({"role": role, "content": self.marked(parts, at), **self.marked(own, at)})

    def exchange(self, number):
        ids = [f"t{number}_{call}" for call in range(self.dice.randint(1, 3))]
        calls = [{"type": "tool_use", "id": id, "name": "f", "input": {"q": "WORD"}, "KEY": 1} for id in ids]
        yield "assistant", [*self.maybe(0.4, self.text()), *calls]
        results = [self.result(id) for id in ids if self.dice.random() < 0.85]
        results += [self.result(self.dice.choice(ids)) for _ in self.maybe(0.1, None)]
        self.dice.shuffle(results)
        while results:
            count = self.dice.randint(1, len(results))
            parts, results = results[:count], results[count:]
            for other in [*self.maybe(0.5, self.text()), *self.maybe(0.2, self.image())]:
                parts.insert(self.dice.randint(0, len(parts)), other)
            yield "user", parts
        for _ in self.maybe(0.4, None):
            yield self.dice.choice(["user", "assistant"]), [self.text()]

    def result(self, id):
        content = self.dice.choice(["WORD", [self.text()], [self.text(), self.image()], [self.text(), self.text()]])
        failed = self.dice.random() < 0.3
        return {"type": "tool_result", "tool_use_id": id, "content": content, "is_error": failed, "KEY": 1}

    def text(self):
        return {"type": "text", "text": "WORD", **({"KEY": 1} if self.dice.random() < 0.7 else {})}

    def image(self):
        return {"type": "image", "source": IMAGE, "KEY": 1}

    def maybe(self, chance, value):
        return [value] if self.dice.random() < chance else []

    def marked(self, value, at):
        if isinstance(value, dict):
            return {self.mark("k", at) if key == "KEY" else key: self.marked(inner, at) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.marked(inner, at) for inner in value]
        return self.mark("w", at) if value == "WORD" else value

    def mark(self, letter, at):
        self.marks += 1
        return f"{letter}{at}x{self.marks}"


def places(value, path="$"):
    """Every path of a payload."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from places(inner, f"{path}[{at}]")


def by_objects(messages, target):
    return tw.prepare(messages, target, source="anthropic", blobs="base64")


def by_json(messages, target):
    return tw.prepare_json(json.dumps({"messages": messages}), target, source="anthropic")


def by_builder(messages, target):
    conversation = tw.Conversation.parse(messages, "anthropic")
    return tw.spec.MessageBuilder().set_messages(conversation).build(target=target).render(target, blobs="base64")


def by_pickle(messages, target):
    conversation = tw.Conversation.parse(messages, "anthropic")
    built = tw.spec.MessageBuilder().set_messages(conversation).build(target=target)
    return pickle.loads(pickle.dumps(built)).render(target, blobs="base64")


def built_twice(messages, target):
    conversation = tw.Conversation.parse(messages, "anthropic")
    built = tw.spec.MessageBuilder().set_messages(conversation).build(target="anthropic")
    return tw.spec.MessageBuilder().set_messages(built).build(target=target).render(target, blobs="base64")


def by_ledger(messages, target):
    return tw.Ledger(target, blobs="base64").prepare(messages)


DOORS = [by_objects, by_json, by_builder, by_pickle, built_twice, by_ledger]


@pytest.mark.parametrize("door", DOORS)
def test_a_moved_part_is_told_where_the_caller_has_it(door):
    told = 0
    for seed in range(tries(600)):
        messages = Chat(seed).messages
        target = TARGETS[seed % len(TARGETS)]
        try:
            sent = door(messages, target)
        except tw.TurnwireError:
            continue
        known = set(places({"messages": messages} if door is by_json else messages))
        for loss in sent.receipt.only("lost", "restated"):
            assert loss.path in known, (seed, target, loss)
            if loss.code == "key":
                # The key is nowhere else.
                assert KEY.search(loss.path), (seed, target, loss)
                told += 1
        payload = json.loads(sent.payload) if door is by_json else sent.payload
        for element, sources in zip(elements(payload), sent.sources, strict=True):
            text = json.dumps(element)
            words = {int(at) for at in WORD.findall(text)}
            # Media have no words here, and a made-up result has those of nobody.
            exact = "iVBOR" not in text and tw.constants.MISSING_RESULT not in text
            assert words == {*sources} if exact else words <= {*sources}, (seed, target, element, sources)
    assert told > 50


def test_a_receipt_names_them_too():
    messages = [
        {"role": "user", "content": "go"},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "b", "content": "B"}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "f", "input": {}} for id in "ab"]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "so"},
                {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": ""}], "x_key": 1},
            ],
        },
    ]
    sent = tw.prepare(messages, "openai", source="anthropic")
    assert "$[3].content[1].x_key" in [loss.path for loss in sent.receipt]
    assert sent.sources == ((0,), (2,), (3,), (1,), (3,))
