"""Formats whose templates allow one call at a time: each result right after its call, in whatever order they came."""

import json
import random
from typing import Any

import pytest
import turnwire as tw

Message = dict[str, Any]


def exchange(rng: random.Random, step: int, texts: list[str]) -> list[Message]:
    """Parallel calls of one message, with results in any order, some missing, doubled or late."""
    count = rng.randrange(1, 5)
    ids = [f"call_{step}_{n}" for n in range(count)]
    calls = [
        {
            "id": one,
            "type": "function",
            "function": {"name": f"f{rng.randrange(3)}", "arguments": json.dumps({"mark": one})},
        }
        for one in ids
    ]
    said = f"said {step}" if rng.random() < 0.4 else None
    if said:
        texts.append(said)
    answered = [one for one in ids if rng.random() < 0.85]
    rng.shuffle(answered)
    if answered and rng.random() < 0.2:
        answered.append(rng.choice(answered))
    results = [{"role": "tool", "tool_call_id": one, "content": f"result of {one}"} for one in answered]
    return [{"role": "assistant", "content": said, "tool_calls": calls}, *results]


def run(rng: random.Random) -> tuple[list[Message], list[str]]:
    texts = ["go"]
    messages: list[Message] = [{"role": "user", "content": "go"}]
    for step in range(rng.randrange(1, 6)):
        messages += exchange(rng, step, texts)
        if rng.random() < 0.4:
            texts.append(f"more {step}")
            messages.append({"role": "user", "content": f"more {step}"})
    texts.append("end")
    return [*messages, {"role": "user", "content": "end"}], texts


def call_of(message: Message, target: str) -> str | None:
    """The mark of a message's call, if it has one."""
    if target == "llama:3":
        calls = message.get("tool_calls") or []
        assert len(calls) <= 1
        return calls[0]["function"]["arguments"]["mark"] if calls else None
    try:
        said = json.loads(message["content"])
    except ValueError:
        return None
    return said["parameters"]["mark"] if isinstance(said, dict) and "parameters" in said else None


def is_result(message: Message, target: str) -> bool:
    if target == "llama:3":
        return message["role"] in ("ipython", "tool")
    return message["role"] == "user" and message["content"].startswith('{"tool_result"')


@pytest.mark.parametrize("target", ["llama", "llama:3"])
@pytest.mark.parametrize("seed", range(150))
def test_each_result_directly_follows_its_call(seed: int, target: Any) -> None:
    rng = random.Random(seed)
    messages, texts = run(rng)
    ready = tw.prepare(messages, target)
    payload: list[Message] = ready.payload
    marks = []
    for at, message in enumerate(payload):
        mark = call_of(message, target)
        if mark is None:
            assert not is_result(message, target) or call_of(payload[at - 1], target), payload
            continue
        marks.append(mark)
        answer = payload[at + 1]
        assert is_result(answer, target)
        real = any(one.get("tool_call_id") == mark for one in messages)
        assert (f"result of {mark}" in json.dumps(answer)) == real
    asked = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    assert marks == asked
    # Every text is there, once and in its order.
    said = [m["content"] for m in payload if call_of(m, target) is None and not is_result(m, target)]
    assert said == texts
    again = tw.prepare(payload, target, source=target, tool_results=target == "llama")
    assert again.payload == payload and not again.receipt.changed
    assert json.loads(tw.prepare_json(json.dumps(messages), target).payload) == payload


def test_text_after_the_last_call_is_written_before_it() -> None:
    blocks = [
        {"type": "tool_use", "id": "a", "name": "f", "input": {"mark": "a"}},
        {"type": "text", "text": "between"},
        {"type": "tool_use", "id": "b", "name": "f", "input": {"mark": "b"}},
        {"type": "text", "text": "behind"},
    ]
    results = [{"type": "tool_result", "tool_use_id": one, "content": one} for one in "ab"]
    messages = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": blocks},
        {"role": "user", "content": results},
    ]
    made = tw.convert(messages, "llama", source="anthropic")
    said = [message["content"] for message in made.payload]
    assert said[1].startswith('{"name":"f"') and said[2].startswith('{"tool_result"')
    assert said[3].startswith("between") and said[-1].startswith('{"tool_result"') and '"b"' in said[-1]
    assert ("order", "$[1].content[3]") in [(loss.code, loss.path) for loss in made.receipt]


