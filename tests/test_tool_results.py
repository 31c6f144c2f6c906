"""Results of tools and requests for them: their content, what they refuse, and how results are cut to one budget."""

import copy
import enum
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import reference
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st
from test_text import TEXTS, joined

Text, Json, Media = (
    tw.parts.ToolUseResultBlock.Text,
    tw.parts.ToolUseResultBlock.Json,
    tw.parts.ToolUseResultBlock.Media,
)
VECTORS = json.loads((Path(__file__).parent / "vectors/messages.json").read_text(encoding="utf-8"))["truncate_results"]

CLEAN = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | CLEAN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(CLEAN, inner, max_size=3),
    max_leaves=8,
)
BLOCKS = st.one_of(st.tuples(st.just("text"), TEXTS), st.tuples(st.just("json"), VALUES))
SPLITS = ["even", "fair"]


def of_vector(blocks):
    return [("text", joined(block["text"])) if "text" in block else ("json", block["json"]) for block in blocks]


def block(kind, said):
    return Text(said) if kind == "text" else Json(said)


def result(index, blocks, **more):
    return tw.ToolUseResult(f"call {index}", [block(*each) for each in blocks], **more)


def said(result):
    """The blocks of a result in the reference's form."""
    blocks = []
    for each in result.content:
        match each:
            case tw.parts.ToolUseResultBlock.Text(text):
                blocks.append(("text", text))
            case tw.parts.ToolUseResultBlock.Json(value):
                blocks.append(("json", value))
    return blocks


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: case["name"])
def test_vector(case):
    results = [result(at, of_vector(blocks)) for at, blocks in enumerate(case["results"])]
    named = {"suffix": joined(case["suffix"])} if "suffix" in case else {}
    cut = tw.text.truncate_tool_results(results, case["max_bytes"], split=case.get("split", "even"), **named)
    assert [said(each) for each in cut] == [of_vector(blocks) for blocks in case["expect"]]


@given(
    st.lists(st.lists(BLOCKS, max_size=4), max_size=4),
    st.integers(0, 300),
    st.sampled_from(["", "…", "日", tw.constants.TRUNCATED_SUFFIX]),
    st.sampled_from(SPLITS),
)
def test_cut_as_the_reference_within_the_budget_and_once(blocks, max_bytes, suffix, split):
    results = [result(at, each, status="error", name="tool") for at, each in enumerate(blocks)]
    cut = tw.text.truncate_tool_results(results, max_bytes, suffix=suffix, split=split)
    assert [said(each) for each in cut] == reference.cut_results(blocks, max_bytes, suffix, split)

    texts = [reference.block_text(block) for each in cut for block in said(each)]
    assert sum(map(reference.utf8_len, texts)) <= max_bytes
    pairs = [(each.tool_use_id, each.status, each.name, len(each.content)) for each in cut]
    assert pairs == [(f"call {at}", "error", "tool", len(each)) for at, each in enumerate(blocks)]
    for old, new, before in zip(results, cut, blocks, strict=True):
        assert (new is old) == (said(new) == before)
    again = tw.text.truncate_tool_results(cut, max_bytes, suffix=suffix, split=split)
    assert all(new is old for old, new in zip(cut, again, strict=True))


@given(TEXTS, st.integers(0, 100))
def test_one_text_is_cut_as_truncate_cuts_it(text, max_bytes):
    (cut,) = tw.text.truncate_tool_results([tw.ToolUseResult("id", text)], max_bytes)
    assert cut.content[0].text == tw.truncate(text, max_bytes)


def test_a_large_json_block_is_written_no_further_than_needed():
    value = [{"text": "日本語" * 1_000_000, "n": at} for at in range(3)]
    (cut,) = tw.text.truncate_tool_results([tw.ToolUseResult("id", [Json(value)])], 1000)
    assert cut.content[0].text == tw.truncate(reference.json_text(value), 1000)


def test_media_are_neither_counted_nor_cut():
    picture = tw.ToolUseResult("id", [Media(tw.parts.ImageBlock("png", b"x" * 1000)), "abc"])
    assert tw.text.truncate_tool_results([picture], 3)[0] is picture
    (cut,) = tw.text.truncate_tool_results([picture], 2)
    assert cut.content == (picture.content[0], Text("ab"))


