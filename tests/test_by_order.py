"""Formats without ids keep which result belongs to which call, or a loss says where they do not."""

import json
import random
from typing import Any, NamedTuple

import pytest
import turnwire as tw

Message = dict[str, Any]
# The name of each call, its arguments, and the text of its result.
Pairs = list[tuple[str, Any, str | None]]


class Run(NamedTuple):
    messages: list[Message]
    pairs: Pairs


def conversation(dice: random.Random, answered: float) -> Run:
    """Parallel calls, calls of one tool again, ids used again in later turns, results in any order or missing."""
    messages: list[Message] = [{"role": "system", "content": "s"}] * (dice.random() < 0.3)
    messages.append({"role": "user", "content": "go"})
    pairs: Pairs = []
    for _ in range(dice.randint(1, 4)):
        calls, results = [], []
        for place in range(dice.choice([1, 1, 2, 3, 4])):
            number = len(pairs)
            name, use = dice.choice(["f", "g", "f_2"]), dice.choice([f"c{number}", f"c{number}", f"again{place}"])
            arguments = {"n": number}
            calls.append(
                {"id": use, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
            )
            said = f"result of {number}" if dice.random() < answered else None
            pairs.append((name, arguments, said))
            if said is not None:
                results.append({"role": "tool", "tool_call_id": use, "content": said})
        dice.shuffle(results)
        messages.append({"role": "assistant", "content": dice.choice([None, "text"]), "tool_calls": calls})
        messages += results
        if dice.random() < 0.5:
            messages.append({"role": "assistant", "content": "so"})
        messages.append({"role": "user", "content": "more"})
    return Run(messages, pairs)


def pairs_of(messages: list[Message]) -> Pairs:
    """How a reader of ids pairs OpenAI's messages: a result answers the last call with its id that has no result."""
    pairs: list[list[Any]] = []
    open_calls: dict[str, list[list[Any]]] = {}
    for message in messages:
        for call in message.get("tool_calls") or []:
            pairs.append([call["function"]["name"], json.loads(call["function"]["arguments"]), None])
            open_calls.setdefault(call["id"], []).append(pairs[-1])
        if message["role"] == "tool":
            open_calls[message["tool_call_id"]].pop()[2] = message["content"]
    return [(name, arguments, said) for name, arguments, said in pairs]


WITHOUT_IDS = ("sharegpt", "llama", "llama:3")
OPTIONAL = ("openai:hf", "history", "structured", "gemini", "gemini:2", "ollama")


def there_and_back(messages: list[Message], via: Any, built: bool) -> tuple[tw.Rendered[Any], Pairs]:
    there = tw.prepare(messages, via, source="openai") if built else tw.convert(messages, via, source="openai")
    return there, pairs_of(tw.convert(there.payload, "openai", source=via, tool_results=True).payload["messages"])


@pytest.mark.parametrize("built", [False, True])
@pytest.mark.parametrize("via", [*WITHOUT_IDS, *OPTIONAL])
def test_pairs_survive_formats_without_ids(via, built):
    dice = random.Random(f"{via} {built}")
    for _ in range(100):
        messages, pairs = conversation(dice, answered=1)
        assert pairs_of(messages) == pairs
        there, back = there_and_back(messages, via, built)
        assert back == pairs
        lost = [loss for loss in there.receipt if loss.kind == "lost" and loss.code == "id"]
        assert lost == []
        if via in WITHOUT_IDS:
            assert sum(one.code == "renamed_id" for one in there.receipt) == len(pairs)


@pytest.mark.parametrize("via", [*WITHOUT_IDS, *OPTIONAL])
def test_a_result_that_would_be_anothers_is_a_loss(via):
    dice = random.Random(via)
    wrong = 0
    for _ in range(200):
        messages, pairs = conversation(dice, answered=0.8)
        there, back = there_and_back(messages, via, built=False)
        lost = [loss for loss in there.receipt if loss.kind == "lost" and loss.code == "id"]
        assert bool(lost) is (back != pairs), (messages, there.payload)
        wrong += bool(lost)
        for loss in lost:
            assert messages[int(loss.path.removeprefix("$[").partition("]")[0])]["role"] == "tool"
        if lost:
            with pytest.raises(tw.RenderError):
                tw.convert(messages, via, source="openai", strict=True)
        # A build gives every call a result, and then they are all in order.
        built, back = there_and_back(messages, via, built=True)
        missing = {said for _, _, said in back} - {said for _, _, said in pairs}
        assert [(*one[:2], None if one[2] in missing else one[2]) for one in back] == pairs
        assert not any(loss.kind == "lost" for loss in built.receipt)
    assert (wrong > 20) is (via in WITHOUT_IDS)


def stored(dice: random.Random, dialect: str) -> tuple[list[Message], Pairs]:
    """The same in a format without ids: results pair by name and order, or only by order."""
    run = conversation(dice, answered=1)
    messages: list[Message] = []
    role, content = ("from", "value") if dialect == "sharegpt" else ("role", "content")
    names = {"user": "human", "assistant": "gpt"} if dialect == "sharegpt" else {}
    by_number = {said: at for at, (_, _, said) in enumerate(run.pairs)}
    results: list[tuple[int, Message]] = []
    for message in [*run.messages, {"role": "user", "content": "end"}]:
        if message["role"] == "tool":
            at = by_number[message["content"]]
            inner = {"name": run.pairs[at][0], "result": message["content"]}
            as_user = {role: "user", content: json.dumps({"tool_result": inner})}
            results.append((at, as_user if dialect == "llama" else {role: "observation", content: message["content"]}))
            continue
        if dialect == "llama":
            # Paired by name: the results of several tools may come in any order.
            results.sort(key=lambda one: (run.pairs[one[0]][0] == "g", one[0]))
        else:
            results.sort(key=lambda one: one[0])
        messages += [one for _, one in results]
        results = []
        if message["content"] is not None and message["role"] != "system":
            messages.append({role: names.get(message["role"], message["role"]), content: message["content"]})
        for call in message.get("tool_calls", []):
            key = "arguments" if dialect == "sharegpt" else "parameters"
            said = {"name": call["function"]["name"], key: json.loads(call["function"]["arguments"])}
            speaker = "function_call" if dialect == "sharegpt" else "assistant"
            messages.append({role: speaker, content: json.dumps(said)})
    return messages, run.pairs


@pytest.mark.parametrize("dialect", ["sharegpt", "llama"])
def test_pairs_of_formats_without_ids_survive_those_with_ids(dialect):
    dice = random.Random(dialect)
    for _ in range(100):
        messages, pairs = stored(dice, dialect)
        there = tw.convert(messages, "openai", source=dialect, tool_results=True).payload
        assert pairs_of(there["messages"]) == pairs
        ready = tw.prepare(messages, "openai", source=dialect, tool_results=True).payload["messages"]
        ids = [call["id"] for message in ready for call in message.get("tool_calls", [])]
        assert len(set(ids)) == len(ids)
        assert pairs_of(ready) == pairs
        again = tw.convert(there, dialect, source="openai")
        assert not any(loss.kind == "lost" for loss in again.receipt)
        back = tw.convert(again.payload, "openai", source=dialect, tool_results=True).payload
        assert pairs_of(back["messages"]) == pairs


def test_a_result_with_an_id_that_no_call_has_leaves_its_call_to_it():
    """A result without an id behind it takes the other call, although that has an id."""
    calls = [
        {"type": "tool_call", "name": "f", "arguments": {"n": 1}},
        {"type": "tool_call", "id": "b", "name": "f", "arguments": {"n": 2}},
    ]
    results = [
        {"type": "tool_call_response", "id": "a", "response": "one"},
        {"type": "tool_call_response", "response": "two"},
    ]
    messages = [
        {"role": "user", "parts": [{"type": "text", "content": "q"}]},
        {"role": "assistant", "parts": calls},
        *({"role": "tool", "parts": [result]} for result in results),
    ]
    made = tw.convert(messages, "openai", source="otel").payload["messages"]
    asked = {call["id"]: call["function"]["arguments"] for call in made[1]["tool_calls"]}
    assert [(asked[one["tool_call_id"]], one["content"]) for one in made[2:]] == [
        ('{"n":1}', "one"),
        ('{"n":2}', "two"),
    ]
