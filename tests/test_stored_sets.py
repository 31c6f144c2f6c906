"""Stored dialects, spoilt at random: checkers of our own compare each build with the format's documents."""

import copy
import itertools
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import turnwire as tw
from hypothesis import given, settings
from hypothesis import strategies as st
from random_runs import tries

Json = dict[str, Any]


def tell(role: str, content: Any, **more: Any) -> Json:
    return {"role": role, "content": content, **more}


def part(name: str, args: Any, id: str | None = None) -> Json:
    return {
        "type": "tool_call",
        "content": {"name": name, "arguments": args} | ({"tool_call_id": id} if id else {}),
    }


def told(name: str, content: Any, id: str | None = None) -> Json:
    return {"type": "tool_result", "name": name, "content": content} | ({"tool_call_id": id} if id else {})


def asked(name: str, args: Any, id: str | None = None) -> Json:
    return ({"id": id} if id else {}) | {"type": "function", "function": {"name": name, "arguments": args}}


def words(name: str, args: Any) -> str:
    return json.dumps({"name": name, "arguments": args})


# Sound payloads: one exchange of one call, one of several, text around them.
SOUND: dict[str, list[Any]] = {
    "structured": [
        [
            tell("system", "Be brief."),
            tell("user", [{"type": "text", "content": "Weather?"}]),
            tell("gemini", [{"type": "text", "content": "See."}, part("look", {"q": 1}, "a"), part("find", {}, "b")]),
            tell("tool", [told("find", {"found": True}, "b"), told("look", "sun", "a")]),
            tell("chatgpt", "It shines."),
        ],
        [
            tell("user", "Again."),
            tell("chatgpt", [part("look", {"q": 1}), part("look", {"q": 2})]),
            tell("tool", [told("look", "one")]),
            tell("tool", [told("look", "two")]),
        ],
    ],
    "sharegpt": [
        {
            "conversations": [
                {"from": "human", "value": "Weather?"},
                {"from": "function_call", "value": f"[{words('look', {'q': 1})}, {words('find', {})}]"},
                {"from": "observation", "value": "sun\n</tool_response>\n<tool_response>\nfound"},
                {"from": "gpt", "value": "It shines."},
            ],
            "system": "Be brief.",
            "tools": json.dumps([{"name": "look", "parameters": {"type": "object"}}]),
        },
        {
            "conversations": [
                {"from": "system", "value": "Be brief."},
                {"from": "human", "value": "Again."},
                {"from": "function_call", "value": words("look", {"q": 1})},
                {"from": "observation", "value": "one"},
            ]
        },
    ],
    "llama": [
        [
            tell("system", "Be brief."),
            tell("user", "Weather?"),
            tell("assistant", '{"name": "look", "parameters": {"q": 1}}'),
            tell("user", '{"tool_result": {"name": "look", "result": "sun"}}'),
            tell("assistant", "It shines."),
        ]
    ],
    "llama:3": [
        [
            tell("system", "Be brief."),
            tell("user", "Weather?"),
            {"role": "assistant", "tool_calls": [asked("look", {"q": 1})]},
            {"role": "assistant", "tool_calls": [asked("find", {})]},
            tell("ipython", "sun"),
            tell("ipython", {"found": True}),
            tell("assistant", "It shines."),
        ]
    ],
    "openai:hf": [
        {
            "messages": [
                tell("system", "Be brief."),
                tell("user", "Weather?"),
                {"role": "assistant", "tool_calls": [asked("look", {"q": 1}), asked("find", {})]},
                {"role": "tool", "name": "look", "content": "sun"},
                {"role": "tool", "name": "find", "content": "found"},
                tell("assistant", "It shines.", thinking="Hm."),
            ],
            "tools": [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}],
        },
        [
            tell("user", [{"type": "image", "url": "https://e.org/a.png"}, {"type": "text", "text": "This?"}]),
            tell("assistant", None, tool_calls=[asked("look", {"q": 1}, "a"), asked("look", {"q": 2}, "b")]),
            tell("tool", "one", tool_call_id="a", name="look"),
            tell("tool", "two", tool_call_id="b", name="look"),
        ],
    ],
}


class Exchanges:
    """The open calls, in order: each call has one result in the run after it, and each result its call."""

    def __init__(self) -> None:
        self.open: list[tuple[str, str | None]] = []
        self.answering = False

    def call(self, name: str, id: str | None = None) -> Iterator[str]:
        if self.answering and self.open:
            yield f"unanswered: {self.open}"
        if self.answering:
            self.open = []
        self.answering = False
        self.open.append((name, id))

    def result(self, name: str | None, id: str | None = None, *, ordered: bool = True) -> Iterator[str]:
        self.answering = True
        # By its id where it has one, else by its name.
        same = [one for one in self.open if (one[1] == id if id else name in (None, one[0]))]
        found = self.open[:1] if ordered else same[:1]
        if not found:
            yield f"nobody has asked for {name} {id}"
            return
        self.open.remove(found[0])
        if (name is not None and name != found[0][0]) or (id is not None and id != found[0][1]):
            yield f"a result of {name} {id} for {found[0]}"

    def other(self) -> Iterator[str]:
        if self.open:
            yield f"unanswered: {self.open}"
        self.open, self.answering = [], False