def test_the_default_budget_is_a_messages():
    fits, cut = tw.text.truncate_tool_results(
        [tw.ToolUseResult("a", "x" * 200_000), tw.ToolUseResult("b", "x" * 200_001)]
    )
    assert len(fits.content[0].text) == len(cut.content[0].text) == tw.constants.MAX_USER_MESSAGE_SIZE // 2


def test_any_iterable_of_results():
    results = [tw.ToolUseResult("a", "xyz"), tw.ToolUseResult("b", "")]
    assert tw.text.truncate_tool_results(iter(results), 4) == tw.text.truncate_tool_results(tuple(results), 4)
    assert tw.text.truncate_tool_results(results) is not results


@pytest.mark.parametrize("results", [None, "results", 3, ["a"], [None], tw.ToolUseResult("a", "b"), [("a", "b")]])
def test_what_is_no_list_of_results(results):
    with pytest.raises(TypeError):
        tw.text.truncate_tool_results(results, 10)
    with pytest.raises(TypeError):
        tw.spec.UserMessage.new_tool_use_results(results)


def test_budget_and_split_are_checked():
    for bad, code in [({"max_bytes": -1}, "negative_budget"), ({"max_bytes": 1, "split": "odd"}, "unknown_option")]:
        with pytest.raises(tw.TurnwireError) as caught:
            tw.text.truncate_tool_results([], **bad)
        assert caught.value.code == code


# --- What a result holds ---


def test_the_same_strings_come_back():
    call_id, text, name = "call " + str(id(object())), "text " + str(id(object())), "name " + str(id(object()))
    made = tw.ToolUseResult(call_id, text, name=name)
    assert made.tool_use_id is call_id
    assert made.name is name
    assert made.content[0].text is text
    value = {text: [name, 10**30, 1.5]}
    held = tw.ToolUseResult(call_id, value).content[0].value
    assert held == value
    assert next(iter(held)) is text
    assert held[text][0] is name
    assert held[text][1] is value[text][1]


def test_content_in_every_form():
    assert tw.ToolUseResult("a", "x").content == (Text("x"),)
    assert tw.ToolUseResult("a", {"x": 1}).content == (Json({"x": 1}),)
    assert tw.ToolUseResult("a", 5).content == (Json(5),)
    assert tw.ToolUseResult("a", False).content == (Json(False),)
    assert tw.ToolUseResult("a", Json([1])).content == (Json([1]),)
    assert tw.ToolUseResult("a", []).content == ()
    image = tw.parts.ImageBlock("png", b"\x89PNG")
    mixed = tw.ToolUseResult("a", ["x", {"y": 1}, Json(None), image])
    assert mixed.content == (Text("x"), Json({"y": 1}), Json(None), Media(image))
    assert mixed == tw.ToolUseResult("a", ("x", {"y": 1}, Json(None), Media(image)))
    assert mixed.content[3].media.data == "iVBORw=="
    assert mixed.content[3].media.media_type == "image/png"


@pytest.mark.parametrize("content", [None, b"x", object(), {1, 2}, [1], [None], [["x"]], [b"x"], iter(["x"])])
def test_what_is_no_content(content):
    with pytest.raises(TypeError):
        tw.ToolUseResult("a", content)


def nested(depth):
    value = 0
    for _ in range(depth):
        value = [value]
    return value


def cyclic():
    value = {}
    value["self"] = [value]
    return value


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        (float("nan"), "not_json", "$"),
        ({"a": [0, float("inf")]}, "not_json", "$.a[1]"),
        ({"a": b"bytes"}, "not_json", "$.a"),
        ([{"a b": object()}], "not_json", '$[0]["a b"]'),
        ({1: 2}, "not_json", "$"),
        ({"huge": 10**5000}, "not_json", "$.huge"),
        (nested(257), "too_deep", None),
        (cyclic(), "too_deep", None),
    ],
)
def test_what_json_cannot_hold(value, code, path):
    with pytest.raises(tw.TurnwireError) as caught:
        Json(value)
    assert caught.value.code == code
    assert path is None or caught.value.path == path
    if isinstance(value, dict):
        with pytest.raises(tw.TurnwireError) as caught:
            tw.ToolUseResult("a", ["x", value])
        assert caught.value.path.startswith("$.content[1]")
    with pytest.raises(tw.TurnwireError) as caught:
        tw.parts.AssistantToolUse("a", "b", value)
    assert caught.value.path.startswith("$.args")


