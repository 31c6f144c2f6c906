"""Traces as instrumentations write them: attributes of many forms, spread over a span, and agents side by side."""

import io
import json
from typing import Any

import pytest
import turnwire as tw
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
    code, _, err = run(capfd, "convert", tmp_path / "traces.jsonl", "--target", "otel", "--out", tmp_path / "out.jsonl")
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
    assert run(capfd, "convert", tmp_path / "traces.jsonl", "--target", "openai:hf", "--out", out)[0] == 0
    [made] = objects(out.read_text())
    assert made["messages"][1]["tool_calls"][0]["function"] == {"name": "look", "arguments": {"a": 1}}
    assert made["messages"][2]["name"] == "look"
    assert made["messages"][3] == {"role": "assistant", "content": "a"}
    with pytest.raises(tw.UnknownDialectError):
        tw.detect({INPUT: messages})


CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "Rome"}'}}
TALK = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": [{"type": "text", "text": "q"}]},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "content": "r", "tool_call_id": "c1"},
    {"role": "assistant", "content": "a"},
]
CHAT_TOOL = {"type": "function", "name": "look", "description": "d", "parameters": {"type": "object"}}


def numbered() -> Json:
    """The talk in numbered attributes, as older versions of OpenLLMetry write it."""
    given: Json = {"gen_ai.system": "openai"}
    for at, message in enumerate(TALK[:-1]):
        place = f"gen_ai.prompt.{at}"
        given[f"{place}.role"] = message["role"]
        if content := message["content"]:
            given[f"{place}.content"] = content if isinstance(content, str) else json.dumps(content)
        for index, call in enumerate(message.get("tool_calls", ())):
            pieces = {"id": call["id"], **call["function"]}
            given |= {f"{place}.tool_calls.{index}.{key}": value for key, value in pieces.items()}
        if "tool_call_id" in message:
            given[f"{place}.tool_call_id"] = message["tool_call_id"]
    answer = {"role": "assistant", "content": "a", "finish_reason": "stop"}
    given |= {f"gen_ai.completion.0.{key}": value for key, value in answer.items()}
    tool = {"name": "look", "description": "d", "parameters": '{"type": "object"}'}
    return given | {f"llm.request.functions.0.{key}": value for key, value in tool.items()}


def messages_apart() -> list[tuple[str, Json]]:
    """The talk in an event each, as the conventions up to 1.36 have it."""
    events: list[tuple[str, Json]] = []
    for message in TALK[:-1]:
        body = {key: value for key, value in message.items() if key != "role" and value is not None}
        if "tool_call_id" in body:
            body["id"] = body.pop("tool_call_id")
        events.append((f"gen_ai.{message['role']}.message", body))
    choices = [{"index": at, "finish_reason": "stop", "message": {"content": said}} for at, said in enumerate("ab")]
    return [*events, *(("gen_ai.choice", choice) for choice in choices)]


def read_lines(*documents: Json) -> tuple[list[Json], LeftOut]:
    traces = Traces(lambda: io.BytesIO(lines(list(documents))))
    return [json.loads(row) for row in traces.rows()], traces.left_out


def test_numbered_attributes_are_messages():
    given = numbered()
    assert read(span(given)) == ([{INPUT: TALK, TOOLS: [CHAT_TOOL]}], LeftOut())
    # The numbers count, not the order of the attributes, nor that of digits.
    given |= {f"gen_ai.prompt.{at}.content": f"m{at}" for at in range(4, 12)}
    more = [{"role": "user", "content": f"m{at}"} for at in range(4, 12)]
    for form in (given, dict(reversed(given.items()))):
        assert read(span(form))[0] == [{INPUT: [*TALK[:-1], *more, TALK[-1]], TOOLS: [CHAT_TOOL]}]
    # Attributes of today count more.
    assert read(span(given | {INPUT: [ASKED], OUTPUT: [ANSWER], TOOLS: [TOOL]}))[0] == [
        {INPUT: [ASKED, ANSWER], TOOLS: [TOOL]}
    ]


def any_value(value: Any) -> Json:
    match value:
        case str():
            return {"stringValue": value}
        case int():
            return {"intValue": str(value)}
        case list():
            return {"arrayValue": {"values": [any_value(one) for one in value]}}
    return {"kvlistValue": {"values": [{"key": key, "value": any_value(one)} for key, one in value.items()]}}


def test_messages_in_events_of_their_own_are_joined():
    row, left = {INPUT: TALK}, LeftOut(choices=1)
    events = messages_apart()
    ids = {"traceId": "t", "spanId": "1"}
    records = [ids | {"eventName": name, "body": any_value(body)} for name, body in events]
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": records}]}]}
    assert read_lines(logs) == ([row], left)
    plain = [
        {"body": body, "attributes": {"event.name": name}, "trace_id": "t", "span_id": "1"} for name, body in events
    ]
    assert read_lines(*plain) == ([row], left)
    inner = [{"name": name, "attributes": pairs({"gen_ai.event.content": json.dumps(body)})} for name, body in events]
    one = {**span({"gen_ai.system": "openai"}), "events": inner}
    assert read_lines(otlp([one])) == ([row], left)
    # Two conversations whose events alternate, and one whose content was not recorded.
    other = [{**record, "trace_id": "u", "span_id": "2"} for record in plain]
    other[1] = {**other[1], "body": {"content": "another"}}
    empty = [{**record, "trace_id": "v", "span_id": "3", "body": {}} for record in plain]
    both = [record for three in zip(plain, other, empty, strict=True) for record in three]
    rows, left = read_lines(*both)
    assert rows == [row, {INPUT: [TALK[0], {"role": "user", "content": "another"}, *TALK[2:]]}]
    assert left == LeftOut(choices=2)
    # Without a span, the trace says what belongs together; without both, nothing does.
    of_trace = [{key: held for key, held in record.items() if key != "span_id"} for record in plain]
    lost = [{key: held for key, held in record.items() if not key.endswith("_id")} for record in plain]
    assert read_lines(*of_trace, *lost) == ([row], LeftOut(choices=1, without=len(lost)))
    # Several requests of one conversation: the longest has what the others have.
    named = [{**record, "attributes": {**record["attributes"], "gen_ai.conversation.id": "c"}} for record in plain]
    short = [{**record, "trace_id": "w", "span_id": "4"} for record in (*named[:2], named[-2])]
    assert read_lines(*short, *named) == ([row], LeftOut(choices=1, earlier=1))


