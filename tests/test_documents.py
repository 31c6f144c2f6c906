"""Documents: the same rows, whatever a set is written as; each row alone; histories; what is left out and told."""

import gzip
import io
import json
import random
import re
import subprocess
import sys
import zlib
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import turnwire as tw
from turnwire import batch
from turnwire.batch.compressed import packing
from turnwire.cli import main, stats

from tests.test_cli import lines, objects, run

WORDS = ["é", "日本", "a, b", '"q"', "[x]", "{y}", "\\", "\n", "z", "]}", "\u2028"]


def said(rnd: random.Random) -> str:
    return "".join(rnd.choices(WORDS, k=rnd.randrange(1, 9))) + str(rnd.randrange(10**9))


def openai(rnd: random.Random) -> Any:
    messages: list[Any] = [{"role": "user", "content": said(rnd)}]
    if rnd.random() < 0.5:
        call = {"id": "c1", "type": "function", "function": {"name": "w", "arguments": json.dumps({"q": said(rnd)})}}
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": said(rnd)},
        ]
    return {"messages": [*messages, {"role": "assistant", "content": said(rnd)}]}


def sharegpt(rnd: random.Random) -> Any:
    turns = [{"from": "human", "value": said(rnd)}]
    if rnd.random() < 0.5:
        turns.append({"from": "function_call", "value": json.dumps({"name": "w", "arguments": {"q": said(rnd)}})})
        turns.append({"from": "observation", "value": said(rnd)})
    return {"conversations": [*turns, {"from": "gpt", "value": said(rnd)}], "tools": "[]"}


def trl(rnd: random.Random) -> Any:
    return {
        "prompt": [{"role": "user", "content": said(rnd)}],
        "completion": [{"role": "assistant", "content": said(rnd)}],
    }


def bedrock(rnd: random.Random) -> Any:
    text = {"role": "user", "content": [{"text": said(rnd)}]}
    if rnd.random() < 0.5:
        return {"messages": [text, {"role": "assistant", "content": [{"text": said(rnd)}]}]}
    call = {"toolUseId": "c1", "name": "w", "input": {"q": said(rnd)}}
    result = {"toolUseId": "c1", "content": [{"text": said(rnd)}], "status": "success"}
    return {
        "messages": [
            text,
            {"role": "assistant", "content": [{"toolUse": call}]},
            {"role": "user", "content": [{"toolResult": result}]},
            {"role": "assistant", "content": [{"text": said(rnd)}]},
        ]
    }


def listed(rnd: random.Random) -> Any:
    return openai(rnd)["messages"]


SETS = [openai, sharegpt, trl, bedrock, listed]


def texts(value: Any) -> set[str]:
    """The numbers that end each text of a set."""
    return set(re.findall(r"\d{4,9}", json.dumps(value)))


@pytest.mark.parametrize("kind", SETS, ids=[one.__name__ for one in SETS])
def test_a_set_has_the_same_rows_whatever_it_is_written_as(kind, tmp_path):
    rnd = random.Random(kind.__name__)
    rows = [kind(rnd) for _ in range(1_000)]
    rows.insert(500, {"messages": [{"role": "user", "content": 5}]})
    if kind is listed:
        rows[500] = [{"role": 5}]
    compact = json.dumps(rows, ensure_ascii=rnd.random() < 0.5).encode()
    forms = {
        "rows.jsonl": lines(*rows),
        "list.json": compact,
        "pretty.json": json.dumps(rows, indent=rnd.choice([0, 1, "\t"]))
        .encode()
        .replace(b"\n", rnd.choice([b"\n", b"\r\n"])),
        "lines.json": b"[\n" + b",\n".join(json.dumps(row).encode() for row in rows) + b"\n]\n",
        "mark.json": b"\xef\xbb\xbf " + compact,
        "samples.json": b'{"meta": {"samples": [1]}, "samples": ' + compact + b', "more": [[]]}\n',
        "list.json.gz": gzip.compress(compact),
    }
    if kind is listed:
        # Bare lists are records only in a list of lists.
        del forms["samples.json"]
    made, paths = {}, {}
    for name, content in forms.items():
        (tmp_path / name).write_bytes(content)
        failed: list[batch.RowError] = []
        report = batch.convert_file(tmp_path / name, tmp_path / "out", "gemini", errors=failed.append, threads=2)
        assert (report.rows, report.failed) == (1_001, 1)
        made[name] = [json.loads(line) for line in (tmp_path / "out").read_bytes().splitlines()]
        paths[name] = failed[0].path
        with (tmp_path / name).open("rb") as file:
            at = (gzip.decompress(file.read()) if name.endswith(".gz") else file.read()).split(b"\n")
        begins = at[failed[0].line - 1]
        assert b"{" in begins or b"[" in begins
    first = made["rows.jsonl"]
    assert all(one == first for one in made.values())
    assert texts(rows) - {"5"} == texts(first), "a text is gone"
    assert {paths[name].split("]")[0] for name in paths if name not in ("rows.jsonl", "samples.json")} == {"$[500"}
    assert kind is listed or paths["samples.json"].startswith("$.samples[500].")


