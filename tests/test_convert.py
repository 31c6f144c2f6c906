"""`convert` and `convert_json`: both functions, identity of unchanged values, bad input."""

import copy
import json
import math
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given
from hypothesis import strategies as st
from turnwire import _core

Json = dict[str, Any]

CALL = {"id": "call_1", "type": "function", "function": {"name": "search", "arguments": '{"q": "東京", "n": 1e2}'}}
MESSAGES: list[Json] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Find it. 東京 🙂"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "call_1", "content": "found: é"},
    {"role": "assistant", "content": "There."},
]


def strings(value: object) -> Iterator[str]:
    """Every string of a payload, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def containers(value: object) -> Iterator[object]:
    if isinstance(value, dict | list):
        yield value
        for item in value.values() if isinstance(value, dict) else value:
            yield from containers(item)


def nested(levels: int) -> object:
    value: object = "deep"
    for _ in range(levels):
        value = [value]
    return value


def test_openai_to_anthropic_both_functions_agree() -> None:
    by_objects = tw.convert(MESSAGES, "anthropic", source="openai")
    by_bytes = tw.convert_json(json.dumps(MESSAGES).encode(), "anthropic", source="openai")
    mixed = tw.convert_json(MESSAGES, "anthropic", source="openai")
    assert by_objects.payload == json.loads(by_bytes.payload) == json.loads(mixed.payload)
    assert not by_objects.receipt.changed and not by_bytes.receipt.changed and not mixed.receipt.changed
    assert by_objects.payload["system"] in ("Be brief.", [{"type": "text", "text": "Be brief."}])
    assert by_objects.payload["messages"][1]["content"][0]["input"] == {"q": "東京", "n": 100.0}


def test_bytes_in_objects_out() -> None:
    rendered = tw.convert(json.dumps({"messages": MESSAGES}).encode(), "openai", source="openai")
    assert rendered.payload == {"messages": MESSAGES}


def test_unchanged_strings_are_the_same_objects() -> None:
    payload = {"messages": [{"role": "user", "content": "".join(["some ", "text"])}]}
    text = payload["messages"][0]["content"]
    for target in ("openai", "anthropic"):
        assert any(found is text for found in strings(tw.convert(payload, target, source="openai").payload)), target


@pytest.mark.parametrize("target", ["openai", "anthropic"])
def test_inputs_are_untouched_and_outputs_share_no_container(target: str) -> None:
    payload = {
        "messages": copy.deepcopy(MESSAGES),
        "tools": [
            {"type": "function", "function": {"name": "search", "parameters": {"type": "object", "properties": {}}}}
        ],
    }
    before = copy.deepcopy(payload)
    rendered = tw.convert(payload, target, source="openai")
    assert payload == before
    mine = {id(value) for value in containers(payload)}
    assert not [value for value in containers(rendered.payload) if id(value) in mine]


def test_python_objects_keep_the_contracts_of_source_and_sink() -> None:
    assert _core._check_doors() > 20


def test_a_body_keeps_its_other_keys_to_itself() -> None:
    body = {"model": "m", "messages": MESSAGES, "temperature": 1}
    assert tw.convert(body, "openai", source="openai").payload == {"messages": MESSAGES}


def test_same_dialect_replays_the_bytes() -> None:
    data = b'{ "messages" : [ {"role":"user", "content":"\\u0041 \\ud83d\\ude42", "x": 1.50e+2, "x": 2} ] }'
    element = data[data.index(b"[") + 2 : data.rindex(b"]") - 1]
    assert element in tw.convert_json(data, "openai", source="openai").payload


def test_lone_surrogates_survive_objects_and_become_fffd_in_bytes() -> None:
    payload = [{"role": "user", "content": "a\ud800b"}]
    assert tw.convert(payload, "anthropic", source="openai").payload["messages"][0]["content"] == "a\ud800b"
    assert not tw.convert(payload, "anthropic", source="openai").receipt
    rendered = tw.convert_json(payload, "anthropic", source="openai")
    assert "a\ufffdb".encode() in rendered.payload
    assert [(loss.kind, loss.code, loss.path) for loss in rendered.receipt] == [
        ("restated", "lone_surrogate", "$[0].content")
    ]


HALF = "\ud83d"


@pytest.mark.parametrize("target", ["openai", "anthropic", "history"])
@pytest.mark.parametrize(
    ("content", "path"),
    [
        ([{"type": "text", "text": "a"}, {"type": "text", "text": HALF * 2}], ".content[1]"),
        ("a" + HALF * 2, ".content"),
        ([{"type": "text", "text": HALF}, {"type": "text", "text": HALF}], ""),
    ],
)
def test_every_function_for_bytes_says_where_and_how_many(target: str, content: object, path: str) -> None:
    payload = {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": content}]}
    data = json.dumps(payload).encode()
    parsed, read = tw.Conversation.parse(payload, "openai"), tw.Conversation.parse(data, "openai")
    made = [tw.convert_json(payload, target, source="openai"), parsed.render_json(target)]
    if target != "openai":
        # An unchanged text keeps its escape.
        made += [tw.convert_json(data, target, source="openai"), read.render_json(target)]
    for rendered in made:
        assert rendered.payload.decode().count("\ufffd") == 2
        (loss,) = rendered.receipt
        place = "$.messages[1]" + path
        assert (loss.kind, loss.code, loss.path) == ("restated", "lone_surrogate", place)
        assert loss.reason.startswith("2 halves ")
    for conversation in (parsed, read):
        rendered = conversation.render(target)
        assert HALF in list(strings(rendered.payload))[-1]
        assert not rendered.receipt.changed


def test_arguments_that_become_text_are_a_loss_of_objects() -> None:
    call = {"type": "tool_use", "id": "t", "name": "f", "input": {"q": HALF}}
    payload = [{"role": "user", "content": "go"}, {"role": "assistant", "content": [call]}]
    rendered = tw.convert(payload, "openai", source="anthropic")
    assert rendered.payload["messages"][1]["tool_calls"][0]["function"]["arguments"] == '{"q":"\ufffd"}'
    assert [(loss.kind, loss.code, loss.path) for loss in rendered.receipt] == [
        ("restated", "lone_surrogate", "$[1].content[0]")
    ]


def test_nan_stays_in_objects_and_is_an_error_in_bytes() -> None:
    payload = [{"role": "user", "content": "x", "score": float("nan")}]
    assert tw.convert(payload, "openai", source="openai").payload["messages"][0]["score"] is payload[0]["score"]
    assert math.isnan(payload[0]["score"])
    with pytest.raises(tw.TurnwireError) as failure:
        tw.convert_json(payload, "openai", source="openai")
    assert failure.value.code == "not_json"


def test_huge_integers_and_number_spelling_survive() -> None:
    number = 12345678901234567890123
    arguments = f'{{"n": {number}, "e": 1.50e3}}'
    payload = called_with(arguments)
    found = tw.convert(payload, "anthropic", source="openai").payload["messages"][1]["content"][0]["input"]
    assert found == {"n": number, "e": 1500.0}
    assert b'"e": 1.50e3' in tw.convert_json(payload, "anthropic", source="openai").payload


def called_with(arguments: str) -> list[Json]:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": arguments}}
    return [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "done"},
    ]


BEYOND = ["1e5000", "-1e99999999999999999999", "9" * 5_000, "1" + "0" * 400 + ".5"]
WHOLE = {"1e400": 10**400, "-1e999": -(10**999), "1.25E+310": 125 * 10**308, "1" + "0" * 400 + ".0": 10**400}
WHOLE["1" + "0" * 900 + "e-400"] = 10**500


@pytest.mark.parametrize("number", BEYOND, ids=lambda number: number[:6])
def test_a_number_beyond_pythons_is_never_infinity(number: str) -> None:
    payload = called_with(f'{{"x": [{number}]}}')
    data = json.dumps(payload)
    # As text it is exact through either function, and JSON holds it as a value too.
    for read in (payload, data):
        assert tw.convert(read, "openai", source="openai").payload["messages"] == payload
        written = tw.convert_json(read, "anthropic", source="openai")
        assert f'"input":{{"x": [{number}]}}'.encode() in written.payload
        assert not written.receipt.changed
        # A Python object cannot hold it: a loss.
        made = tw.convert(read, "anthropic", source="openai")
        assert made.payload["messages"][1]["content"][0]["input"] == {}
        assert [(loss.kind, loss.code) for loss in made.receipt] == [("lost", "arguments")]
    conversation = tw.Conversation.parse(payload[:2], "openai")
    (call,) = conversation.turns[1].parts
    assert (call.args, call.args_state, call.args_text) == (None, "invalid", f'{{"x": [{number}]}}')
    # JSON can hold the value again, and as an object it is an error that says where.
    answer = tw.convert_json(payload, "anthropic", source="openai").payload
    assert tw.convert_json(answer, "anthropic", source="anthropic").payload == answer
    texts = tw.convert(answer, "openai", source="anthropic").payload["messages"][1]["tool_calls"][0]["function"][
        "arguments"
    ]
    assert number in texts
    for read in (
        lambda: tw.convert(answer, "anthropic", source="anthropic"),
        lambda: tw.Conversation.parse(answer, "anthropic").render("anthropic"),
    ):
        with pytest.raises(tw.TurnwireError, match="is too large for a Python") as raised:
            read()
        assert (raised.value.code, raised.value.path) == ("not_json", "$.messages[1].content[0].input.x[0]")


@pytest.mark.parametrize("number", WHOLE, ids=lambda number: number[:6])
def test_a_whole_number_that_no_float_holds_is_the_same_by_every_function(number: str) -> None:
    payload = called_with(f'{{"x": [{number}]}}')
    for read in (payload, json.dumps(payload)):
        made = tw.convert(read, "anthropic", source="openai")
        assert made.payload["messages"][1]["content"][0]["input"] == {"x": [WHOLE[number]]}
        written = tw.convert_json(read, "anthropic", source="openai")
        assert f'"input":{{"x": [{number}]}}'.encode() in written.payload
        assert not made.receipt.changed and not written.receipt.changed
        back = tw.convert(made.payload, "openai", source="anthropic").payload["messages"][1]["tool_calls"][0]
        assert back["function"]["arguments"] == f'{{"x":[{WHOLE[number]}]}}'
    (call,) = tw.Conversation.parse(payload[:2], "openai").turns[1].parts
    assert (call.args, call.args_state) == ({"x": [WHOLE[number]]}, "object")


class Model:
    """An object like those of SDKs: `model_dump` gives its content."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields

    def model_dump(self, *, mode: str, by_alias: bool, exclude_none: bool, warnings: bool = True) -> Json:
        assert (mode, by_alias, exclude_none) == ("json", True, True)
        return {
            key: value.model_dump(mode=mode, by_alias=by_alias, exclude_none=exclude_none)
            if isinstance(value, Model)
            else value
            for key, value in self.fields.items()
        }


