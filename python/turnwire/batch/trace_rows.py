"""Makes one row of a trace: a payload of the dialect `otel`, from attributes that may be JSON text."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from .spelled import DECODER, dumped, loads
from .trace_names import ALL, INPUT, OUTPUT, SYSTEM, TOOLS
from .trace_places import PLACES, Place, Places, moved, placed

__all__ = ["LeftOut", "Row", "first_of", "row_of", "size_of"]


@dataclass
class LeftOut:
    """What was left out of the conversations of a trace, and why."""

    without: int = 0
    """The number of spans without messages."""
    earlier: int = 0
    """The number of spans whose conversation is at least as long in another span."""
    otherwise: int = 0
    """The number of spans whose first message is not that of their conversation's row."""
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
            (
                self.otherwise,
                "span that begins otherwise than the row of its conversation",
                "spans that begin otherwise than the rows of their conversations",
            ),
            (self.cut, "span whose messages are cut", "spans whose messages are cut"),
            (self.twice, "conversation that repeats another one", "conversations that repeat another one"),
            (self.choices, "further answer to the same input", "further answers to the same input"),
            (self.damaged, "cut attribute beside the messages", "cut attributes beside the messages"),
        )
        return ", ".join(f"{count:,} {one if count == 1 else more}" for count, one, more in said if count)


def size_of(value: Any) -> tuple[bool, int]:
    """Whether messages are complete, and their length as JSON text in characters."""
    if not isinstance(value, str):
        return True, 0 if value is None else len(dumped(value))
    begin, end = value.lstrip()[:1], value.rstrip()[-1:]
    # One message may come without a list, and JSON text inside JSON text ends in a quote.
    return end == "]" or begin + end in ("{}", '""'), len(value)


def first_of(messages: Any) -> str | None:
    """The first message as JSON text, if there is one that can be read."""
    try:
        if isinstance(messages, str) and messages.startswith('"'):
            messages = loads(messages)
        if isinstance(messages, str):
            messages = [DECODER.raw_decode(messages, messages.index("{"))[0]]
        return dumped(messages[0], sort_keys=True)
    except (ValueError, RecursionError, LookupError, TypeError):
        return None


class Row(NamedTuple):
    """What one record says, with its answer after its input."""

    payload: bytes
    answered: bool
    """Whether it ends with the assistant, or cannot be read."""
    places: Places
    """Where in the document its values are."""


def row_of(given: Mapping[str, Any], left: LeftOut) -> Row:
    """Makes the row of one record."""
    if given.get(ALL):
        return _exchange(given)
    row: dict[str, Any] = {}
    own: Places = given.get(PLACES, {})
    places: Places = {}
    for key, read in ((SYSTEM, _system), (INPUT, _messages), (TOOLS, _parsed)):
        try:
            value = read(given.get(key))
        except (ValueError, RecursionError):
            if key == INPUT:
                # The parser's error reports it.
                value = given[key]
            else:
                value = None
                left.damaged += 1
        if value is not None:
            row[key] = value
            places |= _moved(own, key, given[key], value)
    messages = row.setdefault(INPUT, [])
    try:
        answers = _messages(given.get(OUTPUT))
    except (ValueError, RecursionError):
        answers = None
        left.damaged += 1
    if isinstance(answers, list) and isinstance(messages, list):
        left.choices += max(len(answers) - 1, 0)
        row[INPUT] = messages + answers[:1]
        places |= moved(_moved(own, OUTPUT, given.get(OUTPUT), answers), (OUTPUT, 0), (INPUT, len(messages)))
    last = row[INPUT][-1] if isinstance(row[INPUT], list) and row[INPUT] else None
    return Row(dumped(row).encode(), not isinstance(last, dict) or last.get("role") == "assistant", places)


def _moved(own: Places, key: str, given: Any, made: Any) -> Places:
    """The places of an attribute's value. What it says may be made a list, and texts in it parts."""
    places = moved(own, (key,), (key,))
    if not isinstance(made, list) or not made:
        return places
    if isinstance(given, str) and given.lstrip('" \t\r\n')[:1] in ("[", "{"):
        given = [] if given.lstrip('" \t\r\n').startswith("[") and key != SYSTEM else _parsed(given)
    if not isinstance(given, list):
        whole: Places = {(key,): Place(placed(own, (key,)).steps, False)}
        return whole if isinstance(given, str) else whole | moved(own, (key,), (key, 0))
    texts = ((key, index) for index, one in enumerate(given) if isinstance(one, str) and key == SYSTEM)
    return places | {path: Place(placed(places, path).steps, False) for path in texts}


def _exchange(given: Mapping[str, Any]) -> Row:
    """The row of a record whose messages may be in any dialect or layout: one of the layout `exchange`."""
    row = {"input": given.get(INPUT, []), "output": given.get(OUTPUT, [])}
    row |= {name: given[key] for name, key in (("system", SYSTEM), ("tools", TOOLS)) if given.get(key)}
    own: Places = given.get(PLACES, {})
    places: Places = {}
    for name, key in (("input", INPUT), ("output", OUTPUT), ("system", SYSTEM), ("tools", TOOLS)):
        if name in row:
            places |= moved(own, (key,), (name,))
    return Row(dumped(row).encode(), bool(row["output"]), places)


def _messages(value: Any) -> Any:
    """Messages, whose parts may be JSON text. One message becomes a list."""
    value = _parsed(value)
    messages = [value] if isinstance(value, dict) else value
    for message in messages if isinstance(messages, list) else ():
        if isinstance(message, dict) and isinstance(message.get("parts"), str):
            with suppress(ValueError, RecursionError):
                message["parts"] = loads(message["parts"])
    return messages


def _system(value: Any) -> Any:
    """System instructions as a list of parts. Some instrumentations record them as plain text."""
    for _ in range(2):
        if isinstance(value, str) and value.lstrip()[:1] in ("[", "{", '"'):
            value = loads(value)
    parts = [value] if isinstance(value, str | dict) else value
    if not isinstance(parts, list):
        return parts
    return [_text(one) if isinstance(one, str) else one for one in map(_element, parts)]


def _text(content: str) -> dict[str, str]:
    return {"type": "text", "content": content}


def _parsed(value: Any) -> Any:
    """A value that may be JSON text, even JSON text in JSON text. In a list, each element may be one."""
    for _ in range(2):
        if not isinstance(value, str):
            break
        value = loads(value)
    return [_element(one) for one in value] if isinstance(value, list) else value


def _element(value: Any) -> Any:
    if isinstance(value, str) and value.startswith("{"):
        with suppress(ValueError, RecursionError):
            return loads(value)
    return value
