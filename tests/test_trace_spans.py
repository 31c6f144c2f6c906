"""Spans of other tracers: OpenInference, MLflow, LangSmith, Langfuse and Braintrust, each as its exporter writes it."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from turnwire import batch
from turnwire.batch.traces import Traces, are_traces

from tests.test_cli import lines

ASKED = {"role": "user", "content": "W?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "w", "arguments": '{"c": "Rome"}'}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "clear"}
ANSWER = {"role": "assistant", "content": "Clear."}
TOOL = {"type": "function", "function": {"name": "w", "parameters": {"type": "object", "properties": {}}}}
#: What all of them mean.
MEANT = [
    {"role": "user", "content": "W?"},
    {
        "role": "assistant",
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "w", "arguments": {"c": "Rome"}}}],
    },
    {"role": "tool", "tool_call_id": "c1", "name": "w", "content": "clear"},
    {"role": "assistant", "content": "Clear."},
]


def numbered(begins: str, messages: list[Any]) -> dict[str, Any]:
    """Messages as attributes of OpenInference."""
    found: dict[str, Any] = {}
    for index, message in enumerate(messages):
        at = f"{begins}.{index}.message"
        found |= {f"{at}.{key}": message[key] for key in ("role", "content", "tool_call_id") if message.get(key)}
        for place, call in enumerate(message.get("tool_calls", ())):
            one = f"{at}.tool_calls.{place}.tool_call"
            found |= {f"{one}.id": call["id"]}
            found |= {f"{one}.function.{key}": call["function"][key] for key in ("name", "arguments")}
    return found


def openinference(given: list[Any], answer: Any, trace: str) -> dict[str, Any]:
    attributes = {
        "openinference.span.kind": "LLM",
        "input.value": json.dumps({"messages": given}),
        "input.mime_type": "application/json",
        **numbered("llm.input_messages", given),
        **numbered("llm.output_messages", [answer]),
        "llm.tools.0.tool.json_schema": json.dumps(TOOL),
    }
    return {"name": "llm", "context": {"trace_id": trace, "span_id": "s"}, "attributes": attributes}


def phoenix(given: list[Any], answer: Any, trace: str) -> dict[str, Any]:
    """A row of Phoenix's table of spans."""

    def listed(messages: list[Any]) -> Any:
        made = []
        for message in messages:
            one = {f"message.{key}": message[key] for key in ("role", "content", "tool_call_id") if message.get(key)}
            calls = [
                {
                    "tool_call.id": call["id"],
                    "tool_call.function.name": call["function"]["name"],
                    "tool_call.function.arguments": call["function"]["arguments"],
                }
                for call in message.get("tool_calls", ())
            ]
            made.append(one | ({"message.tool_calls": calls} if calls else {}))
        return made

    return {
        "name": "llm",
        "context.trace_id": trace,
        "context.span_id": "s",
        "attributes.openinference.span.kind": "LLM",
        "attributes.llm.input_messages": listed(given),
        "attributes.llm.output_messages": listed([answer]),
        "attributes.llm.tools": [{"tool.json_schema": json.dumps(TOOL)}],
    }


def mlflow(given: list[Any], answer: Any, trace: str) -> dict[str, Any]:
    attributes = {
        "mlflow.spanType": '"CHAT_MODEL"',
        "mlflow.spanInputs": json.dumps({"model": "m", "messages": given, "tools": [TOOL]}),
        "mlflow.spanOutputs": json.dumps({"id": "r", "object": "chat.completion", "choices": [{"message": answer}]}),
    }
    other = {"name": "agent", "span_id": "1", "attributes": {"mlflow.spanType": '"AGENT"', "mlflow.spanInputs": '"x"'}}
    return {
        "info": {"trace_id": trace},
        "data": {"spans": [other, {"name": "llm", "span_id": "2", "trace_id": trace, "attributes": attributes}]},
    }


