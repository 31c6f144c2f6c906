"""Files and streams of lines: each line has the result of the function for one, in any file, whatever breaks."""

import gzip
import io
import json
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire import batch
from turnwire.batch import blocks as _blocks

VECTORS = [
    vector
    for path in sorted((Path(__file__).parent / "vectors").glob("*.json"))
    for vector in json.loads(path.read_text(encoding="utf-8"))
    if isinstance(vector, dict) and {"source", "target", "expect"} <= vector.keys()
]
PAYLOADS = [vector["payload"] for vector in VECTORS if "payload" in vector]
HELLO = {"messages": [{"role": "user", "content": "héllo\u2028"}], "model": "m"}
CALLS: list[dict[str, Any]] = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "q"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}],
        "odd": 1,
    },
    {"role": "tool", "tool_call_id": "c", "content": "r" * 300},
]
LLAMA = [
    {"role": "user", "content": "find it"},
    {"role": "assistant", "content": '{"name": "look", "parameters": {}}'},
    {"role": "user", "content": '{"tool_result": {"name": "look", "result": "here it is"}}'},
]
Json = dict[str, Any]


REQUESTS: Json = {"end": "request", "settings": "omit"}
"""What makes a function for files do the same as one for a body."""


def dumped(row: object) -> bytes:
    try:
        return json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(row).encode()


def one(row: bytes, source: Any, target: Any, **options: Any) -> bytes | tuple[str, str]:
    """The result of `convert_json` for a row: the oracle."""
    try:
        return tw.convert_json(row, target, source=source, **options).payload
    except tw.TurnwireError as error:
        return error.code, error.path


def converted(rows: list[bytes], source: Any, target: Any, **options: Any) -> list[bytes | tuple[str, str]]:
    """The result of `convert_lines` for each row, as for a request."""
    failed: dict[int, tuple[str, str]] = {}

    def note(error: batch.RowError) -> None:
        failed[error.line] = (error.code, error.path)

    good = iter(list(batch.convert_lines(rows, target, source=source, errors=note, at="$", **REQUESTS, **options)))
    return [failed[line] if line in failed else next(good) for line in range(1, len(rows) + 1)]


@pytest.mark.parametrize("target", tw.dialects())
def test_every_row_is_what_convert_json_says(target: Any) -> None:
    rows = [dumped(payload) for payload in PAYLOADS] + [b"{", b"\xff", b"[" * 300, b"null", b'"text"']
    assert len(rows) > 200
    for options in ({}, {"strict": True, "reasoning": "text"}):
        expected = [one(row, "auto", target, **options) for row in rows]
        for threads in (1, 2):
            assert converted(rows, "auto", target, threads=threads, **options) == expected, threads


def test_each_dialect_by_its_name() -> None:
    for vector in VECTORS:
        if "payload" in vector:
            row, names = dumped(vector["payload"]), (vector["source"], vector["target"])
            assert converted([row], *names) == [one(row, *names)]


def write(path: Path, *lines: bytes, end: bytes = b"\n") -> Path:
    path.write_bytes(b"".join(line + end for line in lines))
    return path


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_file(tmp_path: Path, threads: int) -> None:
    # Several blocks, lines from 60 bytes to more than a block.
    rows = [
        dumped({"messages": [*CALLS, {"role": "user", "content": "長い" * (at * 997 % 60_000)}]}) for at in range(90)
    ]
    rows[40] = dumped([{"role": "user", "content": "x" * 5_000_000}])
    rows[50] = b'{"messages": [{"role": "nobody"}]}'
    rows[60] = b""
    source = write(tmp_path / "in.jsonl", *rows)
    seen: list[batch.Report] = []
    report = batch.convert_file(
        source,
        tmp_path / "out.jsonl",
        "anthropic",
        source="openai",
        settings="omit",
        threads=threads,
        errors=tmp_path / "failed.jsonl",
        progress=seen.append,
    )
    good = [tw.convert_json(row, "anthropic", source="openai") for row in rows if row and b"nobody" not in row]
    out = tmp_path / "out.jsonl"
    assert out.read_bytes() == b"".join(rendered.payload + b"\n" for rendered in good)
    assert read(tmp_path / "failed.jsonl") == [
        {
            "line": 51,
            "code": "unknown_role",
            "path": "$.messages[0].role",
            "message": read(tmp_path / "failed.jsonl")[0]["message"],
        }
    ]
    made = Counter((change.kind, change.code) for rendered in good for change in rendered.receipt)
    assert (report.rows, report.failed) == (89, 1)
    assert {(one.kind, one.code): one.times for one in report.changes} == made
    assert made.total() > 80
    assert (report.bytes_in, report.bytes_out) == (source.stat().st_size, out.stat().st_size)
    assert report.seconds > 0
    assert len(seen) > 3
    assert [said.rows for said in seen] == sorted(said.rows for said in seen)
    assert seen[-1].rows == 89
    assert sorted(path.name for path in tmp_path.iterdir()) == ["failed.jsonl", "in.jsonl", "out.jsonl"]


