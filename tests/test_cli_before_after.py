"""`turnwire prepare --diff`: the changes of each conversation, in colours on a terminal only."""

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("pexpect", reason="pexpect is not installed")

import pexpect
from turnwire.cli import main

WHOLE = [{"role": "user", "content": "Hello"}]
BROKEN = [{"role": "tool", "tool_call_id": "x", "content": "東京"}, {"role": "user", "content": "Hello"}]


def run(capfd: pytest.CaptureFixture[str], *rows: object, to: str = "openai", more: str = "") -> tuple[int, str, str]:
    Path("in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    code = main(["prepare", "in.jsonl", "--target", to, "--diff", *more.split()])
    sys.stdout.flush()
    return code, *capfd.readouterr()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_changes_is_shown_without_colours_when_piped(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, WHOLE, BROKEN)
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "--- in.jsonl:2",
        "+++ in.jsonl:2 (prepared)",
        "@@ -1,2 +1 @@",
        '-messages: {"role": "tool", "tool_call_id": "x", "content": "東京"}',
        ' messages: {"role": "user", "content": "Hello"}',
    ]
    assert list(Path().iterdir()) == [Path("in.jsonl")]


def test_programs_get_a_line_of_json_for_each_that_changes(capfd: pytest.CaptureFixture[str]) -> None:
    _, shown, _ = run(capfd, WHOLE, BROKEN)
    code, out, err = run(capfd, WHOLE, BROKEN, BROKEN, [], more="--format=json")
    assert code == 1
    told = [json.loads(line) for line in out.splitlines()]
    assert [(one["file"], one["row"]) for one in told] == [("in.jsonl", 2), ("in.jsonl", 3)]
    assert told[0]["diff"] == shown.splitlines()
    assert err.startswith("in.jsonl:4: error empty_messages at $")
    assert run(capfd, WHOLE, more="--format=json") == (0, "", "")


def test_nothing_changes(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(capfd, WHOLE, {"messages": WHOLE}) == (0, "", "")


def test_another_format_is_a_change(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, WHOLE, to="gemini")
    assert code == 1
    assert '+contents: {"role": "user", "parts": [{"text": "Hello"}]}' in out


def test_a_row_that_fails_is_named_with_its_line(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, WHOLE, [])
    assert (code, out) == (1, "")
    assert err.startswith("in.jsonl:2: error empty_messages at $")


def test_colours_on_a_terminal(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run(capfd, BROKEN)
    command = [sys.executable, "-m", "turnwire", "prepare", "in.jsonl", "--target", "openai", "--diff"]
    for colours in (True, False):
        env = {"TERM": "xterm", "PATH": "", "PYTHONPATH": ":".join(sys.path)} | ({} if colours else {"NO_COLOR": "1"})
        child = pexpect.spawn(command[0], command[1:], env=env, encoding="utf-8", dimensions=(40, 200))
        said = child.read()
        assert "-messages: " in said
        assert ("\x1b[31m" in said) == colours
