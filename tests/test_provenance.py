"""Each element of a payload names the caller's elements that it was written from: their words are nowhere else."""

import json
import pickle
import random
import re

import pytest
import turnwire as tw

WORD = re.compile(r"w\d+_\d+")
TARGETS = [name for name in tw.dialects() if ":" not in name]
IMAGE = "data:image/png;base64,iVBORw0KGgo="


class Chat:
    """A random history, with its own words in each element: `w<index>_<number>`."""

    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.messages = []
        self.calls = 0
        for _ in range(self.dice.randint(1, 6)):
            self.dice.choice([self.said, self.exchange, self.exchange, self.instructed, self.loose])()

    def word(self, number=0):
        return f"w{len(self.messages)}_{number}"

    def add(self, message):
        self.messages.append(message)

    def said(self):
        content = self.dice.choice([self.word(), [{"type": "text", "text": self.word()}], ""])
        self.add({"role": self.dice.choice(["user", "assistant"]), "content": content})

    def instructed(self):
        self.add({"role": self.dice.choice(["system", "developer"]), "content": self.word()})

    def loose(self):
        """A result without a call."""
        self.add({"role": "tool", "tool_call_id": f"nobody{self.calls}", "content": self.word()})

    def exchange(self):
        self.add({"role": "user", "content": self.word()})
        ids = [f"c{self.calls + number}" for number in range(self.dice.randint(1, 3))]
        self.calls += len(ids)
        write = self.dice.choice([self.openai, self.anthropic])
        results = write(ids)
        self.dice.shuffle(results)
        for result in results:
            if self.dice.random() < 0.8:
                result()
            if self.dice.random() < 0.2:
                self.said()

    def openai(self, ids):
        calls = [
            {"id": id, "type": "function", "function": {"name": "f", "arguments": json.dumps({"q": self.word(at)})}}
            for at, id in enumerate(ids)
        ]
        self.add({"role": "assistant", "content": None, "tool_calls": calls})
        return [lambda id=id: self.add({"role": "tool", "tool_call_id": id, "content": self.word()}) for id in ids]

    def anthropic(self, ids):
        uses = [{"type": "tool_use", "id": id, "name": "f", "input": {"q": self.word(at)}} for at, id in enumerate(ids)]
        self.add({"role": "assistant", "content": uses})
        image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
        seen = [image] if self.dice.random() < 0.3 else []
        return [lambda id=id: self.answer(id, seen) for id in ids]

    def answer(self, id, seen):
        said = [{"type": "text", "text": self.word()}, *seen]
        result = {"type": "tool_result", "tool_use_id": id, "content": said}
        self.add(
            {"role": "user", "content": [result, {"type": "text", "text": self.word(1)}][: self.dice.choice([1, 2])]}
        )


def elements(payload):
    """The payload's list."""
    if isinstance(payload, list):
        return payload
    return next(
        payload[key]
        for key in ("messages", "contents", "input", "conversations", "gen_ai.input.messages")
        if key in payload
    )


def words_in(value):
    return {*WORD.findall(json.dumps(value))}


def index_of(word):
    return int(word[1:].partition("_")[0])


def left_out(ready):
    """The caller's indices of everything that a receipt or a loss reports as gone."""
    gone = {one.index for one in ready.receipt.only("cut", "dropped") if one.index is not None}
    paths = [change.path for change in ready.receipt.only("lost", "restated")]
    return gone | {int(index) for path in paths for index in re.findall(r"^\$(?:\.messages)?\[(\d+)\]", path)}


