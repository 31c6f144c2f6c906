"""`diff` reports every planted edit, treats other spellings as equal, and agrees with a simulated provider."""

import copy
import inspect
import json
import pickle
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import turnwire as tw
from judges import prefix

MODEL = "claude-opus-5-5"
Body = dict[str, Any]


def words(rng: random.Random, count: int) -> str:
    return " ".join(f"{rng.choice(['alpha', 'bêta', 'gamma', 'δέλτα'])}{rng.randrange(10_000)}" for _ in range(count))


def tool(name: str, text: str) -> Body:
    return {
        "name": name,
        "description": text,
        "input_schema": {"type": "object", "properties": {"q": {"type": "string"}}},
    }


def run(rng: random.Random, steps: int = 6) -> Body:
    """An agent's request: every text appears in it once."""
    messages: list[Any] = [{"role": "user", "content": [{"type": "text", "text": words(rng, 6)}]}]
    for step in range(steps):
        call = {"type": "tool_use", "id": f"toolu_{step}", "name": "look", "input": {"q": words(rng, 3), "n": step}}
        thought = {"type": "thinking", "thinking": words(rng, 3), "signature": f"sig{step}{rng.random()}"}
        messages.append({"role": "assistant", "content": [thought, {"type": "text", "text": words(rng, 4)}, call]})
        result = {"type": "tool_result", "tool_use_id": call["id"], "content": words(rng, 12)}
        messages.append({"role": "user", "content": [result, {"type": "text", "text": words(rng, 3)}]})
    tools = [tool("look", words(rng, 4)), tool("write", words(rng, 4)), tool("ask", words(rng, 4))]
    system = [{"type": "text", "text": words(rng, 8)}, {"type": "text", "text": words(rng, 5)}]
    return {"model": MODEL, "system": system, "tools": tools, "messages": messages}


def stale_behind(body: Body, message: int) -> list[str]:
    """Reasoning comes first in each assistant message here."""
    odd = range(message + 1 if message % 2 == 0 else message + 2, len(body["messages"]), 2)
    return [f"$.messages[{at}].content[0]" for at in odd]


def replies_from(body: Body, message: int) -> list[str]:
    roles = [one["role"] for one in body["messages"]]
    return [f"$.messages[{at}].content[0]" for at in range(message, len(roles)) if roles[at] == "assistant"]


def one_byte(rng: random.Random, text: str) -> tuple[str, int]:
    """The text with one letter changed, and the byte at which it differs."""
    at = rng.choice([at for at, letter in enumerate(text) if letter.isascii() and letter.isalnum()])
    new = "X" if text[at].isalpha() else "Y"
    return text[:at] + new + text[at + 1 :], len(text[:at].encode())


# An edit: its name, the body after it, and the expected path, byte, codes and stale reasoning.
Edit = tuple[Body, str, int | None, set[str], list[str]]


def reword_text(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(len(a["messages"]))
    content = b["messages"][at]["content"]
    where = next((where for where, block in enumerate(content) if block["type"] == "text"), None)
    if where is None:
        return change_id(rng, a)
    block = b["messages"][at]["content"][where]
    block["text"], byte = one_byte(rng, block["text"])
    return b, f"$.messages[{at}].content[{where}]", byte, {"text_changed"}, stale_behind(b, at)


def change_result(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]), 2)
    block = b["messages"][at]["content"][0]
    block["content"], byte = one_byte(rng, block["content"])
    return b, f"$.messages[{at}].content[0]", byte, {"result_changed"}, stale_behind(b, at)


def cut_result(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]), 2)
    block = b["messages"][at]["content"][0]
    kept = rng.randrange(20, 40)
    block["content"] = block["content"][:kept]
    byte = len(block["content"].encode())
    return b, f"$.messages[{at}].content[0]", byte, {"result_cut"}, stale_behind(b, at)


def late_result(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]), 2)
    a["messages"][at]["content"][0]["content"] = tw.constants.MISSING_RESULT
    return b, f"$.messages[{at}].content[0]", 0, {"late_result"}, stale_behind(b, at)


