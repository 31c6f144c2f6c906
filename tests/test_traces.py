"""Traces of agents through the command line: a conversation is the content of its last request, and its answer."""

import gzip
import io
import json
import random
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import turnwire as tw
from turnwire.batch.traces import Traces

from tests.test_cli import lines, objects, run

Json = dict[str, Any]
INPUT, OUTPUT = "gen_ai.input.messages", "gen_ai.output.messages"


def value(plain: Any) -> Json:
    """A value of OTLP."""
    match plain:
        case bool():
            return {"boolValue": plain}
        case int():
            return {"intValue": str(plain)}
        case float():
            return {"doubleValue": plain}
        case str():
            return {"stringValue": plain}
        case list():
            return {"arrayValue": {"values": [value(one) for one in plain]}}
        case dict():
            return {"kvlistValue": {"values": pairs(plain)}}
    return {}


def pairs(plain: Json) -> list[Json]:
    return [{"key": key, "value": value(one)} for key, one in plain.items()]


def text(content: str) -> Json:
    return {"type": "text", "content": content}


class Run:
    """The requests of one agent: each holds the content of the one before, and its answer."""

    def __init__(self, dice: random.Random, name: str):
        self.trace, self.conversation = f"trace-{name}", f"talk-{name}" if dice.random() < 0.5 else None
        self.system = [text(f"You are {name}")]
        self.messages: list[Json] = []
        self.requests: list[Json] = []
        for step in range(dice.randint(1, 5)):
            asked = {"role": "user", "parts": [text(f"{name} asks {step} " + "x" * dice.randint(0, 99))]}
            if step and dice.random() < 0.6:
                result = {"type": "tool_call_response", "id": f"c{step - 1}", "response": {"n": step, "of": name}}
                asked = {"role": "tool", "parts": [result]}
            self.messages = [*self.messages, asked]
            call = {
                "type": "tool_call",
                "id": f"c{step}",
                "name": "look",
                "arguments": {"step": step, "deep": [1, "a"]},
            }
            answer = {"role": "assistant", "parts": [text(f"step {step}"), call]}
            given = {"gen_ai.operation.name": "chat", "gen_ai.system_instructions": self.system, INPUT: self.messages}
            self.requests.append(given | {OUTPUT: [answer]})
            self.messages = [*self.messages, answer]

    @property
    def row(self) -> Json:
        """The expected row."""
        return {"gen_ai.system_instructions": self.system, INPUT: self.messages}

    def record(self, given: Json, dice: random.Random) -> Json:
        """One request as a span, an event of a span, or a log record."""
        named = dict(given)
        # Some instrumentations name the conversation on some spans only.
        if self.conversation and (given is self.requests[0] or dice.random() < 0.7):
            named["gen_ai.conversation.id"] = self.conversation
        as_text = {key: one if isinstance(one, str) else json.dumps(one) for key, one in named.items()}
        ids = {"traceId": self.trace, "spanId": f"{dice.randrange(1 << 64):016x}"}
        match dice.randrange(4):
            case 0:
                return ids | {"name": "chat m", "attributes": pairs(as_text)}
            case 1:
                return ids | {"name": "chat m", "attributes": pairs(named)}
            case 2:
                event = {"name": "gen_ai.client.inference.operation.details", "attributes": pairs(named)}
                return ids | {"name": "chat m", "attributes": [], "events": [event]}
            case _:
                return ids | {"eventName": "gen_ai.client.inference.operation.details", "attributes": pairs(named)}


def otlp(records: list[Json]) -> Json:
    if records and "eventName" in records[0]:
        return {"resourceLogs": [{"resource": {"attributes": []}, "scopeLogs": [{"logRecords": records}]}]}
    return {"resourceSpans": [{"resource": {"attributes": []}, "scopeSpans": [{"scope": {}, "spans": records}]}]}


def console(run: Run, given: Json) -> str:
    """A span as the console exporter prints it."""
    attributes = {key: one if isinstance(one, str) else json.dumps(one) for key, one in given.items()}
    context = {"trace_id": f"0x{run.trace}", "span_id": "0x1", "trace_state": "[]"}
    return json.dumps({"name": "chat m", "context": context, "attributes": attributes, "links": []}, indent=4)


def rows_of(data: bytes) -> list[Json]:
    return [json.loads(row) for row in Traces(lambda: io.BytesIO(data)).rows()]


