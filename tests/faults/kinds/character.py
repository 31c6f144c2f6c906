"""Characters that no request can hold, or that trouble other readers."""

from typing import Any

from faults.fault import CHAT, EVERY, FAMILY, WITH_IDS, fault
from faults.payload import NoPlaceError, Payload, put

CHARACTERS = {
    "high half": "\ud83d",
    "low half": "\udc4d",
    "both halves the wrong way": "\udc4d\ud83d",
    "nul": "\x00",
    "control": "\x07\x1b[0m",
    "byte order mark": "\ufeff",
    "no character": "\uffff",
    "line separators": "\u2028\u2029",
    "zero width": "\u200b\u200d",
    "wide spaces": "\u3000\u00a0",
    "separators": "\x1c\x1f\x85",
}


@fault(EVERY, CHARACTERS)
def in_a_text(p: Payload, characters: str) -> None:
    holder, key = p.some(p.texts())
    holder[key] += characters


@fault(EVERY, CHARACTERS)
def alone(p: Payload, characters: str) -> None:
    p.say(p.some(p.plain("user")), characters)


@fault(EVERY, CHARACTERS)
def in_arguments(p: Payload, characters: str) -> None:
    call = p.some(p.calls())
    args = call.inner.get(call.args_key)
    if isinstance(args, dict):
        args["q"] = characters
    elif isinstance(args, str) and args.endswith("}"):
        comma = ", " if len(args) > 2 else ""
        call.inner[call.args_key] = f'{args[:-1]}{comma}"c": "{characters}"}}'
    else:
        raise NoPlaceError


@fault(FAMILY)
def escaped_half_in_arguments(p: Payload) -> None:
    call = p.some(p.calls())
    call.inner[call.args_key] = f'{{"q": "\\ud83d {p.word()}"}}'


@fault(WITH_IDS, CHARACTERS)
def in_an_id(p: Payload, characters: str) -> None:
    call = p.some(p.calls())
    p.rename(call, f"{call.id}{characters}")


@fault(EVERY, CHARACTERS)
def in_a_name(p: Payload, characters: str) -> None:
    call = p.some(p.calls())
    call.inner[call.name_key] = f"look{characters}"


@fault(CHAT, {"high half": "\ud83d", "nul": "\x00"})
def in_a_key(p: Payload, characters: str) -> None:
    p.some(p.turns("user"))[f"x{characters}"] = p.word()


@fault(CHAT, {"high half": "\ud83d", "nul": "\x00"})
def in_a_description(p: Payload, characters: str) -> None:
    p.some(p.tools())["description"] = f"To {p.word()}{characters}"


NUMBERS = {"nan": float("nan"), "infinity": float("inf"), "huge": 10**400}


@fault(("anthropic", "history", "amazon-q"), NUMBERS | {"set": {1}, "bytes": b"a"})
def value_in_arguments(p: Payload, value: Any) -> None:
    call = p.some(p.calls())
    args = call.inner.get(call.args_key)
    if not isinstance(args, dict):
        raise NoPlaceError
    put(args, "v", value)
