"""What the commands print: the lines, tables and sums for people, the JSON for programs, and when it is printed."""

import gzip
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from test_cli import OPEN, SOUND, lines, long, objects, run
from turnwire.batch.blocks import SIZE

QUESTION = {"role": "user", "content": "q"}
ENDED = {"messages": [QUESTION, {"role": "assistant", "content": "a"}, {"role": "assistant", "content": "b"}]}
LATE = {"messages": [*OPEN["messages"], QUESTION, SOUND["messages"][2]]}
TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("logs").mkdir()
    Path("logs/a.jsonl").write_bytes(lines(SOUND, OPEN, LATE))
    Path("logs/b.jsonl").write_bytes(lines(ENDED, {"messages": [QUESTION]}))
    return tmp_path


CHECKED = """\
logs/a.jsonl:1: warning tools_missing at $.messages[1]: {tools}
logs/a.jsonl:2: warning tools_missing at $.messages[1]: {tools}
logs/a.jsonl:2: error missing_result at $.messages[1].tool_calls[0]: {missing}
logs/a.jsonl:3: warning tools_missing at $.messages[1]: {tools}
logs/a.jsonl:3: error moved_result at $.messages[3].content: {moved}
logs/b.jsonl:1: error ends_with_assistant at $.messages[2]: {ends}
3 errors, 3 warnings in 4 of 5 rows, 2 files. prepare puts 2 right, 1 needs you
"""


def test_check_is_a_line_for_each_problem_and_sums(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "check", "logs", "-t", "anthropic")
    assert (code, err) == (1, "detected: openai\n")
    said = {
        found.code: f"{found.reason}; {found.action}" if found.action else found.reason
        for row in (OPEN, LATE, ENDED)
        for found in tw.check(row, target="anthropic")
    }
    reason, action = said["ends_with_assistant"].rsplit("; ", 1)
    ends = f'{reason}; if this is a training row: --row, or end="row"; {action}'
    words = {"missing": said["missing_result"], "moved": said["moved_result"], "ends": ends}
    assert out == CHECKED.format(tools=said["tools_missing"], **words)
    code, out, _ = run(capfd, "check", "logs", "-t", "anthropic", "--row")
    assert "ends_with_assistant" not in out and "prepare puts 1 right\n" in out


def test_check_counts_by_code(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "check", "logs", "-t", "anthropic", "--statistics")
    assert code == 1
    assert (
        out
        == """\
times  rows  severity  kind      code                 first
    3     3  warning   warning   tools_missing        logs/a.jsonl:1 $.messages[1]
    1     1  error     added     missing_result       logs/a.jsonl:2 $.messages[1].tool_calls[0]
    1     1  error     repaired  moved_result         logs/a.jsonl:3 $.messages[3].content
    1     1  error     refused   ends_with_assistant  logs/b.jsonl:1 $.messages[2]
3 errors, 3 warnings in 4 of 5 rows, 2 files. prepare puts 2 right, 1 needs you
"""
    )
    _, out, _ = run(capfd, "check", "logs", "-t", "anthropic", "--statistics", "--format", "json")
    assert [(one["times"], one["rows"], one["kind"], one["code"]) for one in objects(out)] == [
        (3, 3, "warning", "tools_missing"),
        (1, 1, "added", "missing_result"),
        (1, 1, "repaired", "moved_result"),
        (1, 1, "refused", "ends_with_assistant"),
    ]


def test_notes_are_listed_where_they_are_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    body = {"messages": [{**QUESTION, "name": "ada"}]}
    Path("in.jsonl").write_bytes(lines(body))
    (note,) = tw.check(body, target="anthropic")
    assert note.severity == "info"
    code, out, _ = run(capfd, "check", "in.jsonl", "-t", "anthropic")
    assert (code, out) == (0, "nothing is wrong in 1 row, 1 file; 1 note: --severity info\n")
    code, out, _ = run(capfd, "check", "in.jsonl", "-t", "anthropic", "--severity", "info")
    assert code == 1
    assert out.splitlines() == [
        f"in.jsonl:1: info {note.code} at {note.path}: {note.reason}; {note.action}",
        "nothing is wrong in 1 row, 1 file",
    ]
    # Programs get all of it.
    code, out, _ = run(capfd, "check", "in.jsonl", "-t", "anthropic", "--format", "json")
    assert (code, [one["code"] for one in objects(out)]) == (0, [note.code])


def test_prepare_counts_what_it_did(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "prepare", "logs", "-t", "anthropic", "-o", "ready/", "--errors", "failed.jsonl")
    assert (code, err) == (1, "detected: openai\n")
    table, sums = out.splitlines()[:-1], out.splitlines()[-1]
    assert [line.split() for line in table] == [
        ["times", "rows", "kind", "code", "first"],
        ["3", "3", "added", "setting", "logs/a.jsonl:1", "$"],
        ["3", "3", "warning", "tools_missing", "logs/a.jsonl:1", "$.messages[1]"],
        ["1", "1", "added", "missing_result", "logs/a.jsonl:2", "$.messages[1].tool_calls[0]"],
        ["1", "1", "repaired", "moved_result", "logs/a.jsonl:3", "$.messages[3].content"],
    ]
    assert sums.startswith("4 of 5 rows in ready/ (2 files, 1.5 to 1.") and sums.endswith("; 1 failed: failed.jsonl")
    (failed,) = objects(Path("failed.jsonl").read_text())
    assert (failed["file"], failed["row"], failed["code"]) == ("logs/b.jsonl", 1, "ends_with_assistant")
    assert sorted(one.name for one in Path("ready").iterdir()) == ["a.jsonl", "b.jsonl"]


