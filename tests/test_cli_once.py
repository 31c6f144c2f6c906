"""`prepare`, and `convert` of traces: each row is read and rewritten once, as the functions for lines write it."""

import json
import random
import re
from collections import Counter
from pathlib import Path

import pytest
from random_runs import tries
from turnwire import batch
from turnwire.cli import inputs, main

QUESTION = {"role": "user", "content": "q"}
CALL = {"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}}
ANSWER = {"role": "assistant", "content": None, "tool_calls": [CALL]}


def conversation(rnd):
    made = [QUESTION]
    for at in range(rnd.randrange(4)):
        call = {"id": f"c{at}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        made.append({"role": "assistant", "content": None, "tool_calls": [call]})
        if rnd.random() < 0.8:
            made.append({"role": "tool", "tool_call_id": f"c{at}", "content": "x" * rnd.randrange(1500)})
    return made if made[-1]["role"] != "assistant" else [*made, QUESTION]


def row(rnd):
    """A row of any form: a body, a list, a conversation inside of a row, several of them, what is no conversation."""
    one, other = conversation(rnd), conversation(rnd)
    body = {"model": "gpt-5", "messages": one, "temperature": 1}
    wrong = {"messages": [{"role": 5}]}
    forms = [
        body,
        one,
        {"conversation": one, "reward": 1},
        {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions", "body": body},
        [{"conversation": one}, {"conversation": other}],
        {"prompt": one, "completion": [{"role": "assistant", "content": "a"}]},
        wrong,
        [{"conversation": one}, {"conversation": [{"role": 5}]}],
        "text",
    ]
    text = json.dumps(rnd.choice(forms), ensure_ascii=rnd.random() < 0.5)
    return rnd.choice([text, text, f"  {text} ", text[:-2], ""])


@pytest.mark.parametrize("seed", range(tries(12)))
def test_prepare_writes_each_row_as_prepare_lines_does(seed, tmp_path, capfd, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rnd = random.Random(seed)
    end = rnd.choice(["\n", "\r\n"])
    mark = rnd.choice(["", "\ufeff"])
    Path("in.jsonl").write_text(mark + "".join(row(rnd) + end for _ in range(30)), encoding="utf-8", newline="")
    most, rest = rnd.choice([None, 900, 10**6]), rnd.choice(["omit", "keep", "convert"])
    failed = []
    lines = Path("in.jsonl").read_bytes().split(b"\n")
    made = batch.prepare_lines(lines, "anthropic", most, errors=failed.append, settings=rest)
    expected = [line.decode().replace("\n", " ") for line in made]
    budget = () if most is None else ("-b", str(most))
    settings = ["--settings", rest]
    main(["prepare", "in.jsonl", "-t", "anthropic", *budget, *settings, "--out", "out.jsonl", "--format=json"])
    out, err = capfd.readouterr()
    assert Path("out.jsonl").read_text(encoding="utf-8").splitlines() == expected
    report = json.loads(out.splitlines()[-1])
    assert (report["rows"], report["failed"]) == (len(expected) + len(failed), len(failed))
    assert [line for line in err.splitlines() if re.match(r"in\.jsonl:\d", line)] == [
        f"in.jsonl:{one.line}: error {one.code} at {one.path}: {one.message}" for one in failed
    ]


def test_each_row_is_rewritten_once_and_read_once(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    spans = []
    for at in range(40):
        question = {"role": "user", "parts": [{"type": "text", "content": f"q{at}"}]}
        thought = {
            "role": "assistant",
            "parts": [{"type": "reasoning", "content": "h"}, {"type": "text", "content": "a"}],
        }
        spans.append({"gen_ai.input.messages": json.dumps([question, thought, question])})
    Path("traces.jsonl").write_text("".join(json.dumps(span) + "\n" for span in spans))
    Path("rows.jsonl").write_text("".join(json.dumps({"messages": [QUESTION]}) + "\n" for _ in range(40)))
    times = Counter()
    blocks = inputs.Input.blocks

    def read(one, *given):
        for block in blocks(one, *given):
            times["read"] += len(block.records)
            yield block

    monkeypatch.setattr(inputs.Input, "blocks", read)
    assert main(["convert", "traces.jsonl", "--target", "anthropic", "--out", "out.jsonl"]) == 0
    assert "   40    40  lost  reasoning  traces.jsonl:1 " in capfd.readouterr().out
    assert main(["prepare", "rows.jsonl", "--target", "anthropic", "--out", "out.jsonl"]) == 0
    # To detect dialects, the first block is read before.
    assert times == {"read": 160}


def test_prepare_names_the_keys_that_it_leaves_out(tmp_path, capfd):
    body = {"model": "gpt-5", "messages": [QUESTION], "temperature": 1}
    rows = [body, {"model": "gpt-5", "messages": [QUESTION]}, {"custom_id": "a", "url": "/v1/messages", "params": body}]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    told = "left out: model (3 records), temperature (2); --settings keep copies such keys\n"
    to = ("--target", "anthropic", "--settings", "omit")
    assert main(["prepare", str(tmp_path / "in.jsonl"), *to]) == 0
    assert told in capfd.readouterr().err
    assert main(["prepare", str(tmp_path / "in.jsonl"), *to, "--out", str(tmp_path / "o.jsonl"), "--format=json"]) == 0
    said = capfd.readouterr()
    assert told in said.err
    assert json.loads(said.out.splitlines()[-1])["left_keys"] == {"model": 3, "temperature": 2}
    assert main(["prepare", str(tmp_path / "in.jsonl"), *to[:-1], "keep"]) == 0
    assert "left out" not in capfd.readouterr().err


def test_the_changes_of_a_preference_row_are_those_of_a_row(tmp_path, capfd):
    """It ends with the assistant, for whichever provider: nothing is added behind it."""
    row = {"prompt": [QUESTION], "chosen": [{"role": "assistant", "content": "a"}], "rejected": [ANSWER]}
    (tmp_path / "in.jsonl").write_text(json.dumps(row) + "\n")
    assert (
        main(
            [
                "prepare",
                str(tmp_path / "in.jsonl"),
                "--target",
                "openai",
                "--out",
                str(tmp_path / "o.jsonl"),
                "--format=json",
            ]
        )
        == 0
    )
    (sums,) = map(json.loads, capfd.readouterr().out.splitlines())
    assert sums["rows"] == 1
    written = json.loads((tmp_path / "o.jsonl").read_text())
    assert written["non_preferred_output"] == [ANSWER]
