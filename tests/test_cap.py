"""`max_result_bytes`: each tool result in the caller's own size, the same at every step; and reports about cuts."""

import hashlib
import json
import random

import pytest
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st
from turnwire import batch

TARGETS = [name for name in tw.dialects() if ":" not in name]
MARKER = tw.constants.TRUNCATED_SUFFIX
ASK = {"role": "user", "content": "find it"}


def call(name, args="{}"):
    function = {"name": "search", "arguments": args}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }


def result(name, content):
    return {"role": "tool", "tool_call_id": name, "content": content}


def run_of(texts):
    messages = [ASK]
    for at, text in enumerate(texts):
        messages += [call(f"c{at}"), result(f"c{at}", text)]
    return messages


def results(payload):
    return [message["content"] for message in payload["messages"] if message["role"] == "tool"]


@given(st.lists(st.text(max_size=300), min_size=1, max_size=8), st.integers(0, 250))
def test_no_result_says_more_and_what_fits_is_left_alone(texts, cap):
    ready = tw.prepare(run_of(texts), "openai", budget=tw.Budget(per_result=cap))
    for before, after in zip(texts, results(ready.payload), strict=True):
        before = before.encode("utf-8", "replace").decode()
        if tw.text.utf8_len(before) <= cap or before == MARKER:
            assert after == before
        elif cap == 0:
            assert after == MARKER
        else:
            assert tw.text.utf8_len(after) <= cap
    again = tw.prepare(ready.payload, "openai", budget=tw.Budget(per_result=cap))
    assert again.payload == ready.payload
    assert not again.receipt.changed


@given(st.lists(st.integers(0, 5_000), min_size=2, max_size=12), st.integers(100, 2_000), st.integers(3_000, 9_000))
def test_a_result_is_cut_the_same_at_every_step(sizes, cap, budget):
    texts = [chr(97 + at % 26) * size for at, size in enumerate(sizes)]
    seen = {}
    for step in range(1, len(texts) + 1):
        ready = tw.prepare(run_of(texts[:step]), "openai", budget=tw.Budget(per_result=cap))
        for at, text in enumerate(results(ready.payload)):
            assert seen.setdefault(at, text) == text
    fitted = tw.prepare(run_of(texts), "openai", tw.Budget(budget, per_result=cap))
    assert all(tw.text.utf8_len(text) <= cap for text in results(fitted.payload))


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "content",
    ["x" * 900, [{"type": "text", "text": "x" * 500}, {"type": "text", "text": "y" * 500}]],
    ids=["text", "blocks"],
)
def test_every_target_gets_results_of_that_size(target, content):
    messages = [ASK, call("c1"), result("c1", content), {"role": "user", "content": "go on"}]
    whole = tw.prepare(messages, target, source="openai")
    ready = tw.prepare(messages, target, source="openai", budget=tw.Budget(per_result=200))
    (entry,) = [entry for entry in ready.receipt if entry.code == "cut_result"]
    assert entry.bytes_after <= 200 + len(tw.constants.ERROR_PREFIX)
    assert len(json.dumps(ready.payload)) < len(json.dumps(whole.payload)) - 600


@pytest.mark.parametrize("cap", [0, 1, 10**9])
def test_odd_sizes(cap):
    ready = tw.prepare(run_of(["abc", "", "x" * 100]), "openai", tw.Budget(10**6, per_result=cap))
    expected = {0: [MARKER, "", MARKER], 1: ["a", "", "x"], 10**9: ["abc", "", "x" * 100]}
    assert results(ready.payload) == expected[cap]


def test_what_is_pinned_and_what_a_build_has_made_stays():
    messages = [*run_of(["x" * 100, "y" * 100]), call("c9"), {"role": "user", "content": "never mind"}]
    ready = tw.prepare(messages, "openai", pinned=[2], budget=tw.Budget(per_result=10))
    assert results(ready.payload) == ["x" * 100, "y" * 10, tw.constants.ERROR_PREFIX + tw.constants.MISSING_RESULT]


def test_in_tokens():
    count = str.split
    texts = ["one two three", " ".join(["word"] * 400)]
    ready = tw.prepare(run_of(texts), "openai", budget=tw.Budget(count=lambda text: len(count(text)), per_result=40))
    kept = results(ready.payload)
    assert kept[0] == texts[0]
    assert 20 <= len(count(kept[1])) <= 40


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"per_result": -1}, "negative_budget"),
        ({"count": len, "per_result": -1}, "negative_budget"),
        ({"max_bytes": 10, "per_result": 10, "count": len}, "conflicting_options"),
        ({"count": len}, "conflicting_options"),
    ],
)
def test_sizes_that_make_no_sense(options, code):
    with pytest.raises(tw.TurnwireError) as caught:
        tw.Budget(**options)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "options",
    [
        {"per_result": "10"},
        {"per_result": True},
        {"on_cut": 3},
        {"summarise": "text"},
        {"count": 3, "max_tokens": 10},
    ],
)
def test_values_of_another_type_name_themselves(options):
    with pytest.raises(TypeError, match=next(iter(options))):
        tw.Budget(**options)


