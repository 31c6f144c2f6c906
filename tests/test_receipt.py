"""Receipts: one list of changes, which `check` returns too; their kinds, their words, and how they are shown."""

import copy
import json
import pickle
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import pytest
import turnwire as tw
from turnwire.types import ChangeCode, DiffCode, ErrorCode, Kind

VECTORS = Path(__file__).parent / "vectors"

CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ASKED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c", "content": "ok " * 3_000}
USER = {"role": "user", "content": "q"}
NAMED = {"role": "user", "content": "q", "name": "ada"}
BROKEN: list[Any] = [NAMED, ASKED, USER, RESULT]

# What no vector shows.
MADE: list[tuple[str, Any]] = [
    ("openai", [USER, ASKED, USER]),
    ("openai", [{"role": "user", "content": "\ud800"}]),
    ("openai", [USER, {"role": "developer", "content": "x"}, USER]),
    ("openai", {"messages": [USER], "temperature": 7, "top_k": 3, "max_completion_tokens": 9}),
    ("anthropic", {"messages": [USER], "model": "claude-opus-5", "temperature": 0.5, "top_p": 0.5}),
]


def payloads() -> list[tuple[str, Any]]:
    """Every payload of the vectors, with its dialect."""
    files = [json.loads(file.read_text("utf-8")) for file in sorted(VECTORS.glob("*.json"))]
    vectors = [one for file in files if isinstance(file, list) for one in file]
    built = [one for file in files if isinstance(file, dict) for one in file.get("build", ())]
    all_ = [(one["source"], one["payload"]) for one in vectors if "payload" in one and "source" in one]
    all_ += [(one.get("dialect", "openai"), one["messages"]) for one in built if "messages" in one]
    return all_ + MADE


PAYLOADS = payloads()
DONE = re.compile(r"\b(was|were|became|would)\b")


@pytest.mark.parametrize("target", sorted(get_args(tw.DialectName)))
def test_check_returns_the_receipt_of_prepare_in_words_that_are_right_in_both(target: Any) -> None:
    met = 0
    for source, payload in PAYLOADS:
        try:
            receipt = tw.check(payload, target, source=source)
        except tw.TurnwireError as error:
            with pytest.raises(type(error)) as raised:
                tw.prepare(payload, target, source=source)
            assert (raised.value.code, raised.value.path) == (error.code, error.path)
            continue
        refused = receipt.only("refused")
        if refused:
            with pytest.raises(tw.TurnwireError) as caught:
                tw.prepare(payload, target, source=source)
            assert [(one.code, one.path) for one in refused] == [(caught.value.code, caught.value.path)]
            assert receipt[-1] == refused[0]
            before = caught.value.receipt if isinstance(caught.value, tw.BuildError) else None
            assert before is None or list(before) == list(receipt[:-1])
        else:
            # Only `check` notes what the target accepts, and other targets refuse.
            told = [change for change in receipt if (change.kind, change.severity) != ("warning", "info")]
            ready = tw.prepare(payload, target, source=source).receipt
            assert [change for change in ready if (change.kind, change.severity) != ("warning", "info")] == told
        for change in receipt:
            met += 1
            says_nothing = change.kind == "warning"
            assert (change.action == "") == says_nothing, change
            assert change.reason and not change.reason.endswith("."), change
            assert not DONE.search(change.action), change
            if change.kind != "refused":
                kinds = tw.codes.CHANGES.get(change.code)
                is_note = (change.kind, change.severity) == ("warning", "info")
                assert is_note or kinds is None or change.kind in kinds.kinds, change
    assert met > 100


