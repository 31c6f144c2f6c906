"""Faults that only messages of the Amazon Q service can have: empty results, states, images, keys of both roles."""

from typing import Any

from faults.fault import fault
from faults.payload import ABSENT, PNG, Json, NoPlaceError, Payload, put

Q = "amazon-q"


@fault(Q, {"empty": "", "blank": "  ", "null": None, "absent": ABSENT, "number": 7, "list": [{"text": "hello"}]})
def user_content(p: Payload, value: Any) -> None:
    put(p.some(p.plain("user")), "content", value)


@fault(Q, {"empty": "", "null": None, "absent": ABSENT, "number": 7, "list": [{"text": "hello"}]})
def assistant_content(p: Payload, value: Any) -> None:
    put(p.some(p.plain("assistant")), "content", value)


RESULTS: Json = {
    "no blocks": [],
    "null": None,
    "absent": ABSENT,
    "empty text": [{"text": ""}],
    "empty object": [{}],
    "null text": [{"text": None}],
    "null json": [{"json": None}],
    "json text": [{"json": "a"}],
    "text and json": [{"text": "a", "json": {}}],
    "plain text": "a",
    "number": [{"text": 7}],
    "typed block": [{"type": "text", "text": "a"}],
    "null block": [None],
}


@fault(Q, RESULTS)
def result_content(p: Payload, value: Any) -> None:
    put(p.some(p.results()).node, "content", value)


@fault(Q, {"capitals": "Success", "unknown": "done", "null": None, "absent": ABSENT, "empty": "", "true": True})
def result_status(p: Payload, value: Any) -> None:
    put(p.some(p.results()).node, "status", value)


IMAGES: Json = {
    "jpg": {"format": "jpg", "source": {"bytes": "/9j/"}},
    "tiff": {"format": "tiff", "source": {"bytes": "SUkqAA=="}},
    "media type": {"format": "image/png", "source": {"bytes": PNG}},
    "capitals": {"format": "PNG", "source": {"bytes": PNG}},
    "no format": {"source": {"bytes": PNG}},
    "no source": {"format": "png"},
    "no data": {"format": "png", "source": {"bytes": ""}},
    "data url": {"format": "png", "source": {"bytes": f"data:image/png;base64,{PNG}"}},
    "no base64": {"format": "png", "source": {"bytes": "not base64!"}},
    "octets": {"format": "png", "source": {"bytes": [1, 2, 3]}},
    "flat": {"format": "png", "bytes": PNG},
    "null": None,
}


@fault(Q, IMAGES)
def image(p: Payload, value: Any) -> None:
    holder: Json = {}
    put(holder, "image", value)
    p.some(p.turns("user")).setdefault("images", []).append(holder["image"])


@fault(Q)
def images_of_an_assistant(p: Payload) -> None:
    p.some(p.turns("assistant"))["images"] = [p.image()]


@fault(Q, {"null": None, "list": [], "text": "here"})
def context(p: Payload, value: Any) -> None:
    put(p.some(p.plain("user")), "userInputMessageContext", value)


@fault(Q, {"empty": [], "null": None, "object": {}})
def results(p: Payload, value: Any) -> None:
    p.some(p.plain("user"))["userInputMessageContext"] = {"toolResults": value}


@fault(Q, {"empty": [], "null": None, "object": {}})
def calls(p: Payload, value: Any) -> None:
    put(p.some(p.plain("assistant")), "toolUses", value)


@fault(Q)
def calls_of_a_user(p: Payload) -> None:
    p.some(p.plain("user"))["toolUses"] = [{"toolUseId": "t9", "name": "look", "input": {"q": p.word()}}]


@fault(Q)
def results_of_an_assistant(p: Payload) -> None:
    result = p.some(p.results())
    p.some(p.turns("assistant"))["userInputMessageContext"] = {"toolResults": [p.take(result)]}


@fault(Q)
def both_messages_in_one(p: Payload) -> None:
    if len(p.elements) < 2:
        raise NoPlaceError
    p.elements[0].update(p.elements.pop(1))


@fault(Q, {"empty": {}, "unknown": {"systemMessage": {"content": "Be brief."}}, "text": "hello", "null": None})
def element(p: Payload, value: Any) -> None:
    p.elements.insert(p.dice.randrange(len(p.elements) + 1), value)


@fault(Q, {"null": None, "text": "hello", "list": []})
def message(p: Payload, value: Any) -> None:
    p.elements[p.dice.randrange(len(p.elements))] = {"userInputMessage": value}


@fault(Q, {"snake": "user_input_message", "role": "role"})
def spelling(p: Payload, key: str) -> None:
    words = f"So {p.word()}"
    p.elements.append({key: {"content": words}} if key != "role" else {"role": "user", "content": words})


@fault(Q, {"null": None, "number": 7, "empty": ""})
def message_id(p: Payload, value: Any) -> None:
    put(p.some(p.turns("assistant")), "messageId", value)