def sorted_rows(rows: list[Any]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


@pytest.mark.parametrize("seed", range(60))
def test_a_conversation_is_its_last_request_and_the_answer(seed):
    dice = random.Random(seed)
    runs = [Run(dice, f"r{number}") for number in range(dice.randint(1, 6))]
    records = [one.record(given, dice) for one in runs for given in one.requests]
    records += [{"traceId": "t", "spanId": f"{at}", "name": "POST", "attributes": []} for at in range(3)]
    dice.shuffle(records)
    batches: list[Json] = []
    while records:
        kind = "eventName" in records[0]
        alike = [one for one in records[: dice.randint(1, 5)] if ("eventName" in one) == kind]
        records = [one for one in records if one not in alike]
        batches.append(otlp(alike))
    traces = Traces(lambda: io.BytesIO(lines(*batches)))
    for _ in range(2):
        assert sorted_rows([json.loads(row) for row in traces.rows()]) == sorted_rows([one.row for one in runs])
    left = traces.left_out
    assert left.earlier == sum(len(one.requests) - 1 for one in runs)
    assert (left.twice, left.cut, left.damaged, left.choices) == (0, 0, 0, 0)
    assert left.without == 3


@pytest.mark.parametrize("seed", range(10))
def test_objects_of_the_console_exporter(seed):
    dice = random.Random(seed)
    runs = [Run(dice, f"r{number}") for number in range(3)]
    printed = [console(one, given) for one in runs for given in one.requests]
    assert sorted_rows(rows_of("\n".join(printed).encode())) == sorted_rows([one.row for one in runs])


@pytest.mark.parametrize("way", ["plain", "packed", "stdin"])
def test_traces_become_a_training_set(tmp_path, capfd, monkeypatch, way):
    dice = random.Random(7)
    runs = [Run(dice, f"r{number}") for number in range(30)]
    data = lines(*[otlp([one.record(given, random.Random(1))]) for one in runs for given in one.requests])
    data += lines(otlp([{"traceId": "t", "spanId": "1", "name": "POST", "attributes": []}]))
    given = tmp_path / "traces.jsonl"
    given.write_bytes(gzip.compress(data) if way == "packed" else data)
    if way == "stdin":
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    out = tmp_path / "train.jsonl"
    code, _, err = run(capfd, "convert", "-" if way == "stdin" else given, "--target", "openai:hf", "--out", out)
    assert code == 0
    assert "detected: otel" in err
    spans = sum(len(one.requests) - 1 for one in runs)
    told = f"left out: 1 span without messages, {spans} spans of whose conversation another one holds more"
    assert f"30 conversations; {told}" in err
    expected = [tw.convert(one.row, "openai:hf", source="otel").payload for one in runs]
    assert sorted_rows(objects(out.read_text())) == sorted_rows(expected)


def test_a_trace_of_several_conversations_keeps_them_apart():
    asked = [[{"role": "user", "parts": [text(word * size)]}] for size, word in enumerate("abc", 1)]
    names = ({"gen_ai.conversation.id": "x"}, {"gen_ai.conversation.id": "y"}, {})
    records = [
        {"traceId": "t", "spanId": "1", "attributes": pairs({INPUT: one} | name)}
        for one, name in zip(asked, names, strict=True)
    ]
    assert rows_of(lines(otlp(records))) == [{INPUT: one} for one in asked]


def test_what_is_cut_is_reported(tmp_path, capfd):
    one, two = Run(random.Random(1), "one"), Run(random.Random(2), "two")
    whole = {"traceId": "one", "spanId": "1", "attributes": pairs({INPUT: json.dumps(one.messages)})}
    cut = {"traceId": "two", "spanId": "2", "attributes": pairs({INPUT: json.dumps(two.messages)[:-20]})}
    given = tmp_path / "traces.jsonl"
    given.write_bytes(lines(otlp([whole]), otlp([cut]), b'{"resourceSpans": [{"cut'))
    code, _, err = run(capfd, "convert", given, "--target", "openai", "--out", tmp_path / "out.jsonl")
    assert code == 1
    assert "traces.jsonl:2: error torn_json at" in err
    assert "traces.jsonl:3: error invalid_json at" in err
    assert len(objects((tmp_path / "out.jsonl").read_text())) == 1
    code, told, _ = run(capfd, "check", given, "--format=json")
    assert code == 1
    assert {(found["row"], found["code"]) for found in objects(told)} >= {(2, "torn_json"), (3, "invalid_json")}


def test_a_whole_span_is_preferred_to_a_longer_one_that_is_cut():
    one = Run(random.Random(3), "one")
    short = {INPUT: json.dumps(one.messages[:1])}
    long = {INPUT: json.dumps(one.messages * 3)[:-20]}
    records = [
        {"traceId": "t", "spanId": str(at), "attributes": pairs(given)} for at, given in enumerate((short, long))
    ]
    traces = Traces(lambda: io.BytesIO(lines(otlp(records))))
    assert [json.loads(row) for row in traces.rows()] == [{INPUT: one.messages[:1]}]
    assert (traces.left_out.cut, traces.left_out.earlier) == (1, 1)


def test_what_else_is_left_out_is_counted():
    asked = [{"role": "user", "parts": [text("q")]}]
    answers = [{"role": "assistant", "parts": [text(word)]} for word in ("a", "b", "c")]
    given = {INPUT: asked, OUTPUT: answers, "gen_ai.system_instructions": '[{"type": "te'}
    records = [{"traceId": trace, "spanId": "1", "attributes": pairs(given)} for trace in ("t", "u")]
    traces = Traces(lambda: io.BytesIO(lines(otlp(records))))
    assert [json.loads(row) for row in traces.rows()] == [{INPUT: [*asked, answers[0]]}]
    left = traces.left_out
    assert (left.twice, left.choices, left.damaged) == (1, 4, 2)


WORDS = (
    "key",
    "value",
    "attributes",
    "kvlistValue",
    "arrayValue",
    "values",
    "intValue",
    "spanId",
    INPUT,
    OUTPUT,
    "[",
    "",
)


def broken(dice: random.Random, value: Any) -> Any:
    """The same with a few values of another type, and keys of another meaning."""
    if dice.random() < 0.02:
        return dice.choice([None, 1, True, "\ud83d", "[[", [], {}, [None], {"key": []}, {"values": 1}])
    if isinstance(value, dict):
        return {dice.choice(WORDS) if dice.random() < 0.02 else key: broken(dice, one) for key, one in value.items()}
    return [broken(dice, one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("seed", range(100))
def test_broken_traces_give_rows_or_errors(seed):
    dice = random.Random(seed)
    one = Run(dice, "one")
    document = broken(dice, otlp([one.record(given, dice) for given in one.requests]))
    data = lines(document)
    if dice.random() < 0.2:
        data = data[: dice.randrange(len(data))]
    for row in Traces(lambda: io.BytesIO(data)).rows():
        try:
            tw.convert_json(row, "openai", source="otel")
        except tw.TurnwireError as error:
            assert error.code


def test_text_inside_of_text_and_attributes_alone():
    asked = [{"role": "user", "parts": [text("q")]}]
    assert rows_of(lines({INPUT: json.dumps(json.dumps(asked))})) == [{INPUT: asked}]
    assert rows_of(lines({INPUT: asked, OUTPUT: asked})) == [{INPUT: asked * 2}]


def test_a_cut_object_does_not_swallow_the_next_ones():
    one = console(run := Run(random.Random(5), "one"), run.requests[-1])
    cut = "\n".join(one.splitlines()[:4])
    first, *others = Traces(lambda: io.BytesIO(f"{cut}\n{one}\n".encode())).rows()
    assert first.decode() == cut
    assert [json.loads(row) for row in others] == [run.row]


def test_payloads_of_the_dialect_are_no_traces(tmp_path, capfd):
    rows = [{INPUT: [{"role": "user", "parts": [text(word)]}]} for word in ("q", "q", "r")]
    (tmp_path / "in.jsonl").write_bytes(lines(*rows))
    code, out, err = run(capfd, "convert", tmp_path / "in.jsonl", "--target", "otel")
    assert (code, objects(out)) == (0, rows)
    assert "left out" not in err


def test_the_example_of_the_docs(tmp_path, capfd):
    page = (Path(__file__).parent.parent / "docs/traces.md").read_text(encoding="utf-8")
    given, made, told = (re.search(rf"```{name}\n(.*?)```", page, re.S)[1] for name in ("jsonl", "json", "text"))
    (tmp_path / "traces.jsonl").write_text(given, encoding="utf-8")
    out = tmp_path / "train.jsonl"
    code, _, err = run(capfd, "convert", tmp_path / "traces.jsonl", "--target", "openai:hf", "--out", out)
    assert code == 0
    assert told.strip() in err
    assert objects(out.read_text()) == objects(made)
