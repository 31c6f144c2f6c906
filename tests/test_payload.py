"""What surrounds the turns: each word of it is written, or reported once, by a loss or a receipt."""

import itertools
import json
import pickle
import random
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import tries
from world.words import WORDS, is_under, leaves

Json = dict[str, Any]
TOOL = {"type": "function", "function": {"name": "given", "parameters": {"type": "object"}}}


class Framed:
    """Random bodies of words that occur once, with little in the turns and much around them."""

    def __init__(self, dice: random.Random):
        self.dice = dice
        self.count = itertools.count()

    def word(self) -> str:
        return f"w{next(self.count)}z"

    def any(self, *choices: Callable[[], Any]) -> Any:
        return self.dice.choice(choices)()

    def some(self, *choices: Callable[[], Any]) -> list[Any]:
        return [self.any(*choices) for _ in range(self.dice.randrange(4))]

    def beside(self, value: Json) -> Json:
        """The same object, sometimes with a key that no dialect knows."""
        if self.dice.random() < 0.2:
            value[f"x_{self.word()}"] = self.any(self.word, lambda: {"n": self.word()}, lambda: [self.word()])
        return value

    def ids(self) -> list[str]:
        return [self.word() for _ in range(self.dice.randrange(1, 4))]

    def is_so(self, odds: float) -> bool:
        return self.dice.random() < odds

    def shuffled(self, value: Json) -> Json:
        entries = list(value.items())
        self.dice.shuffle(entries)
        return dict(entries)

    def spelled(self, make: Callable[[], Any], *keys: str) -> Json:
        """Some of the spellings of a key, and empty ones."""
        return {key: None if self.is_so(0.2) else make() for key in keys if self.is_so(0.6)}

    def said(self) -> Json:
        return self.beside({"text": self.word()})

    def gemini(self) -> Json:
        def system() -> Any:
            parts = self.some(self.said)
            return self.any(self.word, lambda: self.beside({"parts": parts}), lambda: parts)

        def choice() -> Json:
            mode = self.any(lambda: "AUTO", lambda: "ANY", lambda: "NONE", lambda: "VALIDATED")
            return {"mode": mode, f"x_{self.word()}": self.word()}

        def config() -> Json:
            both = self.spelled(choice, "functionCallingConfig", "function_calling_config")
            return self.shuffled(self.beside(both))

        def declared() -> Json:
            one = {"name": self.word(), "parametersJsonSchema": {"type": "object", "title": self.word()}}
            return self.beside({"functionDeclarations": [self.beside(one)]})

        def content(role: str) -> Json:
            return self.beside({"role": role, "parts": [self.said()]})

        body = {"contents": [content("user"), content("model"), content("user")]}
        body |= self.spelled(system, "systemInstruction", "system_instruction")
        body |= self.spelled(config, "toolConfig", "tool_config")
        if self.is_so(0.7):
            body["tools"] = self.some(declared, declared, lambda: {"googleSearch": {"x": self.word()}})
        return self.shuffled(self.beside(body))

    def message(self, role: str) -> Json:
        return self.beside({"role": role, "content": self.word()})

    def function(self) -> Json:
        return self.beside({"name": self.word(), "parameters": {"type": "object", "title": self.word()}})

    def openai(self) -> Json:
        body: Json = {"messages": [self.message("user")]}
        old = [self.function() for _ in self.ids()]
        if self.is_so(0.5):
            new = [self.beside({"type": "function", "function": self.function()}) for _ in self.ids()]
            named = {"type": "function", "function": {"name": new[0]["function"]["name"]}}
            body |= {"tools": new, "tool_choice": self.any(lambda: self.beside(named), lambda: "none")}
        elif self.is_so(0.8):
            body |= {"functions": old, "function_call": self.beside({"name": old[0]["name"]})}
        return self.shuffled(self.beside(body))

    def openai_responses(self) -> Json:
        def on_server() -> Any:
            return self.any(self.word, lambda: {"id": self.word()}, lambda: "")

        body = {"input": self.any(self.word, lambda: [self.message("user")])}
        body |= self.spelled(on_server, "previous_response_id", "conversation")
        body |= self.spelled(self.word, "instructions")
        if self.is_so(0.7):
            body["tools"] = [{"type": "function", "strict": False, **self.function()} for _ in self.ids()]
            named = {"type": "function", "name": body["tools"][0]["name"]}
            body["tool_choice"] = self.any(lambda: self.beside(named), lambda: {"type": "odd", "x": self.word()})
        return self.shuffled(self.beside(body))

    def anthropic(self) -> Json:
        def tool() -> Json:
            return self.beside({"name": self.word(), "input_schema": {"type": "object", "title": self.word()}})

        body: Json = {"messages": [self.message("user")]}
        # A part with a mark that no target accepts is written again.
        parts = [{"type": "text", **self.any(dict, lambda: {"cache_control": 1}), **self.said()} for _ in self.ids()]
        body |= self.spelled(lambda: parts, "system")
        if self.is_so(0.7):
            body["tools"] = [tool() for _ in self.ids()]
            body["tool_choice"] = self.beside({"type": "tool", "name": body["tools"][0]["name"]})
        return self.shuffled(self.beside(body))

    def bedrock(self) -> Json:
        def tool() -> Json:
            schema = {"json": {"type": "object", "title": self.word()}}
            return self.beside({"toolSpec": self.beside({"name": self.word(), "inputSchema": self.beside(schema)})})

        body: Json = {"messages": [{"role": "user", "content": [self.said()]}]}
        body |= self.spelled(lambda: self.some(self.said), "system")
        if self.is_so(0.7):
            tools = [tool() for _ in self.ids()]
            chosen = {"tool": self.beside({"name": tools[0]["toolSpec"]["name"]})}
            body["toolConfig"] = self.shuffled(self.beside({"tools": tools, "toolChoice": chosen}))
        return self.shuffled(self.beside(body))


