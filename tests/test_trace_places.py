"""Errors and losses of traces have the path in the user's own record, and it leads to what they tell."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from turnwire import batch
from turnwire.batch.documents import Document
from turnwire.batch.engine import run_blocks
from turnwire.batch.tasks import convert_task, look_task

from tests.test_cli import lines
from tests.test_trace_forms import numbered as older
from tests.test_trace_spans import (
    ANSWER,
    ASKED,
    CALLED,
    RESULT,
    TRACERS,
    braintrust,
    langfuse,
    langsmith,
    openinference,
)
from tests.test_traces import INPUT, OUTPUT, pairs

Json = Any
STEP = re.compile(r'\.([\w-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')


def steps_of(path: str) -> list[str | int]:
    found = list(STEP.finditer(path, 1))
    assert "$" + "".join(one[0] for one in found) == path
    return [one[1] or (json.loads(one[3]) if one[3] else int(one[2])) for one in found]


def follow(document: Json, path: str) -> Json:
    """What is at the path. JSON text on the way is opened."""
    here = document
    for step in steps_of(path):
        try:
            while isinstance(here, str):
                here = json.loads(here)
            here = here[step]
        except (ValueError, LookupError, TypeError) as error:
            raise AssertionError(f"{path} cannot be followed to {step!r} in {json.dumps(document)}") from error
    return here


def told(tmp_path: Path, *documents: Json) -> list[tuple[str, str, Json]]:
    """The code, the path and what is there, of each error, loss and finding of a conversion and a check."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines(*documents))
    found: list[tuple[int, str, str]] = []
    convert = convert_task("convert_file", "auto", "openai:hf", None, {})
    for task in (convert, look_task("auto", None)):
        for made in run_blocks(task, Document(str(path), path).blocks(task.rows), 1, tell=True):
            found += [(line, code, place) for line, code, place, *_ in made.failed]
            found += [(line, one.code, one.path) for line, changes in made.told for one in changes]
            said = map(json.loads, bytes(made.data).splitlines() if task is not convert else ())
            found += [(one["line"], one["code"], one["path"]) for one in said]
    read: list[batch.RowError] = []
    for one in batch.read_file(path, errors=read.append):
        found.append((one.line, "read", one.path))
    found += [(error.line, error.code, error.path) for error in read]
    return [(code, place, follow(documents[line - 1], place)) for line, code, place in found]


def otlp(attributes: dict[str, Any]) -> Json:
    span = {"traceId": "t", "spanId": "s", "attributes": pairs(attributes)}
    return {"resourceSpans": [{"scopeSpans": [{"spans": [{"spanId": "0", "attributes": []}, span]}]}]}


def of_otel(message: Json) -> Json:
    """A message of OpenAI's in the form of OpenTelemetry."""
    known = ("role", "content", "tool_calls", "tool_call_id")
    rest = {key: one for key, one in message.items() if key not in known}
    if message["role"] == "tool":
        part = {"type": "tool_call_response", "id": message["tool_call_id"], "response": message["content"]}
        return {"role": "tool", "parts": [part], **rest}
    parts = [{"type": "text", "content": message["content"]}] if message["content"] else []
    for call in message.get("tool_calls", ()):
        args = json.loads(call["function"]["arguments"])
        parts.append({"type": "tool_call", "id": call["id"], "name": call["function"]["name"], "arguments": args})
    return {"role": message["role"], "parts": parts, **rest}


def of_attributes(wrap: Callable[[dict[str, Any]], Json], write: Callable[[Any], Any]) -> Callable[..., Json]:
    def span(given: list[Any], answer: Any, trace: str) -> Json:
        return wrap({INPUT: write(list(map(of_otel, given))), OUTPUT: write([of_otel(answer)])})

    return span


def in_a_map(attributes: dict[str, Any]) -> Json:
    return {"context": {"trace_id": "t", "span_id": "s"}, "attributes": attributes}


def in_an_event(attributes: dict[str, Any]) -> Json:
    event = {"name": "gen_ai.client.inference.operation.details", "attributes": pairs(attributes)}
    return {"traceId": "t", "spanId": "s", "attributes": [], "events": [event]}


def openinference_in_otlp(given: list[Any], answer: Any, trace: str) -> Json:
    return otlp(openinference(given, answer, trace)["attributes"])


