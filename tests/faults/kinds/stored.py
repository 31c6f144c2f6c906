"""Faults that only stored histories can have: entities, names of tools, both places for calls."""

from typing import Any

from faults.fault import fault
from faults.payload import ABSENT, Json, Payload, put, text

HISTORY = "history"


def entity(p: Payload) -> Json:
    return p.some([one for one in p.elements if isinstance(one, dict) and "body" in one])


@fault(HISTORY, {"null": None, "text": "hello", "list": [], "empty": {}})
def body_of_an_entity(p: Payload, value: Any) -> None:
    entity(p)["body"] = value


@fault(HISTORY, {"null": None, "number": 7, "absent": ABSENT, "list": ["m1"]})
def id_of_an_entity(p: Payload, value: Any) -> None:
    put(entity(p), "id", value)


@fault(HISTORY)
def one_entity_among_messages(p: Payload) -> None:
    at = p.dice.randrange(len(p.elements))
    element = p.elements[at]
    p.elements[at] = element.get("body", {"id": "m99", "body": element})


@fault(HISTORY, {"absent": ABSENT, "null": None, "empty": "", "unknown": "unknown", "number": 7, "other": "nobody"})
def tool_name_of_a_result(p: Payload, value: Any) -> None:
    put(p.some(p.results()).node, "tool_name", value)


@fault(HISTORY)
def call_in_both_places(p: Payload) -> None:
    call = p.some([call for call in p.calls() if "input" in call.node])
    call.turn["toolCalls"] = [{"id": call.id, "name": call.name, "arguments": call.node["input"]}]


@fault(HISTORY)
def two_calls_of_one_id_in_tool_calls(p: Payload) -> None:
    call = p.some([call for call in p.calls() if "arguments" in call.node])
    call.siblings.append({"id": call.id, "name": "find", "arguments": {"q": p.word()}})


@fault(HISTORY, {"list": [1, "two"], "list of objects": [{"a": 1}], "object": {"a": 1}, "number": 7, "true": True})
def result_that_is_json(p: Payload, value: Any) -> None:
    put(p.some(p.results()).node, "content", value)


@fault(HISTORY, {"user": "user", "assistant": "assistant"})
def content_that_is_one_block(p: Payload, role: str) -> None:
    p.some(p.plain(role))["content"] = text(f"said {p.word()}")


@fault(HISTORY, {"first": 0, "second": 1, "last": 99})
def tool_message_that_names_no_call(p: Payload, at: int) -> None:
    p.insert(at, {"role": "tool", "content": [{"content": f"said {p.word()}"}]})


@fault(HISTORY)
def segments(p: Payload) -> None:
    p.some(p.turns("user", "assistant"))["segments"] = [{"type": "text", "content": p.word()}]


@fault(HISTORY, {"snake": "tool_calls", "camel": "toolCalls"})
def no_calls(p: Payload, key: str) -> None:
    p.some(p.plain("assistant"))[key] = []