MAKERS: dict[str, Callable[[Framed], Json]] = {
    "gemini": Framed.gemini,
    "openai": Framed.openai,
    "openai-responses": Framed.openai_responses,
    "anthropic": Framed.anthropic,
    "bedrock": Framed.bedrock,
}
# Keys that are a loss for another format, though in their own format they are the caller's.
ON_SERVER = ("previous_response_id", "conversation")


def account(payload: Json, callers: tuple[str, ...], made: Any, receipt: Iterable[Any]) -> None:
    """`callers`: the beginnings of the keys that are left to the caller."""
    written = json.dumps(made)
    lost = [change.path for change in receipt if change.kind == "lost"]
    # A change at the root is about the whole payload, and drops nothing.
    mended = [one.path for one in receipt if one.path != "$" and one.kind not in ("lost", "added", "warning")]
    for path, word in ((path, word) for path, text in leaves(payload) for word in WORDS.findall(text)):
        # A choice that names no tool is mended, and may be lost, as a whole.
        if "tool_choice" in path or "function_call" in path or any(path.startswith(f"$.{key}") for key in callers):
            continue
        told = [other for other in lost if is_under(path, {other})]
        if word in written:
            assert not told, (path, told)
        else:
            # A part may be repaired, and lost later; any other path is told once.
            assert len(told) == 1 or (not told and is_under(path, set(mended))), (path, lost, mended)


def ways(payload: Json, source: Any, target: Any) -> Iterator[Callable[[], Any]]:
    """All ways to a rendering: whole, extended, from a pickle, repaired, after the caller's own."""
    conversation = tw.Conversation.parse(payload, source)
    builder = tw.spec.MessageBuilder().set_messages(conversation)
    yield lambda: conversation.render(target)
    yield lambda: conversation.extended("more").render(target)
    yield lambda: pickle.loads(pickle.dumps(conversation)).render(target)
    yield lambda: builder.build().render(target)
    yield lambda: builder.build(source).render(target)
    yield lambda: tw.prepare(payload, target, source=source)
    yield lambda: tw.prepare(payload, target, source=source, system="given")
    # In one list with given tools, the indices of tools differ.
    if not conversation.tools:
        yield lambda: tw.prepare(payload, target, source=source, tools=[TOOL])


def targets(source: str) -> list[str]:
    own = [name for name in tw.dialects() if is_own(source, name)]
    return sorted({*own[:3], "openai", "anthropic", "bedrock", "llama"})


def is_own(source: str, target: str) -> bool:
    return target.partition(":")[0] == source and not target.startswith("openai:hf")


@pytest.mark.parametrize(("source", "target"), [(source, target) for source in MAKERS for target in targets(source)])
@given(dice=st.randoms(use_true_random=True))
@settings(max_examples=tries(30))
def test_every_word_around_the_turns_is_kept_or_reported_once(source: Any, target: Any, dice: random.Random) -> None:
    payload = MAKERS[source](Framed(dice))
    text = json.dumps(payload, separators=(",", ":"))
    callers = ("x_", *ON_SERVER) if is_own(source, target) else ("x_",)
    for rest in ("omit", "keep"):
        try:
            made = tw.convert(payload, target, source=source, settings=rest)
        except tw.RenderError as error:
            assert error.code == "refused"
            return
        account(payload, () if rest == "keep" else callers, made.payload, made.receipt)
        door = tw.convert_json(text, target, source=source, settings=rest)
        assert (json.loads(door.payload), door.receipt) == (made.payload, made.receipt)
    for way in ways(payload, source, target):
        try:
            made = way()
        except tw.TurnwireError as error:
            assert error.code in ("refused", "starts_with_assistant")
            continue
        account(payload, callers, made.payload, made.receipt)