def test_a_note_of_another_type_names_itself():
    with pytest.raises(TypeError, match=r'wording\["omitted"\]: expected a str'):
        tw.prepare(run_of(["x"]), "openai", wording={"omitted": 3})


def test_on_cut_gets_each_cut_once_with_the_full_text():
    texts = ["a" * 4_000, "short", "b" * 3_000, "c" * 900]
    told = []
    ready = tw.prepare(run_of(texts), "openai", tw.Budget(3_000, per_result=1_000, reserve=0.0, on_cut=told.append))
    assert {cut.id for cut in told} >= {entry.id for entry in ready.receipt if entry.code == "cut_result"}
    assert len(told) == len({cut.id for cut in told})
    for cut in told:
        assert cut.text == texts[int(cut.id[1:])]
        assert cut.sha256 == hashlib.sha256(cut.text.encode()).hexdigest()


def test_what_it_raises_comes_out():
    class FullError(Exception):
        pass

    def keep(*_):
        raise FullError

    with pytest.raises(FullError):
        tw.prepare(run_of(["x" * 100]), "openai", budget=tw.Budget(per_result=10, on_cut=keep))
    tw.prepare(run_of(["x"]), "openai", budget=tw.Budget(per_result=10, on_cut=keep))


def test_the_builder_rows_and_columns_take_it_too(tmp_path):
    messages = run_of(["x" * 100])
    built = tw.spec.MessageBuilder().set_messages(messages).set_budget(tw.Budget(per_result=40)).build("openai")
    expected = tw.prepare(messages, "openai", budget=tw.Budget(per_result=40))
    assert built.render("openai").payload == expected.payload
    (row,) = batch.prepare_lines([json.dumps(messages).encode()], "openai", budget=tw.Budget(per_result=40))
    assert json.loads(row) == expected.payload
    pa = pytest.importorskip("pyarrow")
    from turnwire import arrow

    column = arrow.prepare(pa.array([json.dumps(messages)]), "openai", budget=tw.Budget(per_result=40))
    assert json.loads(column[0]["payload"].as_py()) == expected.payload


def test_rows_have_no_on_cut():
    with pytest.raises(TypeError, match="on_cut"):
        list(batch.prepare_lines([b"[]"], "openai", budget=tw.Budget(on_cut=print)))


@pytest.mark.parametrize("target", TARGETS)
def test_one_note_replaces_the_dropped_exchanges(target):
    note = "Earlier steps were left out; ask again for what you miss."
    messages = [*run_of(["r" * 400] * 60), {"role": "user", "content": "and now?"}]
    for budget in (3_000, 6_000, 12_000):
        ready = tw.prepare(messages, target, budget, source="openai", wording={"omitted": note})
        dropped = any(entry.code == "dropped_exchange" for entry in ready.receipt if entry.kind != "warning")
        assert json.dumps(ready.payload).count(note) == dropped
        assert ready.receipt.totals["after"] <= budget
        again = tw.prepare(ready.payload, target, budget, source=target, wording={"omitted": note})
        assert json.dumps(again.payload).count(note) == dropped
    assert dropped or target == "history"


def test_no_note_where_nothing_went():
    ready = tw.prepare(run_of(["r"]), "openai", 10_000, wording={"omitted": "left out"})
    assert ready.payload == tw.prepare(run_of(["r"]), "openai", 10_000).payload


def test_the_made_up_result_in_other_words():
    messages = [ASK, call("c1"), call("c2", "{oops"), {"role": "user", "content": "hurry"}]
    ready = tw.prepare(messages, "openai", wording={"missing_result": "Abgebrochen \ud800."})
    own, broken = results(ready.payload)
    assert own == tw.constants.ERROR_PREFIX + "Abgebrochen \ufffd."
    assert "arguments" in broken


def test_the_news_since_the_last_step():
    rng = random.Random(7)
    texts = [f"{at} " * rng.randrange(20, 900) for at in range(60)]
    last = tw.Receipt()
    told = []
    for step in range(1, len(texts) + 1):
        receipt = tw.prepare(run_of(texts[:step]), "openai", 20_000).receipt
        news = receipt.since(last)
        assert set(map(str, news)) == set(map(str, receipt)) - set(map(str, last))
        assert not receipt.since(receipt)
        told.append(len(news))
        last = receipt
    assert sum(told) < sum(1 for _ in last) * 3
    with pytest.raises(TypeError):
        last.since(None)