@pytest.mark.parametrize(
    ("words", "options"),
    [
        (["--per-result", "0.1k"], {"budget": tw.Budget(per_result=100)}),
        (["--max-tokens", "600", "--count", "counting:words"], {"budget": tw.Budget(max_tokens=600, count=len)}),
        (["--opening", "hi"], {"wording": {"opening": "hi"}}),
        (["--reasoning", "text"], {"reasoning": "text"}),
        (["--reasoning", "keep"], {"reasoning": "keep"}),
        (["--reasoning", "drop"], {"reasoning": "drop"}),
        (["--cache"], {"cache": "auto"}),
        (["--tools", "tools.json"], {"tools": [TOOL]}),
        (["-b", "200", "--omitted", "cut"], {"budget": 200, "wording": {"omitted": "cut"}}),
        (["--model", "claude-opus-5"], {"model": "claude-opus-5"}),
        (["--defaults", '{"max_tokens": 5}'], {"settings": {"defaults": {"max_tokens": 5}}}),
    ],
)
def test_the_options_of_prepare_are_those_of_python(
    words: list[str], options: dict[str, Any], capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    Path("tools.json").write_text(json.dumps([TOOL]))
    Path("counting.py").write_text("words = len\n")
    thought = {"role": "assistant", "content": "a", "reasoning_content": "hm"}
    long = {"messages": [{"role": "user", "content": "old " * 90}, thought, *SOUND["messages"]]}
    Path("in.jsonl").write_bytes(lines(long))
    for more in ((), ("-q",)):
        code, out, _ = run(capfd, "prepare", "in.jsonl", "-t", "anthropic", *words, *more)
        assert code == 0
        assert objects(out) == [tw.prepare(long, target="anthropic", **{"settings": "convert", **options}).payload]


def test_strict_fails_a_row_that_loses_something(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_bytes(lines({"messages": [{**QUESTION, "name": "Bo"}]}))
    for command in ("prepare", "convert"):
        code, out, err = run(capfd, command, "in.jsonl", "-t", "gemini", "--strict")
        assert (code, out) == (1, "") and err.startswith("in.jsonl:1: error ")


def test_check_prints_a_problem_when_it_is_found() -> None:
    command = [sys.executable, "-u", "-m", "turnwire", "check", "-", "-s", "openai"]
    said: list[bytes] = []
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as running:
        assert running.stdin is not None and running.stdout is not None
        # More than a block holds, for each core.
        writer = threading.Thread(target=running.stdin.write, args=[lines(*[long(OPEN)] * 1_000)])
        writer.start()
        first = running.stdout.readline()
        assert first.startswith(b"<stdin>:1: error missing_result at $.messages[1].tool_calls[0]: ")
        read = threading.Thread(target=lambda: said.append(running.stdout.read()))
        read.start()
        writer.join()
        running.stdin.close()
        read.join()
    assert said[0].endswith(b"1,000 rows, 1 file. prepare puts 1,000 right\n")


def test_a_file_without_a_row_is_wrong_use(capfd: pytest.CaptureFixture[str]) -> None:
    Path("in.yaml").write_text("a: 1\nb: 2\n")
    for command in (["check"], ["stats"], ["convert", "-t", "openai"], ["prepare"], ["truncate", "-b", "9"]):
        code, out, err = run(capfd, command[0], "in.yaml", *command[1:])
        assert code == 2 and "this is YAML, not JSON" in out + err


def test_several_inputs_need_a_folder(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "prepare", "logs", "-o", "x.jsonl")
    assert (code, out) == (2, "")
    assert err.startswith("expected a folder for what becomes of 2 files, got x.jsonl: a new folder's name ends with /")
    assert sorted(one.name for one in Path().iterdir()) == ["logs"]


def test_reports_never_overwrite_what_a_run_reads_or_writes(capfd: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["--errors", "logs/a.jsonl"],
        ["--changes", "logs/b.jsonl"],
        ["--errors", "x", "--changes", "x"],
        ["-o", "out/", "--changes", "out/a.jsonl"],
    ):
        code, _, err = run(capfd, "prepare", "logs", *words)
        assert (code, "expected another file for --" in err) == (2, True)
    assert objects(Path("logs/a.jsonl").read_text()) == [SOUND, OPEN, LATE]


def test_a_json_file_is_a_list_of_the_rows(capfd: pytest.CaptureFixture[str]) -> None:
    rows = lines(*[OPEN, SOUND] * 2_000, b"nope")
    assert len(rows) > SIZE
    Path("in.jsonl").write_bytes(rows)
    Path("bad.jsonl").write_bytes(lines(b"nope", b"{"))
    for command in (["prepare"], ["convert", "-t", "gemini"], ["prepare", "-q"], ["truncate", "-b", "9"]):
        for given, count in (("in.jsonl", 4_000), ("bad.jsonl", 0)):
            code, expected, _ = run(capfd, command[0], given, *command[1:])
            for name in ("x.json", "x.json.gz"):
                assert run(capfd, command[0], given, *command[1:], "-o", name)[0] == code == (1 if count else 2)
                written = Path(name).read_bytes()
                text = gzip.decompress(written) if name.endswith(".gz") else written
                assert json.loads(text) == objects(expected), name
                assert text.count(b"\n") == (count + 2 if count else 1), name
