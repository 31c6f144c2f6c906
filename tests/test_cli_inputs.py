"""Input of the command line: names and encodings of any kind, streams, documents, columns, signals."""

import contextlib
import gzip
import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import turnwire as tw
from random_runs import some
from turnwire.cli import main

from tests.test_cli import ASKED, OPEN, SOUND, lines, objects, run

HELLO = {"messages": [{"role": "user", "content": "hé"}]}
GEMINI = tw.convert_json(json.dumps(HELLO), "gemini", source="openai").payload + b"\n"


def turnwire(*arguments: Any, folder: Path, **options: Any) -> subprocess.CompletedProcess[bytes]:
    given = {"stdin": subprocess.DEVNULL, "capture_output": True} | options
    return subprocess.run([sys.executable, "-m", "turnwire", *arguments], cwd=folder, check=False, timeout=60, **given)


def shell(command: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    command = command.replace("turnwire", f"{sys.executable} -m turnwire", 1)
    return subprocess.run(["/bin/sh", "-c", command], cwd=folder, capture_output=True, check=False, timeout=60)


def test_a_line_number_is_no_picture(tmp_path, capfd):
    (tmp_path / "in.jsonl").write_bytes(lines(*[HELLO] * 99, b"nope"))
    _, _, err = run(capfd, "convert", tmp_path / "in.jsonl", "--target", "gemini")
    assert "in.jsonl:100: error invalid_json at $" in err


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("out", ["out.jsonl", "out.jsonl.gz"])
def test_a_stream_of_many_lines_packed_or_not(tmp_path, capfd, monkeypatch, pack, out):
    given = pack(lines(*[HELLO] * 90))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(given)))
    code, told, _ = run(capfd, "convert", "-", "--target", "gemini", "--out", tmp_path / out, "--format=json")
    assert (code, objects(told)[0]["rows"]) == (0, 90)
    written = (tmp_path / out).read_bytes()
    assert (gzip.decompress(written) if out.endswith(".gz") else written) == GEMINI * 90
    assert objects(told)[0]["bytes_out"] == len(written)
    assert [path.name for path in tmp_path.iterdir()] == [out]
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[given])
    writer.start()
    _, told, _ = run(capfd, "stats", tmp_path / "pipe", "--format=json")
    writer.join()
    assert objects(told)[0]["conversations"] == 90


