"""`turnwire diff`: two requests or a run of them, for people and for programs."""

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire.cli import main


def request(steps: int) -> dict[str, Any]:
    messages: list[Any] = [{"role": "user", "content": "go"}]
    for step in range(steps):
        thought = {"type": "thinking", "thinking": "", "signature": f"s{step}"}
        call = {"type": "tool_use", "id": f"t{step}", "name": "f", "input": {}}
        messages.append({"role": "assistant", "content": [thought, call]})
        result = {"type": "tool_result", "tool_use_id": f"t{step}", "content": f"result {step}"}
        messages.append({"role": "user", "content": [result]})
    return {
        "model": "claude-opus-5-5",
        "system": "s",
        "tools": [{"name": "f", "input_schema": {}}],
        "messages": messages,
    }


def changed(steps: int) -> dict[str, Any]:
    body = copy.deepcopy(request(steps))
    body["messages"][2]["content"][0]["content"] = "another result"
    return body


def run(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["diff", *(str(one) for one in arguments)])
    sys.stdout.flush()
    return code, *capfd.readouterr()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [request(1), request(2), changed(3), changed(4)]
    Path("run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    Path("a.json").write_text(json.dumps(request(2), indent=2))
    Path("b.json").write_text(json.dumps(changed(3), indent=2))
    Path("c.json").write_text(json.dumps(request(3)))
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_two_requests(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "a.json", "b.json")
    assert (code, err) == (1, "")
    assert out == f"a.json:1 → b.json:1\n{tw.diff(request(2), changed(3))}\n"
    assert "$.messages[2].content[0] (tool_result t0): byte 0 of 14 differs" in out
    code, out, _ = run(capfd, "a.json", "c.json")
    assert (code, "cause: append" in out) == (0, True)
    code, out, _ = run(capfd, "a.json", "a.json")
    assert (code, "equal" in out) == (0, True)


@pytest.mark.usefixtures("folder")
def test_each_pair_of_a_run(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capfd, "run.jsonl")
    assert code == 1
    assert out.startswith("run.jsonl:2 → run.jsonl:3\n$.messages[2].content[0]")
    assert out.endswith("\n1 edit in 3 pairs; 2 append\n")
    assert out.count("→") == 1
    code, out, _ = run(capfd, "run.jsonl", "--format=json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [(one["a"], one["b"], one["code"], one["edit"]) for one in rows] == [
        ("run.jsonl:1", "run.jsonl:2", "append", False),
        ("run.jsonl:2", "run.jsonl:3", "result_changed", True),
        ("run.jsonl:3", "run.jsonl:4", "append", False),
    ]
    assert {"a": "run.jsonl:2", "b": "run.jsonl:3"} | tw.diff(request(2), changed(3)).to_dict() == rows[1]
    assert rows[1]["stale"] == ["$.messages[3].content[0]", "$.messages[5].content[0]"]


@pytest.mark.usefixtures("folder")
def test_the_model_and_the_dialect_are_said(capfd: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(capfd, "a.json", "b.json", "--format=json", "--model", "claude-opus-4-5")
    assert (json.loads(out)["stale"], json.loads(out)["checks"]) == ([], False)
    code, _, err = run(capfd, "a.json", "b.json", "-s", "antropic")
    assert (code, "antropic" in err) == (2, True)


@pytest.mark.usefixtures("folder")
def test_a_run_continues_after_a_switch_of_provider(capfd: pytest.CaptureFixture[str]) -> None:
    other = tw.convert(request(2), "openai", source="anthropic").payload
    rows = [request(1), other, other, request(3), changed(4)]
    Path("switch.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, out, err = run(capfd, "switch.jsonl")
    assert code == 2
    assert [line.split()[0] for line in err.splitlines()] == ["switch.jsonl:2:", "switch.jsonl:4:"]
    assert out.startswith("switch.jsonl:4 → switch.jsonl:5\n") and "1 edit in 2 pairs; 1 equal" in out


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    rows = Path("run.jsonl").read_text().splitlines()
    Path("bad.jsonl").write_text("\n".join([rows[0], "nope", "", '{"odd": 1}', rows[1]]) + "\n")
    code, out, err = run(capfd, "bad.jsonl")
    assert (code, "bad.jsonl:2: error invalid_json" in err, "bad.jsonl:4: " in err) == (2, True, True)
    assert out.startswith("bad.jsonl:1 → bad.jsonl:5\n$.messages[3]")
    for given, said in ((["c.json"], "got one"), (["none.json"], "no such file")):
        code, out, err = run(capfd, *given)
        assert (code, out, said in err) == (2, "", True)
    Path("empty.jsonl").write_text("\n")
    assert run(capfd, "empty.jsonl")[::2] == (2, "expected two requests or more, got none\n")
