"""Replies sent back as an SDK returned them: keys that only replies have."""

import json
from typing import Any

from faults.fault import CHAT, FAMILY, MESSAGES, fault
from faults.payload import ABSENT, Json, NoPlaceError, Payload, put, text

# The keys that reply objects have and requests do not, by their place. `test_faults.py` compares them with the types of
# the official SDKs; the last line holds what compatible servers add to a reply.
KEYS: dict[str, tuple[str, ...]] = {
    "openai": (
        *("messages[].annotations", "messages[].parsed"),
        *("messages[].finish_reason", "messages[].index", "messages[].logprobs"),
        *("messages[].id", "messages[].choices", "messages[].created", "messages[].metadata", "messages[].model"),
        *("messages[].moderation", "messages[].object", "messages[].service_tier"),
        *("messages[].system_fingerprint", "messages[].usage"),
        *("messages[].tool_calls[].index", "messages[].tool_calls[].function.parsed_arguments"),
        *("messages[].reasoning_content", "messages[].reasoning", "messages[].reasoning_details"),
    ),
    "openai-responses": ("input[].content[].parsed", "input[].parsed_arguments", "input[].created_by"),
    "anthropic": (
        *("messages[].id", "messages[].container", "messages[].diagnostics", "messages[].model"),
        *("messages[].stop_details", "messages[].stop_reason", "messages[].stop_sequence", "messages[].type"),
        *("messages[].usage", "messages[].content[].parsed_output"),
    ),
}

COMMON: Json = {
    "id": "msg_1",
    "model": "a-model",
    "usage": {"input_tokens": 3, "output_tokens": 5},
    "empty usage": {},
}
OPENAI: Json = {
    "annotations": [],
    "filled annotations": [{"type": "url_citation", "url_citation": {"url": "https://e.org", "title": "t"}}],
    "parsed": None,
    "finish_reason": "stop",
    "index": 0,
    "logprobs": None,
    "created": 1700000000,
    "object": "chat.completion",
    "service_tier": "default",
    "system_fingerprint": "fp_1",
    "reasoning": "I thought",
    "reasoning_content": "I thought",
    "empty reasoning_content": "",
    "null reasoning_content": None,
    "reasoning_details": [{"type": "reasoning.text", "text": "I thought", "index": 0}],
    # Keys that a request can have as well, with the null that a reply writes.
    "null refusal": None,
    "null audio": None,
    "null function_call": None,
    "null tool_calls": None,
    "null name": None,
}
ANTHROPIC: Json = {
    "type": "message",
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "stop_details": None,
    "container": None,
    "diagnostics": None,
    "a used container": {"id": "container_1", "expires_at": "2026-01-01T00:00:00Z"},
}


def add(p: Payload, label: str, value: Any) -> None:
    put(p.some(p.turns("assistant")), label.rpartition(" ")[2], value)


@fault(CHAT, {label: (label, value) for label, value in COMMON.items()})
def key(p: Payload, pair: tuple[str, Any]) -> None:
    add(p, *pair)


@fault(FAMILY, {label: (label, value) for label, value in OPENAI.items()})
def key_of_openai(p: Payload, pair: tuple[str, Any]) -> None:
    turn = p.some(p.turns("assistant") if pair[0] != "null tool_calls" else p.plain("assistant"))
    put(turn, pair[0].rpartition(" ")[2], pair[1])


@fault("anthropic", {label: (label, value) for label, value in ANTHROPIC.items()})
def key_of_anthropic(p: Payload, pair: tuple[str, Any]) -> None:
    add(p, *pair)


class Reply:
    """An object as SDKs return it: one that can dump itself."""

    def __init__(self, said: Json):
        self.said = said

    def __repr__(self) -> str:
        return f"Reply({self.said!r})"

    def model_dump(self, *, mode: str = "python", by_alias: bool = False, exclude_none: bool = False) -> Json:
        return {key: value for key, value in self.said.items() if value is not None or not exclude_none}