def test_a_stream_that_is_cut_off_is_reported_after_its_lines(tmp_path, capfd, monkeypatch):
    whole = gzip.compress(lines(*[OPEN] * 5_000))
    for cut in (12, len(whole) // 2):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(whole[:cut])))
        code, out, err = run(capfd, "convert", "-", "--target", "anthropic")
        assert (code, bool(out)) == (2, cut > 12)
        assert "<stdin> is cut off or damaged" in err
        assert ("an unknown format" in err) is False


NOPE = b"nope"
SPREAD = json.dumps(HELLO, indent=2, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("content", "rows", "failed"),
    [
        (lines(NOPE, b"{", HELLO, HELLO), 4, 2),
        (lines(b'{"messages": [{"role"', b'{"me', HELLO, HELLO), 4, 2),
        (lines(b'{"a', b'{"b'), 2, 2),
        (lines(b"", b"{", b" ", HELLO), 2, 1),
        (SPREAD, 1, 0),
        (SPREAD.replace(b"\n", b"\r\n"), 1, 0),
        (b"\xef\xbb\xbf\n" + SPREAD + b"\n\n", 1, 0),
        (SPREAD[:-4], 1, 1),
        (json.dumps([HELLO, HELLO], indent=1).encode(), 2, 0),
        (b"[\n" + b",\n".join([json.dumps(HELLO).encode()] * 3) + b"\n]\n", 3, 0),
        (b"[\n" + json.dumps(HELLO).encode() + b"\n", 2, 1),
    ],
)
def test_lines_and_documents_are_recognised(tmp_path, capfd, content, rows, failed):
    (tmp_path / "in.json").write_bytes(content)
    code, told, err = run(
        capfd, "convert", tmp_path / "in.json", "--target", "gemini", "--out", tmp_path / "out", "--format=json"
    )
    (report,) = objects(told)
    assert (report["rows"], report["failed"], code) == (rows, failed, int(failed > 0)), err
    assert len((tmp_path / "out").read_bytes().splitlines()) == rows - failed


@pytest.mark.parametrize(
    ("row", "count"),
    [
        ({"custom_id": "r", "body": SOUND}, 1),
        ({"custom_id": "r", "params": SOUND}, 1),
        ({"requests": [{"custom_id": "a", "params": SOUND}, {"custom_id": "b", "params": SOUND}]}, 2),
        ([{"task_id": 1, "traj": SOUND["messages"]}, {"task_id": 2, "traj": SOUND["messages"]}], 2),
        ([SOUND, {"conversations": [{"from": "human", "value": "q"}]}], 2),
        ({"prompt": ASKED[:1], "completion": [{"role": "assistant", "content": "a"}]}, 1),
    ],
)
def test_every_command_finds_the_same_envelopes(tmp_path, capfd, row, count):
    (tmp_path / "in.jsonl").write_bytes(lines(row))
    for command in ("check", "stats", "convert --target openai", "prepare", "truncate -b 10000"):
        code, _, err = run(capfd, *command.split(), tmp_path / "in.jsonl")
        assert (code, err.count("\n")) == (0, 1), err
        assert "an unknown format" not in err
    (counts,) = objects(run(capfd, "stats", tmp_path / "in.jsonl", "--format=json")[1])
    assert counts["conversations"] == count
    (tmp_path / "deep.jsonl").write_bytes(lines({"a": {"b": SOUND}}))
    for command in ("check", "stats"):
        assert run(capfd, command, tmp_path / "deep.jsonl", "--at", "a.b")[::2] == (0, "detected: openai\n")


NAMES = [
    "a b.jsonl",
    "a\nb.jsonl",
    "-x.jsonl",
    "[z]*.jsonl",
    ":100:.jsonl",
    "%,é.jsonl",
    "\x1b[31m.jsonl",
    "b\udcff.jsonl",
]


@pytest.mark.parametrize("name", NAMES)
def test_names_of_every_kind(tmp_path, name):
    (tmp_path / name).write_bytes(lines(OPEN, NOPE))
    forms = [("--format=json", "ascii"), ("--format=json", "utf-8"), ("--severity=error", "ascii")]
    for form, encoding in some(forms, NAMES.index(name)):
        env = os.environ | {"PYTHONIOENCODING": encoding}
        done = turnwire("check", form, "--", name, folder=tmp_path, env=env)
        assert (done.returncode, done.stderr) == (1, b"detected: openai\n")
        said = done.stdout.decode(encoding).splitlines()
        assert len(said) == (3 if form == "--severity=error" else 2)
        if form == "--format=json":
            assert {json.loads(one)["file"] for one in said} == {name}
        assert "\x1b" not in done.stdout.decode(encoding)
    done = turnwire("convert", "--target", "gemini", "--out", f"out/{name}", "--", name, folder=tmp_path)
    assert done.returncode == 1
    assert (tmp_path / "out" / name).read_bytes().count(b"\n") == 1


def test_an_annotation_is_one_line(tmp_path, capfd):
    name = tmp_path / "a\r\nb%:,c.jsonl"
    name.write_bytes(lines({"messages": [{"role": "a\nb%"}]}))
    _, out, _ = run(capfd, "check", name, "--format=github")
    assert f"file={tmp_path}/a%0D%0Ab%25%3A%2Cc.jsonl,line=1::unknown_role at $.messages[0].role: " in out
    assert out.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Unix")
@pytest.mark.parametrize(
    ("command", "code", "err"),
    [
        ("turnwire check - <&-", 2, "<stdin>: it is closed\n"),
        ("turnwire dialects >&-", 2, "stdout is closed: nothing can be said\n"),
        ("turnwire convert in.jsonl --target gemini >&-", 2, "stdout is closed: nothing can be said\n"),
        ("turnwire dialects > /dev/full", 2, "No space left on device\n"),
        ("turnwire check in.jsonl --format json > /dev/full", 2, "No space left on device\n"),
        ("turnwire convert in.jsonl --target gemini > /dev/full", 2, "No space left on device\n"),
        ("turnwire dialects | true", 0, ""),
        ("turnwire check in.jsonl 2>&-", 1, ""),
        ("turnwire check ''", 2, "expected the name of a file, got an empty one\n"),
        ("turnwire stats in.jsonl -s klingon", 2, None),
        ("turnwire check in.jsonl --at a..b", 2, None),
    ],
)
def test_what_a_shell_may_do(tmp_path, command, code, err):
    if "/dev/full" in command and not Path("/dev/full").exists():
        pytest.skip("a device that is always full, which Linux has")
    (tmp_path / "in.jsonl").write_bytes(lines(OPEN))
    done = shell(command, tmp_path)
    assert (done.returncode, b"Traceback" in done.stderr) == (code, False)
    assert err is None or (done.stderr.decode().endswith(err) and done.stderr.count(b"\n") < 3)


def started(*words: str, **options: Any) -> Any:
    """The command line in a process that Ctrl-C stops, even if the process that runs the tests ignores Ctrl-C."""

    def listen() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    command = [sys.executable, "-m", "turnwire", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=listen, **options)


def stopped(running: Any) -> bytes:
    """The errors of a process that Ctrl-C stops; pressed again, in case the process was just about to wait."""
    for _ in range(20):
        running.send_signal(signal.SIGINT)
        # Its input stays open: the end of the input would stop it, too.
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(timeout=3)
            return running.stderr.read()
    raise AssertionError("Ctrl-C did not stop it")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no FIFOs")
def test_a_stopped_run_leaves_nothing(tmp_path):
    os.mkfifo(tmp_path / "in.jsonl")
    running = started("convert", "in.jsonl", "--target", "anthropic", "--out", "out.jsonl", cwd=tmp_path)
    with running, (tmp_path / "in.jsonl").open("wb") as given:
        # More than a FIFO holds: when all of it is written, some was converted; and more may come.
        given.write(lines(*[OPEN] * 20_000))
        given.flush()
        assert (tmp_path / "out.jsonl.part").exists()
        said = stopped(running)
    assert (running.returncode, b"Traceback" in said) == (130, False)
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signal for one process")
def test_it_can_be_stopped_while_it_waits_for_more():
    with started("check", "-", stdin=subprocess.PIPE) as running:
        # More than a pipe holds: when all of it is written, the process has begun to read.
        running.stdin.write(lines(*[OPEN] * 10_000))
        running.stdin.flush()
        said = stopped(running)
        assert (running.returncode, b"Traceback" in said) == (130, False)


@pytest.mark.parametrize("module", ["turnwire.cli.app", "argparse", "turnwire.cli.inputs", "turnwire.batch.engine"])
def test_it_can_be_stopped_while_it_loads(module):
    """No handler can be set up before `import turnwire` has loaded its own parts: a few milliseconds."""
    code = f"""
import sys
import turnwire.cli
class Pressed:
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Pressed)
sys.exit(turnwire.cli.main(["check", "in.jsonl"]))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "")


def test_a_column_of_anything(tmp_path, capfd):
    import datetime
    import decimal

    pa = pytest.importorskip("pyarrow", reason="the extra arrow is not installed")
    from pyarrow import parquet

    odd = {"at": datetime.datetime(2024, 1, 1), "d": decimal.Decimal("1.5"), "n": float("nan"), "b": b"x"}
    said = [{"role": "user", "content": "q", **odd}]
    pairs = pa.list_(pa.map_(pa.string(), pa.string()))
    columns = {
        "structs": pa.table({"conversation": [said, None, said]}),
        "texts": pa.table({"messages": [SPREAD.decode(), None, SPREAD.decode().replace("\n", "\r\n")]}),
        "maps": pa.table({"messages": pa.array([[[("role", "user"), ("content", "q")]], None] * 2, pairs)}),
    }
    for name, table in columns.items():
        file = tmp_path / f"{name}.parquet"
        parquet.write_table(table, file)
        code, out, err = run(capfd, "check", file, "--format=json")
        assert err == "detected: openai\n" and {one["path"][:4] for one in objects(out)} <= {"$[0]"}
        # OpenAI may refuse keys that it does not know: warnings.
        odd_keys = {("unknown_key", "warning"), ("reshaped", "warning")} if name == "structs" else set()
        assert (code, {(one["code"], one["severity"]) for one in objects(out)}) == (0, odd_keys)
        code, out, _ = run(capfd, "truncate", file, "-b", "100", "-s", "openai")
        assert (code, len(objects(out))) == (0, 2)
    assert objects(run(capfd, "truncate", tmp_path / "structs.parquet", "-b", "9")[1])[0]["messages"] == [
        {"role": "user", "content": "q", "at": "2024-01-01T00:00:00", "d": "1.5", "n": None, "b": "eA=="}
    ]
    parquet.write_table(pa.table({"x": [1]}), tmp_path / "none.parquet")
    (tmp_path / "in.jsonl").write_bytes(lines(OPEN))
    code, out, err = run(capfd, "check", tmp_path / "none.parquet", tmp_path / "in.jsonl", "--format=json")
    assert (code, [one["code"] for one in objects(out)]) == (2, ["missing_result"])
    assert "no column that is known" in err and err.endswith("detected: openai\n")


def test_what_a_repair_changed_is_reported_for_each_dialect(tmp_path, capfd):
    gemini = {"contents": [{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"text": " "}]}]}
    anthropic = {"messages": [{"role": "user", "content": [{"type": "text", "text": "q"}]}], "system": "s"}
    (tmp_path / "in.jsonl").write_bytes(lines(SOUND, gemini, anthropic, OPEN))
    run(capfd, "prepare", tmp_path / "in.jsonl", "--out", tmp_path / "out.jsonl", "--changes", tmp_path / "changes")
    told = {one["row"] for one in objects((tmp_path / "changes").read_text()) if one["kind"] != "warning"}
    before, after = ((tmp_path / name).read_bytes().splitlines() for name in ("in.jsonl", "out.jsonl"))
    changed = {at for at, (was, now) in enumerate(zip(before, after, strict=True), 1) if was != now}
    assert told == changed == {4} | ({2} if after[1] != before[1] else set())


def test_a_table_of_many_rows_or_long_ones_is_a_line_each(tmp_path, capfd):
    (tmp_path / "in.jsonl").write_bytes(lines({"messages": [{"role": "x" * 30_000}]}, *[OPEN] * 4_000))
    _, out, _ = run(capfd, "check", tmp_path / "in.jsonl")
    assert len(out.splitlines()) == 4_002


def test_stdout_may_be_a_text_in_memory(tmp_path):
    (tmp_path / "in.jsonl").write_bytes(lines(OPEN))
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert main(["check", str(tmp_path / "in.jsonl"), "--format=json"]) == 1
        assert main(["stats", str(tmp_path / "in.jsonl")]) == 0
    assert json.loads(said.getvalue().splitlines()[0])["code"] == "missing_result"


@pytest.mark.parametrize("width", [5, 20, 60, 90])
@pytest.mark.parametrize("command", ["check", "stats"])
def test_a_narrow_terminal_loses_nothing(tmp_path, command, width):
    pexpect = pytest.importorskip("pexpect", reason="a terminal is simulated with pexpect")
    (tmp_path / "a_long_name.jsonl").write_bytes(lines(OPEN))
    words = ["-m", "turnwire", command, "a_long_name.jsonl"]
    terminal = pexpect.spawn(sys.executable, words, cwd=tmp_path, dimensions=(9, width), encoding="utf-8", timeout=60)
    said = re.sub(r"\x1b\[[0-9;]*m|\s", "", terminal.read())
    expected = ["missing", "a_lon"] if command == "check" else ["a_long_name.jsonl", "conversations", "resultbytes"]
    assert all(one in said for one in expected)


def test_what_is_beside_the_output_is_no_input(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("x.jsonl.part", "y.jsonl"):
        Path(name).write_bytes(lines(HELLO))
    code, _, err = run(capfd, "convert", "y.jsonl", "x.jsonl.part", "--target", "gemini", "--out", ".")
    assert (code, "which this run reads" in err) == (2, True)
    Path("d").mkdir()
    Path("x.jsonl").write_bytes(lines(HELLO))
    code, _, err = run(capfd, "convert", "x.jsonl", "x.jsonl.part", "--target", "gemini", "--out", "d")
    assert code == 0, err


@pytest.mark.parametrize("indent", [b" ", b"\t", b"    "])
def test_lines_that_are_all_indented_are_lines(tmp_path, capfd, indent):
    (tmp_path / "in.jsonl").write_bytes(b"".join(indent + line for line in lines(HELLO, HELLO, SOUND).splitlines(True)))
    code, _, _ = run(
        capfd, "convert", tmp_path / "in.jsonl", "--target", "anthropic", "--out", tmp_path / "out", "--format=json"
    )
    assert code == 0
    assert len((tmp_path / "out").read_bytes().splitlines()) == 3
    # A document over many lines is one document, however deep its indentation.
    whole = json.dumps({"messages": HELLO["messages"] if isinstance(HELLO, dict) else HELLO}, indent=2)
    (tmp_path / "one.json").write_bytes(b"".join(indent + line for line in whole.encode().splitlines(True)))
    run(capfd, "convert", tmp_path / "one.json", "--target", "anthropic", "--out", tmp_path / "two", "--format=json")
    assert len((tmp_path / "two").read_bytes().splitlines()) == 1


def test_keys_around_a_list_are_named(tmp_path, capfd):
    """Also those behind it that would have made the document a record, if it had been shorter."""
    row = {"messages": [{"role": "user", "content": "x" * 1000}]}
    whole = {"version": 2, "rows": [row] * 700, "messages": [{"role": "user", "content": "Hi"}]}
    (tmp_path / "in.json").write_text(json.dumps(whole))
    code, out, err = run(capfd, "convert", tmp_path / "in.json", "--target", "openai:hf")
    assert (code, len(out.splitlines())) == (0, 700)
    assert f"{tmp_path / 'in.json'}: not read: the keys around the list: version, messages\n" in err
    (tmp_path / "in.json").write_text(json.dumps({"rows": [row]}))
    assert "not read" not in run(capfd, "check", tmp_path / "in.json")[2]


@pytest.mark.parametrize("indent", [1, 2, "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_values_over_several_lines_may_follow_each_other(tmp_path, capfd, indent, end):
    """As `jq` writes them. One that is cut off is an error at its line."""
    alpaca = {"instruction": "a", "output": "b", "more": [{"x": 1}, {"y": [2]}]}
    body = {"model": "m", "messages": [{"role": "user", "content": "}\n{"}, {"role": "assistant", "content": "c"}]}
    for one in (alpaca, body, body["messages"]):
        text = json.dumps(one, indent=indent)
        cut = text[: text.index('"')]
        path = tmp_path / "in.json"
        path.write_bytes(f"\ufeff{text}\n{text}\n\n{cut}\n{text}\n".replace("\n", end).encode())
        code, out, err = run(capfd, "convert", path, "--target", "openai:hf")
        row = tw.convert_json(json.dumps(one), "openai:hf", settings="keep").payload
        found = objects(out)
        assert [made["messages"] for made in found] == [json.loads(row)["messages"]] * 3
        line = 2 * (text.count("\n") + 1) + 2
        assert code == 1 and f"in.json:{line}: error invalid_json" in err, err
