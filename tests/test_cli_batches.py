"""`turnwire batch` and `turnwire batch-results`: a batch file there and back, what is printed, and exit codes."""

import json
from pathlib import Path
from typing import Any

import pytest
from test_cli import run
from turnwire import batch

TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}


def row(given: str, **more: Any) -> bytes:
    body = {"model": "m", "messages": [{"role": "user", "content": "q"}], "max_tokens": 5, **more}
    line = {"custom_id": given, "method": "POST", "url": "/v1/chat/completions", "body": body}
    return json.dumps(line).encode() + b"\n"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_bytes(row("row 1") + b"{\n" + row("row 2"))
    return tmp_path


def test_there_and_back(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "batch", "in.jsonl", "--target", "anthropic", "--model", "c", "-o", "out.json")
    assert code == 1
    assert err.startswith("in.jsonl:2: error invalid_json at $: expected JSON, got ")
    assert out.split("\n") == [
        "file      rows  model",
        "out.json     2",
        "rows  failed  renamed",
        "3     1       2",
        "",
    ]
    requests = json.loads((home / "out.json").read_text())["requests"]
    assert [one["custom_id"] for one in requests] == [batch.batch_id(f"row {n}", "anthropic") for n in (1, 2)]
    assert [one["params"]["model"] for one in requests] == ["c", "c"]
    results = [{"custom_id": one["custom_id"], "result": {"type": "expired"}} for one in requests]
    for name, one in zip("ab", results, strict=True):
        (home / name).write_text(json.dumps(one))
    code, out, err = run(
        capfd, "batch-results", "b", "a", "--requests", "in.jsonl", "--out", "back.jsonl", "--format=json"
    )
    assert (code, err) == (0, "")
    files = [{"path": "back.jsonl", "rows": 2, "model": None}]
    counts = {"rows": 2, "failed": 0, "renamed": 2}
    assert json.loads(out) == counts | {"changes": [], "left_keys": {}, "files": files}
    back = [json.loads(text) for text in (home / "back.jsonl").read_text().splitlines()]
    assert [(one["custom_id"], one["error"]["code"]) for one in back] == [
        ("row 2", "batch_expired"),
        ("row 1", "batch_expired"),
    ]
    code, _, err = run(capfd, "batch-results", "a", "--requests", "in.jsonl", "--out", "new/folder/back.jsonl")
    assert (code, err) == (1, "a:0: error no_result at $: expected a result for 'row 2', got none\n")


def test_what_is_lost_and_left_out_is_named(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    asked = {"contents": [{"role": "user", "parts": [{"text": "q"}]}], "generationConfig": {"topK": 3, "foo": 1}}
    lines = [
        {"key": "a", "request": asked, "metadata": {"team": 1}, "note": "n"},
        {"request": asked, "metadata": {"key": "b"}},
        {"key": "c", "request": asked, "metadata": {}},
    ]
    (home / "in.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    code, out, err = run(capfd, "batch", "in.jsonl", "--target", "openai", "--model", "m", "-o", "out.jsonl")
    assert code == 0
    assert err == "in.jsonl: left out: metadata (2 records), note (1)\n"
    assert out.splitlines()[-3].split() == ["3", "0", "0"]
    assert out.splitlines()[-1].split()[:4] == ["6", "3", "lost", "setting"]
    report = batch.convert_batch("in.jsonl", "new.jsonl", "openai", model="m")
    assert (report.left_keys, [one[:4] for one in report.changes]) == (
        {"metadata": 2, "note": 1},
        [("lost", "setting", 6, 3)],
    )


def test_tools_for_bedrock(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / "in.jsonl").write_bytes(row("a", tools=[TOOL]))
    code, _, err = run(capfd, "batch", "in.jsonl", "--target", "bedrock", "--out", "out.jsonl")
    assert code == 1
    assert "invoke_model=True" in err
    command = ("batch", "in.jsonl", "--target", "bedrock", "--invoke-model", "--out", "out.jsonl")
    assert run(capfd, *command)[0] == 0
    (line,) = (home / "out.jsonl").read_text().splitlines()
    assert json.loads(line)["modelInput"]["anthropic_version"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("batch", "in.jsonl", "-t", "openai", "--out", "out", "--at", "body"), "no option --at"),
        (("convert", "in.jsonl", "-t", "openai", "--batch", "--out", "out"), "use the command batch"),
        (("convert", "in.jsonl", "-t", "openai", "--out", "out", "--invoke-model"), "no option --invoke-model"),
        (("results", "a", "--requests", "in.jsonl", "--out", "out"), "use batch-results"),
        (("batch", "in.jsonl", "-t", "openai"), "it needs -o/--out"),
        (("batch", "in.jsonl", "-t", "openai", "--out", "out", "--errors", "in.jsonl"), "another file for --errors"),
        (("batch", "-", "-t", "openai", "--out", "out"), "got stdin"),
        (("batch", "in.jsonl", "more.jsonl", "-t", "openai", "--out", "out"), "expected one FILE, got 2"),
        (("batch", "*.jsonl", "-t", "openai", "--out", "out"), "one file"),
        (("batch", "in.jsonl", "-t", "ollama", "--out", "out"), "unknown_option"),
        (("batch", "in.jsonl", "-t", "openai", "--out", "in.jsonl"), "conflicting_options"),
        (("batch-results", "in.jsonl", "--requests", "in.jsonl", "--out", "in.jsonl"), "conflicting_options"),
        (("batch-results", "-", "--requests", "in.jsonl", "--out", "out"), "got stdin"),
        (("batch-results", "none.jsonl", "--requests", "in.jsonl", "--out", "out"), "no such file"),
        (("batch-results", "in.jsonl", "--requests", "none.jsonl", "--out", "out"), "none.jsonl"),
    ],
)
def test_what_cannot_be_run(
    home: Path, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    (home / "more.jsonl").write_bytes(row("a"))
    before = {one.name: one.read_bytes() for one in home.iterdir()}
    code, out, err = run(capfd, *arguments)
    assert (code, out) == (2, "")
    assert said in err
    assert {one.name: one.read_bytes() for one in home.iterdir()} == before
