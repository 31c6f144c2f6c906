"""Faults that only the items of Responses can have: ids of two kinds, reasoning and what it led to, states."""

from typing import Any

from faults.fault import fault
from faults.payload import ABSENT, Json, NoPlaceError, Payload, put
from faults.payload.openai_responses import CALLS, OUTPUTS, heard, thought

RESPONSES = "openai-responses"
NAMED = (*CALLS, *OUTPUTS.values(), "message", "reasoning")


def items(p: Payload, *kinds: str) -> list[Json]:
    return [one for one in p.elements if isinstance(one, dict) and one.get("type") in kinds]


def insert(p: Payload, *made: Any) -> None:
    """Puts copies of items somewhere into the list."""
    at = p.dice.randrange(len(p.elements) + 1)
    holder: Json = {}
    put(holder, "made", list(made))
    p.elements[at:at] = holder["made"]


# --- Ids of items ---

ITEM_IDS: Json = {
    "of another item": "itm_1",
    "a call's": "call_1",
    "65 characters": "m" * 65,
    "empty": "",
    "blank": " ",
    "bar": "fc_1|call_1",
    "unicode": "msg_é",
    "null": None,
    "number": 7,
    "fc": "fc_9",
    "msg": "msg_9",
    "rs": "rs_9",
}


@fault(RESPONSES, ITEM_IDS)
def id_of_a_call(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).node, "id", value)


@fault(RESPONSES, ITEM_IDS)
def id_of_an_output(p: Payload, value: Any) -> None:
    put(p.some(p.results()).node, "id", value)


@fault(RESPONSES, ITEM_IDS)
def id_of_a_message(p: Payload, value: Any) -> None:
    put(p.some(p.turns("assistant")), "id", value)


@fault(RESPONSES, ITEM_IDS | {"absent": ABSENT})
def id_of_reasoning(p: Payload, value: Any) -> None:
    put(p.some(items(p, "reasoning")), "id", value)


@fault(RESPONSES)
def id_of_another(p: Payload) -> None:
    named = [one for one in items(p, *NAMED) if isinstance(one.get("id"), str)]
    if len(named) < 2:
        raise NoPlaceError
    first, second = p.dice.sample(named, 2)
    first["id"] = second["id"]


@fault(RESPONSES)
def one_id_for_all_calls(p: Payload) -> None:
    for call in p.calls():
        call.node["id"] = "fc_same"
    p.some(p.calls())


@fault(RESPONSES)
def item_again(p: Payload) -> None:
    named = [one for one in p.elements if isinstance(one, dict) and "id" in one]
    insert(p, p.some(named))


@fault(RESPONSES)
def call_id_as_the_id(p: Payload) -> None:
    for one in [*p.calls(), *p.results()]:
        one.node["id"] = one.id
    p.some(p.calls())


@fault(RESPONSES)
def id_instead_of_the_call_id(p: Payload) -> None:
    call = p.some(p.calls())
    call.node["id"] = call.node.pop("call_id")


@fault(RESPONSES)
def every_call_id_absent(p: Payload) -> None:
    for one in [*p.calls(), *p.results()]:
        put(one.node, "call_id", ABSENT)
    p.some(p.calls())


# --- Reasoning ---


@fault(RESPONSES)
def reasoning_without_what_follows(p: Payload) -> None:
    thoughts = items(p, "reasoning")
    at = p.at(p.some(thoughts))
    if at + 1 == len(p.elements):
        raise NoPlaceError
    del p.elements[at + 1]


@fault(RESPONSES, {"first": 0, "second": 1, "last": 99})
def reasoning_alone(p: Payload, at: int) -> None:
    p.insert(at, thought("rs_alone", f"So {p.word()}"))


@fault(RESPONSES)
def what_follows_without_its_reasoning(p: Payload) -> None:
    del p.elements[p.at(p.some(items(p, "reasoning")))]


@fault(RESPONSES)
def reasoning_behind_what_it_led_to(p: Payload) -> None:
    at = p.at(p.some(items(p, "reasoning")))
    p.elements[at : at + 2] = p.elements[at : at + 2][::-1]


@fault(RESPONSES)
def user_between_reasoning_and_what_follows(p: Payload) -> None:
    at = p.at(p.some(items(p, "reasoning")))
    p.insert(at + 1, p.message("user", f"Wait {p.word()}."))


NO_SUMMARY: Json = {
    "absent": ABSENT,
    "null": None,
    "text": "I thought",
    "object": {},
    "texts": ["I thought"],
    "untyped": [{"text": "I thought"}],
    "null text": [{"type": "summary_text", "text": None}],
    "text blocks": [{"type": "text", "text": "I thought"}],
}


