"""The command line: what each command prints and leaves, its exit codes, and what a person sees in a terminal."""

import gzip
import importlib.util
import io
import json
import os
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import turnwire as tw
from turnwire.cli import main

CALL = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}
ASKED = [{"role": "user", "content": "q"}, {"role": "assistant", "content": None, "tool_calls": [CALL]}]
SOUND = {"messages": [*ASKED, {"role": "tool", "tool_call_id": "a", "content": "r" * 300}]}
OPEN = {"messages": ASKED}


def lines(*rows: Any) -> bytes:
    return b"".join((row if isinstance(row, bytes) else json.dumps(row).encode()) + b"\n" for row in rows)


def long(row: dict[str, Any]) -> dict[str, Any]:
    """The same row with 10 kB more: few of these are a large file."""
    return {"messages": [{"role": "user", "content": "long " * 2_000}, *row["messages"][1:]]}


@pytest.fixture
def logs(tmp_path):
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.jsonl").write_bytes(lines(SOUND, b"", OPEN, b"nope", SOUND))
    (folder / "b.json").write_text(json.dumps(SOUND, indent=2))
    (folder / "c.jsonl.gz").write_bytes(gzip.compress(lines(SOUND)))
    (folder / "notes.txt").write_text("not ours")
    return folder


def run(capfd, *arguments: object) -> tuple[int, str, str]:
    code = main([str(one) for one in arguments])
    sys.stdout.flush()
    out, err = capfd.readouterr()
    return code, out, err


def objects(out: str) -> list[Any]:
    return [json.loads(line) for line in out.splitlines()]


def test_check_shows_people_where_and_what(logs, capfd):
    code, out, err = run(capfd, "check", logs)
    assert code == 1
    assert err == "detected: openai\n"
    assert f"{logs}/a.jsonl:3" in out
    assert "missing_result" in out
    assert f"{logs}/a.jsonl:4" in out
    assert "invalid_json" in out
    assert "a.jsonl:1 " not in out


def test_check_reports_the_same_to_programs(logs, capfd):
    code, out, _ = run(capfd, "check", logs, "--format=json")
    assert code == 1
    assert [(one["row"], one["code"], one["path"]) for one in objects(out)] == [
        (3, "missing_result", "$.messages[1].tool_calls[0]"),
        (4, "invalid_json", "$"),
    ]
    (finding,) = (one for one in tw.check(OPEN))
    assert objects(out)[0]["reason"] == finding.reason


def test_check_annotates_what_github_shows(logs, capfd):
    (logs / "a,b%.jsonl").write_bytes(lines({"messages": [{"role": "user", "content": "q"}, {"role": "x\ny"}]}))
    code, out, _ = run(capfd, "check", logs / "a,b%.jsonl", "--format=github")
    assert code == 1
    assert out.startswith(f"::error file={logs}/a%2Cb%25.jsonl,line=1::unknown_role at ")
    assert out.count("\n") == 1


@pytest.mark.parametrize(("severity", "expected"), [("error", 0), ("warning", 1), ("info", 1)])
def test_the_severity_decides_the_exit_code(tmp_path, capfd, severity, expected):
    file = tmp_path / "in.jsonl"
    file.write_bytes(lines(SOUND))
    code, out, _ = run(capfd, "check", file, "--target", "anthropic", "--severity", severity)
    assert code == expected
    assert "tools_missing" in out


def test_nothing_wrong_is_exit_code_0(tmp_path, capfd):
    file = tmp_path / "in.jsonl"
    file.write_bytes(lines(SOUND, SOUND))
    assert run(capfd, "check", file) == (0, "nothing is wrong in 2 rows, 1 file\n", "detected: openai\n")


def test_stdin_is_a_dash(logs, capfd, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO((logs / "a.jsonl").read_bytes())))
    code, out, err = run(capfd, "check", "-", "--format=json")
    assert (code, err) == (1, "detected: openai\n")
    assert [(one["file"], one["row"]) for one in objects(out)] == [("<stdin>", 3), ("<stdin>", 4)]


