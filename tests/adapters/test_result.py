"""One tool's result under a budget: texts are cut, JSON stays JSON."""

import json

from hypothesis import given
from hypothesis import strategies as st
from turnwire.adapters._policy import Policy
from turnwire.adapters._result import fitted, shortened

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.text(st.sampled_from('"\\\n行x'), max_size=300),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)


def size(value):
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass"))


def shape(value):
    """The same with empty strings and lists: the part that cannot be shortened."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return "" if isinstance(value, str) else [] if isinstance(value, list) else value


@given(VALUES, st.integers(0, 400))
def test_a_shortened_value_is_within_its_size(value, budget):
    before = json.dumps(value)
    short = shortened(value, budget)
    assert json.dumps(value) == before
    assert size(short) <= max(budget, size(shape(value)))
    if size(value) <= budget:
        assert short is value
    assert type(short) is type(value)
    if isinstance(value, dict):
        assert [*short] == [*value]


def test_long_strings_pay_before_lists():
    value = {"path": "a/b.txt", "text": "x" * 10_000, "lines": [1, 2, 3]}
    short = shortened(value, 200)
    assert (short["path"], short["lines"]) == ("a/b.txt", [1, 2, 3])
    assert 150 < size(short) <= 200
    assert size(shortened({"rows": [*range(10_000)]}, 200)) <= 200


def test_texts_and_value_share_the_budget():
    seen = []
    policy = Policy(1_000, {"on_receipt": seen.append})
    assert fitted(policy, "t", ["short"], {"a": 1}) is None
    cut = fitted(policy, "t", ["x" * 5_000, "", "short"], {"a": "y" * 5_000, "b": 1})
    assert cut is not None
    texts, value = cut
    assert texts[1:] == ["", "short"] and value["b"] == 1
    assert sum(map(len, texts)) + size(value) <= 1_000
    assert sum(map(len, texts)) + size(value) > 900
    assert [[entry.code for entry in receipt] for receipt in seen] == [["cut_result"]]
    assert fitted(policy, "t", [""]) is None
