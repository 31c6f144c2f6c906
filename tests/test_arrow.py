"""Columns: each row has the result of the function for one row, in every layout, and the given shape comes back."""

import json
import struct
import sys
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire import batch

pa = pytest.importorskip("pyarrow")
from turnwire import arrow  # noqa: E402

PAYLOADS = [
    vector["payload"]
    for path in sorted((Path(__file__).parent / "vectors").glob("*.json"))
    for vector in json.loads(path.read_text(encoding="utf-8"))
    if isinstance(vector, dict) and {"source", "target", "expect", "payload"} <= vector.keys()
]
ROWS: list[str | None] = [json.dumps(payload, ensure_ascii=True) for payload in PAYLOADS]
ROWS[3:3] = [None, "", "{", "null", '{"messages": [{"role": "user", "content": "日本語 é"}], "model": "m"}', "[" * 300]
LLAMA = [
    {"role": "user", "content": "find it"},
    {"role": "assistant", "content": '{"name": "look", "parameters": {}}'},
    {"role": "user", "content": '{"tool_result": {"name": "look", "result": "here it is"}}'},
]
TYPES = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "string_view": pa.string_view(),
    "binary": pa.binary(),
    "large_binary": pa.large_binary(),
    "binary_view": pa.binary_view(),
}
LAYOUTS = {
    "array": lambda array: array,
    "sliced": lambda array: pa.concat_arrays([array[:7], array])[7:],
    "chunked": lambda array: pa.chunked_array([array[:5], array[5:5], array[5:90], array[90:]]),
    "no chunk": lambda array: pa.chunked_array([array[:0], array]).slice(0, 0),
    "empty": lambda array: array[:0],
}
HELLO = '[{"role": "user", "content": "hi"}]'
Row = tuple[str | None, list[dict[str, str]], tuple[str, str] | None] | None


def one(row: str | None, source: Any = "auto", target: Any = "openai", **options: Any) -> Row:
    """The result of `convert_json` for a row: the oracle."""
    if row is None:
        return None
    try:
        made = tw.convert_json(row, target, source=source, **options)
    except tw.TurnwireError as error:
        return None, [], (error.code, error.path)
    losses = [
        {name: getattr(loss, name) for name in ("kind", "code", "path", "reason", "action")} for loss in made.receipt
    ]
    return made.payload.decode(), losses, None


def rows(made: Any) -> list[Row]:
    listed = []
    for row in made.to_pylist():
        if row is None:
            listed.append(None)
            continue
        payload, error = row["payload"], row["error"]
        payload = payload.decode() if isinstance(payload, bytes) else payload
        listed.append((payload, row["changes"], error and (error["code"], error["path"])))
    return listed


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", TYPES)
def test_every_layout_is_what_convert_json_says(name: str, layout: str, threads: int) -> None:
    column = LAYOUTS[layout](pa.array(ROWS, pa.string()).cast(TYPES[name]))
    made = arrow.convert(column, "anthropic", threads=threads, at="$", settings="omit")
    made.validate(full=True)
    assert isinstance(made, pa.ChunkedArray if isinstance(column, pa.ChunkedArray) else pa.StructArray)
    assert made.type == arrow.result_type(TYPES[name])
    expected = [one(row, "auto", "anthropic") for row in ROWS][: len(column)]
    assert rows(made) == expected
    if len(column):
        assert sum(row is None or row[0] is None for row in expected) > 10
        assert sum(bool(row[1]) for row in expected if row) > 50


class Named(pa.ExtensionType):
    """An extension type that turnwire does not know."""

    def __init__(self, storage: Any) -> None:
        super().__init__(storage, "tests.named")

    def __arrow_ext_serialize__(self) -> bytes:
        return b""


@pytest.mark.parametrize("name", TYPES)
def test_encoded_columns_are_read_as_their_rows(name: str) -> None:
    plain = pa.array([*ROWS[:30], *ROWS[:30]], pa.string())
    expected = [one(row, "auto", "anthropic") for row in plain.to_pylist()]
    values, indices = plain.dictionary_encode().dictionary.cast(TYPES[name]), plain.dictionary_encode().indices
    columns = [pa.DictionaryArray.from_arrays(indices, values)]
    columns.append(pa.ExtensionArray.from_storage(Named(columns[0].type), columns[0]))
    if "view" not in name:  # such runs cannot be made
        columns.append(pa.RunEndEncodedArray.from_arrays(pa.array(range(1, 61), pa.int32()), plain.cast(TYPES[name])))
    for column in columns:
        for given, told in (
            (column, expected),
            (column[7:40], expected[7:40]),
            (pa.chunked_array([column[:0], column[3:5], column]), expected[3:5] + expected),
        ):
            made = arrow.convert(given, "anthropic", at="$", settings="omit")
            made.validate(full=True)
            assert made.type == arrow.result_type(TYPES[name])
            assert rows(made) == told