def test_a_packed_list_is_read_with_zstd_too(tmp_path):
    pytest.importorskip("backports.zstd" if sys.version_info < (3, 14) else "compression.zstd", reason="no zstd")
    rows = [openai(random.Random(seed)) for seed in range(50)]
    (tmp_path / "in.json.zst").write_bytes(packing(Path("x.zst"))(json.dumps(rows).encode()))
    assert batch.convert_file(tmp_path / "in.json.zst", tmp_path / "out", "gemini").rows == 50


@pytest.mark.parametrize(
    "command", ["check", "stats", "convert --target gemini", "prepare", "prepare --target gemini", "truncate -b 9"]
)
def test_every_command_reads_a_list_as_rows(command, tmp_path, capfd, monkeypatch):
    rows = [{"messages": [{"role": "user", "content": "Hi"}]}, {"messages": [{"role": 5}]}, {"messages": []}]
    rows[2] = {"messages": [{"role": "user", "content": "Bye"}], "id": 1}
    (tmp_path / "in.json").write_text(json.dumps(rows, indent=1))
    code, out, err = run(capfd, *command.split(), tmp_path / "in.json")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(rows, indent=1).encode())))
    piped = run(capfd, *command.split(), "-")
    assert piped[0] == code == 1
    where = "$[1].messages[0].role"
    if command == "check":
        assert f"in.json:10: error wrong_type at {where}: " in out
    else:
        assert f"in.json:10: error wrong_type at {where}" in err
        assert f"<stdin>:10: error wrong_type at {where}" in piped[2]
    if command == "stats":
        assert out.splitlines()[1].split()[1:3] == ["2", "2"]
    elif command != "check":
        assert out == piped[1]
        assert len(objects(out)) == 2


def test_an_interrupted_list_is_resumed(tmp_path):
    rows = [openai(random.Random(seed)) | {"id": seed} for seed in range(4_000)]
    (tmp_path / "in.json").write_text(json.dumps({"samples": rows}))
    whole = batch.convert_file(tmp_path / "in.json", tmp_path / "whole", "gemini", end="request", settings="omit")
    stopped = []

    def stop(report: batch.Report) -> None:
        stopped.append(report.rows)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        batch.convert_file(
            tmp_path / "in.json", tmp_path / "out", "gemini", end="request", settings="omit", resume=True, progress=stop
        )
    seen: list[int] = []
    again = batch.convert_file(
        tmp_path / "in.json",
        tmp_path / "out",
        "gemini",
        end="request",
        settings="omit",
        resume=True,
        progress=lambda one: seen.append(one.rows),
    )
    assert 0 < stopped[0] < seen[0]
    assert (again.rows, again.changes, again.left_keys) == (whole.rows, whole.changes, whole.left_keys)
    assert whole.rows == 4_000 and whole.changes and whole.left_keys
    assert (tmp_path / "out").read_bytes() == (tmp_path / "whole").read_bytes()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux tells the most memory of a process")
