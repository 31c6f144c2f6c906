"""Misplaced results, calls, media and blocks; also missing, doubled or separated ones, or those of another role."""

from faults.fault import BLOCKS, CHAT, EVERY, FAMILY, MESSAGES, WITH_IDS, fault
from faults.payload import Json, NoPlaceError, Payload, put, text
from faults.payload.anthropic import THOUGHT, use
from faults.payload.openai import fn

# --- Calls and results ---


@fault(EVERY)
def result_missing(p: Payload) -> None:
    p.take(p.some(p.results()))


@fault(EVERY)
def result_missing_of_several(p: Payload) -> None:
    p.take(p.some(p.results_of(p.parallel())))


@fault(EVERY)
def all_results_missing(p: Payload) -> None:
    if not p.results():
        raise NoPlaceError
    while results := p.results():
        p.take(results[0])


@fault(EVERY, {"first": 0, "second": 1, "last": 99, "behind the next": None})
def result_moved(p: Payload, at: int | None) -> None:
    result = p.some(p.results())
    index = next(index for index, element in enumerate(p.elements) if element is result.element)
    p.insert(index + 2 if at is None else at, p.result_element(p.take(result)))


@fault(EVERY)
def result_before_its_call(p: Payload) -> None:
    call = p.some(p.calls())
    result = p.take(p.some(p.results_of([call])))
    p.insert(p.at(call.turn), p.result_element(result))


@fault(EVERY, {"user": "user", "assistant": "assistant"})
def turn_between_call_and_result(p: Payload, role: str) -> None:
    p.insert(p.at(p.some(p.calls()).turn) + 1, p.message(role, f"Wait {p.word()}."))


@fault(EVERY, {"user": "user", "assistant": "assistant"})
def turn_between_results(p: Payload, role: str) -> None:
    last = p.results_of(p.parallel())[-1]
    index = next(index for index, element in enumerate(p.elements) if element is last.element)
    node = p.take(last)
    index = min(index, len(p.elements))
    at = index if p.RESULTS_ALONE else index + 1
    p.elements[at:at] = [p.message(role, f"Wait {p.word()}."), p.result_element(node)]


@fault(BLOCKS)
def text_before_results(p: Payload) -> None:
    p.some(p.results()).siblings.insert(0, text(f"Here {p.word()}"))


@fault(BLOCKS)
def text_between_results(p: Payload) -> None:
    result = p.results_of(p.parallel())[0]
    at = next(at for at, node in enumerate(result.siblings) if node is result.node)
    result.siblings.insert(at + 1, text(f"Here {p.word()}"))


@fault(BLOCKS)
def text_between_results_in_two_turns(p: Payload) -> None:
    results = p.results_of(p.parallel())
    index = next(index for index, element in enumerate(p.elements) if element is results[-1].element)
    node = p.take(results[-1])
    results[0].siblings.append(text(f"Here {p.word()}"))
    p.insert(index + 1, p.result_element(node))


@fault(EVERY)
def each_call_in_a_turn_of_its_own(p: Payload) -> None:
    """One reply as a stream of turns: the calls of one turn, with texts between, then all results."""
    calls = p.parallel()
    at = p.at(calls[0].turn)
    for number, call in enumerate(calls[1:], start=1):
        call.siblings[:] = [node for node in call.siblings if node is not call.node]
        p.insert(at + number * 2 - 1, p.message("assistant", f"Then {p.word()}."))
        p.insert(at + number * 2, p.calling(call.node))


@fault(("anthropic", "history", "amazon-q"))
def results_in_two_turns(p: Payload) -> None:
    last = p.results_of(p.parallel())[-1]
    index = next(index for index, element in enumerate(p.elements) if element is last.element)
    p.insert(index + 1, p.result_element(p.take(last)))


@fault(EVERY)
def result_twice(p: Payload) -> None:
    result = p.some(p.results())
    again = p.made_result(result.id)
    at = next(at for at, node in enumerate(result.siblings) if node is result.node)
    result.siblings.insert(at + 1, again)


@fault(EVERY)
def result_again_at_the_end(p: Payload) -> None:
    p.elements.append(p.result_element(p.made_result(p.some(p.results()).id)))


@fault(EVERY, {"first": 0, "second": 1, "last": 99})
def result_of_no_call(p: Payload, at: int) -> None:
    p.insert(at, p.result_element(p.made_result("call_of_nobody")))


@fault(EVERY)
def result_of_no_call_with_a_key_beside(p: Payload) -> None:
    p.insert(99, p.result_element(p.made_result("call_of_nobody")) | {"x_trace": p.word()})


@fault(EVERY)
def result_of_no_call_among_results(p: Payload) -> None:
    result = p.some(p.results())
    result.siblings.append(p.made_result("call_of_nobody"))


@fault(EVERY)
def result_without_its_call(p: Payload) -> None:
    call = p.some(p.calls())
    call.siblings[:] = [node for node in call.siblings if node is not call.node]
    if not call.siblings and call.turn.get("tool_calls") == []:
        del call.turn["tool_calls"]


@fault(WITH_IDS)
def result_with_another_id(p: Payload) -> None:
    p.some(p.results()).id = "another"


@fault(WITH_IDS)
def results_exchanged(p: Payload) -> None:
    results = p.results()
    if len(results) < 2:
        raise NoPlaceError
    results[0].id, results[-1].id = results[-1].id, results[0].id


@fault(EVERY)
def call_twice(p: Payload) -> None:
    call = p.some(p.calls())
    copied: Json = {}
    put(copied, "node", call.node)
    call.siblings.append(copied["node"])


