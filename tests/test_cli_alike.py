"""Commands agree: `check` reports what `repair` and `prepare` will do or refuse, and each reports what it did."""

import json
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import turnwire as tw

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
        _, out, _ = run(capfd, "check", file, "--json", *towards)
        errors = {one["line"] for one in objects(out) if one["severity"] == "error"}
        command = ["repair", file] if target is None else ["prepare", file, "--to", target]
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
    code, out, _ = run(capfd, "repair", file, "--out", tmp_path / "out.jsonl")
    assert code == 0 and "renamed_tool" in out
    assert run(capfd, "check", tmp_path / "out.jsonl")[0] == 0


def test_prepare_says_what_it_cut(tmp_path, capfd):
    long = {"messages": [*SOUND["messages"][:2], {**SOUND["messages"][2], "content": "r" * 5_000}]}
    file = written(tmp_path, [long, SOUND, long])
    file.write_text(file.read_text() + "nope\n")
    code, out, err = run(capfd, "prepare", file, "--to", "openai", "-b", 2_000, "--out", tmp_path / "out.jsonl")
    assert code == 1 and ":4: invalid_json" in err
    header, cut = (line.split() for line in out.splitlines()[:2])
    assert header == ["change", "times", "rows", "bytes", "freed"]
    receipt = tw.prepare(long, "openai", 2_000).receipt
    freed = sum(change.before - change.after for change in receipt) * 2
    assert cut == ["cut_result", "2", "2", f"{freed:,}"]
    # Nothing was cut, so nothing is reported.
    _, out, _ = run(capfd, "prepare", written(tmp_path, [SOUND]), "--to", "openai", "--out", tmp_path / "out.jsonl")
    assert out.startswith("file")


def test_where_the_rows_go_to_stdout_stderr_says_what_was_cut_and_lost(tmp_path, capfd):
    long = {"messages": [*SOUND["messages"][:2], {**SOUND["messages"][2], "content": "r" * 5_000}]}
    file = written(tmp_path, [long, SOUND, long])
    _, out, err = run(capfd, "prepare", file, "--to", "openai", "-b", 2_000)
    assert len(objects(out)) == 3
    header, cut = (line.split() for line in err.splitlines()[:2])
    assert header == ["change", "times", "rows", "bytes", "freed"] and cut[:3] == ["cut_result", "2", "2"]
    _, out, err = run(capfd, "truncate", file, "-b", 2_000)
    assert len(objects(out)) == 3 and f"{file}: 2 cuts\n" in err
    _, _, err = run(capfd, "truncate", written(tmp_path, [long]), "-b", 2_000)
    assert f"{file}: 1 cut\n" in err
    file = written(tmp_path, [{"messages": [{"role": "user", "content": "q", "name": "Bo"}]}])
    _, out, err = run(capfd, "convert", file, "--from", "openai", "--to", "anthropic")
    assert len(objects(out)) == 1 and f"{file}: 1 loss: 1 key\n" in err
    # Nothing was changed, so nothing is reported.
    for command in (("repair",), ("prepare", "-t", "openai"), ("truncate", "-b", 2_000), ("convert", "-t", "openai")):
        _, _, err = run(capfd, command[0], written(tmp_path, [SOUND]), *command[1:])
        assert err == "detected: openai\n"


def test_truncate_counts_cuts(tmp_path, capfd):
    file = written(tmp_path, [SOUND])
    _, out, _ = run(capfd, "truncate", file, "-b", 100, "--out", tmp_path / "out.jsonl")
    assert out.splitlines()[0].split()[:4] == ["file", "rows", "failed", "cuts"]
    _, out, _ = run(capfd, "truncate", file, "-b", 100, "--out", tmp_path / "out.jsonl", "--json")
    (report,) = objects(out)
    assert report["cuts"] == 1 and "losses" not in report
    _, out, _ = run(capfd, "convert", file, "--to", "anthropic", "--out", tmp_path / "out.jsonl", "--json")
    assert objects(out)[0]["losses"] == 0


def tabled(text):
    """The rows of a table, as dicts of texts."""
    header, *rows = (line.split("  ") for line in text.splitlines())
    names, *cells = ([cell.strip() for cell in row if cell.strip()] for row in (header, *rows))
    return [dict(zip(names, row, strict=True)) for row in cells]


def as_text(cell):
    return cell if isinstance(cell, str) else f"{cell:,}"


def test_repair_and_prepare_count_the_same_changes_on_stderr_as_in_json(tmp_path, capfd):
    file, out = written(tmp_path, random_rows(0)), tmp_path / "out.jsonl"
    _, listed, _ = run(capfd, "repair", file, "--out", out)
    places = [line.split()[:2] for line in listed.splitlines() if line.startswith(f"{file}:")]
    for command in (["repair", file], ["prepare", file, "--to", "openai", "-b", 2_000]):
        (report,) = objects(run(capfd, *command, "--out", out, "--json")[1])
        _, rows, err = run(capfd, *command)
        assert len(objects(rows)) == report["rows"] - report["failed"]
        # Lines that failed are named first, and the dialects last.
        start = next(at for at, line in enumerate(err.splitlines()) if line.startswith("change "))
        shown = tabled("\n".join(err.splitlines()[start:-1]))
        as_shown = [{key.replace("_", " "): as_text(of) for key, of in one.items()} for one in report["changes"]]
        assert shown == as_shown
        if command[0] == "repair":
            times = Counter(code for _, code in places)
            lines = Counter(code for _, code in {tuple(place) for place in places})
            assert {one["change"]: (one["times"], one["rows"]) for one in report["changes"]} == {
                code: (times[code], lines[code]) for code in times
            }
            assert len(times) > 3
        else:
            assert {one["change"] for one in report["changes"]} >= {"cut_result", "missing_result"}


def test_stdin_is_read_once_so_its_changes_are_not_counted(tmp_path, capfd):
    rows = "".join(json.dumps(row) + "\n" for row in random_rows(0))
    for command in (["repair"], ["prepare", "--to", "openai"]):
        asked = [command[0], "-", *command[1:], "--out", tmp_path / "out.jsonl", "--json"]
        done = subprocess.run([sys.executable, "-m", "turnwire", *asked], input=rows, capture_output=True, text=True)
        (report,) = objects(done.stdout)
        assert report["rows"] == 42 and report["changes"] is None