def of_events(given: list[Any], answer: Any, trace: str) -> Json:
    """A message an event, as the conventions up to 1.36 have it."""
    names = {"wizard": "user"}
    spoken = [*((f"gen_ai.{names.get(one['role'], one['role'])}.message", one) for one in given)]
    spoken.append(("gen_ai.choice", {"message": answer}))
    events = [{"eventName": name, "spanId": "s", "body": pairs({"x": body})[0]["value"]} for name, body in spoken]
    return {"resourceLogs": [{"scopeLogs": [{"logRecords": events}]}]}


OTEL = [
    of_attributes(otlp, json.dumps),
    of_attributes(otlp, lambda value: value),
    of_attributes(in_a_map, json.dumps),
    of_attributes(in_a_map, lambda value: value),
    of_attributes(in_an_event, json.dumps),
]
SPANS = [*TRACERS, openinference_in_otlp, of_events, *OTEL]
TALK = [ASKED, CALLED, RESULT]


def broken(span: Callable[..., Json], message: Json) -> Json:
    """A span with a message that has an unknown role."""
    made = json.dumps(span([*TALK, message], ANSWER, "t"))
    # LangChain has other words for roles.
    return json.loads(made.replace('"type": "human", "content": "x"', '"type": "wizard", "content": "x"'))


@pytest.mark.parametrize("span", SPANS)
def test_an_unknown_role_is_told_where_it_is(span: Callable[..., Json], tmp_path: Path) -> None:
    role = "user" if span is langsmith else "wizard"
    found = told(tmp_path, broken(span, {"role": role, "content": "x"}))
    # A conversion and a check tell it. Reading does, where it has to know who speaks.
    assert [value for code, _, value in found if code != "read"] in (["wizard"] * 2, ["wizard"] * 3)


def with_a_key(span: Callable[..., Json]) -> Json:
    """A span whose third message has a key that no format knows."""
    made = span([ASKED, CALLED, RESULT | {"weird": "lost"}], ANSWER, "t")
    match span.__name__:
        case "openinference":
            made["attributes"]["llm.input_messages.2.message.weird"] = "lost"
        case "openinference_in_otlp":
            where = made["resourceSpans"][0]["scopeSpans"][0]["spans"][1]["attributes"]
            where.append({"key": "llm.input_messages.2.message.weird", "value": {"stringValue": "lost"}})
        case "phoenix":
            made["attributes.llm.input_messages"][2]["message.weird"] = "lost"
        case "langsmith":
            made["inputs"]["messages"][0][2]["kwargs"]["weird"] = "lost"
    return made


@pytest.mark.parametrize("span", [one for one in SPANS if one is not of_events])
def test_a_lost_key_is_told_where_it_is(span: Callable[..., Json], tmp_path: Path) -> None:
    found = told(tmp_path, with_a_key(span))
    assert ("key", "lost") in {(code, value) for code, _, value in found if isinstance(value, str)}


@pytest.mark.parametrize(
    ("document", "path"),
    [
        (langfuse([ASKED], ANSWER | {"audio": {"id": "a1"}}, "t"), "$.output.audio"),
        (braintrust([ASKED], ANSWER | {"audio": {"id": "a1"}}, "t"), "$.output[0].message.audio"),
    ],
)
def test_the_path_is_that_of_the_record(document: Json, path: str, tmp_path: Path) -> None:
    assert path in [place for _, place, _ in told(tmp_path, document)]


def leaves(value: Json, at: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The ways to all values that hold no others."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield from leaves(one, (*at, key))
    if not inside:
        yield at


def changed(value: Json, way: tuple[str | int, ...], to: Json) -> Json:
    made = json.loads(json.dumps(value))
    here = made
    for key in way[:-1]:
        here = here[key]
    here[way[-1]] = to
    return made


@pytest.mark.parametrize("to", [5, "x", {"y": {"z": 1}}], ids=repr)
@pytest.mark.parametrize("span", [*SPANS, lambda *_: otlp(older()), lambda *_: in_a_map(older())])
def test_each_value_broken_once_gives_paths_that_can_be_followed(
    span: Callable[..., Json], to: Json, tmp_path: Path
) -> None:
    whole = span(TALK, ANSWER | {"weird": "lost"}, "t")
    for way in leaves(whole):
        told(tmp_path, changed(whole, way, to))


def test_the_path_of_a_conversation_is_that_of_its_span(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines(otlp({INPUT: json.dumps([of_otel(ASKED)]), OUTPUT: json.dumps([of_otel(ANSWER)])})))
    [found] = batch.read_file(path)
    assert found.path == "$.resourceSpans[0].scopeSpans[0].spans[1]"
