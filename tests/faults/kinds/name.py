"""Names and ids that a target refuses."""

from faults.fault import CHAT, CHOOSING, EVERY, FAMILY, MESSAGES, WITH_IDS, fault
from faults.payload import NoPlaceError, Payload

NAMES = {
    "space": "look up",
    "dot": "srv.look",
    "slash": "srv/look",
    "colon": "srv:look",
    "unicode": "suché_検索",
    "emoji": "look🔍",
    "newline": "look\n",
    "empty": "",
    "blank": " ",
    "65 characters": "n" * 65,
    "129 characters": "n" * 129,
}
IDS = {
    "41 characters": "i" * 41,
    "65 characters": "i" * 65,
    "empty": "",
    "blank": " ",
    "space": "call 1",
    "colon": "call:1",
    "bar": "call_1|fc_2",
    "dot": "functions.look:0",
    "slash": "call/1",
    "unicode": "volání",
    "30 wide characters": "é" * 30,
    "newline": "call_1\n",
}


@fault(EVERY, NAMES)
def of_a_call(p: Payload, name: str) -> None:
    call = p.some(p.calls())
    call.inner[call.name_key] = name


@fault(CHAT, NAMES)
def of_a_tool(p: Payload, name: str) -> None:
    p.some(p.tools())["name"] = name


@fault(CHAT, NAMES)
def of_a_tool_and_its_calls(p: Payload, name: str) -> None:
    tool = p.some(p.tools())
    for call in p.calls():
        if call.name == tool["name"]:
            call.inner[call.name_key] = name
    tool["name"] = name


@fault(CHOOSING, NAMES)
def of_the_chosen_tool(p: Payload, name: str) -> None:
    p.some(p.tools())
    p.body[p.CHOICE] = p.chosen(name)


@fault(FAMILY, {"space": "Ann Lee", "empty": "", "bar": "a|b", "unicode": "Zoë", "number": 7, "long": "n" * 65})
def of_an_author(p: Payload, name: str) -> None:
    p.some(p.turns("user", "assistant", "system"))["name"] = name


@fault("anthropic")
def of_an_author_elsewhere(p: Payload) -> None:
    p.some(p.turns("user", "assistant"))["name"] = "Ann"


@fault(WITH_IDS, IDS)
def id_of_a_call(p: Payload, call_id: str) -> None:
    p.rename(p.some(p.calls()), call_id)


@fault(WITH_IDS, {"space behind": "{} ", "space before": " {}", "capitals": "{}X", "cut": "{:.3}"})
def id_of_a_result_alone(p: Payload, form: str) -> None:
    result = p.some([one for one in p.results() if isinstance(one.id, str)])
    result.id = form.format(result.id)


@fault(WITH_IDS)
def empty_ids_of_all(p: Payload) -> None:
    if not p.calls():
        raise NoPlaceError
    for one in [*p.calls(), *p.results()]:
        one.id = ""


@fault(WITH_IDS)
def ids_that_differ_in_their_end(p: Payload) -> None:
    calls = p.calls()
    if len(calls) < 2:
        raise NoPlaceError
    for number, call in enumerate(calls):
        p.rename(call, f"{'i' * 70}{number}")


@fault(WITH_IDS)
def ids_that_differ_in_a_bad_character(p: Payload) -> None:
    calls = p.calls()
    if len(calls) < 2:
        raise NoPlaceError
    for call, character in zip(calls, ":.|/ é#%&", strict=False):
        p.rename(call, f"call{character}1")


@fault(tuple(dialect for dialect in MESSAGES if dialect in WITH_IDS))
def id_that_a_new_one_would_have(p: Payload) -> None:
    calls = p.parallel()
    p.rename(calls[0], "a:b")
    p.rename(calls[1], "a_b")