def test_a_receipt_is_a_sequence() -> None:
    receipt = tw.prepare(BROKEN, "anthropic", 2_000).receipt
    assert [change.kind for change in receipt] == ["lost", "warning", "repaired", "cut"]
    assert len(receipt) == 4 and receipt[0] == next(iter(receipt)) and receipt[-1].code == "cut_result"
    assert receipt[1:3] == tuple(receipt)[1:3] and receipt[0] in receipt and "key" not in receipt
    assert isinstance(receipt, Sequence) and list(reversed(receipt)) == list(receipt)[::-1]
    assert receipt.index(receipt[2]) == 2 and receipt.count(receipt[2]) == 1 and receipt.count("key") == 0
    match receipt:
        case [first, *_]:
            assert first.code == "key"
        case _:
            pytest.fail("no match")
    assert receipt.counts == {"repaired": 1, "cut": 1, "lost": 1, "warning": 1} and receipt.changed
    assert receipt.only("lost", "cut") == (receipt[0], receipt[3]) and receipt.only() == ()
    with pytest.raises(IndexError, match="index 4 is out of range: the receipt has 4 changes"):
        receipt[4]
    with pytest.raises(TypeError, match="expected an int or a slice, got str"):
        receipt["lost"]  # type: ignore[call-overload]
    with pytest.raises(tw.TurnwireError, match="lost") as caught:
        receipt.only("changed")  # type: ignore[arg-type]
    assert caught.value.code == "unknown_option"
    for made in (pickle.loads(pickle.dumps(receipt)), copy.copy(receipt), copy.deepcopy(receipt)):
        assert made == receipt and str(made) == str(receipt) and hash(made) == hash(receipt)
    whole = json.loads(json.dumps(receipt.to_dict()))
    assert whole["counts"] == receipt.counts and whole["totals"]["budget"] == 2_000
    assert [tuple(one[name] for name in ("kind", "code", "path")) for one in whole["changes"]] == [
        (change.kind, change.code, change.path) for change in receipt
    ]
    assert whole["changes"][3] == receipt[3].to_dict()


def test_a_receipt_is_false_only_if_there_is_nothing_to_tell() -> None:
    nothing = tw.prepare([USER], "openai").receipt
    assert not nothing and not nothing.changed and nothing == tw.Receipt() and str(nothing) == "unchanged"
    warned = tw.prepare([USER, ASKED, {**RESULT, "content": "r"}, USER], "anthropic").receipt
    assert warned and not warned.changed and warned.counts == {"warning": 1}


def test_a_change_can_be_matched_and_says_where_it_is() -> None:
    receipt = tw.prepare(BROKEN, "anthropic", 2_000).receipt
    match receipt[3]:
        case tw.Change("cut", "cut_result", path):
            assert path == "$[3].content"
        case _:
            pytest.fail("no match")
    cut = receipt[3]
    assert (cut.index, cut.id, cut.new_id, cut.bytes_before) == (3, "c", None, 9_000)
    assert cut.bytes_after is not None and cut.bytes_after < 2_000
    assert receipt[0].bytes_before is None and receipt[0].id is None
    assert str(cut).startswith("cut cut_result at $[3].content (c), 9,000 -> ")


def test_what_is_beside_the_messages_comes_first() -> None:
    tools = [{"type": "function", "function": {"name": "a.b", "parameters": {"type": "object"}}}]
    body = {"messages": [NAMED, {"role": "system", "content": "x"}, USER], "tools": tools, "top_k": 3}
    receipt = tw.prepare(body, "anthropic", settings="convert").receipt
    places = [change.index for change in receipt]
    beside = [place for place in places if place is None]
    assert beside and places == beside + sorted(place for place in places if place is not None)


def test_a_run_of_like_changes_is_one_line() -> None:
    many = [{"role": "user", "content": "q", "name": "n"}, {"role": "assistant", "content": "a"}] * 4
    receipt = tw.prepare([*many, *([NAMED] * 5)], "anthropic").receipt
    lines = str(receipt).splitlines()
    assert len(receipt.only("lost")) == 9
    assert sum("$[8].name to $[12].name (5 messages): " in line for line in lines) == 1
    # Those that do not follow each other have a line each.
    assert sum(f"$[{at}].name: " in line for at in (0, 2, 4, 6) for line in lines) == 4


