"""Dividing a budget between texts."""

import json
from pathlib import Path
from typing import Any

import pytest
import reference
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st

VECTORS = json.loads((Path(__file__).parent / "vectors/budget.json").read_text(encoding="utf-8"))["split"]
SIZES = st.lists(st.integers(0, 60), max_size=8)


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_vector(case):
    assert tw.text.split_budget(case["sizes"], case["max_bytes"], split=case["split"]) == case["expect"]


@given(SIZES, st.integers(0, 300))
def test_fair_is_handing_out_byte_by_byte(sizes, max_bytes):
    assert tw.text.split_budget(sizes, max_bytes, split="fair") == reference.fair(sizes, max_bytes)


@given(SIZES, st.integers(0, 300))
def test_even_is_the_quotient(sizes, max_bytes):
    assert tw.text.split_budget(sizes, max_bytes) == [max_bytes // len(sizes) for _ in sizes]


@given(st.lists(st.text(max_size=30), max_size=6), st.integers(0, 200), st.sampled_from(["even", "fair"]))
def test_texts_cut_to_their_shares_fit_and_stay(texts, max_bytes, split):
    shares = tw.text.split_budget(map(tw.text.utf8_len, texts), max_bytes, split=split)
    cut = [tw.truncate(text, share) for text, share in zip(texts, shares, strict=True)]
    assert sum(map(tw.text.utf8_len, cut)) <= max_bytes
    again = tw.text.split_budget(map(tw.text.utf8_len, cut), max_bytes, split=split)
    assert all(tw.truncate(text, share) is text for text, share in zip(cut, again, strict=True))


def test_huge_numbers_are_no_limit():
    assert tw.text.split_budget([10**30, 5], 10, split="fair") == [5, 5]
    assert tw.text.split_budget([3, 5], 10**30, split="fair") == [3, 5]
    assert tw.text.split_budget([10**30, 10**30], 7, split="fair") == [4, 3]


@pytest.mark.parametrize("sizes", [None, 3, "12", [True], [1.0], [None], ["1"]])
def test_wrong_types(sizes):
    with pytest.raises(TypeError):
        tw.text.split_budget(sizes, 10)


def test_an_error_of_the_iterator_comes_through():
    def sizes():
        yield 1
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        tw.text.split_budget(sizes(), 10)


def fits(messages: Any, source: Any, target: Any, max_bytes: int) -> bool:
    try:
        return not tw.prepare(messages, target, max_bytes, source=source).receipt.only("cut", "dropped")
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return False


@pytest.mark.parametrize("target", ["gemini", "bedrock", "anthropic", "openai"])
@pytest.mark.parametrize("length", [1, 2, 3, 50])
def test_a_plain_document_counts_as_it_is_written(target: Any, length: int) -> None:
    document = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "d" * length}}
    messages = [{"role": "user", "content": [document, {"type": "text", "text": "q"}]}]
    written = 4 * -(-length // 3) if target == "bedrock" else length
    assert fits(messages, "anthropic", target, written + 1)
    assert not fits(messages, "anthropic", target, written)


def test_a_cache_point_counts_nothing() -> None:
    marked = {"type": "text", "text": "q", "cache_control": {"type": "ephemeral"}}
    ready = tw.prepare([{"role": "user", "content": [marked]}], "bedrock", 1, source="anthropic")
    assert {"cachePoint": {"type": "default"}} in ready.payload["messages"][0]["content"]
    assert fits(ready.payload, "bedrock", "bedrock", 1)