def test_convert_writes_what_convert_json_does(logs, capfd):
    code, out, err = run(capfd, "convert", logs / "c.jsonl.gz", "--target", "anthropic", "--settings", "omit")
    assert (code, err) == (0, "detected: openai\n")
    assert out.encode() == tw.convert_json(json.dumps(SOUND), "anthropic", source="openai").payload + b"\n"


def test_the_other_keys_of_a_body_are_kept_where_they_are_wanted(tmp_path, capfd):
    file = tmp_path / "in.jsonl"
    file.write_bytes(lines(SOUND | {"stop": ["x"]}))
    for settings, expected in (
        ((), {"max_tokens": 16384, "stop_sequences": ["x"]}),
        (("--settings", "convert"), {"max_tokens": 16384, "stop_sequences": ["x"]}),
        (("--settings", "keep"), {"stop": ["x"]}),
        (("--settings", "omit"), {}),
    ):
        _, out, _ = run(capfd, "convert", file, "--target", "anthropic", *settings)
        (made,) = objects(out)
        del made["messages"]
        assert made == expected


def test_convert_leaves_out_what_fails_and_says_where(logs, tmp_path, capfd):
    out_file = tmp_path / "out.jsonl"
    code, out, err = run(capfd, "convert", logs / "a.jsonl", "--target", "gemini", "--out", out_file, "--format=json")
    assert code == 1
    assert err.startswith(f"{logs}/a.jsonl:4: error invalid_json at $: ")
    assert len(out_file.read_bytes().splitlines()) == 3
    report = objects(out)[-1]
    assert (report["rows"], report["failed"], report["bytes_out"]) == (4, 1, out_file.stat().st_size)


def test_several_inputs_go_into_a_folder(logs, tmp_path, capfd):
    code, out, _ = run(capfd, "prepare", logs, "--target", "anthropic", "-b", "200", "--out", f"{tmp_path}/sendable/")
    assert code == 1
    assert sorted(one.name for one in (tmp_path / "sendable").iterdir()) == ["a.jsonl", "b.jsonl", "c.jsonl.gz"]
    expected = tw.prepare_json(json.dumps(SOUND), "anthropic", 200, settings="convert").payload
    assert (tmp_path / "sendable/b.jsonl").read_bytes() == expected + b"\n"
    assert "rows" in out


def test_a_folder_keeps_its_form(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, row in (("logs/a/x.jsonl", SOUND), ("logs/b/x.jsonl", OPEN), ("logs/x.json", SOUND)):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(lines(row))
    assert run(capfd, "truncate", "logs", "-b", "100", "-o", "out/deep/")[0] == 0
    written = {str(one): one.read_bytes().count(b"tool_call_id") for one in Path("out").rglob("*") if one.is_file()}
    assert written == {"out/deep/a/x.jsonl": 1, "out/deep/b/x.jsonl": 0, "out/deep/x.jsonl": 1}


@pytest.mark.parametrize("inputs", [["a/x.jsonl", "b/x.jsonl"], ["*/x.jsonl"], ["a", "b"], ["a/x.jsonl", "c/x.json"]])
def test_two_inputs_never_share_an_output(tmp_path, capfd, monkeypatch, inputs):
    monkeypatch.chdir(tmp_path)
    for name in ("a/x.jsonl", "b/x.jsonl", "c/x.json"):
        Path(name).parent.mkdir()
        Path(name).write_bytes(lines(SOUND))
    Path("d").mkdir()
    code, out, err = run(capfd, "prepare", *inputs, "--out", "d")
    assert (code, out) == (2, "")
    assert err.startswith("a/x.jsonl and ")
    assert "would both be written to d/x.jsonl: give the folder that holds both" in err
    assert list(Path("d").iterdir()) == []


def test_no_output_is_an_input(logs, capfd):
    before = {one.name: one.read_bytes() for one in logs.iterdir()}
    code, _, err = run(capfd, "prepare", logs, "--out", logs)
    assert (code, "a.jsonl, which this run reads" in err) == (2, True)
    assert {one.name: one.read_bytes() for one in logs.iterdir()} == before


def test_a_file_that_is_named_twice_is_read_once(logs, capfd, monkeypatch):
    monkeypatch.chdir(logs)
    (logs / "link.jsonl").symlink_to("a.jsonl")
    named = ["a.jsonl", "./a.jsonl", "*.jsonl", logs / "a.jsonl", "link.jsonl", logs]
    code, out, _ = run(capfd, "check", *named, "--format=json")
    assert (code, [one["row"] for one in objects(out)]) == (1, [3, 4])
    assert {one["file"] for one in objects(out)} == {"a.jsonl"}
    assert len(objects(run(capfd, "detect", *named, "--format=json")[1])) == 3


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_with_a_name_is_read_once(tmp_path, capfd):
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=[lines(SOUND, OPEN)])
    writer.start()
    code, out, _ = run(capfd, "convert", tmp_path / "pipe", "--target", "anthropic")
    writer.join()
    assert (code, len(objects(out))) == (0, 2)


