"""Bad rows and bad arguments: how each function for lines, files and columns reports them, in one table each."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire import batch

pa = pytest.importorskip("pyarrow", reason="the extra arrow is not installed")

from turnwire import arrow  # noqa: E402

FUNCTIONS: dict[str, tuple[Callable[..., Iterator[bytes]], Any, tuple[Any, ...], dict[str, Any]]] = {
    "convert": (batch.convert_lines, arrow.convert, ("anthropic",), {"source": "openai", "settings": "omit"}),
    "check": (batch.check_lines, arrow.check, ("same",), {"source": "openai"}),
    "repair": (batch.prepare_lines, None, ("same",), {"source": "openai"}),
    "prepare": (batch.prepare_lines, arrow.prepare, ("anthropic", 1000), {"source": "openai", "settings": "omit"}),
    "truncate": (batch.truncate_lines, arrow.truncate, (10,), {"source": "openai"}),
}
Says = dict[str, Any]


def said(content: bytes) -> bytes:
    return b'{"messages":[{"role":"user","content":%s}]}' % content


CONTENT = "$.messages[0].content"
# What every function reports for a row: the code and the path of its error.
REFUSED = {
    "NUL": (b"\0", "invalid_json", "$"),
    "null": (b"null", "wrong_type", "$"),
    "a number": (b"1", "wrong_type", "$"),
    "a text": (b'"hi"', "wrong_type", "$"),
    "an object of nothing": (b"{}", "missing_key", "$"),
    "null for messages": (b'{"messages":null}', "missing_key", "$"),
    "a text for messages": (b'{"messages":"hi"}', "wrong_type", "$.messages"),
    "a number for a message": (b'{"messages":[1]}', "wrong_type", "$.messages[0]"),
    "no role": (b'{"messages":[{"content":"a"}]}', "missing_key", "$.messages[0]"),
    "an unknown role": (b'{"messages":[{"role":"robot","content":"a"}]}', "unknown_role", "$.messages[0].role"),
    "cut off": (said(b'"a"')[:-4], "invalid_json", CONTENT),
    "more behind it": (said(b'"a"') + b" x", "invalid_json", "$"),
    "two on a line": (said(b'"a"') * 2, "invalid_json", "$"),
    "not UTF-8": (said(b'"\xff"'), "invalid_json", CONTENT),
    "NaN": (said(b"NaN"), "invalid_json", CONTENT),
    "a control character": (said(b'"\x01"'), "invalid_json", CONTENT),
    "a huge number": (said(b"1" * 5_000), "wrong_type", CONTENT),
    "nested too deep": (b"[" * 10_000, "too_deep", "$" + "[0]" * tw.constants.MAX_DEPTH),
    "objects nested too deep": (b'{"a":' * 300, "too_deep", "$" + ".a" * tw.constants.MAX_DEPTH),
}


def of_lines(name: str, row: bytes) -> tuple[bytes | None, tuple[str, str] | None]:
    """The row's payload, or the code and the path of its error."""
    lines, _, args, options = FUNCTIONS[name]
    failed: list[batch.RowError] = []
    made = list(lines([row], *args, errors=failed.append, **options))
    assert len(made) + len(failed) == 1
    return (made[0], None) if made else (None, (failed[0].code, failed[0].path))


@pytest.mark.parametrize("row", REFUSED)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_bad_row_is_an_error_of_its_own(name: str, row: str) -> None:
    text, code, path = REFUSED[row]
    assert of_lines(name, text) == (None, (code, path))


@pytest.mark.parametrize("row", [*REFUSED, "half a character", "NUL in a text", "a key twice", "no messages"])
@pytest.mark.parametrize("name", [name for name, (_, column, _, _) in FUNCTIONS.items() if column])
def test_a_column_says_what_lines_say(name: str, row: str) -> None:
    others = {
        "half a character": said(rb'"\ud83d"'),
        "NUL in a text": said(rb'"\u0000"'),
        "a key twice": b'{"messages":[{"role":"user","role":"user","content":"a"}]}',
        "no messages": b"[]",
    }
    text = others[row] if row in others else REFUSED[row][0]
    _, column, args, options = FUNCTIONS[name]
    (made,) = column(pa.array([text], pa.binary()), *args, **options).to_pylist()
    error = made["error"] and (made["error"]["code"], made["error"]["path"])
    assert (made["payload"], error) == of_lines(name, text)