def check(messages, ready, *, fitted=False):
    written = elements(ready.payload)
    assert len(ready.sources) == len(written)
    for source, element in zip(ready.sources, written, strict=True):
        assert list(source) == sorted({*source})
        assert all(0 <= index < len(messages) for index in source)
        # An element names the sources of its words. An element that turnwire made has no source.
        assert {index_of(word) for word in words_in(element)} <= {*source}
    everywhere = {index for source in ready.sources for index in source} | {*ready.hoisted}
    beside = (
        {key: value for key, value in ready.payload.items() if value is not written}
        if written is not ready.payload
        else {}
    )
    assert {index_of(word) for word in words_in(beside)} <= {*ready.hoisted}
    # An exchange that is dropped to meet a budget has one entry.
    silent = {index for index, message in enumerate(messages) if not words_in(message)}
    assert fitted or {*range(len(messages))} <= everywhere | left_out(ready) | silent


def prepared(messages, target, **options):
    try:
        return tw.prepare(messages, target, wording={"opening": "(begin)"}, blobs="base64", **options)
    except (tw.BuildError, tw.RenderError):
        return None


@pytest.mark.parametrize("target", TARGETS)
def test_elements_know_where_their_words_come_from(target):
    made = 0
    for seed in range(250):
        messages = Chat(seed).messages
        ready = prepared(messages, target)
        if ready is not None:
            check(messages, ready)
            made += 1
    assert made > 150


@pytest.mark.parametrize("target", TARGETS)
def test_a_budget_leaves_the_indices_as_they_were(target):
    cut = 0
    for seed in range(120):
        messages = Chat(seed).messages
        whole = prepared(messages, target)
        size = sum(map(len, words_in(messages)))
        ready = prepared(messages, target, budget=max(size // 2, 60))
        if ready is not None:
            check(messages, ready, fitted=True)
            cut += whole is not None and len(ready.sources) < len(whole.sources)
    assert cut > 0


def test_a_summary_and_prompts_are_made():
    messages = [{"id": str(at), "role": "user", "content": f"w{at}_0"} for at in range(4)]
    summary = {"summary": "s", "startMessageId": "2", "messageIds": ["0", "1"]}
    ready = tw.prepare(messages, "openai", summary=summary, system="p")
    assert ready.sources == ((), (), (2,), (3,))
    assert tw.prepare(messages, "anthropic", summary=summary, system="p").sources == ((2,), (3,))


def test_a_built_conversation_carries_them_on():
    messages = [*Chat(5).messages, {"role": "user", "content": "and?"}]
    built = tw.spec.MessageBuilder().set_messages(messages).build("anthropic", wording={"opening": "?"})
    again = tw.spec.MessageBuilder().set_messages(built).build("anthropic")
    assert again.render("anthropic").sources == built.render("anthropic").sources
    assert built.render_json("anthropic").sources == built.render("anthropic").sources
    # Extending it starts from it as the caller's list.
    longer = built.extended("more")
    assert {index for source in longer.render("openai").sources for index in source} <= {*range(len(longer))}


def test_losses_of_what_was_built_say_where_it_was():
    film = {"type": "input_video", "film": "x"}
    messages = [
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "see"},
        {"role": "user", "content": [{"type": "text", "text": "this"}, film]},
    ]
    ready = tw.prepare(messages, "anthropic", source="openai")
    assert ready.sources == ((1,), (2,))
    assert [loss.path for loss in ready.receipt.only("lost")] == ["$[2].content[1]"]
    with pytest.raises(tw.RenderError) as caught:
        tw.prepare(messages, "anthropic", source="openai", strict=True)
    assert caught.value.path == "$[2].content[1]"


def test_moved_media_name_their_result():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    use = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
    messages = [
        {"role": "user", "content": "look"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [image]}]},
        {"role": "user", "content": "and?"},
    ]
    ready = tw.prepare(messages, "openai")
    assert [message["role"] for message in ready.payload["messages"]] == ["user", "assistant", "tool", "user", "user"]
    assert ready.sources == ((0,), (1,), (2,), (2,), (3,))


def test_they_are_kept_by_a_pickle():
    ready = tw.prepare(Chat(7).messages, "anthropic", wording={"opening": "?"})
    again = pickle.loads(pickle.dumps(ready))
    assert (again.sources, again.hoisted, again.receipt) == (ready.sources, ready.hoisted, ready.receipt)