def change_argument(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(1, len(a["messages"]), 2)
    args = b["messages"][at]["content"][2]["input"]
    args["q"], byte = one_byte(rng, args["q"])
    return b, f"$.messages[{at}].content[2]", byte, {"call_changed"}, stale_behind(b, at)


def change_id(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(1, len(a["messages"]), 2)
    b["messages"][at]["content"][2]["id"] = f"toolu_other{at}"
    return b, f"$.messages[{at}].content[2]", len("toolu_"), {"id_changed"}, stale_behind(b, at)


def drop_exchange(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(1, len(a["messages"]) - 2, 2)
    del b["messages"][at : at + 2]
    return b, f"$.messages[{at}]", 0, {"message_dropped"}, stale_behind(b, at - 1)


def drop_message(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]) - 1, 2)
    del b["messages"][at]
    stale = [
        f"$.messages[{n}].content[0]" for n, one in enumerate(b["messages"]) if n >= at and one["role"] == "assistant"
    ]
    return b, f"$.messages[{at}]", 0, {"message_dropped"}, stale


def summarize(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]) - 4, 2)
    until = rng.randrange(at + 3, len(a["messages"]) - 1, 2)
    b["messages"][at:until] = [{"role": "user", "content": [{"type": "text", "text": "SUMMARY"}]}]
    return b, f"$.messages[{at}]", None, {"message_replaced"}, replies_from(b, at)


def insert_message(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(1, len(a["messages"]))
    b["messages"].insert(at, {"role": "user", "content": [{"type": "text", "text": words(rng, 3)}]})
    stale = [
        f"$.messages[{n}].content[0]" for n, one in enumerate(b["messages"]) if n > at and one["role"] == "assistant"
    ]
    return b, f"$.messages[{at}]", 0, {"message_inserted"}, stale


def swap_messages(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]) - 2, 2)
    all_of = b["messages"]
    all_of[at], all_of[at + 2] = all_of[at + 2], all_of[at]
    return b, f"$.messages[{at}]", 0, {"reordered"}, stale_behind(b, at)


def swap_blocks(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]), 2)
    b["messages"][at]["content"].reverse()
    return b, f"$.messages[{at}].content[0]", 0, {"reordered"}, stale_behind(b, at)


def drop_block(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]) - 1, 2)
    which = rng.randrange(len(b["messages"][at]["content"]))
    del b["messages"][at]["content"][which]
    return b, f"$.messages[{at}].content[{which}]", 0, {"block_dropped"}, stale_behind(b, at)


def insert_block(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]) - 1, 2)
    which = rng.randrange(3)
    b["messages"][at]["content"].insert(which, {"type": "text", "text": "<reminder>"})
    return b, f"$.messages[{at}].content[{which}]", 0, {"block_inserted"}, stale_behind(b, at)


def change_role(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2, len(a["messages"]), 2)
    b["messages"][at]["role"] = "system"
    return b, f"$.messages[{at}]", 0, {"message_changed"}, stale_behind(b, at)


