"""Reads what other tracers than OpenTelemetry's record: OpenInference, Langfuse, LangSmith, MLflow and Braintrust.

Each says the same: a request, its answer, its trace and its conversation. Where they are is a row of `KINDS`. The
result has the names of OpenTelemetry, so that the rest of the reader does not know these tracers.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from .spelled import loads
from .trace_names import ALL, CONVERSATION, INPUT, OUTPUT, SYSTEM, TOOLS
from .trace_numbers import nested, spoken

__all__ = ["KINDS", "OTHERS", "Kind", "kind_of", "said_in"]


class Kind(NamedTuple):
    """What a tracer calls things. A way is keys with dots between; of several with spaces between, the first counts."""

    name: str
    has: str
    """Ways that must all lead somewhere."""
    given: str
    answer: str
    only: str
    """Where its type is, and behind `=` the types of requests to a model."""
    talk: str = ""
    trace: str = ""
    tools: str = ""


KINDS: Final = (
    Kind(
        "openinference",
        "openinference.span.kind",
        "llm.input_messages input.value",
        "llm.output_messages output.value",
        "openinference.span.kind=LLM",
        "session.id",
        tools="llm.tools",
    ),
    Kind(
        "mlflow",
        "mlflow.spanType",
        "mlflow.spanInputs",
        "mlflow.spanOutputs",
        "mlflow.spanType=CHAT_MODEL,LLM",
        "session.id mlflow.trace.session",
        tools="mlflow.chat.tools",
    ),
    Kind(
        "langsmith",
        "run_type inputs",
        "inputs.messages inputs",
        "outputs",
        "run_type=llm",
        "extra.metadata.thread_id extra.metadata.session_id extra.metadata.conversation_id",
        "trace_id",
        "extra.invocation_params.tools",
    ),
    Kind("braintrust", "span_attributes input", "input", "output", "span_attributes.type=llm", "", "root_span_id"),
    Kind(
        "langfuse",
        "traceId type input",
        "input",
        "output",
        "type=GENERATION",
        "sessionId",
        "traceId",
        "toolDefinitions",
    ),
    Kind(
        "langfuse",
        "trace_id type input",
        "input",
        "output",
        "type=GENERATION",
        "session_id",
        "trace_id",
        "tool_definitions",
    ),
)
"""Every kind of record, in the order in which they are tried."""

OTHERS: Final = ("openinference", "llm", "mlflow.")
"""The beginnings of attributes of other tracers."""

_LISTS: Final = ("messages", "contents", "input", "prompts")
"""Keys of a request under which its messages are."""
_SYSTEM: Final = ("system", "instructions", "systemInstruction", "system_instruction")
_TOOLS: Final = ("tools", "functions")
_TEXTS: Final = ("input", "query", "question", "prompt", "text", "content")
"""Keys of a request that is a text, if it has no other text."""
_REPLIES: Final = (
    "choices.0.message",
    "candidates.0.content",
    "generations.0.0.message",
    "generations.0.0.text",
    "generations.0.message",
    "output",
    "message",
    "messages",
    "content",
)
"""Where the answer is in a reply."""


def kind_of(record: Mapping[str, Any]) -> Kind | None:
    """The tracer of a record, or of a span by its attributes."""
    return next((kind for kind in KINDS if all(_at(record, way) is not None for way in kind.has.split())), None)


def said_in(record: Mapping[str, Any], kind: Kind) -> dict[str, Any]:
    """The messages of a record under the names of OpenTelemetry. None, if it is no request to a model."""
    where, _, types = kind.only.partition("=")
    if _parsed(_at(record, where)) not in types.split(","):
        return {}
    if kind.name == "openinference":
        record = nested(record)
        for key in ("input_messages", "output_messages"):
            if isinstance(listed := _at(record, f"llm.{key}"), list):
                record["llm"][key] = [spoken(held) for one in listed if (held := _at(one, "message"))]
    found: dict[str, Any] = {ALL: True}
    _given(_first(record, kind.given), found)
    _answer(_first(record, kind.answer), found)
    if (tools := _parsed(_first(record, kind.tools))) and isinstance(tools, list | dict):
        listed = tools if isinstance(tools, list) else list(tools.values())
        found[TOOLS] = [tool for one in listed if (tool := _tool(_parsed(one)))]
    if talk := _first(record, kind.talk):
        found[CONVERSATION] = _parsed(talk)
    return found


def _given(value: Any, found: dict[str, Any]) -> None:
    """Adds a request: text, messages, or a body."""
    value = _parsed(value)
    if isinstance(value, str):
        found[INPUT] = [_spoken("user", value)]
    elif isinstance(value, list):
        _listed(value, INPUT, found)
    elif isinstance(value, dict) and _is_message(value):
        _listed([value], INPUT, found)
    elif isinstance(value, dict):
        for key, names in ((SYSTEM, _SYSTEM), (TOOLS, _TOOLS)):
            if said := next((value[name] for name in names if value.get(name)), None):
                found[key] = _system(said) if key == SYSTEM else said
        inner = next((value[key] for key in _LISTS if isinstance(value.get(key), list)), None)
        if inner is None:
            texts = [value[key] for key in _TEXTS if isinstance(value.get(key), str)]
            inner = texts[0] if len(texts) == 1 else None
        if inner is not None:
            _given(inner, found)


def _answer(value: Any, found: dict[str, Any]) -> None:
    """Adds an answer: text, a message, a list of them, or a reply."""
    value = _parsed(value)
    if isinstance(value, str):
        found[OUTPUT] = [_spoken("assistant", value)]
    elif isinstance(value, list):
        if value and isinstance(value[0], dict) and not _is_message(value[0]):
            _answer(next((held for way in _REPLIES if (held := _at(value[0], way))), None), found)
        else:
            _listed(value, OUTPUT, found)
    elif isinstance(value, dict) and _is_message(value):
        # A reply of Anthropic's is a message with more around it.
        is_reply = value.get("type") == "message" and "role" in value and "stop_reason" in value
        _listed([{key: value[key] for key in ("role", "content")} if is_reply else value], OUTPUT, found)
    elif isinstance(value, dict):
        _answer(next((held for way in _REPLIES if (held := _at(value, way))), None), found)


def _listed(messages: list[Any], key: str, found: dict[str, Any]) -> None:
    """Adds messages of a dialect or a layout, or texts."""
    if len(messages) == 1 and isinstance(messages[0], list):
        messages = messages[0]
    role = "user" if key == INPUT else "assistant"
    found[key] = [_spoken(role, one) if isinstance(one, str) else one for one in map(_parsed, messages)]


def _spoken(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _is_message(value: Mapping[str, Any]) -> bool:
    return any(isinstance(value.get(key), str) for key in ("role", "from", "type")) and "span_id" not in value


def _system(value: Any) -> str:
    """System text, whose parts are joined by empty lines."""
    value = value.get("parts", value) if isinstance(value, dict) else value
    parts = value if isinstance(value, list) else [value]
    return "\n\n".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in parts)


def _tool(tool: Any) -> Any:
    """The definition of a tool. OpenInference wraps it, and may leave it out."""
    if not isinstance(tool, dict):
        return None
    wrapped = _at(tool, "tool.json_schema")
    return _parsed(wrapped) if wrapped is not None else tool if "tool" not in tool else None


def _first(record: Mapping[str, Any], ways: str) -> Any:
    return next((held for way in ways.split() if (held := _at(record, way)) not in (None, "", [])), None)


def _at(value: Any, way: str) -> Any:
    """The value at the end of a way. A key may have the dots itself."""
    if isinstance(value, dict):
        if way in value:
            return value[way]
        key, _, rest = way.partition(".")
        return _at(value[key], rest) if rest and key in value else None
    key, _, rest = way.partition(".")
    if isinstance(value, list) and key.isdecimal() and int(key) < len(value):
        return _at(value[int(key)], rest) if rest else value[int(key)]
    return None


def _parsed(value: Any) -> Any:
    """A value that may be JSON text, even JSON text in JSON text."""
    for _ in range(2):
        if value == "null":
            return None
        if isinstance(value, str) and value.lstrip()[:1] in ("[", "{", '"'):
            with suppress(ValueError, RecursionError):
                value = loads(value)
    return value
