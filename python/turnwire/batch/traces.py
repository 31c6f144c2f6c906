"""Reads conversations from OpenTelemetry traces, each from the span with most of its messages."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

from .trace_records import INPUT, OUTPUT, SYSTEM, TOOLS, Record, documents, first, is_span, records_of

__all__ = ["LeftOut", "Traces", "are_traces"]


_BATCHES: Final = ("resourceSpans", "resourceLogs", "scopeSpans", "scopeLogs")
_WORDS: Final = (b'"resourceSpans"', b'"resourceLogs"', b'"scopeSpans"', b'"scopeLogs"', b'"attributes"', b'"gen_ai.')
_PEEKED: Final = 20
"""The number of documents that are read to detect traces."""


@dataclass
class LeftOut:
    """What was left out of the conversations of a trace, and why."""

    without: int = 0
    """The number of spans without messages."""
    earlier: int = 0
    """The number of spans whose conversation is at least as long in another span."""
    twice: int = 0
    """The number of conversations that are equal to an earlier one."""
    choices: int = 0
    """The number of further answers to the same input: only the first becomes a turn."""
    cut: int = 0
    """The number of spans whose messages were cut off."""
    damaged: int = 0
    """The number of system instructions, tools and answers that were cut off or are not JSON."""

    def __str__(self) -> str:
        said = (
            (self.without, "span without messages", "spans without messages"),
            (
                self.earlier,
                "span of whose conversation another one holds more",
                "spans of whose conversation another one holds more",
            ),
            (self.cut, "span whose messages are cut", "spans whose messages are cut"),
            (self.twice, "conversation that repeats another one", "conversations that repeat another one"),
            (self.choices, "further answer to the same input", "further answers to the same input"),
            (self.damaged, "cut attribute beside the messages", "cut attributes beside the messages"),
        )
        return ", ".join(f"{count:,} {one if count == 1 else more}" for count, one, more in said if count)


class _Best(NamedTuple):
    """The record with the longest part of a conversation so far."""

    whole: bool
    size: int
    line: int
    place: int


def are_traces(lines: Iterable[bytes]) -> bool:
    """Whether lines are traces, judged by the first document that is JSON."""
    for _, document in itertools.islice(documents(lines), _PEEKED):
        # Most documents are not traces. Without these words, they need not be parsed.
        if not any(word in document for word in _WORDS):
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
    if "attributes" in value:
        return is_span(value)
    # An object of attributes only. In a payload of `otel`, the messages are not text, and include the answer.
    return isinstance(value.get(INPUT), str) or (INPUT in value and OUTPUT in value)


class Traces:
    """The conversations of one input, in two passes: the first finds the spans, the second reads only those."""

    def __init__(self, lines: Callable[[], Iterable[bytes]]) -> None:
        self._lines = lines
        self._found: dict[int, list[int]] | None = None
        self.left_out = LeftOut()
        self.count = 0
        """The number of conversations, once all rows have been read."""

    def rows(self) -> Iterator[bytes]:
        """A payload of the dialect `otel` for each conversation. Lines that are not JSON are passed on unchanged."""
        found = self._find() if self._found is None else self._found
        left, seen = LeftOut(), set[bytes]()
        for number, document in documents(self._lines()):
            places = found.get(number)
            if places is None:
                continue
            if not places:
                yield document
                continue
            records = list(records_of(document))
            for place in places:
                row = _row(records[place].given, left)
                digest = hashlib.blake2b(row, digest_size=16).digest()
                if digest in seen:
                    left.twice += 1
                    continue
                seen.add(digest)
                yield row
        self.count = len(seen)
        self.left_out = replace(self.left_out, twice=left.twice, choices=left.choices, damaged=left.damaged)

    def _find(self) -> dict[int, list[int]]:
        """The indices of the best records in each line. A line with an empty list is not JSON."""
        found: dict[int, list[int]] = {}
        best = _Longest()
        for number, document in documents(self._lines()):
            try:
                records = list(records_of(document))
            except (ValueError, RecursionError):
                found[number] = []
                continue
            for place, record in enumerate(records):
                best.know(record)
                if not record.says:
                    self.left_out.without += record.is_span
                    continue
                whole, size = _size(record.given.get(INPUT))
                self.left_out.cut += not whole
                best.add(record, _Best(whole, size, number, place))
        for one in best.ends():
            found.setdefault(one.line, []).append(one.place)
        self.left_out.earlier = best.earlier
        self._found = found
        return found


class _Longest:
    """The best record so far of each conversation, and of each trace whose records name no conversation."""

    def __init__(self) -> None:
        self.earlier = 0
        """The number of records that are not the best."""
        self._talks: dict[str, _Best] = {}
        self._traces: dict[str, _Best] = {}
        self._alone: list[_Best] = []
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
            self._better(self._talks, record.conversation, one)
        elif record.trace:
            self._better(self._traces, record.trace, one)
        else:
            self._alone.append(one)

    def ends(self) -> list[_Best]:
        """The best records, in the order of the file. If a trace names one conversation, all of it belongs to that."""
        alone = self._alone
        for trace, one in self._traces.items():
            if talk := self._talk_of.get(trace):
                self._better(self._talks, talk, one)
            else:
                alone.append(one)
        return sorted([*self._talks.values(), *alone], key=lambda one: (one.line, one.place))

    def _better(self, among: dict[str, _Best], key: str, one: _Best) -> None:
        before = among.setdefault(key, one)
        if before is one:
            return
        self.earlier += 1
        # If two are equally long, the later one is a retry and counts.
        if one > before:
            among[key] = one


def _size(value: Any) -> tuple[bool, int]:
    """Whether messages are complete, and their length as JSON text in characters."""
    if not isinstance(value, str):
        return True, 0 if value is None else len(json.dumps(value, ensure_ascii=False))
    end = value.rstrip()[-1:]
    # JSON text inside JSON text ends in a quote.
    return end == "]" or value[:1] == '"' == end, len(value)


def _row(given: Mapping[str, Any], left: LeftOut) -> bytes:
    """The payload of one record, with its answer after its input."""
    row: dict[str, Any] = {}
    for key in (SYSTEM, INPUT, TOOLS):
        try:
            value = _parsed(given.get(key))
        except (ValueError, RecursionError):
            if key == INPUT:
                # The parser's error reports it.
                value = given[key]
            else:
                value = None
                left.damaged += 1
        if value is not None:
            row[key] = value
    messages = row.setdefault(INPUT, [])
    try:
        answers = _parsed(given.get(OUTPUT))
    except (ValueError, RecursionError):
        answers = None
        left.damaged += 1
    if isinstance(answers, list) and isinstance(messages, list):
        left.choices += max(len(answers) - 1, 0)
        row[INPUT] = messages + answers[:1]
    try:
        return json.dumps(row, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        # A lone surrogate stays an escape.
        return json.dumps(row).encode()


def _parsed(value: Any) -> Any:
    """A value that may be JSON text, even JSON text in JSON text."""
    for _ in range(2):
        if not isinstance(value, str):
            break
        value = json.loads(value)
    return value
