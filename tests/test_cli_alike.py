"""Commands agree: `check` reports what `repair` and `prepare` will do or refuse, and each reports what it did."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import turnwire as tw
from turnwire import batch

sys.path.insert(0, str(Path(__file__).parent / "adapters"))

from generator import told
from spelled import anthropic, openai, responses
from test_cli import CALL, SOUND, objects, run

FORMATS = {
    "openai": (openai, "messages"),
    "anthropic": (anthropic, "messages"),
    "openai-responses": (responses, "input"),
}
TARGETS = ["openai", "anthropic", "gemini", "bedrock", "mistral"]


def written(folder, rows):
    file = folder / "in.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def random_rows(seed):
    """Requests of three formats, each broken in some ways, and some that cannot be repaired."""
    dice = random.Random(f"cli {seed}")
    rows = []
    for number in range(40):
        spell, key = FORMATS[dice.choice([*FORMATS])]
        one = told(f"cli {seed} {number}")
        rows.append({key: spell(one if dice.random() < 0.5 else one.closed())})
    orphan = {"role": "tool", "tool_call_id": "x", "content": "r"}
    rows += [{"messages": [orphan]}, {"messages": [orphan, {"role": "assistant", "content": "y"}]}]
    dice.shuffle(rows)
    return rows


def failed_lines(file, capfd, *arguments):
    """The lines that a command leaves out, by its messages about them, and its exit code."""
    code, _, err = run(capfd, *arguments, "--out", file.parent / "out.jsonl")
    return {int(line.split(":")[1]) for line in err.splitlines() if line.startswith(f"{file}:")}, code


@pytest.mark.parametrize("seed", range(6))
def test_check_reports_every_line_that_repair_or_prepare_would_refuse(seed, tmp_path, capfd):
    file = written(tmp_path, random_rows(seed))
    for target in (None, TARGETS[seed % len(TARGETS)]):
        towards = [] if target is None else ["--target", target]
        _, out, _ = run(capfd, "check", file, "--format=json", *towards)
        errors = {one["row"] for one in objects(out) if one["severity"] == "error"}
        command = ["prepare", file] if target is None else ["prepare", file, "--target", target]
        refused, code = failed_lines(file, capfd, *command)
        assert refused <= errors
        assert code == int(bool(refused))


def test_check_reports_a_tool_that_a_repair_renames(tmp_path, capfd):
    call = {**CALL, "function": {"name": "srv.tool", "arguments": "{}"}}
    messages = [
        SOUND["messages"][0],
        {"role": "assistant", "content": None, "tool_calls": [call]},
        SOUND["messages"][2],
    ]
    file = written(tmp_path, [{"messages": messages}])
    code, out, _ = run(capfd, "check", file)
    assert code == 1 and "renamed_tool" in out
    code, out, _ = run(capfd, "prepare", file, "--out", tmp_path / "out.jsonl")
    assert code == 0 and "renamed_tool" in out
    assert run(capfd, "check", tmp_path / "out.jsonl")[0] == 0


def test_prepare_says_what_it_cut(tmp_path, capfd):
    long = {"messages": [*SOUND["messages"][:2], {**SOUND["messages"][2], "content": "r" * 5_000}]}
    file = written(tmp_path, [long, SOUND, long])
    file.write_text(file.read_text() + "nope\n")
    code, out, err = run(capfd, "prepare", file, "--target", "openai", "-b", 2_000, "--out", tmp_path / "out.jsonl")
    assert code == 1 and ":4: error invalid_json" in err
    receipt = tw.prepare(long, "openai", 2_000).receipt
    freed = sum(change.bytes_before - change.bytes_after for change in receipt) * 2
    assert out.splitlines()[:2] == [
        "times  rows  kind  code        bytes freed  first",
        f"    2     2  cut   cut_result        {freed:,}  {file}:1 $.messages[2].content",
    ]
    assert out.splitlines()[2].startswith(f"3 of 4 rows in {tmp_path}/out.jsonl (1 file, 11.0 to 5.0 kB, ")
    assert out.endswith(" s); 1 failed\n")
    # Nothing was cut, so nothing is counted.
    _, out, _ = run(capfd, "prepare", written(tmp_path, [SOUND]), "--target", "openai", "--out", tmp_path / "out.jsonl")
    assert out.startswith("1 of 1 row in ") and out.count("\n") == 1


def test_where_the_rows_go_to_stdout_stderr_says_what_was_cut_and_lost(tmp_path, capfd):
    long = {"messages": [*SOUND["messages"][:2], {**SOUND["messages"][2], "content": "r" * 5_000}]}
    file = written(tmp_path, [long, SOUND, long])
    for command in (("prepare", "-t", "openai"), ("prepare",), ("truncate",)):
        _, out, err = run(capfd, command[0], file, *command[1:], "-b", 2_000)
        assert len(objects(out)) == 3
        detected, header, cut = (line.split() for line in err.splitlines())
        assert detected == ["detected:", "openai"] and header[:4] == ["times", "rows", "kind", "code"]
        assert cut[:4] == ["2", "2", "cut", "cut_result"]
        _, quiet, err = run(capfd, command[0], file, *command[1:], "-b", 2_000, "-q")
        assert (quiet, err) == (out, "")
    file = written(tmp_path, [{"messages": [{"role": "user", "content": "q", "name": "Bo"}]}, [1]])
    code, out, err = run(capfd, "convert", file, "--source", "openai", "--target", "gemini")
    assert (code, len(objects(out))) == (1, 1)
    failed, header, lost, sums = err.splitlines()
    assert failed.startswith(f"{file}:2: error wrong_type at $[0]: ")
    assert lost.split() == ["1", "1", "lost", "key", f"{file}:1", "$.messages[0].name"]
    assert sums == "1 of 2 rows; 1 failed"
    # Nothing was changed, so nothing is reported.
    for command in (("prepare",), ("prepare", "-t", "openai"), ("truncate", "-b", 2_000), ("convert", "-t", "openai")):
        _, _, err = run(capfd, command[0], written(tmp_path, [SOUND]), *command[1:])
        assert err == "detected: openai\n"


def test_truncate_counts_cuts(tmp_path, capfd):
    file = written(tmp_path, [SOUND])
    _, out, _ = run(capfd, "truncate", file, "-b", "0.1k", "--out", tmp_path / "out.jsonl", "--format=json")
    cut, sums = objects(out)
    assert (cut["kind"], cut["code"], cut["times"]) == ("cut", "cut_result", 1)
    assert (sums["rows"], sums["failed"]) == (1, 0)


def as_text(cell):
    return cell if isinstance(cell, str) else f"{cell:,}"


@pytest.mark.parametrize("target", [None, "openai"])
def test_changes_are_counted_on_stderr_as_in_json_and_listed(target, tmp_path, capfd):
    file, out, listed = written(tmp_path, random_rows(0)), tmp_path / "out.jsonl", tmp_path / "changes"
    towards = ["-b", 2_000, *(() if target is None else ("--target", target))]
    *counts, sums = objects(run(capfd, "prepare", file, *towards, "--out", out, "--format=json")[1])
    _, rows, err = run(capfd, "prepare", file, *towards, "--changes", listed)
    assert len(objects(rows)) == sums["rows"] - sums["failed"]
    # Rows that failed are named first, then the dialects, then the table.
    start = next(at for at, line in enumerate(err.splitlines()) if line.startswith("times "))
    *shown, last = err.splitlines()[start:]
    assert last == f"{sums['rows'] - sums['failed']} of {sums['rows']} rows; {sums['failed']} failed"
    as_shown = [[as_text(one[key]) for key in ("times", "rows", "kind", "code")] for one in counts]
    assert [line.split()[:4] for line in shown[1:]] == as_shown
    assert {one["code"] for one in counts} >= {"cut_result", "missing_result"}
    changes = objects(listed.read_text())
    times = Counter((one["kind"], one["code"]) for one in changes)
    places = Counter(place[:2] for place in {(one["kind"], one["code"], one["row"]) for one in changes})
    assert {(one["kind"], one["code"]): (one["times"], one["rows"]) for one in counts} == {
        key: (times[key], places[key]) for key in times
    }
    assert {one["file"] for one in changes} == {str(file)}
    assert all(set(one) >= {"kind", "code", "severity", "path", "reason", "id", "bytes_before"} for one in changes)


def test_prepare_without_a_target_repairs_each_row_in_its_own_dialect(tmp_path, capfd):
    """It tells all that it does, and writes what `repair_lines` writes."""
    for seed in range(6):
        file = written(tmp_path, random_rows(seed))
        expected = list(batch.prepare_lines(file.read_bytes().splitlines(), errors=lambda _: None))
        for more in ((), ("-q",), ("--target", "same")):
            _, out, _ = run(capfd, "prepare", file, *more)
            assert out.encode().splitlines() == expected


def test_what_is_written_is_the_same_from_stdin(tmp_path, capfd):
    file = written(tmp_path, random_rows(0))
    for command in (["prepare"], ["prepare", "--target", "openai"], ["convert", "--target", "gemini"]):
        asked = [*command[1:], "--out", tmp_path / "out.jsonl", "--format=json"]
        named = objects(run(capfd, command[0], file, *asked)[1])
        words = [sys.executable, "-m", "turnwire", command[0], "-", *asked]
        done = subprocess.run(words, input=file.read_text(), capture_output=True, text=True)
        for one in (given := objects(done.stdout))[:-1]:
            one |= {"file": str(file), "example": one["example"].replace("<stdin>", str(file))}
        named[-1]["seconds"] = given[-1]["seconds"] = 0
        assert given == named and len(named) > 2


def test_rows_that_fail_go_to_a_file(tmp_path, capfd):
    file = written(tmp_path, random_rows(1))
    _, _, told = run(capfd, "prepare", file, "--out", tmp_path / "out.jsonl")
    for command in (["prepare", file], ["prepare", file, "-q"]):
        code, _, err = run(capfd, *command, "--out", tmp_path / "out.jsonl", "--errors", tmp_path / "bad.jsonl")
        failed = objects((tmp_path / "bad.jsonl").read_text())
        assert (code, bool(failed), ": error " in err) == (1, True, False)
        said = [f"{one['file']}:{one['row']}: error {one['code']} at {one['path']}: {one['message']}" for one in failed]
        assert said == [line for line in told.splitlines() if ": error " in line]