def test_system_text_that_is_gathered_in_front_is_rewritten() -> None:
    def system(word: str) -> Json:
        return {"role": "system", "content": [{"type": "text", "text": word, f"x_{word}": 1}], f"y_{word}": 2}

    messages = [system("a"), {"role": "user", "content": "q"}, {"role": "assistant", "content": "y"}, system("b")]
    longer = tw.Conversation.parse({"messages": messages}, "mistral").extended(
        [tw.Turn("system", [tw.parts.Text("c")])]
    )
    made = longer.extended("z").render("mistral")
    assert made.payload["messages"][0] == {
        "role": "system",
        "content": [{"type": "text", "text": one} for one in "ac"],
    }
    assert [loss.path for loss in made.receipt if loss.kind == "lost"] == [
        "$.messages[0].content[0].x_a",
        "$.messages[0].y_a",
    ]


@given(dice=st.randoms(use_true_random=True), target=st.sampled_from(["gemini", "gemini:2", "anthropic", "openai"]))
@settings(max_examples=tries(60))
def test_every_spelling_of_a_key_in_a_part_is_kept_or_reported(dice: random.Random, target: Any) -> None:
    of = Framed(dice)

    def inside() -> Json:
        return {"x": of.word()}

    def blob() -> Json:
        inner = {"mimeType": "image/png", "data": "iVBORw0KGgo=", **of.spelled(inside, "inMost", "in_most")}
        return of.shuffled(of.beside(inner))

    # An opaque block is refused with both.
    text = {"text": of.word(), **of.spelled(inside, "fooBar", "foo_bar")}
    part = text if of.is_so(0.5) else of.spelled(blob, "inlineData", "inline_data")
    part |= of.spelled(inside, "videoMetadata", "video_metadata")
    payload = {"contents": [{"role": "user", "parts": [of.shuffled(part), {"text": "q"}]}]}
    made = tw.convert(payload, target, source="gemini")
    account(payload, (), made.payload, made.receipt)
    built = tw.spec.MessageBuilder().set_messages(payload, "gemini").build(target)
    made = built.render(target)
    account(payload, (), made.payload, made.receipt)
    assert not tw.spec.MessageBuilder().set_messages(built).build(target).receipt.changed


def unwrapped(draw, value, key=""):
    """The same protobuf JSON, where any list of one object or name may be written as that one."""
    if isinstance(value, dict):
        return {name: unwrapped(draw, inner, name) for name, inner in value.items()}
    if not isinstance(value, list):
        return value
    items = [unwrapped(draw, item) for item in value]
    return items[0] if len(items) == 1 and key in REPEATED and draw(st.booleans()) else items


REPEATED = {"contents", "parts", "tools", "functionDeclarations", "allowedFunctionNames"}
PICTURE = {"inlineData": {"mimeType": "image/png", "data": "iVBORw0KGgo="}}


@st.composite
def lists_and_singles(draw):
    part = st.sampled_from(
        [
            {"text": "q"},
            PICTURE,
            {"functionCall": {"name": "f", "args": {"a": [1]}}},
            {"functionResponse": {"name": "f", "response": {"output": "r"}}},
            {"functionResponse": {"name": "f", "response": {"output": "r"}, "parts": [PICTURE]}},
        ]
    )
    content = st.fixed_dictionaries(
        {"role": st.sampled_from(["user", "model"]), "parts": st.lists(part, min_size=1, max_size=2)}
    )
    tool = {"functionDeclarations": [{"name": "f", "description": "d", "parameters": {"type": "OBJECT"}}]}
    body = {
        "systemInstruction": {"parts": [{"text": "s"}]},
        "contents": draw(st.lists(content, min_size=1, max_size=2)),
        "tools": draw(st.sampled_from([[tool], [tool, {"googleSearch": {}}], [{"googleSearch": {}}]])),
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["f"]}},
    }
    return body, unwrapped(draw, body)


@given(lists_and_singles(), st.sampled_from([name for name in tw.dialects() if ":" not in name]))
def test_a_list_of_one_may_stand_as_that_one(bodies, target):
    lists, singles = bodies
    if target == "gemini":
        assert tw.convert(singles, target, source="gemini").payload == singles
        return
    try:
        expected = tw.convert(lists, target, source="gemini", blobs="base64")
    except tw.RenderError as refused:
        with pytest.raises(tw.RenderError) as failed:
            tw.convert(singles, target, source="gemini")
        assert failed.value.code == refused.code
        return
    for source in ("gemini", "auto"):
        read = tw.convert(singles, target, source=source, blobs="base64")
        assert read.payload == expected.payload
        told = [sorted((change.code, change.kind) for change in one.receipt) for one in (read, expected)]
        assert told[0] == told[1]
        assert all(at(singles, loss.path) is not None for loss in read.receipt)
    assert json.loads(tw.convert_json(singles, target, source="gemini").payload) == expected.payload


def at(payload, path):
    for key, index in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        payload = payload[key] if key else payload[int(index)]
    return payload
