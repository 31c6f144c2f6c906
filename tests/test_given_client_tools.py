"""Definitions of tools that the caller runs and only one format describes, given beside messages: in their own form on
their own wire, and as functions elsewhere; and which of them the model can still call."""

import json

import pytest
import turnwire as tw
from judges import gemini_interactions, wire

GO, ON = {"role": "user", "content": "go"}, {"role": "user", "content": "and?"}
NOTHING = {"type": "object", "properties": {}}
FOREIGN = ("openai", "anthropic", "gemini", "gemini-interactions", "bedrock", "mistral", "cohere", "ollama")
ROWS = ("openai:deepseek", "openai:kimi", "openai:qwen", "openai:fireworks", "openai:cerebras", "openai:compatible")
# While these think, they take no choice of one tool.
THINKERS = ("openai:deepseek", "openai:kimi", "openai:qwen")
SEARCH = {"type": "tool_search", "execution": "client", "description": "finds", "parameters": NOTHING}
GRAMMAR = {"type": "grammar", "syntax": "lark", "definition": 'start: "a" | "b"'}


def function(name, **more):
    return {"type": "function", "name": name, "description": name, "parameters": NOTHING, "strict": False, **more}


def group(name, *tools):
    return {"type": "namespace", "name": name, "description": f"of {name}", "tools": list(tools)}


MEMBER = {"type": "function", "name": "s", "parameters": {}}
OWN = {
    "a group": [group("a", MEMBER)],
    "a group and a function": [group("a", MEMBER), function("w")],
    "a hidden function": [function("w", defer_loading=True), {"type": "tool_search"}],
    "a search": [function("w", defer_loading=True), SEARCH],
    "run by the caller": [{"type": "shell"}, {"type": "local_shell"}, {"type": "apply_patch"}],
    "beside a custom one": [function("w"), {"type": "shell"}, {"type": "custom", "name": "g"}],
}
CHAT = [
    GO,
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "w", "arguments": "{}"}}],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "x"},
    ON,
]
CLAUDE = [
    GO,
    {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "w", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "x"}]},
    ON,
]
LISTS = {"a user": [GO], "chat": CHAT, "claude": CLAUDE}


def body(messages, **more):
    return {"model": "m", "messages": messages, **more}


def defined(payload, target):
    return [tool["name"] for tool in tw.Conversation.parse(payload, target).tools]


def refused(target, payload):
    if target == "gemini-interactions":
        return [str(problem) for problem in gemini_interactions.check(payload)]
    return wire.refused(target, payload)


def ways(messages, target, tools):
    """The payload of each way that takes tools beside messages."""
    yield tw.prepare(messages, target, tools=tools, blobs="base64").payload
    yield tw.Ledger(target).prepare(messages, tools=tools).payload
    yield tw.prepare(body(messages), target, tools=tools, blobs="base64", source="auto").payload


@pytest.mark.parametrize("messages", LISTS)
@pytest.mark.parametrize("what", OWN)
def test_tools_of_responses_stay_on_their_own_wire(what, messages):
    given = json.loads(json.dumps(OWN[what]))
    for payload in ways(LISTS[messages], "openai-responses", given):
        assert payload["tools"] == OWN[what]
        assert wire.refused("openai-responses", payload) == []
    assert given == OWN[what]


@pytest.mark.parametrize("messages", LISTS)
@pytest.mark.parametrize("what", OWN)
@pytest.mark.parametrize("target", FOREIGN)
def test_tools_of_responses_are_those_of_a_body_elsewhere(what, target, messages):
    if target == "gemini-interactions" and what in ("a hidden function", "a search"):
        # Google's own form: it has the same search, and shows functions after it.
        for payload in ways(LISTS[messages], target, OWN[what]):
            assert payload["tools"] == OWN[what]
        return
    same = tw.prepare({"model": "m", "input": [GO], "tools": OWN[what]}, target, blobs="base64").payload
    for payload in ways(LISTS[messages], target, OWN[what]):
        names = [name for name in defined(payload, target) if name != "tool_search" or what == "a search"]
        assert names == defined(same, target), payload
    receipt = tw.prepare(LISTS[messages], target, tools=OWN[what], blobs="base64").receipt
    hosted = {"type": "tool_search"} in OWN[what]
    assert sum(one.kind == "lost" and one.code == "tool" for one in receipt) == hosted


