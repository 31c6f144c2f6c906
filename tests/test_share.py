"""`share=True`: the payload has the caller's own elements where they need no change, and is otherwise the same."""

import collections
import copy
import json
import sys

import pytest
import turnwire as tw
from random_runs import some
from world import conversation, drive
from world.options import keywords
from world.outcome import attempt

SEEDS = range(2)


def ask(text="q"):
    return {"role": "user", "content": text}


def call(*ids):
    calls = [{"id": one, "type": "function", "function": {"name": "look", "arguments": "{}"}} for one in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def answer(one, text="r"):
    return {"role": "tool", "tool_call_id": one, "content": text}


def own_in(payload, body):
    """The elements of the payload's list that are the caller's, by their positions there and here."""
    given = elements(body)
    made = elements(payload)
    return {
        at: next(of for of, own in enumerate(given) if own is one) for at, one in enumerate(made) if is_in(one, given)
    }


def is_in(one, given):
    return any(one is own for own in given)


def elements(body):
    if isinstance(body, list):
        return body
    keys = ("messages", "input", "contents", "conversations", "spans", "gen_ai.input.messages")
    lists = (body.get(key) for key in keys)
    return next((one for one in lists if isinstance(one, list)), [])


def containers(value):
    """The ids of all dicts and lists of a value."""
    if isinstance(value, dict):
        return {id(value)}.union(*map(containers, value.values()))
    return {id(value)}.union(*map(containers, value)) if isinstance(value, list) else set()


def exact(value):
    """The value with the type of each node, and with the order of its keys."""
    if isinstance(value, dict):
        return dict, [(key, exact(one)) for key, one in value.items()]
    if isinstance(value, list):
        return list, [exact(one) for one in value]
    return type(value), repr(value)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_payload_is_the_same_and_what_needs_no_change_is_the_callers(seed):
    wrong, shared = [], collections.Counter()
    for words, case in some(drive.cases(seed), seed):
        for target in {case["target"], case["source"]}:
            kept, body = conversation.body(case | {"target": target}, words)
            options = keywords(kept) | ({"budget": 300} if words % 3 == 0 else {})
            before = copy.deepcopy(body)
            plain, error = attempt(tw.prepare, body, target, **options)
            made, other = attempt(tw.prepare, body, target, share=True, **options)
            where = f"{case['source']} -> {target}, words {words}"
            if exact(body) != exact(before):
                wrong.append(f"{where}: the caller's messages have changed")
            if error is not None or other is not None:
                if str(error) != str(other):
                    wrong.append(f"{where}: {error!r} and {other!r}")
                continue
            if exact(made.payload) != exact(plain.payload) or made != plain:
                wrong.append(f"{where}: the payloads differ")
            if (isinstance(body, list | dict) and made.payload is body) or elements(made.payload) is elements(body):
                wrong.append(f"{where}: a list is the caller's")
            own = own_in(made.payload, body)
            shared[target] += len(own)
            touched = {change.index for change in made.receipt}
            for at, (source, element) in enumerate(zip(made.sources, elements(made.payload), strict=True)):
                of = elements(body)[source[0]] if len(source) == 1 and source[0] < len(elements(body)) else None
                # What is read as another format is written anew, even where that makes no difference.
                is_read = options.get("source") == target
                if is_read and element == of and source[0] not in touched and at not in own:
                    wrong.append(f"{where}: element {at} is a copy")
                if at not in own and containers(element) & containers(body):
                    wrong.append(f"{where}: element {at} has something of the caller's")
    assert wrong == []
    assert len(shared) > 15 and sum(shared.values()) > 100, shared


def test_lists_are_new_and_elements_are_the_callers_tools_too():
    tool = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}
    body = {"model": "gpt-5", "messages": [ask(), call("c1"), answer("c1")], "tools": [tool]}
    made = tw.prepare(body, "openai", share=True)
    assert made.payload == {"messages": body["messages"], "tools": body["tools"]}
    assert made.messages is not body["messages"] and made.payload["tools"] is not body["tools"]
    assert all(one is own for one, own in zip(made.messages, body["messages"], strict=True))
    assert made.payload["tools"][0] is tool
    bare = tw.prepare(body["messages"], "openai", share=True)
    assert all(one is own for one, own in zip(bare.messages, body["messages"], strict=True))


def test_without_it_nothing_is_the_callers():
    body = [ask(), call("c1"), answer("c1")]
    for options in ({}, {"share": False}):
        made = tw.prepare(body, "openai", **options)
        assert made.messages == body
        assert not containers(made.payload) & containers(body)


def test_what_is_repaired_is_new_and_the_rest_is_the_callers():
    body = [
        {"role": "system", "content": "s"},
        ask(),
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c 1", "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c 1", "content": "r"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
        ask("more"),
    ]
    before = copy.deepcopy(body)
    made = tw.prepare(body, "anthropic", source="anthropic", share=True)
    assert body == before
    assert made.payload["system"]
    assert [is_in(one, body) for one in made.messages] == [True, False, False, True, True]


def test_what_is_cut_is_new():
    body = [ask(), call("c1"), answer("c1", "r" * 2000), call("c2"), answer("c2", "s" * 20), ask("z")]
    before = copy.deepcopy(body)
    made = tw.prepare(body, "openai", tw.Budget(per_result=300), share=True)
    assert body == before and len(made.messages[2]["content"]) <= 300
    assert [is_in(one, body) for one in made.messages] == [True, True, False, True, True, True]


