"""Reads the spans, events and log records of OpenTelemetry traces, each with its part of a conversation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from .spelled import DECODER
from .trace_names import CONVERSATION, INPUT, NAMES, OUTPUT
from .trace_numbers import nested
from .trace_older import MESSAGE_EVENTS, NUMBERED, Event, from_events, from_numbers, message_event
from .trace_places import PLACES, Place, Places, Steps, below, merged, placed, told_by
from .trace_spans import OTHERS, kind_of, said_in
from .trace_values import held_in, pairs, places_in, places_of, plain

__all__ = ["Record", "attributes_of", "documents", "first", "is_span", "records_of"]

_TRACE_IDS: Final = ("traceId", "trace_id", "traceID")
_SPAN_IDS: Final = ("spanId", "span_id", "spanID")
_ATTRIBUTES: Final = ("attributes", "tags", "fields", "body")
"""Keys of a record's attributes. Jaeger has `tags` in spans and `fields` in their logs."""
_NO_RECORDS: Final = frozenset(
    (*_ATTRIBUTES, "context", "links", "process", "processes", "references", "resource", "scope", "status")
)
"""Keys of a record that have no other records in them, but may have ids of spans."""
_CHILDREN: Final = ("child_runs", "observations")
"""Keys of a record of another tracer under which are further ones."""
_SPLIT: Final = re.compile(r"[._]")
_OF_MESSAGES: Final = frozenset(
    ("message", "messages", "prompt", "prompts", "completion", "completions", "input", "inputs", "output", "outputs")
)
"""Words in the names of attributes that may hold messages."""


class Record(NamedTuple):
    """A span, an event or a log record."""

    conversation: str | None
    trace: str | None
    given: Mapping[str, Any]
    """The record's attributes with messages, by name."""
    is_span: bool
    """Whether it is a span, or a log record of one."""
    at: Steps
    """Its path in the document."""
    event: Event | None = None
    """The one message of an event of older conventions. The other messages of its span are in other events."""

    @property
    def says(self) -> bool:
        """Whether it has messages."""
        return bool(self.given.get(INPUT) or self.given.get(OUTPUT))


