"""What surrounds the turns: each word of it is in what is written, or told of once, by a loss or a receipt."""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from test_accounting import Maker, leaves

Json = dict[str, Any]
TOOL = {"type": "function", "function": {"name": "given", "parameters": {"type": "object"}}}


class Framed(Maker):
    """Random bodies, little in the turns and much around them."""

    def is_so(self, odds: float) -> bool:
        return self.dice.random() < odds

    def shuffled(self, value: Json) -> Json:
        entries = list(value.items())
        self.dice.shuffle(entries)
        return dict(entries)

    def spelled(self, make: Callable[[], Any], *keys: str) -> Json:
        """Some of the spellings of a key, and others say nothing."""
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


MAKERS: dict[str, Callable[[Framed], Json]] = {"gemini": Framed.gemini}


def is_under(path: str, other: str) -> bool:
    return path.startswith(other) and path[len(other) : len(other) + 1] in ("", ".", "[")


def account(payload: Json, made: Any, losses: Iterable[Any], receipt: Iterable[Any], *, kept: bool = False) -> None:
    written = made if isinstance(made, str) else json.dumps(made)
    lost = [loss.path for loss in losses if loss.kind == "lost"]
    # What stands at the root is about the payload as a whole, and drops nothing.
    mended = [entry.path for entry in receipt if entry.path != "$"]
    for path, word in leaves(payload, "$"):
        if path.startswith("$.x_") and not kept:
            continue
        told = [other for other in lost if is_under(path, other)]
        if word in written:
            assert not told, (path, told)
        else:
            # A part that was mended, and lost later, is told of by both; one place is told of by one.
            assert len(told) == 1 or (not told and any(is_under(path, one) for one in mended)), (path, lost, mended)
            assert not set(told) & set(mended), (path, told)


def ways(payload: Json, source: Any, target: Any) -> Iterator[Callable[[], Any]]:
    """All that leads to a rendering: whole, longer, mended, behind what the caller gives."""
    conversation = tw.Conversation.parse(payload, source)
    builder = tw.MessageBuilder().set_messages(conversation)
    yield lambda: conversation.render(target)
    yield lambda: conversation.extended("more").render(target)
    yield lambda: builder.build().render(target)
    yield lambda: builder.build(source).render(target)
    yield lambda: tw.prepare(payload, target, source=source)
    yield lambda: tw.prepare(payload, target, source=source, system="given")
    yield lambda: tw.prepare(payload, target, source=source, tools=[TOOL])


def targets(source: str) -> list[str]:
    wire = source.partition(":")[0]
    own = [name for name in tw.dialects() if name.partition(":")[0] == wire and name != "openai:hf"]
    return sorted({*own, "openai", "anthropic", "bedrock", "llama"})


@pytest.mark.parametrize(("source", "target"), [(source, target) for source in MAKERS for target in targets(source)])
@given(dice=st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_every_word_around_the_turns_is_there_or_told_of_once(source: Any, target: Any, dice: random.Random) -> None:
    payload = MAKERS[source](Framed(dice))
    text = json.dumps(payload, separators=(",", ":"))
    for rest in ("caller", "keep"):
        try:
            made = tw.convert(payload, source, target, rest=rest)
        except tw.RenderError as error:
            assert error.code == "refused"
            return
        account(payload, made.payload, made.losses, (), kept=rest == "keep")
        door = tw.convert_json(text, source, target, rest=rest)
        assert (json.loads(door.payload), door.losses) == (made.payload, made.losses)
    for way in ways(payload, source, target):
        try:
            made = way()
        except tw.TurnwireError as error:
            assert error.code in ("refused", "starts_with_assistant")
            continue
        account(payload, made.payload, made.losses, made.receipt)