def system_text(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(2)
    b["system"][at]["text"], byte = one_byte(rng, b["system"][at]["text"])
    return b, f"$.system[{at}]", byte, {"system_changed"}, stale_behind(b, 0)


def redefine_tool(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(3)
    b["tools"][at]["description"], byte = one_byte(rng, b["tools"][at]["description"])
    return b, f"$.tools[{at}]", byte, {"tools_changed"}, stale_behind(b, 0)


def add_tool(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(4)
    b["tools"].insert(at, tool("new", words(rng, 2)))
    return b, f"$.tools[{at}]", 0, {"tools_changed"}, stale_behind(b, 0)


def remove_tool(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(3)
    del b["tools"][at]
    return b, f"$.tools[{at}]", 0, {"tools_changed"}, stale_behind(b, 0)


def leave_out_reasoning(rng: random.Random, a: Body) -> Edit:
    b, at = copy.deepcopy(a), rng.randrange(3, len(a["messages"]) - 2, 2)
    del b["messages"][at]["content"][0]
    return b, f"$.messages[{at}].content[0]", 0, {"reasoning_gap"}, stale_behind(b, at)


EDITS: list[Callable[[random.Random, Body], Edit]] = [
    reword_text,
    change_result,
    cut_result,
    late_result,
    change_argument,
    change_id,
    drop_exchange,
    drop_message,
    summarize,
    insert_message,
    swap_messages,
    swap_blocks,
    drop_block,
    insert_block,
    change_role,
    system_text,
    redefine_tool,
    add_tool,
    remove_tool,
    leave_out_reasoning,
]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_the_place_of_every_planted_edit_is_named(edit: Callable[[random.Random, Body], Edit]) -> None:
    for seed in range(25):
        rng = random.Random(f"{edit.__name__} {seed}")
        a = run(rng)
        b, path, byte, codes, stale = edit(rng, a)
        # Content after the edit does not hide it.
        b["messages"] += run(rng, 1)["messages"][1:] if seed % 2 else []
        stale += [f"$.messages[{len(b['messages']) - 2}].content[0]"] if seed % 2 else []
        found = tw.diff(a, b)
        assert (found.edit, bool(found), found.path) == (True, True, path), (seed, str(found))
        assert byte in (None, found.byte), (seed, str(found))
        assert found.code in codes, (seed, str(found))
        assert list(found.stale) == stale, (seed, str(found))
        assert found.checks
        assert tw.diff(json.dumps(a), json.dumps(b).encode()) == found


def key_order(rng: random.Random, body: Any) -> Any:
    if isinstance(body, dict):
        keys = rng.sample([*body], len(body))
        return {key: key_order(rng, body[key]) for key in keys}
    return [key_order(rng, item) for item in body] if isinstance(body, list) else body


def marks(rng: random.Random, body: Body) -> Body:
    body = copy.deepcopy(body)
    for holder in (body["tools"], body["system"], body["messages"][rng.randrange(1, 5)]["content"]):
        holder[-1]["cache_control"] = {"type": "ephemeral"}
    return body


def strings(_: random.Random, body: Body) -> Body:
    body = copy.deepcopy(body)
    for message in body["messages"]:
        if len(message["content"]) == 1:
            message["content"] = message["content"][0]["text"]
    return body


def tool_order(rng: random.Random, body: Body) -> Body:
    return {**body, "tools": rng.sample(body["tools"], len(body["tools"]))}


def blank_texts(rng: random.Random, body: Body) -> Body:
    body = copy.deepcopy(body)
    for message in body["messages"][1:]:
        message["content"].insert(rng.randrange(len(message["content"]) + 1), {"type": "text", "text": " \n"})
    return body


def numbers(_: random.Random, body: Body) -> Body:
    body = copy.deepcopy(body)
    for message in body["messages"][1::2]:
        message["content"][2]["input"]["n"] = float(message["content"][2]["input"]["n"])
    return body


def white_space(rng: random.Random, body: Body) -> Body:
    body = copy.deepcopy(body)
    texts = [block for message in body["messages"] for block in message["content"] if block["type"] == "text"]
    for block in (*texts, *body["system"]):
        block["text"] = rng.choice(["", " ", "\n\n"]) + block["text"] + rng.choice(["", " ", "\t\n"])
    return body


def deferred(_: random.Random, body: Body) -> Body:
    return {**body, "tools": [*body["tools"], {**tool("later", "…"), "defer_loading": True}]}


def settings(_: random.Random, body: Body) -> Body:
    return {**body, "thinking": {"type": "adaptive"}, "tool_choice": {"type": "none"}}


def sampling(_: random.Random, body: Body) -> Body:
    return {**body, "max_tokens": 7, "temperature": 1, "metadata": {"user_id": "u"}, "stream": True}


def other_model(_: random.Random, body: Body) -> Body:
    return {**body, "model": "claude-fable-5-2"}


def reasoning_of_the_front(_: random.Random, body: Body) -> Body:
    body = copy.deepcopy(body)
    for message in body["messages"][1:4:2]:
        del message["content"][0]
    return body


def reasoning_of_the_end(_: random.Random, body: Body) -> Body:
    body = copy.deepcopy(body)
    del body["messages"][-2]["content"][0]
    return body


def no_reasoning(_: random.Random, body: Body) -> Body:
    body = copy.deepcopy(body)
    for message in body["messages"][1::2]:
        del message["content"][0]
    return body


def hidden_reasoning(_: random.Random, body: Body) -> Body:
    body = copy.deepcopy(body)
    for message in body["messages"][1::2]:
        message["content"][0]["thinking"] = ""
    return body


def one_more_turn(rng: random.Random, body: Body) -> Body:
    return {**body, "messages": [*body["messages"], *run(rng, 1)["messages"][1:]]}


def one_turn_less(_: random.Random, body: Body) -> Body:
    return {**body, "messages": body["messages"][:-2]}


RESPELLED: dict[Callable[[random.Random, Any], Any], set[str]] = {
    key_order: {"respelled", "tools_reordered"},
    marks: {"equal"},
    strings: {"equal"},
    tool_order: {"tools_reordered", "equal"},
    blank_texts: {"respelled"},
    numbers: {"respelled"},
    white_space: {"respelled"},
    deferred: {"equal"},
    sampling: {"equal"},
    settings: {"settings_changed"},
    other_model: {"model_changed"},
    reasoning_of_the_front: {"reasoning_dropped"},
    reasoning_of_the_end: {"reasoning_dropped"},
    no_reasoning: {"reasoning_dropped"},
    hidden_reasoning: {"respelled"},
    one_more_turn: {"append"},
    one_turn_less: {"rewound"},
}


@pytest.mark.parametrize("spell", RESPELLED, ids=lambda spell: spell.__name__)
def test_what_is_no_edit_is_none(spell: Callable[[random.Random, Body], Body]) -> None:
    for seed in range(10):
        rng = random.Random(f"{spell.__name__} {seed}")
        a = run(rng)
        found = tw.diff(a, spell(rng, a))
        assert (found.edit, found.stale) == (False, ()), str(found)
        assert found.code in RESPELLED[spell], str(found)
        if found.code in ("equal", "rewound"):
            assert found.cached == found.total > 0
        # An edit is found in spite of the other spelling.
        b, path, byte, _, _ = change_result(rng, a)
        seen = tw.diff(a, spell(rng, b))
        # Blank texts move its index, and it may be in the removed turn.
        if spell not in (blank_texts, one_turn_less):
            assert (seen.edit, seen.path, seen.byte) == (True, path, byte), str(seen)


def test_every_respelling_at_once_is_equal_for_the_check() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        a = b = run(rng)
        for spell in rng.sample([marks, key_order, tool_order, blank_texts, white_space, deferred, strings], 7):
            if spell is not strings:
                b = spell(rng, b)
        assert not tw.diff(a, b), str(tw.diff(a, b))


def bytes_of(body: Body) -> Iterator[str]:
    """What a cache reads, in its order, as in the reference simulator."""
    rows = [tool for tool in body["tools"] if not tool.get("defer_loading")] + body["system"]
    for message in body["messages"]:
        rows += [{"role": message["role"]}, *message["content"]]
    for row in rows:
        plain = {key: value for key, value in row.items() if key != "cache_control"}
        yield json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("seed", range(60))
def test_what_a_cache_reads_again(seed: int) -> None:
    rng = random.Random(seed)
    a = run(rng)
    b = rng.choice(EDITS)(rng, a)[0]
    old, new = [*bytes_of(a)], [*bytes_of(b)]
    same = next((n for n, (x, y) in enumerate(zip(old, new, strict=False)) if x != y), min(len(old), len(new)))
    found = tw.diff(a, b)
    assert found.total == sum(len(row.encode()) for row in new)
    assert found.cached == sum(len(row.encode()) for row in new[:same])
    assert found.share == found.cached / found.total


def signed(rng: random.Random) -> tuple[Body, Body]:
    """A request whose reasoning the simulated server has signed, and the next one."""
    whole = run(rng)
    body = {**whole, "messages": whole["messages"][:1]}
    for at in range(1, len(whole["messages"]), 2):
        answer = prefix.server(body, whole["messages"][at]["content"])
        assert answer.status == 200
        turn = {"role": "assistant", "content": answer.content}
        body = {**body, "messages": [*body["messages"], turn, whole["messages"][at + 1]]}
    return {**body, "messages": body["messages"][:-2]}, body


def dotted(path: str) -> str:
    return path.removeprefix("$.").replace("[", ".").replace("]", "")


@pytest.mark.parametrize("seed", range(200))
def test_the_simulated_provider_finds_the_same_reasoning_stale(seed: int) -> None:
    rng = random.Random(seed)
    a, b = signed(rng)
    edit = EDITS[seed % len(EDITS)]
    if edit is late_result:
        edit = change_result
    known = a
    for _ in range(rng.choice([1, 1, 2])):
        known = edit(rng, copy.deepcopy(known))[0]
        edit = rng.choice([drop_block, leave_out_reasoning, reword_text])
    b = {**known, "messages": known["messages"] + b["messages"][len(a["messages"]) :]}
    found = tw.diff(a, b)
    faults = [fault.path for fault in prefix.judge(b)[0] if fault.reason == "prefix_binding_mismatch"]
    assert [dotted(path) for path in found.stale] == faults, str(found)


@pytest.mark.parametrize("spell", RESPELLED, ids=lambda spell: spell.__name__)
def test_the_simulated_provider_takes_what_is_no_edit(spell: Callable[[random.Random, Body], Body]) -> None:
    a, b = signed(random.Random(1))
    b = spell(random.Random(2), b)
    assert not [fault for fault in prefix.judge(b)[0] if fault.reason != "model_binding_mismatch"]
    assert not tw.diff(a, b), str(tw.diff(a, b))


def test_a_result_that_came_late() -> None:
    a = run(random.Random(0), 3)
    b = copy.deepcopy(a)
    a["messages"][2]["content"][0]["content"] = tw.constants.MISSING_RESULT
    said = str(tw.diff(a, b))
    assert said.startswith("$.messages[2].content[0] (tool_result toolu_0): byte 0 of ")
    assert '| "No result was recorded for this tool cal…" |' in said
    assert "\n  edit: 2 reasoning blocks are stale ($.messages[3].content[0] …)" in said
    assert "\n  cause: late_result: " in said
    assert "\n  cache: " in said


def test_the_model_decides_what_is_stale() -> None:
    a = run(random.Random(0))
    b = system_text(random.Random(0), a)[0]
    assert tw.diff(a, b).stale
    assert not tw.diff(a, b, model="claude-opus-4-6").stale
    assert tw.diff(a, b, model="claude-opus-4-6").edit
    for body in (a, b):
        body["model"] = "claude-sonnet-4-5"
    found = tw.diff(a, b)
    assert (found.checks, found.stale, found.model) == (False, (), "claude-sonnet-4-5")


def responses(rng: random.Random) -> Body:
    items: list[Any] = [{"role": "user", "content": words(rng, 3)}]
    for step in range(3):
        items.append({"type": "reasoning", "id": f"rs_{step}", "summary": [], "encrypted_content": f"e{step}"})
        items.append({"type": "function_call", "call_id": f"c{step}", "name": "f", "arguments": '{"q": 1}'})
        items.append({"type": "function_call_output", "call_id": f"c{step}", "output": words(rng, 5)})
    tools = [{"type": "function", "name": "f", "parameters": {"type": "object"}, "strict": False}]
    return {"model": "gpt-6", "instructions": "Be brief.", "tools": tools, "input": items}


def test_responses() -> None:
    a = responses(random.Random(0))
    b = copy.deepcopy(a)
    b["input"][3]["output"] += "!"
    found = tw.diff(a, b)
    assert (found.dialect, found.code, found.path, found.kind) == (
        "openai-responses",
        "result_changed",
        "$.input[3]",
        "function_call_output",
    )
    assert (found.leaf, found.byte) == ("$.input[3].output", len(a["input"][3]["output"].encode()))
    assert found.stale == ("$.input[4]", "$.input[7]")
    assert not tw.diff(a, b, model="gpt-5.2").stale
    gone = {**a, "input": [item for item in a["input"] if item.get("id") != "rs_1"]}
    assert (tw.diff(a, gone).code, tw.diff(a, gone).stale) == ("reasoning_gap", ("$.input[6]",))
    other = {**a, "instructions": "Be long."}
    assert (tw.diff(a, other).code, len(tw.diff(a, other).stale)) == ("system_changed", 3)
    # From 6.2 on, instructions apply to one reply only.
    newer = tw.diff(a, other, model="gpt-6.2")
    assert (newer.code, newer.stale, newer.system_changed, newer.cached) == ("equal", (), False, newer.total)
    assert tw.diff(a, {**other, "input": b["input"]}, model="gpt-6.2").code == "result_changed"
    assert tw.diff(a, {**a, "text": {"format": {"type": "json_object"}}}).code == "format_changed"


OTHERS: dict[str, tuple[Body, list[tuple[Callable[[Body], Any], str, str]]]] = {
    "openai": (
        {
            "messages": [
                {"role": "system", "content": "s"},
                {"role": "user", "content": "u"},
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
                },
                {"role": "tool", "tool_call_id": "c", "content": "result"},
            ],
            "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}],
        },
        [
            (lambda b: b["messages"][0].update(content="t"), "system_changed", "$.messages[0].content"),
            (lambda b: b["messages"][1].update(content="v"), "text_changed", "$.messages[1].content"),
            (
                lambda b: b["messages"][2]["tool_calls"][0]["function"].update(arguments='{"a": 1}'),
                "call_changed",
                "$.messages[2].tool_calls[0]",
            ),
            (lambda b: b["messages"][3].update(content="other"), "result_changed", "$.messages[3].content"),
            (lambda b: b["tools"][0]["function"].update(description="d"), "tools_changed", "$.tools[0]"),
        ],
    ),
    "gemini": (
        {
            "systemInstruction": {"parts": [{"text": "s"}]},
            "contents": [
                {"role": "user", "parts": [{"text": "u"}]},
                {
                    "role": "model",
                    "parts": [{"functionCall": {"name": "f", "args": {"a": 1}}, "thoughtSignature": "x"}],
                },
                {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"r": "one"}}}]},
            ],
            "tools": [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}],
        },
        [
            (
                lambda b: b["systemInstruction"]["parts"][0].update(text="t"),
                "system_changed",
                "$.systemInstruction.parts[0]",
            ),
            (lambda b: b["contents"][0]["parts"][0].update(text="v"), "text_changed", "$.contents[0].parts[0]"),
            (lambda b: b["contents"][1]["parts"][0].pop("thoughtSignature"), "call_changed", "$.contents[1].parts[0]"),
            (
                lambda b: b["contents"][2]["parts"][0]["functionResponse"]["response"].update(r="two"),
                "result_changed",
                "$.contents[2].parts[0]",
            ),
            (
                lambda b: b["tools"][0]["functionDeclarations"].pop(),
                "tools_changed",
                "$.tools[0].functionDeclarations[1]",
            ),
        ],
    ),
    "bedrock": (
        {
            "system": [{"text": "s"}],
            "messages": [
                {"role": "user", "content": [{"text": "u"}]},
                {
                    "role": "assistant",
                    "content": [
                        {"reasoningContent": {"reasoningText": {"text": "t", "signature": "s"}}},
                        {"toolUse": {"toolUseId": "c", "name": "f", "input": {}}},
                    ],
                },
                {"role": "user", "content": [{"toolResult": {"toolUseId": "c", "content": [{"text": "r"}]}}]},
                {
                    "role": "assistant",
                    "content": [{"reasoningContent": {"redactedContent": "b"}}, {"text": "done"}],
                },
                {"role": "user", "content": [{"text": "more"}]},
            ],
            "toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {}}}}]},
        },
        [
            (lambda b: b["messages"][0]["content"][0].update(text="v"), "text_changed", "$.messages[0].content[0]"),
            (
                lambda b: b["messages"][2]["content"][0]["toolResult"]["content"][0].update(text="q"),
                "result_changed",
                "$.messages[2].content[0]",
            ),
            (
                lambda b: b["toolConfig"]["tools"][0]["toolSpec"].update(description="d"),
                "tools_changed",
                "$.toolConfig.tools[0]",
            ),
        ],
    ),
}