def documents(lines: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
    """Each JSON document with the number of its first line: a line, or the lines from a lone bracket to its partner."""
    held: list[bytes] = []
    begun = 0
    for number, line in enumerate(lines, 1):
        bare = line.rstrip()
        if held and bare[:1] in (b"{", b"["):
            # The document was cut off, and another begins here.
            yield begun, b"\n".join(held)
            held.clear()
        if held or bare in (b"{", b"["):
            begun = begun if held else number
            held.append(bare)
            if bare in (b"}", b"]"):
                yield begun, b"\n".join(held)
                held.clear()
        elif bare:
            yield number, bare
    if held:
        yield begun, b"\n".join(held)


def first(document: bytes) -> Any:
    """The first value of a line."""
    return DECODER.raw_decode(document.decode())[0]


def records_of(document: bytes, with_places: bool = False) -> list[Record]:
    """The records of a line, which may hold several documents. The places of their messages take twice as long."""
    text = document.decode()
    found: list[Record] = []
    at = 0
    while at < len(text):
        value, at = DECODER.raw_decode(text, at)
        _find(value, found, at=() if with_places else None)
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
    return found


def attributes_of(document: bytes) -> Iterator[str]:
    """The names of attributes in a document whose values are not empty and whose names speak of messages."""
    yield from _spoken(first(document))


def _spoken(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from _spoken(one)
    elif isinstance(value, dict):
        for key in _ATTRIBUTES:
            held = value.get(key)
            named = held if isinstance(held, dict) else dict(pairs(held))
            said = (name for name, one in named.items() if one)
            yield from (name for name in said if not _OF_MESSAGES.isdisjoint(_SPLIT.split(name)))
        for key, one in value.items():
            if key not in _ATTRIBUTES:
                yield from _spoken(one)


def _find(
    value: Any, found: list[Record], trace: str | None = None, conversation: str | None = None, at: Steps | None = None
) -> None:
    """Adds the records in a value. A list is faster than generators in each other.

    With `at`, the path of the value, they have the places of their messages.
    """
    if isinstance(value, list):
        for index, one in enumerate(value):
            _find(one, found, trace, conversation, _in(at, index))
        return
    if not isinstance(value, dict):
        return
    own: Places | None = None if at is None else {(): Place(at)}
    if any(key.startswith("attributes.") for key in value):
        # A table of spans, as Phoenix writes it.
        inner: Places | None = None if at is None else {}
        value = nested(value, inner)
        own = None if at is None or inner is None else below(at, inner)
    if kind := kind_of(value):
        said = said_in(value, kind, own)
        talk, own_id = said.get(CONVERSATION) or conversation, _id((value,), (kind.trace,)) or trace
        found.append(Record(str(talk) if talk else None, str(own_id) if own_id else None, said, True, at or ()))
        for key in _CHILDREN:
            _find(value.get(key), found, trace, conversation, _in(at, key))
        return
    context = value.get("context")
    places = (value, context) if isinstance(context, dict) else (value,)
    own_id = _id(places, _TRACE_IDS)
    trace = str(own_id) if own_id else trace
    given: dict[str, Any] = {}
    for key in _ATTRIBUTES:
        if held := value.get(key):
            given = merged(given, _attributes(held, (key,), own))
    if not given:
        given = _attributes(value, (), own)
    conversation = conversation or _session(value)
    conversation = str(given[CONVERSATION]) if given.get(CONVERSATION) else conversation
    event = _event(value, places, trace, own)
    if event:
        # One without a span and a trace belongs to no conversation.
        found.append(Record(conversation, trace, {}, event.says and not event.span, at or (), event))
        return
    spans = is_span(value)
    is_record = bool(given) or spans
    inside: list[Record] = [] if is_record else found
    for key, one in value.items():
        if isinstance(one, list | dict) and one and key not in _NO_RECORDS:
            _find(one, inside, trace, conversation, None if own is None else placed(own, (key,)).steps)
    if not is_record:
        return
    if told := [record.event for record in inside if record.event]:
        given = merged(from_events(told), given)
        inside = [record for record in inside if not record.event]
    if any(event.says for event in inside):
        # Each may have only some of the attributes.
        found += (one._replace(given=merged(given, one.given), at=at or ()) if one.says else one for one in inside)
    else:
        found.append(Record(conversation, trace, given, spans, at or ()))
        found += inside


def _in(at: Steps | None, key: str | int) -> Steps | None:
    return None if at is None else (*at, key)


def _session(value: Mapping[str, Any]) -> str | None:
    """The conversation that a trace of MLflow or Langfuse names for its spans."""
    for way in (("info", "trace_metadata", "mlflow.trace.session"), ("trace", "sessionId")):
        here: Any = value
        for key in way:
            here = here.get(key) if isinstance(here, dict) else None
        if isinstance(here, str) and here:
            return here
    return None


def _id(places: Iterable[Mapping[str, Any]], names: Iterable[str]) -> Any:
    """The first id under one of these names that is not empty."""
    for one in places:
        for name in names:
            if held := one.get(name):
                return held
    return None


def is_span(value: Mapping[str, Any]) -> bool:
    """Whether an object has the id of a span: it is a span, or a log record of one."""
    context = value.get("context")
    places = (value, context) if isinstance(context, dict) else (value,)
    return any(key in one for one in places for key in _SPAN_IDS)


def _event(
    value: Mapping[str, Any], places: Iterable[Mapping[str, Any]], trace: str | None, own: Places | None
) -> Event | None:
    """The message of an event of older conventions. With `own`, the places of the event's values, it has its place."""
    name = value.get("eventName") or value.get("event_name") or value.get("name")
    is_message = isinstance(name, str) and name in MESSAGE_EVENTS
    if not is_message and "body" not in value and "fields" not in value:
        return None
    key = "attributes" if "attributes" in value else "fields"
    held = value.get(key)
    attributes = held if isinstance(held, dict) else dict(pairs(held))
    # Log records of older exporters and Jaeger's logs have the name among their attributes.
    name = name if is_message else plain(attributes.get("event.name", attributes.get("event")))
    if not isinstance(name, str) or name not in MESSAGE_EVENTS:
        return None
    span = _id(places, _SPAN_IDS) or trace or ""
    if body := plain(value.get("body")):
        inner = {} if own is None else places_in(value["body"], ("body",))
    else:
        body = {key: plain(one) for key, one in attributes.items()}
        inner = {} if own is None else places_of(held, (key,), attributes)
    event = message_event(name, str(span), body)
    return event._replace(places={} if own is None else told_by(own, told_by(inner, event.places)))


def _attributes(value: Any, at: Steps, own: Places | None) -> dict[str, Any]:
    """The attributes that we read, from a map, a list of keys with values, or an OTLP value with such a list.

    With `own`, the places of the values of their record, they have their places. `at`: their path in the record.
    """
    if isinstance(value, dict) and isinstance(value.get("kvlistValue"), dict):
        value, at = value["kvlistValue"].get("values"), (*at, "kvlistValue", "values")
    held, read = (value, _unchanged) if isinstance(value, dict) else (held_in(value), plain)
    found = {key: read(held[key]) for key in NAMES & held.keys()}
    if INPUT not in found and any(name.startswith(OTHERS) for name in held):
        other = {key: read(one) for key, one in held.items()}
        if kind := kind_of(other):
            return said_in(other, kind, None if own is None else told_by(own, places_of(value, at, other)))
    if found and own is not None:
        found[PLACES] = told_by(own, places_of(value, at, found))
    # Spans have many attributes, so their names are searched together.
    names = "\n".join(held)
    for begins in NUMBERED:
        if begins in names:
            break
    else:
        return found
    older = from_numbers({key: read(one) for key, one in held.items() if key.startswith(NUMBERED)})
    if own is None or not older:
        return older | found
    inner = told_by(own, places_of(value, at, [key for key in held if key.startswith(NUMBERED)]))
    return merged(older | {PLACES: told_by(inner, older.get(PLACES, {}))}, found)


def _unchanged(value: Any) -> Any:
    return value