def calls_in(text: Any, key: str) -> list[Any]:
    """The calls in a text: an object with a name and arguments, or a list of such objects."""
    try:
        value = json.loads(text)
    except (TypeError, ValueError):
        return []
    values = value if isinstance(value, list) else [value]
    sound = all(isinstance(one, dict) and isinstance(one.get("name"), str) and key in one for one in values)
    return values if sound else []


def check_structured(payload: Any) -> Iterator[str]:
    run = Exchanges()
    for entry in payload:
        role, content = entry["role"], entry["content"]
        if role not in ("system", "user", "gemini", "chatgpt", "tool"):
            yield f"role {role}"
        if not isinstance(content, str | list):
            yield f"content {content!r}"
        parts = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
        if role == "user" and not any(one.get("type") == "tool_result" for one in parts):
            yield from run.other()
        texts = content if isinstance(content, list) else [content] if content else []
        if role == "tool" and texts and all(isinstance(one, str) or one.get("type") == "text" for one in texts):
            # The older form: only a tool's output.
            yield from run.result(None, ordered=False)
        for one in parts:
            said = one.get("content")
            if one.get("type") == "text" and not isinstance(said, str):
                yield f"text {said!r}"
            if one.get("type") == "tool_call":
                if not isinstance(said["name"], str) or not isinstance(said.get("arguments", {}), dict | str):
                    yield f"call {said!r}"
                yield from run.call(said["name"], said.get("tool_call_id"))
            if one.get("type") == "tool_result":
                yield from run.result(one.get("name"), one.get("tool_call_id") or None, ordered=False)
    yield from run.other()


def check_sharegpt(payload: Any) -> Iterator[str]:
    run, sides = Exchanges(), []
    for at, one in enumerate(payload["conversations"]):
        who, said = one["from"], one["value"]
        sides += [who in ("human", "observation")] if who != "system" else []
        if not isinstance(said, str):
            yield f"value {said!r}"
        if who == "function_call":
            calls = calls_in(said, "arguments")
            if not calls:
                yield f"call {said!r}"
            for call in calls:
                yield from run.call(call["name"])
        elif who == "observation":
            for _ in said.split("\n</tool_response>\n<tool_response>\n"):
                yield from run.result(None)
        elif who == "human":
            yield from run.other()
        elif who == "system" and at > 0:
            yield f"system text at {at}"
        elif who not in ("gpt", "system"):
            yield f"from {who}"
    yield from run.other()
    # LLaMA-Factory skips a row in which one side has two elements in a row.
    yield from ("a side speaks twice" for before, after in itertools.pairwise(sides) if before == after)
    if not isinstance(payload.get("system") or "", str) or not isinstance(payload.get("tools") or "", str | list):
        yield "system or tools"


def check_llama(payload: Any) -> Iterator[str]:
    run = Exchanges()
    system = True
    for message in payload:
        role, said = message["role"], message["content"]
        if not isinstance(said, str) or message.get("tool_calls"):
            yield f"content {said!r}"
        if role == "system" and not system:
            yield "system text behind others"
        system &= role == "system"
        result = json.loads(said) if role == "user" and said.lstrip().startswith('{"tool_result"') else None
        calls = calls_in(said, "parameters") if role == "assistant" else []
        for call in calls:
            yield from run.call(call["name"])
        if result is not None and not run.open:
            # Without a call it is the user's text.
            result = None
        if result is not None:
            name = result["tool_result"]["name"]
            yield from run.result(None if name == "unknown" else name)
        elif role == "user":
            yield from run.other()
    yield from run.other()


def check_llama_3(payload: Any) -> Iterator[str]:
    run = Exchanges()
    system = True
    for message in payload:
        role = message["role"]
        if role == "system" and not system:
            yield "system text behind others"
        system &= role == "system"
        if "tool_calls" in message:
            calls = message["tool_calls"]
            if not isinstance(calls, list) or len(calls) != 1 or role != "assistant":
                yield f"calls {calls!r}"
                continue
            inner = calls[0].get("function", calls[0])
            if not isinstance(inner["name"], str) or not isinstance(inner["arguments"], dict):
                yield f"call {inner!r}"
            yield from run.call(inner["name"])
        elif role in ("ipython", "tool"):
            yield from run.result(message.get("name"))
        elif not isinstance(message.get("content", ""), str):
            yield f"content {message['content']!r}"
        elif role == "user":
            yield from run.other()
    yield from run.other()


def check_hf(payload: Any) -> Iterator[str]:
    run = Exchanges()
    for message in payload["messages"]:
        role = message["role"]
        if role not in ("system", "developer", "user", "assistant", "tool"):
            yield f"role {role}"
        for call in message.get("tool_calls") or ():
            inner = call["function"]
            if not isinstance(inner["name"], str) or not isinstance(inner.get("arguments"), dict):
                yield f"call {inner!r}"
            yield from run.call(inner["name"], call.get("id"))
        if role == "tool":
            yield from run.result(message.get("name"))
        elif role == "user":
            yield from run.other()
        if not isinstance(message.get("content") or "", str | list):
            yield f"content {message['content']!r}"
    yield from run.other()


