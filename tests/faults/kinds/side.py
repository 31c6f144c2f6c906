"""Faults in the content of Responses' items: texts of the wrong side, outputs, media."""

from typing import Any

from faults.fault import fault
from faults.payload import ABSENT, PDF, PNG, Json, Payload, put
from faults.payload.openai_responses import OUTPUTS, PICTURE, heard, spoken

RESPONSES = "openai-responses"


def insert(p: Payload, *made: Any) -> None:
    """Puts copies of items somewhere into the list."""
    at = p.dice.randrange(len(p.elements) + 1)
    holder: Json = {}
    put(holder, "made", list(made))
    p.elements[at:at] = holder["made"]


def add(p: Payload, role: str, block: Any) -> None:
    """Puts a block after a message's content."""
    holder: Json = {}
    put(holder, "block", block)
    p.blocks(p.some(p.plain(role))).append(holder["block"])


# --- Texts and their sides ---


@fault(RESPONSES)
def input_text_of_an_assistant(p: Payload) -> None:
    add(p, "assistant", heard(f"said {p.word()}"))


@fault(RESPONSES)
def output_text_of_a_user(p: Payload) -> None:
    add(p, "user", spoken(f"said {p.word()}"))


@fault(RESPONSES)
def output_text_in_an_output(p: Payload) -> None:
    p.give(p.some(p.results()), [spoken(f"said {p.word()}")])


@fault(RESPONSES)
def text_of_chat_in_an_output(p: Payload) -> None:
    p.give(p.some(p.results()), [{"type": "text", "text": f"said {p.word()}", "annotations": None}])


@fault(RESPONSES)
def text_block_outside_a_message(p: Payload) -> None:
    insert(p, heard(f"said {p.word()}"))


@fault(RESPONSES, {"null": None, "absent": ABSENT, "text": "none", "object": {}, "texts": ["none"]})
def annotations(p: Payload, value: Any) -> None:
    block = spoken(f"said {p.word()}")
    put(block, "annotations", value)
    add(p, "assistant", block)


@fault(RESPONSES, {"null": None, "object": {}})
def logprobs(p: Payload, value: Any) -> None:
    add(p, "assistant", spoken(f"said {p.word()}") | {"logprobs": value})


@fault(RESPONSES, {"null": None, "absent": ABSENT, "list": ["no"]})
def refusal(p: Payload, value: Any) -> None:
    block: Json = {"type": "refusal"}
    put(block, "refusal", value)
    add(p, "assistant", block)


@fault(RESPONSES, {"null": None, "object": {"a": 1}})
def parsed_text(p: Payload, value: Any) -> None:
    add(p, "assistant", spoken(f"said {p.word()}") | {"parsed": value})


# --- Calls and outputs ---


@fault(RESPONSES, {"created_by": "someone", "parsed_arguments": {"q": "x"}, "null parsed_arguments": None})
def reply_key_of_a_call(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).node, "created_by" if isinstance(value, str) else "parsed_arguments", value)


@fault(RESPONSES)
def reply_key_of_an_output(p: Payload) -> None:
    p.some(p.results()).node["created_by"] = "someone"


NO_OUTPUTS: Json = {
    "null": None,
    "absent": ABSENT,
    "object": {"a": 1},
    "list of objects": [{"a": 1}],
    "number": 7,
    "true": True,
    "empty list": [],
    "empty text": "",
    "texts": ["a", "b"],
    "block": heard("a"),
    "null block": [None],
}


@fault(RESPONSES, NO_OUTPUTS)
def output(p: Payload, value: Any) -> None:
    put(p.some(p.results()).node, "output", value)


@fault(RESPONSES)
def output_under_content(p: Payload) -> None:
    node = p.some(p.results()).node
    node["content"] = node.pop("output")


@fault(RESPONSES)
def output_of_the_other_kind(p: Payload) -> None:
    node = p.some(p.results()).node
    (node["type"],) = set(OUTPUTS.values()) - {node["type"]}


@fault(RESPONSES)
def name_of_a_tool_in_its_output(p: Payload) -> None:
    p.some(p.results()).node["name"] = "look"


