"""Values of a wrong type: arguments, flags, content, texts, ids and whole messages."""

from typing import Any

from faults.fault import BLOCKS, CHAT, EVERY, FAMILY, MESSAGES, WITH_IDS, fault
from faults.payload import ABSENT, Payload, put, text

ARGUMENTS = {
    "object": {"q": "x"},
    "empty object": {},
    "list": ["x"],
    "number": 7,
    "true": True,
    "null": None,
    "absent": ABSENT,
    "empty text": "",
    "blank text": "  ",
    "text": "just words",
    "text of an object": '{"q": "x"}',
    "text of a list": '["x"]',
    "text of text": '"{\\"q\\": \\"x\\"}"',
    "text of null": "null",
    "truncated": '{"q": "x',
    "single quotes": "{'q': 'x'}",
    "two objects": '{"q": 1}{"q": 2}',
    "not a number": '{"q": NaN}',
    "a name twice": '{"q": 1, "q": 2}',
    "too large": '{"q": 1e9999}',
    "in a fence": '```json\n{"q": 1}\n```',
}


@fault(EVERY, ARGUMENTS)
def arguments(p: Payload, value: Any) -> None:
    call = p.some(p.calls())
    put(call.inner, call.args_key, value)


VALUES = {"number": 7, "true": True, "object": {"a": 1}, "list of numbers": [1, 2], "nested list": [[]]}


@fault(MESSAGES, VALUES | {"list of texts": ["one", "two"], "block": text("a block")})
def user_content(p: Payload, value: Any) -> None:
    turn = p.some(p.plain("user"))
    put(turn, p.CONTENT, p.own(value, turn))


@fault(MESSAGES, VALUES | {"list of texts": ["one", "two"], "block": text("a block")})
def assistant_content(p: Payload, value: Any) -> None:
    turn = p.some(p.plain("assistant"))
    put(turn, p.CONTENT, p.own(value, turn))


@fault(MESSAGES, VALUES | {"list of texts": ["one", "two"], "block": text("a block"), "list of objects": [{"a": 1}]})
def result_content(p: Payload, value: Any) -> None:
    p.give(p.some(p.results()), value)


@fault(MESSAGES, {"number": 7, "null": None, "list": ["a"], "object": {"value": "a"}})
def text_of_a_block(p: Payload, value: Any) -> None:
    p.blocks(p.some(p.plain("user"))).append(p.text(value))


@fault(MESSAGES, {"absent": ABSENT, "null": None, "empty": "", "unknown": "no_such_block", "number": 7})
def type_of_a_block(p: Payload, value: Any) -> None:
    turn = p.some(p.plain("user", "assistant"))
    block = p.text(f"said {p.word()}", turn)
    put(block, "type", value)
    p.blocks(turn).append(block)


@fault(MESSAGES)
def text_of_a_block_under_content(p: Payload) -> None:
    turn = p.some(p.plain("user", "assistant"))
    p.blocks(turn).append({"type": p.text("", turn)["type"], "content": f"said {p.word()}"})


@fault(
    ("openai", "openai-responses"), {"null": None, "absent": ABSENT, "object": {"q": "x"}, "number": 7, "list": ["x"]}
)
def input_of_a_custom_call(p: Payload, value: Any) -> None:
    put(p.some([call for call in p.calls() if call.args_key == "input"]).inner, "input", value)


@fault(BLOCKS, {"text": "true", "null": None, "number": 1, "object": {}})
def error_flag(p: Payload, value: Any) -> None:
    put(p.some(p.results()).node, "is_error", value)


@fault(FAMILY)
def error_flag_on_a_result(p: Payload) -> None:
    p.some(p.results()).node["is_error"] = True


NO_TEXT = {"number": 7, "null": None, "absent": ABSENT, "list": ["a"], "true": True}


@fault(WITH_IDS, NO_TEXT)
def call_id(p: Payload, value: Any) -> None:
    p.some(p.calls()).id = value


@fault(WITH_IDS, NO_TEXT)
def result_id(p: Payload, value: Any) -> None:
    p.some(p.results()).id = value


@fault(WITH_IDS, NO_TEXT)
def both_ids(p: Payload, value: Any) -> None:
    p.rename(p.some(p.calls()), value)


@fault(EVERY, NO_TEXT)
def call_name(p: Payload, value: Any) -> None:
    call = p.some(p.calls())
    put(call.inner, call.name_key, value)


@fault(FAMILY, {"absent": ABSENT, "null": None, "tool": "tool", "tool_use": "tool_use", "number": 7})
def call_type(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).node, "type", value)


@fault(FAMILY, {"absent": ABSENT, "null": None, "text": "look", "list": []})
def call_function(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).node, "function", value)


@fault(FAMILY)
def call_flat(p: Payload) -> None:
    node = p.some(p.calls()).node
    node.update(node.pop("function", {}))


@fault(FAMILY)
def calls_not_in_a_list(p: Payload) -> None:
    turn = p.some(p.calls()).turn
    turn["tool_calls"] = turn["tool_calls"][0]


@fault(MESSAGES, {"text": "hello", "number": 7, "list": [], "list of text": ["hello"]})
def message(p: Payload, value: Any) -> None:
    p.elements[p.dice.randrange(len(p.elements))] = value


@fault(CHAT, {"object": {}, "text": "hello", "null": None, "absent": ABSENT})
def the_list(p: Payload, value: Any) -> None:
    p.elements.clear()
    put(p.body, p.LIST, value)


@fault(
    ("anthropic", "openai-responses"),
    {"number": 7, "list of text": ["be brief"], "block": text("be brief"), "message": {"role": "system"}},
)
def system(p: Payload, value: Any) -> None:
    put(p.body, str(p.SYSTEM), value)


@fault(CHAT)
def text_of_text(p: Payload) -> None:
    turn = p.some(p.plain("user", "assistant"))
    turn["content"] = [p.text(text(f"said {p.word()}"), turn)]
