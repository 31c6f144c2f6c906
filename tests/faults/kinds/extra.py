"""Unknown keys at every level of a payload."""

from typing import Any

from faults.fault import BLOCKS, CHAT, EVERY, FAMILY, MESSAGES, fault
from faults.payload import Json, Payload, text


def extra(p: Payload) -> Json:
    """One such key, with a unique word."""
    key = p.dice.choice(["x_trace", "timestamp", "uuid", "_meta"])
    word = p.word()
    return {key: p.dice.choice([word, {"n": word}, [word], {"a": [{"b": word}]}])}


@fault(EVERY, {"user": "user", "assistant": "assistant"})
def key_of_a_turn(p: Payload, role: str) -> None:
    p.some(p.turns(role)).update(extra(p))


@fault((*FAMILY, "openai-responses", "history"))
def key_of_a_system_turn(p: Payload) -> None:
    p.some(p.turns("system", "developer")).update(extra(p))


@fault(EVERY)
def key_of_a_call(p: Payload) -> None:
    p.some(p.calls()).node.update(extra(p))


@fault(FAMILY)
def key_of_a_function(p: Payload) -> None:
    p.some(p.calls()).inner.update(extra(p))


@fault(EVERY)
def key_of_a_result(p: Payload) -> None:
    p.some(p.results()).node.update(extra(p))


@fault(MESSAGES)
def key_of_a_block(p: Payload) -> None:
    turn = p.some(p.plain("user", "assistant"))
    p.blocks(turn).append(p.text(f"said {p.word()}", turn) | extra(p))


@fault(MESSAGES)
def key_of_a_block_in_a_result(p: Payload) -> None:
    p.give(p.some(p.results()), [p.text(f"said {p.word()}") | extra(p)])


@fault(BLOCKS)
def key_of_an_image(p: Payload) -> None:
    p.blocks(p.some(p.plain("user"))).append(p.image() | extra(p))


@fault(CHAT)
def key_of_an_image_source(p: Payload) -> None:
    image = p.image()
    p.image_source(image).update(extra(p))
    p.blocks(p.some(p.plain("user"))).append(image)


@fault(CHAT)
def key_of_a_tool(p: Payload) -> None:
    p.some(p.tools()).update(extra(p))


@fault(FAMILY)
def key_beside_a_tools_function(p: Payload) -> None:
    p.some(p.body.get("tools") or []).update(extra(p))


@fault((*FAMILY, "openai-responses"), {"text": {"type": "ephemeral"}})
def cache_mark(p: Payload, mark: Any) -> None:
    p.blocks(p.some(p.plain("user"))).append({**p.text(f"said {p.word()}"), "cache_control": mark})


@fault("anthropic", {"message": "message", "mark": "mark", "many": "many"})
def cache_mark_of_anthropic(p: Payload, kind: str) -> None:
    turn = p.some(p.plain("user"))
    if kind == "message":
        turn["cache_control"] = {"type": "ephemeral"}
    elif kind == "mark":
        p.blocks(turn).append({**text(f"said {p.word()}"), "cache_control": {"type": "forever"}})
    else:
        marked = [{**text(f"said {p.word()}"), "cache_control": {"type": "ephemeral"}} for _ in range(5)]
        p.blocks(turn).extend(marked)


@fault(("anthropic", "openai"))
def name_of_a_tool_in_its_result(p: Payload) -> None:
    result = p.some(p.results())
    result.node["name" if p.RESULTS_ALONE else "tool_name"] = "look"


@fault("anthropic")
def annotations_of_mcp(p: Payload) -> None:
    block = {**text(f"said {p.word()}"), "annotations": {"audience": ["user"], "priority": 0.5}}
    p.give(p.some(p.results()), [block])


@fault(CHAT)
def keys_of_a_framework(p: Payload) -> None:
    turn = p.some(p.turns("assistant"))
    turn.update(additional_kwargs={}, response_metadata={"finish": p.word()}, lc_id=["x"])


@fault(MESSAGES)
def id_of_a_block(p: Payload) -> None:
    turn = p.some(p.plain("user", "assistant"))
    p.blocks(turn).append({**p.text(f"said {p.word()}", turn), "id": "lc_1"})


@fault(MESSAGES, {"number": 1, "none": None, "true": True})
def key_that_is_no_text(p: Payload, key: Any) -> None:
    p.some(p.turns("user", "assistant"))[key] = p.word()
