"""Reads conversations from OpenTelemetry traces, each from the span with most of its messages."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NamedTuple

from .trace_names import INPUT, OUTPUT
from .trace_older import NUMBERED, Event, from_events
from .trace_places import Origin, origin_of
from .trace_records import Record, attributes_of, documents, first, is_span, records_of
from .trace_rows import LeftOut, first_of, row_of, size_of
from .trace_spans import kind_of

__all__ = ["MAY_BE_TRACES", "LeftOut", "Traces", "are_traces"]


_BATCHES: Final = ("resourceSpans", "resourceLogs", "scopeSpans", "scopeLogs")
MAY_BE_TRACES: Final = (
    *(f'"{key}"'.encode() for key in _BATCHES),
    b'"attributes"',
    b'"tags"',
    b'"gen_ai.',
    b'"attributes.',
    b'"observations"',
    b'"run_type"',
    b'"span_attributes"',
    b'"traceId"',
    b'"trace_id"',
    b'"spans"',
)
_BEGINNINGS: Final = 16
"""The number of different first messages that are counted for a conversation."""
_NAMED: Final = 8
"""The most attributes that are named, and how the index of a message looks in a name."""
_INDEX: Final = re.compile(r"\.\d+(\..*)?$")
_PEEKED: Final = 20
"""The number of documents that are read to detect traces."""


class _Best(NamedTuple):
    """The record with the longest part of a conversation so far."""

    whole: bool
    size: int
    line: int
    place: int
    first: int
    """The hash of its first message."""


class _Group:
    """The records of one conversation: the best one, and how many begin with each message."""

    def __init__(self) -> None:
        self.best: _Best | None = None
        self._firsts: dict[int | None, int] = {}

    def add(self, one: _Best) -> None:
        # A history whose oldest messages are dropped begins with another message each time.
        known = one.first in self._firsts or len(self._firsts) < _BEGINNINGS
        self._count(one.first if known else None, 1)
        self._better(one)

    def join(self, other: _Group) -> None:
        for begins, count in other._firsts.items():
            self._count(begins, count)
        if other.best:
            self._better(other.best)

    @property
    def left(self) -> tuple[int, int]:
        """The number of records that are not the best: those that begin as it does, and the others."""
        same = self._firsts.get(self.best.first, 1) if self.best else 0
        return max(same - 1, 0), sum(self._firsts.values()) - same

    def _count(self, begins: int | None, count: int) -> None:
        self._firsts[begins] = self._firsts.get(begins, 0) + count

    def _better(self, one: _Best) -> None:
        # If two are equally long, the later one is a retry and counts.
        if self.best is None or one > self.best:
            self.best = one


def are_traces(lines: Iterable[bytes]) -> bool:
    """Whether lines are traces, judged by the first document that is JSON."""
    for _, document in itertools.islice(documents(lines), _PEEKED):
        # Most documents are not traces. Without these words, they need not be parsed.
        if not any(word in document for word in MAY_BE_TRACES):
            return False
        with suppress(ValueError, RecursionError):
            return _is_trace(first(document))
    return False


def _is_trace(value: Any) -> bool:
    if isinstance(value, list):
        value = value[0] if value else None
    if not isinstance(value, dict):
        return False
    if any(isinstance(value.get(key), list) for key in _BATCHES):
        return True
    if kind_of(value) or any(isinstance(value.get(key), list) and "trace" in value for key in ("observations",)):
        return True
    data = value.get("data")
    if isinstance(data, dict) and isinstance(data.get("spans"), list):
        # A trace of MLflow's.
        return True
    if isinstance(data, list) and any(isinstance(one, dict) and isinstance(one.get("spans"), list) for one in data):
        # Jaeger's answer: a list of traces.
        return True
    if "attributes" in value or "tags" in value or any(key.startswith("attributes.") for key in value):
        return is_span(value) or "context.span_id" in value
    # An object of attributes only. In a payload of `otel`, the messages are not text, and include the answer.
    return (
        isinstance(value.get(INPUT), str)
        or (INPUT in value and OUTPUT in value)
        or any(key.startswith(NUMBERED) for key in value)
    )


class _Spoken:
    """The messages of one span that are each in an event of its own, and perhaps on several lines."""

    def __init__(self, record: Record, event: Event) -> None:
        self.record = record
        self.places: list[tuple[int, int]] = []
        self._size = 0
        self._first = hash(first_of([event.message]))

    def add(self, event: Event, place: tuple[int, int]) -> None:
        self.places.append(place)
        self._size += size_of([event.message])[1]

    @property
    def best(self) -> _Best:
        """All of them, at the place of the last."""
        return _Best(True, self._size, *self.places[-1], self._first)


class Traces:
    """The conversations of one input, in two passes: the first finds the spans, the second reads only those."""

    def __init__(self, lines: Callable[[], Iterable[bytes]]) -> None:
        self._lines = lines
        self._found: dict[int, list[int]] | None = None
        self._spoken: dict[tuple[int, int], tuple[int, int]] = {}
        """The place of each event that holds a message of a row, with the place of the last event of that row."""
        self.left_out = LeftOut()
        self.count = 0
        """The number of conversations, once all rows have been read."""
        self.unanswered = 0
        """The number of conversations that do not end with the assistant."""
        self.lines: list[int] = []
        """The line of each row so far, of lines that are not JSON, too."""
        self.origin: Origin | None = None
        """Where the last row is from. None for a line that is not JSON."""

    def rows(self) -> Iterator[bytes]:
        """A payload of the dialect `otel` for each conversation. Lines that are not JSON are passed on unchanged."""
        found = self._find() if self._found is None else self._found
        left, seen, unanswered = LeftOut(), set[bytes](), 0
        self.lines.clear()
        held: dict[tuple[int, int], list[tuple[int, Event]]] = {}
        for number, document in documents(self._lines()):
            places = found.get(number)
            if places is None:
                continue
            if not places:
                self.lines.append(number)
                self.origin = None
                yield document
                continue
            records = records_of(document, with_places=True)
            for place in places:
                given, event = records[place].given, records[place].event
                if event:
                    last = self._spoken[number, place]
                    held.setdefault(last, []).append((number, event))
                    if last != (number, place):
                        continue
                    # A message in another document has no path in this one.
                    told = held.pop(last)
                    given = from_events(one if line == number else one._replace(places={}) for line, one in told)
                row = row_of(given, left)
                digest = hashlib.blake2b(row.payload, digest_size=16).digest()
                if digest in seen:
                    left.twice += 1
                    continue
                seen.add(digest)
                self.lines.append(number)
                self.origin = origin_of(records[place].at, row.places)
                unanswered += not row.answered
                yield row.payload
        self.count, self.unanswered = len(seen), unanswered
        self.left_out = replace(self.left_out, twice=left.twice, choices=left.choices, damaged=left.damaged)

    def unread(self) -> list[str]:
        """Names of attributes that are not read and look as if they held messages: an index in a name is `*`."""
        found: dict[str, None] = {}
        for _, document in documents(self._lines()):
            with suppress(ValueError, RecursionError):
                for name in attributes_of(document):
                    found.setdefault(_INDEX.sub(".*", name))
            if len(found) >= _NAMED:
                break
        return list(found)[:_NAMED]

    def _find(self) -> dict[int, list[int]]:
        """The indices of the best records in each line. A line with an empty list is not JSON."""
        found: dict[int, list[int]] = {}
        best = _Longest()
        spoken: dict[str, _Spoken] = {}
        for number, document in documents(self._lines()):
            try:
                records = records_of(document)
            except (ValueError, RecursionError):
                found[number] = []
                continue
            for place, record in enumerate(records):
                best.know(record)
                event = record.event
                if event and event.says and event.span:
                    spoken.setdefault(event.span, _Spoken(record, event)).add(event, (number, place))
                    continue
                if not record.says:
                    self.left_out.without += record.is_span
                    continue
                value = record.given.get(INPUT)
                whole, size = size_of(value)
                self.left_out.cut += not whole
                best.add(record, _Best(whole, size, number, place, hash(first_of(value))))
        for span in spoken.values():
            best.add(span.record, span.best)
        spans = {span.places[-1]: span.places for span in spoken.values()}
        ends: list[tuple[int, int]] = []
        for group in best.groups():
            earlier, otherwise = group.left
            self.left_out.earlier += earlier
            self.left_out.otherwise += otherwise
            last = (group.best.line, group.best.place) if group.best else None
            ends += spans.get(last, [last]) if last else []
            self._spoken |= dict.fromkeys(spans.get(last, []), last) if last in spans else {}
        for line, place in sorted(ends):
            found.setdefault(line, []).append(place)
        self._found = found
        return found


class _Longest:
    """The best record so far of each conversation, and of each trace whose records name no conversation."""

    def __init__(self) -> None:
        self._talks: dict[str, _Group] = {}
        self._traces: dict[str, _Group] = {}
        self._alone: list[_Group] = []
        self._talk_of: dict[str, str | None] = {}

    def know(self, record: Record) -> None:
        """Notes which conversation a trace belongs to; None if it belongs to several."""
        if record.trace and record.conversation:
            known = self._talk_of.setdefault(record.trace, record.conversation)
            if known != record.conversation:
                self._talk_of[record.trace] = None

    def add(self, record: Record, one: _Best) -> None:
        """Adds a record with messages."""
        if record.conversation:
            group = self._talks.setdefault(record.conversation, _Group())
        elif record.trace:
            group = self._traces.setdefault(record.trace, _Group())
        else:
            group = _Group()
            self._alone.append(group)
        group.add(one)

    def groups(self) -> list[_Group]:
        """All conversations. If a trace names one conversation, all of it belongs to that."""
        alone = list(self._alone)
        for trace, group in self._traces.items():
            if talk := self._talk_of.get(trace):
                self._talks.setdefault(talk, _Group()).join(group)
            else:
                alone.append(group)
        return [*self._talks.values(), *alone]