@pytest.mark.parametrize(
    ("dialect", "edit", "code", "path"), [(name, *case) for name, (_, cases) in OTHERS.items() for case in cases]
)
def test_other_wires(dialect: Any, edit: Callable[[Body], Any], code: str, path: str) -> None:
    a = OTHERS[dialect][0]
    b = copy.deepcopy(a)
    edit(b)
    found = tw.diff(a, b)
    assert (found.dialect, found.edit, found.code, found.path) == (dialect, True, code, path), str(found)
    assert tw.diff(a, b, source=dialect) == found
    assert bool(found.stale) == (dialect == "bedrock")
    assert tw.diff(a, copy.deepcopy(a)).code == "equal"


def texts(value: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    """Every text of a request, with its path, its container and its key."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in entries:
        here = f"{path}.{key}" if isinstance(key, str) else f"{path}[{key}]"
        if isinstance(held, str) and held.strip() and key in ("text", "content", "arguments", "output", "result"):
            yield here, value, key
        yield from texts(held, here)


VECTORS = [json.loads(path.read_text("utf-8")) for path in sorted((Path(__file__).parent / "vectors").glob("*.json"))]
CASES = [one for rows in VECTORS for one in rows if "payload" in one and "source" in one]
LISTS = ("$.messages[", "$.contents[", "$.input[", "$[")


def test_a_letter_more_is_found_in_every_wire() -> None:
    seen = set()
    for case in CASES:
        a, source = case["payload"], case["source"]
        if '"compaction"' in json.dumps(a):
            continue  # content before a compaction no longer counts
        try:
            assert tw.diff(a, a, source=source).code == "equal", case["name"]
        except (tw.TurnwireError, TypeError):
            continue  # not a payload
        b = copy.deepcopy(a)
        for path, holder, key in texts(b, "$"):
            # A summary is for people: the model's own thoughts are in the encrypted content beside it.
            if not path.startswith(LISTS) or ".summary[" in path:
                continue
            was, holder[key] = holder[key], holder[key].rstrip() + "x"
            found = tw.diff(a, b, source=source)
            holder[key] = was
            assert found.edit, (case["name"], path, str(found))
            assert path.startswith(found.path or "?"), (case["name"], path, str(found))
            if found.leaf == path:
                assert found.byte == len(was.rstrip().encode("utf-8", "surrogatepass")), (case["name"], path)
                seen.add(source)
    assert len(seen) > 15


def test_marks_of_bedrock_are_no_edit() -> None:
    a = OTHERS["bedrock"][0]
    b = copy.deepcopy(a)
    b["system"].append({"cachePoint": {"type": "default"}})
    b["messages"][0]["content"].append({"cachePoint": {"type": "default"}})
    b["toolConfig"]["tools"].append({"cachePoint": {"type": "default"}})
    assert tw.diff(a, b).code == "equal"


def test_a_string_for_the_list_is_one_message() -> None:
    one: Body = {"model": "gpt-6", "input": "what now?"}
    found = tw.diff(one, {"model": "gpt-6", "input": "what then?"})
    assert (found.code, found.path, found.byte) == ("text_changed", "$.input", len("what "))
    more = {"model": "gpt-6", "input": [{"role": "user", "content": "what now?"}, {"role": "user", "content": "and?"}]}
    assert (tw.diff(one, more).code, tw.diff(one, more).path) == ("append", "$.input[1]")


def test_a_compaction_of_the_provider_is_no_edit() -> None:
    a = run(random.Random(0))
    block = {"type": "compaction", "content": "what was said", "signature": "c"}
    b = {**a, "messages": [{"role": "assistant", "content": [block]}, {"role": "user", "content": "and now?"}]}
    assert (tw.diff(a, b).code, tw.diff(a, b).edit) == ("compacted", False)
    later = {**b, "messages": [*b["messages"], *one_more_turn(random.Random(1), b)["messages"][2:]]}
    assert (tw.diff(b, later).code, tw.diff(b, later).path) == ("append", "$.messages[2]")
    kept = {**b, "messages": [{"role": "user", "content": "before"}, *b["messages"]]}
    assert not tw.diff(kept, b).edit
    reworded = copy.deepcopy(later)
    reworded["messages"][1]["content"] = "and then?"
    assert tw.diff(later, reworded).stale == ("$.messages[2].content[0]",)


def test_a_deferred_tool_counts_from_where_it_was_shown() -> None:
    a = run(random.Random(0))
    late = {**tool("late", "does it"), "defer_loading": True}
    a["tools"].append(late)
    shown = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "late"}}
    a["messages"].insert(3, {"role": "system", "content": [shown]})
    b = copy.deepcopy(a)
    b["tools"][3]["description"] = "does that"
    found = tw.diff(a, b)
    assert (found.code, found.path, found.leaf) == ("tools_changed", "$.tools[3]", "$.tools[3].description")
    assert found.stale == tuple(f"$.messages[{at}].content[0]" for at in range(4, len(b["messages"]), 2))


def test_a_rendered_payload_and_a_bare_list() -> None:
    chat = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}, {"role": "user", "content": "z"}]
    ready = tw.prepare(chat, "anthropic")
    assert tw.diff(ready, ready.payload, source="anthropic").code == "equal"
    assert tw.diff(chat, [*chat[:1], *chat[2:]]).path == "$[1]"
    assert tw.diff(chat[:1], chat).path == "$[1]"


def test_what_it_is_as_a_value() -> None:
    a = run(random.Random(0))
    found = tw.diff(a, change_result(random.Random(0), a)[0])
    said = found.to_dict()
    assert json.loads(json.dumps(said)) == said
    properties = {name for name, value in vars(tw._core.Diff).items() if inspect.isgetsetdescriptor(value)}
    assert set(said) == properties
    assert all(
        getattr(found, name) == (tuple(value) if isinstance(value, list) else value) for name, value in said.items()
    )
    for made in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        assert (made, hash(made), str(made), repr(made)) == (found, hash(found), str(found), repr(found))
    html = found._repr_html_()
    assert html.startswith("<table><caption>Diff: $.messages[")
    assert all(path in html for path in found.stale)
    assert found != tw.diff(a, a)


def test_codes_are_listed_with_whether_they_are_edits() -> None:
    codes = tw._core.diff_codes()
    assert codes["append"][0] is False
    assert codes["text_changed"][0] is True
    assert {code for known in RESPELLED.values() for code in known} <= {
        code for code, (edit, _) in codes.items() if not edit
    }


def deep(levels: int) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value]
    return value


GOOD = [{"role": "user", "content": "x"}]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ("{", "invalid_json"),
        (b"\xff", "invalid_json"),
        ("", "invalid_json"),
        ("3", "wrong_type"),
        ({"messages": 3}, "wrong_type"),
        ({"model": "x"}, "missing_key"),
        (deep(10_000), "too_deep"),
        ("[" * 10_000, "too_deep"),
        ([{"role": "user", "content": float("nan")}], "not_json"),
        ([{"role": "user", "content": object()}], "not_json"),
    ],
)
def test_bad_bodies(bad: Any, code: str) -> None:
    for pair in ((bad, GOOD), (GOOD, bad)):
        with pytest.raises(tw.TurnwireError) as raised:
            tw.diff(*pair, source="anthropic")
        assert raised.value.code == code


@pytest.mark.parametrize("bad", [3, None, True, 2.5, tw.Conversation(["x"])])
def test_wrong_arguments(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"^before: expected a request body"):
        tw.diff(bad, GOOD)
    with pytest.raises(TypeError, match=r"^after: expected a request body"):
        tw.diff(GOOD, bad)
    with pytest.raises(TypeError, match=r"^model: expected a str"):
        tw.diff(GOOD, GOOD, model=3)  # type: ignore[arg-type]


WIRES: Any = ["openai", "openai-responses", "anthropic", "gemini", "bedrock"]


@pytest.mark.parametrize("old", WIRES)
@pytest.mark.parametrize("new", WIRES)
def test_requests_of_two_wires_are_not_compared(old: Any, new: Any) -> None:
    body = run(random.Random(1))
    grown = {**body, "messages": [*body["messages"], *GOOD]}
    a, b = tw.convert(body, old, source="anthropic").payload, tw.convert(grown, new, source="anthropic").payload
    if old == new:
        assert not tw.diff(a, b).edit
        return
    with pytest.raises(tw.UnknownDialectError, match=rf"one of {old} and one of {new} \[mixed_dialects\]") as raised:
        tw.diff(a, b)
    assert raised.value.code == "mixed_dialects"


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_texts_that_could_be_of_any_wire_are_of_the_others(wire: Any) -> None:
    called = {"role": "assistant", "content": "", "tool_calls": []}
    if wire == "openai":
        call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        called = {"role": "assistant", "content": None, "tool_calls": [call]}
    else:
        called = {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "f", "input": {}}]}
    found = tw.diff(GOOD, [*GOOD, called])
    assert (found.code, found.dialect) == ("append", wire)
    found = tw.diff([*GOOD, called], GOOD)
    assert (found.code, found.dialect) == ("rewound", wire)


def test_reasoning_that_only_an_id_points_to_is_not_signed() -> None:
    def items(said: str, **held: str) -> list[dict[str, Any]]:
        thought = {"type": "reasoning", "id": "rs_1", "summary": [], **held}
        return [{"role": "user", "content": said}, thought, {"role": "user", "content": "go"}]

    for held, stale in (({}, ()), ({"encrypted_content": "e"}, ("$[1]",))):
        found = tw.diff(items("x", **held), items("y", **held), source="openai-responses", model="gpt-6")
        assert (found.code, found.stale) == ("text_changed", stale)


@pytest.mark.parametrize("what", ["tools", "thoughts"])
def test_the_cost_grows_with_the_length(what: str) -> None:
    def body(count: int, mark: str) -> dict[str, Any]:
        if what == "tools":
            return {"tools": [{"name": f"{mark}{at}", "input_schema": {}} for at in range(count)], "messages": GOOD}
        thoughts = [{"type": "thinking", "thinking": "t", "signature": f"{mark}{at}"} for at in range(count)]
        return {"messages": [*GOOD, {"role": "assistant", "content": thoughts}, *GOOD]}

    def took(count: int) -> float:
        a, b = body(count, "a"), body(count, "b")
        times = []
        for _ in range(3):
            start = time.thread_time()
            tw.diff(a, b, source="anthropic")
            times.append(time.thread_time() - start)
        return min(times)

    assert took(16_000) < 60 * took(1_000)


def test_unknown_dialects() -> None:
    with pytest.raises(tw.UnknownDialectError):
        tw.diff(GOOD, GOOD, source="antropic")  # type: ignore[arg-type]
    with pytest.raises(tw.UnknownDialectError):
        tw.diff([], [])
    assert tw.diff([], GOOD, source="openai").code == "append"


def test_lone_surrogates_and_odd_values() -> None:
    a = [{"role": "user", "content": "half \ud83d here"}]
    b = [{"role": "user", "content": "half \ud83d there"}]
    found = tw.diff(a, b)
    assert (found.code, found.byte) == ("text_changed", 9)
    assert tw.diff(json.dumps(a), a).code == "equal"
    for odd in (3, None, {}, [], True, "text", [None], {"a": 1}, [[["x"]]], {"role": 3}, {"content": {"parts": 1}}):
        for other in (GOOD, [odd], [{"role": "user", "content": odd}], [{"role": "assistant", "content": [odd]}]):
            for one in ([odd], [{"role": "user", "content": odd}], [{"role": "assistant", "content": [odd]}]):
                for pair in ((one, other), (other, one)):
                    assert str(tw.diff(*pair, source="anthropic"))