@pytest.mark.parametrize("target", ["anthropic", "bedrock"])
def test_cache_marks_are_put_into_copies(target):
    texts = [{"role": role, "content": f"{role} {at} " * 2000} for at in range(3) for role in ("user", "assistant")]
    body = tw.convert([*texts, ask("go on")], target, source="openai").payload
    # The same dict twice: only the last one is marked.
    body["messages"][0] = body["messages"][-1]
    before = copy.deepcopy(body)
    made = tw.prepare(body, target, cache="auto", share=True)
    assert made.payload == tw.prepare(body, target, cache="auto").payload
    assert body == before
    marked = [json.dumps(one) != json.dumps(own) for one, own in zip(made.messages, body["messages"], strict=True)]
    assert 0 < sum(marked) < len(marked) - 2 and marked[-1] and not marked[0]
    for one, is_marked in zip(made.messages[1:], marked[1:], strict=True):
        assert is_in(one, body["messages"]) is not is_marked


def test_marked_tools_and_system_blocks_are_copies():
    tools = [{"name": name, "description": "d" * 9000, "input_schema": {"type": "object"}} for name in ("f", "g")]
    body = {"system": [{"type": "text", "text": "s" * 9000}], "tools": tools, "messages": [ask("q" * 9000)]}
    before = copy.deepcopy(body)
    made = tw.prepare(body, "anthropic", cache="auto", model="claude-opus-5", share=True)
    assert body == before
    assert made.payload["tools"][0] is tools[0] and made.payload["tools"][1] is not tools[1]
    assert "cache_control" in made.payload["tools"][1] and "cache_control" in made.payload["system"][0]


class Words(str):
    """A str of the caller's own type."""


class Kept(dict):
    """A dict of the caller's own type."""


ODD = {
    "tuple": lambda: {"role": "user", "content": ({"type": "text", "text": "q"},)},
    "ordered": lambda: collections.OrderedDict(role="user", content="q"),
    "subclass": lambda: Kept(role="user", content="q"),
    "subclass inside": lambda: {"role": "user", "content": [Kept(type="text", text="q")]},
    "list subclass": lambda: {"role": "user", "content": type("Blocks", (list,), {})([{"type": "text", "text": "q"}])},
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_no_plain_data_is_copied_as_without_it(name):
    odd, plain = ODD[name](), ask("plain")
    made = tw.prepare([odd, plain], "openai", share=True, end="calls")
    assert exact(made.payload) == exact(tw.prepare([odd, plain], "openai", end="calls").payload)
    assert made.messages[0] is not odd and type(made.messages[0]) is dict
    assert made.messages[-1] is plain


def test_bytes_that_their_owner_may_change_are_copied():
    picture = {"image": {"format": "png", "source": {"bytes": bytearray(b"\x89PNG")}}}
    odd, fixed = ({"role": "user", "content": [{"text": "q"}, one]} for one in (picture, copy.deepcopy(picture)))
    fixed["content"][1]["image"]["source"]["bytes"] = b"\x89PNG"
    for message, is_own in ((odd, False), (fixed, True)):
        (made,) = tw.prepare([message], "bedrock", share=True).messages
        assert (made is message) is is_own
        assert type(made["content"][1]["image"]["source"]["bytes"]) is bytes


def test_a_str_of_another_type_stays_and_its_message_is_the_callers():
    message = {"role": "user", Words("content"): Words("q")}
    assert tw.prepare([message], "openai", share=True).messages[0] is message


def changed(message):
    message.pop("pin", None)
    return False


def test_what_a_function_of_the_caller_changes_meanwhile_is_written_as_it_was_read():
    body = [ask() | {"pin": 1}, {"role": "assistant", "content": "a"}, ask("z")]
    made = tw.prepare(body, "openai", pinned=changed, share=True)
    assert body[0] == ask()
    # As without sharing: the message was read before.
    assert made.messages == tw.prepare([ask() | {"pin": 1}, *body[1:]], "openai").messages
    assert [is_in(one, body) for one in made.messages] == [False, True, True]


def test_json_and_conversations_have_no_elements_to_share():
    body = [ask(), {"role": "assistant", "content": "a"}, ask("z")]
    for given in (json.dumps(body), tw.Conversation.parse(body)):
        assert tw.prepare(given, "openai", share=True).messages == body
    assert tw.prepare(tw.prepare(body, "openai"), "openai", share=True).messages == body


def test_no_reference_to_an_element_stays():
    body = [ask(str(at)) for at in range(50)]
    made = tw.prepare(body, "openai", share=True, end="calls")
    counts = [sys.getrefcount(one) for one in body]
    del made
    assert [sys.getrefcount(one) + 1 for one in body] == counts


@pytest.mark.parametrize("value", ["yes", 1, None])
def test_it_is_a_bool(value):
    with pytest.raises(TypeError, match="share"):
        tw.prepare([ask()], "openai", share=value)


@pytest.mark.parametrize("door", [tw.prepare_json, tw.check, tw.convert])
def test_only_prepare_takes_it(door):
    with pytest.raises(TypeError, match="share"):
        door([ask()], "openai", share=True)