def constructor(message: Any) -> dict[str, Any]:
    """A message as LangChain's `dumpd` writes it."""
    kinds = {"user": "human", "assistant": "ai", "tool": "tool"}
    kwargs = {"type": kinds[message["role"]], "content": message["content"] or ""}
    if calls := message.get("tool_calls"):
        args = [json.loads(call["function"]["arguments"]) for call in calls]
        kwargs["tool_calls"] = [
            {"name": call["function"]["name"], "args": one, "id": call["id"], "type": "tool_call"}
            for call, one in zip(calls, args, strict=True)
        ]
    if "tool_call_id" in message:
        kwargs["tool_call_id"] = message["tool_call_id"]
    return {"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "M"], "kwargs": kwargs}


def langsmith(given: list[Any], answer: Any, trace: str) -> dict[str, Any]:
    generation = {"text": answer["content"] or "", "type": "ChatGeneration", "message": constructor(answer)}
    return {
        "id": "r",
        "run_type": "llm",
        "trace_id": trace,
        "inputs": {"messages": [list(map(constructor, given))]},
        "outputs": {"generations": [[generation]], "llm_output": {}},
        "extra": {"invocation_params": {"tools": [TOOL]}},
    }


def langfuse(given: list[Any], answer: Any, trace: str) -> dict[str, Any]:
    return {
        "id": "o",
        "trace_id": trace,
        "type": "GENERATION",
        "input": json.dumps({"messages": given, "tools": [TOOL]}),
        "output": json.dumps(answer),
    }


def langfuse_of_its_pages(given: list[Any], answer: Any, trace: str) -> dict[str, Any]:
    one = {
        "id": "o",
        "traceId": trace,
        "type": "GENERATION",
        "input": json.dumps({"messages": given, "tools": [TOOL]}),
        "output": json.dumps(answer),
    }
    other = {"id": "p", "traceId": trace, "type": "SPAN", "input": "{}", "output": "{}"}
    return {"trace": {"id": trace}, "observations": [other, one]}


def braintrust(given: list[Any], answer: Any, trace: str) -> dict[str, Any]:
    return {
        "span_id": "s",
        "root_span_id": trace,
        "span_attributes": {"type": "llm", "name": "Chat Completion"},
        "input": {"messages": given, "tools": [TOOL]},
        "output": [{"index": 0, "finish_reason": "stop", "message": answer}],
    }


TRACERS = [openinference, phoenix, mlflow, langsmith, langfuse, langfuse_of_its_pages, braintrust]


@pytest.mark.parametrize("span", TRACERS)
def test_the_longest_request_with_its_answer_is_the_conversation(span: Any, tmp_path: Path) -> None:
    spans = [
        span([ASKED], CALLED, "t1"),
        span([ASKED, CALLED, RESULT], ANSWER, "t1"),
        span([{"role": "user", "content": "Bye"}], {"role": "assistant", "content": "Ciao"}, "t2"),
    ]
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines(*spans))
    rows = []
    for found in batch.read_file(path):
        assert found.kind == "exchange"
        made = tw.convert_json(found.payload, "openai:hf", source=found.dialect)
        rows.append(json.loads(made.payload))
    assert [row["messages"] for row in rows] == [
        MEANT,
        [{"role": "user", "content": "Bye"}, {"role": "assistant", "content": "Ciao"}],
    ]
    assert [[tool["function"]["name"] for tool in row["tools"]] for row in rows] == [["w"], ["w"]]


def read(*spans: Any) -> tuple[list[Any], Traces]:
    traces = Traces(lambda: io.BytesIO(lines(*spans)))
    rows = [json.loads(tw.convert_json(row, "openai:hf").payload)["messages"] for row in traces.rows()]
    return rows, traces


@pytest.mark.parametrize("span", TRACERS)
def test_they_are_traces(span: Any) -> None:
    assert are_traces([lines(span([ASKED], ANSWER, "t"))])