class Old:
    """An object that has only `to_dict`."""

    def to_dict(self) -> Json:
        return {"role": "user", "content": "old"}


class Silent:
    """An object without any such method."""


class Failing:
    def model_dump(self, **_: object) -> Json:
        raise RuntimeError("no")


def test_sdk_objects_are_read_by_what_they_export() -> None:
    payload = [
        Model(role="assistant", content="hi"),
        Old(),
        {"role": "user", "content": [Model(type="text", text="x")]},
    ]
    for read in (
        lambda: tw.convert(payload, "openai", source="openai").payload,
        lambda: tw.Conversation.parse(payload, "openai").render("openai").payload,
    ):
        assert read() == {
            "messages": [
                {"role": "assistant", "content": "hi"},
                {"role": "user", "content": "old"},
                {"role": "user", "content": [{"type": "text", "text": "x"}]},
            ]
        }


class Sneaky(dict[str, Any]):
    """A subclass of dict with more than a dict has."""


def test_dict_subclasses_are_dicts() -> None:
    assert tw.convert([Sneaky(role="user", content="x")], "openai", source="openai").payload == {
        "messages": [{"role": "user", "content": "x"}]
    }


CYCLE: list[Any] = []
CYCLE.append(CYCLE)

BAD: dict[str, tuple[object, str, str]] = {
    "not a payload": (5, "wrong_type", "$"),
    "a string": ("messages", "invalid_json", "$"),
    "no list": ({"model": "m"}, "missing_key", "$"),
    "messages no list": ({"messages": "x"}, "wrong_type", "$.messages"),
    "element no object": ([5], "wrong_type", "$[0]"),
    "element nobody knows": ([Silent()], "wrong_type", "$[0]"),
    "element that fails to say": ([Failing()], "not_json", "$[0]"),
    "no role": ([{"content": "x"}], "missing_key", "$[0]"),
    "role a number": ({"messages": [{"role": 3}]}, "wrong_type", "$.messages[0].role"),
    "role unknown": ({"messages": [{"role": "robot"}]}, "unknown_role", "$.messages[0].role"),
    "content a number": ({"messages": [{"role": "user", "content": 3}]}, "wrong_type", "$.messages[0].content"),
    "part a number": ({"messages": [{"role": "user", "content": [3]}]}, "wrong_type", "$.messages[0].content[0]"),
    "tool_calls an object": (
        {"messages": [{"role": "assistant", "tool_calls": {}}]},
        "wrong_type",
        "$.messages[0].tool_calls",
    ),
    "call without function": (
        {"messages": [{"role": "assistant", "tool_calls": [{"id": "c"}]}]},
        "missing_key",
        "$.messages[0].tool_calls[0]",
    ),
    "result without id": ({"messages": [{"role": "tool", "content": "x"}]}, "missing_key", "$.messages[0]"),
    "tools no list": ({"messages": [], "tools": {}}, "wrong_type", "$.tools"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("door", ["convert", "convert_json", "parse"])
def test_bad_payloads(name: str, door: str) -> None:
    payload, code, path = BAD[name]
    call: Callable[[], object] = {
        "convert": lambda: tw.convert(payload, "anthropic", source="openai"),
        "convert_json": lambda: tw.convert_json(payload, "anthropic", source="openai"),
        "parse": lambda: tw.Conversation.parse(payload, "openai"),
    }[door]
    with pytest.raises(tw.TurnwireError) as failure:
        call()
    # A frozen copy is made before parsing, so an unreadable object is found there.
    codes = (code, "not_json") if door == "parse" else (code,)
    assert failure.value.code in codes
    if failure.value.code == code:
        assert failure.value.path == path
        assert failure.value.dialect == "openai"


BAD_JSON = {
    "nothing": b"",
    "no json": b"{",
    "two values": b"[] []",
    "nan": b'[{"role": "user", "content": NaN}]',
    "invalid utf-8": b'[{"role": "user", "content": "\xff"}]',
    "raw control character": b'["\x00"]',
}


@pytest.mark.parametrize("name", BAD_JSON)
def test_bad_json(name: str) -> None:
    for call in (tw.convert, tw.convert_json):
        with pytest.raises(tw.ParseError) as failure:
            call(BAD_JSON[name], "anthropic", source="openai")
        assert failure.value.code == "invalid_json"


@pytest.mark.parametrize("value", [CYCLE, nested(10_000), nested(257)])
def test_nesting_is_bounded(value: object) -> None:
    for payload in ([{"role": "user", "content": "x", "extra": value}], value):
        for call in (
            lambda payload=payload: tw.convert(payload, "openai", source="openai"),
            lambda payload=payload: tw.convert_json(payload, "openai", source="openai"),
            lambda payload=payload: tw.Conversation.parse(payload, "openai"),
        ):
            with pytest.raises(tw.TurnwireError) as failure:
                call()
            assert failure.value.code in ("too_deep", "wrong_type")


def test_deep_json_is_an_error() -> None:
    data = b'[{"role":"user","content":"x","y":' + b"[" * 10_000 + b"]" * 10_000 + b"}]"
    with pytest.raises(tw.ParseError) as failure:
        tw.convert_json(data, "openai", source="openai")
    assert failure.value.code == "too_deep"


def test_wrong_argument_types_are_type_errors() -> None:
    for call in (
        lambda: tw.convert(MESSAGES, "openai", source=1),
        lambda: tw.convert(MESSAGES, None, source="openai"),
        lambda: tw.convert(MESSAGES, "openai", source="openai", strict="yes"),
        lambda: tw.Conversation.parse(MESSAGES, 1),
        lambda: tw.Conversation(5),
        lambda: tw.Conversation([5]),
    ):
        with pytest.raises(TypeError):
            call()


def test_unknown_dialects_and_options() -> None:
    with pytest.raises(tw.UnknownDialectError) as failure:
        tw.convert(MESSAGES, "openai", source="openia")
    assert failure.value.code == "unknown_dialect"
    assert "openai" in str(failure.value)
    with pytest.raises(tw.TurnwireError) as option:
        tw.convert(MESSAGES, "openai", source="openai", reasoning="perhaps")
    assert option.value.code == "unknown_option"
    assert "openai" in tw.dialects()


def test_strict_raises_at_the_first_loss() -> None:
    payload = [{"role": "user", "content": "x", "name": "ann"}]
    losses = tw.convert(payload, "anthropic", source="openai").receipt
    assert [(loss.kind, loss.code, loss.path) for loss in losses] == [("lost", "key", "$[0].name")]
    with pytest.raises(tw.RenderError) as failure:
        tw.convert(payload, "anthropic", source="openai", strict=True)
    assert failure.value.code == "loss"
    assert failure.value.path == "$[0].name"


def test_a_key_that_fails_to_compare_is_no_panic() -> None:
    class Key(str):
        __slots__ = ()

        def __eq__(self, other: object) -> bool:
            raise RuntimeError("no")

        __hash__ = str.__hash__

    payload = [{Key("role"): "user", "content": "x"}]
    with pytest.raises(tw.TurnwireError):
        tw.convert(payload, "anthropic", source="openai")


def test_a_dict_that_changes_while_it_is_read_is_no_panic() -> None:
    payload = {
        "messages": [{"role": "user", "content": "x", "extra": {str(n): n for n in range(200)}} for _ in range(50)]
    }
    stop = []

    def churn() -> None:
        turn = 0
        while not stop:
            extra = payload["messages"][turn % 50]["extra"]
            extra[f"new{turn}"] = turn
            extra.pop(f"new{turn}", None)
            turn += 1

    with ThreadPoolExecutor(1) as pool:
        churning = pool.submit(churn)
        try:
            for _ in range(200):
                try:
                    tw.convert(payload, "openai", source="openai")
                except tw.TurnwireError as failure:
                    assert failure.code == "changed_while_read"
        finally:
            stop.append(True)
            churning.result()


def test_threads_agree() -> None:
    expected = tw.convert(MESSAGES, "anthropic", source="openai").payload
    data = json.dumps(MESSAGES).encode()
    with ThreadPoolExecutor(8) as pool:
        assert all(
            found == expected
            for found in pool.map(lambda _: tw.convert(MESSAGES, "anthropic", source="openai").payload, range(200))
        )
        assert all(
            json.loads(found) == expected
            for found in pool.map(lambda _: tw.convert_json(data, "anthropic", source="openai").payload, range(200))
        )


text = st.text(st.characters(codec=None), max_size=30)
scalar = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
value = st.recursive(
    scalar, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3), max_leaves=8
)
message = st.fixed_dictionaries(
    {
        "role": st.sampled_from(["system", "user", "assistant"]),
        "content": text | st.lists(st.fixed_dictionaries({"type": st.just("text"), "text": text}), max_size=3),
    },
    optional={"name": text, "zz_unknown": value},
)


@given(st.lists(message, max_size=4))
def test_same_dialect_is_equal_with_the_same_key_order(messages: list[Json]) -> None:
    payload = {"messages": messages}
    assert repr(tw.convert(payload, "openai", source="openai").payload) == repr(payload)
    conversation = tw.Conversation.parse(payload, "openai")
    assert repr(conversation.render("openai").payload) == repr(payload)


@given(value)
def test_any_value_is_an_answer_or_an_error(payload: object) -> None:
    for dialect in tw.dialects():
        for target in ("openai", "anthropic"):
            try:
                tw.convert(payload, target, source=dialect)
            except tw.TurnwireError as failure:
                assert failure.code


def test_keys_of_arguments_are_never_confused() -> None:
    # The loader recognises short keys by their length and ends: these differ in only one byte, or only in length.
    stems = ["abcdefghijklmnopqrst"[:length] for length in range(21)]
    keys = {stem[:at] + letter + stem[at + 1 :] for stem in stems for at in range(len(stem)) for letter in "xé"}
    keys |= {*stems, "abcdefgh" * 2, "abcd" * 2, "ab\0", "a\0b"}
    objects = [{key: [{key: index}, key]} for index, key in enumerate([*sorted(keys), *sorted(keys, reverse=True)])]
    calls = [
        {"id": f"c{at}", "type": "function", "function": {"name": "f", "arguments": json.dumps(arguments)}}
        for at, arguments in enumerate(objects)
    ]
    made = tw.convert(
        [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": calls}], "anthropic", source="openai"
    )
    assert [block["input"] for block in made.payload["messages"][1]["content"]] == objects


def object_text(entries: list[tuple[str, str]], comma: str, colon: str) -> str:
    return "{" + comma.join(key + colon + value for key, value in entries) + "}"


space = st.sampled_from(["", " ", "\n", "\t \r"])
number = st.from_regex(r"-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?", fullmatch=True)
# Few keys, so that some come twice.
key = st.sampled_from(["", "é", "ab", "日本", "query", "a key of 16 char", "a key of 17 chars"]) | text
objects = st.deferred(
    lambda: st.builds(
        object_text,
        st.lists(st.tuples(spelled(key), inside), max_size=5),
        st.builds("{},{}".format, space, space),
        st.builds("{}:{}".format, space, space),
    )
)
lists = st.deferred(lambda: st.lists(inside, max_size=4).map(lambda items: "[" + ", ".join(items) + "]"))
inside = st.sampled_from(["true", "false", "null"]) | number | st.deferred(lambda: spelled(text)) | objects | lists


def spelled(words: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """JSON strings, some of them pure ASCII."""
    return st.builds(lambda word, ascii: json.dumps(word, ensure_ascii=ascii), words, st.booleans())


def exact(digits: str) -> float | int:
    """The number; an integer where no float holds it: with three exponent digits, every such number is whole."""
    value = float(digits)
    return int(Decimal(digits)) if math.isinf(value) else value


@given(st.lists(st.tuples(objects, space, st.none() | st.integers(1, 40)), min_size=1, max_size=4))
def test_arguments_are_what_json_loads_makes_of_them(arguments: list[tuple[str, str, int | None]]) -> None:
    """One after the other with the same loader: a text that breaks off must leave nothing for the next one."""
    texts = [space + text[: None if cut is None else -cut] + space for text, space, cut in arguments]
    calls = [
        {"id": f"c{at}", "type": "function", "function": {"name": "f", "arguments": text}}
        for at, text in enumerate(texts)
    ]
    made = tw.convert(
        [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": calls}], "anthropic", source="openai"
    )
    for block, text in zip(made.payload["messages"][1]["content"], texts, strict=True):
        try:
            expected = json.loads(text, parse_float=exact)
        except ValueError:
            expected = {}
        assert repr(block["input"]) == repr(expected)