def damaged() -> dict[str, Any]:
    def view(size: int, buffer: int, offset: int) -> Any:
        at = struct.pack("<i4sii", size, HELLO[:4].encode(), buffer, offset)
        return pa.Array.from_buffers(pa.string_view(), 1, [None, pa.py_buffer(at), pa.py_buffer(HELLO.encode())])

    def index(at: int) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array([0, at], pa.int8()), pa.array([HELLO]), safe=False)

    return {
        "another buffer": view(30, 7, 0),
        "behind the buffer": view(30, 0, 1 << 30),
        "before the buffer": view(30, 0, -5),
        "longer than the buffer": view(1 << 30, 0, 0),
        "of less than nothing": view(-3, 0, 0),
        "no such entry": index(7),
        "an entry below none": index(-1),
    }


@pytest.mark.parametrize("name", damaged())
def test_what_lies_outside_of_a_column_is_an_error(name: str) -> None:
    column = damaged()[name]
    for given in (column, pa.chunked_array([column])):
        with pytest.raises(tw.TurnwireError, match="damaged") as raised:
            arrow.convert(given, "gemini", source="openai", settings="omit")
        assert raised.value.code == "out_of_range"


@pytest.mark.parametrize("given", [None, 5, "x", (1, 2), pa.array([HELLO]).__arrow_c_array__(), ValueError("no")])
def test_an_object_that_only_claims_to_be_a_column(given: Any) -> None:
    def give(_: object, requested_schema: object = None) -> object:
        if isinstance(given, Exception):
            raise given
        return given

    kinds = ["__arrow_c_stream__", *(["__arrow_c_array__"] if not isinstance(given, tuple) or given == (1, 2) else [])]
    for kind in kinds:
        with pytest.raises(TypeError, match="expected an Arrow column, got Liar"):
            arrow.check(type("Liar", (), {kind: give})())


def test_several_pieces_of_work_on_two_threads() -> None:
    given = [json.dumps([{"role": "user", "content": "x" * (at * 7_919 % 40_000)}]) for at in range(300)]
    given[::41] = ["{"] * len(given[::41])
    made = arrow.convert(pa.array(given), "gemini", source="openai", threads=2, settings="omit")
    assert rows(made) == [one(row, "openai", "gemini") for row in given]


class Stream:
    """A column that only speaks the C stream interface."""

    def __init__(self, column: Any) -> None:
        self.column = column

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.column.__arrow_c_stream__(requested_schema)


class Array:
    """A column that only speaks the C array interface."""

    def __init__(self, column: Any) -> None:
        self.column = column

    def __arrow_c_array__(self, requested_schema: object = None) -> object:
        return self.column.__arrow_c_array__(requested_schema)


AS_GEMINI = tw.convert_json(HELLO, "gemini", source="openai").payload.decode()


def test_what_gives_a_column() -> None:
    plain = pa.array([HELLO, None])
    expected = [one(HELLO, "openai", "gemini"), one(None)]
    for column, shape in (
        (Stream(pa.chunked_array([plain])), pa.ChunkedArray),
        (Array(plain), pa.StructArray),
        (plain.dictionary_encode(), pa.StructArray),
        (pa.chunked_array([plain.dictionary_encode()]), pa.ChunkedArray),
    ):
        made = arrow.convert(column, "gemini", source="openai", settings="omit")
        assert isinstance(made, shape)
        assert rows(made) == expected
        assert made.type == arrow.result_type()
    nothing = arrow.convert(pa.nulls(3), "gemini", source="openai", settings="omit")
    assert rows(nothing) == [None] * 3
    typed = pa.ExtensionArray.from_storage(pa.json_(pa.large_string()), plain.cast(pa.large_string()))
    made = arrow.convert(typed, "gemini", source="openai", settings="omit")
    assert made.type.field("payload").type == pa.json_(pa.large_string())
    assert made.field("payload").storage.to_pylist() == [AS_GEMINI, None]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([1, 2]),
        pa.array([["a"]]),
        pa.array([{"role": "user"}]),
        pa.table({"a": ["x"]}),
        pa.record_batch({"a": ["x"]}),
        [HELLO],
        HELLO,
        None,
        pa.scalar(HELLO),
    ],
    ids=lambda column: type(column).__name__,
)
def test_another_type_is_reported_at_once(column: Any) -> None:
    with pytest.raises(TypeError, match="column: expected "):
        arrow.convert(column, "gemini", source="openai", settings="omit")