def test_what_is_odd_and_no_error() -> None:
    assert of_lines("convert", said(rb'"\ud83d"'))[0] == said('"\ufffd"'.encode())
    assert of_lines("truncate", said(rb'"\ud83d"'))[0] == said(rb'"\ud83d"')
    assert of_lines("convert", said(rb'"\u0000"'))[0] == said(rb'"\u0000"')
    assert of_lines("convert", b"[]")[0] == b'{"messages":[]}'
    assert of_lines("convert", b"\xef\xbb\xbf" + said(b'"a"'))[0] == said(b'"a"')
    for nothing in (b"", b" \t\r\n"):
        assert list(batch.convert_lines([nothing], "gemini", source="openai")) == []
        (made,) = arrow.convert(pa.array([nothing], pa.binary()), "gemini", source="openai").to_pylist()
        assert made["error"]["code"] == "invalid_json"  # a row of a column is one row, whatever it holds


LINES = [said(b'"a"')]
COLUMN = pa.array([line.decode() for line in LINES])
ANY: dict[str, Callable[..., Any]] = {
    "convert": lambda **wrong: batch.convert_lines(LINES, **{"source": "openai", "target": "gemini", **wrong}),
    "check": lambda **wrong: batch.check_lines(LINES, **wrong),
    "repair": lambda **wrong: batch.prepare_lines(LINES, **wrong),
    "prepare": lambda **wrong: batch.prepare_lines(LINES, **{"target": "openai", **wrong}),
    "truncate": lambda **wrong: batch.truncate_lines(LINES, **{"max_bytes": 9, **wrong}),
    "convert column": lambda **wrong: arrow.convert(COLUMN, **{"source": "openai", "target": "gemini", **wrong}),
    "check column": lambda **wrong: arrow.check(COLUMN, **wrong),
    "prepare column": lambda **wrong: arrow.prepare(COLUMN, **{"target": "openai", **wrong}),
    "truncate column": lambda **wrong: arrow.truncate(COLUMN, **{"max_bytes": 9, **wrong}),
}
DIALECTS = {
    "convert": ("source", "target"),
    "check": ("source", "target"),
    "repair": ("source", "target"),
    "prepare": ("source", "target"),
    "truncate": ("source",),
}
NAMES = [(name, key) for name in ANY for key in DIALECTS[name.removesuffix(" column")]]


@pytest.mark.parametrize(("name", "key"), NAMES)
def test_an_unknown_dialect(name: str, key: str) -> None:
    for wrong in ("antropic", "", "open\0ai", "\ud800", "x" * 100_000, "openai:"):
        with pytest.raises(tw.UnknownDialectError) as raised:
            ANY[name](**{key: wrong})
        assert raised.value.code == "unknown_dialect"
        assert ("did you mean" in str(raised.value)) == (wrong in ("antropic", "open\0ai", "openai:"))
    for mistaken in (1, b"openai", ["openai"], None):
        with pytest.raises(TypeError):
            ANY[name](**{key: mistaken})


@pytest.mark.parametrize("name", ANY)
def test_threads_and_places(name: str) -> None:
    for wrong in ("2", 1.5, None, True):
        with pytest.raises(TypeError, match="threads"):
            ANY[name](threads=wrong)
    with pytest.raises(tw.TurnwireError) as raised:
        ANY[name](threads=-1)
    assert raised.value.code == "out_of_range"
    ANY[name](threads=1 << 80)
    for place in ("", "a..b", ".", "a."):
        with pytest.raises(tw.TurnwireError) as raised:
            ANY[name](at=place)
        assert raised.value.code == "unknown_option"
    for mistaken in (3, b"body"):
        with pytest.raises(TypeError):
            ANY[name](at=mistaken)
    # A key that no row has is an error of each row.
    for absent in ("\0", "\ud800", "body"):
        made = ANY[name](at=absent)
        errors = [None] * len(list(made)) if name in DIALECTS else [row["error"]["code"] for row in made.to_pylist()]
        assert errors == ([] if name in DIALECTS else ["missing_key"])


