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
from .trace_places import PLACES, Place, Places, Steps, below, told_by

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
_SPEAKERS: Final = {INPUT: "user", OUTPUT: "assistant"}
"""Who says a text."""


def kind_of(record: Mapping[str, Any]) -> Kind | None:
    """The tracer of a record, or of a span by its attributes."""
    return next((kind for kind in KINDS if all(_value(record, way) is not None for way in kind.has.split())), None)


def said_in(record: Mapping[str, Any], kind: Kind, own: Places | None = None) -> dict[str, Any]:
    """The messages of a record under the names of OpenTelemetry. None, if it is no request to a model.

    With `own`, the places of the record's values, they have their places.
    """
    where, _, types = kind.only.partition("=")
    if _parsed(_value(record, where)) not in types.split(","):
        return {}
    said = _Said()
    inner: Places | None = None if own is None else {(): Place(())}
    if kind.name == "openinference":
        record = nested(record, inner)
        for way, key in (("llm.input_messages", INPUT), ("llm.output_messages", OUTPUT)):
            if isinstance(listed := _value(record, way), list):
                said.numbered(listed, tuple(way.split(".")), key)
    if INPUT not in said.found:
        said.given(*_first(record, kind.given))
    if OUTPUT not in said.found:
        said.answer(*_first(record, kind.answer))
    tools, at = _first(record, kind.tools)
    if (tools := _parsed(tools)) and isinstance(tools, list | dict):
        said.tools(tools, at)
    if talk := _first(record, kind.talk)[0]:
        said.found[CONVERSATION] = _parsed(talk)
    if own is None or inner is None:
        return said.found
    return said.found | {PLACES: told_by(own, told_by(inner, said.places))}