def test_the_reprs_say_what_print_says() -> None:
    ready = tw.prepare(BROKEN, "anthropic", 2_000)
    counts = "1 repaired, 1 cut, 1 lost, 1 warning"
    size = f"{ready.receipt.totals['after']:,} of 2,000 bytes"  # type: ignore[index]
    assert repr(ready) == f"<Rendered for anthropic: 4 messages, {size}; {counts}>"
    assert repr(ready.receipt) == f"<Receipt: {size}; {counts}>"
    assert str(ready) == f"anthropic: 4 messages, {size}; {counts}\n{ready.receipt}"
    assert repr(tw.prepare([USER], "openai")) == "<Rendered for openai: 1 message; unchanged>"
    assert repr(tw.convert([NAMED], "anthropic")) == "<Rendered for anthropic, not repaired: 1 message; 1 lost>"
    for said in (ready._repr_html_(), ready.receipt._repr_html_()):
        assert all(word in said for word in ("cut_result", "$[3].content (c)", counts))


OLD: list[tuple[Any, str, str]] = [
    (tw.prepare([USER], "openai"), "losses", 'receipt.only("lost")'),
    (tw.prepare([USER], "openai"), "needs", "ready.headers"),
    (tw.prepare([USER], "openai").receipt, "entries", "it is a sequence of changes"),
    (tw.prepare([USER], "openai").receipt, "warnings", 'receipt.only("warning")'),
    (tw.check([USER, {"role": "assistant", "content": ""}], "openai")[0], "message", "change.reason"),
    (tw.check([USER, {"role": "assistant", "content": ""}], "openai")[0], "would", "change.action"),
    (tw.check([USER, {"role": "assistant", "content": ""}], "openai")[0], "text", "change.reason"),
    (tw.check([USER, {"role": "assistant", "content": ""}], "openai")[0], "before", "change.bytes_before"),
    (tw.replies.StreamConverter(source="openai", target="anthropic"), "losses", 'receipt.only("lost")'),
]


@pytest.mark.parametrize(("value", "name", "new"), OLD, ids=lambda one: one if isinstance(one, str) else None)
def test_an_attribute_of_0_1_says_what_it_is_now(value: Any, name: str, new: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(new)):
        getattr(value, name)
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        _ = value.nothing


def test_the_codes_of_the_types_are_those_of_the_tables() -> None:
    for named, table in ((ChangeCode, tw.codes.CHANGES), (ErrorCode, tw.codes.ERRORS), (DiffCode, tw.codes.DIFFS)):
        assert set(get_args(named)) == set(table)


def test_every_kind_is_a_kind_of_some_code() -> None:
    kinds = {kind for meaning in tw.codes.CHANGES.values() for kind in meaning.kinds}
    assert kinds | {"refused"} == set(get_args(Kind))
    for code, meaning in tw.codes.CHANGES.items():
        assert all((kind == "warning") == (action == "") for kind, action in meaning.kinds.items()), code


def test_replies_and_streams_have_receipts() -> None:
    reply = {"choices": [{"message": {"role": "assistant", "content": "a"}, "logprobs": {"content": [1]}}, {"x": 1}]}
    made = tw.replies.convert_reply(reply, "anthropic", source="openai")
    assert [change.code for change in made.receipt.only("lost")] == ["choice", "key"]
    assert [change.code for change in made.receipt.only("restated")] == ["finish"]
    assert tw.parse_reply(reply, "openai").receipt[0].path == "$.choices[1]"


def test_a_build_and_a_rendering_that_tell_much_of_the_same_take_as_many_steps() -> None:
    """Each thought is told by both. Other programs may keep the machine busy, so the best of several tries counts."""

    def seconds(count: int) -> float:
        thought = {"role": "assistant", "content": "x", "reasoning_content": "hm"}
        messages = [{"role": "user", "content": "q"}, thought] * count + [{"role": "user", "content": "q"}]
        begun = time.perf_counter()
        receipt = tw.prepare(messages, "openai", source="openai").receipt
        assert len(receipt) == count
        return time.perf_counter() - begun

    factors = (seconds(8_000) / (8 * seconds(1_000)) for _ in range(6))
    assert any(factor < 3 for factor in factors)
