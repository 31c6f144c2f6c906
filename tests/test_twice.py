"""Building twice is building once (P5), for turns of every kind in any order, and for every target."""

from typing import Any

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st

TARGETS = [None, *tw.dialects()]
IDS = st.sampled_from(["a", "b", "c", "", "a b"])
WORDS = st.sampled_from(["", " ", "hi", "日本", "[tool error] x", "{}", '{"name": "f", "parameters": {}}'])

TEXTS = WORDS.map(tw.Text)
USES = st.builds(lambda one, args: tw.AssistantToolUse(one, "f", args), IDS, st.sampled_from([{}, {"x": 1}]))
RESULTS = st.builds(
    lambda one, said, failed: tw.ToolUseResult(one, said, status="error" if failed else "success"),
    IDS,
    st.one_of(WORDS, st.just({"a": 1})),
    st.booleans(),
)
PARTS = st.lists(st.one_of(TEXTS, TEXTS, USES, RESULTS), min_size=0, max_size=4)
TURNS = st.builds(tw.Turn, st.sampled_from(["user", "assistant", "assistant", "tool", "system"]), PARTS)
ELEMENTS = st.one_of(TURNS, TURNS, TURNS, WORDS, RESULTS)


def build(given: Any, target: Any) -> tw.Conversation:
    builder = tw.MessageBuilder().set_messages(given)
    return builder.build() if target is None else builder.build(target, opening="Hello")


@pytest.mark.parametrize("target", TARGETS)
@given(elements=st.lists(ELEMENTS, min_size=1, max_size=7))
@settings(max_examples=40, deadline=None)
def test_building_twice_is_building_once(target: Any, elements: list[Any]) -> None:
    try:
        built = build([*elements, "go"], target)
    except tw.TurnwireError:
        return
    again = build(built, target)
    assert not again.receipt, f"{built.receipt}\n---\n{again.receipt}"
    if target is not None and target != "history":
        assert again.render(target).payload == built.render(target).payload


@pytest.mark.parametrize("target", TARGETS)
def test_an_assistant_that_said_nothing_but_what_nobody_asked(target: Any) -> None:
    said = tw.Turn("assistant", [tw.Text(""), tw.ToolUseResult("x", "r")])
    built = build(["q", said, tw.Turn("tool", [tw.ToolUseResult("y", "s")]), "go"], target)
    assert not build(built, target).receipt
