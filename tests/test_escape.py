"""Texts on their way to JSON bytes: from every storage of a string, with any character anywhere, `json` reads the same.

The machine that runs this decides which code of `wide.rs` is reached; `cargo test` reaches what runs on any machine.
"""

import json
import re

import pytest
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st

# A character of each width, alone in its storage; then characters that end a run of them, or need an escape.
PLAIN = ["a", "é", "я", "日", "🎉"]
ODD = ['"', "\\", "\n", "\0", "\x1f", " ", "~", "\x7f", "\x80", "ÿ", "\u07ff", "\u0800", "\ud7ff", "\ud800", "\udfff"]
ODD += ["\ue000", "\uffff", "\U00010000", "\U0010ffff"]
# Lengths around the sizes that are read in one step.
LENGTHS = [1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 97]


def replaced(text: str) -> str:
    """What JSON bytes hold of a text: they cannot hold a lone surrogate."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def as_text(texts: list[str]) -> list[str]:
    """The texts as message content."""
    # No part is empty, and there are several: else they would be written differently.
    content = [{"type": "text", "text": f"{text}."} for text in ["", *texts]]
    written = tw.convert_json([{"role": "user", "content": content}], "anthropic", source="openai").payload
    return [block["text"].removesuffix(".") for block in json.loads(written)["messages"][0]["content"][1:]]


def as_value(texts: list[str]) -> list[str]:
    """The texts as values and keys of a container that is replayed."""
    extra = [{text: text} for text in texts]
    written = tw.convert_json([{"role": "user", "content": "x", "extra": extra}], "openai", source="openai").payload
    entries = [next(iter(entry.items())) for entry in json.loads(written)["messages"][0]["extra"]]
    assert all(key == value for key, value in entries)
    return [value for _, value in entries]


def as_arguments(texts: list[str]) -> list[str]:
    """The texts inside arguments, which are JSON already and copied without an escape."""

    def call(number: int, text: str) -> dict[str, object]:
        arguments = json.dumps({"k": text}, ensure_ascii=False)
        return {"id": f"call_{number}", "type": "function", "function": {"name": "f", "arguments": arguments}}

    calls = [call(number, text) for number, text in enumerate(texts)]
    payload = [{"role": "user", "content": "x"}, {"role": "assistant", "content": None, "tool_calls": calls}]
    written = tw.convert_json(payload, "anthropic", source="openai").payload
    return [block["input"]["k"] for block in json.loads(written)["messages"][1]["content"]]


WAYS = pytest.mark.parametrize("way", [as_text, as_value, as_arguments])


@WAYS
@pytest.mark.parametrize("plain", PLAIN)
def test_an_odd_character_at_every_place(way, plain):
    texts = [
        plain * place + odd + plain * (length - place - 1)
        for odd in ODD
        for length in LENGTHS
        for place in range(length)
    ]
    assert way(texts) == [replaced(text) for text in texts]


@WAYS
def test_two_widths_in_every_order(way):
    """All ways to fill four positions, the unit of a shuffle, after enough characters that it is each of the four."""
    kinds = ["a", "é", "日"]
    fours = [a + b + c + d for a in kinds for b in kinds for c in kinds for d in kinds]
    texts = ["я" * before + four + "本" for before in range(0, 16, 4) for four in fours]
    assert way(texts) == texts


runs = st.lists(st.text(st.sampled_from(PLAIN), max_size=40) | st.text(st.sampled_from(ODD), max_size=12), max_size=6)
anything = runs.map("".join) | st.text(st.characters(codec=None), max_size=80)


@WAYS
@given(texts=st.lists(anything, min_size=1, max_size=8))
def test_anything(way, texts):
    assert way(texts) == [replaced(text) for text in texts]


HALVES = st.text(st.sampled_from(["a", '"', "\\", "\n", "é", "🎉", "\ud83d", "\ude00", "u", "0"]), max_size=8)
ARGUMENTS = st.dictionaries(HALVES, HALVES | st.lists(HALVES, max_size=2), max_size=3)


@pytest.mark.parametrize("target", [name for name in tw.dialects() if ":" not in name and name != "anthropic"])
@given(ARGUMENTS, st.booleans())
def test_no_half_character_is_left_in_what_another_format_is_given(target, arguments, as_text):
    """Python writes each as an escape, in arguments as text and as an object."""
    function = {"name": "f", "arguments": json.dumps(arguments)}
    call = {"id": "c", "type": "function", "function": function}
    block = {"type": "tool_use", "id": "c", "name": "f", "input": arguments}
    says = {"content": None, "tool_calls": [call]} if as_text else {"content": [block]}
    payload = json.dumps([{"role": "user", "content": "q"}, {"role": "assistant", **says}])
    made = tw.convert_json(payload, target, source="openai" if as_text else "anthropic")
    # Text that stays text is not changed: a lone surrogate appears only when it is read as JSON.
    if as_text and json.dumps(function["arguments"])[1:-1].encode() in made.payload:
        return
    # Pairs of surrogates joined as JSON joins them.
    halves = re.search("[\ud800-\udfff]", "".join(strings(json.loads(json.dumps(arguments)))))
    assert not any(re.search("[\ud800-\udfff]", text) for text in strings(json.loads(made.payload)))
    assert [loss.code for loss in made.receipt].count("lone_surrogate") == (halves is not None)


def strings(value: object) -> list[str]:
    """All strings in a value, and in JSON text inside it."""
    match value:
        case dict():
            return [text for key, item in value.items() for text in [key, *strings(item)]]
        case list():
            return [text for item in value for text in strings(item)]
        case str() if value.startswith("{"):
            try:
                return [value, *strings(json.loads(value))]
            except ValueError:
                return [value]
        case _:
            return [str(value)]
