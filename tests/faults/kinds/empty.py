"""Nothing where a value is needed: empty, blank, null or absent."""

from typing import Any

from faults.fault import BLOCKS, CHAT, EVERY, FAMILY, MESSAGES, fault
from faults.payload import ABSENT, Payload, put, text

NOTHING = {
    "empty": "",
    "blank": " \n",
    "no blocks": [],
    "null": None,
    "absent": ABSENT,
    "empty text block": [text("")],
    "blank text block": [text(" \t")],
    "two empty text blocks": [text(""), text("")],
    "empty object": [{}],
    "null block": [None],
}


@fault(MESSAGES, NOTHING)
def user_content(p: Payload, nothing: Any) -> None:
    turn = p.some(p.plain("user"))
    put(turn, p.CONTENT, p.own(nothing, turn))


@fault(MESSAGES, NOTHING)
def assistant_content(p: Payload, nothing: Any) -> None:
    turn = p.some(p.plain("assistant"))
    put(turn, p.CONTENT, p.own(nothing, turn))


@fault(MESSAGES, NOTHING)
def system_content(p: Payload, nothing: Any) -> None:
    if isinstance(p.body, dict) and p.SYSTEM in p.body:
        put(p.body, p.SYSTEM, nothing)
    else:
        put(p.some(p.turns("system", "developer")), p.CONTENT, p.own(nothing))


@fault(MESSAGES, NOTHING)
def result_content(p: Payload, nothing: Any) -> None:
    p.give(p.some(p.results()), nothing)


@fault(FAMILY, NOTHING)
def content_of_a_turn_with_calls(p: Payload, nothing: Any) -> None:
    put(p.some(p.calls()).turn, "content", nothing)


@fault(MESSAGES, NOTHING)
def content_of_the_last_turn(p: Payload, nothing: Any) -> None:
    turn = p.some([turn for _, turn in p.roles()][-1:])
    put(turn, p.CONTENT, p.own(nothing, turn))


@fault(MESSAGES, {"empty": "", "blank": "  ", "null": None, "absent": ABSENT})
def text_beside_text(p: Payload, nothing: Any) -> None:
    turn = p.some(p.plain("user", "assistant"))
    block = p.text("", turn)
    put(block, "text", nothing)
    blocks = p.blocks(turn)
    blocks.insert(p.dice.randrange(len(blocks) + 1), block)


@fault(BLOCKS, {"empty": "", "blank": "\n\n"})
def text_beside_calls(p: Payload, nothing: str) -> None:
    call = p.some(p.calls())
    p.blocks(call.turn).insert(p.dice.choice([0, 99]), text(nothing))


@fault(BLOCKS, {"empty": "", "blank": "\n\n"})
def text_beside_results(p: Payload, nothing: str) -> None:
    result = p.some(p.results())
    result.siblings.insert(p.dice.choice([0, 99]), text(nothing))


@fault(MESSAGES, {"empty": "", "blank": "  "})
def text_beside_text_in_a_result(p: Payload, nothing: str) -> None:
    p.give(p.some(p.results()), [text(f"said {p.word()}"), text(nothing)])


@fault(FAMILY, {"empty": [], "null": None, "object": {}, "null call": [None]})
def list_of_calls(p: Payload, nothing: Any) -> None:
    put(p.some(p.plain("assistant")), "tool_calls", nothing)


@fault(FAMILY)
def list_of_calls_and_content(p: Payload) -> None:
    p.some(p.plain("assistant")).update(content=None, tool_calls=[])


@fault(FAMILY)
def list_of_calls_of_a_user(p: Payload) -> None:
    p.some(p.plain("user"))["tool_calls"] = []


@fault(FAMILY, {"empty": [], "null": None})
def list_of_calls_that_were_answered(p: Payload, nothing: Any) -> None:
    put(p.some(p.calls()).turn, "tool_calls", nothing)


@fault(MESSAGES)
def last_user_behind_trailing_space(p: Payload) -> None:
    p.elements.append(p.message("assistant", f"I will {p.word()}  "))
    p.elements.append(p.message("user", p.own(p.dice.choice(["", " ", [], [text("")]]))))


@fault(EVERY)
def every_text_of_users(p: Payload) -> None:
    for turn in p.plain("user"):
        p.say(turn, "")


@fault(MESSAGES)
def every_text_of_assistants(p: Payload) -> None:
    for turn in p.plain("assistant"):
        turn[p.CONTENT] = p.dice.choice(["", []])


@fault(EVERY)
def the_list(p: Payload) -> None:
    p.elements.clear()


@fault(MESSAGES)
def all_but_system(p: Payload) -> None:
    p.elements[:] = [p.message("system", "Be brief.")]


@fault(CHAT)
def message(p: Payload) -> None:
    p.elements.insert(p.dice.randrange(len(p.elements) + 1), {})


@fault(MESSAGES)
def message_null(p: Payload) -> None:
    p.elements.insert(p.dice.randrange(len(p.elements) + 1), None)


@fault(EVERY, {"first": 0, "last": 99})
def user_turn(p: Payload, at: int) -> None:
    p.elements.insert(at, p.message("user", ""))


@fault(EVERY, {"first": 0, "last": 99})
def assistant_turn(p: Payload, at: int) -> None:
    p.elements.insert(at, p.message("assistant", ""))
