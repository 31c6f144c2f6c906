"""A list of a framework, woven: what was not touched is the very object, and nothing is lost without a word."""

import random

import pytest
from histories import LARGE, broken, calls, faults, long, result, size, user, valid
from turnwire.adapters._places import woven
from turnwire.adapters._policy import Policy


class Message:
    """A framework's message: several elements, or none that anybody knows."""

    def __init__(self, *elements):
        self.elements = list(elements)

    def __repr__(self):
        return f"Message{tuple(self.elements)}"


class Changed(Message):
    """What was made of one, or of none."""

    def __init__(self, source, elements):
        super().__init__(*elements)
        self.source = source


def weave(given, receipts=None, max_bytes=None, **more):
    settings = {"on_receipt": None if receipts is None else receipts.append}
    for name in ("pinned", "on_error"):
        if name in more:
            settings[name] = more.pop(name)
    policy = Policy(max_bytes, settings)
    rebuilt = lambda message, elements: [Changed(message, elements)]  # noqa: E731
    return woven(policy, given, lambda message: message.elements or None, rebuilt, "openai", "messages", **more)


def flat(messages):
    return [element for message in messages for element in message.elements]


def by_chance(seed):
    """The elements of a history in messages of one to three of them, some messages unknown, some elements gone."""
    dice = random.Random(seed)
    elements = [e for e in dice.choice([valid, broken, lambda: long(4)])() if dice.random() < 0.85]
    if dice.random() < 0.3:
        dice.shuffle(elements)
    messages = []
    while elements:
        count = dice.choice([1, 1, 2, 3])
        messages.append(Message(*elements[:count]))
        elements = elements[count:]
        if dice.random() < 0.2:
            messages.append(Message())
    return messages


@pytest.mark.parametrize("max_bytes", [None, 3_000])
def test_by_chance(max_bytes):
    same = changed = 0
    for seed in range(300):
        given = by_chance(seed)
        if not flat(given):
            continue
        before = [list(message.elements) for message in given]
        receipts = []
        got = weave(given, receipts, max_bytes, on_error="log")
        assert [message.elements for message in given] == before
        if not receipts:
            assert got is given
            continue
        assert faults(flat(got)) == []
        assert max_bytes is None or size(flat(got)) <= max_bytes
        # Those that nobody knows are all there, in their order.
        unknown = [message for message in given if not message.elements]
        assert [message for message in got if message in unknown] == unknown
        # A message is there once as it was, or else in copies, of which each says a part of it.
        for message in given:
            whole = sum(one is message for one in got)
            parts = [one for one in got if isinstance(one, Changed) and one.source is message]
            assert whole <= 1 and not (whole and parts)
        assert bool(receipts[0]) or got is given
        same += got is given
        changed += got is not given
    assert same > 10 and changed > 100


def test_what_stands_before_counts_and_does_not_come_back():
    given = [Message(element) for element in valid()]
    told = {"role": "system", "content": "x" * 500}
    assert weave(given, max_bytes=size(flat(given)) + 500, before=[told]) is given
    large = [*given[:1], Message(calls("c9")), Message(result("c9", "y" * 900)), *given[1:]]
    got = weave(large, max_bytes=size(flat(large)), before=[told])
    assert got is not large and size(flat(got)) <= size(flat(large)) - 500
    assert all(element != told for element in flat(got))


def test_pins_are_places_in_the_frameworks_own_list():
    given = [Message(element) for element in long(4)]
    given[3:3] = [Message()]
    spared = next(at for at, message in enumerate(given) if message.elements == [result("call_0", f"step 0: {LARGE}")])
    got = weave(given, max_bytes=40_000, pinned=[spared], before=[user("first")])
    assert given[spared] in got
    assert given[spared] not in weave(given, max_bytes=40_000)


def test_nothing_at_all():
    assert weave([]) == []
    given = [Message(), Message()]
    assert weave(given) is given
