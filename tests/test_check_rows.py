"""Checks of rows take what a check of one conversation takes: a budget, a model, tools, wording; in files, streams and
tables, and on the command line."""

import json
import sys
from types import ModuleType

import pyarrow as pa
import pytest
import turnwire as tw
from turnwire import arrow, batch
from turnwire.cli import main

GO = {"role": "user", "content": "go"}
CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
LONG = {"role": "tool", "tool_call_id": "c1", "content": "x" * 5000}
WEATHER = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
ROWS = {
    "a long result": {"messages": [GO, {"role": "assistant", "content": None, "tool_calls": [CALL]}, LONG]},
    "the assistant first": {"messages": [{"role": "assistant", "content": "hi"}, GO]},
    "sound": {"messages": [GO]},
    "no result": {"messages": [GO, {"role": "assistant", "content": None, "tool_calls": [CALL]}, GO]},
    "a later system text": {
        "messages": [GO, {"role": "assistant", "content": "a"}, {"role": "system", "content": "s"}, GO]
    },
}
ASKED = {
    "nothing": {},
    "a budget": {"budget": 1000},
    "tokens": {"budget": tw.Budget(max_tokens=100, count=len)},
    "each result": {"budget": tw.Budget(per_result=300)},
    "tools": {"tools": [WEATHER]},
    "wording": {"wording": {"opening": "Hello", "missing_result": "nothing came"}},
    "a model": {"model": "claude-sonnet-4-5"},
    "system text": {"system": "be brief"},
    "strict": {"strict": True},
    "open calls": {"end": "calls"},
}


def told(changes):
    keys = ("kind", "code", "severity", "path", "reason", "action")
    return [{key: str(getattr(one, key)) for key in keys} for one in changes]


@pytest.mark.parametrize("target", ["openai", "anthropic", "gemini", "mistral", "same"])
@pytest.mark.parametrize("asked", ASKED)
def test_a_row_is_checked_as_alone(asked, target, tmp_path):
    options = {"end": "request", **ASKED[asked]}
    lines = [json.dumps(row).encode() for row in ROWS.values()]
    alone = [told(tw.check(row, target, **options)) for row in ROWS.values()]
    rows = [
        [{key: value for key, value in one.items() if key != "id"} for one in json.loads(found)]
        for found in batch.check_lines(lines, target, at="$", **options)
    ]
    assert rows == alone
    column = arrow.check(pa.array(lines), target, at="$", **options)
    assert [json.loads(one["payload"]) for one in column.to_pylist()] == [
        json.loads(one) for one in batch.check_lines(lines, target, at="$", **options)
    ]
    given, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_bytes(b"\n".join(lines))
    report = batch.check_file(given, out, target, at="$", **options)
    assert sum(one.times for one in report.changes) == sum(map(len, alone))
    if asked in ("a budget", "tokens", "each result"):
        assert "cut_result" in [one.code for one in report.changes]


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"budget": -1}, tw.TurnwireError),
        ({"budget": "much"}, TypeError),
        ({"nope": 1}, TypeError),
        ({"tools": 1}, TypeError),
        ({"wording": {"nope": "x"}}, (TypeError, tw.TurnwireError)),
        ({"budget": tw.Budget(9, on_cut=print)}, TypeError),
    ],
)
def test_a_wrong_option_is_an_error_before_the_first_row(wrong, error, tmp_path):
    with pytest.raises(error):
        batch.check_lines([b"{}"], "openai", **wrong)
    with pytest.raises(error):
        batch.check_file(tmp_path / "missing", tmp_path / "out", "openai", **wrong)


def test_a_pin_that_a_row_lacks_fails_that_row():
    errors = []
    lines = [json.dumps(ROWS["sound"]).encode(), json.dumps(ROWS["a long result"]).encode()]
    found = list(batch.check_lines(lines, "openai", 1000, pinned=[2], errors=errors.append, at="$"))
    assert len(found) == 1
    assert [error.code for error in errors] == ["out_of_range"]


def checked(capfd, tmp_path, *arguments):
    given = tmp_path / "in.jsonl"
    given.write_text("\n".join(json.dumps(row) for row in ROWS.values()))
    code = main(["check", str(given), "--no-row", *arguments])
    return code, capfd.readouterr().out


def test_on_the_command_line(capfd, tmp_path):
    tools = tmp_path / "tools.json"
    tools.write_text(json.dumps([WEATHER]))
    code, plain = checked(capfd, tmp_path, "-t", "anthropic", "--severity", "info")
    assert code == 1
    assert "tools_missing" in plain
    assert "cut_result" not in plain
    _, fitted = checked(capfd, tmp_path, "-t", "anthropic", "--severity", "info", "-b", "1k", "--tools", str(tools))
    assert "cut_result" in fitted
    assert "tools_missing" not in fitted
    _, opened = checked(capfd, tmp_path, "-t", "anthropic", "--opening", "Hello", "--severity", "info")
    assert "opening" in opened
    assert "opening_added" not in plain


def test_tokens_of_an_encoding(capfd, tmp_path, monkeypatch):
    module = ModuleType("tiktoken")
    module.list_encoding_names = lambda: ["by_letter"]

    class Encoding:
        def encode_ordinary(self, text):
            return list(text)

    module.get_encoding = lambda name: Encoding()
    monkeypatch.setitem(sys.modules, "tiktoken", module)
    asked = ("--severity", "info", "--max-tokens", "1k", "--count")
    _, said = checked(capfd, tmp_path, *asked, "tiktoken:by_letter")
    assert "cut_result" in said
    given = tmp_path / "in.jsonl"
    assert main(["check", str(given), *asked, "tiktoken:nope"]) == 2
    assert "expected one of by_letter" in capfd.readouterr().err
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    assert main(["check", str(given), *asked, "tiktoken:by_letter"]) == 2
    assert "pip install tiktoken" in capfd.readouterr().err