def test_the_deepest_json_that_is_held():
    value = nested(256)
    assert Json(value).value == value


def test_a_value_is_copied_both_ways():
    given = {"a": [1]}
    held = Json(given)
    given["a"].append(2)
    assert held.value == {"a": [1]}
    held.value["a"].append(3)
    assert held.value == {"a": [1]}


def test_status():
    assert tw.ToolUseResult("a", "x").status is tw.parts.ToolResultStatus.Success
    failed = tw.ToolUseResult("a", "x", "error")
    assert failed.status is tw.parts.ToolResultStatus.Error
    assert failed == tw.ToolUseResult("a", "x", tw.parts.ToolResultStatus.Error) != tw.ToolUseResult("a", "x")
    assert str(failed.status) == failed.status.value == failed.status == "error"
    assert failed.status != "success"
    assert failed.status != 1
    assert {failed.status: 1}["error"] == 1
    assert repr(failed.status) == "ToolResultStatus.Error"
    with pytest.raises(tw.TurnwireError) as caught:
        tw.ToolUseResult("a", "x", "failed")
    assert caught.value.code == "unknown_option"
    with pytest.raises(TypeError):
        tw.ToolUseResult("a", "x", True)


def test_equality_is_by_what_is_said():
    assert Text("x") == Text("x") != Json("x")
    assert Json({"a": 1, "b": 2}) == Json({"b": 2.0, "a": 1})
    assert hash(Json({"a": 1, "b": 2})) == hash(Json({"b": 2.0, "a": 1}))
    assert Json(True) != Json(1)
    assert tw.ToolUseResult("a", "x") == tw.ToolUseResult("a", ["x"]) == tw.ToolUseResult("a", "x", name="tool")
    assert len({tw.ToolUseResult("a", "x"), tw.ToolUseResult("a", ["x"], name="tool")}) == 1
    assert tw.ToolUseResult("a", "x") != tw.ToolUseResult("b", "x")
    assert tw.ToolUseResult("a", "x") != "x"
    assert Text("\ud800") == Text("\ud800") != Text("\ufffd")


# --- Requests ---


def test_arguments_as_a_value():
    call = tw.parts.AssistantToolUse("a", "grep", {"path": "日", "n": 1.0})
    assert (call.args, call.args_text, call.args_state) == ({"path": "日", "n": 1.0}, '{"path":"日","n":1.0}', "object")
    assert (call.orig_name, call.orig_args) == ("grep", call.args)


@pytest.mark.parametrize(
    ("text", "state", "args"),
    [
        ('{"a": 1 }', "object", {"a": 1}),
        ("", "object", {}),
        (" \n", "object", {}),
        ('{"a": ', "incomplete", None),
        ("{", "incomplete", None),
        ("[1]", "invalid", None),
        ("null", "invalid", None),
        ('{"a":1}{"b":2}', "invalid", None),
        ("not json", "invalid", None),
        ('{"a":"\ud800"}', "object", {"a": "\ufffd"}),
        # An escape can express what UTF-8 cannot: so can a str.
        ('{"a":"\\ud800"}', "object", {"a": "\ud800"}),
    ],
)
def test_arguments_as_text(text, state, args):
    call = tw.parts.AssistantToolUse("a", "b", text)
    assert call.args_text is text
    assert call.args_state == state
    assert call.args == args
    assert pickle.loads(pickle.dumps(call)).args_text == text


@pytest.mark.parametrize("args", [None, 5, [1], True])
def test_arguments_that_are_no_object(args):
    call = tw.parts.AssistantToolUse("a", "b", args)
    assert (call.args, call.args_text, call.args_state) == (None, json.dumps(args, separators=(",", ":")), "invalid")