@pytest.mark.parametrize("target", ["llama", "llama:3"])
@pytest.mark.parametrize("source", ["anthropic", "openai-responses", "gemini"])
@pytest.mark.parametrize("seed", range(40))
def test_everything_after_an_earlier_result_is_reported(seed: int, source: Any, target: Any) -> None:
    """From formats in which text may come anywhere between calls, or each call is a separate item."""
    rng = random.Random(seed)
    parts = [rng.choice(["call", "text"]) for _ in range(rng.randrange(2, 7))]
    blocks: list[Message] = []
    for number, part in enumerate(parts):
        call = {"type": "tool_use", "id": f"c{number}", "name": "f", "input": {"mark": f"c{number}"}}
        blocks.append(call if part == "call" else {"type": "text", "text": f"t{number}"})
    ids = [block["id"] for block in blocks if "id" in block]
    answered = [one for one in ids if rng.random() < 0.8]
    results = [{"type": "tool_result", "tool_use_id": one, "content": f"result of {one}"} for one in answered]
    rng.shuffle(results)
    spoken = [{"type": "text", "text": "more"}] if rng.random() < 0.5 or not results else []
    list_ = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": blocks},
        {"role": "user", "content": [*results, *spoken]},
    ]
    given = tw.convert(list_, source, source="anthropic").payload if source != "anthropic" else list_
    made = tw.convert(given, target, source=source)
    # The content of each message, in one line.
    rows = [call_of(row, target) or row["content"] for row in made.payload]
    said = [row for row in rows if not str(row).startswith(("result of", '{"tool_result"'))]
    assert [row for row in said if row in ids] == ids
    words = "\n".join(str(row) for row in said if row not in ids).split("\n")
    assert words == ["go", *(block["text"] for block in blocks if "text" in block), *(["more"] if spoken else [])]
    if len(ids) > 1:
        for one in answered:
            assert f"result of {one}" in str(rows[rows.index(one) + 1])
        # Calls after an earlier result, though all results came last; and a result before its call.
        first = min((rows.index(one) for one in answered), default=len(rows))
        later = sum(row in ids for row in rows[first + 1 :])
        told = [loss for loss in made.receipt if loss.reason == "the target requires each result right after its call"]
        assert len(told) >= later and bool(told) == bool(later or parts[-1] == "text")
        assert len({loss.path for loss in told}) == len(told)


def test_unknown_keys_are_written_once() -> None:
    calls = [{"function": {"name": "f", "arguments": {"mark": one}}} for one in "abc"]
    messages: list[Message] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "see", "tool_calls": calls, "weight": 1},
        *({"role": "ipython", "content": one, "seen": one} for one in "abc"),
    ]
    ready = tw.prepare(messages, "llama:3", source="llama:3")
    payload: list[Message] = ready.payload
    assert [row.get("weight") for row in payload if "weight" in row] == [1]
    assert [row["seen"] for row in payload if "seen" in row] == ["a", "b", "c"]
    assert [row["role"] for row in payload] == ["user", "assistant", *["assistant", "ipython"] * 3]
    assert ready.sources == ((0,), (1,), (1,), (2,), (1,), (3,), (1,), (4,))


def test_calls_whose_results_do_not_follow_are_written_all_the_same() -> None:
    functions = {one: {"name": "f", "arguments": json.dumps({"mark": one})} for one in "ab"}
    calls = [{"id": one, "type": "function", "function": function} for one, function in functions.items()]
    messages: list[Message] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": None, "tool_calls": calls},
    ]
    assert [call_of(one, "llama") for one in tw.convert(messages, "llama", source="openai").payload] == [None, "a", "b"]
    messages.append({"role": "user", "content": "well?"})
    assert [call_of(one, "llama") for one in tw.convert(messages, "llama", source="openai").payload] == [
        None,
        "a",
        "b",
        None,
    ]


def test_a_missing_result_is_added_once_though_results_in_text_are_not_trusted() -> None:
    call = {"role": "assistant", "content": '{"name": "f", "parameters": {}}'}
    said = {"role": "user", "content": '{"tool_result": {"name": "f", "result": "said by anyone"}}'}
    once = tw.prepare([{"role": "user", "content": "q"}, call, said], "llama", source="llama")
    assert [entry.code for entry in once.receipt if entry.kind != "warning"] == ["missing_result"]
    assert [message["role"] for message in once.payload] == ["user", "assistant", "user", "user"]
    assert once.payload[3] == said
    for source in ("llama", "auto"):
        twice = tw.prepare(once.payload, "llama", source=source)
        assert (twice.payload, list(twice.receipt)) == (once.payload, [])
    assert json.loads(tw.prepare_json(json.dumps(once.payload), "llama").payload) == once.payload