@pytest.mark.parametrize("messages", LISTS)
@pytest.mark.parametrize("target", ("openai", "openai-responses", "gemini", "bedrock", "anthropic"))
def test_client_tools_of_claude_beside_any_messages(target, messages):
    tools = [
        {"type": "bash_20250124", "name": "bash"},
        {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"},
        {"name": "w", "description": "w", "input_schema": NOTHING},
    ]
    for payload in ways(LISTS[messages], target, tools):
        if target == "anthropic":
            assert payload["tools"] == tools
        else:
            assert defined(payload, target) == ["bash", "str_replace_based_edit_tool", "w"]


@pytest.mark.parametrize("target", ("openai", "openai-responses", "anthropic", "gemini", "mistral"))
def test_tools_of_several_formats_beside_each_other(target):
    chat = {"type": "function", "function": {"name": "c", "description": "c", "parameters": NOTHING}}
    tools = [chat, {"type": "bash_20250124", "name": "bash"}, group("a", MEMBER), {"type": "shell"}]
    payload = tw.prepare(CHAT, target, tools=[*tools, function("w")]).payload
    names = [name for name in defined(payload, target) if name not in ("namespace", "bash_20250124")]
    assert {"c", "w"} <= set(names)
    if target == "openai-responses":
        assert payload["tools"][2:4] == tools[2:]
    else:
        assert {"a__s", "shell"} <= set(names)
    if target == "anthropic":
        assert payload["tools"][1] == tools[1]
    else:
        assert "bash" in names
    assert wire.refused(target, payload) == []


@pytest.mark.parametrize("target", ("openai-responses", "anthropic"))
def test_given_tools_replace_those_of_the_same_name_only(target):
    brought = {"model": "m", "input": [GO], "tools": [group("b", MEMBER), {"type": "shell"}]}
    payload = tw.prepare(brought, target, tools=[group("a", MEMBER), {"type": "shell"}]).payload
    names = [tool.get("name", tool.get("type")) for tool in payload["tools"]]
    assert names == (["a", "shell", "b"] if target == "openai-responses" else ["a__s", "shell", "b__s"])


def test_tools_keep_their_form_in_a_stored_conversation():
    import pickle

    made = tw.Conversation([], tools=OWN["a search"] + OWN["a group"] + OWN["run by the caller"])
    kept = pickle.loads(pickle.dumps(made))
    for conversation in (made, kept):
        tools = conversation.render("openai-responses").payload["tools"]
        assert tools == OWN["a search"] + OWN["a group"] + OWN["run by the caller"]
        claude = conversation.render("anthropic").payload["tools"]
        assert [tool["name"] for tool in claude] == ["tool_search", "a__s", "shell", "local_shell", "apply_patch"]


def custom_call(name="g"):
    return {"type": "custom_tool_call", "call_id": "c1", "name": name, "input": "free text"}


CUSTOM_ANSWER = {"type": "custom_tool_call_output", "call_id": "c1", "output": "ok"}


@pytest.mark.parametrize("target", ROWS)
@pytest.mark.parametrize("own", (False, True))
def test_rows_that_know_functions_only_get_no_custom_tools(target, own):
    if own:
        call = {"id": "c1", "type": "custom", "custom": {"name": "g", "input": "free text"}}
        messages = [
            GO,
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "ok"},
            ON,
        ]
        tools = [
            {
                "type": "custom",
                "custom": {
                    "name": "g",
                    "format": {"type": "grammar", "grammar": {"syntax": "lark", "definition": 'start: "a" | "b"'}},
                },
            }
        ]
        given = body(messages, tools=tools, tool_choice={"type": "custom", "custom": {"name": "g"}})
        ready = tw.prepare(given, target, source="openai")
    else:
        tools = [{"type": "custom", "name": "g", "format": GRAMMAR}]
        given = {"model": "m", "input": [GO, custom_call(), CUSTOM_ANSWER, ON], "tools": tools}
        ready = tw.prepare({**given, "tool_choice": {"type": "custom", "name": "g"}}, target)
    [tool] = ready.payload["tools"]
    assert tool["type"] == "function"
    assert tool["function"]["parameters"]["properties"] == {"input": {"type": "string"}}
    assert GRAMMAR["definition"] in tool["function"]["description"]
    [call] = ready.payload["messages"][1]["tool_calls"]
    assert call["type"] == "function"
    assert json.loads(call["function"]["arguments"]) == {"input": "free text"}
    chosen = {"type": "function", "function": {"name": "g"}}
    assert ready.payload.get("tool_choice") == (None if target in THINKERS else chosen)
    assert [one.code for one in ready.receipt if one.kind == "lost"] == (["tool_choice"] if target in THINKERS else [])
    assert wire.refused(target, ready.payload) == []
    again = tw.prepare(ready.payload, target, source=target)
    assert (again.payload, [one for one in again.receipt if one.kind != "warning"]) == (ready.payload, [])


