"""Turns in a wrong order: which one is first or last, what is cut off, doubled, or swapped."""

from typing import Any

from faults.fault import EVERY, MESSAGES, fault
from faults.payload import NoPlaceError, Payload, text


@fault(EVERY)
def assistant_first(p: Payload) -> None:
    p.insert(0, p.message("assistant", f"Hello {p.word()}."))


@fault(EVERY)
def user_cut_off(p: Payload) -> None:
    if len(p.elements) < 2:
        raise NoPlaceError
    del p.elements[p.at(p.some(p.turns("user")[:1]))]


@fault(EVERY, {"plain": ".", "space": "  ", "newline": ":\n"})
def assistant_last(p: Payload, end: str) -> None:
    p.elements.append(p.message("assistant", f"I will {p.word()}{end}"))


@fault(MESSAGES, {"space": " ", "nothing behind": ""})
def assistant_last_in_blocks(p: Payload, end: str) -> None:
    turn = p.message("assistant", "")
    turn[p.CONTENT] = p.own([text(f"I will {p.word()}  "), text(end)], turn)
    p.elements.append(turn)


@fault(EVERY)
def assistants_last(p: Payload) -> None:
    p.elements.append(p.message("assistant", f"I will {p.word()} "))
    p.elements.append(p.message("assistant", ""))


@fault(EVERY, {"user": "user", "assistant": "assistant"})
def same_role_again(p: Payload, role: str) -> None:
    at = p.at(p.some(p.plain(role)))
    p.insert(at + 1, p.message(role, f"And {p.word()}."))


@fault(EVERY)
def three_users(p: Payload) -> None:
    at = p.at(p.some(p.plain("user")))
    p.elements[at:at] = [p.message("user", f"And {p.word()}."), p.message("user", f"Then {p.word()}.")]


@fault(EVERY)
def call_turns_next_to_each_other(p: Payload) -> None:
    calls = p.calls()
    if len({id(call.turn) for call in calls}) < 2:
        raise NoPlaceError
    first, last = p.at(calls[0].turn), p.at(calls[-1].turn)
    p.elements.insert(first, p.elements.pop(last))


@fault(EVERY)
def all_turned_around(p: Payload) -> None:
    if len(p.elements) < 3:
        raise NoPlaceError
    p.elements.reverse()


@fault(EVERY)
def results_turned_around(p: Payload) -> None:
    p.parallel()
    done: list[list[Any]] = []
    for result in p.results():
        if any(result.siblings is one for one in done):
            continue
        done.append(result.siblings)
        nodes = [one.node for one in p.results() if one.siblings is result.siblings]
        places = [at for at, node in enumerate(result.siblings) if any(node is one for one in nodes)]
        for at, node in zip(places, reversed(nodes), strict=True):
            result.siblings[at] = node


@fault(EVERY)
def neighbours_exchanged(p: Payload) -> None:
    if len(p.elements) < 2:
        raise NoPlaceError
    at = p.dice.randrange(len(p.elements) - 1)
    p.elements[at : at + 2] = p.elements[at : at + 2][::-1]


@fault(EVERY)
def two_exchanged(p: Payload) -> None:
    if len(p.elements) < 3:
        raise NoPlaceError
    a, b = p.dice.sample(range(len(p.elements)), 2)
    p.elements[a], p.elements[b] = p.elements[b], p.elements[a]


@fault(EVERY)
def shuffled(p: Payload) -> None:
    if len(p.elements) < 3:
        raise NoPlaceError
    p.dice.shuffle(p.elements)


@fault(EVERY)
def head_cut_off(p: Payload) -> None:
    if len(p.elements) < 2:
        raise NoPlaceError
    del p.elements[: p.dice.randrange(1, len(p.elements))]


@fault(EVERY)
def end_cut_off(p: Payload) -> None:
    if len(p.elements) < 2:
        raise NoPlaceError
    del p.elements[p.dice.randrange(1, len(p.elements)) :]


@fault(EVERY)
def cut_behind_calls(p: Payload) -> None:
    del p.elements[p.at(p.some(p.calls()).turn) + 1 :]


@fault(EVERY)
def cut_before_results(p: Payload) -> None:
    element = p.some(p.results()).element
    at = next(at for at, one in enumerate(p.elements) if one is element)
    del p.elements[:at]


@fault(EVERY)
def one_gone(p: Payload) -> None:
    if len(p.elements) < 2:
        raise NoPlaceError
    del p.elements[p.dice.randrange(len(p.elements))]


@fault(EVERY)
def all_twice(p: Payload) -> None:
    again: Any = p.again()
    p.elements.extend(again.elements)


@fault(EVERY)
def one_twice(p: Payload) -> None:
    again = p.again()
    at = p.dice.randrange(len(p.elements))
    p.insert(at, again.elements[at])


@fault(EVERY)
def only_results(p: Payload) -> None:
    wanted = [result.element for result in p.results()]
    if not wanted:
        raise NoPlaceError
    p.elements[:] = [element for element in p.elements if any(element is one for one in wanted)]


@fault(EVERY)
def only_an_assistant(p: Payload) -> None:
    p.elements[:] = [p.message("assistant", f"Hello {p.word()}.")]