@pytest.mark.parametrize("name", ["prepare", "prepare column", "truncate", "truncate column"])
def test_budgets(name: str) -> None:
    key = "budget" if name.startswith("prepare") else "max_bytes"
    with pytest.raises(tw.TurnwireError) as raised:
        ANY[name](**{key: -1})
    assert raised.value.code == "negative_budget"
    for wrong in ("3", 1.5, True, b"", *([None] if "truncate" in name else [])):
        with pytest.raises(TypeError, match="expected an int"):
            ANY[name](**{key: wrong})
    for fine in (0, 1 << 80):
        ANY[name](**{key: fine})


@pytest.mark.parametrize(
    ("name", "wrong", "kind"),
    [
        ("convert", {"settings": "no"}, tw.TurnwireError),
        ("convert", {"settings": 5}, TypeError),
        ("convert", {"end": 3}, TypeError),
        ("convert", {"reasoning": "no"}, tw.TurnwireError),
        ("convert", {"nonsense": 1}, TypeError),
        ("check", {"nonsense": 1}, TypeError),
        ("repair", {"wording": {"opening": 5}}, TypeError),
        ("prepare", {"system": 5}, TypeError),
        ("prepare", {"tools": 5}, TypeError),
        ("prepare", {"settings": "caller"}, tw.TurnwireError),
        ("truncate", {"split": "odd"}, tw.TurnwireError),
        ("truncate", {"suffix": 3}, TypeError),
    ],
)
def test_options(name: str, wrong: Says, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        ANY[name](**wrong)


def test_lone_surrogates_in_options_are_replaced() -> None:
    long = json.dumps([{"role": "tool", "tool_call_id": "a", "content": "r" * 99}]).encode()
    (cut,) = batch.truncate_lines([long], 10, source="openai", suffix="\ud800")
    assert json.loads(cut)["messages"][0]["content"] == "r" * 7 + "\ufffd"
    (made,) = batch.prepare_lines(LINES, "openai", system="\ud800")
    assert json.loads(made)["messages"][0]["content"] == "\ufffd"


def test_what_is_no_iterable_of_lines_and_no_column() -> None:
    wrong: Any
    for wrong in (None, "text", b"bytes", bytearray(), 5, [1], ["text"], [None], [memoryview(b"x")]):
        with pytest.raises(TypeError):
            list(batch.convert_lines(wrong, "gemini", source="openai"))
    for wrong in (None, "text", b"bytes", 5, [b"x"], {}, pa.array([1]), pa.table({"a": [1]})):
        with pytest.raises(TypeError):
            arrow.convert(wrong, "gemini", source="openai")
    assert list(batch.convert_lines([], "gemini", source="openai")) == []
    for column in (pa.array([], pa.string()), pa.array([None]), pa.chunked_array([], pa.string())):
        assert len(arrow.convert(column, "gemini", source="openai")) == len(column)
    with pytest.raises(TypeError):
        arrow.result_type(3)


@pytest.mark.parametrize("key", ["path", "out", "errors"])
def test_paths(tmp_path: Path, key: str) -> None:
    (tmp_path / "in").write_bytes(LINES[0])

    def run(place: Any) -> None:
        given = {"path": tmp_path / "in", "out": tmp_path / "out", "errors": None, key: place}
        batch.convert_file(given.pop("path"), given.pop("out"), "gemini", source="openai", **given)

    for mistaken in (5, b"in", *([] if key == "errors" else [None])):
        with pytest.raises(TypeError):
            run(mistaken)
    for wrong in (tmp_path, tmp_path / "no" / "such", ""):
        with pytest.raises(OSError):
            run(wrong)
    with pytest.raises(ValueError, match="null"):
        run("a\0b")
    assert [one.name for one in tmp_path.iterdir()] == ["in"]
