"""The wrong speaker: every role turned into every other, and roles that do not exist."""

from typing import Any

from faults.fault import BLOCKS, FAMILY, MESSAGES, fault
from faults.payload import ABSENT, Json, NoPlaceError, Payload, put

ROLES = {
    "user": "user",
    "assistant": "assistant",
    "system": "system",
    "tool": "tool",
    "developer": "developer",
    "function": "function",
    "model": "model",
    "capital": "User",
    "empty": "",
    "null": None,
    "absent": ABSENT,
    "number": 1,
}


def but(role: str) -> dict[str, Any]:
    """All the others."""
    return {name: value for name, value in ROLES.items() if value != role}


def turn_into(turn: Json, role: Any) -> None:
    if turn.get("role") == role:
        raise NoPlaceError
    put(turn, "role", role)


@fault(MESSAGES, but("user"))
def user_as(p: Payload, role: Any) -> None:
    turn_into(p.some(p.plain("user")), role)


@fault(MESSAGES, but("assistant"))
def assistant_as(p: Payload, role: Any) -> None:
    turn_into(p.some(p.plain("assistant")), role)


@fault((*FAMILY, "openai-responses", "history"), but("system"))
def system_as(p: Payload, role: Any) -> None:
    turn_into(p.some(p.turns("system", "developer")), role)


@fault((*FAMILY, *BLOCKS), but("assistant"))
def calls_as(p: Payload, role: Any) -> None:
    turn_into(p.some(p.calls()).turn, role)


@fault(FAMILY, but("tool"))
def result_as(p: Payload, role: Any) -> None:
    turn_into(p.some(p.turns("tool")), role)


@fault(BLOCKS, but("user"))
def results_as(p: Payload, role: Any) -> None:
    turn_into(p.unwrapped(p.some(p.results()).element), role)


@fault(MESSAGES, {"first": 0, "second": 1, "last": 99, "before the last": -1})
def system_turn(p: Payload, at: int) -> None:
    p.insert(at, p.message("system", f"Mind {p.word()}."))


@fault(MESSAGES)
def system_turn_before_a_user(p: Payload) -> None:
    p.insert(p.at(p.some(p.plain("user"))), p.message("system", f"Mind {p.word()}."))


@fault(MESSAGES)
def system_turn_between_call_and_result(p: Payload) -> None:
    p.insert(p.at(p.some(p.calls()).turn) + 1, p.message("system", f"Mind {p.word()}."))


@fault(FAMILY)
def developer_turn_between_results(p: Payload) -> None:
    p.parallel()
    p.insert(p.elements.index(p.some(p.results()).node), p.message("developer", f"Mind {p.word()}."))


@fault(MESSAGES)
def all_as_user(p: Payload) -> None:
    for turn in p.plain("assistant"):
        turn["role"] = "user"


@fault(MESSAGES)
def all_as_assistant(p: Payload) -> None:
    for turn in p.plain("user"):
        turn["role"] = "assistant"
