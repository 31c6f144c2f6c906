"""`prepare` is the builder and the rendering in one call, with system text and tools in front."""

import copy
import json

import pytest
import turnwire as tw

ASK = {"role": "user", "content": "find it"}
CALL = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "x"}'}}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
FOUND = {"role": "tool", "tool_call_id": "c1", "content": "here " * 100}
HISTORY = [ASK, CALLED, {"role": "user", "content": "hurry"}, FOUND]
USED = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "x"}}]}
SEARCH = {"name": "search", "description": "find", "input_schema": {"type": "object", "properties": {}}}
WEB = {"type": "web_search_20250305", "name": "web_search"}
FUNCTION = {"type": "function", "function": {"name": "search", "parameters": {"type": "object"}}}


def said(tools):
    return [tool.get("name") or tool["function"]["name"] for tool in tools]


@pytest.mark.parametrize("target", [name for name in tw.dialects() if ":" not in name])
def test_it_is_the_chain_in_one_call(target):
    # Chats look alike: where nothing decides, a list is read as the target's own.
    built = tw.spec.MessageBuilder().set_messages(HISTORY, "openai").set_budget(200).build(target)
    ready = tw.prepare(HISTORY, target, 200, source="openai")
    assert ready.payload == built.render(target).payload
    assert {"moved_result", "cut_result"} <= {change.code for change in ready.receipt.only("repaired", "cut")}
    assert ready.receipt == built.render(target).receipt
    assert json.loads(tw.prepare_json(HISTORY, target, 200, source="openai").payload) == ready.payload
    assert tw.prepare_json(HISTORY, target, 200, source="openai").receipt == ready.receipt


def test_what_was_prepared_is_left_alone():
    for target in ("openai", "anthropic"):
        ready = tw.prepare(HISTORY, target, 200, system="s", tools=[FUNCTION])
        again = tw.prepare(ready.payload, target, 200)
        assert again.payload == ready.payload
        assert not again.receipt.changed


def test_nothing_that_was_given_is_changed_or_shared():
    given = copy.deepcopy([*HISTORY, USED])
    tools = [copy.deepcopy(FUNCTION)]
    ready = tw.prepare(given, "openai", tools=tools)
    ready.payload["messages"].clear()
    ready.payload["tools"][0]["function"].clear()
    assert given == [*HISTORY, USED]
    assert tools == [FUNCTION]


@pytest.mark.parametrize("system", ["first", ["first"], ("first",)])
def test_system_text_comes_first(system):
    own = {"system": "second", "messages": [ASK]}
    blocks = [{"type": "text", "text": "first"}, {"type": "text", "text": "second"}]
    assert tw.prepare(own, "anthropic", system=system).payload == {"system": blocks, "messages": [ASK]}
    assert tw.prepare([ASK], "anthropic", system=system).payload == {"system": "first", "messages": [ASK]}
    first = {"role": "system", "content": "first"}
    assert tw.prepare([ASK], "openai", system=system).payload == {"messages": [first, ASK]}
    second = {"role": "system", "content": "second"}
    assert tw.prepare([second, ASK], "openai", system=system).payload == {"messages": [first, second, ASK]}
    assert tw.prepare([second, ASK], "anthropic", system=system).payload == {"system": blocks, "messages": [ASK]}
    assert tw.prepare(own, "openai", system=system).payload["messages"][0] == {"role": "system", "content": blocks}


def test_system_text_is_no_change_and_counts():
    ready = tw.prepare([ASK], "openai", system="s")
    assert not ready.receipt.changed
    assert ready.sources == ((), (0,))
    with pytest.raises(tw.BuildError) as caught:
        tw.prepare([ASK], "openai", 10, system="s" * 10)
    assert caught.value.code == "budget_too_small"


def test_tools_of_the_target_go_as_they_came():
    history = [ASK, USED, {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "x"}]}]
    for messages in (history, HISTORY, {"messages": history}):
        ready = tw.prepare(messages, "anthropic", tools=[{**SEARCH, "cache_control": {"type": "ephemeral"}}, WEB])
        assert ready.payload["tools"] == [{**SEARCH, "cache_control": {"type": "ephemeral"}}, WEB]
        assert [message["role"] for message in ready.payload["messages"]][:3] == ["user", "assistant", "user"]
        assert ready.payload["messages"][1]["content"][0]["type"] == "tool_use"
        assert not [change for change in ready.receipt if change.path.startswith("$.tools")]