HELLOS = dumped(HELLO)
AS_ANTHROPIC = tw.convert_json(HELLO, "anthropic", source="openai").payload


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (b"", 0),
        (b"\n \r\n", 0),
        (b"\xef\xbb\xbf", 0),
        (HELLOS, 1),
        (b"\xef\xbb\xbf" + HELLOS + b"\r\n" + HELLOS + b"\r\n", 2),
        (b"\n\n" + HELLOS + b"\n\n" + HELLOS, 2),
    ],
    ids=["empty", "blank", "BOM alone", "no newline at the end", "BOM and CRLF", "blank lines"],
)
def test_what_a_file_may_look_like(tmp_path: Path, content: bytes, rows: int) -> None:
    (tmp_path / "in").write_bytes(content)
    report = batch.convert_file(tmp_path / "in", tmp_path / "out", "anthropic", source="openai", settings="omit")
    assert (report.rows, report.failed) == (rows, 0)
    assert (tmp_path / "out").read_bytes() == (AS_ANTHROPIC + b"\n") * rows
    assert (
        list(batch.convert_lines(content.splitlines(keepends=True), "anthropic", source="openai", settings="omit"))
        == [AS_ANTHROPIC] * rows
    )


def test_only_white_space_of_json_is_around_a_row(tmp_path: Path) -> None:
    odd = [b"\f", b" \f ", b"\f" + HELLOS, HELLOS + b"\f", b"\v", b"\xc2\xa0" + HELLOS, b" \t" + HELLOS + b" \t\r"]
    source = write(tmp_path / "in", *odd)
    report = batch.convert_file(
        source, tmp_path / "out", "anthropic", source="openai", settings="omit", errors=tmp_path / "e"
    )
    assert (report.rows, report.failed) == (5, 4)
    assert [one["line"] for one in read(tmp_path / "e")] == [3, 4, 5, 6]
    assert {one["code"] for one in read(tmp_path / "e")} == {"invalid_json"}
    assert (tmp_path / "out").read_bytes() == AS_ANTHROPIC + b"\n"
    failed: list[batch.RowError] = []
    assert list(batch.convert_lines(odd, "anthropic", source="openai", settings="omit", errors=failed.append)) == [
        AS_ANTHROPIC
    ]
    assert [one.line for one in failed] == [3, 4, 5, 6]


def test_a_failing_line_does_not_stop_the_run(tmp_path: Path) -> None:
    bad = [b"{", b"\xff\xfe", b"[1]", b"\xef\xbb\xbf" + HELLOS, b'{"contents": []}', b"x" * 100]
    rows = [line for one in bad for line in (HELLOS, one)]
    report = batch.convert_file(
        write(tmp_path / "in", *rows),
        tmp_path / "out",
        "anthropic",
        source="openai",
        settings="omit",
        errors=tmp_path / "e",
    )
    assert (report.rows, report.failed) == (12, 6)
    assert (tmp_path / "out").read_bytes() == (AS_ANTHROPIC + b"\n") * 6
    failed = read(tmp_path / "e")
    assert [one["line"] for one in failed] == [2, 4, 6, 8, 10, 12]
    codes = ["invalid_json", "invalid_json", "wrong_type", "invalid_json", "wrong_dialect", "invalid_json"]
    assert [one["code"] for one in failed] == codes
    for failure, row in zip(failed, bad, strict=True):
        with pytest.raises(tw.TurnwireError) as raised:
            tw.convert_json(row, "anthropic", source="openai")
        assert failure["message"] in str(raised.value)
    with pytest.raises(tw.ParseError, match=r"^line 2: expected") as stopped:
        batch.convert_file(tmp_path / "in", tmp_path / "out2", "anthropic", source="openai", settings="omit", stop=True)
    assert (stopped.value.code, stopped.value.path, stopped.value.dialect) == ("invalid_json", "$", "openai")
    assert not (tmp_path / "out2").exists()
    lazily = batch.convert_lines(rows, "anthropic", source="openai", settings="omit", stop=True)
    assert next(lazily) == AS_ANTHROPIC
    with pytest.raises(tw.ParseError, match=r"^line 2: "):
        next(lazily)