def test_repair_shows_its_receipt(logs, tmp_path, capfd):
    code, out, _ = run(capfd, "prepare", logs / "a.jsonl", "-o", tmp_path / "out.jsonl")
    assert code == 1
    assert "missing_result" in out
    repaired = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert repaired[0] == SOUND
    assert not tw.check(repaired[1])


def test_truncate_keeps_a_document_on_one_line(logs, capfd):
    code, out, _ = run(capfd, "truncate", logs / "b.json", "--budget", "100")
    assert code == 0
    (cut,) = objects(out)
    assert len(cut["messages"][2]["content"]) == 100
    assert cut["messages"][:2] == SOUND["messages"][:2]


def test_results_in_the_text_of_users_are_read_where_the_caller_says_so(tmp_path, capfd):
    said = '{"tool_result": {"name": "look", "result": "here it is"}}'
    call = '{"name": "look", "parameters": {}}'
    llama = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": call},
        {"role": "user", "content": said},
    ]
    file = tmp_path / "llama.jsonl"
    file.write_bytes(lines(llama))
    read = (file, "--source", "llama")
    for wanted in (False, True):
        option = ("--tool-results",) * wanted
        for command in ("convert", "prepare"):
            code, out, _ = run(capfd, command, file, "--source", "llama", "--target", "openai", *option)
            assert code == 0
            roles = [message["role"] for message in objects(out)[0]["messages"]]
            assert (roles == ["user", "assistant", "tool"]) is wanted
        code, out, _ = run(capfd, "check", *read, "--target", "openai", *option)
        assert ("missing_result" in out) is not wanted
        code, out, _ = run(capfd, "prepare", *read, "--out", tmp_path / "repaired.jsonl", *option)
        assert (objects((tmp_path / "repaired.jsonl").read_text()) == [llama]) is wanted
        assert ("missing_result" in out) is not wanted
        code, out, _ = run(capfd, "truncate", *read, "--budget", "4", *option)
        assert ("here it is" in out) is not wanted
        code, out, _ = run(capfd, "stats", *read, "--format=json", *option)
        assert objects(out)[0]["results"] == wanted


def test_stats_counts_and_finds_the_largest(logs, capfd):
    code, out, _ = run(capfd, "stats", logs / "a.jsonl", "--format=json")
    assert code == 1
    (counts,) = objects(out)
    assert (counts["conversations"], counts["turns"], counts["calls"], counts["results"]) == (3, 8, 3, 2)
    assert counts["result_bytes"] == 600
    _, out, _ = run(capfd, "stats", logs / "a.jsonl", "--top", "1")
    assert "look" in out.split("The largest results")[1]


def test_detect_and_dialects(logs, tmp_path, capfd):
    code, out, _ = run(capfd, "detect", logs, "--format=json")
    assert code == 0
    assert {one["dialect"] for one in objects(out)} == {"openai"}
    (tmp_path / "odd.jsonl").write_bytes(lines({"neither": "nor"}))
    assert run(capfd, "detect", tmp_path / "odd.jsonl")[0] == 1
    dialects, layouts = run(capfd, "dialects")[1].split("\n\nread only:\n")
    assert dialects.split() == list(tw.dialects())
    named = [line.split()[0] for line in layouts.splitlines()]
    assert "alpaca" in named
    told = [next(iter(one.items())) for one in objects(run(capfd, "dialects", "--format=json")[1])]
    assert told == [("dialect", name) for name in tw.dialects()] + [("layout", name) for name in named]