def test_tools_in_any_form_become_the_targets():
    bare = {"name": "search", "description": "find", "parameters": {"type": "object", "properties": {}}}
    for tool in (SEARCH, bare, {"type": "function", "function": bare}):
        assert tw.prepare([ASK], "anthropic", tools=[tool]).payload["tools"] == [SEARCH]
        (function,) = tw.prepare([ASK], "openai", tools=iter([tool])).payload["tools"]
        assert function == {"type": "function", "function": bare}


def test_tools_go_before_those_that_the_messages_bring():
    body = {"messages": [ASK], "tools": [FUNCTION, {"type": "function", "function": {"name": "other"}}]}
    given = {"name": "search", "description": "the given one", "parameters": {"type": "object"}}
    for target in ("openai", "anthropic"):
        tools = tw.prepare(body, target, tools=[{"name": "new", "parameters": {"type": "object"}}, given]).payload[
            "tools"
        ]
        assert said(tools) == ["new", "search", "other"]
        assert "the given one" in json.dumps(tools)
    # What another provider runs is not sent to this one.
    assert said(tw.prepare(body, "anthropic", tools=[WEB]).payload["tools"]) == ["web_search", "search", "other"]
    ready = tw.prepare(body, "openai", tools=[WEB])
    assert said(ready.payload["tools"]) == ["search", "other"]
    assert [loss.path for loss in ready.receipt if loss.kind == "lost"] == ["$.tools[0]"]


def test_no_tools_are_no_key():
    for tools in (None, [], ()):
        assert tw.prepare([ASK], "openai", tools=tools).payload == {"messages": [ASK]}


def test_options_of_the_budget():
    history = [ASK, CALLED, FOUND, {"role": "user", "content": "and more " * 20}]
    by_words = {"count": lambda text: len(text.split()), "reserve": 0}
    assert not tw.prepare(history, "openai", tw.Budget(max_tokens=1000, **by_words)).receipt
    assert tw.prepare(history, "openai", tw.Budget(max_tokens=100, **by_words)).receipt
    assert FOUND["content"] in json.dumps(tw.prepare(history, "openai", 700, pinned=[2]).payload)
    assert FOUND["content"] not in json.dumps(tw.prepare(history, "openai", 500).payload)


def test_options_of_builder_and_rendering():
    history = [{"role": "assistant", "content": "hello", "reasoning_content": "hm"}, ASK, CALLED]
    ready = tw.prepare(history, "anthropic", end="calls", wording={"opening": "(begin)"}, reasoning="text")
    assert [message["role"] for message in ready.payload["messages"]] == ["user", "assistant", "user", "assistant"]
    assert "hm" in json.dumps(ready.payload)
    assert [change.code for change in ready.receipt.only("added", "repaired")] == ["opening_added"]
    with pytest.raises(tw.RenderError):
        tw.prepare(history, "anthropic", end="calls", wording={"opening": "(begin)"}, strict=True)
    summary = {"summary": "was said", "startMessageId": "2", "messageIds": ["1"]}
    entities = [{"id": "1", "body": ASK}, {"id": "2", "body": {"role": "user", "content": "go on"}}]
    ready = tw.prepare(entities, "openai", summary=summary)
    assert [message["role"] for message in ready.payload["messages"]] == ["system", "user"]


def test_every_form_of_messages():
    wanted = tw.prepare(HISTORY, "anthropic").payload
    for messages in (
        tuple(HISTORY),
        {"messages": HISTORY},
        {"model": "m", "messages": HISTORY},
        json.dumps(HISTORY),
        json.dumps({"messages": HISTORY}).encode(),
        bytearray(json.dumps(HISTORY).encode()),
        [{"id": str(at), "body": message} for at, message in enumerate(HISTORY)],
        tw.Conversation.parse(HISTORY),
        [*tw.Conversation.parse(HISTORY)],
    ):
        assert tw.prepare(messages, "anthropic").payload == wanted