def test_memory_does_not_grow_with_a_list(tmp_path):
    row = json.dumps({"messages": [{"role": "user", "content": "x" * 3_000}]})
    peaks = []
    for count in (1_000, 12_000):
        (tmp_path / "in.json").write_text(f"[{','.join([row] * count)}]")
        code = f"""
import sys
from turnwire.cli import main
main(["convert", {str(tmp_path / "in.json")!r}, "-t", "gemini", "--out", {str(tmp_path / "out")!r}, "--threads", "2"])
(most,) = (line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(most.split()[1], file=sys.stderr)
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        peaks.append(int(done.stderr.split()[-1]))
        assert (tmp_path / "out").read_bytes().count(b"\n") == count
    # 33 MB more of input.
    assert peaks[1] - peaks[0] < 12_000, peaks


def test_a_stored_history_is_read_by_every_command(tmp_path, capfd):
    path = tmp_path / "history.jsonl"
    with tw.MessageHistory.open(path) as history:
        history.add_user_message("gone")
        history.clear()
        history.add_raw_message({"role": "user", "content": "Weather?"})
        call = {"id": "c1", "type": "function", "function": {"name": "w", "arguments": '{"c": "Rome"}'}}
        history.add_raw_message({"role": "assistant", "content": None, "tool_calls": [call]})
        history.ledger("anthropic").prepare(system="S")
        history.add_raw_message({"role": "tool", "tool_call_id": "c1", "content": "clear"})
    for command in (
        "check",
        "stats",
        "prepare",
        "convert --target gemini",
        "prepare --target anthropic",
        "truncate -b 99",
        "detect",
    ):
        code, out, err = run(capfd, *command.split(), path)
        assert (code, "read as a stored history" in err) == (0, True), (command, err)
        assert "gone" not in out
    code, out, _ = run(capfd, "convert", path, "--target", "gemini")
    parts = [part for content in objects(out)[0]["contents"] for part in content["parts"]]
    assert [next(iter(part)) for part in parts] == ["text", "functionCall", "functionResponse"]
    with path.open("ab") as file:
        file.write(b'{"dialect":"open')
    assert "left out: 1 line torn" in run(capfd, "check", path)[2]
    report = batch.convert_file(path, tmp_path / "out", "gemini")
    assert (report.rows, report.failed) == (1, 0)


def test_one_message_a_line_is_one_conversation_unless_the_caller_says_so(tmp_path, capfd):
    message = {"role": "user", "content": "Hi"}
    (tmp_path / "in.jsonl").write_bytes(lines(*[message, {"role": "assistant", "content": "Yo"}] * 15))
    code, out, err = run(capfd, "convert", tmp_path / "in.jsonl", "--target", "gemini")
    assert (code, len(objects(out)), len(objects(out)[0]["contents"])) == (0, 1, 30)
    assert "read as one conversation, a message a line; --at $" in err
    code, _, err = run(capfd, "convert", tmp_path / "in.jsonl", "--target", "gemini", "--at", "$")
    assert (code, err.count("missing_key at $")) == (1, 30)


def test_a_way_goes_through_lists_and_json_text(tmp_path, capfd):
    def got(row: Any, at: str) -> tuple[int, Any, str]:
        content = row if isinstance(row, bytes) else json.dumps(row).encode()
        (tmp_path / "in.json").write_bytes(content)
        code, out, err = run(capfd, "convert", tmp_path / "in.json", "--target", "gemini", "--at", at)
        return code, objects(out), err

    one = [{"role": "user", "content": "Hi"}]
    made = {"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}
    deep = {"runs": [{"id": 1, "steps": [{"m": one, "n": 1}, {"m": one, "n": 2}]}, {"steps": [{"m": 5}]}]}
    # The record is the innermost object in a list.
    expected = [{"m": made, "n": 1}, {"m": made, "n": 2}]
    for content in (deep, json.dumps(deep, indent=2).encode(), json.dumps([deep]).encode()):
        code, rows, err = got(content, "runs.steps.m")
        assert (code, rows) == (1, expected)
        assert "runs[1].steps[0].m" in err
    # In JSON Lines, a line may have several records.
    code, rows, err = got(lines(deep, deep), "runs.steps.m")
    assert (rows, err.count("in.json:1:"), err.count("in.json:2:")) == (expected * 2, 1, 1)
    # A list of records at its end, and a list of lists, which stays in its record.
    assert got({"x": [{"messages": one}, {"custom_id": "a", "body": {"messages": one}}]}, "x")[1] == [
        made,
        {"custom_id": "a", "body": made},
    ]
    assert got({"id": 1, "q": [one, one]}, "q")[1] == [{"id": 1, "q": [made, made]}]
    # JSON text at the end, and on the way.
    assert got({"i": json.dumps(one), "id": 1}, "i")[1] == [{"i": json.dumps(made, separators=(",", ":")), "id": 1}]
    code, rows, _ = got({"i": json.dumps({"é": one, "k": "é"}, ensure_ascii=False)}, "i.é")
    assert (code, json.loads(rows[0]["i"])) == (0, {"é": made, "k": "é"})
    assert "wrong_type at $.i: " in got({"i": "[note] hi"}, "i")[2]
    code, _, err = got({"i": json.dumps([{"role": 5, "content": "x"}])}, "i")
    assert (code, "at $.i[0].role" in err) == (1, True)
    (tmp_path / "in.json").write_text(json.dumps({"i": json.dumps([{"role": "user", "content": [" "]}])}))
    code, out, _ = run(capfd, "check", tmp_path / "in.json", "--at", "i", "--format=json")
    assert {one["path"].split("[")[0] for one in objects(out)} == {"$.i"}


def test_losses_are_counted_by_code_and_listed(tmp_path, capfd):
    thought = {"role": "assistant", "content": "a", "reasoning_content": "h"}
    rows = [{"messages": [{"role": "user", "content": "q"}, thought, {"role": "user", "content": "q"}]}] * 3
    image = {"type": "file", "file": {"file_id": "f"}}
    rows.append({"messages": [{"role": "user", "content": [{"type": "text", "text": "q"}, image]}]})
    (tmp_path / "in.json").write_text(json.dumps(rows))
    code, out, _ = run(
        capfd,
        *("convert", tmp_path / "in.json", "--target", "gemini", "--out", tmp_path / "o", "--changes", tmp_path / "l"),
    )
    listed = objects((tmp_path / "l").read_text())
    assert code == 0 and out.splitlines()[1].split()[:4] == ["3", "3", "lost", "reasoning"]
    assert [one["row"] for one in listed] == [1] * len(listed)
    assert [one["path"] for one in listed][:2] == [f"$[{at}].messages[1].reasoning_content" for at in range(2)]
    assert all(one["reason"] and one["file"].endswith("in.json") for one in listed)
    _, out, _ = run(
        capfd, "convert", tmp_path / "in.json", "--target", "gemini", "--out", tmp_path / "o", "--format=json"
    )
    *counts, sums = objects(out)
    assert {one["code"]: one["times"] for one in counts} == {"reasoning": 3, listed[-1]["code"]: 1}
    assert len(listed) == 4 and sums["rows"] == 4
    _, _, err = run(capfd, "convert", tmp_path / "in.json", "--target", "gemini", "--changes", tmp_path / "l2")
    assert "    3     3  lost  reasoning  " in err
    assert (tmp_path / "l2").read_text() == (tmp_path / "l").read_text()
    for place in (tmp_path / "in.json", tmp_path / "o"):
        code, _, err = run(
            capfd, "convert", tmp_path / "in.json", "--target", "gemini", "--out", tmp_path / "o", "--changes", place
        )
        assert (code, "another file for --changes" in err) == (2, True)
    assert json.loads((tmp_path / "in.json").read_text()) == rows
    report = batch.check_file(tmp_path / "in.json", tmp_path / "found", "gemini")
    found = objects((tmp_path / "found").read_text())
    assert {(one.kind, one.code): one.times for one in report.changes} == Counter(
        (one["kind"], one["code"]) for one in found
    )


def test_keys_that_are_left_out_are_counted_on_every_way_of_output(tmp_path, capfd):
    rows = [
        {"id": at, "messages": [{"role": "user", "content": "q"}], **({"label": 1} if at else {})}
        for at in range(1_200)
    ]
    (tmp_path / "in.json").write_text(json.dumps(rows))
    to = ("convert", tmp_path / "in.json", "--target", "openai:hf", "--no-row", "--settings", "omit")
    told = "left out: id (1,200 records), label (1,199)"
    assert told in run(capfd, *to)[2]
    assert told in run(capfd, *to, "--out", tmp_path / "o")[2]
    _, out, err = run(capfd, *to, "--out", tmp_path / "o", "--format=json")
    assert told in err and objects(out)[-1]["left_keys"] == {"id": 1_200, "label": 1_199}
    assert "left out" not in run(capfd, *to, "--settings", "keep")[2]


def test_a_defect_keeps_its_traceback(tmp_path, monkeypatch):
    def broken(*_: object, **__: object) -> None:
        raise TypeError("sequence item 0: expected str instance, dict found")

    monkeypatch.setattr(stats, "_count", broken)
    (tmp_path / "in.jsonl").write_bytes(lines({"messages": [{"role": "user", "content": "q"}]}))
    with pytest.raises(TypeError):
        main(["stats", str(tmp_path / "in.jsonl")])


def test_traces_without_messages_say_what_is_not_read(tmp_path, capfd):
    span = {
        "traceId": "t",
        "spanId": "s",
        "attributes": {
            "llm.input_messages.0.message.role": "user",
            "input.value": "Hi",
            "model": "m",
            "output.value": "",
        },
    }
    (tmp_path / "in.jsonl").write_bytes(lines(span, span))
    for command in ("check", "convert --target openai", "stats"):
        code, _, err = run(capfd, *command.split(), tmp_path / "in.jsonl")
        assert code == 2, err
        assert "not read: llm.input_messages.*, input.value" in err


@pytest.mark.parametrize("content", [b"a: 1\nb: 2\n", b"PK\x03\x04xx", b"x,y\n1,2\n", b"plain\ntext\n"])
def test_what_is_not_json_is_one_error(content, tmp_path, capfd):
    for name, packed in (("in.yaml", content), ("in.yaml.gz", gzip.compress(content))):
        (tmp_path / name).write_bytes(packed)
        code, out, _ = run(capfd, "check", tmp_path / name, "--format=json")
        (found,) = objects(out)
        assert (code, found["code"], found["row"], found["path"]) == (2, "invalid_json", 1, "$")
        assert "this is " in found["reason"]
        failed: list[batch.RowError] = []
        report = batch.convert_file(tmp_path / name, tmp_path / "out", "gemini", errors=failed.append)
        assert (report.rows, report.failed, len(failed)) == (1, 1, 1)
        for command in ("stats", "convert --target gemini", "prepare --target gemini", "prepare"):
            code, out, err = run(capfd, *command.split(), tmp_path / name)
            assert (code, err.count("invalid_json")) == (2, 1), err


def test_a_parquet_file_is_known_by_its_bytes(tmp_path, capfd):
    pa = pytest.importorskip("pyarrow", reason="the extra arrow is not installed")
    from pyarrow import parquet

    parquet.write_table(pa.table({"messages": [[{"role": "user", "content": "q"}]]}), tmp_path / "in.data")
    assert run(capfd, "check", tmp_path / "in.data")[:2] == (0, "nothing is wrong in 1 row, 1 file\n")
    assert batch.convert_file(tmp_path / "in.data", tmp_path / "out", "gemini").rows == 1


def test_damage_in_a_packed_list_is_told_after_its_rows(tmp_path):
    rows = [openai(random.Random(seed)) for seed in range(3_000)]
    whole = zlib.compressobj(wbits=31)
    packed = whole.compress(json.dumps(rows).encode()) + whole.flush()
    (tmp_path / "in.json.gz").write_bytes(packed[: len(packed) // 2])
    seen: list[int] = []
    with pytest.raises(tw.TurnwireError, match="cut off or damaged"):
        batch.convert_file(
            tmp_path / "in.json.gz", tmp_path / "out", "gemini", progress=lambda one: seen.append(one.rows)
        )
    assert seen[-1] > 500