def test_columns_of_parquet(tmp_path, capfd):
    arrow = pytest.importorskip("pyarrow", reason="the extra arrow is not installed")
    from pyarrow import parquet

    rows = {"n": [1, 2], "messages": [SOUND["messages"], OPEN["messages"]]}
    parquet.write_table(arrow.table(rows), tmp_path / "in.parquet")
    code, out, _ = run(capfd, "check", tmp_path, "--format=json")
    assert code == 1
    assert [(one["row"], one["code"]) for one in objects(out)] == [(2, "missing_result")]
    code, _, err = run(capfd, "check", tmp_path, "--column", "zz")
    assert (code, "no column 'zz' among n, messages" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["check", "nowhere.jsonl"], "nowhere.jsonl: no such file"),
        (["check"], "it needs PATH"),
        (["check", "FILE", "--severity", "fatal"], "fatal"),
        (["convert", "FILE"], "--target"),
        (["convert", "FILE", "--target", "klingon"], "klingon"),
        (["convert", "FILE", "--target", "anthropic", "--format=json"], "--format json needs --out"),
        (["convert", "FILE", "--target", "anthropic", "--out", "FILE"], "which this run reads"),
        (["truncate", "FILE", "--budget", "-1"], "-1"),
        (["nonsense"], "nonsense"),
    ],
)
def test_what_cannot_be_run_is_exit_code_2(tmp_path, capfd, arguments, said):
    file = tmp_path / "in.jsonl"
    file.write_bytes(lines(SOUND))
    code, _, err = run(capfd, *(str(file) if one == "FILE" else one for one in arguments))
    assert (code, said in err) == (2, True), err
    assert file.read_bytes() == lines(SOUND)