def test_openai_itself_keeps_custom_tools():
    tools = [{"type": "custom", "name": "g", "format": GRAMMAR}]
    given = {"model": "m", "input": [GO, custom_call(), CUSTOM_ANSWER, ON], "tools": tools}
    ready = tw.prepare(given, "openai")
    assert ready.payload["tools"][0]["type"] == "custom"
    assert ready.payload["messages"][1]["tool_calls"][0]["custom"] == {"name": "g", "input": "free text"}


@pytest.mark.parametrize("target", FOREIGN)
def test_a_grammar_goes_into_the_description(target):
    for description in ("draws", None):
        tool = {"type": "custom", "name": "g", "format": GRAMMAR}
        given = {"model": "m", "input": [GO], "tools": [tool | ({"description": description} if description else {})]}
        ready = tw.prepare(given, target, blobs="base64")
        if target == "openai":
            continue
        [made] = tw.Conversation.parse(ready.payload, target).tools
        assert made["description"].startswith(description or "The input")
        assert made["description"].endswith(GRAMMAR["definition"])
        assert [(one.kind, one.code) for one in ready.receipt if one.code == "key" or one.kind == "lost"] == []
        total = tw.prepare(given, target, blobs="base64", budget=100_000).receipt.totals["before"]
        bare = tw.prepare(
            {**given, "tools": [{**tool, "format": {"type": "text"}, "description": "draws"}]},
            target,
            budget=100_000,
            blobs="base64",
        ).receipt.totals["before"]
        assert total > bare + len(GRAMMAR["definition"]) - 10


@pytest.mark.parametrize("what", ("a custom row", "a custom stream"))
def test_a_reply_of_such_a_row_calls_the_custom_tool_again(what):
    asked = body([GO], tools=[{"type": "custom", "custom": {"name": "g"}}])
    call = {"id": "c1", "type": "function", "function": {"name": "g", "arguments": '{"input":"free"}'}}
    if what == "a custom row":
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        choice = {"index": 0, "message": message, "finish_reason": "tool_calls"}
        reply = {"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        made = tw.replies.convert_reply(reply, "openai", source="openai:deepseek", request=asked).payload
        [called] = made["choices"][0]["message"]["tool_calls"]
    else:
        head = {"id": "r", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        deltas = [{"role": "assistant", "tool_calls": [{"index": 0, **call}]}, {}]
        chunks = [
            {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None if delta else "tool_calls"}]}
            for delta in deltas
        ]
        converter = tw.replies.StreamConverter(source="openai:deepseek", target="openai", request=asked)
        out = [event for chunk in chunks for event in converter.feed(chunk)] + list(converter.finish())
        pieces = [
            piece for event in out for choice in event["choices"] for piece in choice["delta"].get("tool_calls", ())
        ]
        called = {
            **pieces[0],
            "custom": {
                "name": pieces[0]["custom"]["name"],
                "input": "".join(piece["custom"].get("input", "") for piece in pieces),
            },
        }
    assert (called["type"], called["custom"]) == ("custom", {"name": "g", "input": "free"})