@fault(WITH_IDS)
def call_id_twice_in_a_turn(p: Payload) -> None:
    calls = p.parallel()
    p.rename(calls[-1], calls[0].id)


@fault(WITH_IDS)
def call_id_used_later_again(p: Payload) -> None:
    calls = p.calls()
    if len({id(call.turn) for call in calls}) < 2:
        raise NoPlaceError
    p.rename(calls[-1], calls[0].id)


@fault(WITH_IDS)
def one_call_id_for_all(p: Payload) -> None:
    for call in p.calls()[1:]:
        p.rename(call, p.calls()[0].id)


@fault(FAMILY)
def call_of_a_user(p: Payload) -> None:
    p.some(p.plain("user"))["tool_calls"] = [fn("look", "call_user")]


@fault(BLOCKS)
def call_in_a_user_turn(p: Payload) -> None:
    p.blocks(p.some(p.plain("user"))).append(use("look", "toolu_user"))


@fault(BLOCKS)
def result_in_an_assistant_turn(p: Payload) -> None:
    p.blocks(p.some(p.calls()).turn).append(p.take(p.some(p.results())))


@fault(BLOCKS)
def call_in_a_result(p: Payload) -> None:
    p.some(p.results()).node["content"] = [text(f"said {p.word()}"), use("look", "toolu_in")]


@fault(BLOCKS)
def result_in_a_result(p: Payload) -> None:
    result = p.some(p.results())
    result.node["content"] = [p.made_result("toolu_in")]


@fault((*FAMILY, "openai-responses"))
def block_in_a_result(p: Payload) -> None:
    p.give(p.some(p.results()), [text(f"said {p.word()}"), {"type": "refusal", "refusal": f"no {p.word()}"}])


@fault(FAMILY)
def call_id_on_a_user(p: Payload) -> None:
    p.some(p.plain("user"))["tool_call_id"] = "call_1"


# --- Media ---


@fault(MESSAGES)
def image_in_a_result(p: Payload) -> None:
    p.give(p.some(p.results()), p.dice.choice([[p.image()], [text(f"said {p.word()}"), p.image()]]))


@fault(CHAT)
def file_in_a_result(p: Payload) -> None:
    p.give(p.some(p.results()), [p.paper()])


@fault(BLOCKS)
def image_in_a_failed_result(p: Payload) -> None:
    p.some(p.results()).node.update(content=[text(f"said {p.word()}"), p.image()], is_error=True)


@fault(CHAT)
def file_in_a_failed_result(p: Payload) -> None:
    result = p.some(p.results())
    p.give(result, [p.paper()])
    p.failed(result)


@fault(MESSAGES)
def image_of_an_assistant(p: Payload) -> None:
    p.blocks(p.some(p.plain("assistant"))).append(p.image())


@fault(CHAT)
def only_an_image_of_an_assistant(p: Payload) -> None:
    p.some(p.plain("assistant"))["content"] = [p.image()]


@fault((*FAMILY, "anthropic"))
def image_beside_calls(p: Payload) -> None:
    turn = p.some(p.calls()).turn
    turn["content"] = turn.get("content") or ""
    p.blocks(turn).append(p.image())


@fault(MESSAGES)
def image_in_system_text(p: Payload) -> None:
    if isinstance(p.body, dict) and p.SYSTEM in p.body:
        p.body[p.SYSTEM] = [p.text(f"Mind {p.word()}"), p.image()]
    else:
        p.blocks(p.some(p.turns("system", "developer"))).append(p.image())


# --- Blocks of another role ---


@fault("anthropic")
def thinking_of_a_user(p: Payload) -> None:
    p.blocks(p.some(p.plain("user"))).append(dict(THOUGHT))


@fault("anthropic")
def thinking_last(p: Payload) -> None:
    p.elements.append(p.message("assistant", [text(f"Well {p.word()}"), dict(THOUGHT)]))


@fault("anthropic", {"absent": None, "empty": ""})
def thinking_without_signature(p: Payload, signature: str | None) -> None:
    thought = {"type": "thinking", "thinking": f"So {p.word()}"}
    p.blocks(p.some(p.turns("assistant"))).insert(
        0, thought if signature is None else thought | {"signature": signature}
    )


@fault("anthropic", {"absent": {}, "empty": {"data": ""}})
def hidden_thinking_without_data(p: Payload, data: Json) -> None:
    p.blocks(p.some(p.turns("assistant"))).insert(0, {"type": "redacted_thinking", **data})


@fault("anthropic")
def server_call_of_a_user(p: Payload) -> None:
    block = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": p.word()}}
    p.blocks(p.some(p.plain("user"))).append(block)


@fault("anthropic")
def server_call_with_a_bad_id(p: Payload) -> None:
    block = {"type": "server_tool_use", "id": "call_1", "name": "web_search", "input": {"query": p.word()}}
    p.blocks(p.some(p.plain("assistant"))).append(block)


@fault("anthropic")
def search_result_of_an_assistant(p: Payload) -> None:
    found = {"type": "search_result", "source": "s", "title": "t", "content": [text(f"found {p.word()}")]}
    p.blocks(p.some(p.plain("assistant"))).append(found)


@fault((*FAMILY, "openai-responses"))
def refusal_of_a_user(p: Payload) -> None:
    p.blocks(p.some(p.plain("user"))).append({"type": "refusal", "refusal": f"no {p.word()}"})


@fault(FAMILY)
def refusal_key_of_a_user(p: Payload) -> None:
    p.some(p.plain("user"))["refusal"] = f"no {p.word()}"
