"""Traces as instrumentations write them: attributes of many forms, spread over a span, and agents side by side."""

import io
import json
from typing import Any

import pytest
import turnwire as tw

pytest.importorskip("typer", reason="the extra cli is not installed")
pytest.importorskip("rich", reason="the extra cli is not installed")

from turnwire.batch.traces import LeftOut, Traces

from tests.test_cli import lines, objects, run
from tests.test_traces import INPUT, OUTPUT, Json, otlp, pairs, text

SYSTEM, TOOLS = "gen_ai.system_instructions", "gen_ai.tool.definitions"
ASKED = {"role": "user", "parts": [text("q")]}
ANSWER = {"role": "assistant", "parts": [text("a")]}
TOOL = {"type": "function", "name": "look", "parameters": {"type": "object"}}
ROW = {SYSTEM: [text("s")], INPUT: [ASKED, ANSWER], TOOLS: [TOOL]}


def span(given: Json, events: tuple[Json, ...] = (), **keys: Any) -> Json:
    listed = [{"name": "gen_ai.client.inference.operation.details", "attributes": pairs(one)} for one in events]
    return {"traceId": "t", "spanId": "1", "attributes": pairs(given), "events": listed, **keys}


def read(*spans: Json) -> tuple[list[Json], LeftOut]:
    traces = Traces(lambda: io.BytesIO(lines(otlp(list(spans)))))
    return [json.loads(row) for row in traces.rows()], traces.left_out


@pytest.mark.parametrize(
    "form",
    [
        {SYSTEM: [text("s")], INPUT: [ASKED], OUTPUT: [ANSWER], TOOLS: [TOOL]},
        {SYSTEM: "s", INPUT: json.dumps(ASKED), OUTPUT: json.dumps(ANSWER), TOOLS: json.dumps([TOOL])},
        {SYSTEM: '"s"', INPUT: [json.dumps(ASKED)], OUTPUT: [json.dumps(ANSWER)], TOOLS: [json.dumps(TOOL)]},
        {SYSTEM: ["s"], INPUT: [ASKED | {"parts": json.dumps(ASKED["parts"])}], OUTPUT: ANSWER, TOOLS: [TOOL]},
        {SYSTEM: json.dumps(text("s")), INPUT: [ASKED], OUTPUT: [ANSWER], TOOLS: json.dumps(json.dumps([TOOL]))},
    ],
)
def test_every_form_of_an_attribute_is_read(form):
    rows, left = read(span(form))
    assert rows == [ROW]
    assert left == LeftOut()
    apart = [{key: form[key]} for key in form]
    assert read(span({}, (form,)))[0] == [ROW]
    assert read(span(apart[0] | apart[3], (apart[1] | apart[2],))) == ([ROW], LeftOut())
    assert read(span(apart[0] | apart[1] | apart[3], (apart[2],))) == ([ROW], LeftOut())


def test_what_is_cut_beside_the_messages_is_counted():
    rows, left = read(span({SYSTEM: '[{"type": "te', INPUT: [ASKED], OUTPUT: [ANSWER], TOOLS: "[{"}))
    assert rows == [{INPUT: [ASKED, ANSWER]}]
    assert left == LeftOut(damaged=2)


def test_agents_of_one_conversation_are_not_called_parts_of_it(tmp_path, capfd):
    """A row holds one agent's messages. What others said is in no other span."""
    talk = {"gen_ai.conversation.id": "c"}
    first = {"role": "user", "parts": [text("plan")]}
    spans = [
        span(talk | {INPUT: [first], OUTPUT: [ANSWER]}),
        span(talk | {INPUT: [first, ANSWER, ASKED], OUTPUT: [ANSWER]}),
        span(talk | {INPUT: [ASKED], OUTPUT: [ANSWER]}),
        span({INPUT: json.dumps([{"role": "user", "parts": [text("another")]}])}),
    ]
    rows, left = read(*spans)
    assert rows == [{INPUT: [first, ANSWER, ASKED, ANSWER]}]
    assert left == LeftOut(earlier=1, otherwise=2)
    (tmp_path / "traces.jsonl").write_bytes(lines(otlp(spans)))
    code, _, err = run(capfd, "convert", tmp_path / "traces.jsonl", "--to", "otel", "--out", tmp_path / "out.jsonl")
    assert code == 0
    assert "2 spans that begin otherwise than the rows of their conversations" in err


def test_a_history_without_its_oldest_messages_is_counted_once_for_each_span():
    """Each span begins with another message."""
    said = [{"role": "user", "parts": [text(str(at))]} for at in range(60)]
    rows, left = read(*(span({INPUT: said[at : at + 5]}) for at in range(50)))
    assert len(rows) == 1
    assert left.earlier + left.otherwise == 49
    assert left.earlier == 0


def test_chat_messages_under_the_attribute_are_read_and_written_as_the_target_has_them(tmp_path, capfd):
    """Some instrumentations record OpenAI's messages under OpenTelemetry's key."""
    call = {"id": "c", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}
    messages: list[Json] = [
        {"role": "user", "content": "q"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "r"},
    ]
    given = {INPUT: json.dumps(messages), OUTPUT: json.dumps([{"role": "assistant", "content": "a"}])}
    (tmp_path / "traces.jsonl").write_bytes(lines(otlp([span(given)])))
    out = tmp_path / "train.jsonl"
    assert run(capfd, "convert", tmp_path / "traces.jsonl", "--to", "openai:hf", "--out", out)[0] == 0
    [made] = objects(out.read_text())
    assert made["messages"][1]["tool_calls"][0]["function"] == {"name": "look", "arguments": {"a": 1}}
    assert made["messages"][2]["name"] == "look"
    assert made["messages"][3] == {"role": "assistant", "content": "a"}
    with pytest.raises(tw.UnknownDialectError):
        tw.detect({INPUT: messages})