SAID = [ASKED, ANSWER]


@pytest.mark.parametrize(
    ("given", "answer", "meant"),
    [
        ("W?", "Clear.", SAID),
        ([ASKED], "Clear.", SAID),
        ([[ASKED]], ANSWER, SAID),
        ({"messages": [ASKED], "system": "S"}, ANSWER, [{"role": "system", "content": "S"}, *SAID]),
        ({"input": "W?"}, {"output": "Clear."}, SAID),
        ({"prompt": "W?"}, {"generations": [[{"text": "Clear."}]]}, SAID),
        ([ASKED], {"choices": [{"message": ANSWER}]}, SAID),
        ([ASKED], [{"index": 0, "message": ANSWER}], SAID),
        (
            {"contents": [{"role": "user", "parts": [{"text": "W?"}]}]},
            {"candidates": [{"content": {"role": "model", "parts": [{"text": "Clear."}]}}]},
            SAID,
        ),
        (
            [ASKED],
            {
                "id": "m",
                "type": "message",
                "role": "assistant",
                "content": "Clear.",
                "stop_reason": "end_turn",
                "usage": {},
            },
            SAID,
        ),
        (
            {"input": [ASKED]},
            {
                "output": [
                    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Clear."}]}
                ]
            },
            SAID,
        ),
        ([ASKED], None, [ASKED]),
    ],
)
def test_a_request_and_an_answer_have_many_forms(given: Any, answer: Any, meant: list[Any]) -> None:
    for one in (json.dumps, lambda value: value):
        rows, traces = read({"trace_id": "t", "type": "GENERATION", "input": one(given), "output": one(answer)})
        assert rows == [meant]
        assert traces.unanswered == (answer is None)


def test_the_parts_of_openinference_come_in_their_order() -> None:
    begins = "llm.output_messages.0.message"
    attributes = {
        "openinference.span.kind": "LLM",
        "session.id": "talk",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.contents.0.message_content.type": "text",
        "llm.input_messages.0.message.contents.0.message_content.text": "see",
        "llm.input_messages.0.message.contents.1.message_content.type": "image",
        "llm.input_messages.0.message.contents.1.message_content.image.image.url": "https://x.y/a.png",
        f"{begins}.role": "assistant",
        f"{begins}.contents.0.message_content.type": "reasoning",
        f"{begins}.contents.0.message_content.text": "hm",
        f"{begins}.contents.1.message_content.type": "tool_use",
        f"{begins}.contents.1.message_content.id": "c1",
        f"{begins}.contents.1.message_content.name": "w",
        f"{begins}.contents.1.message_content.input": "{}",
        f"{begins}.tool_calls.0.tool_call.id": "c1",
        f"{begins}.tool_calls.0.tool_call.function.name": "w",
    }
    span = {"context": {"trace_id": "t", "span_id": "s"}, "attributes": attributes}
    rows, _ = read(span)
    assert rows == [
        [
            {
                "role": "user",
                "content": [{"type": "text", "text": "see"}, {"type": "image", "url": "https://x.y/a.png"}],
            },
            {
                "role": "assistant",
                "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "w", "arguments": {}}}],
            },
        ]
    ]


def test_spans_without_a_model_are_counted() -> None:
    chain = {"id": "r", "run_type": "chain", "trace_id": "t", "inputs": {"x": 1}, "outputs": {}}
    rows, traces = read(chain, langsmith([ASKED], ANSWER, "t"))
    assert rows == [SAID]
    assert str(traces.left_out) == "1 span without messages"


def test_a_session_joins_its_traces() -> None:
    spans = [langsmith([ASKED], CALLED, "t1"), langsmith([ASKED, CALLED, RESULT], ANSWER, "t2")]
    for one in spans:
        one["extra"]["metadata"] = {"thread_id": "talk"}
    rows, traces = read(*spans)
    assert rows == [MEANT]
    assert traces.left_out.earlier == 1