PAGE = Path(__file__).parent.parent / "docs/command-line.md"
SHOWN = re.findall(r"^\$ (turnwire .*)$", PAGE.read_text(encoding="utf-8"), flags=re.M)
SHOWN += re.findall(r"`(turnwire [^`]+)`", (PAGE.parent.parent / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("command", SHOWN)
def test_the_commands_of_the_docs_run(command, logs, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (logs / "agent.jsonl").write_bytes(lines(SOUND, SOUND))
    for name in ("before.json", "after.json"):
        Path(name).write_bytes(lines(SOUND))
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}]}
    request = {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": body}
    Path("openai.jsonl").write_bytes(lines(request))
    Path("results.jsonl").write_bytes(lines({"custom_id": "a", "result": {"type": "expired"}}))
    asked = [{"role": "user", "parts": [{"type": "text", "content": "q"}]}]
    Path("traces.jsonl").write_bytes(lines({"gen_ai.input.messages": json.dumps(asked)}))
    (logs / "a.jsonl").unlink()
    code, out, err = run(capfd, *shlex.split(command)[1:])
    assert code == int("--severity warning" in command), err
    assert out
    if "-h" not in command:
        assert PAGE.read_text(encoding="utf-8").count(f"| `{command.split()[1]}` |") == 1


def test_an_empty_file_is_nothing(tmp_path, capfd):
    (tmp_path / "in.jsonl").touch()
    code, out, _ = run(capfd, "convert", tmp_path / "in.jsonl", "--source", "openai", "--target", "anthropic")
    assert (code, out) == (0, "")


def test_a_closed_pipe_is_not_an_error(tmp_path):
    file = tmp_path / "in.jsonl"
    file.write_bytes(lines(*[SOUND] * 5000))
    command = f"{sys.executable} -m turnwire convert {file} --target anthropic | head -c 10"
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout == '{"messages'
    assert done.stderr in ("", "detected: openai\n")


def test_a_person_sees_colours_and_no_json(logs):
    pexpect = pytest.importorskip("pexpect", reason="a terminal is simulated with pexpect")
    env = os.environ | {"TERM": "xterm-256color", "COLUMNS": "200", "NO_COLOR": ""}
    env.pop("NO_COLOR")
    command = ["-m", "turnwire", "check", str(logs / "a.jsonl")]
    terminal = pexpect.spawn(sys.executable, command, env=env, dimensions=(40, 200), encoding="utf-8", timeout=60)
    seen = terminal.read()
    terminal.close()
    assert terminal.exitstatus == 1
    assert "\x1b[31merror" in seen
    assert "missing_result" in seen


@pytest.mark.parametrize("command", ["check", "stats", "convert --target anthropic --out out.jsonl"])
def test_a_person_who_waits_sees_how_far_it_is(command, tmp_path):
    pexpect = pytest.importorskip("pexpect", reason="a terminal is simulated with pexpect")
    (tmp_path / "long.jsonl").write_bytes(lines(*[long(SOUND)] * 920))
    env = os.environ | {"TERM": "xterm-256color"}
    words = ["-m", "turnwire", *command.split(), "long.jsonl"]
    terminal = pexpect.spawn(
        sys.executable, words, env=env, cwd=tmp_path, dimensions=(40, 200), encoding="utf-8", timeout=60
    )
    seen = terminal.read()
    terminal.close()
    assert terminal.exitstatus == 0
    assert re.search(r"long\.jsonl .*\d/9\.7 MB", seen)
    # The bar is removed at the end.
    assert "%" not in seen.rsplit("\x1b[2K", 1)[1]


def test_a_bar_is_never_written_to_stdout(tmp_path):
    pexpect = pytest.importorskip("pexpect", reason="a terminal is simulated with pexpect")
    (tmp_path / "long.jsonl").write_bytes(lines(*[long(OPEN)] * 920))
    command = f"{sys.executable} -m turnwire check long.jsonl --format json > out"
    terminal = pexpect.spawn("/bin/sh", ["-c", command], cwd=tmp_path, encoding="utf-8", timeout=60)
    assert "MB" in terminal.read()
    assert len(objects((tmp_path / "out").read_text())) == 920


def test_a_damaged_file_stops_no_other(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    whole = gzip.compress(lines(*[OPEN] * 9_000))
    Path("cut.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    Path("no.parquet").write_bytes(b"nothing of the kind")
    Path("good.jsonl").write_bytes(lines(OPEN))
    given = ["cut.jsonl.gz", "good.jsonl"]
    if importlib.util.find_spec("pyarrow"):
        given.append("no.parquet")
    for command in ("check", "stats", "convert --target anthropic --out out/"):
        code, out, err = run(capfd, *command.split(), "--format=json", *given)
        assert code == 2
        assert "cut.jsonl.gz is cut off or damaged" in err and "Traceback" not in err
        assert "good.jsonl" in {one.get("file") for one in objects(out)}
        assert ("no.parquet is not a Parquet file, or it is damaged" in err) is ("no.parquet" in given)
    assert [one.name for one in Path("out").iterdir()] == ["good.jsonl"]
    # What was found before the damage is still printed.
    code, out, _ = run(capfd, "check", "cut.jsonl.gz")
    assert (code, "missing_result" in out, "nothing is wrong" in out) == (2, True, False)


def test_json_that_is_nested_too_deeply_is_a_bad_line(tmp_path, capfd):
    file = tmp_path / "deep.jsonl"
    file.write_bytes(b"[" * 100_000 + b"]" * 100_000 + b"\n" + lines(SOUND))
    for command in (["check"], ["stats"], ["convert", "--target", "anthropic"], ["detect"]):
        code, out, err = run(capfd, *command, file)
        assert code == (0 if command == ["detect"] else 1)
        assert "Traceback" not in err and ("too_deep" in out + err or command == ["detect"])


def test_losses_are_counted_wherever_lines_come_from(tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    named = {"messages": [{"role": "user", "content": "q", "name": "Ann"}, *SOUND["messages"]]}
    Path("in.jsonl").write_bytes(lines(named, named))
    Path("in.json").write_text(json.dumps(named, indent=1))
    expected = len(tw.convert(named, "anthropic", source="openai", settings="convert").receipt)
    assert expected == 2

    def told(given):
        out = run(capfd, "convert", given, "--target", "anthropic", "--out", "out.jsonl", "--format=json")[1]
        *counts, sums = objects(out)
        return {(one["kind"], one["code"]): (one["times"], one["rows"]) for one in counts}, sums

    for given, rows in (("in.jsonl", 2), ("in.json", 1), ("-", 3)):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(lines(named, named, named))))
        counts, sums = told(given)
        assert counts == {("lost", "key"): (rows, rows), ("added", "setting"): (rows, rows)}
        size = 3 * len(lines(named)) if given == "-" else Path(given).stat().st_size
        assert (sums["rows"], sums["failed"], sums["bytes_in"]) == (rows, 0, size) and sums["seconds"] > 0


def test_every_dialect_of_a_mixed_file_is_named(tmp_path, capfd):
    gemini = {"contents": [{"role": "user", "parts": [{"text": "q"}]}]}
    file = tmp_path / "in.jsonl"
    file.write_bytes(lines(SOUND, {"neither": "nor"}, gemini))
    assert run(capfd, "convert", file, "--target", "anthropic", "--out", tmp_path / "out.jsonl")[2].endswith(
        "detected: gemini, openai\n"
    )
    (told,) = objects(run(capfd, "detect", file, "--format=json")[1])
    assert (told["dialect"], told["dialects"]) == ("openai", ["openai", "gemini"])


def test_an_output_that_cannot_be_written_is_named(logs, tmp_path, capfd):
    (tmp_path / "file").write_text("mine")
    code, _, err = run(capfd, "convert", logs, "--target", "anthropic", "--out", tmp_path / "file")
    assert (code, "expected a folder for what becomes of 3 files" in err) == (2, True)
    assert (tmp_path / "file").read_text() == "mine"
    if Path("/dev/full").exists():
        for given in ("a.jsonl", "b.json"):
            code, _, err = run(capfd, "truncate", logs / given, "-b", "9", "--out", "/dev/full")
            assert (code, err.splitlines()[-1]) == (2, "/dev/full: No space left on device")


def test_a_person_sees_how_much_was_found(logs):
    pexpect = pytest.importorskip("pexpect", reason="a terminal is simulated with pexpect")
    command = ["-m", "turnwire", "check", str(logs / "a.jsonl")]
    terminal = pexpect.spawn(sys.executable, command, dimensions=(40, 200), encoding="utf-8", timeout=60)
    assert "2 errors in 2 of 4 rows, 1 file. prepare puts 1 right, 1 needs you" in terminal.read()


def test_keys_that_are_left_out_of_bodies_are_named(tmp_path, capfd):
    row = {"messages": [{"role": "user", "content": "q"}], "reference_answer": "42", "model": "m"}
    (tmp_path / "in.jsonl").write_bytes(lines(row))
    for rest, said in (("omit", True), ("keep", False)):
        out = tmp_path / f"{rest}.jsonl"
        code, _, err = run(
            capfd, "convert", tmp_path / "in.jsonl", "--target", "openai:hf", "--settings", rest, "--out", out
        )
        assert code == 0
        assert ("left out: reference_answer (1 record), model (1);" in err) is said
        assert ("reference_answer" in objects(out.read_text())[0]) is not said


def test_settings_of_a_model(capfd):
    """Each dialect in which a model differs, or every setting of one dialect, as the table has it."""
    code, text, _ = run(capfd, "settings", "claude-opus-5-5")
    assert code == 0
    lines = {tuple(line.split()[:2]): line for line in text.splitlines()[1:]}
    assert "low, medium, high, xhigh, max" in lines["anthropic", "reasoning_effort"]
    assert lines["anthropic", "tool_choice"].endswith("auto, none")
    assert ("anthropic:2023-06-01", "temperature") in lines
    assert ("anthropic:2023-06-01", "reasoning_effort") not in lines, "it is said already"
    assert ("bedrock", "reasoning_budget") in lines and not any(name == "openai" for name, _ in lines)
    (column,) = objects(run(capfd, "settings", "gpt-5.6", "-t", "openai-responses", "--format=json")[1])
    assert (column["dialect"], column["model"]) == ("openai-responses", "gpt-5.6")
    assert {*column["settings"]} == {*tw.settings.table()["settings"]}
    assert ("high", "high") in [tuple(one) for one in column["settings"]["reasoning_effort"]["words"]]
    assert "with tools: " in run(capfd, "settings", "gpt-5.6")[1]
    assert run(capfd, "settings", "nobody-knows")[1].startswith("nothing is known of nobody-knows")
    assert run(capfd, "settings", "m", "-t", "zz")[0] == 2