@fault(RESPONSES)
def call_in_a_message(p: Payload) -> None:
    call = p.some(p.calls())
    p.elements[p.at(call.turn)] = {"role": "assistant", "content": [call.node]}


@fault(RESPONSES)
def output_in_a_message(p: Payload) -> None:
    node = p.some(p.results()).node
    p.elements[p.at(node)] = {"role": "user", "content": [node]}


@fault(RESPONSES)
def call_with_a_role(p: Payload) -> None:
    p.some(p.calls()).node["role"] = "assistant"


@fault(RESPONSES)
def output_with_a_role(p: Payload) -> None:
    p.some(p.results()).node["role"] = "tool"


@fault(RESPONSES)
def calls_of_chat_in_a_message(p: Payload) -> None:
    call = p.some([call for call in p.calls() if call.args_key == "arguments"])
    inner = {"name": call.name, "arguments": call.node.get("arguments")}
    node = {"id": call.id, "type": "function", "function": inner}
    p.elements[p.at(call.turn)] = {"role": "assistant", "content": None, "tool_calls": [node]}


@fault(RESPONSES)
def output_of_chat(p: Payload) -> None:
    node = p.some(p.results()).node
    p.elements[p.at(node)] = {"role": "tool", "tool_call_id": node.get("call_id"), "content": node.get("output")}


@fault(RESPONSES, {"null": None, "unknown": {"type": "someone"}, "direct": {"type": "direct"}})
def caller(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).node, "caller", value)


@fault(RESPONSES, {"null": None, "number": 7, "text": "tools"})
def namespace(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).node, "namespace", value)


# --- Media ---

FILES: Json = {
    "raw base64": {"filename": "a.pdf", "file_data": PDF},
    "no data": {"filename": "a.pdf"},
    "empty data": {"filename": "a.pdf", "file_data": ""},
    "null data": {"filename": "a.pdf", "file_data": None},
    "address": {"filename": "a.pdf", "file_url": "https://example.com/a.pdf"},
    "path": {"file_url": "/tmp/a.pdf"},
    "id": {"file_id": "file-1"},
    "id and data": {"file_id": "file-1", "file_data": f"data:application/pdf;base64,{PDF}"},
    "id with a number": {"file_id": 7},
    "of chat": {"file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PDF}"}},
    "null name": {"filename": None, "file_data": f"data:application/pdf;base64,{PDF}"},
}


@fault(RESPONSES, FILES)
def file(p: Payload, value: Any) -> None:
    add(p, "user", {"type": "input_file", **value})


@fault(RESPONSES, FILES)
def file_in_an_output(p: Payload, value: Any) -> None:
    p.give(p.some(p.results()), [{"type": "input_file", **value}])


IMAGES: Json = {
    "no detail": {"image_url": "https://example.com/a.png"},
    "null detail": {"image_url": "https://example.com/a.png", "detail": None},
    "unknown detail": {"image_url": "https://example.com/a.png", "detail": "huge"},
    "nothing": {"detail": "auto"},
    "null address": {"image_url": None, "detail": "auto"},
    "id": {"file_id": "file-1", "detail": "auto"},
    "id and address": {"file_id": "file-1", "image_url": "https://example.com/a.png", "detail": "auto"},
    "null beside": {"file_id": None, "image_url": "https://example.com/a.png", "detail": "auto"},
    "of chat": {"image_url": {"url": "https://example.com/a.png", "detail": "auto"}},
    "raw base64": {"image_url": PNG, "detail": "auto"},
}


@fault(RESPONSES, IMAGES)
def image(p: Payload, value: Any) -> None:
    add(p, "user", {"type": "input_image", **value})


@fault(RESPONSES, IMAGES)
def image_in_an_output(p: Payload, value: Any) -> None:
    p.give(p.some(p.results()), [{"type": "input_image", **value}])


@fault(RESPONSES)
def image_of_a_developer(p: Payload) -> None:
    add(p, "user", PICTURE)
    turn = p.some(p.plain("user"))
    turn["role"] = "developer"


@fault(RESPONSES)
def sound(p: Payload) -> None:
    add(p, "user", {"type": "input_audio", "input_audio": {"data": "AAAA", "format": "wav"}})