def test_wrong_options_are_reported_at_once() -> None:
    column = pa.array([HELLO])
    with pytest.raises(tw.UnknownDialectError):
        arrow.convert(column, "nobody", source="openai", settings="omit")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"convert\(\) got an unexpected keyword argument"):
        arrow.convert(column, "gemini", source="openai", stricter=True, settings="omit")  # type: ignore[call-arg]
    with pytest.raises(tw.TurnwireError, match="threads"):
        arrow.convert(column, "gemini", source="openai", threads=-1, settings="omit")


def test_short_buffers_are_an_error() -> None:
    task = arrow.convert_task("convert", "openai", "gemini", None, {})
    good = pa.array([HELLO, HELLO, None])
    validity, offsets, data = (memoryview(buffer).cast("B") for buffer in good.buffers())
    whole = {"validity": validity, "offsets": offsets, "data": data, "wide": False, "first": 0, "count": 3}
    task.rows.column(whole, 1)
    for wrong in (
        {"validity": validity[:0]},
        {"offsets": offsets[:15]},
        {"offsets": memoryview(bytes(reversed(bytes(offsets[:16]))))},
        {"data": data[:40]},
        {"data": None},
        {"wide": True},
        {"first": 1 << 63},
        {"count": 1 << 40},
    ):
        with pytest.raises(tw.TurnwireError) as raised:
            task.rows.column({**whole, **wrong}, 1)
        assert raised.value.code == "out_of_range"


def test_buffers_outlive_the_call() -> None:
    made = arrow.convert(pa.array([HELLO] * 1_000), "gemini", source="openai", settings="omit")
    payload = made.field("payload")
    del made
    assert payload.to_pylist() == [AS_GEMINI] * 1_000
    buffers = [buffer for buffer in payload.buffers() if buffer is not None]
    assert not any(buffer.is_mutable for buffer in buffers)


def lines(made: Any) -> list[bytes]:
    return [payload.encode() for payload in made.field("payload").to_pylist() if payload is not None]


def test_the_other_functions_say_what_batch_says() -> None:
    column = pa.array(ROWS)
    given = [(row or "").encode() for row in ROWS if row]
    options: Any = {"system": "s", "budget": tw.Budget(300, reserve=0.5), "wording": {"opening": "go"}}
    made = arrow.prepare(column, "anthropic", at="$", **options)
    assert lines(made) == list(batch.prepare_lines(given, "anthropic", at="$", **options))
    made = arrow.check(column, "anthropic", at="$")
    assert lines(made) == list(batch.check_lines(given, "anthropic", at="$"))
    made = arrow.truncate(column, 3, split="fair", at="$")
    assert lines(made) == list(batch.truncate_lines(given, 3, split="fair", at="$"))
    cut = [loss for row in made.to_pylist() if row for loss in row["changes"] if loss["code"] == "cut_result"]
    assert len(cut) > 20

    column = pa.array([json.dumps(LLAMA)])
    given = [json.dumps(LLAMA).encode()]
    for wanted in (False, True):
        results: Any = {"at": "$", "tool_results": wanted}
        made = [
            arrow.prepare(column, "openai", source="llama", **results),
            arrow.check(column, "openai", source="llama", **results),
            arrow.truncate(column, 3, source="llama", **results),
        ]
        assert [lines(one) for one in made] == [
            list(batch.prepare_lines(given, "openai", source="llama", **results)),
            list(batch.check_lines(given, "openai", source="llama", **results)),
            list(batch.truncate_lines(given, 3, source="llama", **results)),
        ]

    def count(_: str) -> int:
        raise RuntimeError("of the counter")

    with pytest.raises(RuntimeError, match="of the counter"):
        arrow.prepare(column, "anthropic", budget=tw.Budget(max_tokens=5, count=count))


def test_too_much_for_an_array_is_cut_for_a_chunked_one(monkeypatch: pytest.MonkeyPatch) -> None:
    column = pa.chunked_array([pa.array([HELLO] * 1_000)])
    monkeypatch.setattr(arrow, "_MOST", 5_000)
    made = arrow.convert(column, "gemini", source="openai", settings="omit")
    assert made.num_chunks > 5
    assert lines(made.combine_chunks()) == [AS_GEMINI.encode()] * 1_000
    real = arrow._made

    def full(array: Any, *args: Any) -> Any:
        if len(array) > 300:
            raise tw.TurnwireError("full", code="too_large")
        return real(array, *args)

    monkeypatch.setattr(arrow, "_MOST", 1 << 28)
    monkeypatch.setattr(arrow, "_made", full)
    assert arrow.convert(column, "gemini", source="openai", settings="omit").num_chunks == 4
    with pytest.raises(tw.TurnwireError, match="full"):
        arrow.convert(pa.array([HELLO] * 1_000), "gemini", source="openai", settings="omit")


def test_without_the_extra_arrow_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "turnwire.arrow")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"turnwire\[arrow\]"):
        import turnwire.arrow  # noqa: F401