@fault(CHAT)
def object_of_an_sdk(p: Payload) -> None:
    turn = p.some(p.turns("assistant"))
    nothing = {"refusal": None, "audio": None, "function_call": None, "tool_calls": None, "annotations": []}
    about = {"id": "msg_1", "type": "message", "model": "m", "stop_reason": "end_turn", "stop_sequence": None}
    p.elements[p.at(turn)] = Reply({**(nothing if p.RESULTS_ALONE else about), **turn})


@fault(FAMILY)
def whole_message_of_openai(p: Payload) -> None:
    for turn in p.turns("assistant"):
        whole = {"content": None, "refusal": None, "annotations": [], "audio": None, "function_call": None}
        turn.update({**whole, "tool_calls": None, **turn})
    _some_assistant(p)


@fault(FAMILY)
def whole_message_of_a_compatible_server(p: Payload) -> None:
    for turn in p.turns("assistant"):
        turn.update({"content": "", "tool_calls": [], "reasoning_content": "", "refusal": None, **turn})
        for call in turn["tool_calls"] or []:
            call["index"] = 0
    _some_assistant(p)


@fault(FAMILY)
def whole_choice(p: Payload) -> None:
    turn = p.some(p.turns("assistant"))
    p.elements[p.at(turn)] = {"finish_reason": "stop", "index": 0, "logprobs": None, "message": turn}


@fault(FAMILY)
def whole_completion(p: Payload) -> None:
    turn = p.some(p.turns("assistant"))
    choice = {"finish_reason": "stop", "index": 0, "logprobs": None, "message": turn}
    about = {"id": "c1", "object": "chat.completion", "created": 1, "model": "m", "usage": None}
    p.elements[p.at(turn)] = {**about, "choices": [choice]}


@fault("anthropic")
def whole_message_of_anthropic(p: Payload) -> None:
    for turn in p.turns("assistant"):
        turn["content"] = [
            {"citations": None, **block} if isinstance(block, dict) and block.get("type") == "text" else block
            for block in p.blocks(turn)
        ]
        turn.update(id="msg_1", type="message", model="m", stop_reason="end_turn", stop_sequence=None)
        turn["usage"] = {"input_tokens": 1, "output_tokens": 2}
    _some_assistant(p)


@fault("anthropic", {"citations": None, "parsed_output": None, "parsed_output with a value": {"a": 1}})
def key_of_a_text_block(p: Payload, value: Any) -> None:
    key = "citations" if value is None and p.dice.random() < 0.3 else "parsed_output"
    p.blocks(p.some(p.plain("assistant"))).append({**text(f"said {p.word()}"), key: value})


@fault(FAMILY, {"number": 0, "null": None})
def index_of_a_call(p: Payload, value: Any) -> None:
    p.some(p.calls()).node["index"] = value


@fault(FAMILY, {"object": {"q": "x"}, "null": None})
def parsed_arguments_of_a_call(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).inner, "parsed_arguments", value)


@fault("anthropic", {"null": None, "direct": {"type": "direct"}})
def caller_of_a_call(p: Payload, value: Any) -> None:
    put(p.some(p.calls()).node, "caller", value)


@fault("anthropic")
def streamed_input_of_a_call(p: Payload) -> None:
    call = p.some(p.calls())
    call.node["partial_json"] = json.dumps(call.node.get("input"))


@fault(MESSAGES)
def id_on_a_user_turn(p: Payload) -> None:
    put(p.some(p.turns("user")), "id", "msg_1")


@fault(MESSAGES)
def role_and_nothing_else(p: Payload) -> None:
    turn = p.some(p.plain("assistant"))
    for name in list(turn):
        if name != "role":
            put(turn, name, ABSENT)


def _some_assistant(p: Payload) -> None:
    if not p.turns("assistant"):
        raise NoPlaceError