def test_a_result_in_a_users_text_is_one_where_the_caller_says_so():
    text = '{"tool_result": {"name": "search", "result": "' + "here " * 100 + '"}}'
    call = '{"name": "search", "parameters": {"q": "x"}}'
    messages = [ASK, {"role": "assistant", "content": call}, {"role": "user", "content": text}]
    wanted = tw.Conversation.parse(messages, "llama", tool_results=True)
    (result,) = wanted.turns[2].parts
    assert isinstance(result, tw.ToolUseResult)
    built = tw.spec.MessageBuilder().set_messages(wanted).set_budget(200).build("openai")
    assert tw.spec.MessageBuilder().set_messages(messages, "llama", tool_results=True).set_budget(200).build() == built
    ready = tw.prepare(messages, "openai", 200, source="llama", tool_results=True)
    assert ready.payload == built.render("openai").payload
    assert [message["role"] for message in ready.payload["messages"]] == ["user", "assistant", "tool"]
    assert [change.code for change in ready.receipt.only("cut")] == ["cut_result"]
    as_bytes = tw.prepare_json(messages, "openai", 200, source="llama", tool_results=True)
    assert json.loads(as_bytes.payload) == ready.payload
    assert tw.check(messages, "openai", source="llama", tool_results=True) == tw.check(wanted, target="openai")
    # Without `tool_results`, the JSON text stays the user's text.
    plain = tw.prepare(messages, "openai", source="llama")
    assert plain.payload["messages"][-1] == messages[-1]
    assert [change.code for change in plain.receipt.only("added")] == ["missing_result"]
    assert "missing_result" in {found.code for found in tw.check(messages, "openai", source="llama")}


def test_an_opening_only_where_it_is_wanted():
    history = [{"role": "assistant", "content": "hello"}, ASK]
    assert tw.prepare(history, "openai", wording={"opening": "(begin)"}).payload["messages"] == history
    assert tw.prepare([ASK], "anthropic", wording={"opening": "(begin)"}).payload["messages"] == [ASK]
    # A first message that the target would not accept does not count.
    blank = [{"role": "user", "content": [{"text": " "}]}, {"role": "assistant", "content": [{"text": "Hello"}]}]
    ready = tw.prepare(
        [*blank, {"role": "user", "content": [{"text": "Hi"}]}], "bedrock", wording={"opening": "(begin)"}
    )
    assert [one["content"][0]["text"] for one in ready.payload["messages"]] == ["(begin)", "Hello", "Hi"]
    for opening in (None, "", " \n"):
        with pytest.raises(tw.BuildError) as caught:
            tw.prepare(history, "anthropic", wording={"opening": opening})
        assert caught.value.code == "starts_with_assistant"
    ready = tw.prepare(history, "anthropic", wording={"opening": "(begin)"}, system="s")
    assert ready.sources == ((), (0,), (1,))
    assert ready.receipt.first_changed_index == 0
    assert not tw.prepare(ready.payload, "anthropic", wording={"opening": "(begin)"}).receipt
    # A lone surrogate becomes U+FFFD, and that is reported.
    halved = tw.prepare(history, "anthropic", wording={"opening": "be\ud83dgin"})
    assert halved.payload["messages"][0]["content"] == "be\ufffdgin"
    assert {entry.code for entry in halved.receipt if entry.kind != "warning"} == {"opening_added", "lone_surrogate"}


def test_check_reads_as_prepare_does():
    marked = [{"role": "user", "content": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]}]
    assert not tw.check(marked, target="anthropic")
    assert [found.code for found in tw.check(HISTORY, target="anthropic") if found.id] == ["moved_result"]
    assert not tw.check([*TYPED, ASK], target="anthropic").only("repaired", "refused", "warning")


TYPED = [tw.spec.UserMessage.new_prompt("hello"), tw.spec.AssistantMessage.new_response(None, "hello")]


@pytest.mark.parametrize("system", ["", " ", "\n\t", ["", " "]])
@pytest.mark.parametrize("target", tw.dialects())
def test_nothing_but_blank_system_text_is_sent_or_refused_and_never_an_empty_list(target, system):
    try:
        made = tw.prepare([], target, system=system)
    except tw.BuildError as error:
        assert error.code == "empty_messages"
        return
    messages = made.payload
    if isinstance(messages, dict):
        messages = next(
            messages[key]
            for key in ("messages", "contents", "input", "conversations", "gen_ai.input.messages")
            if key in messages
        )
    assert messages