def test_older_traces_become_rows_of_a_training_set(tmp_path, capfd):
    plain = [
        {"body": body, "attributes": {"event.name": name}, "trace_id": "t", "span_id": "1"}
        for name, body in messages_apart()
    ]
    for name, documents in (("numbered", [otlp([span(numbered())])]), ("events", plain)):
        path, out = tmp_path / f"{name}.jsonl", tmp_path / f"{name}-out.jsonl"
        path.write_bytes(lines(documents))
        code, _, err = run(capfd, "convert", path, "--target", "anthropic", "--out", out)
        assert code == 0 and "detected: otel" in err
        (made,) = objects(out.read_bytes())
        assert made["system"] == "s"
        assert made["messages"][1]["content"][0]["input"] == {"at": "Rome"}
        assert made["messages"][-1] == {"role": "assistant", "content": "a"}


def jaeger(given: Json, logs: tuple[Json, ...] = (), **ids: str) -> Json:
    """A span as Jaeger's API and its stores have it."""

    def tags(plain: Json) -> list[Json]:
        return [{"key": key, "type": "string", "value": one} for key, one in plain.items()]

    above = {"refType": "CHILD_OF", "traceID": ids["traceID"], "spanID": "above"}
    fields = [{"timestamp": 1, "fields": tags(one)} for one in logs]
    return {**ids, "operationName": "chat m", "references": [above], "tags": tags(given), "logs": fields}


def test_spans_of_jaeger_are_read(tmp_path, capfd):
    asked, answer = json.dumps([ASKED]), json.dumps([ANSWER])
    one = jaeger({"gen_ai.system": "x", INPUT: asked, OUTPUT: answer}, traceID="t", spanID="1")
    other = jaeger({"http.request.method": "GET"}, traceID="t", spanID="2")
    events = [{"event": name, "gen_ai.event.content": json.dumps(body)} for name, body in messages_apart()[:-1]]
    older = jaeger({}, tuple(events), traceID="u", spanID="3")
    rows = [{INPUT: [ASKED, ANSWER]}, {INPUT: TALK}]
    process = {"p1": {"serviceName": "s", "tags": [{"key": "host", "type": "string", "value": "h"}]}}
    found = [{"traceID": "t", "spans": [one, other], "processes": process}, {"traceID": "u", "spans": [older]}]
    assert read_lines({"data": found, "total": 2}) == (rows, LeftOut(without=1))
    assert read_lines(one, other, older) == (rows, LeftOut(without=1))
    for name, held in (("answer.json", json.dumps({"data": found}, indent=2)), ("spans.jsonl", json.dumps(one))):
        (tmp_path / name).write_text(held, encoding="utf-8")
        code, made, err = run(capfd, "convert", tmp_path / name, "--target", "openai")
        assert code == 0
        assert "detected: otel" in err
        assert objects(made)[0]["messages"][-1] == {"role": "assistant", "content": "a"}


def test_the_account_names_lines_losses_and_conversations_without_an_answer(tmp_path, capfd):
    whole = {**ASKED, "parts": [text("q"), {"type": "compaction", "content": "c"}]}
    one = span({INPUT: json.dumps([whole])})
    cut = span({INPUT: json.dumps([ASKED])[:-4]}, traceId="u")
    given, out = tmp_path / "traces.jsonl", tmp_path / "train.jsonl"
    # Both documents in front have no row of their own.
    front = [otlp([span({}, traceId="w")]), otlp([span({INPUT: json.dumps([ASKED])})])]
    given.write_bytes(lines(*front, otlp([one]), b'{"resourceSpans": [{"cut', otlp([cut])))
    code, shown, err = run(capfd, "convert", given, "--target", "openai:hf", "--out", out)
    assert code == 1
    assert f"{given}:4: error invalid_json" in err and f"{given}:5: error torn_json" in err
    assert "2 conversations, 1 of them without an answer; left out: 1 span without messages" in err
    assert "    1     1  lost  opaque  " in shown
    told = run(capfd, "check", given, "--format=json")[1]
    assert {(found["row"], found["code"]) for found in objects(told)} >= {(4, "invalid_json"), (5, "torn_json")}


def test_the_account_of_one_conversation_without_an_answer(tmp_path, capfd):
    given = tmp_path / "traces.jsonl"
    given.write_bytes(lines(otlp([span({INPUT: json.dumps([ASKED])})])))
    _, _, err = run(capfd, "convert", given, "--target", "openai:hf", "--out", tmp_path / "train.jsonl")
    assert f"{given}: 1 conversation without an answer\n" in err