def test_a_mixed_file_is_read_line_by_line(tmp_path: Path) -> None:
    rows = [
        tw.convert(CALLS, target, source="openai").payload for target in ("anthropic", "gemini", "bedrock", "openai")
    ]
    source = write(tmp_path / "in", *map(dumped, rows))
    assert batch.convert_file(source, tmp_path / "out", "openai").failed == 0
    for line in read(tmp_path / "out"):
        assert [message["role"] for message in line["messages"]] == ["system", "user", "assistant", "tool"]


def test_envelopes_in_a_file(tmp_path: Path) -> None:
    text = b'{ "custom_id": "r-1", "method":"POST", "body":%s, "n":1.0 }'
    source = write(tmp_path / "in", text % HELLOS, b'{"custom_id":"r-2","response":{"body":{}}}')
    failed: list[batch.RowError] = []
    batch.convert_file(source, tmp_path / "out", "anthropic", source="openai", settings="omit", errors=failed.append)
    assert (tmp_path / "out").read_bytes() == text % AS_ANTHROPIC + b"\n"
    assert [(one.line, one.code, one.path) for one in failed] == [(2, "wrong_type", "$.response")]
    assert list(batch.convert_lines([text % HELLOS], "anthropic", source="openai", settings="omit", at="body")) == [
        text % AS_ANTHROPIC
    ]
    with pytest.raises(tw.TurnwireError, match="at is"):
        batch.convert_lines([], "anthropic", source="openai", settings="omit", at="a..b")


def test_lists_of_rows_are_rows_of_their_own() -> None:
    def said(text: bytes) -> tuple[list[bytes], list[tuple[str, str]]]:
        failed: list[batch.RowError] = []
        made = list(batch.convert_lines([text], "anthropic", settings="omit", errors=failed.append))
        return made, [(one.code, one.path) for one in failed]

    requests = b'{ "requests" : [ {"custom_id":"a","params":%s} , {"custom_id":"b","params":%s}], "n":1.0 }'
    traj = b'[{"task_id":1,"traj":%s,"reward":1.0}]'
    messages = json.dumps(HELLO["messages"], ensure_ascii=False).encode()
    for text, given in ((requests, (HELLOS, HELLOS)), (b"[%s , %s]", (HELLOS, HELLOS)), (traj, (messages,))):
        made = tuple(tw.convert_json(one, "anthropic").payload for one in given)
        assert said(text % given) == ([text % made], [])
    bad = b'{"custom_id":"b","params":{"messages":[{"role":"robot"}]}}'
    assert said(b'{"requests":[{"custom_id":"a","params":%s},%s]}' % (HELLOS, bad)) == (
        [],
        [("unknown_role", "$.requests[1].params.messages[0].role")],
    )
    assert said(b'{"requests":[{"custom_id":"a","result":{}}]}') == ([], [("wrong_type", "$.requests[0].result")])
    assert said(b"[%s,5]" % HELLOS) == ([], [("wrong_type", "$[1]")])
    # A bare element is not a conversation.
    assert said(b'[{"role":"user","content":"a"},%s]' % HELLOS)[1][0][1].startswith("$[1]")
    # A bare list is one. A pair of texts is not.
    assert said(b"[%s,%s]" % (messages, messages)) == ([b"[%s,%s]" % (list_of(messages), list_of(messages))], [])
    assert said(b"[%s,[5]]" % messages) == ([], [("wrong_type", "$[1][0]")])
    assert said(b'[["hi","hello"]]') == ([], [("wrong_type", "$[0]")])


def list_of(messages: bytes) -> bytes:
    return tw.convert_json(messages, "anthropic").payload