def test_the_original_name_and_arguments():
    call = tw.parts.AssistantToolUse("a", "fs_read", {"p": 1}, "server___fs_read", {"path": 1})
    assert (call.name, call.orig_name, call.args, call.orig_args) == (
        "fs_read",
        "server___fs_read",
        {"p": 1},
        {"path": 1},
    )
    assert call != tw.parts.AssistantToolUse("a", "fs_read", {"p": 1})
    assert tw.parts.AssistantToolUse("a", "b", {}, "b", {}) == tw.parts.AssistantToolUse("a", "b", {})
    assert tw.parts.AssistantToolUse("a", "b", '{"x": 1}') == tw.parts.AssistantToolUse("a", "b", {"x": 1})
    assert eval(repr(call), vars(tw)) == call


# --- Python's own protocols ---

EVERY = [
    Text("a\ud800\0"),
    Json({"a": [1, None, True, 1.5, "x"]}),
    Media(tw.Media(url="https://example.org/a.png", media_type="image/png")),
    tw.ToolUseResult("a", "x"),
    tw.ToolUseResult("a", ["x", {"y": 1}], "error", "tool"),
    tw.parts.ToolResultStatus.Success,
    tw.parts.ToolResultStatus.Error,
    tw.parts.AssistantToolUse("a", "b", {"c": 1}, "d", "e"),
    tw.parts.AssistantToolUse("a", "b", "free text", custom=True),
    tw.parts.ImageBlock("png", b"\x89PNG"),
    tw.parts.ImageBlock("png", "iVBORw=="),
]


@pytest.mark.parametrize("value", EVERY, ids=repr)
def test_pickle_copy_hash(value):
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert again == value
        assert type(again) is type(value)
        assert hash(again) == hash(value)
    assert copy.copy(value) == copy.deepcopy(value) == value
    assert value != object()


@pytest.mark.parametrize("value", [each for each in EVERY if not isinstance(each, Media)], ids=repr)
def test_repr_reads_like_the_constructor(value):
    assert eval(repr(value), vars(tw)) == value


@pytest.mark.parametrize("value", EVERY, ids=repr)
def test_values_are_frozen(value):
    names = [name for name in dir(value) if not name.startswith("_")]
    for name in [*names, "other"]:
        with pytest.raises(AttributeError):
            setattr(value, name, 1)


def test_a_block_alone_cannot_be_made():
    with pytest.raises(TypeError):
        tw.parts.ToolUseResultBlock()
    assert isinstance(Text("x"), tw.parts.ToolUseResultBlock)
    assert Text.__qualname__ == "ToolUseResultBlock.Text"
    assert Text.__module__ == "turnwire.parts"


def test_subclasses_of_str_int_and_dict():
    class Mine(str):
        __slots__ = ()

    class Level(enum.IntEnum):
        HIGH = 3

    class Bag(dict):
        pass

    text = Mine("x")
    made = tw.ToolUseResult(text, Bag(level=Level.HIGH))
    assert made.tool_use_id is text
    assert made.content[0].value["level"] is Level.HIGH
    (cut,) = tw.text.truncate_tool_results([made], 9)
    assert cut.content[0].text == '{"level":'


def test_many_threads_read_one_value():
    shared = tw.ToolUseResult("a", ["x" * 1000, {"y": list(range(100))}])

    def work(_):
        assert shared.content[1].value["y"][99] == 99
        assert tw.text.truncate_tool_results([shared, shared], 100)[1].content[0].text.startswith("x")
        return hash(shared)

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(work, range(200)))) == 1


WIRE_BLOCKS = [
    {"type": "text", "text": "x"},
    {"type": "text", "text": "x", "annotations": None},
    {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}},
    {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}},
    {"type": "input_text", "text": "x"},
]


@pytest.mark.parametrize("block", WIRE_BLOCKS, ids=lambda block: block["type"])
def test_a_content_block_of_a_provider_is_no_json_value(block):
    for content in (block, [block], ["x", block]):
        with pytest.raises(TypeError, match=r"looks like a content block .*ToolUseResultBlock\.Json"):
            tw.ToolUseResult("c", content)
    meant = tw.ToolUseResult("c", tw.parts.ToolUseResultBlock.Json(block))
    assert meant.content[0].value == block
    assert pickle.loads(pickle.dumps(meant)) == meant


@pytest.mark.parametrize(
    "value", [{"type": "text"}, {"type": 5, "text": "x"}, {"type": "file", "text": "x"}, {"text": "x"}]
)
def test_a_json_value_that_only_has_a_type_is_one(value):
    assert tw.ToolUseResult("c", value).content[0].value == value
