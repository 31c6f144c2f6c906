"""Definitions and choices of tools that a target refuses."""

from typing import Any

from faults.fault import CHAT, CHOOSING, fault
from faults.payload import ABSENT, NoPlaceError, Payload, put


@fault(CHAT, {"empty": [], "null": None, "object": {}, "null tool": [None], "empty tool": [{}], "text": ["look"]})
def definitions(p: Payload, value: Any) -> None:
    if p.calls() and not value:
        raise NoPlaceError
    p.body.pop(p.CHOICE, None)
    put(p.body, "tools", value)


@fault(CHAT, {"absent": ABSENT, "empty": []})
def definitions_of_called_tools(p: Payload, value: Any) -> None:
    if not p.calls():
        raise NoPlaceError
    p.body.pop(p.CHOICE, None)
    put(p.body, "tools", value)


@fault(CHOOSING)
def choice_without_definitions(p: Payload) -> None:
    p.body.pop("tools", None)
    p.body[p.CHOICE] = p.choice("auto")


@fault(CHOOSING)
def choice_with_no_definitions(p: Payload) -> None:
    p.body["tools"] = []
    p.body[p.CHOICE] = p.choice("none")


CHOICES = {
    "null": None,
    "empty": "",
    "any": "any",
    "auto": "auto",
    "required": "required",
    "unknown": "sometimes",
    "object": {},
    "type auto": {"type": "auto"},
    "type any": {"type": "any"},
    "tool without name": {"type": "tool"},
    "tool": {"type": "tool", "name": "look"},
    "function": {"type": "function", "function": {"name": "look"}},
    "flat function": {"type": "function", "name": "look"},
    "name": "look",
    "list": ["look"],
}


@fault(CHOOSING, CHOICES)
def choice(p: Payload, value: Any) -> None:
    p.some(p.tools())
    put(p.body, p.CHOICE, value)


@fault(CHOOSING)
def choice_of_an_unknown_tool(p: Payload) -> None:
    p.some(p.tools())
    p.body[p.CHOICE] = p.chosen("nobody")


@fault(CHAT)
def same_name_twice(p: Payload) -> None:
    name = p.some(p.tools())["name"]
    p.body["tools"] += p.made_tools(name)


@fault(CHAT)
def too_many(p: Payload) -> None:
    p.some(p.tools())
    p.body["tools"] += p.made_tools(*[f"tool_{number}" for number in range(130)])


SCHEMAS = {
    "absent": ABSENT,
    "null": None,
    "empty": {},
    "text": "{}",
    "list": [],
    "without type": {"properties": {}},
    "of text": {"type": "string"},
    "null type": {"type": None, "properties": {}},
}


@fault(CHAT, SCHEMAS)
def schema(p: Payload, value: Any) -> None:
    put(p.some(p.tools()), p.SCHEMA, value)


@fault(CHAT, {"null": None, "empty": "", "number": 7})
def description(p: Payload, value: Any) -> None:
    put(p.some(p.tools()), "description", value)


@fault(CHAT, {"null": None, "absent": ABSENT, "number": 7})
def name(p: Payload, value: Any) -> None:
    put(p.some(p.tools()), "name", value)


@fault(CHAT)
def flat_or_wrapped(p: Payload) -> None:
    p.some(p.tools())
    p.body["tools"] = p.rewrapped_tools()


@fault(CHAT)
def of_the_other_dialect(p: Payload) -> None:
    names = [tool["name"] for tool in p.tools()]
    p.some(names)
    p.body["tools"] = p.foreign_tools(*names)


@fault(CHAT, {"null": None, "number": 7, "empty": ""})
def type_of_a_tool(p: Payload, value: Any) -> None:
    """An unknown type is not a fault: providers add tools faster than SDKs do."""
    p.some(p.tools())
    p.body["tools"].append({**p.made_tools("other")[0], "type": value})