def test_packed_files(tmp_path: Path) -> None:
    zstd = pytest.importorskip("backports.zstd")
    rows = [HELLOS] * 50_000
    plain = b"".join(row + b"\n" for row in rows)
    (tmp_path / "in.gz").write_bytes(gzip.compress(plain[:999]) + gzip.compress(plain[999:]))
    (tmp_path / "in.zst").write_bytes(zstd.compress(plain[:999]) + zstd.compress(plain[999:]))
    expected = (AS_ANTHROPIC + b"\n") * 50_000
    for source in ("in.gz", "in.zst"):
        for out, unpack in (("out", bytes), ("out.gz", gzip.decompress), ("out.zst", zstd.decompress)):
            report = batch.convert_file(
                tmp_path / source, tmp_path / out, "anthropic", source="openai", settings="omit"
            )
            assert unpack((tmp_path / out).read_bytes()) == expected
            assert report.bytes_in == (tmp_path / source).stat().st_size
            assert report.bytes_out == (tmp_path / out).stat().st_size
    for name in ("in.gz", "in.zst"):
        whole = (tmp_path / name).read_bytes()
        for at, damaged in enumerate([whole[:-3], whole[: len(whole) // 2], whole[:40] + b"\x00" * 50 + whole[90:]]):
            (tmp_path / f"bad{at}").write_bytes(damaged)
            with pytest.raises(tw.TurnwireError, match=f"bad{at} is cut off or damaged") as raised:
                batch.convert_file(
                    tmp_path / f"bad{at}", tmp_path / "never", "anthropic", source="openai", settings="omit"
                )
            assert raised.value.code == "damaged_file"
            assert not list(tmp_path.glob("never*"))
    (tmp_path / "none").write_bytes(b"")
    batch.convert_file(tmp_path / "none", tmp_path / "none.gz", "anthropic", source="openai", settings="omit")
    assert gzip.decompress((tmp_path / "none.gz").read_bytes()) == b""


def test_without_the_extra_zstd_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").write_bytes(b"\x28\xb5\x2f\xfd")
    monkeypatch.setitem(sys.modules, "backports", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    with pytest.raises(ImportError, match=r"turnwire\[zstd\]"):
        batch.convert_file(tmp_path / "in", tmp_path / "out", "anthropic", source="openai", settings="omit")
    assert not list(tmp_path.glob("out*"))


def test_what_cannot_be_read_or_written(tmp_path: Path) -> None:
    source = write(tmp_path / "in", HELLOS)

    def convert(path: Any = source, out: Any = tmp_path / "out", **options: Any) -> object:
        return batch.convert_file(
            path, out, "anthropic", source=options.pop("source", "openai"), settings="omit", **options
        )

    with pytest.raises(FileNotFoundError):
        convert(tmp_path / "missing")
    with pytest.raises(IsADirectoryError):
        convert(tmp_path)
    for options in ({"out": tmp_path / "no" / "out"}, {"errors": tmp_path / "no" / "errors"}):
        with pytest.raises(FileNotFoundError):
            convert(**options)
    (tmp_path / "link").symlink_to(source)
    for options in ({"out": source}, {"out": tmp_path / "link"}, {"errors": source}, {"errors": tmp_path / "out"}):
        with pytest.raises(tw.TurnwireError, match="expected another file") as raised:
            convert(**options)
        assert raised.value.code == "conflicting_options"
    with pytest.raises(tw.UnknownDialectError):
        convert(source="nobody")
    with pytest.raises(TypeError, match="unexpected keyword argument 'strickt'"):
        convert(strickt=True)
    with pytest.raises(tw.TurnwireError, match="expected one of"):
        convert(reasoning="no")
    for threads, kind in ((-1, tw.TurnwireError), (True, TypeError), ("2", TypeError)):
        with pytest.raises(kind, match="threads"):
            convert(threads=threads)
    assert source.read_bytes() == HELLOS + b"\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "link"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full, which Linux has")
def test_a_full_disk(tmp_path: Path) -> None:
    source = write(tmp_path / "in", HELLOS, b"{")
    with pytest.raises(OSError, match="No space left"):
        batch.convert_file(source, "/dev/full", "anthropic", source="openai", settings="omit")
    with pytest.raises(OSError, match="No space left"):
        batch.convert_file(source, tmp_path / "out", "anthropic", source="openai", settings="omit", errors="/dev/full")
    assert Path("/dev/full").is_char_device()
    assert not list(Path("/dev").glob("full.*"))
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_a_link_is_written_through_and_keeps_its_mode(tmp_path: Path) -> None:
    source = write(tmp_path / "in", HELLOS)
    real = write(tmp_path / "real", b"old")
    real.chmod(0o600)
    (tmp_path / "link").symlink_to(real)
    batch.convert_file(source, tmp_path / "link", "anthropic", source="openai", settings="omit")
    assert (tmp_path / "link").is_symlink()
    assert real.read_bytes() == AS_ANTHROPIC + b"\n"
    assert real.stat().st_mode & 0o777 == 0o600


def test_iterables(caplog: pytest.LogCaptureFixture) -> None:
    taken = 0

    def endless() -> Any:
        nonlocal taken
        while True:
            taken += 1
            yield HELLOS

    lines = batch.convert_lines(endless(), "anthropic", source="openai", settings="omit", threads=1)
    assert taken == 0
    assert next(lines) == AS_ANTHROPIC
    assert taken <= 1 << 13
    with io.BytesIO(HELLOS + b"\n{\n" + HELLOS) as file, caplog.at_level(logging.WARNING, "turnwire"):
        assert list(batch.convert_lines(file, "anthropic", source="openai", settings="omit")) == [AS_ANTHROPIC] * 2
    assert "1 of 3 lines failed" in caplog.text
    assert list(batch.convert_lines([], "anthropic", source="openai", settings="omit")) == []
    assert list(batch.convert_lines([bytearray(HELLOS)], "anthropic", source="openai", settings="omit")) == [
        AS_ANTHROPIC
    ]
    for wrong in (HELLOS, "text", 3):
        with pytest.raises(TypeError):
            batch.convert_lines(wrong, "anthropic", source="openai", settings="omit")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="one with a str"):
        list(batch.convert_lines(["text"], "anthropic", source="openai", settings="omit"))  # type: ignore[list-item]


def test_rows_of_a_slow_source_do_not_wait_for_those_behind_them() -> None:
    read = 0

    def slowly() -> Iterator[bytes]:
        nonlocal read
        for _ in range(4):
            time.sleep(0.05)
            read += 1
            yield json.dumps(HELLO).encode()

    assert [read for _ in batch.convert_lines(slowly(), "anthropic", source="openai", settings="omit")] == [1, 2, 3, 4]


def test_errors_of_lines_go_to_a_file_too(tmp_path: Path) -> None:
    assert list(
        batch.convert_lines([b"{", HELLOS], "anthropic", source="openai", settings="omit", errors=tmp_path / "e")
    ) == [AS_ANTHROPIC]
    assert [(one["line"], one["code"]) for one in read(tmp_path / "e")] == [(1, "invalid_json")]


# --- Everything that can be done with a line ---

CALL = CALLS[2]["tool_calls"][0]
BROKEN = [
    {"role": "user", "content": "q"},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [CALL, {**CALL, "id": "d"}],
    },
    {"role": "tool", "tool_call_id": "d", "content": "r" * 300},
    {"role": "tool", "tool_call_id": "nobody", "content": "o"},
    {"role": "user", "content": [{"type": "text", "text": "é\ud800" * 50}]},
]
TOOLS = [{"name": "look", "description": "d", "input_schema": {"type": "object"}}]
ROWS = [*(dumped(payload) for payload in PAYLOADS), dumped(BROKEN), b'{"messages": [{"role": "us', dumped(CALLS * 3)]


def each(lines: Any, errors: list[batch.RowError], rows: list[bytes]) -> list[bytes | tuple[str, str]]:
    """A result for each row: a payload, or code and path."""
    good = iter(list(lines))
    failed = {error.line: (error.code, error.path) for error in errors}
    return [failed[line] if line in failed else next(good) for line in range(1, len(rows) + 1)]


def tried(work: Any, row: bytes) -> Any:
    try:
        return work(row)
    except tw.TurnwireError as error:
        return error.code, error.path


@pytest.mark.parametrize(
    ("target", "budget", "options"),
    [
        ("openai", None, {}),
        ("anthropic", tw.Budget(400, reserve=0.5), {"system": ["a", "b"], "tools": TOOLS}),
        ("gemini", 150, {"end": "calls", "reasoning": "text", "pinned": [0]}),
        ("bedrock", None, {"wording": {"opening": "go"}, "strict": True, "source": "auto", "system": "s"}),
        ("anthropic", tw.Budget(max_tokens=90, count=len), {"wording": {"opening": "go"}}),
        ("openai", None, {"summary": {"summary": "so far", "startMessageId": "m2", "messageIds": ["m1"]}}),
    ],
)
def test_prepared_lines_are_what_prepare_json_says(target: Any, budget: Any, options: Any) -> None:
    errors: list[batch.RowError] = []
    options = REQUESTS | options
    lines = batch.prepare_lines(ROWS, target, budget, errors=errors.append, at="$", threads=2, **options)
    expected = [tried(lambda row: tw.prepare_json(row, target, budget, **options).payload, row) for row in ROWS]
    assert each(lines, errors, ROWS) == expected
    assert len({type(one) for one in expected}) == 2


def test_checked_lines_are_what_check_says(tmp_path: Path) -> None:
    names = ("kind", "code", "severity", "path", "reason", "action", "id")

    def found(row: bytes) -> list[Json]:
        said = [{name: getattr(one, name) for name in names} for one in tw.check(row, "anthropic")]
        return [{name: value for name, value in one.items() if value is not None} for one in said]

    errors: list[batch.RowError] = []
    lines = batch.check_lines(ROWS, "anthropic", errors=errors.append, at="$", end="request")
    got = [json.loads(one) if isinstance(one, bytes) else one for one in each(lines, errors, ROWS)]
    expected = [tried(found, row) for row in ROWS]
    assert got == expected
    report = batch.check_file(
        write(tmp_path / "in", *ROWS), tmp_path / "out", target="anthropic", at="$", end="request"
    )
    listed = [{"line": line, **one} for line, some in enumerate(expected, 1) if isinstance(some, list) for one in some]
    assert read(tmp_path / "out") == listed
    assert (report.rows, sum(one.times for one in report.changes)) == (len(ROWS), len(listed))
    assert report.failed == sum(isinstance(one, tuple) for one in expected) > 0
    envelope = dumped({"custom_id": "r", "body": {"messages": BROKEN}})
    batch.check_file(write(tmp_path / "in", envelope), tmp_path / "out")
    assert {one["path"].split("[")[0] for one in read(tmp_path / "out")} == {"$.body.messages"}


def test_repaired_lines_are_what_a_build_says(tmp_path: Path) -> None:
    def repair(row: bytes) -> bytes:
        dialect: Any = tw.detect(row)
        built = tw.spec.MessageBuilder().set_messages(row, dialect).build(dialect, end="calls")
        return built.render_json(dialect).payload

    errors: list[batch.RowError] = []
    lines = batch.prepare_lines(ROWS, errors=errors.append, at="$", end="calls", settings="omit")
    assert each(lines, errors, ROWS) == [tried(repair, row) for row in ROWS]
    batch.prepare_file(write(tmp_path / "in", dumped(CALLS), dumped(BROKEN)), tmp_path / "out", source="openai")
    first, second = read(tmp_path / "out")
    assert first == {"messages": CALLS}
    assert [message["role"] for message in second["messages"]] == ["user", "assistant", "tool", "tool", "user"]


@pytest.mark.parametrize("split", ["even", "fair"])
def test_truncated_lines_are_cut_in_their_results_alone(tmp_path: Path, split: Any) -> None:
    blocks = [{"type": "text", "text": "日本" * 100}, {"type": "text", "text": "b"}]
    given = {
        "messages": [
            *CALLS,
            {"role": "tool", "tool_call_id": "c", "content": blocks},
            {"role": "user", "content": "x" * 900},
        ]
    }
    source = write(tmp_path / "in", dumped({"messages": CALLS}), dumped(given), b"{")
    report = batch.truncate_file(source, tmp_path / "out", 400, split=split, suffix="…")
    whole, cut = read(tmp_path / "out")
    assert whole == {"messages": CALLS}
    results = [tw.ToolUseResult("c", "r" * 300), tw.ToolUseResult("c", [block["text"] for block in blocks])]
    expected = tw.text.truncate_tool_results(results, 400, split=split, suffix="…")
    said = [[block.text for block in result.content] for result in expected]
    contents = [message["content"] for message in cut["messages"] if message["role"] == "tool"]
    got = [[content] if isinstance(content, str) else [block["text"] for block in content] for content in contents]
    assert got == said
    cuts = sum(old != new for old, new in zip(results, expected, strict=True))
    assert (report.failed, [(one.code, one.times) for one in report.changes]) == (1, [("cut_result", cuts)])
    others = [message for message in cut["messages"] if message["role"] != "tool"]
    assert others == [message for message in given["messages"] if message["role"] != "tool"]
    assert list(batch.truncate_lines([dumped({"messages": CALLS})], 300)) == [dumped({"messages": CALLS})]
    with pytest.raises(tw.TurnwireError) as raised:
        batch.truncate_lines([], -1)
    assert raised.value.code == "negative_budget"


@pytest.mark.parametrize("wanted", [False, True])
def test_results_in_the_text_of_users_are_read_where_the_caller_says_so(tmp_path: Path, wanted: bool) -> None:
    given, options = [dumped(LLAMA)], {"at": "$", "tool_results": wanted}
    read_as = tw.Conversation.parse(given[0], "llama", tool_results=wanted)

    def built(target: Any) -> tw.Conversation:
        return tw.spec.MessageBuilder().set_messages(read_as).build(target)

    lines = batch.prepare_lines(given, "openai", source="llama", **options)
    assert list(lines) == [built("openai").render_json("openai").payload]
    assert list(batch.prepare_lines(given, source="llama", **options)) == [built("llama").render_json("llama").payload]
    (found,) = batch.check_lines(given, "openai", source="llama", **options)
    assert [one["code"] for one in json.loads(found)] == [one.code for one in tw.check(read_as, target="openai")]
    (cut,) = batch.truncate_lines(given, 4, source="llama", suffix="", **options)
    assert (json.loads(json.loads(cut)[2]["content"])["tool_result"]["result"] == "here") is wanted
    source = write(tmp_path / "in", *given)
    batch.prepare_file(source, tmp_path / "prepared", "openai", source="llama", **options)
    batch.prepare_file(source, tmp_path / "repaired", source="llama", **options)
    batch.check_file(source, tmp_path / "found", "openai", source="llama", **options)
    batch.truncate_file(source, tmp_path / "cut", 4, source="llama", suffix="", **options)
    assert read(tmp_path / "prepared") == [built("openai").render("openai").payload]
    assert read(tmp_path / "repaired") == [built("llama").render("llama").payload]
    assert len(read(tmp_path / "found")) == len(json.loads(found))
    assert read(tmp_path / "cut") == [json.loads(cut)]


def test_a_counter_may_fail(tmp_path: Path) -> None:
    class CounterError(Exception):
        pass

    def count(_: str) -> int:
        raise CounterError

    source = write(tmp_path / "in", *[dumped(CALLS)] * 5)
    for threads in (1, 2):
        with pytest.raises(CounterError):
            batch.prepare_file(
                source, tmp_path / "out", "openai", budget=tw.Budget(max_tokens=5, count=count), threads=threads
            )
        with pytest.raises(CounterError):
            list(
                batch.prepare_lines(
                    [dumped(CALLS)] * 5, "openai", budget=tw.Budget(max_tokens=5, count=count), threads=threads
                )
            )
    with pytest.raises(tw.TurnwireError) as raised:
        list(batch.prepare_lines([dumped(CALLS)], "openai", budget=tw.Budget(max_tokens=5, count=lambda _: -1)))
    assert raised.value.code == "bad_count"
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_wrong_options_are_reported_at_once() -> None:
    hopeless: Any = batch.prepare_lines
    for options, kind in (
        ({"pinned": [-1]}, tw.TurnwireError),
        ({"pinned": [True]}, TypeError),
        ({"system": [1]}, TypeError),
        ({"tools": [1]}, tw.ParseError),
        ({"max_tokens": 1}, TypeError),
        ({"budget": "1"}, TypeError),
        ({"budget": tw.Budget(on_cut=print)}, TypeError),
        ({"reasoning": "no"}, tw.TurnwireError),
    ):
        with pytest.raises(kind):
            hopeless([], "openai", **options)
    failed: list[batch.RowError] = []
    assert list(batch.prepare_lines([dumped(CALLS)], "openai", pinned=[9], errors=failed.append)) == []
    assert failed[0].code == "out_of_range"


# --- Memory ---

PEAK = """
import sys
from turnwire import batch
report = batch.convert_file(sys.argv[1], sys.argv[2], "anthropic", source="openai", settings="omit", threads=2)
assert report.failed == 0
# `ru_maxrss` would begin with what the tests hold, which start this process.
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def peak(path: Path) -> int:
    """The peak memory of a run in kB, including the interpreter's own."""
    run = subprocess.run(
        [sys.executable, "-c", PEAK, path, path.with_suffix(".out")], capture_output=True, text=True, check=True
    )
    return int(run.stdout)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells how much memory a process had")
def test_memory_is_bounded_by_the_longest_line(tmp_path: Path) -> None:
    def one(size: int) -> bytes:
        return dumped([{"role": "user", "content": "x" * size}])

    short = write(tmp_path / "short", *[one(700_000)] * 15)
    long = write(tmp_path / "long", *[one(700_000)] * 120)
    # Eight times the file, 73 MB more.
    assert peak(long) - peak(short) < 10_000
    huge = write(tmp_path / "huge", one(20_000_000))
    nothing = write(tmp_path / "nothing", one(1))
    assert peak(huge) - peak(nothing) < 120_000


# --- Interrupted runs ---

RUN = """
import sys
from turnwire import batch
from turnwire.batch import blocks as _blocks
source, out, errors, resume = sys.argv[1:]
_blocks.SIZE = 1 << 16
batch.convert_file(
    source, out, "anthropic", source="openai", settings="omit", errors=errors, resume=resume == "yes", threads=2
)
"""


def many(path: Path) -> Path:
    rows = [
        dumped({"messages": [{"role": "user", "content": f"{at} " + "x" * (at * 131 % 3_000)}]}) for at in range(6_000)
    ]
    rows[7::501] = [b"{"] * len(rows[7::501])
    return write(path, *rows)


@pytest.mark.parametrize("name", ["out", "out.gz"])
def test_killed_and_resumed(tmp_path: Path, name: str) -> None:
    source = many(tmp_path / "in")
    whole, failed = tmp_path / f"whole-{name}", tmp_path / "whole-failed"
    subprocess.run([sys.executable, "-c", RUN, source, whole, failed, "no"], check=True)
    out, errors = tmp_path / name, tmp_path / "failed"
    log = tmp_path / f"{name}.part.log"
    chance, steps = random.Random(1), 0

    def noted() -> int:
        return len(log.read_bytes()) if log.exists() else 0

    for _ in range(int(os.environ.get("TURNWIRE_KILLS", "4"))):
        before = noted()
        run = subprocess.Popen([sys.executable, "-c", RUN, source, out, errors, "yes"])
        until = time.monotonic() + 20
        # Before it has begun to continue, there is nothing to interrupt.
        while run.poll() is None and noted() == before and time.monotonic() < until:
            time.sleep(0.0005)
        time.sleep(chance.random() * 0.02)
        run.send_signal(signal.SIGKILL)
        if run.wait() == -signal.SIGKILL:
            steps += noted() > before
        assert not out.exists() or out.read_bytes() == whole.read_bytes()
        if out.exists():
            out.unlink()
    assert steps
    subprocess.run([sys.executable, "-c", RUN, source, out, errors, "yes"], check=True)
    assert out.read_bytes() == whole.read_bytes()
    assert errors.read_bytes() == failed.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["in", whole.name, failed.name, name, "failed"])


