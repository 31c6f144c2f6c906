"""The marker of a cut result: what `Budget.on_cut` returns, `wording["cut"]`, or the usual one with its number."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from typing import Any

import pytest
import turnwire as tw
from hypothesis import example, given, settings
from hypothesis import strategies as st
from turnwire.types import Cut

Json = dict[str, Any]
USUAL = tw.constants.TRUNCATED_SUFFIX
TARGETS = ["anthropic", "openai", "openai-responses", "gemini", "bedrock"]
ASK = {"role": "user", "content": "find it"}
GO_ON = {"role": "user", "content": "go on"}


def call(name: str, tool: str = "search", arguments: str = "{}") -> Json:
    function = {"name": tool, "arguments": arguments}
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": name, "type": "function", "function": function}],
    }


def calls(*names: str) -> Json:
    return {**call(""), "tool_calls": [call(name)["tool_calls"][0] for name in names]}


def result(name: str, content: object) -> Json:
    return {"role": "tool", "tool_call_id": name, "content": content}


def run_of(texts: list[Any]) -> list[Json]:
    messages = [ASK]
    for at, text in enumerate(texts):
        messages += [call(f"c{at}"), result(f"c{at}", text)]
    return messages


def results(payload: Any) -> list[Any]:
    return [message["content"] for message in payload["messages"] if message["role"] == "tool"]


def size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def codes(ready: Any) -> list[str]:
    return [entry.code for entry in ready.receipt if entry.kind != "warning"]


class Store:
    """A function that keeps the texts, and writes where they are."""

    def __init__(self, words: str = "\n[{size} characters in /cut/{name}.txt; read it with read_file]\n") -> None:
        self.words = words
        self.cuts: list[Cut] = []

    def __call__(self, cut: Cut) -> str:
        self.cuts.append(cut)
        return self.marker(cut.text)

    def marker(self, text: str) -> str:
        name = hashlib.sha256(text.encode()).hexdigest()[:8]
        return self.words.format(size=f"{len(text):,}", name=name)


# --- The usual marker ---


def test_the_usual_marker_is_on_its_own_line_with_the_number_of_bytes():
    text = "\n".join(f"line {at}" for at in range(500))
    (cut,) = results(tw.prepare(run_of([text]), "openai", tw.Budget(per_result=400)).payload)
    head, line, tail = re.fullmatch(rf"(.*)\n({re.escape(USUAL)} .*?)\n(.*)", cut, re.DOTALL).groups()
    assert line == f"{USUAL} ({size(text) - size(head) - size(tail)} bytes left out)"
    assert text.startswith(head)
    assert text.endswith(tail)
    assert 395 <= size(cut) <= 400


def test_a_result_of_one_line_stays_one_line():
    (cut,) = results(tw.prepare(run_of(["a" * 500 + "b" * 500]), "openai", tw.Budget(per_result=100)).payload)
    assert re.fullmatch(rf"a+{re.escape(USUAL)} \(\d+ bytes left out\)b+", cut)


@pytest.mark.parametrize(("cap", "expected"), [(40, USUAL), (20, "")])
def test_without_room_for_the_number_it_is_the_plain_suffix_or_none(cap, expected):
    (cut,) = results(tw.prepare(run_of(["a" * 900]), "openai", tw.Budget(per_result=cap)).payload)
    assert cut.strip("a") == expected
    assert size(cut) == cap


def test_other_texts_keep_the_plain_suffix():
    arguments = json.dumps({"text": "x" * 9_000})
    messages = [{"role": "user", "content": "u\n" * 9_000}, call("c1", arguments=arguments), result("c1", "ok")]
    sent = json.dumps(tw.prepare(messages, "openai", 2_000).payload)
    assert USUAL in sent
    assert "bytes left out" not in sent
    assert tw.truncate("x" * 100, 60).endswith(USUAL)


def test_a_second_cut_counts_from_the_whole_result():
    text = "".join(chr(0x4E00 + at % 999) for at in range(5_000))
    messages = [*run_of([text, "y" * 3_000]), GO_ON]
    sent = tw.prepare(messages, "openai", tw.Budget(3_000, per_result=2_500, reserve=0.0)).payload
    cut, _ = results(sent)
    head, number, tail = re.fullmatch(rf"(.*){re.escape(USUAL)} \((\d+) bytes left out\)(.*)", cut, re.DOTALL).groups()
    assert size(head) + int(number) + size(tail) == size(text)
    assert size(cut) < 2_500


# --- wording["cut"] ---


def test_other_words_and_only_the_number_is_replaced():
    words = "\n[{bytes} bytes left out {0} {} {{bytes}}]\n"
    ready = tw.prepare(run_of(["a" * 5_000]), "openai", tw.Budget(per_result=200), wording={"cut": words})
    (cut,) = results(ready.payload)
    gone = 5_000 - cut.count("a")
    assert cut.strip("a") == words.replace("{bytes}", str(gone))
    assert 198 <= size(cut) <= 200


def test_other_words_are_whole_or_alone():
    words = "[a long text of {bytes} bytes is not here]"
    ready = tw.prepare(run_of(["a" * 5_000]), "openai", tw.Budget(per_result=10), wording={"cut": words})
    (cut,) = results(ready.payload)
    assert cut == words.replace("{bytes}", "5000")


@pytest.mark.parametrize("words", [3, b"x", ["x"]])
def test_other_words_of_another_type_name_themselves(words):
    with pytest.raises(TypeError, match=r'wording\["cut"\]: expected a str'):
        tw.prepare(run_of(["x"]), "openai", wording={"cut": words})


def test_rows_and_the_builder_take_the_words_too():
    from turnwire import batch

    messages, budget, wording = run_of(["x" * 900]), tw.Budget(per_result=100), {"cut": "<{bytes}>"}
    expected = tw.prepare(messages, "openai", budget, wording=wording).payload
    assert re.search(r"x<8\d\d>x", json.dumps(expected))
    (row,) = batch.prepare_lines([json.dumps(messages).encode()], "openai", budget=budget, wording=wording)
    assert json.loads(row) == expected
    built = tw.spec.MessageBuilder().set_messages(messages).set_budget(budget).build("openai", wording=wording)
    assert built.render("openai").payload == expected


# --- Rule 1: a str is the marker, None leaves the usual one, anything else is a TypeError ---


def test_a_str_stands_in_the_place_and_within_the_budget():
    store, text = Store(), "first\n" + "x" * 9_000 + "\nlast"
    (cut,) = results(tw.prepare(run_of([text]), "openai", tw.Budget(per_result=500, on_cut=store)).payload)
    head, tail = cut.split(store.marker(text))
    assert text.startswith(head)
    assert text.endswith(tail)
    assert size(cut) == 500
    assert abs(size(head) - size(tail)) <= 1


def test_it_is_not_formatted():
    budget = tw.Budget(per_result=99, on_cut=lambda _: "{bytes}{}")
    (cut,) = results(tw.prepare(run_of(["x" * 900]), "openai", budget).payload)
    assert cut.strip("x") == "{bytes}{}"


@pytest.mark.parametrize("words", [None, "<{bytes}>"])
def test_none_leaves_the_fixed_marker(words):
    texts = ["x" * 900, "y\n" * 900]
    expected = tw.prepare(run_of(texts), "openai", tw.Budget(900, per_result=400), wording={"cut": words})
    ready = tw.prepare(
        run_of(texts), "openai", tw.Budget(900, per_result=400, on_cut=lambda _: None), wording={"cut": words}
    )
    assert ready.payload == expected.payload


def test_an_empty_marker_leaves_nothing_between():
    (cut,) = results(tw.prepare(run_of(["x" * 900]), "openai", tw.Budget(per_result=400, on_cut=lambda _: "")).payload)
    assert cut == "x" * 400


@pytest.mark.parametrize(("value", "name"), [(3, "int"), (b"x", "bytes"), (["x"], "list"), (True, "bool")])
def test_anything_else_is_a_type_error(value, name):
    budget = tw.Budget(per_result=10, on_cut=lambda _: value)
    with pytest.raises(TypeError, match=f"on_cut: expected a function that returns a str or None, got {name}"):
        tw.prepare(run_of(["x" * 100]), "openai", budget)


def test_a_coroutine_is_not_awaited():
    async def keep(cut: Cut) -> str:
        return cut.id

    with pytest.raises(TypeError, match="not awaited"):
        tw.prepare(run_of(["x" * 100]), "openai", tw.Budget(per_result=10, on_cut=keep))


def test_a_function_of_three_arguments_is_a_type_error():
    with pytest.raises(TypeError, match="argument"):
        tw.prepare(run_of(["x" * 100]), "openai", tw.Budget(per_result=10, on_cut=lambda name, digest, text: None))


# --- Rule 2: called once for each result that is cut; its exceptions pass through ---


def test_what_it_gets():
    store = Store()
    text = "é" * 3_000
    messages = [ASK, call("c1", "look"), result("c1", "short"), call("c2", "read"), result("c2", text)]
    tw.prepare(messages, "anthropic", tw.Budget(per_result=1_000, on_cut=store))
    (cut,) = store.cuts
    assert (cut.id, cut.tool, cut.index, cut.text, cut.room) == ("c2", "read", 4, text, 1_000)
    assert cut.sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert cut == Cut("c2", "read", 4, text, room=1_000)
    assert hash(cut) == hash(pickle.loads(pickle.dumps(cut)))
    assert len(repr(cut)) < 200
    with pytest.raises(AttributeError):
        cut.room = 3


def test_the_room_is_what_the_budget_leaves():
    store = Store()
    tw.prepare(run_of(["x" * 9_000]), "openai", tw.Budget(2_000, reserve=0.0, on_cut=store))
    (cut,) = store.cuts
    assert 1_900 < cut.room < 2_000
    tokens = Store()
    budget = tw.Budget(max_tokens=100, count=lambda text: len(text) // 4, per_result=50, on_cut=tokens)
    tw.prepare(run_of(["x" * 9_000]), "openai", budget)
    assert [cut.room for cut in tokens.cuts] == [50]


def test_it_is_called_once_for_each_result_and_before_the_size_is_decided():
    store = Store()
    texts = ["a" * 4_000, "short", "b" * 3_000, "c" * 900, "d" * 2_000]
    ready = tw.prepare(run_of(texts), "openai", tw.Budget(3_000, per_result=1_000, reserve=0.0, on_cut=store))
    asked = [cut.id for cut in store.cuts]
    assert len(asked) == len(set(asked))
    assert {entry.id for entry in ready.receipt if entry.code == "cut_result"} <= set(asked)
    assert ready.receipt.totals["after"] <= 3_000
    for text, cut in zip(texts, results(ready.payload), strict=False):
        assert cut == text or store.marker(text) in cut


def test_what_is_dropped_or_fits_is_not_asked_for():
    store = Store()
    texts = [f"{at} " * 300 for at in range(60)]
    ready = tw.prepare([*run_of(texts), GO_ON], "openai", tw.Budget(12_000, on_cut=store))
    dropped = sum(entry.code == "dropped_exchange" for entry in ready.receipt if entry.kind != "warning")
    assert dropped > 9
    assert len(store.cuts) <= 60 - dropped


def test_a_summary_asks_once_too():
    store = Store()
    texts = [f"{at} " * 900 for at in range(60)]
    budget = tw.Budget(6_000, per_result=1_500, on_cut=store, summarise=lambda gone: f"{len(gone)} are gone")
    ready = tw.prepare([*run_of(texts), GO_ON], "openai", budget)
    assert "are gone" in json.dumps(ready.payload)
    assert len(store.cuts) == len({cut.id for cut in store.cuts})


def test_what_it_raises_passes_through():
    class FullError(Exception):
        pass

    def keep(_: Cut) -> str:
        raise FullError

    for budget in (tw.Budget(per_result=10, on_cut=keep), tw.Budget(100, on_cut=keep)):
        with pytest.raises(FullError):
            tw.prepare(run_of(["x" * 200]), "openai", budget)
        with pytest.raises(FullError):
            tw.prepare_json(run_of(["x" * 200]), "openai", budget)
        ledger = tw.Ledger("openai", budget)
        with pytest.raises(FullError):
            ledger.prepare(run_of(["x" * 200]))
        assert ledger.breaks == ()


def test_a_function_may_prepare_something_itself():
    inner = Store()

    def keep(cut: Cut) -> str:
        return str(len(tw.prepare(run_of([cut.text]), "openai", tw.Budget(per_result=90, on_cut=inner)).messages))

    (cut,) = results(tw.prepare(run_of(["x" * 900]), "openai", tw.Budget(per_result=90, on_cut=keep)).payload)
    assert cut.strip("x") == "3"


# --- Rule 3: a marker larger than the share is sent alone and whole ---


def test_a_large_marker_is_sent_alone():
    store, text = Store(), "x" * 900
    ready = tw.prepare(run_of([text]), "openai", tw.Budget(per_result=20, on_cut=store))
    assert results(ready.payload) == [store.marker(text)]
    assert codes(ready) == ["cut_result"]


def test_the_share_grows_to_it_and_others_pay():
    long = {"c0": "0" * 700, "c1": "<1>", "c2": "<2>"}
    messages = [ASK, calls(*long), *(result(name, name * 1_500) for name in long)]
    ready = tw.prepare(messages, "openai", tw.Budget(1_500, reserve=0.0, on_cut=lambda cut: long[cut.id]))
    first, *others = results(ready.payload)
    assert first == long["c0"]
    assert all(150 < size(text) < 500 for text in others)
    assert 1_400 < ready.receipt.totals["after"] <= 1_500


def test_a_budget_without_room_for_it_is_too_small():
    with pytest.raises(tw.BuildError) as caught:
        tw.prepare(run_of(["x" * 900]), "openai", tw.Budget(200, on_cut=lambda _: "m" * 300))
    assert caught.value.code == "budget_too_small"


# --- Rule 4: no result is cut to save less than its marker ---


@pytest.mark.parametrize("length", [30, 60, 100])
def test_a_result_that_is_not_much_larger_than_its_marker_stays(length):
    ready = tw.prepare(run_of(["x" * length]), "openai", tw.Budget(per_result=20, on_cut=lambda _: "m" * 60))
    assert results(ready.payload) == ["x" * length]
    assert not ready.receipt.changed


def test_others_are_cut_instead():
    marker = {"c0": "m" * 900, "c1": "<>"}
    messages = [ASK, calls(*marker), result("c0", "x" * 1_000), result("c1", "y" * 1_000)]
    ready = tw.prepare(messages, "openai", tw.Budget(1_400, reserve=0.0, on_cut=lambda cut: marker[cut.id]))
    first, second = results(ready.payload)
    assert first == "x" * 1_000
    assert "<>" in second


# --- Rule 5: results in JSON blocks too, strings in arguments not ---


def test_a_json_block_becomes_text_with_the_marker():
    store = Store()
    value = {"rows": [{"n": at, "text": "é" * 20} for at in range(200)]}
    turn = tw.Turn("assistant", [tw.parts.AssistantToolUse("c1", "query", "{}")])
    block = tw.parts.ToolUseResultBlock.Json(value)
    messages = tw.Conversation([turn, tw.ToolUseResult("c1", [block])])
    for target in ("anthropic", "gemini", "bedrock"):
        store.cuts.clear()
        ready = tw.prepare(messages, target, tw.Budget(per_result=500, on_cut=store), wording={"opening": "go"})
        (cut,) = store.cuts
        assert json.loads(cut.text) == value
        assert json.dumps(store.marker(cut.text))[1:-1] in json.dumps(ready.payload)


def test_strings_in_arguments_keep_the_fixed_marker():
    store = Store()
    arguments = json.dumps({"text": "x" * 9_000})
    messages = [ASK, call("c1", arguments=arguments), result("c1", "ok"), GO_ON]
    ready = tw.prepare(messages, "openai", tw.Budget(2_000, on_cut=store))
    assert not store.cuts
    (sent,) = ready.payload["messages"][1]["tool_calls"]
    assert USUAL in json.loads(sent["function"]["arguments"])["text"]


@pytest.mark.parametrize("content", [["x" * 3_000, "y" * 400, "z" * 2_000], ["x" * 700, "y" * 700, "z" * 700]])
@pytest.mark.parametrize("cap", [20, 300, 600, 900])
def test_one_marker_for_a_result_of_several_blocks(content, cap):
    store = Store()
    blocks = [{"type": "text", "text": text} for text in content]
    ready = tw.prepare(run_of([blocks]), "anthropic", tw.Budget(per_result=cap, on_cut=store), source="openai")
    (cut,) = store.cuts
    assert cut.text == "\n".join(content)
    sent = json.dumps(ready.payload)
    marker = store.marker(cut.text)
    assert sent.count(json.dumps(marker)[1:-1]) == 1
    (entry,) = ready.receipt.only("cut")
    assert entry.bytes_after <= max(cap, size(marker))


def test_media_alone_need_no_marker():
    store = Store()
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo" * 400}}
    messages = [
        ASK,
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "shot", "input": {}}]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": [image, {"type": "text", "text": "seen"}]}
            ],
        },
    ]
    ready = tw.prepare(messages, "anthropic", tw.Budget(per_result=300, on_cut=store))
    assert [cut.text for cut in store.cuts] == ["[image]\nseen"]
    assert "read_file" not in json.dumps(ready.payload)


def test_a_document_or_a_passage_that_becomes_a_word_leaves_the_marker():
    store = Store("[stored as {name}]")
    passage = {
        "type": "search_result",
        "source": "https://x",
        "title": "t",
        "content": [{"type": "text", "text": "ab\n" * 90}],
    }
    document = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "cd\n" * 90}}
    for block, text in ((passage, "ab\n" * 90), (document, "cd\n" * 90)):
        asked = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {}}]}
        found = {"type": "tool_result", "tool_use_id": "c1", "content": [block, {"type": "text", "text": "ok"}]}
        messages = [ASK, asked, {"role": "user", "content": [found]}]
        for cap in (40, 60, 150):
            store.cuts.clear()
            ready = tw.prepare(messages, "anthropic", tw.Budget(per_result=cap, on_cut=store))
            (cut,) = store.cuts
            assert text in cut.text
            assert json.dumps(ready.payload).count(store.marker(cut.text)) == 1


# --- Rule 6: one entry, and a second build changes nothing ---


def test_the_marker_is_no_extra_entry():
    plain = tw.prepare(run_of(["x" * 900]), "openai", tw.Budget(per_result=300))
    marked = tw.prepare(run_of(["x" * 900]), "openai", tw.Budget(per_result=300, on_cut=Store()))
    assert codes(plain) == codes(marked) == ["cut_result"]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("cap", [10, 150, 700])
def test_a_second_build_changes_nothing(target, cap):
    store = Store()
    blocks = [{"type": "text", "text": letter * 900} for letter in "abc"]
    messages = [*run_of(["é\n" * 700, "y" * 2_000, "z" * 90, blocks]), GO_ON]
    budget = tw.Budget(4_000, per_result=cap, on_cut=store)
    ready = tw.prepare(messages, target, budget, source="openai")
    again = tw.prepare(ready.payload, target, budget, source=target)
    assert again.payload == ready.payload
    assert "cut_result" not in codes(again)
    both = tw.prepare_json(messages, target, budget, source="openai")
    assert json.loads(both.payload) == json.loads(json.dumps(ready.payload))


# --- Rule 7: a ledger remembers the markers of what was sent ---


def steps_of(texts: list[str]) -> list[list[Json]]:
    messages = run_of(texts)
    return [messages[: 2 * at + 1] for at in range(1, len(texts) + 1)]


class Counting(Store):
    """Another marker at each call, so that a second call shows in what is sent."""

    def marker(self, text: str) -> str:
        return f"\n[part {len(self.cuts)} of {len(text)} is stored]\n"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("limit", [None, 6_000])
def test_what_was_sent_never_changes(target, limit):
    store = Counting()
    ledger = tw.Ledger(target, tw.Budget(limit, per_result=800, on_cut=store))
    before: list[Any] = []
    for messages in steps_of([f"{at}é " * (100 + 90 * at) for at in range(10)]):
        broken = len(ledger.breaks)
        sent = [json.dumps(message) for message in ledger.prepare(messages, source="openai").messages]
        if len(ledger.breaks) == broken:
            assert sent[: len(before)] == before
        before = sent
    assert len(ledger.breaks) == (limit is not None)
    asked = [cut.id for cut in store.cuts]
    assert len(asked) == len(set(asked)) > 5


@pytest.mark.parametrize("limit", [None, 6_000])
def test_a_loaded_state_remembers_them(limit):
    texts = [f"{at}é " * (100 + 90 * at) for at in range(10)]

    def requests(loads: bool) -> tuple[list[bytes], list[str]]:
        store = Counting()
        budget = tw.Budget(limit, per_result=800, on_cut=store)
        ledger, sent = tw.Ledger("anthropic", budget), []
        for messages in steps_of(texts):
            sent.append(ledger.prepare_json(messages, source="openai").payload)
            if loads:
                ledger = tw.Ledger.load(ledger.state(), budget=budget)
        return sent, [cut.id for cut in store.cuts]

    assert requests(loads=True) == requests(loads=False)


def test_a_state_without_the_function_sends_the_same():
    store = Counting()
    steps = steps_of([f"{at} " * 900 for at in range(4)])
    ledger = tw.Ledger("openai", tw.Budget(per_result=500, on_cut=store))
    for messages in steps[:-1]:
        sent = ledger.prepare(messages).messages
    loaded = tw.Ledger.load(ledger.state())
    again = loaded.prepare(steps[-1]).messages
    assert again[: len(sent)] == sent
    assert len(store.cuts) == 3
    assert USUAL in again[-1]["content"]


def test_another_text_is_asked_for_again():
    store = Store()
    ledger = tw.Ledger("openai", tw.Budget(per_result=300, on_cut=store))
    ledger.prepare(run_of(["x" * 900]))
    sent = ledger.prepare(run_of(["y" * 900])).payload
    assert [cut.text[0] for cut in store.cuts] == ["x", "y"]
    assert store.marker("y" * 900) in results(sent)[0]


# --- Rule 8: adapters that see one result ---


def test_an_mcp_tool_takes_it():
    pytest.importorskip("mcp")
    from mcp.types import TextContent
    from turnwire.adapters import mcp

    store = Store()

    @mcp.limit(tw.Budget(500, on_cut=store))
    def search() -> Any:
        return "x" * 2_000

    @mcp.limit(tw.Budget(150, on_cut=store))
    def several() -> Any:
        return [TextContent(type="text", text=letter * 2_000) for letter in "abc"]

    assert store.marker("x" * 2_000) in search()
    assert size(search()) <= 500
    assert store.cuts[0].tool == "search"

    @mcp.limit(tw.Budget(per_result=20, on_cut=lambda _: "m" * 60), wording={"cut": "<{bytes}>"})
    def alone() -> Any:
        return [TextContent(type="text", text=letter * 2_000) for letter in "abc"]

    @mcp.limit(tw.Budget(per_result=100), wording={"cut": "<{bytes}>"})
    def worded() -> Any:
        return "x" * 2_000

    texts = [block.text for block in several()]
    assert len(texts) == 3
    assert "".join(texts).count(store.marker("\n".join(letter * 2_000 for letter in "abc"))) == 1
    assert [block.text for block in alone()] == ["m" * 60, "", ""]
    assert worded().strip("x") == f"<{2_000 - worded().count('x')}>"


# --- Every target and door ---


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_and_both_doors(target):
    store, text = Store(), "ab\n" * 900
    messages = [ASK, call("c1"), result("c1", text), GO_ON]
    marker = json.dumps(store.marker(text))[1:-1]
    for budget in (tw.Budget(per_result=300, on_cut=store), tw.Budget(400, on_cut=store)):
        objects = tw.prepare(messages, target, budget, source="openai").payload
        assert marker in json.dumps(objects)
        assert marker in tw.prepare_json(messages, target, budget, source="openai").payload.decode()
        raw = json.dumps(messages).encode()
        assert marker in tw.prepare_json(raw, target, budget, source="openai").payload.decode()


def test_the_output_of_a_shell():
    store = Store()
    lines = "".join(f"line {at}\n" for at in range(400))
    output = [{"stdout": lines, "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}]
    items = [
        {"role": "user", "content": "list it"},
        {"type": "shell_call", "call_id": "c1", "action": {"commands": ["ls"]}},
        {"type": "shell_call_output", "call_id": "c1", "output": output},
    ]
    for prepare in (tw.prepare, tw.prepare_json):
        ready = prepare(items, "openai-responses", tw.Budget(per_result=400, on_cut=store))
        payload = ready.payload if isinstance(ready.payload, dict) else json.loads(ready.payload)
        (entry,) = payload["input"][-1]["output"]
        assert store.marker(store.cuts[-1].text) in entry["stdout"]
        again = tw.prepare(payload, "openai-responses", tw.Budget(per_result=400, on_cut=store))
        assert again.payload == payload


def test_check_tells_what_prepare_does():
    budget = tw.Budget(200, on_cut=lambda _: "m" * 300)
    assert "budget_too_small" in [found.code for found in tw.check(run_of(["x" * 900]), "openai", budget)]


# --- Properties ---

LETTERS = st.sampled_from(["a", "é", "語", "🙂", "\n", "\ud800", '"'])
TEXTS = st.lists(st.tuples(st.text(LETTERS, min_size=1, max_size=6), st.integers(0, 300)), max_size=7)


@settings(max_examples=150, deadline=None)
@given(
    TEXTS,
    st.one_of(st.none(), st.integers(300, 3_000)),
    st.one_of(st.none(), st.integers(0, 600)),
    st.sampled_from(["", "<cut>", "[{size} in /cut/{name}]", "語" * 40 + "{name}", "{bytes}"]),
    st.booleans(),
    st.sampled_from(TARGETS),
    st.sampled_from([0.0, 0.25, 1.0]),
)
@example([("a", 300), ("語", 300)], 300, 0, "語" * 40 + "{name}", False, "openai", 0.0)
def test_budget_marker_and_stability(pieces, limit, cap, words, fixed, target, reserve):
    texts = [piece * count for piece, count in pieces]
    store = Store(words.replace("{bytes}", "{{bytes}}"))
    wording = {"cut": words.replace("{size}", "{bytes}")} if fixed else None
    budget = tw.Budget(limit, per_result=cap, reserve=reserve, on_cut=None if fixed else store)
    messages = [*run_of(texts), GO_ON]
    try:
        ready = tw.prepare(messages, target, budget, source="openai", wording=wording)
    except tw.BuildError as error:
        assert error.code == "budget_too_small"
        return
    assert ready.payload == tw.prepare(messages, target, budget, source="openai", wording=wording).payload
    assert limit is None or ready.receipt.totals["after"] <= limit
    again = tw.prepare(ready.payload, target, budget, source=target, wording=wording)
    assert again.payload == ready.payload
    sent = tw.prepare(messages, "openai", budget, source="openai", wording=wording)
    for entry in sent.receipt:
        if entry.code != "cut_result":
            continue
        text = texts[int(entry.id[1:])].encode("utf-8", "replace").decode()
        text = text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
        kept = [one["content"] for one in sent.payload["messages"] if one.get("tool_call_id") == entry.id]
        if not kept:
            continue  # its exchange was left out later
        (cut,) = kept
        if not fixed:
            assert store.marker(text) in cut or "\ud800" in texts[int(entry.id[1:])]
        assert cap is None or size(cut) <= cap or size(cut) <= 140