class _Said:
    """What a record says under the names of OpenTelemetry, and where in the record it says it."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {ALL: True}
        self.places: Places = {}

    def given(self, value: Any, at: Steps) -> None:
        """Adds a request: text, messages, or a body."""
        value = _parsed(value)
        if isinstance(value, str):
            self._text(value, at, INPUT)
        elif isinstance(value, list):
            self._listed(value, at, INPUT)
        elif isinstance(value, dict) and _is_message(value):
            self._one(value, at, INPUT)
        elif isinstance(value, dict):
            for key, names in ((SYSTEM, _SYSTEM), (TOOLS, _TOOLS)):
                if name := next((name for name in names if value.get(name)), None):
                    self.found[key] = _system(value[name]) if key == SYSTEM else value[name]
                    self.places[(key,)] = Place((*at, name), key != SYSTEM or isinstance(value[name], str))
            inner = next((key for key in _LISTS if isinstance(value.get(key), list)), None)
            if inner is None:
                texts = [key for key in _TEXTS if isinstance(value.get(key), str)]
                inner = texts[0] if len(texts) == 1 else None
            if inner is not None:
                self.given(value[inner], (*at, inner))

    def answer(self, value: Any, at: Steps) -> None:
        """Adds an answer: text, a message, a list of them, or a reply."""
        value = _parsed(value)
        if isinstance(value, str):
            self._text(value, at, OUTPUT)
        elif isinstance(value, list):
            if value and isinstance(value[0], dict) and not _is_message(value[0]):
                self._reply(value[0], (*at, 0))
            else:
                self._listed(value, at, OUTPUT)
        elif isinstance(value, dict) and _is_message(value):
            # A reply of Anthropic's is a message with more around it.
            is_reply = value.get("type") == "message" and "role" in value and "stop_reason" in value
            self._one({key: value[key] for key in ("role", "content")} if is_reply else value, at, OUTPUT)
        elif isinstance(value, dict):
            self._reply(value, at)

    def _reply(self, value: dict[str, Any], at: Steps) -> None:
        found = ((held, steps) for way in _REPLIES for held, steps in (_at(value, way),) if held)
        held, steps = next(found, (None, ()))
        self.answer(held, at + steps)

    def numbered(self, listed: list[Any], at: Steps, key: str) -> None:
        """Adds the messages of OpenInference."""
        for index, one in enumerate(listed):
            if held := _value(one, "message"):
                message, inner = spoken(held) if isinstance(held, dict) else (held, {})
                path = (key, len(self.found.setdefault(key, [])))
                self.places |= {path + way: place for way, place in below((*at, index, "message"), inner).items()}
                self.found[key].append(message)

    def tools(self, tools: list[Any] | dict[str, Any], at: Steps) -> None:
        """Adds definitions of tools."""
        self.found[TOOLS] = []
        self.places[(TOOLS,)] = Place(at, False)
        for key, one in enumerate(tools) if isinstance(tools, list) else tools.items():
            tool, steps = _tool(_parsed(one))
            if tool:
                self.places[TOOLS, len(self.found[TOOLS])] = Place((*at, key, *steps))
                self.found[TOOLS].append(tool)

    def _text(self, text: str, at: Steps, key: str) -> None:
        self.found[key] = [_spoken(_SPEAKERS[key], text)]
        self.places[(key,)] = Place(at, False)

    def _one(self, message: dict[str, Any], at: Steps, key: str) -> None:
        self.found[key] = [message]
        self.places[(key,)] = Place(at, False)
        self.places[key, 0] = Place(at)

    def _listed(self, messages: list[Any], at: Steps, key: str) -> None:
        """Adds messages of a dialect or a layout, or texts."""
        if len(messages) == 1 and isinstance(messages[0], list):
            messages, at = messages[0], (*at, 0)
        self.found[key] = []
        self.places[(key,)] = Place(at)
        for index, one in enumerate(map(_parsed, messages)):
            if isinstance(one, str):
                self.places[key, index] = Place((*at, index), False)
            self.found[key].append(_spoken(_SPEAKERS[key], one) if isinstance(one, str) else one)


def _spoken(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def _is_message(value: Mapping[str, Any]) -> bool:
    return any(isinstance(value.get(key), str) for key in ("role", "from", "type")) and "span_id" not in value


def _system(value: Any) -> str:
    """System text, whose parts are joined by empty lines."""
    value = value.get("parts", value) if isinstance(value, dict) else value
    parts = value if isinstance(value, list) else [value]
    return "\n\n".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in parts)


def _tool(tool: Any) -> tuple[Any, Steps]:
    """The definition of a tool, and where in it that is. OpenInference wraps it, and may leave it out."""
    if not isinstance(tool, dict):
        return None, ()
    wrapped, at = _at(tool, "tool.json_schema")
    if wrapped is not None:
        return _parsed(wrapped), at
    return (tool if "tool" not in tool else None), ()


def _first(record: Mapping[str, Any], ways: str) -> tuple[Any, Steps]:
    found = ((held, at) for way in ways.split() for held, at in (_at(record, way),) if held not in (None, "", []))
    return next(found, (None, ()))


def _value(value: Any, way: str) -> Any:
    return _at(value, way)[0]


def _at(value: Any, way: str) -> tuple[Any, Steps]:
    """The value at the end of a way, and the path to it. A key may have the dots itself."""
    steps: Steps = ()
    while way:
        if isinstance(value, dict):
            key, _, rest = (way, "", "") if way in value else way.partition(".")
            if key not in value:
                return None, ()
            value, way, steps = value[key], rest, (*steps, key)
            continue
        key, _, way = way.partition(".")
        if not (isinstance(value, list) and key.isdecimal() and int(key) < len(value)):
            return None, ()
        value, steps = value[int(key)], (*steps, int(key))
    return value, steps


def _parsed(value: Any) -> Any:
    """A value that may be JSON text, even JSON text in JSON text."""
    for _ in range(2):
        if value == "null":
            return None
        if isinstance(value, str) and value.lstrip()[:1] in ("[", "{", '"'):
            with suppress(ValueError, RecursionError):
                value = loads(value)
    return value