def test_a_break_at_every_step_is_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = many(tmp_path / "in")
    monkeypatch.setattr(_blocks, "SIZE", 1 << 20)

    class BrokenOffError(Exception):
        pass

    def run(stop_after: int | None, **options: Any) -> batch.Report:
        seen = 0

        def progress(_: object) -> None:
            nonlocal seen
            seen += 1
            if seen == stop_after:
                raise BrokenOffError

        return batch.convert_file(
            source, tmp_path / "out", "anthropic", source="openai", errors=tmp_path / "e", progress=progress, **options
        )

    whole = run(None)
    expected, failed = (tmp_path / "out").read_bytes(), (tmp_path / "e").read_bytes()
    steps = len(range(0, source.stat().st_size, 1 << 20))
    assert steps > 5
    for step in range(1, steps):
        (tmp_path / "out").unlink()
        with pytest.raises(BrokenOffError):
            run(step, resume=True)
        assert not (tmp_path / "out").exists()
        # The part that was being written at the interruption is not used.
        with (tmp_path / "out.part").open("ab") as part:
            part.write(b"torn")
        report = run(None, resume=True)
        assert (report.rows, report.failed, report.bytes_out) == (whole.rows, whole.failed, whole.bytes_out)
        assert (tmp_path / "out").read_bytes() == expected
        assert (tmp_path / "e").read_bytes() == failed
    # Without resume nothing is left, and what another job has left is not continued.
    with pytest.raises(BrokenOffError):
        run(2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["e", "in", "out"]
    with pytest.raises(BrokenOffError):
        run(2, resume=True)
    run(None, resume=True, strict=True)
    assert (tmp_path / "out").read_bytes() == expected
    with pytest.raises(BrokenOffError):
        run(2, resume=True)
    write(source, HELLOS)
    assert run(None, resume=True).rows == 1
    with pytest.raises(BrokenOffError):
        run(1, resume=True)
    (tmp_path / "out.part").unlink()
    assert run(None, resume=True).rows == 1