def calls(payload, target):
    chat = tw.convert(payload, "openai", source=target).payload["messages"]
    return [call["function"]["name"] for message in chat for call in message.get("tool_calls", ())]


@pytest.mark.parametrize("target", FOREIGN)
def test_two_members_of_one_name_get_two_names(target):
    twins = group("a", MEMBER, {"type": "custom", "name": "s"})
    history = [
        GO,
        {"type": "function_call", "call_id": "c0", "name": "s", "namespace": "a", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c0", "output": "x"},
        {**custom_call("s"), "namespace": "a"},
        CUSTOM_ANSWER,
        ON,
    ]
    ready = tw.prepare({"model": "m", "input": history, "tools": [twins]}, target, blobs="base64")
    assert defined(ready.payload, target) == ["a__s", "a__s_2"]
    if target != "openai":
        assert calls(ready.payload, target) == ["a__s", "a__s_2"]


@pytest.mark.parametrize("target", ("openai", "anthropic", "gemini"))
def test_the_second_of_two_equal_definitions_is_told(target):
    shells = {"model": "m", "input": [GO], "tools": [{"type": "shell"}, {"type": "shell"}]}
    groups = {"model": "m", "input": [GO], "tools": [group("a", MEMBER), group("a", MEMBER)]}
    for given, name, path in ((shells, "shell", "$.tools[1]"), (groups, "a__s", "$.tools[1].tools[0]")):
        ready = tw.prepare(given, target)
        assert defined(ready.payload, target) == [name]
        assert [one.path for one in ready.receipt if "another definition" in one.reason] == [path]


@pytest.mark.parametrize("target", ("openai", "anthropic", "gemini", "bedrock"))
def test_an_empty_group_is_none(target):
    history = [
        GO,
        {"type": "function_call", "call_id": "c0", "name": "w", "namespace": "", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c0", "output": "x"},
        ON,
    ]
    ready = tw.prepare({"model": "m", "input": history, "tools": [function("w")]}, target, blobs="base64")
    assert calls(ready.payload, target) == defined(ready.payload, target) == ["w"]


@pytest.mark.parametrize("target", FOREIGN)
def test_a_tool_that_no_search_has_loaded_is_told(target):
    hidden = [function(name, defer_loading=True) for name in ("rain", "snow")]
    inner = group("g", {**MEMBER, "defer_loading": True}, {**MEMBER, "name": "t"})
    found = [
        {"type": "tool_search_call", "call_id": "c1", "execution": "client", "arguments": {"q": "x"}},
        {"type": "tool_search_output", "call_id": "c1", "execution": "client", "tools": [function("rain")]},
    ]
    given = {"model": "m", "input": [GO, *found, ON], "tools": [*hidden, inner, SEARCH]}
    ready = tw.prepare(given, target, blobs="base64")
    assert defined(ready.payload, target) == ["rain", "g__t", "tool_search"]
    told = [(one.kind, one.path) for one in ready.receipt if one.code == "tool" and "search yet" in one.reason]
    assert told == [("restated", "$.tools[1]"), ("restated", "$.tools[2].tools[0]")]


def test_what_a_search_has_found_need_not_be_strict():
    bare = {key: value for key, value in function("w").items() if key != "strict"}
    items = [
        GO,
        {"type": "tool_search_call", "call_id": "c1", "execution": "client", "arguments": {"q": "x"}},
        {"type": "tool_search_output", "call_id": "c1", "execution": "client", "status": "completed", "tools": [bare]},
        {"type": "additional_tools", "role": "developer", "tools": [bare]},
        ON,
    ]
    assert tw.prepare({"model": "m", "input": items}, "openai-responses").payload["input"] == items


SHOWN = [
    {"type": "tool_search_call", "call_id": "c1", "execution": "client", "arguments": {"q": "x"}},
    {
        "type": "tool_search_output",
        "call_id": "c1",
        "execution": "client",
        "tools": [group("a", MEMBER), function("w")],
    },
]


@pytest.mark.parametrize("target", FOREIGN)
def test_a_found_group_is_named_flat_in_the_result(target):
    ready = tw.prepare({"model": "m", "input": [GO, *SHOWN, ON], "tools": [SEARCH]}, target, blobs="base64")
    said = json.dumps(ready.payload).replace("\\", "")
    assert '{"tools":["a__s","w"]}' in said or '{"tools": ["a__s", "w"]}' in said
    assert defined(ready.payload, target) == ["tool_search", "a__s", "w"]


@pytest.mark.parametrize("target", ("openai", "anthropic", "gemini"))
def test_loaded_definitions_count_for_a_budget(target):
    large = function("w", description="d" * 5000)
    items = [GO, SHOWN[0], {**SHOWN[1], "tools": [large]}, ON]
    given = {"model": "m", "input": items, "tools": [SEARCH]}
    assert tw.prepare(given, target, budget=100_000).receipt.totals["before"] > 5000
    assert tw.prepare([GO, *items[1:]], target, budget=100_000).receipt.totals["before"] > 5000


def long_run(name, namespace=None):
    """A search, many exchanges, and calls of a found tool at the end."""
    items = [{"role": "user", "content": "task"}, *SHOWN]
    for at in range(12):
        last = at > 8
        call = {"type": "function_call", "call_id": f"d{at}", "name": name if last else "f", "arguments": "{}"}
        if last and namespace:
            call["namespace"] = namespace
        items += [call, {"type": "function_call_output", "call_id": f"d{at}", "output": "x" * 900}, ON]
    return {"model": "m", "input": items, "tools": [SEARCH, function("f")]}


@pytest.mark.parametrize("budget", (9000, 5000, 1800))
@pytest.mark.parametrize("target", ("openai-responses", "openai", "anthropic"))
@pytest.mark.parametrize("called", (("w", "w"), ("s", "a"), ("other", None)))
def test_a_search_goes_after_the_calls_of_what_it_found(called, target, budget):
    ready = tw.prepare(long_run(*called), target, budget=budget)
    if target == "openai-responses":
        kinds = [item.get("type") for item in ready.payload["input"]]
        assert kinds.count("tool_search_call") == kinds.count("tool_search_output")
        names = [item.get("name") for item in ready.payload["input"]]
        assert "tool_search_output" in kinds or called[0] not in names or called[0] == "other"
        assert ("tool_search_output" in kinds) == (called[0] != "other") or budget > 1800
    elif called[0] != "other":
        flat = {"w": "w", "s": "a__s"}[called[0]]
        assert flat in calls(ready.payload, target)
        assert flat in defined(ready.payload, target)


@pytest.mark.parametrize("target", ("anthropic", "bedrock", "cohere"))
def test_no_tools_are_missing_where_an_item_shows_them(target):
    call = {"type": "function_call", "call_id": "c2", "name": "w", "arguments": "{}"}
    answer = {"type": "function_call_output", "call_id": "c2", "output": "x"}
    ready = tw.prepare([GO, *SHOWN, call, answer, ON], target, blobs="base64")
    assert not any(one.code == "tools_missing" for one in ready.receipt)
    more = {"type": "additional_tools", "role": "developer", "tools": [function("w")]}
    ready = tw.prepare([GO, more, call, answer, ON], target, blobs="base64")
    assert not any(one.code == "tools_missing" for one in ready.receipt)
    bare = tw.prepare([GO, call, answer, ON], target, blobs="base64")
    assert any(one.code == "tools_missing" for one in bare.receipt) == (target != "cohere")


@pytest.mark.parametrize("target", FOREIGN)
def test_a_member_without_parameters_takes_none(target):
    given = {"model": "m", "input": [GO], "tools": [group("a", {"type": "function", "name": "s"})]}
    [tool] = tw.Conversation.parse(tw.prepare(given, target, blobs="base64").payload, target).tools
    assert tool["parameters"] == NOTHING


@pytest.mark.parametrize("kind", ("shell", "apply_patch"))
@pytest.mark.parametrize("target", ("openai", "anthropic", "gemini", "bedrock", "mistral"))
def test_the_choice_of_a_tool_that_the_caller_runs(target, kind):
    tools = [function(kind), {"type": kind}]
    given = {"model": "m", "input": [GO], "tools": tools, "tool_choice": {"type": kind}}
    ready = tw.prepare(given, target, blobs="base64")
    config = {key: value for key, value in ready.payload.get("toolConfig", {}).items() if key != "tools"}
    assert f'"{kind}_2"' in json.dumps({**ready.payload, "tools": None, "toolConfig": config})
    assert not any(one.code == "tool_choice" for one in ready.receipt)


def test_the_older_editor_can_undo():
    kinds = {
        "text_editor_20250124": "str_replace_editor",
        "text_editor_20250728": "str_replace_based_edit_tool",
    }
    tools = [{"type": kind, "name": name} for kind, name in kinds.items()]
    ready = tw.prepare({"model": "m", "max_tokens": 9, "messages": [GO], "tools": tools}, "openai", source="anthropic")
    old, new = (tool["function"]["parameters"]["properties"]["command"]["enum"] for tool in ready.payload["tools"])
    assert "undo_edit" in old
    assert "undo_edit" not in new


@pytest.mark.parametrize("target", ("openai", "gemini", "mistral"))
def test_other_keys_of_such_a_tool_are_told(target):
    editor = {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool", "max_characters": 9}
    claude = tw.prepare(
        {"model": "m", "max_tokens": 9, "messages": [GO], "tools": [editor]}, target, source="anthropic"
    )
    shell = {"type": "shell", "environment": {"type": "local", "skills": [{"name": "x"}]}}
    ours = tw.prepare({"model": "m", "input": [GO], "tools": [shell]}, target)
    bare = tw.prepare(
        {"model": "m", "input": [GO], "tools": [{"type": "shell", "environment": {"type": "local"}}]}, target
    )
    lost = [
        [one.path for one in ready.receipt if (one.kind, one.code) == ("lost", "key")] for ready in (claude, ours, bare)
    ]
    assert lost == [["$.tools[0].max_characters"], ["$.tools[0].environment"], []]


def foreign_calls(*names):
    calls = [
        {"id": f"c{at}", "type": "function", "function": {"name": name, "arguments": "{}"}}
        for at, name in enumerate(names)
    ]
    answers = [{"role": "tool", "tool_call_id": call["id"], "content": "x"} for call in calls]
    return [GO, {"role": "assistant", "content": None, "tool_calls": calls}, *answers, ON]


def placed(payload):
    calls = [item for item in payload["input"] if item.get("type") == "function_call"]
    return [(call["name"], call.get("namespace")) for call in calls]


def test_a_foreign_call_says_where_its_tool_is():
    tools = [function("w", defer_loading=True), SEARCH, group("a", MEMBER), function("plain")]
    messages = foreign_calls("w", "a__s", "plain", "unknown")
    right = [("w", "w"), ("s", "a"), ("plain", None), ("unknown", None)]
    ledger = tw.Ledger("openai-responses")
    for ready in (
        tw.prepare(messages, "openai-responses", tools=tools),
        ledger.prepare(messages, tools=tools),
        tw.prepare({"model": "m", "input": messages, "tools": tools}, "openai-responses"),
        tw.convert({"model": "m", "input": messages, "tools": tools}, "openai-responses", source="auto"),
        tw.prepare(messages, "openai-responses", tools=tools, budget=50_000),
    ):
        assert placed(ready.payload) == right
        assert [one.reason.split(":")[0] for one in ready.receipt if one.code == "name"] == [
            "the target shows this tool after a search, and needs its name as the group of the call",
            "the target has groups of tools",
        ]
    again = tw.prepare(ready.payload, "openai-responses")
    assert again.payload["input"] == ready.payload["input"]
    more = ledger.prepare([*messages, {"role": "assistant", "content": "done"}, ON], tools=tools)
    assert placed(more.payload) == right


def test_a_foreign_call_of_what_a_search_has_found():
    found = [SHOWN[0], {**SHOWN[1], "tools": [function("w"), group("a", MEMBER)]}]
    messages = [GO, *found, *foreign_calls("w", "a__s")[1:]]
    for body in ({"model": "m", "input": messages}, {"model": "m", "input": messages, "tools": [SEARCH]}):
        assert placed(tw.prepare(body, "openai-responses").payload) == [("w", "w"), ("s", "a")]