@fault(RESPONSES, NO_SUMMARY)
def summary(p: Payload, value: Any) -> None:
    put(p.some(items(p, "reasoning")), "summary", value)


@fault(RESPONSES, {"null": None, "text": "I thought", "summary": [{"type": "summary_text", "text": "so"}], "empty": []})
def content_of_reasoning(p: Payload, value: Any) -> None:
    put(p.some(items(p, "reasoning")), "content", value)


@fault(RESPONSES, {"null": None, "empty": "", "number": 7, "absent": ABSENT})
def encrypted_content(p: Payload, value: Any) -> None:
    put(p.some(items(p, "reasoning")), "encrypted_content", value)


@fault(RESPONSES)
def reasoning_of_a_user(p: Payload) -> None:
    p.some(items(p, "reasoning"))["role"] = "user"


# --- States, phases ---

STATES: Json = {
    "null": None,
    "empty": "",
    "done": "done",
    "capital": "Completed",
    "failed": "failed",
    "searching": "searching",
    "number": 7,
    "incomplete": "incomplete",
}


@fault(RESPONSES, STATES)
def status_of_a_call(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).node, "status", value)


@fault(RESPONSES, STATES)
def status_of_an_output(p: Payload, value: Any) -> None:
    put(p.some(p.results()).node, "status", value)


@fault(RESPONSES, STATES)
def status_of_a_message(p: Payload, value: Any) -> None:
    put(p.some(p.turns("user", "assistant")), "status", value)


@fault(RESPONSES, STATES)
def status_of_reasoning(p: Payload, value: Any) -> None:
    put(p.some(items(p, "reasoning")), "status", value)


@fault(RESPONSES, {"null": None, "empty": "", "unknown": "thinking", "list": [], "commentary": "commentary"})
def phase(p: Payload, value: Any) -> None:
    put(p.some(p.turns("user", "assistant")), "phase", value)


# --- Items ---

ELEMENTS: Json = {
    "unknown type": {"type": "no_such_item", "id": "x_1", "value": 1},
    "empty type": {"type": "", "role": "user", "content": "hello"},
    "null type": {"type": None, "role": "user", "content": "hello"},
    "number as type": {"type": 7, "role": "user", "content": "hello"},
    "tool_use": {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}},
    "text": {"type": "text", "text": "hello"},
    "plain text": "hello",
    "null": None,
    "list": [],
    "reference": {"type": "item_reference", "id": "msg_9"},
    "bare reference": {"id": "msg_9"},
    "response": {"object": "response", "id": "resp_1", "output": []},
}


@fault(RESPONSES, ELEMENTS)
def element(p: Payload, value: Any) -> None:
    insert(p, value)


@fault(RESPONSES, {"empty": "", "blank": " ", "null": None, "object": {}, "number": 7, "messages": ["hello"]})
def input_(p: Payload, value: Any) -> None:
    put(p.body, "input", value)


@fault(RESPONSES, {"empty": "", "blank": " ", "null": None, "list": [heard("be brief")]})
def instructions(p: Payload, value: Any) -> None:
    put(p.body, "instructions", value)


# --- Tools ---


@fault(RESPONSES, {"null": None, "absent": ABSENT, "text": "yes"})
def strict(p: Payload, value: Any) -> None:
    put(p.some([tool for tool in p.tools() if tool.get("type") == "function"]), "strict", value)


@fault(RESPONSES)
def tool_nested_under_function(p: Payload) -> None:
    tool = p.some([tool for tool in p.tools() if tool.get("type") == "function"])
    inner = {key: tool.pop(key) for key in list(tool) if key != "type"}
    tool["function"] = inner


FORMATS: Json = {
    "null": None,
    "text": {"type": "text"},
    "grammar": {"type": "grammar", "syntax": "lark", "definition": "start: /a/"},
    "grammar of chat": {"type": "grammar", "grammar": {"syntax": "lark", "definition": "start: /a/"}},
    "unknown": {"type": "xml"},
}


@fault(RESPONSES, FORMATS)
def format_of_a_custom_tool(p: Payload, value: Any) -> None:
    put(p.some([tool for tool in p.tools() if tool.get("type") == "custom"]), "format", value)


CHOICES: Json = {
    "allowed tools": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "look"}]},
    "allowed tools of chat": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": []}},
    "hosted": {"type": "web_search_preview"},
    "unknown": {"type": "no_such_tool"},
    "custom": {"type": "custom", "name": "look"},
    "with a key": {"type": "function", "name": "look", "x_trace": 1},
}


@fault(RESPONSES, CHOICES)
def choice(p: Payload, value: Any) -> None:
    p.some(p.tools())
    put(p.body, "tool_choice", value)
