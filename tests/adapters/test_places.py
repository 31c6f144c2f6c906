"""A framework's list is woven: an untouched message is the same object, and every loss is reported."""

import random
from collections import Counter

import pytest
import turnwire as tw
from generator import arguments, images, texts, told
from histories import LARGE, broken, calls, faults, long, result, size, valid
from spelled import openai
from turnwire.adapters._places import woven
from turnwire.adapters._policy import Policy

# What is repaired only for frameworks that write the provider's format themselves, and assistants without content.
MENDED = {"arguments", "blank_text", "empty_assistant", "empty_turn", "reshaped"}


class Message:
    """A framework's message: several elements, or none that the adapter knows."""

    def __init__(self, *elements):
        self.elements = list(elements)

    def __repr__(self):
        return f"Message{tuple(self.elements)}"


class Changed(Message):
    """A message made from one message, or from none."""

    def __init__(self, source, elements):
        super().__init__(*elements)
        self.source = source


def weave(given, receipts=None, budget=None, **more):
    settings = {"on_receipt": None if receipts is None else receipts.append}
    for name in ("pinned", "on_error", "wording"):
        if name in more:
            settings[name] = more.pop(name)
    policy = Policy(budget, settings)
    rebuilt = lambda message, elements: [Changed(message, elements)]  # noqa: E731
    elements = lambda message: message.elements or None  # noqa: E731
    return woven(policy, given, elements, rebuilt, "openai", "messages", **more).messages


def flat(messages):
    return [element for message in messages for element in message.elements]


def by_chance(seed):
    """The elements of a history in messages of one to three; some messages are unknown, some elements missing."""
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


@pytest.mark.parametrize("budget", [None, 3_000])
def test_by_chance(budget):
    same = changed = 0
    for seed in range(300):
        given = by_chance(seed)
        if not flat(given):
            continue
        before = [list(message.elements) for message in given]
        receipts = []
        try:
            got = weave(given, receipts, budget)
        except tw.BuildError:
            assert weave(given, receipts, budget, on_error="log") is given and not receipts
            continue
        assert [message.elements for message in given] == before
        assert faults(flat(got)) == []
        assert budget is None or size(flat(got)) <= budget
        # The unknown ones are all there, in their order.
        unknown = [message for message in given if not message.elements]
        assert [message for message in got if message in unknown] == unknown
        # A message is there once and unchanged, or else in copies that each hold a part of it.
        for message in given:
            whole = sum(one is message for one in got)
            parts = [one for one in got if isinstance(one, Changed) and one.source is message]
            assert whole <= 1 and not (whole and parts)
        assert bool(receipts) == (got is not given)
        same += got is given
        changed += got is not given
    assert same > 10 and changed > 100


def test_text_in_before_counts_and_is_not_returned():
    given = [Message(element) for element in valid()]
    told = "x" * 500
    assert weave(given, budget=size(flat(given)) + 500, before=told) is given
    large = [*given[:1], Message(calls("c9")), Message(result("c9", "y" * 900)), *given[1:]]
    got = weave(large, budget=size(flat(large)), before=told)
    assert got is not large and size(flat(got)) <= size(flat(large)) - 500
    assert all(element["content"] != told for element in flat(got))


def test_pins_are_places_in_the_frameworks_own_list():
    given = [Message(element) for element in long(4)]
    given[3:3] = [Message()]
    spared = next(at for at, message in enumerate(given) if message.elements == [result("call_0", f"step 0: {LARGE}")])
    got = weave(given, budget=40_000, pinned=[spared], before="first")
    assert given[spared] in got
    assert given[spared] not in weave(given, budget=40_000)


def test_nothing_at_all():
    assert weave([]) == []
    given = [Message(), Message()]
    assert weave(given) is given


def told_of(messages, blanks, objects):
    """What a receipt must report about blank texts and about arguments that are not an object, by code and path."""
    says = [any(text.strip() for text in texts(message["content"])) for message in messages]
    speaks = [
        message["role"] == "tool" or said or bool(images(message["content"]) or message.get("tool_calls"))
        for said, message in zip(says, messages, strict=True)
    ]
    last = max(at for at, message in enumerate(messages) if message["role"] != "assistant" or speaks[at])
    for at, message in enumerate(messages):
        if message["role"] == "assistant" and not speaks[at]:
            yield "empty_assistant", at
        elif not speaks[at] and blanks and at != last:
            yield "empty_turn", at
        elif message["role"] == "tool" and message["content"] is None and blanks:
            yield "reshaped", at
        elif message["role"] == "assistant" and message["content"] and not says[at] and blanks:
            yield "blank_text", at
        for call in message.get("tool_calls") or ():
            if objects and not isinstance(arguments(call), dict):
                yield "arguments", at


@pytest.mark.parametrize("target", [None, "anthropic", "openai"])
@pytest.mark.parametrize("objects", [False, True])
def test_the_receipt_reports_blank_texts_and_arguments(target, objects):
    seen = Counter()
    for seed in range(150):
        one = told(seed, kinds=["blank", "arguments are no object"])
        given = [Message(element) for element in openai(one.closed() if target == "anthropic" else one)]
        receipts = []
        got = weave(given, receipts, target=target, only_objects=objects, wording={"opening": "(begin)"})
        expected = Counter(told_of(flat(given), target != "openai", objects))
        changes = [entry for receipt in receipts for entry in receipt]
        counted = Counter((entry.code, entry.index) for entry in changes if entry.code in MENDED)
        if target == "openai":
            counted = Counter(
                {pair: count for pair, count in counted.items() if pair[0] in ("arguments", "empty_assistant")}
            )
        assert counted == expected, f"{one.done}: {changes}"
        assert any(change.kind != "warning" for change in changes) == (got is not given)
        seen += Counter(code for code, _ in expected.elements())
        for at, element in enumerate(flat(got)):
            said = any(text.strip() for text in texts(element["content"])) or images(element["content"])
            last = at == len(flat(got)) - 1
            if target != "openai" and not said and not last:
                assert element["content"] is not None if element["role"] == "tool" else element["tool_calls"]
            assert not objects or all(isinstance(arguments(call), dict) for call in element.get("tool_calls") or ())
        calls_of = {entry.id for entry in changes if entry.code == "arguments"}
        assert calls_of <= {call["id"] for element in flat(given) for call in element.get("tool_calls") or ()}
    assert (seen["arguments"] > 30) == objects
    assert all((seen[code] > 10) == (target != "openai") for code in ("empty_turn", "blank_text", "reshaped")), seen