CHECKS: dict[str, Callable[[Any], Iterator[str]]] = {
    "structured": check_structured,
    "sharegpt": check_sharegpt,
    "llama": check_llama,
    "llama:3": check_llama_3,
    "openai:hf": check_hf,
}

# Values that may be anywhere.
JUNK: list[Any] = [None, "", " ", "w", 1, True, [], {}, [None], {"a": 1}, "{}", '{"name": "f"}', "system", "tool"]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with each of its keys."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def spoil(payload: Any, dice: random.Random) -> Any:
    """The same with one to three faults, most of them in its list."""
    spoilt = copy.deepcopy(payload)
    for _ in range(dice.randint(1, 3)):
        elements = spoilt if isinstance(spoilt, list) else next(iter(spoilt.values()), None)
        if isinstance(elements, list) and elements and dice.random() < 0.5:
            at, to = dice.randrange(len(elements)), dice.randrange(len(elements))
            way = dice.choice(["drop", "twice", "swap", "move"])
            if way == "drop":
                del elements[at]
            elif way == "twice":
                elements.insert(to, copy.deepcopy(elements[at]))
            elif way == "swap":
                elements[at], elements[to] = elements[to], elements[at]
            else:
                elements.insert(to, elements.pop(at))
            continue
        found = list(places(spoilt))
        if not found:
            continue
        holder, key = dice.choice(found)
        if dice.random() < 0.4:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(dice.choice(JUNK))
    return spoilt


def built(payload: Any, name: str) -> tuple[tw.Conversation | None, Any]:
    """The result of a build for the same dialect, or the error of what cannot be read or built."""
    try:
        read = tw.Conversation.parse(payload, name, tool_results=True)
        made = tw.MessageBuilder().set_messages(read).build(target=name)
    except (tw.ParseError, tw.BuildError) as error:
        return None, (type(error), error.code, error.path)
    return made, made.render(name)


@pytest.mark.parametrize("name", CHECKS)
def test_sound_payloads_are_left_alone(name):
    for payload in SOUND[name]:
        made, rendered = built(payload, name)
        assert made is not None
        assert not made.receipt
        key = {"sharegpt": "conversations", "openai:hf": "messages"}.get(name)
        body = payload if key is None or isinstance(payload, dict) else {key: payload}
        assert rendered.payload == body
        assert list(CHECKS[name](rendered.payload)) == []
        assert tw.check(tw.Conversation.parse(payload, name, tool_results=True), target=name) == ()


@pytest.mark.parametrize("name", CHECKS)
@given(dice=st.randoms(use_true_random=True))
@settings(max_examples=tries(150))
def test_whatever_is_built_is_what_the_dialect_takes(name, dice):
    payload = spoil(dice.choice(SOUND[name]), dice)
    before = repr(payload)
    made, rendered = built(payload, name)
    assert repr(payload) == before
    # Both functions agree.
    other, text = built(json.dumps(payload, separators=(",", ":")), name)
    if made is None:
        assert (other, text) == (made, rendered)
        return
    assert other is not None
    assert str(other.receipt) == str(made.receipt)
    assert text.payload == rendered.payload
    assert list(CHECKS[name](rendered.payload)) == [], rendered.payload
    # Built again, from the conversation or from the payload, it does not change.
    again = tw.MessageBuilder().set_messages(made).build(target=name)
    assert not again.receipt
    assert again.render(name).payload == rendered.payload
    last, written = built(rendered.payload, name)
    assert last is not None
    assert written.payload == rendered.payload, str(last.receipt)


@pytest.mark.parametrize("target", ["openai", "anthropic", "gemini", *CHECKS])
@pytest.mark.parametrize("name", CHECKS)
@given(dice=st.randoms(use_true_random=True))
@settings(max_examples=tries(15))
def test_conversions_of_spoilt_payloads_are_the_same_by_both_functions(name, target, dice):
    payload = spoil(dice.choice(SOUND[name]), dice)
    try:
        rendered = tw.convert(payload, name, target, tool_results=True)
    except tw.TurnwireError:
        return
    text = tw.convert_json(json.dumps(payload, separators=(",", ":")), name, target, tool_results=True)
    assert (json.loads(text.payload), text.losses) == (rendered.payload, rendered.losses)


def test_the_checkers_see_what_is_wrong():
    """Each sound payload without one of its results, or with one too many, or with a malformed call."""
    for name, check in CHECKS.items():
        payload = copy.deepcopy(SOUND[name][0])
        elements = payload if isinstance(payload, list) else next(iter(payload.values()))
        results = [
            at
            for at, one in enumerate(elements)
            if one.get("role", one.get("from")) in ("tool", "ipython", "observation") or "tool_result" in str(one)
        ]
        assert list(check(payload)) == []
        elements.insert(results[-1], copy.deepcopy(elements[results[-1]]))
        # A result without a call is the user's text in `llama`.
        assert list(check(payload)) != [] or name == "llama"
        del elements[results[-1]]
        del elements[results[-1]]
        assert list(check(payload)) != []
